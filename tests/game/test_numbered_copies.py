"""Templates that print the number of a copy: faces, ids and pictures of each one."""

from __future__ import annotations

import json
from pathlib import Path

from small_games import contents, make, write_game

from cardgen.rules import rule_file
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


def test_without_it_a_card_has_one_face_and_its_own_id(tmp_path: Path) -> None:
    front = FRONT.replace("{{ copy }} of", "'copy' {{ 'copy' }} {{ card.name }}")
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
