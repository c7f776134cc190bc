"""What a stranger's template or rule may not do: reach out, or eat time and memory."""

from __future__ import annotations

import contextlib
import math
from functools import partial

import pytest
from jinja2.exceptions import (
    SecurityError,
    TemplateError,
    TemplateSyntaxError,
    UndefinedError,
)

from cardgen.core import work_limits
from cardgen.templates.sandbox import (
    MAX_TEXT_LENGTH,
    TEMPLATE_ERRORS,
    ExpressionLimitError,
    Sandbox,
)

BIG = "a" * 600_000


CARD = {"name": "School", "items": 9, "left_out": None, "crew": {"men": 3}}


def rendered(template: str, **names: object) -> str:
    with work_limits.work_limit("a template", 60, (Exception,)):
        return Sandbox(autoescape=True).from_string(template).render(**names)


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__ }}",
        "{{ ().__class__.__bases__[0].__subclasses__() }}",
        "{{ ''['__class__'] }}",
        "{{ '' | attr('__class__') }}",
        "{{ ([''] | map(attribute='__class__') | first).mro() }}",
        "{{ ([''] | map('attr', '__class__') | first).mro() }}",
        "{{ card.__init__ }}",
        "{{ card.update({'a': 1}) }}",
        "{{ card.pop('name') }}",
        "{{ range.__self__ }}",
        "{{ dict.update(card, name='x') }}",
        "{{ dict.pop(card, 'name') }}",
        "{{ dict.clear(card) }}",
        "{{ dict['clear'](card) }}",
        "{{ dict | attr('clear') }}",
        "{{ [dict] | map(attribute='fromkeys') | first }}",
        "{{ card.values.clear() }}",
        "{{ namespace.update(card, name='x') }}",
        "{{ part.keywords }}",
        "{{ part.args[0] }}",
        "{{ part.func }}",
        "{{ helper.cache_clear() }}",
        "{{ range(3).start }}",
        "{{ cards.append(1) }}",
        "{{ self.__init__.__globals__ }}",
        "{% set f = helper.__code__ %}{{ f }}",
        "{{ '{0.__class__}'.format(card) }}",
        "{{ '{name}'.format_map(card) }}",
        "{{ '{:>999999999}'.format(1) }}",
        "{{ ''['format'](1) }}",
        "{{ '%s' % card }}",
        "{{ 'a'.center(99) }}",
        "{{ 'a'.join(['b']) }}",
        "{{ 'a'.encode() }}",
        "{% set card.name = 1 %}",
        "{% import 'os' as os %}",
        "{{ lipsum() }}",
        "{{ cycler.__init__ }}",
        "{{ 'a' | center(99) }}",
        "{{ 'a' | format }}",
        "{{ [1] | batch(99999999, 0) | list }}",
        "{{ [1] | slice(99999999) | list }}",
    ],
)
def test_attribute_tricks_lead_nowhere(template: str) -> None:
    card, cards = {"name": "School"}, [1, 2]
    part = partial(rendered, secret=card)
    with pytest.raises((TemplateError, TypeError)):
        rendered(template, card=card, cards=cards, helper=rendered, part=part)
    assert (card, cards) == ({"name": "School"}, [1, 2])


def test_what_templates_may_read() -> None:
    text = (
        "{% macro m(a) %}{{ a }}{% endmacro %}"
        "{% for c in cards %}{{ loop.index }}{{ loop.cycle('x', 'y') }}"
        "{{ 'l' if loop.last }}{% endfor %}"
        "{% set n = namespace(x=1) %}{% set n.x = n.x + 1 %}{{ n.x }}{{ m.name }}{{ m(3) }}"
        "{{ cards.index(2) }}{{ 'Ab'.lower() }}{{ card.items() | list | length }}"
    )
    found = rendered(text, card={"name": "School"}, cards=[1, 2])
    assert found == "1x2yl2m31ab1"


@pytest.mark.parametrize(
    "template",
    [
        "{{ 10 ** 100000000 }}",
        "{{ 'ha' * 1000000000 }}",
        "{{ 1000000000 * 'ha' }}",
        "{{ [0] * 1000000000 }}",
        "{{ big + big }}",
        "{{ big ~ big }}",
        "{{ [big, big] | join }}",
        "{{ [''] * 900000 | join(big) }}",
        "{{ range(9) | join(big) }}",
        "{{ big | replace('a', 'bb') }}",
        "{{ ('\"' * 600000) | tojson | tojson }}",
        "{{ (big ~ '<') | forceescape }}{{ big }}",
        "{{ range(10 ** 9) | list }}",
        "{{ range(0, 10 ** 9, 2) | list }}",
        "{{ range(10 ** 9, 0, -1) | list }}",
        "{{ 1 | round(100000000, 'ceil') }}",
        "{{ 5 | round(-100000000) }}",
        "{{ [[big] * 2] * 2 }}",
        "{{ {'a': big, 'b': big} }}",
        "{% set ns = namespace(x='ha') %}"
        "{% for n in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{% set ns = namespace(x='ha') %}"
        "{% for n in range(99) %}{% set ns.x = '%s%s' % (ns.x, ns.x) %}{% endfor %}",
        "{% set ns = namespace(x='ha') %}{% for n in range(99) %}"
        "{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}{% endfor %}",
        "{% set ns = namespace(x='\"') %}"
        "{% for n in range(99) %}{% set ns.x = ns.x | tojson | string %}{% endfor %}",
        "{% set ns = namespace(x=[1]) %}"
        "{% for n in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=(1,)) %}"
        "{% for n in range(99) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x={}) %}"
        "{% for n in range(99) %}{% set ns.x = {'a': ns.x, 'b': ns.x} %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=7) %}"
        "{% for n in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
        "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice(twice(big)) }}",
        "{% for n in range(100000) %}{{ big }}{% endfor %}",
        "{{ [[1], [2]] | sum(start=[]) }}",
        "{{ '%999999999d' is odd }}",
        "{{ '%999999999d' is divisibleby 3 }}",
        "{{ [1] | tojson(indent=999999999) }}",
        "{{ (1).to_bytes(999999999) }}",
    ],
)
def test_nothing_grows_without_bound(template: str) -> None:
    """Stopped by what it would grow to, not by the clock."""
    with pytest.raises((SecurityError, TypeError)):
        rendered(template, big=BIG)


@pytest.mark.parametrize(
    ("template", "printed"),
    [
        ("{{ 2 ** 10 }}", "1024"),
        ("{{ '–' * 3 }}", "–––"),
        ("{{ ([1, 2] * 2) | join }}", "1212"),
        ("{{ 7 % 3 }}", "1"),
        ("{{ 1 ~ '/' ~ 2 }}", "1/2"),
        ("{{ [1, 2] | join(', ') }}", "1, 2"),
        ("{{ 'tR 3' | replace('tR', '€') }}", "€ 3"),
        ("{{ 'a<b' | replace('<', '>') }}", "a&gt;b"),
        ("{{ ['<i>', '<b>' | safe] | join(' ') }}", "&lt;i&gt; <b>"),
        ("{{ 2.5 | round }} {{ 2.55 | round(1) }} {{ 2.1 | round(0, 'ceil') }}", "2 2.5 3"),
        ("{{ [1, 2] | sum }} {{ [{'a': 3}] | sum(attribute='a') }}", "3 3"),
        ("{{ card.items }} {{ card.name.upper() }}", "9 SCHOOL"),
        ("{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }} {% endfor %}", "12 34 "),
        ("{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% endfor %}", "a1"),
        ("{{ range(3) | join }}", "012"),
        ("{{ none }}{{ card.left_out }}{{ 'a' ~ none }}{{ [none, 1] | join('-') }}", "a-1"),
        ("{% for k in card.crew.keys() %}{{ k }}{{ card.crew.get(k) }}{% endfor %}", "men3"),
        (
            "{{ card['items'] }} {{ card.crew['men'] }} {{ 2.5 }} {{ card.name | e }}",
            "9 3 2.5 School",
        ),
    ],
)
def test_what_cards_need_is_there(template: str, printed: str) -> None:
    assert rendered(template, card=CARD) == printed


def test_a_text_may_be_as_long_as_the_bound() -> None:
    assert len(rendered("{{ 'a' * n }}", n=MAX_TEXT_LENGTH)) == MAX_TEXT_LENGTH
    with pytest.raises(ExpressionLimitError, match="the repetition is too long"):
        rendered("{{ 'a' * n }}", n=MAX_TEXT_LENGTH + 1)


def test_a_name_that_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(UndefinedError, match=r"there is no 'nmae'; did you mean 'name'\?"):
        rendered("{{ card.nmae }}", card={"name": "School"})
    with pytest.raises(UndefinedError, match="'crad' is undefined"):
        rendered("{{ crad.name }}", card={"name": "School"})
    with pytest.raises(UndefinedError, match="a text has no 'lenght'"):
        rendered("{{ card.name.lenght }}", card={"name": "School"})


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ card.keys }}", "there is no 'keys'; known: crew, items, left_out, name; "
                            r"the method of a record is keys\(\)"),
        ("{{ card['values'] }}", "there is no 'values'; .*"),
        ("{% for k in card.crew.items %}{% endfor %}", "there is no 'items'; known: men; .*"),
        ("{{ card | attr('get') }}", "there is no 'get'; .*"),
        ("{{ [card] | map(attribute='values') | join }}", "there is no 'values'; .*"),
        ("{{ card.update }}", "there is no 'update'; known: .*"),
        ("{{ card.left_out.men }}", "what comes before .men is left out there; .*"),
        ("{{ card.name[9] }}", "a text has no entry 9; the first is 0"),
    ],
)  # fmt: skip
def test_a_records_methods_are_no_data(template: str, told: str) -> None:
    with pytest.raises(UndefinedError, match=f"^{told}$"):
        rendered(template, card=CARD)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ card.crew }}", "a record cannot be printed; name one of its fields"),
        ("{{ [1, 2] }}", r'a list cannot be printed; write | join(", "), or {% for … %}'),
        ("{{ range(3) }}", r'a list cannot be printed; write | join(", "), or {% for … %}'),
        (
            "{{ [1] | map('upper') }}",
            r'a list cannot be printed; write | join(", "), or {% for … %}',
        ),
        ("{{ 'No. ' ~ [1] }}", r'a list cannot be printed; write | join(", "), or {% for … %}'),
        ("{{ [1, [2]] | join }}", r'a list cannot be printed; write | join(", "), or {% for … %}'),
        ("{{ [1] | upper }}", r'a list cannot be printed; write | join(", "), or {% for … %}'),
        ("{{ range }}", "a function cannot be printed; call it with () after its name"),
        ("{{ card.name.upper }}", "a function cannot be printed; call it with () after its name"),
        (
            "{{ 1 == 1 }}",
            "true or false cannot be printed; ask with {% if … %} and write the words",
        ),
        ("{{ true }}", "true or false cannot be printed; ask with {% if … %} and write the words"),
        ("{{ 1e308 * 10 }}", "the number is too large"),
    ],
)
def test_nothing_of_python_is_printed(template: str, told: str) -> None:
    with pytest.raises(TypeError) as failure:
        rendered(template, card=CARD)
    assert str(failure.value) == told


DEEP = {
    "parentheses": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "lists": "{{ " + "[" * 5000 + "]" * 5000 + " }}",
    "not": "{{ " + "not " * 5000 + "1 }}",
    "minus": "{{ " + "-" * 5000 + "1 }}",
    "sum": "{{ 1" + " + 1" * 5000 + " }}",
    "or": "{{ a" + " or a" * 5000 + " }}",
    "fields": "{{ a" + ".a" * 5000 + " }}",
    "filters": "{{ a" + " | upper" * 5000 + " }}",
    "calls": "{{ a" + "()" * 5000 + " }}",
    "if else": "{{ " + "1 if a else " * 5000 + "1 }}",
    "loops": "{% for a in b %}" * 30 + "{% endfor %}" * 30,
    "conditions": "{% if a %}" * 5000 + "{% endif %}" * 5000,
    "elif": "{% if a %}" + "{% elif a %}" * 5000 + "{% endif %}",
    "macros": "{% macro a() %}" * 5000 + "{% endmacro %}" * 5000,
}


@pytest.mark.parametrize("kind", DEEP)
def test_what_is_deep_is_told_before_it_is_compiled(kind: str) -> None:
    with pytest.raises(TemplateSyntaxError) as failure:
        Sandbox().from_string(DEEP[kind])
    assert failure.value.message == "it is nested too deeply, or has too many parts"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ " + "9" * 5000 + " }}", "a number in it cannot be read"),
        ("{{ 1e999 }}", "a number in it is too large"),
        ("{% set x = 1e308 / 1e-9 %}{{ x }}", "a number in it is too large"),
    ],
)
def test_what_python_cannot_hold_is_told(template: str, told: str) -> None:
    with pytest.raises(TemplateSyntaxError, match=f"^{told}"):
        Sandbox().from_string(template)


def test_an_expression_has_a_length() -> None:
    with pytest.raises(TemplateSyntaxError, match="it has more than 20000 letters"):
        Sandbox().compile_expression("1 in [" + "1, " * 10_000 + "]")


ODD = (
    "''", "'a'", "5", "-1", "none", "true", "[]", "[1, 'a']", "[[1], {'a': 1}]", "{'a b': none}",
    "range(3)", "missing", "10 ** 60", "namespace(a=1)", "1e999", "[1e999]", "'nan' | float",
)  # fmt: skip


@pytest.fixture(scope="module")
def odd() -> tuple[Sandbox, list[object]]:
    """Values as templates come by them; those that no template may write come from outside."""
    sandbox, values = Sandbox(autoescape=True), [math.inf, [math.inf], math.nan]
    for value in ODD:
        with contextlib.suppress(TemplateSyntaxError):
            values.append(sandbox.compile_expression(value, undefined_to_none=False)())
    assert len(values) == len(ODD)
    return sandbox, values


def render_each(template: str, odd: tuple[Sandbox, list[object]]) -> None:
    """Render a template for each value, which may fail as templates do."""
    sandbox, values = odd
    expected = contextlib.suppress(*TEMPLATE_ERRORS)
    with work_limits.work_limit("a template", 60, (Exception,)), expected:
        compiled = sandbox.from_string(template)
        for value in values:
            with contextlib.suppress(*TEMPLATE_ERRORS):
                compiled.render(value=value)


@pytest.mark.parametrize("name", sorted(Sandbox().filters))
def test_a_filter_fails_as_templates_fail(name: str, odd: tuple[Sandbox, list[object]]) -> None:
    """On whatever it is not for: no other exception would be told at its line."""
    calls = ["", *(f"({value})" for value in ODD), "(1, 'a')", "(attribute='a')", "(default={})"]
    for call in calls:
        render_each(f"{{{{ value | {name}{call} }}}}", odd)


@pytest.mark.parametrize("name", sorted(filter(str.isidentifier, Sandbox().tests)))
def test_a_test_fails_as_templates_fail(name: str, odd: tuple[Sandbox, list[object]]) -> None:
    for call in ("", *(f"({value})" for value in ODD)):
        render_each(f"{{{{ value is {name}{call} }}}}", odd)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ [1] | dictsort }}", "the filter 'dictsort' cannot be used for a list"),
        ("{{ 'a' | xmlattr }}", "the filter 'xmlattr' cannot be used for a text"),
        ("{{ ['a'] | map('dictsort') | list }}", "the filter 'dictsort' cannot be used for a text"),
        ("{{ (5).to_bytes(2) }}", "access to attribute 'to_bytes' of"),
        ("{{ '\\ud800' }}", r"\\ud800 is half of a character and cannot be printed"),
        ("{{ 1.\u0663 }}", "a number in it cannot be read"),
        ("{{ " + "9" * 5000 + " }}", "a number in it cannot be read"),
        ("{{ 1e999 + missing }}", "a number in it is too large or not a number"),
        ("{% for a in b %}" * 25 + "{% endfor %}" * 25, "it is nested too deep"),
    ],
)
def test_what_is_wrong_is_told(template: str, told: str) -> None:
    with pytest.raises(TEMPLATE_ERRORS, match=told):
        rendered(template)


def test_a_number_that_cannot_be_read_is_told_at_its_line() -> None:
    with pytest.raises(TemplateSyntaxError) as caught:
        rendered("\n\n{{ 1.\u0663 }}")
    assert caught.value.lineno == 3
