"""Jinja sandbox of templates, composition rules and rulebooks.

A game may come from a stranger. Nothing in the sandbox can reach Python, files or the network, and
the size of every text, list and number is bounded. `core.work_limits` bounds the time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import CodeType
from typing import Any

from jinja2 import nodes, pass_environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import Template, TemplateModule
from jinja2.exceptions import (
    FilterArgumentError,
    SecurityError,
    TemplateError,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.runtime import (
    BlockReference,
    Context,
    LoopContext,
    Macro,
    StrictUndefined,
    TemplateReference,
    Undefined,
    markup_join,
)
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace, htmlsafe_json_dumps, missing

from cardgen.core.problems import did_you_mean
from cardgen.templates.expression_messages import (
    AbsentRecord,
    LinkedCardId,
    check_printable,
    describe_kind,
    explain_python_message,
    to_printable_text,
)

MAX_TEXT_LENGTH = 1_000_000
MAX_RANGE_STEPS = 100_000
MAX_PRODUCT_BITS = 10_000
_INVALID_NUMERAL = re.compile(r"[^\W\D](?<![0-9])|[0-9]{4000}")
_STRING_METHODS = frozenset({
    "capitalize", "endswith", "isdigit", "lower", "lstrip", "removeprefix", "removesuffix",
    "rstrip", "split", "startswith", "strip", "title", "upper",
})  # fmt: skip
_LOOP_NAMES = frozenset({
    "changed", "cycle", "depth", "depth0", "first", "index", "index0", "last", "length", "nextitem",
    "previtem", "revindex", "revindex0",
})  # fmt: skip
_READABLE_ATTRIBUTES: tuple[tuple[type | tuple[type, ...], frozenset[str]], ...] = (
    (str, _STRING_METHODS),
    ((list, tuple), frozenset({"count", "index"})),
    (LoopContext, _LOOP_NAMES),
    (Macro, frozenset({"arguments", "caller", "catch_kwargs", "catch_varargs", "name"})),
    (BlockReference, frozenset({"name", "super"})),
)
"""The attributes that templates may read, by type. No type, function or method has any."""
_OPEN_TYPES = (AbsentRecord, Namespace, TemplateModule, TemplateReference, Undefined)
"""Types all of whose public attributes are the template's own."""
_REMOVED_FILTERS = (
    "batch", "center", "format", "indent", "pprint", "random", "slice", "urlize", "wordwrap",
)  # fmt: skip
_REMOVED_GLOBALS = ("lipsum", "cycler", "joiner")
_TEXT_FILTERS = frozenset({
    "capitalize", "e", "escape", "forceescape", "lower", "replace", "string", "striptags", "title",
    "trim", "truncate", "upper", "urlencode", "wordcount",
})  # fmt: skip
"""Filters that convert any value to a text."""
_NUMBER_FILTERS = frozenset({"float", "int"})
DECIMAL_POINT_MARK = "\x1f"
"""A printed decimal point, until it is known whether it stands in text or in markup."""
_NUMBER_TESTS = ("divisibleby", "even", "odd")
_RECORD_METHODS = frozenset({"get", "items", "keys", "values"})
"""Methods of records, such as `card.crew.items()`. A field of the same name comes first."""
MAX_EXPRESSION_LENGTH = 20_000
MAX_DEPTH = 100
_TOO_DEEP = "it is nested too deeply, or has too many parts"


TEMPLATE_ERRORS = (
    TemplateError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
)
"""Errors whose text explains what is wrong in a template."""


class ExpressionLimitError(SecurityError):
    """An expression or template exceeds a limit of size."""


class MissingName(StrictUndefined):
    """Undefined name. Using it raises an error that names what is defined."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        known, name = self._undefined_obj, str(self._undefined_name)
        if known is missing or self._undefined_hint:
            return explain_python_message(super()._undefined_message)
        if isinstance(known, Mapping):
            return f"there is no '{name}'{did_you_mean(name, known)}"
        if isinstance(self._undefined_name, int):
            return f"{describe_kind(known)} has no entry {name}; the first is 0"
        if known is None:
            return f"what comes before .{name} is left out there; check it first with if"
        return f"{describe_kind(known)} has no '{name}'"


class RecordMethod(MissingName):
    """Method of a record, which can only be called."""

    __slots__ = ()
    unsafe_callable = alters_data = False
    jinja_pass_arg = None

    @property
    def _undefined_message(self) -> str:
        return f"{super()._undefined_message}; the method of a record is {self._undefined_name}()"

    def __call__(self, *args: Any, **options: Any) -> Any:
        return getattr(self._undefined_obj, str(self._undefined_name))(*args, **options)


def explain_undefined(error: UndefinedError, known: Iterable[str]) -> str:
    """Return the message about an undefined name, with a similar one of `known`."""
    message = str(error.message or error)
    name = message.split("'")[1] if message.count("'") >= 2 else ""
    hint = did_you_mean(name, known) if message.endswith("is undefined") else ""
    return f"{message}{hint if 'did you mean' in hint else ''}"


class BoundedCodeGenerator(CodeGenerator):
    """Generates calls of `Sandbox` for texts and lists, so that their size is bounded."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.join_text((")
        for child in node.nodes:
            self.visit(child, frame)
            self.write(", ")
        self.write("))")

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802
        if not _is_finite(node.as_const(frame.eval_ctx)):
            self.fail("a number in it is too large or not a number", node.lineno)
        super().visit_Const(node, frame)

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        """Keep constants as expressions, so that `check_printable` checks them, too."""
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802
        self.write("environment.check_size(")
        super().visit_List(node, frame)
        self.write(")")

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802
        if node.ctx != "load":  # the names of {% for a, b in … %}
            super().visit_Tuple(node, frame)
            return
        self.write("environment.check_size(")
        super().visit_Tuple(node, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        self.write("environment.check_size(")
        super().visit_Dict(node, frame)
        self.write(")")


class StatelessTemplate(Template):
    """Template whose module is made anew for each import, so that no face depends on an earlier
    one."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        self._module = None
        return super()._get_default_module(ctx)


class Sandbox(SandboxedEnvironment):
    """Jinja environment with strict names, fields before methods, and limits of size."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    code_generator_class = BoundedCodeGenerator
    template_class = StatelessTemplate

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"undefined": MissingName, "finalize": check_printable, **options})
        for name in _REMOVED_FILTERS:
            del self.filters[name]
        for name in _REMOVED_GLOBALS:
            del self.globals[name]
        self.globals["range"] = bounded_range
        self.filters["join"] = bounded_join
        self.filters["replace"] = bounded_replace
        self.filters["round"] = bounded_round
        self.filters["sum"] = do_sum
        self.filters["tojson"] = do_tojson
        self.filters = {name: _bound_filter(name, each) for name, each in self.filters.items()}
        self.tests.update({name: _bound_number_test(self.tests[name]) for name in _NUMBER_TESTS})

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        with _convert_parse_errors(source, name, filename):
            return super()._parse(source, name, filename)

    def compile_expression(self, source: str, *args: Any, **options: Any) -> Any:
        if len(source) > MAX_EXPRESSION_LENGTH:
            raise TemplateSyntaxError(f"it has more than {MAX_EXPRESSION_LENGTH} letters", 1)
        with _convert_parse_errors(source):
            return super().compile_expression(source, *args, **options)

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        *rest: Any,
        **more: Any,
    ) -> str:
        """Reject deep trees, since Python's compiler may crash the process on them."""
        _check_depth(source, name, filename)
        return super()._generate(source, name, filename, *rest, **more)

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError):  # blocks within each other, too
            raise TemplateSyntaxError(_TOO_DEEP, 0, None, filename) from None

    @property
    def filter_and_test_names(self) -> Mapping[str, Iterable[str]]:
        """Names of all filters and tests, for hints."""
        return {"filter": self.filters, "test": self.tests}

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """Join what a template, a macro or a `{% set %}` block prints."""
        texts, length = [], 0
        for text in filter(None, parts):
            length += len(text)
            _require(length <= MAX_TEXT_LENGTH, "the text is too long")
            texts.append(text)
        return _check_encodable("".join(texts))

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute; `card.items` is a field before it is a method."""
        if isinstance(obj, LinkedCardId) and attribute in _STRING_METHODS - obj.fields().keys():
            return super().getattr(obj, attribute)
        if isinstance(obj, Mapping | LinkedCardId):
            return self.getitem(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an entry; `card["items"]` is the same as `card.items`."""
        if isinstance(obj, LinkedCardId) and isinstance(argument, str):
            obj = obj.fields()
        if not isinstance(obj, Mapping):
            return super().getitem(obj, argument)
        if isinstance(argument, str):
            argument = argument.replace(DECIMAL_POINT_MARK, ".")
        try:
            return obj[argument]
        except (LookupError, TypeError):
            known = isinstance(argument, str) and argument in _RECORD_METHODS
            return (RecordMethod if known else self.undefined)(obj=obj, name=argument)

    def wrap_str_format(self, value: Any) -> None:
        """Reject `"…".format()`, whose widths make a text of any length."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, _OPEN_TYPES):
            return not attr.startswith("_")
        return any(isinstance(obj, kind) and attr in names for kind, names in _READABLE_ATTRIBUTES)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**":
            _require(abs(right) <= 64 and abs(left) <= 1e6, "the power is too large")
        elif operator == "%":
            _require(not isinstance(left, str), "formatting a text with % is not offered; use ~")
        elif operator == "*" and isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() + right.bit_length()
            _require(bits <= MAX_PRODUCT_BITS, "the product is too large")
        elif operator == "*":
            size = _measure_weight(left) * abs(right) if isinstance(right, int) else 0
            size = size or (_measure_weight(right) * abs(left) if isinstance(left, int) else 0)
            _require(size <= MAX_TEXT_LENGTH, "the repetition is too long")
        else:
            _require(
                _measure_weight(left) + _measure_weight(right) <= MAX_TEXT_LENGTH,
                "the sum is too long",
            )
        return super().call_binop(context, operator, left, right)

    def check_size(self, value: Any) -> Any:
        """Return a list or record written in a template, if it is not too large."""
        _require(_measure_weight(value) <= MAX_TEXT_LENGTH, "the list is too long")
        return value

    def format_number(self, value: Any) -> Any:
        """Return a number with a fraction as it is printed here; any other value as it is."""
        return self.finalize(value) if self.finalize and isinstance(value, float) else value

    def join_text(self, parts: Iterable[Any]) -> str:
        """Join the parts of `a ~ b ~ c`."""
        texts = [to_printable_text(self.format_number(part)) for part in parts]
        _require(sum(len(text) for text in texts) <= MAX_TEXT_LENGTH, "the text is too long")
        return markup_join(texts)


def _measure_weight(value: Any) -> int:
    """Return the number of characters and entries in a value, counted up to the limit."""
    weight, rest = 0, [value]
    while rest and weight <= MAX_TEXT_LENGTH:
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


def _check_encodable(text: str) -> str:
    """Return a text if it can be encoded, that is, if it has no unpaired surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(
            f"\\u{ord(half):04x} is half of a character and cannot be printed"
        ) from None
    return text


def _is_finite(value: Any) -> bool:
    """Return whether a constant can be written in Python, which has no literal for nan or inf."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_is_finite(part) for pair in value.items() for part in pair)
    return not isinstance(value, list | tuple) or all(map(_is_finite, value))


def _require(allowed: bool, what: str) -> None:
    if not allowed:
        raise ExpressionLimitError(what)


@contextmanager
def _convert_parse_errors(
    source: str, name: str | None = None, filename: str | None = None
) -> Iterator[None]:
    """Convert errors of depth and of unreadable numbers to errors of syntax with their line."""
    try:
        yield
    except (RecursionError, MemoryError):
        raise TemplateSyntaxError(_TOO_DEEP, 0, name, filename) from None
    except (SyntaxError, ValueError):
        found = _INVALID_NUMERAL.search(source)
        line = source.count("\n", 0, found.start()) + 1 if found else 1
        message = "a number in it cannot be read"
        raise TemplateSyntaxError(message, line, name, filename) from None


def _check_depth(tree: nodes.Node, name: str | None, filename: str | None) -> None:
    level: list[nodes.Node] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in node.iter_child_nodes()]
        if not level:
            return
    raise TemplateSyntaxError(_TOO_DEEP, level[0].lineno, name, filename)


def _bound_filter(name: str, filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a filter: limit its result, reject unprintable arguments, and convert its errors."""
    first = 1 if hasattr(filter_, "jinja_pass_arg") else 0
    of_text = name in _TEXT_FILTERS

    @wraps(filter_)
    def bounded(*args: Any, **options: Any) -> Any:
        if of_text and len(args) > first:
            args = (*args[:first], check_printable(args[first]), *args[first + 1 :])
        if name in _NUMBER_FILTERS and args and isinstance(args[0], str):
            args = (args[0].replace(DECIMAL_POINT_MARK, "."), *args[1:])
        try:
            result = filter_(*args, **options)
        except TEMPLATE_ERRORS:
            raise
        except Exception:
            what = describe_kind(args[first] if len(args) > first else None)
            raise FilterArgumentError(f"the filter '{name}' cannot be used for {what}") from None
        _require(
            not isinstance(result, str) or len(result) <= MAX_TEXT_LENGTH, "the text is too long"
        )
        return result

    return bounded


def _bound_number_test(test: Any) -> Callable[..., bool]:
    """Wrap a test that uses %, so that it is never applied to a text, where % is formatting."""

    @wraps(test)
    def check_number(value: Any, *others: Any) -> bool:
        if not isinstance(value, int | float):
            raise TypeError(f"{describe_kind(value)} is not a number")
        return bool(test(value, *others))

    return check_number


def bounded_range(*args: int) -> range:
    """Return a `range` of limited length."""
    numbers = range(*args)
    _require(
        abs(numbers.stop - numbers.start) <= MAX_RANGE_STEPS * abs(numbers.step),
        f"a range has at most {MAX_RANGE_STEPS} steps",
    )
    return numbers


def bounded_round(value: float, digits: int = 0, method: str = "common") -> float:
    """Round to at most 12 digits before or after the point; `ceil` rounds up, `floor` down."""
    _require(abs(digits) <= 12, "a number is rounded to at most 12 digits")
    scale = 10**digits
    if method in ("ceil", "floor"):
        rounded: float = getattr(math, method)(value * scale) / scale
    else:
        rounded = round(value, digits)
    return int(rounded) if digits <= 0 else rounded


def do_sum(values: Iterable[Any], attribute: str | None = None) -> float:
    """Sum numbers, or a field of records with `sum(attribute="cash")`."""
    total: float = sum(value if attribute is None else value[attribute] for value in values)
    return total


def do_tojson(value: Any) -> Any:
    """Return a value as JSON on one line."""
    return htmlsafe_json_dumps(value, sort_keys=True)


@pass_environment
def bounded_join(environment: Sandbox, values: Iterable[Any], separator: str = "") -> str:
    """Join values to a text of limited length."""
    texts = [to_printable_text(environment.format_number(value)) for value in values]
    length = sum(len(text) + len(separator) for text in texts)
    _require(length <= MAX_TEXT_LENGTH, "the text is too long")
    parts: list[Any] = []
    for index, text in enumerate(texts):
        parts += [separator, text] if index else [text]
    return markup_join(parts)


def bounded_replace(text: Any, old: str, new: str) -> str:
    """Replace a part of a text, with a limit of the result."""
    plain = str(text)
    _require(len(plain) + plain.count(old) * len(new) <= MAX_TEXT_LENGTH, "the text is too long")
    return plain.replace(old, new)
