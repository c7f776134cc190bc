"""What is asked of the press once all is set: how the rules stand, and what is wrong with books.

Each function is one call of `workers.Resident`, as those of `press` are.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cardgen import examining
from cardgen.assets import fontfiles
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem
from cardgen.book import cache
from cardgen.book.editions import Selection
from cardgen.book.manuscript import FOLDER as BOOKS
from cardgen.faces.known import OfFaces
from cardgen.preview import press
from cardgen.preview.press import Place
from cardgen.rules.standing import standings


def rules(place: Place) -> list[dict[str, Any]]:
    """How each rule stands: its own words and line, what it asks, and what it measures between
    which bounds. What is broken, the problems tell."""
    at = press.at(place)
    game = at.game
    if game is None:
        return []
    found: list[dict[str, Any]] = []
    try:
        with guard.at("the game's rules, measured", examining.seconds_of(game)):
            for each in standings(game, press.known_now(at)):
                rule = each.rule
                told: dict[str, Any] = {
                    "id": rule.id,
                    "because": rule.because,
                    "section": rule.section,
                }
                told |= {"severity": rule.severity, "kind": rule.kind, **asdict(rule.source)}
                told |= {"asks": each.asks, "figures": each.figures, "why": each.why}
                measures = [{**asdict(one), "holds": one.holds} for one in each.measures]
                found.append({**told, "measures": measures})
    except Stopped:
        pass  # the problems tell of it
    return found


def books(place: Place) -> tuple[Problem, ...]:
    """What is wrong with the game's books, written and not set."""
    at = press.at(place)
    game, faces = at.game, at.faces
    if game is None or faces is None or not paths.there(place.root, BOOKS):
        return ()
    found: list[Problem] = []

    def write() -> None:
        glyphs = fontfiles.glyphs(faces.fonts, at.store)
        asked = Selection(game.languages)
        known = OfFaces(game, faces, at.store, sets=True)
        made = cache.books_of(game, asked, glyphs, at.store, known)
        found.extend(made.problems)

    press.alone(at, write, found.append)
    return tuple(found)
