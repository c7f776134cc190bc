"""How a deck's cards become cards of a shop: of its size, or of one nearby if that is asked for.

`scale` makes a card larger or smaller as a whole, by one factor, so that all of it lies within the
shop's cut and touches it at two edges; at the others a little of its bleed shows. `pad` leaves it
as it is: bleed shows all around where it is smaller, and what it is larger by is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.base.units import Size
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job
from cardgen.outputs.shops.catalogue import Product, Shop

_SEEN = 0.05
"""What is told of a strip at an edge, mm."""


@dataclass(frozen=True)
class Fit:
    """A card of a shop out of a deck's. `scale` is how much larger the deck's comes out, across and
    up the shop's upright card; `bleed` how much the deck's needs, mm."""

    product: Product
    scale: tuple[float, float]
    bleed: float


def of(job: Job, deck: Deck, shop: Shop) -> Fit | None:
    """What a shop prints of a deck; None where it has no such card."""
    if deck.form.shape != "rectangle":
        return None
    product = shop.product(deck.size)
    if product:
        # The same size, rounded otherwise: both sides are brought to it.
        trim, size = product.trim, _upright(deck.size)
        return Fit(product, (trim.width / size.width, trim.height / size.height), shop.bleed_mm)
    how, near = _asked(job, deck), offered(deck, shop)
    if not (how and near):
        return None
    scale = _scale(deck, near, how)
    return Fit(near, (scale, scale), (shop.bleed_mm + max(0, *_beside(deck, near, scale))) / scale)


def offered(deck: Deck, shop: Shop) -> Product | None:
    """The card of a shop that a deck's may be made into."""
    return shop.near(deck.size) if deck.form.shape == "rectangle" else None


def lies(deck: Deck) -> bool:
    """Whether its cards are wider than high."""
    return deck.size.width > deck.size.height


def unsold(deck: Deck, shop: Shop) -> str:
    """Why a shop prints none of a deck, and what would help."""
    if deck.form.shape != "rectangle":
        return f"{deck.id} is left out: {shop.name} prints rectangular cards alone"
    near = shop.near(deck.size)
    why = f"{deck.id} ({deck.size}) is left out: {shop.name} has no such size; the nearest is "
    if near is None:
        return why + _named(shop.nearest(deck.size))
    larger, padded = (_said(deck, near, how) for how in ("scale", "pad"))
    return (
        f"{why}{_named(near)}, less than a millimetre off at every edge. --fit scale, or "
        f"'fit: scale' in its file, prints it {larger}; pad prints it {padded}"
    )


def told(job: Job, decks: Iterable[Deck], shop: Shop) -> str:
    """Which of the decks that a shop prints become another size, and how; "" where none does."""
    said = []
    for deck in decks:
        near = shop.near(deck.size)
        if near and not shop.product(deck.size):
            how = _said(deck, near, _asked(job, deck))
            said.append(
                f"{deck.id} ({deck.size}) becomes {_named(near)}, of {shop.name}: printed {how}"
            )
    return "; ".join(said)


def _asked(job: Job, deck: Deck) -> str:
    return job.options.single.fit or deck.fit or job.game.defaults.fit


def _scale(deck: Deck, product: Product, how: str) -> float:
    size, trim = _upright(deck.size), product.trim
    fits = min(trim.width / size.width, trim.height / size.height)
    return fits if how == "scale" else 1.0


def _beside(deck: Deck, product: Product, scale: float) -> tuple[float, float]:
    """How much room there is beside the deck's card in the shop's, mm: left and right, above and
    below, as the deck's card is held."""
    trim = product.trim.turned() if lies(deck) else product.trim
    return (
        (trim.width - scale * deck.size.width) / 2, (trim.height - scale * deck.size.height) / 2
    )  # fmt: skip


def _said(deck: Deck, product: Product, how: str) -> str:
    """How a card is printed: `2.1 % larger, with 0.06 mm of its bleed above and below`."""
    scale = _scale(deck, product, how)
    percent = 100 * (scale - 1)
    said = [
        f"{abs(percent):.1f} % {'larger' if percent > 0 else 'smaller'}"
        if how == "scale" else "as it is"
    ]  # fmt: skip
    places = zip(("left and right", "above and below"), _beside(deck, product, scale), strict=True)
    strips = [(where, strip) for where, strip in places if abs(strip) >= _SEEN]
    shown = [(where, strip) for where, strip in strips if strip > 0]
    lost = [(where, -strip) for where, strip in strips if strip < 0]
    said += [f"with {_listed(shown, 'of its bleed ')}"] if shown else []
    said += [f"with {_listed(lost, 'cut off ')}"] if lost else []
    return ", ".join(said)


def _listed(strips: Sequence[tuple[str, float]], what: str) -> str:
    """`0.57 mm of its bleed left and right, 0.95 mm above and below`."""
    (where, first), *others = strips
    more = (f"{strip:.2f} mm {place}" for place, strip in others)
    return ", ".join([f"{first:.2f} mm {what}{where}", *more])


def _named(product: Product) -> str:
    return f"{product.name}, {product.trim.width:.2f} × {product.trim.height:.2f} mm"


def _upright(size: Size) -> Size:
    return size.turned() if size.width > size.height else size
