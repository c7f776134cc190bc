"""Images and orders for print shops that print single cards."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from xml.etree import ElementTree

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem, Source
from cardgen.core.units import MM_PER_INCH, Box
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs import shop_catalogue
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.outputs.shop_catalogue import (
    MPC,
    MPC_MAX_CARDS,
    TGC,
    PrintShop,
    ProductFit,
    ShopProduct,
)
from cardgen.outputs.single_cards import SingleCard, check_bleed, encode_csv, list_single_cards
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.preflight import printer_spec
from cardgen.pdf.preflight.printer_spec import SHOP_DPI

MPC_STOCK = "(S30) Standard Smooth"
ORDER_COLUMNS = ("front", "back", "copies")
_BLANK_BACK_FILE = "blank-back.png"
_MM_PER_PX = MM_PER_INCH / 72
"""Pages are rasterised at 72 dpi, a point of the page becoming one px."""
_PAGE_SHRINK_PX = 0.001
"""Pages are this much smaller than their images, since pdfium rounds sizes up."""


@dataclass(frozen=True)
class ShopPictureRecipe:
    """A face, or white, in the middle of an image of `width` × `height` px.

    The face is turned by `rotation` degrees and then scaled horizontally and vertically.
    """

    face: FacePdf | None
    font_files: tuple[FontFile, ...]
    width: int
    height: int
    scale: tuple[float, float] = (1.0, 1.0)
    rotation: int = 0


ShopRecipe = ShopPictureRecipe | FileContent


@dataclass(frozen=True)
class ShopFolder:
    """The folder of the files of one product in one language."""

    path: str
    language: str
    product: ShopProduct


def match_decks(job: Job, shop: PrintShop) -> tuple[dict[str, ProductFit], list[Problem]]:
    """Return how a shop prints decks, by their ids, and problems of the others."""
    found: dict[str, ProductFit] = {}
    problems = []
    for deck in job.decks:
        if fit := shop_catalogue.fit_deck(job, deck, shop):
            found[deck.id] = fit
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


def _plan_picture(job: Job, path: str, face: Face, fit: ProductFit) -> Artefact[ShopRecipe]:
    # Seen from the other side, the top of the back is where that of the front is.
    turned = fit.product.is_turned(face.deck)
    rotation = (90 if face.side == "front" else 270) if turned else 0
    width, height = fit.product.width, fit.product.height
    pdf = get_face_pdf(face, job.store)
    recipe = ShopPictureRecipe(pdf, job.font_files, width, height, fit.scale, rotation)
    return Artefact(path, recipe, face.language)


class ShopOutput(Output[ShopRecipe]):
    """Images of all cards that a shop can print, and the files to order them with."""

    batch_size = 12

    @abstractmethod
    def load_shop(self, job: Job) -> tuple[PrintShop | None, list[Problem]]:
        """Return the shop, and problems of its file."""

    def plan(self, job: Job) -> tuple[list[Artefact[ShopRecipe]], list[Problem]]:
        """Plan `<shop>/<product>/<deck>/<card>.png` and the orders, for every language."""
        shop, wrong = self.load_shop(job)
        if shop is None:
            return [], wrong
        fits, problems = match_decks(job, shop)
        products: dict[ShopProduct, list[Deck]] = {}
        for deck in job.decks:
            if deck.id in fits:
                products.setdefault(fits[deck.id].product, []).append(deck)
        artefacts: list[Artefact[ShopRecipe]] = []
        for language in job.languages:
            for product, decks in products.items():
                path = f"{language}/{shop.word}/{product.name}"
                cards = list_single_cards(job, decks, language)
                faces: dict[str, Face] = {}
                for face in (face for card in cards for face in card.sides):
                    faces.setdefault(face.key, face)
                paths = {
                    key: f"{path}/{face.deck.id}/{face.file_stem}.png"
                    for key, face in faces.items()
                }
                artefacts += [
                    _plan_picture(job, paths[key], face, fits[face.deck.id])
                    for key, face in faces.items()
                ]
                folder = ShopFolder(path, language, product)
                orders = [*_plan_orders(job, shop, folder, cards, paths)]
                if orders:
                    summary = shop_catalogue.summarise_fits(job, decks, shop)
                    orders[0] = replace(orders[0], summary=summary)
                artefacts += orders
        return artefacts, problems

    def make_file(self, recipe: ShopRecipe) -> bytes:
        """Return the image or file of a recipe."""
        if isinstance(recipe, FileContent):
            return recipe.read_bytes()
        from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
        from cardgen.pdf.composition import Composer  # noqa: PLC0415

        px = recipe.width, recipe.height
        if recipe.face is None:
            return raster.encode_png(raster.make_plain_image(*px, "#ffffff"), SHOP_DPI)
        composer = Composer(recipe.font_files)
        width, height = ((side - _PAGE_SHRINK_PX) * _MM_PER_PX for side in px)
        scale = recipe.scale[0] * SHOP_DPI / 72, recipe.scale[1] * SHOP_DPI / 72
        page = Box(0, 0, width, height)
        content = paint_extended("F", recipe.face, page, scale, recipe.rotation)
        composer.add_page(width, height, content.encode(), {"F": composer.add_face(recipe.face)})
        images = raster.rasterise_pages(composer.save("card", "en"), 72)
        return raster.encode_png(next(images), SHOP_DPI)


def _plan_orders(
    job: Job,
    shop: PrintShop,
    folder: ShopFolder,
    cards: Sequence[SingleCard],
    paths: Mapping[str, str],
) -> Iterator[Artefact[ShopRecipe]]:
    """Plan the orders of one product. `paths` has the image's path by the face's key."""
    if folder.product.order == "mpc-autofill":
        yield from _plan_xml_orders(job, folder, cards, paths)
        return
    rows = []
    for card in cards:
        names = [paths[face.key] if face else "" for face in (card.front, card.back)]
        local = [name.removeprefix(f"{folder.path}/") for name in names]
        rows += [(*local, each.copies) for order in split_orders([card], shop.max_copies or
                 card.copies) for each in order]  # fmt: skip
    path = f"{folder.path}/cards{job.partial_suffix}.csv"
    yield Artefact(path, FileContent(encode_csv(ORDER_COLUMNS, rows)), folder.language)


def split_orders(cards: Sequence[SingleCard], most: int) -> Iterator[list[SingleCard]]:
    """Yield orders of at most `most` cards. Copies of a card can fall into two orders."""
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
    """Return the XML of an order for MPC Autofill. The commonest back is the order's default.

    Its desktop tool reads it in desktop-tool/src/order.py: local files by their path in `id`, slots
    from 0 on, `cardback` for the slots that `backs` lacks, and one of five stocks. It orders one
    product, custom-blank-card, of 63 × 88 mm (src/constants.py).
    """
    fronts, backs = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    numbers = map(str, count())
    for card in order:
        slots = list(islice(numbers, card.copies))
        fronts[str(files[card.front.key])] += slots
        backs[str(files[card.back.key] if card.back else blank)] += slots
    common = max(backs, key=lambda path: len(backs[path]))
    del backs[common]
    root = ElementTree.Element("order")
    details = ElementTree.SubElement(root, "details")
    quantity = sum(card.copies for card in order)
    for key, value in (("quantity", str(quantity)), ("stock", MPC_STOCK), ("foil", "false")):
        ElementTree.SubElement(details, key).text = value
    _append_slots(root, "fronts", fronts)
    if backs:
        _append_slots(root, "backs", backs)
    ElementTree.SubElement(root, "cardback").text = common
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return text + b"\n"


def _append_slots(root: ElementTree.Element, name: str, slots: Mapping[str, list[str]]) -> None:
    side = ElementTree.SubElement(root, name)
    for path, numbers in slots.items():
        card = ElementTree.SubElement(side, "card")
        for key, value in (
            ("id", path), ("sourceType", "Local File"), ("slots", ",".join(numbers)),
            ("name", Path(path).name),
        ):  # fmt: skip
            ElementTree.SubElement(card, key).text = value


def _plan_xml_orders(
    job: Job, folder: ShopFolder, cards: Sequence[SingleCard], paths: Mapping[str, str]
) -> Iterator[Artefact[ShopRecipe]]:
    """Plan the orders for MPC Autofill, and a white back for cards without one."""
    root = job.folder.resolve()
    files, blank = {key: root / path for key, path in paths.items()}, _BLANK_BACK_FILE
    orders = list(split_orders(cards, MPC_MAX_CARDS))
    for number, order in enumerate(orders, start=1):
        suffix = f"{job.partial_suffix}{f'-{number}' if len(orders) > 1 else ''}"
        data = write_order_xml(order, files, root / folder.path / blank)
        yield Artefact(f"{folder.path}/cards{suffix}.xml", FileContent(data), folder.language)
    if any(card.back is None for card in cards):
        product = folder.product
        recipe = ShopPictureRecipe(None, (), product.width, product.height)
        yield Artefact(f"{folder.path}/{blank}", recipe, folder.language)


class MpcOutput(ShopOutput):
    """Images for MakePlayingCards, with orders for MPC Autofill where its tool takes them."""

    def load_shop(self, job: Job) -> tuple[PrintShop | None, list[Problem]]:
        """Return MakePlayingCards."""
        return MPC, []


class TgcOutput(ShopOutput):
    """Images for The Game Crafter, each component below its name in the shop's API."""

    def load_shop(self, job: Job) -> tuple[PrintShop | None, list[Problem]]:
        """Return The Game Crafter."""
        return TGC, []


class OwnShopOutput(ShopOutput):
    """Images for the shop of `--shop`: one of cardgen, of the game or of the user's settings."""

    def load_shop(self, job: Job) -> tuple[PrintShop | None, list[Problem]]:
        """Return the shop whose file takes pictures."""
        word = job.options.single.shop
        if not word:
            names = ", ".join(printer_spec.list_shop_names(job.game.root))
            message = f"the output shop needs a print shop; add --shop with one of {names}"
            return None, [Problem(Source("game.yaml"), message, "shop")]
        spec, problems = printer_spec.load_own_shop(job.game.root, word)
        if spec is None or problems:
            return None, problems
        if spec.file_form != "pictures" or not spec.products:
            bleed = f" --bleed-mm {spec.bleed:g}" if spec.bleed is not None else ""
            lacks = "takes PDF" if spec.products else "names no sizes"
            message = (
                f"{spec.name} {lacks}; build card-pdfs or press{bleed} for it, and hold the files "
                f"to it with 'cardgen preflight --for {word}'"
            )
            return None, [Problem(Source("game.yaml"), message, "shop")]
        return shop_catalogue.make_shop(word, spec), []
