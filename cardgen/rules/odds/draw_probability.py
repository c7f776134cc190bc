"""Exact probabilities of draws without replacement, counted over classes of equal cards.

A card is a vector of figures, one for each condition. The figures of a game may be halves, negative
or large, so they are first scaled to small integers from 0. Draws are counted by the sum of their
vectors. The figure with the most values is packed: its generating function is one large integer,
so that adding a card is a shift and an addition. The other sums are keys of a mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor, gcd, prod

from cardgen.rules.odds.distributions import Distribution
from cardgen.rules.odds.draw_conditions import ConditionTree
from cardgen.templates.expressions import EvaluationError

CountVector = tuple[int, ...]
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
class DrawPile:
    """Cards to draw from: vectors of integers from 0 → number of cards. `draw` are drawn."""

    cards: Mapping[CountVector, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())


def count_draws(piles: Sequence[DrawPile], caps: Sequence[int | None]) -> WaysBySum:
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


def _choose_packed_figure(piles: Sequence[DrawPile], figures: int) -> tuple[int, int]:
    """Return the packed figure, -1 for none, and the size of a coefficient in bytes."""
    most = prod(max(comb(pile.size, n) for n in range(pile.draw + 1)) for pile in piles)
    width = most.bit_length() // 8 + 1
    spans = [sum(_find_largest_sum(pile, index) for pile in piles) for index in range(figures)]
    fit = [
        index for index, span in enumerate(spans) if span > 1 and span * width <= _MAX_PACKED_BYTES
    ]
    return max(fit, key=lambda index: spans[index], default=-1), width


def _find_largest_sum(pile: DrawPile, index: int) -> int:
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


def count_matching_deals(pile: DrawPile, hands: int, holds: Callable[[CountVector], bool]) -> int:
    """Count the ways of dealing hands of `pile.draw` cards such that the sums of each hand pass."""
    counts = tuple(pile.cards.values())
    passing = [
        taken
        for taken in _list_takings(counts, pile.draw)
        if holds(_add_vectors(tuple(pile.cards), taken))
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


def count_deals(pile: DrawPile, hands: int) -> int:
    """Count the ways of dealing the hands."""
    return prod(comb(pile.size - hand * pile.draw, pile.draw) for hand in range(hands))


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


def _add_vectors(vectors: Sequence[CountVector], taken: CountVector) -> CountVector:
    figures = len(vectors[0]) if vectors else 0
    return tuple(
        sum(vector[index] * number for vector, number in zip(vectors, taken, strict=True))
        for index in range(figures)
    )


FigureVector = tuple[Fraction, ...]
"""The figures of a card, one for each condition: 1 or 0 if cards are counted, else its value."""


@dataclass(frozen=True)
class CardStack:
    """Cards to draw from: their figures → number of cards. `draw` of them are drawn."""

    name: str
    cards: Mapping[FigureVector, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())


@dataclass(frozen=True)
class DrawQuestion:
    """Asks for the probability that `tree` holds for what is drawn from the stacks.

    With several hands out of one stack, it must hold for every hand, or for at least one if `every`
    is false.
    """

    stacks: tuple[CardStack, ...]
    tree: ConditionTree
    hands: int = 1
    every: bool = True


@dataclass(frozen=True)
class DrawScale:
    """Integers in place of figures: a sum of n steps stands for `offset + n * unit`."""

    piles: tuple[DrawPile, ...]
    units: FigureVector
    offsets: FigureVector

    def to_figures(self, sums: Sequence[int]) -> FigureVector:
        return tuple(
            offset + unit * steps
            for offset, unit, steps in zip(self.offsets, self.units, sums, strict=True)
        )


def compute_chance(question: DrawQuestion) -> Fraction:
    """Return the probability. Raise TooManyOutcomesError."""
    tree = question.tree
    scale = _scale_stacks(question.stacks, len(tree.leaves))
    if question.hands > 1:
        (pile,) = scale.piles
        every = question.every
        found = count_matching_deals(
            pile, question.hands, lambda sums: tree.holds(scale.to_figures(sums)) is every
        )
        share = Fraction(found, count_deals(pile, question.hands))
        return share if every else 1 - share
    caps = [
        max(0, floor((most - offset) / unit) + 1)
        for most, offset, unit in zip(
            tree.list_largest_bounds(), scale.offsets, scale.units, strict=True
        )
    ]
    found = sum(
        number
        for sums, number in count_draws(scale.piles, caps).items()
        if tree.holds(scale.to_figures(sums))
    )
    return Fraction(found, _count_all_draws(scale.piles))


def compute_distribution(stacks: Sequence[CardStack]) -> Distribution:
    """Return the distribution of the sum of the only figure."""
    scale = _scale_stacks(stacks, 1)
    total = _count_all_draws(scale.piles)
    found = count_draws(scale.piles, [None])
    shares = {scale.to_figures(sums)[0]: Fraction(number, total) for sums, number in found.items()}
    return Distribution(dict(sorted(shares.items())))


def _count_all_draws(piles: Sequence[DrawPile]) -> int:
    return prod(comb(pile.size, pile.draw) for pile in piles)


def _scale_stacks(stacks: Sequence[CardStack], figures: int) -> DrawScale:
    lows = [
        [min((card[index] for card in stack.cards), default=Fraction(0)) for stack in stacks]
        for index in range(figures)
    ]
    units = []
    for index, low in enumerate(lows):
        unit = Fraction(0)
        for stack, least in zip(stacks, low, strict=True):
            for card in stack.cards:
                unit = _find_common_step(unit, card[index] - least)
        units.append(unit or Fraction(1))
    piles = tuple(
        DrawPile(
            {
                tuple(
                    int((card[index] - lows[index][number]) / units[index])
                    for index in range(figures)
                ): count
                for card, count in stack.cards.items()
            },
            stack.draw,
        )
        for number, stack in enumerate(stacks)
    )
    offsets = tuple(
        sum((least * stack.draw for least, stack in zip(low, stacks, strict=True)), Fraction(0))
        for low in lows
    )
    return DrawScale(piles, tuple(units), offsets)


def _find_common_step(first: Fraction, second: Fraction) -> Fraction:
    """Return the largest step of which both are multiples."""
    across = first.denominator * second.denominator
    return Fraction(
        gcd(first.numerator * second.denominator, second.numerator * first.denominator), across
    )
