"""How long cardgen takes and how much memory: beside its peers, and on games small and large.

    python -P benchmarks/run.py [--write]

`--write` puts the tables into docs/performance.md, with whatever else that page says: all of it
is made here. Each command is a process of its own; what is compared is run turn by turn, so that
a machine that slows down slows all. Timings are noisy: read the ratios.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import cardgen
from benchmarks import decks
from benchmarks.measure import Run, adopt_orphans, measured, median
from benchmarks.peers import Peer, peers

RESULT = decks.ROOT / "docs" / "performance.md"
FLAGSHIP = ("game.yaml", "table.yaml", "cards", "templates", "art", "rulebook", "fonts")
TURNS = 3
COMPARED, LARGE = 400, 2000
READING = ("rulebook", "--edition", "player", "--book-size", "a4")


@dataclass(frozen=True)
class Row:
    """What was done by whom, and what it took."""

    who: str
    what: str
    run: Run


class Game:
    """A game folder that is built again and again."""

    def __init__(self, folder: Path, deck: str, words: tuple[str, str]) -> None:
        self.folder = folder
        self.deck = folder / "cards" / deck
        self.words = words
        self._edits = 0

    def edit(self) -> None:
        """Change one word of one card, each time into one that it never had."""
        text = self.deck.read_text(encoding="utf-8")
        old, new = self.words
        self._edits += 1
        last = f"{new}{self._edits - 1} " if self._edits > 1 else old
        assert last in text, f"{self.deck.name} has no '{last}' to change"
        text = text.replace(last, f"{new}{self._edits} ", 1)
        self.deck.write_text(text, encoding="utf-8")

    def build(self, *words: str, cold: bool = False, edited: bool = False) -> Run:
        """Build it; cold is without anything that was made before."""
        if cold:
            shutil.rmtree(self.folder / "build", ignore_errors=True)
        if edited:
            self.edit()
        command = [sys.executable, "-P", "-m", "cardgen", "build", str(self.folder), *words]
        return measured(command)


def compared(scratch: Path) -> Iterator[Row]:
    """The made-up deck by every tool: cold, and again after an edit of one card."""
    tools = peers()
    runs: dict[tuple[str, str], list[Run]] = {}
    game = Game(decks.game(scratch / "cardgen", COMPARED), "made-up.yaml", decks.EDITED)
    folders = {tool.name: scratch / tool.name for tool in tools}
    for tool in tools:
        folders[tool.name].mkdir()
        tool.write(folders[tool.name], COMPARED)
    for _ in range(TURNS):
        for tool in tools:
            run = _by(tool, folders[tool.name])
            runs.setdefault((tool.name, "all of it"), []).append(run)
        for what, run in (
            ("all of it", game.build("sheets", cold=True)),
            ("one card edited", game.build("sheets", edited=True)),
            ("nothing changed", game.build("sheets")),
        ):
            runs.setdefault(("cardgen", what), []).append(run)
    for (who, what), taken in runs.items():
        yield Row(who, what, median(taken))


def _by(tool: Peer, folder: Path) -> Run:
    for name in tool.made:
        (folder / name).unlink(missing_ok=True)
    run = measured(tool.command, folder)
    assert all((folder / name).stat().st_size for name in tool.made), f"{tool.name} made nothing"
    return run


def whole_game(game: Game, name: str) -> Iterator[Row]:
    """The flagship with all it has: what one does of an evening."""
    runs: dict[str, list[Run]] = {}
    for _ in range(TURNS):
        for what, run in (
            ("everything, cold", game.build(cold=True)),
            ("nothing changed", game.build()),
            ("a word of a card: sheets and pictures", game.build("sheets", "images", edited=True)),
            ("… then its rulebooks, every edition", game.build("rulebook")),
            ("a word of a card: the edition one reads", game.build(*READING, edited=True)),
        ):
            runs.setdefault(what, []).append(run)
        game.build()
    for what, taken in runs.items():
        yield Row(name, what, median(taken))


def large(game: Game, name: str) -> Iterator[Row]:
    """Many cards, to sheets."""
    runs: dict[str, list[Run]] = {}
    for _ in range(TURNS):
        for what, run in (
            ("sheets, cold", game.build("sheets", cold=True)),
            ("nothing changed", game.build("sheets")),
            ("a word of a card", game.build("sheets", edited=True)),
        ):
            runs.setdefault(what, []).append(run)
    for what, taken in runs.items():
        yield Row(name, what, median(taken))


def loading() -> Iterator[Row]:
    """What a start costs before anything is done."""
    for what, code in (
        ("Python alone", "pass"),
        ("importing WeasyPrint", "import weasyprint"),
        ("cardgen's own answer when nothing changed", "import cardgen.cli.unchanged"),
    ):
        taken = [measured([sys.executable, "-P", "-c", code]) for _ in range(TURNS)]
        yield Row("start", what, median(taken))


def flagship(folder: Path) -> Game:
    """A copy of the game at the root, without what was built."""
    folder.mkdir()
    for name in FLAGSHIP:
        source = decks.ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)
    return Game(folder, "loot-city.yaml", ("fi: Koulu", "fi: Opisto "))


def table(rows: list[Row], first: Row) -> str:
    """Rows as Markdown, with ratios to the time of one of them."""
    lines = [
        f"| | what | time | {first.who}, {first.what} = 1 | processor time | largest process |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.who} | {row.what} | {row.run.seconds:.2f} s "
        f"| {row.run.seconds / first.run.seconds:.3f} | {row.run.processor:.2f} s "
        f"| {row.run.memory:.0f} MB |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def versions() -> str:
    """What was measured: versions of what comes with the project."""
    tools = ", ".join(f"{name} {metadata.version(name)}" for name in ("weasyprint", "typst"))
    return (
        f"cardgen {cardgen.__version__}, Python {platform.python_version()}, {tools}, "
        f"{platform.system()}, {os.cpu_count()} cores"
    )


def page(beside: list[Row], own: list[Row], many: list[Row], start: list[Row]) -> str:
    """docs/performance.md."""
    return f"""# Performance

All of this page is made by `make benchmark`: {versions()}. Every figure is the median of {TURNS} \
runs, each figure for itself. Timings are noisy: read the ratios. Memory is that of the largest \
single process; a cold build has one more for each core.

## Beside other tools

{COMPARED} poker cards with {decks.DRAWINGS} drawings of {decks.CURVES} curves each, fronts and \
backs, nine to a sheet of A4, as one PDF (Squib: two). The others set names and texts at sizes \
that are given; cardgen fits both to their places, adds bleed and marks, and checks what is drawn. \
They make all of it again after an edit. Chromium and Squib are measured where they are installed.

{table(beside, beside[0])}
## 64 km saattue

Two languages, sheets, pictures of every face, saves for tables, rulebooks in every edition.

{table(own, own[0])}
## {LARGE} cards

The same made-up cards, more of them, to sheets. What tens of thousands take stands in \
[scale.md](scale.md#how-it-grows).

{table(many, many[0])}
## To start

{table(start, start[0])}
## What decides it

- A face is set once for its content: copies, languages with the same face and shared backs cost \
nothing. The sizes of fitted texts are found box by box and remembered, also for other faces.
- A drawing is drawn once and shared by all faces, languages and copies.
- When nothing changed, times of files are compared: no game is read and no library loaded.
- One edited card renders that card alone; the PDFs that show it are put together anew.
- Of a book, the pages that an edit touches are laid out, none when only a shown card changed.
- Pictures are made again only for faces that changed; equal ones are one file.
"""


def main() -> None:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put it into docs/performance.md")
    write = parser.parse_args().write
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        scratch = Path(folder)
        many = Game(decks.game(scratch / "many", LARGE), "made-up.yaml", decks.EDITED)
        parts: list[list[Row]] = []
        for part in (
            compared(scratch),
            whole_game(flagship(scratch / "flagship"), "64 km saattue"),
            large(many, f"{LARGE} cards"),
            loading(),
        ):
            parts.append(list(part))
            print(table(parts[-1], parts[-1][0]), flush=True)
    if write:
        RESULT.write_text(page(*parts), encoding="utf-8")


if __name__ == "__main__":
    main()
