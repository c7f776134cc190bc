"""Statistics of a deck: its cards counted by the values of their fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb
from typing import Any

from cardgen.core.units import is_number
from cardgen.game.model import Deck, Field
from cardgen.rules.rule_base import CardValues
from cardgen.templates.expression_messages import format_name, is_left_out
from cardgen.templates.expressions import CardDatabase, sum_numbers

MISSING_VALUE = "–"
TRUE_VALUE = "true"
DEFAULT_DRAWS = (1, 3, 5, 10)
"""Numbers of drawn cards for which the probability of a value is given by default."""
_MOST_VALUES, _MOST_BARS, _BINS = 40, 12, 8
MAX_VALUES = 8
"""Maximum number of values of a field in a cross table."""
_CATEGORY_KINDS = frozenset({"choice", "reference", "boolean", "icon"})
_NUMBER_KINDS = frozenset({"integer", "number"})


@dataclass(frozen=True)
class ValueCount:
    """Value of a field with its number of cards.

    `chances` are the probabilities of at least one such card, one for each number of draws.
    """

    name: str
    cards: int
    chances: tuple[Fraction, ...]


@dataclass(frozen=True)
class CategoryStats:
    """Field with a few values, or a boolean one. `omitted` values are left out."""

    field: str
    values: tuple[ValueCount, ...]
    omitted: int
    is_boolean: bool = False

    def true_value(self) -> tuple[ValueCount, ...]:
        """Return the count of true of a boolean field, named after the field."""
        return tuple(
            replace(value, name=self.field) for value in self.values if value.name == TRUE_VALUE
        )


@dataclass(frozen=True)
class NumberStats:
    """Field of numbers on the `cards` that have it.

    `bars` are pairs of a number or range and its cards.
    """

    field: str
    cards: int
    mean: Fraction
    minimum: float
    quartiles: tuple[float, float, float]
    maximum: float
    bars: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CrossTable:
    """Number of cards for each pair of values of two fields."""

    row_field: str
    column_field: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class DeckStats:
    """Statistics of a deck. `cards` counts copies, `distinct_cards` does not."""

    deck: str
    cards: int
    distinct_cards: int
    draws: tuple[int, ...]
    categories: tuple[CategoryStats, ...]
    numbers: tuple[NumberStats, ...]
    cross_table: CrossTable | None

    def to_json(self) -> dict[str, Any]:
        """Return the statistics for other programs, with shares and means as decimals."""
        crossed = self.cross_table
        return {
            "deck": self.deck,
            "cards": self.cards,
            "different": self.distinct_cards,
            "draws": list(self.draws),
            "kinds": [
                {
                    "field": kinds.field,
                    "values": [
                        {
                            "value": value.name,
                            "cards": value.cards,
                            "share": value.cards / self.cards,
                            "seen": [float(share) for share in value.chances],
                        }
                        for value in kinds.values
                    ],
                    "more": kinds.omitted,
                }
                for kinds in self.categories
            ],
            "figures": [
                {
                    "field": each.field,
                    "having": each.cards,
                    "mean": float(each.mean),
                    "least": each.minimum,
                    "quartiles": list(each.quartiles),
                    "most": each.maximum,
                    "bars": [{"value": name, "cards": count} for name, count in each.bars],
                }
                for each in self.numbers
            ],
            "crossed": crossed
            and {
                "down": crossed.row_field,
                "across": crossed.column_field,
                "columns": list(crossed.columns),
                "rows": [{"value": name, "cards": list(counts)} for name, counts in crossed.rows],
            },
        }


def measure_deck(
    deck: Deck, database: CardDatabase, draws: Sequence[int] = DEFAULT_DRAWS, by: Sequence[str] = ()
) -> DeckStats:
    """Return the statistics of a deck.

    `by` names the two fields of the cross table, by default the first two with few values.
    """
    cards = database.cards(deck.id)
    counts = tuple(dict.fromkeys(number for number in draws if number <= len(cards)))
    fields = dict(_flatten_fields(deck.fields))
    kinds = [
        _count_categories(name, field, cards, counts)
        for name, field in fields.items()
        if _has_kind(field, _CATEGORY_KINDS)
    ]
    figures = [
        found
        for name, field in fields.items()
        if _has_kind(field, _NUMBER_KINDS) and (found := _measure_numbers(name, field, cards))
    ]
    few = [k.field for k in kinds if k and not k.is_boolean and 1 < len(k.values) <= MAX_VALUES]
    pair = [name for name in by if name in fields] if by else few[:2]
    crossed = _cross_fields(pair, fields, cards) if len(pair) == 2 else None
    return DeckStats(
        deck.id, len(cards), deck.distinct_count, counts,
        tuple(each for each in kinds if each), tuple(figures), crossed,
    )  # fmt: skip


def list_crossable_fields(deck: Deck) -> list[str]:
    """Return the names of the fields that a cross table can have."""
    return [
        name for name, field in _flatten_fields(deck.fields) if _has_kind(field, _CATEGORY_KINDS)
    ]


def _flatten_fields(fields: Mapping[str, Field], before: str = "") -> Iterator[tuple[str, Field]]:
    """Yield the fields of a deck by name, those of records as `gives.crates`."""
    for name, field in fields.items():
        if field.kind == "record":
            yield from _flatten_fields(field.fields, f"{before}{name}.")
        else:
            yield f"{before}{name}", field


def _has_kind(field: Field, kinds: Collection[str]) -> bool:
    """Return whether a field, or the entries of a list, are of one of these kinds."""
    item = field.item if field.kind == "list" else field
    return item is not None and item.kind in kinds


def _get_value(name: str, card: CardValues) -> Any:
    value: Any = card
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _list_values(name: str, card: CardValues) -> list[str]:
    """Return the values of a field on a card, each entry of a list once."""
    value = _get_value(name, card)
    if is_left_out(value):
        return [MISSING_VALUE]
    values = value if isinstance(value, list | tuple) else [value]
    return list(dict.fromkeys(format_name(each) for each in values))


def _count_categories(
    name: str, field: Field, cards: Sequence[CardValues], draws: Sequence[int]
) -> CategoryStats | None:
    counted = Counter(each for card in cards for each in _list_values(name, card))
    if not counted or (field.kind != "boolean" and set(counted) == {MISSING_VALUE}):
        return None
    known = [str(choice) for choice in (field.item or field).choices]
    order = [*(c for c in known if c in counted), *(v for v, _ in counted.most_common())]
    values = sorted(dict.fromkeys(order), key=lambda value: value == MISSING_VALUE)
    shown = values[:_MOST_VALUES]
    size = len(cards)
    chances = {
        v: tuple(1 - Fraction(comb(size - counted[v], n), comb(size, n)) for n in draws)
        for v in shown
    }
    counts = tuple(ValueCount(v, counted[v], chances[v]) for v in shown)
    return CategoryStats(name, counts, len(values) - len(shown), field.kind == "boolean")


def _measure_numbers(name: str, field: Field, cards: Sequence[CardValues]) -> NumberStats | None:
    """Return the statistics of a field of numbers; a list is summed first."""
    values = [_get_value(name, card) for card in cards]
    if field.kind == "list":
        name, values = f"total({name})", [sum_numbers(each) for each in values if each]
    found = sorted(filter(is_number, values))
    if not found:
        return None
    mean = sum((Fraction(str(value)) for value in found), Fraction(0)) / len(found)
    quartiles = tuple(found[max(0, ceil(len(found) * part / 4) - 1)] for part in (1, 2, 3))
    return NumberStats(
        name, len(found), mean, found[0], (quartiles[0], quartiles[1], quartiles[2]), found[-1],
        _make_bars(found),
    )  # fmt: skip


def _make_bars(found: Sequence[float]) -> tuple[tuple[str, int], ...]:
    counted = Counter(found)
    whole = all(float(value).is_integer() for value in counted)
    if whole and found[-1] - found[0] < _MOST_BARS:
        span = range(int(found[0]), int(found[-1]) + 1)
        return tuple((str(value), counted[value]) for value in span)
    if len(counted) <= _MOST_BARS:
        return tuple((f"{value:g}", count) for value, count in sorted(counted.items()))
    width = (found[-1] - found[0]) / _BINS
    width = ceil(width) if whole else width
    bars = []
    for number in range(_BINS):
        low, high = found[0] + number * width, found[0] + (number + 1) * width
        last = number == _BINS - 1
        count = sum(low <= value < high or (last and value >= high) for value in found)
        if low <= found[-1]:
            top = high - 1 if whole else high
            bars.append((f"{low:g}–{top:g}", count))
    return tuple(bars)


def _cross_fields(
    pair: Sequence[str], fields: Mapping[str, Field], cards: Sequence[CardValues]
) -> CrossTable:
    down, across = pair
    counted = Counter(
        (row, column)
        for card in cards
        for row in _list_values(down, card)
        for column in _list_values(across, card)
    )
    rows, columns = (
        _sort_values(fields[name], {key[place] for key in counted})
        for place, name in enumerate(pair)
    )
    return CrossTable(
        down, across, columns, tuple((r, tuple(counted[r, c] for c in columns)) for r in rows)
    )


def _sort_values(field: Field, values: set[str]) -> tuple[str, ...]:
    known = [str(choice) for choice in (field.item or field).choices]
    place = {value: number for number, value in enumerate(known)}
    ordered = sorted(values, key=lambda v: (v == MISSING_VALUE, place.get(v, len(known)), v))
    return tuple(ordered[:_MOST_VALUES])
