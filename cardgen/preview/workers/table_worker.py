"""The virtual table as a save for Tabletop Simulator lays it, seen from above.

One call of the press that works beside the wall's. Nothing is set or drawn: the page has pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from cardgen.book.editions import WrittenBooks
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.inventory import format_count
from cardgen.game.model import Deck, Game, Piece
from cardgen.game.tabletop_file import TABLETOP_FILE
from cardgen.outputs.contract import Job
from cardgen.preview.sheet_choices import SheetChoices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.tabletop import card_descriptions, table_contents, table_setup, tts_objects
from cardgen.tabletop.table_contents import HAND_PREFIX, NOTE_PREFIX, RULEBOOK_ID, TableContents
from cardgen.tabletop.table_layout import TableSpot
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM
from cardgen.tabletop.tts_save import format_object_name, place_on_board
from cardgen.words.languages import get_word

TABLE_SECONDS = 60.0


def lay_out_table(call: tuple[GameLocation, str]) -> Json:
    """What lies where, mm from the table's middle, x to the right and y to the near side, turned
    clockwise; and what is wrong with it. `things` is None where that cannot be told."""
    place, language = call
    at = render_worker.get_current_session(place)
    wrong = [problem_to_json(p) for p in at.last_update.problems if p.severity == "error"][:1]
    if at.game is None or at.faces is None:
        return {"things": None, "why": wrong}
    game = at.game
    code = language if language in game.languages else game.languages[0]
    decks = tuple(deck for deck in game.decks if deck.id not in at.faces.blocked_decks)
    options = SheetChoices().make_request(place, game).options
    assert options is not None
    try:
        with work_limits.work_limit("the table", TABLE_SECONDS):
            job = Job(game, decks, (code,), at.faces, WrittenBooks(), at.store, options)
            _, problems = table_setup.set_up_table(game, job.face_facts, code)
            stock = table_contents.build_table(job, code, extras=True)
            things = [
                shown for thing in stock.objects for shown in _describe_thing(thing, stock, game)
            ]
    except LimitExceededError as error:
        message = f"the table cannot be laid: {error}"
        problem = Problem(
            game.table.source if game.table else Source(TABLETOP_FILE), message, "bounds"
        )
        return {"things": None, "why": [problem_to_json(problem)]}
    if wrong and not things:
        return {"things": None, "why": wrong}
    told = [*problems, *_find_unplaced(game, stock)]
    return {
        "language": code,
        "things": things,
        "extras": list(_describe_extras(game, stock)),
        "why": [problem_to_json(problem) for problem in told],
        "waiting": [deck.id for deck in game.decks if deck.id in at.faces.blocked_decks],
        "source": asdict(game.table.source) if game.table else None,
    }


def _describe_spot(spot: TableSpot, width: float, height: float) -> Json:
    return {"x": spot.x, "y": -spot.y, "turn": spot.turn, "width": width, "height": height}


def _describe_thing(thing: TableObject, stock: TableContents, game: Game) -> Iterator[Json]:
    """A thing, and the markers that lie on it."""
    spot = stock.spots[thing.id]
    lying = replace(spot, turn=(spot.turn + thing.turn) % 360)
    in_bag = thing.kind in {"bag", "infinite"}
    size = thing.deck.size
    width, height = (BAG_MM, BAG_MM) if in_bag else (size.width, size.height)
    yield {
        **_describe_spot(lying, width, height),
        "id": thing.id, "kind": thing.kind, "deck": thing.deck.id,
        "name": format_object_name(thing, game, stock.language),
        "side": "front" if thing.face_up else "back", "locked": thing.locked, "count": thing.copy_count,
        "cards": [[f"{thing.deck.id}/{piece.id}", copies] for piece, copies in thing.pieces],
    }  # fmt: skip
    for number, marker in enumerate(thing.markers):
        there = place_on_board(marker.x, marker.y, thing.deck, lying).spot
        yield {
            **_describe_spot(there, marker.deck.size.width, marker.deck.size.height),
            **_describe_marker(
                f"{thing.id}/{number}", marker.deck, marker.piece, game, stock.language
            ),
        }


def _describe_marker(id_: str, deck: Deck, piece: Piece, game: Game, language: str) -> Json:
    return {
        "id": id_, "kind": "marker", "deck": deck.id, "side": "front", "locked": False, "count": 1,
        "name": card_descriptions.format_nickname(piece, game, language),
        "cards": [[f"{deck.id}/{piece.id}", 1]],
    }  # fmt: skip


def _describe_extras(game: Game, stock: TableContents) -> Iterator[Json]:
    """Notes, the rulebook's place and the hands."""
    language = stock.language
    for number, note in enumerate(game.table.notes if game.table else ()):
        title, text = (
            card_descriptions.strip_markup(words[language], game, language)
            for words in (note.title, note.text)
        )
        spot = _describe_spot(stock.spots[f"{NOTE_PREFIX}{number}"], *NOTE_MM)
        yield {**spot, "kind": "note", "name": title, "text": text, "source": asdict(note.source)}
    yield {
        **_describe_spot(stock.spots[RULEBOOK_ID], *PDF_MM), "kind": "rulebook",
        "name": get_word("table.rulebook", language),
    }  # fmt: skip
    colours = tts_objects.assign_seat_colours(game.players)
    for player in game.players:
        if f"{HAND_PREFIX}{player.id}" in stock.spots and player.id in colours:
            spot = _describe_spot(stock.spots[f"{HAND_PREFIX}{player.id}"], *HAND_MM)
            name = f"{get_word('table.hand', language)} – {player.name[language]}"
            colour = tts_objects.SEAT_COLOURS[colours[player.id]]
            yield {**spot, "kind": "hand", "name": name, "colour": colour}


def _find_unplaced(game: Game, stock: TableContents) -> Iterator[Problem]:
    """What a table hides: copies that lie nowhere, and players who cannot sit down."""
    source = game.table.source if game.table else Source(TABLETOP_FILE)
    lying: dict[tuple[str, str], int] = {}
    for thing in stock.objects:
        for deck, piece, copies in _list_thing_pieces(thing):
            lying[deck.id, piece.id] = lying.get((deck.id, piece.id), 0) + copies
    for deck in game.decks:
        if deck.id not in stock.atlases:
            continue
        gone = [p for p in deck.pieces if lying.get((deck.id, p.id), 0) < p.copies]
        if gone:
            copies = sum(p.copies - lying.get((deck.id, p.id), 0) for p in gone)
            message = f"{format_count(copies, 'piece')} of {deck.id} lie nowhere: {_summarise_pieces(gone)}"
            yield Problem(source, message, "tabletop", "warning")
    colours = tts_objects.assign_seat_colours(game.players)
    for player in game.players:
        if player.id not in colours:
            message = (
                f"{player.id} has no seat; Tabletop Simulator has {len(tts_objects.SEAT_COLOURS)}"
            )
            yield Problem(source, message, "tabletop", "warning")


def _list_thing_pieces(thing: TableObject) -> Iterator[tuple[Deck, Piece, int]]:
    for piece, copies in thing.pieces:
        yield thing.deck, piece, copies
    for marker in thing.markers:
        yield marker.deck, marker.piece, 1


def _summarise_pieces(pieces: Sequence[Piece]) -> str:
    listed = ", ".join(piece.id for piece in pieces[:4])
    return f"{listed} and {len(pieces) - 4} more" if len(pieces) > 4 else listed
