"""Faces from HTML: WeasyPrint lays out a chunk of faces, each is measured, fitted and painted.

Every face becomes a small PDF of its own, so that its bytes depend on nothing but the face.
SVG art is not drawn here: a tiny raster of the right proportions stands in for it, and
`compose` puts the drawing in its place.
"""

from __future__ import annotations

import io
import logging
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from PIL import Image

from cardgen import hyphenation
from cardgen.artwork import BASE_URL, Art, address, references
from cardgen.fontfiles import ICON_FAMILY, Cut
from cardgen.pdf import checks, measure, soundness
from cardgen.pdf.facepdf import SPARE_MM
from cardgen.pdf.measure import Layout
from cardgen.problems import did_you_mean, line_of

os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("fonts.conf"))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import weasyprint
    from weasyprint.css.properties import KNOWN_PROPERTIES
    from weasyprint.text.ffi import harfbuzz_subset
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher, URLFetcherResponse

if not harfbuzz_subset:
    # WeasyPrint would go on, thirty times slower and with other bytes at every build.
    raise OSError("cannot load library 'libharfbuzz-subset'")

_FIT = re.compile(r"\bdata-fit=[\"']?([^\"'\s>]*)[\"']?")
_LIMITS = re.compile(r"(\d+(?:\.\d+)?)(?:pt)?\s*(?:-|–|\s)\s*(\d+(?:\.\d+)?)(?:pt)?\Z")
_STEP = 0.1
_ROUNDS = 16

# The ids are ours; as anchors they would tell in a face's bytes which place of its chunk it had.
BASE_CSS = """
html, body { margin: 0; padding: 0 }
.face { position: relative; break-after: page; overflow: visible; hyphens: auto;
        hyphenate-limit-chars: 7 3 3; hyphenate-character: "-" }
.trim { position: absolute }
.trim > .bleed { position: absolute }
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
    scratch: Path


@dataclass(frozen=True)
class Order:
    """A face to set: its key in the store, its language and HTML, the art that it names."""

    key: str
    language: str
    html: str
    art: tuple[Art, ...] = ()


@dataclass(frozen=True)
class Remark:
    """What is wrong with a face. `at` is template:line or style:line, "" for the card itself."""

    kind: str
    severity: str
    at: str
    message: str
    about_face: bool = True


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
    log = _Log()
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
        painted = [_paint(document, face) for face in faces]
    shared = [*press.remarks, *_of_styles(log, setting)]
    return [
        Typeset(
            face.order.key,
            pdf,
            (*shared, *face.remarks, *log.of_html(face.order.html), *_found(face, setting)),
        )
        for face, pdf in zip(faces, painted, strict=True)
    ]


def _prepared(order: Order, index: int) -> _Face:
    fits: dict[str, _Fit] = {}
    remarks: list[Remark] = []
    at, wrong = soundness.unsound(order.html)
    if wrong:
        remarks.append(Remark("template", "error", at, wrong))
        order = replace(order, html="")

    def mark(match: re.Match[str]) -> str:
        limits = _LIMITS.match(match[1])
        if not limits or float(limits[1]) > float(limits[2]):
            text = f"data-fit is '{match[1]}'; it gives the smallest and largest size, 6.5-8.5"
            at = _template_line(order.html, match.start())
            remarks.append(Remark("template", "error", at, text))
            return ""
        name = f"fit-{index}-{len(fits)}"
        low, high = float(limits[1]), float(limits[2])
        fits[name] = _Fit(low, high, high, low, asked=f"{low:g}")
        return f'id="{name}" data-fit="{match[1]}"'

    html = _FIT.sub(mark, order.html)
    return _Face(order, index, html, fits, remarks)


def _lay_out(
    faces: list[_Face], setting: Setting, press: _Press, fetcher: Fetcher
) -> weasyprint.Document:
    sections = "".join(
        f'<section class="face" id="face-{face.index}" lang="{face.order.language}">'
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


def _paint(document: weasyprint.Document, face: _Face) -> bytes:
    pdf: bytes = document.copy([face.page]).write_pdf()
    return pdf


def _found(face: _Face, setting: Setting) -> Iterator[Remark]:
    sizes = {name: fit.asked for name, fit in face.fits.items()}
    found = checks.of_layout(face.layout, face.order.html, sizes)
    found += checks.of_runs(
        face.layout.runs, setting.width, setting.height, setting.bleed, setting.safe
    )
    found += checks.of_fonts(face.layout.runs, setting.cuts)
    for kind, severity, at, message in found:
        yield Remark(kind, severity, at, message)


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
        hyphenation.register(language, path, setting.scratch)
    fonts = FontConfiguration()
    engine = "".join((font_faces(setting.cuts), BASE_CSS, _geometry(setting)))
    sheets = [_css(engine, fonts, fetcher)]
    remarks: list[Remark] = []
    for name, text in setting.styles:
        log = _Log()
        with log:
            sheets.append(_css(text, fonts, fetcher))
        remarks += log.of_style(name, text)
    return _Press(fonts, sheets, tuple(remarks))


def _css(text: str, fonts: FontConfiguration, fetcher: Fetcher) -> weasyprint.CSS:
    return weasyprint.CSS(string=text, font_config=fonts, url_fetcher=fetcher, base_url=BASE_URL)


def font_faces(cuts: tuple[Cut, ...]) -> str:
    """The stylesheet that makes those fonts known."""
    return "".join(
        f'@font-face {{ font-family: "{cut.family}"; font-weight: {cut.weight}; '
        f"font-style: {cut.style}; src: url({BASE_URL}font/{cut.path.name}) }}\n"
        for cut in cuts
    )


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
        f".trim > .bleed {{ left: -{bleed}mm; top: -{bleed}mm; width: {width + 2 * bleed}mm; "
        f"height: {height + 2 * bleed}mm }}\n"
    )


class Fetcher(URLFetcher):  # type: ignore[misc]
    """Answers for the game's art and fonts from what it was given; reads nothing else at all."""

    def __init__(self, art: Mapping[str, Art], cuts: tuple[Cut, ...]) -> None:
        super().__init__(allowed_protocols=())
        self._art = art
        self._fonts = {cut.path.name: cut.path for cut in cuts}

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        name = unquote(url.removeprefix(BASE_URL))
        if name in self._art:
            return URLFetcherResponse(url, _stand_in(self._art[name]))
        path = self._fonts.get(name.removeprefix("font/"))
        if path is None:
            raise ValueError("only the game's own art and fonts are read")
        return URLFetcherResponse(url, path.read_bytes())


def _stand_in(art: Art) -> bytes:
    return _blank(round(art.width), round(art.height)) if art.vector else art.path.read_bytes()


@lru_cache(maxsize=64)
def _blank(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (max(1, width), max(1, height)), 255).save(out, "PNG", compress_level=9)
    return out.getvalue()


class _Log(logging.Handler):
    """WeasyPrint tells of unknown CSS and missing files through its logger only.

    What it says of a chunk names no face: whose it is shows in whose HTML the words stand.
    """

    _IGNORED = re.compile(r"Ignored `(?P<what>.*?)` at (?P<line>\d+):\d+, (?P<why>.*)", re.DOTALL)
    _UNREAD = re.compile(r"Failed to load \w+ at '?(?P<url>[^\s']*)")
    _SELECTOR = re.compile(r"Invalid or unsupported selector, '(.*?)'", re.DOTALL)
    _AT = re.compile(r" ?\bat (?P<line>\d+):\d+")
    _TOLD_ELSEWHERE = ".notdef glyph"

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self._before: list[logging.Handler] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if self._TOLD_ELSEWHERE not in message:
            self.messages.append(message)

    def __enter__(self) -> _Log:
        logger = logging.getLogger("weasyprint")
        self._before, logger.handlers = logger.handlers, [self]
        logger.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("weasyprint").handlers = self._before

    def of_style(self, name: str, text: str) -> list[Remark]:
        """What was said while a stylesheet was read, at its lines."""
        told = [f"'{address(written)}'" for written in references(text)]
        return [
            self._of_style(message, name, text)
            for message in dict.fromkeys(self.messages)
            if not any(url in message for url in told)
        ]

    def _of_style(self, message: str, name: str, text: str) -> Remark:
        unread = self.unread(message)
        if unread:
            return self.not_read(unread, f"{name}:{line_of(text, unread)}", about_face=False)
        ignored = self._IGNORED.match(message)
        if ignored:
            words = _ignored(ignored["what"], ignored["why"])
            return Remark("css", "warning", f"{name}:{ignored['line']}", words, False)
        at, selector = self._AT.search(message), self._SELECTOR.match(message)
        line = int(at["line"]) if at else line_of(text, selector[1]) if selector else 0
        words = " ".join(self._AT.sub("", message, count=1).split()).rstrip(".,")
        return Remark("css", "warning", f"{name}:{line}" if line else name, words, False)

    def of_html(self, html: str) -> Iterator[Remark]:
        """What was said of a face's own HTML, at its template's lines."""
        told = {address(written) for written in references(html)}
        for message in dict.fromkeys(self.messages):
            if any(f"'{url}'" in message for url in told):
                continue  # a picture, told at its line before anything was set
            unread, ignored = self.unread(message), self._IGNORED.match(message)
            if unread:
                if f'"{unread}' in html or f"'{unread}" in html or f"({unread}" in html:
                    at = _template_line(html, html.find(unread))
                    yield self.not_read(unread, at, about_face=True)
            elif ignored:
                name = re.escape(ignored["what"].partition(":")[0])
                found = re.search(rf"\b{name}\s*:", html)
                if found:
                    words = _ignored(ignored["what"], ignored["why"])
                    yield Remark("css", "warning", _template_line(html, found.start()), words)
            else:
                yield Remark("css", "warning", "", message.splitlines()[0])

    def unread(self, message: str) -> str:
        """The address that a message says was not read, as it is written; "" for any other."""
        match = self._UNREAD.match(message)
        return unquote(match["url"].removeprefix(BASE_URL)) if match else ""

    @staticmethod
    def not_read(url: str, at: str, *, about_face: bool) -> Remark:
        """A picture, font or stylesheet from elsewhere."""
        words = f"'{url}' is not read; pictures come from the game's art/, nothing from elsewhere"
        return Remark("art", "error", at, words, about_face)


def _ignored(what: str, why: str) -> str:
    """A declaration that has no effect, such as `colour: red`, and maybe the right word."""
    hint = did_you_mean(what.partition(":")[0], KNOWN_PROPERTIES) if "unknown" in why else ""
    return f"'{' '.join(what.split())}' is ignored: {why.rstrip('.')}{hint}"


def _of_styles(log: _Log, setting: Setting) -> Iterator[Remark]:
    """Addresses in stylesheets, which are followed only when a face uses them."""
    for url in filter(None, map(log.unread, log.messages)):
        for name, text in setting.styles:
            if url in text:
                yield log.not_read(url, f"{name}:{line_of(text, url)}", about_face=False)


def _template_line(html: str, position: int) -> str:
    """The `data-at` of the tag that holds a position of the HTML."""
    return re.split(r"[\s>]", html[:position].rpartition("data-at=")[2], maxsplit=1)[0]
