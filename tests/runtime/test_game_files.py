"""What a build reads: plain files of the game. Whatever else stands in a file's place is told."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest
from click.testing import CliRunner
from conftest import MakeGame
from PIL import Image
from whole_games import link_files

from cardgen.cli.command_line import cli
from cardgen.runtime import game_files
from cardgen.tabletop import tts_checker

MARGIN = '<p style="margin: 6mm">{{ card.name }}</p>\n'
SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>'
)
GAME = {
    "game.yaml": "game: test\ntitle: Test\nlanguages: [en]\n",
    "cards/loot.yaml": "deck: loot\ntitle: Loot\nsize: poker\nfront: loot.html\n"
    "styles: [loot.css]\nrows: loot.csv\nfields: {name: text}\n",
    "cards/units.yaml": "deck: units\ntitle: Units\nsize: poker\nfront: units.html\n"
    "fields: {name: text}\ncards: [{id: tank, name: Tank}]\n",
    "cards/loot.csv": "id,name\nbarn,Barn\n",
    "cards/rules.yaml": "rules: []\n",
    "templates/loot.html": MARGIN + '<img src="art/school.svg">\n',
    "templates/loot.css": "p { color: #211d1a }\n",
    "templates/units.html": '{% include "part.html" %}\n',
    "templates/part.html": MARGIN,
    "art/school.svg": SQUARE,
    "art/icons/bread.svg": SQUARE,
    "rulebook/en.md": "# Test\n",
    "rulebook/book.css": "p { color: #211d1a }\n",
    "table.yaml": "middle: [{deck: loot}]\n",
    "printed.yaml": "en: {}\n",
}
BUILT = {name: text for name, text in GAME.items() if name != "printed.yaml"}
LINES = {
    "game.yaml": "game.yaml: error: the file {}",
    "cards/units.yaml": "cards/units.yaml: error: the file {}",
    "cards/loot.csv": "cards/loot.yaml:6: error: loot: the table cards/loot.csv {}",
    "cards/rules.yaml": "cards/rules.yaml: error: the file {}",
    "templates/loot.html": "cards/loot.yaml:4: error: loot: templates/loot.html {}",
    "templates/loot.css": "cards/loot.yaml:5: error: loot: templates/loot.css {}",
    "templates/part.html": "templates/units.html:1: error: units: templates/part.html {}",
    "art/school.svg": "templates/loot.html:2: error: loot: art/school.svg {}",
    "art/icons/bread.svg": "art/icons/bread.svg: error: the file {}",
    "rulebook/en.md": "rulebook/en.md: error: the file {}",
    "rulebook/book.css": "rulebook/book.css: error: the file {}",
    "table.yaml": "table.yaml: error: the file {}",
    "printed.yaml": "printed.yaml: error: the file {}",
    "fonts/fonts.yaml": "fonts/fonts.yaml: error: the file {}",
    "fonts/roboto-condensed-400-normal.ttf":
        "fonts/fonts.yaml:2: error: fonts/roboto-condensed-400-normal.ttf {}",
    "fonts/node_modules/@fontsource/roboto-condensed/files/roboto-condensed-latin-400-normal.woff2":
        "fonts/fonts.yaml:3: error: fonts/node_modules/@fontsource/roboto-condensed/files/"
        "roboto-condensed-latin-400-normal.woff2 {}",
    "fonts/package.json":
        "fonts/package.json: error: the file {}; it names the font packages (docs/templates.md)",
}  # fmt: skip
COMMANDS = {"printed.yaml": "printed", "fonts/package.json": "fonts", "rulebook/book.css": "build"}


@pytest.fixture
def make_game(make_game: MakeGame, built: Path) -> MakeGame:
    """Write a game of which all is in its store that those of other tests have, too."""

    def make(files: dict[str, str]) -> Path:
        root = make_game(files)
        link_files(built / "build/.store", root / "build/.store")
        return root

    return make


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(before)


def a_device(path: Path) -> None:
    try:
        os.mknod(path, 0o020600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_circle(path: Path) -> None:
    other = path.with_name(f"{path.name}-other")
    path.symlink_to(other)
    other.symlink_to(path)


def a_way_out(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nowhere(path: Path) -> None:
    path.symlink_to("nowhere")


KINDS: dict[Callable[[Path], None], str] = {
    a_pipe: "is a named pipe; it must be a plain file",
    a_socket: "is a socket; it must be a plain file",
    a_device: "is a device; it must be a plain file",
    a_folder: "is a folder; it must be a plain file",
    a_circle: "is a link that leads in a circle",
    a_way_out: "leads out of the game folder",
    nowhere: "is a link that leads nowhere",
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", LINES)
def test_what_stands_in_the_place_of_a_file_is_told(
    make_game: MakeGame, name: str, kind: Callable[[Path], None]
) -> None:
    """At once, however long a pipe would be silent."""
    if name == "fonts/fonts.yaml" and kind is a_folder:
        pytest.skip("a folder there is as good as none")
    root = make_game(GAME)
    (root / name).unlink(missing_ok=True)
    kind(root / name)
    command = COMMANDS.get(name, "check")
    words = [command, str(root), *(["rulebook"] if command == "build" else [])]
    result = CliRunner().invoke(cli, words)
    told = [line.rpartition(" [")[0] for line in result.stderr.splitlines()]
    assert LINES[name].format(KINDS[kind]) in told, result.stderr
    assert result.exit_code == 1
    assert not isinstance(result.exception, Exception)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_save_or_a_picture_of_it_that_is_no_file(
    tmp_path: Path, kind: Callable[[Path], None]
) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "card.png")
    save = tmp_path / "save.json"
    save.write_text(
        '{"ObjectStates": [{"Name": "Custom_Tile", "Transform": {}, '
        '"CustomImage": {"ImageURL": "file:///x/card.png"}}]}'
    )
    assert tts_checker.check_save(save, tmp_path).pictures_found == 1
    (tmp_path / "card.png").unlink()
    kind(tmp_path / "card.png")
    assert tts_checker.check_save(save, tmp_path).pictures_found == 0
    kind(tmp_path / "other.json")
    if kind not in (a_way_out, nowhere):  # who names a file may name a link
        [finding] = tts_checker.check_save(tmp_path / "other.json", tmp_path).findings
        assert finding.message == KINDS[kind]


@pytest.mark.parametrize("folder", ["cards", "templates", "art", "rulebook", "fonts"])
@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("/", "the folder leads out of the game folder"),
        ("{}", "the folder is a link that leads in a circle"),
        ("nowhere", "the folder is a link that leads nowhere"),
        ("game.yaml", "this is a file; expected a folder"),
    ],
)
def test_a_folder_that_is_none(
    make_game: MakeGame, tmp_path: Path, folder: str, target: str, why: str
) -> None:
    root = make_game(GAME)
    (root / folder).rename(tmp_path / "moved")
    (root / folder).symlink_to(target.format(folder))
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert f"{folder}: error: {why} [file]" in result.stderr.splitlines()
    assert not isinstance(result.exception, Exception)


@pytest.mark.parametrize("folder", ["cards", "templates", "art", "art/icons", "rulebook", "fonts"])
@pytest.mark.parametrize("target", ["/", "..", "."])
def test_links_to_folders_are_not_followed(make_game: MakeGame, folder: str, target: str) -> None:
    """Neither out of the game nor around in it: the game is what it is without the link."""
    root = make_game(GAME)
    (root / folder).mkdir(exist_ok=True)
    (root / folder / "x").symlink_to(target)
    listing = game_files.list_folder(root, folder)
    assert listing.links == (f"{folder}/x",)
    assert all((root / name).is_file() for name in listing.files)
    assert len(listing.files) < 12
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert (result.exit_code, result.stderr) == (
        0,
        f"{folder}/x: warning: links to folders are not followed; put the folder itself here "
        "[passed-over]\n",
    )


def test_a_link_to_a_file_of_the_game_is_read(make_game: MakeGame) -> None:
    root = make_game(GAME)
    (root / "art/shared").mkdir()
    (root / "art/school.svg").rename(root / "art/shared/school.svg")
    (root / "art/school.svg").symlink_to("shared/school.svg")
    assert CliRunner().invoke(cli, ["check", str(root)]).stderr == ""


def test_a_games_own_tests_are_nothing_to_tell(make_game: MakeGame) -> None:
    root = make_game({**GAME, "tests/test_rules.py": "", "tests/cards/rules.yml": "", "a.py": ""})
    assert CliRunner().invoke(cli, ["check", str(root), "--strict"]).stderr == ""


def test_a_template_behind_a_link_is_read_anew_when_it_changes(make_game: MakeGame) -> None:
    """It is in no listing, and yet what was made of it goes by what it says."""
    root = make_game({**GAME, "common/part.html": MARGIN})
    (root / "templates/units.html").write_text('{% include "shared/part.html" %}')
    (root / "templates/shared").symlink_to("../common")
    told = "templates/shared: warning: links to folders are not followed; put the folder itself "
    assert CliRunner().invoke(cli, ["check", str(root)]).stderr == f"{told}here [passed-over]\n"
    (root / "common/part.html").write_text(MARGIN + "{{ card.nmae }}")
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert "there is no 'nmae'; did you mean 'name'? [template]" in result.stderr


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (b"cards/l\xe4.yaml", r"cards/l\xe4.yaml: error: {} [file]"),
        (b"art/icons/l\xe4.svg", r"art/icons/l\xe4.svg: error: {} [file]"),
        (b"art/l\xe4.svg", r"art/l\xe4.svg: warning: {} [passed-over]"),
        (b"templates/l\xe4.css", r"templates/l\xe4.css: warning: {} [passed-over]"),
        (b"rulebook/l\xe4.md", r"rulebook/l\xe4.md: warning: {} [passed-over]"),
        (b"fonts/l\xe4.ttf", r"fonts/l\xe4.ttf: warning: {} [passed-over]"),
    ],
)
def test_names_that_are_not_utf_8_are_told(make_game: MakeGame, name: bytes, line: str) -> None:
    root = make_game(GAME)
    (root / os.fsdecode(name)).write_text(SQUARE)
    result = CliRunner().invoke(cli, ["check", str(root)])
    message = "the name is not UTF-8, so the file is not read; rename it"
    assert result.stderr == f"{line.format(message)}\n"
    assert result.exit_code == (1 if ": error: " in line else 0)


def test_a_folder_of_too_many_files(make_game: MakeGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_files, "MAX_FILES", 30)
    root = make_game(GAME)
    for number in range(40):
        (root / f"art/{number}.svg").write_text(SQUARE)
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert result.stderr == (
        "art: error: there are more than 30 files here; the rest is not read [file]\n"
    )


def test_names_that_no_file_has(make_game: MakeGame) -> None:
    root = make_game(GAME)
    for name in ("a\0b", "\ud800", "x" * 300, "../game.yaml", "/etc/passwd", "cards/../../x"):
        text, why = game_files.read_text(root, name)
        assert text == "", name
        assert why, name
        assert not game_files.has_entry(root, "cards/\0")
        assert game_files.locate_inside(root, "a\0b") is None


def test_a_game_that_has_another_ending(make_game: MakeGame) -> None:
    root = make_game(GAME)
    (root / "game.yaml").rename(root / "game.yml")
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert result.exit_code == 2
    assert result.stderr.endswith(
        f"{root} is not a game folder: it has no game.yaml; rename its game.yml\n"
    )


ACCENTED = {
    **GAME,
    "cards/loot.yaml": "deck: loot\ntitle: Loot\nsize: poker\nfront: käse.html\n"
    "styles: [käse.css]\nrows: käse.csv\nfields: {name: text, image: string}\n",
    "cards/käse.csv": "id,name,image\nbarn,Barn,KÄSE.svg\n",
    "templates/käse.html": MARGIN + '<img src="art/Käse.svg"><img src="{{ picture(card.image) }}">'
    '{% include "müsli.html" %}<i class="mark"></i>\n',
    "templates/müsli.html": MARGIN,
    "templates/käse.css": "p { color: #211d1a }\n.mark { background: url('art/ö/Käse2.svg') }\n",
    "art/Käse.svg": SQUARE,
    "art/ö/Käse2.svg": SQUARE,
    "rulebook/en.md": "# Test\n\n![](art/Käse.svg)\n",
}
for unused in ("cards/loot.csv", "templates/loot.html", "templates/loot.css", "rulebook/book.css"):
    del ACCENTED[unused]


@pytest.mark.parametrize(("names", "texts"), [("NFD", "NFC"), ("NFC", "NFD"), ("NFD", "NFD")])
def test_names_are_found_in_whichever_form_of_unicode(
    make_game: MakeGame, names: Literal["NFC", "NFD"], texts: Literal["NFC", "NFD"]
) -> None:
    """MacOS and its archives write an accented letter as two characters."""
    root = make_game({normalize(names, name): normalize(texts, text)
                      for name, text in ACCENTED.items()})  # fmt: skip
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert (result.exit_code, result.stderr) == (0, "")
    (root / normalize(names, "art/ö/Käse2.svg")).unlink()
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert "art/ö/Käse2.svg is missing; did you mean 'art/Käse.svg'?" in result.stderr


def test_no_name_leads_out_of_the_game_in_another_form_of_unicode(make_game: MakeGame) -> None:
    root = make_game(GAME)
    (root.parent / normalize("NFD", "ä.txt")).write_text("secret")
    (root / normalize("NFD", "ö.txt")).symlink_to(root.parent / normalize("NFD", "ä.txt"))
    for name in ("../ä.txt", f"{root.parent}/ä.txt", "art/../../ä.txt", "ö.txt"):
        text, why = game_files.read_text(root, name)
        assert (text, bool(why)) == ("", True), name


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO])
@pytest.mark.parametrize(
    ("call", "ask"),
    [
        ("lstat", lambda root: game_files.has_entry(root, "game.yaml")),
        ("scandir", lambda root: game_files.list_files(root, "cards")),
        ("open", lambda root: game_files.read_text(root, "game.yaml")),
        ("stat", lambda root: game_files.find_file(root, "game.yaml")),
    ],
)
def test_what_the_machine_lacks_is_no_fault_of_the_file(
    call: str, ask: Callable[[Path], object], number: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text("title: x\n")
    ask(tmp_path)
    real = getattr(os, call)

    def fail(path: object, *more: object, **given: object) -> object:
        if Path(str(path)).name in {"game.yaml", "cards"}:
            raise OSError(number, "the machine lacks it", str(path))
        return real(path, *more, **given)

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="the machine lacks it"):
        ask(tmp_path)
