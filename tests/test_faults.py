"""What goes wrong around a build: links and locks in its folder, a full disk, inputs that change.

Whatever it is, the output is the last good one or the new one, whole, and the command says which.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import pytest
from fault_game import GAME, cardgen
from small_games import contents, edit, make, options

from cardgen.faces import typesetting
from cardgen.game import loader
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.pipeline.check import check_game
from cardgen.rules import rule_file
from cardgen.runtime import safe_files

pytestmark = pytest.mark.usefixtures("one_process")

BUILT = GAME


# --- one at a time


def test_builds_wait_for_each_other(root: Path) -> None:
    """And say so. Both end as they would alone, and what one set the other does not set again."""
    edit(root, "cards/notes.yaml", "value: 5", "value: 9")
    command = [sys.executable, "-P", "-m", "cardgen", "build", str(root), "sheets", "images"]
    told = "another cardgen is at work in build; waiting for it\n"
    shutil.rmtree(root / "build")
    (root / "build").mkdir()
    with safe_files.hold_folders([root / "build"], print):
        both = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        for process in both:
            assert process.stderr is not None
            assert process.stderr.readline() == told
    said = [process.communicate(timeout=240) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [err for _, err in said] == ["", ""]
    assert sorted("5 typeset" in out for out, _ in said) == [False, True]
    together = contents(root / "build")
    shutil.rmtree(root / "build")
    assert cardgen("build", root, "sheets", "images").exit_code == 0
    assert contents(root / "build") == together


def test_the_lock_of_a_dead_process_holds_nobody(root: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-P", "-c",
         "import sys, time; from pathlib import Path; from cardgen.runtime import safe_files\n"
         "with safe_files.hold_folders([Path(sys.argv[1])], print):\n"
         "    print('held', flush=True); time.sleep(600)", str(root / "build")],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    told: list[str] = []

    def wait(what: str, _done: int, total: int) -> None:
        if not total:
            told.append(what)
            holder.send_signal(signal.SIGKILL)

    build.check(Request(root), wait)
    holder.wait()
    assert told == ["another cardgen is at work in build; waiting for it"]
    assert not (root / "build" / safe_files.LOCK_NAME).exists()


def test_a_lock_that_goes_while_it_is_looked_at_is_still_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = Path.lstat

    def gone(path: Path) -> os.stat_result:
        monkeypatch.setattr(Path, "lstat", looked_at)
        (tmp_path / safe_files.LOCK_NAME).unlink()
        return looked_at(path)

    (tmp_path / safe_files.LOCK_NAME).touch()
    monkeypatch.setattr(Path, "lstat", gone)
    with safe_files.hold_folders([tmp_path], lambda _: None) as certain:
        assert certain


def test_those_who_share_a_folder_wait_for_nobody_but_who_holds_it_alone(tmp_path: Path) -> None:
    lock = tmp_path / safe_files.LOCK_NAME

    def hold(*, shared: bool) -> AbstractContextManager[bool]:
        return safe_files.hold_folders([tmp_path], stop_waiting, shared=shared)

    def stop_waiting(_: Path) -> None:
        raise RuntimeError

    with hold(shared=True) as is_alone:
        assert not is_alone  # and may remove nothing of the others
        with hold(shared=True):
            pass
        with pytest.raises(RuntimeError), hold(shared=False):
            pass
        assert lock.exists()
    assert not lock.exists()
    with hold(shared=False) as is_alone, pytest.raises(RuntimeError), hold(shared=True):
        pass
    assert is_alone
    assert not lock.exists()


def test_no_two_hold_a_folder(tmp_path: Path) -> None:
    """Also when the file that is the lock goes in between, as it does with every turn."""
    from threading import Thread  # noqa: PLC0415

    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with safe_files.hold_folders([tmp_path], lambda _: None):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.001)
                inside[0] -= 1

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a dangling link"])
def test_nothing_in_the_place_of_the_lock_holds_a_build(root: Path, kind: str) -> None:
    lock = root / "build" / safe_files.LOCK_NAME
    if kind == "a folder":
        (lock / "own").mkdir(parents=True)
    elif kind == "a pipe":
        os.mkfifo(lock)
    else:
        lock.symlink_to("nowhere")
    make(root)
    assert not os.path.lexists(lock)


def test_what_a_dead_build_left_goes(root: Path, tmp_path: Path) -> None:
    make(root, folder=tmp_path / "out")
    left = [
        root / "build/.making-dead",
        tmp_path / "out/.making-dead",
        root / "build/.store/scratch",
    ]
    for folder in left:
        (folder / "within").mkdir(parents=True)
        (folder / "within/file").write_bytes(b"half")
    make(root, folder=tmp_path / "out")
    assert [list(folder.iterdir()) for folder in left[2:]] == [[]]
    assert not any(folder.exists() for folder in left[:2])


# --- what the machine refuses


class Disk:
    """A disk on which the nth write is refused, and every one after it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, code: int) -> None:
        self.left, self.code = number, code
        real_open, real_mkdir = os.open, Path.mkdir

        def opened(path: Any, flags: int, *more: Any, **options: Any) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR) and not str(path).endswith(safe_files.LOCK_NAME):
                self.write(path)
            return real_open(path, flags, *more, **options)

        def mkdir(path: Path, *more: Any, **options: Any) -> None:
            if not path.exists():
                self.write(path)
            real_mkdir(path, *more, **options)

        monkeypatch.setattr(os, "open", opened)
        monkeypatch.setattr(Path, "mkdir", mkdir)

    def write(self, path: Any) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(self.code, os.strerror(self.code), str(path))


FULL = "no room is left on the disk; make room there, and run the command again"
READ_ONLY = "the disk is read-only; copy the game to a folder you may write to"


@pytest.mark.parametrize(("code", "words"), [(errno.ENOSPC, FULL), (errno.EROFS, READ_ONLY)])
def test_a_disk_that_refuses_leaves_the_last_good_output(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    """At whichever write it does. The next build is right, with nothing wrong in the store."""
    old = contents(root / "build")
    edit(root, "cards/notes.yaml", "value: 5", "value: 9")
    edit(root, "art/house.svg", "#b8392a", "#2a39b8")
    copy = Path(shutil.copytree(root, root.with_name("copy"), symlinks=True))
    make(copy)
    new = contents(copy / "build")
    refused = 0
    for number in range(200):
        with monkeypatch.context() as patch:
            disk = Disk(patch, number, code)
            result = cardgen("build", root, "sheets", "images", "--dpi", "72")
        if disk.left >= 0:
            break
        if result.exit_code == 0:
            continue  # only its notes of how files looked were refused
        refused += 1
        place, _, told = result.stderr.partition(": error: ")
        assert told == f"{words} [disk]\n", result.output
        assert place == "build" or place.startswith("build/en")
        assert result.exit_code == 1
        assert "1 error; nothing was changed in " in result.stdout
        assert contents(root / "build") == old
    assert refused > 6
    assert result.exit_code == 0
    assert contents(root / "build") == new


def test_a_rename_that_fails_undoes_those_before(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a file is open in another program, on Windows."""
    before = contents(root / "build")
    edit(root, "cards/notes.yaml", "value: 5", "value: 9")
    edit(root, "cards/loot.yaml", '  - {id: shop, name: Shop, text: "Pay.", art: house}\n', "")
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "sheets.pdf" and not path.name.startswith("old"):
            raise PermissionError(errno.EACCES, "in use", str(path), None, str(target))
        return real(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        result = cardgen("build", root, "images", "sheets", "--dpi", "72")
    assert result.exit_code == 1
    assert result.stderr == (
        "build/en/sheets.pdf: error: you may not write here; change the permissions, or copy the "
        "game elsewhere [disk]\n"
    )
    assert contents(root / "build") == before


def test_a_game_where_nothing_may_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(root / "build")
    for words in (("check", root), ("build", root), ("printed", root)):
        with monkeypatch.context() as patch:
            Disk(patch, 0, errno.EACCES)
            result = cardgen(*words)
        assert (result.exit_code, result.stderr) == (
            1,
            "build: error: you may not write here; change the permissions, or copy the game "
            "elsewhere [disk]\n",
        )
        assert not (root / "build").exists()


def test_an_unchanged_game_is_built_where_nothing_may_be_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing to write."""
    assert cardgen("check", root).exit_code == 0
    with monkeypatch.context() as patch:
        Disk(patch, 0, errno.EROFS)
        assert cardgen("check", root).exit_code == 0


# --- inputs that change


def test_a_picture_that_changes_while_it_is_drawn(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was hashed is what is drawn: the build goes over the game again."""
    real, changes = typesetting.draw_vector_art, iter(["#2a39b8"])

    def draw(*asked: Any) -> Any:
        with suppress(StopIteration):
            edit(root, "art/house.svg", "#b8392a", next(changes))
        return real(*asked)

    safe_files.remove_path(root / "build/.store/art")
    monkeypatch.setattr(typesetting, "draw_vector_art", draw)
    result = cardgen("build", root, "sheets", "images", "--dpi", "72")
    assert result.stderr == "art/house.svg changed meanwhile; going over the game again\n"
    assert result.exit_code == 0
    changed = contents(root / "build")
    make(root, fresh=True)
    assert contents(root / "build") == changed
    edit(root, "art/house.svg", "#2a39b8", "#b8392a")
    make(root)
    store = contents(root / "build")
    make(root, fresh=True)
    assert contents(root / "build") == store


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards/notes.yaml", "value: 5", "value: 9"),
        ("templates/note.html", "20mm", "21mm"),
        ("templates/card.css", "#f1e6cf", "#e6f1cf"),
        ("game.yaml", "Small", "Large"),
        ("art/icons/coin.svg", 'r="9"', 'r="7"'),
        ("fonts/fonts.yaml", "family: Roboto Condensed", "family: Roboto  Condensed"),
    ],
)
def test_an_input_that_changes_while_files_are_made(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    """The build is that of the game as it is when the command ends."""
    sheets = OUTPUTS["sheets"].output
    real, changes = sheets.make, iter([new])

    def change(recipes: list[Any]) -> list[bytes]:
        with suppress(StopIteration):
            edit(root, name, old, next(changes))
        files: list[bytes] = real(recipes)
        return files

    edit(root, "cards/notes.yaml", "copies: 2", "copies: 3")
    monkeypatch.setattr(sheets, "make", change)
    result = cardgen("build", root, "sheets", "images", "--dpi", "72")
    assert result.stderr.splitlines()[0] == (f"{name} changed meanwhile; going over the game again")
    monkeypatch.undo()
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    made = contents(root / "build")
    again = build.build(Request(root, ("sheets", "images"), options=options(), fresh=True))
    assert bool(result.exit_code) == again.has_failed
    assert contents(root / "build") == made


def test_an_input_that_never_rests(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(root / "build")
    numbers = iter(range(6, 100))
    real = loader.raise_if_changed

    def look(game: Any) -> None:
        path = root / "cards/notes.yaml"
        path.write_text(path.read_text().replace("copies: 2", f"copies: 2{next(numbers)}"[:11]))
        os.utime(path, ns=(next(numbers), next(numbers)))
        real(game)

    monkeypatch.setattr(loader, "raise_if_changed", look)
    result = cardgen("build", root, "sheets")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        *["cards/notes.yaml changed meanwhile; going over the game again"] * 3,
        "cards/notes.yaml: error: the file keeps changing during the build; run the command again "
        "once nothing writes to it [file]",
    ]
    assert contents(root / "build") == before


def test_a_book_that_changes_while_it_is_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardgen.book import editions  # noqa: PLC0415

    (root / "rulebook").mkdir()
    (root / "rulebook/en.md").write_text("# Small\n\nOne.\n")
    real, changes = editions.write_books, iter(["Two."])

    def write(*asked: Any) -> Any:
        with suppress(StopIteration):
            edit(root, "rulebook/en.md", "One.", next(changes))
        return real(*asked)

    monkeypatch.setattr(editions, "write_books", write)
    result = cardgen("check", root)
    assert result.stderr == "rulebook/en.md changed meanwhile; going over the game again\n"
    edit(root, "rulebook/en.md", "Two.", "One.")
    game, _ = rule_file.load_game(root)
    assert game is not None
    found = check_game(Request(root))
    assert found.stages
    assert "One." in found.stages.books.books[0].html


@pytest.mark.parametrize("back", [0, -86_400 * 365 * 10, 86_400 * 365 * 10])
def test_no_clock_decides_what_is_new(root: Path, back: int) -> None:
    """A file that is older than what was made from it, or of the same time and size, is new."""
    path = root / "art/house.svg"
    told = path.stat()
    edit(root, "art/house.svg", "#b8392a", "#2a39b8")
    moment = told.st_mtime_ns + back * 10**9
    os.utime(path, ns=(moment, moment))
    report = make(root)
    assert "en/images/loot/barn.png" in {artefact.path for artefact in report.new_files}


def test_patterns_of_any_time_are_read(root: Path) -> None:
    """The dictionary made from them goes by what they say."""
    fonts = root / "fonts/fonts.yaml"
    fonts.write_text(fonts.read_text() + "hyphenation: {en: fi-x-school}\n")
    make(root)
    first = sorted((root / "build/.store/hyphenation").iterdir())
    script = root / "fonts/node_modules/hyphen/patterns/fi-x-school.js"
    text = script.read_text()
    script.unlink()  # it may be shared with others
    changed = text.replace("o: 3", "o: 1", 1)
    assert changed != text
    script.write_text(changed)
    os.utime(script, (0, 0))
    make(root)
    assert len(sorted((root / "build/.store/hyphenation").iterdir())) == len(first) + 1


def test_files_that_cannot_be_put_back_are_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(root / "build")
    edit(root, "cards/notes.yaml", "value: 5", "value: 9")
    real = Path.replace
    refused: list[Path] = []

    def replace(path: Path, target: Path) -> Path:
        if refused or target.name == "sheets-one-sided.pdf":
            refused.append(target)
            raise PermissionError(errno.EACCES, "in use", str(target))
        return real(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        result = cardgen("build", root, "images", "sheets", "--dpi", "72")
    told = f"[Errno 13] in use: '{root}/build/en/sheets-one-sided.pdf'"
    assert result.stderr == (
        f"build: error: some of its files are new and some old, because {told}; "
        "build again [torn]\n"
    )
    assert "1 error; what is in " in result.stdout
    edit(root, "cards/notes.yaml", "value: 9", "value: 5")
    make(root)
    assert contents(root / "build") == before
