"""Small bar charts as HTML: a table that reads as one without its bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.book.words import number
from cardgen.game.texts import markup
from cardgen.words.languages import decimal_sign


def bars(
    title: str,
    counted: Mapping[Any, int],
    words: Mapping[str, Any],
    icons: tuple[str, ...],
    language: str,
) -> str:
    """Value → how many, as bars as long as the figures; a value that is a game's word prints it."""
    most = max(counted.values(), default=1)
    total = sum(counted.values())
    rows = "".join(
        f'<tr><th scope="row">{_name(value, words, icons, language)}</th>'
        f'<td class="bar"><span style="width:{count / most * 100:.4g}%"></span></td>'
        f'<td class="figure">{count}</td></tr>'
        for value, count in counted.items()
    )
    shown = markup(title.replace("\u00ad", ""), icons)
    return f'<table class="chart"><caption>{shown} · {total}</caption><tbody>{rows}</tbody></table>'


def _name(value: Any, words: Mapping[str, Any], icons: tuple[str, ...], language: str) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "+" if value else "–"
    if isinstance(value, int | float):
        return number(value).replace(".", decimal_sign(language))
    return str(markup(str(words.get(str(value), value)), icons))
