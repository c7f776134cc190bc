"""HTML that says something else than was meant: what is told, and what is left alone."""

from __future__ import annotations

import time

import pytest

from cardgen.templates.template_lint import find_unstyled_classes, lint_template


@pytest.mark.parametrize(
    "written",
    [
        '<div class="name" data-fit="9-14">{{ card.name }}</div>',
        '<div class="{{ "a" if card.x else "b" }}" style="left: 5mm">x</div>',
        '<div {% if a %}class="b"{% else %}class="c"{% endif %} data-unsafe>x</div>',
        '<div class="a"{{ extra }}><img src="art/{{ card.id }}.svg" alt="a \'b\'"></div>',
        '<svg viewBox="0 0 9 9"><rect x="1" width="3" height="4" color="red"/></svg>',
        "a { b } [c] <3 & &nbsp; &copy; &#8209; 5 < 6",
        "<td rowspan=2 colspan='2'>x</td>",
        "<!-- <div class=“name”> { card.name } --> {# { card.name } #}",
    ],
)
def test_what_is_right_is_left_alone(written: str) -> None:
    assert list(lint_template(written)) == []


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "<div class=“name”>",
            'error: “ is not a quote of HTML; write attributes with straight quotes, "…"',
        ),
        ('<div class="name data-fit="9-14">', "error: a quote is missing in <div …>"),
        ('<div class="name>x</div><p class="b">', "error: a quote is missing in <div …>"),
        (
            '<p class="a" class="b">',
            "error: <p …> has class twice, and the second is ignored; join them",
        ),
        ('<div datafit="9-14">', "warning: there is no datafit=…; did you mean 'data-fit'?"),
        ('<img scr="art/a.svg">', "warning: there is no scr=…; did you mean 'src'?"),
        ('<p align="center">', 'warning: align=… has no effect here; write style="text-align: …"'),
        ('<img width="9">', 'warning: width=… has no effect here; write style="width: …"'),
        ("{ card.name }", "error: '{ card.name }' is printed literally; write {{ card.name }}"),
        ("${card.name}", "error: '${card.name}' is printed literally; write {{ card.name }}"),
        ("[card.name]", "error: '[card.name]' is printed literally; write {{ card.name }}"),
        (
            "&nbps;",
            "warning: '&nbps;' is not a character of HTML and is printed literally; "
            "did you mean 'nbsp'?",
        ),
        (" \n", "warning: the template is empty; its faces are blank"),
    ],
)
def test_what_can_hardly_be_meant(written: str, told: str) -> None:
    assert [f"{how}: {message}" for _, message, how in lint_template(written)] == [told]


def test_a_misprint_is_told_at_its_line() -> None:
    text = "{# a\nremark #}\n<p>{{ a\n}}</p>\n<p\nclas='x'>{ card.name }</p>"
    assert [line for line, *_ in lint_template(text)] == [6, 5]


def test_a_class_that_no_style_knows_but_nearly() -> None:
    pages = {"ship.html": '<p class="txt row-1 row-2 {{ a }} Cargo">\n<p class="nmae big">'}
    styles = [".text { left: 5mm } .row-1 .cargo { top: 5.5mm }\n/* .big1 */ .name { color: #abc }"]
    assert [
        (name, line, message) for name, (line, message, _) in find_unstyled_classes(pages, styles)
    ] == [
        ("ship.html", 1, "no stylesheet has the class 'txt'; did you mean 'text'?"),
        ("ship.html", 1, "no stylesheet has the class 'Cargo'; did you mean 'cargo'?"),
        ("ship.html", 2, "no stylesheet has the class 'nmae'; did you mean 'name'?"),
    ]


def test_any_text_is_read_in_no_time() -> None:
    parts = (
        "<a ",
        "<a b='",
        "{{",
        "&a",
        "<!--",
        "b=c ",
        "'",
        '"a" ',
        "{card",
        "<%",
        "[card.",
        "<a",
    )
    started = time.process_time()
    for text in (f"<a {part * 8_000}{end}" for part in parts for end in ("", ">", "'>", "}}")):
        list(lint_template(text))
        list(find_unstyled_classes({"a": text}, [text]))
    assert time.process_time() - started < 20, "it took minutes when places were looked at again"
