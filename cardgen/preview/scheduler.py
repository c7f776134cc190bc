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

from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import diagnostics
from cardgen.game import loader
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.preview.messages import BatchResult, FacePictureRecipe, GameUpdate
from cardgen.preview.state import ChangeTimes, Json, PreviewState, diff_states
from cardgen.preview.workers import game_queries, past_worker, raster_worker, render_worker
from cardgen.preview.workers.raster_worker import FacePictureRequest
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime.content_store import STORE_FOLDER, Store
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.runtime.worker_pool import ResidentWorker

VIEW_FILE = "view.json"
"""How the page was last looked at, in the store."""
FOREGROUND_BATCH, BACKGROUND_BATCH, LOOKUP_BATCH = 2, 8, 100
"""So many faces are set at once while a page waits for them, and so many of the others; and of so
many it is seen whether they are set already."""
DEBOUNCE_SECONDS = 0.1
BOOK_DELAY_SECONDS = 4.0
"""So many s after a save the books are read, which takes longest."""
MAX_QUEUED_EVENTS = 60
"""So many changes wait for a page that does not listen."""
MAX_PAST_PICTURES = 400
"""So many pictures of cards as they were are known."""
MAX_STATE_FILE_BYTES = 8_000_000
"""Bytes of what the preview keeps of itself: anybody may have written it."""
PICTURE_CACHE_BYTES = 96_000_000
"""Of pictures that are kept in memory."""
PictureKey = tuple[str, int, bool, InkMode]
"""A picture, its width in px, whether with bleed, and its ink."""
Call = TypeVar("Call")
Result = TypeVar("Result")


class WorkerQueue:
    """A resident helper, asked by one after another."""

    def __init__(self, resident: ResidentWorker) -> None:
        self.worker = resident
        self._lock = asyncio.Lock()

    @property
    def is_busy(self) -> bool:
        """Whether it is at work."""
        return self._lock.locked()

    async def call_in_turn(self, function: Callable[[Call], Result], call: Call) -> Result:
        """The function's result, called in the helper. Raises `Stopped`, also where cardgen fails
        over something of the game: the preview goes on, and the wall tells."""
        async with self._lock:
            try:
                return await asyncio.to_thread(self.worker.run_call, function, call)
            except (LimitExceededError, asyncio.CancelledError):
                raise
            except Exception as error:
                what = f"{type(error).__name__}: {error}".partition("\n")[0]
                raise LimitExceededError(
                    f"cardgen failed over it, which is a bug of cardgen's ({what})"
                ) from error


class PictureGoneError(Exception):
    """A picture that the wall does not show any more, or that cannot be drawn."""


class PreviewScheduler:
    """A game's wall, kept up to date until it is closed."""

    def __init__(self, place: GameLocation, reader: ResidentWorker) -> None:
        self.location = place
        self._store = Store(place.root / STORE_FOLDER)
        self._times_path = self._store.get_path("preview", "changed.json")
        self.state = PreviewState(
            times=ChangeTimes.read(self._store.read_json(self._times_path, MAX_STATE_FILE_BYTES))
        )
        self.last_sent: Json = self.state.to_json()
        self.visible_faces: tuple[str, ...] = ()
        """The faces on somebody's screen, as deck/card/side/language, in their order there."""
        self._folder_exists, self._has_content = True, False
        self._renderer = WorkerQueue(reader)
        self._rasteriser = WorkerQueue(ResidentWorker(raster_worker.__name__))
        self._book_worker = WorkerQueue(ResidentWorker(render_worker.__name__))
        self._listeners: set[asyncio.Queue[Json]] = set()
        self._new_listeners: set[asyncio.Queue[Json]] = set()
        self._waiting_counts: dict[str, int] = {}
        self._picture_events: dict[str, asyncio.Event] = {}
        self._wake_up = asyncio.Event()
        self._has_save, self._books_due_at = True, 0.0
        self._is_updated = self._is_checked = self._has_read_books = self._is_cleaned = False
        self._picture_cache: OrderedDict[PictureKey, bytes] = OrderedDict()
        self._cached_bytes = 0
        self._past_recipes: OrderedDict[str, FacePictureRecipe] = OrderedDict()

    # -- what is worked at

    def notify_save(self) -> None:
        """A file was saved: look at the game, before all else that is to be done."""
        self._has_save = True
        self._books_due_at = time.monotonic() + BOOK_DELAY_SECONDS
        self._wake_up.set()
        for queue in self._listeners - self._new_listeners:
            if queue.qsize() < MAX_QUEUED_EVENTS:
                queue.put_nowait({"saved": True})

    def notify_folder(self, away: bool) -> None:
        """The game's folder is gone, or it is there again."""
        if away == self._folder_exists:
            self._folder_exists = not away
            for queue in self._listeners:
                queue.put_nowait({"away": away})

    @property
    def is_folder_gone(self) -> bool:
        """Whether the game's folder is gone."""
        return not self._folder_exists

    async def run_forever(self) -> None:
        """Do whatever is next, for ever."""
        self._rasteriser.worker.start()
        with suppress(LimitExceededError):
            await self._renderer.call_in_turn(render_worker.warm_up, None)
        while True:
            if not await self._run_step():
                self._wake_up.clear()
                if not self._has_save and not self.state.list_pending(self._waiting_counts):
                    await self._wake_up.wait()

    async def _run_step(self) -> bool:
        """One step; whether there was one to take."""
        if self._has_save:
            self._has_save = self._is_updated = self._is_checked = self._has_read_books = (
                self._is_cleaned
            ) = False
            self._renderer.worker.forget_exclusions()
            self._book_worker.worker.forget_exclusions()
            await (self._show_quick_update() if self._has_content else self._show_first_deck())
        elif not self._is_updated:
            self._is_updated = True
            await self._show_update()
        elif unset := self.state.list_pending(self._waiting_counts):
            few = FOREGROUND_BATCH if unset[0] in self._waiting_counts else BACKGROUND_BATCH
            await self._typeset_pictures(tuple(unset[:LOOKUP_BATCH]), few)
        elif not self._is_checked:
            self._is_checked = True
            await self._show_check()
        elif not self._has_read_books and (
            self._book_worker.is_busy or time.monotonic() < self._books_due_at
        ):
            # The rulebook that is on the screen comes first, and so does the next save.
            await asyncio.sleep(DEBOUNCE_SECONDS)
        elif not self._has_read_books:
            self._has_read_books = True
            await self._show_book_problems()
        elif not self._is_cleaned:
            self._is_cleaned = True
            self._write_times()
            with suppress(LimitExceededError):
                await self._renderer.call_in_turn(render_worker.clean_up, self.location)
        else:
            return False
        return True

    async def _show_first_deck(self) -> None:
        """Show the deck that was last looked at, before all of the game is."""
        kept = self._store.read_json(
            self._store.get_path("preview", VIEW_FILE), MAX_STATE_FILE_BYTES
        )
        anchor = kept.get("anchor") if isinstance(kept, dict) else None
        card = str(anchor.get("card")) if isinstance(anchor, dict) else ""
        try:
            seen = await self._renderer.call_in_turn(
                render_worker.render_first_deck, (self.location, card.partition("/")[0])
            )
        except LimitExceededError:
            return
        if seen is not None:
            self._has_content = True
            self.state.apply_update(seen)
            self._publish_changes()
            if unset := self.state.list_pending(self._waiting_counts):
                await self._typeset_pictures(tuple(unset[:LOOKUP_BATCH]), FOREGROUND_BATCH)

    async def _show_quick_update(self) -> None:
        """Show what is in view of a save before all of the game is looked at."""
        decks = frozenset(name.partition("/")[0] for name in self.visible_faces)
        try:
            glance = await self._renderer.call_in_turn(
                render_worker.quick_update, (self.location, decks)
            )
        except LimitExceededError:
            return
        if glance is not None and glance.game_problems is not None:
            self.state.game_problems = glance.game_problems
            self.state.check_count += 1
            self._publish_changes()
        if glance is None or glance.update is None:
            return
        self.state.apply_quick_update(glance.update)
        self._publish_changes()
        new = [p for p in glance.update.recipes if p not in self.state.ready]
        faces = {str(name): picture for name, picture in glance.update.pictures.items()}
        first = [p for p in map(faces.get, self.visible_faces) if p in new]
        wanted = dict.fromkeys([*first, *(new if len(new) <= BACKGROUND_BATCH else [])])
        few = FOREGROUND_BATCH
        while wanted and not self._has_save:
            done = await self._typeset_pictures(tuple(wanted), few)
            wanted = {p: None for p in wanted if p not in done}
            few = BACKGROUND_BATCH

    async def _show_update(self) -> None:
        try:
            seen = await self._renderer.call_in_turn(render_worker.update_game, self.location)
        except LimitExceededError as stopped:
            seen = GameUpdate(
                problems=(_make_limit_problem("the game cannot be read", stopped),),
                is_complete=False,
            )
        if seen is None:  # all is as it was
            self._is_checked = self._has_read_books = self._is_cleaned = True
            return
        self._has_content = True
        self.state.apply_update(seen)
        self._publish_changes()

    async def _typeset_pictures(self, pictures: tuple[str, ...], most: int) -> frozenset[str]:
        """Have so many of these pictures set, in their order; those that were seen to."""
        try:
            settled = await self._renderer.call_in_turn(
                render_worker.typeset_batch, (self.location, pictures, most)
            )
        except LimitExceededError as stopped:
            told = (_make_limit_problem("faces cannot be set", stopped),)
            first = pictures[:most]
            settled = BatchResult(failed=frozenset(first), problems=dict.fromkeys(first, told))
        self.state.apply_batch(settled)
        self._publish_changes()
        return settled.ready | settled.failed

    async def _show_check(self) -> None:
        try:
            self.state.game_problems = await self._renderer.call_in_turn(
                render_worker.check_game, self.location
            )
        except LimitExceededError as stopped:
            self.state.game_problems = (
                _make_limit_problem("rules and table cannot be held", stopped),
            )
        self.state.check_count += 1
        self._publish_changes()

    async def _show_book_problems(self) -> None:
        """Tell what is wrong with the books."""
        try:
            self.state.book_problems = await self._renderer.call_in_turn(
                game_queries.check_books, self.location
            )
        except LimitExceededError as stopped:
            self.state.book_problems = (_make_limit_problem("the books cannot be read", stopped),)
        self._publish_changes()

    async def get_past_card(self, deck: str, card: str, when: str) -> Json:
        """A card as it was, as `past.seen` tells, each picture to be asked for like any other."""
        asked = past_worker.PastCardRequest(self.location, deck, card, when)
        try:
            found = await self.call_book_worker(past_worker.find_past_card, asked)
        except LimitExceededError as stopped:
            found = past_worker.PastCard(why=str(stopped))
        self._past_recipes.update(found.recipes)
        while len(self._past_recipes) > MAX_PAST_PICTURES:
            self._past_recipes.popitem(last=False)
        return {key: value for key, value in vars(found).items() if key != "recipes"}

    def _write_times(self) -> None:
        if self.state.times.is_dirty:
            with suppress(OSError, PathBlockedError):  # then they are forgotten
                self._store.write_json(self._times_path, self.state.times.to_json())

    async def get_rules(self) -> list[Json]:
        """How each rule stands, as `holding.rules` tells."""
        try:
            return await self._renderer.call_in_turn(game_queries.report_rules, self.location)
        except LimitExceededError:
            return []

    async def get_matching_cards(
        self, where: str, *, guest: bool = False
    ) -> tuple[tuple[str, ...], str]:
        """The cards, as deck/card, for which an expression holds, and why that cannot be told. No
        save waits for a guest's."""
        try:
            return await (self._book_worker if guest else self._renderer).call_in_turn(
                game_queries.find_matching_cards, (self.location, where)
            )
        except LimitExceededError as stopped:
            return (), str(stopped)

    async def get_card_fields(self, deck: str, card: str) -> list[Json]:
        """The fields of a card: name, values and line; none of a card that is not there."""
        try:
            return await self._renderer.call_in_turn(
                game_queries.list_card_fields, (self.location, deck, card)
            )
        except LimitExceededError:
            return []

    async def get_face_inspection(self, picture: str) -> Json:
        """What is where on a picture's face: boxes, texts and faults."""
        layer = self.state.layers.get(picture, diagnostics.NO_MARKS)
        spots = [vars(spot) for spot in (*layer.spots, *layer.frames)]
        try:
            found = await self._renderer.call_in_turn(
                game_queries.inspect_face, (self.location, picture)
            )
        except LimitExceededError:
            found = {"boxes": [], "texts": []}
        return {**found, "faults": spots}

    async def call_book_worker(self, function: Callable[[Call], Result], call: Call) -> Result:
        """What a press of its own answers: whatever takes long, such as sheets and books, so that
        no card waits for it. It is started when it is first asked. Raises `Stopped`."""
        return await self._book_worker.call_in_turn(function, call)

    async def call_raster_worker(self, function: Callable[[Call], Result], call: Call) -> Result:
        """What the process answers that draws. Raises `Stopped`."""
        return await self._rasteriser.call_in_turn(function, call)

    # -- who is told

    @contextmanager
    def subscribe(self) -> Iterator[asyncio.Queue[Json]]:
        """What happens to the wall from now on: first all of it, then what is another."""
        queue: asyncio.Queue[Json] = asyncio.Queue()
        if self._has_content:
            queue.put_nowait({"wall": self.last_sent})
        else:  # a page that was open before keeps what it shows until there is something
            self._new_listeners.add(queue)
        if not self._folder_exists:
            queue.put_nowait({"away": True})
        self._listeners.add(queue)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)
            self._new_listeners.discard(queue)

    def _publish_changes(self) -> None:
        now = self.state.to_json()
        told = diff_states(self.last_sent, now)
        self.last_sent = now
        for queue in self._new_listeners if self._has_content else ():
            queue.put_nowait({"wall": now})
        for queue in self._listeners - self._new_listeners if told else ():
            if queue.qsize() < MAX_QUEUED_EVENTS:
                queue.put_nowait({"change": told})
                continue
            while not queue.empty():  # nobody has listened for long: all of it is less by now
                queue.get_nowait()
            queue.put_nowait({"wall": now})
        if self._has_content:
            self._new_listeners.clear()
        for event in self._picture_events.values():
            event.set()

    # -- pictures

    async def get_picture(
        self, picture: str, width: int, *, bleed: bool = False, ink: InkMode = FULL_INK
    ) -> bytes:
        """A picture as PNG, so many px wide, once it is set. Raises `Gone`."""
        name = picture, width, bleed, ink
        if (known := self.get_cached_picture(name)) is not None:
            return known
        if picture not in self._past_recipes:
            await self._wait_for_picture(picture)
        recipe = self.state.recipes.get(picture) or self._past_recipes.get(picture)
        if recipe is None:
            raise PictureGoneError
        try:
            # With its bleed it is looked at closely, and the page draws what is wrong over it.
            layer = None if bleed else self.state.layers.get(picture)
            data = await self._rasteriser.call_in_turn(
                raster_worker.draw_face, FacePictureRequest(recipe, width, bleed, ink, layer)
            )
        except LimitExceededError as stopped:
            told = (_make_limit_problem("a face cannot be drawn", stopped),)
            self.state.ready.discard(picture)
            self.state.apply_batch(
                BatchResult(failed=frozenset({picture}), problems={picture: told})
            )
            self._publish_changes()
            raise PictureGoneError from None
        if data is None:
            self.state.ready.discard(picture)  # the store lost it; it is set again when asked for
            self._wake_up.set()
            raise PictureGoneError
        self.cache_picture(name, data)
        return data

    async def _wait_for_picture(self, picture: str) -> None:
        """Wait until a picture can be drawn, and say that it is waited for."""
        while picture not in self.state.ready:
            if picture not in self.state.recipes or picture in self.state.failed:
                raise PictureGoneError
            event = self._picture_events.setdefault(picture, asyncio.Event())
            event.clear()
            self._waiting_counts[picture] = self._waiting_counts.get(picture, 0) + 1
            self._wake_up.set()
            try:
                await event.wait()
            finally:
                self._waiting_counts[picture] -= 1
                if not self._waiting_counts[picture]:
                    del self._waiting_counts[picture]
                    self._picture_events.pop(picture, None)

    def get_cached_picture(self, name: PictureKey) -> bytes | None:
        """A picture that was drawn not long ago."""
        if name in self._picture_cache:
            self._picture_cache.move_to_end(name)
        return self._picture_cache.get(name)

    def cache_picture(self, name: PictureKey, data: bytes) -> None:
        """Keep a picture in memory, and forget those that nobody has asked for for long."""
        if name not in self._picture_cache:
            self._cached_bytes += len(data)
        self._picture_cache[name] = data
        while self._cached_bytes > PICTURE_CACHE_BYTES:
            self._cached_bytes -= len(self._picture_cache.popitem(last=False)[1])

    def close(self) -> None:
        """End the helpers, whatever they are at."""
        self._renderer.worker.stop()
        self._rasteriser.worker.stop()
        self._book_worker.worker.stop()


def _make_limit_problem(what: str, stopped: LimitExceededError) -> Problem:
    return Problem(Source(loader.FILE), f"{what}: {stopped}", "bounds")
