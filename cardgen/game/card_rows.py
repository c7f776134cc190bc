"""The rows of a deck as they are written: in its file, and in its tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from cardgen.core.problems import Source
from cardgen.core.yaml_nodes import Node
from cardgen.core.yaml_trees import YamlPath
from cardgen.game import card_ids, card_tables
from cardgen.game.card_tables import CardTable
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import CARD_KEYS, SIDE_KEYS
from cardgen.game.model import Deck


@dataclass(frozen=True)
class CardRow:
    """A card as it is written, a mapping node. `path` leads to it in the deck's file; it is empty
    for a row of a `table`."""

    id: str
    node: Node
    path: YamlPath = ()
    table: CardTable | None = None


def list_extra_columns(deck: Deck) -> list[str]:
    """Return what cards of a deck may have beside its fields."""
    return [*CARD_KEYS, *(side for side in SIDE_KEYS if side not in deck.fields)]


def list_card_rows(
    root: Path, deck: Deck, node: Node, languages: Collection[str] = ()
) -> list[CardRow]:
    """Return the cards of a deck, whose file is `node`. Problems were reported when it was
    loaded."""
    cards = node.get("cards")
    rows = [
        CardRow("", child, ("cards", number))
        for number, child in enumerate(cards.list_nodes() if cards else ())
    ]
    columns = card_tables.read_columns(node.get("columns"), ignore_problem)
    extra = list_extra_columns(deck)
    for table in card_tables.read_table_list(node.get("rows"), ignore_problem):
        found, _, _ = card_tables.read_table(table, root, deck.fields, columns, extra, languages)
        rows += [CardRow("", child, table=table) for child in found]
    used_ids, scratch = card_ids.UsedIds(), Checker((*languages,), (), ())
    return [
        CardRow(
            card_ids.read_card_id(row.node, node.source, used_ids, scratch),
            row.node, row.path, row.table,
        )
        for row in rows
        if row.node.is_mapping
    ]  # fmt: skip


def ignore_problem(_source: Source, _message: str, _kind: str) -> None:
    """Do nothing: problems of a deck were reported when it was loaded."""
