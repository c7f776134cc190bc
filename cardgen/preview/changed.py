"""When each face last came to look otherwise, over restarts too."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

_PICTURE = re.compile(r"[0-9a-z]{1,64}\Z")
_LATEST = 1 << 40


@dataclass
class Times:
    """Of each face by its name: its picture, and since when it has that one, s of the epoch."""

    known: dict[str, tuple[str, int]] = field(default_factory=dict)
    is_new: bool = True
    """Whether nothing was known when it began: then nothing has changed yet."""
    unwritten: bool = False

    @classmethod
    def read(cls, kept: Any) -> Times:
        """What was kept; nothing where that is none of ours."""
        given = kept.items() if isinstance(kept, dict) else ()
        known = {
            name: (each[0], each[1])
            for name, each in given
            if isinstance(each, list) and len(each) == 2
            if isinstance(each[0], str) and _PICTURE.match(each[0])
            if isinstance(each[1], int) and 0 <= each[1] < _LATEST
        }
        return cls(known, is_new=not known)

    def see(self, name: str, picture: str) -> None:
        """A face looks like this now; one that cannot be drawn looks as it did."""
        old, _ = self.known.get(name, ("", 0))
        if picture and picture != old:
            self.known[name] = picture, 0 if self.is_new else int(time.time())
            self.unwritten = True

    def keep(self, names: Iterable[str]) -> None:
        """Forget all faces but these: all that there are."""
        gone = self.known.keys() - set(names)
        for name in gone:
            del self.known[name]
        self.is_new = self.is_new and not self.known

    def of(self, name: str) -> int:
        """Since when a face looks as it does; 0 where that was before anybody looked."""
        return self.known.get(name, ("", 0))[1]

    def written(self) -> dict[str, tuple[str, int]]:
        """What is to be kept."""
        self.unwritten = False
        return self.known
