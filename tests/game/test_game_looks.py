"""Looks of a game, below looks/: copied from one that comes with cardgen, and changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from sample_games import change, sample

from cardgen.cli.command_line import cli
from cardgen.game import game_looks, loader
from cardgen.rules import rule_file
from cardgen.templates.template_renderer import TemplateRenderer

CORNER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path fill="var(--accent)" stroke="var(--unknown)" d="M0 0h9L0 9z"/></svg>'
)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    return result.stdout + result.stderr


def copied(root: Path) -> Path:
    """A sample whose deck has a copy of its look."""
    sample(root, "classic", languages=("en",))
    run("looks", "--new", "mine", "--from", "classic", str(root))
    change(root, "look: classic\n", "look: mine\n")
    return root


def fronts(root: Path) -> tuple[str, TemplateRenderer]:
    game, problems = rule_file.load_game(root)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    templates, deck = TemplateRenderer(game), game.decks[0]
    return templates.render_face(deck, deck.pieces[0], "front", "en") or "", templates


def test_a_copy_looks_as_what_it_was_copied_from_and_is_not_written_over(tmp_path: Path) -> None:
    before, _ = fronts(sample(tmp_path / "a", "classic", languages=("en",)))
    after, _ = fronts(copied(tmp_path / "b"))
    assert after == before
    assert "already exists" in run("looks", "--new", "mine", str(tmp_path / "b"))


def test_a_drawing_of_a_look_has_the_colours_of_the_card(tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / "looks/mine/corner.svg").write_text(CORNER)
    with (root / "looks/mine/front.html").open("a") as file:
        file.write('<div class="corner">{{ drawing("corner.svg") }}</div>\n')
    html, templates = fronts(root)
    assert "drawn/corner-" in html
    (svg,) = (svg for name, (_, svg) in templates.drawings.items() if "corner" in name)
    assert b'fill="#1f5a7a"' in svg
    assert b'stroke="var(--unknown)"' in svg


def test_mistakes_are_told_at_the_files_of_the_look(tmp_path: Path, one_process: None) -> None:
    root = copied(tmp_path)
    change(root, "{{ place.footer }}", "{{ place.foot }}", "looks/mine/front.html")
    change(root, 'class="type line caps"', 'class="typ line caps"', "looks/mine/front.html")
    change(root, "{{ place.title }}", "{{ place.titel }}", "looks/mine/front.html")
    with (root / "looks/mine/look.css").open("a") as file:
        file.write(".x { colour: red }\n")
    lines = len((root / "looks/mine/look.css").read_text().splitlines())
    told = run("check", str(root))
    assert "looks/mine/front.html:9: error: " in told
    assert "a namespace has no 'titel'" in told
    assert f"looks/mine/look.css:{lines}: warning: harbour: 'colour: red' is ignored" in told


def test_what_a_strangers_look_says_reaches_no_template_unchecked(tmp_path: Path) -> None:
    root = copied(tmp_path)
    said = {
        "title": "Mine", "size": "huge", "least": "much",
        "offers": {"title": ["top", '"><script>'], "corners": "round"},
        "places": {"a b": {"kind": "text"}, "title": {"kind": "texts"}, "text": ["x"]},
        "style": {"colours": {"back": "}} {{ 7 * 7 }}"}, "fonts": {"title": '"; } x {'}},
        "scripts": [],
    }  # fmt: skip
    (root / "looks/mine/look.yaml").write_text(json.dumps(said, indent=1))
    game, problems = rule_file.load_game(root)
    told = "\n".join(str(problem) for problem in problems if "looks/" in problem.source.path)
    for part in ("'scripts'", "size is 'huge'", "least is 'much'", "title is a list",
                 "corners is 'round'", "not 'a b'", "kind is 'texts'; did you mean 'text'?",
                 "the place text is written", "no colour", "the game has no font"):  # fmt: skip
        assert part in told, part
    assert game is not None
    written = "\n".join(game.decks[0].look_templates.values())
    assert "script" not in written
    assert "7 * 7" not in written
    assert '"; }' not in written


LINE = '<div class="title" data-fit="7-15">'


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("look.yaml", None, "- a\n", "look.yaml:1: error: harbour: the look is a list; expected"),
        ("look.yaml", "kind: text", "kind: [text]", "kind is a list"),
        ("look.yaml", "pattern: rings", "pattern: [rings]", "pattern is a list"),
        ("look.yaml", "colours: {", "colours: 5\n  other: {", "colours is 5; expected {"),
        ("look.yaml", "colours: {", "colours: {a b: red, ", "a look has no 'a b' in its colours"),
        ("look.yaml", "offers: {", "offers: {fonts: [a], ", "every look has fonts; choose another"),
        ("front.html", LINE, LINE.replace("7-15", "1.2.3-4"), "data-fit is '1.2.3-4'; write"),
        ("front.html", LINE, LINE.replace("7-15", ".-."), "data-fit is '.-.'; write"),
    ],
)
@pytest.mark.usefixtures("one_process")
def test_a_value_of_another_kind_is_told_at_the_look(
    file: str, old: str | None, new: str, message: str, tmp_path: Path
) -> None:
    root = copied(tmp_path)
    path = root / "looks/mine" / file
    text = path.read_text()
    if old == LINE:
        text += f"{LINE}</div>\n"
    assert old is None or old in text
    path.write_text(new if old is None else text.replace(old, new, 1))
    assert message in run("check", str(root))


def test_files_of_looks_and_styles_are_the_games(tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / "styles").mkdir()
    (root / "styles/night.yaml").write_text("text_size: 9\n")
    found = loader.scan_game_files(root)
    assert {"looks/mine/front.html", "styles/night.yaml"} <= found.keys()
    (root / "looks/other").mkdir()
    (root / "looks/other/mylook.yaml").write_text("no: look\n")
    assert "mine" in game_looks.list_looks(root)
    assert "other" not in game_looks.list_looks(root)
    (root / "styles/Night.yaml").write_text("text_size: 12\n")
    told = run("check", str(root))
    assert "styles/night.yaml: error: styles/Night.yaml has the same name on Windows" in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "styles/s.yaml:1: error: harbour: the style is a list; expected KEY: VALUE"),
        ("5\n", "the style is 5; expected KEY: VALUE"),
        ("corners: [round]\n", "no look has corners a list; known: round, square"),
        ("frame: gilded\n", "no look has frame 'gilded'; known:"),
        ("mine: b\n", ""),
        ("text_size: '٩ pt'\n", "text_size is '٩ pt'; expected auto"),
        ("colours: {accent: back, back: accent}\n", "no colour 'back', which is this one again"),
    ],
)
def test_a_named_style_is_held_to_what_looks_offer(
    text: str, message: str, tmp_path: Path, one_process: None
) -> None:
    root = copied(tmp_path)
    change(root, "offers: {", "offers: {mine: [a, b], ", "looks/mine/look.yaml")
    change(root, "look: mine\n", "look: mine\nstyle: s\n")
    (root / "styles").mkdir()
    (root / "styles/s.yaml").write_text(text)
    (root / "looks/broken").mkdir()
    (root / "looks/broken/look.yaml").write_text("- no look\n")
    told = run("check", str(root))
    assert message in told
    assert bool(message) is ("styles/s.yaml" in told)


def test_an_ejected_look_names_fields_and_keeps_the_style(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    change(root, "look: classic\n", "look: classic\nstyle: {title: top, colours: {back: plum}}\n")
    before, _ = fronts(root)
    run("eject", str(root))
    html, _ = fronts(root)
    written = (root / "templates/harbour.html").read_text()
    assert "{{ card.name }}" in written
    assert "place.icon" not in written
    assert "style:" not in (root / "cards/harbour.yaml").read_text()

    def plain(face: str) -> str:
        return " ".join(re.sub(r" (?:data-at=\S+|has-\w+)", "", face).split())

    assert plain(html) == plain(before)
