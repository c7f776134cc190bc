"""Every kind of composition rule, holding and broken, from a game folder of its own.

Each folder under tests/rules/ is a game whose first rules hold; its expected.txt has the lines
that the others print. A line says what is, what should be, and which cards are in question.
"""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame
from whole_games import fonts_of

from cardgen.assets.font_files import FontSet
from cardgen.core.problems import Problem, sort_problems
from cardgen.faces import rendering, text_contrast, typesetting
from cardgen.faces.queries import FaceQueries
from cardgen.game.model import Game
from cardgen.rules import rule_file, rule_kinds
from cardgen.rules.rule_kinds import RULE_KINDS
from cardgen.runtime.content_store import Store

FOLDERS = sorted(folder.name for folder in (TESTS / "rules/kinds").iterdir() if folder.is_dir())


def held_against(game: Game) -> list[Problem]:
    """What the game's rules say of its cards; typeset are those that rules about faces ask for."""
    store = Store(game.root / "build/.store")
    of_faces = any(map(rule_kinds.is_face_rule, game.rules))
    fonts = fonts_of(game.root) if of_faces else FontSet((), {})
    faces = rendering.render_faces(game, fonts, game.decks, game.languages, store)
    assert faces.problems == []
    known = FaceQueries(game, faces, store, sets=of_faces)
    if any(rule_kinds.find_contrast_decks(game.rules)):
        typesetting.typeset_faces(game, faces, store)
        text_contrast.measure_contrasts(faces.faces, fonts, store)
    problems, waiting = rule_file.check_face_rules(game, known)
    assert waiting == []
    return sort_problems([*rule_file.check_card_rules(game, faces.find_backs), *problems])


def test_every_kind_of_rule_has_its_folder() -> None:
    assert sorted(RULE_KINDS) == FOLDERS


@pytest.mark.parametrize("kind", FOLDERS)
def test_rules_hold_or_say_what_is_wrong(kind: str, make_game: MakeGame, one_process: None) -> None:
    folder = TESTS / "rules/kinds" / kind
    game, problems = rule_file.load_game(make_game(like=folder))
    assert game is not None
    assert problems == []
    told = held_against(game)
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert [str(problem) for problem in told] == expected.splitlines()
    broken = {problem.kind for problem in told}
    assert broken <= {rule.id for rule in game.rules}
    assert {rule.id for rule in game.rules} - broken, "one rule of each kind is to hold"
