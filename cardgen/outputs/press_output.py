"""PDF/X-4 files in the inks of a press: single cards, sheets, the rulebook, and a colour report.

Cards are converted when the output prepares. The store keeps the PDF of each deck together with
the facts that the report shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

from cardgen.book.model import Book
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean, has_errors
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.loader import FILE
from cardgen.game.model import Deck
from cardgen.outputs import (
    box_panels,
    press_report,
    rulebook_typesetting,
    sheet_recipes,
    single_cards,
)
from cardgen.outputs.box_nets import select_boxes
from cardgen.outputs.contract import Artefact, FileContent, Job, Output, digest_recipe
from cardgen.outputs.press_report import FaceInkReport
from cardgen.outputs.single_cards import CardPagesRecipe, SingleCard
from cardgen.pdf.cmyk import printing_condition
from cardgen.pdf.cmyk.printing_condition import PressMetadata, PrintingCondition
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.runtime import game_files
from cardgen.runtime.content_store import read_entry
from cardgen.runtime.worker_pool import map_calls
from cardgen.sheets import arrangement, net_sheets
from cardgen.sheets.imposition import NO_NUMBERS
from cardgen.sheets.printer_profiles import NO_CALIBRATION

PRESS_STORE_KIND = "press"
"""Kind of the store's entries for converted decks."""
MIN_BLEED_MM = 3.0
"""Bleed of cards that printers ask for, unless the user names another."""
BOOK_BLEED_MM = 0.0
"""Default bleed of a book's pages. More bleed mirrors their edges."""
_CONVERSION_SECONDS = 300.0
_NO_PROFILE_MESSAGE = (
    "a press needs its ICC profile, and none is named. Ask your printer for the .icc file (such as "
    "PSO Coated v3 or FOGRA39), put it into the game and write print: {profile: coated.icc} in "
    "game.yaml, or build with --profile FILE. docs/press.md shows how to make a free one for "
    "coated paper"
)


def load_condition(job: Job) -> tuple[PrintingCondition | None, list[Problem]]:
    """Return the printing condition, or None and a problem if its profile cannot be used."""
    options, defaults = job.options.press, job.game.defaults.press
    name = options.profile or defaults.profile
    if not name:
        return None, [Problem(Source(FILE), _NO_PROFILE_MESSAGE, "press")]
    source = Source(f"--profile {name}") if options.profile else defaults.profile_at or Source(FILE)
    most = printing_condition.MAX_PROFILE_BYTES
    try:
        if options.profile:
            data = _read_named_profile(name, most)
        else:
            data = game_files.read_bytes(job.game.root, name, most)
        profile = printing_condition.check_profile(data, Path(name).name)
    except game_files.MissingFileError:
        hint = did_you_mean(name, printing_condition.list_profile_names())
        message = f"there is no profile {name}{hint or ', neither a file nor an installed one'}"
        return None, [Problem(source, message, "press")]
    except (game_files.UnreadableError, printing_condition.UnusableProfileError) as error:
        return None, [Problem(source, f"{name} {error}", "press")]
    ink = options.ink or defaults.ink
    return PrintingCondition(profile, ink, defaults.intent, defaults.rich_black, defaults.spots), []


def _read_named_profile(name: str, most: int) -> bytes:
    """Read a profile: a file, or an installed one by its name. Raises `UnreadableError`."""
    try:
        return game_files.read_file(Path(name), most)
    except game_files.MissingFileError:
        found = printing_condition.find_profile(name)
        if found is None:
            raise
        return game_files.read_file(found, most)


@dataclass(frozen=True)
class PressRecipe:
    """A PDF in inks: of a deck's faces, one on each page, of its sheets, or of a rulebook that is
    typeset already."""

    source: CardPagesRecipe | arrangement.SheetsRecipe | Path
    paper: PressMetadata
    condition: PrintingCondition


@dataclass(frozen=True)
class PressExtractRecipe:
    """Some pages, counted from 0, of a press file in the store."""

    path: Path
    paper: PressMetadata
    pages: tuple[int, ...]


PressFileRecipe = PressRecipe | PressExtractRecipe | FileContent


@dataclass(frozen=True)
class _PressDeck:
    """A deck in one language, its recipe and the recipe's digest."""

    deck: Deck
    recipe: PressRecipe
    key: str
    cards: tuple[SingleCard, ...]

    @property
    def pages(self) -> list[tuple[str, int]]:
        """Name and copies of the pages of the deck: one for each side of each card."""
        return [(face.file_stem, card.copies) for card in self.cards for face in card.sides]


class PressFiles(Output[PressFileRecipe]):
    """Cards, sheets and rulebook as PDF/X-4 in CMYK, and a report on their colours."""

    def prepare(self, job: Job) -> list[Problem]:
        """Convert the cards to inks and typeset the books."""
        condition, problems = load_condition(job)
        for deck in job.decks:
            bleed = _get_press_bleed(job, deck.bleed)
            problems += single_cards.check_bleed(deck, bleed, f"a press needs {bleed:g}", "bleed")
        if condition is None:
            return problems
        problems += rulebook_typesetting.typeset_missing_books(job, _select_press_books(job))
        if job.game.boxes:
            problems += box_panels.prepare_faces(job, select_boxes(job))
        if not has_errors(problems):
            problems += _convert_missing_decks(job, condition)
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[PressFileRecipe]], list[Problem]]:
        """Plan `press/cards/<deck>.pdf`, `press/sheets/<deck>.pdf`, `press/rulebook.pdf` and
        `press/report.html` for every language."""
        condition, problems = load_condition(job)
        if condition is None:
            return [], problems
        artefacts: list[Artefact[PressFileRecipe]] = []
        for language in job.languages:
            decks = _plan_press_decks(job, condition, language)
            for deck in decks:
                artefacts += _plan_card_files(job, deck, language)
            artefacts += _plan_press_sheets(job, condition, language)
            artefacts += _plan_press_books(job, condition, language)
            artefacts += _plan_press_boxes(job, condition, language)
            artefacts.append(_plan_press_report(job, condition, language, decks))
        return artefacts, []

    def make_file(self, recipe: PressFileRecipe) -> bytes:
        """Return the file of a recipe."""
        from cardgen.pdf.cmyk.ink_painter import UnprintableError  # noqa: PLC0415
        from cardgen.pdf.cmyk.pdfx import convert_to_pdfx, extract_pages  # noqa: PLC0415 - only here

        if isinstance(recipe, FileContent):
            return recipe.read_bytes()
        if isinstance(recipe, PressExtractRecipe):
            return extract_pages(read_entry(recipe.path), recipe.pages, recipe.paper)
        try:
            return convert_to_pdfx(_compose_plain_pdf(recipe), recipe.condition, recipe.paper)[0]
        except UnprintableError as error:
            raise LimitExceededError(str(error)) from None


def _plan_press_decks(job: Job, condition: PrintingCondition, language: str) -> list[_PressDeck]:
    found = (_plan_press_deck(job, condition, deck, language) for deck in job.decks)
    return [each for each in found if each.pages]


def _get_press_bleed(job: Job, own: float) -> float:
    """Return the bleed to print, in mm: the user's, else at least what printers ask for."""
    bleed = job.options.single.bleed
    return max(own, MIN_BLEED_MM) if bleed is None else bleed


def _plan_press_deck(
    job: Job, condition: PrintingCondition, deck: Deck, language: str
) -> _PressDeck:
    cards = tuple(single_cards.list_single_cards(job, [deck], language))
    faces = [face for card in cards for face in card.sides]
    bleed = _get_press_bleed(job, deck.bleed)
    pages = single_cards.build_card_pages(job, deck, language, faces, bleed)
    names = tuple(face.file_stem for face in faces)
    paper = PressMetadata(pages.title, job.game.date, pages.bleed, names)
    recipe = PressRecipe(pages, paper, condition)
    return _PressDeck(deck, recipe, digest_recipe(recipe), cards)


def _plan_card_files(
    job: Job, deck: _PressDeck, language: str
) -> Iterator[Artefact[PressFileRecipe]]:
    """Plan the file of a deck, or one for each card or side with some of the deck's pages."""
    folder, stored = f"{language}/press/cards", _get_store_path(job, deck, "pdf")
    paper, per = deck.recipe.paper, job.options.single.file_per
    if per == "deck":
        path = f"{folder}/{deck.deck.id}{job.selection_suffix}.pdf"
        yield Artefact(path, FileContent(path=stored), language)
        return
    numbers = count()
    for card in deck.cards:
        for name, faces in card.name_files(per).items():
            names = tuple(face.file_stem for face in faces)
            title = f"{paper.title} – {names[0]} × {card.copies}"
            own = replace(paper, title=title, page_names=names)
            recipe = PressExtractRecipe(stored, own, tuple(islice(numbers, len(faces))))
            yield Artefact(f"{folder}/{name}.pdf", recipe, language)


def _get_store_path(job: Job, deck: _PressDeck, extension: str) -> Path:
    return job.store.get_path(PRESS_STORE_KIND, f"{deck.key}.{extension}")


def _convert_missing_decks(job: Job, condition: PrintingCondition) -> list[Problem]:
    """Convert the decks that the store lacks. Return a problem for each that cannot be printed."""
    decks = [d for language in job.languages for d in _plan_press_decks(job, condition, language)]
    stale = [deck for deck in decks if _load_deck_report(job, deck) is None]
    problems = []
    results = map_calls(convert_cards, [deck.recipe for deck in stale], alone=len(stale) < 2)
    for done, (deck, result) in enumerate(zip(stale, results, strict=True), start=1):
        job.progress("cards to inks", done, len(stale))
        if isinstance(result, str):
            message = f"{deck.deck.id} cannot be printed in inks: {result}"
            problems.append(Problem(deck.deck.source, message, "press"))
            continue
        data, report = result
        job.store.write(_get_store_path(job, deck, "pdf"), data)
        job.store.write_json(_get_store_path(job, deck, "json"), report)
    in_use = {f"{deck.key}.{extension}" for deck in decks for extension in ("pdf", "json")}
    job.store.remove_unused(PRESS_STORE_KIND, in_use, 3 * len(in_use) + 16)
    return problems


def convert_cards(recipe: PressRecipe) -> tuple[bytes, object] | str:
    """Return a deck's PDF in inks and its report as JSON, or the reason why there is none."""
    from cardgen.pdf.cmyk.ink_painter import UnprintableError  # noqa: PLC0415
    from cardgen.pdf.cmyk.pdfx import convert_to_pdfx  # noqa: PLC0415 - in the helper process

    assert isinstance(recipe.source, CardPagesRecipe)
    task = f"{recipe.paper.title} [{recipe.source.language}] in inks"
    try:
        with work_limits.work_limit(task, _CONVERSION_SECONDS, (UnprintableError,)):
            plain = _compose_plain_pdf(recipe)
            data, pages = convert_to_pdfx(plain, recipe.condition, recipe.paper)
            return data, press_report.pack_face_reports(pages, recipe.condition)
    except (UnprintableError, LimitExceededError) as error:
        return str(error)


def _load_deck_report(job: Job, deck: _PressDeck) -> list[FaceInkReport] | None:
    """Return the reports on a deck's cards, or None if the store does not hold the deck."""
    if not job.store.has_entry(_get_store_path(job, deck, "pdf")):
        return None
    report = job.store.read_json(_get_store_path(job, deck, "json"))
    return press_report.unpack_deck_report(report, deck.deck.id, deck.pages)


def _plan_press_sheets(
    job: Job, condition: PrintingCondition, language: str
) -> Iterator[Artefact[PressFileRecipe]]:
    layout = replace(job.options.layout, skip=NO_NUMBERS)
    for deck in job.decks:
        card_format = sheet_recipes.get_card_format(deck)
        if not deck.count or arrangement.explain_misfit(card_format, layout):
            continue
        pieces = sheet_recipes.list_pieces(job, deck, language)
        sheets = sheet_recipes.arrange_pieces(job, pieces, language, layout)
        title = single_cards.format_deck_title(job, deck, language)
        recipe = sheet_recipes.build_sheets_recipe(job, title, language, sheets)
        recipe = replace(recipe, ink=FULL_INK, calibration=NO_CALIBRATION)
        paper = PressMetadata(title, job.game.date)
        path = f"{language}/press/sheets/{deck.id}{job.selection_suffix}.pdf"
        yield Artefact(path, PressRecipe(recipe, paper, condition), language)


def _plan_press_boxes(
    job: Job, condition: PrintingCondition, language: str
) -> Iterator[Artefact[PressFileRecipe]]:
    """Plan a file for each net of the boxes in game.yaml; cuts and folds are a spot ink."""
    if not job.game.boxes:
        return
    boxes = select_boxes(job)
    faces = box_panels.render_box_faces(job, boxes)
    inks = dict((net_sheets.DIELINE,)) | dict(condition.spots)
    condition = replace(condition, spots=tuple(inks.items()))
    for name, nets in boxes.nets.items():
        for net in nets:
            piece = faces.make_piece(net, language)
            size, page = net_sheets.make_press_sheet(piece, inks[net_sheets.DIELINE[0]])
            title = f"{job.game.title.get_plain_text(language)} – {net.title[language]}"
            page = replace(page, slug=title, slug_position=(size.width / 2, 3.5, 0))
            recipe = arrangement.SheetsRecipe(
                title, language, size, (page,), job.font_files,
                job.prepare_lettering(arrangement.list_caption_lines([page]), language),
                NO_CALIBRATION,
            )  # fmt: skip
            stem = name if len(nets) == 1 else f"{name}-{net.net.name}"
            paper = PressMetadata(title, job.game.date)
            path = f"{language}/press/boxes/{stem}.pdf"
            yield Artefact(path, PressRecipe(recipe, paper, condition), language)


def _select_press_books(job: Job) -> list[Book]:
    """Return the player's books unless other editions are named. A part of the game has none."""
    editions = job.options.editions or ("player",)
    books = [] if job.partial_suffix else rulebook_typesetting.select_books(job)
    return [book for book in books if book.edition in editions]


def _plan_press_books(
    job: Job, condition: PrintingCondition, language: str
) -> Iterator[Artefact[PressFileRecipe]]:
    style, _ = rulebook_typesetting.load_book_style(job)
    for planned in rulebook_typesetting.plan_books(job, _select_press_books(job), style):
        book = planned.book
        if book.language == language:
            paper = PressMetadata(book.title, job.game.date, _get_press_bleed(job, BOOK_BLEED_MM))
            edition = "" if book.edition == "player" else f"-{book.edition}"
            size = "" if book.format.name == "a4" else f"-{book.format.name}"
            recipe = PressRecipe(
                rulebook_typesetting.get_book_path(job, planned.key), paper, condition
            )
            yield Artefact(f"{language}/press/rulebook{edition}{size}.pdf", recipe, language)


def _plan_press_report(
    job: Job, condition: PrintingCondition, language: str, decks: Sequence[_PressDeck]
) -> Artefact[PressFileRecipe]:
    reports = [face for deck in decks for face in _load_deck_report(job, deck) or ()]
    title = job.game.title.get_plain_text(language)
    text = press_report.render_report(title, language, condition, reports)
    path = f"{language}/press/report{job.partial_suffix}.html"
    summary = press_report.summarise_report(language, condition, reports)
    return Artefact(path, FileContent(text.encode()), language, summary)


def _compose_plain_pdf(recipe: PressRecipe) -> bytes:
    """Return the PDF in RGB: cards and sheets as for home printers, a book's pages with bleed."""
    from cardgen.pdf.page_edits import add_mirrored_bleed  # noqa: PLC0415 - loaded where files are made
    from cardgen.sheets import sheet_pdf  # noqa: PLC0415

    if isinstance(recipe.source, CardPagesRecipe):
        return single_cards.compose_card_pages(recipe.source)
    if isinstance(recipe.source, arrangement.SheetsRecipe):
        return sheet_pdf.make_sheets_pdf(recipe.source)
    pages = read_entry(recipe.source)
    return add_mirrored_bleed(pages, recipe.paper.bleed) if recipe.paper.bleed else pages
