"""The Jinja environment that templates, composition rules and the rulebook share.

A game folder may come from a stranger: nothing here reaches Python, a file or the network, and
neither time nor memory can be eaten up by a loop or by a text that doubles itself.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.runtime import StrictUndefined, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment

from cardgen.model import Text

MAX_LENGTH = 1_000_000
MAX_SECONDS = 10.0
_STRING_METHODS = frozenset({
    "capitalize", "endswith", "isdigit", "lower", "lstrip", "removeprefix", "removesuffix",
    "rstrip", "split", "startswith", "strip", "title", "upper",
})  # fmt: skip
_FILTERS_LEFT_OUT = ("center", "format", "indent", "pprint", "random", "urlize", "wordwrap")
_GLOBALS_LEFT_OUT = ("lipsum", "cycler", "joiner")


class TooCostly(SecurityError):  # noqa: N818 - it reads as what it says
    """An expression or template that takes too long or grows too large."""


class _CodeGenerator(CodeGenerator):
    """`~` joins through `Sandbox.joined`, so that it is bounded like `+` and `*`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.joined((")
        for child in node.nodes:
            self.visit(child, frame)
            self.write(", ")
        self.write("))")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja with strict names, data before methods, and bounds on what may be computed."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    code_generator_class = _CodeGenerator

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=StrictUndefined, **options)
        for name in _FILTERS_LEFT_OUT:
            del self.filters[name]
        for name in _GLOBALS_LEFT_OUT:
            del self.globals[name]
        self.filters["join"] = bounded_join
        self.filters["replace"] = bounded_replace

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`card.items` is the field of that name, not a method of the mapping."""
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and attr not in _STRING_METHODS:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**":
            _check(abs(right) <= 64 and abs(left) <= 1e6, "the power")
        elif operator == "%":
            _check(not isinstance(left, str), "text formatting with %")
        elif operator == "*":
            size = _length(left) * abs(right) if isinstance(right, int) else 0
            size = size or (_length(right) * abs(left) if isinstance(left, int) else 0)
            _check(size <= MAX_LENGTH, "the repetition")
        else:
            _check(_length(left) + _length(right) <= MAX_LENGTH, "the sum")
        return super().call_binop(context, operator, left, right)

    def joined(self, parts: Iterable[Any]) -> str:
        """The parts of `a ~ b ~ c` as one text."""
        texts = [part if hasattr(part, "__html__") else str(part) for part in parts]
        _check(sum(len(text) for text in texts) <= MAX_LENGTH, "the text")
        return markup_join(texts)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple) else 0


def _check(allowed: bool, what: str) -> None:
    if not allowed:
        raise TooCostly(f"{what} is not offered here, or its result would be too large")


def bounded_join(values: Iterable[Any], separator: str = "") -> str:
    """The `join` filter, with a bound on what comes out."""
    texts = [value if hasattr(value, "__html__") else str(value) for value in values]
    _check(sum(len(text) + len(separator) for text in texts) <= MAX_LENGTH, "the text")
    parts: list[Any] = []
    for index, text in enumerate(texts):
        parts += [separator, text] if index else [text]
    return markup_join(parts)


def bounded_replace(text: Any, old: str, new: str) -> str:
    """The `replace` filter, with a bound on what comes out."""
    plain = str(text)
    _check(len(plain) + plain.count(old) * len(new) <= MAX_LENGTH, "the text")
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
        yield
    except _OutOfTime:
        raise TooCostly(f"it takes longer than {seconds:g} seconds") from None
    finally:
        with lock:
            running = False
        timer.cancel()


class _OutOfTime(BaseException):
    """Not an Exception, so that no handler of a template swallows it."""


def in_language(value: Any, language: str) -> Any:
    """A value with every text in it in one language; records and lists keep their shape."""
    if isinstance(value, Text):
        return value[language]
    if isinstance(value, Mapping):
        return {key: in_language(child, language) for key, child in value.items()}
    if isinstance(value, tuple):
        return tuple(in_language(child, language) for child in value)
    return value
