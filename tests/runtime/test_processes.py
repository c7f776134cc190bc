"""The watch over a process: it kills one past its limits where the system sets none."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_games import edit

from cardgen.core import work_limits
from cardgen.runtime import processes
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
            code = watch.process.wait(0.05)
            assert code is not None
            return watch.find_fault(code)
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
    assert "of memory" in find_fault(start_watched(ASLEEP, started, until=99))[1]


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
    watch.process.wait()
    assert watch.find_fault(-signal.SIGKILL) == (FACE, "")


def test_a_scratch_folder_that_disappears_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = tmp_path / "cardgen-at-work-gone"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone]))
    with open_scratch_folder() as scratch:
        assert scratch.parent == tmp_path


needs_fork = pytest.mark.skipif(not processes.CAN_FORK, reason="the system has no fork to use")


def run_python(code: str, *, at: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a Python without other threads, which imports as this one does."""
    boot = f"import sys; sys.path[:] = {sys.path!r}\n{code}"
    return subprocess.run(
        [sys.executable, "-P", "-c", boot], cwd=at, capture_output=True, text=True, check=False
    )


@needs_fork
@pytest.mark.parametrize(
    ("ending", "code", "printed"),
    [
        ("pass", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit(-1)", 255, ""),
        ("sys.exit('no room')", 1, "no room\n"),
        ("os.kill(os.getpid(), 9)", -9, ""),
        ("raise LookupError('lost')", 1, "LookupError: lost\n"),
    ],
)
def test_a_fork_ends_as_a_python_of_its_own_does(
    ending: str, code: int, printed: str, tmp_path: Path
) -> None:
    """Its threads and exit functions do their work, and nothing of the parent's is done there."""
    told = run_python(
        "import atexit, os, threading, time\n"
        "from cardgen.runtime.processes import ForkedProcess\n"
        "def run():\n"
        "    atexit.register(print, 'at exit', flush=True)\n"
        "    slow = lambda: (time.sleep(0.1), print('thread', flush=True))\n"
        "    threading.Thread(target=slow).start()\n"
        f"    {ending}\n"
        "print('before')\n"
        "try:\n"
        "    process = ForkedProcess(run)\n"
        "    print(process.wait(20), process.wait(), process.poll())\n"
        "finally:\n"
        "    print('after')\n",
        at=tmp_path,
    )
    own = [] if code == -9 else ["thread", "at exit"]
    assert told.stdout.split("\n") == ["before", *own, f"{code} {code} {code}", "after", ""]
    assert told.stderr.endswith(printed)
    assert bool(told.stderr) == bool(printed)


@needs_fork
def test_a_fork_that_runs_on_is_waited_for_and_killed(tmp_path: Path) -> None:
    told = run_python(
        "import time; from cardgen.runtime.processes import ForkedProcess\n"
        "process = ForkedProcess(lambda: time.sleep(60))\n"
        "print(process.wait(0.01), process.poll()); process.kill(); print(process.wait())\n"
        "process.kill()",
        at=tmp_path,
    )
    assert (told.stdout, told.stderr) == ("None None\n-9\n", "")


@needs_fork
def test_a_command_that_is_interrupted_at_its_end_prints_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("def main(): raise SystemExit(0)\n")
    told = run_python(
        "import os, signal, sys; sys.path.insert(0, '.')\n"
        "from cardgen.runtime import processes\n"
        "def run():\n"
        "    try: processes.serve_command(page.handle, os.getppid(), 'leaving:main', {})\n"
        "    except SystemExit: signal.raise_signal(signal.SIGTERM)\n"
        "from cardgen.core.work_limits import StatusPage\n"
        "page = StatusPage()\n"
        "print(processes.ForkedProcess(run).wait(20))",
        at=tmp_path,
    )
    assert (told.stdout, told.stderr) == ("130\n", "")


@needs_fork
@pytest.mark.parametrize("words", [["--version"], ["list"], ["check", "--workers", "1"]])
def test_a_command_starts_no_second_python(words: list[str], root: Path) -> None:
    """It is a fork of the process that watches over it."""
    edit(root, "cards/notes.yaml", "value: 5", "value: 7")
    told = run_python(
        "log = open('started', 'a', buffering=1)\n"
        "events = {'os.fork', 'os.exec', 'os.posix_spawn', 'subprocess.Popen'}\n"
        "sys.addaudithook(lambda event, _: event in events and print(event, file=log) and None)\n"
        f"sys.argv = ['cardgen', *{words!r}]\n"
        "from cardgen.__main__ import main; main()",
        at=root,
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert (root / "started").read_text().split() == ["os.fork"]


@pytest.mark.parametrize(
    "words", [["check"], ["build", "sheets"], ["list", "--json"], ["stats", "--json"]]
)
def test_a_command_that_finds_nothing_new_starts_no_process_at_all(
    words: list[str], root: Path
) -> None:
    """As whole commands, since the first one reads what a test's process has read long ago."""
    code = (
        "sys.addaudithook(lambda event, _: event == 'os.fork' and print(event) and None)\n"
        f"sys.argv = ['cardgen', *{words!r}]\n"
        "from cardgen.__main__ import main; main()"
    )
    shutil.rmtree(root / "build")
    time.sleep(0.06)  # files are older than the clock is coarse
    first, second = run_python(code, at=root), run_python(code, at=root)
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout.startswith("os.fork")
    assert second.stdout
    assert "os.fork" not in second.stdout
