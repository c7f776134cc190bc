"""Limits on time, memory and nesting, and on the size of a game."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeGame

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError, StatusPage
from cardgen.game import loader
from cardgen.pipeline import build, stages
from cardgen.rules import rule_file
from cardgen.runtime import worker_pool


def run_endless_loop() -> None:
    while True:
        pass


def run_in_worker(function: Callable[[Any], str], call: object = None) -> str:
    """Return the function's result from a worker, where limits on time hold."""
    with worker_pool.use_workers(2):
        (result,) = worker_pool.map_calls(function, [call], alone=False)
    return result


def run_loop(_: object) -> str:
    try:
        with work_limits.work_limit("a loop", 0.2):
            run_endless_loop()
    except LimitExceededError as error:
        return str(error)
    return "done"


def run_stubborn_loop(_: object) -> str:
    try:
        with work_limits.work_limit("a stubborn loop", 0.2):
            while True:
                try:
                    run_endless_loop()
                except BaseException:
                    continue
    except LimitExceededError as error:
        return str(error)


def read_book_with_slow_chapter(_: object) -> str:
    with work_limits.work_limit("a book", 60):
        try:
            with work_limits.work_limit("a chapter", 0.2):
                run_endless_loop()
        except LimitExceededError as error:
            return f"the book goes on without a chapter: {error}"
    return "done"


def read_slow_book(_: object) -> str:
    try:
        with work_limits.work_limit("a book", 0.2), work_limits.work_limit("a chapter", 60):
            run_endless_loop()
    except LimitExceededError as error:
        return str(error)
    return "done"


def check_with_short_time(root: Path) -> str:
    stages.GAME_SECONDS = 0.7
    problems = build.check(build.Request(root))[2]
    return "\n".join(problem.message for problem in problems if problem.kind == "bounds")


STOPPED = "it takes more than 0 s of the processor's time and was stopped"


def test_work_past_its_time_limit_is_stopped() -> None:
    assert run_in_worker(run_loop) == STOPPED


def test_work_that_catches_every_exception_is_stopped() -> None:
    assert run_in_worker(run_stubborn_loop) == STOPPED


def test_an_inner_limit_stops_the_inner_work_alone() -> None:
    assert run_in_worker(read_book_with_slow_chapter) == (
        f"the book goes on without a chapter: {STOPPED}"
    )


def test_an_outer_limit_names_the_last_inner_work() -> None:
    assert run_in_worker(read_slow_book) == f"{STOPPED}; the last of it was a chapter"


def test_rules_that_are_each_quick_enough_are_stopped_together(make_game: MakeGame) -> None:
    slow = "range(60000) | map('string') | sort | length > 0"
    rules = "".join(
        f'  - {{id: r{n}, require: "{slow}", because: x, section: x}}\n' for n in range(60)
    )
    root = make_game(
        {
            "game.yaml": "game: g\ntitle: G\nlanguages: [en]\n",
            "cards/rules.yaml": f"rules:\n{rules}",
        }
    )
    message = run_in_worker(check_with_short_time, root)
    assert message.startswith("rules and table together: it takes more than")
    assert "the last of it was cards/rules.yaml: the rule r" in message


def test_waiting_costs_no_time_of_the_processor() -> None:
    with work_limits.work_limit("a sleeper", 0.1):
        time.sleep(0.4)


def test_many_quick_blocks_after_each_other_pass() -> None:
    for _ in range(2000):
        with work_limits.work_limit("a quick thing", 1):
            pass
    time.sleep(0.2)  # nothing of theirs may arrive in here


def test_deep_nesting_is_reported() -> None:
    def deeper() -> None:
        deeper()

    with (
        pytest.raises(LimitExceededError, match=r"^it is nested too deep$"),
        work_limits.work_limit("a nest"),
    ):
        deeper()


def test_exhausted_memory_is_reported() -> None:
    with (
        pytest.raises(LimitExceededError, match="more than 3 GB of memory"),
        work_limits.work_limit("a glutton"),
    ):
        raise MemoryError


def test_an_error_of_a_library_is_reported_with_its_name() -> None:
    words = "the XML reader fails on it: ParseError: no element found"
    with pytest.raises(LimitExceededError, match=words), work_limits.work_limit("art/broken.svg"):
        ET.fromstring("")


def test_an_expected_error_passes_through() -> None:
    with (
        pytest.raises(ET.ParseError),
        work_limits.work_limit("art/broken.svg", expected=(ET.ParseError,)),
    ):
        ET.fromstring("")


def test_a_bug_of_cardgen_passes_through() -> None:
    with pytest.raises(ZeroDivisionError), work_limits.work_limit("a sum"):
        1 / 0  # noqa: B018


def test_a_full_disk_passes_through() -> None:
    with pytest.raises(OSError, match="No space left"), work_limits.work_limit("a file"):
        raise OSError(28, "No space left on device")


def test_an_excluded_subject_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limits._limit_state, "exclusions", {"art/a.svg": "it crashed"})
    with (
        pytest.raises(LimitExceededError, match=r"^it crashed$"),
        work_limits.work_limit("art/a.svg"),
    ):
        pytest.fail("it was begun")
    with work_limits.work_limit("art/b.svg"):
        pass


def test_patience_scales_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_PATIENCE", "4")
    assert work_limits.work_limit("a thing", 2).seconds == 8
    monkeypatch.setenv("CARDGEN_PATIENCE", "much")
    assert work_limits.work_limit("a thing", 2).seconds == 2


def test_the_environment_scales_the_size_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never less than usual, nor without end."""
    for said, meant in (("4", 4), ("0.1", 1), ("1e9", 1000), ("much", 1), ("nan", 1)):
        monkeypatch.setenv(work_limits.LARGE_GAMES_VARIABLE, said)
        assert work_limits.get_large_factor() == meant
        assert work_limits.scale_limit(7) == 7 * meant
    monkeypatch.setenv(work_limits.LARGE_GAMES_VARIABLE, "4")
    assert work_limits.format_memory_limit() == "it takes more than 12 GB of memory and was stopped"


def test_a_status_page_shows_another_process_what_is_at_work() -> None:
    ours = StatusPage()
    theirs = StatusPage(ours.handle)
    theirs.write("the face loot/school [fi] front", "the faces from loot/ä", 12.5, 6)
    status = ours.read()
    assert (status.turn, status.subject) == (1, "the face loot/school [fi] front")
    assert status.late_subject == "the faces from loot/ä"
    assert (status.cpu_deadline, status.seconds) == (12.5, 6)


def test_a_status_page_cuts_long_subjects() -> None:
    page = StatusPage()
    page.write("ä" * 9000, "ö" * 9000, 1, 1)
    assert page.read().subject == "ä" * 1500
    assert page.read().late_subject == "ö" * 1500


def test_a_game_has_no_more_languages_than_anybody_speaks(make_game: MakeGame) -> None:
    codes = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    root = make_game({"game.yaml": f"game: babel\ntitle: Babel\nlanguages: [{', '.join(codes)}]\n"})
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert len(game.languages) == loader.MAX_LANGUAGES
    told = "game.yaml:3: error: the game has 512 languages; 200 are allowed [bounds]"
    assert told in [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("bound", "written", "told"),
    [
        (
            "MAX_FACES", ("fi, en", "{id: a}, {id: b}"),
            "2 languages of 2 pieces are 8 faces; 7 are allowed",
        ),
        (
            "MAX_PIECES", ("fi", "{id: a, copies: 8}"),
            "the game has 8 pieces, copies included; 7 are allowed",
        ),
    ],
)  # fmt: skip
def test_a_game_has_no_more_than_a_build_can_print(
    make_game: MakeGame, monkeypatch: pytest.MonkeyPatch,
    bound: str, written: tuple[str, str], told: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(loader, bound, 7)
    languages, cards = written
    deck = f"deck: loot\ntitle: Loot\nsize: poker\nfront: a\nback: b\ncards: [{cards}]"
    head = f"game: g\ntitle: G\nlanguages: [{languages}]\n"
    game_folder = make_game({"game.yaml": head, "cards/loot.yaml": deck})
    game, problems = rule_file.load_game(game_folder)
    assert game is None
    more = "for a large game that you trust, set CARDGEN_LARGE=10"
    assert f"game.yaml: error: {told}; {more} [bounds]" in [str(problem) for problem in problems]
    monkeypatch.setenv("CARDGEN_LARGE", "1.2")
    game, _ = rule_file.load_game(game_folder)
    assert game is not None


def test_a_crash_below_a_limit_of_the_terminal_names_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert work_limits.format_crash("SIGSEGV") == "what reads it crashes (SIGSEGV)"
    monkeypatch.setattr(work_limits, "get_memory_limit", lambda: 600_000_000)
    assert "more than the 572 MB of memory that this terminal" in work_limits.format_crash(
        "SIGSEGV"
    )
    assert "the 572 MB of memory that this terminal" in work_limits.format_memory_limit()
