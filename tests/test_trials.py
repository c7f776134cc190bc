"""The trials of docs/reliability.md can be trusted: they see what they look for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ROOT

from trials import enemy
from trials.attack import Place
from trials.attacks import all_attacks
from trials.fuzz import judged
from trials.fuzzing import cases
from trials.fuzzing.shrink import restored, saved
from trials.hostile import read_expected
from trials.running import watched

PYTHON = [sys.executable, "-P", "-c"]


def test_what_hangs_is_seen_by_its_time_of_the_processor(tmp_path: Path) -> None:
    outcome = watched([*PYTHON, "while True: pass"], tmp_path, seconds=0.5)
    assert outcome.stopped.startswith("still at work")
    assert outcome.work > 0.4


def test_what_takes_too_much_memory_is_seen(tmp_path: Path) -> None:
    script = "import time; held = bytearray(300_000_000); time.sleep(60)"
    outcome = watched([*PYTHON, script], tmp_path, seconds=60, megabytes=200)
    assert outcome.stopped.startswith("holds")


def test_processes_that_are_left_are_seen_and_ended(tmp_path: Path) -> None:
    script = "import subprocess, sys; subprocess.Popen(['sleep', '60']); print('gone')"
    outcome = watched([*PYTHON, script], tmp_path)
    assert (outcome.code, outcome.out, outcome.left) == (0, "gone\n", 1)


def test_what_is_written_changed_or_taken_elsewhere_is_seen(tmp_path: Path) -> None:
    enemy.plant(tmp_path)
    before = enemy.state(tmp_path)
    (tmp_path / "secret.txt").write_text("read")
    (tmp_path / "secret.css").unlink()
    (tmp_path / "folder/new").symlink_to("nowhere")
    changed = enemy.differences(before, enemy.state(tmp_path))
    assert changed == ["folder/new", "secret.css", "secret.txt"]


def test_who_calls_is_heard() -> None:
    script = "import sys, urllib.request as r; r.urlopen(sys.argv[1])"
    with enemy.listening() as foe:
        watched([*PYTHON, script, f"http://{foe.address}/secret"], Path())
        assert foe.asked == ["GET /secret"]


@pytest.mark.parametrize(
    ("code", "said", "wrong"),
    [
        (0, "fine", ""),
        (1, "game.yaml: error: no", ""),
        (1, "no", "an error without a line"),
        (0, "a\x1b[2J", "sign 0x1b is sent"),
        (0, "a\u202eb", "sign 0x202e is sent"),
        (
            3,
            'Traceback (most recent call last):\n  File "/x/cardgen/a.py", line 1, in b\n'
            "ValueError: no\n",
            "exit 3 ValueError at cardgen/a.py:b a.py:b",
        ),
    ],
)
def test_answers_are_judged(code: int, said: str, wrong: str) -> None:
    assert judged("check", code, said) == wrong


def test_cases_are_the_same_for_the_same_seed_and_differ_from_their_games() -> None:
    made = [cases.made("seed", number) for number in range(40)]
    assert made == [cases.made("seed", number) for number in range(40)]
    assert len({case.name.partition(" ")[0] for case in made}) > 8
    assert all(case.changed for case in made)


def test_finds_are_kept_and_read_again(tmp_path: Path) -> None:
    files = {
        "game.yaml": b"title: a\n",
        "art/a.png": b"\x89PNG",
        "cards/a.csv": b"a\r\n",
        "fonts/node_modules/hyphen/a.js": b"what git passes over",
        "fonts/a.woff2": (ROOT / "fonts/node_modules/@fontsource/roboto-condensed/files/"
                          "roboto-condensed-latin-400-normal.woff2").read_bytes(),
    }  # fmt: skip
    case = cases.Case("deck of x", files, ("check", "@GAME@"), ("game.yaml",))
    folder = saved(case, "exit 3 ValueError at a", tmp_path)
    again = restored(folder)
    assert (dict(again.files), again.command) == (files, case.command)
    assert not list(folder.rglob("*.woff2"))
    assert not list(folder.rglob("node_modules"))


def test_places_in_texts_of_attacks_are_filled_in(tmp_path: Path) -> None:
    place = Place(tmp_path / "game", tmp_path / "elsewhere", "127.0.0.1:9")
    place.write("a.css", "url(http://@ENEMY@/) url(@ELSEWHERE@/x)")
    assert (tmp_path / "game/a.css").read_text() == (
        f"url(http://127.0.0.1:9/) url({tmp_path}/elsewhere/x)"
    )


def test_what_attacks_are_told_is_written_down() -> None:
    """Of all, and of no others; and none is expected to crash or to hang."""
    names = {attack.name for attack in all_attacks()}
    known = read_expected()
    assert len(names) > 1000
    assert set(known) == names
    assert {code for code, _ in known.values()} <= {0, 1}
