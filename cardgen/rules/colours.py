"""How far apart colours are, also for people who see fewer of them.

Distances are ΔE2000 (ISO/CIE 11664-6), and colour-blind sight is that of Viénot, Brettel and
Mollon (protan and deutan 1999, tritan 1997), both as coloraide reckons them: below about 8 two flat
areas are easily mistaken for each other, above 15 they are told apart at a glance.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coloraide import Color

SIGHTS = ("normal", "protan", "deutan", "tritan")


def distance(first: str, second: str, sight: str = "normal") -> float:
    """ΔE2000 between two colours `#rrggbb` as a sight sees them."""
    return float(_seen(first, sight).delta_e(_seen(second, sight), method="2000"))


def nearest_pair(colours: dict[str, str]) -> tuple[float, str, str, str]:
    """The least distance over all pairs and sights: (ΔE, name, other name, sight)."""
    return min(
        (distance(colours[a], colours[b], sight), a, b, sight)
        for a, b in combinations(colours, 2)
        for sight in SIGHTS
    )


@lru_cache(maxsize=256)
def _seen(colour: str, sight: str) -> Color:
    from coloraide import Color  # noqa: PLC0415 - slow to import; few games ask

    seen = Color(colour)
    return seen if sight == "normal" else seen.filter(sight).clip()
