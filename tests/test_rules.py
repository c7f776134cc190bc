"""Every kind of composition rule, holding and broken, from a game folder of its own.

Each folder under tests/rules/ is a game whose first rules hold; its expected.txt has the lines
that the others print. A line says what is, what should be, and which cards are in question.
"""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame

from cardgen import faces, rules
from cardgen.fontfiles import FontSet
from cardgen.model import Game
from cardgen.problems import Problem, ordered
from cardgen.rulekinds import KINDS
from cardgen.store import Store

FOLDERS = sorted(folder.name for folder in (TESTS / "rules").iterdir() if folder.is_dir())


def held_against(game: Game) -> list[Problem]:
    """What the game's rules say of its cards; nothing is typeset."""
    store = Store(game.root / "build/.store")
    ordered_faces = faces.order(game, FontSet((), {}), game.decks, game.languages, store)
    assert ordered_faces.problems == []
    return ordered(rules.check(game, ordered_faces.backs))


def test_every_kind_of_rule_has_its_folder() -> None:
    assert sorted(KINDS) == FOLDERS


@pytest.mark.parametrize("kind", FOLDERS)
def test_rules_hold_or_say_what_is_wrong(kind: str, make_game: MakeGame) -> None:
    folder = TESTS / "rules" / kind
    game, problems = rules.load(make_game(like=folder))
    assert game is not None
    assert problems == []
    told = held_against(game)
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert [str(problem) for problem in told] == expected.splitlines()
    broken = {problem.kind for problem in told}
    assert broken <= {rule.id for rule in game.rules}
    assert {rule.id for rule in game.rules} - broken, "one rule of each kind is to hold"
