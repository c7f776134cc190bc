"""In how many ways cards can be drawn: exact, in whole numbers, over classes of equal cards.

A card is a vector: how much it counts for each thing that is asked. The ways of drawing are counted
by what the drawn cards add up to. One of the sums, that with most values, is packed: a polynomial
with a coefficient for every sum is one large whole number, so that to add a card is to shift it and
to add. The other sums are keys of a mapping; one with a cap counts no further than that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from cardgen.templates.expressions import CannotEvaluate

Vector = tuple[int, ...]
Sums = dict[Vector, int]
"""What drawn cards add up to → in how many ways."""
_States = dict[Vector, list[int]]
"""Sums that are not packed → for every number of cards drawn, a packed polynomial of the one."""
_PACKED = 1 << 21
"""Bytes that one packed polynomial may take."""
_MOST_STATES = 60_000
_MOST_STEPS = 2_000_000


class TooMany(CannotEvaluate):
    """More different outcomes than can be reckoned in a moment; the text says so to the writer."""


@dataclass(frozen=True)
class Pile:
    """Cards to draw from, as vectors without negative figures → how many there are of each.
    `draw` of them are drawn, and none is put back."""

    cards: Mapping[Vector, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())

    @property
    def ways(self) -> int:
        """In how many ways they are drawn, in all."""
        return comb(self.size, self.draw)


def drawn(piles: Sequence[Pile], caps: Sequence[int | None]) -> Sums:
    """The ways of drawing from every pile, by what all drawn cards add up to. `caps` has for each
    figure the sum past which it is all the same, or None where every sum counts apart."""
    piles = [pile for pile in piles if pile.draw]
    packed, width = _packed(piles, len(caps))
    others = [index for index in range(len(caps)) if index != packed]
    states: _States = {(0,) * len(others): [1]}
    for pile in piles:
        states = {key: [ways[-1]] for key, ways in states.items()}
        left = pile.size
        # Small figures first: polynomials stay short for long.
        for vector, count in sorted(pile.cards.items(), key=lambda item: item[0][packed:]):
            left -= count
            step = tuple(vector[index] for index in others)
            shift = 8 * width * vector[packed] if packed >= 0 else 0
            limits = [caps[index] for index in others]
            states = _with_class(states, (step, limits, shift), count, (pile.draw, left))
    return _unpacked(states, packed, width, [caps[index] for index in others])


def _with_class(
    states: _States,
    of: tuple[Vector, list[int | None], int],
    count: int,
    bounds: tuple[int, int],
) -> _States:
    """The states with so many cards of a class among those to draw from. `bounds`: how many are
    drawn at the end, and how many cards are still to come."""
    (step, limits, shift), (draw, left) = of, bounds
    made: _States = {}
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
    if len(made) > _MOST_STATES:
        raise TooMany("the cards come to too many different totals to be reckoned exactly")
    return made


def _packed(piles: Sequence[Pile], figures: int) -> tuple[int, int]:
    """Which figure is packed, -1 for none, and how many bytes one of its coefficients takes."""
    most = 1
    for pile in piles:
        most *= max(comb(pile.size, number) for number in range(pile.draw + 1))
    width = most.bit_length() // 8 + 1
    spans = [sum(_largest(pile, index) for pile in piles) for index in range(figures)]
    fit = [index for index, span in enumerate(spans) if span > 1 and span * width <= _PACKED]
    return max(fit, key=lambda index: spans[index], default=-1), width


def _largest(pile: Pile, index: int) -> int:
    """The largest sum of a figure that a pile can give."""
    total, left = 0, pile.draw
    for vector, count in sorted(pile.cards.items(), key=lambda item: -item[0][index]):
        taken = min(count, left)
        total, left = total + taken * vector[index], left - taken
    return total


def _unpacked(states: _States, packed: int, width: int, limits: Sequence[int | None]) -> Sums:
    found: Sums = {}
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


def dealt(pile: Pile, hands: int, holds: Callable[[Vector], bool]) -> int:
    """In how many ways so many hands of `pile.draw` cards are dealt, one after the other and
    without putting back, such that every hand's sums pass."""
    counts = tuple(pile.cards.values())
    passing = [
        taken for taken in _takings(counts, pile.draw) if holds(_sums(tuple(pile.cards), taken))
    ]
    states = {counts: 1}
    steps = 0
    for _ in range(hands):
        made: dict[Vector, int] = {}
        steps += len(states) * len(passing)
        if steps > _MOST_STEPS:
            raise TooMany("so many hands of so many kinds are too much to be reckoned exactly")
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


def all_dealt(pile: Pile, hands: int) -> int:
    """In how many ways the hands are dealt, in all."""
    total = 1
    for hand in range(hands):
        total *= comb(pile.size - hand * pile.draw, pile.draw)
    return total


def _takings(counts: Vector, draw: int) -> list[Vector]:
    """Every way to take so many cards of classes of that many."""
    found: list[Vector] = [()]
    rest = sum(counts)
    for count in counts:
        rest -= count
        found = [
            (*taken, more)
            for taken in found
            for more in range(min(count, draw - sum(taken)) + 1)
            if draw - sum(taken) - more <= rest
        ]
        if len(found) > _MOST_STEPS // 20:
            raise TooMany("so many kinds of card in a hand are too much to be reckoned exactly")
    return found


def _sums(vectors: Sequence[Vector], taken: Vector) -> Vector:
    figures = len(vectors[0]) if vectors else 0
    return tuple(
        sum(vector[index] * number for vector, number in zip(vectors, taken, strict=True))
        for index in range(figures)
    )
