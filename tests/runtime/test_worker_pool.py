"""Workers and the supervised command: one that dies is replaced, and none outlives its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import ROOT, TESTS, MakeGame
from small_games import MAIN_FONT

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError, StatusPage
from cardgen.runtime import processes, worker_pool

GAME = {
    "game.yaml": "game: small\ntitle: Small\nlanguages: [en]\n",
    "cards/loot.yaml": "deck: loot\ntitle: Loot\nsize: poker\nfront: loot.html\n"
    "fields: {name: text, art: string}\ncards:\n"
    "  - {id: school, name: School, art: good}\n  - {id: shop, name: Shop, art: bad}\n",
    "templates/loot.html": "<p style='margin: 8mm'>{{ card.name }}</p>\n"
    "<img src='art/{{ card.art }}.svg' style='width: 9mm'>\n",
    "art/good.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path d="M0 0h9v9z"/></svg>',
    "fonts/fonts.yaml": MAIN_FONT,
}
DEEP = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    + "<g>" * 100_000 + '<path d="M0 0h9v9z"/>' + "</g>" * 100_000 + "</svg>"
)  # fmt: skip


def spread(function: object, calls: list[object]) -> list[object]:
    return list(worker_pool.map_calls(function, calls, alone=False))  # type: ignore[arg-type]


def doubled(number: int) -> int:
    return 2 * number


def pid(_: object) -> int:
    return os.getpid()


def crashed_at(name: str) -> str:
    try:
        with work_limits.work_limit(f"the thing {name}"):
            if name == "bad":
                ctypes.string_at(0)  # reads at address 0
            return f"{name} done"
    except LimitExceededError as error:
        return str(error)


def hung_at(name: str) -> str:
    try:
        with work_limits.work_limit(f"the thing {name}", 0.5):
            if name == "bad":
                # One call in C that holds the interpreter's lock for hours.
                sum(range(10**13))
            return f"{name} done"
    except LimitExceededError as error:
        return str(error)


def busy_first(name: str) -> str:
    until = time.process_time() + 3
    while time.process_time() < until:
        sum(range(100_000))
    return f"{name} done"


def killed_once(marker: str) -> str:
    with work_limits.work_limit("a quiet thing"):
        if not Path(marker).exists():
            Path(marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


def killed_always(_: object) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def wrong(_: object) -> None:
    raise LookupError("no such thing")


def test_results_come_in_the_order_of_the_calls() -> None:
    assert spread(doubled, list(range(40))) == list(range(0, 80, 2))


def test_calls_are_taken_only_as_workers_are_free() -> None:
    taken: list[int] = []

    def calls() -> object:
        for number in range(100_000):
            taken.append(number)
            yield number

    results = worker_pool.map_calls(doubled, calls(), alone=False)  # type: ignore[arg-type]
    assert next(results) == 0
    assert len(taken) < 100_000
    results.close()  # type: ignore[attr-defined]


def test_workers_are_kept_for_the_next_calls() -> None:
    first = set(spread(pid, [1, 2, 3, 4]))
    assert set(spread(pid, [1, 2, 3, 4])) & first


@pytest.mark.parametrize("forked", [True, False])
def test_a_command_that_hangs_runs_again_without_the_content(tmp_path: Path, forked: bool) -> None:
    module = tmp_path / "hanging.py"
    module.write_text(
        "import test_worker_pool\ndef main():\n    print(test_worker_pool.hung_at('bad'))\n"
    )
    places = [str(tmp_path), str(Path(__file__).parent), str(ROOT), str(TESTS)]
    code = (
        f"import sys; sys.path += {places!r}; from cardgen.runtime import processes; "
        f"processes.CAN_FORK = {forked} and processes.CAN_FORK; "
        "sys.exit(processes.supervise_command('hanging:main', []))"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False
    )
    late = "it takes more than 0 s of the processor's time and was stopped"
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, late, "")


def test_a_crash_is_reported_and_the_rest_is_done() -> None:
    made = spread(crashed_at, ["one", "bad", "two"])
    assert made == ["one done", "what reads it crashes (SIGSEGV)", "two done"]


def test_a_hang_in_c_code_is_ended_by_the_system() -> None:
    made = spread(hung_at, ["one", "bad", "two"])
    assert made[::2] == ["one done", "two done"]
    assert "more than 0 s" in str(made[1]) or "more than 1 s" in str(made[1])


def test_work_outside_of_a_limit_is_not_bounded() -> None:
    assert spread(busy_first, ["one"]) == ["one done"]


def test_the_call_of_a_killed_worker_is_done_again_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert spread(killed_once, [str(tmp_path / "marker")]) == ["done"]
    told = "a helper process was ended from outside; its work is done again"
    assert [record.getMessage() for record in caplog.records] == [told]


def test_a_worker_that_is_killed_again_and_again_ends_the_call() -> None:
    with pytest.raises(LimitExceededError, match="ended from outside, again"):
        spread(killed_always, [1])


def test_an_error_in_a_worker_is_raised_with_its_traceback() -> None:
    with pytest.raises(LookupError, match="no such thing") as failure:
        spread(wrong, [1])
    assert "in wrong" in "".join(failure.value.__notes__)


def cardgen(*arguments: object, cwd: Path, **options: Any) -> subprocess.Popen[str]:
    started: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-P", "-m", "cardgen", *map(str, arguments)], cwd=cwd, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    )  # fmt: skip
    return started


def test_no_module_is_imported_from_the_current_folder(make_game: MakeGame, tmp_path: Path) -> None:
    """A game holds a file for every module of the standard library, and for those of ours."""
    root = make_game(GAME | {"art/bad.svg": GAME["art/good.svg"]})
    canary = tmp_path / "ran"
    ours = ("click", "yaml", "weasyprint", "jinja2", "PIL", "psutil", "typst", "fontTools")
    for name in (*sys.stdlib_module_names, *ours):
        (root / f"{name}.py").write_text(f"open({str(canary)!r}, 'a').write({name!r})")
    command = "from cardgen.__main__ import main; main()"
    for words in (["-P", "-m", "cardgen"], ["-P", "-c", command]):
        done = subprocess.run(
            [sys.executable, *words, "build", "--fresh"],
            cwd=root, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not canary.exists(), canary.read_text()


def test_relative_import_paths_are_not_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", "/opt/own"]))
    assert processes.build_environment()["PYTHONPATH"] == "/opt/own"
    monkeypatch.setenv("PYTHONPATH", ".")
    assert "PYTHONPATH" not in processes.build_environment()


def test_a_panic_of_rust_prints_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUST_BACKTRACE", "full")
    assert processes.build_environment()["RUST_BACKTRACE"] == "0"


def test_a_drawing_that_crashes_is_reported_with_other_problems(make_game: MakeGame) -> None:
    root = make_game(GAME | {"art/bad.svg": DEEP})
    deck = root / "cards" / "loot.yaml"
    deck.write_text(deck.read_text().replace("fields", "back: lost.html\nfields"))
    run = cardgen("check", cwd=root)
    out, told = run.communicate(timeout=120)
    assert run.returncode == 1
    crashed = "loot/shop: art/bad.svg cannot be drawn: what reads it crashes (SIGSEGV) [art]"
    assert f"cards/loot.yaml:9: error: {crashed}" in told
    assert "templates/lost.html is missing" in told
    assert "Traceback" not in told
    assert "errors" in out


def test_an_interrupt_ends_everything_at_once(make_game: MakeGame) -> None:
    root = make_game(GAME | {"art/bad.svg": GAME["art/good.svg"]})
    for _ in range(3):
        run = cardgen("build", "--fresh", cwd=root, start_new_session=True)
        family: list[psutil.Process] = []
        while not family:  # what watches over the command has begun
            assert run.poll() is None
            family = psutil.Process(run.pid).children(recursive=True)
        time.sleep(0.7)
        family = psutil.Process(run.pid).children(recursive=True)
        os.killpg(run.pid, signal.SIGINT)
        _, told = run.communicate(timeout=10)
        assert (run.returncode, told.strip()) == (130, "interrupted")
        assert not psutil.wait_procs(family, timeout=3)[1]


def test_temporary_files_go_with_the_command_or_with_the_next(
    make_game: MakeGame, tmp_path: Path
) -> None:
    root = make_game(GAME | {"art/bad.svg": GAME["art/good.svg"]})
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    (temporary / "cardgen-at-work-not-ours").symlink_to(root)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    killed = cardgen("build", "--fresh", cwd=root, env=environment, start_new_session=True)
    while not list(temporary.glob("cardgen-at-work-*/in-use")):
        time.sleep(0.01)
    os.killpg(killed.pid, signal.SIGSTOP)
    living = list(temporary.glob("cardgen-at-work-*/in-use"))
    assert cardgen("--version", cwd=root, env=environment).wait(60) == 0
    assert list(temporary.glob("cardgen-at-work-*/in-use")) == living, "its folder is in use"
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert cardgen("build", cwd=root, env=environment).wait(60) == 0
    assert [path.name for path in temporary.iterdir()] == ["cardgen-at-work-not-ours"]
    assert (root / "game.yaml").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the parent there may be Python's launcher")
def test_a_child_whose_parent_is_gone_ends_at_once() -> None:
    page = StatusPage()
    for parent, code in ((os.getpid(), 0), (1, 1)):
        call = f"apply_limits(StatusPage({page.handle!r}), {{}}, {parent}); print('at work')"
        boot = f"from cardgen.core.work_limits import StatusPage, apply_limits; {call}"
        ended = subprocess.run(
            processes.build_python_command(boot),
            pass_fds=page.inherited_files,
            capture_output=True,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (code, b"" if code else b"at work\n")


@pytest.mark.parametrize("whom", ["supervisor", "worker"])
def test_no_process_outlives_the_one_it_works_for(make_game: MakeGame, whom: str) -> None:
    root = make_game(GAME | {"art/bad.svg": GAME["art/good.svg"]})
    run = cardgen("build", "--fresh", cwd=root)
    while not psutil.Process(run.pid).children():
        time.sleep(0.01)
    time.sleep(0.5)
    (worker,) = psutil.Process(run.pid).children()
    family = psutil.Process(run.pid).children(recursive=True)
    if whom == "supervisor":
        run.kill()
        run.communicate()
        assert not psutil.wait_procs(family, timeout=3)[1]
    else:
        worker.kill()
        out, told = run.communicate(timeout=60)
        assert run.returncode == 0
        assert told == "cardgen was ended from outside (SIGKILL); it starts again\n"
        assert "done in" in out


_kept: list[int] = []


def kept(number: int) -> list[int]:
    """What this process was given so far."""
    _kept.append(number)
    return _kept


def crashed_with_memory(name: str) -> tuple[str, list[int]]:
    """What came of a thing, and what the process was given before."""
    return crashed_at(name), kept(len(name))


def fails(_: object) -> None:
    raise LookupError("not there")


@pytest.fixture
def resident() -> Iterator[worker_pool.ResidentWorker]:
    made = worker_pool.ResidentWorker()
    yield made
    made.stop()


def test_a_resident_keeps_what_it_made(resident: worker_pool.ResidentWorker) -> None:
    assert resident.run_call(kept, 1) == [1]
    assert resident.run_call(kept, 2) == [1, 2]
    assert resident.run_call(pid, None) not in (os.getpid(), None)
    with pytest.raises(LookupError, match="not there"):
        resident.run_call(fails, None)
    assert resident.run_call(kept, 3) == [1, 2, 3]


def test_a_resident_excludes_what_it_died_on_until_told_to_forget(
    resident: worker_pool.ResidentWorker,
) -> None:
    assert resident.run_call(kept, 1) == [1]
    said, memory = resident.run_call(crashed_with_memory, "bad")
    assert "crashes" in said
    assert memory == [3]  # another process
    first = resident.run_call(pid, None)
    assert resident.run_call(crashed_with_memory, "bad")[0] == said
    assert resident.run_call(pid, None) == first  # it did not try again
    resident.forget_exclusions()
    assert resident.run_call(crashed_with_memory, "bad")[0] == said
    assert resident.run_call(pid, None) != first


def test_a_resident_that_was_killed_is_followed_by_another(
    resident: worker_pool.ResidentWorker,
) -> None:
    first = resident.run_call(pid, None)
    os.kill(first, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(first)] if psutil.pid_exists(first) else [], 5)
    assert resident.run_call(doubled, 4) == 8


def test_an_abandoned_call_is_ended_and_the_next_one_done(
    resident: worker_pool.ResidentWorker,
) -> None:
    first = resident.run_call(pid, None)
    threading.Timer(0.3, resident.abandon_call).start()
    with pytest.raises(LimitExceededError, match="was ended"):
        resident.run_call(time.sleep, 60)
    assert resident.run_call(pid, None) != first
    assert not resident.has_exclusions


def test_what_a_resident_does_ahead_has_no_answer(resident: worker_pool.ResidentWorker) -> None:
    resident.call_ahead(kept, 1)
    resident.call_ahead(fails, None)
    assert resident.run_call(kept, 2) == [1, 2]
    assert resident.run_call(doubled, 4) == 8


def test_a_resident_that_died_over_what_it_did_ahead_is_followed_by_another(
    resident: worker_pool.ResidentWorker,
) -> None:
    resident.call_ahead(kept, 1)
    resident.call_ahead(os._exit, 1)
    assert resident.run_call(kept, 2) == [2]


def test_a_call_of_a_stopped_resident_raises_an_error(
    resident: worker_pool.ResidentWorker,
) -> None:
    resident.run_call(pid, None)
    threading.Timer(0.3, resident.stop).start()
    with pytest.raises(LimitExceededError, match="was ended"):
        resident.run_call(time.sleep, 60)
    with pytest.raises(LimitExceededError, match="was ended"):
        resident.run_call(doubled, 4)
