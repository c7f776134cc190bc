"""One command, measured: time, processor time, memory of its largest process. Needs `os.wait4`."""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ADOPT = 36
"""prctl's PR_SET_CHILD_SUBREAPER: what a command leaves behind becomes our child, and counts."""


@dataclass(frozen=True)
class Run:
    """Seconds, seconds of processor time of all its processes, MB of the largest of them."""

    seconds: float
    processor: float
    memory: float


def adopt_orphans() -> None:
    """Count the processes that outlive the one that started them, where the system can (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)


def measured(command: Sequence[str], folder: Path | None = None) -> Run:
    """Run a command to the end of its last process; exits with its words if it fails."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        started = time.perf_counter()
        said = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}\n{said}")
    processor, memory = used.ru_utime + used.ru_stime, used.ru_maxrss
    while True:
        try:
            _, _, used = os.wait4(-1, 0)
        except ChildProcessError:
            unit = 1024**2 if sys.platform == "darwin" else 1024
            return Run(seconds, processor, memory / unit)
        processor += used.ru_utime + used.ru_stime
        memory = max(memory, used.ru_maxrss)


def median(runs: Sequence[Run]) -> Run:
    """The median of each figure."""
    return Run(
        statistics.median(run.seconds for run in runs),
        statistics.median(run.processor for run in runs),
        statistics.median(run.memory for run in runs),
    )
