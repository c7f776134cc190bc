"""Messages about expressions for those who write them: values, and errors of Jinja and Python."""

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
    "LinkedCardId": "a text",
    "int": "a number", "float": "a number", "real number": "a number", "bool": "true or false",
    "list": "a list", "tuple": "a list", "range": "a list", "generator": "a list",
    "dict": "a record", "mapping": "a record", "function": "a function", "method": "a function",
    "builtin_function_or_method": "a function", "Macro": "a macro", "Namespace": "a namespace",
    "sequence": "a list", "integer": "a whole number",
}  # fmt: skip
_TYPE = rf"(?:{'|'.join(map(re.escape, _TYPE_NAMES))})"
_FUNCTION = r"(?:.*\.)?(?:_|bounded_|sync_do_|do_)?(\w+)\(\)"
_PYTHON_MESSAGES = (
    (r"unsupported operand type\(s\) for (?:(\*\*) or pow\(\)|(\S+)): (.+) and (.+)",
     r"\3 and \4 cannot be combined with \1\2"),
    (r"can only concatenate (\w+) \(not (.+)\) to \w+",
     r"'\1' and \2 cannot be added with +; two texts are joined with ~"),
    (r"can't multiply sequence by non-int of type (.+)",
     r"a text or a list cannot be multiplied by \1"),
    (r"'?([<>=!]+)'? not supported between instances of (.+) and (.+)",
     r"\2 and \3 cannot be compared with \1"),
    (r"bad operand type for (?:unary \S+|abs\(\)): (.+)", r"\1 is not a number"),
    (r"type (\w+) doesn't define __round__ method", r"'\1' is not a number"),
    (r".*must be real number, not (\w+)", r"expected a number, not '\1'"),
    (r".*must be (\w+), not (\w+)", r"expected '\1', not '\2'"),
    (r"(?:argument of type )?(.+) is not (?:iterable|reversible)", r"\1 is not a list"),
    (r"object of type (.+) has no len\(\)", r"\1 has no length"),
    (r"(.+?) (?:object )?is not subscriptable", r"\1 has no entries"),
    (r"(.+?) (?:object )?is not callable", r"\1 is not a function"),
    (r"(?:list|tuple|string|range object) ind(?:ex|ices) .*", "there is no such entry in the list"),
    (r"slice indices must .*", "entries are numbered: [0:2]"),
    (r"too many values.*|not enough values.*|cannot unpack.*",
     "the number of names differs from the number of values"),
    (rf"{_FUNCTION} missing \d+ required .*arguments?: (.+)", r"\1() needs \2"),
    (rf"{_FUNCTION} takes .* but .*", r"\1() has too many arguments"),
    (rf"{_FUNCTION} got .* argument.? (.+)", r"\1() has no argument \2"),
    (r".*(?:division|modulo) by zero|0.0 cannot be raised to a negative power", "division by zero"),
    (r"\(34, .*|.*too large to convert.*|.*cannot convert float .*|int too large.*",
     "the number is too large"),
    (r"invalid literal for int\(\).*|could not convert string to float: .*",
     "a text is not a number"),
    (r"unhashable type: (.+)", r"\1 cannot tell cards apart; use a text, a number or a word"),
    (r"cannot assign attribute on non-namespace object",
     "a field cannot be set; make a new name with {% set NAME = … %}"),
    (r"not all arguments converted .*", "a text is not a number"),
    (r"Object of type .+ is not JSON serializable",
     "tojson takes texts, numbers, lists and records"),
)  # fmt: skip
_PYTHON_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _PYTHON_MESSAGES)


_MAX_MESSAGE_LENGTH = 400
LEFT_OUT_NAME = "left out"


class LinkedCardId(str):
    """Id of a card that a field refers to. Its attributes are the fields of that card."""

    __slots__ = ("fields",)
    fields: Callable[[], Mapping[str, Any]]

    def __new__(cls, name: str, fields: Callable[[], Mapping[str, Any]]) -> LinkedCardId:
        instance = super().__new__(cls, name)
        instance.fields = fields
        return instance


class AbsentRecord:
    """Record that a card leaves out. Its fields are absent, too; it compares as 0 and as None."""

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
    """Reword a message of Python; any other message stays as it is."""
    if len(message) > _MAX_MESSAGE_LENGTH:
        message = f"{message[:_MAX_MESSAGE_LENGTH]}…"
    message = re.sub(
        rf"['\"]({_TYPE})(?: object['\"]|['\"](?: object)?)",
        lambda match: _TYPE_NAMES[match[1]],
        message,
    )
    for pattern, words in _PYTHON_PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            return re.sub(rf"'({_TYPE})'", lambda kind: _TYPE_NAMES[kind[1]], match.expand(words))
    return message


def explain_left_out(message: str) -> str:
    """Return what to do about a message that names nothing: a field is left out."""
    if not re.search(r"\bnothing\b", message):
        return message
    if re.search("combined|compared|number", message):
        return "a field in it is left out there; to count it as 0, write (field or 0)"
    return "a field in it is left out there; check it first with if"


def describe_kind(value: Any) -> str:
    """Return the kind of a value: `a text`, `a list`, or `this` for anything unknown."""
    name = _TYPE_NAMES.get(type(value).__name__, "")
    return name or ("a function" if callable(value) else "this")


def format_value(value: Any, depth: int = 3) -> str:
    """Format a value for a message: 'Tug', 4, true, nothing, [1, 2], (food 3, fuel 1)."""
    if value is None or isinstance(value, AbsentRecord):
        return "nothing"
    if isinstance(value, bool | str):
        return problems.format_value(value)
    if isinstance(value, int | float):
        return f"{value:.10g}" if isinstance(value, float) else str(value)
    if isinstance(value, Mapping) and depth:
        entries = (f"{key} {format_value(child, depth - 1)}" for key, child in value.items())
        return f"({', '.join(entries)})"
    if isinstance(value, list | tuple) and depth:
        return f"[{', '.join(format_value(child, depth - 1) for child in value)}]"
    return describe_kind(value)


def format_name(value: Any) -> str:
    """Format a value as the name of a group of cards: `Tug`, `4`, `true`, `left out`."""
    if isinstance(value, str) or is_number(value):
        return str(value)
    return LEFT_OUT_NAME if is_left_out(value) else format_value(value)


def is_left_out(value: Any) -> bool:
    """Return whether a value is missing; an empty list is, too."""
    return value is None or isinstance(value, AbsentRecord) or value in ((), [])


def check_printable(value: Any) -> Any:
    """Return what `{{ value }}` prints: a text or a number, and "" for a missing value.

    Raise TypeError for lists, records, functions, true and false.
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
        return value  # an Undefined raises its message when it is converted to a text
    kind = describe_kind(value)
    raise TypeError(f"{kind} cannot be printed; {_PRINT_HINTS.get(kind, _PRINTABLE_HINT)}")


_PRINTABLE_HINT = "only texts and numbers can"
_PRINT_HINTS = {
    "a list": 'write | join(", "), or {% for … %}',
    "a record": "name one of its fields",
    "true or false": "ask with {% if … %} and write the words",
    "a function": "call it with () after its name",
}


def to_printable_text(value: Any) -> Any:
    """Return a printable value as a text."""
    value = check_printable(value)
    return value if hasattr(value, "__html__") else str(value)


_JINJA_TAGS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "include", "import", "from",
    "macro", "endmacro", "call", "endcall", "block", "endblock", "extends", "filter", "endfilter",
    "with", "endwith", "raw", "endraw", "print",
)  # fmt: skip
_CURLY_QUOTE_HINT = "write straight quotes, \"…\" or '…'"
_CHARACTER_HINTS = {
    **dict.fromkeys("“”„«»‘’‚`´", _CURLY_QUOTE_HINT),
    "&": "write and",
    "!": "write not, or != for 'is not'",
    "?": "write A if … else B",
    ";": "an expression has no separator",
    "$": "write a name without a sign before it",
    "@": "write a name without a sign before it",
    "#": "write a comment as {# … #}",
    "\\": "write a backslash within quotes",
    "€": "write a text in quotes",
    "–": "write - for minus",
    "−": "write - for minus",
    "×": "write * for times",
    "÷": "write / for divided by",
    "≤": "write <= for at most",
    "≥": "write >= for at least",
    "≠": "write != for is not",
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
    return f"'{sign}' has no meaning here; {_CHARACTER_HINTS.get(sign, 'write a text in quotes')}"


def _explain_trailing(match: re.Match[str]) -> str:
    """Explain what follows where an expression should end."""
    got = match[2]
    if got == "=":
        return "write == for equals"
    if got == "if" and match[1] == "statement block":
        return "write {% elif … %} for else if"
    if got == ":":
        return "remove the : at its end"
    what = {"string": "a text", "integer": "a number", "float": "a number"}.get(got, f"'{got}'")
    end = {"statement block": "%}"}.get(match[1], "}}")
    return f"{what} follows where it should end; is {end}, a dot, a comma or ~ missing?"


def _explain_missing_end(match: re.Match[str]) -> str:
    if match[1] in (",", ")"):
        return "a ) is missing at its end"
    ends = {"end of print statement": "}}", "end of statement block": "%}"}
    return f"{ends.get(match[1], match[1])} is missing at its end"


_SYNTAX_MESSAGES: tuple[tuple[str, str | SyntaxMessage], ...] = (
    (_WRONG_NESTING, r"found {% \1 %}, expected {% end\2 %}"),
    (r"Encountered unknown tag '(\w+)'.*", _explain_unknown_tag),
    (r"Unexpected end of template\. .*needs to be closed is '(\w+)'",
     r"{% \1 … %} is not closed; {% end\1 %} is missing"),
    (r"unexpected char '(.+)' at \d+", _explain_character),
    (r"expected token 'end of (print statement|statement block)', got '(.*)'", _explain_trailing),
    (r"chunk after expression", "it continues where it should end; write == for equals"),
    (r"unexpected end of template, expected '(.+)'", _explain_missing_end),
    (r"unexpected '(.+)', expected '(.+)'", r"\2 is missing before \1"),
    (r"(?:unexpected|Expected an expression, got) 'end of (?:print statement|template)'",
     "something is missing at its end"),
    (r"(?:unexpected|Expected an expression, got) 'end of statement block'",
     "something is missing at the tag's end"),
    (r"Expected an expression, got '(.+)'", r"found \1, expected a name, a number or a text"),
    (r"unexpected '(?:/|<)'", "a {{ or {% before it is not closed"),
    (r"unexpected '(\}|%)'", r"found a single \1; is a {{ or {% before it not closed?"),
    (r"unexpected '(.+)'", r"found '\1', expected a name, a number or a text"),
    (r"expected token 'in', got .*", "write a loop as {% for NAME in LIST %}"),
    (r"expected token 'name', got .*|expected name or number", "a name is missing"),
    (r"expected token '(.+)', got '(.+)'", r"found '\2', expected '\1'"),
    (r"Missing end of comment tag", "{# is not closed; #} is missing"),
    (r"Missing end of raw directive", "{% raw %} is not closed; {% endraw %} is missing"),
    (r"tag name expected", "{% %} is empty"),
    (r"Invalid character in identifier", "a name has only letters, digits and _"),
    (r"can't assign to .*", "set a new name: {% set NAME = … %}"),
)  # fmt: skip
_SYNTAX_PATTERNS = tuple(
    (re.compile(pattern, re.DOTALL), words) for pattern, words in _SYNTAX_MESSAGES
)


def explain_syntax(message: str, known: Mapping[str, Iterable[str]] | None = None) -> str:
    """Reword a syntax error of Jinja. `known` has the names of every `filter` and `test`."""
    message = message.removesuffix(".")
    unknown = re.fullmatch(r"No (filter|test) named '(.+)'", message)
    if unknown:
        names = (known or {}).get(unknown[1], ())
        return f"there is no {unknown[1]} '{unknown[2]}'{did_you_mean(unknown[2], names)}"
    for pattern, words in _SYNTAX_PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            return words(match) if callable(words) else match.expand(words)
    return message
