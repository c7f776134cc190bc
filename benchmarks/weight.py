"""Weight of the package: packages, modules, lines of code and repeated names.

    python benchmarks/weight.py [FOLDER]

Lines of code are lines without docstrings, comments and blank lines.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "cardgen"
SHARED_FUNCTION_NAMES = 4
"""A function name in more modules than this is listed."""


def count_code_lines(text: str, tree: ast.AST) -> int:
    """Return the number of lines that are neither string statements, comments nor blank."""
    strings = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate((line.strip() for line in text.splitlines()), start=1)
    return sum(1 for number, line in lines if line and line[0] != "#" and number not in strings)


def list_definitions(tree: ast.AST) -> Iterator[tuple[type[ast.AST], str]]:
    """Yield the kind and name of every class, function and method, special methods excepted."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield ast.ClassDef, node.name
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:2] != "__":
            yield ast.FunctionDef, node.name


def describe_weight(root: Path) -> Iterator[str]:
    """Yield the report for the package in `root`, line by line."""
    files = sorted(root.rglob("*.py"))
    code = 0
    owners: dict[tuple[type[ast.AST], str], set[Path]] = defaultdict(set)
    for file in files:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        code += count_code_lines(text, tree)
        for definition in list_definitions(tree):
            owners[definition].add(file)
    top = {path.relative_to(root).parts[0].removesuffix(".py") for path in files}
    modules = Counter(file.stem for file in files if file.stem != "__init__")
    classes = [name for (kind, name), at in owners.items() if kind is ast.ClassDef and len(at) > 1]
    functions = [
        f"{name} ({len(at)})"
        for (kind, name), at in owners.items()
        if kind is ast.FunctionDef and len(at) > SHARED_FUNCTION_NAMES
    ]
    yield f"packages and modules at the top: {len(top - {'__init__', '__main__'})}"
    yield f"modules: {len(files)}"
    yield f"lines of code: {code:,}"
    for what, names in (
        ("module names that stand twice", [name for name, count in modules.items() if count > 1]),
        ("class names that stand twice", classes),
        (f"function names in more than {SHARED_FUNCTION_NAMES} modules", functions),
    ):
        yield f"{what}: {len(names)}" + (f" – {', '.join(sorted(names))}" if names else "")


if __name__ == "__main__":
    print("\n".join(describe_weight(Path(sys.argv[1]) if sys.argv[1:] else PACKAGE)))
