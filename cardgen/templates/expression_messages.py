"""Values and failures of expressions in the words of those who write them: nothing of Python."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jinja2 import Undefined

from cardgen.core import problems
from cardgen.core.problems import did_you_mean
from cardgen.core.units import is_number

_TYPE_NAMES = {
    "NoneType": "nothing", "None": "nothing", "AbsentRecord": "nothing", "MissingName": "nothing",
    "str": "a text", "CardText": "a text", "Markup": "a text", "Text": "a text", "string": "a text",
    "FailedReference": "a text",
    "int": "a number", "float": "a number", "real number": "a number", "bool": "true or false",
    "list": "a list", "tuple": "a list", "range": "a list", "generator": "a list",
    "dict": "a record", "mapping": "a record", "function": "a function", "method": "a function",
    "builtin_function_or_method": "a function", "Macro": "a macro", "Namespace": "a namespace",
    "sequence": "a list", "integer": "a whole number",
}  # fmt: skip
_TYPE = rf"(?:{'|'.join(map(re.escape, _TYPE_NAMES))})"
_PYTHON_MESSAGES = (
    (r"unsupported operand type\(s\) for (?:(\*\*) or pow\(\)|(\S+)): (.+) and (.+)",
     r"\3 and \4 cannot be reckoned with \1\2"),
    (r"can only concatenate (\w+) \(not (.+)\) to \w+",
     r"'\1' and \2 cannot be added with +; two texts are joined with ~"),
    (r"can't multiply sequence by non-int of type (.+)",
     r"a text or a list cannot be taken times \1"),
    (r"'?([<>=!]+)'? not supported between instances of (.+) and (.+)",
     r"\2 and \3 cannot be compared with \1"),
    (r"bad operand type for (?:unary \S+|abs\(\)): (.+)", r"\1 is no number"),
    (r"type (\w+) doesn't define __round__ method", r"'\1' is no number"),
    (r".*must be real number, not (\w+)", r"a number is asked for, not '\1'"),
    (r".*must be (\w+), not (\w+)", r"'\1' is asked for, not '\2'"),
    (r"(?:argument of type )?(.+) is not (?:iterable|reversible)", r"\1 is no list"),
    (r"object of type (.+) has no len\(\)", r"\1 has no length"),
    (r"(.+?) (?:object )?is not subscriptable", r"\1 has no entries"),
    (r"(.+?) (?:object )?is not callable", r"\1 is no function"),
    (r"(?:list|tuple|string|range object) ind(?:ex|ices) .*", "there is no such entry in the list"),
    (r"slice indices must .*", "entries are numbered: [0:2]"),
    (r"too many values.*|not enough values.*|cannot unpack.*",
     "what is taken apart has not as many parts as there are names"),
    (r"(?:.*\.)?(?:_|bounded_|sync_do_|do_)?(\w+)\(\) missing \d+ required .*arguments?: (.+)",
     r"\1() needs \2"),
    (r"(?:.*\.)?(?:_|bounded_|sync_do_|do_)?(\w+)\(\) takes .* but .*", r"\1() is given too much"),
    (r"(?:.*\.)?(?:_|bounded_|sync_do_|do_)?(\w+)\(\) got .* argument.? (.+)", r"\1() knows no \2"),
    (r".*(?:division|modulo) by zero|0.0 cannot be raised to a negative power", "division by zero"),
    (r"\(34, .*|.*too large to convert.*|.*cannot convert float .*|int too large.*",
     "the number is too large"),
    (r"invalid literal for int\(\).*|could not convert string to float: .*",
     "a text is no number"),
    (r"unhashable type: (.+)", r"\1 is no text, number or word to tell cards apart by"),
    (r"cannot assign attribute on non-namespace object",
     "a field cannot be set; {% set NAME = … %} makes a name of its own"),
    (r"not all arguments converted .*", "a text is no number"),
)  # fmt: skip
_PYTHON_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _PYTHON_MESSAGES)


_MAX_MESSAGE_LENGTH = 400
LEFT_OUT_NAME = "left out"


class FailedReference(str):
    """The id of a card that a field refers to; what is asked of it is asked of that card."""

    __slots__ = ("fields",)
    fields: Callable[[], Mapping[str, Any]]

    def __new__(cls, name: str, fields: Callable[[], Mapping[str, Any]]) -> FailedReference:
        made = super().__new__(cls, name)
        made.fields = fields
        return made


class AbsentRecord:
    """A record that a card leaves out: its fields are left out too, and count as none and 0."""

    def __getattr__(self, name: str) -> AbsentRecord:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, AbsentRecord)

    def __hash__(self) -> int:
        return hash(None)

    def __lt__(self, other: Any) -> bool:
        return bool(other > 0)

    def __le__(self, other: Any) -> bool:
        return bool(other >= 0)

    def __gt__(self, other: Any) -> bool:
        return bool(other < 0)

    def __ge__(self, other: Any) -> bool:
        return bool(other <= 0)


def explain_python_message(message: str) -> str:
    """A message of Python's in the writer's words; one that is none of Python's stays as it is."""
    message = (
        message if len(message) <= _MAX_MESSAGE_LENGTH else f"{message[:_MAX_MESSAGE_LENGTH]}…"
    )
    message = re.sub(
        rf"['\"]({_TYPE})(?: object['\"]|['\"](?: object)?)",
        lambda match: _TYPE_NAMES[match[1]],
        message,
    )
    for pattern, words in _PYTHON_PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            said = match.expand(words)
            return re.sub(rf"'({_TYPE})'", lambda found: _TYPE_NAMES[found[1]], said)
    return message


def explain_left_out(message: str) -> str:
    """What is said of a message in plain words that speaks of nothing: a field is left out."""
    if not re.search(r"\bnothing\b", message):
        return message
    if re.search("reckoned|compared|number", message):
        return "a field in it is left out there; where that counts as 0, write (field or 0)"
    return "a field in it is left out there, so ask for it first"


def describe_kind(value: Any) -> str:
    """What sort of thing a value is: `a text`, `a list`; `this` where no word fits."""
    named = _TYPE_NAMES.get(type(value).__name__, "")
    return named or ("a function" if callable(value) else "this")


def format_value(value: Any, depth: int = 3) -> str:
    """A value as a message shows it: 'Tug', 4, true, nothing, [1, 2], (food 3, fuel 1)."""
    said = describe_kind(value)
    if value is None or isinstance(value, AbsentRecord):
        said = "nothing"
    elif isinstance(value, bool | str):
        said = problems.format_value(value)
    elif isinstance(value, int | float):
        said = f"{value:.10g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping) and depth:
        inner = ", ".join(f"{key} {format_value(child, depth - 1)}" for key, child in value.items())
        said = f"({inner})"
    elif isinstance(value, list | tuple) and depth:
        said = f"[{', '.join(format_value(child, depth - 1) for child in value)}]"
    return said


def format_name(value: Any) -> str:
    """A value as rules name and compare it: `Tug`, `4`, `true`, `left out`."""
    if isinstance(value, str) or is_number(value):
        return str(value)
    return LEFT_OUT_NAME if is_left_out(value) else format_value(value)


def is_left_out(value: Any) -> bool:
    """Whether a card leaves a field out; a list that is empty is left out, too."""
    return value is None or isinstance(value, AbsentRecord) or value in ((), [])


def check_printable(value: Any) -> Any:
    """What `{{ value }}` prints: texts and numbers; what is left out prints nothing.

    Raises TypeError for what only Python could show: lists, records, functions, true and false.
    """
    if isinstance(value, str) or type(value) is int:
        return value
    if value is None or isinstance(value, AbsentRecord):
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        raise TypeError("the number is too large")
    if is_number(value):
        return value
    if isinstance(value, Undefined) or hasattr(value, "__html__"):
        return value  # the first tells what is missing when it is made a text
    raise TypeError(
        f"{describe_kind(value)} is not printed; {_PRINT_HINTS.get(describe_kind(value), _PRINTABLE_HINT)}"
    )


_PRINTABLE_HINT = "a text or a number is"
_PRINT_HINTS = {
    "a list": 'write | join(", "), or {% for … %}',
    "a record": "name one of its fields",
    "true or false": "ask with {% if … %} and write the words",
    "a function": "call it: its name, and () behind it",
}


def to_printable_text(value: Any) -> Any:
    """A part of a text: what `printed` lets through, as a text."""
    value = check_printable(value)
    return value if hasattr(value, "__html__") else str(value)


_JINJA_TAGS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "include", "import", "from",
    "macro", "endmacro", "call", "endcall", "block", "endblock", "extends", "filter", "endfilter",
    "with", "endwith", "raw", "endraw", "print",
)  # fmt: skip
_CURLY_QUOTE_HINT = "quotes are straight here, \"…\" or '…'"
_CHARACTER_HINTS = {
    **dict.fromkeys("“”„«»‘’‚`´", _CURLY_QUOTE_HINT),
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
_WRONG_NESTING = (
    r"Encountered unknown tag '(\w+)'\. You probably made a nesting mistake\. .*"
    r"The innermost block that needs to be closed is '(\w+)'"
)
SyntaxMessage = Callable[[re.Match[str]], str]


def _explain_unknown_tag(match: re.Match[str]) -> str:
    tag = match[1]
    if tag.startswith("end") and tag in _JINJA_TAGS:
        return f"{{% {tag} %}} closes nothing; there is no {{% {tag[3:]} … %}} before it"
    return f"there is no {{% {tag} %}}{did_you_mean(tag, _JINJA_TAGS)}"


def _explain_character(match: re.Match[str]) -> str:
    sign = match[1].encode().decode("unicode_escape") if "\\" in match[1] else match[1]
    if sign in "\"'":
        return "a quote is not closed"
    return f"'{sign}' means nothing here; {_CHARACTER_HINTS.get(sign, 'a text goes in quotes')}"


def _explain_trailing(match: re.Match[str]) -> str:
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


def _explain_missing_end(match: re.Match[str]) -> str:
    if match[1] in (",", ")"):
        return "a ) is missing at its end"
    asked = {"end of print statement": "}}", "end of statement block": "%}"}
    return f"{asked.get(match[1], match[1])} is missing at its end"


_SYNTAX_MESSAGES: tuple[tuple[str, str | SyntaxMessage], ...] = (
    (_WRONG_NESTING, r"{% \1 %} stands where {% end\2 %} should"),
    (r"Encountered unknown tag '(\w+)'.*", _explain_unknown_tag),
    (r"Unexpected end of template\. .*needs to be closed is '(\w+)'",
     r"{% \1 … %} is not closed; {% end\1 %} is missing"),
    (r"unexpected char '(.+)' at \d+", _explain_character),
    (r"expected token 'end of (print statement|statement block)', got '(.*)'", _explain_trailing),
    (r"chunk after expression", "it goes on where it should end; 'equals' is written =="),
    (r"unexpected end of template, expected '(.+)'", _explain_missing_end),
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
_SYNTAX_PATTERNS = tuple(
    (re.compile(pattern, re.DOTALL), said) for pattern, said in _SYNTAX_MESSAGES
)


def explain_syntax(message: str, known: Mapping[str, Iterable[str]] | None = None) -> str:
    """The message, reworded; `known` has the names of every `filter` and `test` there is."""
    message = message.removesuffix(".")
    unknown = re.fullmatch(r"No (filter|test) named '(.+)'", message)
    if unknown:
        names = (known or {}).get(unknown[1], ())
        return f"there is no {unknown[1]} '{unknown[2]}'{did_you_mean(unknown[2], names)}"
    for pattern, said in _SYNTAX_PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            return said(match) if callable(said) else match.expand(said)
    return message
