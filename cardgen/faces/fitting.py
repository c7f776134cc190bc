"""Fitting of text: the largest size at which a text fits its box, in steps of 0.1 pt or of a list.

The whole face is laid out with all texts at their largest. A box that does not fit is then tried
by itself, within its ancestors and without its siblings, which costs a fraction of a full layout.
The size is accepted if the layout of the whole face shows the same box. A box that depends on its
siblings is fitted in full layouts.
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
"""Numerical difference between two layouts of the same box."""


@dataclass(frozen=True)
class FitMeasurement:
    """Content size of a fitted box and how far its text exceeds it, in mm."""

    width: float
    height: float
    excess_height: float
    excess_width: float

    def is_close_to(self, other: FitMeasurement) -> bool:
        """Return True if both measurements are equal within the tolerance."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(abs(one - two) < _TOLERANCE_MM for one, two in pairs)


def group_measurements(overflows: Iterable[Overflow]) -> dict[str, list[FitMeasurement]]:
    """Return the measurements of fitted boxes by id; a fragmented box has several."""
    measured: dict[str, list[FitMeasurement]] = {}
    for each in overflows:
        if each.fit_id:
            measurement = FitMeasurement(
                each.width, each.height, each.excess_height, each.excess_width
            )
            measured.setdefault(each.fit_id, []).append(measurement)
    return measured


@dataclass
class SizeSearch:
    """Search for the size of one box in pt, starting at the largest.

    With `steps`, sizes from the largest to the smallest, each is tried in turn; without, it is a
    binary search.
    """

    smallest: float
    largest: float
    steps: tuple[float, ...] = ()
    size: float = field(init=False)
    best: float | None = field(init=False, default=None)
    attempts: int = field(init=False, default=0)
    _low: float = field(init=False)
    _high: float = field(init=False)

    def __post_init__(self) -> None:
        self._low, self._high, self.size = self.smallest, self.largest, self.largest

    @property
    def is_finished(self) -> bool:
        """True if `size` is the result."""
        return self._low > self._high

    def add_measurement(self, tall: float, wide: float) -> bool:
        """Use a measurement at `size`; return True if another size must be laid out."""
        self.attempts += 1
        if max(tall, wide) <= TOLERANCE_MM:
            self.best = self.size
            self._low = round(self.size + _STEP_PT, 1)
        else:
            self._high = round(self.size - _STEP_PT, 1)
        if self.steps:
            lower = [each for each in self.steps if each <= self._high]
            if self.best is None and lower:
                self.size = lower[0]
                return True
            self._low = self._high + 1
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
    """A box to fit.

    `steps` are the only sizes allowed, from the largest to the smallest; without them every size
    between the limits is. `standalone` is its element by itself; without it the box is fitted in
    full layouts. `key` is the hash of everything that affects its size.
    """

    name: str
    smallest: float
    largest: float
    steps: tuple[float, ...] = ()
    standalone: Any = None
    key: str = ""
    search: SizeSearch = field(init=False)
    is_settled: bool = False
    """True if `size` is found and `expected` is what the full layout must show, None for no
    text."""
    expected: FitMeasurement | None = None
    measurements: dict[float, FitMeasurement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.search = SizeSearch(self.smallest, self.largest, self.steps)

    @property
    def size(self) -> float:
        """Size to lay out next, in pt."""
        return self.search.size

    def accept_size(self, size: float, expected: FitMeasurement | None) -> None:
        """Set the final size."""
        self.search.size, self.expected, self.is_settled = size, expected, True

    def restart(self) -> None:
        """Start over in full layouts."""
        self.search = SizeSearch(self.smallest, self.largest, self.steps)
        self.is_settled, self.standalone = False, None

    def is_as_expected(self, measured: Sequence[FitMeasurement]) -> bool:
        """Return True if the full layout shows what the standalone layout showed."""
        if self.expected is None:
            return not measured
        return len(measured) == 1 and self.expected.is_close_to(measured[0])

    def add_first_measurement(self, measured: Sequence[FitMeasurement]) -> bool:
        """Use the layout of the whole face at the largest size; return True if it does not fit."""
        if not measured:
            self.accept_size(self.size, None)
            return False
        first = measured[0]
        if len(measured) > 1 or max(first.excess_height, first.excess_width) > TOLERANCE_MM:
            return True
        self.accept_size(self.size, first)
        return False

    def add_standalone_measurement(self, measured: Sequence[FitMeasurement]) -> bool:
        """Use a standalone measurement; return True if another size must be tried."""
        if not measured and not self.measurements:
            self.accept_size(self.size, None)  # it has no text
            return False
        first = next(iter(self.measurements.values()), None)
        if len(measured) != 1 or (first and not _is_same_box(first, measured[0])):
            self.restart()  # fragmented, or as large as its text
            return False
        self.measurements[self.size] = measured[0]
        again = self.search.add_measurement(measured[0].excess_height, measured[0].excess_width)
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
"""Lays out boxes by themselves at their sizes; returns measurements by name."""


def fit_standalone_boxes(fits: Iterable[FittedBox], probe: LayoutProbe) -> None:
    """Find the size of each box by itself, once for boxes of the same key."""
    groups: dict[str, list[FittedBox]] = {}
    for fit in fits:
        if fit.standalone is not None and not fit.is_settled:
            groups.setdefault(fit.key, []).append(fit)
    pending = [group[0] for group in groups.values()]
    while pending:
        measured = probe(pending)
        pending = [
            fit for fit in pending if fit.add_standalone_measurement(measured.get(fit.name, ()))
        ]
    for first, *others in groups.values():
        for fit in others:
            if first.is_settled:
                fit.accept_size(first.size, first.expected)
            else:
                fit.restart()


def update_fits(
    fits: Sequence[FittedBox], measured: Mapping[str, Sequence[FitMeasurement]]
) -> bool:
    """Compare the boxes of a face with its full layout; return True to lay it out again.

    Boxes that differ from their standalone layout are fitted in full layouts from then on. If
    others differ after that, all boxes of the face are.
    """
    again = False
    searching = [fit for fit in fits if not fit.is_settled]
    for fit in searching:
        for each in measured.get(fit.name, ()):
            if not fit.search.is_finished:
                again = fit.search.add_measurement(each.excess_height, each.excess_width) or again
    if again:
        return True
    unexpected = [
        fit for fit in fits if fit.is_settled and not fit.is_as_expected(measured.get(fit.name, ()))
    ]
    for fit in fits if unexpected and searching else unexpected:
        fit.restart()
    return bool(unexpected)


TIGHTEST_KIND = "tightest"
"""Kind of the diagnostic that records how tightly the text of a face is fitted."""


class Tightness(NamedTuple):
    """Space left by a fitted text, in order of urgency.

    `excess_mm` is negative if the text overflows, else 0. `spare_pt` is the distance to the
    smallest size; `free_mm` the space left below the text.
    """

    excess_mm: float
    spare_pt: float
    free_mm: float


def record_tightness(
    measured: Iterable[Overflow], fits: Mapping[str, FittedBox]
) -> list[Diagnostic]:
    """Return a diagnostic for the tightest fitted box, or nothing without one."""
    boxes = [
        _measure_tightness(each, fits[each.fit_id]) for each in measured if each.fit_id in fits
    ]
    return (
        [Diagnostic(TIGHTEST_KIND, "warning", "", _format_tightness(min(boxes)))] if boxes else []
    )


def read_tightness(remarks: Iterable[Diagnostic]) -> Tightness | None:
    """Return the tightness recorded for a face, or None if it has no fitted text."""
    for remark in remarks:
        if remark.kind == TIGHTEST_KIND:
            return Tightness(*map(float, remark.message.split()))
    return None


def _measure_tightness(measured: Overflow, fit: FittedBox) -> Tightness:
    past = max(measured.excess_height, measured.excess_width)
    others = -past if past > TOLERANCE_MM else 0.0
    return Tightness(others, fit.size - fit.smallest, max(0.0, -measured.excess_height))


def _format_tightness(tightness: Tightness) -> str:
    return " ".join(f"{round(part, 2) + 0.0:g}" for part in tightness)
