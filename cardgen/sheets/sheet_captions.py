"""Captions beside pieces (slugs, titles, labels): typeset with WeasyPrint, stored and placed.

The lines of a file are typeset once, one a page, and stored by their hash. WeasyPrint shapes every
script, sets its direction and falls back to further font families.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from cardgen.assets.font_files import ICON_FAMILY, FontFile, FontSet, read_all_code_points
from cardgen.core.units import convert_to_points
from cardgen.core.work_limits import work_limit
from cardgen.pdf.content_operators import Matrix, format_numbers
from cardgen.runtime import worker_pool
from cardgen.runtime.content_store import DamagedEntryError, Store, digest_parts, read_entry

if TYPE_CHECKING:
    from cardgen.pdf.composition import Composer

CAPTION_STORE_KIND = "lines"
_INVISIBLE_CHARACTERS = frozenset(
    " \u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"
)
SLUG_GREY = 0.35
"""Grey of slugs and other secondary text: 0 is black, 1 is white."""

_TYPE_SIZE_PT = 10.0
"""Type size of typeset lines; placing scales them."""
_LINE_HEIGHT_MM = 10.0
"""Height of a line on its page."""
_CAPTION_CSS = """
@page { size: 1000mm HEIGHTmm; margin: 0 }
html { font-family: FAMILIES } body { margin: 0 }
div { font-size: 10pt; line-height: 10mm; height: 10mm; white-space: pre; hyphens: manual }
i { display: inline-block; width: 0.5em; height: 0.66em; margin: 0 0.05em;
    border: 0.06em solid; box-sizing: border-box }
"""
_MAX_SECONDS = 60.0
_MISSING_CHARACTER_HTML = "<i></i>"
TypesetPlace = tuple[float, float, float]
"""Left end, baseline above the page's foot, and width of a typeset line, in pt."""


@dataclass(frozen=True, order=True)
class CaptionLine:
    """One line of text; `grey` runs from 0 (black) to 1 (white)."""

    text: str
    grey: float = 0.0


@dataclass(frozen=True)
class CaptionSet:
    """All lines of a file. `path` is the stored PDF that holds them, written when it is missing.

    Each character of `missing_characters`, which no font has, is printed as a small box.
    """

    path: Path
    language: str
    lines: tuple[CaptionLine, ...]
    cuts: tuple[FontFile, ...]
    missing_characters: str


def make_caption_set(
    lines: Iterable[CaptionLine], language: str, fonts: FontSet, store: Store, engine: str
) -> CaptionSet:
    """Return the caption set of those lines, each once, under the hash of all that its look depends
    on."""
    unique_lines = tuple(sorted({line for line in lines if line.text}))
    missing = find_missing_characters((line.text for line in unique_lines), fonts, store)
    cuts = [c for c in fonts.files if c.family != ICON_FAMILY]
    files = [f"{cut.family} {cut.weight} {cut.style} {cut.digest}" for cut in cuts]
    key = digest_parts([engine, language, missing, *files, *map(repr, unique_lines)])
    path = store.get_path(CAPTION_STORE_KIND, f"{key}.pdf")
    return CaptionSet(path, language, unique_lines, fonts.files, missing)


def find_missing_characters(texts: Iterable[str], fonts: FontSet, store: Store) -> str:
    """Return the characters of the texts that no font has a glyph for, sorted, each once."""
    characters = {character for text in texts for character in text} - _INVISIBLE_CHARACTERS
    available = _list_glyphs(fonts.files, store.folder)
    return "".join(sorted(c for c in characters if ord(c) not in available))


@lru_cache(maxsize=4)
def _list_glyphs(cuts: tuple[FontFile, ...], folder: Path) -> frozenset[int]:
    return read_all_code_points(FontSet(cuts, {}), Store(folder))


@dataclass(frozen=True)
class CaptionSpot:
    """Position of a line: the left end (or middle) of its baseline in mm, type size in pt, and turn
    by 0 or 90 degrees."""

    x: float
    y: float
    size: float
    middle: bool = False
    turn: int = 0


class CaptionForms:
    """The lines of a caption set as forms of one PDF."""

    def __init__(self, composer: Composer, captions: CaptionSet) -> None:
        places, pdf = _load_lines(captions)
        from pikepdf import Array  # noqa: PLC0415 - loaded only where PDFs are written

        forms = composer.import_text_pages(pdf) if captions.lines else []
        self._lines = dict(zip(captions.lines, zip(forms, places, strict=True), strict=True))
        self._names = {line: f"L{number}" for number, line in enumerate(captions.lines)}
        for form, (left, baseline, width) in self._lines.values():
            right, top = left + width + _TYPE_SIZE_PT, baseline + 2 * _TYPE_SIZE_PT
            form.BBox = Array([left - _TYPE_SIZE_PT, baseline - _TYPE_SIZE_PT, right, top])

    def measure_line(self, line: CaptionLine, size: float) -> float:
        """Return the width of a line in pt at a type size in pt."""
        return float(self._lines[line][1][2]) * size / _TYPE_SIZE_PT if line.text else 0.0

    def draw_line(self, line: CaptionLine, spot: CaptionSpot, forms: dict[str, Any]) -> str:
        """Return the operators that draw a line at its spot, and add its form to `forms`."""
        if not line.text:
            return ""
        form, (left, baseline, width) = self._lines[line]
        name = self._names[line]
        forms[name] = form
        scale = spot.size / _TYPE_SIZE_PT
        along, up = scale * (left + (width / 2 if spot.middle else 0.0)), scale * baseline
        x, y = convert_to_points(spot.x), convert_to_points(spot.y)
        matrix: Matrix = (scale, 0, 0, scale, x - along, y - up)
        if spot.turn:
            matrix = (0, scale, -scale, 0, x + up, y - along)
        return f"q {format_numbers(*matrix)} cm /{name} Do Q"


def _load_lines(captions: CaptionSet) -> tuple[list[TypesetPlace], bytes]:
    """Return the places of the lines and the PDF with one page a line, from the store if it has
    them.

    The places are appended to the PDF, so that one file holds both.
    """
    try:
        pdf, _, encoded = read_entry(captions.path).rpartition(b"\n")
        return [(left, baseline, width) for left, baseline, width in json.loads(encoded)], pdf
    except (DamagedEntryError, ValueError, TypeError):
        # A worker has loaded WeasyPrint, which takes half a second here.
        spread = worker_pool.map_locally if worker_pool.has_fork_server() else map
        ((places, pdf),) = spread(_typeset_lines, [captions])
        data = pdf + b"\n" + json.dumps(places).encode()
        Store(captions.path.parent.parent).write(captions.path, data)
        return places, pdf


def _typeset_lines(captions: CaptionSet) -> tuple[list[TypesetPlace], bytes]:
    # Imported only for new lines.
    from cardgen.faces import measurement  # noqa: PLC0415
    from cardgen.pdf.weasyprint_adapter import WeasyPrintLog, render_document  # noqa: PLC0415

    height = _LINE_HEIGHT_MM * (len(captions.lines) + 1)
    css = _CAPTION_CSS.replace("HEIGHT", f"{height:g}")
    lines = "".join(_format_line(line, captions.missing_characters) for line in captions.lines)
    with work_limit("the texts beside the cards", _MAX_SECONDS), WeasyPrintLog():
        document = render_document(lines, css, captions.language, captions.cuts)
        placed_lines = list(measurement.split_lines(document.pages[0]))
        pdf: bytes = document.copy([page for page, *_ in placed_lines]).write_pdf()
    foot = convert_to_points(height)
    return [
        (convert_to_points(left), foot - convert_to_points(baseline), convert_to_points(width))
        for _, left, baseline, width in placed_lines
    ], pdf


def _format_line(line: CaptionLine, missing_characters: str) -> str:
    grey = round(255 * line.grey)
    text = " ".join(str(escape(line.text)).splitlines())
    for character in missing_characters:
        text = text.replace(character, _MISSING_CHARACTER_HTML)
    return f'<div style="color: rgb({grey}, {grey}, {grey})">{text}</div>'
