"""The watched folders: the game's own, and none that a link leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from watchfiles.main import FileChange

from cardgen.preview import server


def game(folder: Path) -> Path:
    for name in ("cards", "art/loot/old", "templates", "build/en", "fonts/node_modules/font"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_text("1")
    (folder / "game.yaml").write_text("game: g\n")
    return folder


def test_folders_of_the_game_are_watched_and_no_others(tmp_path: Path) -> None:
    root = game(tmp_path / "game")
    (root / "art/everything").symlink_to("/")
    (root / "rulebook").symlink_to(tmp_path)
    names = {path.relative_to(root).as_posix() for path in server.list_folders(root)}
    assert names == {".", "cards", "art", "art/loot", "art/loot/old", "templates", "fonts"}


def saves_after(root: Path, *acts: tuple[str, str]) -> list[bool]:
    """What is told once it is watched, for each file written."""

    async def told() -> list[bool]:
        found = []
        saves = server.watch_saves(root)
        assert await anext(saves) is True  # it is there
        for name, text in acts:
            waiting = asyncio.ensure_future(anext(saves))
            await asyncio.sleep(0.3)
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
            found.append(await asyncio.wait_for(waiting, 10))
        await saves.aclose()
        return found

    return asyncio.run(told())


def test_a_save_is_reported(tmp_path: Path) -> None:
    root = game(tmp_path / "game")
    assert saves_after(root, ("cards/file", "2"), ("game.yaml", "game: h\n")) == [True, True]


@pytest.mark.parametrize("name", ["cards/file", "game.yaml", "art/loot/old/new"])
def test_a_save_before_the_watcher_is_ready_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    root = game(tmp_path / "game")
    watch = server._watch_folders

    async def saved_first(watched: set[Path]) -> AsyncIterator[set[FileChange]]:
        (root / name).write_text("game: h\n")
        async for changed in watch(watched):
            yield changed

    monkeypatch.setattr(server, "_watch_folders", saved_first)

    async def told() -> list[bool]:
        saves = server.watch_saves(root)
        found = [await anext(saves), await asyncio.wait_for(anext(saves), 10)]
        with pytest.raises(TimeoutError):  # it is reported once
            await asyncio.wait_for(anext(saves), 2.5 * server.RESCAN_MS / 1000)
        return found

    assert asyncio.run(told()) == [True, True]


def test_a_save_in_a_new_folder_is_reported(tmp_path: Path) -> None:
    root = game(tmp_path / "game")
    assert saves_after(root, ("art/new/file", "2"), ("art/new/file", "3")) == [True, True]


def test_a_folder_that_disappears_and_comes_back(tmp_path: Path) -> None:
    root = game(tmp_path / "game")

    async def told() -> list[bool]:
        saves = server.watch_saves(root)
        found = [await anext(saves)]
        waiting = asyncio.ensure_future(anext(saves))
        await asyncio.sleep(0.3)
        root.rename(tmp_path / "elsewhere")
        while (each := await asyncio.wait_for(waiting, 10)) is True:
            waiting = asyncio.ensure_future(anext(saves))
        found.append(each)
        (tmp_path / "elsewhere").rename(root)
        while (each := await asyncio.wait_for(anext(saves), 10)) is False:
            pass
        await saves.aclose()
        return [*found, each]

    assert asyncio.run(told()) == [True, False, True]


def test_a_folder_that_is_away_for_a_moment_is_reported_to_be_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It disappears after its files were looked at, and is back before anything else is done."""
    root, elsewhere = game(tmp_path / "game"), tmp_path / "elsewhere"
    digest_files = server._digest_files

    def digest_and_remove(root: Path, folders: set[Path]) -> list[str]:
        found = digest_files(root, folders)
        monkeypatch.setattr(server, "_digest_files", digest_files)
        root.rename(elsewhere)
        return found

    async def told() -> list[bool]:
        monkeypatch.setattr(server, "_digest_files", digest_and_remove)
        saves = server.watch_saves(root)
        found = [await anext(saves)]
        elsewhere.rename(root)
        found.append(await asyncio.wait_for(anext(saves), 10))
        await saves.aclose()
        return found

    assert asyncio.run(told()) == [False, True]


def test_a_folder_that_was_away_for_a_moment_is_reported_as_gone_and_back(tmp_path: Path) -> None:
    root = game(tmp_path / "game")

    async def told() -> list[bool]:
        saves = server.watch_saves(root)
        found = [await anext(saves)]
        waiting = asyncio.ensure_future(anext(saves))
        await asyncio.sleep(0.3)
        root.rename(tmp_path / "elsewhere").rename(root)
        found += [await asyncio.wait_for(waiting, 10), await asyncio.wait_for(anext(saves), 10)]
        await saves.aclose()
        return found

    assert asyncio.run(told()) == [True, False, True]
