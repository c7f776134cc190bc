"""Numbers of sheets, as one says which to print again, or of places to skip: `2-4,7`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_SPAN_PATTERN = re.compile(r"([0-9]{1,5})(?:\s*-\s*([0-9]{1,5}))?\Z")


@dataclass(frozen=True)
class NumberRanges:
    """Spans of whole numbers from 1, first and last, in order and apart."""

    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(f"{a}-{b}" if b > a else f"{a}" for a, b in self.spans)

    def list_beyond(self, most: int) -> NumberRanges:
        """Those that are larger."""
        return NumberRanges(tuple((max(a, most + 1), b) for a, b in self.spans if b > most))


ALL_NUMBERS = NO_NUMBERS = NumberRanges()
"""No number is said: of what is wanted that is all, of what is left out nothing."""


def parse_numbers(text: str) -> NumberRanges | None:
    """The numbers that `2-4,7` names; None for what names none."""
    spans: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _SPAN_PATTERN.match(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            return None
        spans.append((first, last))
    return NumberRanges(_join_spans(spans))


def find_spans(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Numbers as spans, first and last."""
    return _join_spans((number, number) for number in numbers)


def _join_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)
