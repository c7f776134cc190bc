"""Slugs, titles and captions as forms: set with WeasyPrint like cards, each line once, and placed.

So every script is shaped, runs its own way, and takes what the first family lacks from the next.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import escape
from pikepdf import Array

from cardgen.core.units import convert_to_points
from cardgen.game.text_direction import format_language_attributes
from cardgen.pdf.composition import Composer
from cardgen.pdf.content_operators import Matrix, format_numbers
from cardgen.runtime.content_store import DamagedEntryError, Store, read_entry
from cardgen.sheets.sheet_captions import CaptionLine, CaptionSet

_TYPE_SIZE_PT = 10.0
"""The size of the type that lines are set in, pt; placed, they are scaled."""
_LINE_HEIGHT_MM = 10.0
"""The room that a line takes on its page, mm."""
_CAPTION_CSS = """
@page { size: 1000mm HEIGHTmm; margin: 0 }
html { font-family: FAMILIES } body { margin: 0 }
div { font-size: 10pt; line-height: 10mm; height: 10mm; white-space: pre; hyphens: manual }
i { display: inline-block; width: 0.5em; height: 0.66em; margin: 0 0.05em;
    border: 0.06em solid; box-sizing: border-box }
"""
_MISSING_CHARACTER_HTML = "<i></i>"


@dataclass(frozen=True)
class CaptionSpot:
    """Where a line comes to stand: the left end (or the middle) of its baseline, mm; the size of
    its type, pt; turned by 0 or 90 degrees."""

    x: float
    y: float
    size: float
    middle: bool = False
    turn: int = 0


class CaptionForms:
    """The lines of a file as forms of its PDF."""

    def __init__(self, composer: Composer, lettering: CaptionSet) -> None:
        places, pdf = _load_lines(lettering)
        forms = composer.import_text_pages(pdf) if lettering.lines else []
        self._lines = dict(zip(lettering.lines, zip(forms, places, strict=True), strict=True))
        self._names = {line: f"L{number}" for number, line in enumerate(lettering.lines)}
        for form, (left, baseline, width) in self._lines.values():
            form.BBox = Array(
                [
                    left - _TYPE_SIZE_PT,
                    baseline - _TYPE_SIZE_PT,
                    left + width + _TYPE_SIZE_PT,
                    baseline + 2 * _TYPE_SIZE_PT,
                ]
            )

    def measure_line(self, line: CaptionLine, size: float) -> float:
        """How wide a line is in type of that size, both pt."""
        return float(self._lines[line][1][2]) * size / _TYPE_SIZE_PT if line.text else 0.0

    def draw_line(self, line: CaptionLine, spot: CaptionSpot, forms: dict[str, Any]) -> str:
        """The operators that draw a line at its spot; its form joins `forms`."""
        if not line.text:
            return ""
        form, (left, baseline, width) = self._lines[line]
        name = self._names[line]
        forms[name] = form
        scale = spot.size / _TYPE_SIZE_PT
        along, up = scale * (left + (width / 2 if spot.middle else 0.0)), scale * baseline
        matrix: Matrix = (
            scale,
            0,
            0,
            scale,
            convert_to_points(spot.x) - along,
            convert_to_points(spot.y) - up,
        )
        if spot.turn:
            matrix = (
                0,
                scale,
                -scale,
                0,
                convert_to_points(spot.x) + up,
                convert_to_points(spot.y) - along,
            )
        return f"q {format_numbers(*matrix)} cm /{name} Do Q"


TypesetPlace = tuple[float, float, float]
"""Of a set line: its left end, its baseline from the page's foot, and its width, pt."""


def _load_lines(lettering: CaptionSet) -> tuple[list[TypesetPlace], bytes]:
    """Where each line lies on its page, and the PDF of a page a line, out of the store if there.

    The places stand behind the PDF's end, so that one file holds all.
    """
    try:
        pdf, _, told = read_entry(lettering.path).rpartition(b"\n")
        return [(left, baseline, width) for left, baseline, width in json.loads(told)], pdf
    except (DamagedEntryError, ValueError, TypeError):
        places, pdf = _typeset_lines(lettering)
        data = pdf + b"\n" + json.dumps(places).encode()
        Store(lettering.path.parent.parent).write(lettering.path, data)
        return places, pdf


def _typeset_lines(lettering: CaptionSet) -> tuple[list[TypesetPlace], bytes]:
    # Loaded only where lines are new: WeasyPrint takes half a second.
    from cardgen.faces import measurement  # noqa: PLC0415
    from cardgen.pdf.weasyprint_adapter import (
        ArtFetcher,
        FontConfiguration,
        WeasyPrintLog,
        format_font_faces,
        format_font_families,
        parse_stylesheet,
        weasyprint,
    )

    fonts, fetcher = FontConfiguration(), ArtFetcher({}, lettering.cuts)
    height = _LINE_HEIGHT_MM * (len(lettering.lines) + 1)
    style = _CAPTION_CSS.replace("HEIGHT", f"{height:g}").replace(
        "FAMILIES", format_font_families(lettering.cuts)
    )
    with WeasyPrintLog():
        sheet = parse_stylesheet(format_font_faces(lettering.cuts) + style, fonts, fetcher)
        html = weasyprint.HTML(
            string=f"<!doctype html><html {format_language_attributes(lettering.language)}>"
            f"<body>{''.join(_format_line(line, lettering.missing_characters) for line in lettering.lines)}</body>",
            url_fetcher=fetcher,
        )
        document = html.render(font_config=fonts, stylesheets=[sheet])
        found = list(measurement.split_lines(document.pages[0]))
        pdf: bytes = document.copy([page for page, *_ in found]).write_pdf()
    foot = convert_to_points(height)
    return [
        (convert_to_points(left), foot - convert_to_points(baseline), convert_to_points(width))
        for _, left, baseline, width in found
    ], pdf


def _format_line(line: CaptionLine, lost: str) -> str:
    grey = round(255 * line.grey)
    text = " ".join(str(escape(line.text)).splitlines())
    for character in lost:
        text = text.replace(character, _MISSING_CHARACTER_HTML)
    return f'<div style="color: rgb({grey}, {grey}, {grey})">{text}</div>'
