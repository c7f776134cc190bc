"""What stands in the places of a look: every form that `places:` has, and words meant to break out
of it. What is told of wrong ones stands in tests/problems/look-*."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cardgen.looks import look_catalogue
from cardgen.rules import rule_file, unused_fields
from cardgen.templates.template_renderer import TemplateRenderer

GAME: dict[str, Any] = {
    "game": "test",
    "title": {"en": "Test", "fi": "Koe"},
    "languages": ["en", "fi"],
    "colours": {"sea": "#1f5a96", "rust": "#a4492b"},
    "words": {"sailors": {"en": "Sailors", "fi": "Merimiehiä"}},
    "players": [{"id": "red", "name": {"en": "Red", "fi": "Punainen"}, "colour": "#c0392b"}],
}
FIELDS: dict[str, Any] = {
    "name": "text",
    "note": "string",
    "cash": "integer",
    "sort": {"type": "choice", "of": ["ship", "quay"]},
    "open": "boolean",
    "goods": {"type": "list", "of": "string"},
    "crew": {"type": "record", "fields": {"sailors": "integer", "first_mate": "string"}},
    "ground": "colour",
    "mark": "icon",
}
TUG = {"id": "tug", "name": {"en": "Tug", "fi": "Hinaaja"}, "sort": "ship"}
ODD = [
    "two words",
    "it's",
    'a"b',
    "a}} {{ 7 * 7",
    "a %} b",
    "ä",
    "items",
    "class",
    "a-b",
    "_a",
    "{#",
]
# Words by which one would break out of a template, a tag, a style or a literal.
BREAKING = [
    "{{ 7 * 7 }}", "{% if %}", "{# x", "#}", "%}", "}}", '"', "'", "\\", "\\u007b", "\\x41",
    "\\\\\"", "</div><script>", '"><img src=x>', "<b>", "&amp;", "${7}", "a\u2028b",
    "a\nb", "{{ game }}\\",
]  # fmt: skip


def written(
    root: Path, look: str, cards: list[dict[str, Any]], places: Any = None,
    fields: dict[str, Any] | None = None, **deck: Any,
) -> Path:  # fmt: skip
    """A game of one deck; JSON is YAML."""
    said = {
        "deck": "loot", "title": {"en": "Loot", "fi": "Saalis"}, "look": look,
        "fields": FIELDS if fields is None else fields, **deck,
        **({} if places is None else {"places": places}), "cards": cards,
    }  # fmt: skip
    (root / "cards").mkdir(parents=True)
    (root / "art/icons").mkdir(parents=True)
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
    (root / "art/icons/anchor.svg").write_text(icon)
    (root / "game.yaml").write_text(json.dumps(GAME), encoding="utf-8")
    (root / "cards/loot.yaml").write_text(json.dumps(said, indent=1), encoding="utf-8")
    return root


def front(root: Path, card: str = "tug", language: str = "en") -> str:
    """The HTML of a front, of a game that nothing is wrong with."""
    game, problems = rule_file.load_game(root)
    assert [str(each) for each in problems if "is printed in every language" not in str(each)] == []
    assert game is not None
    templates = TemplateRenderer(game)
    piece = next(piece for piece in game.decks[0].pieces if piece.id == card)
    rendered = templates.render_face(game.decks[0], piece, "front", language)
    assert [str(p) for p in templates.problems if p.severity == "error"] == []
    return rendered or ""


def words(text: str) -> str:
    """What of a face is words, as a reader sees it."""
    return html.unescape(" ".join(re.sub("<[^>]*>", " ", text).split()))


def test_fields_go_where_they_are_called_so_and_where_places_says(tmp_path: Path) -> None:
    card = {**TUG, "note": "Small", "cash": 3, "crew": {"sailors": 5}}
    assert words(front(written(tmp_path / "a", "classic", [card]))) == "Tug"
    places = {"text": "note", "cost": "cash", "left": "crew.sailors", "right": "crew.first_mate"}
    assert words(front(written(tmp_path / "b", "classic", [card], places))) == "Tug Small 3 5"
    # A record that is left out leaves its place empty.
    assert words(front(written(tmp_path / "c", "classic", [TUG], places))) == "Tug"


@pytest.mark.parametrize("nothing", [False, None])
def test_a_place_is_left_empty_by_saying_so(tmp_path: Path, nothing: object) -> None:
    root = written(tmp_path / "a", "classic", [TUG], {"title": nothing, "picture": nothing})
    assert words(front(root)) == ""
    assert "placeholder" in front(root)


def test_a_deck_that_declares_no_fields_has_those_of_its_look(tmp_path: Path) -> None:
    card = {"id": "tug", "title": {"en": "Tug", "fi": "Hinaaja"}, "cost": 2}
    root = written(tmp_path, "classic", [card], fields={})
    text = (root / "cards/loot.yaml").read_text()
    (root / "cards/loot.yaml").write_text(text.replace('"fields": {},', ""))
    assert words(front(root)) == "Tug 2"
    assert words(front(root, language="fi")) == "Hinaaja 2"


def test_words_may_be_the_same_on_every_card_and_hang_on_a_field(tmp_path: Path) -> None:
    places = {
        "type": {"by": "sort", "values": {"ship": {"en": "Ship", "fi": "Laiva"}}, "else": "–"},
        "text": {"text": {"en": "Ahoy", "fi": "Ohoi"}},
        "footer": {"text": "No. 1"},
        "cost": {"by": "open", "values": {"true": "I", "false": "O"}},
        "left": {"by": "cash", "values": {"3": "III"}},
        "right": {"by": "crew.sailors", "values": {"5": "V"}, "else": "?"},
        "flavour": {"by": "sort", "values": {"ship": None, "quay": "Still"}},
    }
    tug = {**TUG, "open": True, "cash": 3, "crew": {"sailors": 5}}
    pier = {"id": "pier", "name": {"en": "Pier", "fi": "Laituri"}, "sort": "quay"}
    root = written(tmp_path, "classic", [tug, pier, {"id": "bare", "name": TUG["name"]}], places)
    assert words(front(root)) == "Tug Ship Ahoy No. 1 I III V"
    assert words(front(root, language="fi")) == "Hinaaja Laiva Ohoi No. 1 I III V"
    assert words(front(root, "pier")) == "Pier – Ahoy Still No. 1 O ?"
    assert words(front(root, "bare")) == "Tug – Ahoy No. 1 O ?"


def test_words_that_are_one_languages_are_told_where_there_are_several(tmp_path: Path) -> None:
    places = {
        "type": {"by": "sort", "values": {"ship": "Still", "quay": "III"}, "else": "★ 12"},
        "text": {"text": {"en": "Ahoy", "fi": "Ohoi"}},
        "footer": {"text": "No. 1"},
    }
    _, problems = rule_file.load_game(written(tmp_path, "classic", [TUG], places))
    assert [(each.severity, each.message) for each in problems] == [
        ("warning", "'Still' is printed in every language; for one each: {en: …, fi: …}")
    ]


def test_values_are_a_record_or_several_fields_each_with_its_name(tmp_path: Path) -> None:
    tug = {**TUG, "cash": 0, "note": "x", "crew": {"sailors": 5, "first_mate": "Ann"}}
    whole = written(tmp_path / "a", "values", [tug], {"values": "crew"})
    assert words(front(whole)) == "Tug Sailors 5 First mate Ann"
    assert words(front(whole, language="fi")) == "Hinaaja Merimiehiä 5 First mate Ann"
    some = written(tmp_path / "b", "values", [tug], {"values": ["cash", "crew.first_mate", "note"]})
    assert words(front(some)) == "Tug Cash 0 First mate Ann Note x"
    listed = written(
        tmp_path / "c", "values", [{**TUG, "goods": ["Speed: 3"]}], {"values": "goods"}
    )
    assert words(front(listed)) == "Tug Speed 3"
    assert words(front(written(tmp_path / "d", "values", [TUG], {"values": "crew"}))) == "Tug"


def test_tracks_are_a_list_several_fields_or_the_same_on_every_card(tmp_path: Path) -> None:
    tracks = {"name": "text", "coal": "string", "tea": "string"}
    card = {**TUG, "coal": "Coal: 1-3", "tea": "Tea: a, b"}
    card.pop("sort")
    several = written(tmp_path / "a", "board", [card], {"tracks": ["coal", "tea"]}, tracks)
    assert words(front(several)) == "Tug Coal 1 2 3 Tea a b"
    one = written(
        tmp_path / "b", "board", [{**card, "tea": ""}], {"tracks": ["coal", "tea"]}, tracks
    )
    assert words(front(one)) == "Tug Coal 1 2 3"
    same = written(tmp_path / "c", "board", [card], {"tracks": {"text": "Coal: 4-5"}}, tracks)
    assert words(front(same)) == "Tug Coal 4 5"


def test_the_accent_is_a_colour_a_field_the_players_or_the_looks(tmp_path: Path) -> None:
    def ground(number: int, places: Any, *, card: str = "tug", **more: Any) -> str:
        cards = [{**TUG, **more.pop("values", {})}]
        root = written(tmp_path / str(number), "token", cards, places, **more)
        found = re.search(r"--accent: (#\w+)", front(root, card))
        assert found
        return found[1]

    usual = look_catalogue.load_look("token").colours["accent"]
    assert ground(1, None) == usual
    assert ground(2, {"accent": "sea"}) == "#1f5a96"
    assert ground(3, {"accent": "#ABCDEF"}) == "#abcdef"
    assert ground(4, {"accent": "ground"}) == usual
    assert ground(5, {"accent": "ground"}, values={"ground": "rust"}) == "#a4492b"
    by = {"by": "sort", "values": {"ship": "sea"}, "else": "#000000"}
    assert ground(6, {"accent": by}) == "#1f5a96"
    assert ground(7, {"accent": by}, values={"sort": "quay"}) == "#000000"
    assert ground(8, None, card="tug-red", for_each="player") == "#c0392b"
    assert ground(9, {"accent": "sea"}, card="tug-red", for_each="player") == "#1f5a96"


def test_the_games_ink_paper_and_accent_go_before_the_looks(tmp_path: Path) -> None:
    root = written(tmp_path, "text", [{**TUG, "note": "Hm"}], {"text": "note"})
    own = {**GAME, "colours": {"ink": "#101112", "paper": "#f0f1f2", "accent": "#604020"}}
    tints = look_catalogue.load_look("text").colours
    before = front(root)
    assert f"--ink: {tints['ink']}" in before
    assert f"--accent: {tints['accent']}" in before
    (root / "game.yaml").write_text(json.dumps(own))
    after = front(root)
    assert "--ink: #101112" in after
    assert "--accent: #604020" in after
    assert tints["ink"] not in after


def test_an_icon_is_a_field_or_hangs_on_one(tmp_path: Path) -> None:
    for number, places in enumerate(
        (
            {"icon": "mark"},
            {"icon": "anchor"},
            {"icon": {"by": "sort", "values": {"ship": "anchor"}}},
        )
    ):
        root = written(tmp_path / str(number), "text", [{**TUG, "mark": "anchor"}], places)
        assert "icon-anchor" in front(root)


def test_a_card_with_a_template_of_its_own_has_no_look(tmp_path: Path) -> None:
    root = written(tmp_path, "classic", [{**TUG, "front": "own.html"}, {**TUG, "id": "pier"}])
    (root / "templates").mkdir()
    (root / "templates/own.html").write_text("<p>{{ card.name }}!</p>")
    assert words(front(root)) == "Tug!"
    assert words(front(root, "pier")) == "Tug"


@pytest.mark.parametrize("name", ODD)
def test_a_field_may_be_called_anything(tmp_path: Path, name: str) -> None:
    fields = {"name": "text", name: "string"}
    card = {"id": "tug", "name": TUG["name"], name: "Ahoy {{ 7 * 7 }}"}
    root = written(tmp_path / "a", "classic", [card], {"text": name, "cost": name}, fields)
    assert words(front(root)) == "Tug Ahoy {{ 7 * 7 }} Ahoy {{ 7 * 7 }}"
    inner = {"name": "text", "crew": {"type": "record", "fields": {name: "string"}}}
    card = {"id": "tug", "name": TUG["name"], "crew": {name: "Ann"}}
    root = written(tmp_path / "b", "values", [card], {"values": "crew"}, inner)
    label, value = re.findall(r"<div[^>]* class=\"(label|value)\b", front(root))
    assert (label, value) == ("label", "value")
    assert words(front(root)).endswith(" Ann")


@pytest.mark.parametrize("text", BREAKING)
def test_no_words_break_out_of_a_template(tmp_path: Path, text: str) -> None:
    fields = {"name": "text", "note": "string"}
    card = {"id": "tug", "name": TUG["name"], "note": text}
    shown = " ".join(text.split())
    places = {
        "type": {"text": text}, "text": "note", "footer": {"by": "note", "values": {text: text}},
    }  # fmt: skip
    root = written(tmp_path, "classic", [card], places, fields)
    found = front(root)
    assert words(found) == f"Tug {shown} {shown} {shown}"
    assert "<script" not in found
    assert "<img src=x" not in found


def test_a_field_without_a_place_is_told(tmp_path: Path) -> None:
    """That a look has a place of that name is no mention of the field."""
    root = written(tmp_path, "text", [{**TUG, "cash": 3}], {"type": False})
    game, _ = rule_file.load_game(root)
    assert game is not None
    told = {problem.message.split("'")[1] for problem in unused_fields.find_unused_fields(game)}
    assert told == {"note", "cash", "sort", "open", "goods", "crew", "ground", "mark"}


def test_what_another_look_calls_otherwise_finds_its_place(tmp_path: Path) -> None:
    """`cost` of classic is `number` in noir; a deck that changes its look keeps what it says."""
    card = {**TUG, "cash": 3, "note": "Hm"}
    places = {"cost": "cash", "flavour": "note"}
    assert "Tug" in words(front(written(tmp_path / "a", "noir", [card], places)))
    assert re.search(r"\b3\b", words(front(written(tmp_path / "b", "noir", [card], places))))
    root = written(tmp_path / "c", "tarot", [card], places)
    _, problems = rule_file.load_game(root)
    assert [(each.severity, each.message.partition(";")[0]) for each in problems] == [
        ("warning", "the look tarot has no place 'cost'")
    ]
