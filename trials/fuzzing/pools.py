"""What mutations put in: numbers, words, signs, and constructs of every language of a game."""

from __future__ import annotations

from random import Random

from weasyprint.css.properties import INITIAL_VALUES
from weasyprint.css.validation.expanders import EXPANDERS

NUMBERS = (
    "0", "-0", "1", "-1", "2", "7", "0.5", "1e-300", "1e300", "1e999", "-1e300", "nan", "inf", "-inf",
    "4294967296", "2147483648", "99999999999999999999", "9" * 400, "9" * 5000, "0x1F", "1_000", "²", "٣",
    "１２", "1,5", "1.2.3", ".", "-", "+5", "1e", "00", "007", "100000", "65535", "0.0000001",
)  # fmt: skip
WORDS = (
    "", " ", "x", "null", "true", "false", "no", "~", "none", "[]", "{}", "__class__", "__init__", "self",
    "../x", "/etc/passwd", "C:\\x", "con", ".", "..", "a/b", "%2e%2e/x", "art/", "http://[::1", "file:///x",
    "data:,x", "javascript:x", "x" * 300, "é", "ß", "ﬀ", "İ", "\u202e", "\u2066", "\u200d", "\ufeff",
    "\ufffd", "\U0001F469\u200d\U0001F680", "\U000F0000", "a\u0301" * 40, "שלום", "हिन्दी", "カード", "\u0000",
    "\x1b[2J", "\x07", "\x85", "\u2028", "\\", "'", '"', "`", "{", "}", "{coin}", "{{ card.name }}", "{%",
    "**", "*", "<b>", "&amp;", "&#0;", "url(x)", "src=x", ";", ":", "#", "@", "!x", "&x", "*x", "? x", "- x",
)  # fmt: skip
UNITS = [
    "",
    *[
        "px",
        "mm",
        "pt",
        "em",
        "rem",
        "%",
        "fr",
        "deg",
        "ch",
        "vw",
        "vh",
        "cm",
        "in",
        "Q",
        "dppx",
        "s",
        "lh",
    ],
]
PROPERTIES = (
    *sorted(name.replace("_", "-") for name in (*INITIAL_VALUES, *EXPANDERS)),
    "align-items", "justify-content", "text-overflow", "--x", "all", "aspect-ratio", "inline-size", "counter-set",
    "margin-break", "appearance", "page", "grid-area", "mix-blend-mode", "font-stretch", "object-fit",
)  # fmt: skip
VALUES = (
    "auto", "none", "inherit", "initial", "unset", "normal", "flex", "grid", "inline-flex", "inline-grid",
    "inline-block", "block", "table", "table-cell", "table-row", "table-caption", "contents", "list-item", "run-in",
    "absolute", "fixed", "relative", "sticky", "left", "right", "both", "footnote", "running(a)", "element(a)",
    "bold", "italic", "wavy underline red", "underline overline line-through double", "break-all", "break-word",
    "anywhere", "pre", "pre-wrap", "pre-line", "nowrap", "justify", "rtl", "isolate-override", "plaintext",
    "dotted 1px red", "dashed 9mm", "double thick", "currentColor", "transparent", "#12", "rgb(1e9 -1 300% / 9)",
    "hsl(9e9deg 1% 1%)", "lab(1 2 3)", "color-mix(in srgb, red, blue)", "light-dark(red, blue)",
    "min-content", "max-content", "fit-content(1mm)", "repeat(3, 1fr)", "repeat(99999, 1px)",
    "repeat(auto-fill, 1px)", "minmax(1px, 0)", "subgrid", "masonry", "[a] 1px [b]", "span 99999", "-5 / 99999",
    "'a' 'b'", "'a b' 'c'", "attr(class)", "counter(a)", "counters(a, '.', upper-roman)", "leader('.')",
    "target-counter('#x', page)", "target-text('#x')", "string(a)", "content(text)", "open-quote", "url(art/x.svg)",
    "url('')", "url(", "var(--x)", "var(--x, var(--y))", "env(x)", "first-letter", "all", "avoid", "page", "always",
    "linear-gradient(red, blue)", "linear-gradient(9e9deg, red 0 0, blue -1e9mm)",
    "repeating-linear-gradient(red 0, blue 0.001mm)", "radial-gradient(circle at 1e9mm, red, blue)",
    "repeating-radial-gradient(red, blue 1px)", "conic-gradient(red, blue)", "scale(1e300)", "rotate(1e300turn)",
    "matrix(1,2,3,4,5)", "translate(1e300mm)", "skew(90deg)", "perspective(0)", "scale(0)",
)  # fmt: skip
FUNCTIONS = ("calc", "min", "max", "clamp", "abs", "sin", "pow", "round", "mod", "var", "attr", "env", "rgb",
             "linear-gradient", "repeat", "minmax", "url", "fit-content", "counter", "leader")  # fmt: skip
SELECTORS = (
    "*", "div", "p", ".box", ".name", "#x", "b", "img", "svg", "table", ":root", "html", "body", "::before",
    "::after", "::first-line", "::first-letter", "::marker", ":first-child", ":nth-child(2n+1)", ":nth-of-type(-1)",
    ":not(*)", ":is(*, :not(*))", ":where(*)", ":has(*)", ":lang(en)", ":empty", "[class]", "[class*='a' i]",
    "* > *", "* + *", "* ~ *", "* *", "::footnote-call", "::footnote-marker", "a|b", "|x", ":hover", "::x", "\\0",
)  # fmt: skip
RULES = (
    "@page { margin: 1mm }", "@media all { p { color: red } }", "@media print and (width > 1px) { * { top: 0 } }",
    "@import url(x.css);", "@font-face { font-family: X; src: local(x) }", "@supports (color: red) { p { top: 0 } }",
    "@counter-style x { system: cyclic; symbols: 'a' 'b' }", "@counter-style y { system: extends x; pad: 99 '0' }",
    "@layer a, b;", "@namespace x url(y);", "@charset 'utf-16';", "@container (width > 1px) { p { top: 0 } }",
    "@property --x { syntax: '*'; inherits: true }", "<!-- p { color: red } -->", "} } p { top: 0", "/* ", "@", "@x {",
)  # fmt: skip
TAGS = (
    "div", "p", "b", "i", "span", "table", "tr", "td", "th", "tbody", "colgroup", "col", "caption", "ul", "ol", "li",
    "dl", "dt", "dd", "img", "br", "hr", "wbr", "a", "h1", "pre", "code", "sub", "sup", "small", "q", "blockquote",
    "svg", "math", "ruby", "rt", "details", "summary", "input", "select", "option", "button", "fieldset", "legend",
    "progress", "meter", "object", "embed", "iframe", "video", "audio", "canvas", "form", "label", "style", "script",
    "link", "meta", "base", "title", "template", "noscript", "textarea", "bdo", "bdi", "center", "font", "marquee",
)  # fmt: skip
ATTRIBUTES = (
    'class="box"', 'class="bleed"', 'class="icon"', 'id="x"', 'data-fit="7-9"', 'data-fit="9-7"', 'data-fit="x"',
    'data-fit="1e9-2e9"', 'data-fit=""', "data-unsafe", 'data-at="x:1"', 'data-at=""', 'style="display: flex"',
    'style="position: absolute; left: 1mm; top: 1mm; width: 9mm; height: 9mm"', 'style="columns: 3"', 'style="{"',
    'colspan="9"', 'rowspan="0"', 'colspan="²"', 'span="999"', 'start="x"', 'value="9e9"', 'dir="rtl"', 'lang="he"',
    'src="art/x.svg"', 'src="x"', 'src=""', 'href="#x"', 'href="http://[::1"', 'width="9"', 'width="-1"', 'hidden',
    'align="justify"', 'bgcolor="x"', 'type="A"', 'rel="attachment"', 'alt="x"', "=x", 'a"b',
)  # fmt: skip
JINJA = (
    "{{ card }}", "{{ card.name }}", "{{ card.items }}", "{{ card['x'] }}", "{{ card.name | upper }}", "{{ nothing }}",
    "{{ deck }}", "{{ game }}", "{{ words.x }}", "{{ player.name }}", "{{ players[0].id }}", "{{ icon('coin') }}",
    "{{ icon(none) }}", "{{ drawing('map.svg') }}", "{{ drawing('x', a=1) }}", "{{ range(5) | list }}",
    "{{ 1 / 0 }}", "{{ 2 ** 99999 }}", "{{ 'a' * 9999 }}", "{{ [1, 'a'] | sort }}", "{{ none | length }}",
    "{{ card | dictsort }}", "{{ 1 | dictsort }}", "{{ 1 | xmlattr }}", "{{ 'a' | xmlattr }}", "{{ {} | tojson }}",
    "{{ 'x' | int }}", "{{ 1e308 * 10 | int }}", "{{ (1e308 * 10) | round }}", "{{ [] | max }}", "{{ [] | first }}",
    "{{ '\\ud800' }}", "{{ 'a'.format(1) }}", "{{ '%s' % 1 }}", "{{ ''.__class__ }}", "{{ loop.index }}",
    "{{ self }}", "{{ caller() }}", "{{ varargs }}", "{{ number }}", "{{ stamp }}", "{{ first_copy }}", "{{ side }}",
    "{{ grid(2, 2, 9, 9) }}", "{{ hexagon(0, 0, 1e300).points }}", "{{ along([[0, 0], [1, 1]], 3) }}",
    "{{ polygon([]) }}", "{{ polygon([[0, 0], [1, 1], ['a', 2]]) }}", "{{ rough([[0, 0], [9, 9]], 1) }}",
    "{{ smooth([]) }}", "{{ shared_edge(1, 2) }}", "{{ hex_grid(3, 3, 0) }}",
    "{% if card %}", "{% endif %}", "{% else %}", "{% elif 1 %}", "{% for x in card %}", "{% for x in range(9) %}",
    "{% for a, b in card.items() %}", "{% endfor %}", "{% set x = 1 %}", "{% set x %}", "{% endset %}",
    "{% macro m(a) %}", "{% endmacro %}", "{% call m(1) %}", "{% endcall %}", "{% filter upper %}", "{% endfilter %}",
    "{% include 'x.html' %}", "{% import 'x.html' as x %}", "{% extends 'x.html' %}", "{% block a %}", "{% endblock %}",
    "{% raw %}", "{% endraw %}", "{% with a = 1 %}", "{% endwith %}", "{% do 1 %}", "{% break %}", "{# x #}", "{#",
    "{{", "}}", "{%", "%}", "{{ ", "{%- if 1 -%}", "{{ not not not 1 }}", "{{ ((((1)))) }}", "{{ 1 if }}", "{{ x.y.z }}",
    "{% autoescape false %}", "{% endautoescape %}", "{% set ns = namespace(a=1) %}", "{% set ns.a = ns %}",
)  # fmt: skip
EXPRESSIONS = (
    "1", "0", "true", "none", "name", "copies", "id", "player", "count('loot')", "count('x')", "sum_of('loot', 'copies')",
    "cards('loot') | length", "total(cards('loot'))", "max()", "min([])", "round(1e308 * 10)", "abs('a')", "name > 1",
    "not not not name", "((((1))))", "1 / 0", "9 ** 9 ** 9", "'a' * 9", "name | int", "name | dictsort", "[] | max",
    "1e308 * 10", "-1 ** 0.5", "'\\ud800'", "name.x.y", "name()", "range(9)", "players", "[", "1 +", "=", "a b", "²", "",
)  # fmt: skip
SHAPES = (
    "<g>{}</g>", "<g transform='rotate(45)'>{}</g>", "<g transform='scale(0)'>{}</g>", "<g opacity='.5'>{}</g>",
    "<g clip-path='url(#a)'>{}</g>", "<g mask='url(#a)'>{}</g>", "<g filter='url(#a)'>{}</g>", "<svg>{}</svg>",
    "<svg viewBox='0 0 0 0'>{}</svg>", "<symbol id='a'>{}</symbol>", "<defs>{}</defs>", "<clipPath id='a'>{}</clipPath>",
    "<mask id='a'>{}</mask>", "<pattern id='a' width='1' height='1'>{}</pattern>", "<marker id='a'>{}</marker>",
    "<filter id='a'>{}<feGaussianBlur stdDeviation='5'/></filter>", "<switch>{}</switch>", "<a href='#x'>{}</a>",
    "<linearGradient id='a'>{}<stop offset='2' stop-color='x'/></linearGradient>", "<use href='#a'/>{}",
    "<use xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='#a'/>{}", "<path d='M0 0h9v9z' fill='url(#a)'/>{}",
    "<path d='M0 0Q1 1'/>{}", "<path d='A1 1 0 0 0'/>{}", "<path d=''/>{}", "<rect width='-1' height='x'/>{}",
    "<circle r='nan'/>{}", "<polygon points='1'/>{}", "<text font-size='0'>a{}</text>", "<tspan>{}</tspan>",
    "<textPath href='#a'>{}</textPath>", "<image href='#a' width='9' height='9'/>{}", "<foreignObject>{}</foreignObject>",
    "<image href='data:image/png;base64,x' width='9' height='9'/>{}", "<style>* {{ fill: red }}</style>{}",
    "<style>@import 'x'</style>{}", "<title>{}</title>", "<line x1='1e300'/>{}", "<ellipse rx='1e-300' ry='9'/>{}",
    "<path d='M0 0h9' stroke='red' stroke-dasharray='0 0'/>{}", "<animate attributeName='x'/>{}", "<!-- {} -->",
    "<![CDATA[{}]]>", "<x:y xmlns:x='z'>{}</x:y>", "<path d='M0 0h9v9z' marker-mid='url(#a)' stroke='red'/>{}",
)  # fmt: skip
MARKDOWN = (
    "# One\n", "## Two {#two}\n", "## Two {.unnumbered}\n", "## Two {.page}\n", "###### Six\n", "Setext\n===\n",
    "- a\n  - b\n    - c\n", "1. a\n9999999999. b\n", "> a\n> > b\n", "```\na\n```\n", "    code\n", "---\n", "***\n",
    "| a | b |\n|--:|:-:|\n| 1 | 2 |\n", "| a |\n|-|\n| 1 | 2 | 3 |\n", "a[^1]\n\n[^1]: b\n", "[^1]: [^1]\n",
    "[](#two)\n", "[](#none)\n", "[a](#none)\n", "[a](http://[::1)\n", "![](art/x.svg)\n", "![](card:loot/school)\n",
    "![A](card:loot/school){#x width=9mm}\n", "![](card:x/y/back)\n", "![](card:)\n", "[term]{.term}\n",
    '[t]{term="x"}\n', "[[toc]]\n", "[[index]]\n", "::: note\na\n:::\n", "::: example A\na\n:::\n", "::: summary\na\n:::\n",
    "::: designer\na\n:::\n", ":::: note\n::: tip\na\n:::\n::::\n", "::: x\n", ":::\n", "a\n: b\n", "<div>a</div>\n",
    "<b>a\n", "<table><tr><td>a</table>\n", "<script>a</script>\n", "<!-- a\n", "{{ chart('loot', by='name') }}\n",
    "{{ card('loot', 'school').name }}\n", "{{ deck('loot').title }}\n", "{{ rules() }}\n", "{{ icon('coin') }}\n",
    "{% for c in cards('loot') %}\n- {{ c.name }}\n{% endfor %}\n", "{## a ##}\n", "{## a\n", "\\\n", "a  \nb\n", "&amp;&#0;\n",
    "```figure\nrow: [loot/school]\n```\n", "```figure\nscene:\n  - {card: loot/school, at: [1, 2]}\n```\n",
    "```figure\nrows: [[loot/school], {label: a, row: [loot/school]}]\nwidth: 9\n```\n", "```figure\n```\n",
    "```figure\nscene: [{text: a, at: [0, 0], size: 9}, {arrow: [[0, 0], [9, 9]]}, {circle: [1, 2, 3]}]\n```\n",
    "```figure\nrow: [{card: loot/school, turn: 45, with: [{card: loot/school, at: [1, 1], scale: 0.1}]}]\n```\n",
    "---\ntitle: a\ntoc: true\nindex: true\n---\n", "*a **b* c**\n", "`" * 7 + "\n", "[a][b]\n\n[b]: c\n", "^a^ ~b~ ==c==\n",
)  # fmt: skip


def number(rng: Random) -> str:
    """A number as nobody wants it, or a plain one."""
    return rng.choice(NUMBERS) if rng.random() < 0.7 else str(rng.randint(-300, 3000) / 10)


def word(rng: Random) -> str:
    """A word as nobody wants it."""
    return rng.choice(WORDS)


def css_value(rng: Random, depth: int = 0) -> str:
    """A value of CSS, maybe of functions within functions."""
    way = rng.random()
    if way < 0.45:
        return rng.choice(VALUES)
    if way < 0.8 or depth > 4:
        return number(rng) + rng.choice(UNITS)
    inner = rng.choice((", ", " ", " + ", " * ")).join(
        css_value(rng, depth + 1) for _ in range(rng.randint(1, 3))
    )
    return f"{rng.choice(FUNCTIONS)}({inner})" * (rng.randint(1, 40) if rng.random() < 0.05 else 1)


def declaration(rng: Random) -> str:
    """A declaration of CSS."""
    return f"{rng.choice(PROPERTIES)}: {css_value(rng)}"


def css_rule(rng: Random) -> str:
    """A rule of CSS."""
    if rng.random() < 0.3:
        return rng.choice(RULES)
    selector = rng.choice(("", " ", " > ", ", ")).join(
        rng.choice(SELECTORS) for _ in range(rng.randint(1, 3))
    )
    body = "; ".join(declaration(rng) for _ in range(rng.randint(1, 4)))
    return f"{selector} {{ {body} }}"


def tag(rng: Random, inner: str = "") -> str:
    """An element of HTML around something, maybe many times."""
    name = rng.choice(TAGS)
    given = "".join(f" {rng.choice(ATTRIBUTES)}" for _ in range(rng.randint(0, 2)))
    depth = rng.choice((1, 1, 1, 1, 2, 3, 12, 45))
    return f"<{name}{given}>" * depth + inner + f"</{name}>" * depth
