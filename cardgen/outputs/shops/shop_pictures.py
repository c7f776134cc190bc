"""Pictures of cards as print shops want them, and which decks a shop can print."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem, Source
from cardgen.base.units import MM_PER_INCH, Box, Size
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.shops.catalogue import DPI, Product, Shop
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.operators import Matrix, painted

_PX_MM = MM_PER_INCH / 72
"""A page's point becomes one px."""
_HAIR = 0.001
"""A page is so many px smaller than its picture: pdfium rounds up, and floats err both ways."""
_SHORT = 0.25
"""What is missing of the shop's bleed without anyone seeing it, mm."""


@dataclass(frozen=True)
class Card:
    """A card to be ordered: its faces, as often as it is wanted."""

    deck: Deck
    front: Face
    back: Face | None
    copies: int


@dataclass(frozen=True)
class Picture:
    """A face, or white, on a canvas of so many px, `bleed` of them beyond the cut.

    `turn` is how far a lying card is turned to stand upright, degrees.
    """

    face: FacePdf | None
    cuts: tuple[Cut, ...]
    width: int
    height: int
    bleed: float
    turn: int


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
        product = shop.product(deck.size) if deck.form.shape == "rectangle" else None
        if product:
            found.setdefault(product, []).append(deck)
            if deck.bleed < shop.bleed_mm - _SHORT:
                message = (
                    f"{deck.id} has {deck.bleed:g} mm of bleed and {shop.name} cuts through "
                    f"{shop.bleed_mm:.1f}; its edges are stretched"
                )
                source = deck.sources.get("bleed", deck.source)
                problems.append(Problem(source, message, "shop", "warning"))
        else:
            problems.append(Problem(deck.source, _unsold(deck, shop), "shop", "warning"))
    if not found:
        message = f"none of these decks has a size that {shop.name} prints"
        problems.append(Problem(Source("game.yaml"), message, "shop"))
    return found, problems


def _unsold(deck: Deck, shop: Shop) -> str:
    if deck.form.shape != "rectangle":
        return f"{deck.id} is left out: {shop.name} prints rectangular cards alone"
    near = shop.nearest(deck.size)
    trim = f"{near.trim.width:.2f} × {near.trim.height:.2f} mm"
    return (
        f"{deck.id} ({deck.size}) is left out: {shop.name} has no such size; the nearest is "
        f"{near.name}, {trim}"
    )


def cards(job: Job, decks: Iterable[Deck], language: str) -> list[Card]:
    """The cards of the decks in a language, in order; what has no copies is left out."""
    found = []
    for deck in decks:
        backs = {face.piece.id: face for face in job.faces.of(deck, language, "back")}
        for front in job.faces.of(deck, language, "front"):
            if front.piece.copies:
                back = backs.get(front.piece.id)
                found.append(Card(deck, front, back, front.piece.copies))
    return found


def pictures(
    job: Job, folder: str, wanted: Sequence[Card], product: Product, shop: Shop
) -> tuple[list[Artefact[Picture | Text]], dict[str, str]]:
    """A PNG of each different face below `folder`, and its path by the face's key."""
    paths: dict[str, str] = {}
    artefacts = []
    for card in wanted:
        for face in (card.front, card.back):
            if face is None or face.key in paths:
                continue
            suffix = "-back" if face.side == "back" else ""
            paths[face.key] = f"{folder}/{card.deck.id}/{face.piece.id}{suffix}.png"
            artefacts.append(_picture(job, paths[face.key], face, product, shop))
    return artefacts, paths


def _picture(
    job: Job, path: str, face: Face, product: Product, shop: Shop
) -> Artefact[Picture | Text]:
    lies = face.deck.size.width > face.deck.size.height
    # The back's top is where the front's is, seen from the other side.
    turn = (90 if face.side == "front" else 270) if lies else 0
    recipe = Picture(
        face_pdf(face, job.store), job.cuts, product.width, product.height, shop.bleed, turn
    )
    key = key_of([face], job.faces, "shop", product, shop.bleed, turn)
    return Artefact(path, key, recipe, face.language)


def covered(name: str, face: FacePdf, canvas: Size, bleed: float, turn: int = 0) -> str:
    """The operators that put a face's trim on a canvas (mm), `bleed` from its edges.

    Where the face's own bleed does not reach the edge, what shows is the face stretched behind.
    """
    whole = Box(0, 0, canvas.width, canvas.height)
    trim = Size(face.width - 2 * face.bleed, face.height - 2 * face.bleed)
    if turn:
        trim = trim.turned()
    across = (canvas.width - 2 * bleed) / trim.width
    up = (canvas.height - 2 * bleed) / trim.height
    inner = Box(
        bleed - face.bleed * across,
        bleed - face.bleed * up,
        canvas.width - bleed + face.bleed * across,
        canvas.height - bleed + face.bleed * up,
    )
    behind = painted(name, whole, _onto(whole, face, turn))
    return f"{behind}\n{painted(name, inner, _onto(inner, face, turn))}"


def _onto(box: Box, face: FacePdf, turn: int) -> Matrix:
    """A face's bleed box onto a box."""
    if turn == 90:
        return (0, box.height / face.width, -box.width / face.height, 0, box.right, box.bottom)
    if turn == 270:
        return (0, -box.height / face.width, box.width / face.height, 0, box.left, box.top)
    return (box.width / face.width, 0, 0, box.height / face.height, box.left, box.bottom)


class ShopOutput(Output[Picture | Text]):
    """Pictures of all cards that a shop can print, and what it is ordered with."""

    batch = 12
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
                artefacts += [*found, *self.orders(job, folder, wanted, paths)]
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
    canvas = Size((wanted.width - _HAIR) * _PX_MM, (wanted.height - _HAIR) * _PX_MM)
    content = covered("F", wanted.face, canvas, wanted.bleed * _PX_MM, wanted.turn)
    composer.page(canvas.width, canvas.height, content.encode(), {"F": composer.form(wanted.face)})
    return raster.png(next(raster.pages(composer.save("card", "en"), 72)), DPI)
