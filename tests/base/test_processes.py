"""The watchdog: what ends a process where the system itself sets no limits."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage
from cardgen.runtime.processes import ProcessWatch, open_scratch_folder

BUSY = "while True: pass"
ASLEEP = "import time; time.sleep(60)"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes of a test, which end with it."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.kill()
        process.wait()


def watched(code: str, started: list[subprocess.Popen[bytes]], *, until: float) -> ProcessWatch:
    """A watch over a process that runs the code, and is at a face until so many seconds."""
    watch = ProcessWatch(StatusPage())
    watch.process = subprocess.Popen([sys.executable, "-P", "-c", code])
    started.append(watch.process)
    watch.slate.write("the face loot/school [fi] front", until, 4)
    return watch


def fault(watch: ProcessWatch) -> tuple[str, str]:
    """What it died of: looked at until it did."""
    assert watch.process is not None
    for _ in range(400):
        watch.check_limits()
        try:
            return watch.find_fault(watch.process.wait(0.05))
        except subprocess.TimeoutExpired:
            continue
    pytest.fail("nobody ended it")


def test_one_that_is_past_its_time_is_ended(started: list[subprocess.Popen[bytes]]) -> None:
    what, why = fault(watched(BUSY, started, until=0.1))
    assert what == "the face loot/school [fi] front"
    assert why == "it takes more than 4 s of the processor's time and was stopped"


def test_one_that_takes_too_much_memory_is_ended(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_limits, "MEMORY_BYTES", 1 << 20)
    assert "GB of memory" in fault(watched(ASLEEP, started, until=99))[1]


def test_one_that_only_waits_is_ended(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_limits, "_STALL_SECONDS", -3.0)
    assert fault(watched(ASLEEP, started, until=99))[1] == "nothing moves any more; it was stopped"


def test_one_that_goes_on_is_left_alone(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is at something else at every look does not stand still."""
    monkeypatch.setattr(work_limits, "_STALL_SECONDS", -3.0)
    watch = watched(ASLEEP, started, until=99)
    for number in range(20):
        watch.slate.write(f"the face {number}", 99, 4)
        watch.check_limits()
    assert watch.process is not None
    assert watch.process.poll() is None


def test_a_death_that_is_nobodys_fault_has_no_reason(
    started: list[subprocess.Popen[bytes]],
) -> None:
    watch = watched(ASLEEP, started, until=99)
    assert watch.process is not None
    watch.process.kill()
    assert watch.find_fault(watch.process.wait()) == ("the face loot/school [fi] front", "")


def test_a_folder_that_goes_while_it_is_looked_at_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = tmp_path / "cardgen-at-work-gone"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone]))
    with open_scratch_folder() as scratch:
        assert scratch.parent == tmp_path
