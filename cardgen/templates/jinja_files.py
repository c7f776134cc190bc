"""Jinja environments for files of a game: loading, caching of bytecode, and lines of errors.

Templates and rulebooks share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from traceback import walk_tb
from types import CodeType
from typing import Any, ClassVar

from jinja2 import BytecodeCache, FunctionLoader
from jinja2.bccache import Bucket
from jinja2.exceptions import UndefinedError

from cardgen.core.problems import Source
from cardgen.templates.expression_messages import explain_python_message
from cardgen.templates.sandbox import Sandbox, explain_undefined

ReadTemplate = Callable[[str], tuple[str, str]]
"""Name of a file in Jinja → (text, path in the game folder). Raises TemplateNotFound."""


class CompiledTemplates(BytecodeCache):
    """Bytecode of the templates that this process has compiled, shared by its environments.

    `kind` separates environments with different options.
    """

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
    """Return a sandbox that loads files through `read`, without the lines of lone Jinja tags."""
    return Sandbox(
        loader=FunctionLoader(lambda name: (*read(name), lambda: True)),
        bytecode_cache=CompiledTemplates(f"{autoescape} {sorted(options.items())}"),
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=autoescape,
        **options,
    )


def find_error_line(error: BaseException, within: str, otherwise: str) -> Source:
    """Return the innermost line of a traceback in a file under `within`, or the file `otherwise`.

    Jinja maps the lines of its compiled code back to the template.
    """
    lines = (Source(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__))
    found = [source for source in lines if source.path.startswith(within)]
    return found[-1] if found else Source(otherwise)


def explain_error(error: Exception, known: Iterable[str], endless: str) -> str:
    """Return what is wrong in a template. `known` are the defined names.

    `endless` is the message for endless recursion.
    """
    if isinstance(error, UndefinedError):
        return explain_undefined(error, known)
    if isinstance(error, RecursionError):
        return endless
    text = (str(error) or type(error).__name__).splitlines()[0]
    return explain_python_message(text.strip("\"'") if isinstance(error, KeyError) else text)
