"""The files of a new game, as texts: short, with a remark over whatever one will want to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.game import slips
from cardgen.game.ids import id_of
from cardgen.game.looks.catalogue import Look
from cardgen.game.starting import yaml_text
from cardgen.game.starting.rulebooks import rulebook

_LONGEST_TITLE, _LONGEST_WORD = 60, 22


@dataclass(frozen=True)
class Wish:
    """What is asked of a new game. `table` is a spreadsheet's path, or None; `sheet` one of it."""

    name: str
    look: Look
    size: str = ""
    languages: tuple[str, ...] = ()
    table: Path | None = None
    sheet: str = ""


@dataclass
class Begun:
    """The files of a game by their paths, its deck and languages, and what to tell of how they came
    about."""

    files: dict[str, bytes] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    deck: str = ""
    languages: tuple[str, ...] = ()

    def write(self, path: str, *lines: str) -> None:
        """A file of text."""
        self.files[path] = ("\n".join(lines).rstrip("\n") + "\n").encode()


def game(
    made: Begun, wish: Wish, colours: Mapping[str, str], words: Mapping[str, Any] | None = None
) -> None:
    """game.yaml, with colours beside those of the look, and words that templates print."""
    said = {
        name: everywhere(word, made.languages) if isinstance(word, str) else word
        for name, word in (words or {}).items()
    }
    lines = ["", "# What fields are called on the cards.", yaml_text.block({"words": said})]
    made.write(
        "game.yaml",
        "# The game as a whole. A deck is a file in cards/.",
        f"game: {id_of(wish.name, ()) or 'game'}",
        yaml_text.block({"title": everywhere(wish.name, made.languages)}),
        yaml_text.block({"languages": list(made.languages)}),
        'edition: "0.1"',
        "",
        "# The look's colours. Change them, and every card changes.",
        "colours:",
        yaml_text.block({**wish.look.tints, **colours}, 2),
        *(lines if said else ()),
    )
    made.write(".gitignore", "build/")


def title_of(words: str, otherwise: str) -> str:
    """What a game or deck is called whose folder or file is: Harbour at night for harbour-at-night.
    `otherwise` where that could not be printed everywhere."""
    spoken = " ".join(words.replace("-", " ").replace("_", " ").split())
    short = len(spoken) <= _LONGEST_TITLE
    short = short and all(len(word) <= _LONGEST_WORD for word in spoken.split())
    spelt = bool(id_of(spoken, ())) and spoken.isprintable()
    if not (short and spelt) or slips.in_text(spoken, ()):
        return otherwise
    return spoken[:1].upper() + spoken[1:]


def everywhere(text: str, languages: Sequence[str]) -> Any:
    """The same words in each language, as a text is written."""
    return dict.fromkeys(languages, text) if len(languages) > 1 else text


def deck(
    made: Begun,
    wish: Wish,
    title: Any,
    keys: Mapping[str, Mapping[str, Any]],
    cards: Sequence[str],
) -> None:
    """The deck's file. `keys` are its fields and places; `cards` the lines that say what cards
    there are."""
    fields, places = keys["fields"], keys["places"]
    lines = [
        "# A deck: cards of one size and one look. 'cardgen build' after every edit.",
        yaml_text.block({"deck": made.deck, "title": title, "size": wish.size or wish.look.size}),
        f"look: {wish.look.name}",
        *([yaml_text.block(keys["shape"])] if keys.get("shape") else ()),
        "",
    ]
    if fields:
        lines += [
            "# What a card holds. Each field is a name and a type, so that slips are told.",
            "fields:",
            yaml_text.block(fields, 2),
            "",
        ]
    lines += [
        "# Where it stands on the card, PLACE: FIELD.",
        f"# This look has {', '.join(wish.look.places)}.",
        "places:" if places else "places: {}",
        *([yaml_text.block(places, 2)] if places else ()),
        "",
        *cards,
    ]
    made.write(f"cards/{made.deck}.yaml", *lines)


def rules(made: Begun, every: Sequence[Mapping[str, Any]]) -> None:
    """The composition rules."""
    made.write(
        "cards/rules.yaml",
        "# What must hold of the box, whatever is edited. 'cardgen check' says when it does not;",
        "# without 'severity: warning', nothing is built then.",
        "rules:",
        *(yaml_text.entry(rule) for rule in every),
    )


def book_and_table(
    made: Begun,
    wish: Wish,
    books: Mapping[str, Mapping[str, Any]] | None = None,
    how: Mapping[str, Any] | None = None,
) -> None:
    """A rulebook in each language, and where the deck lies on a virtual table. `books` is what a
    book says by language, the usual without; `how` the deck lies, face down without."""
    for language in made.languages:
        said = (books or {}).get(language, {})
        made.write(f"rulebook/{language}.md", rulebook(language, wish.name, made.deck, said))
    made.write(
        "table.yaml",
        "# What lies where on a virtual table: cardgen build tts",
        "middle:",
        f"  - {yaml_text.flow({'deck': made.deck, **(how or {'face': 'down'})})}",
    )
