"""The cards of a deck: from `cards:` and the tables under `rows:` to pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Subject
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_ids, card_tables
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import CARD_KEYS, MAX_COPIES
from cardgen.game.field_types import read_values
from cardgen.game.keys import check_keys, read_list, read_name, read_whole
from cardgen.game.model import Deck, Field, Piece, Player

_SIDES = ("front", "back")
"""What a card may say beside its fields, too, unless the deck has a field of that name."""
_COPIES_HINTS = dict.fromkeys(
    ("count", "qty", "quantity", "amount", "number", "kpl"), "; how many there are is 'copies'"
)
_PICTURE_KEYS = ("picture", "image", "art", "illustration")
"""What cards without such a field say all the same."""
MAX_CARDS_PER_DECK = 20_000


def _read_card_rows(
    node: Node, fields: Mapping[str, Field], root: Path, checker: Checker
) -> list[Node]:
    found = read_list(node.get("cards"), "cards", checker.report)
    said = card_tables.read_columns(node.get("columns"), checker.report)
    told = len(checker.problems)
    names: set[str] = set()
    whole = True
    for table in card_tables.read_table_list(node.get("rows"), checker.report):
        rows, columns, problems = card_tables.read_table(
            table, root, fields, said, _list_extra_keys(fields)
        )
        checker.problems += [replace(problem, subject=checker.subject) for problem in problems]
        found = found + rows
        names.update(columns)
        whole = whole and bool(columns)
    if whole:
        checker.problems += [
            replace(p, subject=checker.subject)
            for p in card_tables.report_missing_columns(said, names)
        ]
    if not found and len(checker.problems) == told:
        checker.report(node.source, "the deck has no cards", "empty")
    return found


def read_pieces(
    node: Node, fields: Mapping[str, Field], root: Path, players: Sequence[Player], checker: Checker
) -> tuple[Piece, ...]:
    """The pieces of a deck whose file is that node, in a game with those players."""
    name = checker.subject.deck
    each = _read_for_each(node, players, checker)
    found: list[Piece] = []
    seen = card_ids.UsedIds()
    for row in _read_card_rows(node, fields, root, checker):
        checker.subject = Subject(name)
        if not row.is_mapping:
            checker.report(row.source, f"a card is {row.describe()}; a mapping with id: …", "type")
            continue
        card_id = card_ids.read_card_id(row, node.source, seen, checker)
        checker.subject = Subject(name, card_id)
        known = {*fields, *_list_extra_keys(fields)}
        check_keys(row, known, "", checker.report, _list_key_hints(name, card_id))
        held = read_values(checker, row, fields, "")
        own = [_read_card_template(row, side, fields, checker) for side in _SIDES]
        copies = read_whole(row.get("copies"), "'copies'", 1, (0, MAX_COPIES), checker.report)
        for player in each:
            piece_id = f"{card_id}-{player.id}" if player else card_id
            number = len(found) + 1
            found.append(
                Piece(piece_id, name, held, copies, number, row.source, row.keys, player, *own)
            )
    checker.subject = Subject(name)
    most = work_limits.scale_limit(MAX_CARDS_PER_DECK)
    if len(found) > most:
        checker.report(node.source, f"more than {most} cards in one deck", "size")
    if _is_ordered_by_player(node, checker):
        found = [piece for player in each for piece in found if piece.player == player]
        found = [replace(piece, number=number) for number, piece in enumerate(found, start=1)]
    return tuple(found[:most])


def _is_ordered_by_player(node: Node, checker: Checker) -> bool:
    """Whether all pieces of one player stand before the next one's."""
    given = node.get("order")
    if given is None:
        return False
    if given.value != "player":
        checker.report(given.source, f"order is {given.describe()}; it is player", "type")
    elif node.get("for_each") is None:
        checker.report(given.source, "order: player asks for for_each: player, too", "fields")
    return bool(given.value == "player")


def _list_key_hints(deck: str, card_id: str) -> dict[str, str]:
    """What to say of names that other tools have for what every card has here."""
    picture = f"; without a field, a card's picture is art/{deck}/{card_id}.png"
    return {**_COPIES_HINTS, **dict.fromkeys(_PICTURE_KEYS, picture)}


def _list_extra_keys(fields: Mapping[str, Field]) -> list[str]:
    """What cards of such fields say beside them."""
    return [*CARD_KEYS, *(side for side in _SIDES if side not in fields)]


def _read_card_template(row: Node, side: str, fields: Mapping[str, Field], checker: Checker) -> str:
    """A card's own template; "" where it has the deck's."""
    return "" if side in fields else read_name(row.get(side), side, checker.report)


def check_card_backs(deck: Deck, checker: Checker) -> None:
    """Backs of single cards in a deck that has none."""
    for piece in deck.pieces if not deck.back else ():
        if piece.back:
            message = "the card has a back, and its deck has none; give it one: back: …"
            source = piece.sources.get("back", piece.source)
            where = Subject(deck.id, piece.id)
            checker.problems.append(Problem(source, message, "fields", subject=where))


def _read_for_each(
    node: Node, players: Sequence[Player], checker: Checker
) -> Sequence[Player | None]:
    """The players that every card is made for; None for a deck that is nobody's."""
    given = node.get("for_each")
    if given is None:
        return (None,)
    if given.value != "player":
        checker.report(given.source, f"for_each is {given.describe()}; it is player", "type")
        return (None,)
    if not players:
        checker.report(given.source, "for_each: player, but game.yaml has no players", "reference")
        return (None,)
    return players
