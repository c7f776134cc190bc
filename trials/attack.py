"""What an attack is: a small game folder with something hostile in it, and what must be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
FONT = ROOT / "fonts/node_modules/@fontsource/roboto-condensed/files"
SECRET = "CANARY-4d1f9c"
"""What files elsewhere and the environment hold, and nothing may ever print, send or keep."""

Content = str | bytes | Callable[[], str | bytes]


@dataclass(frozen=True)
class Place:
    """Where an attack is carried out: the game, a folder beside it, what listens on this machine.

    In texts of attacks `@ELSEWHERE@`, `@ENEMY@` (host:port) and `@GAME@` stand for these.
    """

    game: Path
    elsewhere: Path
    enemy: str

    def filled(self, text: str) -> str:
        """The text with the places in it."""
        known = {"ELSEWHERE": self.elsewhere, "ENEMY": self.enemy, "GAME": self.game}
        for name, value in known.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def write(self, name: str, content: Content) -> None:
        """Put a file into the game."""
        data = content() if callable(content) else content
        path = self.game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else self.filled(data).encode())

    def link(self, name: str, target: str | Path) -> None:
        """Put a link into the game, in place of what was there."""
        path = self.game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target)


@dataclass(frozen=True)
class Attack:
    """One hostile game. `files` are laid over the small game, `made` does what files cannot.

    `expected` are regular expressions: each must match a line that is printed, from its first
    sign to its last. `codes` are the exit codes that are right. `inside` is the folder of the
    game that the command is given in, without naming the game. `seconds` of the processor are the
    most that it may take.
    """

    name: str
    files: Mapping[str, Content] = field(default_factory=dict)
    expected: tuple[str, ...] = ()
    codes: tuple[int, ...] = (1,)
    made: Callable[[Place], None] | None = None
    command: tuple[str, ...] = ("check",)
    inside: str | None = None
    seconds: float = 15.0

    def written(self, place: Place) -> None:
        """Write the game into its folder."""
        for name, content in {**SMALL, **self.files}.items():
            place.write(name, content)
        if self.made:
            self.made(place)


HARMLESS = (0,)
EITHER = (0, 1)

DECK = """deck: loot
title: Loot
size: 40 x 40
front: loot.html
styles: [loot.css]
fields: {name: text, text: {type: text, printed: false}}
cards:
"""
BOX = '<div class="box">{{ card.name }}</div>\n'
PLACED = ".box { position: absolute; left: 4mm; top: 4mm; width: 32mm; height: 32mm }\n"


def font_file(weight: int = 400) -> bytes:
    """A font of the right sort."""
    return (FONT / f"roboto-condensed-latin-{weight}-normal.woff2").read_bytes()


SMALL: Mapping[str, Content] = {
    "game.yaml": "game: small\ntitle: Small\nlanguages: [en]\n",
    "cards/loot.yaml": DECK + "  - {id: school, name: School, text: Take two.}\n",
    "templates/loot.html": BOX,
    "templates/loot.css": PLACED,
    "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\n",
    "fonts/roboto-condensed-400-normal.woff2": font_file,
}
"""A game of one card that nothing is wrong with."""


def cards(number: int) -> str:
    """A deck of that many different cards: enough of them are set by helpers."""
    rows = (f"  - {{id: card-{n}, name: Card {n}, text: Take {n}.}}\n" for n in range(number))
    return DECK + "".join(rows)


def nested(opening: str, closing: str, depth: int, inner: str = "") -> str:
    """Something within itself, so often."""
    return opening * depth + inner + closing * depth


def styled(
    name: str,
    css: str,
    html: str = BOX,
    expected: Iterable[str] = (),
    codes: tuple[int, ...] = EITHER,
) -> Attack:
    """An attack by a stylesheet, or by a template's HTML."""
    files: dict[str, Content] = {"templates/loot.css": PLACED + css, "templates/loot.html": html}
    return Attack(f"css/{name}", files, tuple(expected), codes)
