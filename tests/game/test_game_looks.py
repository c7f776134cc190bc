"""Looks of a game, below looks/: copied from one that comes with cardgen, and changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner
from sample_games import change, sample

from cardgen.cli.command_line import cli
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
    assert "looks/mine/front.html:6: error: " in told
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
