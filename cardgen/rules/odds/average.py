"""The rule kind `average`: what the drawn cards come to in the mean, and how far they stray."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardgen.rules import asked as written
from cardgen.rules.kind import fraction
from cardgen.rules.odds import mending, reckoning
from cardgen.rules.odds.conditions import Leaf
from cardgen.rules.odds.distribution import Distribution
from cardgen.rules.odds.drawing import DICE, Drawing, Rows, drawn_words
from cardgen.rules.odds.shares import percent
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import in_words

NINE_OF_TEN = Fraction(9, 10)


@dataclass(frozen=True)
class _Mostly:
    """From where to where it is to lie, in so large a share of all games."""

    low: Fraction
    high: Fraction
    share: Fraction


class Average(Drawing):
    """What an expression comes to over the cards drawn."""

    keys = "draw of where keep remove together is at_least at_most tolerance spread mostly"

    def wrong(self, name: str, rows: Sequence[Rows]) -> Iterator[str]:
        found, stacks = self.distribution(rows)
        low, high = self._bounds()
        spread, mostly = self._spread(), self._mostly()
        if low is None and high is None and not spread and mostly is None:
            raise CannotEvaluate("it needs is:, at_least:, at_most:, spread: or mostly:")
        said = f"{name}: {self._of} {drawn_words(rows, (1, True))}"
        if not (low is None or found.mean >= low) or not (high is None or found.mean <= high):
            parts = [f"{said} comes to {_figure(found.mean, low, high)} in the mean; "
                     f"{_asked(low, high)} is asked for"]  # fmt: skip
            if len(stacks) == 1 and stacks[0].name != DICE:
                parts += mending.of_mean(stacks[0], self._of, low, high)
            yield "; ".join(parts)
        broken = [
            f"{word.replace('_', ' ')} {bound:g}"
            for word, bound in spread
            if (found.spread < bound if word == "at_least" else found.spread > bound)
        ]
        if broken:
            yield (
                f"{said} strays from its mean by {found.spread:.4g}; "
                f"{' and '.join(broken)} is asked for"
            )
        if mostly is not None:
            yield from self._strays(said, found, mostly)

    def _strays(self, said: str, found: Distribution, mostly: _Mostly) -> Iterator[str]:
        share = found.between(mostly.low, mostly.high)
        if share >= mostly.share:
            return
        low, high = found.mostly(mostly.share)
        asked = percent(mostly.share)
        yield (
            f"{said} lies in {_span(mostly.low, mostly.high)} in {percent(share, mostly.share)} "
            f"of games; {asked} is asked for; {asked} lie in {_span(low, high)}"
        )

    def figure(self, name: str, rows: Sequence[Rows]) -> str:
        found, _ = self.distribution(rows)
        low, high = found.mostly(NINE_OF_TEN)
        return f"{name}: {float(found.mean):.4g} ({_span(low, high)})"

    def distribution(
        self, rows: Sequence[Rows]
    ) -> tuple[Distribution, tuple[reckoning.Stack, ...]]:
        """What it comes to, how often; and the cards by their figure."""
        leaf = Leaf(self.where, self._of, "", ())
        stacks = self.counted(rows, [leaf])
        return reckoning.distribution(stacks), stacks

    @property
    def _of(self) -> str:
        of = str(self.arguments.get("of") or "")
        if of:
            return of
        if isinstance(self.arguments[self.rule.kind], Mapping):
            return "value"
        raise CannotEvaluate("it needs of: what of each card is added up")

    def _bounds(self) -> tuple[Fraction | None, Fraction | None]:
        given = self.arguments
        return written.between(given, lambda key: self.bound(key, given[key]), self._tolerance)

    def _tolerance(self, asked: Fraction) -> Fraction:
        """As a number, or as a share of what is asked."""
        given = self.arguments.get("tolerance", 0)
        if isinstance(given, str) and given.rstrip().endswith("%"):
            return fraction(given) * abs(asked)
        off = self.exactly(given)
        written.not_negative("tolerance", off)
        return off

    def _spread(self) -> list[tuple[str, float]]:
        given = self.arguments.get("spread")
        if given is None:
            return []
        given = given if isinstance(given, Mapping) else {"at_most": given}
        if not given or not set(given) <= {"at_least", "at_most"}:
            raise CannotEvaluate("spread: takes at_least: and at_most:, or a number, the most")
        found = [(str(word), float(self.bound(str(word), each))) for word, each in given.items()]
        for _, bound in found:
            written.not_negative("spread", bound)
        written.in_order(*(dict(found).get(word) for word in ("at_least", "at_most")))
        return found

    def _mostly(self) -> _Mostly | None:
        given = self.arguments.get("mostly")
        if given is None:
            return None
        if isinstance(given, list) and len(given) == 2:
            given = {"from": given[0], "to": given[1]}
        if not isinstance(given, Mapping) or not {"from", "to"} <= set(given) <= {
            "from",
            "to",
            "in",
        }:
            said = in_words(given)
            raise CannotEvaluate(
                f"mostly: is {said}; write [12, 20], or {{from: 12, to: 20, in: 95 %}}"
            )
        low, high = self.bound("mostly", given["from"]), self.bound("mostly", given["to"])
        if low > high:
            raise CannotEvaluate(f"mostly: nothing lies from {float(low):g} to {float(high):g}; "
                                 f"write [{float(high):g}, {float(low):g}]")  # fmt: skip
        return _Mostly(low, high, fraction(given["in"]) if "in" in given else NINE_OF_TEN)


def _span(low: Fraction, high: Fraction) -> str:
    return f"{float(low):.6g}–{float(high):.6g}"


def _figure(mean: Fraction, *beside: Fraction | None) -> str:
    """A mean, with as many digits as tell it from the bounds that it breaks."""
    for digits in range(4, 13):
        text = f"{float(mean):.{digits}g}"
        if all(text != f"{float(each):.{digits}g}" for each in beside if each is not None):
            break
    return text


def _asked(low: Fraction | None, high: Fraction | None) -> str:
    if low is not None and high is not None:
        return f"{float(low):g}" if low == high else _span(low, high)
    if low is not None:
        return f"at least {float(low):g}"
    assert high is not None
    return f"at most {float(high):g}"
