"""Print sheets: every deck on paper, and the whole box in one PDF; on wish, cut files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from cardgen.changes.card_changes import CardKey
from cardgen.changes.diff_model import SheetsToPrint
from cardgen.core.problems import Problem, Source
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.game.shapes import Outline
from cardgen.outputs import face_measurement, neighbour_colours
from cardgen.outputs.contract import (
    Artefact,
    Job,
    Output,
    filename_suffix,
    partial_decks_suffix,
)
from cardgen.outputs.sheet_recipes import (
    build_colophon,
    build_pairs,
    build_sheets_recipe,
    check_sheet_texts,
    check_skipped_places,
    get_card_format,
    summarise_downsampling,
)
from cardgen.sheets import arrangement, cut_files, silhouette
from cardgen.sheets.arrangement import ImposedSheet, SheetLayout, SheetPiece, SheetsRecipe
from cardgen.sheets.cut_files import CutFile
from cardgen.sheets.imposition import PieceFormat
from cardgen.sheets.number_ranges import NO_NUMBERS, NumberRanges, find_spans

# A printer that meets both sides nearer than this is a rare one.
_MIN_DUPLEX_BLEED_MM = 2.0
_MAX_LISTED_FILES = 6
DeckGroup = tuple[str, str, tuple[Deck, ...]]
"""Decks whose sheets are one file: its name, its title's end, and they."""
SheetGroups = list[tuple[str, str, list[ImposedSheet]]]
"""The same with the sheets in place of the decks."""


def _check_decks(job: Job) -> Iterator[Problem]:
    shown = {face.deck for book in job.books.books for face in book.faces}
    for deck in job.decks:
        if not deck.count and deck.id not in shown:
            which = f"every card of {deck.id}{' that is asked for' if job.selection_suffix else ''}"
            message = f"{which} has 0 copies; no sheet is made of it"
            yield Problem(deck.source, message, "empty", "warning")
        met = deck.back and not deck.separate_backs
        if (
            met
            and deck.bleed < _MIN_DUPLEX_BLEED_MM
            and job.options.layout.backs.startswith("duplex")
        ):
            message = (
                f"{deck.id} has {deck.bleed:g} mm of bleed; backs need {_MIN_DUPLEX_BLEED_MM:g} to forgive "
                "a printer that is off, or white edges show"
            )
            source = deck.sources.get("bleed", deck.source)
            yield Problem(source, message, "bleed", "warning")
        why = arrangement.explain_misfit(get_card_format(deck), job.options.layout)
        if why:
            yield Problem(deck.source, f"{deck.id} {why}", "paper")
        else:
            yield from neighbour_colours.check_neighbours(
                job, deck, partial(_impose_in_order, job, deck)
            )


def _impose_in_order(job: Job, deck: Deck, order: Sequence[str]) -> list[ImposedSheet]:
    """The sheets of a deck whose pieces are put in an order."""
    language = job.languages[0]
    found, copies = build_pairs(job, deck, language), {p.id: p.copies for p in deck.pieces}
    pairs = [found[piece] for piece in order for _ in range(copies[piece])]
    return arrangement.arrange_pieces(pairs, job.options.layout, build_colophon(job.game, language))


def _list_fitting_decks(job: Job) -> list[Deck]:
    layout = job.options.layout
    return [
        deck for deck in job.decks if not arrangement.explain_misfit(get_card_format(deck), layout)
    ]


def _select_sheets(job: Job, decks: Sequence[Deck], language: str) -> SheetGroups:
    """The sheets of every file that has any of those asked for."""
    numbers = job.options.sheets
    rest = filename_suffix([f"sheets-{numbers}".replace(",", "+")]) if numbers else ""
    box = [
        (f"{name}{rest}", title, [s for n, s in enumerate(found, 1) if not numbers or n in numbers])
        for name, title, found in _impose_all_sheets(job, decks, language)
    ]
    return [each for each in box if each[2]]


def _impose_all_sheets(job: Job, decks: Sequence[Deck], language: str) -> SheetGroups:
    """The sheets of every file, each at the place that its number tells."""
    box: SheetGroups = []
    layout = job.options.layout
    for name, title, group in _group_decks(job, decks, language):
        found = _impose_decks(job, group, language, layout)
        box.append((name, title, found))
        # One paper is started, the first of all.
        layout = replace(layout, skip=NO_NUMBERS) if found else layout
    return box


def list_numbered_sheets(job: Job, language: str) -> SheetGroups:
    """The sheets of every file of a language, whichever are asked for: the first is number 1."""
    return _impose_all_sheets(job, _list_fitting_decks(job), language)


def plan_sheet_recipes(
    job: Job, language: str
) -> Iterator[tuple[str, SheetsRecipe, dict[int, ImposedSheet]]]:
    """What a language's PDFs are made from, but for the whole box: the title of each, its recipe,
    and its sheets by their numbers."""
    numbers = job.options.sheets
    for _, title, found in _impose_all_sheets(job, _list_fitting_decks(job), language):
        wanted = {n: sheet for n, sheet in enumerate(found, 1) if not numbers or n in numbers}
        if wanted:
            whole = _format_title(job, language, title)
            yield title, build_sheets_recipe(job, whole, language, [*wanted.values()]), wanted


def check_sheets(job: Job) -> list[Problem]:
    """What speaks against the sheets that are asked for, or is to be known of them."""
    found = [
        *_check_sheet_numbers(job, _list_fitting_decks(job)),
        *_check_decks(job),
        *check_sheet_texts(job),
    ]
    skip = job.options.layout.skip
    sheets = (
        [s for _, _, group in list_numbered_sheets(job, job.languages[0]) for s in group]
        if skip
        else []
    )
    return [*check_skipped_places(skip, sheets), *found]


def _check_sheet_numbers(job: Job, decks: Sequence[Deck]) -> Iterator[Problem]:
    """A problem when sheets are asked for that no file has."""
    numbers = job.options.sheets
    if not numbers:
        return
    counts = [
        (name, len(found)) for name, _, found in _impose_all_sheets(job, decks, job.languages[0])
    ]
    most = max((count for _, count in counts), default=0)
    if beyond := numbers.list_beyond(most):
        gone = f"is no sheet {beyond}" if str(beyond).isdigit() else f"are no sheets {beyond}"
        shown = sorted(counts, key=lambda each: -each[1])[:_MAX_LISTED_FILES]
        message = f"there {gone}; {', '.join(f'{name} has {count}' for name, count in shown)}"
        yield Problem(Source(f"--sheets {numbers}"), message, "asked")


def _group_decks(job: Job, decks: Iterable[Deck], language: str) -> Iterator[DeckGroup]:
    """Each deck by itself, or all decks of a format together, named by their measures."""
    if not job.options.mix:
        for deck in decks:
            yield f"{deck.id}{job.selection_suffix}", deck.title.get_plain_text(language), (deck,)
        return
    chosen = {deck.id: deck for deck in decks}
    formats: dict[PieceFormat, list[Deck]] = {}
    for deck in job.game.decks:
        formats.setdefault(get_card_format(deck).upright, []).append(deck)
    names: set[str] = set()
    for known, whole in formats.items():
        base = f"{known.size.width:g}x{known.size.height:g}"
        name = next(n for n in (base, *(f"{base}-{i}" for i in range(2, 999))) if n not in names)
        names.add(name)
        group = [chosen[deck.id] for deck in whole if deck.id in chosen]
        if group:
            part = partial_decks_suffix(group, whole) + job.selection_suffix
            yield f"{name}{part}", str(known.size), tuple(group)


def _impose_decks(
    job: Job, decks: Iterable[Deck], language: str, layout: SheetLayout
) -> list[ImposedSheet]:
    pairs: list[SheetPiece] = []
    for deck in decks:
        found = build_pairs(job, deck, language)
        for piece in deck.pieces:
            pairs += [found[piece.id]] * piece.copies if piece.id in found else []
    return arrangement.arrange_pieces(pairs, layout, build_colophon(job.game, language))


def _plan_sheets_file(
    job: Job, path: str, title: str, language: str, sheets: Sequence[ImposedSheet]
) -> Artefact[SheetsRecipe]:  # fmt: skip
    recipe = build_sheets_recipe(job, title, language, sheets)
    return Artefact(path, recipe, language)


def _format_title(job: Job, language: str, part: str) -> str:
    """What a PDF is called: the game, and what of it lies there, empty for all."""
    game = job.game.title.get_plain_text(language)
    return f"{game} – {part}" if part else game


def _plan_cut_files(
    job: Job, name: str, language: str, sheets: Sequence[ImposedSheet]
) -> Iterator[Artefact[CutFile]]:
    """The cuts of the fullest sheet: those of a deck's other sheets are the same, or fewer. A first
    sheet with places to skip has files of its own."""
    fullest = max(sheets, key=lambda sheet: len(sheet.outlines))
    wanted = {name: fullest.outlines}
    if sheets[0].skipped_places:
        wanted = {f"{name}-sheet-1": sheets[0].outlines}
        rest = sheets[1:]
        wanted |= {name: max((s.outlines for s in rest), key=len)} if rest else {}
    for own, outlines in wanted.items():
        for kind in job.options.cut_files if outlines else ():
            file = _build_cut_file(job.options.layout, kind, outlines)
            yield Artefact(f"{language}/sheets/{own}.{kind}", file, language)


def _build_cut_file(layout: SheetLayout, kind: str, outlines: tuple[Outline, ...]) -> CutFile:
    if layout.style.marks in silhouette.MARK_KINDS and not layout.stock:
        return CutFile(
            kind, layout.paper.rotate(), cut_files.turn_to_landscape(layout.paper, outlines)
        )
    return CutFile(kind, layout.paper, outlines)


def _format_paper_use(job: Job, sheets: Sequence[ImposedSheet]) -> str:
    # Spaces that no line is broken at.
    return f"{arrangement.count_papers(sheets)}\u00a0({arrangement.compute_waste_percent(sheets, job.options.layout)}\u00a0%)"


def _plan_whole_boxes(
    job: Job, language: str, box: SheetGroups
) -> Iterator[Artefact[SheetsRecipe]]:
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
        yield _plan_whole_box(job, f"{language}/{name}.pdf", language, part)


def _plan_whole_box(job: Job, path: str, language: str, box: SheetGroups) -> Artefact[SheetsRecipe]:
    sheets = [sheet for _, _, group in box for sheet in group]
    # A box of one deck is that deck's PDF: of the same key, it is put together once.
    title = _format_title(job, language, box[0][1] if len(box) == 1 else "")
    whole = _plan_sheets_file(job, path, title, language, sheets)
    count = arrangement.count_papers(sheets)
    noun = "sheet" if count == 1 else "sheets"
    share = arrangement.compute_waste_percent(sheets, job.options.layout)
    text = (
        f"{count} {noun} of {job.options.layout.paper_name}, {share}\u00a0% of the paper left over"
    )
    decks = [f"{name}\u00a0{_format_paper_use(job, group)}" for name, _, group in box]
    text = f"{text}: {', '.join(decks)}"
    if job.options.estimate:
        text = f"{text}; {face_measurement.format_ink_estimate(job, whole.recipe.pages)}"
    if smaller := summarise_downsampling(job, whole.recipe.pages):
        text = f"{text}; {smaller}"
    return replace(whole, summary=text)


class PrintSheets(Output[SheetsRecipe | CutFile]):
    """Sheets of decks, of the whole box, and their cut files."""

    def select_faces(self, job: Job) -> list[Face]:
        """The faces on the sheets asked for."""
        shown = super().select_faces(job)
        if not job.options.sheets:
            return shown
        boxes = [
            _select_sheets(job, _list_fitting_decks(job), language) for language in job.languages
        ]
        sheets = [sheet for box in boxes for _, _, group in box for sheet in group]
        pages = arrangement.list_sheet_pages(sheets, job.options.layout)
        placed = {face.key for page in pages for face, _ in page.placements}
        names = {pair.name for sheet in sheets for pair in sheet.pieces}
        return [face for face in shown if face.key in placed and face.piece.id in names]

    def prepare(self, job: Job) -> list[Problem]:
        """Measure the sides of cards that are cut apart by one cut, and what ink the faces take,
        where that is to be told."""
        fronts = neighbour_colours.list_faces_to_measure(job)
        face_measurement.measure_batch(job, neighbour_colours.SIDES_MEASURE, fronts, len(fronts))
        if job.options.estimate:
            boxes = [
                _select_sheets(job, _list_fitting_decks(job), language)
                for language in job.languages
            ]
            sheets = [sheet for box in boxes for _, _, group in box for sheet in group]
            face_measurement.measure_coverage(
                job, arrangement.list_sheet_pages(sheets, job.options.layout)
            )
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[SheetsRecipe | CutFile]], list[Problem]]:
        """One PDF a deck, or a format with `mix`, and one of everything, or two where not all of it
        has backs, for every language.

        A part of the decks, cards or sheets does not take the place of the whole box, of all decks
        of a format or of all sheets of a deck.
        """
        artefacts: list[Artefact[SheetsRecipe | CutFile]] = []
        decks = _list_fitting_decks(job)
        for language in job.languages:
            box = _select_sheets(job, decks, language)
            for name, title, sheets in box:
                path = f"{language}/sheets/{name}.pdf"
                whole = _format_title(job, language, title)
                artefacts.append(_plan_sheets_file(job, path, whole, language, sheets))
                artefacts += _plan_cut_files(job, name, language, sheets)
            if box:
                if job.partial_suffix or job.options.sheets:
                    told = _plan_whole_box(job, f"{language}/sheets.pdf", language, box).summary
                    artefacts[-1] = replace(artefacts[-1], summary=told)
                else:
                    artefacts += _plan_whole_boxes(job, language, box)
        return artefacts, check_sheets(job)

    def make(self, recipes: Sequence[SheetsRecipe | CutFile]) -> list[bytes]:
        """The PDFs and cut files of the recipes."""
        from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded only where sheets are made

        return [
            cut_files.make_cut_file(each)
            if isinstance(each, CutFile)
            else sheet_pdf.make_sheets_pdf(each)
            for each in recipes
        ]


def find_sheets_to_reprint(job: Job, cards: Collection[CardKey]) -> Iterator[SheetsToPrint]:
    """The sheets of a job's language that show one of the cards. No face need be set."""
    (language,) = job.languages
    wanted = {
        (face.key, face.piece.id)
        for face in job.faces.faces
        if face.language == language
        and face.side == "front"
        and (face.deck.id, face.piece.id) in cards
    }
    ids = {deck.id for deck in job.decks}
    for name, _, found in list_numbered_sheets(job, language):
        shown = {
            number: sheet
            for number, sheet in enumerate(found, 1)
            if any((pair.front.key, pair.name) in wanted for pair in sheet.pieces)
        }
        if shown:
            count, total = arrangement.count_papers(shown.values()), arrangement.count_papers(found)
            numbers = NumberRanges(find_spans(shown))
            yield SheetsToPrint(language, name, name if name in ids else "", numbers, count, total)
