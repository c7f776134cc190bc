"""Values and failures of expressions in the words of those who write them: nothing of Python."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Undefined

from cardgen.base.problems import quoted
from cardgen.base.units import is_number

_TYPE_NAMES = {
    "NoneType": "nothing", "None": "nothing", "Absent": "nothing", "Missing": "nothing",
    "str": "a text", "CardText": "a text", "Markup": "a text", "Text": "a text", "string": "a text",
    "Referred": "a text",
    "int": "a number", "float": "a number", "real number": "a number", "bool": "true or false",
    "list": "a list", "tuple": "a list", "range": "a list", "generator": "a list",
    "dict": "a record", "mapping": "a record", "function": "a function", "method": "a function",
    "builtin_function_or_method": "a function", "Macro": "a macro", "Namespace": "a namespace",
    "sequence": "a list", "integer": "a whole number",
}  # fmt: skip
_TYPE = rf"(?:{'|'.join(map(re.escape, _TYPE_NAMES))})"
_REPHRASED = (
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
_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _REPHRASED)


_LONGEST = 400
LEFT_OUT = "left out"


class Referred(str):
    """The id of a card that a field refers to; what is asked of it is asked of that card."""

    __slots__ = ("fields",)
    fields: Callable[[], Mapping[str, Any]]

    def __new__(cls, name: str, fields: Callable[[], Mapping[str, Any]]) -> Referred:
        made = super().__new__(cls, name)
        made.fields = fields
        return made


class Absent:
    """A record that a card leaves out: its fields are left out too, and count as none and 0."""

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, Absent)

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


def plain_words(message: str) -> str:
    """A message of Python's in the writer's words; one that is none of Python's stays as it is."""
    message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
    message = re.sub(
        rf"['\"]({_TYPE})(?: object['\"]|['\"](?: object)?)",
        lambda match: _TYPE_NAMES[match[1]],
        message,
    )
    for pattern, words in _PATTERNS:
        match = pattern.fullmatch(message)
        if match:
            said = match.expand(words)
            return re.sub(rf"'({_TYPE})'", lambda found: _TYPE_NAMES[found[1]], said)
    return message


def left_out(message: str) -> str:
    """What is said of a message in plain words that speaks of nothing: a field is left out."""
    if not re.search(r"\bnothing\b", message):
        return message
    if re.search("reckoned|compared|number", message):
        return "a field in it is left out there; where that counts as 0, write (field or 0)"
    return "a field in it is left out there, so ask for it first"


def kind_of(value: Any) -> str:
    """What sort of thing a value is: `a text`, `a list`; `this` where no word fits."""
    named = _TYPE_NAMES.get(type(value).__name__, "")
    return named or ("a function" if callable(value) else "this")


def in_words(value: Any, depth: int = 3) -> str:
    """A value as a message shows it: 'Tug', 4, true, nothing, [1, 2], (food 3, fuel 1)."""
    said = kind_of(value)
    if value is None or isinstance(value, Absent):
        said = "nothing"
    elif isinstance(value, bool | str):
        said = quoted(value)
    elif isinstance(value, int | float):
        said = f"{value:.10g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping) and depth:
        inner = ", ".join(f"{key} {in_words(child, depth - 1)}" for key, child in value.items())
        said = f"({inner})"
    elif isinstance(value, list | tuple) and depth:
        said = f"[{', '.join(in_words(child, depth - 1) for child in value)}]"
    return said


def name_of(value: Any) -> str:
    """A value as rules name and compare it: `Tug`, `4`, `true`, `left out`."""
    if isinstance(value, str) or is_number(value):
        return str(value)
    return LEFT_OUT if is_left_out(value) else in_words(value)


def is_left_out(value: Any) -> bool:
    """Whether a card leaves a field out; a list that is empty is left out, too."""
    return value is None or isinstance(value, Absent) or value in ((), [])


def printed(value: Any) -> Any:
    """What `{{ value }}` prints: texts and numbers; what is left out prints nothing.

    Raises TypeError for what only Python could show: lists, records, functions, true and false.
    """
    if isinstance(value, str) or type(value) is int:
        return value
    if value is None or isinstance(value, Absent):
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        raise TypeError("the number is too large")
    if is_number(value):
        return value
    if isinstance(value, Undefined) or hasattr(value, "__html__"):
        return value  # the first tells what is missing when it is made a text
    raise TypeError(f"{kind_of(value)} is not printed; {_INSTEAD.get(kind_of(value), _TEXT)}")


_TEXT = "a text or a number is"
_INSTEAD = {
    "a list": 'write | join(", "), or {% for … %}',
    "a record": "name one of its fields",
    "true or false": "ask with {% if … %} and write the words",
    "a function": "call it: its name, and () behind it",
}


def text_of(value: Any) -> Any:
    """A part of a text: what `printed` lets through, as a text."""
    value = printed(value)
    return value if hasattr(value, "__html__") else str(value)
