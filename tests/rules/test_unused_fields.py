"""Fields that nothing prints are told, whatever other words a game holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeGame

from cardgen.rules import rule_file, unused_fields

RULES = """\
# when: a comment
rules:
  - id: turn
    sum: night
    of: cash
    where: ground == "season" and cost < 3
    at_least: 1
    because: a card of each place
    section: Setting up
"""
TABLE = "middle: [{deck: night, as: stacks, by: kind, name: place}]\n"
NAMES = ["when", "sum", "section", "night", "season", "place", "turn", "each", "loop", "include"]
USED = ["cash", "ground", "cost", "kind", "text", "weight"]


def find_unused(root: Path) -> list[str]:
    game, _ = rule_file.load_game(root)
    assert game is not None
    return [each.message.split("'")[1] for each in unused_fields.find_unused_fields(game)]


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    fields = "".join(f"  {name}: string\n" for name in ["name", *NAMES, *USED])
    return make_game({
        "game.yaml": "game: g\ntitle: G\nlanguages: [en]\n",
        "cards/d.yaml": f"deck: d\ntitle: D\nsize: poker\nfront: a.html\nfields:\n{fields}"
        "cards: [{id: a, name: A}]\n",
        "cards/rules.yaml": RULES,
        "table.yaml": TABLE,
        "templates/a.html": "{# card.turn #}<p class=each>{% for night in range(2) %}"
        "{{ loop.index }}{{ card.text }}{{ card['weight'] }}{% endfor %}</p>",
    })  # fmt: skip


def test_words_of_rules_tables_and_templates_use_no_field(root: Path) -> None:
    """Keys, prose, names of decks, comments, texts in expressions and keywords of Jinja."""
    assert find_unused(root) == NAMES


def test_a_field_of_the_table_in_game_yaml_is_used(root: Path) -> None:
    (root / "table.yaml").unlink()
    game = (root / "game.yaml").read_text()
    (root / "game.yaml").write_text(game + "table:\n  middle: [{deck: d, by: kind}]\n")
    assert find_unused(root) == NAMES


def test_rules_that_cannot_be_read_hide_no_field(root: Path) -> None:
    (root / "cards/rules.yaml").write_text("rules: [of: cash, where: ground cost")
    assert not {"cash", "ground", "cost"} & {*find_unused(root)}
