"""Jinja context of rulebooks: cards, counts, odds and charts of the game in one language."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.book.model import format_figure, get_book_words
from cardgen.core.units import is_number
from cardgen.game.card_text import localise_value, make_card_text_factory, render_markup
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource, NamedPlace, format_unknown_place
from cardgen.game.model import Game
from cardgen.game.number_formats import get_decimal_sign
from cardgen.rules import rule_kinds
from cardgen.rules.odds.chance_rules import NINE_OF_TEN, OddsQueries
from cardgen.rules.odds.draw_probability import format_percentage, format_rounded_share
from cardgen.templates import template_context
from cardgen.templates.expression_messages import format_value, is_left_out
from cardgen.templates.expressions import CardDatabase, EvaluationError


def draw_bar_chart(
    title: str,
    counts: Mapping[Any, int],
    card_count: int,
    word_data: tuple[Mapping[str, Any], tuple[str, ...], str],
) -> str:
    """Render counts by value as a bar chart. A value that is a word of the game is printed as that
    word.

    `cards` is the number of all cards, printed if the counts do not cover it. `told` holds the
    game's words, its icons and the language.
    """
    words, icons, language = word_data
    maximum = max(counts.values(), default=1)
    having = sum(counts.values())
    total = f"{having}" if having == card_count else f"{having} / {card_count}"
    rows = "".join(
        f'<tr><th scope="row">{_format_chart_value(value, words, icons, language)}</th>'
        f'<td class="bar"><span style="width:{count / maximum * 100:.4g}%"></span></td>'
        f'<td class="figure">{count}</td></tr>'
        for value, count in counts.items()
    )
    caption = render_markup(title.replace("\u00ad", ""), icons)
    return (
        f'<table class="chart"><caption>{caption} · {total}</caption><tbody>{rows}</tbody></table>'
    )


_MAX_COLUMNS = 16
_MAX_COLUMN_HEIGHT_MM = 26.0
"""Height of the tallest column."""
_MAX_LABEL_CHARACTERS = 52
"""Number of characters that fit side by side below the columns on a small page."""


def draw_column_chart(
    title: str, shares: Mapping[Fraction, Fraction], mostly: tuple[Fraction, Fraction], point: str
) -> str:
    """Render probabilities by value as a column chart, dark within the span `mostly`."""
    binned = _bin_shares(shares)
    maximum = max(share for _, _, share in binned)
    cells, names = [], []
    for low, high, share in binned:
        pale = "" if mostly[0] <= high and low <= mostly[1] else ' class="rare"'
        tall = f"{float(share / maximum) * _MAX_COLUMN_HEIGHT_MM:.3g}mm"
        cells.append(
            f"<td>{format_rounded_share(share).removesuffix(' %')}"
            f'<span{pale} style="height:{tall}"></span></td>'
        )
        name = (
            format_figure(float(low))
            if low == high
            else f"{format_figure(float(low))}–{format_figure(float(high))}"
        )
        names.append(name.replace(".", point))
    caption = render_markup(title.replace("\u00ad", ""), ())
    size = min(1.0, _MAX_LABEL_CHARACTERS / (len(names) * max(map(len, names))))
    heads = "".join(f"<th>{name}</th>" for name in names)
    return (
        f'<table class="chart distribution"><caption>{caption}</caption><tbody>'
        f'<tr>{"".join(cells)}</tr><tr style="font-size:{size:.2g}em">{heads}</tr></tbody></table>'
    )


def _bin_shares(shares: Mapping[Fraction, Fraction]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return bins (first value, last value, probability), at most `_MAX_COLUMNS` of equal width."""
    possible = [(value, share) for value, share in shares.items() if share]
    step = -(-len(possible) // _MAX_COLUMNS)
    groups = [possible[start : start + step] for start in range(0, len(possible), step)]
    return [
        (group[0][0], group[-1][0], sum((share for _, share in group), Fraction(0)))
        for group in groups
    ]


def _format_chart_value(
    value: Any, words: Mapping[str, Any], icons: tuple[str, ...], language: str
) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "+" if value else "–"
    if isinstance(value, int | float):
        return format_figure(value).replace(".", get_decimal_sign(language))
    return str(render_markup(str(words.get(str(value), value)), icons))


_SHARE_TOLERANCE = 1e-9
"""Rounding error allowed in sums of shares."""


def _describe_place(place: NamedPlace) -> dict[str, float]:
    x, y = place.middle
    return {"x": x, "y": y, "width": place.width, "height": place.height}


class RulebookContext:
    """Names that rulebooks may use in Jinja. `fragments` collects the HTML of charts."""

    def __init__(
        self, game: Game, language: str, designer: bool, known: FaceFactsSource = NO_FACE_FACTS
    ) -> None:
        self._game, self._language, self._known = game, language, known
        self._icons = tuple(game.icons)
        self._database = CardDatabase(game, language, make_card_text_factory(language, self._icons))
        self._odds = OddsQueries(game.rules, self._database)
        self.fragments: list[str] = []
        self.names: Mapping[str, Any] = {
            **self._database.names,
            **template_context.describe_game(game, language, game.title[language]),
            "designer": designer,
            "card": self.get_card,
            "deck": self.get_deck,
            "icon": self.get_icon,
            "place": self.get_place,
            "rules": self.list_rules,
            "chart": self.draw_chart,
            "chance": self._odds.chance,
            "average": self._odds.average,
            "mostly": self._odds.mostly,
            "simulated": self._odds.simulated,
            "percent": self.format_percent,
            "distribution": self.draw_distribution,
        }

    def get_card(self, deck: str, card: str) -> dict[str, Any]:
        """Return a card's fields, as `cards` gives them."""
        return self._database.card(deck, card)

    def get_deck(self, name: str) -> dict[str, Any]:
        """Return a deck's title, its number of cards (copies counted) and of different cards."""
        return template_context.describe_deck(
            self._database.get_deck(name), self._language, self._icons
        )

    def get_place(self, card: str, name: str) -> dict[str, float]:
        """Return x and y of the middle, width and height of a named place of a card, in mm from the
        top left corner of the trim. The card is "boards/red" or "boards/red/back"."""
        deck, _, rest = card.partition("/")
        piece, _, side = rest.partition("/")
        self._database.card(deck, piece)
        if side not in ("", "front", "back"):
            raise EvaluationError(f"a card has no side '{side}'; expected front or back")
        facts = self._known.get_facts(deck, piece, side or "front", self._language)
        if facts is None:  # problems of the face are reported with the face
            size = self._database.get_deck(deck).size
            return _describe_place(NamedPlace(0.0, 0.0, size.width, size.height))
        if name not in facts.places:
            raise EvaluationError(format_unknown_place(name, f"{deck}/{piece}", facts.places))
        return _describe_place(facts.places[name])

    def get_icon(self, name: str) -> str:
        """Return the token of an icon whose name is computed."""
        return f"{{{template_context.check_icon(name, self._icons)}}}"

    def list_rules(self) -> list[dict[str, Any]]:
        """Return the composition rules, each with its current figure.

        Bars are escaped, so that they stay within the cell of a table.
        """
        words = get_book_words(self._game, self._language)
        return [
            {
                name: value.replace("|", "\\|") if isinstance(value, str) else value
                for name, value in row.items()
            }
            for row in rule_kinds.list_rule_rows(self._game.rules, self._database, words)
        ]

    def format_percent(self, share: float, digits: int = 0) -> str:
        """Format a share of 1 as a percentage in the book's language."""
        if not is_number(share):
            raise EvaluationError(f"percent: {format_value(share)} is no number")
        if not -_SHARE_TOLERANCE <= share <= 1 + _SHARE_TOLERANCE:
            more = "0.72, or print the figure itself" if share > 1 else "a number from 0 to 1"
            raise EvaluationError(f"percent: {share:g} is no share of 1; write {more}")
        text = format_percentage(min(1, max(0, share)), max(0, min(6, int(digits))))
        return f"{text.replace('.', get_decimal_sign(self._language))}\u00a0%"

    def draw_distribution(self, deck: Any = None, title: str = "", **given: Any) -> str:
        """Draw the probability of each total of the cards drawn; the draw is described as for
        `average`."""
        distribution = self._odds.compute_distribution("distribution", deck, given)
        mostly = distribution.get_central_range(NINE_OF_TEN)
        book_words = get_book_words(self._game, self._language)
        point = get_decimal_sign(self._language)
        span = "–".join(format_figure(float(each)) for each in mostly)
        summary = (
            f"{book_words['mean']} {float(distribution.mean):.3g}; {book_words['mostly']} {span}"
        )
        heading = title or (self._database.get_deck(deck).title[self._language] if deck else "")
        heading = f"{heading} · {summary.replace('.', point)}" if heading else summary
        self.fragments.append(draw_column_chart(heading, distribution.shares, mostly, point))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"

    def draw_chart(self, deck: str, by: str = "", of: str = "", title: str = "") -> str:
        """Draw how many cards of a deck have each value of an expression, as bars.

        `by` keeps the order of the values in the deck; `of` sorts numbers and leaves out cards
        without one.
        """
        if bool(by) == bool(of):
            raise EvaluationError("a chart takes by: or of:, as in chart('loot', by='category')")
        counts: dict[Any, int] = {}
        cards = self._database.cards(deck)
        for row in cards:
            value = self._database.evaluate(by or of, row)
            if of and is_left_out(value):
                continue
            counts[value] = counts.get(value, 0) + 1
        if of:
            not_numbers = [value for value in counts if not isinstance(value, int | float)]
            if not_numbers:
                raise EvaluationError(
                    f"chart of '{of}': {format_value(not_numbers[0])} is no number"
                )
            counts = dict(sorted(counts.items()))
        printed_words = localise_value(self._game.words, self._language, self._icons)
        heading = title or self._database.get_deck(deck).title[self._language]
        word_data = (printed_words, self._icons, self._language)
        self.fragments.append(draw_bar_chart(heading, counts, len(cards), word_data))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"
