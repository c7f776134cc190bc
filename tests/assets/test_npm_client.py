"""`cardgen fonts`: what npm gets to see of a game, and what of npm's comes into it."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cardgen.cli.command_line import cli

# Stands for npm: notes what it was called with and what it saw, and leaves what it is told to.
NPM = """#!{python}
import json, os, sys
from pathlib import Path
here = Path.cwd()
seen = {{path.name: path.read_text() for path in here.iterdir()}}
seen["called"] = sys.argv[1:]
Path({log!r}).write_text(json.dumps(seen))
package = here / "node_modules/@fontsource/inter"
package.mkdir(parents=True)
(package / "inter.woff2").write_text("a font")
(package / "secret").symlink_to({outside!r})
(here / "node_modules/.bin").mkdir()
(here / "node_modules/leads").symlink_to({outside!r})
if "install" in sys.argv:
    (here / "package-lock.json").write_text("made anew")
if "no-such" in seen["package.json"]:
    print("npm error 404 \\x1b[31mnot found", file=sys.stderr)
    sys.exit(1)
"""
PACKAGE = {"dependencies": {"@fontsource/inter": "5.3.0"}}
LOCK = {
    "name": "fonts",
    "lockfileVersion": 3,
    "packages": {
        "": {"dependencies": {"@fontsource/inter": "5.3.0"}},
        "node_modules/@fontsource/inter": {
            "version": "5.3.0",
            "resolved": "http://evil.example/inter.tgz",
            "integrity": "sha512-abc=",
            "hasInstallScript": True,
            "dependencies": {"a-part": "^1.0.0"},
        },
        "node_modules/a-part": {"version": "1.0.2"},
    },
}


class Game:
    """A game folder with fonts/package.json, and what npm saw of it."""

    def __init__(self, root: Path, log: Path) -> None:
        self.root, self._log = root, log
        (root / "fonts").mkdir(parents=True)
        (root / "game.yaml").write_text("title: Game\nlanguages: [en]\n")

    def write(self, name: str, data: Any) -> None:
        text = data if isinstance(data, str) else json.dumps(data, indent=1)
        (self.root / "fonts" / name).write_text(text)

    def fetch(self) -> Result:
        self._log.unlink(missing_ok=True)
        return CliRunner().invoke(cli, ["fonts", str(self.root)])

    @property
    def seen(self) -> dict[str, Any]:
        """The files of the folder that npm ran in, and its arguments; nothing if it did not run."""
        seen: dict[str, Any] = json.loads(self._log.read_text()) if self._log.exists() else {}
        return seen


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    npm = tmp_path / "bin/npm"
    npm.parent.mkdir()
    log = tmp_path / "seen.json"
    npm.write_text(NPM.format(python=sys.executable, log=str(log), outside=str(outside)))
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    return Game(tmp_path / "game", log)


def test_npm_sees_names_and_versions_alone(game: Game) -> None:
    game.write("package.json", {**PACKAGE, "name": "faces", "description": "Ours"})
    game.write("package-lock.json", LOCK)
    game.write("other.json", "{}")
    assert game.fetch().exit_code == 0
    seen = game.seen
    assert seen.pop("called")[:2] == ["ci", "--ignore-scripts"]
    assert {name: json.loads(text) for name, text in seen.items()} == {
        "package.json": {"name": "faces", "private": True, **PACKAGE},
        "package-lock.json": {
            "name": "faces",
            "lockfileVersion": 3,
            "requires": True,
            "packages": {
                "": {"name": "faces", **PACKAGE},
                "node_modules/@fontsource/inter": {
                    "version": "5.3.0",
                    "integrity": "sha512-abc=",
                    "dependencies": {"a-part": "^1.0.0"},
                },
                "node_modules/a-part": {"version": "1.0.2"},
            },
        },
    }


@pytest.mark.parametrize("file", ["package.json", "package-lock.json"])
def test_no_more_packages_are_fetched_than_anybody_needs(game: Game, file: str) -> None:
    many = {f"node_modules/a{n}": {"version": "1.0.0"} for n in range(1001)}
    wanted = {f"a{n}": "1.0.0" for n in range(1001)}
    game.write("package.json", {"dependencies": wanted} if file == "package.json" else PACKAGE)
    game.write("package-lock.json", {**LOCK, "packages": {"": PACKAGE, **many}})
    result = game.fetch()
    assert result.exit_code == 1
    assert f"fonts/{file}: error: it names 100" in result.stderr
    assert "at most 1000 are fetched" in result.stderr


def test_the_packages_come_into_the_game_without_their_links(game: Game) -> None:
    game.write("package.json", PACKAGE)
    (game.root / "fonts/node_modules/gone").mkdir(parents=True)
    result = game.fetch()
    assert (result.exit_code, result.stderr) == (0, "")
    fonts = game.root / "fonts"
    assert sorted(path.relative_to(fonts).as_posix() for path in fonts.rglob("*")) == [
        "node_modules",
        "node_modules/@fontsource",
        "node_modules/@fontsource/inter",
        "node_modules/@fontsource/inter/inter.woff2",
        "package-lock.json",
        "package.json",
    ]


def test_a_lock_that_pins_something_else_is_written_anew(game: Game) -> None:
    game.write("package.json", {"dependencies": {"@fontsource/inter": "5.4.0"}})
    game.write("package-lock.json", LOCK)
    assert game.fetch().exit_code == 0
    assert game.seen["called"][0] == "install"
    assert "node_modules/a-part" in game.seen["package-lock.json"]
    assert (game.root / "fonts/package-lock.json").read_text() == "made anew"


def test_a_lock_that_fits_stays_as_it_is(game: Game) -> None:
    game.write("package.json", PACKAGE)
    game.write("package-lock.json", LOCK)
    assert game.fetch().exit_code == 0
    assert json.loads((game.root / "fonts/package-lock.json").read_text()) == LOCK


@pytest.mark.parametrize(
    "version",
    ["5.3.0", "^5.3.0", "~5.3", ">= 5.2 <6", "5.x || 6.0.0-beta.1", "1.0 - 2.0", "*", "latest"],
)
def test_versions_and_bounds_of_them_are_fetched(game: Game, version: str) -> None:
    game.write("package.json", {"dependencies": {"@fontsource/inter": version}})
    assert game.fetch().exit_code == 0
    assert json.loads(game.seen["package.json"])["dependencies"] == {"@fontsource/inter": version}


@pytest.mark.parametrize(
    "version",
    [
        "file:../..", "link:..", "..", "../x", "/etc", "~/x", ".", "x.tgz", "1.0.0-a.tgz", "",
        "git+ssh://git@example.org/x.git", "github:user/repo", "user/repo", "npm:other@1.0.0",
        "http://example.org/x.tgz", "https://example.org", "workspace:*", "${SECRET}", "next",
        "1\u0661", "5.3.0\n/x", 5, None, {"version": "5.3.0"}, ["5.3.0"], "1" * 300,
    ],
)  # fmt: skip
def test_nothing_but_the_registry_is_asked(game: Game, version: object) -> None:
    game.write("package.json", {"dependencies": {"@fontsource/inter": version}})
    result = game.fetch()
    assert (result.exit_code, game.seen) == (1, {})
    assert result.stderr.startswith(
        "fonts/package.json:3: error: '@fontsource/inter' has the version "
    )
    assert result.stderr.count("\n") == 1


def test_what_is_passed_over_is_told_at_its_line(game: Game) -> None:
    game.write(
        "package.json",
        '{\n "scripts": {"postinstall": "sh"},\n "workspaces": ["../.."],\n'
        ' "overrides": {"x": "file:.."},\n "dependencies": {"@fontsource/inter": "5.3.0"}\n}\n',
    )
    game.write(".npmrc", "registry=http://example.org/${SECRET_TOKEN}/\n")
    result = game.fetch()
    goes_by = "is ignored; 'cardgen fonts' uses only"
    assert result.stderr.splitlines() == [
        f"fonts/.npmrc: warning: the file {goes_by} your own configuration [font]",
        f"fonts/package.json:2: warning: 'scripts' {goes_by} dependencies [font]",
        f"fonts/package.json:3: warning: 'workspaces' {goes_by} dependencies [font]",
        f"fonts/package.json:4: warning: 'overrides' {goes_by} dependencies [font]",
    ]
    assert result.exit_code == 0
    assert set(game.seen) == {"package.json", "called"}
    assert set(json.loads(game.seen["package.json"])) == {"name", "private", "dependencies"}


@pytest.mark.parametrize(
    ("place", "entry"),
    [
        ("node_modules/@fontsource/inter", {"resolved": "../..", "link": True}),
        ("node_modules/@fontsource/inter", {"version": "5.3.0", "link": True}),
        ("node_modules/@fontsource/inter", {"version": "file:../.."}),
        ("node_modules/../../inter", {"version": "5.3.0"}),
        ("../inter", {"version": "5.3.0"}),
        ("inter", {"version": "5.3.0"}),
        ("node_modules/inter", "5.3.0"),
    ],
)
def test_a_lock_that_leads_elsewhere_is_refused(game: Game, place: str, entry: object) -> None:
    game.write("package.json", PACKAGE)
    game.write("package-lock.json", {**LOCK, "packages": {"": PACKAGE, place: entry}})
    result = game.fetch()
    assert (result.exit_code, game.seen) == (1, {})
    line = json.dumps({**LOCK, "packages": {"": PACKAGE, place: entry}}, indent=1)
    number = line[: line.index(f'"{place}": ')].count("\n") + 1
    assert result.stderr == (
        f"fonts/package-lock.json:{number}: error: '{place}' is not a versioned package of the "
        "npm registry; delete the file, and run 'cardgen fonts' again [font]\n"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, ": error: the file is missing; it names the font packages (docs/templates.md)"),
        ("{", ":1: error: not JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, ": error: nested too deep [font]"),
        ("[1]", ':1: error: expected a mapping: {"dependencies": …}'),
        ("{}", ": error: it names no font package under 'dependencies'"),
        (
            '{\n"dependencies": ["inter"]}',
            ':2: error: \'dependencies\' maps names to versions: {"@fontsource/inter": "5.3.0"}',
        ),
        ('{"dependencies":\n{"../x": "1.0.0"}}', ":2: error: '../x' is not a package name"),
    ],
)
def test_a_wrong_package_json(game: Game, text: str | None, told: str) -> None:
    if text is not None:
        game.write("package.json", text)
    game.write("fonts.yaml", 'fonts: [{family: Inter, package: "@fontsource/inter"}]\n')
    result = game.fetch()
    assert (result.exit_code, game.seen) == (1, {})
    assert result.stderr.startswith(f"fonts/package.json{told}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["fonts/node_modules", "fonts"])
def test_packages_are_put_through_no_link(game: Game, name: str, tmp_path: Path) -> None:
    game.write("package.json", PACKAGE)
    elsewhere = tmp_path / "elsewhere"
    if (game.root / name).exists():
        (game.root / name).rename(elsewhere)
    else:
        elsewhere.mkdir()
    before = sorted(elsewhere.iterdir())
    (game.root / name).symlink_to(elsewhere)
    result = game.fetch()
    assert (result.exit_code, game.seen) == (1, {})
    assert result.stderr == (
        f"{name}: error: the folder is a link; remove it, and run 'cardgen fonts' again [font]\n"
    )
    assert sorted(elsewhere.iterdir()) == before


def test_a_lock_that_is_a_link_is_replaced_not_written_through(game: Game, tmp_path: Path) -> None:
    game.write("package.json", PACKAGE)
    target = tmp_path / "target"
    target.write_text("theirs")
    (game.root / "fonts/lock").write_text("{}")
    (game.root / "fonts/package-lock.json").symlink_to(game.root / "fonts/lock")
    assert game.fetch().exit_code == 0
    assert (game.root / "fonts/lock").read_text() == "{}"
    assert (game.root / "fonts/package-lock.json").read_text() == "made anew"
    (game.root / "fonts/package-lock.json").unlink()
    (game.root / "fonts/package-lock.json").symlink_to(target)
    assert "fonts/package-lock.json: error: the file leads out" in game.fetch().stderr
    assert target.read_text() == "theirs"


def test_no_npm_out_of_the_game_is_run(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows looks for commands where one stands first; so does a PATH with a dot in it."""
    game.write("package.json", PACKAGE)
    own = game.root / "npm"
    own.write_text("#!/bin/sh\ntouch ran\n")
    own.chmod(0o755)
    monkeypatch.chdir(game.root)
    monkeypatch.setenv("PATH", ".")
    result = game.fetch()
    assert result.exit_code == 1
    assert result.stderr.startswith("npm is needed to fetch the fonts: install Node.js")
    assert not (game.root / "ran").exists()


def test_what_npm_says_is_told(game: Game) -> None:
    game.write("package.json", {"dependencies": {"@fontsource/no-such": "5.3.0"}})
    result = game.fetch()
    assert result.exit_code == 1
    assert result.stderr.startswith("npm could not fetch the fonts:\nnpm error 404 ")
    assert not (game.root / "fonts/node_modules").exists()
