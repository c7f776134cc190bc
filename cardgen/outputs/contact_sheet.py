"""Contact sheets: all different faces of a deck on one page, and pages with its statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.core.units import POINTS_PER_MM, Box, Size, convert_to_points
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs.contact_stats import StatsPage, build_stats_pages
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.sheet_recipes import check_sheet_texts
from cardgen.pdf.content_operators import format_numbers, paint_form
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionLine, CaptionSet

if TYPE_CHECKING:
    from cardgen.pdf.composition import Composer
    from cardgen.sheets.sheet_captions import CaptionForms

_PAGE_MARGIN_MM, _HEADING_MM, _CELL_GAP_MM, _CAPTION_MM = 8.0, 9.0, 3.0, 3.6
_PREVIEW_DPI = 110
_BAR_GREY = 0.55


@dataclass(frozen=True)
class ContactCell:
    """A scaled face on the page, its trim box in mm and its caption."""

    face: FacePdf
    trim: Box
    scale: float
    bleed: float
    caption: str


@dataclass(frozen=True)
class ContactPage:
    """The page of a deck, in landscape where the cards become larger."""

    title: str
    size: Size
    cells: tuple[ContactCell, ...]


@dataclass(frozen=True)
class ContactSheetRecipe:
    """A PDF of pages, or the image of one page."""

    title: str
    language: str
    pages: tuple[ContactPage | StatsPage, ...]
    font_files: tuple[FontFile, ...]
    lettering: CaptionSet
    is_image: bool


def _plan_contact_file(
    job: Job, path: str, language: str, pages: list[ContactPage | StatsPage]
) -> Artefact[ContactSheetRecipe]:
    title, is_image = job.game.title.get_plain_text(language), path.endswith(".jpg")
    lines = [line for page in pages for line in _list_text_lines(page)]
    lettering = job.prepare_lettering(lines, language)
    recipe = ContactSheetRecipe(title, language, tuple(pages), job.font_files, lettering, is_image)
    return Artefact(path, recipe, language)


def _list_distinct_faces(job: Job, deck: Deck, language: str) -> list[Face]:
    """Return the faces of a deck that look different, fronts before backs."""
    sides = [job.faces.find_faces(deck, language, side) for side in ("front", "back")]
    return list({face.key: face for faces in sides for face in faces}.values())


def _lay_out_contact_page(job: Job, deck: Deck, language: str, faces: list[Face]) -> ContactPage:
    paper = job.options.paper
    size = max(paper, paper.rotate(), key=lambda size: _choose_columns(deck, len(faces), size)[1])
    columns, scale = _choose_columns(deck, len(faces), size)
    width, height = deck.size.width * scale, deck.size.height * scale
    top = size.height - _PAGE_MARGIN_MM - _HEADING_MM
    cells = []
    for index, face in enumerate(faces):
        row, column = divmod(index, columns)
        left = _PAGE_MARGIN_MM + column * (width + _CELL_GAP_MM)
        upper = top - row * (height + _CELL_GAP_MM + _CAPTION_MM)
        trim = Box(left, upper - height, left + width, upper)
        pdf, caption = get_face_pdf(face, job.store), _format_caption(face)
        cells.append(ContactCell(pdf, trim, scale, deck.bleed, caption))
    titles = [each.title.get_plain_text(language) for each in (job.game, deck)]
    return ContactPage("  ·  ".join([*titles, str(deck.count)]), size, tuple(cells))


def _choose_columns(deck: Deck, count: int, size: Size) -> tuple[int, float]:
    """Return the columns that show the faces largest, and the scale, which is at most 1."""
    width = size.width - 2 * _PAGE_MARGIN_MM
    height = size.height - 2 * _PAGE_MARGIN_MM - _HEADING_MM

    def compute_scale(columns: int) -> float:
        rows = ceil(count / columns)
        across = (width - (columns - 1) * _CELL_GAP_MM) / columns / deck.size.width
        down = (height - rows * (_CELL_GAP_MM + _CAPTION_MM)) / rows / deck.size.height
        return min(across, down, 1.0)

    best = max(range(1, count + 1), key=lambda columns: (compute_scale(columns), columns))
    return best, compute_scale(best)


def _format_caption(face: Face) -> str:
    if face.side == "back":
        return f"{face.piece.id} – back"
    return f"{face.piece.copies} × {face.piece.id}" if face.piece.copies > 1 else face.piece.id


def _list_text_lines(page: ContactPage | StatsPage) -> list[CaptionLine]:
    if isinstance(page, StatsPage):
        return [word.line for word in page.words]
    return [CaptionLine(page.title), *(CaptionLine(cell.caption, SLUG_GREY) for cell in page.cells)]


def _draw_contact_page(
    page: Any, composer: Composer, letters: CaptionForms, forms: dict[str, Any]
) -> Iterator[str]:
    """Yield the PDF operators of a page of faces. Forms that they use are added to `forms`."""
    from cardgen.sheets.sheet_captions import CaptionSpot  # noqa: PLC0415

    for index, cell in enumerate(page.cells):
        forms[f"F{index}"] = composer.add_face(cell.face)
        edge, scale = cell.bleed * cell.scale, cell.scale
        matrix = (scale, 0.0, 0.0, scale, cell.trim.left - edge, cell.trim.bottom - edge)
        yield paint_form(f"F{index}", cell.trim, matrix)
    title, *captions = _list_text_lines(page)
    top = page.size.height - _PAGE_MARGIN_MM - 4
    yield letters.draw_line(title, CaptionSpot(_PAGE_MARGIN_MM, top, 11), forms)
    for cell, line in zip(page.cells, captions, strict=True):
        spot = CaptionSpot(cell.trim.left, cell.trim.bottom - 2.6, 6.5)
        yield letters.draw_line(line, spot, forms)


def _draw_stats_page(
    page: Any, _composer: Composer, letters: CaptionForms, forms: dict[str, Any]
) -> Iterator[str]:
    """Yield the PDF operators of a page of tables. Forms that they use are added to `forms`."""
    from cardgen.sheets.sheet_captions import CaptionSpot  # noqa: PLC0415

    for bar in page.bars:
        edges = (bar.left, bar.bottom, bar.right - bar.left, bar.top - bar.bottom)
        yield f"q {_BAR_GREY} g {format_numbers(*map(convert_to_points, edges))} re f Q"
    for text in page.words:
        width = letters.measure_line(text.line, text.size) if text.align_right else 0.0
        spot = CaptionSpot(text.x - width / POINTS_PER_MM, text.y, text.size)
        yield letters.draw_line(text.line, spot, forms)


class ContactSheet(Output[ContactSheetRecipe]):
    """Images of contact sheets and statistics, and all of them in one PDF."""

    def plan(self, job: Job) -> tuple[list[Artefact[ContactSheetRecipe]], list[Problem]]:
        """Plan an image of each deck's page and statistics, and `contact.pdf` with all pages.

        A selection of decks or cards has images only.
        """
        artefacts = []
        for language in job.languages:
            pages: list[ContactPage | StatsPage] = []
            for deck in job.decks:
                faces = _list_distinct_faces(job, deck, language)
                if not faces:
                    continue
                page = _lay_out_contact_page(job, deck, language, faces)
                path = f"{language}/contact/{deck.id}{job.selection_suffix}.jpg"
                artefacts.append(_plan_contact_file(job, path, language, [page]))
                stats = build_stats_pages(job.game, deck, language, job.options.paper)
                for number, each in enumerate(stats, 1):
                    suffix = f"-{number}" if number > 1 else ""
                    path = f"{language}/contact/stats/{deck.id}{suffix}.jpg"
                    artefacts.append(_plan_contact_file(job, path, language, [each]))
                pages += [page, *stats]
            if pages and not job.partial_suffix:
                path = f"{language}/contact.pdf"
                artefacts.append(_plan_contact_file(job, path, language, pages))
        return artefacts, list(check_sheet_texts(job))

    def make_file(self, recipe: ContactSheetRecipe) -> bytes:
        """Return the PDF or image of a recipe."""
        from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where sheets are made
        from cardgen.pdf.composition import Composer  # noqa: PLC0415
        from cardgen.sheets.sheet_captions import CaptionForms  # noqa: PLC0415

        composer = Composer(recipe.font_files)
        letters = CaptionForms(composer, recipe.lettering)
        for page in recipe.pages:
            forms: dict[str, Any] = {}
            draw = _draw_stats_page if isinstance(page, StatsPage) else _draw_contact_page
            content = "\n".join(draw(page, composer, letters, forms))
            composer.add_page(page.size.width, page.size.height, content.encode(), forms)
        pdf = composer.save(recipe.title, recipe.language)
        if not recipe.is_image:
            return pdf
        image = next(raster.rasterise_pages(pdf, _PREVIEW_DPI, raster.FINE_DPI))
        return raster.encode_jpeg(image, _PREVIEW_DPI)
