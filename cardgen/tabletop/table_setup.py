"""Which things lie on the table: the declared table, or a sensible one, held against the cards.

Every copy of every card lies in one place. What is declared with `take:` and as a marker is served
first, then the entries without `take:` share what is left, and what no entry wants lies in the
middle as a game without a table has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.units import is_number
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource, format_unknown_place
from cardgen.game.model import Deck, Game, Piece, Player, TablePlacement, TableSetup, Text
from cardgen.templates.expression_messages import format_name, format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

_MAX_TOKEN_MM = 45.0
"""One-sided pieces up to this size are tokens."""
_MIN_CARD_MM = 40.0
"""Two-sided pieces from this size on are cards in a bag, smaller ones tiles."""
_MIN_BOARD_MM = 145.0
"""Two-sided pieces above this size are boards."""
_MAX_SPREAD = 60
"""So many things of one entry lie side by side."""
_MAX_LOOSE_TILES = 12
_OBJECT_KINDS = {
    "deck": "pile", "stacks": "pile", "spread": "pile", "bag": "bag", "infinite": "infinite",
}  # fmt: skip
MAX_TABLE_OBJECTS = 20_000
_PLACE_EXPRESSION = re.compile(r"\{([^{}]*)\}")
"""An expression in the name of a place."""


@dataclass(frozen=True)
class PlacedMarker:
    """A marker on a board: the piece's middle in mm from the board's top left corner. `place` is
    the name of the place that it was given, until the board is known."""

    deck: Deck
    piece: Piece
    x: float
    y: float
    source: Source
    place: str = ""


@dataclass(frozen=True)
class TableObject:
    """One thing on the table. `kind` is pile, tile, bag or infinite.

    `pieces` are its cards with how many of each are in the box for it; `player` has it at the
    seat; `id` stays the same between builds.
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
        """Whether its pieces are cards; tiles otherwise."""
        if self.kind in {"bag", "infinite"}:
            return bool(self.deck.back) and _get_short_side(self.deck) >= _MIN_CARD_MM
        return self.kind == "pile"


@dataclass
class _SetupState:
    """How many copies of each card are still in the box; and what is known of faces, in one
    language."""

    game: Game
    database: CardDatabase
    copies_left: dict[tuple[str, str], int]
    face_facts: FaceFactsSource
    language: str
    problems: list[Problem] = field(default_factory=list)

    def take_copies(self, deck: Deck, piece: Piece, wanted: int) -> int:
        key = (deck.id, piece.id)
        taken = min(wanted, self.copies_left[key])
        self.copies_left[key] -= taken
        return taken

    def report_problem(self, source: Source, message: str) -> None:
        self.problems.append(Problem(source, message, "tabletop"))

    def report_once(self, source: Source, message: str) -> None:
        """Tell what may be wrong with each of many boards."""
        problem = Problem(source, message, "tabletop")
        if problem not in self.problems:
            self.problems.append(problem)


def set_up_table(
    game: Game, known: FaceFactsSource = NO_FACE_FACTS, language: str = ""
) -> tuple[list[TableObject], list[Problem]]:
    """Everything that lies on the game's table, middle first, and what is wrong with it. `known`
    tells where the places of boards are, which are looked up in a language, the game's first unless
    told."""
    left = {(deck.id, piece.id): piece.copies for deck in game.decks for piece in deck.pieces}
    box = _SetupState(game, CardDatabase(game), left, known, language or game.languages[0])
    total = sum(left.values())
    if total > work_limits.scale_limit(MAX_TABLE_OBJECTS):
        message = f"the box holds {total} pieces; a table holds {work_limits.scale_limit(MAX_TABLE_OBJECTS)}"
        source = game.table.source if game.table else Source("game.yaml")
        return [], [Problem(source, message, "tabletop")]
    table = game.table or TableSetup(Source("game.yaml"))
    if table.seat and not game.players:
        box.report_problem(
            table.seat[0].source, "pieces lie at the seat, but game.yaml has no players"
        )
        return [], box.problems
    layings = [(laying, False) for laying in table.middle]
    layings += [(laying, True) for laying in table.seat]
    found: dict[int, list[TableObject]] = {}
    marked = {id(laying): _place_markers(laying, box) for laying, _ in layings}
    counted = [bool(laying.take or laying.markers) for laying, _ in layings]
    for index in sorted(range(len(layings)), key=lambda index: (not counted[index], index)):
        laying, at_seat = layings[index]
        found[index] = _lay_out_entry(laying, at_seat, marked[id(laying)], box)
    laid = [thing for index in sorted(found) for thing in found[index]]
    laid += [thing for deck in game.decks for thing in _lay_out_leftovers(deck, box)]
    return _number_duplicates(laid), box.problems


def _number_duplicates(laid: Iterable[TableObject]) -> list[TableObject]:
    """Things whose ids are told apart, in their order."""
    seen: dict[str, int] = {}
    result = []
    for thing in laid:
        number = seen[thing.id] = seen.get(thing.id, 0) + 1
        result.append(thing if number == 1 else replace(thing, id=f"{thing.id}#{number}"))
    return result


def _lay_out_leftovers(deck: Deck, box: _SetupState) -> Iterator[TableObject]:
    """What no entry wants, as a game without a table has it."""
    source = box.game.table.source if box.game.table else deck.source
    of_players = any(piece.player for piece in deck.pieces)
    laying = TablePlacement(deck.id, source, kind=_choose_kind(deck))
    yield from _lay_out_entry(laying, of_players, (), box)
    if of_players:  # what could not be shared out evenly
        yield from _lay_out_entry(laying, False, (), box)


def _choose_kind(deck: Deck) -> str:
    """How pieces lie when nobody says: tokens in bags, boards as tiles, cards in a deck."""
    largest = max(deck.size.width, deck.size.height)
    if not deck.back and largest <= _MAX_TOKEN_MM:
        return "infinite" if any(piece.copies > 1 for piece in deck.pieces) else "bag"
    if not deck.back or largest > _MIN_BOARD_MM:
        return "tiles" if deck.count <= _MAX_LOOSE_TILES * max(1, _count_owners(deck)) else "bag"
    return "deck"


def _count_owners(deck: Deck) -> int:
    return len({piece.player.id for piece in deck.pieces if piece.player})


def _get_short_side(deck: Deck) -> float:
    return min(deck.size.width, deck.size.height)


def _place_markers(laying: TablePlacement, box: _SetupState) -> tuple[PlacedMarker, ...]:
    """The markers of a board, in mm."""
    found = []
    for marker in laying.markers:
        deck = box.game.get_deck(marker.deck)
        assert deck is not None
        piece = next(piece for piece in deck.pieces if piece.id == marker.piece)
        if marker.place:
            found.append(PlacedMarker(deck, piece, 0.0, 0.0, marker.source, marker.place))
            continue
        x, y = (_evaluate_number(text, marker.source, box) for text in marker.position)
        board = box.game.get_deck(laying.deck)
        assert board is not None
        if not (0 <= x <= board.size.width and 0 <= y <= board.size.height):
            box.report_problem(
                marker.source, f"{x:g}, {y:g} mm is no place on {board.id} ({board.size})"
            )
        found.append(PlacedMarker(deck, piece, x, y, marker.source))
    return tuple(found)


def _evaluate_number(expression: str, source: Source, box: _SetupState) -> float:
    try:
        with work_limits.work_limit(f"{source}: {expression}"):
            value = box.database.evaluate(expression)
    except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
        box.report_problem(source, str(error))
        return 0.0
    if not is_number(value) or abs(value) > 1e6:
        box.report_problem(
            source, f"'{expression}' is {format_value(value)}; a number is asked for"
        )
        return 0.0
    return float(value)


def _lay_out_entry(
    laying: TablePlacement, at_seat: bool, markers: tuple[PlacedMarker, ...], box: _SetupState
) -> list[TableObject]:
    deck = box.game.get_deck(laying.deck)
    assert deck is not None
    pieces = [piece for piece in deck.pieces if _is_selected(laying, deck, piece, box)]
    if laying.where and not pieces:
        box.report_problem(laying.source, f"'{laying.where}' holds for no card of {deck.id}")
    if not at_seat:
        cards = _take_cards(laying, deck, pieces, None, box)
        return _add_markers(_build_table_objects(laying, deck, cards, None, box), markers, box)
    found = []
    for number, player in enumerate(box.game.players):
        own = [piece for piece in pieces if piece.player in (None, player)]
        seats_left = len(box.game.players) - number
        cards = _take_cards(laying, deck, own, seats_left, box)
        found += _add_markers(_build_table_objects(laying, deck, cards, player, box), markers, box)
    return found


def _is_selected(laying: TablePlacement, deck: Deck, piece: Piece, box: _SetupState) -> bool:
    if not laying.where:
        return True
    try:
        with work_limits.work_limit(f"{laying.source}: {laying.where}"):
            return bool(box.database.evaluate_on_card(laying.where, deck.id, piece))
    except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
        box.report_once(laying.source, str(error))
        return True


def _take_cards(
    laying: TablePlacement,
    deck: Deck,
    pieces: list[Piece],
    seats_left: int | None,
    box: _SetupState,
) -> list[tuple[Piece, int]]:
    """How many of each card an entry gets in one place, out of the box."""
    cards = []
    wanted = int(_evaluate_number(laying.take, laying.source, box)) if laying.take else 0
    for piece in pieces:
        share = box.copies_left[deck.id, piece.id]
        if seats_left is not None and piece.player is None:
            share //= seats_left
            # An even share for every seat: what does not come out even stays in the middle.
            share = min(share, piece.copies // len(box.game.players))
        taken = box.take_copies(deck, piece, wanted if laying.take else share)
        if taken < wanted:
            message = f"{wanted} × {piece.id} are asked for, and {taken} are left of {deck.id}"
            box.report_problem(laying.source, message)
        if taken:
            cards.append((piece, taken))
    return cards


def _build_table_objects(
    laying: TablePlacement,
    deck: Deck,
    cards: list[tuple[Piece, int]],
    player: Player | None,
    box: _SetupState,
) -> list[TableObject]:
    """The things that an entry makes in one place, still without their markers."""
    kind = laying.kind or _choose_kind(deck)
    if kind == "none" or not cards:
        return []
    groups = list(_group_cards(kind, laying, cards))
    if len(groups) > _MAX_SPREAD:
        message = f"{len(groups)} things of {deck.id} side by side; {_MAX_SPREAD} at most"
        box.report_problem(laying.source, f"{message}; lay them as a deck or in a bag")
        return []
    made = []
    for label, group in groups:
        at = f"@{player.id}" if player else ""
        made.append(
            TableObject(
                f"{deck.id}{label}{at}",
                _OBJECT_KINDS.get(kind, "tile"),
                deck,
                tuple(group),
                laying.name or deck.title,
                player,
                laying.row,
                face_up=laying.face == "up" or (not laying.face and kind not in {"deck", "bag"}),
                locked=laying.locked if laying.locked is not None else kind == "board",
                turn=laying.turn,
            )
        )
    return made


def _add_markers(
    things: list[TableObject], markers: tuple[PlacedMarker, ...], box: _SetupState
) -> list[TableObject]:
    return [
        replace(
            thing, markers=_resolve_places(_take_markers(markers, thing.player, box), thing, box)
        )
        for thing in things
    ]


def _resolve_places(
    markers: tuple[PlacedMarker, ...], board: TableObject, box: _SetupState
) -> tuple[PlacedMarker, ...]:
    """The markers where they lie, now that their board is known."""
    return tuple(
        _resolve_place(marker, board, box) if marker.place else marker for marker in markers
    )


def _resolve_place(marker: PlacedMarker, board: TableObject, box: _SetupState) -> PlacedMarker:
    (piece, _), *_ = board.pieces
    name = _render_place_name(marker, board, box)
    side = "front" if board.face_up else "back"
    facts = box.face_facts.get_facts(board.deck.id, piece.id, side, box.language)
    middle = board.deck.size.width / 2, board.deck.size.height / 2
    if facts is not None and name is not None:  # else what is wrong with them is told
        what, size = f"{board.deck.id}/{piece.id}", board.deck.size
        if name not in facts.places:
            box.report_once(marker.source, format_unknown_place(name, what, facts.places))
        else:
            x, y = middle = facts.places[name].middle
            if not (0 <= x <= size.width and 0 <= y <= size.height):
                off = f"'{name}' is at {x:g}, {y:g} mm, off {what} ({size})"
                box.report_once(marker.source, off)
    return replace(marker, x=middle[0], y=middle[1], place="")


def _render_place_name(marker: PlacedMarker, board: TableObject, box: _SetupState) -> str | None:
    """The name of a marker's place, its expressions reckoned with the board's fields by name; None
    where one cannot be, which is told."""

    def evaluate_word(expression: str) -> str:
        with work_limits.work_limit(f"{marker.source}: {expression}"):
            return format_name(
                box.database.evaluate_on_card(expression, board.deck.id, board.pieces[0][0])
            )

    try:
        return _PLACE_EXPRESSION.sub(lambda found: evaluate_word(found[1]), marker.place)
    except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
        box.report_once(marker.source, str(error))
        return None


def _take_markers(
    markers: tuple[PlacedMarker, ...], player: Player | None, box: _SetupState
) -> tuple[PlacedMarker, ...]:
    """The markers that lie on one board, taken out of the box."""
    served = []
    for marker in markers:
        piece = marker.piece
        if piece.player is not None and player is not None and piece.player != player:
            continue
        if box.take_copies(marker.deck, piece, 1):
            served.append(marker)
        else:
            left = f"no {piece.id} is left of {marker.deck.id} for a board"
            box.report_once(marker.source, left)
    return tuple(served)


def _group_cards(
    kind: str, laying: TablePlacement, cards: list[tuple[Piece, int]]
) -> Iterator[tuple[str, list[tuple[Piece, int]]]]:
    """The things that an entry makes: their labels, and the cards of each."""
    if kind == "infinite":
        for piece, copies in cards:
            yield f"/{piece.id}", [(piece, copies)]
    elif kind == "stacks":
        by_value: dict[str, list[tuple[Piece, int]]] = {}
        for piece, copies in cards:
            value = str(piece.values.get(laying.by)) if laying.by else piece.id
            by_value.setdefault(value, []).append((piece, copies))
        for value, group in by_value.items():
            yield f"/{value}", group
    elif kind in {"deck", "bag"}:
        yield "", cards
    else:
        for piece, copies in cards:
            for number in range(copies):
                yield f"/{piece.id}" + (f"/{number + 1}" if copies > 1 else ""), [(piece, 1)]
