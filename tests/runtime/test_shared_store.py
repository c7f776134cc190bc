"""A store that several machines share is looked at with suspicion: what is not rightly signed is
none, and what does not answer is given up."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import fsspec
import pytest

from cardgen.runtime import content_store
from cardgen.runtime.content_store import DamagedEntryError, Store, read_entry
from cardgen.runtime.scale import shared_store
from cardgen.runtime.scale.shared_store import SharedStore

KEY, OTHER = b"k" * 32, b"o" * 32
MINE = SharedStore("memory://share", KEY, writes=True)
HEAD = b"cardgen entry 2 " + b"0" * 64 + b" " + b"0" * 64


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """No line is open, and nothing is there."""
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    shared_store.forget_connections()
    yield
    memory.store.clear()
    shared_store.forget_connections()


def put(shared: SharedStore, **entries: bytes) -> None:
    for name, data in entries.items():
        shared.put_entry(f"faces/{name}", data)
    shared.flush()


def place_of(name: str) -> str:
    found = [str(each) for each in fsspec.filesystem("memory").find("/") if each.endswith(name)]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("address", ["memory://share", "file://{}", "{}"])
def test_what_one_puts_the_others_get(address: str, tmp_path: Path) -> None:
    """Of any size, and none beside them: nothing that was in the making is left."""
    shared = SharedStore(address.format(tmp_path / "share"), KEY, writes=True)
    first, head = shared_store._FIRST, shared_store._HEADER_LENGTH
    sizes = (0, 1, *(first - head + more for more in (-1, 0, 1)), first + 1, 3 * first)
    for size in sizes:
        shared.put_entry(f"faces/{size}", bytes(size))
        shared.put_entry(f"files/{size}", bytes(size))
    shared.flush()
    names = [f"{kind}/{size}" for size in sizes for kind in ("faces", "files")]
    another = SharedStore(shared.address, KEY)
    assert dict(another.get([*names, "faces/none"])) == {
        name: bytes(int(name.partition("/")[2])) for name in names
    }
    kept = fsspec.core.url_to_fs(shared.address)
    assert len(kept[0].find(kept[1])) == len(names)


@pytest.mark.parametrize("spoilt", [
    b"", b"junk", HEAD + b" 000000000003\nabc", HEAD + b" 999999999999\n" + bytes(300_000),
])  # fmt: skip
def test_a_poisoned_entry_is_refused_and_told_once(
    spoilt: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    put(MINE, a=b"a", b=b"b", c=b"c")
    for name in "ab":
        fsspec.filesystem("memory").pipe(place_of(f"faces/{name}"), spoilt)
    assert dict(MINE.get(["faces/a", "faces/b", "faces/c"])) == {"faces/c": b"c"}
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert "faces/a" in told[0]
    assert "not signed with your key" in told[0]


def test_of_a_forged_entry_no_more_than_its_beginning_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever length it names; and one that is longer than its kind may be is not sent."""
    asked: list[int] = []
    memory = type(fsspec.filesystem("memory"))
    cat = memory.cat_ranges

    def counted(self: object, paths: object, starts: object, ends: list[int]) -> object:
        asked.extend(ends)
        return cat(self, paths, starts, ends)

    monkeypatch.setattr(memory, "cat_ranges", counted)
    most, first = 300_000, shared_store._FIRST
    monkeypatch.setattr(shared_store, "_MOST_BYTES", most)
    put(MINE, a=bytes(most), b=bytes(most), c=bytes(most + 1))
    fsspec.filesystem("memory").pipe(place_of("faces/b"), HEAD + b" 000000299999\n" + bytes(most))
    assert dict(MINE.get(["faces/a", "faces/b", "faces/c"])).keys() == {"faces/a"}
    assert asked == [first + 1] * 3 + [shared_store._HEADER_LENGTH + most + 1]
    monkeypatch.setattr(shared_store, "_MOST_BYTES", most - 1)
    assert dict(MINE.get(["faces/a"])) == {}


def test_after_a_few_refused_entries_a_store_is_asked_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Which is told with their number. What is made is still sent there, so that it heals."""
    names = [f"faces/{number}" for number in range(9)]
    put(SharedStore(MINE.address, OTHER, writes=True), **{name[-1]: b"poison" for name in names})
    put(MINE, **{"8": b"8"})
    assert dict(MINE.get(names)) == {}
    assert dict(MINE.get(["faces/8"])) == {}
    assert MINE.is_lost
    assert caplog.records[-1].getMessage() == (
        "the shared store memory://share is given up for this build: 3 of its entries were "
        "refused; going on with the local one"
    )
    assert len(caplog.records) == 2
    put(MINE, **{name[-1]: b"good" for name in names})
    shared_store.forget_connections()
    assert dict(MINE.get(names)).keys() == {*names}


@pytest.fixture
def folder(tmp_path: Path) -> SharedStore:
    """A store in a folder, with three entries. That folder itself may be a link of the user's."""
    (tmp_path / "share").mkdir()
    (tmp_path / "mine").symlink_to("share")
    shared = SharedStore(f"file://{tmp_path}/mine", KEY, writes=True)
    put(shared, a=b"a", b=b"b", c=b"c")
    return shared


def lay_link(entry: Path) -> None:
    """A link to what is rightly signed: yet it is none of the store's."""
    entry.rename(entry.parents[3] / "elsewhere")
    entry.symlink_to(entry.parents[3] / "elsewhere")


def lay_folder(entry: Path) -> None:
    entry.unlink()
    entry.mkdir()


def lay_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


@pytest.mark.parametrize(("lay", "told"), [
    (lay_link, "is a link"), (lay_pipe, "is a named pipe"), (lay_folder, "is a folder"),
])  # fmt: skip
def test_what_is_no_plain_file_in_a_folder_is_refused_at_once(
    folder: SharedStore, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    lay: Callable[[Path], None], told: str,
) -> None:  # fmt: skip
    """It is told once, and the others are had; a link gives way to what is made anew, and what it
    led to stays as it was."""
    for name in "ab":
        (entry,) = (tmp_path / "share").glob(f"*/faces/{name}")
        lay(entry)
    begun = time.monotonic()
    for _ in range(2):
        assert dict(folder.get(["faces/a", "faces/c"])) == {"faces/c": b"c"}
    assert time.monotonic() - begun < 5
    assert [record.getMessage() for record in caplog.records] == [
        f"the shared store {folder.address} holds what is no entry: faces/a {told}; it is not "
        "used, nor is any other like it, and is made anew"
    ]
    before = [path.read_bytes() for path in tmp_path.glob("elsewhere")]
    put(folder, a=b"new", b=b"new")
    assert [path.read_bytes() for path in tmp_path.glob("elsewhere")] == before
    shared_store.forget_connections()
    mended = {} if lay is lay_folder else {"faces/a": b"new", "faces/b": b"new"}
    assert dict(folder.get(["faces/a", "faces/b"])) == mended
    assert not list((tmp_path / "share").rglob("*.*"))


@pytest.mark.parametrize("level", ["*", "*/faces"])
def test_nothing_is_read_or_written_through_a_link_to_a_folder(
    folder: SharedStore, tmp_path: Path, caplog: pytest.LogCaptureFixture, level: str
) -> None:
    (linked,) = (tmp_path / "share").glob(level)
    linked.rename(tmp_path / "elsewhere")
    linked.symlink_to(tmp_path / "elsewhere")
    before = sorted(tmp_path.rglob("elsewhere/*"))
    assert dict(folder.get(["faces/a"])) == {}
    put(folder, new=b"new", newer=b"new")
    folder.remove_entries(["faces/a"])
    assert sorted(tmp_path.rglob("elsewhere/*")) == before
    assert [record.getMessage() for record in caplog.records] == [
        f"the shared store {folder.address} holds what is no entry: faces/a lies in what is a "
        "link; it is not used, nor is any other like it, and is made anew"
    ]
    assert not folder.is_lost


def test_an_entry_stands_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """However rightly signed: another name, another engine or another's key."""
    put(MINE, a=b"a", b=b"b")
    files = fsspec.filesystem("memory")
    files.copy(place_of("faces/a"), place_of("faces/b"))
    assert dict(MINE.get(["faces/b"])) == {}
    assert dict(SharedStore(MINE.address, OTHER).get(["faces/a"])) == {}
    before = place_of("faces/a")
    monkeypatch.setattr("cardgen.runtime.code_version.get_code_key", lambda: "another")
    shared_store.forget_connections()
    assert dict(MINE.get(["faces/a"])) == {}
    files.copy(before, "/share/another/faces/a")
    assert dict(MINE.get(["faces/a"])) == {}


def test_who_may_not_write_writes_nothing() -> None:
    put(SharedStore(MINE.address, KEY), a=b"a")
    assert fsspec.filesystem("memory").find("/") == []


@pytest.mark.parametrize(("fault", "told"), [
    (PermissionError("forbidden"), "lets nobody write with these rights (forbidden); what is made "
     "stays here"),
    (OSError("the line is dead"), "does not answer (the line is dead); going on with the local "
     "one"),
])  # fmt: skip
def test_what_cannot_be_sent_is_told_once(
    fault: Exception, told: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise fault

    put(MINE, a=b"a")
    monkeypatch.setattr(type(fsspec.filesystem("memory")), "pipe_file", fail)
    for name in ("b", "c"):
        put(MINE, **{name: b"b"})
    assert [record.getMessage() for record in caplog.records] == [
        f"the shared store memory://share {told}"
    ]
    assert MINE.is_lost is not isinstance(fault, PermissionError)
    assert bool(dict(MINE.get(["faces/a"]))) is not MINE.is_lost


@pytest.mark.parametrize(("fault", "told"), [
    (PermissionError("Access Denied"), "refuses (Access Denied)"),
    (OSError(121, "An error occurred"), "does not answer (An error occurred)"),
    (RuntimeError("a " * 60 + "http://127.0.0.1/" + "x" * 90), f"does not answer ({'a ' * 60}…)"),
    (RuntimeError(), "does not answer (RuntimeError)"),
])  # fmt: skip
def test_why_it_cannot_be_read_is_told_in_a_line(
    fault: Exception, told: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **_more: object) -> None:
        raise fault

    monkeypatch.setattr(type(fsspec.filesystem("memory")), "cat_ranges", fail)
    assert dict(MINE.get(["faces/a"])) == {}
    assert [record.getMessage() for record in caplog.records] == [
        f"the shared store memory://share {told}; going on with the local one"
    ]


def test_how_far_it_served_is_told() -> None:
    """Nothing where it was not needed; and whoever only reads sends nothing."""
    assert MINE.usage_summary == ""
    put(MINE, a=b"a", b=b"b")
    assert MINE.usage_summary == "shared store memory://share: 0 of 0 entries found, 2 sent"
    reader = SharedStore(MINE.address, KEY)
    assert len(dict(reader.get(["faces/a", "faces/b", "faces/c"]))) == 2
    assert reader.usage_summary == "shared store memory://share: 2 of 3 entries found"


def test_a_store_that_hangs_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is asked no more after that, and what hangs holds up nobody."""
    asked: list[object] = []
    forever = threading.Event()

    def hang(*args: object, **_: object) -> None:
        asked.append(args)
        forever.wait()

    monkeypatch.setattr(shared_store, "_SECONDS", 0.05)
    monkeypatch.setattr(shared_store, "_SLOWEST", 1e9)
    monkeypatch.setattr(type(fsspec.filesystem("memory")), "cat_ranges", hang)
    assert dict(MINE.get(["faces/a"])) == dict(MINE.get(["faces/b"])) == {}
    assert len(asked) == 1
    assert MINE.is_lost
    assert "no answer in" in caplog.text
    forever.set()


def test_a_password_in_an_address_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    shared = SharedStore("nowhere://me:secret@host/share", KEY)
    assert dict(shared.get(["faces/a"])) == {}
    assert "nowhere://…@host/share" in caplog.text
    assert "secret" not in caplog.text + repr(SharedStore("memory://", b"secret"))


def test_a_local_store_looks_into_the_shared_one(tmp_path: Path) -> None:
    """Of the kinds that may be shared; what is got is read as if it had been made here."""
    one, two = (Store(tmp_path / name, shared=MINE) for name in "ab")
    one.write(one.get_path("faces", "k.pdf"), b"face")
    one.write_json(one.get_path("faces", "k.json"), [1])
    one.write(one.get_path("stamps", "s.json"), b"1")
    one.flush_shared()
    assert two.has_entry(two.get_path("faces", "k.pdf"))
    assert read_entry(two.get_path("faces", "k.pdf")) == b"face"
    assert two.read_json(two.get_path("faces", "k.json")) == [1]
    assert not two.has_entry(two.get_path("stamps", "s.json"))
    alone = Store(tmp_path / "c")
    assert not alone.has_entry(alone.get_path("faces", "k.pdf"))


def test_many_are_asked_for_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are missing here, once."""
    one, two = (Store(tmp_path / name, shared=MINE) for name in "ab")
    for number in range(30):
        one.write(one.get_path("faces", f"{number}"), b"face")
    one.flush_shared()
    asked: list[int] = []
    memory = type(fsspec.filesystem("memory"))
    cat = memory.cat_ranges

    def counted(self: object, paths: list[str], *args: object, **named: object) -> object:
        asked.append(len(paths))
        return cat(self, paths, *args, **named)

    monkeypatch.setattr(memory, "cat_ranges", counted)
    wanted = [two.get_path("faces", f"{number}") for number in range(40)]
    assert two.fetch_entries(wanted) == 30
    assert [two.has_entry(path) for path in wanted] == [True] * 30 + [False] * 10
    assert two.fetch_entries(wanted) == 0
    assert asked == [40]


def test_what_nobody_could_use_is_not_asked_for_again(tmp_path: Path) -> None:
    put(MINE, k=b"of another shape")
    store = Store(tmp_path / "store", shared=MINE)
    assert store.has_entry(store.get_path("faces", "k"))
    store.remove_damaged(store.get_path("faces", "k"))
    try:
        assert not Store(tmp_path / "store", shared=MINE).has_entry(store.get_path("faces", "k"))
        with pytest.raises(DamagedEntryError):
            read_entry(store.get_path("faces", "k"))
    finally:
        content_store._unusable_entries.clear()


def test_without_a_store_nothing_of_it_is_loaded() -> None:
    """Neither for help nor for a build."""
    modules = "sys, cardgen.pipeline.build, cardgen.cli.build_commands"
    code = f"import {modules}; print('fsspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


@pytest.fixture(autouse=True)
def heard(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "cardgen")
