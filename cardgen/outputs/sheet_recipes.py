"""Layout, recipes and checks that all outputs with print sheets share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardgen.assets import fontsource
from cardgen.core.problems import Problem, Source, summarise
from cardgen.faces.image_sampling import MAX_DPI
from cardgen.game.fonts_file import FONTS_FILE
from cardgen.game.loader import FILE as GAME_FILE
from cardgen.game.model import Deck, Game
from cardgen.outputs.contract import Job
from cardgen.sheets import arrangement, sheet_captions
from cardgen.sheets.arrangement import (
    ImposedSheet,
    SheetLayout,
    SheetPage,
    SheetPiece,
    SheetsRecipe,
    SlugText,
)
from cardgen.sheets.imposition import NumberRanges, PieceFormat

_MAX_LISTED_PICTURES = 6


def build_colophon(game: Game, language: str) -> SlugText:
    """Return the texts about the game that every sheet shows."""
    return SlugText(game.title.get_plain_text(language), game.edition, language, game.date)


def get_card_format(deck: Deck) -> PieceFormat:
    """Return the format of a deck. Only decks of one format can share a sheet."""
    return PieceFormat(deck.size, deck.bleed, deck.form, deck.gap)


def build_pairs(job: Job, deck: Deck, language: str) -> Mapping[str, SheetPiece]:
    """Return front and back of every card of a deck by its id.

    Cards on sheets that are not selected are included. They are not typeset.
    """
    known = job.pieces_on_sheets
    key = (deck.id, language, *(piece.id for piece in deck.pieces))
    if key not in known:
        known[key] = _build_pairs(job, deck, language)
    return known[key]


def _build_pairs(job: Job, deck: Deck, language: str) -> dict[str, SheetPiece]:
    pdfs = {
        side: {
            face.piece.id: job.get_face_pdf(face, downsampled=True)
            for face in job.faces.find_faces(deck, language, side, unset=True)
        }
        for side in ("front", "back")
    }
    form, title = get_card_format(deck), deck.title.get_plain_text(language)
    return {
        id_: SheetPiece(front, pdfs["back"].get(id_), form, title, id_, deck.separate_backs)
        for id_, front in pdfs["front"].items()
    }


def list_pieces(
    job: Job, deck: Deck, language: str, copies: Mapping[str, int] | None = None
) -> list[SheetPiece]:
    """Return each card of a deck as often as it is printed.

    `copies` has other numbers, by the cards' ids, in the order of the cards on the sheets.
    """
    numbers = {piece.id: piece.copies for piece in deck.pieces} if copies is None else copies
    pairs = build_pairs(job, deck, language)
    return [pairs[id_] for id_, count in numbers.items() if id_ in pairs for _ in range(count)]


def arrange_pieces(
    job: Job, pieces: Iterable[SheetPiece], language: str, layout: SheetLayout | None = None
) -> list[ImposedSheet]:
    """Return sheets of pieces in the job's layout, or in another one."""
    colophon = build_colophon(job.game, language)
    return arrangement.arrange_pieces(pieces, layout or job.options.layout, colophon)


def build_sheets_recipe(
    job: Job, title: str, language: str, sheets: Sequence[ImposedSheet]
) -> SheetsRecipe:
    """Return the recipe of a PDF of sheets."""
    layout = job.options.layout
    pages = arrangement.list_sheet_pages(sheets, layout)
    words = job.prepare_lettering(arrangement.list_caption_lines(pages), language)
    return SheetsRecipe(
        title, language, layout.paper, pages, job.font_files, words, layout.calibration, layout.ink
    )


def check_skipped_places(skip: NumberRanges, sheets: Iterable[ImposedSheet]) -> Iterator[Problem]:
    """Report skipped places that the first sheet does not have, or all places skipped."""
    counts = [sheet.place_count for sheet in sheets]
    if not skip or not counts:
        return
    source = Source(f"--skip {skip}")
    places = next(filter(None, counts), 0)
    if not places:
        message = "no sheet has places that could be skipped; leave --skip out"
        yield Problem(source, message, "asked")
    elif beyond := skip.list_beyond(places):
        gone = f"is no place {beyond}" if str(beyond).isdigit() else f"are no places {beyond}"
        yield Problem(source, f"there {gone}; the first sheet has {places}", "asked")
    elif all(place in skip for place in range(1, places + 1)):
        message = (
            f"all {places} places of the first sheet are skipped; leave --skip out, and put in a "
            "whole sheet"
        )
        yield Problem(source, message, "asked")


def summarise_downsampling(job: Job, pages: Iterable[SheetPage]) -> str:
    """Return a text about the pictures on pages that were downsampled, or "" without any."""
    names = {name for page in pages for face, _ in page.placements for name in face.art}
    found = {name: each for name, each in sorted(job.faces.downsampled.items()) if name in names}
    if not found:
        return ""
    saved = max(0, sum(each.saved_bytes for each in found.values())) / 1e6
    listed = [f"{name}\u00a0({each.dpi}\u00a0dpi)" for name, each in found.items()]
    return (
        f"reduced to {MAX_DPI}\u00a0dpi on sheets, since print needs no more: "
        f"{summarise(listed, _MAX_LISTED_PICTURES)}; {saved:.1f}\u00a0MB less"
    )


def check_sheet_texts(job: Job) -> Iterator[Problem]:
    """Report texts on sheets with characters that no font of the game has."""
    game = job.game
    texts = [("the game's title", game.title, game.title.source)]
    texts += [(f"the title of {deck.id}", deck.title, deck.title.source) for deck in job.decks]
    for what, text, source in texts:
        yield from check_glyphs(job, what, [text[language] for language in job.languages], source)
    about = Source(GAME_FILE)
    yield from check_glyphs(job, "the game's edition or date", [game.edition, game.date], about)
    words = [word for each in job.languages for word in arrangement.list_sheet_texts(each)]
    yield from check_glyphs(job, "what is printed on every sheet", words, Source(FONTS_FILE))


def check_glyphs(job: Job, what: str, texts: Iterable[str], source: Source) -> Iterator[Problem]:
    """Report characters in texts that no font of the game has."""
    missing = sheet_captions.find_missing_characters(texts, job.faces.fonts, job.store)
    if missing:
        named = summarise((f"'{each}' (U+{ord(each):04X})" for each in missing), 8)
        hint = fontsource.suggest_remedy(missing)
        message = f"no font of the game has a glyph for {named} in {what}; a box is printed{hint}"
        yield Problem(source, message, "glyph", "warning")
