"""The preview's scheduler in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cardgen.core.work_limits import LimitExceededError
from cardgen.preview.scheduler import PreviewScheduler
from cardgen.preview.worker_queue import WorkerQueue
from cardgen.runtime.worker_pool import ResidentWorker


class InlineQueue(WorkerQueue):
    """A worker whose calls run in this process and are noted."""

    def __init__(self) -> None:
        super().__init__(ResidentWorker())
        self.asked: list[tuple[str, Any]] = []
        self.stopped: set[str] = set()
        """Names of functions that exceed a limit."""

    async def call_in_turn(
        self,
        recover: Callable[[LimitExceededError], Any] | None,
        function: Callable[..., Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        name = function.__name__
        self.asked.append((name, args))
        await asyncio.sleep(0)
        if name not in self.stopped:
            return function(*args, **kwargs)
        error = LimitExceededError("it takes more than 6 s of the processor's time and was stopped")
        if recover is None:
            raise error
        return recover(error)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


async def finish_work(running: PreviewScheduler) -> None:
    """Do all work."""
    while await running._run_step():
        pass
