"""Every look: its sample builds in several sizes and languages, and its pictures are one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from PIL import Image
from sample_games import change, sample

from cardgen.cli.command_line import cli
from cardgen.looks import look_catalogue
from cardgen.rules import rule_file
from cardgen.starting import starter_files
from cardgen.templates.template_renderer import TemplateRenderer

# A size that is small, the look's own, and one that is large and of another shape.
SIZES = {
    "board": ("a6 landscape", "", "a4"),
    "counter": ("12.7 x 12.7", "", "25 x 20"),
    "score": ("a6 landscape", "", "a5"),
}
LANDSCAPE = ("mini", "", "jumbo landscape")
TRIED = [
    (look, size) for look in look_catalogue.list_looks() for size in SIZES.get(look, LANDSCAPE)
]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3z"/></svg>'


def check(root: Path) -> Result:
    return CliRunner().invoke(cli, ["check", str(root)])


def faces(root: Path) -> dict[str, str]:
    """The HTML of every face of a game in its first language, by card and side; no problem."""
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    templates = TemplateRenderer(game)
    found = {
        f"{piece.id} {side}": templates.render_face(deck, piece, side, game.languages[0])
        for deck in game.decks
        for piece in deck.pieces
        for side in ("front", "back")
    }
    assert [str(problem) for problem in templates.problems] == []
    return {name: html or "" for name, html in found.items()}


def pictures(html: str) -> list[str]:
    return [src for src in re.findall(r'<img[^>]* src="([^"]*)"', html) if "art/" in src]


@pytest.mark.parametrize(("look", "size"), TRIED)
def test_a_sample_builds_with_no_problem(
    look: str, size: str, tmp_path: Path, one_process: None
) -> None:
    result = check(sample(tmp_path, look, size))
    assert result.stderr == ""
    assert result.stdout.rstrip().endswith("; no problems")


def test_a_card_with_little_or_a_long_title_keeps_from_the_edges(
    tmp_path: Path, one_process: None
) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    deck = root / "cards/harbour.yaml"
    long = "The Exceedingly Old and Rather Leaky Birchwood Bucket of the Neighbours"
    more = ({"name": "Bare"}, {"name": "Dear", "cost": 3}, {"name": long, "text": "Short."})
    (root / "cards/rules.yaml").unlink()
    with deck.open("a", encoding="utf-8") as file:
        file.writelines(f"  - {json.dumps({'kind': 'quay', **card})}\n" for card in more)
    assert check(root).stderr == ""


@pytest.mark.parametrize("look", look_catalogue.list_looks())
@pytest.mark.parametrize("other", [1, 3])
def test_at_its_least_size_a_look_can_be_drawn(look: str, other: int, tmp_path: Path) -> None:
    """Whether words fit is another matter: nothing measures less than nothing, and no text is
    asked to be larger than it may be."""
    least = look_catalogue.load_look(look).min_side
    for number, size in enumerate((f"{least} x {least * other}", f"{least * other} x {least}")):
        for face, html in faces(sample(tmp_path / str(number), look, size, ("en",))).items():
            wrong = re.findall(r'(?:width|height|padding|radius): -[^;"]*', html)
            sizes = re.findall(r'data-fit="([0-9.]+)-([0-9.]+)"', html)
            assert wrong == [], face
            assert [pair for pair in sizes if float(pair[0]) > float(pair[1])] == [], face


@pytest.mark.parametrize("look", look_catalogue.list_looks())
def test_a_sample_is_short_and_in_every_language_that_books_have(look: str, tmp_path: Path) -> None:
    root = sample(tmp_path, look, languages=("en", "fi", "ru"))
    game, problems = rule_file.load_game(root)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    assert len(game.decks) == 1
    assert 3 <= len(game.decks[0].pieces) <= 10
    assert len((root / f"cards/{game.decks[0].id}.yaml").read_text().splitlines()) < 140
    own = yaml.safe_load(
        (look_catalogue.LOOKS_FOLDER / look / "sample.yaml").read_text(encoding="utf-8")
    )

    def texts(value: object) -> list[dict[str, str]]:
        if isinstance(value, dict):
            here = [value] if "en" in value else []
            return here + [text for child in value.values() for text in texts(child)]
        return [text for child in value for text in texts(child)] if isinstance(value, list) else []

    assert len(texts(own)) > 10
    assert [text for text in texts(own) if set(text) != {"en", "fi", "ru"}] == []


def test_a_rulebook_says_what_its_sample_says_and_else_the_usual() -> None:
    usual = starter_files.format_rulebook("en", "Try", ["ships"], {})
    assert 'Shuffle the {{ count("ships") }} cards' in usual
    assert "1. Draw a card." in usual
    said = {"setup": "Take {count} of it.", "turn": ["Sit.", "Wait."]}
    own = starter_files.format_rulebook("en", "Try", ["ships"], said)
    assert 'Take {{ count("ships") }} of it.' in own
    assert "1. Sit.\n2. Wait.\n" in own
    assert "Draw a card" not in own
    assert "When the last card is drawn" in own
    assert "Alkuvalmistelut" in starter_files.format_rulebook("fi", "Koe", ["ships"], {})
    assert starter_files.format_rulebook("sv", "Try", ["ships"], {}) == usual


def test_words_are_in_the_languages_asked_for_and_english_stands_in(tmp_path: Path) -> None:
    def read(root: Path, name: str) -> Any:
        return yaml.safe_load((root / name).read_text(encoding="utf-8"))

    one = sample(tmp_path / "one", "values", languages=("fi",))
    assert read(one, "game.yaml")["words"]["speed"] == "Nopeus"
    two = sample(tmp_path / "two", "values", languages=("sv", "fi-FI"))
    assert read(two, "game.yaml")["words"]["speed"] == {"sv": "Speed", "fi-FI": "Nopeus"}
    box, rule = read(one, "cards/rules.yaml")["rules"]
    assert rule["because"] == "mikään laiva ei ole sekä nopea että suuri"
    assert box["section"] == rule["section"] == "Alkuvalmistelut"


def test_all_backs_of_a_deck_are_one(tmp_path: Path) -> None:
    """A back that told its card apart would spoil a game in which cards lie face down."""
    for look in look_catalogue.list_looks():
        html = faces(sample(tmp_path / look, look, languages=("en",)))
        backs = {text for name, text in html.items() if name.endswith("back")}
        assert (len(backs) == 1) != look_catalogue.load_look(look).is_two_sided, look
        assert len({text for name, text in html.items() if name.endswith("front")}) > 2, look


def test_a_picture_is_found_by_its_card_or_by_a_field(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    assert pictures(faces(root)["tug front"]) == []
    (root / "art/harbour").mkdir(parents=True)
    Image.new("RGB", (800, 600), "#1f5a96").save(root / "art/harbour/tug.png")
    (root / "art/harbour/ferry.svg").write_text(SVG)
    (root / "art/sea.svg").write_text(SVG)
    change(root, "flavour: text\n\n", "flavour: text\n  art: string\n\n")
    change(root, "  title: name\n", "  title: name\n  picture: art\n")
    change(root, "- id: thunderstorm\n", "- id: thunderstorm\n    art: sea.svg\n")
    html = faces(root)
    assert pictures(html["tug front"]) == ["art/harbour/tug.png"]
    assert pictures(html["ferry front"]) == ["art/harbour/ferry.svg"]
    assert pictures(html["thunderstorm front"]) == ["art/sea.svg"]
    assert pictures(html["old-crane front"]) == []
    assert 'src="drawn/placeholder-' in html["old-crane front"]


def test_a_picture_that_is_not_there_is_told_at_the_card(tmp_path: Path, one_process: None) -> None:
    root = sample(tmp_path, "tarot", languages=("en",))
    (root / "art").mkdir()
    (root / "art/pilots.svg").write_text(SVG)
    change(root, "\n  text: text\n\n", "\n  text: text\n  art: string\n\n")
    change(root, "  title: name\n", "  title: name\n  picture: art\n")
    change(root, "- {id: lantern, ", "- {id: lantern, art: pilot.svg, ")
    line = (root / "cards/tides.yaml").read_text().split("id: lantern")[0].count("\n") + 1
    assert check(root).stderr == (
        f"cards/tides.yaml:{line}: error: tides/lantern [en] front: no picture 'pilot.svg' in "
        "art/; did you mean 'pilots.svg'? (picture, a place of the look tarot) [template]\n"
    )


@pytest.mark.parametrize("look", look_catalogue.list_looks())
def test_a_stylesheet_names_no_side_but_start_and_end(look: str) -> None:
    css = look_catalogue.load_look(look).read_file("look.css")
    assert re.findall(r"(?<![\w-])(?:(?:left|right)\s*:|text-align:\s*(?:left|right))", css) == []
    assert "inset-inline" in css
