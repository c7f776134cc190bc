"""Print sheets: a PDF for each deck or format, a PDF of the whole box, and cut files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from cardgen.changes.card_changes import CardKey
from cardgen.changes.diff_model import SheetsToPrint
from cardgen.core.problems import Problem, Source
from cardgen.faces.model import Face
from cardgen.game.inventory import format_count
from cardgen.game.model import Deck
from cardgen.game.shapes import Outline
from cardgen.outputs import face_measurement, neighbour_colours
from cardgen.outputs.contract import Artefact, Job, Output, filename_suffix, partial_decks_suffix
from cardgen.outputs.sheet_recipes import (
    arrange_pieces,
    build_sheets_recipe,
    check_sheet_texts,
    check_skipped_places,
    get_card_format,
    list_pieces,
    summarise_downsampling,
)
from cardgen.pdf.face_file import ComposedFile
from cardgen.runtime.content_store import digest_parts
from cardgen.sheets import arrangement, cut_files, silhouette
from cardgen.sheets.arrangement import ImposedSheet, SheetLayout, SheetPage, SheetsRecipe
from cardgen.sheets.cut_files import CutFile
from cardgen.sheets.imposition import NO_NUMBERS, NumberRanges, PieceFormat, find_spans

_MIN_DUPLEX_BLEED_MM = 2.0
"""Few printers are off by more than this when they print the second side."""
_MAX_LISTED_FILES = 6


PdfArtefact = Artefact[SheetsRecipe]


class SheetGroup(NamedTuple):
    """The sheets of one file: its name, the end of its title, and its sheets by their numbers."""

    name: str
    title: str
    sheets: Mapping[int, ImposedSheet]

    @property
    def listed(self) -> list[ImposedSheet]:
        return list(self.sheets.values())


def _check_decks(job: Job) -> Iterator[Problem]:
    in_books = {face.deck for book in job.books.books for face in book.faces}
    duplex = job.options.layout.backs.startswith("duplex")
    for deck in job.decks:
        if not deck.count and deck.id not in in_books:
            which = f"every {'selected ' if job.selection_suffix else ''}card of {deck.id}"
            message = f"{which} has 0 copies, so it is on no sheet"
            yield Problem(deck.source, message, "empty", "warning")
        if deck.back and not deck.separate_backs and deck.bleed < _MIN_DUPLEX_BLEED_MM and duplex:
            message = (
                f"{deck.id} has {deck.bleed:g} mm of bleed; give it {_MIN_DUPLEX_BLEED_MM:g} mm or "
                "more, or a printer that is a little off leaves white edges on the backs"
            )
            source = deck.sources.get("bleed", deck.source)
            yield Problem(source, message, "bleed", "warning")
        misfit = arrangement.explain_misfit(get_card_format(deck), job.options.layout)
        if misfit:
            yield Problem(deck.source, f"{deck.id} {misfit}", "paper")
        else:
            impose = partial(_impose_in_order, job, deck)
            yield from neighbour_colours.check_neighbours(job, deck, impose)


def _impose_in_order(job: Job, deck: Deck, order: Sequence[str]) -> list[ImposedSheet]:
    """Impose the cards of a deck, given by their ids, in an order."""
    copies = {piece.id: piece.copies for piece in deck.pieces}
    language, numbers = job.languages[0], {id_: copies[id_] for id_ in order}
    return arrange_pieces(job, list_pieces(job, deck, language, numbers), language)


def _impose_all_sheets(job: Job, language: str) -> list[SheetGroup]:
    """Impose the selected decks that fit on the paper, once for a job. Sheets of each file count
    from 1."""
    key = f"sheets {language}"
    if key not in job.kept:
        job.kept[key] = [*_impose_decks(job, language)]
    found: list[SheetGroup] = job.kept[key]
    return found


def _impose_decks(job: Job, language: str) -> Iterator[SheetGroup]:
    layout = job.options.layout
    for name, title, decks in _group_decks(job, language):
        pieces = [piece for deck in decks for piece in list_pieces(job, deck, language)]
        sheets = arrange_pieces(job, pieces, language, layout)
        yield SheetGroup(name, title, dict(enumerate(sheets, 1)))
        if sheets:  # only the very first sheet is partly used already
            layout = replace(layout, skip=NO_NUMBERS)


def _group_decks(job: Job, language: str) -> Iterator[tuple[str, str, list[Deck]]]:
    """Yield name, title and decks of each file: a deck, or with `mix` all decks of a format."""
    layout = job.options.layout
    fitting = [d for d in job.decks if not arrangement.explain_misfit(get_card_format(d), layout)]
    if not job.options.mix:
        for deck in fitting:
            yield f"{deck.id}{job.selection_suffix}", deck.title.get_plain_text(language), [deck]
        return
    chosen = {deck.id: deck for deck in fitting}
    formats: dict[PieceFormat, list[Deck]] = {}
    for deck in job.game.decks:
        formats.setdefault(get_card_format(deck).upright, []).append(deck)
    names: set[str] = set()
    for form, whole in formats.items():
        base = f"{form.size.width:g}x{form.size.height:g}"
        name = next(n for n in (base, *(f"{base}-{i}" for i in range(2, 999))) if n not in names)
        names.add(name)
        decks = [chosen[deck.id] for deck in whole if deck.id in chosen]
        if decks:
            suffix = partial_decks_suffix(decks, whole) + job.selection_suffix
            yield f"{name}{suffix}", str(form.size), decks


def _select_sheets(job: Job, language: str) -> list[SheetGroup]:
    """Return the files that have any of the selected sheets, with these sheets only."""
    numbers = job.options.sheets
    suffix = filename_suffix([f"sheets-{numbers}".replace(",", "+")]) if numbers else ""
    groups = [
        SheetGroup(f"{name}{suffix}", title,
                   {n: sheet for n, sheet in sheets.items() if not numbers or n in numbers})
        for name, title, sheets in _impose_all_sheets(job, language)
    ]  # fmt: skip
    return [group for group in groups if group.sheets]


def _list_selected_pages(job: Job) -> tuple[list[ImposedSheet], tuple[SheetPage, ...]]:
    """Return the selected sheets of all languages, and their pages."""
    groups = [group for language in job.languages for group in _select_sheets(job, language)]
    sheets = [sheet for group in groups for sheet in group.listed]
    return sheets, arrangement.list_sheet_pages(sheets, job.options.layout)


def plan_sheet_recipes(
    job: Job, language: str
) -> Iterator[tuple[str, SheetsRecipe, Mapping[int, ImposedSheet]]]:
    """Yield title, recipe and numbered sheets of each PDF of a language, without the whole box."""
    for _, title, sheets in _select_sheets(job, language):
        whole = _format_title(job, language, title)
        yield title, build_sheets_recipe(job, whole, language, [*sheets.values()]), sheets


def check_sheets(job: Job) -> list[Problem]:
    """Return the problems of the selected sheets."""
    groups = _impose_all_sheets(job, job.languages[0])
    sheets = [sheet for group in groups for sheet in group.listed]
    return [
        *check_skipped_places(job.options.layout.skip, sheets),
        *_check_sheet_numbers(job, groups),
        *_check_decks(job),
        *check_sheet_texts(job),
    ]


def _check_sheet_numbers(job: Job, groups: Sequence[SheetGroup]) -> Iterator[Problem]:
    """Report selected sheet numbers that no file has."""
    numbers = job.options.sheets
    counts = sorted(((group.name, len(group.sheets)) for group in groups), key=lambda c: -c[1])
    if numbers and (beyond := numbers.list_beyond(counts[0][1] if counts else 0)):
        gone = f"is no sheet {beyond}" if str(beyond).isdigit() else f"are no sheets {beyond}"
        known = ", ".join(f"{name} has {count}" for name, count in counts[:_MAX_LISTED_FILES])
        yield Problem(Source(f"--sheets {numbers}"), f"there {gone}; {known}", "asked")


def _format_title(job: Job, language: str, part: str) -> str:
    game = job.game.title.get_plain_text(language)
    return f"{game} – {part}" if part else game


def _plan_pdf(
    job: Job, path: str, title: str, language: str, sheets: Sequence[ImposedSheet]
) -> PdfArtefact:
    """Plan a PDF of sheets, which takes over what it can from the last one at its place."""
    recipe = build_sheets_recipe(job, title, language, sheets)
    record = job.store.get_path("composed", f"{digest_parts([str(job.folder), path])}.json")
    last = ComposedFile(str(job.folder), path, str(record))
    return Artefact(path, replace(recipe, last=last), language)


def _plan_cut_files(
    job: Job, name: str, language: str, sheets: Sequence[ImposedSheet]
) -> Iterator[Artefact[CutFile]]:
    """Plan the cut files of the fullest sheet. Others have the same cuts, or fewer.

    A first sheet with skipped places has cut files of its own.
    """
    wanted = {name: sheets}
    if sheets[0].skipped_places:
        wanted = {f"{name}-sheet-1": sheets[:1], name: sheets[1:]}
    for stem, group in wanted.items():
        outlines = max((sheet.outlines for sheet in group), key=len, default=())
        for kind in job.options.cut_files if outlines else ():
            file = _build_cut_file(job.options.layout, kind, outlines)
            yield Artefact(f"{language}/sheets/{stem}.{kind}", file, language)


def _build_cut_file(layout: SheetLayout, kind: str, outlines: tuple[Outline, ...]) -> CutFile:
    if layout.style.marks in silhouette.MARK_KINDS and not layout.stock:
        turned = cut_files.turn_to_landscape(layout.paper, outlines)
        return CutFile(kind, layout.paper.rotate(), turned)
    return CutFile(kind, layout.paper, outlines)


def _plan_whole_boxes(
    job: Job, language: str, groups: Sequence[SheetGroup], known: Mapping[str, PdfArtefact]
) -> Iterator[Artefact[SheetsRecipe]]:
    """Plan the PDF of the whole box, printed on both sides.

    One-sided sheets are a file of their own, or each of them would bring a blank page.
    """
    parts: dict[str, Sequence[SheetGroup]] = {"sheets": groups}
    if job.options.layout.backs.startswith("duplex"):
        sided: dict[str, Sequence[SheetGroup]] = {
            name: [group for group in groups if any(s.back for s in group.listed) is two_sided]
            for name, two_sided in (("sheets", True), ("sheets-one-sided", False))
        }
        parts = sided if all(sided.values()) else parts
    for name, part in parts.items():
        yield _plan_whole_box(job, f"{language}/{name}.pdf", language, part, known)


def _plan_whole_box(
    job: Job, path: str, language: str, groups: Sequence[SheetGroup],
    known: Mapping[str, PdfArtefact],
) -> Artefact[SheetsRecipe]:  # fmt: skip
    """Plan the PDF of several groups. Of one group it is the group's own, known by its name."""
    layout = job.options.layout
    sheets = [sheet for group in groups for sheet in group.listed]
    if len(groups) == 1:
        artefact = known[groups[0].name]
    else:
        artefact = _plan_pdf(job, path, _format_title(job, language, ""), language, sheets)
    pages = artefact.recipe.pages
    count = arrangement.count_papers(sheets)
    waste = arrangement.compute_waste_percent(sheets, layout)
    # No-break spaces keep a number and its unit on one line.
    files = ", ".join(
        f"{name}\u00a0{arrangement.count_papers(part.values())}"
        f"\u00a0({arrangement.compute_waste_percent([*part.values()], layout)}\u00a0%)"
        for name, _, part in groups
    )
    papers = f"{format_count(count, 'sheet')} of {layout.paper_name}"
    parts = [f"{papers}, {waste}\u00a0% of the paper left over: {files}"]
    if job.options.estimate:
        parts.append(face_measurement.format_ink_estimate(job, pages))
    if dark_backs := face_measurement.format_dark_backs(job, _list_full_backs(job, pages)):
        parts.append(dark_backs)
    if downsampling := summarise_downsampling(job, pages):
        parts.append(downsampling)
    return artefact.copy_to(path, "; ".join(parts))


def _list_full_backs(job: Job, pages: Iterable[SheetPage]) -> list[Face]:
    """Return a back of each deck on the pages, or nothing where ink is saved already."""
    if job.options.layout.ink.low:
        return []
    keys = {face.key for page in pages for face, _ in page.placements}
    backs = (face for face in job.faces.faces if face.side == "back" and face.key in keys)
    return [*{face.deck.id: face for face in backs}.values()]


class PrintSheets(Output[SheetsRecipe | CutFile]):
    """Print sheets of decks or formats, of the whole box, and their cut files."""

    def select_faces(self, job: Job) -> list[Face]:
        """Return the faces on the selected sheets."""
        shown = super().select_faces(job)
        if not job.options.sheets:
            return shown
        sheets, pages = _list_selected_pages(job)
        placed = {face.key for page in pages for face, _ in page.placements}
        names = {pair.name for sheet in sheets for pair in sheet.pieces}
        return [face for face in shown if face.key in placed and face.piece.id in names]

    def prepare(self, job: Job) -> list[Problem]:
        """Measure the side colours of cards that share a cut, dark backs, and with `estimate` the
        ink."""
        fronts = neighbour_colours.list_faces_to_measure(job)
        face_measurement.measure_batch(job, neighbour_colours.SIDES_MEASURE, fronts, len(fronts))
        pages, all_faces = _list_selected_pages(job)[1], len(job.faces.faces)
        face_measurement.measure_dark_backs(job, _list_full_backs(job, pages))
        if job.options.estimate:
            face_measurement.measure_coverage_batch(job, pages, all_faces)
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[SheetsRecipe | CutFile]], list[Problem]]:
        """Plan a PDF for each deck, or format with `mix`, and of the whole box, by language.

        A selection of decks, cards or sheets never replaces a file of all of them.
        """
        artefacts: list[Artefact[SheetsRecipe | CutFile]] = []
        for language in job.languages:
            groups = _select_sheets(job, language)
            known: dict[str, PdfArtefact] = {}
            for name, title, sheets in groups:
                path, listed = f"{language}/sheets/{name}.pdf", [*sheets.values()]
                whole = _format_title(job, language, title)
                known[name] = _plan_pdf(job, path, whole, language, listed)
                artefacts.append(known[name])
                artefacts += _plan_cut_files(job, name, language, listed)
            if groups and (job.partial_suffix or job.options.sheets):
                box = _plan_whole_box(job, f"{language}/sheets.pdf", language, groups, known)
                artefacts[-1] = replace(artefacts[-1], summary=box.summary)
            elif groups:
                artefacts += _plan_whole_boxes(job, language, groups, known)
        return artefacts, check_sheets(job)

    def make_file(self, recipe: SheetsRecipe | CutFile) -> bytes:
        """Return the PDF or cut file of a recipe."""
        from cardgen.sheets.sheet_pdf import make_sheets_pdf  # noqa: PLC0415 - only where needed

        if isinstance(recipe, CutFile):
            return cut_files.make_cut_file(recipe)
        return make_sheets_pdf(recipe)


def find_sheets_to_reprint(job: Job, cards: Collection[CardKey]) -> Iterator[SheetsToPrint]:
    """Yield the sheets of a job's only language that show one of the cards.

    The faces need not be typeset.
    """
    (language,) = job.languages
    wanted = {
        (face.key, face.piece.id)
        for face in job.faces.faces
        if face.language == language
        and face.side == "front"
        and (face.deck.id, face.piece.id) in cards
    }
    ids = {deck.id for deck in job.decks}
    for name, _, sheets in _impose_all_sheets(job, language):
        shown = {
            number: sheet
            for number, sheet in sheets.items()
            if any((pair.front.key, pair.name) in wanted for pair in sheet.pieces)
        }
        if shown:
            count = arrangement.count_papers(shown.values())
            total = arrangement.count_papers(sheets.values())
            numbers = NumberRanges(find_spans(shown))
            yield SheetsToPrint(language, name, name if name in ids else "", numbers, count, total)
