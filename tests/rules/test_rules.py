"""Every kind of composition rule, holding and broken, from a game folder of its own.

Each folder under tests/rules/ is a game whose first rules hold; its expected.txt has the lines
that the others print. A line says what is, what should be, and which cards are in question.
"""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame

from cardgen.assets.fontfiles import FontSet
from cardgen.base.problems import Problem, ordered
from cardgen.base.store import Store
from cardgen.faces import produce
from cardgen.game.model import Game
from cardgen.rules import composition
from cardgen.rules.rulekinds import KINDS

FOLDERS = sorted(folder.name for folder in (TESTS / "rules/kinds").iterdir() if folder.is_dir())


def held_against(game: Game) -> list[Problem]:
    """What the game's rules say of its cards; nothing is typeset."""
    store = Store(game.root / "build/.store")
    ordered_faces = produce.order(game, FontSet((), {}), game.decks, game.languages, store)
    assert ordered_faces.problems == []
    return ordered(composition.check(game, ordered_faces.backs))


def test_every_kind_of_rule_has_its_folder() -> None:
    assert sorted(KINDS) == FOLDERS


@pytest.mark.parametrize("kind", FOLDERS)
def test_rules_hold_or_say_what_is_wrong(kind: str, make_game: MakeGame) -> None:
    folder = TESTS / "rules/kinds" / kind
    game, problems = composition.load(make_game(like=folder))
    assert game is not None
    assert problems == []
    told = held_against(game)
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert [str(problem) for problem in told] == expected.splitlines()
    broken = {problem.kind for problem in told}
    assert broken <= {rule.id for rule in game.rules}
    assert {rule.id for rule in game.rules} - broken, "one rule of each kind is to hold"
