"""Pages for the contact sheet that say what a deck is made of: tables with bars, in two columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from cardgen.base.units import Box, Size
from cardgen.game.model import Deck, Game
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import Crossed, DeckStats, Figures, Value
from cardgen.rules.odds.shares import rounded
from cardgen.sheets.captions import SLUG_GREY, Line
from cardgen.templates.expressions import Database
from cardgen.words.languages import decimal_sign, words_of

MARGIN, HEAD = 8.0, 9.0
_GUTTER = 10.0
_ROW, _AFTER = 4.3, 5.5
_NAME, _SEEN = 28.0, 7.6
_SIZE, _SMALL, _LARGE = 7.0, 6.0, 9.0
_LETTERS = 24
"""So many letters of a name have room."""


@dataclass(frozen=True)
class Word:
    """A line at a place, mm; at its right end where it stands under others like it."""

    line: Line
    x: float
    y: float
    size: float
    right: bool = False


@dataclass(frozen=True)
class StatsPage:
    """Words and bars on a paper of that size, in mm from its lower left corner."""

    title: str
    size: Size
    words: tuple[Word, ...]
    bars: tuple[Box, ...]


@dataclass
class _Drawn:
    """What is drawn of a table from its upper left corner: mm to the right, and down."""

    words: list[Word]
    bars: list[Box]
    height: float = 0.0

    def say(self, text: str, x: float, size: float = _SIZE, *, pale: bool = False) -> None:
        self._put(text, x, size, pale, right=False)

    def right(self, text: str, x: float, size: float = _SIZE, *, pale: bool = False) -> None:
        """A figure that ends at x."""
        self._put(text, x, size, pale, right=True)

    def _put(self, text: str, x: float, size: float, pale: bool, *, right: bool) -> None:
        grey = SLUG_GREY if pale else 0.0
        self.words.append(Word(Line(text, grey), x, -self.height - 3.1, size, right))

    def bar(self, share: float, x: float, width: float) -> None:
        if share > 0:
            top = -self.height - 0.9
            self.bars.append(Box(x, top - 2.5, x + max(0.4, share * width), top))

    def row(self) -> None:
        self.height += _ROW


@dataclass(frozen=True)
class _Table:
    """How tables are written in one language, in a column of that width."""

    words: dict[str, str]
    named: Callable[[str], str]
    point: str
    width: float

    def of_values(self, name: str, values: Sequence[Value], stats: DeckStats) -> _Drawn:
        drawn = _Drawn([], [])
        drawn.say(name, 0, _LARGE)
        seen = self.width - _SEEN * len(stats.draws)
        drawn.right(self.words["cards"], seen - 12, _SMALL, pale=True)
        drawn.right(self.words["seen"], seen + _SEEN - 3, _SMALL, pale=True)
        for number, draws in enumerate(stats.draws, 1):
            drawn.right(str(draws), seen + _SEEN * number, _SMALL, pale=True)
        drawn.row()
        most = max(value.cards for value in values) or 1
        for value in values:
            drawn.say(self.named(value.name), 0)
            drawn.bar(value.cards / most, _NAME, seen - 12 - 8 - _NAME)
            drawn.right(str(value.cards), seen - 12)
            drawn.right(rounded(Fraction(value.cards, stats.cards)), seen - 2)
            for number, share in enumerate(value.seen, 1):
                drawn.right(rounded(share), seen + _SEEN * number, pale=True)
            drawn.row()
        return drawn

    def of_figures(self, figures: Figures) -> _Drawn:
        drawn = _Drawn([], [])
        drawn.say(figures.field, 0, _LARGE)
        mean = f"{float(figures.mean):.3g}".replace(".", self.point)
        quartiles = " · ".join(f"{each:g}" for each in figures.quartiles).replace(".", self.point)
        said = f"{self.words['mean']} {mean}, {self.words['quartiles']} {quartiles}"
        drawn.right(said, self.width, _SMALL, pale=True)
        drawn.row()
        most = max(count for _, count in figures.bars)
        for name, count in figures.bars:
            drawn.right(name.replace(".", self.point), _NAME - 3)
            drawn.bar(count / most, _NAME, self.width - _NAME - 8)
            drawn.right(str(count), self.width)
            drawn.row()
        return drawn

    def of_crossed(self, crossed: Crossed) -> _Drawn:
        drawn = _Drawn([], [])
        drawn.say(f"{crossed.down} × {crossed.across}", 0, _LARGE)
        drawn.row()
        step = (self.width - _NAME) / len(crossed.columns)
        for number, name in enumerate(crossed.columns, 1):
            drawn.right(self.named(name)[: max(4, int(step / 1.4))], _NAME + step * number, _SMALL)
        drawn.row()
        for name, counts in crossed.rows:
            drawn.say(self.named(name), 0)
            for number, count in enumerate(counts, 1):
                drawn.right(str(count or "·"), _NAME + step * number, pale=not count)
            drawn.row()
        return drawn


def pages(game: Game, deck: Deck, language: str, paper: Size) -> list[StatsPage]:
    """What the deck is made of, on as many pages as it takes; none where there is nothing to
    count."""
    stats = deck_stats.of(deck, Database(game, language))
    width = (paper.width - 2 * MARGIN - _GUTTER) / 2
    table = _Table(
        words_of("stats", language), partial(_named, game, language), decimal_sign(language), width
    )
    title = f"{game.title.spoken(language)}  ·  {deck.title.spoken(language)}  ·  {stats.cards}"
    tables = [drawn for drawn in _tables(table, stats) if drawn.words]
    return [*_flowed(tables, title, paper, width)] if tables and stats.cards else []


def _tables(table: _Table, stats: DeckStats) -> Iterator[_Drawn]:
    for kinds in stats.kinds:
        if not kinds.ticks and len(kinds.values) > 1:
            yield table.of_values(kinds.field, kinds.values, stats)
    ticks = [value for kinds in stats.kinds if kinds.ticks for value in kinds.ticked()]
    if ticks:
        yield table.of_values(table.words["ticked"], ticks, stats)
    for figures in stats.figures:
        if len(figures.bars) > 1:
            yield table.of_figures(figures)
    if stats.crossed and len(stats.crossed.columns) <= deck_stats.FEW:
        yield table.of_crossed(stats.crossed)


def _flowed(tables: Sequence[_Drawn], title: str, paper: Size, width: float) -> Iterator[StatsPage]:
    """The tables one below the other, in two columns a page."""
    heading = Word(Line(title), MARGIN, paper.height - MARGIN - 4, 11)
    words, bars = [heading], list[Box]()
    top = paper.height - MARGIN - HEAD
    column, y = 0, top
    for drawn in tables:
        if y < top and y - drawn.height < MARGIN:
            column, y = column + 1, top
        if column == 2:
            yield StatsPage(title, paper, tuple(words), tuple(bars))
            words, bars, column = [heading], [], 0
        x = MARGIN + column * (width + _GUTTER)
        words += [Word(w.line, x + w.x, y + w.y, w.size, w.right) for w in drawn.words]
        bars += [Box(x + b.left, y + b.bottom, x + b.right, y + b.top) for b in drawn.bars]
        y -= drawn.height + _AFTER
    yield StatsPage(title, paper, tuple(words), tuple(bars))


def _named(game: Game, language: str, name: str) -> str:
    """A value by the game's own word for it, if there is one."""
    known = game.words.get(name)
    text = known.spoken(language) if known is not None else name
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
