"""Proofs of single cards: each face with crop marks, cut, bleed and safe lines, and a caption.

TrimBox and BleedBox of the pages are those of the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.core.units import POINTS_PER_MM, Box, Size
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.game.number_formats import get_decimal_sign
from cardgen.game.shapes import PieceForm, Point, flatten_outline, make_outline
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.sheet_recipes import build_colophon
from cardgen.outputs.single_cards import (
    check_bleeds,
    format_deck_title,
    get_card_bleed,
    list_single_cards,
)
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionLine, CaptionSet
from cardgen.words.languages import get_word

_SIDE_MARGIN_MM, _TOP_MARGIN_MM = 8.0, 15.0
"""Room beside the printed area for marks, and above and below it for marks and texts, in mm."""
_MAX_CAPTION_WIDTH_MM = 180.0
"""Maximum page width for the sake of texts. Longer texts are set smaller."""
_PAGE_MARGIN_MM = 5.0
_HEADING_OFFSET_MM, _HEADING_PT = 8.5, 9.0
_LEGEND_OFFSET_MM, _LEGEND_PT = 9.5, 6.5
_FOOTER_OFFSET_MM, _FOOTER_PT = 12.8, 6.0
"""Distances of baselines from the printed area in mm, and font sizes in pt."""
_LEGEND_LINE_MM, _LEGEND_GAP_MM = 6.0, 5.0
"""Length of a sample line in the legend, and the room before the next sample, in mm."""


@dataclass(frozen=True)
class ProofRecipe:
    """A PDF of proofs of one deck. `pages` are faces with the captions above them; `legend` has
    style and text of each kind of line."""

    title: str
    language: str
    trim: Size
    form: PieceForm
    bleed: float
    safe: float
    pages: tuple[tuple[FacePdf, str], ...]
    legend: tuple[tuple[str, str], ...]
    footer: str
    font_files: tuple[FontFile, ...]
    lettering: CaptionSet


def _list_captioned_faces(job: Job, deck: Deck, language: str) -> list[tuple[Face, str]]:
    """Return the faces of a deck that look different, fronts before backs, with captions."""
    alike: dict[str, list[tuple[Face, int]]] = {}
    cards = list_single_cards(job, [deck], language)
    for side in ("front", "back"):
        for card in cards:
            face = card.front if side == "front" else card.back
            if face:
                alike.setdefault(face.key, []).append((face, card.copies))
    captioned = []
    for faces in alike.values():
        face, copies = faces[0][0], sum(count for _, count in faces)
        title = deck.title.get_plain_text(language)
        title = f"{title} – {face.piece.id}" if len(faces) == 1 else title
        side_word = get_word(f"sheets.{face.side}", language)
        captioned.append((face, f"{title}, {side_word} × {copies}"))
    return captioned


def _list_legend(deck: Deck, bleed: float, language: str) -> tuple[tuple[str, str], ...]:
    """Return style and text of each kind of line."""
    size = deck.size
    figures = (
        ("cut", 1.0, f"{size.width:g} × {size.height:g}"),
        ("bleed", bleed, f"{bleed:g}"), ("safe", deck.safe, f"{deck.safe:g}"),
    )  # fmt: skip
    mm, sign = get_word("proof.mm", language), get_decimal_sign(language)
    return tuple(
        (style, f"{get_word(f'proof.{style}', language)} {figure.replace('.', sign)} {mm}")
        for style, length, figure in figures
        if length
    )


def _plan_card_proof(
    job: Job, deck: Deck, language: str, faces: list[tuple[Face, str]]
) -> Artefact[ProofRecipe]:
    title, bleed = format_deck_title(job, deck, language), get_card_bleed(job, deck)
    about = build_colophon(job.game, language)
    edition = f"{about.translate_word('edition')} {about.edition}" if about.edition else ""
    footer = "  ·  ".join(filter(None, (about.title, edition, about.language, about.date)))
    legend = _list_legend(deck, bleed, language)
    lines = [CaptionLine(text) for _, text in (*faces, *legend)]
    lettering = job.prepare_lettering([*lines, CaptionLine(footer, SLUG_GREY)], language)
    pages = tuple((get_face_pdf(face, job.store), caption) for face, caption in faces)
    recipe = ProofRecipe(
        title, language, deck.size, deck.form, bleed, deck.safe, pages, legend, footer,
        job.font_files, lettering,
    )  # fmt: skip
    path = f"{language}/card-proof/{deck.id}{job.selection_suffix}.pdf"
    return Artefact(path, recipe, language)


def _inset_outline(form: PieceForm, trim: Size, by: float) -> list[Point]:
    """Return an outline `by` mm inside a card's edge, from the trim's bottom left corner."""
    inner = Size(trim.width - 2 * by, trim.height - 2 * by)
    if min(inner.width, inner.height) <= 0:
        return []
    if form.shape == "hexagon":  # scaling keeps the distance of its sides
        scale = 1 - 2 * by / min(trim.width, trim.height)
        inner = Size(trim.width * scale, trim.height * scale)
    points = flatten_outline(make_outline(PieceForm(form.shape, max(0.0, form.corner - by)), inner))
    x, y = (trim.width - inner.width) / 2, (trim.height - inner.height) / 2
    return [(x + px, y + py) for px, py in points]


class _ProofLayout:
    """Layout of the pages of a deck, which have one size."""

    def __init__(self, recipe: ProofRecipe, letters: Any) -> None:
        self._recipe, self._letters = recipe, letters
        bleed, trim = recipe.bleed, recipe.trim
        widest = max(
            *(self._measure_line(CaptionLine(caption), _HEADING_PT) for _, caption in recipe.pages),
            self._measure_line(CaptionLine(recipe.footer, SLUG_GREY), _FOOTER_PT),
            self._measure_legend(_LEGEND_PT),
        )
        width, height = trim.width + 2 * bleed, trim.height + 2 * bleed
        texts = min(widest, _MAX_CAPTION_WIDTH_MM) + 2 * _PAGE_MARGIN_MM
        across = max(width + 2 * _SIDE_MARGIN_MM, texts)
        self.size = Size(across, height + 2 * _TOP_MARGIN_MM)
        left = (across - width) / 2
        self.printed = Box(left, _TOP_MARGIN_MM, left + width, _TOP_MARGIN_MM + height)
        self._trim = self.printed.grow(-bleed)

    def _measure_line(self, line: CaptionLine, size: float) -> float:
        return float(self._letters.measure_line(line, size)) / POINTS_PER_MM

    def _measure_legend(self, size: float) -> float:
        widths = [self._measure_line(CaptionLine(text), size) for _, text in self._recipe.legend]
        samples, gaps = len(widths) * (_LEGEND_LINE_MM + 1), (len(widths) - 1) * _LEGEND_GAP_MM
        return sum(widths) + samples + gaps

    def _fit_font_size(self, width: float, size: float) -> float:
        """Return the font size at which a text of a width fits on the page."""
        return size * min(1.0, (self.size.width - 2 * _PAGE_MARGIN_MM) / width) if width else size

    def draw_marks(self) -> str:
        """Return the PDF operators of the marks beside a face and the lines on it."""
        from cardgen.sheets import sheet_guides, sheet_pdf  # noqa: PLC0415 - loaded with what draws them

        trim, recipe = self._trim, self._recipe
        page = Box(0, 0, self.size.width, self.size.height)
        xs, ys = (trim.left, trim.right), (trim.bottom, trim.top)
        crops = sheet_guides.list_crop_marks(xs, ys, self.printed, page)
        drawn = [sheet_pdf.draw_guides(crops)]
        box = self.printed
        corners = [
            (box.left, box.bottom), (box.right, box.bottom), (box.right, box.top),
            (box.left, box.top),
        ]  # fmt: skip
        lines = {
            "bleed": corners,
            "safe": self._translate_points(_inset_outline(recipe.form, recipe.trim, recipe.safe)),
            "cut": self._translate_points(_inset_outline(recipe.form, recipe.trim, 0.0)),
        }
        wanted = {style for style, _ in recipe.legend}
        drawn += [
            sheet_pdf.draw_contour(s, along) for s, along in lines.items() if along and s in wanted
        ]
        return "\n".join(drawn)

    def _translate_points(self, points: list[Point]) -> list[Point]:
        return [(self._trim.left + x, self._trim.bottom + y) for x, y in points]

    def draw_texts(self, caption: str, forms: dict[str, Any]) -> list[str]:
        """Return the PDF operators of the texts above and below a face.

        Forms that they use are added to `forms`.
        """
        from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded with what draws them
        from cardgen.sheets.sheet_captions import CaptionSpot  # noqa: PLC0415

        middle, foot = self.size.width / 2, self.printed.bottom
        drawn = []
        for line, y, font_size in (
            (CaptionLine(caption), self.printed.top + _HEADING_OFFSET_MM, _HEADING_PT),
            (CaptionLine(self._recipe.footer, SLUG_GREY), foot - _FOOTER_OFFSET_MM, _FOOTER_PT),
        ):
            size = self._fit_font_size(self._measure_line(line, font_size), font_size)
            drawn.append(self._letters.draw_line(line, CaptionSpot(middle, y, size, True), forms))
        size = self._fit_font_size(self._measure_legend(_LEGEND_PT), _LEGEND_PT)
        x, y = middle - self._measure_legend(size) / 2, foot - _LEGEND_OFFSET_MM
        for style, text in self._recipe.legend:
            end, line = x + _LEGEND_LINE_MM, CaptionLine(text)
            sample = [(x, y + 0.8), (end, y + 0.8)]
            drawn.append(sheet_pdf.draw_contour(style, sample, closed=False))
            drawn.append(self._letters.draw_line(line, CaptionSpot(end + 1, y, size), forms))
            x += _LEGEND_LINE_MM + 1 + self._measure_line(line, size) + _LEGEND_GAP_MM
        return drawn


class CardProof(Output[ProofRecipe]):
    """A proof of every deck's faces."""

    def plan(self, job: Job) -> tuple[list[Artefact[ProofRecipe]], list[Problem]]:
        """Plan `card-proof/<deck>.pdf` for every language, with a page for each different face."""
        artefacts = []
        for language in job.languages:
            for deck in job.decks:
                faces = _list_captioned_faces(job, deck, language)
                if faces:
                    artefacts.append(_plan_card_proof(job, deck, language, faces))
        return artefacts, check_bleeds(job, "bleed")

    def make_file(self, recipe: ProofRecipe) -> bytes:
        """Return the PDF of a recipe."""
        from cardgen.pdf import page_edits  # noqa: PLC0415 - loaded only where PDFs are made
        from cardgen.pdf.composition import Composer  # noqa: PLC0415
        from cardgen.sheets.sheet_captions import CaptionForms  # noqa: PLC0415

        composer = Composer(recipe.font_files)
        letters = CaptionForms(composer, recipe.lettering)
        page = _ProofLayout(recipe, letters)
        marks = composer.add_operators(page.draw_marks())
        for pdf, caption in recipe.pages:
            forms: dict[str, Any] = {"F": composer.add_face(pdf), "M": marks}
            face = paint_extended("F", pdf, page.printed, (1.0, 1.0))
            content = "\n".join([face, "q /M Do Q", *page.draw_texts(caption, forms)])
            added = composer.add_page(page.size.width, page.size.height, content.encode(), forms)
            corner = (page.printed.left, page.printed.bottom)
            page_edits.set_page_boxes(added, recipe.bleed, corner)
        return composer.save(recipe.title, recipe.language)
