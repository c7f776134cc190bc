"""Rows of a table that are no cards: comments, titles, repeated headings and totals.

Each is left out and named, except a comment.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from cardgen.core.problems import Problem, Severity, format_value
from cardgen.game.number_formats import parse_number
from cardgen.game.sheet_scan import ERROR_VALUE, FORMULA
from cardgen.game.table_cells import SPAN, TableRow

_TOTAL_WORDS = frozenset({
    "total", "totals", "sum", "grand total", "sub total", "subtotal", "sum total", "in total",
    "altogether", "yhteensä", "yht", "summa", "välisumma", "loppusumma", "kaikki yhteensä", "summe",
    "gesamt", "gesamtsumme", "insgesamt", "zwischensumme", "totalt", "delsumma", "sammanlagt",
    "somme", "sous total", "total général", "suma", "total general", "totale", "somma", "totaal",
    "итого", "всего", "сумма", "итог", "усього", "всього", "разом", "razem", "σ",
})  # fmt: skip
_COUNTED_WORDS = frozenset({
    "card", "cards", "copies", "of", "number", "kortit", "kortteja", "korttia", "karten", "kort",
    "cartes", "cartas", "carte", "kaarten", "de", "карт", "карты", "карточек", "копий", "штук",
})  # fmt: skip
"""Words beside a word for a total: total number of cards."""
_NON_LETTERS = re.compile(r"[\W_]+")
_COMMENT = re.compile(r"(?:#\s|//)")
_AMOUNT = re.compile(r"[-+−]?[0-9][0-9\s.,'/%]*(?:[^\W\d_]{1,12}\.?)?\Z")


def select_card_rows(
    header: TableRow, rows: Sequence[TableRow], id_column: int | None
) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows below the headings that are cards, and what is said of the others.

    A row with a cell in the column of ids is a card, whatever else it holds.
    """
    cards: list[TableRow] = []
    problems: list[Problem] = []
    for row in rows:
        filled = _list_filled(row)
        has_id = id_column in filled
        is_comment = len(filled) == 1 and _COMMENT.match(row.cells[filled[0]].strip())
        if is_comment and not has_id:
            continue
        message = ""
        severity: Severity = "warning"
        if filled and all(row.kinds.get(at) == SPAN for at in filled):
            title = format_value(row.cells[filled[0]].strip())
            message = f"{title} spans several columns, so it is left out as a title; "
            message += "if it is a card, split the merged cell"
        elif repeated := _describe_headings(header, row, filled):
            message, severity = repeated
        elif not has_id and (word := _find_total_word(row, filled)):
            message = f"the row {format_value(word)} sums up others and is left out; "
            message += "if it is a card, give it an id"
        if message:
            problems.append(Problem(row.source, message, "table", severity))
        else:
            cards.append(row)
    if len(cards) > 2 and _is_sum(cards[-1], cards[:-1]):
        message = "this row holds only sums of the rows above and is left out; "
        message += "if it is a card, give it an id"
        problems.append(Problem(cards.pop().source, message, "table", "warning"))
    return cards, problems


def _list_filled(row: TableRow) -> list[int]:
    return [at for at, cell in enumerate(row.cells) if cell.strip() or row.kinds.get(at) == FORMULA]


def _normalise(cell: str) -> str:
    return _NON_LETTERS.sub(" ", unicodedata.normalize("NFC", cell).lower()).strip()


def _describe_headings(
    header: TableRow, row: TableRow, filled: Sequence[int]
) -> tuple[str, Severity] | None:
    """Return what is said of a row that holds headings, and how severe it is."""
    headings = [_normalise(cell) for cell in header.cells]
    known = set(headings) - {""}
    cells = {at: _normalise(row.cells[at]) for at in filled}
    alike = [at for at, cell in cells.items() if at < len(headings) and headings[at] == cell]
    if len(filled) > 1 and len(alike) == len(filled):
        return "the headings stand here once more, so the row is left out; delete it", "warning"
    named = {cell for cell in cells.values() if cell in known}
    if len(named) > 1 and len(named) * 2 > len(filled) and len(alike) < len(named):
        message = "other headings stand here; put the rows from here on into a table of their own, "
        return f"{message}or below the headings of {header.source}", "error"
    return None


def _find_total_word(row: TableRow, filled: Sequence[int]) -> str:
    """Return the word for a total in a row that holds nothing else but amounts, else ""."""
    words = [row.cells[at].strip() for at in filled if not _is_amount(row, at)]
    return words[0] if words and all(map(_is_total_word, words)) else ""


def _is_total_word(cell: str) -> bool:
    words = _normalise(cell).split()
    return cell == "Σ" or " ".join(w for w in words if w not in _COUNTED_WORDS) in _TOTAL_WORDS


def _is_amount(row: TableRow, at: int) -> bool:
    cell = row.cells[at].strip()
    return not cell or bool(_AMOUNT.match(cell) or ERROR_VALUE.fullmatch(cell))


def _is_sum(row: TableRow, others: Sequence[TableRow]) -> bool:
    """Return whether a row without a text holds the sum or the number of the rows above, each of
    which has a text."""
    filled = _list_filled(row)
    columns = range(max(len(each.cells) for each in others))
    is_texts = [at not in filled and all(_get_text(each, at) for each in others) for at in columns]
    if not any(is_texts) or not all(_is_amount(row, at) for at in filled):
        return False
    return any(
        (total := parse_number(row.cells[at])) is not None
        and total in {sum(_get_amount(each, at) for each in others), len(others)}
        and total != 0
        for at in filled
    )


def _get_text(row: TableRow, at: int) -> str:
    """Return a cell that is no number, else ""."""
    cell = row.cells[at].strip() if at < len(row.cells) else ""
    return "" if parse_number(cell) is not None else cell


def _get_amount(row: TableRow, at: int) -> float:
    return parse_number(row.cells[at]) or 0 if at < len(row.cells) else 0
