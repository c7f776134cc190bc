"""A game begun: a folder that builds at once, from a look's sample or from a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.base import yamlnodes
from cardgen.base.problems import Problem
from cardgen.game.looks.catalogue import FOLDER, Look
from cardgen.game.starting import from_table, game_files, yaml_text
from cardgen.game.starting.game_files import Begun, Wish
from cardgen.game.starting.rulebooks import of_the_box

SAMPLE = "sample.yaml"


def begun(wish: Wish) -> tuple[Begun, list[Problem]]:
    """The files of the game; nothing with an error."""
    if wish.table is not None:
        return from_table.begun(wish, wish.table)
    sample = _sample(wish.look)
    made = Begun(deck=sample["deck"], languages=wish.languages or ("en",))
    said = _spoken({key: sample.get(key, {}) for key in ("colours", "words")}, made.languages)
    game_files.game(made, wish, said["colours"], said["words"])
    keys = {
        "fields": _spoken(sample["fields"], ()),
        "places": _spoken(sample.get("places", {}), made.languages),
        "shape": {key: sample[key] for key in ("shape",) if key in sample},
    }
    cards = [_spoken(card, made.languages) for card in sample["cards"]]
    lines = ["cards:", *map(yaml_text.entry, cards)]
    if "picture" in wish.look.places:
        picture = f"art/{made.deck}/{cards[0]['id']}.png"
        lines.insert(0, f"# A picture is a file named after its card, {picture};")
        lines.insert(1, "# until then one is made up.")
    game_files.deck(made, wish, _spoken(sample["title"], made.languages), keys, lines)
    because, section = of_the_box(made.languages[0])
    first = {
        "id": "box",
        "count": made.deck,
        "is": sum(card.get("copies", 1) for card in sample["cards"]),
        "severity": "warning",
        "because": because,
        "section": section,
    }
    more = _spoken(sample.get("rules", []), made.languages[:1])
    game_files.rules(made, [first, *({**rule, "severity": "warning"} for rule in more)])
    books = {one: _spoken(sample.get("book", {}), (one,)) for one in made.languages}
    game_files.book_and_table(made, wish, books, sample.get("table"))
    return made, []


def _sample(look: Look) -> dict[str, Any]:
    node, _ = yamlnodes.load((FOLDER / look.name / SAMPLE).read_text(encoding="utf-8"), SAMPLE)
    assert node is not None
    found: dict[str, Any] = node.plain()
    return found


def _spoken(value: Any, languages: Sequence[str]) -> Any:
    """A value with its texts in those languages, English where there is none: as it is written in a
    game of them. A mapping that has English is a text."""
    if isinstance(value, Mapping) and "en" in value and languages:
        said = {
            language: value.get(language, value.get(language.partition("-")[0], value["en"]))
            for language in languages
        }
        return said if len(said) > 1 else next(iter(said.values()))
    if isinstance(value, Mapping):
        return {key: _spoken(child, languages) for key, child in value.items()}
    if isinstance(value, list):
        return [_spoken(child, languages) for child in value]
    return value
