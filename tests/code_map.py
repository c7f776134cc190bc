"""The modules of cardgen and what each imports, for tests about the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "cardgen"
FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(file: Path) -> str:
    """Return the dotted name of a module, without `cardgen.`."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {module_name(file) for file in FILES}


def list_imports(file: Path) -> Iterator[str]:
    """Yield every name a module imports, those in functions and under TYPE_CHECKING included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def list_own_imports(file: Path) -> Iterator[str]:
    """Yield the modules of cardgen that a module imports."""
    for dotted in list_imports(file):
        if dotted == "cardgen" or dotted.startswith("cardgen."):
            words = dotted.split(".")[1:]
            ends = (".".join(words[:length]) for length in range(len(words), 0, -1))
            yield next((end for end in ends if end in MODULES), "__init__")
