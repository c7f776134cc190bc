"""The watch over a process: it kills one past its limits where the system sets none."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.core import work_limits
from cardgen.runtime.processes import ProcessWatch, open_scratch_folder

BUSY = "while True: pass"
FACE = "the face loot/school [fi] front"
ASLEEP = "import time; time.sleep(60)"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes of a test, which end with it."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.kill()
        process.wait()


def start_watched(
    code: str, started: list[subprocess.Popen[bytes]], *, until: float
) -> ProcessWatch:
    """Start a process that runs the code and works at a face until so many seconds."""
    watch = ProcessWatch()
    watch.process = subprocess.Popen([sys.executable, "-P", "-c", code])
    started.append(watch.process)
    watch.page.write(FACE, FACE, until, 4)
    return watch


def find_fault(watch: ProcessWatch) -> tuple[str, str]:
    """Check a process until it dies; return its subject and the reason."""
    assert watch.process is not None
    for _ in range(400):
        watch.check_limits()
        try:
            return watch.find_fault(watch.process.wait(0.05))
        except subprocess.TimeoutExpired:
            continue
    pytest.fail("nobody ended it")


def test_a_process_past_its_time_limit_is_killed(started: list[subprocess.Popen[bytes]]) -> None:
    what, why = find_fault(start_watched(BUSY, started, until=0.1))
    assert what == FACE
    assert why == "it takes more than 4 s of the processor's time and was stopped"


def test_a_process_with_too_much_memory_is_killed(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_limits, "MEMORY_BYTES", 1 << 20)
    assert "GB of memory" in find_fault(start_watched(ASLEEP, started, until=99))[1]


def test_a_process_that_only_waits_is_killed(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_limits, "_STALL_SECONDS", -3.0)
    assert (
        find_fault(start_watched(ASLEEP, started, until=99))[1]
        == "nothing moves any more; it was stopped"
    )


def test_a_process_that_makes_progress_goes_on(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that has another subject at every check does not stall."""
    monkeypatch.setattr(work_limits, "_STALL_SECONDS", -3.0)
    watch = start_watched(ASLEEP, started, until=99)
    for number in range(20):
        watch.page.write(f"the face {number}", FACE, 99, 4)
        watch.check_limits()
    assert watch.process is not None
    assert watch.process.poll() is None


def test_a_kill_from_outside_blames_no_subject(
    started: list[subprocess.Popen[bytes]],
) -> None:
    watch = start_watched(ASLEEP, started, until=99)
    assert watch.process is not None
    watch.process.kill()
    assert watch.find_fault(watch.process.wait()) == (FACE, "")


def test_a_scratch_folder_that_disappears_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = tmp_path / "cardgen-at-work-gone"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone]))
    with open_scratch_folder() as scratch:
        assert scratch.parent == tmp_path
