"""Stylesheets and markup that take time, memory or the stack."""

from __future__ import annotations

from trials.attack import BOX, HARMLESS, Attack, nested, styled

WORDS = "the convoy stops before the bridge and waits "
LONG = f'<div class="box">{WORDS * 2000}</div>\n'
UNBROKEN = f'<div class="box">{"a" * 200_000}</div>\n'


def boxes(display: str, depth: int = 12) -> Attack:
    """Boxes of that display within each other."""
    html = nested('<div class="in">', "</div>", depth, "<div>School</div><div>Hotel</div>")
    name = display.replace(":", "").replace(" ", "-").partition(";")[0]
    return styled(
        f"{name}-{depth}-deep", f".in {{ {display} }}\n", f'<div class="box">{html}</div>'
    )


def doubled(times: int) -> str:
    """Variables that double, so often."""
    lines = [f"  --v{n}: var(--v{n - 1}) var(--v{n - 1});\n" for n in range(1, times)]
    return f".box {{ --v0: 'School';\n{''.join(lines)} content: var(--v{times - 1}) }}\n"


def one(name: str, declarations: str, html: str = BOX) -> Attack:
    """An attack by the declarations of one rule."""
    return styled(name, f".box {{ {declarations} }}\n", html)


TABLE = '<table class="box"><tr>{}</tr></table>'
SPANS = TABLE.format('<td colspan="65534" rowspan="65534">a</td>' * 300)

ATTACKS: tuple[Attack, ...] = (
    boxes("display: flex"),
    boxes("display: grid"),
    boxes("columns: 2"),
    boxes("display: inline-flex"),
    boxes("display: inline-grid"),
    boxes("display: inline-block", 45),
    boxes("float: left", 45),
    boxes("display: table", 45),
    boxes("display: flex; flex-wrap: wrap", 20),
    boxes("display: grid; grid-template-columns: auto auto", 40),
    one("grid-repeat", "display: grid; grid-template-columns: repeat(100000000, 1px)"),
    one("grid-repeat-rows", "display: grid; grid-template-rows: repeat(3000000, [a] 1px [b])"),
    one("grid-repeat-auto-fill", "display: grid; grid-template-columns: repeat(auto-fill, 1e-9px)"),
    styled("grid-far-line", ".box { display: grid } .in { grid-column: 99999999; grid-row: 99999999 }",
           '<div class="box"><div class="in">a</div></div>'),
    styled("grid-span", ".box { display: grid } .in { grid-column: span 9999999 }",
           '<div class="box"><div class="in">a</div></div>'),
    one("repeating-linear-gradient",
        "background: repeating-linear-gradient(red 0, blue 0.0000001mm)"),
    one("repeating-radial-gradient",
        "background: repeating-radial-gradient(red 0, blue 0.0000001mm)"),
    one("gradient-stops", f"background: linear-gradient({', '.join(['red', 'blue'] * 50_000)})"),
    one("background-tiles",
        "background: linear-gradient(red, blue); background-size: 0.0001mm 0.0001mm"),
    one("background-space",
        "background: linear-gradient(red, blue) space; background-size: 0.0001mm"),
    one("background-layers", f"background: {', '.join(['linear-gradient(red, blue)'] * 100_000)}"),
    one("wavy", "text-decoration: underline wavy red; font-size: 0.01pt", LONG),
    one("wavy-wide", "text-decoration: underline wavy; letter-spacing: 1e7mm; white-space: nowrap"),
    one("word-break", "word-break: break-all; width: 0.01mm", UNBROKEN),
    one("overflow-wrap", "overflow-wrap: anywhere; width: 0.01mm; font-size: 20pt", UNBROKEN),
    one("hyphenate-limit", "hyphens: auto; hyphenate-limit-zone: -1e9mm; "
        "hyphenate-limit-chars: 1 1 1; width: 0.1mm", LONG),
    one("hyphens-long-word", "hyphens: auto; width: 1mm", UNBROKEN),
    styled("leader", ".box::after { content: leader('.') 'x'; font-size: 0.0001pt }"),
    styled("leader-long", f".box::after {{ content: leader('{'.' * 100_000}') 'x' }}"),
    styled("leaders", ".b::before { content: leader('.') leader(' ') }",
           '<div class="box">' + '<p class="b">a</p>' * 2000 + "</div>"),
    one("tab-size", "tab-size: 2000000000; white-space: pre", '<div class="box">a\t\t\tb</div>'),
    one("tab-size-length", "tab-size: 1e30mm; white-space: pre", '<div class="box">a\tb</div>'),
    one("letter-spacing", "letter-spacing: 1e30mm"),
    one("word-spacing", "word-spacing: 1e30mm; text-align: justify", LONG),
    one("letter-spacing-negative", "letter-spacing: -1e9mm", LONG),
    styled("variables-double", doubled(40)),
    styled("variables-in-a-ring", ".box { --a: var(--b); --b: var(--a); color: var(--a) }"),
    styled("variables-nested", f".box {{ color: {nested('var(--a, ', ')', 20_000, 'red')} }}"),
    one("calc-deep", f"width: {nested('calc(', ')', 5000, '1mm')}"),
    one("calc-parentheses", f"width: calc({nested('(', ')', 50_000, '1mm')})"),
    one("calc-long", f"width: calc({' + '.join(['1mm'] * 50_000)})"),
    one("min-deep", f"width: {nested('min(1mm, ', ')', 5000, '1mm')}"),
    styled("selectors-deep", f"{nested(':is(', ')', 5000, '.box')} {{ color: red }}"),
    styled("selectors-not", f"{nested(':not(', ')', 5000, '.box')} {{ color: red }}"),
    styled("selectors-where", f"{nested(':where(.a, ', ')', 300, '.box')} {{ color: red }}"),
    styled("selectors-descendants", f"{'div ' * 3000}.x {{ color: red }}",
           nested('<div class="box">', "</div>", 48, "a")),
    styled("selectors-has", f"{':has(*)' * 20}{{ color: red }} * * * * * * * *:has(* * * *) {{ color: red }}",
           '<div class="box">' + "<b>a</b>" * 4000 + "</div>"),
    styled("selectors-nth", "b:nth-last-of-type(2n+1):nth-child(3n+1) ~ b ~ b ~ b ~ b { color: red }",
           '<div class="box">' + "<b>a</b>" * 4800 + "</div>"),
    styled("selectors-list", f"{', '.join(f'.a{n}' for n in range(200_000))} {{ color: red }}"),
    styled("rules-many", "".join(f".box {{ color: #{n:06x} }}\n" for n in range(100_000))),
    styled("declarations-many", ".box {" + "color: red; " * 250_000 + "}"),
    styled("blocks-deep", nested("{", "}", 100_000)),
    styled("blocks-open", "(" * 500_000),
    styled("brackets-open", ".box { content: " + "[({" * 100_000),
    styled("media-nested", nested("@media all {", "}", 5000, ".box { color: red }")),
    styled("supports-nested", f"@supports {nested('(', ')', 5000, 'color: red')} {{ .box {{ color: red }} }}"),
    styled("nesting-deep", ".box { " + nested("& .a { ", "}", 5000, "color: red") + "}"),
    styled("import-itself", "@import url(loot.css); @import url(templates/loot.css);\n"),
    styled("import-file", "@import url(file:///etc/passwd); @import url(http://@ENEMY@/x.css);\n"),
    styled("font-face", "@font-face { font-family: X; src: url(http://@ENEMY@/x.ttf), "
           "url(file:///etc/passwd), local(Arial) } .box { font-family: X }\n"),
    one("font-size-1e300", "font-size: 1e300pt"),
    one("font-size-1e30", "font-size: 1e30pt"),
    one("font-size-0", "font-size: 0"),
    one("font-size-tiny", "font-size: 1e-300pt", LONG),
    one("font-size-1000mm", "font-size: 1000mm", LONG),
    one("fit-huge", "", '<div class="box" data-fit="1-99999999">a</div>'),
    one("fit-backwards", "", '<div class="box" data-fit="1e300-2e300">a</div>'),
    one("fit-signs", "", '<div class="box" data-fit="²-③">a</div><div class="box" data-fit="٣-٤">a</div>'),
    one("line-height", "line-height: 1e300"),
    one("line-height-tiny", "line-height: 1e-300", LONG),
    one("line-height-0", "line-height: 0", LONG),
    one("width-1e300", "width: 1e300mm; height: 1e300mm; background: red"),
    one("width-infinite", "width: calc(infinity * 1mm); height: calc(1mm / 0)"),
    one("margin-negative", "margin: -1e300mm; padding: 1e300mm"),
    one("position-far", "left: 1e300mm; top: -1e300mm"),
    one("border-dotted", "border: 0.00001mm dotted red; width: 1e6mm"),
    one("border-dashed-radius", "border: 0.00001mm dashed red; border-radius: 1e30mm"),
    one("border-wide", "border: 1e300mm double red"),
    one("outline", "outline: 1e-7mm dotted red; outline-offset: 1e9mm"),
    one("transform-nan", "transform: rotate(calc(0deg / 0)) scale(1e300) scale(1e300)"),
    one("transform-infinite", "transform: scale(1e308) scale(1e308) translate(1e308mm)"),
    one("transform-0", "transform: scale(0) matrix(0,0,0,0,0,0)"),
    one("transform-many", f"transform: {'rotate(1deg) ' * 100_000}"),
    one("matrix-nan", "transform: matrix(1e999, 1, 1, 1, 1, 1)"),
    one("columns-many", "column-count: 100000000; column-gap: 0", LONG),
    one("columns-thin", "column-width: 0.000001mm; column-gap: 0", LONG),
    styled("columns-by-the-thousand", ".box { columns: 5000 } p { column-span: all }",
           f'<div class="box">{"<p>a</p>b" * 2000}</div>'),
    styled("spans", "", SPANS),
    styled("spans-many", "", TABLE.format('<td colspan="1000">a</td>' * 2000)),
    styled("spans-signs", "", TABLE.format('<td colspan="²" rowspan="٣">a</td>')),
    styled("table-columns", "", '<table class="box"><colgroup span="99999999"></colgroup>'
           '<col span="99999999"><tr><td>a</td></tr></table>'),
    styled("table-wide", "", TABLE.format("<td>a</td>" * 4900)),
    styled("attributes", "", f"<div class='box' {' '.join(f'a{n}=1' for n in range(100_000))}>a</div>"),
    styled("attribute-long", "", f'<div class="box {"x " * 400_000}">a</div>'),
    styled("list-start", "", '<ol class="box" start="99999999999999999999999999"><li value="1e400">a</li></ol>'),
    one("list-roman", "counter-reset: a 2000000000; content: counter(a, upper-roman)"),
    styled("counter-pad", "@counter-style x { system: numeric; symbols: '0' '1'; pad: 100000000 'x' }"
           ".box::before { content: counter(a, x) }"),
    styled("counter-additive", "@counter-style x { system: additive; additive-symbols: 1 'i' }"
           ".box { counter-reset: a 2000000000 } .box::before { content: counter(a, x) }"),
    styled("counter-symbolic", "@counter-style x { system: symbolic; symbols: 'i' }"
           ".box { counter-reset: a 2000000000 } .box::before { content: counter(a, x) }"),
    styled("counter-extends", "@counter-style x { system: extends y } @counter-style y { system: extends x }"
           ".box::before { content: counter(a, x) }"),
    styled("counter-fallback", "@counter-style x { system: fixed; symbols: 'i'; range: 5 6; fallback: x }"
           ".box::before { content: counter(a, x) }"),
    styled("counters-nested", ".in { counter-reset: a } .in::before { content: counters(a, '.') }",
           nested('<div class="in">', "</div>", 48, '<p class="in">a</p>' * 2000)),
    styled("content-long", f".box::before {{ content: '{'a ' * 500_000}' }}"),
    styled("content-many", "b::before { content: 'aaaaaaaaaaaaaaaaaaaa' attr(class) }",
           f'<div class="box">{"<b class=aaaaaaaaaa>a</b>" * 4900}</div>'),
    styled("target-counter", ".box::before { content: target-counter('#a', page) target-text('#a') }",
           '<div class="box" id="a">a</div>'),
    styled("running", ".box { position: running(a) } .box::after { content: element(a) }"),
    styled("footnotes", "b { float: footnote }", f'<div class="box">{"<b>a</b>" * 4000}</div>'),
    styled("page-breaks", "b { display: block; break-after: page }",
           f'<div class="box">{"<b>a</b>" * 4000}</div>'),
    styled("page-names", "b { display: block; page: x }", f'<div class="box">{"<b>a</b>" * 2000}</div>'),
    styled("floats-many", "b { float: left; width: 3.7mm; clear: none }",
           f'<div class="box">{"<b>a</b>" * 4900}</div>'),
    one("orphans", "orphans: 2000000000; widows: 2000000000", LONG),
    one("text-indent", "text-indent: 1e300mm; text-align-all: justify", LONG),
    one("image-resolution", "image-resolution: 1e-300dppx; background: url(art/none.png)"),
    one("clip-path", "clip: rect(1e300mm, 0, 0, -1e300mm); overflow: hidden"),
    one("opacity-deep", "opacity: 0.5; mix-blend-mode: multiply", nested('<div class="box">', "</div>", 49, "a")),
    one("font-features", "font-feature-settings: " + ", ".join(["'aaaa' 999999999"] * 50_000)),
    one("font-variations", "font-variation-settings: " + ", ".join(["'wght' 1e300"] * 50_000)),
    one("font-family-list", f"font-family: {', '.join(f'f{n}' for n in range(50_000))}"),
    one("font-family-name", f"font-family: '{'x' * 1_000_000}'"),
    one("bidi-deep", "unicode-bidi: isolate-override; direction: rtl",
        f'<div class="box">{"&#x202e;&#x2067;a" * 50_000}</div>'),
    one("combining-marks", "", f'<div class="box">a{"&#x301;" * 100_000}</div>'),
    one("characters-odd", "", '<div class="box">&#0;&#xd800;&#x10ffff;&#xfffe;&#x1f469;&#x200d;</div>'),
    one("lines-many", "white-space: pre", f'<div class="box">{chr(10) * 200_000}</div>'),
    one("escapes", "content: '\\0 \\d800 \\110000 '; font-family: '\\0'"),
    styled("address-broken", ".box { background: url(http://[::1) }"),
    styled("address-broken-in-html", "", '<div class="box"><img src="http://[::1"></div>'),
    styled("picture-in-data", ".box { background: url(data:image/svg+xml;base64,!!!!) }"),
    styled("picture-from-the-network", ".box { background: url(http://@ENEMY@/a.png) }"
           ".box::before { content: url(//@ENEMY@/b.png) }",
           '<div class="box"><img src="http://@ENEMY@/c.png"><img src="ftp://@ENEMY@/d.png"></div>'),
    styled("byte-order-mark", "\ufeff.box { color: red }", codes=HARMLESS),
)  # fmt: skip
