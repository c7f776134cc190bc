"""Contact sheets: every different face of a deck on one page, for the designer's wall; and what
the deck is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem
from cardgen.base.units import POINTS_PER_MM, Box, Size, points
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contact_stats import StatsPage
from cardgen.outputs.contact_stats import pages as stats_pages
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.sheet_recipes import unprintable
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.operators import numbers, painted
from cardgen.sheets.captions import SLUG_GREY, Lettering, Line

if TYPE_CHECKING:
    from cardgen.sheets.caption_forms import Letters

_MARGIN, _HEAD, _GAP, _CAPTION = 8.0, 9.0, 3.0, 3.6
_DPI = 110
_BAR_GREY = 0.55


@dataclass(frozen=True)
class Cell:
    """A face on the page, scaled: its trim box in mm and what stands below it."""

    face: FacePdf
    trim: Box
    scale: float
    bleed: float
    caption: str


@dataclass(frozen=True)
class Page:
    """One deck. The size is the paper's, on its side where that takes the cards larger."""

    title: str
    size: Size
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Recipe:
    """A PDF of pages, or the picture of one page."""

    title: str
    language: str
    pages: tuple[Page | StatsPage, ...]
    cuts: tuple[Cut, ...]
    lettering: Lettering
    picture: bool


def _artefact(
    job: Job, path: str, language: str, pages: list[Page | StatsPage], faces: list[Face]
) -> Artefact[Recipe]:
    title = job.game.title.spoken(language)
    picture = path.endswith(".jpg")
    words = job.lettered([line for page in pages for line in _lines(page)], language)
    recipe = Recipe(title, language, tuple(pages), job.cuts, words, picture)
    layout = [
        page
        if isinstance(page, StatsPage)
        else (page.title, page.size, [cell.caption for cell in page.cells])
        for page in pages
    ]
    key = key_of(faces, job.faces, "contact", title, language, layout, picture)
    return Artefact(path, key, recipe, language)


def _different(job: Job, deck: Deck, language: str) -> list[Face]:
    """The faces of a deck, each look once: fronts in their order, then the backs."""
    faces = [face for side in ("front", "back") for face in job.faces.of(deck, language, side)]
    return list({face.key: face for face in faces}.values())


def _page(job: Job, deck: Deck, language: str, faces: list[Face]) -> Page:
    paper = job.options.paper
    size = max(paper, paper.turned(), key=lambda size: _columns(deck, len(faces), size)[1])
    columns, scale = _columns(deck, len(faces), size)
    width, height = deck.size.width * scale, deck.size.height * scale
    top = size.height - _MARGIN - _HEAD
    cells = []
    for index, face in enumerate(faces):
        row, column = divmod(index, columns)
        left = _MARGIN + column * (width + _GAP)
        upper = top - row * (height + _GAP + _CAPTION)
        trim = Box(left, upper - height, left + width, upper)
        cells.append(Cell(face_pdf(face, job.store), trim, scale, deck.bleed, _caption(face)))
    titles = f"{job.game.title.spoken(language)}  ·  {deck.title.spoken(language)}"
    return Page(f"{titles}  ·  {deck.count}", size, tuple(cells))


def _columns(deck: Deck, count: int, size: Size) -> tuple[int, float]:
    """How many columns show the faces largest, and at which scale; never above life size."""
    width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN - _HEAD

    def scale(columns: int) -> float:
        rows = ceil(count / columns)
        across = (width - (columns - 1) * _GAP) / columns / deck.size.width
        down = (height - rows * (_GAP + _CAPTION)) / rows / deck.size.height
        return min(across, down, 1.0)

    best = max(range(1, count + 1), key=lambda columns: (scale(columns), columns))
    return best, scale(best)


def _numbered(page: int) -> str:
    return f"-{page}" if page > 1 else ""


def _caption(face: Face) -> str:
    if face.side == "back":
        return f"{face.piece.id} – back"
    return f"{face.piece.copies} × {face.piece.id}" if face.piece.copies > 1 else face.piece.id


def _lines(page: Page | StatsPage) -> list[Line]:
    if isinstance(page, StatsPage):
        return [word.line for word in page.words]
    return [Line(page.title), *(Line(cell.caption, SLUG_GREY) for cell in page.cells)]


def _make_one(recipe: Recipe) -> bytes:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where sheets are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415
    from cardgen.sheets.caption_forms import Letters, Spot  # noqa: PLC0415

    composer = Composer(recipe.cuts)
    letters = Letters(composer, recipe.lettering)
    for page in recipe.pages:
        forms: dict[str, Any] = {}
        if isinstance(page, StatsPage):
            drawn = _stats_drawn(page, letters, forms)
            composer.page(page.size.width, page.size.height, drawn.encode(), forms)
            continue
        content = []
        for index, cell in enumerate(page.cells):
            forms[f"F{index}"] = composer.form(cell.face)
            edge = cell.bleed * cell.scale
            matrix = (
                cell.scale, 0.0, 0.0, cell.scale, cell.trim.left - edge, cell.trim.bottom - edge,
            )  # fmt: skip
            content.append(painted(f"F{index}", cell.trim, matrix))
        top = page.size.height - _MARGIN - 4
        title, *captions = _lines(page)
        content.append(letters.put(title, Spot(_MARGIN, top, 11), forms))
        for cell, line in zip(page.cells, captions, strict=True):
            below = cell.trim.bottom - 2.6
            content.append(letters.put(line, Spot(cell.trim.left, below, 6.5), forms))
        composer.page(page.size.width, page.size.height, "\n".join(content).encode(), forms)
    pdf = composer.save(recipe.title, recipe.language)
    return raster.jpeg(next(raster.pages(pdf, _DPI)), _DPI) if recipe.picture else pdf


def _stats_drawn(page: StatsPage, letters: Letters, forms: dict[str, Any]) -> str:
    """The operators of a page of tables; the forms of its words join `forms`."""
    from cardgen.sheets.caption_forms import Spot  # noqa: PLC0415

    content = []
    for bar in page.bars:
        edges = (bar.left, bar.bottom, bar.right - bar.left, bar.top - bar.bottom)
        content.append(f"q {_BAR_GREY} g {numbers(*map(points, edges))} re f Q")
    for word in page.words:
        before = letters.width(word.line, word.size) / POINTS_PER_MM if word.right else 0.0
        content.append(letters.put(word.line, Spot(word.x - before, word.y, word.size), forms))
    return "\n".join(content)


class Contact(Output[Recipe]):
    """Contact sheets, and all of them in one PDF."""

    reads = ("layout.paper",)

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """A picture of each deck's page and of what it is made of, and all pages as `contact.pdf`,
        for every language. Of a part of the decks there are pictures alone."""
        artefacts = []
        for language in job.languages:
            pages: list[Page | StatsPage] = []
            faces: list[Face] = []
            for deck in job.decks:
                shown = _different(job, deck, language)
                if shown:
                    page = _page(job, deck, language, shown)
                    path = f"{language}/contact/{deck.id}{job.some}.jpg"
                    artefacts.append(_artefact(job, path, language, [page], shown))
                    told = stats_pages(job.game, deck, language, job.options.paper)
                    for number, each in enumerate(told, 1):
                        path = f"{language}/contact/stats/{deck.id}{_numbered(number)}.jpg"
                        artefacts.append(_artefact(job, path, language, [each], []))
                    pages += [page, *told]
                    faces += shown
            if pages and not job.part:
                artefacts.append(_artefact(job, f"{language}/contact.pdf", language, pages, faces))
        return artefacts, list(unprintable(job))

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs and pictures of the recipes."""
        return [_make_one(recipe) for recipe in recipes]
