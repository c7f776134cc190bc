"""Set-up of a virtual table: the objects that table.yaml declares, or a sensible default.

Every copy of every card lies in one place. Entries with `take:` and markers get their cards first.
Then the entries without `take:` share the rest. Cards that no entry names lie in the middle, as in
a game without table.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.units import is_number
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource, format_unknown_place
from cardgen.game.model import Deck, Game, Piece, Player, TablePlacement, TableSetup, Text
from cardgen.templates.expression_messages import format_name, format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

MAX_TABLE_OBJECTS = 20_000
_MAX_TOKEN_MM = 45.0
"""Maximum side of one-sided pieces that are tokens."""
_MIN_CARD_MM = 40.0
"""Minimum short side of two-sided pieces that are cards in a bag. Smaller ones are tiles."""
_MIN_BOARD_MM = 145.0
"""Two-sided pieces with a longer side are boards."""
_MAX_SPREAD = 60
"""Maximum number of objects of one entry side by side."""
_MAX_LOOSE_TILES = 12
_OBJECT_KINDS = {
    "deck": "pile", "stacks": "pile", "spread": "pile", "bag": "bag", "infinite": "infinite",
}  # fmt: skip
_PLACE_EXPRESSION = re.compile(r"\{([^{}]*)\}")
"""An expression in the name of a place."""
Copies = list[tuple[Piece, int]]
"""Cards with a number of copies each."""


@dataclass(frozen=True)
class PlacedMarker:
    """A marker on a board: the piece's middle in mm from the board's top left corner.

    `place` names a place of the board, until the board is known.
    """

    deck: Deck
    piece: Piece
    x: float
    y: float
    source: Source
    place: str = ""


@dataclass(frozen=True)
class TableObject:
    """An object on the table: a pile, tile, bag or infinite bag, as `kind` says.

    `pieces` are its cards and their copies. `player` is set for an object at a seat. `id` is the
    same in every build.
    """

    id: str
    kind: str
    deck: Deck
    pieces: tuple[tuple[Piece, int], ...]
    name: Text
    player: Player | None = None
    row: int = 0
    face_up: bool = False
    locked: bool = False
    turn: int = 0
    markers: tuple[PlacedMarker, ...] = ()

    @property
    def copy_count(self) -> int:
        return sum(copies for _, copies in self.pieces)

    @property
    def has_cards(self) -> bool:
        """True if its pieces are cards, false if they are tiles."""
        if self.kind in {"bag", "infinite"}:
            size = self.deck.size
            return bool(self.deck.back) and min(size.width, size.height) >= _MIN_CARD_MM
        return self.kind == "pile"


def set_up_table(
    game: Game, face_facts: FaceFactsSource = NO_FACE_FACTS, language: str = ""
) -> tuple[list[TableObject], list[Problem]]:
    """Return all objects on the game's table, the middle first, and the problems.

    `face_facts` knows the places of boards in a language, by default the game's first.
    """
    setup = _TableSetup(game, face_facts, language or game.languages[0])
    return setup.lay_out(), setup.problems


class _TableSetup:
    """Lays out the table of a game. `copies_left` are the copies that have no place yet."""

    def __init__(self, game: Game, face_facts: FaceFactsSource, language: str) -> None:
        self.game, self.face_facts, self.language = game, face_facts, language
        self.database = CardDatabase(game)
        self.copies_left = {
            (deck.id, piece.id): piece.copies for deck in game.decks for piece in deck.pieces
        }
        self.problems: list[Problem] = []

    def report(self, source: Source, message: str) -> None:
        """Report a problem once, also if each of many boards has it."""
        problem = Problem(source, message, "tabletop")
        if problem not in self.problems:
            self.problems.append(problem)

    def lay_out(self) -> list[TableObject]:
        """Return all objects on the table."""
        table = self.game.table or TableSetup(Source("game.yaml"))
        total, limit = sum(self.copies_left.values()), work_limits.scale_limit(MAX_TABLE_OBJECTS)
        if total > limit:
            self.report(table.source, f"the box holds {total} pieces; a table can hold {limit}")
            return []
        if table.seat and not self.game.players:
            message = "pieces lie at the seat, but game.yaml has no players"
            self.report(table.seat[0].source, message)
            return []
        entries = [(entry, False) for entry in table.middle]
        entries += [(entry, True) for entry in table.seat]
        markers = [self.place_markers(entry) for entry, _ in entries]
        objects: dict[int, list[TableObject]] = {}
        # Entries that name a number come first, and the others share the rest.
        for index, (entry, at_seat) in sorted(
            enumerate(entries), key=lambda each: not (each[1][0].take or each[1][0].markers)
        ):
            objects[index] = self.lay_out_entry(entry, at_seat, markers[index])
        found = [each for index in sorted(objects) for each in objects[index]]
        found += [each for deck in self.game.decks for each in self.lay_out_rest(deck)]
        return _number_duplicates(found)

    def lay_out_rest(self, deck: Deck) -> Iterator[TableObject]:
        """Lay out the cards that no entry names, as in a game without a table."""
        source = self.game.table.source if self.game.table else deck.source
        has_owners = any(piece.player for piece in deck.pieces)
        entry = TablePlacement(deck.id, source, kind=_choose_kind(deck))
        yield from self.lay_out_entry(entry, has_owners, ())
        if has_owners:  # copies that could not be shared evenly
            yield from self.lay_out_entry(entry, False, ())

    def find_deck(self, id_: str) -> Deck:
        deck = self.game.get_deck(id_)
        assert deck is not None, "the reader has checked the names of decks"
        return deck

    def place_markers(self, entry: TablePlacement) -> tuple[PlacedMarker, ...]:
        """Return the markers of a board with their positions in mm, or their places."""
        board = self.find_deck(entry.deck)
        found = []
        for marker in entry.markers:
            deck = self.find_deck(marker.deck)
            named = (piece for piece in deck.pieces if marker.piece in (piece.id, piece.base_id))
            piece = next(named)
            if marker.place:
                found.append(PlacedMarker(deck, piece, 0.0, 0.0, marker.source, marker.place))
                continue
            x, y = (self.evaluate_number(text, marker.source) for text in marker.position)
            if not (0 <= x <= board.size.width and 0 <= y <= board.size.height):
                message = f"{x:g}, {y:g} mm is no place on {board.id} ({board.size})"
                self.report(marker.source, message)
            found.append(PlacedMarker(deck, piece, x, y, marker.source))
        return tuple(found)

    def evaluate_number(self, expression: str, source: Source) -> float:
        """Return the value of an expression, or 0 after a problem."""
        try:
            with work_limits.work_limit(f"{source}: {expression}"):
                value = self.database.evaluate(expression)
        except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
            self.report(source, str(error))
            return 0.0
        if not is_number(value) or abs(value) > 1e6:
            message = f"'{expression}' is {format_value(value)}; write a number"
            self.report(source, message)
            return 0.0
        return float(value)

    def lay_out_entry(
        self, entry: TablePlacement, at_seat: bool, markers: tuple[PlacedMarker, ...]
    ) -> list[TableObject]:
        """Return the objects of an entry, in the middle or at every seat."""
        deck = self.find_deck(entry.deck)
        pieces = [piece for piece in deck.pieces if self.is_selected(entry, piece)]
        if entry.where and not pieces:
            self.report(entry.source, f"'{entry.where}' holds for no card of {deck.id}")
        if not at_seat:
            cards = self.take_cards(entry, pieces, None)
            return self.build_objects(entry, cards, None, markers)
        found = []
        players = self.game.players
        for number, player in enumerate(players):
            own = [piece for piece in pieces if piece.player in (None, player)]
            cards = self.take_cards(entry, own, len(players) - number)
            found += self.build_objects(entry, cards, player, markers)
        return found

    def is_selected(self, entry: TablePlacement, piece: Piece) -> bool:
        if not entry.where:
            return True
        try:
            with work_limits.work_limit(f"{entry.source}: {entry.where}"):
                return bool(self.database.evaluate_on_card(entry.where, entry.deck, piece))
        except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
            self.report(entry.source, str(error))
            return True

    def take_cards(
        self, entry: TablePlacement, pieces: Sequence[Piece], seats_left: int | None
    ) -> Copies:
        """Take the copies of each card for one place out of the box.

        `seats_left` counts the seats to serve, this one included. It is None in the middle.
        """
        cards = []
        wanted = int(self.evaluate_number(entry.take, entry.source)) if entry.take else 0
        for card, group in groupby(pieces, key=lambda piece: piece.base_id):
            copies = list({piece.id: piece for piece in group}.values())
            share = sum(self.copies_left[entry.deck, piece.id] for piece in copies)
            if seats_left is not None and copies[0].player is None:
                # Every seat gets the same. Copies that are left over stay in the middle.
                in_all = sum(piece.copies for piece in copies)
                share = min(share // seats_left, in_all // len(self.game.players))
            missing = wanted if entry.take else share
            for piece in copies:
                if taken := self.take_copies(entry.deck, piece, missing):
                    cards.append((piece, taken))
                    missing -= taken
            if missing:
                message = f"{wanted} × {card} are taken, but only {wanted - missing} are left of"
                self.report(entry.source, f"{message} {entry.deck}")
        return cards

    def take_copies(self, deck: str, piece: Piece, wanted: int) -> int:
        taken = min(wanted, self.copies_left[deck, piece.id])
        self.copies_left[deck, piece.id] -= taken
        return taken

    def build_objects(
        self,
        entry: TablePlacement,
        cards: Copies,
        player: Player | None,
        markers: tuple[PlacedMarker, ...],
    ) -> list[TableObject]:
        """Return the objects of an entry in one place, with their markers."""
        deck = self.find_deck(entry.deck)
        kind = entry.kind or _choose_kind(deck)
        if kind == "none" or not cards:
            return []
        groups = list(_group_cards(kind, entry, cards))
        if len(groups) > _MAX_SPREAD:
            message = f"{len(groups)} things of {deck.id} side by side, {_MAX_SPREAD} at most"
            self.report(entry.source, f"{message}; lay them as a deck or in a bag")
            return []
        face_up = entry.face == "up" or (not entry.face and kind not in {"deck", "bag"})
        objects = []
        for label, group in groups:
            found = TableObject(
                f"{deck.id}{label}{f'@{player.id}' if player else ''}",
                _OBJECT_KINDS.get(kind, "tile"), deck, tuple(group), entry.name or deck.title,
                player, entry.row, face_up,
                entry.locked if entry.locked is not None else kind == "board", entry.turn,
            )  # fmt: skip
            on_board = tuple(
                self.resolve_place(marker, found) if marker.place else marker
                for marker in self.take_markers(markers, player)
            )
            objects.append(replace(found, markers=on_board))
        return objects

    def take_markers(
        self, markers: Iterable[PlacedMarker], player: Player | None
    ) -> list[PlacedMarker]:
        """Return the markers for one board and take them out of the box."""
        found = []
        for marker in markers:
            owner = marker.piece.player
            if owner is not None and player is not None and owner != player:
                continue
            name = marker.piece.base_id
            copies = (piece for piece in marker.deck.pieces if piece.base_id == name)
            for piece in (marker.piece, *copies):
                if self.take_copies(marker.deck.id, piece, 1):
                    found.append(replace(marker, piece=piece))
                    break
            else:
                message = f"no {name} is left of {marker.deck.id} for a board"
                self.report(marker.source, message)
        return found

    def resolve_place(self, marker: PlacedMarker, board: TableObject) -> PlacedMarker:
        """Return a marker in the middle of its place, or of the board after a problem."""
        piece, size = board.pieces[0][0], board.deck.size
        name = self.render_place_name(marker, board.deck, piece)
        side = "front" if board.face_up else "back"
        facts = self.face_facts.get_facts(board.deck.id, piece.id, side, self.language)
        middle = size.width / 2, size.height / 2
        if facts is not None and name is not None:  # otherwise a problem is reported already
            what = f"{board.deck.id}/{piece.id}"
            if name not in facts.places:
                self.report(marker.source, format_unknown_place(name, what, facts.places))
            else:
                x, y = middle = facts.places[name].middle
                if not (0 <= x <= size.width and 0 <= y <= size.height):
                    message = f"'{name}' is at {x:g}, {y:g} mm, off {what} ({size})"
                    self.report(marker.source, message)
        return replace(marker, x=middle[0], y=middle[1], place="")

    def render_place_name(self, marker: PlacedMarker, board: Deck, piece: Piece) -> str | None:
        """Return the name of a marker's place with the values of its expressions.

        Expressions see the board's fields. After a problem the name is None.
        """

        def evaluate_word(match: re.Match[str]) -> str:
            with work_limits.work_limit(f"{marker.source}: {match[1]}"):
                return format_name(self.database.evaluate_on_card(match[1], board.id, piece))

        try:
            return _PLACE_EXPRESSION.sub(evaluate_word, marker.place)
        except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
            self.report(marker.source, str(error))
            return None


def _number_duplicates(objects: Iterable[TableObject]) -> list[TableObject]:
    """Return the objects with different ids, in their order."""
    counts: dict[str, int] = {}
    result = []
    for each in objects:
        number = counts[each.id] = counts.get(each.id, 0) + 1
        result.append(each if number == 1 else replace(each, id=f"{each.id}#{number}"))
    return result


def _choose_kind(deck: Deck) -> str:
    """Return the default kind: tokens lie in bags, boards as tiles, cards in a deck."""
    largest = max(deck.size.width, deck.size.height)
    if not deck.back and largest <= _MAX_TOKEN_MM:
        return "infinite" if any(piece.copies > 1 for piece in deck.pieces) else "bag"
    if not deck.back or largest > _MIN_BOARD_MM:
        owners = len({piece.player.id for piece in deck.pieces if piece.player})
        return "tiles" if deck.count <= _MAX_LOOSE_TILES * max(1, owners) else "bag"
    return "deck"


def _group_cards(kind: str, entry: TablePlacement, cards: Copies) -> Iterator[tuple[str, Copies]]:
    """Yield label and cards of each object of an entry."""
    if kind == "infinite":
        for piece, copies in cards:
            yield f"/{piece.id}", [(piece, copies)]
    elif kind == "stacks":
        stacks: dict[str, Copies] = {}
        for piece, copies in cards:
            value = str(piece.values.get(entry.by)) if entry.by else piece.base_id
            stacks.setdefault(value, []).append((piece, copies))
        for value, group in stacks.items():
            yield f"/{value}", group
    elif kind in {"deck", "bag"}:
        yield "", cards
    else:
        for piece, copies in cards:
            for number in range(copies):
                yield f"/{piece.id}" + (f"/{number + 1}" if copies > 1 else ""), [(piece, 1)]
