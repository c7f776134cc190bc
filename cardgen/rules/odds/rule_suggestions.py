"""Suggestions for a probability or a mean out of bounds: the nearest numbers that would do.

The numbers are those of matching cards, of drawn cards, of dice, or the sum over all cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from cardgen.rules.odds import draw_probability
from cardgen.rules.odds.draw_probability import CardStack, DrawQuestion, format_share

AcceptsShare = Callable[[Fraction], bool]
_MAX_DISTANCE = 40
"""Greatest difference from the present number that is tried."""


def suggest_chance_changes(
    question: DrawQuestion, holds: AcceptsShare, by: bool = False
) -> list[str]:
    """Suggest a change of each kind that gives an accepted probability.

    `by` says that the rule bounds when something first comes.
    """
    dice = [stack for stack in question.stacks if stack.name == "dice"]
    decks = [stack for stack in question.stacks if stack.name != "dice"]
    found: list[str] = []
    if len(decks) == 1 and not dice:
        for index in range(len(question.tree.leaves)):
            found += _suggest_card_count(question, index, holds)
        found += _suggest_draw(question, holds, by)
    elif not decks:
        found += _suggest_dice(question, holds)
    return found or ["no such change alone would do"] * bool(len(decks) == 1 and not dice)


def _suggest_card_count(question: DrawQuestion, index: int, holds: AcceptsShare) -> list[str]:
    leaf, stack = question.tree.leaves[index], question.stacks[0]
    if leaf.total:
        return _suggest_total(question, index, holds)
    now = sum(number for card, number in stack.cards.items() if card[index])
    alone = len(question.tree.leaves) == 1
    for number in _list_nearby(now, 0, stack.size):
        changed = replace(question, stacks=(_change_count(stack, index, number),))
        share = draw_probability.compute_chance(changed)
        if holds(share):
            cards = "card" if number == 1 else "cards"
            which = f"such {cards}" if alone else f"{cards} with {leaf.where}"
            others = ", in place of others," if number > now else ""
            return [f"{number} {which} instead of {now}{others} would give {format_share(share)}"]
    return []


def _suggest_total(question: DrawQuestion, index: int, holds: AcceptsShare) -> list[str]:
    """Suggest 1 more or less on some cards, beginning with those that have least or most."""
    stack = question.stacks[0]
    cards = [card for card, number in stack.cards.items() for _ in range(number)]
    cards.sort(key=lambda card: card[index])
    for step in (1, -1):
        ordered = cards if step > 0 else cards[::-1]
        for number in sorted({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, len(cards)}):
            if number > len(cards):
                break
            changed = [
                (*card[:index], card[index] + step * (place < number), *card[index + 1 :])
                for place, card in enumerate(ordered)
            ]
            share = draw_probability.compute_chance(
                replace(question, stacks=(replace(stack, cards=Counter(changed)),))
            )
            if holds(share):
                on = "one card" if number == 1 else f"each of {number} cards"
                word = "more" if step > 0 else "less"
                change = f"1 {word} of {question.tree.leaves[index].total} on {on} would give"
                return [f"{change} {format_share(share)}"]
    return []


def _suggest_draw(question: DrawQuestion, holds: AcceptsShare, by: bool) -> list[str]:
    stack = question.stacks[0]
    for number in _list_nearby(stack.draw, 1, stack.size // question.hands):
        share = draw_probability.compute_chance(
            replace(question, stacks=(replace(stack, draw=number),))
        )
        if holds(share):
            if by:
                return [f"by draw {number} it would be {format_share(share)}"]
            return [f"{number} drawn instead of {stack.draw} would give {format_share(share)}"]
    return []


def _suggest_dice(question: DrawQuestion, holds: AcceptsShare) -> list[str]:
    """Suggest more or fewer dice if all are of one kind."""
    die, now = question.stacks[0], len(question.stacks)
    if any(stack.cards != die.cards for stack in question.stacks):
        return []
    for number in _list_nearby(now, 1, now + 6):
        share = draw_probability.compute_chance(replace(question, stacks=(die,) * number))
        if holds(share):
            return [f"{number} dice instead of {now} would give {format_share(share)}"]
    return []


def suggest_mean_changes(
    stack: CardStack[Fraction], of: str, low: Fraction | None, high: Fraction | None
) -> list[str]:
    """Suggest changes that bring the mean of a total between two bounds.

    The mean is the sum over all cards times the share of them that is drawn.
    """
    total = sum((card[0] * number for card, number in stack.cards.items()), Fraction(0))
    found = []
    each = total / stack.size
    fit = [n for n in range(1, stack.size + 1) if _is_between(each * n, low, high)]
    if fit:
        number = min(fit, key=lambda n: abs(n - stack.draw))
        mean = float(each * number)
        found.append(f"{number} drawn instead of {stack.draw} would give {mean:.4g}")
    part = Fraction(stack.draw, stack.size)
    whole = all(card[0].denominator == 1 for card in stack.cards)
    for bound, too_low in ((low, True), (high, False)):
        if bound is None or (part * total >= bound if too_low else part * total <= bound):
            continue
        needed = bound / part
        if whole:
            needed = Fraction(-(-needed // 1) if too_low else needed // 1)
        if _is_between(needed * part, low, high) and abs(needed) <= 2 * abs(total):
            change = f"{of} adding up to {float(needed):g} on all cards"
            mean = float(needed * part)
            found.insert(0, f"{change} instead of {float(total):g} would give {mean:.4g}")
    return found


def _is_between(value: Fraction, low: Fraction | None, high: Fraction | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _list_nearby(now: int, least: int, most: int) -> Iterator[int]:
    """Yield the numbers around `now`, the nearest first."""
    for off in range(1, _MAX_DISTANCE + 1):
        yield from (n for n in (now - off, now + off) if least <= n <= most)


def _change_count(stack: CardStack[Fraction], index: int, wanted: int) -> CardStack[Fraction]:
    """Return a stack of the same size in which `wanted` cards count for a condition.

    Each changed card keeps its other figures. The most frequent cards are changed first.
    """
    cards = dict(stack.cards)
    now = sum(number for card, number in cards.items() if card[index])
    while now != wanted:
        counting = now > wanted
        card = max(
            (c for c in cards if bool(c[index]) is counting and cards[c]), key=cards.__getitem__
        )
        moved = min(cards[card], abs(now - wanted))
        other = (*card[:index], Fraction(0 if counting else 1), *card[index + 1 :])
        cards[card] -= moved
        cards[other] = cards.get(other, 0) + moved
        now += -moved if counting else moved
    return replace(stack, cards={card: number for card, number in cards.items() if number})
