"""Pictures of cards as print shops want them, and which decks a shop can print."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem, Source
from cardgen.base.units import MM_PER_INCH, Box
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.shops import size_fit
from cardgen.outputs.shops.catalogue import DPI, Product, Shop
from cardgen.outputs.single_cards import Card, cards, short_bleed
from cardgen.pdf.extending import extended
from cardgen.pdf.face_file import FacePdf

_PX_MM = MM_PER_INCH / 72
"""A page's point becomes one px."""
_HAIR = 0.001
"""A page is so many px smaller than its picture: pdfium rounds up, and floats err both ways."""


@dataclass(frozen=True)
class Picture:
    """A face, or white, in the middle of so many px.

    `turn` is how far a lying card is turned to stand upright, degrees; `scale` how much larger it
    then comes out across and up than it is.
    """

    face: FacePdf | None
    cuts: tuple[Cut, ...]
    width: int
    height: int
    scale: tuple[float, float] = (1.0, 1.0)
    turn: int = 0


@dataclass(frozen=True)
class Text:
    """A file that is made already."""

    data: bytes


@dataclass(frozen=True)
class Folder:
    """Where the files of one size lie, in one language."""

    path: str
    language: str
    product: Product


def fitting(job: Job, shop: Shop) -> tuple[dict[Product, list[Deck]], list[Problem]]:
    """The decks that a shop can print, by its products, and what is said of the others."""
    found: dict[Product, list[Deck]] = {}
    problems = []
    for deck in job.decks:
        fit = size_fit.of(job, deck, shop)
        if fit:
            found.setdefault(fit.product, []).append(deck)
            needs = f"{shop.name} needs {fit.bleed:.2f}"
            problems += short_bleed(deck, fit.bleed, needs, "shop")
        else:
            message = size_fit.unsold(deck, shop)
            problems.append(Problem(deck.source, message, "shop", "warning"))
    if not found:
        near = [deck.id for deck in job.decks if size_fit.offered(deck, shop)]
        hint = f"; with --fit scale or pad it prints {', '.join(near)}" if near else ""
        message = f"none of these decks has a size that {shop.name} prints{hint}"
        problems.append(Problem(Source("game.yaml"), message, "shop"))
    return found, problems


def pictures(
    job: Job, folder: str, wanted: Sequence[Card], product: Product, shop: Shop
) -> tuple[list[Artefact[Picture | Text]], dict[str, str]]:
    """A PNG of each different face below `folder`, and its path by the face's key."""
    paths: dict[str, str] = {}
    artefacts = []
    for card in wanted:
        for face in card.sides:
            if face.key in paths:
                continue
            paths[face.key] = f"{folder}/{card.deck.id}/{face.called}.png"
            artefacts.append(_picture(job, paths[face.key], face, product, shop))
    return artefacts, paths


def _picture(
    job: Job, path: str, face: Face, product: Product, shop: Shop
) -> Artefact[Picture | Text]:
    fit = size_fit.of(job, face.deck, shop)
    scale = fit.scale if fit else (1.0, 1.0)
    # The back's top is where the front's is, seen from the other side.
    turn = (90 if face.side == "front" else 270) if size_fit.lies(face.deck) else 0
    recipe = Picture(
        face_pdf(face, job.store), job.cuts, product.width, product.height, scale, turn
    )
    key = key_of([face], job.faces, "shop", product, scale, turn)
    return Artefact(path, key, recipe, face.language)


class ShopOutput(Output[Picture | Text]):
    """Pictures of all cards that a shop can print, and what it is ordered with."""

    batch = 12
    reads = ("single.fit",)
    word: str
    """Its folder."""
    shop: Shop

    @abstractmethod
    def orders(
        self, job: Job, folder: Folder, cards: Sequence[Card], paths: Mapping[str, str]
    ) -> Iterable[Artefact[Picture | Text]]:
        """What goes with the pictures of one size, whose paths stand by their faces' keys."""

    def plan(self, job: Job) -> tuple[list[Artefact[Picture | Text]], list[Problem]]:
        """`<word>/<size>/<deck>/<piece>.png`, and the orders, for every language and size."""
        products, problems = fitting(job, self.shop)
        artefacts: list[Artefact[Picture | Text]] = []
        for language in job.languages:
            for product, decks in products.items():
                folder = Folder(f"{language}/{self.word}/{product.name}", language, product)
                wanted = cards(job, decks, language)
                found, paths = pictures(job, folder.path, wanted, product, self.shop)
                orders = [*self.orders(job, folder, wanted, paths)]
                if orders:
                    told = size_fit.told(job, decks, self.shop)
                    orders[0] = replace(orders[0], summary=told)
                artefacts += [*found, *orders]
        return artefacts, problems

    def make(self, recipes: Sequence[Picture | Text]) -> list[bytes]:
        """The pictures and files of the recipes."""
        return [each.data if isinstance(each, Text) else _draw(each) for each in recipes]


def _draw(wanted: Picture) -> bytes:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    if wanted.face is None:
        return raster.png(raster.plain(wanted.width, wanted.height, "#ffffff"), DPI)
    composer = Composer(wanted.cuts)
    page = Box(0, 0, (wanted.width - _HAIR) * _PX_MM, (wanted.height - _HAIR) * _PX_MM)
    across, up = (side * DPI / 72 for side in wanted.scale)
    content = extended("F", wanted.face, page, (across, up), wanted.turn)
    composer.page(page.width, page.height, content.encode(), {"F": composer.form(wanted.face)})
    return raster.png(next(raster.pages(composer.save("card", "en"), 72)), DPI)
