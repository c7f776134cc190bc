"""Products of print shops, and how cards of other sizes are made into them.

Sizes come from `pdf/preflight/shops.yaml`, which `cardgen preflight` reads as well, or from a file
of the same form in the game or the user's settings. Each names its public source and the day it was
read. None was tried with an order.

With `scale`, a card is scaled as a whole until it fits into the shop's trim and touches two of its
edges. Some of its bleed shows at the others. With `pad` a card keeps its size. Bleed shows around a
smaller card, and a larger one is cropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cardgen.core.problems import did_you_mean
from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job
from cardgen.pdf.preflight import printer_spec
from cardgen.pdf.preflight.printer_spec import SHOP_DPI, PrinterSpec

MPC_MAX_CARDS = 612
"""Maximum number of cards in one order at MakePlayingCards."""
_SAME_SIZE_MM = 0.15
"""Maximum difference of sides that are the same size, such as 88.9 mm and 3.5 in."""
_NEAR_SIZE_MM = 2.0
"""Maximum difference of sides for `scale` and `pad`, which is less than 1 mm at every edge."""
_MIN_REPORTED_STRIP_MM = 0.05


@dataclass(frozen=True)
class ShopProduct:
    """A piece that a shop prints: its name, its trim in mm, and its image in px at `SHOP_DPI`.

    The image includes the bleed and has the same centre as the trim. `order` is the form of the
    file to order it with.
    """

    name: str
    trim: Size
    width: int
    height: int
    shape: str = "rectangle"
    order: str = "table"

    @property
    def bleed(self) -> float:
        """The bleed in mm where it is widest."""
        across, down = (px / SHOP_DPI * MM_PER_INCH for px in (self.width, self.height))
        return round(max(across - self.trim.width, down - self.trim.height) / 2, 3)

    def is_turned(self, deck: Deck) -> bool:
        """Return whether a deck's cards are turned for this product."""
        return is_landscape(deck.size) != is_landscape(self.trim)


@dataclass(frozen=True)
class PrintShop:
    """A print shop, its word on the command line, its products, and the most copies that a line of
    an order may have."""

    word: str
    name: str
    products: tuple[ShopProduct, ...]
    max_copies: int | None = None

    def find_product(
        self, size: Size, within: float = _SAME_SIZE_MM, shape: str = "rectangle"
    ) -> ShopProduct | None:
        """Return the first product of a size, upright or not; None if all differ by more."""
        near = self.find_nearest_product(size, shape)
        return near if near and near.trim.measure_difference(size) < within else None

    def find_nearest_product(self, size: Size, shape: str = "rectangle") -> ShopProduct | None:
        """Return the product whose size differs least; None if there is none of a shape."""
        known = (product for product in self.products if product.shape == shape)
        return min(known, key=lambda each: each.trim.measure_difference(size), default=None)

    def choose_product(self, deck: Deck, within: float = _SAME_SIZE_MM) -> ShopProduct | None:
        """Return the product that a deck names, if it has its size and shape; without a name, the
        first."""
        if wanted := deck.products.get(self.word):
            named = next((each for each in self.products if each.name == wanted), None)
            is_right = named is not None and named.shape == deck.form.shape
            difference = named.trim.measure_difference(deck.size) if named else within
            return named if is_right and difference < within else None
        return self.find_product(deck.size, within, deck.form.shape)


def make_shop(word: str, spec: PrinterSpec) -> PrintShop:
    """Return a shop as its file describes it."""
    bleed = round((spec.bleed or 0) / MM_PER_INCH * SHOP_DPI, 3)

    def convert_to_px(mm: float) -> int:
        return round(round(mm / MM_PER_INCH * SHOP_DPI, 3) + 2 * bleed)

    products = []
    for name, each in spec.products.items():
        trim = each.trim
        px = each.pixels or (convert_to_px(trim.width), convert_to_px(trim.height))
        products.append(ShopProduct(name, trim, *px, each.shape, each.order))
    return PrintShop(word, spec.name, tuple(products), spec.max_copies)


MPC, TGC = (make_shop(word, printer_spec.load_shops()[word]) for word in ("mpc", "tgc"))


@dataclass(frozen=True)
class ProductFit:
    """A deck's cards as a shop's product: horizontal and vertical scale, upright, and the bleed in
    mm that the deck's cards need."""

    product: ShopProduct
    scale: tuple[float, float]
    bleed: float


def fit_deck(job: Job, deck: Deck, shop: PrintShop) -> ProductFit | None:
    """Return how a shop prints a deck, or None if it cannot."""
    product = shop.choose_product(deck)
    if product:
        # Both sides are scaled to the same size that is only rounded differently.
        trim, size = product.trim, _turn_size(deck, product)
        scale = trim.width / size.width, trim.height / size.height
        return ProductFit(product, scale, product.bleed)
    mode, near = _get_fit_mode(job, deck), find_scalable_product(deck, shop)
    if not (mode and near):
        return None
    factor = _compute_scale(deck, near, mode)
    bleed = (near.bleed + max(0, *_measure_margins(deck, near, factor))) / factor
    return ProductFit(near, (factor, factor), bleed)


def find_scalable_product(deck: Deck, shop: PrintShop) -> ShopProduct | None:
    """Return the product that a deck's cards can be scaled or padded to."""
    return shop.choose_product(deck, _NEAR_SIZE_MM)


def is_landscape(size: Size) -> bool:
    """Return true if a size is wider than high."""
    return size.width > size.height


def explain_unprintable(deck: Deck, shop: PrintShop) -> str:
    """Return the reason why a shop cannot print a deck, and what would help."""
    shape, wanted = deck.form.shape, deck.products.get(shop.word)
    names = [product.name for product in shop.products]
    if wanted and wanted not in names:
        hint = did_you_mean(wanted, names)
        return f"{deck.id} is left out: {shop.name} has no product '{wanted}'{hint}"
    if wanted:
        return f"{deck.id} ({deck.size}) is left out: {wanted} has another size or shape"
    nearest = shop.find_nearest_product(deck.size, shape)
    if nearest is None:
        prints = "only rectangular cards" if {"rectangle"} == _list_shapes(shop) else f"no {shape}"
        return f"{deck.id} is left out: {shop.name} prints {prints}"
    near = find_scalable_product(deck, shop)
    reason = f"{deck.id} ({deck.size}) is left out: {shop.name} has no such size; the nearest is "
    if near is None:
        return reason + _format_product(nearest)
    scaled, padded = (_describe_fit(deck, near, mode) for mode in ("scale", "pad"))
    return (
        f"{reason}{_format_product(near)}, less than a millimetre off at every edge. --fit scale, "
        f"or 'fit: scale' in its file, prints it {scaled}; pad prints it {padded}"
    )


def _list_shapes(shop: PrintShop) -> set[str]:
    return {product.shape for product in shop.products}


def summarise_fits(job: Job, decks: Iterable[Deck], shop: PrintShop) -> str:
    """Return a text about the decks that change their size, or "" without any."""
    parts = []
    for deck in decks:
        near = find_scalable_product(deck, shop)
        if near and not shop.choose_product(deck):
            fit = _describe_fit(deck, near, _get_fit_mode(job, deck))
            product = f"{_format_product(near)}, of {shop.name}"
            parts.append(f"{deck.id} ({deck.size}) becomes {product}: printed {fit}")
    return "; ".join(parts)


def _get_fit_mode(job: Job, deck: Deck) -> str:
    return job.options.single.fit or deck.fit or job.game.defaults.fit


def _compute_scale(deck: Deck, product: ShopProduct, mode: str) -> float:
    size, trim = _turn_size(deck, product), product.trim
    return min(trim.width / size.width, trim.height / size.height) if mode == "scale" else 1.0


def _measure_margins(deck: Deck, product: ShopProduct, scale: float) -> tuple[float, float]:
    """Return the room in mm beside a deck's card on the product: left and right, above and below,
    as the deck's card is held. It is negative where the card is cropped."""
    trim, size = product.trim.rotate() if product.is_turned(deck) else product.trim, deck.size
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


def _turn_size(deck: Deck, product: ShopProduct) -> Size:
    return deck.size.rotate() if product.is_turned(deck) else deck.size
