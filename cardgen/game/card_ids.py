"""The id of each card of a deck: its own, or one made of its name or of its row."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.base.problems import Source
from cardgen.base.yamlnodes import Node
from cardgen.game.checking import Checker
from cardgen.game.ids import id_of, wrong_id


@dataclass
class Seen:
    """The ids of a deck so far, each with its place, and the last number of each name."""

    ids: dict[str, Source] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)


def card_id(row: Node, head: Source, seen: Seen, checker: Checker) -> str:
    """The id of a card of the deck whose file begins at `head`; it is put into `seen`. A card of a
    table without a name that letters can spell is called by its row."""
    node = row.get("id")
    if node is None or node.value is None:
        of_table = row.source.path != head.path
        made = id_of(_called(row), seen.ids, seen.numbers)
        if not made and of_table:
            made = id_of(f"row {row.source.line}", seen.ids, seen.numbers)
        if not made:
            checker.problem(row.source, "a card has neither an id nor a name", "fields")
            return f"line-{row.source.line}"
        seen.ids[made] = row.source
        return made
    if not node.is_scalar:
        message = f"id is {node.describe()}; small letters, digits and hyphens are asked for"
        checker.problem(node.source, message, "type")
        return f"line-{row.source.line}"
    own = node.text
    wrong = wrong_id(own)
    if wrong:
        checker.problem(node.source, wrong, "fields")
    if own in seen.ids:
        first = seen.ids[own]
        message = f"the id '{own}' stands twice, first on line {first.line}"
        checker.problem(node.source, message, "duplicate-id")
    seen.ids.setdefault(own, node.source)
    return own


def _called(row: Node) -> str:
    """A card's name or title, in its first language; "" if it has none."""
    for field_name in ("name", "title"):
        node = row.get(field_name)
        node = next((child for _, child in node.items()), node) if node else None
        if node is not None and node.is_scalar and node.value is not None:
            return node.text
    return ""
