"""How a press prints: its profile, how much ink it takes, what is printed beside the four inks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cardgen.pdf.press.profiles import Profile

Cmyk = tuple[float, float, float, float]
"""How much of each ink, 0 to 1: cyan, magenta, yellow, black."""
INTENTS: Mapping[str, int] = MappingProxyType(
    {"perceptual": 0, "relative": 1, "saturation": 2, "absolute": 3}
)
"""ICC's rendering intents, by the words of game.yaml; "" is each for what it is best for."""


@dataclass(frozen=True)
class Condition:
    """What a file for the press is made for.

    `ink` is the most of all four inks together, in % of the area. `rich_black` is what black areas
    are printed in, black alone where it is None. `spots` are inks of their own: the name of each,
    and the colour "#rrggbb" that stands for it on screens.
    """

    profile: Profile
    ink: int = 300
    intent: str = ""
    rich_black: Cmyk | None = None
    spots: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """All that decides how a colour is printed."""
        return (self.profile.digest, self.ink, self.intent, self.rich_black, self.spots)


@dataclass(frozen=True)
class Paper:
    """What is said of a file: its title, the game's date (YYYY-MM-DD; else none is told), how far
    inside their edges its pages are cut (mm), and what each of them is called, if anything."""

    title: str
    date: str
    bleed: float = 0.0
    names: tuple[str, ...] = ()


def total(colour: Cmyk) -> float:
    """All ink of a colour, in % of the area, 0 to 400."""
    return 100 * sum(colour)
