"""Print sheets: every deck on paper, and the whole box in one PDF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cardgen.artefacts import Artefact, Job, face_pdf, key_of
from cardgen.fontfiles import Cut
from cardgen.impose import Grid, Slot, fit
from cardgen.impose import sheets as split
from cardgen.model import Deck
from cardgen.pdf.facepdf import FacePdf
from cardgen.pdf.operators import Matrix, painted
from cardgen.problems import Problem
from cardgen.units import Size

BATCH = 1
OF_DECKS = True
_WORDS = {
    "fi": ("arkki", "etupuoli", "kääntöpuoli", "painos"),
    "en": ("sheet", "front", "back", "edition"),
    "ru": ("лист", "лицо", "оборот", "издание"),
}

Pair = tuple[FacePdf, FacePdf | None]


@dataclass(frozen=True)
class Sheet:
    """One side of one sheet: faces in the grid's slots, in reading order of the fronts."""

    grid: Grid
    side: str
    faces: tuple[FacePdf | None, ...]
    slug: str


@dataclass(frozen=True)
class Recipe:
    """A PDF of sheets."""

    title: str
    language: str
    paper: Size
    sheets: tuple[Sheet, ...]
    cuts: tuple[Cut, ...]
    slug_font: Path | None


def plan(job: Job) -> tuple[list[Artefact], list[Problem]]:
    """One PDF a deck and one of everything, for every language."""
    artefacts: list[Artefact] = []
    problems: list[Problem] = []
    grids: dict[str, Grid] = {}
    for deck in job.decks:
        grid = fit(job.options.paper, deck.size, deck.bleed)
        if not deck.count:
            message = f"every card of {deck.id} has 0 copies; no sheet is made of it"
            problems.append(Problem(deck.source, message, "empty", "warning"))
        if grid is None:
            message = f"{deck.id} ({deck.size}) does not fit {job.options.paper_name} paper"
            problems.append(Problem(deck.source, message, "paper"))
        else:
            grids[deck.id] = grid
    for language in job.languages:
        box: list[Sheet] = []
        for deck in job.decks:
            if deck.id in grids:
                deck_sheets = _sheets(job, deck, grids[deck.id], language)
                if not deck_sheets:
                    continue
                box += deck_sheets
                path = f"{language}/sheets/{deck.id}.pdf"
                title = f"{job.game.title[language]} – {deck.title[language]}"
                artefacts.append(_artefact(job, path, title, language, deck_sheets))
        if box:
            title = job.game.title[language]
            artefacts.append(_artefact(job, f"{language}/sheets.pdf", title, language, box))
    return artefacts, problems


def _artefact(job: Job, path: str, title: str, language: str, found: list[Sheet]) -> Artefact:
    cuts = job.cuts
    recipe = Recipe(title, language, job.options.paper, tuple(found), cuts, job.label_font)
    digests = {face.key: face for face in job.faces.faces}
    placed = [digests[face.key] for sheet in found for face in sheet.faces if face]
    layout = [(sheet.grid, sheet.side, sheet.slug) for sheet in found]
    key = key_of(placed, job.faces, title, language, layout)
    pages = f"{len(found)} page{'s' if len(found) != 1 else ''}"
    return Artefact(path, key, recipe, language, pages)


def _sheets(job: Job, deck: Deck, grid: Grid, language: str) -> list[Sheet]:
    fronts = job.faces.of(deck, language, "front")
    backs = job.faces.of(deck, language, "back")
    with_backs = bool(backs) and job.options.backs != "none"
    pairs: list[Pair] = []
    for index, front in enumerate(fronts):
        back = face_pdf(backs[index], job.store) if with_backs else None
        pairs += [(face_pdf(front, job.store), back)] * front.piece.copies
    found: list[Sheet] = []
    groups = split(pairs, grid.capacity)
    for number, group in enumerate(groups, start=1):
        for index, side in enumerate(("front", "back")[: 2 if with_backs else 1]):
            slug = _slug(job, deck, language, side, f"{number}/{len(groups)}")
            found.append(Sheet(grid, side, tuple(pair[index] for pair in group), slug))
    return found


def _slug(job: Job, deck: Deck, language: str, side: str, which: str) -> str:
    sheet, front, back, edition = _WORDS.get(language.partition("-")[0], _WORDS["en"])
    game = job.game
    parts = [
        game.title[language],
        deck.title[language],
        f"{sheet} {which}",
        front if side == "front" else back,
        f"{edition} {game.edition}" if game.edition else "",
        language,
        game.date,
        str(deck.size),
    ]
    return "  ·  ".join(part for part in parts if part)


def make(recipes: list[Recipe]) -> list[bytes]:
    """The PDFs of the recipes."""
    return [_make_one(recipe) for recipe in recipes]


def _make_one(recipe: Recipe) -> bytes:
    from cardgen.pdf import marks  # noqa: PLC0415 - loaded only where sheets are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(recipe.cuts)
    overlays = composer.overlay(
        marks.draw(
            [marks.Overlay(s.grid, s.slug, s.side == "front") for s in recipe.sheets],
            recipe.paper,
            recipe.slug_font,
        )
    )
    for sheet, overlay in zip(recipe.sheets, overlays, strict=True):
        forms = {"M": overlay}
        content: list[str] = []
        for face, slot in zip(sheet.faces, sheet.grid.slots(sheet.side), strict=False):
            if face is None:
                continue
            name = f"F{face.key}"
            forms[name] = composer.form(face)
            matrix = _matrix(face, slot, sheet.grid.bleed)
            content.append(painted(name, slot.paint, matrix))
        content.append("q /M Do Q")
        composer.page(recipe.paper.width, recipe.paper.height, "\n".join(content).encode(), forms)
    return composer.save(recipe.title, recipe.language)


def _matrix(face: FacePdf, slot: Slot, bleed: float) -> Matrix:
    """How a face's bleed box comes to lie in its slot."""
    left, bottom = slot.trim.left - bleed, slot.trim.bottom - bleed
    if slot.turn == 90:
        return (0, 1, -1, 0, left + face.height, bottom)
    if slot.turn == -90:
        return (0, -1, 1, 0, left, bottom + face.width)
    return (1, 0, 0, 1, left, bottom)
