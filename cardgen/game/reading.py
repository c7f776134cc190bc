"""What keys of a mapping hold, read in one way: names, flags, lengths, whole numbers.

What is wrong goes to `tell`; then, and where a key is left out, its default stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from cardgen.base.problems import Problem, Source
from cardgen.base.yamlnodes import Node

Tell = Callable[[Source, str, str], None]
"""Takes where something is wrong, what, and its kind."""


def telling(problems: list[Problem]) -> Tell:
    """What is told becomes a problem in a list."""
    return lambda source, message, kind: problems.append(Problem(source, message, kind))


def known_keys(
    node: Node,
    known: Collection[str],
    where: str,
    tell: Tell,
    meant: Mapping[str, str] | None = None,
) -> None:
    """Tell each key that `where`, such as `a player`, does not take; by `meant`, what to say of
    those that others call something so."""
    within = f" in {where}" if where else ""
    for key, hint in node.unknown(known):
        said = (meant or {}).get(key.lower(), "") or hint
        tell(node.keys[key], f"unknown field '{key}'{within}{said}", "fields")


def flag(given: Node | None, name: str, tell: Tell) -> bool | None:
    """True, false, or nothing."""
    if given is not None and given.flag is None:
        tell(given.source, f"{name} is {given.describe()}; it is true or false", "type")
    return given.flag if given else None


def length(
    given: Node | None, name: str, default: float, bounds: tuple[float, float], tell: Tell
) -> float:
    """Millimetres from the least to the most."""
    found = given.number(*bounds) if given else default
    if given is not None and found is None:
        asked = f"a length from {bounds[0]:g} to {bounds[1]:g} mm"
        tell(given.source, f"{name} is {given.describe()}; {asked}", "size")
    return default if found is None else found


def whole(given: Node | None, name: str, default: int, bounds: tuple[int, int], tell: Tell) -> int:
    """A whole number from the least to the most."""
    found = given.whole(*bounds) if given else default
    if given is not None and found is None:
        least = f"from {bounds[0]} " if bounds[0] else ""
        asked = f"a whole number {least}to {bounds[1]}"
        tell(given.source, f"{name} is {given.describe()}; {asked}", "type")
    return default if found is None else found


def word(given: Node | None, name: str, tell: Tell) -> str:
    """A file's name; "" where there is none."""
    if given is None or given.value is None:
        return ""
    if not isinstance(given.value, str) or given.value.startswith("@"):
        tell(given.source, f"{name} is {given.describe()}; a file's name", "type")
        return ""
    return given.value


def entries(given: Node | None, name: str, tell: Tell) -> list[Node]:
    """The entries of a list."""
    if given is None:
        return []
    if not given.is_list:
        such = f", [{given.text}]" if given.is_scalar and given.value is not None else ""
        tell(given.source, f"{name} is {given.describe()}; a list is asked for{such}", "type")
    return given.nodes()
