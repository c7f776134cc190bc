"""What was seen of a page's colours while they became inks."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.pdf.press.condition import Cmyk
from cardgen.pdf.press.separating import Rgb


@dataclass
class Seen:
    """Of a page, form or picture: its colours and what they became, those that were written as
    inks and stay so, the names of its spot inks, and the most ink of anything on it, in %."""

    colours: dict[Rgb, Cmyk] = field(default_factory=dict)
    said: set[Cmyk] = field(default_factory=set)
    spots: set[str] = field(default_factory=set)
    before: float = 0.0
    after: float = 0.0

    def took(self, before: float, after: float) -> None:
        """Note how much ink something takes, without a bound and with it."""
        self.before, self.after = max(self.before, before), max(self.after, after)

    def add(self, other: Seen) -> None:
        """What something seen on its own adds to what it stands on."""
        self.colours.update(other.colours)
        self.said |= other.said
        self.spots |= other.spots
        self.took(other.before, other.after)

    @property
    def rich_blacks(self) -> list[Cmyk]:
        """Blacks of several inks that the designer asked for."""
        return sorted(each for each in self.said if each[3] >= 0.9 and sum(each[:3]) > 0)
