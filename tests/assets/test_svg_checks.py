"""What is told of an SVG, held against what is drawn of it: each here means a red square."""

from __future__ import annotations

import base64
import hashlib
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from cardgen.assets import svg_checks
from cardgen.assets.artwork import Art
from cardgen.assets.svg_checks import UndrawableSvgError
from cardgen.pdf import picture_conversion, raster

RECT = '<rect width="40" height="40" {}/>'
RED = RECT.format('fill="red"')
PLAIN = RECT.format('class="a"')


def embedded(kind: str, mode: str = "RGB", cut: int | None = None) -> str:
    """A picture within the drawing that covers it."""
    inks: dict[str, object] = {"CMYK": (0, 255, 255, 0), "RGB": (255, 0, 0)}
    image = Image.new(mode, (64, 64), inks[mode])  # type: ignore[arg-type]
    if cut:
        image = Image.effect_noise((64, 64), 90).convert(mode)
    out = io.BytesIO()
    image.save(out, kind)
    data = base64.b64encode(out.getvalue()[:cut]).decode()
    return f'<image href="data:image/{kind};base64,{data}" width="40" height="40"/>'


def filtered(inner: str) -> str:
    return f'<filter id="f">{inner}</filter>' + RECT.format('fill="red" filter="url(#f)"')


def styled(css: str) -> str:
    return f"<style>{css}</style><g>{PLAIN}</g>"


RIGHT = {
    "plain": RED,
    "group": f"<g><a href='#nowhere'>{RED}</a></g>",
    "use": f'<defs><g id="s">{RED}</g></defs><use href="#s"/>',
    "symbol": f'<symbol id="s">{RED}</symbol><use href="#s"/>',
    "nested": f'<svg width="40" height="40">{RED}</svg>',
    "switch": f'<switch><g systemLanguage="xx">{PLAIN}</g>{RED}</switch>',
    "gradient": '<linearGradient id="g"><stop stop-color="red"/></linearGradient>'
    + RECT.format('fill="url(#g)"'),
    "fallback": RECT.format('fill="url(#none) red"'),
    "flood": filtered('<feFlood flood-color="red"/>'),
    "light": filtered('<feDiffuseLighting lighting-color="red"><feDistantLight elevation="90"/>'
                      "</feDiffuseLighting>"),
    "class": styled(".a { fill: red }"),
    "descendant": styled("g > .a, svg rect.b { fill: red }"),
    "attribute": styled('[class="a"] { fill: red }'),
    "imported font": styled("@font-face { font-family: x } .a { fill: red }"),
    "inline": RECT.format('style="fill:red;-inkscape-font:x"'),
    "hsl": RECT.format('fill="hsl(0, 100%, 50%)"'),
    "per cent": '<rect width="100%" height="100%" fill="red"/>',
    "editor": f'<i:view xmlns:i="http://inkscape"><i:x/></i:view>{RED}',
    "empty flow": f"<flowRoot><flowRegion/><flowPara> </flowPara></flowRoot>{RED}",
    "png": embedded("png"), "jpeg": embedded("jpeg"), "gif": embedded("gif"),
    "webp": embedded("webp"),
}  # fmt: skip
WRONG = {
    "flow": ("<flowRoot><flowPara>Take two</flowPara></flowRoot>", "text that flows (<flowRoot>"),
    "unknown": (f"<shape>{RED}</shape>", "has a <shape>, which is not drawn"),
    "mesh": ('<defs><meshgradient id="g"/></defs>' + RECT.format('fill="url(#g)"'),
             "has a <meshgradient>"),
    "switch": (f'<switch><g systemLanguage="xx">{RED}</g></switch>', "of which nothing is drawn"),
    "filter": (filtered("<feGlow/>"), "has a filter with <feGlow>"),
    "background": (
        RED + filtered('<feOffset in="BackgroundImage"/>').replace("red", "blue"),
        "has a filter on its background",
    ),
    "moving": ('<rect width="40" height="40"><set attributeName="fill" to="red"/></rect>',
               "has <set>; it is drawn without animation"),
    "media": (styled("@media print { .a { fill: red } }"), "has @media in its <style>"),
    "not": (styled("rect:not(.b) { fill: red }"), "has the selector 'rect:not(.b)'"),
    "nth": (styled("rect:nth-child(1) { fill: red }"), "has the selector"),
    "begins": (styled('[class^="a"] { fill: red }'), "has the selector"),
    "rules in rules": (styled("g { .a { fill: red } }"), "rules within rules"),
    "variable": (RECT.format('style="fill: var(--c, red)"'), "has 'fill: var(--c, red)'"),
    "oklch": (RECT.format('fill="oklch(0.63 0.26 29)"'), "has the colour fill='oklch"),
    "cmyk": (RECT.format('fill="device-cmyk(0 1 1 0)"'), "has the colour"),
    "calc": ('<rect width="calc(20px + 20px)" height="40" fill="red"/>', "write the value out"),
    "measures": ('<rect style="width:40px;height:40px;fill:red"/>', "write it as an attribute"),
    "data": ("<path style=\"d: path('M0 0h40v40H0z'); fill: red\"/>", "write it as an attribute"),
    "paint": (RECT.format('fill="url(#none)"'), "refers to #none, which is not in it"),
    "no filter": (RECT.format('fill="red" filter="url(#none)"'), "refers to #none"),
    "no use": ('<use href="#none"/>', "refers to #none"),
    "bmp": (embedded("bmp"), "embeds a BMP picture"),
    "cut short": (embedded("jpeg", cut=900), "embeds a picture that cannot be read"),
    "no data": ('<image href="data:image/png;base64,?!" width="40" height="40"/>',
                "its data is not base64"),
}  # fmt: skip


def svg(inner: str) -> bytes:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 40 40">{inner}</svg>'
    ).encode()


def drawn(inner: str, folder: Path) -> Image.Image:
    path = folder / "art.svg"
    path.write_bytes(svg(inner))
    art = Art("art/art.svg", path, True, 40, 40, hashlib.sha256(svg(inner)).hexdigest())
    (folder / "scratch").mkdir()
    (image,) = raster.rasterise_pages(picture_conversion.convert_art(art, folder / "scratch"), 72)
    return image


def is_red(inner: str, folder: Path) -> bool:
    """Whether the middle of the drawing comes out red."""
    image = drawn(inner, folder)
    pixel = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)
    return pixel[0] > 200 and max(pixel[1:]) < 60


def told(inner: str) -> str:
    try:
        return "; ".join(svg_checks.check(ElementTree.fromstring(svg(inner))))
    except UndrawableSvgError as error:
        return str(error)


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told_of_what_is_drawn(name: str, tmp_path: Path) -> None:
    assert told(RIGHT[name]) == ""
    assert is_red(RIGHT[name], tmp_path)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_drawn_is_told(name: str, tmp_path: Path) -> None:
    inner, said = WRONG[name]
    assert said in told(inner)
    assert not is_red(inner, tmp_path)


def test_pictures_within_drawings_are_made_ready(tmp_path: Path) -> None:
    """CMYK is guessed and told; 16 bits a colour come as eight."""
    assert "is in CMYK without a profile" in told(embedded("jpeg", "CMYK"))
    assert is_red(embedded("jpeg", "CMYK"), tmp_path)
    out = io.BytesIO()
    deep = Image.new("I;16", (8, 8), 65535)
    deep.save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    image = f'<image href="data:image/png;base64,{data}" width="40" height="40"/>'
    (tmp_path / "deep").mkdir()
    made = drawn(RECT.format('fill="black"') + image, tmp_path / "deep")
    assert made.getpixel((20, 20)) == (255, 255, 255)


def test_many_faults_are_counted() -> None:
    inner = "".join(f'<use href="#no-{number}"/>' for number in range(20))
    *first, last = svg_checks.check(ElementTree.fromstring(svg(inner)))
    assert len(first) == 6
    assert last == "has 14 more such problems"
