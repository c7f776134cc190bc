"""What a stranger's template or rule may not do: reach out, or eat time and memory."""

from __future__ import annotations

import time

import pytest
from jinja2.exceptions import SecurityError, TemplateError, UndefinedError

from cardgen.sandbox import MAX_LENGTH, OutOfTime, Sandbox, TooCostly, deadline

BIG = "a" * 600_000


def rendered(template: str, **names: object) -> str:
    with deadline(60):
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
    with pytest.raises((TemplateError, TypeError)):
        rendered(template, card={"name": "School"}, helper=rendered)


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
    ],
)
def test_nothing_grows_without_bound(template: str) -> None:
    """Stopped by what it would grow to, not by the clock."""
    with pytest.raises((SecurityError, TypeError)) as failure:
        rendered(template, big=BIG)
    assert not isinstance(failure.value, OutOfTime)


@pytest.mark.parametrize(
    ("template", "printed"),
    [
        ("{{ 2 ** 10 }}", "1024"),
        ("{{ '–' * 3 }}", "–––"),
        ("{{ [1, 2] * 2 }}", "[1, 2, 1, 2]"),
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
        ("{{ range(3) | list }}", "[0, 1, 2]"),
    ],
)
def test_what_cards_need_is_there(template: str, printed: str) -> None:
    assert rendered(template, card={"name": "School", "items": 9}) == printed


def test_a_text_may_be_as_long_as_the_bound() -> None:
    assert len(rendered("{{ 'a' * n }}", n=MAX_LENGTH)) == MAX_LENGTH
    with pytest.raises(TooCostly, match="the repetition is too long"):
        rendered("{{ 'a' * n }}", n=MAX_LENGTH + 1)


def test_a_name_that_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(UndefinedError, match=r"there is no 'nmae'; did you mean 'name'\?"):
        rendered("{{ card.nmae }}", card={"name": "School"})
    with pytest.raises(UndefinedError, match="'crad' is undefined"):
        rendered("{{ crad.name }}", card={"name": "School"})
    with pytest.raises(UndefinedError, match="a text has no attribute 'lenght'"):
        rendered("{{ card.name.lenght }}", card={"name": "School"})


def test_the_deadline_stops_a_loop_within_a_loop() -> None:
    loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    template = Sandbox().from_string(f"\n{loops}")
    started = time.perf_counter()
    with pytest.raises(OutOfTime, match=r"it takes longer than 0\.2 seconds"), deadline(0.2):
        template.render()
    assert time.perf_counter() - started < 30, "the loop would run for hours"


def test_the_deadline_leaves_the_quick_alone() -> None:
    for _ in range(50):
        with deadline(0.05):
            pass
    time.sleep(0.1)  # no timer of theirs may ring in here
