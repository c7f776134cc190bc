"""Where kills and faults are tried: a game, what clean builds of it make, and how to judge."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from trials import enemy
from trials.attack import CARDGEN, DECK, SMALL, Content
from trials.running import Outcome, Trial, watched

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
EDITED = "cards/loot.yaml"
BEFORE, AFTER = "name: Card 1,", "name: Other,"


def deck(number: int, word: str = "Take") -> str:
    """A deck of that many cards, each different."""
    rows = (
        f"  - {{id: card-{n}, name: Card {n}, text: '{word} {{coin}} {n}.'}}\n"
        for n in range(number)
    )
    return DECK.replace("front: loot.html", "front: loot.html\nback: back.html") + "".join(rows)


def made(game: Path) -> dict[str, str]:
    """What a build left, by name: the hash of every file, the store left out."""
    build = game / "build"
    found = enemy.state(build, (".store",)).items() if build.is_dir() else ()
    return {name: each for name, each in found if each != "folder"}


@dataclass(frozen=True)
class Field:
    """A folder with a game that befalls what is tried, and a command that is run on it."""

    folder: Path
    files: Mapping[str, Content]
    words: tuple[str, ...]
    seconds: dict[str, float] = field(default_factory=dict)
    """How long clean builds took: "cold", and "edited" when one card is changed back."""

    @cached_property
    def temporary(self) -> Path:
        """For temporary files of the commands."""
        path = self.folder / "tmp"
        path.mkdir(parents=True, exist_ok=True)
        return path

    @property
    def game(self) -> Path:
        return self.folder / "game"

    @property
    def environment(self) -> dict[str, str]:
        """What commands are run in."""
        return {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.temporary)}

    def line(self, *words: str) -> list[str]:
        """A command on the game: the build, without words of another."""
        first, *rest = words or self.words
        return [CARDGEN, first, str(self.game), *rest]

    def run(self, *words: str, before: Sequence[str] = ()) -> Outcome:
        """Run a command to its end, below another one."""
        line = [*before, *self.line(*words)]
        return watched(line, self.temporary, self.environment, seconds=120)

    def _build(self) -> Outcome:
        """A build that nothing is wrong with, or the trial itself is broken."""
        outcome = self.run()
        if outcome.code:
            sys.exit(f"a build that nothing is wrong with fails:\n{outcome.err}")
        return outcome

    @cached_property
    def built(self) -> Path:
        """The game with a clean build of everything, to copy from."""
        return self._clean("built")

    @cached_property
    def built_anew(self) -> Path:
        """The game with one card changed and a clean build of it."""
        target = self._clean("anew", edited=True)
        self.set_up(target)
        self.edit(back=True)
        self.seconds["edited"] = self._build().seconds
        return target

    def _clean(self, name: str, *, edited: bool = False) -> Path:
        # Saves name files by their place, so both are built where faults befall the game.
        shutil.rmtree(self.game, ignore_errors=True)
        for file, content in self.files.items():
            data = content() if callable(content) else content
            path = self.game / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        if edited:
            self.edit()
        self.seconds["cold"] = self._build().seconds
        target = self.folder / name
        shutil.move(self.game, target)
        return target

    def set_up(self, source: Path, *, edited: bool = False, built: bool = True) -> None:
        """Put a copy of such a game in its place, times kept."""
        shutil.rmtree(self.game, ignore_errors=True)
        shutil.copytree(source, self.game, symlinks=True)
        if not built:
            shutil.rmtree(self.game / "build")
        if edited:
            self.edit()

    def edit(self, *, back: bool = False) -> None:
        """Change the card, or change it back."""
        old, new = (AFTER, BEFORE) if back else (BEFORE, AFTER)
        path = self.game / EDITED
        path.write_text(path.read_text().replace(old, new))

    def hindered(
        self, name: str, hindrance: AbstractContextManager[object] | None = None,
        *, before: Sequence[str] = (), built: bool = True, forgotten: bool = False,
    ) -> Trial:  # fmt: skip
        """Build the edited game while something hinders it. Each file is then of the last good
        build or of the new one, and the next build is right; with `forgotten` it does not know what
        was made before."""
        old, new = self.built, self.built_anew
        self.set_up(old, edited=True, built=built)
        with hindrance or nullcontext():
            outcome = self.run(before=before)
        wrong = [*self.halves(old, new), *self.next_build(new, old if forgotten else None)]
        return self.judged(name, outcome, wrong)

    def judged(
        self, name: str, outcome: Outcome, wrong: Iterable[str] = (), codes: Sequence[int] = (0, 1)
    ) -> Trial:
        """An outcome with what else was wrong."""
        found = [*wrong, *outcome.faults(codes)]
        said = [line for line in outcome.err.splitlines() if line.strip()] or [""]
        return Trial(name, found, said[-1] if outcome.code else "")

    def halves(self, *good: Path) -> list[str]:
        """Files that are neither of the last good build nor of the new one."""
        known = {entry for build in good for entry in made(build).items()}
        found = made(self.game).items() - known
        return [f"{name} is neither the old nor the new one" for name, _ in sorted(found)
                if name != ".cardgen.json"][:3]  # fmt: skip

    def next_build(self, good: Path, forgotten: Path | None = None) -> list[str]:
        """What is wrong with a build that nothing hinders."""
        after = self.run()
        wrong = [f"the next build: exit {after.code}: {after.err[-90:]}"] if after.code else []
        return [*wrong, *self.differs(good, forgotten)]

    def differs(self, good: Path, forgotten: Path | None = None) -> list[str]:
        """What is not as in a clean build. Files of `forgotten`, a build whose list of what it made
        was lost, may stay as they were."""
        clean, now = made(good), made(self.game)
        if forgotten:
            now = dict(now.items() - (made(forgotten).items() - clean.items()))
        names = sorted(clean.keys() | now.keys())
        other = [name for name in names if clean.get(name) != now.get(name)]
        if not other:
            return []
        return [f"{len(other)} files are not as a clean build makes them: {', '.join(other[:3])}"]

    def leftovers(self) -> Iterable[str]:
        """What a build leaves that nobody asked for: folders of work, files half written."""
        for path in (self.game / "build").rglob(".*"):
            if path.name not in (".store", ".cardgen.json"):
                yield f"left: {path.name}"
        for path in self.temporary.iterdir():
            if path.name.startswith("cardgen"):
                yield f"left among temporary files: {path.name}"
