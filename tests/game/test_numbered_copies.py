"""Templates that print the number of a copy: faces, ids and pictures of each one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Cardgen
from git_games import commit
from small_games import contents, edit, make, write_game

from cardgen.game import reload
from cardgen.rules import rule_file
from cardgen.rules.odds.deck_stats import measure_deck
from cardgen.templates.expressions import CardDatabase
from cardgen.templates.template_renderer import TemplateRenderer

GAME = "title: Shares\nlanguages: [en]\n"
DECK = (
    "deck: c\ntitle: C\nsize: mini\nfront: f.html\nback: b.html\nfields: {name: text}\n"
    "cards:\n  - {id: share, name: Share, copies: 3}\n  - {id: bond, name: Bond}\n"
    "  - {id: note, name: Note, copies: 2, front: plain.html}\n"
    "  - {id: none, name: None, copies: 0}\n"
)
FRONT = (
    '<div style="position: absolute; left: 5mm; top: 5mm">{{ card.name }} {{ copy }} of '
    "{{ card.copies }} {{ card.id }}</div>"
)
FILES = {
    "game.yaml": GAME,
    "cards/c.yaml": DECK,
    "templates/f.html": '{% include "part.html" %}',
    "templates/part.html": FRONT,
    "templates/plain.html": '<div style="position: absolute; left: 5mm; top: 5mm">A copy</div>',
    "templates/b.html": '<div style="position: absolute; left: 5mm; top: 5mm">Back</div>',
}


def fronts(root: Path) -> dict[str, str]:
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    templates, (deck,) = TemplateRenderer(game), game.decks
    html = {
        piece.id: str(templates.render_face(deck, piece, "front", "en")) for piece in deck.pieces
    }
    assert templates.problems == []
    return {name: text.partition(">")[2].partition("<")[0] for name, text in html.items()}


def test_each_copy_prints_its_number(tmp_path: Path) -> None:
    assert fronts(write_game(tmp_path, FILES)) == {
        "share-1": "Share 1 of 3 share",
        "share-2": "Share 2 of 3 share",
        "share-3": "Share 3 of 3 share",
        "bond-1": "Bond 1 of 1 bond",
        "note": "A copy",
        "none": "None 1 of 0 none",
    }


def test_only_cards_that_print_it_have_faces_apart(tmp_path: Path) -> None:
    root = write_game(tmp_path, FILES)
    report = make(root, outputs=("images", "tts"))
    pictures = {name for name in contents(root / "build/en/images") if "-back" not in name}
    cards = ("share-1", "share-2", "share-3", "bond-1", "note", "none")
    assert pictures == {f"c/{card}.png" for card in cards}
    # Five fronts that differ, that of no copies, and one back for all.
    assert len(list((root / "build/.store/faces").glob("*.pdf"))) == 7, report
    (save,) = (root / "build/en/tts").glob("*.json")
    assert len(set(json.loads(save.read_text())["ObjectStates"][-1]["DeckIDs"])) == 5


@pytest.mark.parametrize(
    "instead",
    [
        "'copy' {{ 'copy' }} {{ card.name }}",
        "{% set copy = card.name %}{{ copy }}",
        "{% macro told(copy) %}{{ copy }}{% endmacro %}{{ told(copy=card.name) }}",
        "{# {{ copy }} #}",
    ],
)
def test_without_it_a_card_has_one_face_and_its_own_id(instead: str, tmp_path: Path) -> None:
    front = FRONT.replace("{{ copy }} of", instead)
    assert list(fronts(write_game(tmp_path, {**FILES, "templates/part.html": front}))) == [
        "share", "bond", "note", "none"
    ]  # fmt: skip


def test_an_id_that_a_copy_would_have_is_told(tmp_path: Path) -> None:
    deck = DECK + "  - {id: share-2, name: Other}\n"
    _, problems = rule_file.load_game(write_game(tmp_path, {**FILES, "cards/c.yaml": deck}))
    assert [str(problem) for problem in problems] == [
        "cards/c.yaml:8: error: c: the id 'share-2' is that of a copy of 'share'; change one "
        "[duplicate-id]"
    ]


def test_a_reference_means_the_first_copy(tmp_path: Path) -> None:
    deck = DECK.replace("{name: text}", "{name: text, to: {type: reference, to: c}}")
    deck = deck.replace("name: Bond", "name: Bond, to: share")
    front = FRONT.replace("{{ card.id }}", "{{ card.to.name if card.to else '' }}")
    root = write_game(tmp_path, {**FILES, "cards/c.yaml": deck, "templates/part.html": front})
    assert fronts(root)["bond-1"] == "Bond 1 of 1 Share"


def test_for_rules_and_lists_the_copies_are_one_card(cardgen: Cardgen, tmp_path: Path) -> None:
    rules = (
        "rules:\n  - {id: names, unique: c, of: name, because: each is named once}\n"
        "  - {id: three, count: c, where: id == 'share' and copies == 3, is: 3, because: of it}\n"
    )
    root = write_game(tmp_path, {**FILES, "cards/rules.yaml": rules})
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    stats = measure_deck(game.decks[0], CardDatabase(game))
    assert (stats.cards, stats.distinct_cards) == (6, 4)
    assert CardDatabase(game).card("c", "share-2") == CardDatabase(game).card("c", "share")
    told = cardgen("check", at=root)
    assert told.code == 0, told.err
    listed = [line.split("  name")[0] for line in cardgen("list", at=root).out.splitlines()[-4:]]
    assert listed == ["  3 × share", "  1 × bond", "  2 × note", "  0 × none"]


def test_copies_are_chosen_together_or_apart(cardgen: Cardgen, tmp_path: Path) -> None:
    players = "players:\n  - {id: red, name: Red, colour: '#c0392b'}\n"
    deck = DECK.replace("fields:", "for_each: player\nfields:")
    root = write_game(tmp_path, {**FILES, "game.yaml": GAME + players, "cards/c.yaml": deck})

    def pictures(card: str) -> set[str]:
        assert cardgen("build", "images", "--card", card, at=root).code == 0
        found = {name for name in contents(root / "build/en/images") if "-back" not in name}
        assert cardgen("clean", at=root).code == 0
        return found

    whole = {f"c/share-red-{number}.png" for number in (1, 2, 3)}
    assert pictures("share") == pictures("share-red") == whole
    assert pictures("share-red-2") == {"c/share-red-2.png"}


def test_a_stamp_is_that_of_the_card(cardgen: Cardgen, tmp_path: Path) -> None:
    root = write_game(tmp_path, {**FILES, ".gitignore": "build\n"})
    commit(root)
    assert cardgen("printed", at=root).code == 0
    stamp = (root / "printed.yaml").read_text().partition("share-1:")[2].split('"')[1]
    assert cardgen("which", stamp, at=root).out == f"{stamp}: share of c: current\n"


def test_another_number_of_copies_prints_the_old_ones_again(
    cardgen: Cardgen, tmp_path: Path
) -> None:
    root = write_game(tmp_path, FILES)
    assert cardgen("printed", at=root).code == 0
    edit(root, "cards/c.yaml", "copies: 3", "copies: 4")
    told = cardgen("build", "sheets", "--changed", at=root)
    assert "4 cards to print on 1 sheet of a4, 3 cards to take out of the box" in told.out
    edit(root, "templates/part.html", "of {{ card.copies }} ", "")
    assert cardgen("printed", at=root).code == 0
    edit(root, "cards/c.yaml", "copies: 4", "copies: 5")
    assert "en: 1 card to print" in cardgen("build", "sheets", "--changed", at=root).out


def test_a_table_deals_copies_as_those_of_one_card(tmp_path: Path) -> None:
    """Each seat gets one share, a third remains, and markers on a board are different copies."""
    board = (
        "deck: boards\ntitle: Boards\nsize: 100 x 60\nfront: plain.html\nfields: {name: text}\n"
        "cards: [{id: quay, name: Quay}]\n"
    )
    table = (
        "middle:\n  - {deck: boards, as: board, markers: "
        "[{card: c/share, at: [20, 30]}, {card: c/share, at: [80, 30]}]}\n"
        "seat:\n  - {deck: c, where: id == 'share', take: 1}\n"
    )
    players = "players:\n" + "".join(
        f"  - {{id: {name.lower()}, name: {name}, colour: '{colour}'}}\n"
        for name, colour in (("Red", "#c0392b"), ("Blue", "#1f5a96"))
    )
    deck = DECK.replace("copies: 3", "copies: 5")
    given = {**FILES, "game.yaml": GAME + players, "cards/c.yaml": deck}
    root = write_game(tmp_path, {**given, "cards/boards.yaml": board, "table.yaml": table})
    report = make(root, outputs=("tts",))
    assert report.problems == []
    (save,) = (root / "build/en/tts").glob("*.json")
    notes = [str(each.get("GMNotes")) for each in json.loads(save.read_text())["ObjectStates"]]
    shares = sorted(note.split()[0] for note in notes if note.startswith("c/share"))
    assert shares == ["c/share-1", "c/share-2", "c/share-3", "c/share-4"]


def test_a_deck_read_again_has_its_copies(tmp_path: Path) -> None:
    root = write_game(tmp_path, FILES)
    game, _ = rule_file.load_game(root)
    assert game is not None
    edit(root, "cards/c.yaml", "copies: 3", "copies: 2")
    edit(root, "cards/c.yaml", ", front: plain.html", "")
    found = reload.reload_deck(game, frozenset({"cards/c.yaml"}))
    assert found is not None
    ids = [piece.id for piece in found[1].pieces]
    assert ids == ["share-1", "share-2", "bond-1", "note-1", "note-2", "none"]


def test_a_place_of_a_look_prints_the_number(tmp_path: Path) -> None:
    deck = (
        "deck: notes\ntitle: Notes\nlook: banknote\nsize: 90 x 50\nfields: {value: integer}\n"
        "places: {serial: copy}\ncards: [{id: five, value: 5, copies: 12}]\n"
    )
    root = write_game(tmp_path, {"game.yaml": GAME, "cards/notes.yaml": deck})
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    templates, (notes,) = TemplateRenderer(game), game.decks
    faces = [str(templates.render_face(notes, each, "front", "en")) for each in notes.pieces]
    printed = [face.rpartition('class="serial')[2].partition(">")[2] for face in faces]
    assert [text.partition("<")[0] for text in printed] == [str(n) for n in range(1, 13)]
