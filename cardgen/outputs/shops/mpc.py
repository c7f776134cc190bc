"""MakePlayingCards: pictures at its sizes, and the orders that MPC Autofill reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from cardgen.base.store import digest_of
from cardgen.outputs.contract import Artefact, Job
from cardgen.outputs.shops.catalogue import MPC, MPC_MOST, Product
from cardgen.outputs.shops.shop_pictures import Folder, Picture, ShopOutput, Text
from cardgen.outputs.single_cards import Card

STOCK = "(S30) Standard Smooth"
_BLANK = "blank-back.png"


def _blank(path: str, product: Product, language: str) -> Artefact[Picture | Text]:
    recipe = Picture(None, (), product.width, product.height)
    return Artefact(path, digest_of([repr(recipe)]), recipe, language)


def _orders(
    job: Job, folder: str, language: str, cards: Sequence[Card], paths: Mapping[str, str]
) -> Iterator[Artefact[Picture | Text]]:
    orders = list(split(cards, MPC_MOST))
    for number, order in enumerate(orders, start=1):
        name = f"cards{job.part}{f'-{number}' if len(orders) > 1 else ''}.xml"
        files = {key: job.folder.resolve() / path for key, path in paths.items()}
        data = written(order, files, job.folder.resolve() / folder / _BLANK)
        yield Artefact(f"{folder}/{name}", digest_of([data]), Text(data), language)


def split(cards: Sequence[Card], most: int) -> Iterator[list[Card]]:
    """The cards in orders of at most so many; copies of one card may fall into two orders."""
    order: list[Card] = []
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


def written(order: Sequence[Card], files: Mapping[str, Path], blank: Path) -> bytes:
    """The XML of an order. The back that most cards have is the order's; the others are listed."""
    backs = Counter[str]()
    for card in order:
        backs[_back(card, files, blank)] += card.copies
    common = backs.most_common(1)[0][0]
    root = ElementTree.Element("order")
    details = ElementTree.SubElement(root, "details")
    quantity = sum(card.copies for card in order)
    for key, value in (("quantity", str(quantity)), ("stock", STOCK), ("foil", "false")):
        ElementTree.SubElement(details, key).text = value
    fronts: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    slot = 0
    for card in order:
        slots = [str(number) for number in range(slot, slot + card.copies)]
        slot += card.copies
        fronts.setdefault(str(files[card.front.key]), []).extend(slots)
        if _back(card, files, blank) != common:
            others.setdefault(_back(card, files, blank), []).extend(slots)
    _listed(root, "fronts", fronts)
    if others:
        _listed(root, "backs", others)
    ElementTree.SubElement(root, "cardback").text = common
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return text + b"\n"


def _back(card: Card, files: Mapping[str, Path], blank: Path) -> str:
    return str(files[card.back.key] if card.back else blank)


def _listed(root: ElementTree.Element, name: str, slots: Mapping[str, list[str]]) -> None:
    side = ElementTree.SubElement(root, name)
    for path, numbers in slots.items():
        card = ElementTree.SubElement(side, "card")
        for key, value in (
            ("id", path), ("sourceType", "Local File"), ("slots", ",".join(numbers)),
            ("name", Path(path).name),
        ):  # fmt: skip
            ElementTree.SubElement(card, key).text = value


class Mpc(ShopOutput):
    """Pictures and orders (`cards.xml`, or several) for MakePlayingCards."""

    word, shop = "mpc", MPC

    def orders(
        self, job: Job, folder: Folder, cards: Sequence[Card], paths: Mapping[str, str]
    ) -> Iterator[Artefact[Picture | Text]]:
        """The orders, and a white back for the cards that have none."""
        yield from _orders(job, folder.path, folder.language, cards, paths)
        if any(card.back is None for card in cards):
            yield _blank(f"{folder.path}/{_BLANK}", folder.product, folder.language)
