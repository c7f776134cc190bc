"""Small charts as HTML: tables that read as such without their bars."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.book.words import number
from cardgen.game.texts import markup
from cardgen.rules.odds.shares import rounded
from cardgen.words.languages import decimal_sign


def bars(
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
        f'<tr><th scope="row">{_name(value, words, icons, language)}</th>'
        f'<td class="bar"><span style="width:{count / most * 100:.4g}%"></span></td>'
        f'<td class="figure">{count}</td></tr>'
        for value, count in counted.items()
    )
    shown = markup(title.replace("\u00ad", ""), icons)
    return f'<table class="chart"><caption>{shown} · {total}</caption><tbody>{rows}</tbody></table>'


_COLUMNS = 16
_TALLEST = 26.0
"""Millimetres of the tallest column."""
_IN_A_ROW = 52
"""So many signs stand beside each other below the columns of a small page."""


def columns(
    title: str, shares: Mapping[Fraction, Fraction], mostly: tuple[Fraction, Fraction], point: str
) -> str:
    """How likely each figure is, as columns side by side with their shares above. Those from where
    to where it `mostly` lies are dark."""
    binned = _binned(shares)
    most = max(share for _, _, share in binned)
    cells, names = [], []
    for low, high, share in binned:
        pale = "" if mostly[0] <= high and low <= mostly[1] else ' class="rare"'
        tall = f"{float(share / most) * _TALLEST:.3g}mm"
        cells.append(
            f'<td>{rounded(share).removesuffix(" %")}<span{pale} style="height:{tall}"></span></td>'
        )
        name = number(float(low)) if low == high else f"{number(float(low))}–{number(float(high))}"
        names.append(name.replace(".", point))
    shown = markup(title.replace("\u00ad", ""), ())
    size = min(1.0, _IN_A_ROW / (len(names) * max(map(len, names))))
    heads = "".join(f"<th>{name}</th>" for name in names)
    return (
        f'<table class="chart distribution"><caption>{shown}</caption><tbody>'
        f'<tr>{"".join(cells)}</tr><tr style="font-size:{size:.2g}em">{heads}</tr></tbody></table>'
    )


def _binned(shares: Mapping[Fraction, Fraction]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """From where, to where, and how likely: figure by figure, or as many together as leave
    `_COLUMNS`; what hardly ever comes stands at the ends with its neighbours."""
    known = [(value, share) for value, share in shares.items() if share]
    step = -(-len(known) // _COLUMNS)
    groups = [known[start : start + step] for start in range(0, len(known), step)]
    return [
        (group[0][0], group[-1][0], sum((share for _, share in group), Fraction(0)))
        for group in groups
    ]


def _name(value: Any, words: Mapping[str, Any], icons: tuple[str, ...], language: str) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "+" if value else "–"
    if isinstance(value, int | float):
        return number(value).replace(".", decimal_sign(language))
    return str(markup(str(words.get(str(value), value)), icons))
