"""The preview's scheduler in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
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

    async def _run_call(self, call: Callable[[], Any]) -> Any:
        assert isinstance(call, partial)
        name = call.func.__name__
        self.asked.append((name, call.args))
        await asyncio.sleep(0)
        if name in self.stopped:
            raise LimitExceededError(
                "it takes more than 6 s of the processor's time and was stopped"
            )
        return call()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


async def finish_work(running: PreviewScheduler) -> None:
    """Do all work."""
    while await running._run_step():
        pass
    if running.book_check is not None:
        await running.book_check
