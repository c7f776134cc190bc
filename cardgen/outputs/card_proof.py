"""A proof of single cards: every face with crop marks, lines for cut, bleed and safe area, and what
it is called, to be looked at before the cards themselves are sent. TrimBox and BleedBox are those
of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem
from cardgen.base.units import POINTS_PER_MM, Box, Size
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.game.shapes import Form, Point, flat, outline
from cardgen.outputs.contract import Artefact, Job, Output, colophon_of, key_of
from cardgen.outputs.single_cards import bleed_of, cards, short_bleeds, title_of
from cardgen.pdf.extending import extended
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.captions import SLUG_GREY, Lettering, Line
from cardgen.words.languages import decimal_sign, word

_WORD = "card-proof"
_BESIDE, _ABOVE = 8.0, 15.0
"""Room around what is printed: for marks beside it, for marks and words above and below, mm."""
_WIDEST = 180.0
"""So wide a page becomes for its words alone; longer ones are set smaller."""
_EDGE = 5.0
_HEAD, _HEAD_PT = 8.5, 9.0
_KEY, _KEY_PT = 9.5, 6.5
_FOOT, _FOOT_PT = 12.8, 6.0
"""Baselines above and below what is printed, mm, and sizes of type."""
_SAMPLE, _APART = 6.0, 5.0
"""A piece of a line before its name, and the room before the next, mm."""


@dataclass(frozen=True)
class Proofed:
    """A face and what stands above it."""

    face: FacePdf
    caption: str


@dataclass(frozen=True)
class Recipe:
    """A PDF of proofs of one deck. `key` are the names of its lines: style, words."""

    title: str
    language: str
    trim: Size
    form: Form
    bleed: float
    safe: float
    pages: tuple[Proofed, ...]
    key: tuple[tuple[str, str], ...]
    foot: str
    cuts: tuple[Cut, ...]
    lettering: Lettering


def _faces(job: Job, deck: Deck, language: str) -> list[tuple[Face, str]]:
    """The faces of a deck, each look once, fronts before backs, with what they are called."""
    found: dict[str, list[tuple[Face, int]]] = {}
    listed = cards(job, [deck], language)
    for side in ("front", "back"):
        for card in listed:
            face = card.front if side == "front" else card.back
            if face:
                found.setdefault(face.key, []).append((face, card.copies))
    title = deck.title.spoken(language)
    named = []
    for alike in found.values():
        face = alike[0][0]
        of = f"{title} – {face.piece.id}" if len(alike) == 1 else title
        copies = sum(count for _, count in alike)
        named.append((face, f"{of}, {word(f'sheets.{face.side}', language)} × {copies}"))
    return named


def _key(deck: Deck, bleed: float, language: str) -> tuple[tuple[str, str], ...]:
    """The lines that are drawn, and what is said of each."""
    size = deck.size
    figures = (
        ("cut", 1.0, f"{size.width:g} × {size.height:g}"),
        ("bleed", bleed, f"{bleed:g}"), ("safe", deck.safe, f"{deck.safe:g}"),
    )  # fmt: skip
    mm, sign = word("proof.mm", language), decimal_sign(language)
    return tuple(
        (style, f"{word(f'proof.{style}', language)} {said.replace('.', sign)} {mm}")
        for style, length, said in figures
        if length
    )


def _artefact(
    job: Job, deck: Deck, language: str, faces: list[tuple[Face, str]]
) -> Artefact[Recipe]:
    title, bleed = title_of(job, deck, language), bleed_of(job, deck)
    of = colophon_of(job.game, language)
    edition = f"{of.word('edition')} {of.edition}" if of.edition else ""
    foot = "  ·  ".join(filter(None, (of.title, edition, of.language, of.date)))
    key = _key(deck, bleed, language)
    words = [Line(caption) for _, caption in faces] + [Line(said) for _, said in key]
    lettering = job.lettered([*words, Line(foot, SLUG_GREY)], language)
    pages = tuple(Proofed(face_pdf(face, job.store), caption) for face, caption in faces)
    recipe = Recipe(
        title, language, deck.size, deck.form, bleed, deck.safe, pages, key, foot, job.cuts,
        lettering,
    )  # fmt: skip
    drawn = (title, language, deck.size, deck.form, bleed, deck.safe, key, foot)
    captions = [caption for _, caption in faces]
    known = key_of(
        [face for face, _ in faces], job.faces, _WORD, *drawn, captions, lettering.path.name
    )
    return Artefact(f"{language}/{_WORD}/{deck.id}{job.some}.pdf", known, recipe, language)


def _within(form: Form, trim: Size, by: float) -> list[Point]:
    """A piece's outline so far inside it (mm), from the trim's bottom left corner."""
    inner = Size(trim.width - 2 * by, trim.height - 2 * by)
    if min(inner.width, inner.height) <= 0:
        return []
    if form.shape == "hexagon":  # its sides keep their distance when all of it is made smaller
        scale = 1 - 2 * by / min(trim.width, trim.height)
        inner = Size(trim.width * scale, trim.height * scale)
    points = flat(outline(Form(form.shape, max(0.0, form.corner - by)), inner))
    x, y = (trim.width - inner.width) / 2, (trim.height - inner.height) / 2
    return [(x + px, y + py) for px, py in points]


def _make_one(recipe: Recipe) -> bytes:
    from cardgen.pdf import boxes  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415
    from cardgen.sheets.caption_forms import Letters  # noqa: PLC0415

    composer = Composer(recipe.cuts)
    letters = Letters(composer, recipe.lettering)
    page = _Page(recipe, letters)
    marks = composer.content(page.marks())
    for proofed in recipe.pages:
        forms: dict[str, Any] = {"F": composer.form(proofed.face), "M": marks}
        face = extended("F", proofed.face, page.printed, (1.0, 1.0))
        content = "\n".join([face, "q /M Do Q", *page.words(proofed.caption, forms)])
        made = composer.page(page.size.width, page.size.height, content.encode(), forms)
        beyond = (page.printed.left, page.printed.bottom)
        boxes.tell(made, recipe.bleed, beyond)
    return composer.save(recipe.title, recipe.language)


class _Page:
    """Where all stands on the pages of a deck, which are of one size."""

    def __init__(self, recipe: Recipe, letters: Any) -> None:
        self._recipe, self._letters = recipe, letters
        bleed, trim = recipe.bleed, recipe.trim
        widest = max(
            *(self._width(Line(each.caption), _HEAD_PT) for each in recipe.pages),
            self._width(Line(recipe.foot, SLUG_GREY), _FOOT_PT),
            self._key_width(_KEY_PT),
        )
        width, height = trim.width + 2 * bleed, trim.height + 2 * bleed
        across = max(width + 2 * _BESIDE, min(widest, _WIDEST) + 2 * _EDGE)
        self.size = Size(across, height + 2 * _ABOVE)
        left = (across - width) / 2
        self.printed = Box(left, _ABOVE, left + width, _ABOVE + height)
        self._trim = self.printed.grown(-bleed)

    def _width(self, line: Line, size: float) -> float:
        return float(self._letters.width(line, size)) / POINTS_PER_MM

    def _key_width(self, size: float) -> float:
        said = [self._width(Line(words), size) for _, words in self._recipe.key]
        return sum(said) + len(said) * (_SAMPLE + 1) + (len(said) - 1) * _APART

    def _size(self, width: float, size: float) -> float:
        """The size of type in which what is so wide has room."""
        return size * min(1.0, (self.size.width - 2 * _EDGE) / width) if width else size

    def marks(self) -> str:
        """The operators of the marks beside a face and the lines over it."""
        from cardgen.sheets import guides, marks  # noqa: PLC0415 - loaded with what draws them

        trim, recipe = self._trim, self._recipe
        page = Box(0, 0, self.size.width, self.size.height)
        crops = guides.crop_marks(
            (trim.left, trim.right), (trim.bottom, trim.top), self.printed, page
        )
        drawn = [marks.drawn(crops)]
        box = self.printed
        corners = [
            (box.left, box.bottom), (box.right, box.bottom), (box.right, box.top),
            (box.left, box.top),
        ]  # fmt: skip
        lines = {
            "bleed": corners,
            "safe": self._placed(_within(recipe.form, recipe.trim, recipe.safe)),
            "cut": self._placed(_within(recipe.form, recipe.trim, 0.0)),
        }
        wanted = {style for style, _ in recipe.key}
        drawn += [marks.contour(s, along) for s, along in lines.items() if along and s in wanted]
        return "\n".join(drawn)

    def _placed(self, points: list[Point]) -> list[Point]:
        return [(self._trim.left + x, self._trim.bottom + y) for x, y in points]

    def words(self, caption: str, forms: dict[str, Any]) -> list[str]:
        """The operators of what stands above and below a face; their forms join `forms`."""
        from cardgen.sheets import marks  # noqa: PLC0415 - loaded with what draws them
        from cardgen.sheets.caption_forms import Spot  # noqa: PLC0415

        middle, foot = self.size.width / 2, self.printed.bottom
        put = []
        for line, y, points in (
            (Line(caption), self.printed.top + _HEAD, _HEAD_PT),
            (Line(self._recipe.foot, SLUG_GREY), foot - _FOOT, _FOOT_PT),
        ):
            size = self._size(self._width(line, points), points)
            put.append(self._letters.put(line, Spot(middle, y, size, True), forms))
        size = self._size(self._key_width(_KEY_PT), _KEY_PT)
        x, y = middle - self._key_width(size) / 2, foot - _KEY
        for style, said in self._recipe.key:
            put.append(marks.contour(style, [(x, y + 0.8), (x + _SAMPLE, y + 0.8)], closed=False))
            put.append(self._letters.put(Line(said), Spot(x + _SAMPLE + 1, y, size), forms))
            x += _SAMPLE + 1 + self._width(Line(said), size) + _APART
        return put


class CardProof(Output[Recipe]):
    """A proof of every deck's cards."""

    reads = ("single.bleed",)

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`card-proof/<deck>.pdf` for every language: a page for each different face."""
        artefacts = []
        for language in job.languages:
            for deck in job.decks:
                faces = _faces(job, deck, language)
                if faces:
                    artefacts.append(_artefact(job, deck, language, faces))
        return artefacts, short_bleeds(job, "bleed")

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_make_one(recipe) for recipe in recipes]
