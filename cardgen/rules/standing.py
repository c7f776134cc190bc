"""What each rule of a game asks, and what the cards come to now, whether it is broken or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.game.model import Game, Rule
from cardgen.rules import rulekinds
from cardgen.rules.measures import Measure
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


def standings(game: Game) -> Iterator[Standing]:
    """Every rule of the game, in its order. What is broken, `composition.check` tells."""
    database = Database(game)
    for rule in game.rules:
        try:
            with guard.at(f"the rule {rule.id}, measured"):
                kind = rulekinds.of(rule, database)
                measures = tuple(kind.measures())
                figures = () if measures else tuple(kind.figures())
                standing = Standing(rule, kind.asks(_SIGNS), measures, figures)
        except (CannotEvaluate, TooCostly, Stopped) as error:
            standing = Standing(rule, why=str(error))
        yield standing
