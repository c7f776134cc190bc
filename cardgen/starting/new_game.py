"""New games from the sample of a look, from a spreadsheet or from a folder of finished pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem
from cardgen.looks.look_catalogue import LOOKS_FOLDER, Look
from cardgen.starting import starter_files, yaml_writer
from cardgen.starting.picture_game import create_from_pictures
from cardgen.starting.starter_files import NewGame, NewGameRequest, get_box_rule
from cardgen.starting.table_game import create_from_table

SAMPLE_FILE = "sample.yaml"


def create_game(wish: NewGameRequest) -> tuple[NewGame, list[Problem]]:
    """Return the files of the game, or none and the errors."""
    if wish.table is not None and wish.table.is_dir():
        return create_from_pictures(wish, wish.table)
    if wish.table is not None:
        return create_from_table(wish, wish.table)
    sample = _load_sample(wish.look)
    made = NewGame(deck=wish.deck or sample["deck"], languages=wish.languages or ("en",))
    made.decks = [made.deck]
    said = _select_languages(
        {key: sample.get(key, {}) for key in ("colours", "words")}, made.languages
    )
    made.colours, made.words = said["colours"], said["words"]
    starter_files.add_game_file(made, wish, made.colours, made.words)
    keys = {
        "fields": _select_languages(sample["fields"], ()),
        "places": _select_languages(sample.get("places", {}), made.languages),
        "shape": {key: sample[key] for key in ("shape",) if key in sample},
    }
    cards = [_select_languages(card, made.languages) for card in sample["cards"]]
    lines = ["cards:", *map(yaml_writer.format_entry, cards)]
    if "picture" in wish.look.slots:
        picture = f"art/{made.deck}/{cards[0]['id']}.png"
        lines.insert(0, f"# A picture is a file named after its card, {picture};")
        lines.insert(1, "# until then one is made up.")
    title = _select_languages(sample["title"], made.languages)
    if wish.deck:
        named = starter_files.derive_title(wish.deck, wish.deck)
        title = starter_files.repeat_text(named, made.languages)
    starter_files.add_deck_file(made, wish, title, keys, lines)
    because, section = get_box_rule(made.languages[0])
    first = {
        "id": "box",
        "count": made.deck,
        "is": sum(card.get("copies", 1) for card in sample["cards"]),
        "severity": "warning",
        "because": because,
        "section": section,
    }
    more = _select_languages(sample.get("rules", []), made.languages[:1])
    made.rules = [first, *({**rule, "severity": "warning"} for rule in more)]
    starter_files.add_rules_file(made, made.rules)
    books = {one: _select_languages(sample.get("book", {}), (one,)) for one in made.languages}
    starter_files.add_book_and_table(made, wish, books, sample.get("table"))
    return made, []


def _load_sample(look: Look) -> dict[str, Any]:
    node, _ = yaml_nodes.load(
        (LOOKS_FOLDER / look.name / SAMPLE_FILE).read_text(encoding="utf-8"), SAMPLE_FILE
    )
    assert node is not None
    found: dict[str, Any] = node.to_plain()
    return found


def _select_languages(value: Any, languages: Sequence[str]) -> Any:
    """Return a value with its texts in these languages alone, English where there is none.

    A mapping that has English is a text.
    """
    if isinstance(value, Mapping) and "en" in value and languages:
        said = {
            language: value.get(language, value.get(language.partition("-")[0], value["en"]))
            for language in languages
        }
        return said if len(said) > 1 else next(iter(said.values()))
    if isinstance(value, Mapping):
        return {key: _select_languages(child, languages) for key, child in value.items()}
    if isinstance(value, list):
        return [_select_languages(child, languages) for child in value]
    return value
