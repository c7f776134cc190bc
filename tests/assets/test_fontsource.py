"""`cardgen fonts --search` and `--add`: what npm is asked, and what comes into a game."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cardgen.assets import fontsource
from cardgen.cli.command_line import cli
from cardgen.game.fonts_file import BUILTIN_FAMILIES

# Stands for npm and its registry, which knows two families.
NPM = """#!{python}
import json, os, sys
from pathlib import Path
with open({log!r}, "a") as log:
    log.write(json.dumps({{"called": sys.argv[1:], "files": os.listdir()}}) + chr(10))
KNOWN = {known!r}
word, *rest = sys.argv[1:]
if word == os.environ.get("LACKS"):
    print("npm error code E404", file=sys.stderr)
    sys.exit(1)
if os.environ.get("OFFLINE"):
    print("npm error code ENOTFOUND", file=sys.stderr)
    sys.exit(1)
if word == "view":
    if rest[0] not in KNOWN:
        print("npm error code E404", file=sys.stderr)
        sys.exit(1)
    print(json.dumps({{"name": rest[0], "version": "5.2.0"}}))
elif word == "search":
    found = [{{"name": name, "description": f"Self-host the {{told['family']}} font in a neatly "
        "bundled NPM package."}} for name, told in KNOWN.items()]
    print(json.dumps([*found, {{"name": "left-pad"}}]))
else:
    for name in json.loads(Path("package.json").read_text())["dependencies"]:
        told, stem = KNOWN[name], name.rpartition("/")[2]
        files = Path("node_modules") / name / "files"
        files.mkdir(parents=True)
        files.with_name("metadata.json").write_text(json.dumps(told))
        cuts = [f"{{weight}}-{{style}}" for weight in told["weights"] for style in told["styles"]]
        files.with_name("unicode.json").write_text(json.dumps(told.get("ranges", {{}})))
        for subset in told["subsets"]:
            for cut in set(cuts) - {{"700-italic"}}:
                (files / f"{{stem}}-{{subset}}-{{cut}}.woff2").write_text("font")
    Path("package-lock.json").write_text("locked")
"""
KNOWN = {
    "@fontsource/lobster": {
        "family": "Lobster",
        "subsets": ["cyrillic", "cyrillic-ext", "latin", "latin-ext", "vietnamese"],
        "weights": [400],
        "styles": ["normal"],
    },
    "@fontsource/lobster-two": {
        "family": "Lobster Two",
        "subsets": ["latin"],
        "weights": [400, 700],
        "styles": ["italic", "normal"],
    },
    "@fontsource/heavy": {
        "family": "Heavy",
        "subsets": ["symbols"],
        "weights": [300, 900],
        "styles": ["italic"],
    },
    "@fontsource/sandy": {
        "family": "Sandy",
        "subsets": ["arabic", "cyrillic", "latin"],
        "weights": [400],
        "styles": ["normal"],
    },
    "@fontsource/signs": {
        "family": "Signs",
        "subsets": ["braille", "chess", "cyrillic", "latin", "math", "symbols"],
        "weights": [400],
        "styles": ["normal"],
        "ranges": {
            "braille": "U+2800-28FF",
            "chess": "U+2654,U+265A-265F",
            "latin": "U+0000-00FF",
            "cyrillic": "U+0400-045F",
            "math": "U+2200-22FF",
            "symbols": 3,
        },
    },
    "@fontsource/fira-sans-condensed": {
        "family": "Fira Sans Condensed",
        "subsets": ["cyrillic", "cyrillic-ext", "latin", "latin-ext", "vietnamese"],
        "weights": [400, 700],
        "styles": ["normal"],
        "ranges": {"vietnamese": "U+1EA0-1EF9"},
    },
    "@fontsource/secretive": {"family": "../x", "subsets": [], "weights": [], "styles": []},
}


class Game:
    """A game folder, and what npm was asked about it."""

    def __init__(self, root: Path, log: Path) -> None:
        self.root, self._log = root, log
        root.mkdir()
        (root / "game.yaml").write_text("title: Game\nlanguages: [en]\n")

    def fonts(self, *words: str) -> Result:
        return CliRunner().invoke(cli, ["fonts", str(self.root), *words])

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    @property
    def declared(self) -> list[dict[str, Any]]:
        declared: list[dict[str, Any]] = yaml.safe_load(self.read("fonts/fonts.yaml"))["fonts"]
        return declared

    @property
    def called(self) -> list[dict[str, Any]]:
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def files(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*.*"))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    npm = tmp_path / "bin/npm"
    npm.parent.mkdir()
    log = tmp_path / "log"
    npm.write_text(NPM.format(python=sys.executable, log=str(log), known=KNOWN))
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    return Game(tmp_path / "game", log)


def test_families_are_looked_for_among_fontsources_alone(game: Game) -> None:
    result = game.fonts("--search", "Lobster")
    assert result.stdout.splitlines()[:2] == [
        "Lobster              @fontsource/lobster",
        "Lobster Two          @fontsource/lobster-two",
    ]
    assert "left-pad" not in result.stdout
    assert game.called[0]["called"][:2] == ["search", "@fontsource/lobster"]


def test_a_game_without_fonts_keeps_what_it_was_set_in(game: Game) -> None:
    result = game.fonts("--add", "lobster")
    assert (result.exit_code, result.stderr) == (0, "")
    families = [entry["family"] for entry in game.declared]
    assert families == [
        *(family.name for family in BUILTIN_FAMILIES if family.is_basic),
        "Lobster",
    ]
    assert game.declared[-1] == {
        "family": "Lobster",
        "package": "@fontsource/lobster",
        "subsets": ["latin", "latin-ext"],
    }
    assert game.declared[0]["weights"] == list(BUILTIN_FAMILIES[0].weights)
    package = json.loads(game.read("fonts/package.json"))
    assert package == {"private": True, "dependencies": {"@fontsource/lobster": "5.2.0"}}
    assert game.read("fonts/package-lock.json") == "locked"
    assert "fonts/node_modules/@fontsource/lobster/metadata.json" in game.files
    assert result.stdout.splitlines()[:2] == [
        "Lobster: @fontsource/lobster 5.2.0; 400 normal; latin, latin-ext",
        'fonts/fonts.yaml: CSS calls it font-family: "Lobster"',
    ]


def test_npm_finds_nothing_of_the_game_where_it_is_asked(game: Game) -> None:
    game.write("fonts/.npmrc", "registry=http://example.org")
    game.fonts("--add", "Lobster")
    assert [(each["called"][0], each["files"]) for each in game.called] == [
        ("view", []),
        ("install", ["package.json"]),
    ]


FONTS_YAML = """# Ours.
fonts:
- family: Inter   # the text
  package: "@fontsource/inter"
  weights: [400]

# Words are broken so:
hyphenation:
  en: en-gb
"""


def test_what_stands_in_fonts_yaml_stays_as_it_is(game: Game) -> None:
    game.write("fonts/fonts.yaml", FONTS_YAML)
    game.write("fonts/package.json", '{\n    "name": "ours",\n    "dependencies": {}\n}')
    assert game.fonts("--add", "Lobster Two").exit_code == 0
    head, rest = FONTS_YAML.split("  weights: [400]\n")
    assert game.read("fonts/fonts.yaml") == (
        f"{head}  weights: [400]\n- family: Lobster Two\n"
        f'  package: "@fontsource/lobster-two"\n  weights: [400, 700]\n{rest}'
    )
    assert game.read("fonts/package.json") == (
        '{\n    "name": "ours",\n    "dependencies": {\n'
        '        "@fontsource/lobster-two": "5.2.0"\n    }\n}\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "fonts: [{family: Inter}]\n",
        "{fonts: []}\n",
        "fonts:\n  - {family: Inter,\nweights: [400]}\n",
    ],
)
def test_a_list_that_no_line_can_be_added_to(game: Game, text: str) -> None:
    game.write("fonts/fonts.yaml", text)
    result = game.fonts("--add", "Lobster")
    assert game.read("fonts/fonts.yaml") == text
    assert "fonts/fonts.yaml: add these lines to its list by hand:\n  - family: Lobster\n" in (
        result.stdout
    )


@pytest.mark.parametrize(
    ("languages", "subsets", "told"),
    [
        ("[ru, en]", ["latin", "latin-ext", "cyrillic"], ""),
        ("[kk]", ["latin", "latin-ext", "cyrillic", "cyrillic-ext"], ""),
        ("[vi]", ["latin", "latin-ext", "vietnamese"], ""),
        ("[el]", ["latin", "latin-ext"], "Lobster has no greek, which this game needs"),
    ],
)
def test_a_family_comes_in_the_scripts_of_the_game(
    game: Game, languages: str, subsets: list[str], told: str
) -> None:
    game.write("game.yaml", f"title: Game\nlanguages: {languages}\n")
    result = game.fonts("--add", "Lobster")
    assert game.declared[-1]["subsets"] == subsets
    assert told in result.stdout


@pytest.mark.parametrize("languages", ["[en]", "[en, ar]", "[en, ja, ar]"])
def test_a_family_brings_the_script_that_it_was_drawn_for(game: Game, languages: str) -> None:
    """Whether the game has a language in it yet or not; what its other scripts lack is no news."""
    game.write("game.yaml", f"title: Game\nlanguages: {languages}\n")
    result = game.fonts("--add", "Sandy")
    assert game.declared[-1]["subsets"] == ["latin", "arabic"]
    assert "which this game needs" not in result.stdout


@pytest.mark.parametrize(
    ("text", "subsets"),
    [
        ("Ship", ["latin", "symbols", "math"]),
        ("⠁ Ship", ["latin", "symbols", "math", "braille"]),
        ("♚ ж", ["latin", "symbols", "math", "chess", "cyrillic"]),
    ],
)
def test_a_family_brings_symbols_and_what_the_texts_need(
    game: Game, text: str, subsets: list[str]
) -> None:
    game.write(
        "cards/loot.yaml", f"deck: loot\ntitle: Loot\nlook: text\ncards: [{{text: {text}}}]\n"
    )
    game.fonts("--add", "Signs")
    assert game.declared[-1]["subsets"] == subsets


def test_a_family_brings_what_rulebooks_and_templates_need(game: Game) -> None:
    game.write("game.yaml", 'title: Game\nlanguages: [en]\nemoji: {"♚": king}\n')
    game.write("art/icons/king.svg", "<svg viewBox='0 0 1 1'><path d='M0 0H1V1z'/></svg>")
    game.write("rulebook/en.md", "# Ships\n\nTake ⠁ and ♚.\n")
    game.write("templates/ship.html", "<p>ж</p>")
    game.fonts("--add", "Signs")
    wanted = ["latin", "symbols", "math", "braille", "cyrillic"]
    assert game.declared[-1]["subsets"] == wanted


@pytest.mark.parametrize(
    ("languages", "book"), [("[vi]", "Chào"), ("[en]", "Hải Phòng"), ("[kk]", "Сәлем")]
)
def test_a_family_that_comes_without_letters_of_the_game_is_fetched(
    game: Game, languages: str, book: str
) -> None:
    game.write("game.yaml", f"title: Game\nlanguages: {languages}\n")
    game.write("rulebook/en.md", book)
    result = game.fonts("--add", "Fira Sans Condensed")
    assert result.exit_code == 0, result.stderr
    first, *others = game.declared
    extra = ["cyrillic", "cyrillic-ext"] if "kk" in languages else ["vietnamese"]
    assert first == {
        "family": "Fira Sans Condensed",
        "package": "@fontsource/fira-sans-condensed",
        "subsets": ["latin", "latin-ext", *extra],
        "weights": [400, 700],
    }
    assert [each["family"] for each in others] == ["Yeseva One", "Fira Mono", "Symbols"]


def test_what_a_family_lacks_is_left_out(game: Game) -> None:
    """Every weight is looked for in every style: without a bold italic, there is no italic."""
    game.fonts("--add", "Heavy", "--add", "Lobster Two")
    assert game.declared[-2:] == [
        {
            "family": "Heavy",
            "package": "@fontsource/heavy",
            "subsets": ["symbols"],
            "weights": [300],
            "styles": ["italic"],
        },
        {
            "family": "Lobster Two",
            "package": "@fontsource/lobster-two",
            "weights": [400, 700],
        },
    ]


def test_a_family_that_comes_with_cardgen_is_only_named(game: Game) -> None:
    name = BUILTIN_FAMILIES[1].name
    told = game.fonts("--add", name.lower())
    assert told.stderr == (
        f"fonts/fonts.yaml: error: {name} comes with cardgen; a game without fonts.yaml has it "
        "already [font]\n"
    )
    game.write("fonts/fonts.yaml", FONTS_YAML)
    assert game.fonts("--add", name.lower()).exit_code == 0
    assert game.declared[-1] == {"family": name}
    assert game.called == []


def test_a_family_that_is_there_is_told_at_its_line(game: Game) -> None:
    game.write("fonts/fonts.yaml", FONTS_YAML)
    result = game.fonts("--add", "inter")
    assert (result.exit_code, game.called) == (1, [])
    assert result.stderr == (
        "fonts/fonts.yaml:3: error: Inter is there; its weights, styles and subsets stand here "
        "[font]\n"
    )


def test_a_family_that_is_none_is_told_with_what_may_be_meant(game: Game) -> None:
    result = game.fonts("--add", "Lobstre")
    assert (result.exit_code, game.files) == (1, ["game.yaml"])
    assert result.stderr == "there is no family 'Lobstre'; did you mean 'Lobster'?\n"


def test_a_package_that_does_not_say_what_is_in_it(game: Game) -> None:
    result = game.fonts("--add", "Secretive")
    assert (result.exit_code, game.files) == (1, ["game.yaml"])
    assert result.stderr == "@fontsource/secretive has no readable metadata.json\n"


@pytest.mark.parametrize("words", [("--add", "Lobster"), ("--search", "lob")])
def test_without_a_network(
    game: Game, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFLINE", "1")
    result = game.fonts(*words)
    assert (result.exit_code, game.files) == (1, ["game.yaml"])
    assert result.stderr == "npm's registry cannot be reached; is this machine connected?\n"


def test_a_registry_that_does_not_search(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACKS", "search")
    assert game.fonts("--search", "lob").stderr == (
        "npm's registry here answers no searches; families are shown at fontsource.org; "
        "add one by its name: cardgen fonts --add NAME\n"
    )
    assert game.fonts("--add", "Lobstre").stderr == (
        "there is no family 'Lobstre'; fontsource.org shows which there are\n"
    )


@pytest.mark.parametrize(
    "name",
    ["", " ", "--global", "-g", "../x", "a/b", "@evil/x", "x@1", "a;b", "$(x)", "%PATH%", "ä",
     "x" * 90, "git+ssh://x", "a--b", "a-"],
)  # fmt: skip
def test_nothing_but_a_name_is_handed_to_npm(game: Game, name: str) -> None:
    assert fontsource.get_package_name(name) == ""
    for option in ("--add", "--search"):
        result = game.fonts(f"{option}={name}")
        assert (result.exit_code, game.called) == (1, [])
        assert "letters, digits, spaces and hyphens" in result.stderr


@pytest.mark.parametrize(
    ("family", "package"),
    [
        ("Open Sans", "@fontsource/open-sans"),
        ("  M PLUS  1p ", "@fontsource/m-plus-1p"),
        ("Noto Sans N'Ko", "@fontsource/noto-sans-nko"),
        ("@fontsource/lobster", "@fontsource/lobster"),
    ],
)
def test_the_package_of_a_family(family: str, package: str) -> None:
    assert fontsource.get_package_name(family) == package


def test_a_game_with_nothing_to_fetch(game: Game) -> None:
    result = game.fonts()
    assert (result.exit_code, game.called) == (0, [])
    assert result.stdout.startswith("there is nothing to fetch: ")
