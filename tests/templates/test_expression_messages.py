"""Templates that cannot be read: what is told, in words that name what to write."""

from __future__ import annotations

import pytest
from jinja2.exceptions import TemplateSyntaxError

from cardgen.templates.expression_messages import explain_syntax
from cardgen.templates.sandbox import Sandbox


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{{ a }", "found a single }; is a {{ or {% before it not closed?"),
        ("{{ a\n</p>", "a {{ or {% before it is not closed"),
        ("{{ a", "}} is missing at its end"),
        ("{% if a", "%} is missing at its end"),
        ("{{ }}", "something is missing at its end"),
        ("{% if %}{% endif %}", "something is missing at the tag's end"),
        ("{{ a + }}", "something is missing at its end"),
        ("{{ (a }}", ") is missing before }"),
        ("{{ a) }}", "found ')', expected a name, a number or a text"),
        ('{{ "a }}', "a quote is not closed"),
        ("{{ “a” }}", "'“' has no meaning here; write straight quotes, \"…\" or '…'"),
        ("{{ a && b }}", "'&' has no meaning here; write and"),
        ("{{ a ? b : c }}", "'?' has no meaning here; write A if … else B"),
        ("{{ a × b }}", "'×' has no meaning here; write * for times"),
        ("{{ a b }}", "'b' follows where it should end; is }}, a dot, a comma or ~ missing?"),
        (
            "{{ a 3 }}",
            "a number follows where it should end; is }}, a dot, a comma or ~ missing?",
        ),
        ("{{ a. }}", "a name is missing"),
        ("{{ a | uper }}", "there is no filter 'uper'; did you mean 'upper'?"),
        ("{{ a is evn }}", "there is no test 'evn'; did you mean 'even'?"),
        ("{% if a = b %}{% endif %}", "write == for equals"),
        ("{% if a %}{% else if b %}{% endif %}", "write {% elif … %} for else if"),
        ("{% if a %}", "{% if … %} is not closed; {% endif %} is missing"),
        ("{% for a in b %}{% if a %}{% endfor %}", "found {% endfor %}, expected {% endif %}"),
        ("{% endif %}", "{% endif %} closes nothing; there is no {% if … %} before it"),
        ("{% endfi %}", "there is no {% endfi %}; did you mean 'endif'?"),
        ("{% for a of b %}{% endfor %}", "write a loop as {% for NAME in LIST %}"),
        ("{% set 3 = 1 %}", "set a new name: {% set NAME = … %}"),
        ("{%%}", "{% %} is empty"),
        ("{# a", "{# is not closed; #} is missing"),
        ("{{ ٣ }}", "a name has only letters, digits and _"),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(written: str, told: str) -> None:
    environment = Sandbox()
    with pytest.raises(TemplateSyntaxError) as failure:
        environment.from_string(written)
    assert explain_syntax(str(failure.value.message), environment.filter_and_test_names) == told
