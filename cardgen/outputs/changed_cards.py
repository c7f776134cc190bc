"""Sheets of what changed alone: the pieces to print, after a page that lists what became of them.

Compared are the looks and fields of every piece with those of a base: what was last printed, or
any earlier state.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.changes import change_list
from cardgen.changes.card_changes import Baseline, CardChange, GameState, compare_states
from cardgen.changes.card_states import describe_state
from cardgen.changes.change_list import ListDocument
from cardgen.core.problems import Problem, Source
from cardgen.game.fonts_file import FONTS_FILE as FONTS
from cardgen.game.inventory import format_count
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.sheet_recipes import (
    build_colophon,
    build_pairs,
    build_sheets_recipe,
    check_glyphs,
    check_sheet_texts,
    check_skipped_places,
    get_card_format,
)
from cardgen.sheets import arrangement
from cardgen.sheets.arrangement import ImposedSheet, SheetPiece, SheetsRecipe

_CHANGE_LIST_SUBJECT = "the list of changes"


@dataclass(frozen=True)
class ChangedCardsRecipe:
    """The listing, and the sheets after it, if anything is to be printed: on so many papers."""

    listing: ListDocument
    sheets: SheetsRecipe | None
    sheet_count: int


def get_changed_cards_path(language: str) -> str:
    """Where a language's changed cards are published, below the build folder."""
    return f"{language}/changed.pdf"


def _filter_old_state(job: Job, old: GameState) -> GameState:
    """What was there of the decks asked for; decks that are gone belong to a build of all."""
    if len(job.decks) == len(job.game.decks):
        return old
    wanted = {deck.id for deck in job.decks}
    return {deck: pieces for deck, pieces in old.items() if deck in wanted}


def _check_paper_fit(job: Job, changes: Sequence[CardChange]) -> Iterator[Problem]:
    printed = {change.deck for change in changes if change.copies_to_print}
    for deck in job.decks:
        why = (
            arrangement.explain_misfit(get_card_format(deck), job.options.layout)
            if deck.id in printed
            else ""
        )
        if why:
            yield Problem(deck.source, f"{deck.id} {why}", "paper")


def _impose_changed_cards(
    job: Job, changes: Sequence[CardChange], language: str
) -> list[ImposedSheet]:
    pairs: list[SheetPiece] = []
    for deck in job.decks:
        put = {change.piece: change.copies_to_print for change in changes if change.deck == deck.id}
        if any(put.values()):
            for piece, pair in build_pairs(job, deck, language).items():
                pairs += [pair] * put.get(piece, 0)
    return arrangement.arrange_pieces(pairs, job.options.layout, build_colophon(job.game, language))


def _plan_changed_cards(
    job: Job,
    language: str,
    changes: Sequence[CardChange],
    states: tuple[GameState, GameState],
    base: Baseline,
) -> Artefact[ChangedCardsRecipe]:
    game, layout = job.game, job.options.layout
    sheets = _impose_changed_cards(job, changes, language)
    count = arrangement.count_papers(sheets)
    titles = {deck.id: deck.title.get_plain_text(language) for deck in game.decks}
    about = change_list.ListHeader(
        game.title.get_plain_text(language),
        game.edition,
        game.date,
        language,
        base.name,
        count,
        titles,
    )
    title = f"{game.title.get_plain_text(language)} – {about.translate('title')}"
    even = layout.backs.startswith("duplex") and any(sheet.back for sheet in sheets)
    text = ListDocument(
        change_list.render_change_list(changes, *states, about), change_list.LIST_CSS, title, language, layout.paper,
        job.font_files, layout.margin, even,
    )  # fmt: skip
    recipe = build_sheets_recipe(job, title, language, sheets)
    put, take = sum(c.copies_to_print for c in changes), sum(c.copies_to_remove for c in changes)
    told = f"{language}: {format_count(put, 'card')} to print on {format_count(count, 'sheet')} of "
    told = told + layout.paper_name if put else f"{language}: nothing to print"
    summary = f"{told}, {format_count(take, 'card')} to take out of the box"
    return Artefact(
        get_changed_cards_path(language),
        ChangedCardsRecipe(text, recipe if sheets else None, count),
        language,
        summary,
    )


class ChangedCards(Output[ChangedCardsRecipe]):
    """A list of what changed, and sheets of it."""

    def plan(self, job: Job) -> tuple[list[Artefact[ChangedCardsRecipe]], list[Problem]]:
        """`changed.pdf` for every language in which there is something to print or to take out."""
        base = job.options.base
        assert base is not None, "the command line says what is compared with"
        artefacts: list[Artefact[ChangedCardsRecipe]] = []
        problems: list[Problem] = []
        for language in job.languages:
            new = describe_state(job.game, job.faces, job.decks, language)
            old = _filter_old_state(job, base.states.get(language, {}))
            changes = compare_states(old, new)
            problems += _check_paper_fit(job, changes)
            if changes:
                artefact = _plan_changed_cards(job, language, changes, (old, new), base)
                said = [html.unescape(artefact.recipe.listing.html)]
                problems += [
                    *check_sheet_texts(job),
                    *check_glyphs(job, _CHANGE_LIST_SUBJECT, said, Source(FONTS)),
                ]
                if artefact.recipe.sheets:
                    found = _impose_changed_cards(job, changes, language)
                    problems += check_skipped_places(job.options.layout.skip, found)
                artefacts.append(artefact)
        return artefacts, list(dict.fromkeys(problems))

    def make(self, recipes: Sequence[ChangedCardsRecipe]) -> list[bytes]:
        """The PDFs."""
        from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded only where sheets are made

        return [
            change_list.make_list_pdf(
                recipe.listing, sheet_pdf.make_sheets_pdf(recipe.sheets) if recipe.sheets else None
            )
            for recipe in recipes
        ]
