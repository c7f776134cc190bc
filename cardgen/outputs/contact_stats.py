"""Statistics of a deck for the contact sheet: tables with bars, in two columns a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from cardgen.core.units import Box, Size
from cardgen.game.model import Deck, Game
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import CrossTable, DeckStats, NumberStats, ValueCount
from cardgen.rules.odds.distributions import format_rounded_share
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionLine
from cardgen.templates.expressions import CardDatabase
from cardgen.words.languages import get_decimal_sign, get_words

STATS_MARGIN_MM, STATS_HEADING_MM = 8.0, 9.0
_GUTTER_MM = 10.0
_ROW_MM, _TABLE_GAP_MM = 4.3, 5.5
_NAME_COLUMN_MM, _SHARE_COLUMN_MM = 28.0, 7.6
_FONT_PT, _SMALL_FONT_PT, _LARGE_FONT_PT = 7.0, 6.0, 9.0
_MAX_NAME_LENGTH = 24


@dataclass(frozen=True)
class StatsText:
    """A line of text at a place in mm. With `align_right` it ends there."""

    line: CaptionLine
    x: float
    y: float
    size: float
    align_right: bool = False


@dataclass(frozen=True)
class StatsPage:
    """Texts and bars on a page, in mm from its lower left corner."""

    title: str
    size: Size
    words: tuple[StatsText, ...]
    bars: tuple[Box, ...]


@dataclass
class _TableDrawing:
    """Texts and bars of a table in mm from its upper left corner. `height` grows row by row."""

    words: list[StatsText]
    bars: list[Box]
    height: float = 0.0

    def write_text(
        self, text: str, x: float, size: float = _FONT_PT, *, pale: bool = False
    ) -> None:
        self._add_text(text, x, size, pale, right=False)

    def write_number(
        self, text: str, x: float, size: float = _FONT_PT, *, pale: bool = False
    ) -> None:
        """Write a number that ends at x."""
        self._add_text(text, x, size, pale, right=True)

    def _add_text(self, text: str, x: float, size: float, pale: bool, *, right: bool) -> None:
        grey = SLUG_GREY if pale else 0.0
        self.words.append(StatsText(CaptionLine(text, grey), x, -self.height - 3.1, size, right))

    def draw_bar(self, share: float, x: float, width: float) -> None:
        if share > 0:
            top = -self.height - 0.9
            self.bars.append(Box(x, top - 2.5, x + max(0.4, share * width), top))

    def advance_row(self) -> None:
        self.height += _ROW_MM


@dataclass(frozen=True)
class _StatsTables:
    """Draws tables in one language, in a column `width` mm wide."""

    words: dict[str, str]
    translate: Callable[[str], str]
    decimal_point: str
    width: float

    def draw_values(
        self, name: str, values: Sequence[ValueCount], stats: DeckStats
    ) -> _TableDrawing:
        drawn = _TableDrawing([], [])
        drawn.write_text(name, 0, _LARGE_FONT_PT)
        seen = self.width - _SHARE_COLUMN_MM * len(stats.draws)
        drawn.write_number(self.words["cards"], seen - 12, _SMALL_FONT_PT, pale=True)
        drawn.write_number(
            self.words["seen"], seen + _SHARE_COLUMN_MM - 3, _SMALL_FONT_PT, pale=True
        )
        for number, draws in enumerate(stats.draws, 1):
            drawn.write_number(
                str(draws), seen + _SHARE_COLUMN_MM * number, _SMALL_FONT_PT, pale=True
            )
        drawn.advance_row()
        most = max(value.cards for value in values) or 1
        for value in values:
            drawn.write_text(self.translate(value.name), 0)
            drawn.draw_bar(value.cards / most, _NAME_COLUMN_MM, seen - 12 - 8 - _NAME_COLUMN_MM)
            drawn.write_number(str(value.cards), seen - 12)
            drawn.write_number(format_rounded_share(Fraction(value.cards, stats.cards)), seen - 2)
            for number, share in enumerate(value.chances, 1):
                drawn.write_number(
                    format_rounded_share(share), seen + _SHARE_COLUMN_MM * number, pale=True
                )
            drawn.advance_row()
        return drawn

    def draw_figures(self, figures: NumberStats) -> _TableDrawing:
        drawn = _TableDrawing([], [])
        drawn.write_text(figures.field, 0, _LARGE_FONT_PT)
        mean = f"{float(figures.mean):.3g}".replace(".", self.decimal_point)
        quartiles = " · ".join(f"{each:g}" for each in figures.quartiles).replace(
            ".", self.decimal_point
        )
        said = f"{self.words['mean']} {mean}, {self.words['quartiles']} {quartiles}"
        drawn.write_number(said, self.width, _SMALL_FONT_PT, pale=True)
        drawn.advance_row()
        most = max(count for _, count in figures.bars)
        for name, count in figures.bars:
            drawn.write_number(name.replace(".", self.decimal_point), _NAME_COLUMN_MM - 3)
            drawn.draw_bar(count / most, _NAME_COLUMN_MM, self.width - _NAME_COLUMN_MM - 8)
            drawn.write_number(str(count), self.width)
            drawn.advance_row()
        return drawn

    def draw_cross_table(self, crossed: CrossTable) -> _TableDrawing:
        drawn = _TableDrawing([], [])
        drawn.write_text(f"{crossed.row_field} × {crossed.column_field}", 0, _LARGE_FONT_PT)
        drawn.advance_row()
        step = (self.width - _NAME_COLUMN_MM) / len(crossed.columns)
        for number, name in enumerate(crossed.columns, 1):
            drawn.write_number(
                self.translate(name)[: max(4, int(step / 1.4))],
                _NAME_COLUMN_MM + step * number,
                _SMALL_FONT_PT,
            )
        drawn.advance_row()
        for name, counts in crossed.rows:
            drawn.write_text(self.translate(name), 0)
            for number, count in enumerate(counts, 1):
                drawn.write_number(
                    str(count or "·"), _NAME_COLUMN_MM + step * number, pale=not count
                )
            drawn.advance_row()
        return drawn


def build_stats_pages(game: Game, deck: Deck, language: str, paper: Size) -> list[StatsPage]:
    """Return the pages about a deck. A deck without anything to count has none."""
    stats = deck_stats.measure_deck(deck, CardDatabase(game, language))
    width = (paper.width - 2 * STATS_MARGIN_MM - _GUTTER_MM) / 2
    table = _StatsTables(
        get_words("stats", language),
        partial(_translate_value, game, language),
        get_decimal_sign(language),
        width,
    )
    title = f"{game.title.get_plain_text(language)}  ·  {deck.title.get_plain_text(language)}  ·  {stats.cards}"
    tables = [drawn for drawn in _draw_tables(table, stats) if drawn.words]
    return [*_flow_tables(tables, title, paper, width)] if tables and stats.cards else []


def _draw_tables(table: _StatsTables, stats: DeckStats) -> Iterator[_TableDrawing]:
    for kinds in stats.categories:
        if not kinds.is_boolean and len(kinds.values) > 1:
            yield table.draw_values(kinds.field, kinds.values, stats)
    ticks = [
        value for kinds in stats.categories if kinds.is_boolean for value in kinds.true_value()
    ]
    if ticks:
        yield table.draw_values(table.words["ticked"], ticks, stats)
    for figures in stats.numbers:
        if len(figures.bars) > 1:
            yield table.draw_figures(figures)
    if stats.cross_table and len(stats.cross_table.columns) <= deck_stats.MAX_VALUES:
        yield table.draw_cross_table(stats.cross_table)


def _flow_tables(
    tables: Sequence[_TableDrawing], title: str, paper: Size, width: float
) -> Iterator[StatsPage]:
    """Yield pages with the tables below each other in two columns."""
    heading = StatsText(CaptionLine(title), STATS_MARGIN_MM, paper.height - STATS_MARGIN_MM - 4, 11)
    words, bars = [heading], list[Box]()
    top = paper.height - STATS_MARGIN_MM - STATS_HEADING_MM
    column, y = 0, top
    for drawn in tables:
        if y < top and y - drawn.height < STATS_MARGIN_MM:
            column, y = column + 1, top
        if column == 2:
            yield StatsPage(title, paper, tuple(words), tuple(bars))
            words, bars, column = [heading], [], 0
        x = STATS_MARGIN_MM + column * (width + _GUTTER_MM)
        words += [StatsText(w.line, x + w.x, y + w.y, w.size, w.align_right) for w in drawn.words]
        bars += [Box(x + b.left, y + b.bottom, x + b.right, y + b.top) for b in drawn.bars]
        y -= drawn.height + _TABLE_GAP_MM
    yield StatsPage(title, paper, tuple(words), tuple(bars))


def _translate_value(game: Game, language: str, name: str) -> str:
    """Return the game's word for a value, or the value itself, shortened to fit."""
    known = game.words.get(name)
    text = known.get_plain_text(language) if known is not None else name
    return text if len(text) <= _MAX_NAME_LENGTH else f"{text[: _MAX_NAME_LENGTH - 1]}…"
