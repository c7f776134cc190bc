"""Ranges of numbers such as `2-4,7`: sheets to print again, or places to skip."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_SPAN_PATTERN = re.compile(r"([0-9]{1,5})(?:\s*-\s*([0-9]{1,5}))?\Z")


@dataclass(frozen=True)
class NumberRanges:
    """Ordered, separate spans of whole numbers from 1, as (first, last)."""

    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(f"{a}-{b}" if b > a else f"{a}" for a, b in self.spans)

    def list_beyond(self, limit: int) -> NumberRanges:
        """Return the spans of numbers above a limit."""
        return NumberRanges(tuple((max(a, limit + 1), b) for a, b in self.spans if b > limit))


ALL_NUMBERS = NO_NUMBERS = NumberRanges()
"""No numbers given. For sheets to print it means all, for places to skip none."""


def parse_numbers(text: str) -> NumberRanges | None:
    """Parse text such as `2-4,7`; return None if it is malformed."""
    spans: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _SPAN_PATTERN.match(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            return None
        spans.append((first, last))
    return NumberRanges(_join_spans(spans))


def find_spans(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return numbers as ordered spans (first, last)."""
    return _join_spans((number, number) for number in numbers)


def _join_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return ordered spans with adjacent ones joined."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)
