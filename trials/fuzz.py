"""The fuzzer: games of the tests, the documentation and the repository, mutated and put to cardgen.

    python -P trials/fuzz.py [--cases N] [--minutes M] [--seed WORD] [--kinds css,svg] [--jobs N]
    python -P trials/fuzz.py --case N [--seed WORD]   one case again, told in full
    python -P trials/fuzz.py --expect                 what the finds are told today, written down

Right is exit code 0 or 1 within 15 seconds and the bound of memory, without a traceback, without a
sign that a terminal obeys, and with nothing of the game changed but its build folder. A case that
goes wrong is made smaller and kept under trials/found/, once for each way to fail.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from trials.figures import Figures
from trials.fuzzing import cases, shrink
from trials.fuzzing.bench import Bench, Result
from trials.fuzzing.cases import KINDS, Case


class Run:
    """Cases handed out to benches, and what came of them."""

    def __init__(self, seed: str, kinds: tuple[str, ...], most: int, seconds: float) -> None:
        self.seed, self.kinds = seed, kinds
        self.finds: dict[str, int] = {}
        self.again: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        self.figures = Figures("mutated games")
        self._numbers = itertools.islice(itertools.count(), most)
        self._until = time.monotonic() + seconds
        self._lock = threading.Lock()
        self.started = time.monotonic()

    def work(self, folder: Path, keep: bool) -> None:
        """Run cases until there are enough."""
        bench = Bench(folder)
        try:
            while time.monotonic() < self._until:
                with self._lock:
                    number = next(self._numbers, None)
                if number is None:
                    return
                case = cases.made(self.seed, number, self.kinds)
                self._done(number, case, bench.run(case), bench, keep)
        finally:
            bench.close()

    def _done(self, number: int, case: Case, result: Result, bench: Bench, keep: bool) -> None:
        with self._lock:
            self.codes[result.code] += 1
            self.figures.count(
                case.name.partition(" ")[0], wrong=bool(result.wrong),
                seconds=result.seconds, megabytes=result.megabytes,
            )  # fmt: skip
            if self.figures.tried % 500 == 0:
                print(self.told(), flush=True)
            new = bool(result.wrong) and result.wrong not in self.finds
            if result.wrong:
                self.finds.setdefault(result.wrong, number)
                self.again[result.wrong] += 1
        if new:
            print(f"case {number}, {case.name}: {result.wrong}", flush=True)
            if keep:
                where = shrink.saved(shrink.smaller(case, result.wrong, bench), result.wrong)
                print(f"  kept in {where}", flush=True)

    def told(self) -> str:
        """What came of it, in a line."""
        taken = time.monotonic() - self.started
        ends = ", ".join(f"{count} with exit {code}" for code, count in sorted(self.codes.items()))
        return (
            f"{self.figures.tried} cases in {taken:.0f} s ({ends}), "
            f"{self.figures.wrong} wrong in {len(self.finds)} ways; "
            f"the slowest {self.figures.slowest:.1f} s, the largest {self.figures.largest:.0f} MB"
        )


def carried_out(work: Run, jobs: int, keep: bool) -> Run:
    """Run cases in so many workers at once."""
    with (
        tempfile.TemporaryDirectory(prefix="trial-fuzz-", dir=_quick()) as scratch,
        ThreadPoolExecutor(jobs) as pool,
    ):
        workers = [pool.submit(work.work, Path(scratch) / str(n), keep) for n in range(jobs)]
        for worker in workers:
            worker.result()
    return work


def _quick() -> str | None:
    """A folder in memory, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - folders of chance go below


def one(seed: str, kinds: tuple[str, ...], number: int) -> None:
    """Run one case again and tell all of it."""
    case = cases.made(seed, number, kinds)
    with tempfile.TemporaryDirectory(prefix="trial-fuzz-") as scratch:
        bench = Bench(Path(scratch) / "0")
        result = bench.run(case)
        bench.close()
    for name in case.changed:
        print(f"--- {name}\n{case.files.get(name, b'').decode('utf-8', 'replace')}")
    print(f"--- {case.name}: {' '.join(case.command)}\n{result.said}")
    print(f"exit {result.code}: {result.wrong or 'right'}")


def expect() -> None:
    """Write down what every find without an expectation is told today."""
    with tempfile.TemporaryDirectory(prefix="trial-fuzz-") as scratch:
        bench = Bench(Path(scratch) / "0")
        for folder in sorted(shrink.FOUND.iterdir()):
            if (folder / "expected.txt").exists():
                continue
            result = bench.run(shrink.restored(folder))
            if result.wrong:
                print(f"{folder.name}: still {result.wrong}")
                continue
            said = shrink.told(result.code, result.said, bench.game)
            (folder / "expected.txt").write_text(said, encoding="utf-8")
            print(f"{folder.name}: exit {result.code}")
        bench.close()


def main() -> None:
    """Fuzz, and exit 1 when anything was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", default="1", metavar="WORD", help="of chance")
    parser.add_argument("--cases", type=int, default=10_000, metavar="N")
    parser.add_argument("--minutes", type=float, default=60, metavar="M", help="at the most")
    parser.add_argument("--kinds", default="", help=", ".join(KINDS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="where figures are put")
    parser.add_argument("--dry", action="store_true", help="keep no finds")
    parser.add_argument("--case", type=int, metavar="N", help="only this one, told in full")
    parser.add_argument("--expect", action="store_true", help="write the finds' expectations")
    given = parser.parse_args()
    kinds = tuple(kind for kind in given.kinds.split(",") if kind)
    if given.expect:
        expect()
        return
    if given.case is not None:
        one(given.seed, kinds, given.case)
        return
    work = Run(given.seed, kinds, given.cases, given.minutes * 60)
    done = carried_out(work, given.jobs, not given.dry)
    done.figures.write(given.figures)
    print(done.told())
    for wrong, count in done.again.most_common():
        print(f"  {count} × {wrong} (first: case {done.finds[wrong]})")
    sys.exit(1 if done.finds else 0)


if __name__ == "__main__":
    main()
