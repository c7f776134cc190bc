"""How long cardgen takes, how much memory, how many bytes: cold, unchanged, one card changed.

    python benchmarks/pipeline.py [--write]

Measures the flagship game and made-up decks of 500 and 2,000 cards, each command in a process of
its own. `--write` puts the result into docs/performance.md. Timings are noisy: read the ratios.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cardgen

ROOT = Path(__file__).parent.parent
RESULT = ROOT / "docs" / "performance.md"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "tests", "cardgen", ".*_cache")

DECK = """deck: made-up
title: {en: Made up}
size: poker
front: card.html
back: back.html
styles: [card.css]
fields: {name: text, text: text}
cards:
"""
CARD = """  - id: card-{number}
    name: {{en: Card {number}}}
    text: {{en: "{words}"}}
"""
WORDS = "the convoy stops before the bridge and waits until somebody pays for another tank of fuel"
FRONT = """<div class="bleed" style="background: #f1e6cf"></div>
<img class="art" src="art/art.svg">
<div class="name" data-fit="9-13">{{ card.name }}</div>
<div class="text" data-fit="6.5-8.5">{{ card.text }}</div>
"""
BACK = '<div class="bleed" style="background: #b8392a"></div>\n'
CSS = """.art { position: absolute; left: -3mm; top: 14mm; width: 69.5mm; height: 40mm }
.name { position: absolute; left: 5mm; top: 5mm; width: 53mm; height: 8mm }
.text { position: absolute; left: 5mm; top: 56mm; width: 53mm; height: 27mm }
"""
FONTS = """fonts:
  - family: Roboto Condensed
    package: "@fontsource/roboto-condensed"
"""


@dataclass(frozen=True)
class Run:
    """One measured command: seconds, peak memory of its largest process and bytes it wrote, MB."""

    game: str
    what: str
    seconds: float
    memory: float
    written: float


def made_up(folder: Path, cards: int) -> Path:
    """A game of one deck with that many cards, each with a picture and about 40 words."""
    words = " ".join([WORDS] * 3)
    rows = "".join(CARD.format(number=n, words=f"{n}: {words}") for n in range(cards))
    files = {
        "game.yaml": "game: made-up\ntitle: {en: Made up}\nlanguages: [en]\n",
        "cards/made-up.yaml": DECK + rows,
        "templates/card.html": FRONT,
        "templates/back.html": BACK,
        "templates/card.css": CSS,
        "fonts/fonts.yaml": FONTS,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "fonts" / "node_modules", folder / "fonts" / "node_modules")
    (folder / "art").mkdir()
    shutil.copy(ROOT / "art" / "loot-city" / "school.svg", folder / "art" / "art.svg")
    return folder


def measured(game: str, what: str, root: Path, *arguments: str) -> Run:
    """Run `cardgen build` in a process of its own."""
    before = time.time()
    started = time.perf_counter()
    command = [sys.executable, "-c", CHILD, "build", str(root), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if result.returncode:
        sys.exit(f"{game}, {what}: cardgen failed\n{result.stdout}{result.stderr}")
    written = sum(
        path.stat().st_size
        for path in (root / "build").rglob("*")
        if path.is_file() and path.stat().st_mtime >= before - 0.01
    )
    peak = int(result.stderr.rsplit("peak ", 1)[1])
    return Run(game, what, seconds, peak / 1024, written / 1e6)


CHILD = """
import atexit, resource, sys
from cardgen.__main__ import main
def peak():
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    sys.stderr.write(f"peak {max(own, children)}")
atexit.register(peak)
main()
"""


def runs(game: str, root: Path, edited: Path, old: str, new: str) -> Iterator[Run]:
    """Cold, unchanged, one card changed; for sheets alone and with the images."""
    for what, outputs in (("sheets", ("sheets",)), ("sheets and images", ())):
        yield measured(game, f"{what}: cold", root, *outputs, "--fresh")
        yield measured(game, f"{what}: nothing changed", root, *outputs)
        text = edited.read_text(encoding="utf-8")
        assert old in text, f"{edited.name} has no '{old}' to change"
        edited.write_text(text.replace(old, new, 1), encoding="utf-8")
        yield measured(game, f"{what}: one card changed", root, *outputs)
        edited.write_text(text, encoding="utf-8")


def all_runs() -> Iterator[Run]:
    """Every game, in folders that are thrown away."""
    with tempfile.TemporaryDirectory() as scratch:
        flagship = Path(scratch) / "flagship"
        shutil.copytree(ROOT, flagship, ignore=LEFT_OUT)
        loot = flagship / "cards" / "loot-city.yaml"
        yield from runs("64 km saattue", flagship, loot, "fi: Koulu", "fi: Opisto")
        for cards in (500, 2000):
            folder = made_up(Path(scratch) / str(cards), cards)
            deck = folder / "cards" / "made-up.yaml"
            yield from runs(f"{cards} cards", folder, deck, "en: Card 7", "en: Card seven")


def table(found: list[Run]) -> str:
    """The result as Markdown, ratios to the cold build of the same game and outputs."""
    lines = [
        "| game | what | time | ratio to cold | peak memory | written |",
        "|---|---|---:|---:|---:|---:|",
    ]
    cold = 1.0
    for run in found:
        cold = run.seconds if run.what.endswith("cold") else cold
        lines.append(
            f"| {run.game} | {run.what} | {run.seconds:.2f} s | {run.seconds / cold:.3f} "
            f"| {run.memory:.0f} MB | {run.written:.1f} MB |"
        )
    return "\n".join(lines) + "\n"


def page(result: str) -> str:
    """docs/performance.md."""
    return f"""# Performance

Made by `make benchmark`, last with cardgen {cardgen.__version__} on Python \
{platform.python_version()}, {platform.system()}, two cores. Timings are noisy: read the ratios. \
Peak memory is that of the largest single process; two work at a time in a cold build.

{result}
What decides it:
- Typesetting a face costs 15–40 ms, most of it layout. It happens once for each face's content; \
copies, languages with the same face and shared backs cost nothing.
- SVG art is drawn once, in about 1 ms, and shared by all faces, languages and copies.
- When nothing changed, times of files are compared: no game is read and no library loaded.
- One edited card renders that card alone; the PDFs that show it are put together anew, all of them.
- After an edit, loading WeasyPrint (0.6 s) costs more than typesetting the card.
- A PNG at 300 dpi costs 30–50 ms; images are made again only for faces that changed.
"""


def main() -> None:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put it into docs/performance.md")
    write = parser.parse_args().write
    found = []
    for run in all_runs():
        found.append(run)
        print(f"{run.game}, {run.what}: {run.seconds:.2f} s, {run.memory:.0f} MB", flush=True)
    result = table(found)
    print("\n" + result)
    if write:
        RESULT.write_text(page(result), encoding="utf-8")


if __name__ == "__main__":
    main()
