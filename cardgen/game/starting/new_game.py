"""A game begun: a folder that builds at once, from a look's sample or from a spreadsheet."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.base import paths, yamlnodes
from cardgen.base.problems import Problem, Source
from cardgen.game import tables
from cardgen.game.ids import id_of
from cardgen.game.looks.catalogue import FOLDER, Look
from cardgen.game.starting import guessing, yaml_text
from cardgen.game.starting.guessing import Guess
from cardgen.game.starting.rulebooks import of_the_box, rulebook
from cardgen.game.tables import Table

SAMPLE = "sample.yaml"
_MOST_BYTES = 20_000_000


@dataclass(frozen=True)
class Wish:
    """What is asked of a new game. `table` is a spreadsheet's path, or None."""

    name: str
    look: Look
    size: str = ""
    languages: tuple[str, ...] = ()
    table: Path | None = None


@dataclass
class Begun:
    """The files of a game by their paths, and what to tell of how they came about."""

    files: dict[str, bytes] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    deck: str = ""

    def write(self, path: str, *lines: str) -> None:
        """A file of text."""
        self.files[path] = ("\n".join(lines).rstrip("\n") + "\n").encode()


def begun(wish: Wish) -> tuple[Begun, list[Problem]]:
    """The files of the game; nothing with an error."""
    if wish.table is not None:
        return _of_table(wish, wish.table)
    sample = _sample(wish.look)
    made = Begun(deck=sample["deck"])
    languages = wish.languages or ("en",)
    said = _spoken({key: sample.get(key, {}) for key in ("colours", "words")}, languages)
    _game(made, wish, languages, **said)
    keys = {
        "fields": _spoken(sample["fields"], ()),
        "places": _spoken(sample.get("places", {}), languages),
    }
    cards = [_spoken(card, languages) for card in sample["cards"]]
    head = {"deck": made.deck, "title": _spoken(sample["title"], languages)}
    shape = {"shape": sample["shape"]} if "shape" in sample else {}
    _deck(made, wish, {**head, **shape}, keys, cards)
    count = sum(card.get("copies", 1) for card in sample["cards"])
    _rules(made, languages[0], count, _spoken(sample.get("rules", []), languages[:1]))
    for language in languages:
        _book(made, language, wish.name, _spoken(sample.get("book", {}), (language,)))
    _table(made, sample.get("table", {"face": "down"}))
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


def _game(
    made: Begun,
    wish: Wish,
    languages: Sequence[str],
    colours: Mapping[str, str],
    words: Mapping[str, Any],
) -> None:
    said = ["", "# What stands on the cards and belongs to no card."] if words else []
    tints = {**wish.look.tints, **colours}
    made.write(
        "game.yaml",
        "# The game as a whole. A deck is a file in cards/.",
        f"game: {id_of(wish.name, ()) or 'game'}",
        yaml_text.block({"title": _everywhere(wish.name, languages)}),
        f"languages: [{', '.join(languages)}]",
        'edition: "0.1"',
        "",
        "# The look's colours. Change them, and every card changes.",
        "colours:",
        yaml_text.block(tints, 2),
        *said,
        *(["words:", yaml_text.block(words, 2)] if words else []),
    )
    made.write(".gitignore", "build/")


def _everywhere(text: str, languages: Sequence[str]) -> Any:
    return dict.fromkeys(languages, text) if len(languages) > 1 else text


def _deck(
    made: Begun,
    wish: Wish,
    head: Mapping[str, Any],
    keys: Mapping[str, Any],
    cards: Sequence[Mapping[str, Any]] = (),
) -> None:
    look = wish.look
    lines = [
        "# A deck: cards of one size and one look. 'cardgen build' after every edit.",
        yaml_text.block(head),
        yaml_text.block({"size": wish.size or look.size}),
        f"look: {look.name}",
        "",
        "# What a card holds. Each field is a name and a type, so that slips are told.",
        "fields:",
        yaml_text.block(keys["fields"], 2),
    ]
    if keys.get("places"):
        known = ", ".join(look.places)
        lines += [
            "",
            "# Where it stands on the card, PLACE: FIELD.",
            f"# This look has {known}.",
            "places:",
            yaml_text.block(keys["places"], 2),
        ]
    lines += [""]
    for key in ("rows", "columns"):
        if keys.get(key):
            lines += [yaml_text.block({key: keys[key]})]
    if cards:
        if "picture" in look.places:
            name = f"art/{made.deck}/{cards[0]['id']}.png"
            lines += [f"# A picture is a file named after its card, {name}; until then"]
            lines += ["# one is made up."]
        lines += ["cards:", *(yaml_text.entry(card) for card in cards)]
    made.write(f"cards/{made.deck}.yaml", *lines)


def _rules(made: Begun, language: str, count: int, more: Sequence[Mapping[str, Any]]) -> None:
    because, section = of_the_box(language)
    first = {
        "id": "box", "count": made.deck, "is": count, "severity": "warning", "because": because,
        "section": section,
    }  # fmt: skip
    lines = [
        "# What must hold of the box, whatever is edited. 'cardgen check' says when it does not;",
        "# without 'severity: warning', nothing is built then.",
    ]
    made.write(
        "cards/rules.yaml",
        *lines,
        "rules:",
        *(f"  - {yaml_text.block(rule, 4)[4:]}" for rule in [first, *more]),
    )


def _book(made: Begun, language: str, title: str, said: Mapping[str, Any]) -> None:
    made.write(f"rulebook/{language}.md", rulebook(language, title, made.deck, said))


def _table(made: Begun, how: Mapping[str, Any]) -> None:
    made.write(
        "table.yaml",
        "# What lies where on a virtual table: cardgen build tts",
        "middle:",
        f"  - {yaml_text.flow({'deck': made.deck, **how})}",
    )


def _of_table(wish: Wish, table: Path) -> tuple[Begun, list[Problem]]:
    """A game whose cards stand in a spreadsheet, which is copied into it."""
    name = f"{id_of(table.stem, ()) or 'cards'}{table.suffix.lower()}"
    try:
        data = paths.read(table, _MOST_BYTES)
    except paths.Unreadable as error:
        return Begun(), [Problem(Source(table.name), f"the file {error}", "file")]
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        root = Path(scratch)
        (root / "cards").mkdir()
        (root / "cards" / name).write_bytes(data)
        asked = Table(name, "", Source(f"cards/{name}"))
        rows, problems = tables.cells(asked, root)
    if problems or len(rows) < 2:
        message = "it holds no rows: a first one with headings, and one for each card"
        return Begun(), problems or [Problem(Source(table.name), message, "table")]
    guess = guessing.guessed(rows[0], rows[1:], wish.look)
    return _written(wish, guess, name, data, len(rows) - 1), []


def _written(wish: Wish, guess: Guess, table: str, data: bytes, count: int) -> Begun:
    languages = wish.languages or guess.languages or ("en",)
    made = Begun(deck=id_of(Path(table).stem, ()) or "cards", told=guess.told)
    made.files[f"cards/{table}"] = data
    fields = guess.fields
    if len(languages) > 1 and not guess.languages:
        fields = {key: "string" if kind == "text" else kind for key, kind in fields.items()}
    _game(made, wish, languages, {}, {})
    title = _everywhere(Path(table).stem.replace("-", " ").capitalize(), languages)
    keys = {
        "fields": fields, "places": guess.places, "rows": table, "columns": guess.columns,
    }  # fmt: skip
    _deck(made, wish, {"deck": made.deck, "title": title}, keys)
    for language in languages:
        _book(made, language, wish.name, {})
    _table(made, {"face": "down"})
    shown = ", ".join(f"{place} ← {yaml_text.flow(name)}" for place, name in guess.places.items())
    made.told.insert(0, f"{count} rows; {shown or 'no column found a place'}")
    return made
