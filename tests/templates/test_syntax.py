"""Templates that cannot be read: what is told, in words that name what to write."""

from __future__ import annotations

import pytest
from jinja2.exceptions import TemplateSyntaxError

from cardgen.templates.expression_messages import explain_syntax
from cardgen.templates.sandbox import Sandbox


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{{ a }", "a single } stands there; is a {{ or {% before it not closed?"),
        ("{{ a\n</p>", "a {{ or {% before it is not closed"),
        ("{{ a", "}} is missing at its end"),
        ("{% if a", "%} is missing at its end"),
        ("{{ }}", "something is missing at its end"),
        ("{% if %}{% endif %}", "something is missing at the tag's end"),
        ("{{ a + }}", "something is missing at its end"),
        ("{{ (a }}", ") is missing before }"),
        ("{{ a) }}", "')' stands where a name, a number or a text should"),
        ('{{ "a }}', "a quote is not closed"),
        ("{{ “a” }}", "'“' means nothing here; quotes are straight here, \"…\" or '…'"),
        ("{{ a && b }}", "'&' means nothing here; 'and' is written and"),
        ("{{ a ? b : c }}", "'?' means nothing here; one or the other is written A if … else B"),
        ("{{ a × b }}", "'×' means nothing here; times is *"),
        ("{{ a b }}", "it goes on with 'b' where it should end; is a dot, a comma or ~ missing?"),
        (
            "{{ a 3 }}",
            "it goes on with a number where it should end; is a dot, a comma or ~ missing?",
        ),
        ("{{ a. }}", "a name is missing"),
        ("{{ a | uper }}", "there is no filter 'uper'; did you mean 'upper'?"),
        ("{{ a is evn }}", "there is no test 'evn'; did you mean 'even'?"),
        ("{% if a = b %}{% endif %}", "'equals' is written =="),
        ("{% if a %}{% else if b %}{% endif %}", "'else if' is written {% elif … %}"),
        ("{% if a %}", "{% if … %} is not closed; {% endif %} is missing"),
        ("{% for a in b %}{% if a %}{% endfor %}", "{% endfor %} stands where {% endif %} should"),
        ("{% endif %}", "{% endif %} closes nothing; there is no {% if … %} before it"),
        ("{% endfi %}", "there is no {% endfi %}; did you mean 'endif'?"),
        ("{% for a of b %}{% endfor %}", "a loop is written {% for NAME in LIST %}"),
        ("{% set 3 = 1 %}", "a name of its own is set: {% set NAME = … %}"),
        ("{%%}", "{% %} is empty"),
        ("{# a", "{# is not closed; #} is missing"),
        ("{{ ٣ }}", "a name is of letters, digits and _"),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(written: str, told: str) -> None:
    environment = Sandbox()
    with pytest.raises(TemplateSyntaxError) as failure:
        environment.from_string(written)
    assert explain_syntax(str(failure.value.message), environment.filter_and_test_names) == told
