"""What decks are made of, as data, in a terminal and on a page."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner
from conftest import MakeGame
from small_games import make

from cardgen.cli.command_line import cli
from cardgen.rules import rule_file
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import DeckStats, ValueCount
from cardgen.templates.expressions import CardDatabase

GAME = "game: test\ntitle: Test\nlanguages: [en]\nwords: {cargo: Freighter}\n"
SHIPS = """\
deck: ships
title: Ships
size: poker
front: ship.html
fields:
  name: text
  kind: {type: choice, of: [cargo, ferry, tug, wreck]}
  crew: integer
  lit: boolean
  sails: {type: list, of: integer}
  calls: {type: list, of: {type: choice, of: [oulu, vaasa]}}
  gives: {type: record, fields: {crates: integer, ware: {type: choice, of: [coal, corn]}}}
cards:
  - {id: a, name: A, kind: cargo, crew: 4, copies: 3, lit: true, gives: {crates: 2, ware: corn}}
  - {id: b, name: B, kind: tug, crew: 1, calls: [oulu, vaasa], sails: [1, 2]}
  - {id: c, name: C, kind: tug, crew: 20, calls: [oulu]}
  - {id: d, name: D, crew: 3}
"""
FILES = {
    "game.yaml": GAME,
    "cards/ships.yaml": SHIPS,
    "templates/ship.html": '<p style="margin: 6mm">{{ card.name }} {{ card.kind }}'
    " {{ [card.crew, card.lit, card.sails, card.calls, card.gives] | length }}</p>",
}


def of(root: Path, **asked: list[str]) -> DeckStats:
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    return deck_stats.measure_deck(game.decks[0], CardDatabase(game), (1, 3, 9), **asked)


def test_cards_are_counted_by_what_they_say(make_game: MakeGame) -> None:
    stats = of(make_game(FILES))
    assert (stats.cards, stats.distinct_cards, stats.draws) == (6, 4, (1, 3))
    told = {k.field: [(v.name, v.cards) for v in k.values] for k in stats.categories}
    assert told == {
        "kind": [("cargo", 3), ("tug", 2), ("–", 1)],
        "lit": [("true", 3), ("false", 3)],
        "calls": [("oulu", 2), ("vaasa", 1), ("–", 4)],
        "gives.ware": [("corn", 3), ("–", 3)],
    }
    tug = stats.categories[0].values[1]
    assert tug == ValueCount("tug", 2, (Fraction(1, 3), 1 - Fraction(4, 20)))


def test_figures_have_a_mean_quartiles_and_bars(make_game: MakeGame) -> None:
    figures = {each.field: each for each in of(make_game(FILES)).numbers}
    assert [*figures] == ["crew", "total(sails)", "gives.crates"]
    crew = figures["crew"]
    assert crew.mean == Fraction(6)
    assert [crew.minimum, *crew.quartiles, crew.maximum] == [1, 3, 4, 4, 20]
    assert sum(count for _, count in crew.bars) == crew.cards == 6
    assert figures["total(sails)"].bars == (("3", 1),)


def test_two_fields_are_crossed(make_game: MakeGame) -> None:
    root = make_game(FILES)
    crossed = of(root).cross_table
    assert crossed is not None
    assert (crossed.row_field, crossed.column_field, crossed.columns) == (
        "kind",
        "calls",
        ("oulu", "vaasa", "–"),
    )
    assert dict(crossed.rows) == {"cargo": (0, 0, 3), "tug": (2, 1, 0), "–": (0, 0, 1)}
    other = of(root, by=["kind", "gives.ware"]).cross_table
    assert other is not None
    assert dict(other.rows)["cargo"] == (3, 0)


@pytest.mark.parametrize("least", [0.0, 1.5, -200.0])
def test_many_numbers_are_put_together(make_game: MakeGame, least: float) -> None:
    cards = "".join(f"  - {{id: c{n}, weight: {least + n * 7}}}\n" for n in range(40))
    deck = (
        "deck: ships\ntitle: Ships\nsize: poker\nfront: ship.html\n"
        f"fields: {{weight: number, name: text, kind: text}}\ncards:\n{cards}"
    )
    (figures,) = of(make_game({**FILES, "cards/ships.yaml": deck})).numbers
    assert len(figures.bars) <= 12
    assert sum(count for _, count in figures.bars) == 40


def test_the_command_tells_it(make_game: MakeGame) -> None:
    root = make_game(FILES)
    said = CliRunner().invoke(cli, ["stats", str(root)])
    assert (said.exit_code, said.stderr) == (0, "")
    assert "Ships (ships): 6 cards, 4 different" in said.stdout
    assert "crew: on 6 cards, mean 6, quartiles 3 · 4 · 4" in said.stdout
    told = json.loads(CliRunner().invoke(cli, ["stats", str(root), "--json", "--draw", "2"]).stdout)
    assert told["decks"][0]["draws"] == [2]
    assert told["decks"][0]["kinds"][0]["values"][1]["seen"] == [pytest.approx(0.6)]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--deck", "ship"), "no deck 'ship'; did you mean 'ships'?"),
        (("--draw", "0"), "--draw 0: use whole numbers from 1"),
        (("--draw", "many"), "--draw many: use whole numbers from 1"),
        (("--by", "kind"), "--by takes two fields"),
        (
            ("--by", "kind,cals"),
            "--by cals: there is no choice, reference or boolean field of that name",
        ),
    ],
)
def test_what_is_typed_wrong_is_told(
    make_game: MakeGame, words: tuple[str, ...], error: str
) -> None:
    result = CliRunner().invoke(cli, ["stats", str(make_game(FILES)), *words])
    assert result.exit_code == 2
    assert error in result.stderr


def test_the_contact_sheet_has_a_page_of_it(make_game: MakeGame) -> None:
    root = make_game(FILES)
    report = make(root, outputs=("contact",))
    assert [str(problem) for problem in report.problems if problem.severity == "error"] == []
    document = pypdfium2.PdfDocument(root / "build/en/contact.pdf")
    _, page = (page.get_textpage().get_text_bounded() for page in document)
    for word in ("kind", "Freighter", "crew", "mean 6", "seen within", "50 %"):
        assert word in page
    assert (root / "build/en/contact/stats/ships.jpg").is_file()
