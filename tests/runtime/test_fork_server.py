"""Workers that one process forks once it has imported what they need."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from conftest import ROOT, MakeGame
from small_games import TEXT_GAME

from cardgen.core.work_limits import StatusPage
from cardgen.runtime import fork_server, processes, worker_pool

pytestmark = pytest.mark.skipif(not processes.CAN_FORK, reason="workers are started anew")


About = tuple[int, int, tuple[bool, int]]


def about(_: object) -> About:
    """Process, parent, whether WeasyPrint is there, and threads of the parent."""
    parent = psutil.Process(os.getppid())
    return os.getpid(), parent.pid, ("weasyprint" in sys.modules, parent.num_threads())


def ends(code: int) -> None:
    os._exit(code)


def two_workers() -> list[About]:
    with worker_pool.use_workers(2):
        worker_pool.warm_up_workers(2)
        return list(worker_pool.map_calls(about, range(40), alone=False))


def test_workers_share_one_import_by_a_process_without_threads() -> None:
    worker_pool._worker_pool.stop()
    found = two_workers()
    assert len({pid for pid, *_ in found}) == 2
    assert len({parent for _, parent, *_ in found}) == 1
    assert {rest for *_, rest in found} == {(True, 1)}


def test_a_server_that_was_killed_takes_its_workers_along_and_is_followed_by_another() -> None:
    (first, *_) = {parent for _, parent, *_ in two_workers()}
    workers = {pid for pid, *_ in two_workers()}
    os.kill(first, signal.SIGKILL)
    gone, living = psutil.wait_procs([psutil.Process(pid) for pid in workers], timeout=10)
    assert (len(gone), living) == (2, [])
    (second,) = {parent for _, parent, *_ in two_workers()}
    assert second != first


LOOK = """
import os, signal, sys

def look(_):
    files = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    loaded = sorted({"colorsys", "wave"} & sys.modules.keys())
    return files, loaded, os.getppid(), signal.getsignal(signal.SIGTERM).name
"""
FORKED = """
import colorsys, os, signal, sys
from look import look
from cardgen.runtime import worker_pool

signal.signal(signal.SIGTERM, lambda *_: None)
first = sys.stdin.readline()  # and the next in advance
held = open(sys.argv[1])
worker = worker_pool.ResidentWorker("", worker_pool.fork_server("wave"))
files, loaded, parent, ending = worker.run_call(look, None)
print(held.name in files, sum("pipe:" in name for name in files), loaded, ending)
os.kill(parent, signal.SIGKILL)
worker._worker.process.wait(60)
_, loaded, other, _ = worker.run_call(look, None)
print(other == os.getpid(), loaded, sys.stdin.read())
"""


def test_a_server_that_is_a_fork_shares_modules_and_nothing_else(tmp_path: Path) -> None:
    """Its workers are started anew once it is dead."""
    (tmp_path / "look.py").write_text(LOOK, encoding="utf-8")
    command = [sys.executable, "-P", "-c", FORKED, str(tmp_path / "look.py")]
    places = os.pathsep.join([str(tmp_path), str(ROOT)])
    found = subprocess.run(
        command, input="one\ntwo\n", capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": places},
    )  # fmt: skip
    pipes = 2  # calls and answers
    expected = f"False {pipes} ['colorsys', 'wave'] SIG_DFL\nTrue [] two\n\n"
    assert found.stdout == expected


def test_ends_are_told_with_their_codes() -> None:
    server = fork_server.ForkServer(worker_pool.serve_calls)
    try:
        for stop, code in ((True, -signal.SIGKILL), (False, 1)):
            page = StatusPage()
            child = server.fork_worker(page)
            assert child.poll() is None
            if stop:
                child.kill()
            else:
                child.stdin.write(b"x" * 8)  # no message
                child.stdin.close()
            assert child.wait(60) == code == child.poll()
            child.kill()  # nothing any more
    finally:
        server.stop()
    lost = server.fork_worker(StatusPage())
    assert lost.wait(60) == -signal.SIGKILL


def test_an_edited_card_is_typeset_by_one_worker_and_weasyprint_stays_out_of_the_command(
    make_game: MakeGame,
) -> None:
    root = make_game(TEXT_GAME)
    listing = (
        "import atexit, os, sys, psutil; from cardgen.runtime import worker_pool; "
        "atexit.register(lambda: print('loaded', len(worker_pool._worker_pool.workers), "
        "*({'weasyprint', 'fontTools.subset', 'typst', 'coloraide'} & set(sys.modules)))); "
        f"os.cpu_count = lambda: 2; sys.path[:] = {sys.path!r}; "
        "sys.argv = ['cardgen', 'build', 'sheets']; from cardgen.cli import main; main()"
    )
    command = [sys.executable, "-P", "-c", listing]

    def build() -> list[str]:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[-1].split()

    build()
    deck = root / "cards/loot.yaml"
    deck.write_text(deck.read_text().replace("leave", "go"))
    assert build() == ["loaded", "1"]


def test_workers_have_the_secret_of_a_command_that_cannot_store_it(make_game: MakeGame) -> None:
    """It is made before the process starts that forks them."""
    root = make_game(TEXT_GAME)
    code = (
        f"import os, sys; os.cpu_count = lambda: 2; sys.path[:] = {sys.path!r}; "
        "sys.argv = ['cardgen', 'build', 'sheets']; from cardgen.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=root, capture_output=True, text=True, check=False,
        env={**os.environ, "CARDGEN_CONFIG": "/dev/null/none"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (root / "build/en/sheets.pdf").exists()
