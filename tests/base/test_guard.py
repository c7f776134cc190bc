"""One bound for everything: what takes too long, nests too deep or breaks a library is stopped."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET

import pytest
from conftest import MakeGame

from cardgen import build, examining
from cardgen.base import bounds, guard
from cardgen.base.guard import Slate, Stopped
from cardgen.game import loading
from cardgen.rules import composition


def endless() -> None:
    while True:
        pass


def test_what_takes_too_long_is_stopped() -> None:
    words = r"it takes more than 0 s of the processor's time"
    with pytest.raises(Stopped, match=words), guard.at("a loop", 0.2):
        endless()


def test_what_swallows_every_exception_is_stopped_all_the_same() -> None:
    with pytest.raises(Stopped), guard.at("a stubborn loop", 0.2):
        while True:
            try:
                endless()
            except Exception:
                continue


def test_the_inner_of_two_is_stopped_and_the_outer_goes_on() -> None:
    reached = False
    with guard.at("a book", 60):
        with pytest.raises(Stopped), guard.at("a chapter", 0.2):
            endless()
        reached = True
    assert reached


def test_the_outer_of_two_is_stopped_by_its_own_bound() -> None:
    with pytest.raises(Stopped, match=r"the last of it was a chapter$"), guard.at("a book", 0.2):
        with guard.at("a chapter", 60):
            endless()
        pytest.fail("the chapter is not the one that was late")


def test_rules_that_are_each_quick_enough_are_stopped_together(
    make_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "_SECONDS_SAID", 0.7)
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
    with guard.at("a sleeper", 0.1):
        time.sleep(0.4)


def test_many_quick_things_after_each_other_are_left_alone() -> None:
    for _ in range(2000):
        with guard.at("a quick thing", 1):
            pass
    time.sleep(0.2)  # nothing of theirs may arrive in here


def test_depth_is_told_in_words() -> None:
    def deeper() -> None:
        deeper()

    with pytest.raises(Stopped, match=r"^it is nested too deep$"), guard.at("a nest"):
        deeper()


def test_memory_is_told_in_words() -> None:
    with pytest.raises(Stopped, match="more than 3 GB of memory"), guard.at("a glutton"):
        raise MemoryError


def test_a_librarys_failure_is_told_with_its_name() -> None:
    words = "the XML reader fails on it: ParseError: no element found"
    with pytest.raises(Stopped, match=words), guard.at("art/broken.svg"):
        ET.fromstring("")


def test_a_failure_that_the_caller_tells_itself_is_left_alone() -> None:
    with pytest.raises(ET.ParseError), guard.at("art/broken.svg", known=(ET.ParseError,)):
        ET.fromstring("")


def test_a_bug_of_ours_stays_one() -> None:
    with pytest.raises(ZeroDivisionError), guard.at("a sum"):
        1 / 0  # noqa: B018


def test_what_the_machine_refuses_stays_as_it_is() -> None:
    with pytest.raises(OSError, match="No space left"), guard.at("a file"):
        raise OSError(28, "No space left on device")


def test_what_is_left_out_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard._state, "left_out", {"art/a.svg": "it crashed"})
    with pytest.raises(Stopped, match=r"^it crashed$"), guard.at("art/a.svg"):
        pytest.fail("it was begun")
    with guard.at("art/b.svg"):
        pass


def test_patience_is_the_users_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_PATIENCE", "4")
    assert guard.at("a thing", 2).seconds == 8
    monkeypatch.setenv("CARDGEN_PATIENCE", "much")
    assert guard.at("a thing", 2).seconds == 2


def test_how_large_a_game_may_be_is_the_users_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never less than usual, nor without end."""
    for said, meant in (("4", 4), ("0.1", 1), ("1e9", 1000), ("much", 1), ("nan", 1)):
        monkeypatch.setenv(bounds.LARGE, said)
        assert bounds.large() == meant
        assert bounds.most(7) == 7 * meant
    monkeypatch.setenv(bounds.LARGE, "4")
    assert guard.too_large() == "it takes more than 12 GB of memory and was stopped"


def test_a_slate_tells_another_process_what_is_at_work() -> None:
    ours = Slate()
    theirs = Slate(ours.handle)
    theirs.write("the face loot/school [fi] front", 12.5, 6)
    theirs.remember("art/ä.svg", "it is too slow")
    theirs.remember("art/b.svg", "it crashes")
    entry = ours.read()
    assert (entry.turn, entry.what) == (1, "the face loot/school [fi] front")
    assert (entry.until, entry.seconds) == (12.5, 6)
    assert ours.remembered() == {"art/ä.svg": "it is too slow", "art/b.svg": "it crashes"}


def test_a_slate_holds_no_more_than_it_has_room_for() -> None:
    slate = Slate()
    for number in range(3000):
        slate.remember(f"thing {number}", "x" * 40)
    assert 100 < len(slate.remembered()) < 3000
    assert len(json.dumps(slate.remembered())) < 1 << 16
    slate.write("ä" * 9000, 1, 1)
    assert slate.read().what.startswith("ää")


def test_a_game_has_no_more_languages_than_anybody_speaks(make_game: MakeGame) -> None:
    codes = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    root = make_game({"game.yaml": f"game: babel\ntitle: Babel\nlanguages: [{', '.join(codes)}]\n"})
    game, problems = composition.load(root)
    assert game is not None
    assert len(game.languages) == loading.MOST_LANGUAGES
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
    monkeypatch.setattr(loading, bound, 7)
    languages, cards = written
    deck = f"deck: loot\ntitle: Loot\nsize: poker\nfront: a\nback: b\ncards: [{cards}]"
    head = f"game: g\ntitle: G\nlanguages: [{languages}]\n"
    game_folder = make_game({"game.yaml": head, "cards/loot.yaml": deck})
    game, problems = composition.load(game_folder)
    assert game is None
    more = "for a large game that you trust, say CARDGEN_LARGE=10 in the environment"
    assert f"game.yaml: error: {told}; {more} [bounds]" in [str(problem) for problem in problems]
    monkeypatch.setenv("CARDGEN_LARGE", "1.2")
    game, _ = composition.load(game_folder)
    assert game is not None
