"""Queries about cards, faces, rules and rulebooks, answered in the preview's workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Concatenate, ParamSpec, TypeVar

from cardgen.assets import font_files
from cardgen.book import book_cache
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import BookSelection
from cardgen.core.problems import Problem
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import typesetting
from cardgen.faces.model import Face, FaceSet
from cardgen.faces.queries import FaceQueries
from cardgen.game import card_notes, game_folder, inventory
from cardgen.game.card_notes import CardNote, NotesError
from cardgen.game.model import Game
from cardgen.pipeline.request import CardFilter, NotInGameError, filter_decks
from cardgen.preview.messages import GameLocation
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.render_worker import get_current_session, get_session
from cardgen.rules import bound_edits
from cardgen.rules.bound_edits import BoundEditError
from cardgen.rules.rule_kinds import list_rule_statuses
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store

Call = ParamSpec("Call")
Result = TypeVar("Result")
SLOW_EXPRESSION_SECONDS = 2.0
"""An expression that took longer is not tried in another form."""


def answer_anew(
    function: Callable[Concatenate[GameLocation, Call], Result], location: GameLocation,
    *args: Call.args, **kwargs: Call.kwargs,
) -> Result:  # fmt: skip
    """Return the answer of one of the other queries about the game as it is now."""
    get_current_session(location)
    return function(location, *args, **kwargs)


def find_matching_cards(location: GameLocation, where: str) -> tuple[tuple[str, ...], str]:
    """Return the cards, as deck/card, for which an expression holds, and the error, if any."""
    game = get_session(location).game
    if game is None:
        return (), "the game cannot be read"
    started = time.monotonic()
    try:
        decks = filter_decks(game, game.decks, CardFilter((), where))
    except NotInGameError as error:
        is_slow = time.monotonic() - started > SLOW_EXPRESSION_SECONDS
        return (), "" if not is_slow and _matches_no_card(game, where) else str(error)
    return tuple(f"{deck.id}/{piece.id}" for deck in decks for piece in deck.pieces), ""


def _matches_no_card(game: Game, where: str) -> bool:
    """Tell whether an expression that was refused is valid and only holds for no card."""
    try:
        filter_decks(game, game.decks, CardFilter((), f"({where}) or true"))
    except NotInGameError:
        return False
    return True


def list_card_fields(location: GameLocation, deck_id: str, card: str) -> list[dict[str, Any]]:
    """Return the fields of a card that have a value, in the order of their deck.

    Each has its name, source, and values: several when a text differs between languages. An unknown
    card has no fields.
    """
    game = get_session(location).game
    deck = game.get_deck(deck_id) if game else None
    piece = next((each for each in deck.pieces if each.id == card), None) if deck else None
    if game is None or deck is None or piece is None:
        return []
    fields = []
    for name in deck.fields:
        value = piece.values.get(name)
        source = piece.sources.get(name, piece.source)
        if value not in (None, (), "", False):
            values = [inventory.format_value(value, code) for code in game.languages]
            fields.append({"name": name, "values": list(dict.fromkeys(values)), **asdict(source)})
    return fields


def inspect_face(location: GameLocation, picture: str) -> dict[str, Any]:
    """Return the boxes and texts of a picture's face, each with its line.

    Lengths are in mm from the top left corner of the bleed. Placeholders and pictures of an earlier
    update have none.
    """
    session = get_session(location)
    face = session.faces_by_picture.get(picture)
    if session.game is None or session.faces is None or face is None or face.is_placeholder:
        return {"boxes": [], "texts": []}
    return describe_layout(session.game, session.faces, face, session.store)


def describe_layout(game: Game, faces: FaceSet, face: Face, store: Store) -> dict[str, Any]:
    """Return the boxes and texts of a face that can be typeset."""
    (batch,) = typesetting.make_batches(game, faces.fonts, {face.key: face})
    found = typesetting.inspect_face(batch, store)
    boxes = [{**vars(box), **_locate_template_line(box.location)} for box in found.boxes]
    texts = [
        {"text": run.text, "left": run.left, "top": run.top, "width": run.right - run.left,
         "height": run.bottom - run.top, "size": run.size, "weight": run.weight,
         "style": run.style, "families": run.families, **_locate_template_line(run.location)}
        for run in found.runs
    ]  # fmt: skip
    return {"boxes": boxes, "texts": texts}


def _locate_template_line(location: str) -> dict[str, Any]:
    """Split a template location such as `loot.html:3` into path and line."""
    name, _, line = location.rpartition(":")
    return {
        "path": f"{game_folder.TEMPLATES_FOLDER}/{name}",
        "line": int(line) if line.isdecimal() else 0,
    }


def report_rules(location: GameLocation) -> list[dict[str, Any]]:
    """Return every rule with its source, its requirement and its measurements with their bounds.

    `bounds` are those that can be changed. Broken rules are among the problems of the game.
    """
    stages = get_session(location).stages
    rules: list[dict[str, Any]] = []
    if stages is None:
        return rules
    facts = FaceQueries(stages.game, stages.faces, stages.store)
    bounds = bound_edits.read_bounds(location.root)
    try:
        with render_worker.limit_time(stages.game, "the game's rules, measured"):
            for status in list_rule_statuses(stages.game, facts):
                rule = status.rule
                rules.append({
                    "id": rule.id, "because": rule.because, "section": rule.section,
                    "severity": rule.severity, "kind": rule.kind, **asdict(rule.source),
                    "bounds": bounds.get(rule.source.line, {}),
                    "asks": status.requirement, "figures": status.figures, "why": status.error,
                    "measures": [
                        {**asdict(measure), "holds": measure.is_within_bounds}
                        for measure in status.measures
                    ],
                })  # fmt: skip
    except LimitExceededError:
        pass  # `check_game` reports it
    return rules


def change_bound(location: GameLocation, line: int, key: str, was: float, value: float) -> str:
    """Write another bound of a rule into its file; return why that failed, or ""."""
    return _explain_failure(bound_edits.change_bound, location.root, line, key, was, value)


def list_notes(location: GameLocation) -> dict[str, Any]:
    """Return the notes about cards, and why they cannot be read, if so."""
    try:
        notes = card_notes.read_notes(location.root)
    except NotesError as error:
        return {"notes": (), "why": str(error)}
    return {"notes": [asdict(note) for note in notes], "why": ""}


def add_note(location: GameLocation, card: str, text: str) -> str:
    """Write a note about a card, with today's date; return why that failed, or ""."""
    today = time.strftime("%Y-%m-%d")
    return _explain_failure(card_notes.add_note, location.root, card, text, today)


def resolve_note(location: GameLocation, note: CardNote) -> str:
    """Write whether a note is settled; return why that failed, or ""."""
    return _explain_failure(card_notes.resolve_note, location.root, note)


def _explain_failure(write: Callable[Call, None], *args: Call.args, **named: Call.kwargs) -> str:
    """Write into a file of the game; return why that failed, or ""."""
    try:
        write(*args, **named)
    except (BoundEditError, NotesError) as error:
        return str(error)
    return ""


def check_books(location: GameLocation) -> tuple[Problem, ...]:
    """Check the rulebooks of the game as it is now without typesetting them."""
    session = get_current_session(location)
    game, faces = session.game, session.faces
    if game is None or faces is None or not game_files.has_entry(location.root, RULEBOOK_FOLDER):
        return ()

    def check() -> list[Problem]:
        glyphs = font_files.read_all_code_points(faces.fonts, session.store)
        queries = FaceQueries(game, faces, session.store, sets=True)
        wanted = BookSelection(game.languages)
        return book_cache.load_books(game, wanted, glyphs, session.store, queries).problems

    found, problems = render_worker.run_in_build_folder(session, check)
    return (*(found or ()), *problems)
