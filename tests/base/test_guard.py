"""One bound for everything: what takes too long, nests too deep or breaks a library is stopped."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET

import pytest
from conftest import MakeGame

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError, StatusPage
from cardgen.game import loader
from cardgen.pipeline import build, stages
from cardgen.rules import rule_file


def endless() -> None:
    while True:
        pass


def test_what_takes_too_long_is_stopped() -> None:
    words = r"it takes more than 0 s of the processor's time"
    with pytest.raises(LimitExceededError, match=words), work_limits.work_limit("a loop", 0.2):
        endless()


def test_what_swallows_every_exception_is_stopped_all_the_same() -> None:
    with pytest.raises(LimitExceededError), work_limits.work_limit("a stubborn loop", 0.2):
        while True:
            try:
                endless()
            except Exception:
                continue


def test_the_inner_of_two_is_stopped_and_the_outer_goes_on() -> None:
    reached = False
    with work_limits.work_limit("a book", 60):
        with pytest.raises(LimitExceededError), work_limits.work_limit("a chapter", 0.2):
            endless()
        reached = True
    assert reached


def test_the_outer_of_two_is_stopped_by_its_own_bound() -> None:
    with (
        pytest.raises(LimitExceededError, match=r"the last of it was a chapter$"),
        work_limits.work_limit("a book", 0.2),
    ):
        with work_limits.work_limit("a chapter", 60):
            endless()
        pytest.fail("the chapter is not the one that was late")


def test_rules_that_are_each_quick_enough_are_stopped_together(
    make_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "_GAME_SECONDS", 0.7)
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
    problems = build.check(build.Request(root))[2]
    told = [problem.message for problem in problems if problem.kind == "bounds"]
    assert len(told) == 1
    assert told[0].startswith("texts, templates, rules and table together: it takes more than")
    assert "the last of it was cards/rules.yaml: the rule r" in told[0]


def test_waiting_costs_no_time_of_the_processor() -> None:
    with work_limits.work_limit("a sleeper", 0.1):
        time.sleep(0.4)


def test_many_quick_things_after_each_other_are_left_alone() -> None:
    for _ in range(2000):
        with work_limits.work_limit("a quick thing", 1):
            pass
    time.sleep(0.2)  # nothing of theirs may arrive in here


def test_depth_is_told_in_words() -> None:
    def deeper() -> None:
        deeper()

    with (
        pytest.raises(LimitExceededError, match=r"^it is nested too deep$"),
        work_limits.work_limit("a nest"),
    ):
        deeper()


def test_memory_is_told_in_words() -> None:
    with (
        pytest.raises(LimitExceededError, match="more than 3 GB of memory"),
        work_limits.work_limit("a glutton"),
    ):
        raise MemoryError


def test_a_librarys_failure_is_told_with_its_name() -> None:
    words = "the XML reader fails on it: ParseError: no element found"
    with pytest.raises(LimitExceededError, match=words), work_limits.work_limit("art/broken.svg"):
        ET.fromstring("")


def test_a_failure_that_the_caller_tells_itself_is_left_alone() -> None:
    with (
        pytest.raises(ET.ParseError),
        work_limits.work_limit("art/broken.svg", expected=(ET.ParseError,)),
    ):
        ET.fromstring("")


def test_a_bug_of_ours_stays_one() -> None:
    with pytest.raises(ZeroDivisionError), work_limits.work_limit("a sum"):
        1 / 0  # noqa: B018


def test_what_the_machine_refuses_stays_as_it_is() -> None:
    with pytest.raises(OSError, match="No space left"), work_limits.work_limit("a file"):
        raise OSError(28, "No space left on device")


def test_what_is_left_out_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limits._limit_state, "exclusions", {"art/a.svg": "it crashed"})
    with (
        pytest.raises(LimitExceededError, match=r"^it crashed$"),
        work_limits.work_limit("art/a.svg"),
    ):
        pytest.fail("it was begun")
    with work_limits.work_limit("art/b.svg"):
        pass


def test_patience_is_the_users_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_PATIENCE", "4")
    assert work_limits.work_limit("a thing", 2).seconds == 8
    monkeypatch.setenv("CARDGEN_PATIENCE", "much")
    assert work_limits.work_limit("a thing", 2).seconds == 2


def test_how_large_a_game_may_be_is_the_users_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never less than usual, nor without end."""
    for said, meant in (("4", 4), ("0.1", 1), ("1e9", 1000), ("much", 1), ("nan", 1)):
        monkeypatch.setenv(work_limits.LARGE_GAMES_VARIABLE, said)
        assert work_limits.get_large_factor() == meant
        assert work_limits.scale_limit(7) == 7 * meant
    monkeypatch.setenv(work_limits.LARGE_GAMES_VARIABLE, "4")
    assert work_limits.format_memory_limit() == "it takes more than 12 GB of memory and was stopped"


def test_a_slate_tells_another_process_what_is_at_work() -> None:
    ours = StatusPage()
    theirs = StatusPage(ours.handle)
    theirs.write("the face loot/school [fi] front", 12.5, 6)
    theirs.record_stop("art/ä.svg", "it is too slow")
    theirs.record_stop("art/b.svg", "it crashes")
    entry = ours.read()
    assert (entry.turn, entry.subject) == (1, "the face loot/school [fi] front")
    assert (entry.cpu_deadline, entry.seconds) == (12.5, 6)
    assert ours.read_stops() == {"art/ä.svg": "it is too slow", "art/b.svg": "it crashes"}


def test_a_slate_holds_no_more_than_it_has_room_for() -> None:
    slate = StatusPage()
    for number in range(3000):
        slate.record_stop(f"thing {number}", "x" * 40)
    assert 100 < len(slate.read_stops()) < 3000
    assert len(json.dumps(slate.read_stops())) < 1 << 16
    slate.write("ä" * 9000, 1, 1)
    assert slate.read().subject.startswith("ää")


def test_a_game_has_no_more_languages_than_anybody_speaks(make_game: MakeGame) -> None:
    codes = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    root = make_game({"game.yaml": f"game: babel\ntitle: Babel\nlanguages: [{', '.join(codes)}]\n"})
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert len(game.languages) == loader.MAX_LANGUAGES
    told = "game.yaml:3: error: the game has 512 languages; 200 are the most [bounds]"
    assert told in [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("bound", "written", "told"),
    [
        (
            "MOST_FACES", ("fi, en", "{id: a}, {id: b}"),
            "2 languages of 2 pieces are 8 faces; 7 are the most",
        ),
        (
            "MOST_PIECES", ("fi", "{id: a, copies: 8}"),
            "the game has 8 pieces with all copies; 7 are the most",
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
    more = "for a large game that you trust, say CARDGEN_LARGE=10 in the environment"
    assert f"game.yaml: error: {told}; {more} [bounds]" in [str(problem) for problem in problems]
    monkeypatch.setenv("CARDGEN_LARGE", "1.2")
    game, _ = rule_file.load_game(game_folder)
    assert game is not None
