"""Schemas for editors: every file of the repository's games passes, and mistakes are refused."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest
from conftest import ROOT, TESTS, Cardgen, MakeGame
from jsonschema import Draft7Validator

from cardgen.core import yaml_nodes
from cardgen.game.field_types import FIELD_TYPES
from cardgen.pipeline import editor_schemas
from cardgen.rules import rule_file
from cardgen.rules.rule_keys import RULE_KEYS
from cardgen.rules.rule_kinds import RULE_KINDS
from cardgen.runtime import game_files

GAMES = [ROOT, *sorted(path.parent for path in ROOT.glob("games/*/game.yaml"))]
# What a schema can see of the mistakes under tests/problems: file and place within it.
REFUSED = {
    "dangling-reference": [
        "cards/loot.yaml cards/0/pairs_with", "cards/loot.yaml fields/leads_to",
        "cards/roads.yaml like",
    ],
    "font-not-installed": [
        "fonts/fonts.yaml fonts/0", "fonts/fonts.yaml fonts/3", "fonts/fonts.yaml hyphenation",
    ],
    "game-file": [
        "game.yaml", "game.yaml game", "game.yaml players/0/colour", "game.yaml players/0/symbol",
        "game.yaml players/1", "game.yaml players/2", "game.yaml colours/ink",
        "game.yaml words/money",
    ],
    "look-names": [
        "cards/list.yaml look", "cards/listed.yaml places", "cards/misspelt.yaml look",
        "cards/nothing.yaml look", "cards/number.yaml look",
    ],
    "long-names": [
        "cards/loot.yaml cards/0/id", "cards/units.yaml deck", "game.yaml languages/1",
        "game.yaml players/1/id",
    ],
    "many-cards": ["cards/few.yaml cards/0/name", "cards/plain.yaml cards/0"],
    "missing-field": ["cards/loot.yaml", "cards/loot.yaml cards/0", "cards/loot.yaml cards/2/id"],
    "missing-fonts": ["fonts/fonts.yaml"],
    "missing-language": [
        "cards/loot.yaml title", "cards/loot.yaml cards/0/name", "cards/loot.yaml cards/1/name/fi",
        "cards/loot.yaml cards/2/name",
    ],
    "missing-template": [
        "cards/loot.yaml front", "cards/loot.yaml back", "cards/loot.yaml styles/0",
    ],
    "misspelt-field": [
        "cards/loot.yaml", "cards/loot.yaml cards/0", "cards/loot.yaml cards/0/greenhorn",
        "cards/loot.yaml fields/category", "cards/loot.yaml fields/name", "game.yaml",
    ],
    "needs-quotes": [
        "cards/m.yaml cards/0/text", "cards/n.yaml cards/0/text", "cards/o.yaml cards/0/word",
    ],
    "out-of-folder": ["cards/loot.yaml front", "cards/loot.yaml styles/0"],
    "rule-cannot-be-evaluated": ["cards/rules.yaml rules/0/count"],
    "rule-malformed": [
        "cards/rules.yaml rules/0", "cards/rules.yaml rules/1", "cards/rules.yaml rules/2",
        "cards/rules.yaml rules/3", "cards/rules.yaml rules/4", "cards/rules.yaml rules/5/severity",
    ],
    "rule-odds": [
        "cards/rules.yaml rules/7/see", "cards/rules.yaml rules/14/see",
        "cards/rules.yaml rules/17/mostly", "cards/rules.yaml rules/21/turn",
        "cards/rules.yaml rules/24/turn",
    ],
    "rule-words": ["cards/rules.yaml rules/8/is", "cards/rules.yaml rules/10/severity"],
    "several-files": [
        "cards/loot.yaml cards/0", "cards/loot.yaml cards/0/cash", "cards/units.yaml size",
    ],
    "strange-numbers": [
        "cards/large.yaml size", "cards/loot.yaml cards/0/copies", "cards/loot.yaml cards/0/cash",
        "cards/loot.yaml cards/1/share", "cards/loot.yaml bleed",
    ],
    "unknown-field": [
        "cards/loot.yaml", "cards/loot.yaml cards/0", "cards/loot.yaml fields/cash", "game.yaml",
    ],
    "unknown-language": ["cards/loot.yaml cards/0/name", "game.yaml languages/2"],
    "wrong-press": [
        "game.yaml print", "game.yaml print/profile", "game.yaml print/intent",
        "game.yaml print/ink", "game.yaml print/rich_black", "game.yaml print/spots",
        "game.yaml print/spots/foil", "game.yaml print/spots/two",
    ],
    "wrong-size": [
        "cards/boards.yaml size", "cards/loot.yaml size", "cards/loot.yaml bleed",
        "cards/units.yaml shape", "cards/units.yaml gap", "game.yaml print/paper",
        "game.yaml print/backs", "game.yaml print/dpi", "game.yaml print/margin",
        "game.yaml print/gap", "game.yaml print/mix", "game.yaml print/marks",
    ],
    "look-style": [
        "cards/loot.yaml back", "cards/loot.yaml style", "styles/mine.yaml",
    ],
    "wrong-type": [
        *(f"cards/loot.yaml cards/{number}/cash" for number in range(4)),
        "cards/loot.yaml cards/4/weight", "cards/loot.yaml cards/5/category",
        "cards/loot.yaml cards/6/goods", "cards/loot.yaml cards/7/goods/1",
        "cards/loot.yaml cards/8/goods", "cards/loot.yaml cards/9/supplies",
        "cards/loot.yaml cards/10/supplies/food", "cards/loot.yaml cards/11/sleep",
    ],
}  # fmt: skip
# Here a deck cannot be read, so that its name is none.
LED_TO = {"broken-yaml"}
OTHERS = sorted(
    folder.name
    for folder in (TESTS / "problems").iterdir()
    if folder.is_dir() and folder.name not in {*REFUSED, *LED_TO, "broken-game-file"}
)


@lru_cache
def refused(root: Path) -> dict[str, str]:
    """What the schemas of a game refuse in its files: `file place` → why."""
    game, _ = rule_file.load_game(root)
    assert game is not None
    found = {}
    for name, schema in editor_schemas.build_schemas(game).items():
        Draft7Validator.check_schema(schema)
        text, why = game_files.read_text(root, name)
        node, _ = yaml_nodes.load(text, name) if not why else (None, [])
        for error in Draft7Validator(schema).iter_errors(node.to_plain()) if node else ():
            place = "/".join(map(str, error.absolute_path))
            found[f"{name} {place}".strip()] = error.message
    return found


@pytest.mark.parametrize("root", GAMES, ids=lambda root: root.name)
def test_every_file_of_the_repositorys_games_passes(root: Path) -> None:
    assert refused(root) == {}


@pytest.mark.parametrize(
    ("kind", "place"), [(kind, place) for kind, places in REFUSED.items() for place in places]
)
def test_what_a_schema_can_see_is_refused(kind: str, place: str) -> None:
    assert place in refused(TESTS / "problems" / kind)


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_otherwise_wrong_passes(kind: str) -> None:
    assert refused(TESTS / "problems" / kind) == {}


def test_every_type_and_every_key_of_a_rule_is_known_to_them() -> None:
    """What has none raises `NotImplementedError`, or `KeyError` here."""
    assert {name for kind in RULE_KINDS.values() for name in kind.list_keys()} == RULE_KEYS.keys()
    assert all(type(kind).schema is not None for kind in FIELD_TYPES.values())


def test_the_command_writes_schemas_and_names_them(cardgen: Cardgen, root: Path) -> None:
    (root / ".cardgen/cards").mkdir(parents=True)
    (root / ".cardgen/cards/gone.json").write_text("{}")
    result = cardgen("schema")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        ".cardgen: 6 schemas",
        ".vscode/settings.json: names them",
    ]
    written = sorted(
        path.relative_to(root).as_posix() for path in (root / ".cardgen").rglob("*.json")
    )
    assert written == [
        ".cardgen/cards/loot.json", ".cardgen/cards/notes.json", ".cardgen/cards/rules.json",
        ".cardgen/fonts/fonts.json", ".cardgen/game.json", ".cardgen/table.json",
    ]  # fmt: skip
    settings = json.loads((root / ".vscode/settings.json").read_text())
    assert settings["yaml.schemas"]["./.cardgen/cards/loot.json"] == "/cards/loot.yaml"
    loot = json.loads((root / ".cardgen/cards/loot.json").read_text())
    assert loot["properties"]["cards"]["items"]["properties"].keys() == {
        "id", "copies", "name", "text", "art", "front", "back",
    }  # fmt: skip
    assert loot["definitions"]["text"]["required"] == ["en", "fi"]
    before = (root / ".vscode/settings.json").stat().st_mtime_ns
    assert cardgen("schema").code == 0
    assert (root / ".vscode/settings.json").stat().st_mtime_ns == before


def test_settings_keep_what_is_in_them() -> None:
    before = {
        "editor.rulers": [100],
        "yaml.schemas": {"./mine.json": "*.mine", "./.cardgen/cards/gone.json": "/cards/gone.yaml"},
        "files.eol": "\n",
    }
    text, why = editor_schemas.merge_settings(
        json.dumps(before, indent=4), {"./.cardgen/game.json": "/game.yaml"}
    )
    assert why == ""
    after = {"./mine.json": "*.mine", "./.cardgen/game.json": "/game.yaml"}
    assert list(json.loads(text).items()) == list({**before, "yaml.schemas": after}.items())
    assert text.startswith('{\n    "editor.rulers"')


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}', "line 2: not JSON: "),
        ("[]", "'yaml.schemas' is not what it should be"),
        ('{"yaml.schemas": []}', "'yaml.schemas' is not what it should be"),
    ],
)
def test_settings_that_cannot_be_added_to_are_left_alone(
    cardgen: Cardgen, root: Path, settings: str, why: str
) -> None:
    (root / ".vscode").mkdir()
    (root / ".vscode/settings.json").write_text(settings)
    result = cardgen("schema")
    assert result.code == 1
    assert result.err.startswith(f".vscode/settings.json: it cannot be added to ({why}")
    assert '"./.cardgen/game.json": "/game.yaml"' in result.err
    assert (root / ".vscode/settings.json").read_text() == settings
    assert (root / ".cardgen/game.json").exists()


@pytest.mark.parametrize("name", [".cardgen", ".vscode"])
def test_nothing_is_written_through_a_link(
    cardgen: Cardgen, root: Path, tmp_path: Path, name: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / name).symlink_to(elsewhere)
    result = cardgen("schema")
    assert (result.code, list(elsewhere.iterdir())) == (1, [])
    assert "nothing is written through links; remove it" in result.err


def test_cards_names_are_completed(make_game: MakeGame) -> None:
    """A card of every player is named with its player or without."""
    root = make_game(
        {
            "game.yaml": "title: Small\nlanguages: [en]\nplayers: [{id: red, name: Red}]\n",
            "cards/a.yaml": "deck: a\ntitle: A\nsize: poker\nfront: a.html\nfor_each: player\n"
            "fields: {next: {type: reference, to: a}, look: icon}\ncards: [{id: one}]\n",
            "templates/a.html": "{{ card.id }}",
            "art/icons/coin.svg": "<svg/>",
        }
    )
    game, _ = rule_file.load_game(root)
    assert game is not None
    schema = editor_schemas.build_schemas(game)["cards/a.yaml"]
    assert schema["definitions"]["card-of-a"] == {"enum": ["one", "one-red"]}
    assert schema["definitions"]["icon"] == {"enum": ["coin"]}
