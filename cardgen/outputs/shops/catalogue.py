"""What print shops sell and how large its pictures are. Pixels at 300 dpi, bleed included.

The figures stand in `pdf/preflight/shops.yaml`, from where `cardgen preflight` has them, too. They
are collected from public sources; no order was ever placed. `docs/printing.md` tells which of them
rest on one source alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.base.units import MM_PER_INCH, Size
from cardgen.pdf.preflight import spec

DPI = 300
# Sizes nearer than this are one: 88.9 mm is 3.5 in, however it is rounded.
_SAME = 0.15
_NEAR = 2.0
"""Within so much of a side, mm, a card is made into that size: less than 1 mm at every edge."""


@dataclass(frozen=True)
class Product:
    """A card that a shop prints: its name, its trim in mm, and its picture in px, upright."""

    name: str
    trim: Size
    width: int
    height: int


@dataclass(frozen=True)
class Shop:
    """A print shop, and how many px its pictures reach beyond the cut on every side."""

    name: str
    bleed: float
    products: tuple[Product, ...]

    @property
    def bleed_mm(self) -> float:
        """The same in mm."""
        return self.bleed / DPI * MM_PER_INCH

    def product(self, size: Size) -> Product | None:
        """The card of that size, whichever way it lies."""
        near = self.nearest(size)
        return near if _distance(near.trim, size) <= _SAME else None

    def near(self, size: Size) -> Product | None:
        """The card that a size may be made into, which it misses by little or by nothing."""
        near = self.nearest(size)
        return near if _distance(near.trim, size) < _NEAR else None

    def nearest(self, size: Size) -> Product:
        """The card that is most like a size."""
        return min(self.products, key=lambda product: _distance(product.trim, size))


def _distance(one: Size, other: Size) -> float:
    """The larger difference of both sides, mm, each upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


def _shop(word: str) -> Shop:
    """A shop whose pictures are as large as its cards and the bleed."""
    asked = spec.shops()[word]
    bleed = round((asked.bleed or 0) / MM_PER_INCH * DPI, 3)
    return Shop(
        asked.name,
        bleed,
        tuple(
            Product(name, size, _px(size.width, bleed), _px(size.height, bleed))
            for name, size in asked.sizes.items()
        ),
    )


def _px(mm: float, bleed: float) -> int:
    return round(round(mm / MM_PER_INCH * DPI, 3) + 2 * bleed)


MPC = _shop("mpc")
TGC = _shop("tgc")
MPC_MOST = 612
"""The cards of one order."""
