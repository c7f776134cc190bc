"""What each rule of a game asks, and what the cards come to now, whether it is broken or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import Game, Rule
from cardgen.rules import rulekinds
from cardgen.rules.measures import Measure
from cardgen.rules.on_faces import Waits
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.sandbox import TooCostly

_SIGNS = {"at_least": "≥", "at_most": "≤"}


@dataclass(frozen=True)
class Standing:
    """A rule, what it asks in signs that need no language, and what it measures; where it measures
    nothing, `figures` are what it counts. `why` tells what cannot be evaluated."""

    rule: Rule
    asks: str = ""
    measures: tuple[Measure, ...] = ()
    figures: tuple[str, ...] = ()
    why: str = ""


def standings(game: Game, known: Known = NOTHING) -> Iterator[Standing]:
    """Every rule of the game, in its order; one about faces that are not known measures nothing.
    What is broken, `composition` tells."""
    database = Database(game)
    for rule in game.rules:
        try:
            with guard.at(f"the rule {rule.id}, measured"):
                kind = rulekinds.of(rule, database, known)
                measures = tuple(kind.measures())
                figures = () if measures else tuple(kind.figures())
                standing = Standing(rule, kind.asks(_SIGNS), measures, figures)
        except Waits:
            standing = Standing(rule, kind.asks(_SIGNS))
        except (CannotEvaluate, TooCostly, Stopped) as error:
            standing = Standing(rule, why=str(error))
        yield standing
