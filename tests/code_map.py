"""The modules of cardgen and what each imports, for tests about the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "cardgen"
FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(file: Path) -> str:
    """Return the dotted name of a module, without `cardgen.`."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {module_name(file) for file in FILES}


@cache
def read_code(file: Path) -> str:
    """Return the text of a module."""
    return file.read_text(encoding="utf-8")


@cache
def list_nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module's syntax tree."""
    return tuple(ast.walk(ast.parse(read_code(file))))


@cache
def find_text_constants(file: Path) -> dict[str, int]:
    """Return every text constant of a module, with a line where it stands."""
    return {
        node.value: node.lineno
        for node in list_nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@cache
def list_imports(file: Path) -> tuple[str, ...]:
    """Return every name a module imports, those in functions and under TYPE_CHECKING included."""
    found: list[str] = []
    for node in list_nodes(file):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


@cache
def list_own_imports(file: Path) -> tuple[str, ...]:
    """Return the modules of cardgen that a module imports."""
    return tuple(_list_own_imports(file))


def _list_own_imports(file: Path) -> Iterator[str]:
    for dotted in list_imports(file):
        if dotted == "cardgen" or dotted.startswith("cardgen."):
            words = dotted.split(".")[1:]
            ends = (".".join(words[:length]) for length in range(len(words), 0, -1))
            yield next((end for end in ends if end in MODULES), "__init__")
