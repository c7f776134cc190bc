"""All trials after each other: hostile games, mutated games, kills, faults. `make trials`.

    python -P trials/run.py [--short] [--write]

Prints one table at the end; `--write` puts it into docs/reliability.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import cardgen
from trials.figures import Figures, read

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reliability.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
CORES = str(os.cpu_count() or 1)
TRIALS = {
    "hostile": (["--jobs", CORES], ["--jobs", CORES, "--every", "16"]),
    "fuzz": (["--jobs", CORES, "--cases", "10000"], ["--jobs", CORES, "--cases", "300"]),
    "kills": (["--times", "104"], ["--times", "13"]),
    "faults": ([], ["--short"]),
}
"""What each is asked for, in full and in short."""


def carried_out(short: bool) -> Iterator[Figures]:
    """Run each trial; what it says is printed as it says it."""
    with tempfile.TemporaryDirectory(prefix="trial-figures-") as scratch:
        for name, asked in TRIALS.items():
            report = Path(scratch) / name
            started = time.monotonic()
            command = [sys.executable, "-P", str(HERE / f"{name}.py"), "--figures", str(report)]
            subprocess.run([*command, *asked[short]], check=False)
            if not report.exists():
                sys.exit(f"trials/{name}.py came to no end")
            figures = read(report)
            figures.seconds = time.monotonic() - started
            yield figures


def table(found: list[Figures]) -> str:
    """The figures as Markdown."""
    lines = [
        "| trial | tried | wrong | slowest | most memory | took |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for figures in found:
        slowest = f"{figures.slowest:.1f} s" if figures.slowest else "–"
        largest = f"{figures.largest:.0f} MB" if figures.largest else "–"
        lines.append(
            f"| {figures.title} | {figures.tried} | {figures.wrong} | {slowest} | {largest} "
            f"| {figures.seconds / 60:.0f} min |"
        )
    lines += ["", "| trial | of that: tried (wrong) |", "|---|---|"]
    for figures in found:
        parts = [
            f"{group} {tried}" + (f" ({wrong})" if wrong else "")
            for group, (tried, wrong) in sorted(figures.groups.items())
        ]
        lines.append(f"| {figures.title} | {', '.join(parts)} |")
    return "\n".join(lines) + "\n"


def written(result: str) -> None:
    """Put the figures into the page, with what they were made with."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2]
    made_with = (
        f"Last made with cardgen {cardgen.__version__} on Python {platform.python_version()}, "
        f"{platform.system()}, {CORES} cores. Seconds are the processor's, of all processes "
        "together; so is the memory."
    )
    PAGE.write_text(f"{head}{BEGIN}\n{made_with}\n\n{result}{END}{tail}", encoding="utf-8")


def main() -> None:
    """Try everything; exit 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="a few of each, in some minutes")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    given = parser.parse_args()
    found = list(carried_out(given.short))
    result = table(found)
    print("\n" + result)
    if given.write:
        written(result)
    sys.exit(1 if any(figures.wrong for figures in found) else 0)


if __name__ == "__main__":
    main()
