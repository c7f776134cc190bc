"""Icons as drawing programs and collections write them: each is taken, and comes out as drawn."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import pytest
from fontTools.pens.svgPathPen import SVGPathPen
from PIL import Image, ImageChops, ImageStat

from cardgen.assets import icon_outlines
from cardgen.assets.artwork import Art
from cardgen.assets.icon_outlines import IconOutlineError
from cardgen.pdf import picture_conversion, raster

PLAIN = 'xmlns="http://www.w3.org/2000/svg"'
LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
INKSCAPE = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<svg width="24mm" height="24mm" viewBox="0 0 24 24" version="1.1" id="svg5"
   inkscape:version="1.3.2" sodipodi:docname="cup.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   {LINK} {PLAIN} xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" bordercolor="#000000"
     inkscape:document-units="mm"><inkscape:grid type="xygrid" id="grid1"/></sodipodi:namedview>
  <defs id="defs2"><inkscape:path-effect effect="spiro" id="pe1"/></defs>
  <metadata id="m1"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" style="display:inline"
     transform="translate(-10,-20)">
    <g transform="matrix(0.5,0,0,0.5,10,20)" style="fill:#000000;stroke:none">
      <path d="M 8,12 H 36 L 32,40 H 12 Z" id="cup" sodipodi:nodetypes="ccccc"
         style="font-variation-settings:normal;fill-opacity:1;-inkscape-stroke:none" />
      <g transform="rotate(90,36,24)"><path d="m 30,20 a 6,6 0 1 1 12,0" id="ear"
         style="fill:none;stroke:#000000;stroke-width:3px;stroke-linecap:round" /></g>
      <ellipse style="fill:#ffffff" cx="22" cy="12" rx="10" ry="2.5"/>
    </g>
    <path inkscape:transform-center-x="2" transform="skewX(-20)" d="m 24,42 h 8 v 1.5 h -8 z"/>
  </g>
</svg>
"""
ILLUSTRATOR = f"""<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" {PLAIN} {LINK} x="0px" y="0px" width="64px" height="63.6px"
  viewBox="0 0 64 63.6" style="enable-background:new 0 0 64 63.6;" xml:space="preserve">
<style type="text/css">
<![CDATA[
  .st0{{fill:#231F20;}}
  .st1, .st2{{fill:none;stroke:#231F20;stroke-width:4;stroke-miterlimit:10;}}
  polygon.st3{{fill:#FFFFFF;}}
  #bar{{fill:#231F20}}
]]>
</style>
<switch>
  <foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/" x="0" y="0"
    width="1" height="1"></foreignObject>
  <g>
    <path class="st0" d="M8,8h20v20H8V8z"/>
    <circle class="st1" cx="46" cy="18" r="10"/>
    <polyline class="st2" points="8,56 20,36 32,56 "/>
    <polygon class="st3" points="12,12 24,12 18,24 "/>
    <rect id="bar" x="38" y="36" width="18" height="20" rx="4" fill="red"/>
    <line class="st2" x1="40" y1="60" x2="58" y2="60"/>
  </g>
</switch>
</svg>
"""
FIGMA = f"""<svg width="24" height="24" viewBox="0 0 24 24" fill="none" {PLAIN} {LINK}>
<g clip-path="url(#clip0_12_34)">
<path d="M4 4H16V16H4V4Z" fill="black"/>
<circle cx="22" cy="22" r="8" fill="black"/>
<mask id="mask0_12_34" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0"
 width="24" height="24">
<path d="M24 0H0V24H24V0Z" fill="white"/><path d="M18 2h4v4h-4z" fill="black"/>
</mask>
<g mask="url(#mask0_12_34)"><path d="M17 1H23V7H17V1Z" fill="black"/></g>
<path fill-rule="evenodd" clip-rule="evenodd" d="M6 6H14V14H6V6ZM8 8H12V12H8V8Z" fill="white"/>
<path d="M2 20L10 20" stroke="black" stroke-width="2" stroke-linecap="round"
 stroke-linejoin="round"/>
</g>
<defs>
<clipPath id="clip0_12_34"><rect width="24" height="24" fill="white"/></clipPath>
</defs>
</svg>
"""
TILE = f"""<svg {PLAIN} viewBox="0 0 512 512" style="height: 512px; width: 512px;">\
<path d="M0 0h512v512H0z" fill="#000" fill-opacity="1"></path>\
<g class="" transform="translate(0,0)" style=""><path d="M256 40 472 256 256 472 40 256z" \
fill="#fff" fill-opacity="1"></path><path d="M216 216h80v80h-80z" fill="#000"></path></g></svg>
"""
USED = f"""<svg {PLAIN} {LINK} viewBox="0 0 24 24">
<defs><g id="leaf"><path d="M0 0 4-6 8 0 4 6z"/></g>
<symbol id="drop" viewBox="0 0 10 20"><ellipse cx="5" cy="10" rx="5" ry="10"/></symbol></defs>
<use xlink:href="#leaf" x="1" y="8"/>
<use href="#leaf" transform="translate(22 8) scale(-1 1)"/>
<use href="#drop" x="7" y="13" width="10" height="10"/>
<svg x="0" y="18" width="6" height="6" viewBox="0 0 2 2"><rect width="50%" height="50%"/></svg>
</svg>
"""
PROGRAMS = {
    "Inkscape": INKSCAPE, "Illustrator": ILLUSTRATOR, "Figma": FIGMA, "use": USED,
}  # fmt: skip
SIDE = 240


def letter(svg: str) -> tuple[Image.Image, str | None]:
    """The icon as it is printed, black on white; and what is told as lost."""
    path, lost = icon_outlines.trace_icon(svg.encode(), 1000)
    pen = SVGPathPen(None)
    path.draw(pen)
    place = f'<svg {PLAIN} viewBox="0 -850 1000 1000"><path transform="scale(1 -1)"'
    return picture(f'{place} d="{pen.getCommands()}"/></svg>'), lost


def picture(svg: str) -> Image.Image:
    """The file as a drawing, by the library that draws art."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "icon.svg"
        file.write_text(svg, encoding="utf-8")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        art = Art("art/icon.svg", file, True, 72, 72, digest)
        (image,) = raster.rasterise_pages(
            picture_conversion.convert_art(art, Path(name)), SIDE / 54 * 72
        )
    return image.convert("L")


def apart(one: Image.Image, other: Image.Image) -> float:
    """How much of two pictures differs, 0 to 1."""
    assert one.size == other.size
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0] / 255


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_icon_of_a_program_comes_out_as_it_is_drawn(program: str) -> None:
    svg = PROGRAMS[program]
    image, lost = letter(svg)
    assert lost == ""
    drawn = picture(svg)
    assert apart(drawn.point(lambda value: 255 * (value > 127)), image) < 0.015
    assert apart(drawn, Image.new("L", drawn.size, 255)) > 0.08


def test_a_tile_is_the_ground_of_its_figure() -> None:
    """A square that fills the drawing is no part of it: the white figure is the icon."""
    image, lost = letter(TILE)
    assert lost == ""
    figure = TILE.replace('<path d="M0 0h512v512H0z" fill="#000" fill-opacity="1"></path>', "")
    turned = figure.replace('"#fff"', '"#abc"').replace('"#000"', '"#fff"').replace("#abc", "#000")
    assert apart(picture(turned), image) < 0.005


def test_a_white_figure_without_a_ground_is_the_icon() -> None:
    white = TILE.replace('fill-opacity="1"></path><g', 'fill-opacity="0"></path><g')
    white = white.replace('<path d="M216 216h80v80h-80z" fill="#000"></path>', "")
    image, lost = letter(white)
    assert lost == ""
    assert 0.3 < apart(image, Image.new("L", image.size, 255)) < 0.4


def test_a_square_alone_is_an_icon() -> None:
    image, _ = letter(f'<svg {PLAIN} viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>')
    assert image.getextrema() == (0, 0)


def wrapped(inner: str) -> str:
    return f'<svg {PLAIN} {LINK} viewBox="0 0 24 24">\n<path d="M0 0h9v9z"/>\n{inner}\n</svg>'


LAUGHS = "".join(
    f'<g id="l{n}">{"".join(f"<use href=@#l{n - 1}@/>" for _ in range(10))}</g>'.replace("@", '"')
    for n in range(1, 10)
)
REFUSED = {
    "text": ("<g>\n<text>A</text></g>", 4, "<text> is not drawn in an icon; make it a path"),
    "flow": ("<flowRoot><flowPara>Hi</flowPara></flowRoot>", 3, "<flowRoot> is not drawn"),
    "image": ('<image href="file:///etc/passwd"/>', 3, "<image> is not drawn in an icon; draw it"),
    "foreign": ("<foreignObject>A</foreignObject>", 3, "<foreignObject> is not drawn in an icon"),
    "far": ('<use href="other.svg#a"/>', 3, "a <use> refers to 'other.svg#a', which is outside"),
    "none": ('<use href="#a"/>', 3, "a <use> refers to '#a', which is not in it"),
    "circle": ('<g id="a">\n<use href="#a"/></g>', 4, "a <use> of '#a' leads back to itself"),
    "round": ('<g id="a"><use href="#b"/></g>\n<g id="b"><use href="#a"/></g>', 3,
              "a <use> of '#b' leads back to itself"),
    "laughs": (f'<g id="l0"><path d="M0 0h1v1z"/></g>{LAUGHS}', 3, "it draws more than 10000"),
    "number": ('<rect width="ten" height="1"/>', 3, "'ten' is not a usable number"),
    "measure": ('<rect height="1"/>', 3, "a <rect> has no width"),
    "transform": ('<g transform="rotate3d(1 1 1 30)"/>', 3, "the transform rotate3d(…) is not"),
    "clip": ('<clipPath id="c"><path clip-path="url(#c)" d="M0 0h9v9z"/></clipPath>'
             '<path clip-path="url(#c)" d="M0 0h9v9z" transform="scale(x)"/>', 3, "'x' are no"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_taken_is_told_at_its_line(what: str) -> None:
    inner, line, said = REFUSED[what]
    with pytest.raises(IconOutlineError) as told:
        icon_outlines.trace_icon(wrapped(inner).encode(), 1000)
    assert str(told.value).startswith(said)
    assert told.value.line == line


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('<!DOCTYPE svg [<!ENTITY a "a">]>', "it has a DOCTYPE with declarations; take it out"),
        ("<!DOCTYPE svg SYSTEM 'a' [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
         "it has a DOCTYPE with declarations"),
    ],
)  # fmt: skip
def test_declarations_are_refused(head: str, said: str) -> None:
    with pytest.raises(IconOutlineError, match=said):
        icon_outlines.trace_icon((head + wrapped("")).encode(), 1000)


def test_a_deep_file_is_refused() -> None:
    deep = "<g>" * 5000 + "</g>" * 5000
    with pytest.raises(IconOutlineError, match="is nested deeper than 200 elements"):
        icon_outlines.trace_icon(wrapped(deep).encode(), 1000)


@pytest.mark.parametrize(
    ("inner", "lost"),
    [
        ("<style>@media print { .a { fill: none } } g > path { fill: red }</style>",
         "'@media' in its <style> and 'g > path' in its <style> are not kept"),
        ("<style>path:hover { fill: red }</style>", "'path:hover' in its <style> is not kept"),
        ('<path style="transform: scale(2)" d="M9 9h2v2z"/>', "transforms in a style are not kept"),
        ('<path d="M9 9h2v2" marker-end="url(#m)"/>', "markers are not kept"),
        ('<mask id="m"><path fill="#888" d="M0 0h24v24H0z"/></mask>'
         '<path mask="url(#m)" d="M9 9h2v2z"/>', "masks are not kept"),
        ('<clipPath id="c" clipPathUnits="objectBoundingBox"><path d="M0 0h1v1z"/></clipPath>'
         '<path clip-path="url(#c)" d="M9 9h2v2z"/>', "clipping is not kept"),
    ],
)  # fmt: skip
def test_what_an_outline_cannot_have_is_told(inner: str, lost: str) -> None:
    assert letter(wrapped(inner))[1] == lost
