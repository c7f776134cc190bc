"""The size of a text that is fitted to its box: the largest tenth of a point at which it fits.

A box is tried by itself first, within its ancestors and without what stands beside it: that costs
a small part of a whole layout. What was found so is believed where the whole face, laid out with
it, shows the same box; a box that hangs on what stands beside it is fitted in whole layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.faces.measure import TOLERANCE_MM, Overflow

_STEP = 0.1
_ROUNDS = 16
_SAME_MM = 1e-6
"""Two layouts of one thing differ by less, since they reckon from other places of the page."""


@dataclass(frozen=True)
class Shown:
    """A fitted box as it was laid out: its content's size, and by how much text passes it; mm."""

    width: float
    height: float
    tall: float
    wide: float

    def is_like(self, other: Shown) -> bool:
        """Whether the same was laid out."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(abs(one - two) < _SAME_MM for one, two in pairs)


def shown(overflows: Iterable[Overflow]) -> dict[str, list[Shown]]:
    """What a layout shows of fitted boxes, by their ids; of one that is in pieces, each."""
    found: dict[str, list[Shown]] = {}
    for each in overflows:
        if each.box:
            seen = Shown(each.width, each.height, each.tall, each.wide)
            found.setdefault(each.box, []).append(seen)
    return found


@dataclass
class Search:
    """The search for one box's size in pt, from its largest."""

    smallest: float
    largest: float
    size: float = field(init=False)
    best: float | None = field(init=False, default=None)
    tried: int = field(init=False, default=0)
    _low: float = field(init=False)
    _high: float = field(init=False)

    def __post_init__(self) -> None:
        self._low, self._high, self.size = self.smallest, self.largest, self.largest

    @property
    def over(self) -> bool:
        """Whether `size` is the answer."""
        return self._low > self._high

    def learn(self, tall: float, wide: float) -> bool:
        """Take in a measurement at `size`; whether there is another size to lay out."""
        self.tried += 1
        if max(tall, wide) <= TOLERANCE_MM:
            self.best = self.size
            self._low = round(self.size + _STEP, 1)
        else:
            self._high = round(self.size - _STEP, 1)
        if self.over or self.tried >= _ROUNDS:
            final = self.best if self.best is not None else self.smallest
            again, self.size = self.size != final, final
            self._low = self._high + 1
            return again
        ratio = 1 + max(0.0, tall, wide) / 25
        guess = self.size / ratio**0.5 if self.tried == 1 else (self._low + self._high) / 2
        self.size = round(min(self._high, max(self._low, guess)), 1)
        return True


@dataclass
class Fit:
    """A box to be fitted. `alone` is its element by itself; without one it is fitted in whole
    layouts. `key` stands for all that decides its size."""

    name: str
    smallest: float
    largest: float
    alone: Any = None
    key: str = ""
    search: Search = field(init=False)
    believed: bool = False
    """Whether `expected` is what the whole face must show at this size, None for nothing."""
    expected: Shown | None = None
    seen: dict[float, Shown] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.search = Search(self.smallest, self.largest)

    @property
    def size(self) -> float:
        """The size to lay it out at, in pt."""
        return self.search.size

    def believe(self, size: float, expected: Shown | None) -> None:
        """Take a size as found."""
        self.search.size, self.expected, self.believed = size, expected, True

    def doubt(self) -> None:
        """Begin anew, in whole layouts."""
        self.search, self.believed, self.alone = Search(self.smallest, self.largest), False, None

    def is_as_expected(self, found: Sequence[Shown]) -> bool:
        """Whether the whole face shows what the box showed by itself."""
        if self.expected is None:
            return not found
        return len(found) == 1 and self.expected.is_like(found[0])

    def tried_alone(self, found: Sequence[Shown]) -> bool:
        """Take in what the box by itself showed; whether to try another size."""
        if not found and not self.seen:
            self.believe(self.size, None)  # no text in it
            return False
        first = next(iter(self.seen.values()), None)
        if len(found) != 1 or (first and not _same_box(first, found[0])):
            self.doubt()  # in pieces, or its own size hangs on that of its text
            return False
        self.seen[self.size] = found[0]
        again = self.search.learn(found[0].tall, found[0].wide)
        if again and self.search.over and self.size in self.seen:
            again = False
        if not again:
            self.believe(self.size, self.seen[self.size])
        return again


def _same_box(one: Shown, two: Shown) -> bool:
    return abs(one.width - two.width) < _SAME_MM and abs(one.height - two.height) < _SAME_MM


Probe = Callable[[Sequence[Fit]], Mapping[str, Sequence[Shown]]]
"""Lays out boxes by themselves, each at its size; what was shown of them, by their names."""


def fit_alone(fits: Iterable[Fit], probe: Probe) -> None:
    """Find the size of every box by itself; of those of one key once."""
    alike: dict[str, list[Fit]] = {}
    for fit in fits:
        if fit.alone is not None and not fit.believed:
            alike.setdefault(fit.key, []).append(fit)
    pending = [group[0] for group in alike.values()]
    while pending:
        found = probe(pending)
        pending = [fit for fit in pending if fit.tried_alone(found.get(fit.name, ()))]
    for first, *others in alike.values():
        for fit in others:
            if first.believed:
                fit.believe(first.size, first.expected)
            else:
                fit.doubt()


def wants_another(fits: Sequence[Fit], found: Mapping[str, Sequence[Shown]]) -> bool:
    """Hold the boxes of a face against what its whole layout shows; whether it must be laid out
    again. Boxes that are not as they were by themselves are fitted in whole layouts from then on,
    and when others are not so after that, all of the face's are."""
    again = False
    searching = [fit for fit in fits if not fit.believed]
    for fit in searching:
        for each in found.get(fit.name, ()):
            if not fit.search.over:
                again = fit.search.learn(each.tall, each.wide) or again
    if again:
        return True
    wrong = [
        fit for fit in fits if fit.believed and not fit.is_as_expected(found.get(fit.name, ()))
    ]
    for fit in fits if wrong and searching else wrong:
        fit.doubt()
    return bool(wrong)
