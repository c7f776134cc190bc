"""Faces from HTML: WeasyPrint lays out a chunk of faces, each is measured, fitted and painted.

Every face becomes a small PDF of its own, so that its bytes depend on nothing but the face.
SVG art is not drawn here: a tiny raster of the right proportions stands in for it, and
`compose` puts the drawing in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from cardgen.assets import coloured, hyphenation
from cardgen.assets.artwork import Art, address
from cardgen.assets.fontfiles import ICON_FAMILY
from cardgen.base.problems import Remark, Spot, line_of
from cardgen.base.units import NUMERAL
from cardgen.faces import (
    drawn_down,
    facts,
    layout_checks,
    measure,
    painted,
    painted_checks,
    peek,
    soundness,
    tightness,
)
from cardgen.faces.faults import MISSING
from cardgen.faces.fitting import Fit, Shown, fit_alone, shown, wants_another
from cardgen.faces.measure import Layout
from cardgen.faces.orders import Order, Setting, Typeset
from cardgen.faces.pages import Pages, alone
from cardgen.faces.sizes import Found, Keys, Sizes
from cardgen.game.face_facts import FaceFacts
from cardgen.game.writing import attributes
from cardgen.pdf.face_file import SPARE_MM, image_name
from cardgen.pdf.weasy import (
    Fetcher,
    FontConfiguration,
    Log,
    css,
    font_faces,
    template_line,
    weasyprint,
)
from cardgen.templates import variables
from cardgen.templates.tags import addresses, with_attribute

_LIMITS = re.compile(rf"({NUMERAL})(?:pt)?\s*(?:-|–|\s)\s*({NUMERAL})(?:pt)?\Z")
_LEAST_PT, _MOST_PT = 1.0, 1000.0
_MOST_ALONE = 100
"""Of a face with more boxes to be fitted, none is tried by itself: each brings its ancestors."""

# A game may have a class `face`, too: whatever that one is, ours stand on pages of their own.
# The ids are ours; as anchors they would tell in a face's bytes which place of its chunk it had.
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
""".replace("ICONS", f'"{ICON_FAMILY}"')


@dataclass(frozen=True)
class Box:
    """A box of a face whose text is fitted to it or passes it. mm from the bleed box's top left,
    pt; a box without `data-fit` has no sizes.

    `tall` and `wide` are how far the text passes it; less than nothing is room that is left.
    """

    at: str
    left: float
    top: float
    width: float
    height: float
    tall: float
    wide: float
    size: float = 0.0
    smallest: float = 0.0
    largest: float = 0.0


@dataclass(frozen=True)
class Inspected:
    """What is where on a face: its boxes and its texts, each with the template's line."""

    boxes: tuple[Box, ...]
    runs: tuple[measure.Run, ...]


@dataclass
class _Face:
    order: Order
    index: int
    html: str
    fits: dict[str, Fit]
    remarks: list[Remark] = field(default_factory=list)
    page: Any = None
    layout: Layout = field(default_factory=Layout)
    facts: FaceFacts = field(default_factory=FaceFacts)
    key: str = ""
    """Stands for all that decides the sizes of its texts, where it has any."""

    @property
    def name(self) -> str:
        return f"face-{self.index}"


def typeset(setting: Setting, orders: Iterable[Order], sizes: Sizes | None = None) -> list[Typeset]:
    """Set a chunk of faces of one size and style, in the order given. Sizes of texts that are
    known are taken from `sizes`, and others put there."""
    orders = list(orders)
    faces = [_prepared(order, index) for index, order in enumerate(orders)]
    sizes = sizes if sizes is not None else Sizes()
    log = Log()
    with log:
        press = _press(setting)
        document = _fitted(faces, setting, sizes)
        if document is None:
            return [alone for order in orders for alone in typeset(setting, [order], sizes)]
        _remember(faces, sizes)
        pdfs = [_paint(document, face, setting) for face in faces]
    shared = [*press.remarks, *_of_styles(log, setting)]
    return [
        Typeset(
            face.order.key,
            pdf,
            (*shared, *face.remarks, *log.of_html(face.order.html), *_found(face, setting)),
            face.facts,
        )
        for face, pdf in zip(faces, pdfs, strict=True)
    ]


def inspected(setting: Setting, order: Order, sizes: Sizes) -> Inspected:
    """What is where on a face, laid out as it is when it is set."""
    face = _prepared(order, 0)
    with Log():
        _fitted([face], setting, sizes)
    boxes = []
    for found in face.layout.overflows:
        fit = face.fits.get(found.box)
        asked = (fit.size, fit.smallest, fit.largest) if fit else ()
        if found.at:
            place = (found.left, found.top, found.width, found.height, found.tall, found.wide)
            boxes.append(Box(found.at, *place, *asked))
    return Inspected(tuple(boxes), tuple(face.layout.runs))


def _fitted(faces: Sequence[_Face], setting: Setting, sizes: Sizes) -> weasyprint.Document | None:
    """The faces laid out with their texts fitted; None when one of several disturbs others."""
    pages = _pages(faces, setting)
    _fit_alone(faces, pages, setting, sizes)
    pending: Sequence[_Face] = faces
    while pending:
        document = _lay_out(faces, pending, pages)
        if len(faces) > 1 and any(face.page is None or face.layout.mixed for face in faces):
            return None
        pending = [face for face in pending if _wants_another(face)]
    return document


def _prepared(order: Order, index: int) -> _Face:
    fits: dict[str, Fit] = {}
    remarks: list[Remark] = []
    at, wrong = soundness.unsound(order.html)
    if wrong:
        remarks.append(Remark("template", "error", at, wrong))
        order = replace(order, html="")

    parts: list[str] = []
    done = 0
    for start, end, asked in with_attribute(order.html, "data-fit"):
        limits = _LIMITS.match(asked)
        parts.append(order.html[done:start])
        done = end
        if not limits or not _LEAST_PT <= float(limits[1]) <= float(limits[2]) <= _MOST_PT:
            text = f"data-fit is '{asked}'; it gives the smallest and largest size, 6.5-8.5"
            at = template_line(order.html, start)
            remarks.append(Remark("template", "error", at, text))
            continue
        name = f"fit-{index}-{len(fits)}"
        low, high = float(limits[1]), float(limits[2])
        fits[name] = Fit(name, low, high)
        parts.append(f'id="{name}" data-fit="{asked}"')
    return _Face(order, index, "".join([*parts, order.html[done:]]), fits, remarks)


def _pages(faces: Sequence[_Face], setting: Setting) -> Pages:
    press = _press(setting)
    art = {art.name: art for face in faces for art in face.order.art}
    fetcher, styles = Fetcher(art, setting.cuts), (text for _, text in setting.styles)
    return Pages(map(_section, faces), press.fonts, press.stylesheets, styles, fetcher)


def _section(face: _Face) -> str:
    return (
        f'<section class="face" id="{face.name}" {attributes(face.order.language)}>'
        f'<div class="trim">{face.html}</div></section>'
    )


def _fit_alone(faces: Sequence[_Face], pages: Pages, setting: Setting, sizes: Sizes) -> None:
    """Find the sizes that need no whole layout: those that are known, and those of boxes that
    can be told by themselves."""
    by_name = {
        name: (face, fit)
        for face in faces
        if len(face.fits) <= _MOST_ALONE
        for name, fit in face.fits.items()
    }
    styles = tuple(text for _, text in setting.styles)
    keys = [Keys(setting.digest, styles, face.order.art) for face in faces]
    for face in faces:
        section = pages.section(face.name)
        if face.fits and section is not None:
            face.key = keys[face.index].of([section])
            _recall(list(face.fits.values()), face.key, sizes)
    for name, chain in pages.chains(by_name):
        face, fit = by_name[name]
        if fit.believed:
            continue  # with all of its face
        fit.key = keys[face.index].of(chain)
        _recall([fit], fit.key, sizes)
        fit.alone = None if fit.believed else alone(chain)

    def probe(pending: Sequence[Fit]) -> dict[str, list[Shown]]:
        document = pages.parts(
            (fit.alone for fit in pending), {fit.name: fit.size for fit in pending}
        )
        return shown(found for page in document.pages for found in measure.fitted(page))

    with Log():  # what is said of a part is said of the whole, too
        fit_alone((fit for _, fit in by_name.values()), probe)


def _recall(fits: Sequence[Fit], key: str, sizes: Sizes) -> None:
    """Take the sizes of boxes from what is known."""
    known = sizes.of(key, [(fit.smallest, fit.largest) for fit in fits])
    for fit, (size, *laid_out) in zip(fits, known or (), strict=False):
        fit.believe(size, Shown(*laid_out) if laid_out else None)


def _remember(faces: Iterable[_Face], sizes: Sizes) -> None:
    """Put what was found where the next may find it: boxes that were told by themselves each, and
    where one was not, all of its face."""
    for face in faces:
        fits = list(face.fits.values())
        for fit in fits:
            if fit.believed and fit.key:
                sizes.learn(fit.key, [_told(fit.size, fit.expected)])
        found = shown(face.layout.overflows)
        laid_out = [found.get(fit.name, []) for fit in fits]
        hanging = face.key and any(not fit.believed for fit in fits)
        if hanging and all(len(each) < 2 for each in laid_out):
            told = (_told(fit.size, *each) for fit, each in zip(fits, laid_out, strict=True))
            sizes.learn(face.key, list(told))


def _told(size: float, laid_out: Shown | None = None) -> Found:
    return (size, *vars(laid_out).values()) if laid_out else (size,)


def _lay_out(faces: Sequence[_Face], pending: Sequence[_Face], pages: Pages) -> weasyprint.Document:
    """Lay out the faces that are pending, and measure them."""
    by_id = {face.name: face for face in pending}
    sizes = {name: fit.size for face in pending for name, fit in face.fits.items()}
    document = pages.whole({face.name for face in faces if face.name not in by_id}, sizes)
    current: _Face | None = None
    for page in document.pages:
        layout = measure.read(page)
        if layout.face in by_id:
            current = by_id.pop(layout.face)
            current.page, current.layout = page, layout
        elif current is not None and layout.runs:
            current.layout.continued = current.layout.mixed = True
    return document


def _wants_another(face: _Face) -> bool:
    return wants_another(list(face.fits.values()), shown(face.layout.overflows))


def _paint(document: weasyprint.Document, face: _Face, setting: Setting) -> bytes:
    """The face as a PDF; what can be seen to be wrong, and what is known of it, is noted on the
    way."""
    with painted.recording(face.layout.places, ICON_FAMILY) as items:
        pdf: bytes = document.copy([face.page]).write_pdf()
    art = {image_name(each.name)[1:]: each for each in face.order.art}

    def looked(name: str, across: float, down: float) -> peek.Pixel | None:
        known = art.get(name)
        return peek.pixel(known, across, down) if known and not known.missing else None

    face.facts = facts.of(face.layout, items, setting.bleed)
    sheet = painted_checks.Sheet(setting.width, setting.height, setting.bleed)
    face.remarks += [Remark(*each) for each in painted_checks.found(items, sheet, looked)]
    face.remarks += _missing(items, art)
    rasters = {name: each.name for name, each in art.items() if not each.vector}
    coarse = painted_checks.coarse(items, rasters)
    face.remarks += [Remark(*each, about_face=False) for each in coarse]
    face.remarks += drawn_down.told(
        painted_checks.shown_pixels(items, rasters, drawn_down.MOST_DPI)
    )
    return pdf


def _missing(items: Iterable[painted.Item], art: Mapping[str, Art]) -> Iterator[Remark]:
    """Where pictures would stand that cannot be used, which was told before anything was set."""
    for name, each in art.items():
        if each.missing:
            boxes = (item.box for item in items if item.name == name)
            spots = tuple(Spot(b.left, b.top, b.width, b.height, each.name) for b in boxes)
            yield Remark(MISSING, "error", each.name, "", about_face=False, spots=spots)


def _found(face: _Face, setting: Setting) -> Iterator[Remark]:
    sizes = {name: f"{fit.smallest:g}" for name, fit in face.fits.items()}
    found = layout_checks.of_layout(face.layout, face.order.html, sizes)
    found += layout_checks.of_runs(
        face.layout.runs, setting.width, setting.height, setting.bleed, setting.safe
    )
    found += layout_checks.of_fonts(face.layout.runs, setting.cuts, face.order.language)
    yield from found
    yield from facts.wrong_places(face.layout)
    yield from tightness.told(face.layout.overflows, face.fits)
    yield from _unset(face.order.html, setting)


def _unset(html: str, setting: Setting) -> Iterator[Remark]:
    """Custom properties that the HTML's own styles use and nothing sets."""
    if "var(" not in html:
        return
    known = _known(setting) | variables.defined(html)
    for start, _, style in with_attribute(html, "style"):
        for name, _ in variables.used(style):
            if name not in known:
                message = variables.unknown(name, known)
                yield Remark("css", "warning", template_line(html, start), message)


@lru_cache(maxsize=16)
def _known(setting: Setting) -> frozenset[str]:
    found = variables.of_colours(name for name, _ in setting.colours) | set(variables.OF_FACES)
    return frozenset(found.union(*(variables.defined(text) for _, text in setting.styles)))


@dataclass(frozen=True)
class _Press:
    """What is set up once for a setting in a process: fonts known to Pango, stylesheets read."""

    fonts: FontConfiguration
    stylesheets: list[weasyprint.CSS]
    remarks: tuple[Remark, ...]


@lru_cache(maxsize=16)
def _press(setting: Setting) -> _Press:
    fetcher = Fetcher({}, setting.cuts)
    for language, path in setting.patterns:
        hyphenation.register(language, path)
    fonts = FontConfiguration()
    own = (font_faces(setting.cuts), BASE_CSS, coloured.style(dict(setting.coloured)))
    engine = "".join((*own, _geometry(setting)))
    sheets = [css(engine, fonts, fetcher)]
    remarks: list[Remark] = []
    for name, text in setting.styles:
        log = Log()
        with log:
            sheets.append(css(text, fonts, fetcher))
        remarks += log.of_style(name, text)
    return _Press(fonts, sheets, tuple(remarks))


def _geometry(setting: Setting) -> str:
    bleed, width, height = setting.bleed, setting.width, setting.height
    first = next((cut.family for cut in setting.cuts if cut.family != ICON_FAMILY), "none")
    colours = "".join(f"--{name}: {value}; " for name, value in setting.colours)
    return (
        f"@page {{ size: {width + 2 * bleed}mm {height + 2 * bleed + SPARE_MM}mm; margin: 0 }}\n"
        f":root {{ {colours}--bleed: {bleed}mm; --trim-width: {width}mm; "
        f"--trim-height: {height}mm; --safe: {setting.safe}mm; font-family: '{first}'; "
        "font-size: 8pt }\n"
        f".face {{ width: {width + 2 * bleed}mm; height: {height + 2 * bleed}mm }}\n"
        f".trim {{ left: {bleed}mm; top: {bleed}mm; width: {width}mm; height: {height}mm }}\n"
        f".bleed:where(.trim > *) {{ left: -{bleed}mm; top: -{bleed}mm; "
        f"width: {width + 2 * bleed}mm; height: {height + 2 * bleed}mm }}\n"
    )


def _of_styles(log: Log, setting: Setting) -> Iterator[Remark]:
    """Addresses in stylesheets, which are followed only when a face uses them."""
    for url in filter(None, map(log.unread, log.messages)):
        for name, text in setting.styles:
            told = {unquote(address(written)) for written in addresses(text)}
            written = re.search(rf"[\"'(]\s*{re.escape(url)}", text)
            if written and unquote(address(url)) not in told:
                yield log.not_read(url, f"{name}:{line_of(text, url)}", about_face=False)
