"""A question about drawn cards, and its exact answer.

`ways` reckons with small whole numbers from 0; here figures are whatever a game has: halves, losses
below zero, money by the thousand. Each is brought to whole steps above the least, and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd

from cardgen.rules.odds import ways
from cardgen.rules.odds.conditions import Tree
from cardgen.rules.odds.distribution import Distribution

Figures = tuple[Fraction, ...]
"""What a card counts for each of the conditions: 1 or 0 where it is looked for, else its figure."""


@dataclass(frozen=True)
class Stack:
    """Cards to draw from, by what they count for → how many; `draw` of them are drawn."""

    name: str
    cards: Mapping[Figures, int]
    draw: int

    @property
    def size(self) -> int:
        return sum(self.cards.values())


@dataclass(frozen=True)
class Question:
    """How likely `tree` holds of what is drawn from the stacks; of every one of several hands out
    of the one stack, or with `every` false of at least one of them."""

    stacks: tuple[Stack, ...]
    tree: Tree
    hands: int = 1
    every: bool = True


@dataclass(frozen=True)
class _Scale:
    """Steps from 0 for each condition: a sum of n steps is `offset + n * unit`."""

    piles: tuple[ways.Pile, ...]
    units: Figures
    offsets: Figures

    def real(self, sums: Sequence[int]) -> Figures:
        return tuple(
            offset + unit * steps
            for offset, unit, steps in zip(self.offsets, self.units, sums, strict=True)
        )


def chance(question: Question) -> Fraction:
    """How likely it is. Raises `ways.TooMany`."""
    tree = question.tree
    scale = _scaled(question.stacks, len(tree.leaves))
    if question.hands > 1:
        (pile,) = scale.piles
        asked = question.every
        found = ways.dealt(pile, question.hands, lambda sums: tree.holds(scale.real(sums)) is asked)
        share = Fraction(found, ways.all_dealt(pile, question.hands))
        return share if asked else 1 - share
    caps = [
        max(0, floor((most - offset) / unit) + 1)
        for most, offset, unit in zip(tree.most(), scale.offsets, scale.units, strict=True)
    ]
    found = sum(
        number
        for sums, number in ways.drawn(scale.piles, caps).items()
        if tree.holds(scale.real(sums))
    )
    return Fraction(found, _all(scale.piles))


def distribution(stacks: Sequence[Stack]) -> Distribution:
    """What the one figure of the drawn cards adds up to, and how often."""
    scale = _scaled(stacks, 1)
    total = _all(scale.piles)
    found = ways.drawn(scale.piles, [None])
    shares = {scale.real(sums)[0]: Fraction(number, total) for sums, number in found.items()}
    return Distribution(dict(sorted(shares.items())))


def _all(piles: Sequence[ways.Pile]) -> int:
    total = 1
    for pile in piles:
        total *= pile.ways
    return total


def _scaled(stacks: Sequence[Stack], figures: int) -> _Scale:
    lows = [
        [min((card[index] for card in stack.cards), default=Fraction(0)) for stack in stacks]
        for index in range(figures)
    ]
    units = []
    for index, low in enumerate(lows):
        unit = Fraction(0)
        for stack, least in zip(stacks, low, strict=True):
            for card in stack.cards:
                unit = _common(unit, card[index] - least)
        units.append(unit or Fraction(1))
    piles = tuple(
        ways.Pile(
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
    return _Scale(piles, tuple(units), offsets)


def _common(first: Fraction, second: Fraction) -> Fraction:
    """The largest step in which both can be counted."""
    across = first.denominator * second.denominator
    return Fraction(
        gcd(first.numerator * second.denominator, second.numerator * first.denominator), across
    )
