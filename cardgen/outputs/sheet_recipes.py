"""From a build's faces to sheets: what every output that prints sheets has in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.units import parse_paper, unknown_paper
from cardgen.faces.drawn_down import MOST_DPI
from cardgen.faces.face_pdfs import face_pdf
from cardgen.game.fonts_file import FILE as FONTS_FILE
from cardgen.game.loading import FILE as GAME_FILE
from cardgen.game.model import Deck, Game, PrintDefaults
from cardgen.outputs.contract import Job, key_of
from cardgen.pdf.inks import Ink
from cardgen.sheets import arrange, captions, numbers, stock
from cardgen.sheets.arrange import Layout, Page, Pair, Recipe, Sheet
from cardgen.sheets.guides import Style
from cardgen.sheets.imposition import Format
from cardgen.sheets.numbers import Numbers
from cardgen.sheets.printers import NONE, Calibration
from cardgen.sheets.silhouette import USUAL
from cardgen.sheets.stock import Stock

_LISTED = 6
"""So many pictures are named at most."""


class NoLayout(Exception):  # noqa: N818 - it reads as what it says
    """Sheets cannot be as they are wanted; the message says why, and what there is."""


def layout_of(
    given: Mapping[str, Any], defaults: PrintDefaults, calibration: Calibration = NONE
) -> Layout:
    """How sheets are wanted: as it is given, under the names that options of `build` have, and as
    game.yaml has it where that is None. Raises `NoLayout`."""

    def chosen(key: str) -> Any:
        return getattr(defaults, key) if given[key] is None else given[key]

    cut = _stock(given, chosen("backs"))
    name = cut.paper_name if cut else chosen("paper")
    paper = parse_paper(name)
    if paper is None:
        raise NoLayout(unknown_paper(name))
    ink = Ink(given["low_ink"], given["grayscale"])
    # White grounds end nowhere: the outline shows where. On stock the places' edges do.
    lines = given["cut_lines"] or (ink.low and not cut)
    style = Style(chosen("marks"), lines, given["corner_guides"], given["figures"] or USUAL)
    return Layout(
        name, paper, chosen("backs"), chosen("margin"), chosen("gap"),
        chosen("overlap"), style, calibration, ink, cut, given["skip"] or numbers.NONE,
    )  # fmt: skip


def _stock(given: Mapping[str, Any], backs: str) -> Stock | None:
    """The stock that is named, with what else is wanted held against it. Raises `NoLayout`."""
    name, paper, marks = (given[key] for key in ("stock", "paper", "marks"))
    if not name:
        return None
    found = stock.named(name)
    if found is None:
        more = did_you_mean(name.lower(), stock.names())
        raise NoLayout(f"no stock '{name}'{more or '; --stock list tells what is known'}")
    if paper is not None and parse_paper(paper) != found.paper:
        raise NoLayout(f"{name} is {found.paper_name} paper, not {paper}; leave --paper out")
    if marks not in {None, "none"}:
        raise NoLayout(f"{name} is cut already; leave --marks out")
    if backs == "gutterfold":
        raise NoLayout(f"{name} cannot be folded; choose --backs duplex-long, or none")
    return found


def usual_layout(game: Game) -> Layout:
    """How sheets are made unless anything else is asked. Raises `NoLayout`."""
    keys = ("paper", "backs", "margin", "gap", "overlap", "marks", "stock", "skip", "figures")
    flags = ("low_ink", "grayscale", "cut_lines", "corner_guides")
    return layout_of(dict.fromkeys(keys) | dict.fromkeys(flags, False), game.defaults)


def format_of(deck: Deck) -> Format:
    """What a deck's pieces must share with others to share a sheet."""
    return Format(deck.size, deck.bleed, deck.form, deck.gap)


def pairs_of(job: Job, deck: Deck, language: str) -> dict[str, Pair]:
    """Every piece of a deck as it is printed once, by its id. Those on sheets that are not asked
    for are among them, and have no PDF."""
    backs = {face.piece.id: face for face in job.faces.of(deck, language, "back", unset=True)}
    title = deck.title.spoken(language)
    found, smaller = {}, job.faces.smaller
    for front in job.faces.of(deck, language, "front", unset=True):
        back = backs.get(front.piece.id)
        found[front.piece.id] = Pair(
            face_pdf(front, job.store, smaller),
            face_pdf(back, job.store, smaller) if back else None,
            format_of(deck),
            title,
            front.piece.id,
            deck.apart,
        )
    return found


def recipe_of(job: Job, title: str, language: str, sheets: Sequence[Sheet]) -> Recipe:
    """What the PDF of those sheets is made from."""
    layout = job.options.layout
    pages = arrange.pages_of(sheets, layout)
    words = job.lettered(arrange.lines_of(pages), language)
    return Recipe(
        title, language, layout.paper, pages, job.cuts, words, layout.calibration, layout.ink
    )


def key_of_sheets(job: Job, recipe: Recipe, sheets: Sequence[Sheet]) -> str:
    """Guides follow from layout and formats, so these stand for them."""
    faces = {face.key: face for face in job.faces.faces}
    placed = [faces[face.key] for page in recipe.pages for face, _ in page.placed]
    formats = [sheet.pieces[0].format for sheet in sheets]
    art = {path.name for page in recipe.pages for face, _ in page.placed
           for path in face.art.values()}  # fmt: skip
    slots = [(page.slug, [slot for _, slot in page.placed]) for page in recipe.pages]
    return key_of(
        placed,
        job.faces,
        recipe.title,
        recipe.language,
        job.options.layout,
        formats,
        slots,
        sorted(art),
    )


def not_to_skip(skip: Numbers, sheets: Iterable[Sheet]) -> Iterator[Problem]:
    """A problem when places are to be skipped that the first sheet has not, or all that it has.
    Where there is no sheet, that is told already."""
    every = [sheet.places for sheet in sheets]
    if not skip or not every:
        return
    source = Source(f"--skip {skip}")
    places = next(filter(None, every), 0)
    if not places:
        message = "no sheet has places that could be skipped; leave --skip out"
        yield Problem(source, message, "asked")
    elif beyond := skip.beyond(places):
        gone = f"is no place {beyond}" if str(beyond).isdigit() else f"are no places {beyond}"
        yield Problem(source, f"there {gone}; the first sheet has {places}", "asked")
    elif all(place in skip for place in range(1, places + 1)):
        message = (
            f"all {places} places of the first sheet are skipped; leave --skip out, and put in a "
            "whole sheet"
        )
        yield Problem(source, message, "asked")


def told_smaller(job: Job, pages: Iterable[Page]) -> str:
    """Which pictures on those pages were made smaller, and what that saves; "" if none."""
    names = {name for page in pages for face, _ in page.placed for name in face.art}
    found = {name: job.faces.smaller[name] for name in sorted(names & job.faces.smaller.keys())}
    if not found:
        return ""
    saved = max(0, sum(each.saved for each in found.values())) / 1e6
    listed = [f"{name}\u00a0({each.dpi}\u00a0dpi)" for name, each in found.items()]
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return (
        f"larger than print needs, and made {MOST_DPI}\u00a0dpi on sheets: "
        f"{', '.join(listed[:_LISTED])}{more}; {saved:.1f}\u00a0MB less"
    )


def unprintable(job: Job) -> Iterator[Problem]:
    """What sheets tell of the game in characters that none of its fonts has."""
    game = job.game
    texts = [("the game's title", game.title, game.title.source)]
    texts += [(f"the title of {deck.id}", deck.title, deck.title.source) for deck in job.decks]
    for what, text, source in texts:
        yield from unset(job, what, [text[language] for language in job.languages], source)
    about = Source(GAME_FILE)
    yield from unset(job, "the game's edition or date", [game.edition, game.date], about)
    words = [word for each in job.languages for word in arrange.words(each)]
    yield from unset(job, "what is printed on every sheet", words, Source(FONTS_FILE))


def unset(job: Job, what: str, texts: Iterable[str], source: Source) -> Iterator[Problem]:
    """A warning when texts hold characters that no font of the game has."""
    gone = captions.lost(texts, job.faces.fonts, job.store)
    if gone:
        named = ", ".join(f"'{character}' (U+{ord(character):04X})" for character in gone[:8])
        named += f" and {len(gone) - 8} more" if len(gone) > 8 else ""
        message = f"no font of the game has a glyph for {named} in {what}; a box is printed"
        yield Problem(source, message, "glyph", "warning")
