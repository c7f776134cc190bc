"""What an SVG does not paint is no fault of it; what it may paint, and nobody draws, is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.assets import artwork
from cardgen.assets.icon_outlines import IconOutlineError, trace_icon
from cardgen.runtime.content_store import Store

SQUARE = '<path d="M4 4h16v16H4z"/>'
FOREIGN = '<foreignObject width="9" height="9"><p>note</p></foreignObject>'
UNPAINTED = {
    "empty": '<text x="3" y="9"><tspan x="3" y="9"/></text>',
    "blanks": '<text x="3" y="9">\n <tspan> </tspan></text>',
    "left of it": '<text x="-200" y="9" font-size="6">note</text>',
    "below it": '<text style="font-size:6px" x="3" y="90">note</text>',
    "moved away": '<g transform="translate(300,0)"><text x="3" y="9">note</text></g>',
    "lines outside": '<text font-size="4"><tspan x="90" y="9">one</tspan>'
    '<tspan x="90" y="14">two</tspan></text>',
    "not displayed": '<g style="display:none"><text x="3" y="9">note</text></g>',
    "by class": '<style>.n { display: none }</style><text class="n" y="9">note</text>',
    "hidden": '<g visibility="hidden"><text x="3" y="9">note</text></g>',
    "clear": '<g opacity="0"><text x="3" y="9">note</text></g>',
    "no fill": '<text x="3" y="9" fill="none">note</text>',
    "clear fill": '<text x="3" y="9" style="fill-opacity:0">note</text>',
    "definition": '<defs><text id="t">note</text></defs>',
    "symbol": '<symbol id="s"><text y="9">note</text></symbol>',
    "not chosen": f"<switch>{FOREIGN}<g/></switch>",
    "foreign": f'<g display="none">{FOREIGN}</g>',
    "empty foreign": '<foreignObject width="9" height="9"/>',
    "flow": '<flowRoot display="none"><flowPara>note</flowPara></flowRoot>',
}
PAINTED = {
    "plain": '<text x="3" y="9">note</text>',
    "reaches in": '<text x="-20" y="9" font-size="16">note</text>',
    "end anchor": '<text x="30" y="9" text-anchor="end">note</text>',
    "used": '<defs><text id="t" y="9">note</text></defs><use href="#t"/>',
    "used symbol": '<symbol id="s"><text y="9">note</text></symbol><use href="#s" x="5"/>',
    "in a mask": '<mask id="m"><text y="9">note</text></mask><g mask="url(#m)"/>',
    "seen again": '<text visibility="hidden" y="9">a<tspan visibility="visible">b</tspan></text>',
    "outlined": '<text y="9" fill="none" stroke="#000">note</text>',
    "unclear size": '<text x="-50" y="9" font-size="90vw">note</text>',
    "moved back": '<g transform="translate(-300)"><text x="303" y="9">note</text></g>',
}


def svg(inner: str) -> bytes:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    return f"{head}{SQUARE}{inner}</svg>".encode()


@pytest.mark.parametrize("name", UNPAINTED)
def test_what_paints_nothing_is_taken(name: str, tmp_path: Path) -> None:
    found = artwork.inspect_picture(svg(UNPAINTED[name]), Store(tmp_path), vector=True)
    assert (found.width, found.warnings) == (24, ())
    assert trace_icon(svg(UNPAINTED[name]), 1000) == trace_icon(svg(""), 1000)


@pytest.mark.parametrize("name", PAINTED)
def test_text_that_may_paint_is_refused(name: str, tmp_path: Path) -> None:
    words = re.sub("<[^>]*>", "", PAINTED[name])
    message = (
        f"has the <text> '{words}', which is not drawn; make it a path (Inkscape: Path > Object to "
        "Path), or let the card print it"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        artwork.inspect_picture(svg(PAINTED[name]), Store(tmp_path), vector=True)


@pytest.mark.parametrize("name", ["plain", "used", "used symbol", "seen again", "outlined"])
def test_text_that_paints_makes_no_icon(name: str) -> None:
    with pytest.raises(IconOutlineError, match="<text> is not drawn in an icon; make it a path"):
        trace_icon(svg(PAINTED[name]), 1000)


@pytest.mark.parametrize(
    "unsafe",
    ["<defs><script>alert(1)</script></defs>", '<g display="none"><image href="http://a/b"/></g>',
     '<text style="fill: url(http://a/b)"/>'],
)  # fmt: skip
def test_scripts_and_addresses_are_refused_wherever_they_are(unsafe: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"script|outside itself"):
        artwork.inspect_picture(svg(unsafe), Store(tmp_path), vector=True)


def test_a_deep_drawing_is_read_without_recursion(tmp_path: Path) -> None:
    deep = "<g>" * 5000 + "<text/>" + "</g>" * 5000
    assert artwork.inspect_picture(svg(deep), Store(tmp_path), vector=True).width == 24


def test_an_icon_that_is_not_square_is_centred() -> None:
    wide = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><path d="M0 0h24v12H0z"/>'
    outline, lost = trace_icon(f"{wide}</svg>".encode(), 1000)
    assert (outline.bounds, lost) == ((0, 100, 1000, 600), "")
