"""The room around the wall: what is worked at next, by whom, and who is told.

One save is worked at once. The press looks at the game, sets the faces that a page waits for, then
the others, then holds the rules; a save that comes meanwhile goes before all that is left. Pictures
are drawn as they are asked for, so what is on the screen comes first.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from cardgen.base.filing import Blocked
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.base.store import Store
from cardgen.base.workers import Resident
from cardgen.build_folder import BUILD, STORE
from cardgen.faces import faults
from cardgen.game import loading
from cardgen.pdf.inks import FULL, Ink
from cardgen.preview import drawing, holding, inquiries, past, press
from cardgen.preview.changed import Times
from cardgen.preview.drawing import Drawing
from cardgen.preview.press import Place
from cardgen.preview.seen import Recipe, Seen, Settled
from cardgen.preview.wall import Json, Wall, changes

VIEW = "view.json"
"""How the page was last looked at, in the store."""
_FIRST, _FEW, _MANY = 2, 8, 100
"""So many faces are set at once while a page waits for them, and so many of the others; and of so
many it is seen whether they are set already."""
_A_MOMENT = 0.1
_A_REST = 4.0
"""So many s after a save the books are read, which takes longest."""
_MOST_EVENTS = 60
"""So many changes wait for a page that does not listen."""
_MOST_PAST = 400
"""So many pictures of cards as they were are known."""
_MOST_KEPT = 8_000_000
"""Bytes of what the preview keeps of itself: anybody may have written it."""
_MOST_BYTES = 96_000_000
"""Of pictures that are kept in memory."""
Drawn = tuple[str, int, bool, Ink]
"""A picture, its width in px, whether with bleed, and its ink."""
Call = TypeVar("Call")
Result = TypeVar("Result")


class _Hand:
    """A resident helper, asked by one after another."""

    def __init__(self, resident: Resident) -> None:
        self.resident = resident
        self._turn = asyncio.Lock()

    @property
    def busy(self) -> bool:
        """Whether it is at work."""
        return self._turn.locked()

    async def ask(self, function: Callable[[Call], Result], call: Call) -> Result:
        """The function's result, called in the helper. Raises `Stopped`, also where cardgen fails
        over something of the game: the preview goes on, and the wall tells."""
        async with self._turn:
            try:
                return await asyncio.to_thread(self.resident.call, function, call)
            except (Stopped, asyncio.CancelledError):
                raise
            except Exception as error:
                what = f"{type(error).__name__}: {error}".partition("\n")[0]
                raise Stopped(
                    f"cardgen failed over it, which is a bug of cardgen's ({what})"
                ) from error


class Gone(Exception):  # noqa: N818 - it reads as what it says
    """A picture that the wall does not show any more, or that cannot be drawn."""


class Room:
    """A game's wall, kept up to date until it is closed."""

    def __init__(self, place: Place, reader: Resident) -> None:
        self.place = place
        self._store = Store(place.root / BUILD / STORE)
        self._changed = self._store.path("preview", "changed.json")
        self.wall = Wall(times=Times.read(self._store.read_json(self._changed, _MOST_KEPT)))
        self.told: Json = self.wall.as_json()
        self.in_view: tuple[str, ...] = ()
        """The faces on somebody's screen, as deck/card/side/language, in their order there."""
        self._there, self._begun = True, False
        self._press = _Hand(reader)
        self._pencil = _Hand(Resident(drawing.__name__))
        self._binder = _Hand(Resident(press.__name__))
        self._listeners: set[asyncio.Queue[Json]] = set()
        self._newcomers: set[asyncio.Queue[Json]] = set()
        self._waited: dict[str, int] = {}
        self._arrivals: dict[str, asyncio.Event] = {}
        self._work = asyncio.Event()
        self._saved, self._rest_until = True, 0.0
        self._looked = self._held = self._booked = self._tidied = False
        self._drawn: OrderedDict[Drawn, bytes] = OrderedDict()
        self._bytes = 0
        self._past: OrderedDict[str, Recipe] = OrderedDict()

    # -- what is worked at

    def saved(self) -> None:
        """A file was saved: look at the game, before all else that is to be done."""
        self._saved = True
        self._rest_until = time.monotonic() + _A_REST
        self._work.set()
        for queue in self._listeners - self._newcomers:
            if queue.qsize() < _MOST_EVENTS:
                queue.put_nowait({"saved": True})

    def moved(self, away: bool) -> None:
        """The game's folder is gone, or it is there again."""
        if away == self._there:
            self._there = not away
            for queue in self._listeners:
                queue.put_nowait({"away": away})

    @property
    def away(self) -> bool:
        """Whether the game's folder is gone."""
        return not self._there

    async def work(self) -> None:
        """Do whatever is next, for ever."""
        self._pencil.resident.start()
        with suppress(Stopped):
            await self._press.ask(press.get_ready, None)
        while True:
            if not await self._step():
                self._work.clear()
                if not self._saved and not self.wall.unset(self._waited):
                    await self._work.wait()

    async def _step(self) -> bool:
        """One step; whether there was one to take."""
        if self._saved:
            self._saved = self._looked = self._held = self._booked = self._tidied = False
            self._press.resident.forget()
            self._binder.resident.forget()
            await (self._glance() if self._begun else self._begin())
        elif not self._looked:
            self._looked = True
            await self._look()
        elif unset := self.wall.unset(self._waited):
            few = _FIRST if unset[0] in self._waited else _FEW
            await self._settle(tuple(unset[:_MANY]), few)
        elif not self._held:
            self._held = True
            await self._hold()
        elif not self._booked and (self._binder.busy or time.monotonic() < self._rest_until):
            # The rulebook that is on the screen comes first, and so does the next save.
            await asyncio.sleep(_A_MOMENT)
        elif not self._booked:
            self._booked = True
            await self._read_books()
        elif not self._tidied:
            self._tidied = True
            self._keep_times()
            with suppress(Stopped):
                await self._press.ask(press.tidy, self.place)
        else:
            return False
        return True

    async def _begin(self) -> None:
        """Show the deck that was last looked at, before all of the game is."""
        kept = self._store.read_json(self._store.path("preview", VIEW), _MOST_KEPT)
        anchor = kept.get("anchor") if isinstance(kept, dict) else None
        card = str(anchor.get("card")) if isinstance(anchor, dict) else ""
        try:
            seen = await self._press.ask(press.begin, (self.place, card.partition("/")[0]))
        except Stopped:
            return
        if seen is not None:
            self._begun = True
            self.wall.take(seen)
            self._tell()
            if unset := self.wall.unset(self._waited):
                await self._settle(tuple(unset[:_MANY]), _FIRST)

    async def _glance(self) -> None:
        """Show what is in view of a save before all of the game is looked at."""
        decks = frozenset(name.partition("/")[0] for name in self.in_view)
        try:
            glance = await self._press.ask(press.glance, (self.place, decks))
        except Stopped:
            return
        if glance is not None and glance.of_game is not None:
            self.wall.of_game = glance.of_game
            self.wall.held += 1
            self._tell()
        if glance is None or glance.seen is None:
            return
        self.wall.retake(glance.seen)
        self._tell()
        new = [p for p in glance.seen.recipes if p not in self.wall.ready]
        faces = {str(name): picture for name, picture in glance.seen.pictures.items()}
        first = [p for p in map(faces.get, self.in_view) if p in new]
        wanted = dict.fromkeys([*first, *(new if len(new) <= _FEW else [])])
        few = _FIRST
        while wanted and not self._saved:
            done = await self._settle(tuple(wanted), few)
            wanted = {p: None for p in wanted if p not in done}
            few = _FEW

    async def _look(self) -> None:
        try:
            seen = await self._press.ask(press.look, self.place)
        except Stopped as stopped:
            seen = Seen(problems=(_stopped("the game cannot be read", stopped),), whole=False)
        if seen is None:  # all is as it was
            self._held = self._booked = self._tidied = True
            return
        self._begun = True
        self.wall.take(seen)
        self._tell()

    async def _settle(self, pictures: tuple[str, ...], most: int) -> frozenset[str]:
        """Have so many of these pictures set, in their order; those that were seen to."""
        try:
            settled = await self._press.ask(press.settle, (self.place, pictures, most))
        except Stopped as stopped:
            told = (_stopped("faces cannot be set", stopped),)
            first = pictures[:most]
            settled = Settled(failed=frozenset(first), problems=dict.fromkeys(first, told))
        self.wall.settle(settled)
        self._tell()
        return settled.ready | settled.failed

    async def _hold(self) -> None:
        try:
            self.wall.of_game = await self._press.ask(press.hold, self.place)
        except Stopped as stopped:
            self.wall.of_game = (_stopped("rules and table cannot be held", stopped),)
        self.wall.held += 1
        self._tell()

    async def _read_books(self) -> None:
        """Tell what is wrong with the books."""
        try:
            self.wall.of_books = await self._press.ask(holding.books, self.place)
        except Stopped as stopped:
            self.wall.of_books = (_stopped("the books cannot be read", stopped),)
        self._tell()

    async def past(self, deck: str, card: str, when: str) -> Json:
        """A card as it was, as `past.seen` tells, each picture to be asked for like any other."""
        asked = past.Asked(self.place, deck, card, when)
        try:
            found = await self.beside(past.seen, asked)
        except Stopped as stopped:
            found = past.Past(why=str(stopped))
        self._past.update(found.recipes)
        while len(self._past) > _MOST_PAST:
            self._past.popitem(last=False)
        return {key: value for key, value in vars(found).items() if key != "recipes"}

    def _keep_times(self) -> None:
        if self.wall.times.unwritten:
            with suppress(OSError, Blocked):  # then they are forgotten
                self._store.write_json(self._changed, self.wall.times.written())

    async def rules(self) -> list[Json]:
        """How each rule stands, as `holding.rules` tells."""
        try:
            return await self._press.ask(holding.rules, self.place)
        except Stopped:
            return []

    async def holding(self, where: str, *, guest: bool = False) -> tuple[tuple[str, ...], str]:
        """The cards, as deck/card, for which an expression holds, and why that cannot be told. No
        save waits for a guest's."""
        try:
            return await (self._binder if guest else self._press).ask(
                inquiries.holding, (self.place, where)
            )
        except Stopped as stopped:
            return (), str(stopped)

    async def fields(self, deck: str, card: str) -> list[Json]:
        """The fields of a card: name, values and line; none of a card that is not there."""
        try:
            return await self._press.ask(inquiries.fields, (self.place, deck, card))
        except Stopped:
            return []

    async def inspect(self, picture: str) -> Json:
        """What is where on a picture's face: boxes, texts and faults."""
        layer = self.wall.layers.get(picture, faults.NOTHING)
        spots = [vars(spot) for spot in (*layer.spots, *layer.frames)]
        try:
            found = await self._press.ask(inquiries.inspect, (self.place, picture))
        except Stopped:
            found = {"boxes": [], "texts": []}
        return {**found, "faults": spots}

    async def beside(self, function: Callable[[Call], Result], call: Call) -> Result:
        """What a press of its own answers: whatever takes long, such as sheets and books, so that
        no card waits for it. It is started when it is first asked. Raises `Stopped`."""
        return await self._binder.ask(function, call)

    async def by_pencil(self, function: Callable[[Call], Result], call: Call) -> Result:
        """What the process answers that draws. Raises `Stopped`."""
        return await self._pencil.ask(function, call)

    # -- who is told

    @contextmanager
    def listening(self) -> Iterator[asyncio.Queue[Json]]:
        """What happens to the wall from now on: first all of it, then what is another."""
        queue: asyncio.Queue[Json] = asyncio.Queue()
        if self._begun:
            queue.put_nowait({"wall": self.told})
        else:  # a page that was open before keeps what it shows until there is something
            self._newcomers.add(queue)
        if not self._there:
            queue.put_nowait({"away": True})
        self._listeners.add(queue)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)
            self._newcomers.discard(queue)

    def _tell(self) -> None:
        now = self.wall.as_json()
        told = changes(self.told, now)
        self.told = now
        for queue in self._newcomers if self._begun else ():
            queue.put_nowait({"wall": now})
        for queue in self._listeners - self._newcomers if told else ():
            if queue.qsize() < _MOST_EVENTS:
                queue.put_nowait({"change": told})
                continue
            while not queue.empty():  # nobody has listened for long: all of it is less by now
                queue.get_nowait()
            queue.put_nowait({"wall": now})
        if self._begun:
            self._newcomers.clear()
        for event in self._arrivals.values():
            event.set()

    # -- pictures

    async def picture(
        self, picture: str, width: int, *, bleed: bool = False, ink: Ink = FULL
    ) -> bytes:
        """A picture as PNG, so many px wide, once it is set. Raises `Gone`."""
        name = picture, width, bleed, ink
        if (known := self.drawn(name)) is not None:
            return known
        if picture not in self._past:
            await self._is_set(picture)
        recipe = self.wall.recipes.get(picture) or self._past.get(picture)
        if recipe is None:
            raise Gone
        try:
            # With its bleed it is looked at closely, and the page draws what is wrong over it.
            layer = None if bleed else self.wall.layers.get(picture)
            data = await self._pencil.ask(drawing.draw, Drawing(recipe, width, bleed, ink, layer))
        except Stopped as stopped:
            told = (_stopped("a face cannot be drawn", stopped),)
            self.wall.ready.discard(picture)
            self.wall.settle(Settled(failed=frozenset({picture}), problems={picture: told}))
            self._tell()
            raise Gone from None
        if data is None:
            self.wall.ready.discard(picture)  # the store lost it; it is set again when asked for
            self._work.set()
            raise Gone
        self.keep(name, data)
        return data

    async def _is_set(self, picture: str) -> None:
        """Wait until a picture can be drawn, and say that it is waited for."""
        while picture not in self.wall.ready:
            if picture not in self.wall.recipes or picture in self.wall.failed:
                raise Gone
            event = self._arrivals.setdefault(picture, asyncio.Event())
            event.clear()
            self._waited[picture] = self._waited.get(picture, 0) + 1
            self._work.set()
            try:
                await event.wait()
            finally:
                self._waited[picture] -= 1
                if not self._waited[picture]:
                    del self._waited[picture]
                    self._arrivals.pop(picture, None)

    def drawn(self, name: Drawn) -> bytes | None:
        """A picture that was drawn not long ago."""
        if name in self._drawn:
            self._drawn.move_to_end(name)
        return self._drawn.get(name)

    def keep(self, name: Drawn, data: bytes) -> None:
        """Keep a picture in memory, and forget those that nobody has asked for for long."""
        if name not in self._drawn:
            self._bytes += len(data)
        self._drawn[name] = data
        while self._bytes > _MOST_BYTES:
            self._bytes -= len(self._drawn.popitem(last=False)[1])

    def close(self) -> None:
        """End the helpers, whatever they are at."""
        self._press.resident.end()
        self._pencil.resident.end()
        self._binder.resident.end()


def _stopped(what: str, stopped: Stopped) -> Problem:
    return Problem(Source(loading.FILE), f"{what}: {stopped}", "bounds")
