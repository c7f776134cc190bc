"""`cardgen eject`: a look written down as a deck's own templates, by which its faces stay as they
are; and why a deck cannot be ejected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from sample_games import change, sample
from whole_games import typeset

from cardgen.cli.command_line import cli
from cardgen.faces.model import get_face_pdf
from cardgen.looks import look_catalogue
from cardgen.rules import rule_file
from cardgen.runtime import content_store
from cardgen.starting import ejection
from cardgen.templates import template_lint
from cardgen.templates.template_renderer import TemplateRenderer


def eject(root: Path, deck: str) -> Result:
    return CliRunner().invoke(cli, ["eject", deck, str(root)])


def check(root: Path) -> Result:
    return CliRunner().invoke(cli, ["check", str(root)])


def faces(root: Path) -> dict[str, str]:
    """Every face's HTML without the lines of its templates and the classes for which no style has a
    rule, and the styles."""
    game, problems = rule_file.load_game(root)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    templates = TemplateRenderer(game)
    found = {}
    for deck in game.decks:
        for piece in deck.pieces:
            for side in ("front", "back") if deck.back else ("front",):
                html = templates.render_face(deck, piece, side, game.languages[0]) or ""
                found[f"{deck.id}/{piece.id} {side}"] = re.sub(
                    r" data-at=[^\s>]+| has-\w+", "", html
                )
        found[deck.id] = "\n".join(
            deck.look_templates.get(name) or (root / "templates" / name).read_text(encoding="utf-8")
            for name in deck.styles
        )
    assert [str(problem) for problem in templates.problems] == []
    return found


def deck_of(root: Path) -> str:
    game, _ = rule_file.load_game(root)
    assert game is not None
    return game.decks[0].id


@pytest.mark.parametrize("look", look_catalogue.list_looks())
def test_what_is_ejected_looks_as_before(look: str, tmp_path: Path) -> None:
    root = sample(tmp_path, look)
    before, deck = faces(root), deck_of(root)
    result = eject(root, deck)
    assert result.exit_code == 0, result.stderr
    names = sorted(path.name for path in (root / "templates").iterdir())
    drawings = look_catalogue.load_look(look).drawings
    assert names == sorted([f"{deck}-back.html", f"{deck}.css", f"{deck}.html", *drawings])
    text = (root / f"cards/{deck}.yaml").read_text(encoding="utf-8")
    assert "look:" not in text
    assert "\nplaces:" not in text
    assert f"\nfront: {deck}.html\n" in text
    assert faces(root) == before
    own = {name: (root / "templates" / name).read_text(encoding="utf-8") for name in names}
    pages = {name: page for name, page in own.items() if name.endswith(".html")}
    assert [*template_lint.find_unstyled_classes(pages, [own[f"{deck}.css"]])] == []


def test_its_faces_are_the_same_to_the_byte(tmp_path: Path) -> None:
    def pdfs(root: Path, scratch: Path) -> dict[str, bytes]:
        (root / "fonts/node_modules").mkdir(parents=True)
        chosen, kept = typeset(root, scratch, ("fi",), lambda found: found[:2])
        return {
            f"{face.piece.id} {face.side}": content_store.read_entry(get_face_pdf(face, kept).path)
            for face in chosen.faces
        }

    plain = sample(tmp_path / "plain", "text")
    own = sample(tmp_path / "own", "text")
    assert eject(own, "news").exit_code == 0
    before = pdfs(plain, tmp_path / "store")
    assert len(before) == 2
    assert pdfs(own, tmp_path / "other") == before


def test_the_fonts_of_the_look_stay_known(tmp_path: Path) -> None:
    root = sample(tmp_path / "bare", "text", languages=("en",))
    assert eject(root, "news").exit_code == 0
    assert check(root).stderr == ""
    fonts = yaml.safe_load((root / "fonts/fonts.yaml").read_text())["fonts"]
    assert {"family": "Oswald", "weights": [400, 700]} in fonts
    own = sample(tmp_path / "own", "text", languages=("en",))
    (own / "fonts").mkdir()
    (own / "fonts/fonts.yaml").write_text("fonts:\n  - family: Fira Sans Condensed\n")
    assert eject(own, "news").exit_code == 0
    assert check(own).stderr == ""
    listed = sample(tmp_path / "listed", "text", languages=("en",))
    (listed / "fonts").mkdir()
    (listed / "fonts/fonts.yaml").write_text("fonts: [{family: Fira Sans Condensed}]\n")
    assert "; add to its list: Oswald, Playfair Display, Podkova" in eject(listed, "news").stderr


def test_what_the_deck_says_besides_stays(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    path = root / "cards/harbour.yaml"
    path.write_text(path.read_text() + "# The end.\nback: none\nstyles: [more.css]\nsafe: 2\n")
    (root / "templates").mkdir()
    (root / "templates/more.css").write_text(".title { font-weight: 700 }\n")
    change(root, "size: poker\n", "size: 70 x 120\n")
    before = faces(root)
    assert eject(root, "harbour").exit_code == 0
    text = path.read_text()
    assert "size: 70 x 120\n" in text
    assert "back:" not in text
    assert "styles: [harbour.css, more.css]\n" in text
    assert "# The end.\n" in text
    assert "safe: 2" in text
    assert not (root / "templates/harbour-back.html").exists()
    assert faces(root) == before


def test_a_deck_without_declared_fields_declares_them(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text("title: Test\nlanguages: [fi]\n")
    (tmp_path / "cards/loot.yaml").write_text(
        "deck: loot\ntitle: Loot\nlook: token\ncards:\n  - {id: one, title: One, value: 1}\n"
    )
    before = faces(tmp_path)
    assert eject(tmp_path, "loot").exit_code == 0
    assert "value: string" in (tmp_path / "cards/loot.yaml").read_text()
    assert faces(tmp_path) == before


def test_why_not(tmp_path: Path) -> None:
    root = sample(tmp_path, "token")
    there = root / "templates/tokens.css"
    there.parent.mkdir()
    there.write_text("p { color: red }\n")
    said = (root / "cards/tokens.yaml").read_bytes()
    refused = eject(root, "tokens")
    assert refused.exit_code == 1
    assert refused.stderr == ("error: templates/tokens.css is there already; move it away first\n")
    assert (root / "cards/tokens.yaml").read_bytes() == said
    assert there.read_text() == "p { color: red }\n"
    assert not (root / "templates/tokens.html").exists()
    there.unlink()
    assert eject(root, "tokens").exit_code == 0
    again = eject(root, "tokens")
    assert again.stderr == "error: tokens has no look; its templates are yours already\n"
    assert again.exit_code == 1
    unknown = eject(root, "token")
    assert "there is no deck 'token'; did you mean 'tokens'?" in unknown.stderr
    assert unknown.exit_code == 2


def test_a_deck_file_that_is_gone_is_told(tmp_path: Path) -> None:
    root = sample(tmp_path, "token")
    game, _ = rule_file.load_game(root)
    assert game is not None
    (root / "cards/tokens.yaml").unlink()
    with pytest.raises(ejection.EjectError, match=r"cards/tokens\.yaml is missing"):
        ejection.prepare_ejection(game.decks[0], root)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["boats", "tokens"], 0),
        (["tokens", "boats"], 0),
        (["boats"], 0),  # it has one deck
        (["tokens"], 2),  # there is no game here
        (["boats", "tokens", "more"], 2),
    ],
)
def test_game_and_deck_in_either_order(
    words: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(tmp_path / "boats", "token")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["eject", *words]).exit_code == code
    assert (tmp_path / "boats/templates/tokens.html").exists() == (code == 0)


def test_the_folder_one_is_in_is_no_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = sample(tmp_path / "boats", "token")
    monkeypatch.chdir(root)
    assert CliRunner().invoke(cli, ["eject", "."]).exit_code == 0
    assert (root / "templates/tokens.html").exists()


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        ("title:\n  en: D\ndeck: d\nlike: k\nfields: {name: text}\ncards: [{id: a, name: A}]\n", 0),
        ("{deck: d, title: D, look: classic, fields: {name: text}, cards: [{id: a, name: A}]}", 1),
        (
            '"deck": d\n"title": D\n"look": classic\n"fields": {name: text}\n'
            '"cards": [{id: a, name: A}]\n',
            1,
        ),
    ],
)
def test_a_deck_is_left_as_it_is_where_it_cannot_be_written_anew(
    deck: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text("title: G\nlanguages: [en]\n")
    (tmp_path / "cards/k.yaml").write_text("kind: k\nlook: classic\nplaces: {title: name}\n")
    (tmp_path / "cards/d.yaml").write_text(deck)
    assert eject(tmp_path, "d").exit_code == code
    _, problems = rule_file.load_game(tmp_path)
    assert [str(problem) for problem in problems if problem.severity == "error"] == []
    if code:
        assert (tmp_path / "cards/d.yaml").read_text() == deck
        assert not (tmp_path / "templates").exists()
