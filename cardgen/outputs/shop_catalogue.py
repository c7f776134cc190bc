"""Products of print shops, and how cards of other sizes are made into them.

Sizes come from `pdf/preflight/shops.yaml`, which `cardgen preflight` reads as well. They were
collected from public sources and never tried with an order. docs/printing.md names those with one
source only.

With `scale`, a card is scaled as a whole until it fits into the shop's trim and touches two of its
edges. Some of its bleed shows at the others. With `pad` a card keeps its size. Bleed shows around a
smaller card, and a larger one is cropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job
from cardgen.pdf.preflight import printer_spec

SHOP_DPI = 300
MPC_MAX_CARDS = 612
"""Maximum number of cards in one order at MakePlayingCards."""
_SAME_SIZE_MM = 0.15
"""Maximum difference of sides that are the same size, such as 88.9 mm and 3.5 in."""
_NEAR_SIZE_MM = 2.0
"""Maximum difference of sides for `scale` and `pad`, which is less than 1 mm at every edge."""
_MIN_REPORTED_STRIP_MM = 0.05


@dataclass(frozen=True)
class ShopProduct:
    """A card that a shop prints: its name, its trim in mm, and its image in px at `SHOP_DPI`.

    Both are upright. The image includes the bleed.
    """

    name: str
    trim: Size
    width: int
    height: int


@dataclass(frozen=True)
class PrintShop:
    """A print shop, the bleed of its images in px on every side, and its products."""

    name: str
    bleed_px: float
    products: tuple[ShopProduct, ...]

    @property
    def bleed_mm(self) -> float:
        """The bleed in mm."""
        return self.bleed_px / SHOP_DPI * MM_PER_INCH

    def find_product(self, size: Size, within: float = _SAME_SIZE_MM) -> ShopProduct | None:
        """Return the product of a size, upright or not; None if it differs by more."""
        near = self.find_nearest_product(size)
        return near if near.trim.measure_difference(size) < within else None

    def find_nearest_product(self, size: Size) -> ShopProduct:
        """Return the product whose size differs least."""
        return min(self.products, key=lambda product: product.trim.measure_difference(size))


def _load_shop(word: str) -> PrintShop:
    spec = printer_spec.load_shops()[word]
    bleed = round((spec.bleed or 0) / MM_PER_INCH * SHOP_DPI, 3)

    def convert_to_px(mm: float) -> int:
        return round(round(mm / MM_PER_INCH * SHOP_DPI, 3) + 2 * bleed)

    products = (
        ShopProduct(name, size, convert_to_px(size.width), convert_to_px(size.height))
        for name, size in spec.sizes.items()
    )
    return PrintShop(spec.name, bleed, tuple(products))


MPC = _load_shop("mpc")
TGC = _load_shop("tgc")


@dataclass(frozen=True)
class ProductFit:
    """A deck's cards as a shop's product: horizontal and vertical scale, upright, and the bleed in
    mm that the deck's cards need."""

    product: ShopProduct
    scale: tuple[float, float]
    bleed: float


def fit_deck(job: Job, deck: Deck, shop: PrintShop) -> ProductFit | None:
    """Return how a shop prints a deck, or None if it cannot."""
    if deck.form.shape != "rectangle":
        return None
    product = shop.find_product(deck.size)
    if product:
        # Both sides are scaled to the same size that is only rounded differently.
        trim, size = product.trim, _make_upright(deck.size)
        scale = trim.width / size.width, trim.height / size.height
        return ProductFit(product, scale, shop.bleed_mm)
    mode, near = _get_fit_mode(job, deck), find_scalable_product(deck, shop)
    if not (mode and near):
        return None
    factor = _compute_scale(deck, near, mode)
    bleed = (shop.bleed_mm + max(0, *_measure_margins(deck, near, factor))) / factor
    return ProductFit(near, (factor, factor), bleed)


def find_scalable_product(deck: Deck, shop: PrintShop) -> ShopProduct | None:
    """Return the product that a deck's cards can be scaled or padded to."""
    is_rectangle = deck.form.shape == "rectangle"
    return shop.find_product(deck.size, _NEAR_SIZE_MM) if is_rectangle else None


def is_landscape(deck: Deck) -> bool:
    """Return true if a deck's cards are wider than high."""
    return deck.size.width > deck.size.height


def explain_unprintable(deck: Deck, shop: PrintShop) -> str:
    """Return the reason why a shop cannot print a deck, and what would help."""
    if deck.form.shape != "rectangle":
        return f"{deck.id} is left out: {shop.name} prints only rectangular cards"
    near = find_scalable_product(deck, shop)
    reason = f"{deck.id} ({deck.size}) is left out: {shop.name} has no such size; the nearest is "
    if near is None:
        return reason + _format_product(shop.find_nearest_product(deck.size))
    scaled, padded = (_describe_fit(deck, near, mode) for mode in ("scale", "pad"))
    return (
        f"{reason}{_format_product(near)}, less than a millimetre off at every edge. --fit scale, "
        f"or 'fit: scale' in its file, prints it {scaled}; pad prints it {padded}"
    )


def summarise_fits(job: Job, decks: Iterable[Deck], shop: PrintShop) -> str:
    """Return a text about the decks that change their size, or "" without any."""
    parts = []
    for deck in decks:
        near = find_scalable_product(deck, shop)
        if near and not shop.find_product(deck.size):
            fit = _describe_fit(deck, near, _get_fit_mode(job, deck))
            product = f"{_format_product(near)}, of {shop.name}"
            parts.append(f"{deck.id} ({deck.size}) becomes {product}: printed {fit}")
    return "; ".join(parts)


def _get_fit_mode(job: Job, deck: Deck) -> str:
    return job.options.single.fit or deck.fit or job.game.defaults.fit


def _compute_scale(deck: Deck, product: ShopProduct, mode: str) -> float:
    size, trim = _make_upright(deck.size), product.trim
    return min(trim.width / size.width, trim.height / size.height) if mode == "scale" else 1.0


def _measure_margins(deck: Deck, product: ShopProduct, scale: float) -> tuple[float, float]:
    """Return the room in mm beside a deck's card on the product: left and right, above and below,
    as the deck's card is held. It is negative where the card is cropped."""
    trim, size = product.trim.rotate() if is_landscape(deck) else product.trim, deck.size
    return (trim.width - scale * size.width) / 2, (trim.height - scale * size.height) / 2


def _describe_fit(deck: Deck, product: ShopProduct, mode: str) -> str:
    """Return a text such as `2.1 % larger, with 0.06 mm of its bleed above and below`."""
    scale = _compute_scale(deck, product, mode)
    percent = 100 * (scale - 1)
    change = f"{abs(percent):.1f} % {'larger' if percent > 0 else 'smaller'}"
    parts = [change if mode == "scale" else "as it is"]
    margins = _measure_margins(deck, product, scale)
    for sign, what in ((1, " of its bleed"), (-1, " cut off")):
        strips = list[str]()
        for where, margin in zip(("left and right", "above and below"), margins, strict=True):
            if sign * margin >= _MIN_REPORTED_STRIP_MM:
                strips.append(f"{abs(margin):.2f} mm{'' if strips else what} {where}")
        if strips:
            parts.append(f"with {', '.join(strips)}")
    return ", ".join(parts)


def _format_product(product: ShopProduct) -> str:
    return f"{product.name}, {product.trim.width:.2f} × {product.trim.height:.2f} mm"


def _make_upright(size: Size) -> Size:
    return size.rotate() if size.width > size.height else size
