"""Files for a press: PDF/X-4 in its inks, of single cards, of sheets, and of the rulebook.

Faces and books are those that are set already. Cards are turned into inks when the output prepares,
and kept in the store with what was seen of them, which the report tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

from cardgen.assets.fontfiles import Cut
from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, has_errors
from cardgen.base.store import digest_of, read
from cardgen.base.units import Box, Size
from cardgen.base.workers import spread
from cardgen.book.model import Book
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs import press_report
from cardgen.outputs.book_orders import path_of, style_of, wanted_books
from cardgen.outputs.book_setting import books_asked, set_books
from cardgen.outputs.contract import Artefact, Job, Output, colophon_of, key_of
from cardgen.outputs.press_condition import condition_of
from cardgen.outputs.press_report import DeckSeen, Page
from cardgen.outputs.sheet_recipes import format_of, key_of_sheets, pairs_of, recipe_of
from cardgen.outputs.single_cards import Card, cards, short_bleed, title_of
from cardgen.pdf.extending import extended
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import FULL
from cardgen.pdf.press.condition import Condition, Paper
from cardgen.sheets import arrange
from cardgen.sheets.numbers import NONE as NOTHING
from cardgen.sheets.printers import NONE

KIND = "press"
"""Where the store keeps what was turned into inks."""
LEAST_BLEED = 3.0
"""Beyond the cut on every side of a card or page, mm, unless another is asked for: what printers
want."""
NO_BLEED = 0.0
"""Of a book's pages: they are set to their cut, and what lies beyond it mirrors them."""
_SECONDS = 300.0


@dataclass(frozen=True)
class Cards:
    """A deck's faces for a press, a page each."""

    paper: Paper
    language: str
    trim: Size
    faces: tuple[FacePdf, ...]
    cuts: tuple[Cut, ...]
    condition: Condition


@dataclass(frozen=True)
class Sheets:
    """A deck's sheets for a press."""

    sheets: arrange.Recipe
    paper: Paper
    condition: Condition


@dataclass(frozen=True)
class Pages:
    """A set book for a press."""

    path: Path
    paper: Paper
    condition: Condition


@dataclass(frozen=True)
class Stored:
    """What lies in the store already; of its pages those numbered, from 0, or all."""

    path: Path
    paper: Paper
    pages: tuple[int, ...] = ()


@dataclass(frozen=True)
class Text:
    """A file that is made already."""

    data: bytes


Recipe = Sheets | Pages | Stored | Text


@dataclass(frozen=True)
class _Deck:
    """A deck in one language: its order, the key that it is kept under, and what stands on its
    pages."""

    deck: Deck
    order: Cards
    key: str
    cards: tuple[Card, ...]

    @property
    def pages(self) -> tuple[Page, ...]:
        """A page for each side of each card."""
        return tuple(Page(face.called, card.copies) for card in self.cards for face in card.sides)


class Press(Output[Recipe]):
    """Cards, sheets and the player's rulebook as PDF/X-4 in CMYK, and a report on their colours."""

    of_books = True
    reads = (
        "press", "single.bleed", "single.file_per", "layout.paper", "layout.backs",
        "layout.margin", "layout.gap", "layout.overlap", "layout.style", "layout.stock",
        "editions", "book_sizes",
    )  # fmt: skip

    def prepare(self, job: Job) -> list[Problem]:
        """Turn the cards into inks, and set the books; what stands in the way."""
        condition, problems = condition_of(job)
        for deck in job.decks:
            wanted = _bleed_of(job, deck.bleed)
            problems += short_bleed(deck, wanted, f"a press wants {wanted:g}", "bleed")
        if condition is None:
            return problems
        problems += set_books(job, _books(job))
        if not has_errors(problems):
            problems += _turn(job, condition)
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`press/cards/<deck>.pdf`, `press/sheets/<deck>.pdf`, the books and a report, for every
        language."""
        condition, problems = condition_of(job)
        if condition is None:
            return [], problems
        artefacts: list[Artefact[Recipe]] = []
        for language in job.languages:
            decks = _decks(job, condition, language)
            artefacts += [made for each in decks for made in _card_files(job, each, language)]
            artefacts += [_sheets(job, condition, deck, language) for deck in _on_sheets(job)]
            artefacts += _book_files(job, condition, language)
            artefacts.append(_report(job, condition, language, decks))
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The files of the recipes."""
        return [_made(recipe) for recipe in recipes]


def _decks(job: Job, condition: Condition, language: str) -> list[_Deck]:
    found = (_deck(job, condition, deck, language) for deck in job.decks)
    return [each for each in found if each.pages]


def _bleed_of(job: Job, own: float) -> float:
    asked = job.options.single.bleed
    return max(own, LEAST_BLEED) if asked is None else asked


def _deck(job: Job, condition: Condition, deck: Deck, language: str) -> _Deck:
    found = tuple(cards(job, [deck], language))
    faces = [face for card in found for face in card.sides]
    title, names = title_of(job, deck, language), tuple(face.called for face in faces)
    paper = Paper(title, job.game.date, _bleed_of(job, deck.bleed), names)
    placed = tuple(face_pdf(face, job.store) for face in faces)
    order = Cards(paper, language, deck.size, placed, job.cuts, condition)
    key = key_of(faces, job.faces, KIND, paper, language, deck.size, condition.key, _art(faces))
    return _Deck(deck, order, key, found)


def _card_files(job: Job, each: _Deck, language: str) -> Iterator[Artefact[Recipe]]:
    """The files of a deck's cards: one, or one for each card or side, out of the same pages."""
    folder, stored = f"{language}/press/cards", job.store.path(KIND, f"{each.key}.pdf")
    paper, per = each.order.paper, job.options.single.file_per
    if per == "deck":
        path = f"{folder}/{each.deck.id}{job.some}.pdf"
        yield Artefact(path, each.key, Stored(stored, paper), language)
        return
    numbers = count()
    for card in each.cards:
        for name, faces in card.files(per).items():
            pages = tuple(islice(numbers, len(faces)))
            names = tuple(face.called for face in faces)
            own = replace(paper, title=f"{paper.title} – {names[0]} × {card.copies}", names=names)
            key = digest_of([each.key, repr((own, pages))])
            yield Artefact(f"{folder}/{name}.pdf", key, Stored(stored, own, pages), language)


def _art(faces: Sequence[Face]) -> list[str]:
    return sorted({art.digest for face in faces for art in face.art if not art.missing})


def _turn(job: Job, condition: Condition) -> list[Problem]:
    """Put the cards that the store lacks into it, in inks; what cannot be turned into any."""
    found = [each for language in job.languages for each in _decks(job, condition, language)]
    stale = [each for each in found if _seen(job, each) is None]
    problems = []
    orders = [each.order for each in stale]
    results = spread(turned, orders, alone=len(orders) < 2)
    for done, (each, result) in enumerate(zip(stale, results, strict=True), start=1):
        job.progress("cards to inks", done, len(stale))
        if isinstance(result, str):
            message = f"{each.deck.id} cannot be printed in inks: {result}"
            problems.append(Problem(each.deck.source, message, "press"))
            continue
        data, told = result
        job.store.write(job.store.path(KIND, f"{each.key}.pdf"), data)
        job.store.write_json(job.store.path(KIND, f"{each.key}.json"), told)
    in_use = {f"{each.key}.{end}" for each in found for end in ("pdf", "json")}
    job.store.sweep(KIND, in_use, 3 * len(in_use) + 16)
    return problems


def turned(order: Cards) -> tuple[bytes, object] | str:
    """A deck's PDF in inks, and what was seen of it, as JSON; or why that cannot be."""
    from cardgen.pdf.press.exchange import converted  # noqa: PLC0415 - in the helper process
    from cardgen.pdf.press.painters import Unprintable  # noqa: PLC0415

    try:
        with guard.at(f"{order.paper.title} [{order.language}] in inks", _SECONDS, (Unprintable,)):
            data, seen = converted(_composed(order), order.condition, order.paper)
            return data, press_report.packed(seen, order.condition)
    except (Unprintable, Stopped) as error:
        return str(error)


def _composed(order: Cards) -> bytes:
    from cardgen.pdf.compose import Composer  # noqa: PLC0415 - loaded only where PDFs are made

    composer, bleed = Composer(order.cuts), order.paper.bleed
    whole = Box(0, 0, order.trim.width + 2 * bleed, order.trim.height + 2 * bleed)
    for face in order.faces:
        content = extended("F", face, whole, (1.0, 1.0))
        form = composer.form(face)
        composer.page(whole.width, whole.height, content.encode(), {"F": form})
    return composer.save(order.paper.title, order.language)


def _seen(job: Job, each: _Deck) -> DeckSeen | None:
    """What was seen of a deck's cards; None where the store does not hold them."""
    if not job.store.has(job.store.path(KIND, f"{each.key}.pdf")):
        return None
    told = job.store.read_json(job.store.path(KIND, f"{each.key}.json"))
    return press_report.unpacked(told, each.deck.id, each.pages)


def _on_sheets(job: Job) -> list[Deck]:
    layout = job.options.layout
    return [d for d in job.decks if d.count and not arrange.misfit(format_of(d), layout)]


def _sheets(job: Job, condition: Condition, deck: Deck, language: str) -> Artefact[Recipe]:
    found = pairs_of(job, deck, language)
    pairs = [found[p.id] for p in deck.pieces if p.id in found for _ in range(p.copies)]
    whole = replace(job.options.layout, skip=NOTHING)
    sheets = arrange.arrange(pairs, whole, colophon_of(job.game, language))
    title = title_of(job, deck, language)
    recipe = replace(recipe_of(job, title, language, sheets), ink=FULL, calibration=NONE)
    paper = Paper(title, job.game.date)
    key = digest_of([key_of_sheets(job, recipe, sheets), repr((condition.key, paper))])
    path = f"{language}/press/sheets/{deck.id}{job.some}.pdf"
    return Artefact(path, key, Sheets(recipe, paper, condition), language)


def _books(job: Job) -> list[Book]:
    """The player's books, unless others are asked for; none with a part of the game."""
    editions = job.options.editions or ("player",)
    asked = [] if job.part else books_asked(job)
    return [book for book in asked if book.edition in editions]


def _book_files(job: Job, condition: Condition, language: str) -> list[Artefact[Recipe]]:
    style, _ = style_of(job)
    found: list[Artefact[Recipe]] = []
    for wanted in wanted_books(job, _books(job), style):
        book = wanted.book
        if book.language != language:
            continue
        paper = Paper(book.title, job.game.date, _bleed_of(job, NO_BLEED))
        recipe = Pages(path_of(job, wanted.key), paper, condition)
        key = digest_of([wanted.key, repr((condition.key, paper))])
        edition = "" if book.edition == "player" else f"-{book.edition}"
        size = "" if book.format.name == "a4" else f"-{book.format.name}"
        path = f"{language}/press/rulebook{edition}{size}.pdf"
        found.append(Artefact(path, key, recipe, language))
    return found


def _report(
    job: Job, condition: Condition, language: str, decks: Sequence[_Deck]
) -> Artefact[Recipe]:
    seen = [told for each in decks if (told := _seen(job, each))]
    title = job.game.title.spoken(language)
    text = press_report.page(title, language, condition, seen)
    path = f"{language}/press/report{job.part}.html"
    summary = press_report.summary(language, condition, seen)
    return Artefact(path, digest_of([KIND, text]), Text(text.encode()), language, summary)


def _made(recipe: Recipe) -> bytes:
    from cardgen.pdf.press.exchange import converted, picked  # noqa: PLC0415 - loaded here only
    from cardgen.pdf.press.painters import Unprintable  # noqa: PLC0415

    if isinstance(recipe, Text):
        return recipe.data
    if isinstance(recipe, Stored):
        whole = read(recipe.path)
        return picked(whole, recipe.pages, recipe.paper) if recipe.pages else whole
    try:
        return converted(_plain(recipe), recipe.condition, recipe.paper)[0]
    except Unprintable as error:
        raise Stopped(str(error)) from None


def _plain(recipe: Sheets | Pages) -> bytes:
    """The file as it is for printers at home; a book's pages with bleed."""
    from cardgen.pdf.page_bleed import with_bleed  # noqa: PLC0415 - loaded where files are made
    from cardgen.sheets import printing  # noqa: PLC0415

    if isinstance(recipe, Sheets):
        return printing.make(recipe.sheets)
    pages = read(recipe.path)
    return with_bleed(pages, recipe.paper.bleed) if recipe.paper.bleed else pages
