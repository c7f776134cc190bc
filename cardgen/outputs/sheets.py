"""Print sheets: every deck on paper, and the whole box in one PDF; on wish, cut files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from cardgen.base.problems import Problem, Source
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.game.shapes import Outline
from cardgen.outputs import ink, neighbours, pictured
from cardgen.outputs.contract import (
    Artefact,
    Job,
    Output,
    colophon_of,
    ending,
    key_of,
    part_of,
)
from cardgen.outputs.sheet_recipes import (
    format_of,
    key_of_sheets,
    not_to_skip,
    pairs_of,
    recipe_of,
    told_smaller,
    unprintable,
)
from cardgen.sheets import arrange, cutfiles, silhouette
from cardgen.sheets.arrange import Layout, Pair, Recipe, Sheet
from cardgen.sheets.cutfiles import CutFile
from cardgen.sheets.imposition import Format
from cardgen.sheets.numbers import NONE

# A printer that meets both sides nearer than this is a rare one.
_FORGIVING = 2.0
_LISTED = 6
Group = tuple[str, str, tuple[Deck, ...]]
"""Decks whose sheets are one file: its name, its title's end, and they."""
Box = list[tuple[str, str, list[Sheet]]]
"""The same with the sheets in place of the decks."""


def _problems(job: Job) -> Iterator[Problem]:
    shown = {face.deck for book in job.books.books for face in book.faces}
    for deck in job.decks:
        if not deck.count and deck.id not in shown:
            which = f"every card of {deck.id}{' that is asked for' if job.some else ''}"
            message = f"{which} has 0 copies; no sheet is made of it"
            yield Problem(deck.source, message, "empty", "warning")
        met = deck.back and not deck.apart
        if met and deck.bleed < _FORGIVING and job.options.layout.backs.startswith("duplex"):
            message = (
                f"{deck.id} has {deck.bleed:g} mm of bleed; backs need {_FORGIVING:g} to forgive "
                "a printer that is off, or white edges show"
            )
            source = deck.sources.get("bleed", deck.source)
            yield Problem(source, message, "bleed", "warning")
        why = arrange.misfit(format_of(deck), job.options.layout)
        if why:
            yield Problem(deck.source, f"{deck.id} {why}", "paper")
        else:
            yield from neighbours.problems(job, deck, partial(_in_order, job, deck))


def _in_order(job: Job, deck: Deck, order: Sequence[str]) -> list[Sheet]:
    """The sheets of a deck whose pieces are put in an order."""
    language = job.languages[0]
    found, copies = pairs_of(job, deck, language), {p.id: p.copies for p in deck.pieces}
    pairs = [found[piece] for piece in order for _ in range(copies[piece])]
    return arrange.arrange(pairs, job.options.layout, colophon_of(job.game, language))


def _fitting(job: Job) -> list[Deck]:
    layout = job.options.layout
    return [deck for deck in job.decks if not arrange.misfit(format_of(deck), layout)]


def _box(job: Job, decks: Sequence[Deck], language: str) -> Box:
    """The sheets of every file that has any of those asked for."""
    numbers = job.options.sheets
    rest = ending([f"sheets-{numbers}".replace(",", "+")]) if numbers else ""
    box = [
        (f"{name}{rest}", title, [s for n, s in enumerate(found, 1) if not numbers or n in numbers])
        for name, title, found in _all(job, decks, language)
    ]
    return [each for each in box if each[2]]


def _all(job: Job, decks: Sequence[Deck], language: str) -> Box:
    """The sheets of every file, each at the place that its number tells."""
    box: Box = []
    layout = job.options.layout
    for name, title, group in _groups(job, decks, language):
        found = _sheets(job, group, language, layout)
        box.append((name, title, found))
        # One paper is started, the first of all.
        layout = replace(layout, skip=NONE) if found else layout
    return box


def numbered(job: Job, language: str) -> Box:
    """The sheets of every file of a language, whichever are asked for: the first is number 1."""
    return _all(job, _fitting(job), language)


def made_from(job: Job, language: str) -> Iterator[tuple[str, Recipe, dict[int, Sheet]]]:
    """What a language's PDFs are made from, but for the whole box: the title of each, its recipe,
    and its sheets by their numbers."""
    numbers = job.options.sheets
    for _, title, found in _all(job, _fitting(job), language):
        wanted = {n: sheet for n, sheet in enumerate(found, 1) if not numbers or n in numbers}
        if wanted:
            whole = _title(job, language, title)
            yield title, recipe_of(job, whole, language, [*wanted.values()]), wanted


def problems_of(job: Job) -> list[Problem]:
    """What speaks against the sheets that are asked for, or is to be known of them."""
    found = [*_beyond(job, _fitting(job)), *_problems(job), *unprintable(job)]
    skip = job.options.layout.skip
    sheets = [s for _, _, group in numbered(job, job.languages[0]) for s in group] if skip else []
    return [*not_to_skip(skip, sheets), *found]


def _beyond(job: Job, decks: Sequence[Deck]) -> Iterator[Problem]:
    """A problem when sheets are asked for that no file has."""
    numbers = job.options.sheets
    if not numbers:
        return
    counts = [(name, len(found)) for name, _, found in _all(job, decks, job.languages[0])]
    most = max((count for _, count in counts), default=0)
    if beyond := numbers.beyond(most):
        gone = f"is no sheet {beyond}" if str(beyond).isdigit() else f"are no sheets {beyond}"
        shown = sorted(counts, key=lambda each: -each[1])[:_LISTED]
        message = f"there {gone}; {', '.join(f'{name} has {count}' for name, count in shown)}"
        yield Problem(Source(f"--sheets {numbers}"), message, "asked")


def _groups(job: Job, decks: Iterable[Deck], language: str) -> Iterator[Group]:
    """Each deck by itself, or all decks of a format together, named by their measures."""
    if not job.options.mix:
        for deck in decks:
            yield f"{deck.id}{job.some}", deck.title.spoken(language), (deck,)
        return
    chosen = {deck.id: deck for deck in decks}
    formats: dict[Format, list[Deck]] = {}
    for deck in job.game.decks:
        formats.setdefault(format_of(deck).upright, []).append(deck)
    names: set[str] = set()
    for known, whole in formats.items():
        base = f"{known.size.width:g}x{known.size.height:g}"
        name = next(n for n in (base, *(f"{base}-{i}" for i in range(2, 999))) if n not in names)
        names.add(name)
        group = [chosen[deck.id] for deck in whole if deck.id in chosen]
        if group:
            part = part_of(group, whole) + job.some
            yield f"{name}{part}", str(known.size), tuple(group)


def _sheets(job: Job, decks: Iterable[Deck], language: str, layout: Layout) -> list[Sheet]:
    pairs: list[Pair] = []
    for deck in decks:
        found = pairs_of(job, deck, language)
        for piece in deck.pieces:
            pairs += [found[piece.id]] * piece.copies if piece.id in found else []
    return arrange.arrange(pairs, layout, colophon_of(job.game, language))


def _artefact(
    job: Job, path: str, title: str, language: str, sheets: Sequence[Sheet]
) -> Artefact[Recipe]:  # fmt: skip
    recipe = recipe_of(job, title, language, sheets)
    return Artefact(path, key_of_sheets(job, recipe, sheets), recipe, language)


def _title(job: Job, language: str, part: str) -> str:
    """What a PDF is called: the game, and what of it lies there, empty for all."""
    game = job.game.title.spoken(language)
    return f"{game} – {part}" if part else game


def _cut_files(
    job: Job, name: str, language: str, sheets: Sequence[Sheet]
) -> Iterator[Artefact[CutFile]]:
    """The cuts of the fullest sheet: those of a deck's other sheets are the same, or fewer. A first
    sheet with places to skip has files of its own."""
    fullest = max(sheets, key=lambda sheet: len(sheet.outlines))
    wanted = {name: fullest.outlines}
    if sheets[0].skipped:
        wanted = {f"{name}-sheet-1": sheets[0].outlines}
        rest = sheets[1:]
        wanted |= {name: max((s.outlines for s in rest), key=len)} if rest else {}
    for own, outlines in wanted.items():
        for kind in job.options.cut_files if outlines else ():
            file = _cut_file(job.options.layout, kind, outlines)
            key = key_of([], job.faces, file)
            yield Artefact(f"{language}/sheets/{own}.{kind}", key, file, language)


def _cut_file(layout: Layout, kind: str, outlines: tuple[Outline, ...]) -> CutFile:
    if layout.style.marks in silhouette.MARKS and not layout.stock:
        return CutFile(kind, layout.paper.turned(), cutfiles.lying(layout.paper, outlines))
    return CutFile(kind, layout.paper, outlines)


def _figures(job: Job, sheets: Sequence[Sheet]) -> str:
    # Spaces that no line is broken at.
    return f"{arrange.papers(sheets)}\u00a0({arrange.waste(sheets, job.options.layout)}\u00a0%)"


def _whole_boxes(job: Job, language: str, box: Box) -> Iterator[Artefact[Recipe]]:
    """The whole box. Of a box that is printed on both sides, what has no backs stands in a file of
    its own, or each of its sheets would bring a blank page."""
    parts = {"sheets": box}
    if job.options.layout.backs.startswith("duplex"):
        sided = {
            name: [each for each in box if any(sheet.back for sheet in each[2]) is two]
            for name, two in (("sheets", True), ("sheets-one-sided", False))
        }
        parts = sided if all(sided.values()) else parts
    for name, part in parts.items():
        yield _whole_box(job, f"{language}/{name}.pdf", language, part)


def _whole_box(job: Job, path: str, language: str, box: Box) -> Artefact[Recipe]:
    sheets = [sheet for _, _, group in box for sheet in group]
    # A box of one deck is that deck's PDF: of the same key, it is put together once.
    title = _title(job, language, box[0][1] if len(box) == 1 else "")
    whole = _artefact(job, path, title, language, sheets)
    count = arrange.papers(sheets)
    noun = "sheet" if count == 1 else "sheets"
    share = arrange.waste(sheets, job.options.layout)
    text = (
        f"{count} {noun} of {job.options.layout.paper_name}, {share}\u00a0% of the paper left over"
    )
    decks = [f"{name}\u00a0{_figures(job, group)}" for name, _, group in box]
    text = f"{text}: {', '.join(decks)}"
    if job.options.estimate:
        text = f"{text}; {ink.told(job, whole.recipe.pages)}"
    if smaller := told_smaller(job, whole.recipe.pages):
        text = f"{text}; {smaller}"
    return replace(whole, summary=text)


class Sheets(Output[Recipe | CutFile]):
    """Sheets of decks, of the whole box, and their cut files."""

    reads = ("layout", "mix", "cut_files", "estimate", "sheets")

    def shown(self, job: Job) -> list[Face]:
        """The faces on the sheets asked for."""
        shown = super().shown(job)
        if not job.options.sheets:
            return shown
        boxes = [_box(job, _fitting(job), language) for language in job.languages]
        sheets = [sheet for box in boxes for _, _, group in box for sheet in group]
        pages = arrange.pages_of(sheets, job.options.layout)
        placed = {face.key for page in pages for face, _ in page.placed}
        names = {pair.name for sheet in sheets for pair in sheet.pieces}
        return [face for face in shown if face.key in placed and face.piece.id in names]

    def prepare(self, job: Job) -> list[Problem]:
        """Measure the sides of cards that are cut apart by one cut, and what ink the faces take,
        where that is to be told."""
        fronts = neighbours.faces_of(job)
        pictured.measure_some(job, neighbours.SIDES, fronts, len(fronts))
        if job.options.estimate:
            boxes = [_box(job, _fitting(job), language) for language in job.languages]
            sheets = [sheet for box in boxes for _, _, group in box for sheet in group]
            ink.prepare(job, arrange.pages_of(sheets, job.options.layout))
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe | CutFile]], list[Problem]]:
        """One PDF a deck, or a format with `mix`, and one of everything, or two where not all of it
        has backs, for every language.

        A part of the decks, cards or sheets does not take the place of the whole box, of all decks
        of a format or of all sheets of a deck.
        """
        artefacts: list[Artefact[Recipe | CutFile]] = []
        decks = _fitting(job)
        for language in job.languages:
            box = _box(job, decks, language)
            for name, title, sheets in box:
                path = f"{language}/sheets/{name}.pdf"
                whole = _title(job, language, title)
                artefacts.append(_artefact(job, path, whole, language, sheets))
                artefacts += _cut_files(job, name, language, sheets)
            if box:
                if job.part or job.options.sheets:
                    told = _whole_box(job, f"{language}/sheets.pdf", language, box).summary
                    artefacts[-1] = replace(artefacts[-1], summary=told)
                else:
                    artefacts += _whole_boxes(job, language, box)
        return artefacts, problems_of(job)

    def make(self, recipes: Sequence[Recipe | CutFile]) -> list[bytes]:
        """The PDFs and cut files of the recipes."""
        from cardgen.sheets import printing  # noqa: PLC0415 - loaded only where sheets are made

        return [
            cutfiles.make(each) if isinstance(each, CutFile) else printing.make(each)
            for each in recipes
        ]
