"""Slugs, titles and captions as forms: set with WeasyPrint like cards, each line once, and placed.

So every script is shaped, runs its own way, and takes what the first family lacks from the next.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import escape
from pikepdf import Array

from cardgen.base.store import Damaged, Store, read
from cardgen.base.units import points
from cardgen.game.writing import attributes
from cardgen.pdf.compose import Composer
from cardgen.pdf.operators import Matrix, numbers
from cardgen.sheets.captions import Lettering, Line

_SIZE = 10.0
"""The size of the type that lines are set in, pt; placed, they are scaled."""
_TALL = 10.0
"""The room that a line takes on its page, mm."""
_CSS = """
@page { size: 1000mm HEIGHTmm; margin: 0 }
html { font-family: FAMILIES } body { margin: 0 }
div { font-size: 10pt; line-height: 10mm; height: 10mm; white-space: pre; hyphens: manual }
i { display: inline-block; width: 0.5em; height: 0.66em; margin: 0 0.05em;
    border: 0.06em solid; box-sizing: border-box }
"""
_GONE = "<i></i>"


@dataclass(frozen=True)
class Spot:
    """Where a line comes to stand: the left end (or the middle) of its baseline, mm; the size of
    its type, pt; turned by 0 or 90 degrees."""

    x: float
    y: float
    size: float
    middle: bool = False
    turn: int = 0


class Letters:
    """The lines of a file as forms of its PDF."""

    def __init__(self, composer: Composer, lettering: Lettering) -> None:
        places, pdf = _kept(lettering)
        forms = composer.lines(pdf) if lettering.lines else []
        self._lines = dict(zip(lettering.lines, zip(forms, places, strict=True), strict=True))
        self._names = {line: f"L{number}" for number, line in enumerate(lettering.lines)}
        for form, (left, baseline, width) in self._lines.values():
            form.BBox = Array(
                [left - _SIZE, baseline - _SIZE, left + width + _SIZE, baseline + 2 * _SIZE]
            )

    def width(self, line: Line, size: float) -> float:
        """How wide a line is in type of that size, both pt."""
        return float(self._lines[line][1][2]) * size / _SIZE if line.text else 0.0

    def put(self, line: Line, spot: Spot, forms: dict[str, Any]) -> str:
        """The operators that draw a line at its spot; its form joins `forms`."""
        if not line.text:
            return ""
        form, (left, baseline, width) = self._lines[line]
        name = self._names[line]
        forms[name] = form
        scale = spot.size / _SIZE
        along, up = scale * (left + (width / 2 if spot.middle else 0.0)), scale * baseline
        matrix: Matrix = (scale, 0, 0, scale, points(spot.x) - along, points(spot.y) - up)
        if spot.turn:
            matrix = (0, scale, -scale, 0, points(spot.x) + up, points(spot.y) - along)
        return f"q {numbers(*matrix)} cm /{name} Do Q"


Place = tuple[float, float, float]
"""Of a set line: its left end, its baseline from the page's foot, and its width, pt."""


def _kept(lettering: Lettering) -> tuple[list[Place], bytes]:
    """Where each line lies on its page, and the PDF of a page a line, out of the store if there.

    The places stand behind the PDF's end, so that one file holds all.
    """
    try:
        pdf, _, told = read(lettering.path).rpartition(b"\n")
        return [(left, baseline, width) for left, baseline, width in json.loads(told)], pdf
    except (Damaged, ValueError, TypeError):
        places, pdf = _set(lettering)
        data = pdf + b"\n" + json.dumps(places).encode()
        Store(lettering.path.parent.parent).write(lettering.path, data)
        return places, pdf


def _set(lettering: Lettering) -> tuple[list[Place], bytes]:
    # Loaded only where lines are new: WeasyPrint takes half a second.
    from cardgen.faces import measure  # noqa: PLC0415
    from cardgen.pdf.weasy import (  # noqa: PLC0415
        Fetcher,
        FontConfiguration,
        Log,
        css,
        families,
        font_faces,
        weasyprint,
    )

    fonts, fetcher = FontConfiguration(), Fetcher({}, lettering.cuts)
    height = _TALL * (len(lettering.lines) + 1)
    style = _CSS.replace("HEIGHT", f"{height:g}").replace("FAMILIES", families(lettering.cuts))
    with Log():
        sheet = css(font_faces(lettering.cuts) + style, fonts, fetcher)
        html = weasyprint.HTML(
            string=f"<!doctype html><html {attributes(lettering.language)}>"
            f"<body>{''.join(_html(line, lettering.lost) for line in lettering.lines)}</body>",
            url_fetcher=fetcher,
        )
        document = html.render(font_config=fonts, stylesheets=[sheet])
        found = list(measure.lines(document.pages[0]))
        pdf: bytes = document.copy([page for page, *_ in found]).write_pdf()
    foot = points(height)
    return [
        (points(left), foot - points(baseline), points(width)) for _, left, baseline, width in found
    ], pdf


def _html(line: Line, lost: str) -> str:
    grey = round(255 * line.grey)
    text = " ".join(str(escape(line.text)).splitlines())
    for character in lost:
        text = text.replace(character, _GONE)
    return f'<div style="color: rgb({grey}, {grey}, {grey})">{text}</div>'
