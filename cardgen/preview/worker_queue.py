"""Calls to a worker process of the preview, one after another."""

from __future__ import annotations

import asyncio
import operator
import time
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from cardgen.core.work_limits import LimitExceededError
from cardgen.preview.messages import FolderGoneError
from cardgen.runtime.worker_pool import ResidentWorker

STUCK_SECONDS = 5.0
"""Time after which a call that a newer save may have made obsolete is ended."""
GONE_SECONDS = 0.5
"""Pause before a call is repeated that found the game's folder gone."""
Call = ParamSpec("Call")
Result = TypeVar("Result")


class WorkerQueue:
    """A worker process that runs one call after another."""

    def __init__(self, worker: ResidentWorker) -> None:
        self.worker = worker
        self._lock = asyncio.Lock()
        self._began_at = self._longest_seconds = 0.0

    @property
    def is_busy(self) -> bool:
        return self._lock.locked()

    def abandon_stuck_call(self) -> None:
        """End the call that runs once it takes far longer than any before: what holds it up may be
        mended."""
        if self.is_busy:
            began_at = self._began_at
            limit = max(STUCK_SECONDS, 3 * self._longest_seconds)
            seconds = max(0.0, began_at + limit - time.monotonic())
            asyncio.get_running_loop().call_later(seconds, self._abandon_call, began_at, limit)

    def _abandon_call(self, began_at: float, limit: float) -> None:
        if self.is_busy and self._began_at == began_at:
            # The next call gets longer, or one that needs its time would be ended by every save.
            self._longest_seconds = max(self._longest_seconds, limit / 2)
            self.worker.abandon_call()

    async def call_in_turn(
        self,
        recover: Callable[[LimitExceededError], Result] | None,
        function: Callable[Call, Result],
        *args: Call.args,
        **kwargs: Call.kwargs,
    ) -> Result:
        """Return the function's result, computed in the worker once the game's folder is there.

        A call that exceeds a limit, or fails over the game, ends in the result of `recover` for
        that `LimitExceededError`, or else in the error: the preview goes on.
        """
        call = partial(function, *args, **kwargs)
        while True:
            try:
                async with self._lock:
                    return await self._run_call(call)
            except FolderGoneError:
                await asyncio.sleep(GONE_SECONDS)
            except Exception as error:
                stopped = error
                break
        if not isinstance(stopped, LimitExceededError):
            what = f"{type(stopped).__name__}: {stopped}".partition("\n")[0]
            message = f"this is a bug in cardgen, not in your game; please report it ({what})"
            stopped = LimitExceededError(message)
        if recover is None:
            raise stopped
        return recover(stopped)

    async def _run_call(self, call: Callable[[], Result]) -> Result:
        self._began_at = time.monotonic()
        result = await asyncio.to_thread(self.worker.run_call, operator.call, call)
        if not self.worker.has_exclusions:
            seconds = time.monotonic() - self._began_at
            self._longest_seconds = max(self._longest_seconds, seconds)
        return result
