"""The room: what is worked at next, and what becomes of what a newer save has overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_games import edit

from cardgen.core.work_limits import LimitExceededError
from cardgen.preview import scheduler
from cardgen.preview.messages import FaceName
from cardgen.preview.scheduler import PictureGoneError, PreviewScheduler
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime.worker_pool import ResidentWorker

BARN = FaceName("loot", "barn", "front", "en")


class Here:
    """A helper's work done in this process, and noted."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.stopped: set[str] = set()
        self.resident = self

    async def ask(self, function: Callable[[Any], Any], call: Any) -> Any:
        name = function.__name__
        self.asked.append((name, call))
        await asyncio.sleep(0)
        if name in self.stopped:
            raise LimitExceededError(
                "it takes more than 6 s of the processor's time and was stopped"
            )
        return function(call)

    def forget(self) -> None:
        self.stopped.clear()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


def in_room(root: Path, act: Callable[[PreviewScheduler, Here], Awaitable[None]]) -> None:
    """Act in a room whose helpers are this process."""

    async def acted() -> None:
        room, here = PreviewScheduler(GameLocation(root), ResidentWorker()), Here()
        room._renderer = room._rasteriser = here  # type: ignore[assignment]
        await act(room, here)

    asyncio.run(acted())


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_worker, "_sessions", {})
    monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 0.3)


async def rest(room: PreviewScheduler) -> None:
    """Do all that is to be done."""
    while await room._run_step():
        pass


def test_a_save_is_looked_at_once_and_then_there_is_nothing_to_do(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        assert here.names[:4] == ["begin", "settle", "look", "settle"]
        assert here.names[-3:] == ["hold", "books", "tidy"]
        assert not await room._run_step()
        here.asked.clear()
        room.notify_save()  # of a file that no game has
        await rest(room)
        assert here.names == ["glance", "look"]

    in_room(root, act)


def test_an_edited_card_is_set_before_the_game_is_looked_at(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        room.notify_save()
        await rest(room)
        assert here.names == ["glance", "settle", "look", "hold", "books", "tidy"]
        assert len(here.asked[1][1][1]) == 1

    in_room(root, act)


def test_what_a_page_waits_for_is_set_first(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        await room._run_step()
        await room._run_step()
        last = room.state.list_pending(())[-1]
        waiting = asyncio.ensure_future(room.get_picture(last, 60))
        await asyncio.sleep(0)
        await room._run_step()
        name, (_, pictures, few) = here.asked[-1]
        assert (name, pictures[0], few) == ("settle", last, 2)
        assert (await waiting).startswith(b"\x89PNG")

    in_room(root, act)


def test_a_picture_that_a_newer_save_has_overtaken_is_never_set(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        room.notify_save()
        await room._run_step()
        await room._run_step()
        old = room.state.faces[BARN].picture
        waiting = asyncio.ensure_future(room.get_picture(old, 60))
        await asyncio.sleep(0)
        edit(root, "templates/card.css", "#223344", "#443322")
        room.notify_save()
        await rest(room)
        with pytest.raises(PictureGoneError):
            await waiting
        with pytest.raises(PictureGoneError):
            await room.get_picture(old, 60)
        faces = root / "build/.store/faces"
        keys = {recipe.face.key for recipe in room.state.recipes.values()}
        assert {path.stem for path in faces.glob("*.pdf")} >= keys
        assert old not in {room.state.faces[name].picture for name in room.state.faces}

    in_room(root, act)


def test_what_stops_the_press_is_told_and_the_wall_stays(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        before = room.last_sent["faces"]
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        room.notify_save()
        await room._run_step()
        here.stopped.add("look")
        await rest(room)
        assert "was stopped" in room.last_sent["problems"][0]["message"]
        assert [face["picture"] for face in room.last_sent["faces"].values()] == [
            face["picture"] for face in before.values()
        ]

    in_room(root, act)


def test_pages_are_told_and_one_that_sleeps_is_told_all_at_last(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        with room.subscribe() as queue:
            assert queue.empty()  # what a page shows already stays until there is something
            await rest(room)
            assert len(queue.get_nowait()["wall"]["faces"]) == 12
            with room.subscribe() as another:
                assert len(another.get_nowait()["wall"]["faces"]) == 12
            for number in range(200):
                room.state.update = replace(room.state.update, title={"en": f"Title {number}"})
                room._publish_changes()
            assert queue.qsize() <= 60
            told = [queue.get_nowait() for _ in range(queue.qsize())]
            assert told[0]["wall"]["title"]["en"] != told[-1]["change"]["title"]["en"]
            room.notify_folder(True)
            assert queue.get_nowait() == {"away": True}
            room.notify_folder(True)
            assert queue.empty()

    in_room(root, act)


def test_what_is_in_view_is_set_before_the_game_is_looked_at(root: Path) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        shop = str(BARN).replace("barn", "shop")
        room.visible_faces = (shop, str(BARN))
        here.asked.clear()
        edit(root, "templates/card.css", "#f1e6cf", "#112233")
        room.notify_save()
        await room._run_step()
        assert here.names[:2] == ["glance", "settle"]
        assert "look" not in here.names
        pictures = {str(name): face.picture for name, face in room.state.faces.items()}
        assert here.asked[1][1][1][:2] == (pictures[shop], pictures[str(BARN)])
        assert {pictures[shop], pictures[str(BARN)]} <= room.state.ready
        await room._run_step()
        assert here.names[-1] == "look"

    in_room(root, act)


def test_the_books_wait_until_nobody_saves(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(room: PreviewScheduler, here: Here) -> None:
        await rest(room)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 3600.0)
        room.notify_save()
        while "hold" not in here.names:
            await room._run_step()
        await room._run_step()
        assert "books" not in here.names
        room._books_due_at = 0.0  # the hour is over
        await rest(room)
        assert here.names[-2:] == ["books", "tidy"]

    in_room(root, act)
