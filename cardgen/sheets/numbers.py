"""Numbers of sheets, as one says which to print again: `2-4,7`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPAN = re.compile(r"([0-9]{1,5})(?:\s*-\s*([0-9]{1,5}))?\Z")


@dataclass(frozen=True)
class Numbers:
    """Spans of whole numbers from 1, first and last, in order and apart. Without any, it is all."""

    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(f"{a}-{b}" if b > a else f"{a}" for a, b in self.spans)

    def beyond(self, most: int) -> Numbers:
        """Those that are larger."""
        return Numbers(tuple((max(a, most + 1), b) for a, b in self.spans if b > most))


ALL = Numbers()


def parse(text: str) -> Numbers | None:
    """The numbers that `2-4,7` names; None for what names none."""
    spans: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _SPAN.match(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            return None
        spans.append((first, last))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return Numbers(tuple(joined))
