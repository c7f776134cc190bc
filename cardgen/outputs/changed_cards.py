"""Changed cards: a page that lists the changes, followed by sheets with the cards to print anew.

Looks and fields of all cards are compared with a baseline: the printed file or an earlier state.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.changes import change_list
from cardgen.changes.card_changes import CardChange, GameState, compare_states, describe_state
from cardgen.changes.change_list import ListDocument
from cardgen.core.problems import Problem, Source
from cardgen.game.fonts_file import FONTS_FILE
from cardgen.game.inventory import format_count
from cardgen.outputs import sheet_recipes
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.sheets import arrangement
from cardgen.sheets.arrangement import ImposedSheet, SheetPiece, SheetsRecipe


@dataclass(frozen=True)
class ChangedCardsRecipe:
    """The list of changes, and the sheets to print, if any."""

    listing: ListDocument
    sheets: SheetsRecipe | None
    sheet_count: int


def get_changed_cards_path(language: str) -> str:
    """Return the path of a language's file below the build folder."""
    return f"{language}/changed.pdf"


def _filter_old_state(job: Job, old: GameState) -> GameState:
    """Return the selected decks' part of a state. Removed decks belong to a build of all decks."""
    if len(job.decks) == len(job.game.decks):
        return old
    wanted = {deck.id for deck in job.decks}
    return {deck: pieces for deck, pieces in old.items() if deck in wanted}


def _check_paper_fit(job: Job, changes: Sequence[CardChange]) -> Iterator[Problem]:
    printed = {change.deck for change in changes if change.copies_to_print}
    for deck in job.decks:
        misfit = arrangement.explain_misfit(sheet_recipes.get_card_format(deck), job.options.layout)
        if deck.id in printed and misfit:
            yield Problem(deck.source, f"{deck.id} {misfit}", "paper")


def _impose_changed_cards(
    job: Job, changes: Sequence[CardChange], language: str
) -> list[ImposedSheet]:
    pieces: list[SheetPiece] = []
    for deck in job.decks:
        changed = {each.piece: each.copies_to_print for each in changes if each.deck == deck.id}
        copies = {piece.id: changed.get(piece.id, 0) for piece in deck.pieces}
        if any(copies.values()):
            pieces += sheet_recipes.list_pieces(job, deck, language, copies)
    return sheet_recipes.arrange_pieces(job, pieces, language)


def _plan_changed_cards(
    job: Job,
    language: str,
    changes: Sequence[CardChange],
    states: tuple[GameState, GameState],
    sheets: Sequence[ImposedSheet],
) -> Artefact[ChangedCardsRecipe]:
    game, layout, base = job.game, job.options.layout, job.options.base
    assert base is not None
    count = arrangement.count_papers(sheets)
    titles = {deck.id: deck.title.get_plain_text(language) for deck in game.decks}
    game_title = game.title.get_plain_text(language)
    about = change_list.ListHeader(
        game_title, game.edition, game.date, language, base.name, count, titles
    )
    title = f"{game_title} – {about.translate('title')}"
    two_sided = layout.backs.startswith("duplex") and any(sheet.back for sheet in sheets)
    markup = change_list.render_change_list(changes, *states, about)
    listing = ListDocument(
        markup, title, language, layout.paper, job.font_files, layout.margin, two_sided
    )
    recipe = sheet_recipes.build_sheets_recipe(job, title, language, sheets) if sheets else None
    to_print = sum(change.copies_to_print for change in changes)
    to_remove = sum(change.copies_to_remove for change in changes)
    print_text = f"{format_count(to_print, 'card')} to print on {format_count(count, 'sheet')} of "
    print_text = print_text + layout.paper_name if to_print else "nothing to print"
    summary = f"{language}: {print_text}, {format_count(to_remove, 'card')} to take out of the box"
    content = ChangedCardsRecipe(listing, recipe, count)
    return Artefact(get_changed_cards_path(language), content, language, summary)


class ChangedCards(Output[ChangedCardsRecipe]):
    """A list of changes and sheets of the changed cards."""

    def plan(self, job: Job) -> tuple[list[Artefact[ChangedCardsRecipe]], list[Problem]]:
        """Plan `changed.pdf` for every language with cards to print or to take out."""
        base = job.options.base
        assert base is not None, "the command line names the baseline"
        artefacts: list[Artefact[ChangedCardsRecipe]] = []
        problems: list[Problem] = []
        for language in job.languages:
            new = describe_state(job.game, job.faces, job.decks, language)
            old = _filter_old_state(job, base.states.get(language, {}))
            changes = compare_states(old, new)
            problems += _check_paper_fit(job, changes)
            if changes:
                sheets = _impose_changed_cards(job, changes, language)
                artefact = _plan_changed_cards(job, language, changes, (old, new), sheets)
                texts = [html.unescape(artefact.recipe.listing.html)]
                problems += sheet_recipes.check_sheet_texts(job)
                problems += sheet_recipes.check_glyphs(
                    job, "the list of changes", texts, Source(FONTS_FILE)
                )
                problems += sheet_recipes.check_skipped_places(job.options.layout.skip, sheets)
                artefacts.append(artefact)
        return artefacts, list(dict.fromkeys(problems))

    def make_file(self, recipe: ChangedCardsRecipe) -> bytes:
        """Return the PDF of a recipe."""
        from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded only where sheets are made

        sheets = sheet_pdf.make_sheets_pdf(recipe.sheets) if recipe.sheets else None
        return change_list.make_list_pdf(recipe.listing, sheets)
