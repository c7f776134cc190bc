"""The id of each card of a deck: its own, or one made of its name or of its row."""

from __future__ import annotations

from cardgen.base.problems import Source
from cardgen.base.yamlnodes import Node
from cardgen.game.fields import Checker
from cardgen.game.ids import id_of, wrong_id


def card_id(row: Node, head: Source, seen: dict[str, Source], checker: Checker) -> str:
    """The id of a card of the deck whose file begins at `head`; it is put into `seen`. A card of a
    table without a name that letters can spell is called by its row."""
    node = row.get("id")
    if node is None or node.value is None:
        of_table = row.source.path != head.path
        made = id_of(_called(row), seen) or (
            id_of(f"row {row.source.line}", seen) if of_table else ""
        )
        if not made:
            checker.problem(row.source, "a card has neither an id nor a name", "fields")
            return f"line-{row.source.line}"
        seen[made] = row.source
        return made
    own = node.text
    wrong = wrong_id(own)
    if wrong:
        checker.problem(node.source, wrong, "fields")
    if own in seen:
        first = seen[own]
        message = f"the id '{own}' stands twice, first on line {first.line}"
        checker.problem(node.source, message, "duplicate-id")
    seen.setdefault(own, node.source)
    return own


def _called(row: Node) -> str:
    """A card's name or title, in its first language; "" if it has none."""
    for field_name in ("name", "title"):
        node = row.get(field_name)
        node = next((child for _, child in node.items()), node) if node else None
        if node is not None and node.is_scalar and node.value is not None:
            return node.text
    return ""
