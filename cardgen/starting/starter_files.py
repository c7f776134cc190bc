"""Files of a new game, as texts: short, with a comment over whatever one will want to change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.core.problems import Problem
from cardgen.game import markup_lint
from cardgen.game.card_ids import make_id
from cardgen.game.heading_words import load_data_file
from cardgen.looks.look_catalogue import Look
from cardgen.starting import yaml_writer

_SECTION_ANCHORS = ("about", "setup", "turn", "end")


def format_rulebook(
    language: str, title: str, decks: Sequence[str], said: Mapping[str, Any]
) -> str:
    """Return the rulebook of a new game with these decks, in Markdown.

    `said` is the sample's own text: `setup`, `turn` (a list) and `end`.
    """
    words = {**_get_rulebook_words(language), **said}
    turn = "\n".join(f"{number}. {step}" for number, step in enumerate(words["turn"], 1))
    texts = (words["about"], words["setup"], turn, words["end"])
    parts = [f"# {title}\n"]
    for heading, anchor, text in zip(words["headings"], _SECTION_ANCHORS, texts, strict=True):
        parts.append(f"## {heading} {{#{anchor}}}\n\n{text}\n")
    count = " + ".join(f'count("{deck}")' for deck in decks)
    return "\n".join(parts).replace("{count}", f"{{{{ {count} }}}}")


def get_box_rule(language: str) -> tuple[str, str]:
    """Return why the box holds so many cards, and the section of the rulebook that says so."""
    words = _get_rulebook_words(language)
    return str(words["box"]), str(words["headings"][1])


def _get_rulebook_words(language: str) -> Mapping[str, Any]:
    words = load_data_file(Path(__file__).parent / "rulebook.yaml")
    found: Mapping[str, Any] = words.get(language.partition("-")[0], words["en"])
    return found


_MAX_TITLE_CHARS, _MAX_WORD_CHARS = 60, 22


@dataclass(frozen=True)
class NewGameRequest:
    """What a new game is to be, or a deck that is added to one.

    `table` is the path of a spreadsheet, `sheets` are some of its sheets. `deck` is the id of the
    deck, "" for one after the table. `taken_files` are the files in cards/ of the game that is
    there, tables with their bytes; `taken_colours` are its colours by their names, and
    `known_sheets` the files and sheets of tables that its decks name.
    """

    name: str
    look: Look
    size: str = ""
    languages: tuple[str, ...] = ()
    table: Path | None = None
    sheets: tuple[str, ...] = ()
    deck: str = ""
    taken_files: Mapping[str, bytes] = field(default_factory=dict)
    taken_colours: Mapping[str, str] = field(default_factory=dict)
    known_sheets: Collection[tuple[str, str]] = ()


@dataclass
class NewGame:
    """Files of a game by their paths, its first deck and its languages, and messages about guesses.

    `colours`, `words` and `rules` are those of its decks, as they stand in its files.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    deck: str = ""
    languages: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    """What is wrong with the cells of the table."""
    has_fallback: bool = False
    has_guessed_language: bool = False
    decks: list[str] = field(default_factory=list)
    pictures: dict[str, Path] = field(default_factory=dict)
    """Pictures to copy, by their paths in the game."""
    colours: dict[str, str] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    rules: list[Mapping[str, Any]] = field(default_factory=list)

    def add_text(self, path: str, *lines: str) -> None:
        """Add a file of text."""
        self.files[path] = ("\n".join(lines).rstrip("\n") + "\n").encode()


def add_game_file(
    made: NewGame,
    wish: NewGameRequest,
    colours: Mapping[str, str],
    words: Mapping[str, Any] | None = None,
) -> None:
    """Add game.yaml, with colours beside those of the look, and words that templates print."""
    said = {
        name: repeat_text(word, made.languages) if isinstance(word, str) else word
        for name, word in (words or {}).items()
    }
    lines = [
        "",
        "# What fields are called on the cards.",
        yaml_writer.format_block({"words": said}),
    ]
    made.add_text(
        "game.yaml",
        "# The game as a whole. A deck is a file in cards/.",
        f"game: {make_id(wish.name, ()) or 'game'}",
        yaml_writer.format_block({"title": repeat_text(wish.name, made.languages)}),
        *(
            [
                "# Guessed from the table's headings and texts. If it is another, write that and",
                "# rename its file in rulebook/.",
            ]
            if made.has_guessed_language
            else ()
        ),
        yaml_writer.format_block({"languages": list(made.languages)}),
        *(
            ["# What is not translated yet is printed in the first language.", "fallback: true"]
            if made.has_fallback
            else ()
        ),
        'edition: "0.1"',
        "",
        "# The look's colours. Change them, and every card changes.",
        "colours:",
        yaml_writer.format_block({**wish.look.colours, **colours}, 2),
        *(lines if said else ()),
    )
    made.add_text(".gitignore", "build/")


def derive_title(words: str, otherwise: str) -> str:
    """Return a title made from the name of a folder or file: Harbour at night for harbour-at-night.

    Return `otherwise` where the title could not be printed everywhere.
    """
    spoken = " ".join(words.replace("-", " ").replace("_", " ").split())
    short = len(spoken) <= _MAX_TITLE_CHARS
    short = short and all(len(word) <= _MAX_WORD_CHARS for word in spoken.split())
    spelt = bool(make_id(spoken, ())) and spoken.isprintable()
    if not (short and spelt) or markup_lint.check_text(spoken, ()):
        return otherwise
    return spoken[:1].upper() + spoken[1:]


def repeat_text(text: str, languages: Sequence[str]) -> Any:
    """Return a text with the same words in each language."""
    return dict.fromkeys(languages, text) if len(languages) > 1 else text


def add_deck_file(
    made: NewGame,
    wish: NewGameRequest,
    title: Any,
    keys: Mapping[str, Mapping[str, Any]],
    cards: Sequence[str],
) -> None:
    """Add the deck's file. `keys` are its fields and places, `cards` the lines about cards."""
    fields, places = keys["fields"], keys["places"]
    lines = [
        "# A deck: cards of one size and one look. 'cardgen build' after every edit.",
        yaml_writer.format_block(
            {"deck": made.deck, "title": title, "size": wish.size or wish.look.size}
        ),
        f"look: {wish.look.name}",
        *([yaml_writer.format_block(keys["shape"])] if keys.get("shape") else ()),
        "",
    ]
    if fields:
        lines += [
            "# What a card holds. Each field is a name and a type, so that mistakes are found.",
            "fields:",
            yaml_writer.format_block(fields, 2),
            "",
        ]
    lines += [
        "# Where it stands on the card, PLACE: FIELD.",
        f"# This look has {', '.join(wish.look.slots)}.",
        "places:" if places else "places: {}",
        *([yaml_writer.format_block(places, 2)] if places else ()),
        "",
        *cards,
    ]
    made.add_text(f"cards/{made.deck}.yaml", *lines)


def add_rules_file(made: NewGame, every: Sequence[Mapping[str, Any]]) -> None:
    """Add the composition rules."""
    made.add_text(
        "cards/rules.yaml",
        "# What must hold of the box, whatever is edited. 'cardgen check' says when it does not;",
        "# without 'severity: warning', nothing is built then.",
        "rules:",
        *(yaml_writer.format_entry(rule) for rule in every),
    )


def add_book_and_table(
    made: NewGame,
    wish: NewGameRequest,
    books: Mapping[str, Mapping[str, Any]] | None = None,
    how: Mapping[str, Any] | None = None,
) -> None:
    """Add a rulebook in each language, and table.yaml with the deck on a virtual table.

    `books` are a sample's own texts by language, `how` is how its deck lies: face down by default.
    """
    for language in made.languages:
        said = (books or {}).get(language, {})
        made.add_text(
            f"rulebook/{language}.md",
            format_rulebook(language, wish.name, made.decks or [made.deck], said),
        )
    made.add_text(
        "table.yaml",
        "# What lies where on a virtual table: cardgen build tts",
        "middle:",
        *(yaml_writer.format_entry(entry) for entry in list_placements(made, how)),
    )


def list_placements(made: NewGame, how: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return where the decks lie on a virtual table."""
    return [{"deck": deck, **(how or {"face": "down"})} for deck in made.decks]


def write_files(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a folder that nobody else uses."""
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
