"""Exact probabilities of draws without replacement, counted over classes of equal cards.

A card is a vector of figures, one for each condition. The figures of a game may be halves, negative
or large, so they are first scaled to small integers from 0. Draws are counted by the sum of their
vectors. The figure with the most values is packed: its generating function is one large integer,
so that adding a card is a shift and an addition. The other sums are keys of a mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor, gcd, lcm, prod, sqrt
from operator import mul
from typing import Generic, TypeVar

from cardgen.rules.odds.draw_conditions import ConditionTree
from cardgen.templates.expressions import EvaluationError

_MAX_DIGITS = 12


@dataclass(frozen=True)
class Distribution:
    """Distribution of a total: its values in rising order → their probabilities."""

    shares: Mapping[Fraction, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((value * share for value, share in self.shares.items()), Fraction(0))

    @property
    def spread(self) -> float:
        """The standard deviation."""
        mean = self.mean
        return sqrt(sum((value - mean) ** 2 * share for value, share in self.shares.items()))

    def get_quantile(self, share: Fraction) -> Fraction:
        """Return the least value that the total does not exceed with that probability."""
        below = Fraction(0)
        for value, own in self.shares.items():
            below += own
            if below >= share:
                return value
        return max(self.shares, default=Fraction(0))

    def sum_between(self, low: Fraction, high: Fraction) -> Fraction:
        """Return the probability of a total from `low` to `high`, both included."""
        return sum((s for value, s in self.shares.items() if low <= value <= high), Fraction(0))

    def get_central_range(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """Return the range that holds the total with that probability, cut equally at both ends."""
        rest = (1 - share) / 2
        return self.get_quantile(rest) if rest else min(self.shares), self.get_quantile(1 - rest)


def format_rounded_share(share: Fraction) -> str:
    """Format a share without decimals; `<1 %` and `>99 %` stand for nearly none and nearly all."""
    if 0 < share < Fraction(1, 200):
        return "<1 %"
    return ">99 %" if Fraction(199, 200) <= share < 1 else f"{float(share) * 100:.0f} %"


def format_share(share: Fraction, *others: Fraction) -> str:
    """Format a share in percent, with enough digits to differ from 0, from 1 and from others."""
    text = format_apart(share * 100, [Fraction(0), Fraction(100), *(o * 100 for o in others)], 1)
    return f"{text.rstrip('0').rstrip('.')} %"


def format_apart(
    value: Fraction, others: Iterable[Fraction], digits: int, notation: str = "f"
) -> str:
    """Format a number with at least so many digits, and enough to differ from other numbers."""
    others = [other for other in others if other != value]
    while True:
        text = f"{float(value):.{digits}{notation}}"
        same = any(text == f"{float(other):.{digits}{notation}}" for other in others)
        if not same or digits == _MAX_DIGITS:
            return text
        digits += 1


def format_percentage(share: float, digits: int) -> str:
    """Format a share in percent without the sign; `<1`, `>99.9` are nearly none and nearly all."""
    text = f"{share * 100:.{digits}f}"
    least = Fraction(1, 10**digits)
    if share > 0 and float(text) == 0:
        return f"<{float(least):.{digits}f}"
    return f">{float(100 - least):.{digits}f}" if share < 1 and float(text) == 100 else text


Number = TypeVar("Number", int, Fraction)
CountVector = tuple[int, ...]
FigureVector = tuple[Fraction, ...]
"""The figures of a card, one for each condition: 1 or 0 if cards are counted, else its value."""
WaysBySum = dict[CountVector, int]
"""Sums of the drawn cards → number of ways."""
_DrawStates = dict[CountVector, list[int]]
"""Sums of the unpacked figures → for each number of drawn cards, the packed polynomial."""
_MAX_PACKED_BYTES = 1 << 21
_MAX_DRAW_STATES = 60_000
_MAX_DRAW_STEPS = 2_000_000


class TooManyOutcomesError(EvaluationError):
    """A draw has too many different outcomes to count them in a moment."""


@dataclass(frozen=True)
class CardStack(Generic[Number]):
    """Cards to draw from: their figures → number of cards. `draw` of them are drawn."""

    name: str
    cards: Mapping[tuple[Number, ...], int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())


def count_draws(piles: Sequence[CardStack[int]], caps: Sequence[int | None]) -> WaysBySum:
    """Count the ways of drawing from all piles by the sums of the drawn cards.

    `caps` has the largest sum of each figure that is told apart, or None if all are.
    """
    piles = [pile for pile in piles if pile.draw]
    packed, width = _choose_packed_figure(piles, len(caps))
    others = [index for index in range(len(caps)) if index != packed]
    states: _DrawStates = {(0,) * len(others): [1]}
    for pile in piles:
        states = {key: [ways[-1]] for key, ways in states.items()}
        left = pile.size
        # Small figures come first, so that the polynomials stay short for long.
        for vector, count in sorted(pile.cards.items(), key=lambda item: item[0][packed:]):
            left -= count
            step = tuple(vector[index] for index in others)
            shift = 8 * width * vector[packed] if packed >= 0 else 0
            limits = [caps[index] for index in others]
            states = _add_card_class(states, (step, limits, shift), count, (pile.draw, left))
    return _unpack_states(states, packed, width, [caps[index] for index in others])


def _add_card_class(
    states: _DrawStates,
    card: tuple[CountVector, list[int | None], int],
    count: int,
    bounds: tuple[int, int],
) -> _DrawStates:
    """Return the states after `count` equal cards have joined those to draw from.

    `card` is (unpacked figures, their caps, shift of the packed one). `bounds` are the cards drawn
    in the end and those still to come.
    """
    (step, limits, shift), (draw, left) = card, bounds
    new_states: _DrawStates = {}
    for key, ways in states.items():
        for taken in range(min(count, draw) + 1):
            new = tuple(
                known + taken * more if limit is None else min(known + taken * more, limit)
                for known, more, limit in zip(key, step, limits, strict=True)
            )
            for already, poly in enumerate(ways):
                number = already + taken
                if not poly or number > draw or number + left < draw:
                    continue
                into = new_states.setdefault(new, [])
                into.extend([0] * (number + 1 - len(into)))
                more = poly if taken in (0, count) else comb(count, taken) * poly
                into[number] += more << (taken * shift)
    if len(new_states) > _MAX_DRAW_STATES:
        raise TooManyOutcomesError("the cards have too many different totals to compute exactly")
    return new_states


def _choose_packed_figure(piles: Sequence[CardStack[int]], figures: int) -> tuple[int, int]:
    """Return the packed figure, -1 for none, and the size of a coefficient in bytes."""
    most = prod(max(comb(pile.size, n) for n in range(pile.draw + 1)) for pile in piles)
    width = most.bit_length() // 8 + 1
    spans = [sum(_find_largest_sum(pile, index) for pile in piles) for index in range(figures)]
    fit = [
        index for index, span in enumerate(spans) if span > 1 and span * width <= _MAX_PACKED_BYTES
    ]
    return max(fit, key=lambda index: spans[index], default=-1), width


def _find_largest_sum(pile: CardStack[int], index: int) -> int:
    """Return the largest sum of a figure that a draw from a pile can have."""
    total, left = 0, pile.draw
    for vector, count in sorted(pile.cards.items(), key=lambda item: -item[0][index]):
        taken = min(count, left)
        total, left = total + taken * vector[index], left - taken
    return total


def _unpack_states(
    states: _DrawStates, packed: int, width: int, limits: Sequence[int | None]
) -> WaysBySum:
    found: WaysBySum = Counter()
    for key, ways in states.items():
        poly = ways[-1]
        if packed < 0:
            found[key] += poly
            continue
        data = poly.to_bytes(((poly.bit_length() + 7) // 8 // width + 1) * width, "little")
        for start in range(0, len(data), width):
            count = int.from_bytes(data[start : start + width], "little")
            if count:
                found[*key[:packed], start // width, *key[packed:]] += count
    return found


def count_matching_deals(
    pile: CardStack[int], hands: int, holds: Callable[[CountVector], bool]
) -> int:
    """Count the ways of dealing hands of `pile.draw` cards such that the sums of each hand pass."""
    counts = tuple(pile.cards.values())
    passing = [
        taken
        for taken in _list_takings(counts, pile.draw)
        if holds(tuple(sum(map(mul, values, taken)) for values in zip(*pile.cards, strict=True)))
    ]
    states: dict[CountVector, int] = {counts: 1}
    steps = 0
    for _ in range(hands):
        rests: Counter[CountVector] = Counter()
        steps += len(states) * len(passing)
        if steps > _MAX_DRAW_STEPS:
            raise TooManyOutcomesError(
                "so many hands with so many kinds of cards are too many to compute exactly"
            )
        for left, ways in states.items():
            for taken in passing:
                number = ways * prod(map(comb, left, taken))
                if number:
                    rests[tuple(h - t for h, t in zip(left, taken, strict=True))] += number
        states = rests
    return sum(states.values())


def _list_takings(counts: CountVector, draw: int) -> list[CountVector]:
    """Return every way to take `draw` cards from classes with these numbers of cards."""
    found: list[CountVector] = [()]
    rest = sum(counts)
    for count in counts:
        rest -= count
        found = [
            (*taken, more)
            for taken in found
            for more in range(min(count, draw - sum(taken)) + 1)
            if draw - sum(taken) - more <= rest
        ]
        if len(found) > _MAX_DRAW_STEPS // 20:
            raise TooManyOutcomesError(
                "so many kinds of cards in a hand are too many to compute exactly"
            )
    return found


@dataclass(frozen=True)
class DrawQuestion:
    """Asks for the probability that `tree` holds for what is drawn from the stacks.

    With several hands out of one stack, it must hold for every hand, or for at least one if `every`
    is false.
    """

    stacks: tuple[CardStack[Fraction], ...]
    tree: ConditionTree
    hands: int = 1
    every: bool = True


def compute_chance(question: DrawQuestion) -> Fraction:
    """Return the probability. Raise TooManyOutcomesError."""
    tree = question.tree
    scale = _scale_stacks(question.stacks, len(tree.leaves))
    total = _count_deals(question.stacks, question.hands)
    if question.hands > 1:
        (pile,) = scale.piles
        every = question.every
        found = count_matching_deals(
            pile, question.hands, lambda sums: tree.holds(scale.to_figures(sums)) is every
        )
        return Fraction(found, total) if every else 1 - Fraction(found, total)
    caps = [
        max(0, floor((most - offset) / unit) + 1)
        for most, offset, unit in zip(
            tree.list_largest_bounds(), scale.offsets, scale.units, strict=True
        )
    ]
    ways = count_draws(scale.piles, caps).items()
    return Fraction(sum(n for sums, n in ways if tree.holds(scale.to_figures(sums))), total)


def compute_distribution(stacks: Sequence[CardStack[Fraction]]) -> Distribution:
    """Return the distribution of the sum of the only figure."""
    scale, total = _scale_stacks(stacks, 1), _count_deals(stacks)
    ways = count_draws(scale.piles, [None])
    shares = {scale.to_figures(sums)[0]: Fraction(number, total) for sums, number in ways.items()}
    return Distribution(dict(sorted(shares.items())))


def _count_deals(stacks: Sequence[CardStack[Fraction]], hands: int = 1) -> int:
    """Count the ways of dealing the hands from each stack."""
    return prod(
        comb(stack.size - hand * stack.draw, stack.draw)
        for stack in stacks
        for hand in range(hands)
    )


@dataclass(frozen=True)
class DrawScale:
    """Integers in place of figures: a sum of n steps stands for `offset + n * unit`."""

    piles: tuple[CardStack[int], ...]
    units: FigureVector
    offsets: FigureVector

    def to_figures(self, sums: Sequence[int]) -> FigureVector:
        return tuple(
            offset + unit * steps
            for offset, unit, steps in zip(self.offsets, self.units, sums, strict=True)
        )


def _scale_stacks(stacks: Sequence[CardStack[Fraction]], figures: int) -> DrawScale:
    lows = [
        [
            min((card[index] for card in stack.cards), default=Fraction(0))
            for index in range(figures)
        ]
        for stack in stacks
    ]
    pairs = [*zip(stacks, lows, strict=True)]
    units = tuple(
        _find_unit([card[index] - low[index] for stack, low in pairs for card in stack.cards])
        for index in range(figures)
    )
    piles = []
    for stack, low in pairs:
        steps = {
            tuple(
                int((figure - least) / unit)
                for figure, least, unit in zip(card, low, units, strict=True)
            ): count
            for card, count in stack.cards.items()
        }
        piles.append(CardStack(stack.name, steps, stack.draw))
    offsets = tuple(
        sum((low[index] * stack.draw for stack, low in pairs), Fraction(0))
        for index in range(figures)
    )
    return DrawScale(tuple(piles), units, offsets)


def _find_unit(steps: Sequence[Fraction]) -> Fraction:
    """Return the largest step of which all are multiples, 1 if all are 0."""
    parts = lcm(*(step.denominator for step in steps))
    return Fraction(gcd(*(int(step * parts) for step in steps)), parts) or Fraction(1)
