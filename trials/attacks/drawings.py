"""SVG as art, as icons and inside of templates."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable
from dataclasses import replace

from trials.attack import EITHER, SMALL, Attack, Content, Place, nested, styled
from trials.attacks.data import LARGE
from trials.attacks.pictures import png

NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
SHOWN = '<img class="box" src="art/house.svg">\n'
HEAD = f'<svg {NS} viewBox="0 0 24 24">'


def svg(inner: str, head: str = HEAD) -> str:
    """A drawing of 24 by 24."""
    return f"{head}{inner}</svg>"


def art(name: str, drawing: Content, expected: Iterable[str] = ()) -> Attack:
    """An attack by a drawing in art/; `build` composes it, too."""
    files = {"art/house.svg": drawing, "templates/loot.html": SHOWN}
    return Attack(f"svg/{name}", files, tuple(expected), EITHER, command=("build", "images"))


def icon(name: str, drawing: Content, expected: Iterable[str] = ()) -> Attack:
    """An attack by an icon that the card prints."""
    deck = str(SMALL["cards/loot.yaml"]).replace("name: School", "name: 'A {coin}'")
    files = {"art/icons/coin.svg": drawing, "cards/loot.yaml": deck}
    return Attack(f"icon/{name}", files, tuple(expected), EITHER)


def coloured(name: str, drawing: Content) -> Attack:
    """An attack by an icon that keeps its colours; `build` composes it, too."""
    deck = str(SMALL["cards/loot.yaml"]).replace("name: School", "name: 'A {coin}'")
    files = {"art/icons/colour/coin.svg": drawing, "cards/loot.yaml": deck}
    return Attack(f"icon/colour-{name}", files, (), EITHER, command=("build", "images"))


def inline(name: str, inner: str, head: str = '<svg viewBox="0 0 24 24">') -> Attack:
    """An attack by a drawing in a template's HTML, which WeasyPrint draws."""
    attack = styled(name, "", f'<div class="box">{head}{inner}</svg></div>\n')
    return Attack(f"inline/{name}", attack.files, (), EITHER)


def embedded(data: bytes, kind: str = "png") -> str:
    """A drawing with a picture in it."""
    address = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return svg(f'<image width="24" height="24" href="{address}" xlink:href="{address}"/>')


def in_utf_16(place: Place) -> None:
    """Write the drawing anew, in an encoding in which no sign of it looks as it does in ASCII."""
    path = place.game / "art/house.svg"
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))


def uses(levels: int, width: int = 10) -> str:
    """Groups that use groups that use groups."""
    groups = "".join(
        f'<g id="g{n}">' + f'<use href="#g{n - 1}" xlink:href="#g{n - 1}"/>' * width + "</g>"
        for n in range(1, levels)
    )
    drawn = f'<use href="#g{levels - 1}" xlink:href="#g{levels - 1}"/>'
    return f'<defs><g id="g0"><path d="M0 0h9v9z"/></g>{groups}</defs>{drawn}'


def chain(tag: str, attribute: str, levels: int) -> str:
    """Clips, masks or patterns, each applied to the next."""
    made = "".join(
        f'<{tag} id="c{n}" width="9" height="9"><rect width="20" height="20" '
        f'{attribute}="url(#c{n + 1})"/><rect width="9" height="9" {attribute}="url(#c{n + 1})"/></{tag}>'
        for n in range(levels)
    )
    return f'<defs>{made}</defs><rect width="24" height="24" {attribute}="url(#c0)"/>'


def filtered(inner: str) -> str:
    """A drawing under a filter."""
    return svg(
        f'<filter id="f" x="-1000" y="-1000" width="20000" height="20000">{inner}</filter>'
        '<rect width="24" height="24" fill="red" filter="url(#f)"/>'
    )


def matryoshka(levels: int) -> str:
    """A drawing embedded in a drawing, and so on."""
    inner = svg('<rect width="24" height="24"/>')
    for _ in range(levels):
        address = "data:image/svg+xml;base64," + base64.b64encode(inner.encode()).decode()
        inner = svg(f'<image width="24" height="24" href="{address}" xlink:href="{address}"/>' * 2)
        if len(inner) > 8_000_000:
            break
    return inner


ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
LAUGHS = f'<!DOCTYPE svg [<!ENTITY a0 "ha">{ENTITIES}]>' + svg("<title>&a9;</title>")
FILE_ENTITY = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file://@ELSEWHERE@/secret.txt">]>' + svg("&a;")
SPREAD = (
    '<linearGradient id="g" x2="1e-12" spreadMethod="repeat"><stop stop-color="red"/>'
    '<stop offset="1" stop-color="blue"/></linearGradient><rect width="24" height="24" fill="url(#g)"/>'
)
RADIAL = (
    '<radialGradient id="g" r="1e-12" spreadMethod="reflect"><stop stop-color="red"/>'
    '<stop offset="1" stop-color="blue"/></radialGradient><rect width="24" height="24" fill="url(#g)"/>'
)
MARKED = (
    '<marker id="m" markerWidth="9" markerHeight="9" overflow="visible">{}</marker>'
    '<path d="M0 0{}" marker-mid="url(#m)" marker-start="url(#m)" stroke="red"/>'
)
TINY_PATTERN = (
    '<pattern id="p" width="1e-7" height="1e-7" patternUnits="userSpaceOnUse">'
    '<rect width="1" height="1"/></pattern><rect width="24" height="24" fill="url(#p)"/>'
)
WIGGLE = "l1 1l-1 1" * 500_000
DASHES = '<path d="M0 0h1e9" stroke="red" stroke-width="1" stroke-dasharray="1e-9 1e-9"/>'
ATTRIBUTES = svg("<path " + " ".join(f"a{n}='1'" for n in range(100_000)) + ' d="M0 0h9v9z"/>')
PATHS: tuple[tuple[str, str], ...] = (
    ("path-of-a-million", f'<path d="M0 0{WIGGLE}"/>'),
    ("path-nan", '<path d="M nan inf L 1e999 -1e999 Q"/><rect width="nan" height="inf"/>'),
    ("path-odd", '<path d="M"/><path d="zzzz"/><path d="A 0 0 0 0 0"/><polygon points="1 2 3"/>'),
    ("arc-huge", '<path d="M0 0A1e300 1e300 1e300 1 1 1e300 1e300"/>'),
    (
        "stroke-huge",
        '<path d="M0 0h9" stroke="red" stroke-width="1e300" stroke-miterlimit="1e300"/>',
    ),
    ("dashes", DASHES),
    (
        "transform-nan",
        '<g transform="scale(nan) rotate(inf) matrix(1e999 0 0 0 0 0)"><path d="M0 0h9v9z"/></g>',
    ),
    (
        "transform-odd",
        '<g transform="translate() rotate(,) scale() matrix(1 2)"><path d="M0 0h9v9z"/></g>',
    ),
    ("transform-infinite", '<g transform="scale(1e308) scale(1e308)"><path d="M0 0h9v9z"/></g>'),
    ("circle-huge", '<circle cx="1e308" cy="-1e308" r="1e308" stroke="red"/>'),
)
BOXES = ("0 0", "0 0 0 0", "0 0 nan nan", "0 0 inf inf", "-.e . e+ -", "0 0 -5 -5", "a b c d",
         "0 0 1e308 1e308", "0 0 1e-308 1e-308", "٠ ٠ ٢٤ ٢٤")  # fmt: skip
HEADS = tuple((f"viewbox-{n}", f'<svg {NS} viewBox="{box}">') for n, box in enumerate(BOXES))
SQUARE = '<path d="M2 2h20v20h-20z"/>'
DEEP = 100_000

ART: tuple[Attack, ...] = (
    art("groups-deep", lambda: svg(nested("<g>", "</g>", DEEP, SQUARE))),
    art("groups-1000-deep", svg(nested("<g>", "</g>", 1000, SQUARE))),
    art("groups-with-opacity", svg(nested('<g opacity="0.9">', "</g>", 1000, SQUARE))),
    art("svg-in-svg", svg(nested(HEAD, "</svg>", 2000, SQUARE))),
    art("clips-nested", svg(chain("clipPath", "clip-path", 30))),
    art("clips-in-a-ring", svg(chain("clipPath", "clip-path", 3).replace("#c3", "#c0"))),
    art("masks-nested", svg(chain("mask", "mask", 30))),
    art("masks-in-a-ring", svg(chain("mask", "mask", 3).replace("#c3", "#c0"))),
    art("patterns-nested", svg(chain("pattern", "fill", 30))),
    art("pattern-tiny", svg(TINY_PATTERN)),
    art("markers", svg(MARKED.format(SQUARE, "l1 1l-1 1" * 200_000))),
    art(
        "markers-nested",
        svg(
            "".join(
                f'<marker id="m{n}" markerWidth="9" markerHeight="9"><path d="M0 0{"l1 1" * 20}" marker-mid="url(#m{n + 1})" '
                'stroke="red"/></marker>'
                for n in range(9)
            )
            + f'<path d="M0 0{"l1 1" * 20}" marker-mid="url(#m0)" stroke="red"/>'
        ),
    ),
    art("turbulence", filtered('<feTurbulence baseFrequency="9" numOctaves="99999999"/>')),
    art("turbulence-large", filtered('<feTurbulence baseFrequency="0.9" numOctaves="200"/>' * 40)),
    art(
        "convolution", filtered(f'<feConvolveMatrix order="99" kernelMatrix="{"1 " * 9801}"/>' * 20)
    ),
    art("morphology", filtered('<feMorphology operator="dilate" radius="99999"/>' * 10)),
    art("blur", filtered('<feGaussianBlur stdDeviation="1e9"/>' * 50)),
    art("shadow", filtered('<feDropShadow dx="1e9" dy="1e9" stdDeviation="1e5"/>' * 50)),
    art(
        "lighting",
        filtered(
            '<feDiffuseLighting surfaceScale="1e9"><fePointLight x="1" y="1" z="1"/></feDiffuseLighting>'
            * 50
        ),
    ),
    art("tile", filtered('<feFlood width="0.001" height="0.001"/><feTile/>' * 20)),
    art(
        "filters-many",
        svg(
            '<filter id="f"><feGaussianBlur stdDeviation="5"/></filter>'
            + '<rect width="24" height="24" filter="url(#f)"/>' * 5000
        ),
    ),
    art("uses", svg(uses(9))),
    art("uses-deep", svg(uses(3000, 1))),
    art("use-itself", svg('<g id="a"><use href="#a" xlink:href="#a"/></g>')),
    art("gradient-repeated", svg(SPREAD)),
    art("gradient-reflected", svg(RADIAL)),
    art(
        "gradient-stops",
        svg(
            '<linearGradient id="g">'
            + "".join(
                f'<stop offset="{n / 100_000}" stop-color="#{n:06x}"/>' for n in range(100_000)
            )
            + '</linearGradient><rect width="24" height="24" fill="url(#g)"/>'
        ),
    ),
    art(
        "gradients-in-a-ring",
        svg(
            '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
            '<rect width="9" height="9" fill="url(#a)"/>'
        ),
    ),
    art("picture-of-900-megapixels", lambda: embedded(png(30_000, 30_000))),
    art("picture-of-100-megapixels-in-colour", lambda: embedded(png(10_000, 10_000, 8, 6))),
    art(
        "picture-in-gzip",
        lambda: embedded(
            gzip.compress(HEAD.encode() + b" " * 1_000_000_000 + b"</svg>", 6), "svg+xml"
        ),
    ),
    art("drawings-in-drawings", matryoshka(12)),
    art("in-gzip", lambda: gzip.compress(HEAD.encode() + b" " * 1_000_000_000 + b"</svg>", 6)),
    art("attributes", lambda: ATTRIBUTES),
    replace(art("elements", lambda: svg(SQUARE * 300_000)), seconds=LARGE),
    art(
        "classes",
        svg(
            "<style>"
            + "* * * * * .a { fill: red } " * 5000
            + "</style>"
            + nested("<g>", "</g>", 200, '<path class="a" d="M0 0h9v9z"/>' * 200)
        ),
    ),
    art("style-open", svg("<style>" + "{[(" * 100_000 + "</style>")),
    art("encoding-utf-16", '<?xml version="1.0" encoding="UTF-16"?>' + svg(SQUARE)),
    art("encoding-unknown", '<?xml version="1.0" encoding="x-none"?>' + svg(SQUARE)),
    art("encoding-of-python", '<?xml version="1.0" encoding="unicode_escape"?>' + svg(SQUARE)),
    art("encoding-cp037", '<?xml version="1.0" encoding="cp037"?>' + svg(SQUARE)),
    art("encoding-idna", '<?xml version="1.0" encoding="idna"?>' + svg(SQUARE)),
    art("entities", LAUGHS),
    art("entities-in-utf-16", lambda: LAUGHS.encode("utf-16")),
    Attack(
        "svg/file-entity-in-utf-16",
        {"art/house.svg": FILE_ENTITY, "templates/loot.html": SHOWN},
        codes=EITHER,
        made=in_utf_16,
    ),
    art("file-entity", FILE_ENTITY),
    art(
        "include",
        f'<svg {NS} xmlns:xi="http://www.w3.org/2001/XInclude" viewBox="0 0 9 9">'
        '<xi:include href="file://@ELSEWHERE@/secret.txt" parse="text"/></svg>',
    ),
    art(
        "stylesheet", '<?xml-stylesheet href="http://@ENEMY@/x.css" type="text/css"?>' + svg(SQUARE)
    ),
    art(
        "import-escaped",
        svg(
            "<style>@\\69mport 'http://@ENEMY@/x.css'; "
            ".a { fill: u\\72l(http://@ENEMY@/y) }</style>" + SQUARE
        ),
    ),
    art(
        "picture-of-a-file",
        svg('<image width="9" height="9" xlink:href="@ELSEWHERE@/secret.svg"/>'),
    ),
    art(
        "picture-of-the-network", svg('<image width="9" height="9" href=" http://@ENEMY@/a.png"/>')
    ),
    art("script", svg("<script>while (true) {}</script>")),
    art("foreign", svg("<foreignObject><iframe src='http://@ENEMY@/'/></foreignObject>")),
    art("empty", ""),
    art("no-svg", "<html/>"),
    art("bytes", bytes(range(256)) * 50),
    art("nul", svg(SQUARE) + "\0" * 1000),
    art("size-huge", svg(SQUARE, f'<svg {NS} width="1e300mm" height="99999999999in">')),
    art("size-thin", svg(SQUARE, f'<svg {NS} width="100000000" height="0.0000001">')),
    art("text-huge", svg('<switch><text font-size="1e300">a</text></switch>')),
    *(art(name, svg(inner)) for name, inner in PATHS),
    *(art(name, svg(SQUARE, head)) for name, head in HEADS),
)
CLIPS = (
    "".join(
        f'<clipPath id="c{n}"><g clip-path="url(#c{n - 1})">{SQUARE}{SQUARE}</g></clipPath>'
        for n in range(1, 40)
    )
    + f'<g clip-path="url(#c39)">{SQUARE}</g>'
)
RULES = (
    "<style>" + "".join(f".a{n}, path.b{n} {{ fill: red }}" for n in range(20_000)) + "</style>"
    + SQUARE.replace("<path", '<path class="a1 b2"') * 2000
)  # fmt: skip
ICONS: tuple[Attack, ...] = (
    icon("groups-deep", lambda: svg(nested("<g>", "</g>", DEEP, SQUARE))),
    icon("shapes", lambda: svg('<path d="M2 2h20v20z"/>' * 20_000)),
    icon(
        "crossing",
        svg(
            '<path d="M0 0'
            + "".join(f"L{n * 7919 % 24} {n * 104729 % 24}" for n in range(20_000))
            + '"/>'
        ),
    ),
    icon("use", svg(uses(5))),
    icon("use-in-a-ring", svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')),
    icon("use-far", svg('<use href="file://@ELSEWHERE@/secret.txt#a"/><use href="//@ENEMY@/#a"/>')),
    icon("image-far", svg('<image href="file://@ELSEWHERE@/secret.txt"/>')),
    icon("clips-in-clips", lambda: svg(CLIPS)),
    icon(
        "mask-in-a-ring",
        svg(f'<mask id="m"><g mask="url(#m)">{SQUARE}</g></mask><g mask="url(#m)">{SQUARE}</g>'),
    ),
    icon("rules-by-thousands", lambda: svg(RULES)),
    coloured("image-far", svg('<image href="file://@ELSEWHERE@/secret.txt"/>')),
    coloured("uses", lambda: svg(uses(9))),
    coloured("entities", FILE_ENTITY),
    coloured("long", svg(SQUARE, f'<svg {NS} viewBox="0 0 100000 1">')),
    Attack(
        "icon/in-colour-twice",
        {"art/icons/coin.svg": svg(SQUARE), "art/icons/colour/coin.svg": svg(SQUARE)},
    ),
    icon("rotate-odd", svg('<path transform="rotate()" d="M0 0h9v9z"/>')),
    icon("entities", LAUGHS),
    icon("encoding", '<?xml version="1.0" encoding="x-none"?>' + svg(SQUARE)),
    icon("empty", ""),
    icon("size", svg(SQUARE, f'<svg {NS} width="24" height="24">')),
    icon(
        "stroke-words",
        svg('<path d="M0 0h9v9z" stroke="red" stroke-width="thick" stroke-linecap="odd"/>'),
    ),
    icon("attributes", lambda: ATTRIBUTES),
    *(icon(name, svg(inner)) for name, inner in PATHS),
    *(icon(name, svg(SQUARE, head)) for name, head in HEADS),
    Attack("icon/name-long", {f"art/icons/{'x' * 240}.svg": svg(SQUARE)}, codes=EITHER),
    Attack(
        "icon/names-odd",
        {
            f"art/icons/{name}.svg": svg(SQUARE)
            for name in ("Über", "a b", "<b>", "{a}", "-", "..", "a'b", 'a"b', "à\u202eb")
        },
        codes=EITHER,
    ),
    Attack(
        "icon/thousands", {f"art/icons/a{n}.svg": svg(SQUARE) for n in range(5000)}, codes=EITHER
    ),
    Attack("icon/one-is-broken", {"art/icons/a.svg": svg(SQUARE), "art/icons/b.svg": "no"}),
)
INLINE: tuple[Attack, ...] = (
    inline("uses", uses(9)),
    inline("use-itself", '<g id="a"><use href="#a"/></g>'),
    inline("uses-deep", uses(1000, 1)),
    inline("gradient-repeated", SPREAD),
    inline("gradient-reflected", RADIAL),
    inline("pattern-tiny", TINY_PATTERN),
    inline("patterns-nested", chain("pattern", "fill", 20)),
    inline("masks-nested", chain("mask", "mask", 20)),
    inline("clips-nested", chain("clipPath", "clip-path", 20)),
    inline("clips-in-a-ring", chain("clipPath", "clip-path", 3).replace("#c3", "#c0")),
    inline("markers", MARKED.format(SQUARE, "l1 1l-1 1" * 20_000)),
    inline(
        "text-0", '<text font-size="0" textLength="1e300">a</text><text font-size="1e300">a</text>'
    ),
    inline(
        "text-odd",
        '<text x="a" dx="nan" rotate="inf" letter-spacing="1e300" font-size="-1">abc</text>',
    ),
    inline("text-path", '<path id="p" d="M0 0"/><text><textPath href="#p">a</textPath></text>'),
    inline("picture-of-itself", '<image href="art/house.svg" width="9" height="9"/>'),
    inline("picture-of-the-network", '<image href="http://@ENEMY@/a.png" width="9" height="9"/>'),
    inline(
        "picture-of-900-megapixels",
        '<image width="9" height="9" href="data:image/png;base64,'
        + base64.b64encode(png(30_000, 30_000)).decode()
        + '"/>',
    ),
    *(inline(name, inner) for name, inner in PATHS if "million" not in name),
    *(inline(name, SQUARE, head) for name, head in HEADS),
)
ATTACKS = (*ART, *ICONS, *INLINE)
