"""The cards of a deck: `cards:` and the tables under `rows:`, read as pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Subject
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_ids, card_tables
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import CARD_KEYS, DECK_KEYS, SIDE_KEYS
from cardgen.game.field_types import read_values
from cardgen.game.heading_words import find_role
from cardgen.game.keys import check_keys
from cardgen.game.model import Deck, Field, Piece, Player

_COPIES_HINT = "; the number of copies is 'copies'"
_PICTURE_KEYS = ("picture", "image", "art", "illustration")
"""Names for a card's picture in other tools."""
MAX_CARDS_PER_DECK = 20_000


def read_pieces(
    node: Node, fields: Mapping[str, Field], root: Path, players: Sequence[Player], checker: Checker
) -> tuple[Piece, ...]:
    """Return the pieces of a deck file. Problems go to the checker."""
    deck = checker.subject.deck
    owners = _read_for_each(node, players, checker)
    extra_keys = [*CARD_KEYS, *(side for side in SIDE_KEYS if side not in fields)]
    pieces: list[Piece] = []
    used_ids = card_ids.UsedIds()
    for row in _read_card_rows(node, fields, extra_keys, root, checker):
        checker.subject = Subject(deck)
        if not row.is_mapping:
            message = f"a card is {row.describe()}; expected a mapping with id: …"
            checker.report(row.source, message, "type")
            continue
        card_id = card_ids.read_card_id(row, node.source, used_ids, checker)
        checker.subject = Subject(deck, card_id)
        picture = f"; without a field, a card's picture is art/{deck}/{card_id}.png"
        known = {*fields, *extra_keys}
        strange = (key for key, _ in row.items() if key not in known)
        hints = {key.lower(): _COPIES_HINT for key in strange if find_role(key) == "copies"}
        hints |= dict.fromkeys(_PICTURE_KEYS, picture)
        check_keys(row, known, "", checker.report, hints)
        values = read_values(checker, row, fields, "")
        front, back = (
            "" if side in fields else key.read(row.get(side), side, checker.report)
            for side, key in SIDE_KEYS.items()
        )
        copies = CARD_KEYS["copies"].read(row.get("copies"), "'copies'", checker.report)
        for player in owners:
            piece_id = f"{card_id}-{player.id}" if player else card_id
            pieces.append(
                Piece(
                    piece_id, deck, values, copies, len(pieces) + 1, row.source, row.keys, player,
                    front, back,
                )
            )  # fmt: skip
    checker.subject = Subject(deck)
    most = work_limits.scale_limit(MAX_CARDS_PER_DECK)
    if len(pieces) > most:
        checker.report(node.source, f"the deck has more than {most} cards; split it", "size")
    order = DECK_KEYS["order"].read(node.get("order"), "order", checker.report)
    if order and node.get("for_each") is None:
        message = "order: player has no effect without for_each: player; add that, too"
        checker.report(node.value["order"].source, message, "fields")
    if order:
        pieces = [piece for player in owners for piece in pieces if piece.player == player]
        pieces = [replace(piece, number=number) for number, piece in enumerate(pieces, start=1)]
    return tuple(pieces[:most])


def _read_card_rows(
    node: Node,
    fields: Mapping[str, Field],
    extra_keys: Sequence[str],
    root: Path,
    checker: Checker,
) -> list[Node]:
    """Return a mapping node for each card, of the deck file and of its tables."""
    earlier = len(checker.problems)
    rows = [*DECK_KEYS["cards"].read(node.get("cards"), "cards", checker.report)]
    columns = card_tables.read_columns(node.get("columns"), checker.report)
    names: set[str] = set()
    is_complete = True
    table_problems: list[Problem] = []
    for table in card_tables.read_table_list(node.get("rows"), checker.report):
        table_nodes, table_names, problems = card_tables.read_table(
            table, root, fields, columns, extra_keys, checker.languages
        )
        table_problems += problems
        rows += table_nodes
        names.update(table_names)
        is_complete = is_complete and bool(table_names)
    if is_complete:
        table_problems += card_tables.report_columns(columns, names)
    checker.problems += [replace(each, subject=checker.subject) for each in table_problems]
    if not rows and len(checker.problems) == earlier:
        checker.report(node.source, "the deck has no cards", "empty")
    return rows


def _read_for_each(
    node: Node, players: Sequence[Player], checker: Checker
) -> Sequence[Player | None]:
    """Return the players who each have every card; (None,) for a deck without owners."""
    given = node.get("for_each")
    if given is None or not DECK_KEYS["for_each"].read(given, "for_each", checker.report):
        return (None,)
    if not players:
        message = "for_each: player needs players in game.yaml, and there are none"
        checker.report(given.source, message, "reference")
        return (None,)
    return players


def check_card_backs(deck: Deck, checker: Checker) -> None:
    """Report cards with a back of their own in a deck without backs."""
    for piece in deck.pieces if not deck.back else ():
        if piece.back:
            message = "the card has a back, but its deck has none; add one to the deck: back: …"
            source = piece.sources.get("back", piece.source)
            subject = Subject(deck.id, piece.id)
            checker.problems.append(Problem(source, message, "fields", subject=subject))
