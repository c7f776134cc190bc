"""What a rulebook's Jinja may ask of the game: its cards, counted and shown, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.book.model import format_figure, get_book_words
from cardgen.core.units import is_number
from cardgen.game.card_text import localise_value, make_card_text_factory, render_markup
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource, NamedPlace, format_unknown_place
from cardgen.game.model import Game
from cardgen.rules import rule_status
from cardgen.rules.odds.chance_rules import NINE_OF_TEN
from cardgen.rules.odds.distributions import format_percentage as told_share
from cardgen.rules.odds.distributions import format_rounded_share
from cardgen.rules.odds.odds_queries import OddsQueries
from cardgen.templates import template_context
from cardgen.templates.expression_messages import format_value, is_left_out
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.words.languages import get_decimal_sign


def draw_bar_chart(
    title: str,
    counted: Mapping[Any, int],
    cards: int,
    told: tuple[Mapping[str, Any], tuple[str, ...], str],
) -> str:
    """Value → how many, as bars as long as the figures; a value that is a game's word prints it.
    Of how many `cards` there are stands beside, where not all are counted; `told`: the game's
    words, its icons and the language."""
    words, icons, language = told
    most = max(counted.values(), default=1)
    having = sum(counted.values())
    total = f"{having}" if having == cards else f"{having} / {cards}"
    rows = "".join(
        f'<tr><th scope="row">{_format_chart_value(value, words, icons, language)}</th>'
        f'<td class="bar"><span style="width:{count / most * 100:.4g}%"></span></td>'
        f'<td class="figure">{count}</td></tr>'
        for value, count in counted.items()
    )
    shown = render_markup(title.replace("\u00ad", ""), icons)
    return f'<table class="chart"><caption>{shown} · {total}</caption><tbody>{rows}</tbody></table>'


_MAX_COLUMNS = 16
_MAX_COLUMN_HEIGHT_MM = 26.0
"""Millimetres of the tallest column."""
_MAX_LABEL_CHARACTERS = 52
"""So many signs stand beside each other below the columns of a small page."""


def draw_column_chart(
    title: str, shares: Mapping[Fraction, Fraction], mostly: tuple[Fraction, Fraction], point: str
) -> str:
    """How likely each figure is, as columns side by side with their shares above. Those from where
    to where it `mostly` lies are dark."""
    binned = _bin_shares(shares)
    most = max(share for _, _, share in binned)
    cells, names = [], []
    for low, high, share in binned:
        pale = "" if mostly[0] <= high and low <= mostly[1] else ' class="rare"'
        tall = f"{float(share / most) * _MAX_COLUMN_HEIGHT_MM:.3g}mm"
        cells.append(
            f'<td>{format_rounded_share(share).removesuffix(" %")}<span{pale} style="height:{tall}"></span></td>'
        )
        name = (
            format_figure(float(low))
            if low == high
            else f"{format_figure(float(low))}–{format_figure(float(high))}"
        )
        names.append(name.replace(".", point))
    shown = render_markup(title.replace("\u00ad", ""), ())
    size = min(1.0, _MAX_LABEL_CHARACTERS / (len(names) * max(map(len, names))))
    heads = "".join(f"<th>{name}</th>" for name in names)
    return (
        f'<table class="chart distribution"><caption>{shown}</caption><tbody>'
        f'<tr>{"".join(cells)}</tr><tr style="font-size:{size:.2g}em">{heads}</tr></tbody></table>'
    )


def _bin_shares(shares: Mapping[Fraction, Fraction]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """From where, to where, and how likely: figure by figure, or as many together as leave
    `_COLUMNS`; what hardly ever comes stands at the ends with its neighbours."""
    known = [(value, share) for value, share in shares.items() if share]
    step = -(-len(known) // _MAX_COLUMNS)
    groups = [known[start : start + step] for start in range(0, len(known), step)]
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
"""So far past 0 or 1 a sum of shares may come."""


def _describe_place(place: NamedPlace) -> dict[str, float]:
    x, y = place.middle
    return {"x": x, "y": y, "width": place.width, "height": place.height}


class RulebookContext:
    """The names, by name. `fragments` collects the ready HTML of charts."""

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
        """A card's fields, as `cards` gives them."""
        return self._database.card(deck, card)

    def get_deck(self, name: str) -> dict[str, Any]:
        """A deck's title, how many cards it has (copies counted) and how many different ones."""
        return template_context.describe_deck(
            self._database.get_deck(name), self._language, self._icons
        )

    def get_place(self, card: str, name: str) -> dict[str, float]:
        """Where a named place of a card, "boards/red" or "boards/red/back", is: x and y of its
        middle, width and height, mm from the trim's top left corner."""
        deck, _, rest = card.partition("/")
        piece, _, side = rest.partition("/")
        self._database.card(deck, piece)
        if side not in ("", "front", "back"):
            raise EvaluationError(f"a card has no side '{side}'; it is front or back")
        facts = self._known.get_facts(deck, piece, side or "front", self._language)
        if facts is None:  # what is wrong with the face is told there
            size = self._database.get_deck(deck).size
            return _describe_place(NamedPlace(0.0, 0.0, size.width, size.height))
        if name not in facts.places:
            raise EvaluationError(format_unknown_place(name, f"{deck}/{piece}", facts.places))
        return _describe_place(facts.places[name])

    def get_icon(self, name: str) -> str:
        """The token of an icon whose name is worked out."""
        return f"{{{template_context.check_icon(name, self._icons)}}}"

    def list_rules(self) -> list[dict[str, Any]]:
        """The composition rules, each with the figure that it comes to now."""
        return rule_status.list_rule_rows(
            self._game.rules, self._database, get_book_words(self._game, self._language)
        )

    def format_percent(self, share: float, digits: int = 0) -> str:
        """A share of 1 in per cent, as it is written in the book's language."""
        if not is_number(share):
            raise EvaluationError(f"percent: {format_value(share)} is no number")
        if not -_SHARE_TOLERANCE <= share <= 1 + _SHARE_TOLERANCE:
            more = "0.72, or print the figure itself" if share > 1 else "a number from 0 to 1"
            raise EvaluationError(f"percent: {share:g} is no share of 1; write {more}")
        text = told_share(min(1, max(0, share)), max(0, min(6, int(digits))))
        return f"{text.replace('.', get_decimal_sign(self._language))}\u00a0%"

    def draw_distribution(self, deck: Any = None, title: str = "", **given: Any) -> str:
        """How likely each total of the cards drawn is, as columns; what is said of the draw is
        said as for `average`."""
        found = self._odds.compute_distribution("distribution", deck, given)
        mostly = found.get_central_range(NINE_OF_TEN)
        said = get_book_words(self._game, self._language)
        point = get_decimal_sign(self._language)
        span = "–".join(format_figure(float(each)) for each in mostly)
        told = f"{said['mean']} {float(found.mean):.3g}; {said['mostly']} {span}"
        heading = title or (self._database.get_deck(deck).title[self._language] if deck else "")
        heading = f"{heading} · {told.replace('.', point)}" if heading else told
        self.fragments.append(draw_column_chart(heading, found.shares, mostly, point))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"

    def draw_chart(self, deck: str, by: str = "", of: str = "", title: str = "") -> str:
        """How many cards of a deck have each value of an expression, as bars.

        `by` keeps the order in which the values first stand in the deck; `of` sorts numbers, and
        leaves out the cards that have none.
        """
        if bool(by) == bool(of):
            raise EvaluationError("a chart takes by: or of:, as in chart('loot', by='category')")
        counted: dict[Any, int] = {}
        cards = self._database.cards(deck)
        for row in cards:
            value = self._database.evaluate(by or of, row)
            if of and is_left_out(value):
                continue
            counted[value] = counted.get(value, 0) + 1
        if of:
            wrong = [value for value in counted if not isinstance(value, int | float)]
            if wrong:
                raise EvaluationError(f"chart of '{of}': {format_value(wrong[0])} is no number")
            counted = dict(sorted(counted.items()))
        named = localise_value(self._game.words, self._language, self._icons)
        heading = title or self._database.get_deck(deck).title[self._language]
        told = (named, self._icons, self._language)
        self.fragments.append(draw_bar_chart(heading, counted, len(cards), told))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"
