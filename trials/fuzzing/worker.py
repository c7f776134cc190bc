"""Commands in processes that are forked from one in which cardgen is loaded already."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from pkgutil import walk_packages

import cardgen
from cardgen.core import work_limits

_FORKS = multiprocessing.get_context("forkserver")
_LOADED = [module.name for module in walk_packages(cardgen.__path__, "cardgen.")]
_FORKS.set_forkserver_preload(["__main__", "weasyprint", "pathops", "fontTools.subset", *_LOADED])


@dataclass(frozen=True)
class Forked:
    """Such a process, asked as one of `subprocess` is."""

    process: BaseProcess

    @property
    def pid(self) -> int:
        return self.process.pid or 0

    @property
    def returncode(self) -> int:
        return self.process.exitcode or 0

    def poll(self) -> int | None:
        """Its exit code; None while it is at work."""
        return self.process.exitcode

    def wait(self) -> int | None:
        """Its exit code, once it has ended."""
        self.process.join()
        return self.process.exitcode


@contextmanager
def forked(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None
) -> Iterator[tuple[Forked, Path]]:
    """A command of cardgen at work, in a session of its own; see `trials.running.begun`."""
    with tempfile.TemporaryDirectory(prefix="trial-said-") as scratch:
        given = (list(command), str(folder), dict(environment or os.environ), scratch)
        process = _FORKS.Process(target=_serve, args=given)
        process.start()
        try:
            yield Forked(process), Path(scratch)
        finally:
            process.kill()
            process.join()


def _serve(command: list[str], folder: str, environment: dict[str, str], scratch: str) -> None:
    """Run a command as the command line would, below its supervisor."""
    os.setsid()
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(Path(scratch) / name, os.O_CREAT | os.O_WRONLY), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(folder)
    os.environ.update(environment)
    tempfile.tempdir = None  # that of the environment
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=False)
    resource.setrlimit(resource.RLIMIT_AS, (work_limits.MEMORY_BYTES, work_limits.MEMORY_BYTES))
    from cardgen.cli import main  # noqa: PLC0415

    os.cpu_count = lambda: 1  # starting helpers takes longer than what small games ask of them
    sys.argv = ["cardgen", *command]
    main()
