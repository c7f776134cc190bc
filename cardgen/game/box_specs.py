"""Boxes of a game as game.yaml describes them, and sleeves by the names on their packets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path

from cardgen.core import yaml_nodes
from cardgen.core.problems import Source
from cardgen.core.units import Size, parse_size

CARD_MM, PLAY_MM, BOARD_MM = 0.3, 1.0, 0.4
"""Usual thickness of a card, room around a stack in a box, and thickness of a box's board."""
_SLIP_MM = 2.0
"""What a sleeve must be wider than a card, and higher."""
_MAX_SPARE_MM = 5.0
"""What a sleeve may be wider than a card at most, without being too large for it."""
TUCK, LOCK, TELESCOPE, TRAY, STAND, PRISM, DIVIDERS, OUTER = FORMS = (
    "tuck", "lock", "telescope", "tray", "stand", "prism", "dividers", "outer",
)  # fmt: skip
"""Forms: boxes with tucked ends, without and with slits that lock them; lid and base of one height;
an open tray with a low lid; a card holder; a standing ruler; dividers; the box of the game."""


@dataclass(frozen=True)
class Sleeve:
    """A kind of sleeve: the largest card, its own size, its film in mm, and how many a packet
    has."""

    name: str
    card: Size
    size: Size
    film: float
    pack: int

    def fits(self, card: Size) -> bool:
        """Return whether a card slips in."""
        (narrow, low), (wide, high) = _sort_sides(card), _sort_sides(self.size)
        return narrow + _SLIP_MM <= wide and low + _SLIP_MM <= high

    def measure_spare(self, card: Size) -> float:
        """Return how much larger the sleeve is than a card, along the side where it is most."""
        return self.size.measure_difference(card)

    @property
    def brand(self) -> str:
        """The maker and line: the name without the card's."""
        kinds = ("Mini", "Standard", "Chimera", "Square", "Tarot", "Magnum")
        words = self.name.split()
        first = next(number for number, word in enumerate(words) if word in kinds)
        return " ".join(words[:first])


@dataclass(frozen=True)
class SleeveNeed:
    """Cards of one size that need sleeves, and sleeves of every brand that fit them best."""

    card: Size
    count: int
    sleeves: tuple[Sleeve, ...]

    def count_packets(self, sleeve: Sleeve) -> int:
        """Return how many packets all the cards need."""
        return ceil(self.count / sleeve.pack)


@dataclass(frozen=True)
class BoxItem:
    """A thing beside cards in the outer box: its title and its size in mm."""

    title: Mapping[str, str]
    size: tuple[float, float, float]


@dataclass(frozen=True)
class BoxSpec:
    """A box, or what belongs into one. Lengths in mm; `size` is the room inside, or None for what
    the cards need. `by` is the field whose values get dividers. An empty `colour` is the back's.
    """

    id: str
    source: Source
    title: Mapping[str, str]
    form: str = TUCK
    decks: tuple[str, ...] = ()
    size: tuple[float, float, float] | None = None
    sleeve: Sleeve | None = None
    card: float = CARD_MM
    play: float = PLAY_MM
    board: float = BOARD_MM
    lid: float = 0.0
    picture: str = ""
    colour: str = ""
    font: str = ""
    template: str = ""
    styles: tuple[str, ...] = ()
    by: str = ""
    tabs: str = "top"
    thumb: bool = True
    items: tuple[BoxItem, ...] = ()
    base: str = "printed"


def _sort_sides(size: Size) -> tuple[float, float]:
    return min(size.width, size.height), max(size.width, size.height)


@cache
def load_sleeves() -> Mapping[str, Sleeve]:
    """Return all known sleeves by their names in small letters."""
    file = Path(__file__).with_name("sleeves.yaml")
    node, _ = yaml_nodes.load(file.read_text(encoding="utf-8"), file.name)
    assert node is not None
    return {
        name.lower(): Sleeve(
            name, _parse_measure(each["card"]), _parse_measure(each["sleeve"]),
            each["film"] / 1000, each["pack"],
        )
        for name, each in node.to_plain().items()
    }  # fmt: skip


def _parse_measure(text: str) -> Size:
    size = parse_size(text, {})
    assert size is not None
    return size


def find_sleeves(card: Size) -> tuple[Sleeve, ...]:
    """Return the sleeve of each brand that fits a card best; none where all are far too large."""
    best: dict[str, Sleeve] = {}
    for sleeve in load_sleeves().values():
        spare = sleeve.measure_spare(card)
        if sleeve.fits(card) and spare <= _MAX_SPARE_MM:
            other = best.get(sleeve.brand)
            if other is None or spare < other.measure_spare(card):
                best[sleeve.brand] = sleeve
    return tuple(best.values())
