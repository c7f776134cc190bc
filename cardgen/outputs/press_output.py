"""Files for a press: PDF/X-4 in its inks, of single cards, of sheets, and of the rulebook.

Faces and books are those that are set already. Cards are turned into inks when the output prepares,
and kept in the store with what was seen of them, which the report tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path

from cardgen.assets.font_files import FontFile
from cardgen.book.model import Book
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean, has_errors
from cardgen.core.units import Box, Size
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces.model import get_face_pdf
from cardgen.game.loader import FILE
from cardgen.game.model import Deck
from cardgen.outputs import press_report
from cardgen.outputs.contract import Artefact, FileContent, Job, Output, digest_recipe
from cardgen.outputs.press_report import DeckInkReport, ReportPage
from cardgen.outputs.rulebook_typesetting import (
    get_book_path,
    load_book_style,
    plan_books,
    select_books,
    typeset_missing_books,
)
from cardgen.outputs.sheet_recipes import (
    build_colophon,
    build_pairs,
    build_sheets_recipe,
    get_card_format,
)
from cardgen.outputs.single_cards import (
    SingleCard,
    check_bleed,
    format_deck_title,
    list_single_cards,
)
from cardgen.pdf.cmyk import printing_condition
from cardgen.pdf.cmyk.printing_condition import (
    MAX_PROFILE_BYTES,
    IccProfile,
    PressMetadata,
    PrintingCondition,
    UnusableProfileError,
)
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.runtime import game_files
from cardgen.runtime.content_store import read_entry
from cardgen.runtime.worker_pool import map_calls
from cardgen.sheets import arrangement
from cardgen.sheets.number_ranges import NO_NUMBERS as NOTHING
from cardgen.sheets.printer_profiles import NO_CALIBRATION

_NO_PROFILE_MESSAGE = (
    "files for a press are made for its profile, and none is named. Ask your printer for theirs "
    "(an .icc file, such as PSO Coated v3 or FOGRA39), put it into the game and write "
    "print: {profile: coated.icc} in game.yaml, or build with --profile FILE. One that is free "
    "for coated paper is made in a minute: see docs/press.md"
)


def load_condition(job: Job) -> tuple[PrintingCondition | None, list[Problem]]:
    """What the files are made for; None where its profile is missing or is none."""
    asked, said = job.options.press, job.game.defaults.press
    source = Source(f"--profile {asked.profile}") if asked.profile else said.profile_at
    try:
        if asked.profile:
            data = _read_named_profile(asked.profile)
        elif said.profile:
            data = game_files.read_bytes(job.game.root, said.profile, MAX_PROFILE_BYTES)
        else:
            return None, [Problem(Source(FILE), _NO_PROFILE_MESSAGE, "press")]
        profile = _check_profile(data, Path(asked.profile or said.profile).name)
    except (game_files.UnreadableError, UnusableProfileError) as error:
        named = asked.profile or said.profile
        missing = isinstance(error, game_files.MissingFileError)
        why = (
            f"there is no profile {named}{_suggest_profile(named)}"
            if missing
            else f"{named} {error}"
        )
        return None, [Problem(source or Source(FILE), why, "press")]
    return PrintingCondition(
        profile, asked.ink or said.ink, said.intent, said.rich_black, said.spots
    ), []


@lru_cache(maxsize=4)
def _check_profile(data: bytes, called: str) -> IccProfile:
    return printing_condition.check_profile(data, called)


def _read_named_profile(named: str) -> bytes:
    """A profile by its file, or by its name among those of the system. Raises `Unreadable`."""
    try:
        return game_files.read_file(Path(named), MAX_PROFILE_BYTES)
    except game_files.MissingFileError:
        found = printing_condition.find_profile(named)
        if found is None:
            raise
        return game_files.read_file(found, MAX_PROFILE_BYTES)


def _suggest_profile(named: str) -> str:
    hint = did_you_mean(named, printing_condition.list_profile_names())
    return hint or ", neither a file nor among the system's profiles"


PRESS_STORE_KIND = "press"
"""Where the store keeps what was turned into inks."""
MIN_BLEED_MM = 3.0
"""Beyond the cut on every side of a card or page, mm, unless another is asked for: what printers
want."""
BOOK_BLEED_MM = 0.0
"""Of a book's pages: they are set to their cut, and what lies beyond it mirrors them."""
_CONVERSION_SECONDS = 300.0


@dataclass(frozen=True)
class PressCardsRecipe:
    """A deck's faces for a press, a page each."""

    paper: PressMetadata
    language: str
    trim: Size
    faces: tuple[FacePdf, ...]
    font_files: tuple[FontFile, ...]
    condition: PrintingCondition


@dataclass(frozen=True)
class PressSheetsRecipe:
    """A deck's sheets for a press."""

    sheets: arrangement.SheetsRecipe
    paper: PressMetadata
    condition: PrintingCondition


@dataclass(frozen=True)
class PressBookRecipe:
    """A set book for a press."""

    path: Path
    paper: PressMetadata
    condition: PrintingCondition


@dataclass(frozen=True)
class PressExtractRecipe:
    """Some pages, counted from 0, of a press file in the store."""

    path: Path
    paper: PressMetadata
    pages: tuple[int, ...]


PressRecipe = PressSheetsRecipe | PressBookRecipe | PressExtractRecipe | FileContent


@dataclass(frozen=True)
class _PressDeck:
    """A deck in one language: its order, the key that it is kept under, and what stands on its
    pages."""

    deck: Deck
    recipe: PressCardsRecipe
    key: str
    cards: tuple[SingleCard, ...]

    @property
    def pages(self) -> tuple[ReportPage, ...]:
        """A page for each side of each card."""
        return tuple(
            ReportPage(face.file_stem, card.copies) for card in self.cards for face in card.sides
        )


class PressFiles(Output[PressRecipe]):
    """Cards, sheets and the player's rulebook as PDF/X-4 in CMYK, and a report on their colours."""

    def prepare(self, job: Job) -> list[Problem]:
        """Turn the cards into inks, and set the books; what stands in the way."""
        condition, problems = load_condition(job)
        for deck in job.decks:
            wanted = _get_press_bleed(job, deck.bleed)
            problems += check_bleed(deck, wanted, f"a press wants {wanted:g}", "bleed")
        if condition is None:
            return problems
        problems += typeset_missing_books(job, _select_press_books(job))
        if not has_errors(problems):
            problems += _convert_missing_decks(job, condition)
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[PressRecipe]], list[Problem]]:
        """`press/cards/<deck>.pdf`, `press/sheets/<deck>.pdf`, the books and a report, for every
        language."""
        condition, problems = load_condition(job)
        if condition is None:
            return [], problems
        artefacts: list[Artefact[PressRecipe]] = []
        for language in job.languages:
            decks = _plan_press_decks(job, condition, language)
            artefacts += [made for each in decks for made in _plan_card_files(job, each, language)]
            artefacts += [
                _plan_press_sheets(job, condition, deck, language)
                for deck in _list_imposable_decks(job)
            ]
            artefacts += _plan_press_books(job, condition, language)
            artefacts.append(_plan_press_report(job, condition, language, decks))
        return artefacts, []

    def make(self, recipes: Sequence[PressRecipe]) -> list[bytes]:
        """The files of the recipes."""
        return [_make_press_file(recipe) for recipe in recipes]


def _plan_press_decks(job: Job, condition: PrintingCondition, language: str) -> list[_PressDeck]:
    found = (_plan_press_deck(job, condition, deck, language) for deck in job.decks)
    return [each for each in found if each.pages]


def _get_press_bleed(job: Job, own: float) -> float:
    asked = job.options.single.bleed
    return max(own, MIN_BLEED_MM) if asked is None else asked


def _plan_press_deck(
    job: Job, condition: PrintingCondition, deck: Deck, language: str
) -> _PressDeck:
    found = tuple(list_single_cards(job, [deck], language))
    faces = [face for card in found for face in card.sides]
    title, names = format_deck_title(job, deck, language), tuple(face.file_stem for face in faces)
    paper = PressMetadata(title, job.game.date, _get_press_bleed(job, deck.bleed), names)
    placed = tuple(get_face_pdf(face, job.store) for face in faces)
    order = PressCardsRecipe(paper, language, deck.size, placed, job.font_files, condition)
    return _PressDeck(deck, order, digest_recipe(order), found)


def _plan_card_files(job: Job, each: _PressDeck, language: str) -> Iterator[Artefact[PressRecipe]]:
    """The files of a deck's cards: one, or one for each card or side, out of the same pages."""
    folder, stored = (
        f"{language}/press/cards",
        job.store.get_path(PRESS_STORE_KIND, f"{each.key}.pdf"),
    )
    paper, per = each.recipe.paper, job.options.single.file_per
    if per == "deck":
        path = f"{folder}/{each.deck.id}{job.selection_suffix}.pdf"
        yield Artefact(path, FileContent(path=stored), language)
        return
    numbers = count()
    for card in each.cards:
        for name, faces in card.name_files(per).items():
            pages = tuple(islice(numbers, len(faces)))
            names = tuple(face.file_stem for face in faces)
            own = replace(
                paper, title=f"{paper.title} – {names[0]} × {card.copies}", page_names=names
            )
            recipe = PressExtractRecipe(stored, own, pages)
            yield Artefact(f"{folder}/{name}.pdf", recipe, language)


def _convert_missing_decks(job: Job, condition: PrintingCondition) -> list[Problem]:
    """Put the cards that the store lacks into it, in inks; what cannot be turned into any."""
    found = [
        each for language in job.languages for each in _plan_press_decks(job, condition, language)
    ]
    stale = [each for each in found if _load_deck_report(job, each) is None]
    problems = []
    orders = [each.recipe for each in stale]
    results = map_calls(convert_cards, orders, alone=len(orders) < 2)
    for done, (each, result) in enumerate(zip(stale, results, strict=True), start=1):
        job.progress("cards to inks", done, len(stale))
        if isinstance(result, str):
            message = f"{each.deck.id} cannot be printed in inks: {result}"
            problems.append(Problem(each.deck.source, message, "press"))
            continue
        data, told = result
        job.store.write(job.store.get_path(PRESS_STORE_KIND, f"{each.key}.pdf"), data)
        job.store.write_json(job.store.get_path(PRESS_STORE_KIND, f"{each.key}.json"), told)
    in_use = {f"{each.key}.{end}" for each in found for end in ("pdf", "json")}
    job.store.remove_unused(PRESS_STORE_KIND, in_use, 3 * len(in_use) + 16)
    return problems


def convert_cards(order: PressCardsRecipe) -> tuple[bytes, object] | str:
    """A deck's PDF in inks, and what was seen of it, as JSON; or why that cannot be."""
    from cardgen.pdf.cmyk.ink_painter import UnprintableError  # noqa: PLC0415
    from cardgen.pdf.cmyk.pdfx import convert_to_pdfx  # noqa: PLC0415 - in the helper process

    try:
        with work_limits.work_limit(
            f"{order.paper.title} [{order.language}] in inks",
            _CONVERSION_SECONDS,
            (UnprintableError,),
        ):
            data, seen = convert_to_pdfx(_compose_cards(order), order.condition, order.paper)
            return data, press_report.pack_face_reports(seen, order.condition)
    except (UnprintableError, LimitExceededError) as error:
        return str(error)


def _compose_cards(order: PressCardsRecipe) -> bytes:
    from cardgen.pdf.composition import Composer  # noqa: PLC0415 - loaded only where PDFs are made

    composer, bleed = Composer(order.font_files), order.paper.bleed
    whole = Box(0, 0, order.trim.width + 2 * bleed, order.trim.height + 2 * bleed)
    for face in order.faces:
        content = paint_extended("F", face, whole, (1.0, 1.0))
        form = composer.add_face(face)
        composer.add_page(whole.width, whole.height, content.encode(), {"F": form})
    return composer.save(order.paper.title, order.language)


def _load_deck_report(job: Job, each: _PressDeck) -> DeckInkReport | None:
    """What was seen of a deck's cards; None where the store does not hold them."""
    if not job.store.has_entry(job.store.get_path(PRESS_STORE_KIND, f"{each.key}.pdf")):
        return None
    told = job.store.read_json(job.store.get_path(PRESS_STORE_KIND, f"{each.key}.json"))
    return press_report.unpack_deck_report(told, each.deck.id, each.pages)


def _list_imposable_decks(job: Job) -> list[Deck]:
    layout = job.options.layout
    return [
        d
        for d in job.decks
        if d.count and not arrangement.explain_misfit(get_card_format(d), layout)
    ]


def _plan_press_sheets(
    job: Job, condition: PrintingCondition, deck: Deck, language: str
) -> Artefact[PressRecipe]:
    found = build_pairs(job, deck, language)
    pairs = [found[p.id] for p in deck.pieces if p.id in found for _ in range(p.copies)]
    whole = replace(job.options.layout, skip=NOTHING)
    sheets = arrangement.arrange_pieces(pairs, whole, build_colophon(job.game, language))
    title = format_deck_title(job, deck, language)
    recipe = replace(
        build_sheets_recipe(job, title, language, sheets), ink=FULL_INK, calibration=NO_CALIBRATION
    )
    paper = PressMetadata(title, job.game.date)
    path = f"{language}/press/sheets/{deck.id}{job.selection_suffix}.pdf"
    return Artefact(path, PressSheetsRecipe(recipe, paper, condition), language)


def _select_press_books(job: Job) -> list[Book]:
    """The player's books, unless others are asked for; none with a part of the game."""
    editions = job.options.editions or ("player",)
    asked = [] if job.partial_suffix else select_books(job)
    return [book for book in asked if book.edition in editions]


def _plan_press_books(
    job: Job, condition: PrintingCondition, language: str
) -> list[Artefact[PressRecipe]]:
    style, _ = load_book_style(job)
    found: list[Artefact[PressRecipe]] = []
    for wanted in plan_books(job, _select_press_books(job), style):
        book = wanted.book
        if book.language != language:
            continue
        paper = PressMetadata(book.title, job.game.date, _get_press_bleed(job, BOOK_BLEED_MM))
        recipe = PressBookRecipe(get_book_path(job, wanted.key), paper, condition)
        edition = "" if book.edition == "player" else f"-{book.edition}"
        size = "" if book.format.name == "a4" else f"-{book.format.name}"
        path = f"{language}/press/rulebook{edition}{size}.pdf"
        found.append(Artefact(path, recipe, language))
    return found


def _plan_press_report(
    job: Job, condition: PrintingCondition, language: str, decks: Sequence[_PressDeck]
) -> Artefact[PressRecipe]:
    seen = [told for each in decks if (told := _load_deck_report(job, each))]
    title = job.game.title.get_plain_text(language)
    text = press_report.render_report(title, language, condition, seen)
    path = f"{language}/press/report{job.partial_suffix}.html"
    summary = press_report.summarise_report(language, condition, seen)
    return Artefact(path, FileContent(text.encode()), language, summary)


def _make_press_file(recipe: PressRecipe) -> bytes:
    from cardgen.pdf.cmyk.ink_painter import UnprintableError  # noqa: PLC0415
    from cardgen.pdf.cmyk.pdfx import convert_to_pdfx, extract_pages  # noqa: PLC0415 - loaded here only

    if isinstance(recipe, FileContent):
        return recipe.read_bytes()
    if isinstance(recipe, PressExtractRecipe):
        return extract_pages(read_entry(recipe.path), recipe.pages, recipe.paper)
    try:
        return convert_to_pdfx(_compose_plain_pdf(recipe), recipe.condition, recipe.paper)[0]
    except UnprintableError as error:
        raise LimitExceededError(str(error)) from None


def _compose_plain_pdf(recipe: PressSheetsRecipe | PressBookRecipe) -> bytes:
    """The file as it is for printers at home; a book's pages with bleed."""
    from cardgen.pdf.page_edits import add_mirrored_bleed  # noqa: PLC0415 - loaded where files are made
    from cardgen.sheets import sheet_pdf  # noqa: PLC0415

    if isinstance(recipe, PressSheetsRecipe):
        return sheet_pdf.make_sheets_pdf(recipe.sheets)
    pages = read_entry(recipe.path)
    return add_mirrored_bleed(pages, recipe.paper.bleed) if recipe.paper.bleed else pages
