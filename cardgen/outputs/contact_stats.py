"""Statistics of a deck for the contact sheet: tables with bars, in two columns a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, partialmethod

from cardgen.core.units import Box, Size
from cardgen.game.model import Deck, Game
from cardgen.game.number_formats import get_decimal_sign
from cardgen.rules.odds import deck_stats
from cardgen.rules.odds.deck_stats import CrossTable, DeckStats, NumberStats, ValueCount
from cardgen.rules.odds.draw_probability import format_rounded_share
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionLine
from cardgen.templates.expressions import CardDatabase
from cardgen.words.languages import get_words

STATS_MARGIN_MM, STATS_HEADING_MM = 8.0, 9.0
_GUTTER_MM = 10.0
_ROW_MM, _TABLE_GAP_MM = 4.3, 5.5
_NAME_MM, _SHARE_MM = 28.0, 7.6
_FONT_PT, _SMALL_PT, _LARGE_PT = 7.0, 6.0, 9.0
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
        self, text: str, x: float, size: float = _FONT_PT, *, pale: bool = False,
        right: bool = False,
    ) -> None:  # fmt: skip
        """Write a text that begins at x, or with `right` ends there."""
        line = CaptionLine(text, SLUG_GREY if pale else 0.0)
        self.words.append(StatsText(line, x, -self.height - 3.1, size, right))

    write_number = partialmethod(write_text, right=True)

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
        """Draw how many cards have each value, and the chances to draw one of them."""
        table = _TableDrawing([], [])
        table.write_text(name, 0, _LARGE_PT)
        chances = self.width - _SHARE_MM * len(stats.draws)
        table.write_number(self.words["cards"], chances - 12, _SMALL_PT, pale=True)
        table.write_number(self.words["seen"], chances + _SHARE_MM - 3, _SMALL_PT, pale=True)
        for number, draws in enumerate(stats.draws, 1):
            table.write_number(str(draws), chances + _SHARE_MM * number, _SMALL_PT, pale=True)
        table.advance_row()
        most = max(value.cards for value in values) or 1
        for value in values:
            table.write_text(self.translate(value.name), 0)
            table.draw_bar(value.cards / most, _NAME_MM, chances - 12 - 8 - _NAME_MM)
            table.write_number(str(value.cards), chances - 12)
            share = format_rounded_share(Fraction(value.cards, stats.cards))
            table.write_number(share, chances - 2)
            for number, chance in enumerate(value.chances, 1):
                text = format_rounded_share(chance)
                table.write_number(text, chances + _SHARE_MM * number, pale=True)
            table.advance_row()
        return table

    def draw_figures(self, figures: NumberStats) -> _TableDrawing:
        """Draw how often each number occurs, with mean and quartiles."""
        table = _TableDrawing([], [])
        table.write_text(figures.field, 0, _LARGE_PT)
        quartiles = " · ".join(f"{each:g}" for each in figures.quartiles)
        parts = ("mean", f"{float(figures.mean):.3g}"), ("quartiles", quartiles)
        text = ", ".join(f"{self.words[word]} {self.format_number(value)}" for word, value in parts)
        table.write_number(text, self.width, _SMALL_PT, pale=True)
        table.advance_row()
        most = max(count for _, count in figures.bars)
        for name, count in figures.bars:
            table.write_number(self.format_number(name), _NAME_MM - 3)
            table.draw_bar(count / most, _NAME_MM, self.width - _NAME_MM - 8)
            table.write_number(str(count), self.width)
            table.advance_row()
        return table

    def format_number(self, text: str) -> str:
        return text.replace(".", self.decimal_point)

    def draw_cross_table(self, crossed: CrossTable) -> _TableDrawing:
        """Draw how many cards have each pair of values."""
        table = _TableDrawing([], [])
        table.write_text(f"{crossed.row_field} × {crossed.column_field}", 0, _LARGE_PT)
        table.advance_row()
        step = (self.width - _NAME_MM) / len(crossed.columns)
        for number, name in enumerate(crossed.columns, 1):
            short = self.translate(name)[: max(4, int(step / 1.4))]
            table.write_number(short, _NAME_MM + step * number, _SMALL_PT)
        table.advance_row()
        for name, counts in crossed.rows:
            table.write_text(self.translate(name), 0)
            for number, count in enumerate(counts, 1):
                table.write_number(str(count or "·"), _NAME_MM + step * number, pale=not count)
            table.advance_row()
        return table


def build_stats_pages(game: Game, deck: Deck, language: str, paper: Size) -> list[StatsPage]:
    """Return the pages about a deck. A deck without anything to count has none."""
    stats = deck_stats.measure_deck(deck, CardDatabase(game, language))
    width = (paper.width - 2 * STATS_MARGIN_MM - _GUTTER_MM) / 2
    words, decimal_point = get_words("stats", language), get_decimal_sign(language)
    translate = partial(_translate_value, game, language)
    drawer = _StatsTables(words, translate, decimal_point, width)
    titles = [each.title.get_plain_text(language) for each in (game, deck)]
    tables = [table for table in _draw_tables(drawer, stats) if table.words]
    title = "  ·  ".join([*titles, str(stats.cards)])
    return [*_flow_tables(tables, title, paper, width)] if tables and stats.cards else []


def _draw_tables(drawer: _StatsTables, stats: DeckStats) -> Iterator[_TableDrawing]:
    for category in stats.categories:
        if not category.is_boolean and len(category.values) > 1:
            yield drawer.draw_values(category.field, category.values, stats)
    flags = [each for c in stats.categories if c.is_boolean for each in c.true_value()]
    if flags:
        yield drawer.draw_values(drawer.words["ticked"], flags, stats)
    for figures in stats.numbers:
        if len(figures.bars) > 1:
            yield drawer.draw_figures(figures)
    if stats.cross_table and len(stats.cross_table.columns) <= deck_stats.MAX_VALUES:
        yield drawer.draw_cross_table(stats.cross_table)


def _flow_tables(
    tables: Sequence[_TableDrawing], title: str, paper: Size, width: float
) -> Iterator[StatsPage]:
    """Yield pages with the tables below each other in two columns."""
    heading = StatsText(CaptionLine(title), STATS_MARGIN_MM, paper.height - STATS_MARGIN_MM - 4, 11)
    words, bars = [heading], list[Box]()
    top = paper.height - STATS_MARGIN_MM - STATS_HEADING_MM
    column, y = 0, top
    for table in tables:
        if y < top and y - table.height < STATS_MARGIN_MM:
            column, y = column + 1, top
        if column == 2:
            yield StatsPage(title, paper, tuple(words), tuple(bars))
            words, bars, column = [heading], [], 0
        x = STATS_MARGIN_MM + column * (width + _GUTTER_MM)
        words += [StatsText(w.line, x + w.x, y + w.y, w.size, w.align_right) for w in table.words]
        bars += [Box(x + b.left, y + b.bottom, x + b.right, y + b.top) for b in table.bars]
        y -= table.height + _TABLE_GAP_MM
    yield StatsPage(title, paper, tuple(words), tuple(bars))


def _translate_value(game: Game, language: str, name: str) -> str:
    """Return the game's word for a value, or the value itself, shortened to fit."""
    word = game.words.get(name)
    text = word.get_plain_text(language) if word is not None else name
    return text if len(text) <= _MAX_NAME_LENGTH else f"{text[: _MAX_NAME_LENGTH - 1]}…"
