"""What a deck says under `style:`, and sides that are a picture. Wrong ones are in
tests/problems/look-style."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from PIL import Image
from sample_games import change, sample

from cardgen.core import colour_math, yaml_nodes
from cardgen.core.problems import Severity, Source
from cardgen.game import deck_style, fonts_file
from cardgen.game.look_places import LookContext
from cardgen.game.look_templates import FOCUS_VARIABLE
from cardgen.looks import look_catalogue, look_colours
from cardgen.rules import rule_file
from cardgen.templates.template_renderer import TemplateRenderer


def styled(root: Path, style: str, look: str = "classic", size: str = "") -> tuple[str, str]:
    """The HTML of a front and the variables of a sample's deck, with more lines in its file."""
    sample(root, look, size, languages=("en",))
    if style:
        change(root, f"look: {look}\n", f"look: {look}\n{style}\n")
    game, problems = rule_file.load_game(root)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    deck, templates = game.decks[0], TemplateRenderer(game)
    html = templates.render_face(deck, deck.pieces[0], "front", "en")
    assert [str(problem) for problem in templates.problems] == []
    return html or "", deck.look_templates[f"@{deck.id}/deck.css"]


def test_a_deck_sets_fonts_size_colours_and_choices(tmp_path: Path) -> None:
    html, css = styled(
        tmp_path,
        "style:\n"
        "  fonts: {title: fira mono}\n"
        "  text_size: 9 pt\n"
        '  colours: {paper: "#F4EAD2", ink: midnightblue, back: quay}\n'
        "  corners: square\n"
        "  title: bottom",
    )
    assert '--font-title: "Fira Mono", "Fira Sans Condensed";' in css
    assert '--font-text: "Fira Sans Condensed";' in css
    assert "--text-size: 9pt" in css
    assert 'class="text centred" data-fit="9-9"' in html
    assert "--paper: #f4ead2; --ink: #191970;" in html
    assert "--back: #8a5a2b" in html
    classes = re.findall(r'class="look ([^"]*)"', html)[0].split()
    assert {"tall", "corners-square", "title-bottom", "frame-none", "has-title"} <= set(classes)


def test_all_cards_of_a_deck_have_the_classes_of_its_longest_text(tmp_path: Path) -> None:
    sample(tmp_path, "classic", languages=("en",))
    game, _ = rule_file.load_game(tmp_path)
    assert game is not None
    templates, deck = TemplateRenderer(game), game.decks[0]
    fronts = [templates.render_face(deck, piece, "front", "en") or "" for piece in deck.pieces]
    assert len({re.findall('class="look [^"]*"', html)[0] for html in fronts}) == 1
    assert all("text-medium" in html for html in fronts)


@pytest.mark.parametrize("size", ["mini", "a4"])
def test_sizes_grow_with_the_card_and_never_under_six_points(tmp_path: Path, size: str) -> None:
    html, css = styled(tmp_path, "", size=size)
    scale = float(re.findall(r"--u: ([\d.]+)mm", css)[0])
    least, most = map(float, re.findall(r'title centred" data-fit="([\d.]+)-([\d.]+)"', html)[0])
    assert (scale < 1) == (size == "mini") == (most < 15)
    assert 6 <= least < most


def test_a_named_style_may_be_changed_and_is_the_games_before_cardgens(tmp_path: Path) -> None:
    html, css = styled(tmp_path / "a", "style: terminal")
    assert "--paper: #0d1411" in html
    assert '--font-title: "Fira Mono"' in css
    html, _ = styled(tmp_path / "b", 'style: {like: terminal, colours: {paper: "#101010"}}')
    assert "--paper: #101010; --ink: #b9f5c8" in html
    (tmp_path / "c/styles").mkdir(parents=True)
    own = 'colours: {ink: "#123456"}\ntexture: stone\n'.replace("texture: stone\n", "")
    (tmp_path / "c/styles/terminal.yaml").write_text(own)
    html, _ = styled(tmp_path / "c", "style: terminal")
    assert "--ink: #123456" in html


def test_every_style_that_comes_along_is_legible_and_they_differ() -> None:
    names = deck_style.list_styles(Path("/nowhere"))
    assert len(names) >= 8
    look = look_catalogue.load_look("classic")
    seen, told = set(), list[str]()

    def report(source: Source, message: str, kind: str, *, severity: Severity = "error") -> None:
        told.append(f"{source}: {severity}: {message} [{kind}]")

    for name in names:
        node = yaml_nodes.load(name, "x")[0]
        context = LookContext(
            ("en",), frozenset(), frozenset(), frozenset(), False, Path("/nowhere"), frozenset()
        )
        style = deck_style.read_style(node, look, context, report)
        colours = {key: colour_math.parse_hex(text[1:-1]) for key, text in style.colours.items()}
        assert told == []
        assert look_colours.contrast(colours["ink"], colours["paper"]) > 7, name
        text = fonts_file.BUILTIN_BY_NAME[style.fonts["text"][0]]
        assert {(400, "italic"), (700, "normal")} <= set(text.cuts), "texts have bold and italic"
        seen.add((*colours.values(), *style.fonts.values()))
    assert len(seen) == len(names)


def test_a_focus_says_what_stays_of_a_cropped_picture(tmp_path: Path) -> None:
    places = "places: {title: name, picture: {field: text, focus: %s}}"
    for number, (focus, css) in enumerate(
        {"top": "top", "right centre": "right center", "30% 20%": "30% 20%"}.items()
    ):
        root = sample(tmp_path / str(number), "classic", languages=("en",))
        deck = root / "cards/harbour.yaml"
        text = re.sub(r"places:\n(?:  .*\n)+", f"{places % focus}\n", deck.read_text())
        deck.write_text(text)
        game, _ = rule_file.load_game(root)
        assert game is not None
        assert f"--focus: {css};" in game.decks[0].look_templates["@harbour/deck.css"]
        # The checks know by it that nobody need be told what is cropped.
        assert FOCUS_VARIABLE in game.decks[0].look_templates["@harbour/front.html"]


def test_a_side_may_be_a_picture(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    (root / "art").mkdir()
    Image.new("RGB", (800, 600), "#1f5a96").save(root / "art/sea.png")
    change(root, "look: classic\n", "look: classic\nback: sea.png\n")
    change(root, "- id: thunderstorm\n", "- id: thunderstorm\n    front: sea.png\n")
    game, problems = rule_file.load_game(root)
    assert problems == []
    assert game is not None
    deck, templates = game.decks[0], TemplateRenderer(game)
    for piece, side in ((deck.pieces[0], "back"), (deck.pieces[5], "front")):
        html = templates.render_face(deck, piece, side, "en") or ""
        assert re.findall(r'<img .*class="bleed" src="art/sea.png"', html)
        assert "object-fit: cover" in html


def test_a_font_file_is_known_by_the_family_that_it_says_itself(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    family = fonts_file.BUILTIN_BY_NAME["Fira Mono"].find_file(400, "normal")
    assert family
    (root / "fonts").mkdir()
    font = TTFont(family)
    for number in (1, 16):
        font["name"].setName("Old Harbour", number, 3, 1, 0x409)
    font.save(root / "fonts/download (3).ttf")
    font.save(root / "fonts/download.ttf")
    (root / "fonts/broken.ttf").write_bytes(b"no font")
    change(root, "look: classic\n", "look: classic\nstyle: {fonts: {title: Old Harbour}}\n")
    game, problems = rule_file.load_game(root)
    assert sorted(map(str, problems)) == [
        "fonts/broken.ttf: warning: the file cannot be read as a font [font]",
        "fonts/download.ttf: warning: the font is Old Harbour 400 normal, as download (3).ttf is, "
        "which is used [font]",
    ]
    assert game is not None
    assert game.fonts.families[-1].files.keys() == {(400, "normal")}
    assert '--font-title: "Old Harbour"' in game.decks[0].look_templates["@harbour/deck.css"]


def test_a_texture_is_drawn_on_the_ground_of_looks_that_have_one(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    deck = root / "cards/harbour.yaml"
    plain = deck.read_text()
    for texture, drawn in {"none": 0, "linen": 1, "laid": 1}.items():
        deck.write_text(f"style: {{texture: {texture}}}\n{plain}")
        game, problems = rule_file.load_game(root)
        assert game is not None
        assert problems == []
        front = game.decks[0].look_templates["@harbour/front.html"]
        assert front.count(f'<div class="bleed paper">{{{{ pattern("{texture}"') == drawn
    deck.write_text(f"style: {{texture: linnen}}\n{plain}")
    _, (problem,) = rule_file.load_game(root)
    assert str(problem).endswith("has no texture 'linnen'; did you mean 'linen'? [fields]")


def test_a_style_file_may_begin_as_in_a_deck(tmp_path: Path) -> None:
    root = sample(tmp_path, "classic", languages=("en",))
    change(root, "look: classic\n", "look: classic\nstyle: mine\n")
    (root / "styles").mkdir()
    for text in ("text_size: 9 pt\n", "style:\n  text_size: 9 pt\n"):
        (root / "styles/mine.yaml").write_text(text)
        game, problems = rule_file.load_game(root)
        assert problems == []
        assert game is not None
        assert "--text-size: 9pt" in game.decks[0].look_templates["@harbour/deck.css"]
