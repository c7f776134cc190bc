"""Templates, rules and texts that take time, memory or the stack, or reach out."""

from __future__ import annotations

from collections.abc import Iterable

from trials.attack import DECK, EITHER, SMALL, Attack, Content, nested

ODD = ("\\ud800", "\\udfff\\ud800", "\\u0000", "\\x1b[2J", "\\u202e")
FILTERS = (
    "abs", "attr", "capitalize", "count", "default", "dictsort", "escape", "filesizeformat",
    "first", "float", "forceescape", "groupby", "int", "items", "join", "last", "length", "list",
    "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "round", "safe",
    "select", "selectattr", "sort", "string", "striptags", "sum", "title", "tojson", "trim",
    "truncate", "unique", "upper", "urlencode", "wordcount", "xmlattr",
)  # fmt: skip
VALUES = (
    "none", "true", "7", "-1", "2.5", "1e308 * 10", "''", "'a'", "[]", "[none, 1, 'a']", "{}",
    "{'a': none}", "{1: 2}", "card", "range", "nothing", "()", "[[]]", "'\\ud800'", "['\\udc00']",
)  # fmt: skip


def template(name: str, html: Content, expected: Iterable[str] = ()) -> Attack:
    """An attack by a template."""
    return Attack(f"template/{name}", {"templates/loot.html": html}, tuple(expected), EITHER)


def rule(name: str, lines: str, expected: Iterable[str] = ()) -> Attack:
    """An attack by a composition rule; the lines are those of its own."""
    text = f"rules:\n  - id: odd\n    because: of it\n    section: One\n{lines}"
    return Attack(f"rule/{name}", {"cards/rules.yaml": text}, tuple(expected), EITHER)


def required(name: str, expression: str) -> Attack:
    """An attack by an expression that every card is held against."""
    quoted = expression.replace("'", "''")
    return rule(name, f"    require: '{quoted}'\n    each: loot\n")


def text(name: str, value: str) -> Attack:
    """An attack by the text of a card, as YAML has it in double quotes."""
    deck = DECK + f'  - {{id: school, name: "{value}"}}\n  - {{id: hotel, name: Hotel}}\n'
    return Attack(f"text/{name}", {"cards/loot.yaml": deck}, (), EITHER)


def every_filter() -> tuple[Attack, ...]:
    """Each filter on values that it was not made for, one template a filter."""
    return tuple(
        Attack(
            f"filter/{name}",
            {
                "templates/loot.html": "".join(
                    f'<div class="box">{{{{ ({value}) | {name}{given} }}}}</div>\n'
                    for value in VALUES
                    for given in ("", "(none)", "('a', 'b')")
                ),
                "cards/rules.yaml": "rules:\n" + "".join(
                    f"  - id: r{n}\n    because: x\n    section: x\n    each: loot\n"
                    f'    require: "({value}) | {name}"\n'
                    for n, value in enumerate(VALUES) if "\\" not in value
                ),
            },
            (),
            EITHER,
        )
        for name in FILTERS
    )  # fmt: skip


TEMPLATES: tuple[Attack, ...] = (
    template("parentheses", f"{{{{ {nested('(', ')', 5000, '1')} }}}}"),
    template("parentheses-100000", f"{{{{ {nested('(', ')', 100_000, '1')} }}}}"),
    template("lists", f"{{{{ {nested('[', ']', 5000, '1')} }}}}"),
    template("not-not", f"{{{{ {'not ' * 5000}1 }}}}"),
    template("minus-minus", f"{{{{ {'-' * 5000}1 }}}}"),
    template("plus", f"{{{{ {'1 + ' * 20_000}1 }}}}"),
    template("tilde", f"{{{{ {'1 ~ ' * 50_000}1 }}}}"),
    template("and", f"{{{{ {'1 and ' * 20_000}1 }}}}"),
    template("if-else", f"{{{{ {'1 if 1 else ' * 2000}1 }}}}"),
    template("filters", f"{{{{ 1{' | string' * 5000} }}}}"),
    template("attributes", f"{{{{ card{'.name' * 5000} }}}}"),
    template("calls", f"{{{{ range{'(1)' * 5000} }}}}"),
    template("ifs-deep", nested("{% if 1 %}", "{% endif %}", 1000, "a")),
    template("fors-deep", nested("{% for x in [1, 2] %}", "{% endfor %}", 19, "a")),
    template("fors-200-deep", nested("{% for x in [1] %}", "{% endfor %}", 200, "a")),
    template("blocks-deep", nested("{% filter upper %}", "{% endfilter %}", 500, "a")),
    template("macro-calls-itself", "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}"),
    template("macro-doubles", "{% macro a(n) %}{% if n %}{{ a(n - 1) }}{{ a(n - 1) }}{% endif %}x{% endmacro %}{{ a(40) }}"),
    template("includes-itself", '{% include "loot.html" %}'),
    template("imports-itself", '{% import "loot.html" as a %}{{ a }}'),
    template("extends-itself", '{% extends "loot.html" %}'),
    template("recursive-loop", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}"),
    template("loops", "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"),
    template("power", "{{ 9 ** 9 ** 9 ** 9 }}"),
    template("power-of-float", "{{ 9.5 ** 9999 }}"),
    template("shift", "{{ (2 ** 9999) ** 2 }}{{ 10 ** 4000 }}"),
    template("number-of-400-digits", "{{ " + "9" * 400 + " * 1.5 }}{{ " + "9" * 400 + " / 7 }}"),
    template("number-of-10000-digits", "{{ " + "9" * 10_000 + " }}"),
    template("division-by-zero", "{{ 1 / 0 }}{{ 1 % 0 }}{{ 0 ** -1 }}"),
    template("complex", "{{ (-1) ** 0.5 }}"),
    template("sort-mixed", "{{ [1, 'a', none, [], {}] | sort }}{{ [1, 'a'] | max }}"),
    template("sort-itself", "{% set a = range(100000) | list %}{% for n in range(999) %}{{ (a | sort | reverse | list)[0] }}{% endfor %}"),
    template("unhashable", "{{ {[]: 1} }}{{ {} in {} }}"),
    template("bytes", "{{ 'a'.encode() }}{{ 'a' | urlencode | safe }}\0\x01\x1b"),
    template("not-utf-8", b"<div>\xff\xfe\x80</div>"),
    template("format", "{{ '%999999999d' % 1 }}{{ '%.999999999f' % 1 }}"),
    template("slices", "{{ 'abc'[::0] }}{{ 'abc'[9999999999999999999999:] }}{{ range(9)[::-1] }}"),
    template("range-odd", "{{ range(1, 2, 0) }}{{ range('a') }}{{ range(1e300) }}"),
    template("namespace", "{% set ns = namespace(a=1) %}{% set ns.ns = ns %}{{ ns.ns.ns }}{{ ns | tojson }}"),
    template("dict-of-itself", "{% set ns = namespace(a=[1]) %}{% for n in range(5000) %}{% set ns.a = [ns.a] %}{% endfor %}{{ ns.a }}"),
    template("dict-of-itself-as-json", "{% set ns = namespace(a=[1]) %}{% for n in range(900) %}{% set ns.a = [ns.a] %}{% endfor %}{{ ns.a | tojson }}{{ ns.a == ns.a | list }}"),
    template("python", "{{ ''.__class__.__mro__[1].__subclasses__() }}"),
    template("python-by-attr", "{{ card | attr('__init__') }}{{ icon.__globals__ }}{{ self._TemplateReference__context }}"),
    template("include-elsewhere", '{% include "../../elsewhere/secret.html" %}'),
    template("include-absolute", '{% include "@ELSEWHERE@/secret.html" %}'),
    template("include-odd", '{% include "\\x00" %}{% include none %}{% include [] %}{% include 7 %}'),
    template("include-300-letters", f'{{% include "{"x" * 300}.html" %}}'),
    template("syntax-deep", "{" * 100_000),
    template("tags-open", "{% if 1 %}" * 10_000),
    template("raw-open", "{% raw %}" * 1000),
    template("comment-long", "{# " * 100_000),
    template("expression-long", "{{ " + " or ".join(f"a{n}" for n in range(50_000)) + " }}"),
    template("lone-surrogate", "".join(f'<div class="box">{{{{ "{odd}" }}}}</div>\n' for odd in ODD)),
    template("icon-odd", "{{ icon('') }}{{ icon(none) }}{{ icon([]) }}{{ icon('a' * 300) }}"),
    template("drawing-itself", '{{ drawing("loot.html") }}{{ drawing("loot.svg") }}'),
    template("drawing-elsewhere", '{{ drawing("../../elsewhere/secret.svg") }}'),
    template("geometry-huge", "{{ grid(100, 100, 1e308, 1e308) | length }}{{ hex_grid(1e9, 1e9, 1) }}"),
    template("geometry-nan", "{{ hexagon(1e308 * 10 - 1e308 * 10, 0, 1e308 * 10).points }}"),
    template("geometry-rough", "{{ rough([[0, 0], [1e300, 1e300]], 1e-300) }}{{ smooth([[1, 2]]) }}"),
    template("geometry-along", "{{ along([[0, 0], [0, 0]], 9999) }}{{ along([], 1) }}{{ along([[0, 0]], -1) }}"),
    template("geometry-odd", "{{ polygon('a') }}{{ polygon([[1], 2]) }}{{ shared_edge(1, none) }}"),
    Attack("template/drawings-many", {
        "templates/map.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        "{% for n in range(9999) %}<path d='M0 0h{{ n }}v9z'/>{% endfor %}<!-- {{ x }} --></svg>",
        "templates/loot.html": "{% for n in range(900) %}{{ drawing('map.svg', x=n) }}{% endfor %}",
    }, (), EITHER),
    Attack("template/drawing-recursion", {
        "templates/map.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{{ drawing("map.svg") }}</svg>',
        "templates/loot.html": '<div class="box">{{ drawing("map.svg") }}</div>',
    }, (), EITHER),
    *(template(f"elements-{tag}", "<div class='box'>" + f"<{tag}>" * 4900)
      for tag in ("b", "p", "li", "td", "select", "svg", "math", "ruby", "table")),
    template("comments-open", "<!--" * 100_000),
    template("entities", "&" * 500_000),
    template("entity-names", "&amp" * 100_000 + "&#99999999999999999999;" * 1000),
    template("tags-cut-short", "<div class='box' " + "a" * 500_000),
    template("cdata", "<![CDATA[" * 50_000 + "<?php" * 50_000 + "<!x" * 50_000),
)  # fmt: skip
RULES: tuple[Attack, ...] = (
    required("parentheses", nested("(", ")", 5000, "1")),
    required("parentheses-100", nested("(", ")", 100, "1")),
    required("lists", nested("[", "]", 2000, "1")),
    required("not-not", "not " * 5000 + "1"),
    required("minus-minus", "-" * 5000 + "1"),
    required("plus", "1 + " * 20_000 + "1"),
    required("filters", "1" + " | string" * 5000),
    required("power", "9 ** 9 ** 9"),
    required("bytes", "'a'.encode() == name"),
    required("filesizeformat", "'a' | filesizeformat"),
    required("surrogate", "'\\ud800' == name or '\\ud800' | urlencode"),
    required("count-in-count", "count('loot', \"count('loot', 'count(\\\"loot\\\")')\")"),
    required("evaluates-itself", "count('loot', \"cards('loot') | length > 0\") " * 2),
    required("cards-of-cards", "cards('loot', \"cards('loot', \\\"cards('loot')\\\")\")"),
    required("wrong-types", "cards(none) + count([]) + sum_of({}, 1) + total(range) + min() + max(1)"),
    required("digits", "name | int == ٣ or ² == 2"),
    required("empty", ""),
    required("range", "range(100000) | map('string') | join | length"),
    required("min-of-nothing", "min([]) > 0"),
    required("compare", "name > 1 and [] < {}"),
    rule("for-each-without-end", "    for_each: {" + ", ".join(f"n{n}: [1, 2, 3, 4, 5, 6, 7, 8, 9]" for n in range(40))
         + "}\n    count: loot\n    is: 1\n"),
    rule("for-each-of-itself", "    for_each: {a: ['{a}{a}{b}', '{b}'], b: ['{a}{a}', '{b}{b}']}\n    count: loot\n    where: '{a}{b}'\n    is: 1\n"),
    rule("for-each-odd", "    for_each: {__class__: [x], a: {b: c}, '': [1], b: [[1]]}\n    count: loot\n    is: 1\n"),
    rule("by-odd", "    count: loot\n    by: ().__class__\n    is: {'': {a: 1}, x: [1]}\n"),
    rule("bounds-of-400-digits", f"    count: loot\n    is: {'9' * 400}\n"),
    rule("bounds-of-400-digits-in-quotes", f"    count: loot\n    at_most: '{'9' * 400} * 1.0'\n"),
    rule("bounds-of-18-digits", f"    count: loot\n    at_least: {'9' * 18}\n"),
    rule("bounds-nan", "    count: loot\n    is: '1e308 * 10 - 1e308 * 10'\n"),
    rule("bounds-infinite", "    count: loot\n    at_most: '1e308 * 10'\n"),
    rule("portion-zero", "    portion: loot\n    where: 'true'\n    is: 1/0\n"),
    rule("portion-huge", f"    portion: loot\n    where: 'true'\n    is: 1/{'9' * 400}\n"),
    rule("portion-digits", "    portion: loot\n    where: 'true'\n    is: '²/٣'\n"),
    rule("portion-exponent", "    portion: loot\n    where: 'true'\n    is: '1e999999999'\n"),
    rule("portion-exponent-percent", "    portion: loot\n    where: 'true'\n    is: '1e9999999 %'\n"),
    rule("share", f"    share: loot\n    by: '[[name]]'\n    parts: {{a: 1/{'9' * 400}, b: [x]}}\n"),
    rule("sum-of-infinity", "    sum: loot\n    of: '1e308 * 10'\n    is: 1\n"),
    rule("sum-of-text", "    sum: loot\n    of: name\n    is: 1\n"),
    rule("lists-for-words", "    require: [[loot]]\n    that: [1, 2]\n"),
    rule("unique-of-lists", "    unique: loot\n    of: '[[name]]'\n"),
    rule("connected", "    connected: loot\n    places: '[[1], {}]'\n    links: name\n"),
    rule("references", "    references: loot\n    of: '[[name]]'\n    to: [loot, 7]\n"),
    rule("stock", "    stock: [loot]\n    given_by: {a: [b]}\n    gives: []\n"),
    rule("colours", "    colours_apart: players\n    at_least: nan\n"),
    Attack("rule/ten-thousand", {"cards/rules.yaml": "rules:\n" + "".join(
        f"  - {{id: r{n}, require: 'count(\"loot\") == {n}', because: x, section: x}}\n"
        for n in range(10_000))}, (), EITHER),
    Attack("rule/slow-hundred", {"cards/rules.yaml": "rules:\n" + "".join(
        f"  - {{id: r{n}, require: 'range(100000) | map(\"string\") | sort | length > {n}', "
        "because: x, section: x}\n" for n in range(100))}, (), EITHER),
    Attack("rule/id-of-300-letters", {"cards/rules.yaml": f"rules:\n  - {{id: {'x' * 300}, count: loot, is: 9, "
           "because: x, section: x}\n"}, (), EITHER),
)  # fmt: skip
TEXTS: tuple[Attack, ...] = (
    text("parentheses", "(" * 100_000),
    text("braces", "{" * 100_000),
    text("tokens", "{coin}" * 20_000),
    text("stars", "*" * 100_000),
    text("stars-apart", "*a " * 50_000),
    text("bold-open", "**" * 50_000),
    text("bold-in-italic", "**a *b** c* " * 20_000),
    text("lines", "\\n" * 100_000),
    text("tied", "\\u00a0{a}" * 10_000),
    text("tied-long", "a" * 100_000 + "{"),
    text("bytes", "\\0\\x01\\x7f\\x80\\x9f\\e"),
    text("lone-surrogate", "\\ud800"),
    text("lone-surrogates-in-full", "\\U0000d800\\udc00"),
    text("noncharacters", "\\ufffe\\uffff\\U0010ffff\\ufeff"),
    text("joiners", "a" + "\\u200d" * 20_000),
    text("combining", "a" + "\\u0301" * 20_000),
    text("bidi", "\\u202e\\u2066" * 5000),
    text("emoji", "\\U0001F469\\u200d" * 5000),
    text("private", "\\U000F0000\\U00100000" * 100),
    text("soft-hyphens", "a\\u00ad" * 4_000),
    text("word-of-50000", "a" * 50_000),
    text("html", "<b><script>&amp;</b>" * 5000),
    text("jinja", "{{ 7 * 7 }}{% include 'x' %}{# #}"),
    text("address", "url(http://@ENEMY@/a.png) src=http://@ENEMY@/b.png"),
)  # fmt: skip
NAMES = Attack(
    "text/words-of-game-odd",
    {
        "game.yaml": str(SMALL["game.yaml"])
        + 'words: {"\\0": a, "a b": "{", "": "*", "__class__": x}\n'
    },
    (),
    EITHER,
)
ATTACKS = (*TEMPLATES, *RULES, *TEXTS, NAMES, *every_filter())
