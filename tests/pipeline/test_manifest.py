"""Whether files are as builds left them: looked at folder by folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.pipeline import manifest
from cardgen.pipeline.manifest import Manifest, ManifestEntry, StagedFile
from cardgen.runtime import safe_files
from cardgen.runtime.content_store import Store

FILES = [f"en/images/{deck}/c{number}.png" for deck in "ab" for number in range(40)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which a build has published."""
    folder = tmp_path / "build"
    folder.mkdir()
    new = {}
    with safe_files.open_scratch(folder) as scratch:
        for number, path in enumerate(FILES):
            waiting = scratch / str(number)
            waiting.write_bytes(path.encode())
            entry = ManifestEntry(f"key-{path}", "images", "en", manifest.hash_bytes(path.encode()))
            new[path] = StagedFile(waiting, entry)
        shelf(folder).publish_files(scratch, new, [])
    return folder


def shelf(folder: Path) -> Manifest:
    return Manifest(folder, Store(folder / ".store"))


def current(shelf: Manifest) -> list[str]:
    return [p for p in FILES if shelf.is_current(p, ManifestEntry(f"key-{p}", "images", "en"))]


def test_no_file_is_looked_at_by_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many looks as there are folders, however many files lie in them."""
    now = shelf(folder)
    looks: list[str] = []
    for name in ("lstat", "stat", "open", "scandir"):
        real = getattr(os, name)

        def look(path: object, *more: object, _real: object = real, **also: object) -> object:
            looks.append(str(path))
            assert callable(_real)
            return _real(path, *more, **also)

        monkeypatch.setattr(os, name, look)
    found = current(now)
    monkeypatch.undo()
    assert found == FILES
    assert not [path for path in looks if path.endswith(".png")]
    assert len(looks) <= 2 * len(("", "en", "images", "a", "the listing"))


def test_what_is_not_as_it_was_left_is_made_again(folder: Path) -> None:
    kept, cut, touched, gone, linked, other = FILES[:6]
    (folder / cut).write_bytes((folder / cut).read_bytes()[:-1])
    (folder / touched).touch()
    (folder / gone).unlink()
    (folder / linked).unlink()
    (folder / linked).symlink_to(Path(kept).name)
    now = shelf(folder)
    assert current(now) == [kept, touched, other, *FILES[6:]]
    assert not now.is_current(other, ManifestEntry("another key", "images", "en"))
    assert not now.is_current(other, ManifestEntry(f"key-{other}", "sheets", "en"))
    assert not now.is_current(other, ManifestEntry(f"key-{other}", "images", "fi"))


def test_only_what_was_published_and_stayed_so_is_read(folder: Path) -> None:
    kept, changed, gone = FILES[:3]
    (folder / changed).write_bytes(b"another")
    (folder / gone).unlink()
    (folder / "en/strange.pdf").write_bytes(b"of a stranger")
    found = [manifest.read_published(folder, p) for p in (kept, changed, gone, "en/strange.pdf")]
    assert found == [kept.encode(), None, None, None]
