"""What is asked of cards, in the press: for which an expression holds, what one says and where, and
what is where on a face."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from cardgen.assets import font_files
from cardgen.book import book_cache
from cardgen.book.editions import BookSelection
from cardgen.book.manuscript import RULEBOOK_FOLDER as BOOKS
from cardgen.core import work_limits
from cardgen.core.problems import Problem
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import typesetting
from cardgen.faces.queries import FaceQueries
from cardgen.game import game_folder, inventory
from cardgen.game.model import Game
from cardgen.pipeline import stages
from cardgen.pipeline.selection import CardFilter, NotInGameError, filter_decks
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.render_worker import GameLocation, get_session
from cardgen.rules.rule_status import list_rule_statuses
from cardgen.runtime import game_files

SLOW_EXPRESSION_SECONDS = 2.0
"""An expression that took so many s is not tried in another form."""


def find_matching_cards(call: tuple[GameLocation, str]) -> tuple[tuple[str, ...], str]:
    """The cards, as deck/card, for which an expression holds, and why that cannot be told."""
    place, where = call
    game = get_session(place).game
    if game is None:
        return (), "the game cannot be read"
    started = time.monotonic()
    try:
        decks = filter_decks(game, game.decks, CardFilter((), where))
    except NotInGameError as error:
        slow = time.monotonic() - started > SLOW_EXPRESSION_SECONDS
        return (), "" if not slow and _matches_no_card(game, where) else str(error)
    return tuple(f"{deck.id}/{piece.id}" for deck in decks for piece in deck.pieces), ""


def list_card_fields(call: tuple[GameLocation, str, str]) -> list[dict[str, Any]]:
    """The fields of a card that say anything, in the order of their deck: name, values (of a text,
    one a language) and line."""
    place, deck_id, card = call
    game = get_session(place).game
    deck = game.get_deck(deck_id) if game else None
    piece = next((each for each in deck.pieces if each.id == card), None) if deck else None
    if game is None or deck is None or piece is None:
        return []
    told = []
    for name in deck.fields:
        value = piece.values.get(name)
        source = piece.sources.get(name, piece.source)
        if value in (None, (), "", False):
            continue
        values = [inventory.format_value(value, code) for code in game.languages]
        own = list(dict.fromkeys(values))
        told.append({"name": name, "values": own, **asdict(source)})
    return told


def inspect_face(call: tuple[GameLocation, str]) -> dict[str, Any]:
    """What is where on a picture's face, mm from its bleed box's top left: boxes with their sizes
    and what they leave, and texts, each with its line. Empty for pictures of an earlier look, and
    for what stands in the place of a face."""
    place, picture = call
    press = get_session(place)
    face = press.faces_by_picture.get(picture)
    if press.game is None or press.faces is None or face is None or face.is_placeholder:
        return {"boxes": [], "texts": []}
    (chunk,) = typesetting.make_batches(press.game, press.faces.fonts, {face.key: face})
    found = typesetting.inspect_face(chunk, press.store)
    boxes = [{**vars(box), **_locate_template_line(box.location)} for box in found.boxes]
    texts = [
        {"text": run.text, "left": run.left, "top": run.top, "width": run.right - run.left,
         "height": run.bottom - run.top, "size": run.size, **_locate_template_line(run.location)}
        for run in found.runs
    ]  # fmt: skip
    return {"boxes": boxes, "texts": texts}


def _locate_template_line(at: str) -> dict[str, Any]:
    """The file and line of a template's mark, `loot.html:3`."""
    name, _, line = at.rpartition(":")
    return {
        "path": f"{game_folder.TEMPLATES_FOLDER}/{name}",
        "line": int(line) if line.isdigit() else 0,
    }


def _matches_no_card(game: Game, where: str) -> bool:
    """Whether an expression that was refused only holds for no card."""
    try:
        filter_decks(game, game.decks, CardFilter((), f"({where}) or true"))
    except NotInGameError:
        return False
    return True


def report_rules(place: GameLocation) -> list[dict[str, Any]]:
    """How each rule stands: its own words and line, what it asks, and what it measures between
    which bounds. What is broken, the problems tell."""
    at = render_worker.get_session(place)
    game = at.game
    if game is None:
        return []
    found: list[dict[str, Any]] = []
    try:
        with work_limits.work_limit("the game's rules, measured", stages.compute_time_limit(game)):
            for each in list_rule_statuses(game, render_worker.read_face_facts(at)):
                rule = each.rule
                told: dict[str, Any] = {
                    "id": rule.id,
                    "because": rule.because,
                    "section": rule.section,
                }
                told |= {"severity": rule.severity, "kind": rule.kind, **asdict(rule.source)}
                told |= {"asks": each.requirement, "figures": each.figures, "why": each.error}
                measures = [{**asdict(one), "holds": one.is_within_bounds} for one in each.measures]
                found.append({**told, "measures": measures})
    except LimitExceededError:
        pass  # the problems tell of it
    return found


def check_books(place: GameLocation) -> tuple[Problem, ...]:
    """What is wrong with the game's books, written and not set."""
    at = render_worker.get_session(place)
    game, faces = at.game, at.faces
    if game is None or faces is None or not game_files.has_entry(place.root, BOOKS):
        return ()
    found: list[Problem] = []

    def write_books() -> None:
        glyphs = font_files.read_all_code_points(faces.fonts, at.store)
        asked = BookSelection(game.languages)
        known = FaceQueries(game, faces, at.store, sets=True)
        made = book_cache.load_books(game, asked, glyphs, at.store, known)
        found.extend(made.problems)

    render_worker.run_in_build_folder(at, write_books, found.append)
    return tuple(found)
