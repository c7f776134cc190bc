"""What an attack is: a small game folder with something hostile in it, and what must be told."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
FONT = ROOT / "fonts/node_modules/@fontsource/roboto-condensed/files"
CARDGEN = str(Path(sys.executable).parent / "cardgen")
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
    """One hostile game. `files` are laid over the small game.

    `expected` are regular expressions: each must match a line that is printed, from its first
    sign to its last. `codes` are the exit codes that are right. `inside` is the folder of the
    game that the command is given in, without naming the game. `seconds` of the processor are the
    most that it may take; `shell` is the script that runs it, as "$@". What files cannot do is done
    afterwards: `encode` some in an encoding, run the command `first`, put `links`, a `pipe` or a
    `socket` in place of files, add a file whose name is no UTF-8 (`misnamed`: folder, end of its
    name, text), make a `folder`, and make the game a repository with settings of `git`.
    """

    name: str
    files: Mapping[str, Content] = field(default_factory=dict)
    expected: tuple[str, ...] = ()
    codes: tuple[int, ...] = (0, 1)
    command: tuple[str, ...] = ("check",)
    inside: str | None = None
    seconds: float = 15.0
    encode: Mapping[str, str] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    pipe: str = ""
    socket: str = ""
    misnamed: tuple[str, str, str] | None = None
    folder: str = ""
    git: str = ""
    shell: str = 'exec "$@"'

    def written(self, place: Place, environment: Mapping[str, str]) -> None:
        """Write the game into its folder."""
        for name, content in {**SMALL, **self.files}.items():
            place.write(name, content)
        for name, encoding in self.encode.items():
            path = place.game / name
            path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
        if self.first:
            command = [CARDGEN, self.first[0], str(place.game), *self.first[1:]]
            subprocess.run(command, capture_output=True, check=False, env=environment)
        for link, target in self.links.items():
            _remove(place.game / link)
            place.link(link, place.filled(target))
        if self.pipe or self.socket:
            _make_special(place.game / (self.pipe or self.socket), pipe=bool(self.pipe))
        if self.misnamed:
            folder, end, text = self.misnamed
            home = os.fsencode(place.game / folder)
            os.makedirs(home, exist_ok=True)  # noqa: PTH103
            with open(os.path.join(home, b"\xff\xfe" + end.encode()), "w") as file:  # noqa: PTH118, PTH123
                file.write(text)
        if self.folder:
            (place.game / self.folder).mkdir(parents=True)
        if self.git:
            _make_repository(place, self.git)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _make_special(path: Path, *, pipe: bool) -> None:
    """A pipe or a socket in place of a file: whoever opens it waits for ever."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove(path)
    os.mknod(path, 0o600 | (stat.S_IFIFO if pipe else stat.S_IFSOCK))


def _make_repository(place: Place, settings: str) -> None:
    """The game in a git repository of a stranger, whose settings and hooks run programs."""
    identity = ("user.name=a", "user.email=a@example.org", "commit.gpgsign=false")
    git = ["git", *(word for each in identity for word in ("-c", each))]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=place.game, check=True, capture_output=True)
    with (place.game / ".git/config").open("a") as file:
        file.write(place.filled(settings))
    for hook in ("post-checkout", "fsmonitor-watchman", "pre-commit", "post-index-change"):
        path = place.game / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {place.elsewhere}/code-ran\n")
        path.chmod(0o755)
    place.write("cards/loot.yaml", DECK + "  - {id: school, name: Academy}\n")


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
