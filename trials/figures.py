"""What trials came to, as figures that `make trials` puts together."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Figures:
    """One kind of trial: how many of each group were tried and went wrong, the slowest in seconds
    of the processor, the largest in MB, and how long all of it took in seconds."""

    title: str
    groups: dict[str, list[int]] = field(default_factory=dict)
    slowest: float = 0.0
    largest: float = 0.0
    seconds: float = 0.0

    def count(
        self, group: str, *, wrong: bool, seconds: float = 0.0, megabytes: float = 0.0
    ) -> None:
        """One more of a group."""
        tally = self.groups.setdefault(group, [0, 0])
        tally[0] += 1
        tally[1] += wrong
        self.slowest = max(self.slowest, seconds)
        self.largest = max(self.largest, megabytes)

    @property
    def tried(self) -> int:
        return sum(tried for tried, _ in self.groups.values())

    @property
    def wrong(self) -> int:
        return sum(wrong for _, wrong in self.groups.values())

    def write(self, path: Path | None) -> None:
        """Put the figures into a file, if one is asked for."""
        if path is not None:
            path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read(path: Path) -> Figures:
    """The figures of a file."""
    return Figures(**json.loads(path.read_text(encoding="utf-8")))
