"""What workers are asked in tests; they and their helpers import it from here."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError


def doubled(number: int) -> int:
    return 2 * number


def noted(call: tuple[str, int]) -> tuple[int, int]:
    """The number, and whose process did it; a mark for each time that it was done, in a file that
    is named as text, since nobody is to bring it along."""
    place, number = call
    with Path(place).open("a") as file:
        file.write(f"{number} {os.getppid()}\n")
    time.sleep(0.02)
    return number, os.getppid()


def worker_killed_once(call: tuple[str, int]) -> tuple[int, int]:
    """The same; at the number 3, the first time, it takes its worker with it."""
    place, number = call
    on_a_worker = "HIDDEN" in os.environ
    if on_a_worker and number == 3 and not _is_done(place, number):
        noted(call)
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return noted(call)


def _is_done(place: str, number: int) -> bool:
    marks = Path(place).read_text().splitlines()
    return any(mark.startswith(f"{number} ") for mark in marks)


def at_a_thing(name: str) -> str:
    try:
        with work_limits.work_limit(f"the thing {name}", 0.3):
            if name == "crashing":
                ctypes.string_at(0)  # reads at address 0
            if name == "hanging":
                sum(range(10**13))  # one call in C that holds the interpreter's lock for hours
            return f"{name} done"
    except LimitExceededError as error:
        return f"{name}: {error}"


def wrong(_: object) -> None:
    message = "a bug"
    raise LookupError(message)


def large(number: int) -> bytes:
    return bytes([number]) * (1 << 20)


def read(path: Path) -> tuple[Path, bytes]:
    return path, path.read_bytes()


def elsewhere(path: Path) -> Path:
    return path / "elsewhere"
