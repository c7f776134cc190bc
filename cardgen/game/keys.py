"""What keys of a mapping hold, read in one way: names, flags, lengths, whole numbers.

What is wrong goes to `tell`; then, and where a key is left out, its default stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import Node

Report = Callable[[Source, str, str], None]
"""Takes where something is wrong, what, and its kind."""


def report_to(problems: list[Problem]) -> Report:
    """What is told becomes a problem in a list."""
    return lambda source, message, kind: problems.append(Problem(source, message, kind))


def check_keys(
    node: Node,
    known: Collection[str],
    where: str,
    tell: Report,
    meant: Mapping[str, str] | None = None,
) -> None:
    """Tell each key that `where`, such as `a player`, does not take; by `meant`, what to say of
    those that others call something so."""
    within = f" in {where}" if where else ""
    for key, hint in node.find_unknown_keys(known):
        said = (meant or {}).get(key.lower(), "") or hint
        tell(node.keys[key], f"unknown field '{key}'{within}{said}", "fields")


def read_flag(given: Node | None, name: str, tell: Report) -> bool | None:
    """True, false, or nothing."""
    if given is not None and given.boolean is None:
        tell(given.source, f"{name} is {given.describe()}; it is true or false", "type")
    return given.boolean if given else None


def read_length(
    given: Node | None, name: str, default: float, bounds: tuple[float, float], tell: Report
) -> float:
    """Millimetres from the least to the most."""
    found = given.get_number(*bounds) if given else default
    if given is not None and found is None:
        asked = f"a length from {bounds[0]:g} to {bounds[1]:g} mm"
        tell(given.source, f"{name} is {given.describe()}; {asked}", "size")
    return default if found is None else found


def read_whole(
    given: Node | None, name: str, default: int, bounds: tuple[int, int], tell: Report
) -> int:
    """A whole number from the least to the most."""
    found = given.get_integer(*bounds) if given else default
    if given is not None and found is None:
        least = f"from {bounds[0]} " if bounds[0] else ""
        asked = f"a whole number {least}to {bounds[1]}"
        tell(given.source, f"{name} is {given.describe()}; {asked}", "type")
    return default if found is None else found


def read_name(given: Node | None, name: str, tell: Report) -> str:
    """A file's name; "" where there is none."""
    if given is None or given.value is None:
        return ""
    if not isinstance(given.value, str) or given.value.startswith("@"):
        tell(given.source, f"{name} is {given.describe()}; a file's name", "type")
        return ""
    return given.value


def read_list(given: Node | None, name: str, tell: Report) -> list[Node]:
    """The entries of a list."""
    if given is None:
        return []
    if not given.is_list:
        such = f", [{given.text}]" if given.is_scalar and given.value is not None else ""
        tell(given.source, f"{name} is {given.describe()}; a list is asked for{such}", "type")
    return given.list_nodes()
