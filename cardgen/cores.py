"""Work spread over the machine's cores, in processes that start clean on every system."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Call = TypeVar("Call")
Result = TypeVar("Result")

_MOST = 8


def spread(
    function: Callable[[Call], Result], calls: Sequence[Call], *, alone: bool
) -> Iterator[Result]:
    """The function's results in the order of the calls; all in this process if `alone`.

    Function, calls and results are sent between processes, so they must be picklable.
    """
    cores = min(len(calls), os.cpu_count() or 1, _MOST)
    if alone or cores < 2:
        yield from map(function, calls)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, calls)
