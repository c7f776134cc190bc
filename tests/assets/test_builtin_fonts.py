"""The families that come with cardgen: for games that name none, and by their names."""

from __future__ import annotations

from pathlib import Path

import pyphen
import pytest
from click.testing import CliRunner
from conftest import ROOT
from fontTools.ttLib import TTFont

from cardgen.assets import game_fonts
from cardgen.cli.command_line import cli
from cardgen.game import fonts_file
from cardgen.game.fonts_file import BUILTIN_FAMILIES, BUILTIN_FONTS_FOLDER
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

BASIC = [family for family in BUILTIN_FAMILIES if family.is_basic]
BODY, TITLE, CODE, SYMBOLS = BASIC
GAME = {
    "game.yaml": "title: Small\nlanguages: [en]\n",
    "cards/loot.yaml": "deck: loot\ntitle: Loot\nsize: poker\nfront: loot.html\n"
    "cards: [{id: one}]\n",
    "templates/loot.html": "<p>One</p>\n",
}


DICTIONARIES = Path(pyphen.__file__).parent / "dictionaries"


def problems_of(root: Path, fonts: str) -> list[str]:
    (root / "fonts").mkdir(exist_ok=True)
    (root / "fonts/fonts.yaml").write_text(fonts)
    _, problems = fonts_file.load_fonts(root, ("en",))
    return [str(problem) for problem in problems]


def families_of(root: Path) -> list[tuple[str, list[tuple[int, str]]]]:
    found, problems = fonts_file.load_fonts(root, ("en",))
    assert problems == []
    return [(family.name, sorted(family.files)) for family in found.families]


def test_a_game_without_fonts_has_the_basic_ones_the_text_first(tmp_path: Path) -> None:
    assert families_of(tmp_path) == [(family.name, sorted(family.cuts)) for family in BASIC]


def test_a_style_names_any_of_them_whether_fonts_are_listed_or_not(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text("title: Small\nlanguages: [en]\n")
    deck = tmp_path / "cards/loot.yaml"
    for number, family in enumerate(("", f"family: {BODY.name}")):
        if family:
            (tmp_path / "fonts").mkdir()
            (tmp_path / "fonts/fonts.yaml").write_text(f"fonts: [{{{family}}}]\n")
        deck.write_text(
            "deck: loot\ntitle: Loot\nlook: text\nstyle: {fonts: {title: alegreya sc 800}}\n"
            "cards: [{id: one, title: One, text: A word}]\n"
        )
        result = CliRunner().invoke(cli, ["check", str(tmp_path)])
        assert (result.exit_code, result.stderr) == (0, ""), number
        game, _ = rule_file.load_game(tmp_path)
        assert game is not None
        assert "Alegreya SC" in [family.name for family in game.fonts.families]
        style = game.decks[0].look_templates["@loot/deck.css"]
        assert '--font-title: "Alegreya SC"' in style
        assert "--weight-title: 800;" in style
        assert "Oswald" not in [family.name for family in game.fonts.families]


def test_they_are_named_without_a_package(tmp_path: Path) -> None:
    fonts = f"fonts:\n  - family: {TITLE.name}\n  - {{family: {BODY.name}, weights: [700]}}\n"
    assert problems_of(tmp_path, fonts) == []
    assert families_of(tmp_path) == [
        (TITLE.name, [(400, "normal")]),
        (BODY.name, [(700, "normal")]),
    ]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            f"family: {TITLE.name}, styles: [italic]",
            "Yeseva One comes in 400 normal, not in 400 italic; "
            'package: "@fontsource/yeseva-one" fetches others',
        ),
        (
            f"family: {TITLE.name}, subsets: [latin, greek]",
            "Yeseva One comes in latin, latin-ext, cyrillic, not in 'greek'; "
            'package: "@fontsource/yeseva-one" fetches others',
        ),
        (
            f"family: {SYMBOLS.name}, weights: [700]",
            "Symbols comes in 400 normal, not in 700 normal",
        ),
        (
            "family: Yesevo One",
            "Yesevo One 400-normal needs the file "
            "fonts/yesevo-one-400-normal.ttf; did you mean 'Yeseva One'?",
        ),
    ],
)
def test_what_does_not_come_along_is_told(tmp_path: Path, entry: str, told: str) -> None:
    said = problems_of(tmp_path, f"fonts:\n  - {{{entry}}}\n")
    assert said == [f"fonts/fonts.yaml:2: error: {told} [font]"]


def test_an_own_file_wins(tmp_path: Path) -> None:
    name = f"{fonts_file.make_family_slug(TITLE.name)}-400-normal.ttf"
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / name).write_bytes(b"theirs")
    assert problems_of(tmp_path, f"fonts: [{{family: {TITLE.name}}}]\n") == []
    found, _ = fonts_file.load_fonts(tmp_path, ("en",))
    assert found.families[0].files[400, "normal"] == (tmp_path / "fonts" / name,)


def test_a_cardgen_that_came_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts_file, "BUILTIN_FONTS_FOLDER", tmp_path / "nowhere")
    _, problems = fonts_file.load_fonts(tmp_path, ("en",))
    assert [str(problem) for problem in problems] == [
        "fonts/fonts.yaml: error: the file is missing, and this installation of cardgen has no "
        "fonts of its own; name the fonts to use in this file [font]"
    ]
    assert problems_of(tmp_path, f"fonts: [{{family: {TITLE.name}}}]\n") == [
        "fonts/fonts.yaml:1: error: this installation of cardgen has no Yeseva One; "
        'package: "@fontsource/yeseva-one" fetches it [font]'
    ]


def test_their_bytes_stand_in_the_keys_of_faces(tmp_path: Path) -> None:
    for name, text in GAME.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    game, problems = rule_file.load_game(tmp_path)
    assert game is not None
    fonts, more = game_fonts.prepare_fonts(game, Store(tmp_path / "build/.store"))
    assert problems + more == []
    assert len({cut.digest for cut in fonts.files}) == sum(len(family.cuts) for family in BASIC)


def test_they_hold_the_letters_of_the_languages_of_the_repositorys_games() -> None:
    letters = {ord(letter) for letter in "AÄÖÅäöåŠŽ Жяё№ €–—…’“”„«»0123456789×"}
    for family in (each for each in BUILTIN_FAMILIES if each is not SYMBOLS):
        for cut in family.cuts:
            assert letters <= TTFont(family.find_file(*cut)).getBestCmap().keys(), family.name


SIGNS = (
    "→←↑↓↔⇒♥♦♣♠♡♢♤♧★☆✓✗✔✘≤≥≠×½⅓¼¾⅔⅛①⑩⑪⑳❶Ⓐ″′‑•−±∞√○●□■△▲☐☑☒⚀⚅♂♀☠⚓⚔⚙⚠⚡♔♟♪♫⌛ⅣⅨ⁴₂"
    "🎲🃏😀👍🔥💰🏠🪙🗡🛡🧙🐉🌲🚀⭐❤❌✅"
)


def test_symbols_and_emoji_come_along() -> None:
    held = TTFont(SYMBOLS.find_file(400, "normal"))
    codes = held.getBestCmap().keys() | TTFont(BODY.find_file(400, "normal")).getBestCmap().keys()
    assert [sign for sign in SIGNS if ord(sign) not in codes] == []
    assert not {ord(letter) for letter in "Aa0Яαʼ"} & held.getBestCmap().keys(), "no letters"
    body = TTFont(BODY.find_file(400, "normal"))["hhea"]
    assert (held["hhea"].ascent, held["hhea"].descent) == (body.ascent, body.descent)


def test_a_hyphen_that_does_not_break_is_the_hyphen_of_its_family() -> None:
    for family in (BODY, TITLE, CODE):
        codes = TTFont(family.find_file(400, "normal")).getBestCmap()
        assert codes[0x2011] == codes.get(0x2010, codes[0x2D])


def test_a_game_prints_symbols_in_a_look(tmp_path: Path) -> None:
    """In the middle of a text of the look and in its title, which name two families."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text("title: Small ★\nlanguages: [en]\n")
    (tmp_path / "cards/loot.yaml").write_text(
        "deck: loot\ntitle: Loot\nlook: text\n"
        f'cards: [{{id: one, title: A → B ★, text: "co‑op {" ".join(SIGNS)} ✔️"}}]\n'
    )
    result = CliRunner().invoke(cli, ["check", str(tmp_path)])
    assert (result.exit_code, result.stderr) == (0, "")


def test_no_font_file_is_in_the_repository() -> None:
    """They are fetched: which, the lock beside them says."""
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert f"{BUILTIN_FONTS_FOLDER.relative_to(ROOT).as_posix()}/*/" in ignored


@pytest.mark.parametrize(("language", "word"), [("en", "hy-phen-a-tion"), ("ru", "до-ро-га")])
def test_most_languages_are_hyphenated_without_declared_patterns(
    language: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Games of other tests may have brought patterns of their own.
    known = {path.stem.removeprefix("hyph_"): path for path in DICTIONARIES.glob("hyph_*.dic")}
    own = next(name for name in sorted(known) if name.startswith(language))
    monkeypatch.setitem(pyphen.LANGUAGES, language, known[own])
    assert pyphen.Pyphen(lang=language).inserted(word.replace("-", "")) == word
