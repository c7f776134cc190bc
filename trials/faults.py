"""Faults of the machine: no room, no rights, a store gone bad, two builds at once, clocks, changes.

    python -P trials/faults.py [NAME…] [--list] [--short]

Right is, whatever happens: exit code 0 or 1 and no traceback; every file that is there afterwards
is the last good one or the new one, whole; and the next build that nothing hinders makes what a
clean one makes, to the byte.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from trials.faulty import PARTS
from trials.faulty.field import Field, Finding
from trials.figures import Figures


def trials(names: list[str], short: bool) -> Iterator[Finding]:
    """Every fault of those names, or whose names begin so; all without a name."""
    with tempfile.TemporaryDirectory(prefix="trial-faults-") as scratch:
        for part, module in PARTS.items():
            if names and not any(part.startswith(name.partition("/")[0]) for name in names):
                continue
            field = Field(Path(scratch) / part, tuple(names), short)
            yield from module.trials(field)


def main() -> None:
    """Try every fault, and exit 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="where figures are put")
    parser.add_argument("--short", action="store_true", help="a few of each")
    given = parser.parse_args()
    figures = Figures("faults of the machine")
    started = time.monotonic()
    for finding in trials(given.names, given.short):
        figures.count(finding.name.partition("/")[0], wrong=bool(finding.wrong))
        what = f"FAILED ({'; '.join(finding.wrong)})" if finding.wrong else "ok"
        print(f"{finding.name:44} {what}  {finding.told[:110]}", flush=True)
    figures.write(given.figures)
    taken = time.monotonic() - started
    print(f"{figures.tried} faults, {figures.wrong} failed, in {taken:.0f} s")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
