"""What a command looked at in a game's folder, and how it was then: while all of it is as it was,
the command has nothing to do.

`paths`, the one way in, tells everything here: files that were read, and those that were not there;
folders that were listed; links that were followed. A note is made from what was opened, so that a
file which changes while it is read differs from its note ever after.
"""

from __future__ import annotations

import os
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

Stamp = tuple[int, ...]
"""When a file was changed, by its owner and at all, ns; its bytes, its number. Empty for none."""
_COARSE, _FINE = 2_000_000_000, 50_000_000
"""How far behind the clock a file's time may be, ns: where the disk knows whole seconds (or two),
and where it knows less than hundredths."""
_HUNDREDTH = 10_000_000
_MADE = f"build{os.sep}"
_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"


def stamp_of(told: os.stat_result) -> Stamp:
    """What changes whenever a file does: more than its time, which anybody may set."""
    return told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino


def stamp(path: str | Path, *, follow: bool = True) -> Stamp:
    """How a file or folder is at this moment. One that leads nowhere is told from none."""
    for followed in (follow, False):
        try:
            return stamp_of(os.stat(path, follow_symlinks=followed))  # noqa: PTH116 - of thousands
        except (OSError, ValueError):
            continue
    return ()


def is_folder(path: str | Path) -> bool:
    """Whether a folder stands there, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


@dataclass
class Notes:
    """What was looked at in a game's folder, by its path there, since a moment (ns of the clock).

    `whole` says whether that is all that was looked at, and each was found the same every time.
    What stands in its build folder is not noted, nor is cardgen's own code.
    """

    root: Path
    began: int
    seen: dict[str, Stamp] = field(default_factory=dict)
    whole: bool = True

    def add(self, path: str, found: Stamp) -> None:
        if path.startswith(f"{self.root}{os.sep}"):
            name = path[len(str(self.root)) + 1 :]
            if not name.startswith(_MADE) and self.seen.setdefault(name, found) != found:
                self.whole = False
        elif not path.startswith(_PACKAGE):
            self.whole = False

    def led_to(self, path: str) -> None:
        if path.startswith(f"{self.root}{os.sep}{_MADE}"):
            self.whole = False

    def fresh(self) -> bool:
        """Whether anything might have changed after it was looked at without a trace: its time is
        no older than the moment when the command began."""
        times = {time for found in self.seen.values() for time in found[:2]}
        return any(each + _grain(each) >= self.began for each in times)


def _grain(moment: int) -> int:
    return _FINE if moment % _HUNDREDTH else _COARSE


_notes: list[Notes] = []


def begin(root: Path) -> None:
    """Forget what was noted, and note all that is looked at from now on."""
    _notes[:] = [Notes(root, time.time_ns())]


def end() -> Notes | None:
    """What was noted since `begin`; from now on nothing is."""
    return _notes.pop() if _notes else None


def note(path: str | Path, found: Stamp) -> None:
    """A file or folder was looked at, and was like that."""
    if _notes:
        _notes[0].add(str(path), found)


def led_to(path: Path) -> None:
    """A name or link of the game led there: into its build folder, maybe, where nothing is noted
    because the command itself is at work there."""
    if _notes:
        _notes[0].led_to(str(path))


def look(path: str | Path) -> None:
    """The same, however it is at this moment."""
    if _notes:
        note(path, stamp(path))
