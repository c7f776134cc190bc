"""What a rule measures, and between which bounds it must lie: plain figures, for those who show how
near a rule is to breaking."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """A figure and its bounds, None for none; a rule that asks for one figure has both alike."""

    what: str
    """Of which cards: `ships`, `ships with kind tug`."""
    figure: float
    least: float | None = None
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the figure lies between its bounds."""
        above = self.least is None or self.figure >= self.least
        return above and (self.most is None or self.figure <= self.most)
