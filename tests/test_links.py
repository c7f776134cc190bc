"""Links in the build folder, and files and folders in each other's place: nothing is followed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fault_game import GAME, cardgen
from small_games import contents, edit, make

from cardgen.runtime import safe_files

pytestmark = pytest.mark.usefixtures("one_process")

BUILT = GAME


LINK = "it is a link, and nothing is written through links; remove it [file]"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of somebody else's, with as many files as a store that is swept."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for number in range(600):
        (folder / f"{number}.pdf").write_bytes(b"mine")
    return folder


def instead(path: Path, target: Path) -> None:
    """A link in the place of a file or folder, which may be there."""
    safe_files.remove_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("kind", ["", "/faces", "/fonts", "/art", "/rendered", "/scratch", "/new"])
@pytest.mark.parametrize("asked", [(), ("--fresh",)])
def test_a_link_in_the_store_leads_nowhere(
    root: Path, elsewhere: Path, kind: str, asked: tuple[str, ...]
) -> None:
    """Nothing is deleted there or written, and the build is what it is without the link."""
    before = contents(root / "build")
    instead(root / f"build/.store{kind}", elsewhere)
    edit(root, "cards/notes.yaml", "value: 5", "value: 6")
    edit(root, "cards/notes.yaml", "value: 6", "value: 5")
    result = cardgen("build", root, "sheets", "images", "--dpi", "72", *asked)
    assert (result.exit_code, result.stderr) == (0, "")
    assert contents(root / "build") == before
    assert [path.read_bytes() for path in sorted(elsewhere.iterdir())] == [b"mine"] * 600


@pytest.mark.parametrize("place", ["build", "build/en", "build/en/sheets", "build/en/images/notes"])
def test_nothing_is_written_through_a_link(root: Path, elsewhere: Path, place: str) -> None:
    instead(root / place, elsewhere)
    edit(root, "cards/notes.yaml", "value: 5", "value: 7")
    before = contents(root / "build")
    for words in (("build",), ("build", "--fresh")):
        result = cardgen(words[0], root, "sheets", "images", "--dpi", "72", *words[1:])
        assert (result.exit_code, result.stderr) == (1, f"{place}: error: {LINK}\n")
        assert "1 error; nothing was changed in " in result.stdout
    cardgen("clean", root)
    assert [path.read_bytes() for path in sorted(elsewhere.iterdir())] == [b"mine"] * 600
    assert place != "build" or contents(root / "build") == before


def test_a_link_in_the_place_of_a_file_is_replaced(root: Path, tmp_path: Path) -> None:
    before = contents(root / "build")
    secret = tmp_path / "secret"
    secret.write_bytes(b"mine")
    for name in ("en/sheets.pdf", "en/images/loot/barn.png", ".cardgen.json", ".cardgen.lock"):
        instead(root / "build" / name, secret)
    make(root)
    assert secret.read_bytes() == b"mine"
    assert contents(root / "build") == before
    assert not any(path.is_symlink() for path in (root / "build").rglob("*"))


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ("en", "build/en: error: a file is where a folder is needed; move it away [file]"),
        ("en/sheets", "build/en/sheets: error: a file is where a folder is needed; "
         "move it away [file]"),
    ],
)  # fmt: skip
def test_a_file_in_the_place_of_a_folder(root: Path, made: str, line: str) -> None:
    safe_files.remove_path(root / "build" / made)
    (root / "build" / made).write_bytes(b"mine")
    result = cardgen("build", root, "sheets")
    assert (result.exit_code, result.stderr) == (1, f"{line}\n")
    assert (root / "build" / made).read_bytes() == b"mine"


def test_a_folder_in_the_place_of_a_file(root: Path) -> None:
    safe_files.remove_path(root / "build/en/sheets.pdf")
    (root / "build/en/sheets.pdf/own").mkdir(parents=True)
    before = contents(root / "build")
    result = cardgen("build", root, "sheets", "images")
    assert (result.exit_code, result.stderr) == (
        1,
        "build/en/sheets.pdf: error: a folder stands where a file is to be written; "
        "move it away [file]\n",
    )
    assert contents(root / "build") == before


def test_another_folder_may_be_a_link_but_nothing_in_it(
    root: Path, tmp_path: Path, elsewhere: Path
) -> None:
    (tmp_path / "real").mkdir()
    out = tmp_path / "out"
    out.symlink_to(tmp_path / "real")
    make(root, folder=out)
    assert (tmp_path / "real/en/sheets.pdf").is_file()
    instead(out / "en", elsewhere)
    result = cardgen("build", root, "sheets", "-o", out)
    assert (result.exit_code, result.stderr) == (1, f"{out}/en: error: {LINK}\n")


def test_leftovers_that_are_links_lead_nowhere(root: Path, elsewhere: Path) -> None:
    (root / "build/.making-x").symlink_to(elsewhere)
    (root / "build/.store/scratch/x").symlink_to(elsewhere)
    make(root)
    assert not (root / "build/.making-x").is_symlink()
    assert len(list(elsewhere.iterdir())) == 600


def test_calibration_and_clean_hold_to_the_build_folder(root: Path, elsewhere: Path) -> None:
    shutil.rmtree(root / "build")
    (root / "build").symlink_to(elsewhere)
    for words in (("calibrate", root), ("clean", root)):
        result = subprocess.run(
            [sys.executable, "-P", "-m", "cardgen", *map(str, words)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = f"{root}/build: {LINK.removesuffix(' [file]')}\n"
        assert (result.returncode, result.stderr) == (1, told)
    assert len(list(elsewhere.iterdir())) == 600
