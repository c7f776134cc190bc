"""Where faults are tried: a game, what clean builds of it make, and how an outcome is judged."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from trials.attack import Content
from trials.games import SHARED, Command, deck, made, written
from trials.running import Outcome

TRACEBACK = "Traceback (most recent call last)"
DECK = deck(5).replace("40 x 40", "poker")
GAME: Mapping[str, Content] = {**SHARED, "cards/loot.yaml": DECK}
GAME_ANEW = {**GAME, "cards/loot.yaml": DECK.replace("Card 1", "Other")}
EVERYTHING = (
    "build", "sheets", "images", "rulebook", "contact", "tts", "playingcards", "folder", "mpc",
    "--dpi", "72",
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """How a fault went: what was wrong, nothing when all is right, and what was told of it."""

    name: str
    wrong: tuple[str, ...]
    told: str


@dataclass(frozen=True)
class Field:
    """A folder for the faults of one kind."""

    folder: Path
    names: tuple[str, ...]
    short: bool

    def __post_init__(self) -> None:
        self.temporary.mkdir(parents=True)

    @property
    def temporary(self) -> Path:
        """For temporary files of the commands."""
        return self.folder / "tmp"

    @property
    def game(self) -> Path:
        """The game that faults befall."""
        return self.folder / "game"

    def wants(self, name: str) -> bool:
        """Whether that fault is asked for."""
        return not self.names or any(name.startswith(asked) for asked in self.names)

    def command(self, *words: str, game: Path | None = None) -> Command:
        """A command on the game."""
        return Command(game or self.game, self.temporary, words or ("build", *EVERYTHING[1:]))

    @cached_property
    def built(self) -> Path:
        """A game with a clean build of everything, to copy from."""
        return self._clean("built", GAME)

    @cached_property
    def built_anew(self) -> Path:
        """The game with one card changed and a clean build of it."""
        return self._clean("anew", GAME_ANEW)

    def _clean(self, name: str, files: Mapping[str, Content]) -> Path:
        # Saves name files by their place, so both are built where faults befall the game.
        written(self.game, files)
        outcome = self.command().run()
        if outcome.code:
            sys.exit(f"a build that nothing is wrong with fails:\n{outcome.err}")
        target = self.folder / name
        shutil.move(self.game, target)
        return target

    def set_up(self, source: Path) -> Path:
        """Put a copy of such a game in its place, times kept."""
        shutil.rmtree(self.game, ignore_errors=True)
        shutil.copytree(source, self.game, symlinks=True)
        return self.game

    def edit(self) -> None:
        """Change the card."""
        path = self.game / "cards/loot.yaml"
        path.write_text(path.read_text().replace("Card 1", "Other"))

    def judged(
        self, name: str, outcome: Outcome, wrong: Iterable[str] = (), codes: Sequence[int] = (0, 1)
    ) -> Finding:
        """An outcome with what else was wrong."""
        found = [*wrong]
        if outcome.stopped:
            found.append(outcome.stopped)
        elif outcome.code not in codes:
            found.append(f"exit {outcome.code}")
        if TRACEBACK in outcome.err + outcome.out:
            found.append("a traceback")
        if outcome.left:
            found.append(f"{outcome.left} processes left")
        said = [line for line in outcome.err.splitlines() if line.strip()] or [""]
        return Finding(name, tuple(found), said[-1] if outcome.code else "")

    def whole(self, *good: Path) -> list[str]:
        """Files that are neither of the last good build nor of the new one."""
        known: dict[str, set[str]] = {}
        for build in good:
            for name, digest in made(build).items():
                known.setdefault(name, set()).add(digest)
        return [
            f"{name} is neither the old nor the new one"
            for name, digest in made(self.game).items()
            if digest not in known.get(name, set()) and name != ".cardgen.json"
        ][:3]

    def differs(self, good: Path, forgotten: Path | None = None) -> list[str]:
        """What is not as in a clean build. Files of `forgotten`, a build whose list of what it made
        was lost, may stay as they were."""
        clean, now = made(good), made(self.game)
        if forgotten:
            now = dict(now.items() - (made(forgotten).items() - clean.items()))
        names = sorted(clean.keys() | now.keys())
        other = [name for name in names if clean.get(name) != now.get(name)]
        return [f"{len(other)} files are not as a clean build makes them: {', '.join(other[:3])}"][
            : len(other)
        ]


def flipped(path: Path) -> None:
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    if data:
        data[len(data) // 2] ^= 4
        path.write_bytes(data)


def digest(path: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
