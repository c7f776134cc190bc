"""Rows of a table that are no cards: comments, notes, titles, headings, totals, blanks.

Each is left out and named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from cardgen.core.problems import Problem, Severity, Source, format_value, summarise
from cardgen.game.heading_words import find_word_role, normalise_heading
from cardgen.game.number_formats import parse_number
from cardgen.game.sheet_scan import ERROR_VALUE, FORMULA
from cardgen.game.table_cells import SPAN, TableRow, format_column

_TOTAL_WORDS = frozenset({
    "total", "totals", "sum", "grand total", "sub total", "subtotal", "sum total", "in total",
    "altogether", "yhteensä", "yht", "summa", "välisumma", "loppusumma", "kaikki yhteensä", "summe",
    "gesamt", "gesamtsumme", "insgesamt", "zwischensumme", "totalt", "delsumma", "sammanlagt",
    "somme", "sous total", "total général", "suma", "total general", "totale", "somma", "totaal",
    "итого", "всего", "сумма", "итог", "усього", "всього", "разом", "razem", "σ",
})  # fmt: skip
_SUMMARY_WORDS = frozenset({
    "average", "avg", "mean", "median", "max", "maximum", "min", "minimum", "mittelwert",
    "durchschnitt", "schnitt", "keskiarvo", "ka", "mediaani", "maksimi", "minimi", "medel",
    "medelvärde", "snitt", "gennemsnit", "gjennomsnitt", "gemiddelde", "moyenne", "media",
    "promedio", "média", "średnia", "průměr", "среднее", "в среднем", "медиана", "максимум",
    "минимум", "макс", "мин", "середнє",
})  # fmt: skip
"""Words that are names of cards, too, where the row is as full as others."""
_COUNTED_WORDS = frozenset({
    "card", "cards", "copies", "of", "number", "kortit", "kortteja", "korttia", "kpl", "karten",
    "kort", "cartes", "cartas", "carte", "kaarten", "de", "карт", "карты", "карточек", "копий",
    "штук",
})  # fmt: skip
"""Words beside a word for a total: total number of cards."""
_NOTE_WORDS = (
    "legend|key|keys|notes?|nb|ps|sources?|credits?|see also|abbreviations|footnotes?|disclaimer|"
    "selite|selitteet|selitykset|merkinnät|lyhenteet|huom|huomautus|huomio|huomautukset|lähde|"
    "lähteet|muistiinpanot|legende|zeichenerklärung|abkürzungen|anmerkungen?|hinweise?|notiz|"
    "notizen|quellen?|stand|teckenförklaring|förkortningar|anm|anmärkning|obs|källa|källor|"
    "легенда|обозначения|условные обозначения|сокращения|прим|примечание|примечания|источник|"
    "источники|сноска|légende|remarques?|leyenda|nota|notas|fuentes?|fonte|źródło|uwagi?"
)
_NOTE = re.compile(rf"\A(?:[*†‡§¹²³]+(?:\s|=)|(?:{_NOTE_WORDS})\s*\.?\s*:)", re.IGNORECASE)
"""The begin of a note wherever it stands: * = new, Legend:, Source: …"""
_END_NOTE = re.compile(
    rf"\A(?:(?:{_NOTE_WORDS})\Z|[^:=.!?]{{1,30}}\s*[:=](?:\s|\Z)|\S{{1,12}}\s*[=→–]\s*\S|\(.*\)\Z|©"
    r"|\(c\)|https?://|www\.|(?:v|version|versio|версия|draft|updated|edited|päivitetty|muokattu|"
    r"stand|aktualisiert|uppdaterad|обновлено)\.?\s*[0-9])",
    re.IGNORECASE,
)
"""The begin of a note below the cards: R = rare, Version: 3, © Anna."""
_LABEL = re.compile(rf":\Z|\A(?:{_NOTE_WORDS})\Z", re.IGNORECASE)
"""A note that goes on in the rows below it."""
_COMMENT = re.compile(r"(?:#\s|//)")
_SENTENCE = re.compile(r"\s.*[.!?…]\Z|.{50}", re.DOTALL)
_DIGIT = re.compile(r"[0-9]")
_MAX_LISTED = 6
_MIN_SECTION_COLUMNS = 3
_IF_CARD = "if it is a card, give it an id"
_AMOUNT = re.compile(r"[-+−]?[0-9][0-9\s.,'/%]*(?:[^\W\d_]{1,12}\.?)?\Z")


def select_card_rows(
    header: TableRow,
    rows: Sequence[TableRow],
    id_column: int | None,
    unprinted: Collection[int] = (),
) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows below the headings that are cards, and what is said of the others.

    A row with a cell in the column of ids is a card, whatever else it holds. `unprinted` are the
    columns that hold nothing of what is printed, such as the number of copies.
    """
    cards: list[TableRow] = []
    comments: list[TableRow] = []
    problems: list[Problem] = []
    counts = sorted(len(list_filled(row)) for row in rows)
    usual = counts[len(counts) // 2] if counts else 0
    lines = [header.source.line, *(row.source.line for row in rows)]
    for last, row in zip(lines, rows, strict=False):
        filled = list_filled(row)
        has_id = id_column in filled
        is_comment = len(filled) == 1 and _COMMENT.match(row.cells[filled[0]].strip())
        if is_comment and not has_id:
            comments.append(row)
            continue
        message = ""
        severity: Severity = "warning"
        if filled and all(row.kinds.get(at) == SPAN for at in filled):
            title = format_value(row.cells[filled[0]].strip())
            message = f"{title} spans several columns, so it is left out as a title; "
            message += "if it is a card, split the merged cell"
        elif repeated := _describe_headings(header, row, last, has_id):
            message, severity = repeated
        elif not has_id and (word := _find_total_word(row, filled, len(filled) < usual)):
            message = f"the row {format_value(word)} sums up others and is left out; {_IF_CARD}"
        if message:
            problems.append(Problem(row.source, message, "table", severity))
        else:
            cards.append(row)
    if len(cards) > 2 and _is_sum(cards[-1], cards[:-1]):
        message = f"this row holds only sums of the rows above and is left out; {_IF_CARD}"
        problems.append(Problem(cards.pop().source, message, "table", "warning"))
    notes = _describe_notes(header, cards, id_column)
    cards = [row for row in cards if row.source not in notes]
    left_out = _describe_blanks(header, cards, unprinted)
    cards = [row for row in cards if row.source not in left_out]
    sections = _describe_sections(header, cards, id_column)
    cards = [row for row in cards if row.source not in sections]
    nameless = _describe_nameless(header, cards, id_column)
    said = {**_describe_comments(comments), **notes, **left_out, **sections, **nameless}
    problems += [Problem(source, each, "table", "warning") for source, each in said.items()]
    return cards, problems


def _describe_comments(comments: Sequence[TableRow]) -> dict[Source, str]:
    if not comments:
        return {}
    lines = summarise([row.source.line for row in comments], _MAX_LISTED)
    message = f"rows that begin with # or // are left out as comments, {len(comments)} here: "
    return {comments[0].source: f"{message}{lines}; {_IF_CARD}"}


def _describe_notes(
    header: TableRow, cards: Sequence[TableRow], id_column: int | None
) -> dict[Source, str]:
    """Return what is said of rows that are notes: they begin like one and hold less than cards do.

    Below the last other row, more begin so, and the rows below a note are notes, too.
    """
    counts = sorted(len(list_filled(row)) for row in cards)
    usual = counts[len(counts) * 3 // 4] if counts else 0
    if sum(1 for cell in header.cells if cell.strip()) < 2 or usual < 2:
        return {}
    thin = [_get_thin_text(row, usual, id_column) for row in cards]
    last = max((at for at, text in enumerate(thin) if not text), default=-1)
    above = [row for row in cards[: last + 1] if len(list_filled(row)) > 1]
    notes: dict[Source, str] = {}
    is_below_label = False
    for at, (row, text) in enumerate(zip(cards, thin, strict=True)):
        is_note = _NOTE.match(text) and not _is_usual(row, above, _NOTE)
        if at > last and not is_note:
            is_note = (
                is_below_label
                or _is_count(text)
                or any(
                    pattern.search(text) and not _is_usual(row, above, pattern)
                    for pattern in (_END_NOTE, _SENTENCE)
                )
            )
        if is_note:
            cells = summarise([format_value(row.cells[at].strip()) for at in list_filled(row)], 2)
            notes[row.source] = f"the note {cells} is left out; {_IF_CARD}"
            is_below_label = is_below_label or (at > last and bool(_LABEL.search(text)))
    return notes


def _get_thin_text(row: TableRow, usual: int, id_column: int | None) -> str:
    """Return the first cell of a row that is no whole card: its only one, or one of two where cards
    have at least four. Return "" for any other row."""
    filled = list_filled(row)
    is_thin = len(filled) == 1 or (len(filled) == 2 and usual >= 4)
    return row.cells[filled[0]].strip() if is_thin and id_column not in filled else ""


def _is_usual(row: TableRow, cards: Sequence[TableRow], pattern: re.Pattern[str]) -> bool:
    """Return true where cards have such a text in the same column, too."""
    at = list_filled(row)[0]
    return any(pattern.search(_get_text(card, at)) for card in cards)


def _is_count(text: str) -> bool:
    """Return true for a text such as `24 cards`."""
    words = {*normalise_heading(text).split()}
    numbers = {word for word in words if word.isdigit()}
    return bool(numbers) and set() < words - numbers <= _COUNTED_WORDS


def _describe_blanks(
    header: TableRow, cards: Sequence[TableRow], unprinted: Collection[int]
) -> dict[Source, str]:
    """Return what is said of rows that hold nothing of what is printed, if others do."""
    held = {row.source: list_filled(row) for row in cards}
    blanks = {source: filled for source, filled in held.items() if {*filled} <= {*unprinted}}
    if len(blanks) == len(held):
        return {}
    cells = {row.source: row.cells for row in cards}
    return {
        source: "this row holds nothing that is printed, only "
        + summarise(
            [f"{header.cells[at].strip()} {format_value(cells[source][at])}" for at in filled],
            _MAX_LISTED,
        )
        + f", and is left out; {_IF_CARD}"
        for source, filled in blanks.items()
    }


def _describe_sections(
    header: TableRow, cards: Sequence[TableRow], id_column: int | None
) -> dict[Source, str]:
    """Return what is said of rows with a text in the first column only, above rows that fill
    another column, too, all of them or, below several such rows, most: they part the table."""
    named = [at for at, cell in enumerate(header.cells) if cell.strip()]
    if len(named) < _MIN_SECTION_COLUMNS or named[0] == id_column:
        return {}
    filled = [list_filled(row) for row in cards]
    heads = [at for at, row in enumerate(cards)
             if filled[at] == named[:1] and _get_text(row, named[0])]  # fmt: skip
    others = [{*cells} - {named[0]} for at, cells in enumerate(filled) if at not in heads]
    most = max(Counter(at for cells in others for at in cells).values(), default=0)
    if not heads or most < len(others) * (1 if len(heads) < 2 else 0.75) or not most:
        return {}
    last = max(at for at in range(len(cards)) if at not in heads)
    return {
        cards[at].source: f"{format_value(_get_text(cards[at], named[0]))} is the only cell of its "
        f"row, so it is left out as the title of a section; {_IF_CARD}"
        for at in heads
        if at < last
    }


def _describe_nameless(
    header: TableRow, cards: Sequence[TableRow], id_column: int | None
) -> dict[Source, str]:
    """Return what is said of cards without a name where most have one: they may go on with the row
    above."""
    roles = [find_word_role(cell) for cell in header.cells]
    if "title" not in roles:
        return {}
    column = roles.index("title")
    filled = {row.source: list_filled(row) for row in cards}
    nameless = [row for row in cards if not {column, id_column} & {*filled[row.source]}]
    counts = [len(filled[row.source]) for row in cards if row not in nameless]
    goes_on = bool(counts) and cards[0] not in nameless and all(
        len(filled[row.source]) < min(counts) for row in nameless
    )  # fmt: skip
    if len(nameless) * 2 >= len(cards) and not goes_on:
        return {}
    return {
        row.source: f"this card has no {header.cells[column].strip()}; if the row goes on with the "
        "one above, put its text there, else write a name or an id"
        for row in nameless
    }


def report_rows_above(rows: Sequence[TableRow]) -> Iterator[Problem]:
    """Yield a warning that names the rows above the headings."""
    if rows:
        words = [cell.strip() for row in rows for cell in row.cells if cell.strip()]
        lines = [row.source.line for row in (rows[0], rows[-1])]
        which = f"the rows {lines[0]}–{lines[1]}" if len(rows) > 1 else f"the row {lines[0]}"
        are, them = ("are", "them") if len(rows) > 1 else ("is", "it")
        message = f"{which} above the headings {are} left out: "
        message += f"{summarise(map(format_value, words), _MAX_LISTED)}; move {them} below the "
        message += f"headings if cards stand there, or delete {them}"
        yield Problem(rows[0].source, message, "table", "warning")


def report_card_as_header(
    header: TableRow, rows: Sequence[TableRow], known: Collection[str]
) -> Iterator[Problem]:
    """Yield a warning if the row of the headings looks like a card. `known` are names of fields,
    which no card looks like."""
    words = [cell.strip() for cell in header.cells if cell.strip()]
    if not words or any(
        word in known or word.partition(".")[0] in known or find_word_role(word) for word in words
    ):
        return
    below = {at: {_get_text(row, at) for row in rows} - {""} for at in range(len(header.cells))}
    if any(parse_number(word) is not None or _SENTENCE.search(word) for word in words) or any(
        _get_text(header, at) in texts for at, texts in below.items()
    ):
        message = f"this row is taken for the headings: {summarise(map(format_value, words), 6)}; "
        message += "if it is a card, put a row with headings above it"
        yield Problem(header.source, message, "table", "warning")


def report_other_tables(header: TableRow, rows: Sequence[TableRow]) -> Iterator[Problem]:
    """Yield what is wrong with a table whose headings stand in its first column, or that has
    another one beside it."""
    heads = [each.cells[0] if each.cells else "" for each in (header, *rows)]
    roles = [find_word_role(head) for head in heads]
    if len(roles) > 2 and all(roles) and len(set(roles)) == len(roles) and not any(
        map(find_word_role, header.cells[1:])
    ):  # fmt: skip
        message = "the headings stand in the first column, and a card in each of the others; "
        message += "transpose the table, so that each card is a row"
        yield Problem(header.source, message, "table")
    filled = [{*list_filled(row)} for row in (header, *rows)]
    headed, used = sorted(filled[0]), set[int]().union(*filled)
    spans = [(min(each), max(each)) for row in filled if (each := row & filled[0])]
    if len(headed) < 3:
        return
    last_start, first_end = max(start for start, _ in spans), min(end for _, end in spans)
    for gap in range(headed[0] + 1, headed[-2]):
        if gap not in used and (first_end < gap or last_start > gap):  # a row has but one of both
            right = [format_value(header.cells[at]) for at in headed if at > gap]
            message = f"the column {format_column(gap)} is empty, and beyond it stand "
            message += f"{summarise(right, 6)} "
            message += "for other rows; if that is another table, put it into a sheet of its own"
            yield Problem(header.source, message, "table", "warning")
            return


def list_filled(row: TableRow) -> list[int]:
    """Return the columns of the cells that are not empty."""
    return [at for at, cell in enumerate(row.cells) if cell.strip() or row.kinds.get(at) == FORMULA]


def _describe_headings(
    header: TableRow, row: TableRow, last: int, has_id: bool
) -> tuple[str, Severity] | None:
    """Return what is said of a row that holds headings, and how severe it is. `last` is the line
    of the row before it."""
    filled = list_filled(row)
    headings = [normalise_heading(cell) for cell in header.cells]
    known = set(headings) - {""}
    cells = {at: normalise_heading(row.cells[at]) for at in filled}
    alike = [at for at, cell in cells.items() if at < len(headings) and headings[at] == cell]
    if len(filled) > 1 and len(alike) == len(filled):
        return "the headings stand here once more, so the row is left out; delete it", "warning"
    named = {cell for cell in cells.values() if cell in known}
    is_other = len(named) > 1 and len(named) * 2 > len(filled) and len(alike) < len(named)
    is_block = row.source.line > last + 1
    if is_other or (not has_id and _are_heading_words([*cells.values()], 1 if is_block else 2)):
        if row.source.line == header.source.line + 1:
            pairs = [f"{header.cells[at].strip()} {row.cells[at].strip()}" for at in filled
                     if at < len(headings) and headings[at] and at not in alike]  # fmt: skip
            pairs += [row.cells[filled[0]].strip()]
            message = "the headings go on in this row; write them into one row, such as "
            return f"{message}{format_value(pairs[0])}, and delete the other", "error"
        message = "other headings stand here; put the rows from here on into a table of their own, "
        return f"{message}or below the headings of {header.source}", "error"
    return None


def _are_heading_words(cells: Sequence[str], role_count: int) -> bool:
    """Return whether most cells of a row are known headings, at least two and for so many roles,
    and none holds a number or is there twice."""
    roles = [role for role in map(find_word_role, cells) if role]
    return (
        len(roles) > 1
        and len(set(roles)) >= role_count
        and len(roles) * 2 > len(cells) == len(set(cells))
        and not any(map(_DIGIT.search, cells))
    )


def _find_total_word(row: TableRow, filled: Sequence[int], is_thin: bool) -> str:
    """Return the word for a total in a row that holds nothing else but amounts, else ""; in a row
    that is less full than others, also one for an average."""
    words = [row.cells[at].strip() for at in filled if not _is_amount(row, at)]
    known = _TOTAL_WORDS | _SUMMARY_WORDS if is_thin else _TOTAL_WORDS
    return words[0] if words and all(_is_total_word(word, known) for word in words) else ""


def _is_total_word(cell: str, known: Collection[str]) -> bool:
    words = normalise_heading(cell).split()
    others = [word for word in words if word not in _COUNTED_WORDS and not word.isdigit()]
    return cell == "Σ" or " ".join(others) in known


def _is_amount(row: TableRow, at: int) -> bool:
    cell = row.cells[at].strip()
    return not cell or bool(_AMOUNT.match(cell) or ERROR_VALUE.fullmatch(cell))


def _is_sum(row: TableRow, others: Sequence[TableRow]) -> bool:
    """Return whether a row without a text holds the sum or the number of the rows above, each of
    which has a text."""
    filled = list_filled(row)
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
