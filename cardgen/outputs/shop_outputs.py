"""Pictures and orders for print shops that print single cards.

In: a `Job`. Out: files in the sizes that `catalogue` has of each shop. Called through
`outputs.registry`.
"""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem, Source
from cardgen.core.units import MM_PER_INCH, Box
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs import shop_catalogue
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.outputs.shop_catalogue import MPC, MPC_MAX_CARDS, SHOP_DPI, TGC, PrintShop, ShopProduct
from cardgen.outputs.single_cards import SingleCard, check_bleed, list_single_cards
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf

_MM_PER_PX = MM_PER_INCH / 72
"""A page's point becomes one px."""
_PAGE_SHRINK_PX = 0.001
"""A page is so many px smaller than its picture: pdfium rounds up, and floats err both ways."""


@dataclass(frozen=True)
class ShopPictureRecipe:
    """A face, or white, in the middle of so many px.

    `turn` is how far a lying card is turned to stand upright, degrees; `scale` how much larger it
    then comes out across and up than it is.
    """

    face: FacePdf | None
    font_files: tuple[FontFile, ...]
    width: int
    height: int
    scale: tuple[float, float] = (1.0, 1.0)
    rotation: int = 0


@dataclass(frozen=True)
class ShopFolder:
    """Where the files of one size lie, in one language."""

    path: str
    language: str
    product: ShopProduct


def match_decks(job: Job, shop: PrintShop) -> tuple[dict[ShopProduct, list[Deck]], list[Problem]]:
    """The decks that a shop can print, by its products, and what is said of the others."""
    found: dict[ShopProduct, list[Deck]] = {}
    problems = []
    for deck in job.decks:
        fit = shop_catalogue.fit_deck(job, deck, shop)
        if fit:
            found.setdefault(fit.product, []).append(deck)
            needs = f"{shop.name} needs {fit.bleed:.2f}"
            problems += check_bleed(deck, fit.bleed, needs, "shop")
        else:
            message = shop_catalogue.explain_unprintable(deck, shop)
            problems.append(Problem(deck.source, message, "shop", "warning"))
    if not found:
        near = [deck.id for deck in job.decks if shop_catalogue.find_scalable_product(deck, shop)]
        hint = f"; with --fit scale or pad it prints {', '.join(near)}" if near else ""
        message = f"none of these decks has a size that {shop.name} prints{hint}"
        problems.append(Problem(Source("game.yaml"), message, "shop"))
    return found, problems


def plan_pictures(
    job: Job, folder: str, wanted: Sequence[SingleCard], product: ShopProduct, shop: PrintShop
) -> tuple[list[Artefact[ShopPictureRecipe | FileContent]], dict[str, str]]:
    """A PNG of each different face below `folder`, and its path by the face's key."""
    paths: dict[str, str] = {}
    artefacts = []
    for card in wanted:
        for face in card.sides:
            if face.key in paths:
                continue
            paths[face.key] = f"{folder}/{card.deck.id}/{face.file_stem}.png"
            artefacts.append(_plan_picture(job, paths[face.key], face, product, shop))
    return artefacts, paths


def _plan_picture(
    job: Job, path: str, face: Face, product: ShopProduct, shop: PrintShop
) -> Artefact[ShopPictureRecipe | FileContent]:
    fit = shop_catalogue.fit_deck(job, face.deck, shop)
    scale = fit.scale if fit else (1.0, 1.0)
    # The back's top is where the front's is, seen from the other side.
    turn = (90 if face.side == "front" else 270) if shop_catalogue.is_landscape(face.deck) else 0
    recipe = ShopPictureRecipe(
        get_face_pdf(face, job.store), job.font_files, product.width, product.height, scale, turn
    )
    return Artefact(path, recipe, face.language)


class ShopOutput(Output[ShopPictureRecipe | FileContent]):
    """Pictures of all cards that a shop can print, and what it is ordered with."""

    batch_size = 12
    folder_name: str
    """Its folder."""
    shop: PrintShop

    @abstractmethod
    def plan_orders(
        self, job: Job, folder: ShopFolder, cards: Sequence[SingleCard], paths: Mapping[str, str]
    ) -> Iterable[Artefact[ShopPictureRecipe | FileContent]]:
        """What goes with the pictures of one size, whose paths stand by their faces' keys."""

    def plan(
        self, job: Job
    ) -> tuple[list[Artefact[ShopPictureRecipe | FileContent]], list[Problem]]:
        """`<word>/<size>/<deck>/<piece>.png`, and the orders, for every language and size."""
        products, problems = match_decks(job, self.shop)
        artefacts: list[Artefact[ShopPictureRecipe | FileContent]] = []
        for language in job.languages:
            for product, decks in products.items():
                folder = ShopFolder(
                    f"{language}/{self.folder_name}/{product.name}", language, product
                )
                wanted = list_single_cards(job, decks, language)
                found, paths = plan_pictures(job, folder.path, wanted, product, self.shop)
                orders = [*self.plan_orders(job, folder, wanted, paths)]
                if orders:
                    told = shop_catalogue.summarise_fits(job, decks, self.shop)
                    orders[0] = replace(orders[0], summary=told)
                artefacts += [*found, *orders]
        return artefacts, problems

    def make(self, recipes: Sequence[ShopPictureRecipe | FileContent]) -> list[bytes]:
        """The pictures and files of the recipes."""
        return [
            each.read_bytes() if isinstance(each, FileContent) else _draw_shop_picture(each)
            for each in recipes
        ]


def _draw_shop_picture(wanted: ShopPictureRecipe) -> bytes:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    if wanted.face is None:
        return raster.encode_png(
            raster.make_plain_image(wanted.width, wanted.height, "#ffffff"), SHOP_DPI
        )
    composer = Composer(wanted.font_files)
    page = Box(
        0,
        0,
        (wanted.width - _PAGE_SHRINK_PX) * _MM_PER_PX,
        (wanted.height - _PAGE_SHRINK_PX) * _MM_PER_PX,
    )
    across, up = (side * SHOP_DPI / 72 for side in wanted.scale)
    content = paint_extended("F", wanted.face, page, (across, up), wanted.rotation)
    composer.add_page(
        page.width, page.height, content.encode(), {"F": composer.add_face(wanted.face)}
    )
    return raster.encode_png(
        next(raster.rasterise_pages(composer.save("card", "en"), 72)), SHOP_DPI
    )


MPC_STOCK = "(S30) Standard Smooth"
_BLANK_BACK_FILE = "blank-back.png"


def _plan_blank_back(
    path: str, product: ShopProduct, language: str
) -> Artefact[ShopPictureRecipe | FileContent]:
    recipe = ShopPictureRecipe(None, (), product.width, product.height)
    return Artefact(path, recipe, language)


def _plan_mpc_orders(
    job: Job, folder: str, language: str, cards: Sequence[SingleCard], paths: Mapping[str, str]
) -> Iterator[Artefact[ShopPictureRecipe | FileContent]]:
    orders = list(split_orders(cards, MPC_MAX_CARDS))
    for number, order in enumerate(orders, start=1):
        name = f"cards{job.partial_suffix}{f'-{number}' if len(orders) > 1 else ''}.xml"
        files = {key: job.folder.resolve() / path for key, path in paths.items()}
        data = write_order_xml(order, files, job.folder.resolve() / folder / _BLANK_BACK_FILE)
        yield Artefact(f"{folder}/{name}", FileContent(data), language)


def split_orders(cards: Sequence[SingleCard], most: int) -> Iterator[list[SingleCard]]:
    """The cards in orders of at most so many; copies of one card may fall into two orders."""
    order: list[SingleCard] = []
    for card in cards:
        left = card.copies
        while left:
            taken = min(left, most - sum(each.copies for each in order))
            order.append(replace(card, copies=taken))
            left -= taken
            if sum(each.copies for each in order) == most:
                yield order
                order = []
    if order:
        yield order


def write_order_xml(order: Sequence[SingleCard], files: Mapping[str, Path], blank: Path) -> bytes:
    """The XML of an order. The back that most cards have is the order's; the others are listed."""
    backs = Counter[str]()
    for card in order:
        backs[_get_back_path(card, files, blank)] += card.copies
    common = backs.most_common(1)[0][0]
    root = ElementTree.Element("order")
    details = ElementTree.SubElement(root, "details")
    quantity = sum(card.copies for card in order)
    for key, value in (("quantity", str(quantity)), ("stock", MPC_STOCK), ("foil", "false")):
        ElementTree.SubElement(details, key).text = value
    fronts: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    slot = 0
    for card in order:
        slots = [str(number) for number in range(slot, slot + card.copies)]
        slot += card.copies
        fronts.setdefault(str(files[card.front.key]), []).extend(slots)
        if _get_back_path(card, files, blank) != common:
            others.setdefault(_get_back_path(card, files, blank), []).extend(slots)
    _append_slots(root, "fronts", fronts)
    if others:
        _append_slots(root, "backs", others)
    ElementTree.SubElement(root, "cardback").text = common
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return text + b"\n"


def _get_back_path(card: SingleCard, files: Mapping[str, Path], blank: Path) -> str:
    return str(files[card.back.key] if card.back else blank)


def _append_slots(root: ElementTree.Element, name: str, slots: Mapping[str, list[str]]) -> None:
    side = ElementTree.SubElement(root, name)
    for path, numbers in slots.items():
        card = ElementTree.SubElement(side, "card")
        for key, value in (
            ("id", path), ("sourceType", "Local File"), ("slots", ",".join(numbers)),
            ("name", Path(path).name),
        ):  # fmt: skip
            ElementTree.SubElement(card, key).text = value


class MpcOutput(ShopOutput):
    """Pictures and orders (`cards.xml`, or several) for MakePlayingCards."""

    folder_name, shop = "mpc", MPC

    def plan_orders(
        self, job: Job, folder: ShopFolder, cards: Sequence[SingleCard], paths: Mapping[str, str]
    ) -> Iterator[Artefact[ShopPictureRecipe | FileContent]]:
        """The orders, and a white back for the cards that have none."""
        yield from _plan_mpc_orders(job, folder.path, folder.language, cards, paths)
        if any(card.back is None for card in cards):
            yield _plan_blank_back(
                f"{folder.path}/{_BLANK_BACK_FILE}", folder.product, folder.language
            )


TGC_COLUMNS = ("front", "back", "copies")


def _write_order_csv(cards: Sequence[SingleCard], paths: Mapping[str, str], folder: str) -> bytes:
    """A line a card; a one-sided card has no back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(TGC_COLUMNS)
    for card in cards:
        names = [paths[face.key] if face else "" for face in (card.front, card.back)]
        writer.writerow([*(name.removeprefix(f"{folder}/") for name in names), card.copies])
    return out.getvalue().encode()


class TgcOutput(ShopOutput):
    """Pictures and a table (`cards.csv`) for The Game Crafter."""

    folder_name, shop = "tgc", TGC

    def plan_orders(
        self, job: Job, folder: ShopFolder, cards: Sequence[SingleCard], paths: Mapping[str, str]
    ) -> Iterator[Artefact[ShopPictureRecipe | FileContent]]:
        """The table."""
        data = _write_order_csv(cards, paths, folder.path)
        path = f"{folder.path}/cards{job.partial_suffix}.csv"
        yield Artefact(path, FileContent(data), folder.language)
