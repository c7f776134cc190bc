"""How files stand, by listing their folders once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.runtime import fingerprint, safe_files
from cardgen.runtime.fingerprint import FolderScan, list_parent_folders
from cardgen.runtime.safe_files import PathBlockedError


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("en/a.png", "en/b.png", "fi/a.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"data")
    return tmp_path


def test_a_file_stands_as_a_look_at_it_tells(base: Path) -> None:
    now = FolderScan(base)
    assert now.get_stamp("en/a.png") == fingerprint.stamp_path(base / "en/a.png", follow=False)
    assert now.get_size("en/a.png") == 4
    for none in ("en/c.png", "en", "de/a.png", "en/a.png/b", "../x", "", "en/../en/a.png"):
        assert now.get_stamp(none) == ()


def test_no_link_is_followed(base: Path) -> None:
    (base / "link").symlink_to("en")
    (base / "en/linked.png").symlink_to("a.png")
    now = FolderScan(base)
    assert now.get_stamp("link/a.png") == now.get_stamp("en/linked.png") == ()
    assert now.get_fingerprint("link/") == ""
    (base.parent / "whole").symlink_to(base)
    assert FolderScan(base.parent / "whole").get_stamp("en/a.png") == ()


def test_a_folder_stands_otherwise_once_any_of_its_files_does(base: Path) -> None:
    def look() -> str:
        return FolderScan(base).get_fingerprint("en/")

    first = look()
    assert first
    assert first == look()
    (base / "fi/b.png").write_bytes(b"in another folder")
    (base / "en/.DS_Store").write_bytes(b"an editor's own")
    assert first == look()
    seen = {first}
    before = (base / "en/a.png").stat()
    (base / "en/a.png").write_bytes(b"date")
    os.utime(base / "en/a.png", ns=(before.st_atime_ns, before.st_mtime_ns))
    seen.add(look())
    (base / "en/b.png").rename(base / "en/c.png")
    seen.add(look())
    (base / "en/c.png").unlink()
    seen.add(look())
    assert len(seen) == 4


def test_many_files_cost_a_look_a_folder(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []
    scandir = os.scandir

    def listing(path: str) -> os._ScandirIterator[str]:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    now = FolderScan(base)
    for name in ("en/a.png", "en/b.png", "en/c.png", "fi/a.png"):
        now.get_stamp(name)
    now.get_fingerprint("en/")
    assert listed == [f"{base}/en", f"{base}/fi"]
    assert list_parent_folders(["en/a.png", "en/b.png", "c.png"]) == {"en", ""}


def test_what_stands_in_the_way_of_many_files(base: Path) -> None:
    safe_files.check_targets(base, ["en/a.png", "en/c.png", "de/new/a.png"])
    (base / "en/c.png").mkdir()
    with pytest.raises(PathBlockedError, match="a folder stands"):
        safe_files.check_targets(base, ["en/a.png", "en/c.png"])
    with pytest.raises(PathBlockedError, match="a file is where"):
        safe_files.check_targets(base, ["fi/a.png/x.png"])
    (base / "link").symlink_to("en")
    with pytest.raises(PathBlockedError, match="it is a link"):
        safe_files.check_targets(base, ["link/a.png"])
