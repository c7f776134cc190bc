"""The virtual table as a save for Tabletop Simulator lays it, seen from above.

One call of the press that works beside the wall's. Nothing is set or drawn: the page has pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.book.editions import Books
from cardgen.game.inventory import counted
from cardgen.game.model import Deck, Game, Piece
from cardgen.game.table_file import FILE
from cardgen.outputs.contract import Job
from cardgen.outputs.tables import descriptions, seats, setup, table_contents
from cardgen.outputs.tables.layout import Spot
from cardgen.outputs.tables.objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM
from cardgen.outputs.tables.save import name_of, on_board
from cardgen.outputs.tables.setup import Thing
from cardgen.outputs.tables.table_contents import HANDS, NOTES, RULEBOOK, Stock
from cardgen.preview import press
from cardgen.preview.choices import Choices
from cardgen.preview.press import Place
from cardgen.preview.wall import Json, problem_json
from cardgen.words.languages import word

_SECONDS = 60.0


def table(call: tuple[Place, str]) -> Json:
    """What lies where, mm from the table's middle, x to the right and y to the near side, turned
    clockwise; and what is wrong with it. `things` is None where that cannot be told."""
    place, language = call
    at = press.now(place)
    wrong = [problem_json(p) for p in at.seen.problems if p.severity == "error"][:1]
    if at.game is None or at.faces is None:
        return {"things": None, "why": wrong}
    game = at.game
    code = language if language in game.languages else game.languages[0]
    decks = tuple(deck for deck in game.decks if deck.id not in at.faces.waiting)
    options = Choices().request(place, game).options
    assert options is not None
    try:
        with guard.at("the table", _SECONDS):
            job = Job(game, decks, (code,), at.faces, Books(), at.store, options)
            _, problems = setup.things(game, job.known, code)
            stock = table_contents.stock(job, code, extras=True)
            things = [shown for thing in stock.things for shown in _thing(thing, stock, game)]
    except Stopped as error:
        message = f"the table cannot be laid: {error}"
        problem = Problem(game.table.source if game.table else Source(FILE), message, "bounds")
        return {"things": None, "why": [problem_json(problem)]}
    if wrong and not things:
        return {"things": None, "why": wrong}
    told = [*problems, *_unseen(game, stock)]
    return {
        "language": code,
        "things": things,
        "extras": list(_extras(game, stock)),
        "why": [problem_json(problem) for problem in told],
        "waiting": [deck.id for deck in game.decks if deck.id in at.faces.waiting],
        "source": asdict(game.table.source) if game.table else None,
    }


def _at(spot: Spot, width: float, height: float) -> Json:
    return {"x": spot.x, "y": -spot.y, "turn": spot.turn, "width": width, "height": height}


def _thing(thing: Thing, stock: Stock, game: Game) -> Iterator[Json]:
    """A thing, and the markers that lie on it."""
    spot = stock.spots[thing.id]
    lying = replace(spot, turn=(spot.turn + thing.turn) % 360)
    in_bag = thing.kind in {"bag", "infinite"}
    size = thing.deck.size
    width, height = (BAG_MM, BAG_MM) if in_bag else (size.width, size.height)
    yield {
        **_at(lying, width, height),
        "id": thing.id, "kind": thing.kind, "deck": thing.deck.id,
        "name": name_of(thing, game, stock.language),
        "side": "front" if thing.face_up else "back", "locked": thing.locked, "count": thing.count,
        "cards": [[f"{thing.deck.id}/{piece.id}", copies] for piece, copies in thing.pieces],
    }  # fmt: skip
    for number, marker in enumerate(thing.markers):
        there = on_board(marker.x, marker.y, thing.deck, lying).spot
        yield {
            **_at(there, marker.deck.size.width, marker.deck.size.height),
            **_marker(f"{thing.id}/{number}", marker.deck, marker.piece, game, stock.language),
        }


def _marker(id_: str, deck: Deck, piece: Piece, game: Game, language: str) -> Json:
    return {
        "id": id_, "kind": "marker", "deck": deck.id, "side": "front", "locked": False, "count": 1,
        "name": descriptions.nickname(piece, game, language),
        "cards": [[f"{deck.id}/{piece.id}", 1]],
    }  # fmt: skip


def _extras(game: Game, stock: Stock) -> Iterator[Json]:
    """Notes, the rulebook's place and the hands."""
    language = stock.language
    for number, note in enumerate(game.table.notes if game.table else ()):
        title, text = (
            descriptions.plain(words[language], game, language) for words in (note.title, note.text)
        )
        spot = _at(stock.spots[f"{NOTES}{number}"], *NOTE_MM)
        yield {**spot, "kind": "note", "name": title, "text": text, "source": asdict(note.source)}
    yield {
        **_at(stock.spots[RULEBOOK], *PDF_MM), "kind": "rulebook",
        "name": word("table.rulebook", language),
    }  # fmt: skip
    colours = seats.colours(game.players)
    for player in game.players:
        if f"{HANDS}{player.id}" in stock.spots and player.id in colours:
            spot = _at(stock.spots[f"{HANDS}{player.id}"], *HAND_MM)
            name = f"{word('table.hand', language)} – {player.name[language]}"
            colour = seats.SEATS[colours[player.id]]
            yield {**spot, "kind": "hand", "name": name, "colour": colour}


def _unseen(game: Game, stock: Stock) -> Iterator[Problem]:
    """What a table hides: copies that lie nowhere, and players who cannot sit down."""
    source = game.table.source if game.table else Source(FILE)
    lying: dict[tuple[str, str], int] = {}
    for thing in stock.things:
        for deck, piece, copies in _pieces(thing):
            lying[deck.id, piece.id] = lying.get((deck.id, piece.id), 0) + copies
    for deck in game.decks:
        if deck.id not in stock.atlases:
            continue
        gone = [p for p in deck.pieces if lying.get((deck.id, p.id), 0) < p.copies]
        if gone:
            copies = sum(p.copies - lying.get((deck.id, p.id), 0) for p in gone)
            message = f"{counted(copies, 'piece')} of {deck.id} lie nowhere: {_named(gone)}"
            yield Problem(source, message, "tabletop", "warning")
    colours = seats.colours(game.players)
    for player in game.players:
        if player.id not in colours:
            message = f"{player.id} has no seat; Tabletop Simulator has {len(seats.SEATS)}"
            yield Problem(source, message, "tabletop", "warning")


def _pieces(thing: Thing) -> Iterator[tuple[Deck, Piece, int]]:
    for piece, copies in thing.pieces:
        yield thing.deck, piece, copies
    for marker in thing.markers:
        yield marker.deck, marker.piece, 1


def _named(pieces: Sequence[Piece]) -> str:
    listed = ", ".join(piece.id for piece in pieces[:4])
    return f"{listed} and {len(pieces) - 4} more" if len(pieces) > 4 else listed
