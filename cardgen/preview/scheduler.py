"""Schedules the preview's work and notifies open pages.

One save is worked on at a time. The render worker reads the game, typesets the faces a page is
waiting for, then all others, then measures contrasts and checks the rules. A newer save comes
before all that is left.
Pictures are rasterised on request, so the faces on the screen come first.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import diagnostics
from cardgen.game import loader
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.preview.messages import BatchResult, FacePictureRecipe, GameLocation, GameUpdate
from cardgen.preview.state import ChangeTimes, Json, PreviewState, diff_states
from cardgen.preview.worker_queue import WorkerQueue
from cardgen.preview.workers import (
    edit_worker,
    game_queries,
    past_worker,
    raster_worker,
    render_worker,
)
from cardgen.runtime import game_files
from cardgen.runtime.content_store import STORE_FOLDER, Store
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.runtime.worker_pool import ResidentWorker

VIEW_FILE = "view.json"
"""File in the store with the page's scroll position and settings."""
FOREGROUND_BATCH, SCREEN_BATCH, BACKGROUND_BATCH = 2, 4, 16
"""Number of faces typeset in one call: the first that a page waits for, others on the screen, which
are rasterised while the next ones are typeset, and those that nobody waits for."""
LOOKUP_BATCH = 100
"""Number of faces looked up in the store in one call."""
DEBOUNCE_SECONDS = 0.1
BOOK_DELAY_SECONDS = 4.0
"""Pause between a save and the check of the rulebooks, which is the slowest step, while nothing is
wrong with them."""
MAX_QUEUED_EVENTS = 60
"""Events queued for a page that does not read them, before they are replaced by the whole state."""
MAX_PAST_PICTURES = 400
"""Number of pictures of earlier and of tried versions of cards that can be requested."""
MAX_STATE_FILE_BYTES = 8_000_000
"""Size limit of the preview's own files, which anybody may have written."""
PICTURE_CACHE_BYTES = 96_000_000
PictureKey = tuple[str, int, bool, InkMode]
"""Picture id, width in px, with or without bleed, ink mode."""


class PictureGoneError(Exception):
    """The picture is no longer part of the game, or it cannot be rasterised."""


class PictureCache:
    """PNG files in memory; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[PictureKey, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: PictureKey) -> bytes | None:
        if key in self._pictures:
            self._pictures.move_to_end(key)
        return self._pictures.get(key)

    def add(self, key: PictureKey, data: bytes) -> None:
        self._bytes += len(data) - len(self._pictures.pop(key, b""))
        self._pictures[key] = data
        while self._bytes > PICTURE_CACHE_BYTES:
            self._bytes -= len(self._pictures.popitem(last=False)[1])


class PreviewScheduler:
    """The state of one previewed game, kept up to date until `close`."""

    def __init__(self, location: GameLocation, renderer: ResidentWorker) -> None:
        self.location = location
        self._store = Store(location.root / STORE_FOLDER)
        self._times_path = self._store.get_path("preview", "changed.json")
        times = ChangeTimes.read(self._store.read_json(self._times_path, MAX_STATE_FILE_BYTES))
        self.state = PreviewState(times=times)
        self.last_sent: Json = self.state.to_json()
        self.visible_faces: tuple[str, ...] = ()
        """The faces on somebody's screen, as deck/card/side/language, in reading order."""
        self.is_folder_gone = self._was_gone = False
        self.renderer = WorkerQueue(renderer)
        forks = renderer.server
        self.rasteriser = WorkerQueue(ResidentWorker(raster_worker.__name__, forks))
        self.book_worker = WorkerQueue(ResidentWorker(render_worker.__name__, forks))
        """Runs what takes long, such as sheets and books, so that no card waits for it."""
        self.guest_worker = WorkerQueue(ResidentWorker(render_worker.__name__, forks))
        """Runs the same for guests, so that nobody waits for them. It is started by the first."""
        self.edit_worker = WorkerQueue(ResidentWorker(edit_worker.__name__, forks))
        """Tries and writes values of cards. It is started when a card is opened."""
        self.book_check: asyncio.Task[None] | None = None
        self.pictures = PictureCache()
        self._past_recipes: OrderedDict[str, FacePictureRecipe] = OrderedDict()
        self._has_content = False
        self._listeners: set[asyncio.Queue[Json]] = set()
        self._new_listeners: set[asyncio.Queue[Json]] = set()
        """Pages that have not received a state yet."""
        self._waiting_counts: dict[str, int] = {}
        self._picture_events: dict[str, asyncio.Event] = {}
        self._wake_up = asyncio.Event()
        self._has_save = True
        self._books_due_at = 0.0
        self._is_updated = self._is_measured = self._is_checked = False
        self._has_read_books = self._is_cleaned = False

    # -- work

    def notify_save(self) -> None:
        """Read the game again before anything else is done."""
        self._has_save = True
        self._books_due_at = time.monotonic() + BOOK_DELAY_SECONDS
        self._wake_up.set()
        self.renderer.abandon_stuck_call()
        self.state.is_checked = self.last_sent["checked"] = False
        for queue in self._listeners - self._new_listeners:
            if queue.qsize() < MAX_QUEUED_EVENTS:
                queue.put_nowait({"saved": True, "change": {"checked": False}})

    def notify_folder(self, is_gone: bool) -> None:
        """Tell the pages when the game's folder has disappeared or come back."""
        if is_gone != self.is_folder_gone:
            self.is_folder_gone = is_gone
            self._was_gone = True  # what was found meanwhile says nothing of the game
            for queue in self._listeners:
                queue.put_nowait({"away": is_gone})

    async def run_forever(self) -> None:
        """Do the most urgent work, for ever."""
        self.rasteriser.worker.call_ahead(raster_worker.load_libraries, None)
        while True:
            if not await self._run_step():
                self._wake_up.clear()
                if not self._has_save and not self.state.list_pending(self._waiting_counts):
                    await self._wake_up.wait()

    async def _run_step(self) -> bool:
        """Do one step of work; return False when there was none to do."""
        if self._has_save:
            self._has_save = self._is_updated = False
            self.renderer.worker.forget_exclusions()
            self.book_worker.worker.forget_exclusions()
            self.guest_worker.worker.forget_exclusions()
            self.edit_worker.worker.forget_exclusions()
            await (self._show_quick_update() if self._has_content else self._show_first_deck())
        elif not self._is_updated:
            self._is_updated = True
            await self._show_update()
        elif pending := self.state.list_pending(self._waiting_counts):
            is_urgent = pending[0] in self._waiting_counts
            batch = SCREEN_BATCH if is_urgent else BACKGROUND_BATCH
            await self._typeset_pictures(tuple(pending[:LOOKUP_BATCH]), batch)
        elif not self._is_measured:
            self._is_measured = not await self.renderer.call_in_turn(
                lambda _: False, render_worker.measure_contrasts, self.location
            )
        elif not self._is_checked:
            what = "cannot check the rules and the table"
            problems = await self.renderer.call_in_turn(
                partial(_make_limit_problem, what), render_worker.check_game, self.location
            )
            if not self._has_save:
                self._is_checked = True
                self.state.apply_check(problems)
                self._publish_changes()
        elif not self._has_read_books and not self._are_books_due():
            # The rulebook on the screen and the next save come first.
            await self._wait_for_work(DEBOUNCE_SECONDS)
        elif not self._has_read_books:
            self._has_read_books = True
            self.book_check = asyncio.create_task(self._check_books())
        elif not self._is_cleaned:
            self._is_cleaned = True
            if self.state.times.is_dirty:
                with suppress(OSError, PathBlockedError):  # the next save tries again
                    self._store.write_json(self._times_path, self.state.times.by_face)
                    self.state.times.is_dirty = False
            await self.renderer.call_in_turn(_ignore_error, render_worker.clean_up, self.location)
        else:
            return False
        return True

    async def _wait_for_work(self, seconds: float) -> None:
        """Wait until there is more to do, or for that long."""
        self._wake_up.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake_up.wait(), seconds)

    def _are_books_due(self) -> bool:
        is_due = bool(self.state.book_problems) or time.monotonic() >= self._books_due_at
        return is_due and not self.book_worker.is_busy

    async def _check_books(self) -> None:
        """Check the rulebooks of the last update, unless a newer one makes that obsolete."""
        update = self.state.update_count
        problems = await self.book_worker.call_in_turn(
            partial(_make_limit_problem, "cannot check the rulebooks"),
            game_queries.check_books, self.location,
        )  # fmt: skip
        if update == self.state.update_count:
            self.state.apply_book_check(problems)
            self._publish_changes()

    async def _show_first_deck(self) -> None:
        """Show the deck that the page showed last, before the whole game is rendered."""
        path = self._store.get_path("preview", VIEW_FILE)
        view = self._store.read_json(path, MAX_STATE_FILE_BYTES)
        anchor = view.get("anchor") if isinstance(view, dict) else None
        deck = str(anchor.get("card")).partition("/")[0] if isinstance(anchor, dict) else ""
        update = await self.renderer.call_in_turn(
            _ignore_error, render_worker.render_first_deck, self.location, deck
        )
        if update is not None:
            self._has_content = True
            self.state.apply_update(update)
            self._publish_changes()
            if pending := self.state.list_pending(self._waiting_counts):
                await self._typeset_pictures(tuple(pending[:LOOKUP_BATCH]), FOREGROUND_BATCH)
            # The rest of what is on the screen, before the other decks are rendered.
            while visible := self._list_awaited():
                if not await self._typeset_pictures(visible[:LOOKUP_BATCH], SCREEN_BATCH):
                    break

    def _list_awaited(self) -> tuple[str, ...]:
        """Return the pictures a page waits for that are not typeset yet."""
        pending = self.state.list_pending(self._waiting_counts)
        return tuple(picture for picture in pending if picture in self._waiting_counts)

    async def _show_quick_update(self) -> None:
        """Show how a save changes the visible faces, before the whole game is rendered."""
        decks = frozenset(name.partition("/")[0] for name in self.visible_faces)
        quick = await self.renderer.call_in_turn(
            _ignore_error, render_worker.quick_update, self.location, decks
        )
        if quick is not None and quick.game_problems is not None:
            self.state.game_problems = quick.game_problems
            self.state.check_count += 1
            self._publish_changes()
        if quick is None or quick.update is None:
            return
        self.state.apply_quick_update(quick.update)
        self._publish_changes()
        new = [p for p in quick.update.recipes if p not in self.state.ready]
        faces = {str(name): picture for name, picture in quick.update.pictures.items()}
        visible = [p for p in map(faces.get, self.visible_faces) if p in new]
        wanted = dict.fromkeys([*visible, *(new if len(new) <= BACKGROUND_BATCH else [])])
        batch = FOREGROUND_BATCH
        while wanted and not self._has_save:
            done = await self._typeset_pictures(tuple(wanted), batch)
            wanted = {p: None for p in wanted if p not in done}
            batch = SCREEN_BATCH

    async def _show_update(self) -> None:
        update = await self.renderer.call_in_turn(
            self._describe_failed_update, render_worker.update_game, self.location,
            anew=self._was_gone,
        )  # fmt: skip
        if self._was_gone:
            self.state.failed.clear()
        self._was_gone = self.is_folder_gone
        if update is None:  # no file changed since the last update, whose checks may be left to do
            self.state.is_checked = self._is_checked
            self._publish_changes()
            return
        self._has_content = True
        self._is_measured = self._is_checked = self._is_cleaned = False
        self.state.apply_update(update)
        self._has_read_books = not game_files.has_entry(self.location.root, RULEBOOK_FOLDER)
        if self._has_read_books:
            self.state.apply_book_check(())
        self._publish_changes()

    def _describe_failed_update(self, error: LimitExceededError) -> GameUpdate | None:
        if self._has_save:  # the next step says how the game is now
            return None
        problems = _make_limit_problem("cannot read the game", error)
        return GameUpdate(problems=problems, is_complete=False)

    async def _typeset_pictures(self, pictures: tuple[str, ...], limit: int) -> frozenset[str]:
        """Typeset at most `limit` of these pictures in their order; return those that are done."""

        def fail(error: LimitExceededError) -> BatchResult:
            if self._has_save:
                return BatchResult()
            problems = _make_limit_problem("cannot typeset a face", error)
            first = pictures[:limit]
            return BatchResult(failed=frozenset(first), problems=dict.fromkeys(first, problems))

        result = await self.renderer.call_in_turn(
            fail, render_worker.typeset_batch, self.location, pictures, limit
        )
        self.state.apply_batch(result)
        self._publish_changes()
        return result.ready | result.failed

    # -- queries

    async def get_past_card(self, deck: str, card: str, when: str) -> Json:
        """Return an earlier version of a card as `past_worker.find_past_card` describes it; its
        pictures can be requested like any others."""
        found = await self.book_worker.call_in_turn(
            lambda error: past_worker.PastCard(why=str(error)),
            past_worker.find_past_card, self.location, deck, card, when,
        )  # fmt: skip
        self.add_recipes(found.recipes)
        return {key: value for key, value in vars(found).items() if key != "recipes"}

    def add_recipes(self, recipes: Mapping[str, FacePictureRecipe]) -> None:
        """Let pictures be requested that are not on the wall."""
        for picture, recipe in recipes.items():
            self._past_recipes.pop(picture, None)
            self._past_recipes[picture] = recipe
        while len(self._past_recipes) > MAX_PAST_PICTURES:
            self._past_recipes.popitem(last=False)

    async def get_matching_cards(self, where: str, *, guest: bool = False) -> Any:
        """Return the cards for which an expression holds, as `game_queries.find_matching_cards`
        does. A guest's query holds up nobody else."""
        return await self.answer_query(
            lambda error: ((), str(error)), game_queries.find_matching_cards, where, guest=guest
        )

    async def answer_query(
        self,
        recover: Callable[[LimitExceededError], Any],
        function: Callable[..., Any],
        *args: str,
        guest: bool,
    ) -> Any:
        """Return the answer of a function of `game_queries`. A guest's holds up nobody else."""
        if guest:
            return await self.guest_worker.call_in_turn(
                recover, game_queries.answer_anew, function, self.location, *args
            )
        return await self.renderer.call_in_turn(recover, function, self.location, *args)

    def get_slow_worker(self, *, guest: bool) -> WorkerQueue:
        """Return the worker for what takes long."""
        return self.guest_worker if guest else self.book_worker

    def get_raster_worker(self, *, guest: bool) -> WorkerQueue:
        """Return the worker that draws pictures."""
        return self.guest_worker if guest else self.rasteriser

    async def get_face_inspection(self, picture: str, *, guest: bool = False) -> Json:
        """Return the boxes, texts and faults of a picture's face."""
        layer = self.state.layers.get(picture, diagnostics.NO_MARKS)
        found = await self.answer_query(
            lambda _: {"boxes": [], "texts": []}, game_queries.inspect_face, picture, guest=guest
        )
        return {**found, "faults": [vars(spot) for spot in (*layer.spots, *layer.frames)]}

    # -- events

    @contextmanager
    def subscribe(self) -> Iterator[asyncio.Queue[Json]]:
        """Yield a queue of events: the whole state first, then every change to it."""
        queue: asyncio.Queue[Json] = asyncio.Queue()
        if self._has_content:
            queue.put_nowait({"wall": self.last_sent})
        else:  # a page from an earlier preview keeps its content until there is new content
            self._new_listeners.add(queue)
        if self.is_folder_gone:
            queue.put_nowait({"away": True})
        self._listeners.add(queue)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)
            self._new_listeners.discard(queue)

    def _publish_changes(self) -> None:
        state = self.state.to_json()
        changes = diff_states(self.last_sent, state)
        self.last_sent = state
        for queue in self._new_listeners if self._has_content else ():
            queue.put_nowait({"wall": state})
        for queue in self._listeners - self._new_listeners if changes else ():
            if queue.qsize() < MAX_QUEUED_EVENTS:
                queue.put_nowait({"change": changes})
                continue
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait({"wall": state})
        if self._has_content:
            self._new_listeners.clear()
        for event in self._picture_events.values():
            event.set()

    # -- pictures

    async def get_picture(
        self,
        picture: str,
        width: int,
        *,
        bleed: bool = False,
        ink: InkMode = FULL_INK,
        guest: bool = False,
    ) -> bytes:
        """Return a picture as PNG, `width` px wide, once its face is typeset.

        Raises `PictureGoneError`. A guest's picture that takes too long is gone for guests alone.
        """
        key = picture, width, bleed, ink
        if (data := self.pictures.get(key)) is not None:
            return data
        if picture not in self._past_recipes:
            await self._wait_for_picture(picture)
        recipe = self.state.recipes.get(picture) or self._past_recipes.get(picture)
        if recipe is None:
            raise PictureGoneError
        # With bleed the picture is inspected closely, and the page draws the faults over it.
        layer = None if bleed else self.state.layers.get(picture)
        try:
            data = await self.get_raster_worker(guest=guest).call_in_turn(
                None, raster_worker.draw_face, recipe, width, bleed, ink, layer
            )
        except LimitExceededError as error:
            if guest:
                raise PictureGoneError from None
            problems = _make_limit_problem("cannot draw a face", error)
            self.state.ready.discard(picture)
            self.state.apply_batch(
                BatchResult(failed=frozenset({picture}), problems={picture: problems})
            )
            self._publish_changes()
            raise PictureGoneError from None
        if data is None:
            self.state.ready.discard(picture)  # missing in the store: typeset on the next request
            self._wake_up.set()
            raise PictureGoneError
        self.pictures.add(key, data)
        return data

    async def _wait_for_picture(self, picture: str) -> None:
        """Wait until a picture's face is typeset, which makes it urgent."""
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

    def close(self) -> None:
        """Kill the workers."""
        for queue in (
            self.renderer, self.rasteriser, self.book_worker, self.guest_worker, self.edit_worker,
        ):  # fmt: skip
            queue.worker.stop()


def _ignore_error(_: LimitExceededError) -> None:
    """Return nothing, where the next step of work reports the same error."""


def _make_limit_problem(what: str, error: LimitExceededError) -> tuple[Problem, ...]:
    return (Problem(Source(loader.FILE), f"{what}: {error}", "bounds"),)
