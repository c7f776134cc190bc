"""Layout engine: WeasyPrint lays out a batch of faces; each is fitted, checked and painted.

Each face becomes a PDF of its own, so that its bytes depend on nothing but the face. SVG
pictures are not drawn here: a tiny raster of the right proportions stands in, and the composer
puts the drawing in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import unquote

from cardgen.assets import coloured_icons, hyphenation
from cardgen.assets.artwork import Art, resolve_address
from cardgen.assets.font_files import ICON_FAMILY
from cardgen.core.problems import Diagnostic, Spot, find_line
from cardgen.core.units import NUMERAL_PATTERN
from cardgen.faces import (
    face_fitting,
    fitting,
    image_sampling,
    layout_checks,
    measurement,
    page_layout,
    paint_recorder,
    typeset_facts,
    visibility_checks,
)
from cardgen.faces.diagnostics import MISSING_ART
from cardgen.faces.face_fitting import FaceWork
from cardgen.faces.fit_cache import FitSizes
from cardgen.faces.fitting import (
    FittedBox,
    group_measurements,
    update_fits,
)
from cardgen.faces.model import FaceInput, FaceOutput, FaceSettings
from cardgen.faces.page_layout import PageLayout
from cardgen.game.card_text import format_language_attributes
from cardgen.game.look_templates import FOCUS_VARIABLE
from cardgen.pdf.face_file import SPARE_PAGE_MM, make_image_name
from cardgen.pdf.weasyprint_adapter import (
    ArtFetcher,
    FontConfiguration,
    WeasyPrintLog,
    find_template_line,
    format_font_faces,
    parse_stylesheet,
    weasyprint,
)
from cardgen.templates import stylesheet_rules
from cardgen.templates.template_lint import find_attribute, list_urls

_LIMITS_PATTERN = re.compile(
    rf"({NUMERAL_PATTERN})(?:pt)?\s*(?:-|–|\s)\s*({NUMERAL_PATTERN})(?:pt)?\Z"
)
_STEPS_PATTERN = re.compile(rf"{NUMERAL_PATTERN}(?:[\s,]+{NUMERAL_PATTERN}){{0,7}}\Z")
_MIN_FIT_PT, _MAX_FIT_PT = 1.0, 1000.0

# A game may use the class `face`, too; ours are children of body, each on a page of its own.
# Our ids must not become anchors: a face's bytes would depend on its position in the batch.
BASE_CSS = """
html, body { margin: 0; padding: 0 }
body > .face { position: relative !important; break-after: page !important }
.face { position: relative; overflow: visible; hyphens: auto;
        hyphenate-limit-chars: 7 3 3; hyphenate-character: "-" }
.trim { position: absolute }
.bleed:where(.trim > *) { position: absolute }
.face, [data-fit] { -weasy-anchor: '' !important }
img { object-fit: contain }
img.drawing { display: block; width: 100% }
.icon { font-family: ICONS; font-weight: 400; font-style: normal; line-height: 0 }
.tied { display: inline-block; white-space: nowrap }
.text-list { display: inline-block; text-align: left }
.text-item { display: block; padding-left: 0.9em; text-indent: -0.9em }
.numbered > .text-item { padding-left: 1.3em; text-indent: -1.3em }
.text-mark { display: inline-block; min-width: 0.9em; text-indent: 0 }
.numbered > .text-item > .text-mark { min-width: 1.3em }
.text-item.level-1 { margin-left: 1em }
.text-item.level-2 { margin-left: 2em }
[dir="rtl"] .text-item.level-1 { margin-left: 0; margin-right: 1em }
[dir="rtl"] .text-item.level-2 { margin-left: 0; margin-right: 2em }
[dir="rtl"] .text-list { text-align: right }
[dir="rtl"] .text-item { padding-left: 0; padding-right: 0.9em }
[dir="rtl"] .numbered > .text-item { padding-left: 0; padding-right: 1.3em }
""".replace("ICONS", f'"{ICON_FAMILY}"')


@dataclass(frozen=True)
class InspectedBox:
    """A box that is fitted or overflows. Lengths in mm from the bleed box's top left, sizes in
    pt.

    `excess_height` and `excess_width` are negative if there is room left. A box without
    `data-fit` has no sizes.
    """

    location: str
    left: float
    top: float
    width: float
    height: float
    excess_height: float
    excess_width: float
    size: float = 0.0
    smallest: float = 0.0
    largest: float = 0.0


@dataclass(frozen=True)
class FaceInspection:
    """Boxes and texts of a face with their template lines."""

    boxes: tuple[InspectedBox, ...]
    runs: tuple[measurement.TextRun, ...]


def typeset_batch(
    setting: FaceSettings, orders: Iterable[FaceInput], sizes: FitSizes | None = None
) -> list[FaceOutput]:
    """Typeset faces of one size and style, in the given order.

    Known text sizes are read from `sizes`; new ones are added.
    """
    orders = list(orders)
    faces = [_prepare_face(order, index) for index, order in enumerate(orders)]
    sizes = sizes if sizes is not None else FitSizes()
    log = WeasyPrintLog()
    with log:
        press = _set_up_engine(setting)
        document = _lay_out_fitted(faces, setting, sizes)
        if document is None:
            return [alone for order in orders for alone in typeset_batch(setting, [order], sizes)]
        face_fitting.save_sizes(faces, sizes)
        pdfs = [_paint_face(document, face, setting) for face in faces]
    shared = [*press.diagnostics, *_check_style_addresses(log, setting)]
    outputs = []
    for face, pdf in zip(faces, pdfs, strict=True):
        own = (*face.diagnostics, *log.get_html_remarks(face.input.html))
        diagnostics = (*shared, *own, *_check_face(face, setting))
        outputs.append(FaceOutput(face.input.key, pdf, diagnostics, face.facts))
    return outputs


def inspect_layout(setting: FaceSettings, order: FaceInput, sizes: FitSizes) -> FaceInspection:
    """Return boxes and texts of a face, laid out as in typesetting."""
    face = _prepare_face(order, 0)
    with WeasyPrintLog():
        _lay_out_fitted([face], setting, sizes)
    boxes = []
    for found in face.layout.overflows:
        fit = face.fitted_boxes.get(found.fit_id)
        limits = (fit.size, fit.smallest, fit.largest) if fit else ()
        if found.location:
            place = (found.left, found.top, found.width, found.height)
            excess = (found.excess_height, found.excess_width)
            boxes.append(InspectedBox(found.location, *place, *excess, *limits))
    return FaceInspection(tuple(boxes), tuple(face.layout.runs))


def _lay_out_fitted(
    faces: Sequence[FaceWork], setting: FaceSettings, sizes: FitSizes
) -> weasyprint.Document | None:
    """Lay out the faces with fitted texts; return None if one face disturbs others."""
    pages = _make_page_layout(faces, setting)
    unfitted = face_fitting.recall_fits(faces, pages, setting, sizes)
    pending: Sequence[FaceWork] = faces
    while pending:
        document = _lay_out_pending(faces, pending, pages)
        disturbed = len(faces) > 1 and any(
            face.page is None or face.layout.is_mixed for face in faces
        )
        if disturbed and not unfitted:
            return None
        again = set(faces) if disturbed else set()
        again |= face_fitting.fit_standalone(unfitted, pages, disturbed=disturbed)
        unfitted = []
        pending = [face for face in pending if face in again or _update_face(face)]
    return document


def _prepare_face(order: FaceInput, index: int) -> FaceWork:
    fits: dict[str, FittedBox] = {}
    remarks: list[Diagnostic] = []
    at, error = page_layout.find_structure_error(order.html)
    if error:
        remarks.append(Diagnostic("template", "error", at, error))
        order = replace(order, html="")

    parts: list[str] = []
    done = 0
    found = [
        (*each, read_sizes)
        for attribute, read_sizes in (("data-fit", _read_limits), ("data-fit-steps", _read_steps))
        for each in find_attribute(order.html, attribute)
    ]
    for start, end, sizes_text, read_sizes in sorted(found, key=lambda each: each[0]):
        parts.append(order.html[done:start])
        done = end
        name = f"fit-{index}-{len(fits)}"
        try:
            fits[name] = FittedBox(name, *read_sizes(sizes_text))
        except ValueError as wrong:
            at = find_template_line(order.html, start)
            remarks.append(Diagnostic("template", "error", at, str(wrong)))
            continue
        parts.append(f'id="{name}" data-fit="{sizes_text}"')
    return FaceWork(order, index, "".join([*parts, order.html[done:]]), fits, remarks)


def _read_limits(text: str) -> tuple[float, float]:
    """Return the smallest and the largest size of `data-fit` in pt. Raise ValueError if wrong."""
    limits = _LIMITS_PATTERN.match(text)
    if not limits or not _MIN_FIT_PT <= float(limits[1]) <= float(limits[2]) <= _MAX_FIT_PT:
        message = f"data-fit is '{text}'; write the smallest and largest size, such as 6.5-8.5"
        raise ValueError(message)
    return float(limits[1]), float(limits[2])


def _read_steps(text: str) -> tuple[float, float, tuple[float, ...]]:
    """Return the limits and the sizes of `data-fit-steps`, largest first. Raise ValueError."""
    sizes = re.findall(NUMERAL_PATTERN, text) if _STEPS_PATTERN.match(text) else []
    steps = tuple(sorted({float(each) for each in sizes}, reverse=True))
    if not steps or not _MIN_FIT_PT <= steps[-1] <= steps[0] <= _MAX_FIT_PT:
        message = f"data-fit-steps is '{text}'; write up to eight sizes, such as 13.5 11"
        raise ValueError(message)
    return steps[-1], steps[0], steps


def _make_page_layout(faces: Sequence[FaceWork], setting: FaceSettings) -> PageLayout:
    hyphenation.register_dictionaries(setting.patterns)
    press = _set_up_engine(setting)
    art = {art.name: art for face in faces for art in face.input.pictures}
    fetcher, styles = ArtFetcher(art, setting.font_files), (text for _, text in setting.styles)
    return PageLayout(map(_format_section, faces), press.fonts, press.stylesheets, styles, fetcher)


def _format_section(face: FaceWork) -> str:
    attributes = format_language_attributes(face.input.language)
    return (
        f'<section class="face" id="{face.section_id}" {attributes}>'
        f'<div class="trim">{face.html}</div></section>'
    )


def _lay_out_pending(
    faces: Sequence[FaceWork], pending: Sequence[FaceWork], pages: PageLayout
) -> weasyprint.Document:
    """Lay out and measure the pending faces."""
    by_id = {face.section_id: face for face in pending}
    sizes = {name: fit.size for face in pending for name, fit in face.fitted_boxes.items()}
    document = pages.lay_out_sections(
        {face.section_id for face in faces if face.section_id not in by_id}, sizes
    )
    current: FaceWork | None = None
    for page in document.pages:
        layout = measurement.measure_page(page)
        if layout.face in by_id:
            current = by_id.pop(layout.face)
            current.page, current.layout = page, layout
        elif current is not None and layout.runs:
            current.layout.is_continued = current.layout.is_mixed = True
    return document


def _update_face(face: FaceWork) -> bool:
    return update_fits(list(face.fitted_boxes.values()), group_measurements(face.layout.overflows))


def _paint_face(document: weasyprint.Document, face: FaceWork, setting: FaceSettings) -> bytes:
    """Return the face as a PDF; adds its diagnostics and facts."""
    with paint_recorder.record_paint(face.layout.origins, ICON_FAMILY) as items:
        pdf: bytes = document.copy([face.page]).write_pdf()
    art = {make_image_name(each.name)[1:]: each for each in face.input.pictures}

    def sample_art(name: str, across: float, down: float) -> image_sampling.Pixel | None:
        picture = art.get(name)
        if picture is None or picture.missing:
            return None
        return image_sampling.sample_pixel(picture, across, down)

    face.facts = typeset_facts.build_facts(face.layout, items, setting.bleed)
    sheet = visibility_checks.FacePage(setting.width, setting.height, setting.bleed)
    pictures = {name: each.name for name, each in art.items() if each.name.startswith("art/")}
    findings = visibility_checks.check_paint(items, sheet, sample_art, pictures)
    face.diagnostics += [Diagnostic(*each) for each in findings]
    face.diagnostics += _mark_missing_art(items, art)
    rasters = {name: each.name for name, each in art.items() if not each.vector}
    coarse = visibility_checks.check_resolution(items, rasters)
    has_focus = FOCUS_VARIABLE in face.input.html  # somebody has chosen what is shown
    cropped = visibility_checks.check_cropping(items, {} if has_focus else pictures)
    face.diagnostics += [Diagnostic(*each, about_face=False) for each in (*coarse, *cropped)]
    face.diagnostics += image_sampling.record_shown_pixels(
        visibility_checks.count_shown_pixels(items, rasters, image_sampling.MAX_DPI)
    )
    return pdf


def _mark_missing_art(
    items: Iterable[paint_recorder.PaintedItem], art: Mapping[str, Art]
) -> Iterator[Diagnostic]:
    """Yield the places of unusable pictures, which were reported before typesetting."""
    for name, each in art.items():
        if each.missing:
            boxes = (item.box for item in items if item.name == name)
            spots = tuple(Spot(b.left, b.top, b.width, b.height, each.name) for b in boxes)
            yield Diagnostic(MISSING_ART, "error", each.name, "", about_face=False, spots=spots)


def _check_face(face: FaceWork, setting: FaceSettings) -> Iterator[Diagnostic]:
    sizes = {name: f"{fit.smallest:g}" for name, fit in face.fitted_boxes.items()}
    found = layout_checks.check_layout(face.layout, face.input.html, sizes)
    found += layout_checks.check_text(
        face.layout.runs, setting.width, setting.height, setting.bleed, setting.safe
    )
    found += layout_checks.check_fonts(face.layout.runs, setting.font_files, face.input.language)
    yield from found
    yield from typeset_facts.check_place_names(face.layout)
    yield from fitting.record_tightness(face.layout.overflows, face.fitted_boxes)
    yield from _check_inline_variables(face.input.html, setting)


def _check_inline_variables(html: str, setting: FaceSettings) -> Iterator[Diagnostic]:
    """Yield diagnostics about undefined custom properties in inline styles."""
    if "var(" not in html:
        return
    known = _list_variables(setting) | stylesheet_rules.find_definitions(html)
    for start, _, style in find_attribute(html, "style"):
        for name, _ in stylesheet_rules.find_uses(style):
            if name not in known:
                message = stylesheet_rules.explain_unknown_variable(name, known)
                yield Diagnostic("css", "warning", find_template_line(html, start), message)


@lru_cache(maxsize=16)
def _list_variables(setting: FaceSettings) -> frozenset[str]:
    found = stylesheet_rules.list_colour_variables(name for name, _ in setting.colours) | set(
        stylesheet_rules.FACE_VARIABLES
    )
    return frozenset(
        found.union(*(stylesheet_rules.find_definitions(text) for _, text in setting.styles))
    )


@dataclass(frozen=True)
class _EngineSetup:
    """Fonts and stylesheets parsed once per settings and process."""

    fonts: FontConfiguration
    stylesheets: list[weasyprint.CSS]
    diagnostics: tuple[Diagnostic, ...]


@lru_cache(maxsize=16)
def _set_up_engine(setting: FaceSettings) -> _EngineSetup:
    fetcher = ArtFetcher({}, setting.font_files)
    fonts = FontConfiguration()
    icon_css = coloured_icons.format_icon_css(dict(setting.coloured_icons))
    own = (format_font_faces(setting.font_files), BASE_CSS, icon_css)
    engine = "".join((*own, _format_page_css(setting)))
    sheets = [parse_stylesheet(engine, fonts, fetcher)]
    remarks: list[Diagnostic] = []
    for name, text in setting.styles:
        log = WeasyPrintLog()
        with log:
            sheets.append(parse_stylesheet(text, fonts, fetcher))
        remarks += log.get_style_remarks(name, text)
    return _EngineSetup(fonts, sheets, tuple(remarks))


def _format_page_css(setting: FaceSettings) -> str:
    bleed, width, height = setting.bleed, setting.width, setting.height
    first = next((cut.family for cut in setting.font_files if cut.family != ICON_FAMILY), "none")
    colours = "".join(f"--{name}: {value}; " for name, value in setting.colours)
    page_height = height + 2 * bleed + SPARE_PAGE_MM
    return (
        f"@page {{ size: {width + 2 * bleed}mm {page_height}mm; margin: 0 }}\n"
        f":root {{ {colours}--bleed: {bleed}mm; --trim-width: {width}mm; "
        f"--trim-height: {height}mm; --safe: {setting.safe}mm; font-family: '{first}'; "
        "font-size: 8pt }\n"
        f".face {{ width: {width + 2 * bleed}mm; height: {height + 2 * bleed}mm }}\n"
        f".trim {{ left: {bleed}mm; top: {bleed}mm; width: {width}mm; height: {height}mm }}\n"
        f".bleed:where(.trim > *) {{ left: -{bleed}mm; top: -{bleed}mm; "
        f"width: {width + 2 * bleed}mm; height: {height + 2 * bleed}mm }}\n"
    )


def _check_style_addresses(log: WeasyPrintLog, setting: FaceSettings) -> Iterator[Diagnostic]:
    """Yield diagnostics about unread addresses in stylesheets.

    WeasyPrint follows them only when a face uses them.
    """
    for url in filter(None, map(log.find_unread_address, log.messages)):
        for name, text in setting.styles:
            addresses = {unquote(resolve_address(written)) for written in list_urls(text)}
            written = re.search(rf"[\"'(]\s*{re.escape(url)}", text)
            if written and unquote(resolve_address(url)) not in addresses:
                yield log.report_unread(url, f"{name}:{find_line(text, url)}", about_face=False)
