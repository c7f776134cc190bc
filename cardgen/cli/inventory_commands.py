"""The commands `list` and `stats`: what is in the box, and what decks are made of."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import click

from cardgen.cli import editor_commands
from cardgen.cli.command_output import (
    compute_exit_code,
    format_verdict,
    print_json,
    save_replay,
)
from cardgen.cli.parameters import (
    check_names,
    require_game,
    resolve_game_root,
    split_names,
)
from cardgen.cli.terminal import PROBLEMS, can_print, print_lines, print_text
from cardgen.core import work_limits
from cardgen.core.problems import did_you_mean, has_errors
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import inventory
from cardgen.game.inventory import format_count
from cardgen.game.model import Deck, Game
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import CrossTable, DeckStats, NumberStats, ValueCount
from cardgen.rules.odds.draw_probability import format_rounded_share
from cardgen.runtime import fingerprint
from cardgen.templates.expressions import CardDatabase

_BAR_CHARS = 24
"""Characters of the longest bar."""
_game_argument = click.argument("game", required=False, type=click.Path(path_type=Path))


@click.command(name="list")
@_game_argument
@click.option("--json", "as_json", is_flag=True, help="For editors and CI.")
@click.option("--keywords", is_flag=True, help="Where keywords became icons.")
def list_(game: Path | None, as_json: bool, keywords: bool) -> None:
    """List what is in the box: decks, sizes, copies and every piece with its fields."""
    root = resolve_game_root(game)
    fingerprint.begin_trace(root)
    found, problems = require_game(root)
    code = compute_exit_code(problems, strict=False)

    def print_result() -> None:
        if as_json and not keywords:
            print_json(inventory.inventory_to_json(found), indent=1)
            return
        print_text(
            inventory.format_keywords(found) if keywords else inventory.format_inventory(found)
        )
        if has_errors(problems) and not keywords:
            print_lines(f"{format_verdict(problems)}; run 'cardgen check' to see them", err=True)

    print_result()
    save_replay(print_result, problems, code, None, {})
    sys.exit(code)


@click.command()
@_game_argument
@click.option("--deck", "decks", multiple=True, callback=split_names, metavar="DECK,…",
              help="Only these decks.", shell_complete=editor_commands.complete_decks)  # fmt: skip
@click.option("--draw", "draws", multiple=True, callback=split_names, metavar="N,…",
              help="Chance of a value within this many draws.")  # fmt: skip
@click.option("--by", "by", multiple=True, callback=split_names, metavar="FIELD,FIELD",
              help="The two fields that are crossed.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="For other programs.")
def stats(
    game: Path | None,
    decks: tuple[str, ...],
    draws: tuple[str, ...],
    by: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say what decks are made of: how many cards have which value, how numbers are spread, two
    fields crossed, and how soon each value is seen when cards are drawn."""
    root = resolve_game_root(game)
    fingerprint.begin_trace(root)
    found, problems = require_game(root)
    check_names("deck", decks, [deck.id for deck in found.decks])
    asked = [deck for deck in found.decks if not decks or deck.id in decks]
    numbers = _parse_draws(draws)
    _check_fields(asked, by)
    try:
        with work_limits.work_limit("the game's statistics"):
            told = _collect_stats(found, asked, numbers, by)
    except LimitExceededError as error:
        print_lines(f"the game's statistics: {error}", err=True)
        sys.exit(PROBLEMS)

    def print_result() -> None:
        if as_json:
            print_json({"game": found.id, "decks": [each.to_json() for each in told]}, indent=1)
            return
        for number, (deck, each) in enumerate(zip(asked, told, strict=True)):
            lines = _format_deck(deck, each, found.languages[0])
            print_text("\n" * bool(number) + "\n".join(lines))

    print_result()
    save_replay(print_result, problems, 0, None, {})


def _collect_stats(
    game: Game, decks: Sequence[Deck], draws: Sequence[int], by: Sequence[str]
) -> list[DeckStats]:
    database = CardDatabase(game)
    return [deck_stats.measure_deck(deck, database, draws, by) for deck in decks]


def _parse_draws(draws: tuple[str, ...]) -> list[int]:
    wrong = [each for each in draws if not each.isdecimal() or not 0 < int(each) <= 10_000]
    if wrong:
        raise click.UsageError(f"--draw {wrong[0]}: use whole numbers from 1, such as 3,7")
    return [int(each) for each in draws] or list(deck_stats.DEFAULT_DRAWS)


def _check_fields(decks: Sequence[Deck], by: tuple[str, ...]) -> None:
    if by and len(by) != 2:
        raise click.UsageError("--by takes two fields: --by category,terrain")
    known = dict.fromkeys(name for deck in decks for name in deck_stats.list_crossable_fields(deck))
    for name in by:
        if name not in known:
            hint = did_you_mean(name, known) if known else ""
            raise click.UsageError(
                f"--by {name}: there is no choice, reference or boolean field of that name{hint}"
            )


def _format_deck(deck: Deck, found: DeckStats, language: str) -> Iterator[str]:
    title = deck.title.get_plain_text(language)
    different = f", {found.distinct_cards} different" if found.distinct_cards != found.cards else ""
    yield f"{title} ({deck.id}): {format_count(found.cards, 'card')}{different}"
    several = [
        kinds for kinds in found.categories if not kinds.is_boolean and len(kinds.values) > 1
    ]
    ticks = [
        value for kinds in found.categories if kinds.is_boolean for value in kinds.true_value()
    ]
    tables = [(kinds.field, kinds.values, kinds.omitted) for kinds in several]
    tables += [("ticked", tuple(ticks), 0)] if ticks else []
    wide = max((len(value.name) for _, values, _ in tables for value in values), default=0)
    wide = max(wide, *(len(name) for name, _, _ in tables)) if tables else 0
    for name, values, more in tables:
        yield ""
        yield from _format_value_table(name, values, more, (wide, found))
    for figures in found.numbers:
        if len(figures.bars) > 1:
            yield ""
            yield from _format_figures(figures)
    same = [*_format_constants(found)]
    yield from ["", *same] if same else []
    if found.cross_table:
        yield ""
        yield from _format_cross_table(found.cross_table)


def _format_value_table(
    name: str, values: Sequence[ValueCount], more: int, of: tuple[int, DeckStats]
) -> Iterator[str]:
    wide, found = of
    seen = "".join(f"{number:>7}" for number in found.draws)
    first = max((value.cards for value in values), default=1)
    yield f"  {name:{wide}}  {'':{_BAR_CHARS}} cards  share  seen within{seen} draws"
    for value in values:
        shares = "".join(f"{format_rounded_share(share):>7}" for share in value.chances)
        share = format_rounded_share(Fraction(value.cards, found.cards or 1))
        bar = _format_bar(value.cards, first)
        row = f"{bar:{_BAR_CHARS}} {value.cards:>5} {share:>6}{'':13}{shares}"
        yield f"  {value.name:{wide}}  {row}"
    if more:
        yield f"  and {format_count(more, 'value')} more"


def _format_constants(found: DeckStats) -> Iterator[str]:
    """Yield the fields with one value on every card that has any."""
    for kinds in found.categories:
        if not kinds.is_boolean and len(kinds.values) == 1:
            yield f"  {kinds.field}: {kinds.values[0].name} on all"
    for figures in found.numbers:
        if len(figures.bars) == 1:
            count = format_count(figures.cards, "card")
            yield f"  {figures.field}: {figures.bars[0][0]} on {count}"


def _format_figures(figures: NumberStats) -> Iterator[str]:
    quartiles = " · ".join(f"{each:g}" for each in figures.quartiles)
    yield (
        f"  {figures.field}: on {format_count(figures.cards, 'card')}, mean "
        f"{float(figures.mean):.4g}, quartiles {quartiles}"
    )
    wide = max(len(name) for name, _ in figures.bars)
    most = max(count for _, count in figures.bars)
    for name, count in figures.bars:
        yield f"  {name:>{wide}}  {_format_bar(count, most):{_BAR_CHARS}} {count:>5}"


def _format_cross_table(crossed: CrossTable) -> Iterator[str]:
    head = f"{crossed.row_field} \\ {crossed.column_field}"
    wide = max(len(head), *(len(name) for name, _ in crossed.rows))
    columns = [max(5, len(name)) for name in crossed.columns]
    names = "  ".join(f"{n:>{w}}" for n, w in zip(crossed.columns, columns, strict=True))
    yield f"  {head:{wide}}  {names}"
    for name, counts in crossed.rows:
        told = "  ".join(f"{count or '·':>{w}}" for count, w in zip(counts, columns, strict=True))
        yield f"  {name:{wide}}  {told}"


def _format_bar(count: int, most: int) -> str:
    sign = "█" if can_print("█") else "#"
    return sign * (max(1, round(count / most * _BAR_CHARS)) if count and most else 0)
