"""The virtual table in the preview: things as the save for Tabletop Simulator places them.

Runs in the preview's book worker. Nothing is drawn: the page has the pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.inventory import format_count
from cardgen.game.model import Game
from cardgen.game.tabletop_file import TABLETOP_FILE
from cardgen.preview.messages import GameLocation
from cardgen.preview.sheet_choices import SheetChoices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.sheet_worker import list_blocked_decks, list_first_error
from cardgen.tabletop import table_contents, table_setup, tts_objects
from cardgen.tabletop.table_contents import (
    BAG_MM,
    HAND_MM,
    HAND_PREFIX,
    NOTE_MM,
    NOTE_PREFIX,
    PDF_MM,
    RULEBOOK_ID,
    TableContents,
    TableSpot,
)
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_save import format_object_name, place_on_board
from cardgen.words.languages import get_word

TABLE_SECONDS = 60.0
MAX_NAMED_CARDS = 4


def lay_out_table(location: GameLocation, language: str) -> Json:
    """Return everything on the table in one language, and its problems.

    Places are in mm from the table's middle, x to the right and y towards the near side; turns are
    clockwise. When the table cannot be laid out, `things` is None.
    """
    session = render_worker.get_current_session(location)
    error = list_first_error(session)
    stages = session.stages
    if stages is None:
        return {"things": None, "why": error}
    game = stages.game
    code = language if language in game.languages else game.languages[0]
    decks = [deck for deck in game.decks if deck.id not in stages.faces.blocked_decks]
    options = SheetChoices().make_request(location, game).options
    source = game.table.source if game.table else Source(TABLETOP_FILE)
    try:
        with work_limits.work_limit("the table", TABLE_SECONDS):
            job = stages.create_job(options, decks=decks, languages=(code,))
            _, problems = table_setup.set_up_table(game, job.face_facts, code)
            contents = table_contents.build_table(job, code, extras=True)
            things = [
                entry
                for thing in contents.objects
                for entry in _describe_thing(thing, contents, game)
            ]
    except LimitExceededError as stopped:
        problem = Problem(source, f"cannot lay out the table: {stopped}", "bounds")
        return {"things": None, "why": [problem_to_json(problem)]}
    if error and not things:
        return {"things": None, "why": error}
    problems = [*problems, *_find_unplaced(game, contents, source)]
    return {
        "language": code,
        "things": things,
        "extras": list(_describe_extras(game, contents)),
        "why": [problem_to_json(problem) for problem in problems],
        "waiting": list_blocked_decks(stages),
        "source": asdict(game.table.source) if game.table else None,
    }


def _describe_spot(spot: TableSpot, width: float, height: float) -> Json:
    return {"x": spot.x, "y": -spot.y, "turn": spot.turn, "width": width, "height": height}


def _describe_thing(thing: TableObject, contents: TableContents, game: Game) -> Iterator[Json]:
    """Yield a thing and the markers on it."""
    spot = contents.spots[thing.id]
    spot = replace(spot, turn=(spot.turn + thing.turn) % 360)
    size = thing.deck.size
    in_bag = thing.kind in {"bag", "infinite"}
    width, height = (BAG_MM, BAG_MM) if in_bag else (size.width, size.height)
    yield {
        **_describe_spot(spot, width, height),
        "id": thing.id, "kind": thing.kind, "deck": thing.deck.id,
        "name": format_object_name(thing, game, contents.language),
        "side": "front" if thing.face_up else "back", "locked": thing.locked,
        "count": thing.copy_count,
        "cards": [[f"{thing.deck.id}/{piece.id}", copies] for piece, copies in thing.pieces],
    }  # fmt: skip
    for number, marker in enumerate(thing.markers):
        place, size = place_on_board(marker.x, marker.y, thing.deck, spot), marker.deck.size
        yield {
            **_describe_spot(place.spot, size.width, size.height),
            "id": f"{thing.id}/{number}", "kind": "marker", "deck": marker.deck.id,
            "side": "front", "locked": False, "count": 1,
            "name": table_contents.format_nickname(marker.piece, game, contents.language),
            "cards": [[f"{marker.deck.id}/{marker.piece.id}", 1]],
        }  # fmt: skip


def _describe_extras(game: Game, contents: TableContents) -> Iterator[Json]:
    """Yield the notes, the rulebook and the hands."""
    language = contents.language
    for number, note in enumerate(game.table.notes if game.table else ()):
        title, text = (
            table_contents.strip_markup(words[language], game, language)
            for words in (note.title, note.text)
        )
        spot = _describe_spot(contents.spots[f"{NOTE_PREFIX}{number}"], *NOTE_MM)
        yield {**spot, "kind": "note", "name": title, "text": text, "source": asdict(note.source)}
    yield {
        **_describe_spot(contents.spots[RULEBOOK_ID], *PDF_MM), "kind": "rulebook",
        "name": get_word("table.rulebook", language),
    }  # fmt: skip
    colours = tts_objects.assign_seat_colours(game.players)
    for player in game.players:
        hand = contents.spots.get(f"{HAND_PREFIX}{player.id}")
        if hand is not None and player.id in colours:
            name = f"{get_word('table.hand', language)} – {player.name[language]}"
            colour = tts_objects.SEAT_COLOURS[colours[player.id]]
            spot = _describe_spot(hand, *HAND_MM)
            yield {**spot, "kind": "hand", "name": name, "colour": colour}


def _find_unplaced(game: Game, contents: TableContents, source: Source) -> Iterator[Problem]:
    """Yield warnings about copies without a place and players without a seat."""
    placed: Counter[tuple[str, str]] = Counter()
    for thing in contents.objects:
        for piece, copies in thing.pieces:
            placed[thing.deck.id, piece.id] += copies
        for marker in thing.markers:
            placed[marker.deck.id, marker.piece.id] += 1
    for deck in game.decks:
        missing = [p for p in deck.pieces if placed[deck.id, p.id] < p.copies]
        if missing and deck.id in contents.atlases:
            copies = sum(p.copies - placed[deck.id, p.id] for p in missing)
            names = summarise((piece.id for piece in missing), MAX_NAMED_CARDS)
            message = f"{format_count(copies, 'piece')} of {deck.id} lie nowhere: {names}"
            yield Problem(source, message, "tabletop", "warning")
    colours = tts_objects.assign_seat_colours(game.players)
    for player in game.players:
        if player.id not in colours:
            message = (
                f"{player.id} has no seat; Tabletop Simulator has {len(tts_objects.SEAT_COLOURS)}"
            )
            yield Problem(source, message, "tabletop", "warning")
