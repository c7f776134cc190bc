"""The size of a text that is fitted to its box: the largest tenth of a point at which it fits.

A box is tried by itself first, within its ancestors and without what stands beside it: that costs
a small part of a whole layout. What was found so is believed where the whole face, laid out with
it, shows the same box; a box that hangs on what stands beside it is fitted in whole layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgen.core.problems import Diagnostic
from cardgen.faces.measurement import TOLERANCE_MM, Overflow

_STEP_PT = 0.1
_MAX_ROUNDS = 16
_TOLERANCE_MM = 1e-6
"""Two layouts of one thing differ by less, since they reckon from other places of the page."""


@dataclass(frozen=True)
class FitMeasurement:
    """A fitted box as it was laid out: its content's size, and by how much text passes it; mm."""

    width: float
    height: float
    excess_height: float
    excess_width: float

    def is_close_to(self, other: FitMeasurement) -> bool:
        """Whether the same was laid out."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(abs(one - two) < _TOLERANCE_MM for one, two in pairs)


def group_measurements(overflows: Iterable[Overflow]) -> dict[str, list[FitMeasurement]]:
    """What a layout shows of fitted boxes, by their ids; of one that is in pieces, each."""
    found: dict[str, list[FitMeasurement]] = {}
    for each in overflows:
        if each.fit_id:
            seen = FitMeasurement(each.width, each.height, each.excess_height, each.excess_width)
            found.setdefault(each.fit_id, []).append(seen)
    return found


@dataclass
class SizeSearch:
    """The search for one box's size in pt, from its largest."""

    smallest: float
    largest: float
    size: float = field(init=False)
    best: float | None = field(init=False, default=None)
    attempts: int = field(init=False, default=0)
    _low: float = field(init=False)
    _high: float = field(init=False)

    def __post_init__(self) -> None:
        self._low, self._high, self.size = self.smallest, self.largest, self.largest

    @property
    def is_finished(self) -> bool:
        """Whether `size` is the answer."""
        return self._low > self._high

    def add_measurement(self, tall: float, wide: float) -> bool:
        """Take in a measurement at `size`; whether there is another size to lay out."""
        self.attempts += 1
        if max(tall, wide) <= TOLERANCE_MM:
            self.best = self.size
            self._low = round(self.size + _STEP_PT, 1)
        else:
            self._high = round(self.size - _STEP_PT, 1)
        if self.is_finished or self.attempts >= _MAX_ROUNDS:
            final = self.best if self.best is not None else self.smallest
            again, self.size = self.size != final, final
            self._low = self._high + 1
            return again
        ratio = 1 + max(0.0, tall, wide) / 25
        guess = self.size / ratio**0.5 if self.attempts == 1 else (self._low + self._high) / 2
        self.size = round(min(self._high, max(self._low, guess)), 1)
        return True


@dataclass
class FittedBox:
    """A box to be fitted. `alone` is its element by itself; without one it is fitted in whole
    layouts. `key` stands for all that decides its size."""

    name: str
    smallest: float
    largest: float
    standalone: Any = None
    key: str = ""
    search: SizeSearch = field(init=False)
    is_settled: bool = False
    """Whether `expected` is what the whole face must show at this size, None for nothing."""
    expected: FitMeasurement | None = None
    measurements: dict[float, FitMeasurement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.search = SizeSearch(self.smallest, self.largest)

    @property
    def size(self) -> float:
        """The size to lay it out at, in pt."""
        return self.search.size

    def accept_size(self, size: float, expected: FitMeasurement | None) -> None:
        """Take a size as found."""
        self.search.size, self.expected, self.is_settled = size, expected, True

    def restart(self) -> None:
        """Begin anew, in whole layouts."""
        self.search, self.is_settled, self.standalone = (
            SizeSearch(self.smallest, self.largest),
            False,
            None,
        )

    def is_as_expected(self, found: Sequence[FitMeasurement]) -> bool:
        """Whether the whole face shows what the box showed by itself."""
        if self.expected is None:
            return not found
        return len(found) == 1 and self.expected.is_close_to(found[0])

    def add_standalone_measurement(self, found: Sequence[FitMeasurement]) -> bool:
        """Take in what the box by itself showed; whether to try another size."""
        if not found and not self.measurements:
            self.accept_size(self.size, None)  # no text in it
            return False
        first = next(iter(self.measurements.values()), None)
        if len(found) != 1 or (first and not _is_same_box(first, found[0])):
            self.restart()  # in pieces, or its own size hangs on that of its text
            return False
        self.measurements[self.size] = found[0]
        again = self.search.add_measurement(found[0].excess_height, found[0].excess_width)
        if again and self.search.is_finished and self.size in self.measurements:
            again = False
        if not again:
            self.accept_size(self.size, self.measurements[self.size])
        return again


def _is_same_box(one: FitMeasurement, two: FitMeasurement) -> bool:
    return (
        abs(one.width - two.width) < _TOLERANCE_MM and abs(one.height - two.height) < _TOLERANCE_MM
    )


LayoutProbe = Callable[[Sequence[FittedBox]], Mapping[str, Sequence[FitMeasurement]]]
"""Lays out boxes by themselves, each at its size; what was shown of them, by their names."""


def fit_standalone_boxes(fits: Iterable[FittedBox], probe: LayoutProbe) -> None:
    """Find the size of every box by itself; of those of one key once."""
    alike: dict[str, list[FittedBox]] = {}
    for fit in fits:
        if fit.standalone is not None and not fit.is_settled:
            alike.setdefault(fit.key, []).append(fit)
    pending = [group[0] for group in alike.values()]
    while pending:
        found = probe(pending)
        pending = [
            fit for fit in pending if fit.add_standalone_measurement(found.get(fit.name, ()))
        ]
    for first, *others in alike.values():
        for fit in others:
            if first.is_settled:
                fit.accept_size(first.size, first.expected)
            else:
                fit.restart()


def update_fits(fits: Sequence[FittedBox], found: Mapping[str, Sequence[FitMeasurement]]) -> bool:
    """Hold the boxes of a face against what its whole layout shows; whether it must be laid out
    again. Boxes that are not as they were by themselves are fitted in whole layouts from then on,
    and when others are not so after that, all of the face's are."""
    again = False
    searching = [fit for fit in fits if not fit.is_settled]
    for fit in searching:
        for each in found.get(fit.name, ()):
            if not fit.search.is_finished:
                again = fit.search.add_measurement(each.excess_height, each.excess_width) or again
    if again:
        return True
    wrong = [
        fit for fit in fits if fit.is_settled and not fit.is_as_expected(found.get(fit.name, ()))
    ]
    for fit in fits if wrong and searching else wrong:
        fit.restart()
    return bool(wrong)


TIGHTEST_KIND = "tightest"
"""The kind of a remark that is no problem: what the tightest box of a face leaves."""


class Tightness(NamedTuple):
    """What a box leaves, the tightest first: less than 0 mm where its text passes it, else 0; how
    many pt its text is above its smallest size; and how many mm are left in it."""

    excess_mm: float
    spare_pt: float
    free_mm: float


def record_tightness(found: Iterable[Overflow], fits: Mapping[str, FittedBox]) -> list[Diagnostic]:
    """What the tightest of a face's fitted boxes leaves; nothing where none is fitted."""
    boxes = [_measure_tightness(each, fits[each.fit_id]) for each in found if each.fit_id in fits]
    return (
        [Diagnostic(TIGHTEST_KIND, "warning", "", _format_tightness(min(boxes)))] if boxes else []
    )


def read_tightness(remarks: Iterable[Diagnostic]) -> Tightness | None:
    """What was told of a face; None where none of its texts is fitted."""
    for remark in remarks:
        if remark.kind == TIGHTEST_KIND:
            return Tightness(*map(float, remark.message.split()))
    return None


def _measure_tightness(found: Overflow, fit: FittedBox) -> Tightness:
    past = max(found.excess_height, found.excess_width)
    over = -past if past > TOLERANCE_MM else 0.0
    return Tightness(over, fit.size - fit.smallest, max(0.0, -found.excess_height))


def _format_tightness(tightness: Tightness) -> str:
    return " ".join(f"{round(part, 2) + 0.0:g}" for part in tightness)
