"""The command `stats`: what decks are made of, with bars for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import click

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import did_you_mean
from cardgen.cli import editors
from cardgen.cli.arguments import check_names
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import listed, root_of
from cardgen.cli.report import print_problems, say_json
from cardgen.cli.saying import can_show, say, say_text
from cardgen.game.inventory import counted
from cardgen.game.model import Deck, Game
from cardgen.rules import composition
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import Crossed, DeckStats, Figures, Value
from cardgen.rules.odds.shares import rounded
from cardgen.templates.expressions import Database

_WIDE = 24
"""Letters of the longest bar."""


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--deck", "decks", multiple=True, callback=listed, metavar="DECK,…",
              help="Only these decks.", shell_complete=editors.decks)  # fmt: skip
@click.option("--draw", "draws", multiple=True, callback=listed, metavar="N,…",
              help="How soon a value is seen: within so many draws.")  # fmt: skip
@click.option("--by", "by", multiple=True, callback=listed, metavar="FIELD,FIELD",
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
    found, problems = composition.load(root_of(game))
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    check_names("deck", decks, [deck.id for deck in found.decks])
    asked = [deck for deck in found.decks if not decks or deck.id in decks]
    numbers = _numbers(draws)
    _check_fields(asked, by)
    try:
        with guard.at("the game's statistics"):
            told = _told(found, asked, numbers, by)
    except Stopped as error:
        say(f"the game's statistics: {error}", err=True)
        sys.exit(PROBLEMS)
    if as_json:
        say_json({"game": found.id, "decks": [each.as_json() for each in told]}, indent=1)
        return
    for number, (deck, each) in enumerate(zip(asked, told, strict=True)):
        say_text("\n" * bool(number) + "\n".join(_lines(deck, each, found.languages[0])))


def _told(
    game: Game, decks: Sequence[Deck], draws: Sequence[int], by: Sequence[str]
) -> list[DeckStats]:
    database = Database(game)
    return [deck_stats.of(deck, database, draws, by) for deck in decks]


def _numbers(draws: tuple[str, ...]) -> list[int]:
    wrong = [each for each in draws if not each.isdecimal() or not 0 < int(each) <= 10_000]
    if wrong:
        raise click.UsageError(f"--draw {wrong[0]}: whole numbers from 1 are asked for: 3,7")
    return [int(each) for each in draws] or list(deck_stats.DRAWS)


def _check_fields(decks: Sequence[Deck], by: tuple[str, ...]) -> None:
    if by and len(by) != 2:
        raise click.UsageError("--by takes two fields: --by category,terrain")
    known = dict.fromkeys(name for deck in decks for name in deck_stats.fields_of(deck))
    for name in by:
        if name not in known:
            hint = did_you_mean(name, known) if known else ""
            raise click.UsageError(
                f"--by {name}: no such field of choices, references or ticks{hint}"
            )


def _lines(deck: Deck, found: DeckStats, language: str) -> Iterator[str]:
    title = deck.title.spoken(language)
    different = f", {found.different} different" if found.different != found.cards else ""
    yield f"{title} ({deck.id}): {counted(found.cards, 'card')}{different}"
    several = [kinds for kinds in found.kinds if not kinds.ticks and len(kinds.values) > 1]
    ticks = [value for kinds in found.kinds if kinds.ticks for value in kinds.ticked()]
    tables = [(kinds.field, kinds.values, kinds.more) for kinds in several]
    tables += [("ticked", tuple(ticks), 0)] if ticks else []
    wide = max((len(value.name) for _, values, _ in tables for value in values), default=0)
    wide = max(wide, *(len(name) for name, _, _ in tables)) if tables else 0
    for name, values, more in tables:
        yield ""
        yield from _table(name, values, more, (wide, found))
    for figures in found.figures:
        if len(figures.bars) > 1:
            yield ""
            yield from _of_figures(figures)
    same = [*_same(found)]
    yield from ["", *same] if same else []
    if found.crossed:
        yield ""
        yield from _of_crossed(found.crossed)


def _table(
    name: str, values: Sequence[Value], more: int, of: tuple[int, DeckStats]
) -> Iterator[str]:
    wide, found = of
    seen = "".join(f"{number:>7}" for number in found.draws)
    first = max((value.cards for value in values), default=1)
    yield f"  {name:{wide}}  {'':{_WIDE}} cards  share  seen within{seen} draws"
    for value in values:
        shares = "".join(f"{rounded(share):>7}" for share in value.seen)
        share = rounded(Fraction(value.cards, found.cards or 1))
        bar = _bar(value.cards, first)
        yield f"  {value.name:{wide}}  {bar:{_WIDE}} {value.cards:>5} {share:>6}{'':13}{shares}"
    if more:
        yield f"  and {counted(more, 'value')} more"


def _same(found: DeckStats) -> Iterator[str]:
    """What has one value on every card that has any."""
    for kinds in found.kinds:
        if not kinds.ticks and len(kinds.values) == 1:
            yield f"  {kinds.field}: {kinds.values[0].name} on all"
    for figures in found.figures:
        if len(figures.bars) == 1:
            yield f"  {figures.field}: {figures.bars[0][0]} on {counted(figures.having, 'card')}"


def _of_figures(figures: Figures) -> Iterator[str]:
    quartiles = " · ".join(f"{each:g}" for each in figures.quartiles)
    yield (
        f"  {figures.field}: on {counted(figures.having, 'card')}, mean "
        f"{float(figures.mean):.4g}, quartiles {quartiles}"
    )
    wide = max(len(name) for name, _ in figures.bars)
    most = max(count for _, count in figures.bars)
    for name, count in figures.bars:
        yield f"  {name:>{wide}}  {_bar(count, most):{_WIDE}} {count:>5}"


def _of_crossed(crossed: Crossed) -> Iterator[str]:
    head = f"{crossed.down} \\ {crossed.across}"
    wide = max(len(head), *(len(name) for name, _ in crossed.rows))
    columns = [max(5, len(name)) for name in crossed.columns]
    names = "  ".join(f"{n:>{w}}" for n, w in zip(crossed.columns, columns, strict=True))
    yield f"  {head:{wide}}  {names}"
    for name, counts in crossed.rows:
        told = "  ".join(f"{count or '·':>{w}}" for count, w in zip(counts, columns, strict=True))
        yield f"  {name:{wide}}  {told}"


def _bar(count: int, most: int) -> str:
    sign = "█" if can_show("█") else "#"
    return sign * (max(1, round(count / most * _WIDE)) if count and most else 0)
