"""Sheets of what changed alone: the pieces to print, after a page that lists what became of them.

Compared are the looks and fields of every piece with those of a base: what was last printed, or
any earlier state.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.base.problems import Problem, Source
from cardgen.base.store import digest_of
from cardgen.changes import change_list
from cardgen.changes import list_pdf as bound
from cardgen.changes.compare import Base, Change, State, compare
from cardgen.changes.list_pdf import Listing
from cardgen.changes.states import state_of
from cardgen.game.fonts_file import FILE as FONTS
from cardgen.game.inventory import counted
from cardgen.outputs.contract import Artefact, Job, Output, colophon_of
from cardgen.outputs.sheet_recipes import (
    format_of,
    key_of_sheets,
    not_to_skip,
    pairs_of,
    recipe_of,
    unprintable,
    unset,
)
from cardgen.sheets import arrange
from cardgen.sheets.arrange import Pair, Recipe, Sheet

_LIST = "the list of changes"


@dataclass(frozen=True)
class Bound:
    """The listing, and the sheets after it, if anything is to be printed: on so many papers."""

    listing: Listing
    sheets: Recipe | None
    papers: int


def path_of(language: str) -> str:
    """Where a language's changed cards are published, below the build folder."""
    return f"{language}/changed.pdf"


def _of_decks(job: Job, old: State) -> State:
    """What was there of the decks asked for; decks that are gone belong to a build of all."""
    if len(job.decks) == len(job.game.decks):
        return old
    wanted = {deck.id for deck in job.decks}
    return {deck: pieces for deck, pieces in old.items() if deck in wanted}


def _problems(job: Job, changes: Sequence[Change]) -> Iterator[Problem]:
    printed = {change.deck for change in changes if change.put}
    for deck in job.decks:
        why = arrange.misfit(format_of(deck), job.options.layout) if deck.id in printed else ""
        if why:
            yield Problem(deck.source, f"{deck.id} {why}", "paper")


def _sheets(job: Job, changes: Sequence[Change], language: str) -> list[Sheet]:
    pairs: list[Pair] = []
    for deck in job.decks:
        put = {change.piece: change.put for change in changes if change.deck == deck.id}
        if any(put.values()):
            for piece, pair in pairs_of(job, deck, language).items():
                pairs += [pair] * put.get(piece, 0)
    return arrange.arrange(pairs, job.options.layout, colophon_of(job.game, language))


def _artefact(
    job: Job, language: str, changes: Sequence[Change], states: tuple[State, State], base: Base
) -> Artefact[Bound]:
    game, layout = job.game, job.options.layout
    sheets = _sheets(job, changes, language)
    count = arrange.papers(sheets)
    titles = {deck.id: deck.title.spoken(language) for deck in game.decks}
    about = change_list.About(
        game.title.spoken(language), game.edition, game.date, language, base.name, count, titles
    )
    title = f"{game.title.spoken(language)} – {about.word('title')}"
    even = layout.backs.startswith("duplex") and any(sheet.back for sheet in sheets)
    text = Listing(
        change_list.page(changes, *states, about), change_list.CSS, title, language, layout.paper,
        job.cuts, layout.margin, even,
    )  # fmt: skip
    recipe = recipe_of(job, title, language, sheets)
    key = digest_of([key_of_sheets(job, recipe, sheets), text.html, text.css])
    put, take = sum(c.put for c in changes), sum(c.take for c in changes)
    told = f"{language}: {counted(put, 'card')} to print on {counted(count, 'sheet')} of "
    told = told + layout.paper_name if put else f"{language}: nothing to print"
    summary = f"{told}, {counted(take, 'card')} to take out of the box"
    return Artefact(
        path_of(language), key, Bound(text, recipe if sheets else None, count), language, summary
    )


class Changed(Output[Bound]):
    """A list of what changed, and sheets of it."""

    of_cards = False
    reads = ("layout", "base")

    def plan(self, job: Job) -> tuple[list[Artefact[Bound]], list[Problem]]:
        """`changed.pdf` for every language in which there is something to print or to take out."""
        base = job.options.base
        assert base is not None, "the command line says what is compared with"
        artefacts: list[Artefact[Bound]] = []
        problems: list[Problem] = []
        for language in job.languages:
            new = state_of(job.game, job.faces, job.decks, language)
            old = _of_decks(job, base.states.get(language, {}))
            changes = compare(old, new)
            problems += _problems(job, changes)
            if changes:
                artefact = _artefact(job, language, changes, (old, new), base)
                said = [html.unescape(artefact.recipe.listing.html)]
                problems += [*unprintable(job), *unset(job, _LIST, said, Source(FONTS))]
                if artefact.recipe.sheets:
                    found = _sheets(job, changes, language)
                    problems += not_to_skip(job.options.layout.skip, found)
                artefacts.append(artefact)
        return artefacts, list(dict.fromkeys(problems))

    def make(self, recipes: Sequence[Bound]) -> list[bytes]:
        """The PDFs."""
        from cardgen.sheets import printing  # noqa: PLC0415 - loaded only where sheets are made

        return [
            bound.make(recipe.listing, printing.make(recipe.sheets) if recipe.sheets else None)
            for recipe in recipes
        ]
