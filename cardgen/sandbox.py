"""The Jinja environment that templates, composition rules and the rulebook share.

A game folder may come from a stranger: nothing here reaches Python, a file or the network, and
neither time nor memory can be eaten up by a loop or by a text that doubles itself.
"""

from __future__ import annotations

import ctypes
import math
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.runtime import StrictUndefined, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from cardgen.model import Text
from cardgen.problems import did_you_mean

MAX_LENGTH = 1_000_000
MAX_RANGE = 100_000
MAX_BITS = 10_000
MAX_SECONDS = 10.0
_STRING_METHODS = frozenset({
    "capitalize", "endswith", "isdigit", "lower", "lstrip", "removeprefix", "removesuffix",
    "rstrip", "split", "startswith", "strip", "title", "upper",
})  # fmt: skip
_FILTERS_LEFT_OUT = (
    "batch", "center", "format", "indent", "pprint", "random", "slice", "urlize", "wordwrap",
)  # fmt: skip
_GLOBALS_LEFT_OUT = ("lipsum", "cycler", "joiner")
_TYPE_NAMES = {
    "NoneType": "nothing", "str": "a text", "CardText": "a text", "Markup": "a text",
    "int": "a number", "float": "a number", "bool": "true or false", "list": "a list",
    "tuple": "a list", "dict": "a record", "Text": "a text", "Missing": "nothing",
}  # fmt: skip


class TooCostly(SecurityError):  # noqa: N818 - it reads as what it says
    """An expression or template that takes too long or grows too large."""


class OutOfTime(TooCostly):
    """What the deadline stopped: trying it again would take as long again."""


class Missing(StrictUndefined):
    """A name that is not there: whoever uses it is told what there is."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        known, name = self._undefined_obj, str(self._undefined_name)
        if known is missing or self._undefined_hint or not isinstance(known, Mapping):
            return plain_words(super()._undefined_message)
        return f"there is no '{name}'{did_you_mean(name, known)}"


def plain_words(message: str) -> str:
    """A message of Python's with the names of its types in the writer's words."""
    return re.sub(
        r"'(\w+)(?: object'|'(?: object)?)",
        lambda match: _TYPE_NAMES.get(match[1], match[0]),
        message,
    )


def explain_undefined(error: UndefinedError, known: Iterable[str]) -> str:
    """Which name is not there, with a near one out of `known` where the name stands alone."""
    message = str(error.message or error)
    name = message.split("'")[1] if message.count("'") >= 2 else ""
    hint = did_you_mean(name, known) if message.endswith("is undefined") else ""
    return f"{message}{hint if 'did you mean' in hint else ''}"


class _CodeGenerator(CodeGenerator):
    """Sends what makes texts and lists through `Sandbox`, so that it is bounded like `*`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.joined((")
        for child in node.nodes:
            self.visit(child, frame)
            self.write(", ")
        self.write("))")

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802
        self.write("environment.made(")
        super().visit_List(node, frame)
        self.write(")")

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802
        if node.ctx != "load":  # the names of {% for a, b in … %}
            super().visit_Tuple(node, frame)
            return
        self.write("environment.made(")
        super().visit_Tuple(node, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        self.write("environment.made(")
        super().visit_Dict(node, frame)
        self.write(")")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja with strict names, data before methods, and bounds on what may be computed."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    code_generator_class = _CodeGenerator

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=Missing, **options)
        for name in _FILTERS_LEFT_OUT:
            del self.filters[name]
        for name in _GLOBALS_LEFT_OUT:
            del self.globals[name]
        self.globals["range"] = bounded_range
        self.filters["join"] = bounded_join
        self.filters["replace"] = bounded_replace
        self.filters["round"] = bounded_round
        self.filters["sum"] = sum_of_numbers
        self.filters = {name: _bounded(filter_) for name, filter_ in self.filters.items()}

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """What a template, a macro or a `{% set %}` block prints, as one text."""
        texts, length = [], 0
        for text in filter(None, parts):
            length += len(text)
            _check(length <= MAX_LENGTH, "the text is too long")
            texts.append(text)
        return "".join(texts)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`card.items` is the field of that name, not a method of the mapping."""
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def wrap_str_format(self, value: Any) -> None:
        """No `"…".format()`: a width in it makes a text of any length."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and attr not in _STRING_METHODS:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**":
            _check(abs(right) <= 64 and abs(left) <= 1e6, "the power is too large")
        elif operator == "%":
            _check(not isinstance(left, str), "formatting a text with % is not offered; use ~")
        elif operator == "*" and isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() + right.bit_length()
            _check(bits <= MAX_BITS, "the product is too large")
        elif operator == "*":
            size = _weight(left) * abs(right) if isinstance(right, int) else 0
            size = size or (_weight(right) * abs(left) if isinstance(left, int) else 0)
            _check(size <= MAX_LENGTH, "the repetition is too long")
        else:
            _check(_weight(left) + _weight(right) <= MAX_LENGTH, "the sum is too long")
        return super().call_binop(context, operator, left, right)

    def made(self, value: Any) -> Any:
        """A list or record written out in a template, unless it holds too much."""
        _check(_weight(value) <= MAX_LENGTH, "the list is too long")
        return value

    def joined(self, parts: Iterable[Any]) -> str:
        """The parts of `a ~ b ~ c` as one text."""
        texts = [part if hasattr(part, "__html__") else str(part) for part in parts]
        _check(sum(len(text) for text in texts) <= MAX_LENGTH, "the text is too long")
        return markup_join(texts)


def _weight(value: Any) -> int:
    """How much a text or a list holds, lists within it included; no further than the bound."""
    weight, rest = 0, [value]
    while rest and weight <= MAX_LENGTH:
        item = rest.pop()
        if isinstance(item, str):
            weight += len(item)
        elif isinstance(item, list | tuple):
            weight += len(item)
            rest.extend(item)
        elif isinstance(item, dict):
            weight += len(item)
            rest.extend(item.values())
    return weight


def _check(allowed: bool, what: str) -> None:
    if not allowed:
        raise TooCostly(what)


def _bounded(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose text may not grow past the bound, however often it is applied."""

    @wraps(filter_)
    def bounded(*args: Any, **options: Any) -> Any:
        result = filter_(*args, **options)
        _check(not isinstance(result, str) or len(result) <= MAX_LENGTH, "the text is too long")
        return result

    return bounded


def bounded_range(*args: int) -> range:
    """`range`, of a length that a card game may need."""
    numbers = range(*args)
    _check(
        abs(numbers.stop - numbers.start) <= MAX_RANGE * abs(numbers.step),
        f"a range has {MAX_RANGE} steps at most",
    )
    return numbers


def bounded_round(value: float, digits: int = 0, method: str = "common") -> float:
    """`round`, to at most 12 digits before or after the point; `ceil` rounds up, `floor` down."""
    _check(abs(digits) <= 12, "a number is rounded to 12 digits at most")
    scale = 10**digits
    if method in ("ceil", "floor"):
        rounded: float = getattr(math, method)(value * scale) / scale
    else:
        rounded = round(value, digits)
    return int(rounded) if digits <= 0 else rounded


def sum_of_numbers(values: Iterable[Any], attribute: str | None = None) -> float:
    """The `sum` filter, of numbers alone; those of a field with `sum(attribute="cash")`."""
    total: float = sum(value if attribute is None else value[attribute] for value in values)
    return total


def bounded_join(values: Iterable[Any], separator: str = "") -> str:
    """The `join` filter, with a bound on what comes out."""
    texts = [value if hasattr(value, "__html__") else str(value) for value in values]
    length = sum(len(text) + len(separator) for text in texts)
    _check(length <= MAX_LENGTH, "the text is too long")
    parts: list[Any] = []
    for index, text in enumerate(texts):
        parts += [separator, text] if index else [text]
    return markup_join(parts)


def bounded_replace(text: Any, old: str, new: str) -> str:
    """The `replace` filter, with a bound on what comes out."""
    plain = str(text)
    _check(len(plain) + plain.count(old) * len(new) <= MAX_LENGTH, "the text is too long")
    return plain.replace(old, new)


@contextmanager
def deadline(seconds: float = MAX_SECONDS) -> Iterator[None]:
    """Stop whatever Python runs within after so many seconds, with `TooCostly`.

    The exception is sent into this thread by a timer, the one way that works on every system.
    """
    thread = threading.get_ident()
    lock = threading.Lock()
    running = True

    def stop() -> None:
        with lock:
            if running:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(_OutOfTime)
                )

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        try:
            yield
        finally:
            with lock:  # the exception may arrive as late as here
                running = False
            timer.cancel()
    except _OutOfTime as error:
        message = f"it takes longer than {seconds:g} seconds"
        raise OutOfTime(message).with_traceback(error.__traceback__) from None


class _OutOfTime(BaseException):
    """Not an Exception, so that no handler of a template swallows it."""


def in_language(value: Any, language: str, made: Callable[[str], str] = str) -> Any:
    """A value with every text in it in one language; records and lists keep their shape.

    `made` turns a text into what stands for it.
    """
    if isinstance(value, Text):
        return made(value[language])
    if isinstance(value, Mapping):
        return {key: in_language(child, language, made) for key, child in value.items()}
    if isinstance(value, tuple):
        return tuple(in_language(child, language, made) for child in value)
    return value
