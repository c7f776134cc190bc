"""Columns of a spreadsheet: the row that names them, their cells and their languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.core.problems import Source
from cardgen.core.yaml_nodes import Node
from cardgen.game import heading_words
from cardgen.game.field_types import read_cell
from cardgen.game.model import Field
from cardgen.game.row_filter import select_card_rows
from cardgen.game.table_cells import TableRow
from cardgen.game.table_rows import (
    NAMELESS,
    get_column_name,
    name_columns,
    read_written_value,
)

_MAX_HEADER_ROWS = 12
"""The headings are in one of these first rows."""


@dataclass(frozen=True)
class SourceCell:
    """A cell that is not empty, as it is written, and for JSON its value."""

    text: str
    value: Node | None = None

    def read_value(self, declared: Field) -> Node:
        """Return what the cell holds for a field."""
        if self.value is not None:
            return read_written_value(self.value, declared)
        return read_cell(self.text, declared, Source(""))


@dataclass(frozen=True)
class SourceColumn:
    """A column: its heading, also without the language that it names, and its cells by row from 0.

    `has_language_values` is true where the languages are in the values, as in JSON.
    """

    heading: str
    base_heading: str
    cells: Mapping[int, SourceCell]
    language: str = ""
    has_language_values: bool = False

    @property
    def role(self) -> str:
        """The role of the column by its heading, "" for none."""
        return heading_words.find_role(self.base_heading)

    @property
    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells.values()]


@dataclass
class SourceSheet:
    """A table that becomes a deck.

    `header_row` is the line of the headings, 0 for the first row. `unnamed_texts` are the cells of
    columns without a heading, by the names of these.
    """

    columns: list[SourceColumn] = field(default_factory=list)
    card_count: int = 0
    header_row: int = 0
    unnamed_texts: dict[str, list[str]] = field(default_factory=dict)


def read_row_sheet(rows: Sequence[TableRow]) -> SourceSheet:
    """Return a table from rows, of which one names the columns. Rows above it, and rows that are no
    cards, are left out."""
    at = find_header(rows)
    first = rows[at]
    headings = [get_column_name(cell) for cell in first.cells]
    roles = [heading_words.find_role(heading) for heading in headings]
    unprinted = [number for number, role in enumerate(roles) if role in {"copies", "notes"}]
    id_column = roles.index("id") if "id" in roles else None
    others, _ = select_card_rows(first, rows[at + 1 :], id_column, unprinted)
    sheet = SourceSheet(card_count=len(others), header_row=first.source.line if at else 0)
    for number, name in enumerate(name_columns(first.cells)):
        cells = {
            line: SourceCell(text)
            for line, row in enumerate(others)
            if number < len(row.cells)
            and row.cells[number]
            and (text := get_column_name(row.cells[number]))
        }
        if headings[number]:
            sheet.columns.append(SourceColumn(name, headings[number], cells))
        elif cells:
            sheet.unnamed_texts[name] = [cell.text for cell in cells.values()]
    return sheet


def read_card_sheet(cards: Sequence[Node]) -> SourceSheet:
    """Return a table from the cards of a JSON file."""
    sheet = SourceSheet(card_count=len(cards))
    names = dict.fromkeys(key for card in cards for key, _ in card.items())
    for name in names:
        values = ((line, card.get(name)) for line, card in enumerate(cards))
        cells = {
            line: SourceCell(node.text if node.is_scalar else "", node)
            for line, node in values
            if node is not None and node.value is not None
        }
        if get_column_name(name):
            sheet.columns += _split_languages(
                SourceColumn(get_column_name(name), get_column_name(name), cells)
            )
        else:
            texts = [cell.text for cell in cells.values()]
            sheet.unnamed_texts[NAMELESS] = sheet.unnamed_texts.get(NAMELESS, []) + texts
    return sheet


def _split_languages(column: SourceColumn) -> list[SourceColumn]:
    """Return the texts of a JSON column by language, or the column where it holds anything else."""
    values = {line: dict(cell.value.items()) for line, cell in column.cells.items() if cell.value}
    codes = list(dict.fromkeys(key for value in values.values() for key in value))
    if not codes or not all(
        value and heading_words.are_language_codes(value) for value in values.values()
    ):
        return [column]
    return [
        replace(column, language=code, has_language_values=True, cells={
            line: SourceCell(value[code].text, value[code])
            for line, value in values.items()
            if code in value and value[code].is_scalar
        })
        for code in codes
    ]  # fmt: skip


def find_header(rows: Sequence[TableRow]) -> int:
    """Return the index of the row of headings.

    It is the first row that names two roles, or else the first that is half as full as any.
    """
    looked_at = rows[: max(min(_MAX_HEADER_ROWS, len(rows) - 1), 1)]
    for at, row in enumerate(looked_at):
        if len({heading_words.find_role(cell) for cell in row.cells} - {""}) > 1:
            return at
    filled = [sum(1 for cell in row.cells if cell.strip()) for row in looked_at]
    return next(at for at, count in enumerate(filled) if count * 2 >= max(filled))


def assign_languages(columns: Sequence[SourceColumn], asked: Collection[str]) -> list[SourceColumn]:
    """Return the columns; those of one text in several languages share a base heading."""
    found = [_assign_heading_language(column, columns, asked) for column in columns]
    for base in dict.fromkeys(
        heading_words.normalise_heading(c.base_heading) for c in found if c.language
    ):
        taken = {
            c.language
            for c in found
            if c.language and heading_words.normalise_heading(c.base_heading) == base
        }
        for at, column in enumerate(found):
            if not column.language and heading_words.normalise_heading(column.base_heading) == base:
                found[at] = replace(column, language=_guess_bare_language(column, taken, asked))
                taken.add(found[at].language)
    return _pair_translated_headings(found)


def _assign_heading_language(
    column: SourceColumn, columns: Sequence[SourceColumn], asked: Collection[str]
) -> SourceColumn:
    """Return a column with the language in its heading.

    A code of two letters may mean something else: other columns or the user must confirm it.
    """
    for said in heading_words.parse_heading_languages(column.heading):
        others = (each for other in columns if other is not column
                  for each in heading_words.parse_heading_languages(other.heading))  # fmt: skip
        beside = any(
            heading_words.normalise_heading(other.base_heading)
            == heading_words.normalise_heading(said.base_heading)
            and other.language != said.language
            for other in others
        )
        if said.is_certain or beside or said.language in asked:
            return replace(column, base_heading=said.base_heading, language=said.language)
    return column


def _guess_bare_language(
    column: SourceColumn, taken: Collection[str], asked: Collection[str]
) -> str:
    """Return the language of `Name` beside `Name (FI)`, "" where nothing tells."""
    own = [code for code in asked if code not in taken]
    own += [
        code
        for code in sorted(heading_words.find_word_languages(column.base_heading))
        if code not in taken
    ]
    return next(
        iter(["en"] if not asked and "en" in own else own), "en" if "en" not in taken else ""
    )


def _pair_translated_headings(columns: Sequence[SourceColumn]) -> list[SourceColumn]:
    """Pair columns such as `Nimi` and `Name`: one text in two languages."""
    found = list(columns)
    told = [
        frozenset({each.language})
        if each.language
        else heading_words.find_word_languages(each.base_heading)
        for each in found
    ]
    alone = {
        at: "en" if "en" in said else next(iter(said))
        for at, said in enumerate(told)
        if len(said) == 1 or "en" in said
    }
    for role in ("title", "text", "flavour", "type"):
        of_role = {at: code for at, code in alone.items() if found[at].role == role}
        codes = list(of_role.values())
        if len(codes) > 1 and len(set(codes)) == len(codes):
            base = found[next(iter(of_role))].base_heading
            for at, code in of_role.items():
                found[at] = replace(found[at], base_heading=base, language=code)
    return found


def count_missing_texts(columns: Sequence[SourceColumn], language: str) -> int:
    """Return how many texts that another language has are missing in this one."""
    missing = 0
    for group in group_columns(columns).values():
        said = {line for column in group if column.language for line in column.cells}
        own = {line for column in group if column.language == language for line in column.cells}
        missing += len(said - own)
    return missing


def group_columns(columns: Sequence[SourceColumn]) -> dict[str, list[SourceColumn]]:
    """Return the columns of each field: those of one text together, any other by itself."""
    found: dict[str, list[SourceColumn]] = {}
    for column in columns:
        key = (
            f"{heading_words.normalise_heading(column.base_heading)} in"
            if column.language
            else column.heading
        )
        found.setdefault(key, []).append(column)
    return found


def guess_language(columns: Sequence[SourceColumn]) -> str:
    """Return the language of a table that names none, by its headings and letters."""
    votes = Counter(
        code for c in columns for code in heading_words.find_word_languages(c.base_heading)
    )
    words = "".join(text for column in columns for text in column.texts[:50])
    if sum("а" <= sign <= "я" for sign in words.lower()) * 4 > len(words):
        return "uk" if any(sign in "іїєґ" for sign in words.lower()) else "ru"
    most = max(votes.values(), default=0)
    return next(iter(_find_most_voted(votes, most)), "en")


def _find_most_voted(votes: Mapping[str, int], most: int) -> Iterator[str]:
    if votes.get("en", 0) < most:
        yield from (code for code, count in votes.items() if count == most)
