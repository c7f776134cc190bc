"""What a file for translators holds: a row for each text, and what comes back of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cardgen.base.problems import Problem, Source
from cardgen.game.model import Game
from cardgen.game.translation import checks, states
from cardgen.game.translation.register import Register, mark, plain
from cardgen.game.translation.units import Unit


@dataclass(frozen=True)
class Around:
    """What is known of a text besides: on which templates it is shown, what room is left in its
    box, in words, and a picture of its card, PNG, with what it is called."""

    shown: str = ""
    room: str = ""
    picture: bytes = b""
    picture_name: str = ""


NOTHING = Around()


@dataclass(frozen=True)
class Row:
    """A text with its translation, and what helps to translate it. `before` is the source that an
    older translation was made from."""

    unit: Unit
    source: str
    text: str
    state: str
    before: str
    signs: str
    around: Around = NOTHING

    @property
    def place(self) -> str:
        """The text's place in its file, for people: `cards/loot.yaml:12`."""
        return str(self.unit.source)

    @property
    def picture(self) -> str:
        """What its picture is called, "" without one."""
        if not self.around.picture:
            return ""
        return self.around.picture_name or f"{self.unit.deck}-{self.unit.card}.png"

    @property
    def sent(self) -> str:
        """A mark of the translation as it goes out: what came back says what was changed in it."""
        return mark(self.text)


@dataclass(frozen=True)
class Sheet:
    """All that a file says: which game, from which language to which."""

    game: str
    source: str
    language: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Back:
    """A row of a file that came back, with its place in that file. `sent` is the mark of the
    translation that went out, "" where it is not known; `odd` what its cell holds that is no text,
    see `odd_cells`."""

    id: str
    source: str
    text: str
    state: str
    at: Source
    sent: str = ""
    odd: str = ""


@dataclass
class Returned:
    """A file that came back; without a language, it could not be read. `source` is the language
    that it was translated from, "" for the game's first."""

    language: str = ""
    rows: list[Back] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: str = ""


def of(
    game: Game,
    units: Iterable[Unit],
    languages: tuple[str, str],
    register: Register,
    around: Mapping[str, Around],
) -> Sheet:
    """A row for each text that the source language has; `languages` are it and the other, `around`
    what is known of texts by their ids."""
    source, language = languages
    first, found = game.languages[0], []
    for unit in units:
        said = unit.said.get(source, "")
        if not said.strip():
            continue
        text = unit.said.get(language, "")
        made_from = register.made_from(unit.id, text)
        older = made_from is not None and made_from != plain(unit.said.get(first, ""))
        before = made_from or "" if older else ""
        found.append(
            Row(
                unit, plain(said), plain(text), states.of(unit, first, language, register),
                before, " ".join(checks.icons_of(said, tuple(game.icons))),
                around.get(unit.id, NOTHING),
            )
        )  # fmt: skip
    title = game.title.spoken(game.languages[0])
    return Sheet(title, source, language, tuple(found))
