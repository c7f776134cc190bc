"""Games that nothing is wrong with, for kills and faults: a small one and one with helpers."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trials.attack import DECK, SMALL, Content
from trials.running import Outcome, watched

CARDGEN = str(Path(sys.executable).parent / "cardgen")
HOUSE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<path fill="#b8392a" d="M4 20 20 4 36 20V36H4z"/></svg>
"""
COIN = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<circle cx="12" cy="12" r="9"/></svg>
"""
FRONT = """<div class="box" data-fit="6-9">{{ card.name }} {{ card.text }}</div>
<img style="position: absolute; left: 20mm; top: 20mm; width: 9mm; height: 9mm" src="art/house.svg">
"""
BOOK = "# Small\n\n## Setting up {#up}\n\nTake {{ count('loot') }} cards, see [](#up).\n"
SHARED: Mapping[str, Content] = {
    **SMALL,
    "templates/loot.html": FRONT,
    "templates/back.html": '<div class="bleed" style="background: #b8392a"></div>\n',
    "art/house.svg": HOUSE,
    "art/icons/coin.svg": COIN,
    "rulebook/en.md": BOOK,
}


def deck(number: int, word: str = "Take") -> str:
    """A deck of that many cards, each different."""
    head = DECK.replace("front: loot.html", "front: loot.html\nback: back.html")
    rows = (
        f"  - {{id: card-{n}, name: Card {n}, text: '{word} {{coin}} {n}.'}}\n"
        for n in range(number)
    )
    return head + "".join(rows)


SMALL_GAME: Mapping[str, Content] = {**SHARED, "cards/loot.yaml": deck(3)}
MEDIUM_GAME: Mapping[str, Content] = {
    **SHARED,
    "cards/loot.yaml": deck(40),
    "cards/more.yaml": deck(30, "Give").replace("deck: loot", "deck: more"),
}


def written(folder: Path, files: Mapping[str, Content]) -> Path:
    """A game in a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        data = content() if callable(content) else content
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


@dataclass(frozen=True)
class Command:
    """cardgen on a game, with a folder for temporary files of its own."""

    game: Path
    temporary: Path
    words: tuple[str, ...] = ("build", "sheets", "images", "rulebook", "--dpi", "72")

    @property
    def line(self) -> list[str]:
        """What is run."""
        return [CARDGEN, self.words[0], str(self.game), *self.words[1:]]

    @property
    def environment(self) -> dict[str, str]:
        """What it is run in."""
        return {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.temporary)}

    def run(self, more: Sequence[str] = (), seconds: float = 120) -> Outcome:
        """Run it to its end."""
        self.temporary.mkdir(exist_ok=True)
        return watched([*self.line, *more], self.temporary, self.environment, seconds=seconds)


def made(game: Path) -> dict[str, str]:
    """What a build left, by name: the hash of every file, the store left out."""
    build = game / "build"
    return {
        path.relative_to(build).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(build.rglob("*"))
        if path.is_file() and ".store" not in path.relative_to(build).parts
    }


def leftovers(game: Path) -> list[str]:
    """What a build leaves that nobody asked for: folders of work, files half written."""
    build = game / "build"
    return [
        path.relative_to(build).as_posix()
        for path in build.rglob(".*")
        if path.name not in (".store", ".cardgen.json")
    ]
