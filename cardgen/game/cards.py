"""The cards of a deck: from `cards:` and the tables under `rows:` to pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.base import bounds
from cardgen.base.problems import Problem, Subject
from cardgen.base.yamlnodes import Node
from cardgen.game import card_ids, tables
from cardgen.game.checking import Checker
from cardgen.game.deck_keys import MAX_COPIES, RESERVED
from cardgen.game.fields import values
from cardgen.game.model import Deck, Field, Piece, Player
from cardgen.game.reading import entries, known_keys, whole, word

_SIDES = ("front", "back")
"""What a card may say beside its fields, too, unless the deck has a field of that name."""
_COPIES = dict.fromkeys(
    ("count", "qty", "quantity", "amount", "number", "kpl"), "; how many there are is 'copies'"
)
_PICTURES = ("picture", "image", "art", "illustration")
"""What cards without such a field say all the same."""
MAX_PIECES = 20_000


def _rows(node: Node, fields: Mapping[str, Field], root: Path, checker: Checker) -> list[Node]:
    found = entries(node.get("cards"), "cards", checker.problem)
    said = tables.columns(node.get("columns"), checker.problem)
    told = len(checker.problems)
    names: set[str] = set()
    whole = True
    for table in tables.named(node.get("rows"), checker.problem):
        rows, columns, problems = tables.read(table, root, fields, said, _beside(fields))
        checker.problems += [replace(problem, subject=checker.subject) for problem in problems]
        found = found + rows
        names.update(columns)
        whole = whole and bool(columns)
    if whole:
        checker.problems += [replace(p, subject=checker.subject) for p in tables.unmet(said, names)]
    if not found and len(checker.problems) == told:
        checker.problem(node.source, "the deck has no cards", "empty")
    return found


def pieces(
    node: Node, fields: Mapping[str, Field], root: Path, players: Sequence[Player], checker: Checker
) -> tuple[Piece, ...]:
    """The pieces of a deck whose file is that node, in a game with those players."""
    name = checker.subject.deck
    each = _for_each(node, players, checker)
    found: list[Piece] = []
    seen = card_ids.Seen()
    for row in _rows(node, fields, root, checker):
        checker.subject = Subject(name)
        if not row.is_mapping:
            checker.problem(row.source, f"a card is {row.describe()}; a mapping with id: …", "type")
            continue
        card_id = card_ids.card_id(row, node.source, seen, checker)
        checker.subject = Subject(name, card_id)
        known = {*fields, *_beside(fields)}
        known_keys(row, known, "", checker.problem, _meant(name, card_id))
        held = values(checker, row, fields, "")
        own = [_template(row, side, fields, checker) for side in _SIDES]
        copies = whole(row.get("copies"), "'copies'", 1, (0, MAX_COPIES), checker.problem)
        for player in each:
            piece_id = f"{card_id}-{player.id}" if player else card_id
            number = len(found) + 1
            found.append(
                Piece(piece_id, name, held, copies, number, row.source, row.keys, player, *own)
            )
    checker.subject = Subject(name)
    most = bounds.most(MAX_PIECES)
    if len(found) > most:
        checker.problem(node.source, f"more than {most} cards in one deck", "size")
    if _by_player(node, checker):
        found = [piece for player in each for piece in found if piece.player == player]
        found = [replace(piece, number=number) for number, piece in enumerate(found, start=1)]
    return tuple(found[:most])


def _by_player(node: Node, checker: Checker) -> bool:
    """Whether all pieces of one player stand before the next one's."""
    given = node.get("order")
    if given is None:
        return False
    if given.value != "player":
        checker.problem(given.source, f"order is {given.describe()}; it is player", "type")
    elif node.get("for_each") is None:
        checker.problem(given.source, "order: player asks for for_each: player, too", "fields")
    return bool(given.value == "player")


def _meant(deck: str, card_id: str) -> dict[str, str]:
    """What to say of names that other tools have for what every card has here."""
    picture = f"; without a field, a card's picture is art/{deck}/{card_id}.png"
    return {**_COPIES, **dict.fromkeys(_PICTURES, picture)}


def _beside(fields: Mapping[str, Field]) -> list[str]:
    """What cards of such fields say beside them."""
    return [*RESERVED, *(side for side in _SIDES if side not in fields)]


def _template(row: Node, side: str, fields: Mapping[str, Field], checker: Checker) -> str:
    """A card's own template; "" where it has the deck's."""
    return "" if side in fields else word(row.get(side), side, checker.problem)


def tell_backs(deck: Deck, checker: Checker) -> None:
    """Backs of single cards in a deck that has none."""
    for piece in deck.pieces if not deck.back else ():
        if piece.back:
            message = "the card has a back, and its deck has none; give it one: back: …"
            source = piece.sources.get("back", piece.source)
            where = Subject(deck.id, piece.id)
            checker.problems.append(Problem(source, message, "fields", subject=where))


def _for_each(node: Node, players: Sequence[Player], checker: Checker) -> Sequence[Player | None]:
    """The players that every card is made for; None for a deck that is nobody's."""
    given = node.get("for_each")
    if given is None:
        return (None,)
    if given.value != "player":
        checker.problem(given.source, f"for_each is {given.describe()}; it is player", "type")
        return (None,)
    if not players:
        checker.problem(given.source, "for_each: player, but game.yaml has no players", "reference")
        return (None,)
    return players
