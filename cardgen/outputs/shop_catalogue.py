"""What print shops sell and how large its pictures are. Pixels at 300 dpi, bleed included.

The figures stand in `pdf/preflight/shops.yaml`, from where `cardgen preflight` has them, too. They
are collected from public sources; no order was ever placed. `docs/printing.md` tells which of them
rest on one source alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job
from cardgen.pdf.preflight import printer_spec

SHOP_DPI = 300
# Sizes nearer than this are one: 88.9 mm is 3.5 in, however it is rounded.
_SAME_SIZE_MM = 0.15
_NEAR_SIZE_MM = 2.0
"""Within so much of a side, mm, a card is made into that size: less than 1 mm at every edge."""


@dataclass(frozen=True)
class ShopProduct:
    """A card that a shop prints: its name, its trim in mm, and its picture in px, upright."""

    name: str
    trim: Size
    width: int
    height: int


@dataclass(frozen=True)
class PrintShop:
    """A print shop, and how many px its pictures reach beyond the cut on every side."""

    name: str
    bleed_px: float
    products: tuple[ShopProduct, ...]

    @property
    def bleed_mm(self) -> float:
        """The same in mm."""
        return self.bleed_px / SHOP_DPI * MM_PER_INCH

    def find_product(self, size: Size) -> ShopProduct | None:
        """The card of that size, whichever way it lies."""
        near = self.find_nearest_product(size)
        return near if _measure_size_difference(near.trim, size) <= _SAME_SIZE_MM else None

    def find_near_product(self, size: Size) -> ShopProduct | None:
        """The card that a size may be made into, which it misses by little or by nothing."""
        near = self.find_nearest_product(size)
        return near if _measure_size_difference(near.trim, size) < _NEAR_SIZE_MM else None

    def find_nearest_product(self, size: Size) -> ShopProduct:
        """The card that is most like a size."""
        return min(self.products, key=lambda product: _measure_size_difference(product.trim, size))


def _measure_size_difference(one: Size, other: Size) -> float:
    """The larger difference of both sides, mm, each upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


def _load_shop(word: str) -> PrintShop:
    """A shop whose pictures are as large as its cards and the bleed."""
    asked = printer_spec.load_shops()[word]
    bleed = round((asked.bleed or 0) / MM_PER_INCH * SHOP_DPI, 3)
    return PrintShop(
        asked.name,
        bleed,
        tuple(
            ShopProduct(
                name, size, _convert_to_px(size.width, bleed), _convert_to_px(size.height, bleed)
            )
            for name, size in asked.sizes.items()
        ),
    )


def _convert_to_px(mm: float, bleed: float) -> int:
    return round(round(mm / MM_PER_INCH * SHOP_DPI, 3) + 2 * bleed)


MPC = _load_shop("mpc")
TGC = _load_shop("tgc")
MPC_MAX_CARDS = 612
"""The cards of one order."""


_MIN_REPORTED_STRIP_MM = 0.05
"""What is told of a strip at an edge, mm."""


@dataclass(frozen=True)
class ProductFit:
    """A card of a shop out of a deck's. `scale` is how much larger the deck's comes out, across and
    up the shop's upright card; `bleed` how much the deck's needs, mm."""

    product: ShopProduct
    scale: tuple[float, float]
    bleed: float


def fit_deck(job: Job, deck: Deck, shop: PrintShop) -> ProductFit | None:
    """What a shop prints of a deck; None where it has no such card."""
    if deck.form.shape != "rectangle":
        return None
    product = shop.find_product(deck.size)
    if product:
        # The same size, rounded otherwise: both sides are brought to it.
        trim, size = product.trim, _make_upright(deck.size)
        return ProductFit(
            product, (trim.width / size.width, trim.height / size.height), shop.bleed_mm
        )
    how, near = _get_fit_mode(job, deck), find_scalable_product(deck, shop)
    if not (how and near):
        return None
    scale = _compute_scale(deck, near, how)
    return ProductFit(
        near, (scale, scale), (shop.bleed_mm + max(0, *_measure_margins(deck, near, scale))) / scale
    )


def find_scalable_product(deck: Deck, shop: PrintShop) -> ShopProduct | None:
    """The card of a shop that a deck's may be made into."""
    return shop.find_near_product(deck.size) if deck.form.shape == "rectangle" else None


def is_landscape(deck: Deck) -> bool:
    """Whether its cards are wider than high."""
    return deck.size.width > deck.size.height


def explain_unprintable(deck: Deck, shop: PrintShop) -> str:
    """Why a shop prints none of a deck, and what would help."""
    if deck.form.shape != "rectangle":
        return f"{deck.id} is left out: {shop.name} prints rectangular cards alone"
    near = shop.find_near_product(deck.size)
    why = f"{deck.id} ({deck.size}) is left out: {shop.name} has no such size; the nearest is "
    if near is None:
        return why + _format_product(shop.find_nearest_product(deck.size))
    larger, padded = (_describe_fit(deck, near, how) for how in ("scale", "pad"))
    return (
        f"{why}{_format_product(near)}, less than a millimetre off at every edge. --fit scale, or "
        f"'fit: scale' in its file, prints it {larger}; pad prints it {padded}"
    )


def summarise_fits(job: Job, decks: Iterable[Deck], shop: PrintShop) -> str:
    """Which of the decks that a shop prints become another size, and how; "" where none does."""
    said = []
    for deck in decks:
        near = shop.find_near_product(deck.size)
        if near and not shop.find_product(deck.size):
            how = _describe_fit(deck, near, _get_fit_mode(job, deck))
            said.append(
                f"{deck.id} ({deck.size}) becomes {_format_product(near)}, of {shop.name}: printed {how}"
            )
    return "; ".join(said)


def _get_fit_mode(job: Job, deck: Deck) -> str:
    return job.options.single.fit or deck.fit or job.game.defaults.fit


def _compute_scale(deck: Deck, product: ShopProduct, how: str) -> float:
    size, trim = _make_upright(deck.size), product.trim
    fits = min(trim.width / size.width, trim.height / size.height)
    return fits if how == "scale" else 1.0


def _measure_margins(deck: Deck, product: ShopProduct, scale: float) -> tuple[float, float]:
    """How much room there is beside the deck's card in the shop's, mm: left and right, above and
    below, as the deck's card is held."""
    trim = product.trim.rotate() if is_landscape(deck) else product.trim
    return (
        (trim.width - scale * deck.size.width) / 2, (trim.height - scale * deck.size.height) / 2
    )  # fmt: skip


def _describe_fit(deck: Deck, product: ShopProduct, how: str) -> str:
    """How a card is printed: `2.1 % larger, with 0.06 mm of its bleed above and below`."""
    scale = _compute_scale(deck, product, how)
    percent = 100 * (scale - 1)
    said = [
        f"{abs(percent):.1f} % {'larger' if percent > 0 else 'smaller'}"
        if how == "scale" else "as it is"
    ]  # fmt: skip
    places = zip(
        ("left and right", "above and below"), _measure_margins(deck, product, scale), strict=True
    )
    strips = [(where, strip) for where, strip in places if abs(strip) >= _MIN_REPORTED_STRIP_MM]
    shown = [(where, strip) for where, strip in strips if strip > 0]
    lost = [(where, -strip) for where, strip in strips if strip < 0]
    said += [f"with {_format_strips(shown, 'of its bleed ')}"] if shown else []
    said += [f"with {_format_strips(lost, 'cut off ')}"] if lost else []
    return ", ".join(said)


def _format_strips(strips: Sequence[tuple[str, float]], what: str) -> str:
    """`0.57 mm of its bleed left and right, 0.95 mm above and below`."""
    (where, first), *others = strips
    more = (f"{strip:.2f} mm {place}" for place, strip in others)
    return ", ".join([f"{first:.2f} mm {what}{where}", *more])


def _format_product(product: ShopProduct) -> str:
    return f"{product.name}, {product.trim.width:.2f} × {product.trim.height:.2f} mm"


def _make_upright(size: Size) -> Size:
    return size.rotate() if size.width > size.height else size
