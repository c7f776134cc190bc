"""Faces from HTML: WeasyPrint lays out a chunk of faces, each is measured, fitted and painted.

Every face becomes a small PDF of its own, so that its bytes depend on nothing but the face.
SVG art is not drawn here: a tiny raster of the right proportions stands in for it, and
`compose` puts the drawing in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from cardgen.assets import hyphenation
from cardgen.assets.artwork import BASE_URL, Art, address
from cardgen.assets.fontfiles import ICON_FAMILY, Cut
from cardgen.base.problems import Remark, line_of
from cardgen.base.units import NUMERAL
from cardgen.faces import layout_checks, measure, painted, painted_checks, peek, soundness
from cardgen.faces.measure import Layout
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
_STEP = 0.1
_ROUNDS = 16

# The ids are ours; as anchors they would tell in a face's bytes which place of its chunk it had.
BASE_CSS = """
html, body { margin: 0; padding: 0 }
.face { position: relative; break-after: page; overflow: visible; hyphens: auto;
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
class Setting:
    """What the faces of a chunk share. Lengths in mm; stylesheets as (name, text)."""

    width: float
    height: float
    bleed: float
    safe: float
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    cuts: tuple[Cut, ...]
    patterns: tuple[tuple[str, Path], ...]


@dataclass(frozen=True)
class Order:
    """A face to set: its key in the store, its language and HTML, the art that it names; and its
    own name, for people."""

    key: str
    language: str
    html: str
    art: tuple[Art, ...] = ()
    name: str = "?"


@dataclass(frozen=True)
class Typeset:
    """A face, set: its PDF, and what is wrong with it."""

    key: str
    pdf: bytes
    remarks: tuple[Remark, ...]


@dataclass
class _Fit:
    """The search for one box's size: the largest tenth of a point at which its text fits."""

    low: float
    high: float
    size: float
    smallest: float
    best: float | None = None
    asked: str = ""
    tried: int = 0

    def learn(self, tall: float, wide: float, height_ratio: float) -> bool:
        """Take in a measurement; whether another layout is needed."""
        self.tried += 1
        if max(tall, wide) <= measure.TOLERANCE_MM:
            self.best = self.size
            self.low = round(self.size + _STEP, 1)
        else:
            self.high = round(self.size - _STEP, 1)
        if self.low > self.high or self.tried >= _ROUNDS:
            final = self.best if self.best is not None else self.smallest
            again, self.size = self.size != final, final
            self.low = self.high + 1
            return again
        guess = self.size / height_ratio**0.5 if self.tried == 1 else (self.low + self.high) / 2
        self.size = round(min(self.high, max(self.low, guess)), 1)
        return True


@dataclass
class _Face:
    order: Order
    index: int
    html: str
    fits: dict[str, _Fit]
    remarks: list[Remark] = field(default_factory=list)
    page: Any = None
    layout: Layout = field(default_factory=Layout)


def typeset(setting: Setting, orders: Iterable[Order]) -> list[Typeset]:
    """Set a chunk of faces of one size and style, in the order given."""
    orders = list(orders)
    faces = [_prepared(order, index) for index, order in enumerate(orders)]
    log = Log()
    with log:
        press = _press(setting)
        art = {art.name: art for face in faces for art in face.order.art}
        fetcher = Fetcher(art, setting.cuts)
        pending = faces
        while pending:
            document = _lay_out(pending, setting, press, fetcher)
            if len(orders) > 1 and any(face.page is None or face.layout.mixed for face in faces):
                return [alone for order in orders for alone in typeset(setting, [order])]
            pending = [face for face in pending if _needs_another(face)]
        pdfs = [_paint(document, face, setting) for face in faces]
    shared = [*press.remarks, *_of_styles(log, setting)]
    return [
        Typeset(
            face.order.key,
            pdf,
            (*shared, *face.remarks, *log.of_html(face.order.html), *_found(face, setting)),
        )
        for face, pdf in zip(faces, pdfs, strict=True)
    ]


def _prepared(order: Order, index: int) -> _Face:
    fits: dict[str, _Fit] = {}
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
        fits[name] = _Fit(low, high, high, low, asked=f"{low:g}")
        parts.append(f'id="{name}" data-fit="{asked}"')
    return _Face(order, index, "".join([*parts, order.html[done:]]), fits, remarks)


def _lay_out(
    faces: list[_Face], setting: Setting, press: _Press, fetcher: Fetcher
) -> weasyprint.Document:
    sections = "".join(
        f'<section class="face" id="face-{face.index}" {attributes(face.order.language)}>'
        f'<div class="trim">{face.html}</div></section>'
        for face in faces
    )
    sizes = "".join(
        f"#{name}{{font-size:{fit.size}pt !important}}"
        for face in faces
        for name, fit in face.fits.items()
    )
    html = weasyprint.HTML(
        string=f"<!doctype html><html><head><style>{sizes}</style></head>"
        f"<body>{sections}</body></html>",
        base_url=BASE_URL,
        url_fetcher=fetcher,
    )
    document = html.render(font_config=press.fonts, stylesheets=press.stylesheets)
    fetcher.check()
    by_id = {f"face-{face.index}": face for face in faces}
    current: _Face | None = None
    for page in document.pages:
        layout = measure.read(page)
        if layout.face in by_id:
            current = by_id.pop(layout.face)
            current.page, current.layout = page, layout
        elif current is not None and layout.runs:
            current.layout.continued = current.layout.mixed = True
    return document


def _needs_another(face: _Face) -> bool:
    again = False
    for overflow in face.layout.overflows:
        fit = face.fits.get(overflow.box)
        if fit is None or fit.low > fit.high:
            continue
        ratio = 1 + max(0.0, overflow.tall, overflow.wide) / 25
        again = fit.learn(overflow.tall, overflow.wide, ratio) or again
    return again


def _paint(document: weasyprint.Document, face: _Face, setting: Setting) -> bytes:
    """The face as a PDF; what can be seen to be wrong is remarked on the way."""
    with painted.recording(face.layout.places, ICON_FAMILY) as items:
        pdf: bytes = document.copy([face.page]).write_pdf()
    art = {image_name(each.name)[1:]: each for each in face.order.art}

    def looked(name: str, across: float, down: float) -> peek.Pixel | None:
        return peek.pixel(art[name], across, down) if name in art else None

    sheet = painted_checks.Sheet(setting.width, setting.height, setting.bleed)
    face.remarks += [Remark(*each) for each in painted_checks.found(items, sheet, looked)]
    rasters = {name: each.name for name, each in art.items() if not each.vector}
    coarse = painted_checks.coarse(items, rasters)
    face.remarks += [Remark(*each, about_face=False) for each in coarse]
    return pdf


def _found(face: _Face, setting: Setting) -> Iterator[Remark]:
    sizes = {name: fit.asked for name, fit in face.fits.items()}
    found = layout_checks.of_layout(face.layout, face.order.html, sizes)
    found += layout_checks.of_runs(
        face.layout.runs, setting.width, setting.height, setting.bleed, setting.safe
    )
    found += layout_checks.of_fonts(face.layout.runs, setting.cuts)
    yield from (Remark(*each) for each in found)
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
    engine = "".join((font_faces(setting.cuts), BASE_CSS, _geometry(setting)))
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
