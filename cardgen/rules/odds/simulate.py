"""The rule kind `simulate`: a flow in turns, run many times, for what has no closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.base import schema
from cardgen.base.problems import did_you_mean
from cardgen.base.schema import Schema
from cardgen.game.model import Game
from cardgen.rules import asked as written
from cardgen.rules.kind import DECKS, Backs, Kind, fraction
from cardgen.rules.measures import Measure
from cardgen.rules.odds import dice, flow
from cardgen.rules.odds.flow import Flow, Outcome, Step
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import in_words

_RUNS, _LEAST_RUNS, _MOST_RUNS = 1_000, 100, 100_000
_MOST_POOLS, _MOST_STEPS = 40, 60
_STEP = ("when", "times", "draw", "roll", "add", "set")
_POOLS = schema.named(schema.EXPRESSION)
KEYS: Mapping[str, Schema] = {
    "pools": schema.said("Numbers that rise and fall, and what each begins with.", _POOLS),
    "turn": schema.said(
        "The steps of a turn, one after the other.",
        schema.several(
            schema.mapping({
                "when": schema.said("Only when this holds.", schema.EXPRESSION),
                "times": schema.said("So often.", schema.EXPRESSION),
                "draw": schema.said("A card of this deck; its fields stand by name.", schema.DECK),
                "roll": schema.said("2d6, or how many sides; gives `rolled`.", schema.EXPRESSION),
                "add": schema.said("What is added to pools.", _POOLS),
                "set": schema.said("What pools become.", _POOLS),
            }),
        ),
    ),
    "turns": schema.said("How many turns there are, at most.", schema.EXPRESSION),
    "until": schema.said("It ends after a turn in which this holds.", schema.EXPRESSION),
    "measure": schema.said("What is counted at the end; or what is to hold.", schema.EXPRESSION),
    "runs": schema.said("How often it is played; 1000 unless said.", schema.whole(100, 100_000)),
    "seed": schema.said("Another number, other runs.", schema.whole(0)),
}  # fmt: skip
"""What a simulation may say, by its word."""


@dataclass
class _Kept:
    """What the simulations of a game came to: a check asks twice, and a book once more."""

    game: Game
    outcomes: dict[str, Outcome]


_MOST_KEPT = 8
_kept: list[_Kept] = []


class Simulate(Kind):
    """What a flow over turns comes to, played many times."""

    keys = "pools turns until runs seed keep remove is at_least at_most tolerance"
    needed = "turn measure"
    own = schema.either(DECKS, {"type": "array", "maxItems": 0})

    def broken(self, _backs: Backs) -> list[str]:
        low, high = self._bounds()
        found = self.outcome()
        if (low is None or found.high >= low) and (high is None or found.low <= high):
            return []
        return [f"{self.told()}; {_asked(low, high, found.shares)} is asked for"]

    def figures(self) -> list[str]:
        found = self.outcome()
        mean, span = _figures(found)
        return [f"{mean} ({span}; {found.runs} ×)"]

    def measures(self) -> list[Measure]:
        low, high = self._bounds()
        scale = 100 if self.outcome().shares else 1
        what = f"{self.arguments['measure']}{', %' if scale > 1 else ''}"
        least, most = (None if bound is None else bound * scale for bound in (low, high))
        return [Measure(what, self.outcome().mean * scale, least, most)]

    def told(self) -> str:
        """What it came to, in a line that says how sure that is."""
        found = self.outcome()
        mean, span = _figures(found)
        return (
            f"{self.arguments['measure']} comes to {mean} in {found.runs} runs, seed {found.seed} "
            f"({span} with 99 % confidence)"
        )

    def outcome(self) -> Outcome:
        """What the runs came to; played once for a game. Raises `CannotEvaluate`."""
        game = self.database.game
        known = next((each.outcomes for each in _kept if each.game is game), None)
        if known is None:
            known = {}
            _kept[_MOST_KEPT - 1 :] = []
            _kept.insert(0, _Kept(game, known))
        key = repr((self.rule.id, self.arguments))
        if key not in known:
            runs = self._whole("runs", _RUNS, _LEAST_RUNS, _MOST_RUNS)
            seed = self._whole("seed", 1, 0, 10**9)
            known[key] = flow.played(self._flow(), self.database, runs, seed)
        return known[key]

    def decks(self, key: str = "") -> list[str]:
        given = self.arguments[key or self.rule.kind]
        return [] if given == [] else super().decks(key)

    def _flow(self) -> Flow:
        decks = self.decks()
        piles = {deck: self._pile(deck) for deck in decks}
        pools = self._pools(decks)
        turn = self.arguments["turn"]
        turn = turn if isinstance(turn, list) else [turn]
        if not turn or len(turn) > _MOST_STEPS:
            raise CannotEvaluate(f"turn: has {len(turn)} steps; 1 to {_MOST_STEPS} make a turn")
        steps = [self._step(step, number, pools, decks) for number, step in enumerate(turn, 1)]
        until = str(self.arguments.get("until") or "")
        turns = self._whole("turns", 0, 1, flow.MOST_TURNS)
        if not turns and not until:
            raise CannotEvaluate(
                "it has no end: say turns: how many there are, or until: what ends it"
            )
        return Flow(pools, piles, steps, turns, until, str(self.arguments["measure"]))

    def _pile(self, deck: str) -> list[dict[str, Any]]:
        keep, remove = (str(self.arguments.get(key) or "") for key in ("keep", "remove"))
        self.check_conditions([deck], remove)
        cards = self.cards([deck], keep)
        return [card for card in cards if not remove or not self.database.evaluate(remove, card)]

    def _pools(self, decks: list[str]) -> dict[str, float]:
        given = self.arguments.get("pools", {})
        if not isinstance(given, Mapping) or len(given) > _MOST_POOLS:
            raise CannotEvaluate("pools: maps names to what they begin with, {crates: 0}")
        taken = {name: f"a field of {deck}" for deck in decks for name in self._fields(deck)}
        taken |= dict.fromkeys((flow.TURN, flow.ROLLED), "a name of its own")
        taken |= dict.fromkeys(self.database.offered, "a constant or a function")
        for name in map(str, given):
            if name in taken:
                raise CannotEvaluate(f"the pool {name} is {taken[name]}, too; give it another name")
            if not name.isidentifier():
                raise CannotEvaluate(f"the pool '{name}' is no name; letters, digits and _")
        return {str(name): self.number(value) for name, value in given.items()}

    def _fields(self, deck: str) -> set[str]:
        return {*self.database.deck(deck).fields, "id", "copies", "player"}

    def _step(self, given: Any, number: int, pools: Mapping[str, float], decks: list[str]) -> Step:
        step = f"step {number}"
        if not isinstance(given, Mapping):
            raise CannotEvaluate(f"{step} is {in_words(given)}; write {{draw: …, add: …}}")
        for key in given:
            if key not in _STEP:
                raise CannotEvaluate(f"{step} takes no '{key}'{did_you_mean(str(key), _STEP)}")
        draw = str(given.get("draw", ""))
        if draw and draw not in decks:
            hint = did_you_mean(draw, decks)
            raise CannotEvaluate(f"{step}: simulate: names no deck '{draw}'{hint}")
        changes = {}
        for key in ("add", "set"):
            changed = given.get(key, {})
            if not isinstance(changed, Mapping):
                raise CannotEvaluate(f"{step}: {key}: maps pools to expressions, {{crates: 1}}")
            for pool in map(str, changed):
                if pool not in pools:
                    raise CannotEvaluate(f"{step}: {_no_pool(pool, pools)}")
            changes[key] = {str(pool): str(of) for pool, of in changed.items()}
        rolled = str(given.get("roll", ""))
        thrown = tuple(dice.read(rolled)) if rolled and dice.are(rolled) else ()
        return Step(
            str(given.get("when", "")), str(given.get("times", "")), draw,
            thrown, "" if thrown else rolled, changes["add"], changes["set"],
        )  # fmt: skip

    def _whole(self, key: str, unless: int, least: int, most: int) -> int:
        if key not in self.arguments:
            return unless
        number = self.number(self.arguments[key])
        if not float(number).is_integer() or not least <= number <= most:
            raise CannotEvaluate(
                f"{key}: comes to {number:g}; it is a whole number, {least} to {most}"
            )
        return int(number)

    def _bounds(self) -> tuple[float | None, float | None]:
        given = self.arguments
        if not {"is", "at_least", "at_most"} & set(given):
            return None, None
        shares = self.outcome().shares
        return written.between(
            given,
            lambda key: self._bound(key, shares),
            lambda asked: self._tolerance(asked, shares),
        )

    def _tolerance(self, asked: float, shares: bool) -> float:
        """Points of a share; of a number a number, or a share of it."""
        given = self.arguments.get("tolerance", 0)
        if not shares and written.is_percentage(given):
            return float(fraction(given)) * abs(asked)
        off = self._bound("tolerance", shares)
        written.not_negative("tolerance", off)
        return off

    def _bound(self, key: str, shares: bool) -> float:
        """A share where a condition is measured, else a number."""
        given = self.arguments.get(key, 0)
        written.as_written(given)
        if not shares:
            if written.is_percentage(given):
                measured = f"{self.arguments['measure']} comes to {self.outcome().mean:.4g}"
                raise CannotEvaluate(f"{key}: {given} is a share, and {measured}; write a number")
            return float(self.number(given))
        if written.is_percentage(given) or not isinstance(given, str):
            return float(fraction(given))
        number = float(self.number(given))
        if not 0 <= number <= 1:
            raise CannotEvaluate(f"{key}: {given} comes to {number:g}, no share; write 1/4 or 25 %")
        return number


def _no_pool(name: str, pools: Mapping[str, float]) -> str:
    if name.isidentifier():
        return f"there is no pool '{name}'{did_you_mean(name, pools)}"
    return f"'{name}' is no pool; an expression with a comma goes in quotes"


def _figures(found: Outcome) -> tuple[str, str]:
    if found.shares:
        return _percent(found.mean), f"{_percent(found.low)[:-2]}–{_percent(found.high)}"
    return f"{found.mean:.4g}", f"{found.low:.4g}–{found.high:.4g}"


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _asked(low: float | None, high: float | None, shares: bool) -> str:
    def said(bound: float) -> str:
        return f"{bound * 100:.4g} %" if shares else f"{bound:g}"

    if low is not None and high is not None:
        return said(low) if low == high else f"{said(low)} to {said(high)}"
    return f"at least {said(low)}" if low is not None else f"at most {said(high or 0.0)}"
