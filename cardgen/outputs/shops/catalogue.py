"""What print shops sell and how large its pictures are. Pixels at 300 dpi, bleed included.

The figures are collected from public sources; no order was ever placed. `docs/printing.md` tells
which of them rest on one source alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.base.units import MM_PER_INCH, Size

DPI = 300
# Sizes nearer than this are one: 88.9 mm is 3.5 in, however it is rounded.
_SAME = 0.15


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

    def nearest(self, size: Size) -> Product:
        """The card that is most like a size."""
        return min(self.products, key=lambda product: _distance(product.trim, size))


def _distance(one: Size, other: Size) -> float:
    """The larger difference of both sides, mm, each upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


def _shop(name: str, bleed: float, products: dict[str, tuple[float, float]]) -> Shop:
    """A shop whose pictures are as large as its cards (inches) and the bleed."""
    return Shop(
        name,
        bleed,
        tuple(
            Product(
                key,
                Size(width * MM_PER_INCH, height * MM_PER_INCH),
                round(width * DPI + 2 * bleed),
                round(height * DPI + 2 * bleed),
            )
            for key, (width, height) in products.items()
        ),
    )


_CARDS = {
    "poker": (2.5, 3.5), "bridge": (2.25, 3.5), "tarot": (2.75, 4.75), "mini": (1.75, 2.5),
}  # fmt: skip
MPC = _shop("MakePlayingCards", 36, _CARDS)
TGC = _shop("The Game Crafter", 37.5, {**_CARDS, "small-square": (2.5, 2.5), "square": (3.5, 3.5)})
MPC_MOST = 612
"""The cards of one order."""
