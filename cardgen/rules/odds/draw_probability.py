"""A question about drawn cards, and its exact answer.

`ways` reckons with small whole numbers from 0; here figures are whatever a game has: halves, losses
below zero, money by the thousand. Each is brought to whole steps above the least, and back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor, gcd

from cardgen.rules.odds.distributions import Distribution
from cardgen.rules.odds.draw_conditions import ConditionTree
from cardgen.templates.expressions import EvaluationError

CountVector = tuple[int, ...]
WaysBySum = dict[CountVector, int]
"""What drawn cards add up to → in how many ways."""
_DrawStates = dict[CountVector, list[int]]
"""Sums that are not packed → for every number of cards drawn, a packed polynomial of the one."""
_MAX_PACKED_BYTES = 1 << 21
"""Bytes that one packed polynomial may take."""
_MAX_DRAW_STATES = 60_000
_MAX_DRAW_STEPS = 2_000_000


class TooManyOutcomesError(EvaluationError):
    """More different outcomes than can be reckoned in a moment; the text says so to the writer."""


@dataclass(frozen=True)
class DrawPile:
    """Cards to draw from, as vectors without negative figures → how many there are of each.
    `draw` of them are drawn, and none is put back."""

    cards: Mapping[CountVector, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())

    @property
    def count_ways(self) -> int:
        """In how many ways they are drawn, in all."""
        return comb(self.size, self.draw)


def count_draws(piles: Sequence[DrawPile], caps: Sequence[int | None]) -> WaysBySum:
    """The ways of drawing from every pile, by what all drawn cards add up to. `caps` has for each
    figure the sum past which it is all the same, or None where every sum counts apart."""
    piles = [pile for pile in piles if pile.draw]
    packed, width = _choose_packed_figure(piles, len(caps))
    others = [index for index in range(len(caps)) if index != packed]
    states: _DrawStates = {(0,) * len(others): [1]}
    for pile in piles:
        states = {key: [ways[-1]] for key, ways in states.items()}
        left = pile.size
        # Small figures first: polynomials stay short for long.
        for vector, count in sorted(pile.cards.items(), key=lambda item: item[0][packed:]):
            left -= count
            step = tuple(vector[index] for index in others)
            shift = 8 * width * vector[packed] if packed >= 0 else 0
            limits = [caps[index] for index in others]
            states = _add_card_class(states, (step, limits, shift), count, (pile.draw, left))
    return _unpack_states(states, packed, width, [caps[index] for index in others])


def _add_card_class(
    states: _DrawStates,
    of: tuple[CountVector, list[int | None], int],
    count: int,
    bounds: tuple[int, int],
) -> _DrawStates:
    """The states with so many cards of a class among those to draw from. `bounds`: how many are
    drawn at the end, and how many cards are still to come."""
    (step, limits, shift), (draw, left) = of, bounds
    made: _DrawStates = {}
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
                into = made.setdefault(new, [])
                into.extend([0] * (number + 1 - len(into)))
                more = poly if taken in (0, count) else comb(count, taken) * poly
                into[number] += more << (taken * shift)
    if len(made) > _MAX_DRAW_STATES:
        raise TooManyOutcomesError(
            "the cards come to too many different totals to be reckoned exactly"
        )
    return made


def _choose_packed_figure(piles: Sequence[DrawPile], figures: int) -> tuple[int, int]:
    """Which figure is packed, -1 for none, and how many bytes one of its coefficients takes."""
    most = 1
    for pile in piles:
        most *= max(comb(pile.size, number) for number in range(pile.draw + 1))
    width = most.bit_length() // 8 + 1
    spans = [sum(_find_largest_sum(pile, index) for pile in piles) for index in range(figures)]
    fit = [
        index for index, span in enumerate(spans) if span > 1 and span * width <= _MAX_PACKED_BYTES
    ]
    return max(fit, key=lambda index: spans[index], default=-1), width


def _find_largest_sum(pile: DrawPile, index: int) -> int:
    """The largest sum of a figure that a pile can give."""
    total, left = 0, pile.draw
    for vector, count in sorted(pile.cards.items(), key=lambda item: -item[0][index]):
        taken = min(count, left)
        total, left = total + taken * vector[index], left - taken
    return total


def _unpack_states(
    states: _DrawStates, packed: int, width: int, limits: Sequence[int | None]
) -> WaysBySum:
    found: WaysBySum = {}
    for key, ways in states.items():
        poly = ways[-1]
        if packed < 0:
            found[key] = found.get(key, 0) + poly
            continue
        data = poly.to_bytes(((poly.bit_length() + 7) // 8 // width + 1) * width, "little")
        for start in range(0, len(data), width):
            count = int.from_bytes(data[start : start + width], "little")
            if count:
                sums = (*key[:packed], start // width, *key[packed:])
                found[sums] = found.get(sums, 0) + count
    return found


def count_matching_deals(pile: DrawPile, hands: int, holds: Callable[[CountVector], bool]) -> int:
    """In how many ways so many hands of `pile.draw` cards are dealt, one after the other and
    without putting back, such that every hand's sums pass."""
    counts = tuple(pile.cards.values())
    passing = [
        taken
        for taken in _list_takings(counts, pile.draw)
        if holds(_add_vectors(tuple(pile.cards), taken))
    ]
    states = {counts: 1}
    steps = 0
    for _ in range(hands):
        made: dict[CountVector, int] = {}
        steps += len(states) * len(passing)
        if steps > _MAX_DRAW_STEPS:
            raise TooManyOutcomesError(
                "so many hands of so many kinds are too much to be reckoned exactly"
            )
        for left, ways in states.items():
            for taken in passing:
                number = ways
                for have, take in zip(left, taken, strict=True):
                    number *= comb(have, take)
                if number:
                    rest = tuple(h - t for h, t in zip(left, taken, strict=True))
                    made[rest] = made.get(rest, 0) + number
        states = made
    return sum(states.values())


def count_deals(pile: DrawPile, hands: int) -> int:
    """In how many ways the hands are dealt, in all."""
    total = 1
    for hand in range(hands):
        total *= comb(pile.size - hand * pile.draw, pile.draw)
    return total


def _list_takings(counts: CountVector, draw: int) -> list[CountVector]:
    """Every way to take so many cards of classes of that many."""
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
                "so many kinds of card in a hand are too much to be reckoned exactly"
            )
    return found


def _add_vectors(vectors: Sequence[CountVector], taken: CountVector) -> CountVector:
    figures = len(vectors[0]) if vectors else 0
    return tuple(
        sum(vector[index] * number for vector, number in zip(vectors, taken, strict=True))
        for index in range(figures)
    )


FigureVector = tuple[Fraction, ...]
"""What a card counts for each of the conditions: 1 or 0 where it is looked for, else its figure."""


@dataclass(frozen=True)
class CardStack:
    """Cards to draw from, by what they count for → how many; `draw` of them are drawn."""

    name: str
    cards: Mapping[FigureVector, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())


@dataclass(frozen=True)
class DrawQuestion:
    """How likely `tree` holds of what is drawn from the stacks; of every one of several hands out
    of the one stack, or with `every` false of at least one of them."""

    stacks: tuple[CardStack, ...]
    tree: ConditionTree
    hands: int = 1
    every: bool = True


@dataclass(frozen=True)
class DrawScale:
    """Steps from 0 for each condition: a sum of n steps is `offset + n * unit`."""

    piles: tuple[DrawPile, ...]
    units: FigureVector
    offsets: FigureVector

    def to_figures(self, sums: Sequence[int]) -> FigureVector:
        return tuple(
            offset + unit * steps
            for offset, unit, steps in zip(self.offsets, self.units, sums, strict=True)
        )


def compute_chance(question: DrawQuestion) -> Fraction:
    """How likely it is. Raises `ways.TooMany`."""
    tree = question.tree
    scale = _scale_stacks(question.stacks, len(tree.leaves))
    if question.hands > 1:
        (pile,) = scale.piles
        asked = question.every
        found = count_matching_deals(
            pile, question.hands, lambda sums: tree.holds(scale.to_figures(sums)) is asked
        )
        share = Fraction(found, count_deals(pile, question.hands))
        return share if asked else 1 - share
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
    return Fraction(found, _multiply_ways(scale.piles))


def compute_distribution(stacks: Sequence[CardStack]) -> Distribution:
    """What the one figure of the drawn cards adds up to, and how often."""
    scale = _scale_stacks(stacks, 1)
    total = _multiply_ways(scale.piles)
    found = count_draws(scale.piles, [None])
    shares = {scale.to_figures(sums)[0]: Fraction(number, total) for sums, number in found.items()}
    return Distribution(dict(sorted(shares.items())))


def _multiply_ways(piles: Sequence[DrawPile]) -> int:
    total = 1
    for pile in piles:
        total *= pile.count_ways
    return total


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
    """The largest step in which both can be counted."""
    across = first.denominator * second.denominator
    return Fraction(
        gcd(first.numerator * second.denominator, second.numerator * first.denominator), across
    )
