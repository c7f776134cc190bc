"""The room: what is worked at next, and what becomes of what a newer save has overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_games import edit

from cardgen.base.guard import Stopped
from cardgen.base.workers import Resident
from cardgen.preview import press
from cardgen.preview import room as room_module
from cardgen.preview.press import Place
from cardgen.preview.room import Gone, Room
from cardgen.preview.seen import FaceName

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
            raise Stopped("it takes more than 6 s of the processor's time and was stopped")
        return function(call)

    def forget(self) -> None:
        self.stopped.clear()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


def in_room(root: Path, act: Callable[[Room, Here], Awaitable[None]]) -> None:
    """Act in a room whose helpers are this process."""

    async def acted() -> None:
        room, here = Room(Place(root), Resident()), Here()
        room._press = room._pencil = here  # type: ignore[assignment]
        await act(room, here)

    asyncio.run(acted())


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "_presses", {})
    monkeypatch.setattr(room_module, "_A_REST", 0.3)


async def rest(room: Room) -> None:
    """Do all that is to be done."""
    while await room._step():
        pass


def test_a_save_is_looked_at_once_and_then_there_is_nothing_to_do(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        assert here.names[:4] == ["begin", "settle", "look", "settle"]
        assert here.names[-3:] == ["hold", "books", "tidy"]
        assert not await room._step()
        here.asked.clear()
        room.saved()  # of a file that no game has
        await rest(room)
        assert here.names == ["glance", "look"]

    in_room(root, act)


def test_an_edited_card_is_set_before_the_game_is_looked_at(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        room.saved()
        await rest(room)
        assert here.names == ["glance", "settle", "look", "hold", "books", "tidy"]
        assert len(here.asked[1][1][1]) == 1

    in_room(root, act)


def test_what_a_page_waits_for_is_set_first(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        await room._step()
        await room._step()
        last = room.wall.unset(())[-1]
        waiting = asyncio.ensure_future(room.picture(last, 60))
        await asyncio.sleep(0)
        await room._step()
        name, (_, pictures, few) = here.asked[-1]
        assert (name, pictures[0], few) == ("settle", last, 2)
        assert (await waiting).startswith(b"\x89PNG")

    in_room(root, act)


def test_a_picture_that_a_newer_save_has_overtaken_is_never_set(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        room.saved()
        await room._step()
        await room._step()
        old = room.wall.faces[BARN].picture
        waiting = asyncio.ensure_future(room.picture(old, 60))
        await asyncio.sleep(0)
        edit(root, "templates/card.css", "#223344", "#443322")
        room.saved()
        await rest(room)
        with pytest.raises(Gone):
            await waiting
        with pytest.raises(Gone):
            await room.picture(old, 60)
        faces = root / "build/.store/faces"
        keys = {recipe.face.key for recipe in room.wall.recipes.values()}
        assert {path.stem for path in faces.glob("*.pdf")} >= keys
        assert old not in {room.wall.faces[name].picture for name in room.wall.faces}

    in_room(root, act)


def test_what_stops_the_press_is_told_and_the_wall_stays(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        before = room.told["faces"]
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        room.saved()
        await room._step()
        here.stopped.add("look")
        await rest(room)
        assert "was stopped" in room.told["problems"][0]["message"]
        assert [face["picture"] for face in room.told["faces"].values()] == [
            face["picture"] for face in before.values()
        ]

    in_room(root, act)


def test_pages_are_told_and_one_that_sleeps_is_told_all_at_last(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        with room.listening() as queue:
            assert queue.empty()  # what a page shows already stays until there is something
            await rest(room)
            assert len(queue.get_nowait()["wall"]["faces"]) == 12
            with room.listening() as another:
                assert len(another.get_nowait()["wall"]["faces"]) == 12
            for number in range(200):
                room.wall.seen = replace(room.wall.seen, title={"en": f"Title {number}"})
                room._tell()
            assert queue.qsize() <= 60
            told = [queue.get_nowait() for _ in range(queue.qsize())]
            assert told[0]["wall"]["title"]["en"] != told[-1]["change"]["title"]["en"]
            room.moved(True)
            assert queue.get_nowait() == {"away": True}
            room.moved(True)
            assert queue.empty()

    in_room(root, act)


def test_what_is_in_view_is_set_before_the_game_is_looked_at(root: Path) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        shop = str(BARN).replace("barn", "shop")
        room.in_view = (shop, str(BARN))
        here.asked.clear()
        edit(root, "templates/card.css", "#f1e6cf", "#112233")
        room.saved()
        await room._step()
        assert here.names[:2] == ["glance", "settle"]
        assert "look" not in here.names
        pictures = {str(name): face.picture for name, face in room.wall.faces.items()}
        assert here.asked[1][1][1][:2] == (pictures[shop], pictures[str(BARN)])
        assert {pictures[shop], pictures[str(BARN)]} <= room.wall.ready
        await room._step()
        assert here.names[-1] == "look"

    in_room(root, act)


def test_the_books_wait_until_nobody_saves(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(room: Room, here: Here) -> None:
        await rest(room)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        monkeypatch.setattr(room_module, "_A_REST", 3600.0)
        room.saved()
        while "hold" not in here.names:
            await room._step()
        await room._step()
        assert "books" not in here.names
        room._rest_until = 0.0  # the hour is over
        await rest(room)
        assert here.names[-2:] == ["books", "tidy"]

    in_room(root, act)
