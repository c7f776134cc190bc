"""The order of the packages: imports point down, and modules of one package form no cycle."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from code_map import FILES, MODULES, PACKAGE, list_own_imports, module_name

from cardgen.runtime import code_version

# From the top down. A module imports from its own package and from those below it.
ORDER = [
    "__main__", "cli", "preview", "diff", "starting", "pipeline",
    *code_version.PACKAGE_ORDER, "system_libraries", "__init__",
]  # fmt: skip


def rank(module: str) -> int:
    return ORDER.index(module.partition(".")[0])


def test_every_package_has_its_place_in_the_order() -> None:
    assert {name.partition(".")[0] for name in MODULES} == set(ORDER)
    assert len([name for name in ORDER if not name.startswith("__")]) <= 22


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_imports_point_down(file: Path) -> None:
    own = rank(module_name(file))
    assert [other for other in list_own_imports(file) if rank(other) < own] == []


def test_modules_form_no_cycle() -> None:
    graph = {module_name(file): set(list_own_imports(file)) - {module_name(file)} for file in FILES}
    for file in FILES:
        if file.name == "__init__.py":
            graph.pop(module_name(file))  # what a package's __init__ brings together lies below it
    tuple(TopologicalSorter(graph).static_order())


def test_every_package_says_what_it_holds() -> None:
    for door in PACKAGE.rglob("__init__.py"):
        if door.parent != PACKAGE:
            assert ast.get_docstring(ast.parse(door.read_text(encoding="utf-8"))), door
