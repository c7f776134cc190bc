"""What Jinja's reader says of a template or expression it cannot read, in the writer's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from cardgen.base.problems import did_you_mean

_TAGS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "include", "import", "from",
    "macro", "endmacro", "call", "endcall", "block", "endblock", "extends", "filter", "endfilter",
    "with", "endwith", "raw", "endraw", "print",
)  # fmt: skip
_CURLY = "quotes are straight here, \"…\" or '…'"
_SIGNS = {
    **dict.fromkeys("“”„«»‘’‚`´", _CURLY),
    "&": "'and' is written and",
    "!": "'not' is written not, and 'is not' !=",
    "?": "one or the other is written A if … else B",
    ";": "nothing parts one thing from the next",
    "$": "a name stands alone, without a sign before it",
    "@": "a name stands alone, without a sign before it",
    "#": "a comment is written {# … #}",
    "\\": "a backslash belongs into quotes",
    "€": "a text goes in quotes",
    "–": "minus is -",
    "−": "minus is -",
    "×": "times is *",
    "÷": "divided by is /",
    "≤": "at most is <=",
    "≥": "at least is >=",
    "≠": "is not is !=",
}
_NESTED = (
    r"Encountered unknown tag '(\w+)'\. You probably made a nesting mistake\. .*"
    r"The innermost block that needs to be closed is '(\w+)'"
)
Said = Callable[[re.Match[str]], str]


def _no_tag(match: re.Match[str]) -> str:
    tag = match[1]
    if tag.startswith("end") and tag in _TAGS:
        return f"{{% {tag} %}} closes nothing; there is no {{% {tag[3:]} … %}} before it"
    return f"there is no {{% {tag} %}}{did_you_mean(tag, _TAGS)}"


def _sign(match: re.Match[str]) -> str:
    sign = match[1].encode().decode("unicode_escape") if "\\" in match[1] else match[1]
    if sign in "\"'":
        return "a quote is not closed"
    return f"'{sign}' means nothing here; {_SIGNS.get(sign, 'a text goes in quotes')}"


def _goes_on(match: re.Match[str]) -> str:
    """Something stands where the whole should end."""
    got = match[2]
    if got == "=":
        return "'equals' is written =="
    if got == "if" and match[1] == "statement block":
        return "'else if' is written {% elif … %}"
    if got == ":":
        return "no : stands at its end"
    what = {"string": "a text", "integer": "a number", "float": "a number"}.get(got, f"'{got}'")
    return f"it goes on with {what} where it should end; is a dot, a comma or ~ missing?"


def _ends(match: re.Match[str]) -> str:
    if match[1] in (",", ")"):
        return "a ) is missing at its end"
    asked = {"end of print statement": "}}", "end of statement block": "%}"}
    return f"{asked.get(match[1], match[1])} is missing at its end"


_READ: tuple[tuple[str, str | Said], ...] = (
    (_NESTED, r"{% \1 %} stands where {% end\2 %} should"),
    (r"Encountered unknown tag '(\w+)'.*", _no_tag),
    (r"Unexpected end of template\. .*needs to be closed is '(\w+)'",
     r"{% \1 … %} is not closed; {% end\1 %} is missing"),
    (r"unexpected char '(.+)' at \d+", _sign),
    (r"expected token 'end of (print statement|statement block)', got '(.*)'", _goes_on),
    (r"chunk after expression", "it goes on where it should end; 'equals' is written =="),
    (r"unexpected end of template, expected '(.+)'", _ends),
    (r"unexpected '(.+)', expected '(.+)'", r"\2 is missing before \1"),
    (r"(?:unexpected|Expected an expression, got) 'end of (?:print statement|template)'",
     "something is missing at its end"),
    (r"(?:unexpected|Expected an expression, got) 'end of statement block'",
     "something is missing at the tag's end"),
    (r"Expected an expression, got '(.+)'", r"\1 stands where a name, a number or a text should"),
    (r"unexpected '(?:/|<)'", "a {{ or {% before it is not closed"),
    (r"unexpected '(\}|%)'", r"a single \1 stands there; is a {{ or {% before it not closed?"),
    (r"unexpected '(.+)'", r"'\1' stands where a name, a number or a text should"),
    (r"expected token 'in', got .*", "a loop is written {% for NAME in LIST %}"),
    (r"expected token 'name', got .*|expected name or number", "a name is missing"),
    (r"expected token '(.+)', got '(.+)'", r"'\2' stands where '\1' should"),
    (r"Missing end of comment tag", "{# is not closed; #} is missing"),
    (r"Missing end of raw directive", "{% raw %} is not closed; {% endraw %} is missing"),
    (r"tag name expected", "{% %} is empty"),
    (r"Invalid character in identifier", "a name is of letters, digits and _"),
    (r"can't assign to .*", "a name of its own is set: {% set NAME = … %}"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.DOTALL), said) for pattern, said in _READ)


def explained(message: str, known: Mapping[str, Iterable[str]] | None = None) -> str:
    """The message, reworded; `known` has the names of every `filter` and `test` there is."""
    message = message.removesuffix(".")
    unknown = re.fullmatch(r"No (filter|test) named '(.+)'", message)
    if unknown:
        names = (known or {}).get(unknown[1], ())
        return f"there is no {unknown[1]} '{unknown[2]}'{did_you_mean(unknown[2], names)}"
    for pattern, said in _PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            return said(match) if callable(said) else match.expand(said)
    return message
