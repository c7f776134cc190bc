"""Colours of single cards, and what designers read who fill places of a look at first."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardgen.cli.command_line import cli
from cardgen.rules import rule_file
from cardgen.templates.template_renderer import TemplateRenderer

GAME = "title: Boats\nlanguages: [en]\ncolours: {sea: '#1f5a96'}\n"


def write(root: Path, deck: str, rows: str = "") -> Path:
    (root / "cards").mkdir()
    (root / "game.yaml").write_text(GAME)
    (root / "cards/boats.yaml").write_text(f"deck: boats\ntitle: Boats\n{deck}\n")
    if rows:
        (root / "cards/boats.csv").write_text(rows)
    return root


def problems_of(root: Path) -> list[str]:
    return CliRunner().invoke(cli, ["check", str(root)]).stderr.splitlines()


@pytest.mark.parametrize("kind", ["colour", "string"])
def test_a_column_names_colours_or_writes_them_out(kind: str, tmp_path: Path) -> None:
    deck = f"look: classic\nfields: {{name: text, tint: {kind}}}\nplaces: {{accent: tint}}"
    rows = "name,tint\nTug,#A53250\nFerry,sea\nYawl,#1f5\nBarge,\n"
    root = write(tmp_path, f"{deck}\nrows: boats.csv", rows)
    assert problems_of(root) == []
    game, _ = rule_file.load_game(root)
    assert game is not None
    templates, (boats,) = TemplateRenderer(game), game.decks
    faces = {
        piece.id: str(templates.render_face(boats, piece, "front", "en")) for piece in boats.pieces
    }
    tints = {"tug": "#a53250", "ferry": "#1f5a96", "yawl": "#11ff55", "barge": "#2f6068"}
    for card, tint in tints.items():
        assert f"--accent: {tint};" in faces[card], card


def test_a_word_that_is_no_colour_is_told_at_its_cell(tmp_path: Path) -> None:
    deck = "look: classic\nfields: {name: text, tint: string}\nplaces: {accent: tint}"
    root = write(tmp_path, f"{deck}\nrows: boats.csv", "name,tint\nTug,red\nYawl,sae\n")
    assert problems_of(root) == [
        "cards/boats.csv:2: error: boats/tug: 'tint': there is no colour 'red'; known: sea; a "
        "colour is also written #rrggbb [reference]",
        "cards/boats.csv:3: error: boats/yawl: 'tint': there is no colour 'sae'; did you mean "
        "'sea'? [reference]",
    ]


def test_a_template_looks_up_a_colour_that_is_written_out(tmp_path: Path) -> None:
    deck = "size: mini\nfront: boats.html\nfields: {tint: colour}\ncards: [{id: a, tint: '#ABC'}]"
    root = write(tmp_path, deck)
    (root / "templates").mkdir()
    (root / "templates/boats.html").write_text("<p>{{ game.colours[card.tint] }}</p>")
    game, _ = rule_file.load_game(root)
    assert game is not None
    (boats,) = game.decks
    html = str(TemplateRenderer(game).render_face(boats, boats.pieces[0], "front", "en"))
    assert ">#aabbcc</p>" in html


@pytest.mark.parametrize(
    ("deck", "told"),
    [
        ("icon: coin", "4: error: boats: unknown field 'icon' in the deck; it is a place of the "
         "look classic, write places: {icon: …} [fields]"),
        ("places: {icon: coin}", "4: error: boats: there is neither a field nor an icon 'coin'; "
         "known: name; declare it under fields:, or draw it as art/icons/NAME.svg [fields]"),
        ("places: {accent: red}", "4: error: boats: there is neither a field nor a colour 'red'; "
         "known: name, sea; declare it under fields:, or under colours: in game.yaml, or write "
         "#rrggbb [fields]"),
        ("places: {picture: photo}", "4: error: boats: the deck has no field 'photo'; known: name; "
         "declare it under fields: [fields]"),
    ],
)  # fmt: skip
def test_what_fills_no_place_is_told_with_what_to_do(deck: str, told: str, tmp_path: Path) -> None:
    cards = "fields: {name: text}\ncards: [{id: a, name: A}]"
    root = write(tmp_path, f"look: classic\n{deck}\n{cards}")
    assert problems_of(root) == [f"cards/boats.yaml:{told}"]


def test_a_field_of_a_card_that_is_not_declared(tmp_path: Path) -> None:
    deck = "look: classic\nfields: {name: text}\ncards: [{id: a, name: A, icon: coin}]"
    assert problems_of(write(tmp_path, deck)) == [
        "cards/boats.yaml:5: error: boats/a: unknown field 'icon'; known: back, copies, front, id, "
        "name; declare it under fields: {icon: text} [fields]"
    ]
