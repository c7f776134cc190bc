"""The files of a new game, as texts: short, with a remark over whatever one will want to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.game import markup_lint
from cardgen.game.card_ids import make_id
from cardgen.looks.look_catalogue import Look
from cardgen.starting import yaml_writer

_RULEBOOK_WORDS: Mapping[str, Mapping[str, Any]] = {
    "en": {
        "headings": ("What it is about", "Setting up", "A turn", "The end"),
        "about": "Say in two sentences who the players are and what they want.",
        "setup": "Shuffle the {count} cards and put them face down in the middle.\n"
        "Deal each player three.",
        "turn": (
            "Draw a card.",
            "Play a card: pay what it costs and do what it says.",
            "Discard down to five.",
        ),
        "end": "When the last card is drawn, the game is over. Say who has won.",
        "box": "so many fit on the sheets that we print",
    },
    "fi": {
        "headings": ("Mistä on kyse", "Alkuvalmistelut", "Vuoro", "Pelin päättyminen"),
        "about": "Kerro parilla virkkeellä, keitä pelaajat ovat ja mitä he tavoittelevat.",
        "setup": "Sekoita pakka ({count} korttia)\n"
        "ja aseta se kuvapuoli alaspäin keskelle pöytää.\nJaa jokaiselle kolme korttia.",
        "turn": (
            "Nosta kortti.",
            "Pelaa kortti: maksa sen hinta ja tee, mitä siinä sanotaan.",
            "Jos sinulla on yli viisi korttia, poista ylimääräiset.",
        ),
        "end": "Peli päättyy, kun pakan viimeinen kortti nostetaan. Kerro, kuka on voittanut.",
        "box": "näin monta mahtuu arkeille, jotka tulostamme",
    },
    "ru": {
        "headings": ("О чём игра", "Подготовка", "Ход", "Конец игры"),
        "about": "Скажите в двух предложениях, кто такие игроки и чего они хотят.",
        "setup": "Перемешайте колоду (карт в ней: {count})\n"
        "и положите её лицом вниз в центр стола.\nРаздайте каждому по три карты.",
        "turn": (
            "Возьмите карту.",
            "Сыграйте карту: заплатите её цену и сделайте то, что на ней сказано.",
            "Если у вас больше пяти карт, сбросьте лишние.",
        ),
        "end": "Игра кончается, когда взята последняя карта колоды. Скажите, кто победил.",
        "box": "столько помещается на листы, которые мы печатаем",
    },
}
_SECTION_ANCHORS = ("about", "setup", "turn", "end")


def format_rulebook(language: str, title: str, deck: str, said: Mapping[str, Any]) -> str:
    """The rulebook of a new game, in Markdown. `said` is what goes before the usual words."""
    words = {**_get_rulebook_words(language), **said}
    turn = "\n".join(f"{number}. {step}" for number, step in enumerate(words["turn"], 1))
    texts = (words["about"], words["setup"], turn, words["end"])
    parts = [f"# {title}\n"]
    for heading, anchor, text in zip(words["headings"], _SECTION_ANCHORS, texts, strict=True):
        parts.append(f"## {heading} {{#{anchor}}}\n\n{text}\n")
    return "\n".join(parts).replace("{count}", f'{{{{ count("{deck}") }}}}')


def get_box_rule(language: str) -> tuple[str, str]:
    """Why the box holds so many cards, and the section of the rulebook that says so."""
    words = _get_rulebook_words(language)
    return str(words["box"]), str(words["headings"][1])


def _get_rulebook_words(language: str) -> Mapping[str, Any]:
    return _RULEBOOK_WORDS.get(language.partition("-")[0], _RULEBOOK_WORDS["en"])


_MAX_TITLE_CHARS, _MAX_WORD_CHARS = 60, 22


@dataclass(frozen=True)
class NewGameRequest:
    """What is asked of a new game. `table` is a spreadsheet's path, or None; `sheet` one of it."""

    name: str
    look: Look
    size: str = ""
    languages: tuple[str, ...] = ()
    table: Path | None = None
    sheet: str = ""


@dataclass
class NewGame:
    """The files of a game by their paths, its deck and languages, and what to tell of how they came
    about."""

    files: dict[str, bytes] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    deck: str = ""
    languages: tuple[str, ...] = ()

    def add_text(self, path: str, *lines: str) -> None:
        """A file of text."""
        self.files[path] = ("\n".join(lines).rstrip("\n") + "\n").encode()


def add_game_file(
    made: NewGame,
    wish: NewGameRequest,
    colours: Mapping[str, str],
    words: Mapping[str, Any] | None = None,
) -> None:
    """game.yaml, with colours beside those of the look, and words that templates print."""
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
        yaml_writer.format_block({"languages": list(made.languages)}),
        'edition: "0.1"',
        "",
        "# The look's colours. Change them, and every card changes.",
        "colours:",
        yaml_writer.format_block({**wish.look.colours, **colours}, 2),
        *(lines if said else ()),
    )
    made.add_text(".gitignore", "build/")


def derive_title(words: str, otherwise: str) -> str:
    """What a game or deck is called whose folder or file is: Harbour at night for harbour-at-night.
    `otherwise` where that could not be printed everywhere."""
    spoken = " ".join(words.replace("-", " ").replace("_", " ").split())
    short = len(spoken) <= _MAX_TITLE_CHARS
    short = short and all(len(word) <= _MAX_WORD_CHARS for word in spoken.split())
    spelt = bool(make_id(spoken, ())) and spoken.isprintable()
    if not (short and spelt) or markup_lint.check_text(spoken, ()):
        return otherwise
    return spoken[:1].upper() + spoken[1:]


def repeat_text(text: str, languages: Sequence[str]) -> Any:
    """The same words in each language, as a text is written."""
    return dict.fromkeys(languages, text) if len(languages) > 1 else text


def add_deck_file(
    made: NewGame,
    wish: NewGameRequest,
    title: Any,
    keys: Mapping[str, Mapping[str, Any]],
    cards: Sequence[str],
) -> None:
    """The deck's file. `keys` are its fields and places; `cards` the lines that say what cards
    there are."""
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
            "# What a card holds. Each field is a name and a type, so that slips are told.",
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
    """The composition rules."""
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
    """A rulebook in each language, and where the deck lies on a virtual table. `books` is what a
    book says by language, the usual without; `how` the deck lies, face down without."""
    for language in made.languages:
        said = (books or {}).get(language, {})
        made.add_text(
            f"rulebook/{language}.md", format_rulebook(language, wish.name, made.deck, said)
        )
    made.add_text(
        "table.yaml",
        "# What lies where on a virtual table: cardgen build tts",
        "middle:",
        f"  - {yaml_writer.format_flow({'deck': made.deck, **(how or {'face': 'down'})})}",
    )
