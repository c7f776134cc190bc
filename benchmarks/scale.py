"""How time, memory and disk grow with the number of cards: a made-up game, larger and larger.

    python -P benchmarks/scale.py [--cards 1000,3000,10000] [--languages 1] [--folder DIR] [--write]

Decks of `A_DECK` plain cards, a name and a line each, one small drawing, a common back; so what is
measured is less the typesetting than all that goes on around it. Each step is a command of its own:
memory is that of the largest process, disk what lies in build/. `--folder` keeps the games, and
goes on with those that are there. `--write` puts all figures of that folder into docs/scale.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import Run, adopt_orphans, measured

A_DECK = 500
"""Cards of one deck: a file of a size that somebody edits."""
CODES = (
    "en", "fi", "sv", "da", "nb", "de", "nl", "fr", "es", "pt", "it", "ro", "pl", "cs", "sk",
    "hu", "hr", "sl", "sr", "bg", "mk", "el", "tr", "et", "lv", "lt", "uk", "be", "ru", "ka",
    "hy", "az", "kk", "uz", "mn", "vi", "id", "ms", "tl", "sw", "af", "sq", "eu", "ca", "gl",
    "ga", "cy", "is", "mt", "eo",
)  # fmt: skip
_EDITED = "one card edited"
OUTPUT = ("images", "--dpi", "50")
WORDS = (
    "wood", "stone", "grain", "sheep", "ore", "gold", "silk", "salt", "tea", "amber", "iron",
    "wool", "fish", "oil", "wine",
)  # fmt: skip
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
    '<path fill="#b8392a" d="M4 20 20 4 36 20V36H4z"/></svg>'
)
FRONT = """<div class="bleed" style="background: #f1e6cf"></div>
<img class="art" src="art/house.svg">
<div class="name">{{ card.name }}</div>
<div class="text">{{ card.text }}</div>
"""
BACK = '<div class="bleed" style="background: #b8392a"></div>\n'
STYLE = """.art { position: absolute; left: 20mm; top: 15mm; width: 20mm; height: 20mm }
.name { position: absolute; left: 5mm; top: 5mm; width: 53mm; height: 8mm }
.text { position: absolute; left: 5mm; top: 45mm; width: 53mm; height: 20mm }
"""


@dataclass(frozen=True)
class Step:
    """What was done with how many cards in how many languages, what it took, and what lay in
    build/ when it was done: files and their bytes."""

    what: str
    cards: int
    languages: int
    run: Run
    files: int
    size: int
    load: float
    """How busy the machine was when it ended: the load of the last minute."""


def card(deck: int, number: int, languages: Sequence[str]) -> str:
    """One card of a deck file; its texts differ in every language."""
    good = WORDS[(deck + number) % len(WORDS)]
    names = ", ".join(f"{code}: {good} {deck}-{number} {code}" for code in languages)
    texts = ", ".join(
        f"{code}: Pay {number % 7} {good} and take card {number} {code}" for code in languages
    )
    return f"  - id: c{number}\n    name: {{{names}}}\n    text: {{{texts}}}\n"


def write(folder: Path, cards: int, languages: int) -> Path:
    """The game of that many cards, in so many languages."""
    codes = CODES[:languages]
    titles = ", ".join(f"{code}: Large" for code in codes)
    files = {
        "game.yaml": f"game: large\ntitle: {{{titles}}}\nlanguages: [{', '.join(codes)}]\n",
        "templates/front.html": FRONT,
        "templates/back.html": BACK,
        "templates/card.css": STYLE,
        "art/house.svg": DRAWING,
    }
    for deck, first in enumerate(range(0, cards, A_DECK)):
        head = (
            f"deck: d{deck}\ntitle: {{{titles}}}\nsize: poker\nfront: front.html\n"
            "back: back.html\nstyles: [card.css]\nfields: {name: text, text: text}\ncards:\n"
        )
        numbers = range(min(A_DECK, cards - first))
        files[f"cards/d{deck}.yaml"] = head + "".join(card(deck, n, codes) for n in numbers)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def edit(folder: Path) -> None:
    """Another word on one card of the first deck, each time one that it never had."""
    path = folder / "cards/d0.yaml"
    text = path.read_text(encoding="utf-8")
    before, _, after = text.partition("Pay ")
    path.write_text(f"{before}Pay 1{after}", encoding="utf-8")


def on_disk(folder: Path) -> tuple[int, int]:
    """How many files lie in a folder and below, and their bytes."""
    files = size = 0
    for base, _, names in os.walk(folder):
        files += len(names)
        size += sum(os.lstat(f"{base}{os.sep}{name}").st_size for name in names)
    return files, size


def steps(folder: Path, cards: int, languages: int) -> Iterator[Step]:
    """What one does with such a game, in this order."""
    if not (folder / "game.yaml").exists():
        write(folder, cards, languages)
    asked = {
        "all of it, cold": ("build", *OUTPUT),
        "nothing changed": ("build", *OUTPUT),
        _EDITED: ("build", *OUTPUT),
        "other words": ("build", *OUTPUT, "--lang", "en"),
        "one deck": ("build", *OUTPUT, "--deck", "d0"),
        "check, its faces made": ("check",),
        "check, nothing changed": ("check",),
    }
    for what, (command, *rest) in asked.items():
        if what == _EDITED:
            edit(folder)
        run = measured([sys.executable, "-P", "-m", "cardgen", command, str(folder), *rest])
        yield Step(what, cards, languages, run, *on_disk(folder / "build"), os.getloadavg()[0])


def row(step: Step) -> str:
    """A step as a line of Markdown."""
    run = step.run
    return (
        f"| {step.cards:,} | {step.languages} | {step.what} | {run.seconds:.1f} s "
        f"| {run.processor:.1f} s | {run.memory:.0f} MB | {step.files:,} "
        f"| {step.size / 1e6:,.0f} MB | {step.load:.0f} |"
    )


def load(path: Path) -> list[Step]:
    """The steps that were measured in a folder."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Step(**{**each, "run": Run(**each["run"])}) for each in map(json.loads, lines)]


def each_more(steps: Sequence[Step], what: str, of: Callable[[Step], float]) -> float:
    """By how much a figure of a step grows for a face more, from the smallest game to the
    largest."""
    same = sorted((s for s in steps if s.what == what), key=lambda s: s.cards * s.languages)
    first, last = same[0], same[-1]
    apart = last.cards * last.languages - first.cards * first.languages
    return (of(last) - of(first)) / apart if apart else of(last) / (last.cards * last.languages)


def reckoned(steps: Sequence[Step], faces: int) -> str:
    """What a game of so many faces takes, as Markdown."""
    lines = [
        "| what | processor, a card more | processor, all | largest process |\n|---|---:|---:|---:|"
    ]
    for what in dict.fromkeys(step.what for step in steps):
        first = min((s for s in steps if s.what == what), key=lambda s: s.cards * s.languages)
        least = first.cards * first.languages
        time = each_more(steps, what, lambda step: step.run.processor)
        room = each_more(steps, what, lambda step: step.run.memory)
        seconds = first.run.processor + time * (faces - least)
        memory = first.run.memory + room * (faces - least)
        lines.append(f"| {what} | {1000 * time:.2f} ms | {seconds:,.0f} s | {memory:,.0f} MB |")
    return "\n".join(lines)


def section(steps: Sequence[Step]) -> str:
    """What docs/scale.md says of it."""
    cold = each_more(steps, COLD, lambda step: step.run.processor)
    whole = [step for step in steps if step.what == COLD]
    files = each_more(whole, COLD, lambda step: step.files)
    size = each_more(whole, COLD, lambda step: step.size)
    most = max(step.cards for step in steps)
    hours = 2_000_000 * cold / 3600
    return f"""{TITLE}

{ABOUT}
{HEAD}{chr(10).join(map(row, steps))}

{WHOLE:,} faces, five thousand cards in fifty languages, each with its common back, were not \
built here. Reckoned from the figures above, each step's first plus what a card more takes up to \
the largest game measured ({most:,} cards), they would take the following. It is more than the \
usual bounds allow: `CARDGEN_LARGE=3`. A card in so many languages costs what so many cards cost, \
as the rows of fifty languages show; whoever edits one deck and asks for it alone, with `--deck`, \
or for one language with `--lang`, waits for that part.

{reckoned(steps, WHOLE)}

- **Time**: the seconds of the processor, by the cores that share them where faces are set \
and pictures drawn; the rest is one process's work. A year's two million pictures, each of a \
face that was set for it, are 2,000,000 × {1000 * cold:.0f} ms ≈ {hours:.0f} hours of one core; \
cards that are more than a name and a line take some times as long.
- **Disk**: {files:.1f} files and {size / 1000:.1f} kB a card with its picture, so \
{WHOLE * files / 1e6:.1f} million files and {WHOLE * size / 1e9:.1f} GB for all, with pictures \
as small as these. The store lets old faces go once it holds three times more than the game \
has, so that a year of edits ends at three to four times that.
- **Memory**: of the process that reads and plans. Helpers set {CHUNK} faces at once and \
stay small.
"""


HEAD = """| cards | languages | what | time | processor | largest process | files | bytes | load |
|---:|---:|---|---:|---:|---:|---:|---:|---:|
"""


COLD = "all of it, cold"
WHOLE = 250_000
CHUNK = 25
TITLE = "## How it grows"
RESULT = Path(__file__).parent.parent / "docs" / "scale.md"
ABOUT = """\
A game may come from a stranger, so it is limited: 50,000 pieces, 200,000 faces, 3 GB of memory, \
files of 4 MB. For a larger game of your own, set `CARDGEN_LARGE=10` in the environment: the game \
as a whole may then be, and take, ten times as much. Limits for a single face or drawing do not \
change.

What a command reads:

- **nothing changed** since the same command ran: the stat signatures of the game's files and of \
the folders of published files; one entry of the store, no card.
- **other options**, or **one edited card**: all cards are read, and each face gets its key from \
what was remembered for its deck. Templates run for the edited card and for cards that look at \
its deck. No face and no published file is opened.
- **one deck**: the same, and only that deck's files are planned.

The figures are of a made-up game (`benchmarks/scale.py`, which writes this section): decks \
of 500 poker cards, a name and a line on each, one small drawing, a common back, as pictures \
of 50 dpi. It is measured on a machine of two cores, at the lowest priority beside other work: \
*load* tells how many processes wanted them, so read the seconds of the processor and not the \
clock's. A game of more than the usual bounds is built with `CARDGEN_LARGE=10`.
"""


def write_section(steps: Sequence[Step]) -> None:
    """Put the figures into the page, in the place of those that are there."""
    before, _, after = RESULT.read_text(encoding="utf-8").partition(f"{TITLE}\n")
    rest = after.partition("\n## ")
    text = f"{before}{section(steps)}" + (f"\n## {rest[2]}" if rest[1] else "")
    RESULT.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", default="1000,3000,10000")
    parser.add_argument("--languages", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true", help="put them into docs/scale.md")
    asked = parser.parse_args()
    adopt_orphans()
    if asked.write and not asked.folder:
        parser.error("--write takes the figures of --folder")
    with tempfile.TemporaryDirectory(prefix="scale-") as scratch:
        around = asked.folder or Path(scratch)
        print(HEAD, end="")
        for count in map(int, filter(None, asked.cards.split(","))):
            folder = around / f"{count}x{asked.languages}"
            for step in steps(folder, count, asked.languages):
                print(row(step), flush=True)
                if asked.folder:
                    with (around / "steps.jsonl").open("a", encoding="utf-8") as log:
                        log.write(json.dumps(asdict(step)) + "\n")
    if asked.write:
        write_section(load(asked.folder / "steps.jsonl"))


if __name__ == "__main__":
    main()
