"""How files stand, by listing their folders once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.base import filing, noted
from cardgen.base.filing import Blocked
from cardgen.base.standing import Standing, folders


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("en/a.png", "en/b.png", "fi/a.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"data")
    return tmp_path


def test_a_file_stands_as_a_look_at_it_tells(base: Path) -> None:
    now = Standing(base)
    assert now.stamp("en/a.png") == noted.stamp(base / "en/a.png", follow=False)
    assert now.size("en/a.png") == 4
    for none in ("en/c.png", "en", "de/a.png", "en/a.png/b", "../x", "", "en/../en/a.png"):
        assert now.stamp(none) == ()


def test_no_link_is_followed(base: Path) -> None:
    (base / "link").symlink_to("en")
    (base / "en/linked.png").symlink_to("a.png")
    now = Standing(base)
    assert now.stamp("link/a.png") == now.stamp("en/linked.png") == ()
    assert now.look("link/") == ""
    (base.parent / "whole").symlink_to(base)
    assert Standing(base.parent / "whole").stamp("en/a.png") == ()


def test_a_folder_stands_otherwise_once_any_of_its_files_does(base: Path) -> None:
    def look() -> str:
        return Standing(base).look("en/")

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
    now = Standing(base)
    for name in ("en/a.png", "en/b.png", "en/c.png", "fi/a.png"):
        now.stamp(name)
    now.look("en/")
    assert listed == [f"{base}/en", f"{base}/fi"]
    assert folders(["en/a.png", "en/b.png", "c.png"]) == {"en", ""}


def test_what_stands_in_the_way_of_many_files(base: Path) -> None:
    filing.check_each(base, ["en/a.png", "en/c.png", "de/new/a.png"])
    (base / "en/c.png").mkdir()
    with pytest.raises(Blocked, match="a folder stands"):
        filing.check_each(base, ["en/a.png", "en/c.png"])
    with pytest.raises(Blocked, match="a file stands"):
        filing.check_each(base, ["fi/a.png/x.png"])
    (base / "link").symlink_to("en")
    with pytest.raises(Blocked, match="it is a link"):
        filing.check_each(base, ["link/a.png"])
