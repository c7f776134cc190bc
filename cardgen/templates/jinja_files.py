"""Files with Jinja in them: how they are read, and what goes wrong in them told at its line.

For templates and rulebooks, which are filled in alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any, ClassVar

from jinja2 import BaseLoader, BytecodeCache, Environment
from jinja2.bccache import Bucket
from jinja2.exceptions import UndefinedError

from cardgen.core.problems import Source
from cardgen.templates.expression_messages import explain_python_message
from cardgen.templates.sandbox import Sandbox, explain_undefined

ReadTemplate = Callable[[str], tuple[str, str]]
"""A file's name as Jinja has it → its text, and its path in the game folder. Raises
`TemplateNotFound`."""


class TemplateLoader(BaseLoader):
    def __init__(self, read: ReadTemplate) -> None:
        self._read = read

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        return *self._read(template), lambda: True


class CompiledTemplates(BytecodeCache):
    """What files were compiled to, in this process: one that fills in the same text again and
    again compiles it once. `kind` tells environments of other options."""

    _MAX_COMPILED = 500
    _codes: ClassVar[dict[tuple[str, str, str], CodeType]] = {}

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((self._kind, bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if len(self._codes) >= self._MAX_COMPILED:
            self._codes.clear()
        if bucket.code is not None:
            self._codes[self._kind, bucket.key, bucket.checksum] = bucket.code


def make_environment(read: ReadTemplate, *, autoescape: bool = False, **options: Any) -> Sandbox:
    """The sandbox for such files; a tag that stands alone on its line leaves none behind."""
    known = CompiledTemplates(f"{autoescape} {sorted(options.items())}")
    return Sandbox(
        loader=TemplateLoader(read), bytecode_cache=known, trim_blocks=True, lstrip_blocks=True,
        autoescape=autoescape, **options,
    )  # fmt: skip


def find_error_line(error: BaseException, within: str, otherwise: str) -> Source:
    """The innermost line in a traceback of a file whose path begins so: Jinja maps its code back
    to it. Without one, another file as a whole."""
    found = Source(otherwise)
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(within):
            found = Source(path, trace.tb_lineno)
        trace = trace.tb_next
    return found


def explain_error(error: Exception, known: Iterable[str], endless: str) -> str:
    """What is wrong, in the writer's words. `known` are the names there are, `endless` says what
    goes on without end."""
    if isinstance(error, UndefinedError):
        return explain_undefined(error, known)
    if isinstance(error, RecursionError):
        return endless
    text = (str(error) or type(error).__name__).splitlines()[0]
    return explain_python_message(text.strip("\"'") if isinstance(error, KeyError) else text)
