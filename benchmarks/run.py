"""Time and memory that cardgen takes: beside other tools, and on games small and large.

    python -P benchmarks/run.py [--write] [--short]

`--write` puts the tables into docs/performance.md, with everything else on that page. Each command
is a process of its own. What is compared runs in turns, so that a machine that slows down slows all
of them. Timings are noisy: read the ratios. `--short` runs the commands once on a few cards and a
small game, to show that they run.
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

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from preview_books import WITH_BOOK  # noqa: E402 - a helper of the tests
from small_games import write_game  # noqa: E402

import cardgen  # noqa: E402
from benchmarks import decks  # noqa: E402
from benchmarks.measure import Run, adopt_orphans, measured, median  # noqa: E402
from benchmarks.peers import Peer, peers  # noqa: E402

RESULT = decks.ROOT / "docs" / "performance.md"
FLAGSHIP = ("game.yaml", "table.yaml", "cards", "templates", "art", "rulebook", "fonts")
READING = ("rulebook", "--edition", "player", "--book-size", "a4")


@dataclass(frozen=True)
class Extent:
    """How much is measured: turns of each command, cards, and curves of their drawings."""

    turns: int = 3
    compared: int = 400
    large: int = 2000
    curves: tuple[int, ...] = (decks.MODERATE_CURVES, decks.DETAILED_CURVES)


SHORT = Extent(1, 2, 3, (decks.MODERATE_CURVES,))


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
        self._find(words[0])

    def _find(self, words: str) -> str:
        """Return the deck's text, which has these words."""
        text = self.deck.read_text(encoding="utf-8")
        assert words in text, f"{self.deck.name} has no '{words}' to change"
        return text

    def edit(self) -> None:
        """Change one word of one card, each time into one that it never had."""
        old, new = self.words
        self._edits += 1
        last = f"{new}{self._edits - 1} " if self._edits > 1 else old
        text = self._find(last)
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


def compared(scratch: Path, extent: Extent, curves: int) -> Iterator[Row]:
    """Yield the figures of the made-up deck by every tool: cold, and after an edit of one card."""
    tools = peers()
    runs: dict[tuple[str, str], list[Run]] = {}
    folder = decks.game(scratch / "cardgen", extent.compared, curves)
    game = Game(folder, "made-up.yaml", decks.EDITED)
    folders = {tool.name: scratch / tool.name for tool in tools}
    for tool in tools:
        folders[tool.name].mkdir()
        tool.write(folders[tool.name], extent.compared, curves)
    for _ in range(extent.turns):
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


def whole_game(game: Game, name: str, extent: Extent) -> Iterator[Row]:
    """Yield the figures of the flagship: what its author does in an evening."""
    runs: dict[str, list[Run]] = {}
    for _ in range(extent.turns):
        for what, run in (
            ("everything, cold", game.build(cold=True)),
            ("nothing changed", game.build()),
            (
                "a word of a card: sheets and pictures",
                game.build("sheets", "images", edited=True),
            ),
            ("… then its rulebooks", game.build("rulebook")),
            ("a word of a card: the edition one reads", game.build(*READING, edited=True)),
        ):
            runs.setdefault(what, []).append(run)
        game.build()
    for what, taken in runs.items():
        yield Row(name, what, median(taken))


def large(game: Game, name: str, extent: Extent) -> Iterator[Row]:
    """Yield the figures of many cards on sheets."""
    runs: dict[str, list[Run]] = {}
    for _ in range(extent.turns):
        for what, run in (
            ("sheets, cold", game.build("sheets", cold=True)),
            ("nothing changed", game.build("sheets")),
            ("a word of a card", game.build("sheets", edited=True)),
        ):
            runs.setdefault(what, []).append(run)
    for what, taken in runs.items():
        yield Row(name, what, median(taken))


def loading(extent: Extent) -> Iterator[Row]:
    """Yield what a start costs before anything is done."""
    for what, code in (
        ("Python alone", "pass"),
        ("importing WeasyPrint", "import weasyprint"),
        ("cardgen's own answer when nothing changed", "import cardgen.cli.replay"),
    ):
        taken = [measured([sys.executable, "-P", "-c", code]) for _ in range(extent.turns)]
        yield Row("start", what, median(taken))


def flagship(folder: Path) -> Game:
    """A copy of the game at the root, without what was built."""
    folder.mkdir()
    for name in FLAGSHIP:
        source = decks.ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)
    return Game(folder, "loot-city.yaml", ("fi: Koulu", "fi: Opisto "))


def small(folder: Path) -> Game:
    """A game of four cards and a rulebook, for what shall only be seen to run."""
    return Game(write_game(folder, WITH_BOOK), "loot.yaml", ("en: Barn", "en: Stable "))


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


def page(extent: Extent, parts: list[list[Row]]) -> str:
    """Return docs/performance.md."""
    beside, detailed, own, many, start = parts
    return f"""# Performance

All of this page is made by `make benchmark`: {versions()}. Every figure is the median of \
{extent.turns} runs, each figure for itself. Timings are noisy: read the ratios. Memory is that of \
the largest single process; a cold build has one more for each core.

## Beside other tools

{extent.compared} poker cards with {decks.DRAWINGS} drawings of {decks.MODERATE_CURVES} curves \
each, fronts and backs, nine to a sheet of A4, as one PDF (Squib: two). The others set names and \
texts at sizes that are given; cardgen fits both to their places, adds bleed and marks, and checks \
what is drawn. They make all of it again after an edit. Chromium and Squib are measured where they \
are installed.

{table(beside, beside[0])}
The same with drawings of {decks.DETAILED_CURVES} curves each, more than most games have:

{table(detailed, detailed[0])}
## 64 km saattue

Two languages, sheets, pictures of every face, and the editions of the rulebook that it lists.

{table(own, own[0])}
## {extent.large} cards

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
- One edited card renders that card alone. Of the PDFs that show it, the other faces, and fonts \
without a new glyph, are taken over from the last one.
- A book is laid out again only when its own text changed, once where no page number moves; not \
when only a shown card changed.
- Pictures are made again only for faces that changed; equal ones are one file.
"""


def measure(scratch: Path, extent: Extent) -> Iterator[list[Row]]:
    """Yield the rows of each table."""
    many = Game(decks.game(scratch / "many", extent.large), "made-up.yaml", decks.EDITED)
    whole = flagship(scratch / "flagship")
    for curves in extent.curves:
        (scratch / str(curves)).mkdir()
        yield list(compared(scratch / str(curves), extent, curves))
    own = small(scratch / "small") if extent is SHORT else whole
    yield list(whole_game(own, "64 km saattue", extent))
    yield list(large(many, f"{extent.large} cards", extent))
    yield list(loading(extent))


def main() -> None:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    extents = parser.add_mutually_exclusive_group()
    extents.add_argument("--write", action="store_true", help="put it into docs/performance.md")
    extents.add_argument("--short", action="store_true", help="a few cards, once")
    asked = parser.parse_args()
    extent = SHORT if asked.short else Extent()
    adopt_orphans()
    parts: list[list[Row]] = []
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        for rows in measure(Path(folder), extent):
            parts.append(rows)
            print(table(rows, rows[0]), flush=True)
    if asked.write:
        RESULT.write_text(page(extent, parts), encoding="utf-8")


if __name__ == "__main__":
    main()
