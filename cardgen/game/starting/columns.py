"""The columns of a spreadsheet: which row names them, what stands in them, of which language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.base.problems import Source
from cardgen.base.yamlnodes import Node
from cardgen.game.fields import read_cell
from cardgen.game.model import Field
from cardgen.game.starting import headings
from cardgen.game.table_rows import Row, name_of

_LOOKED_AT = 12
"""So many rows may hold the headings."""


@dataclass(frozen=True)
class Cell:
    """A cell that is not empty, as it is written; in JSON with the value that it is."""

    text: str
    value: Node | None = None

    def read(self, declared: Field) -> Node:
        """What it holds for a field."""
        if self.value is not None:
            return self.value
        return read_cell(self.text, declared, Source(""))


@dataclass(frozen=True)
class Column:
    """A column: its heading; its heading without the language that it names, and that language, or
    ""; and its cells by their rows, counted from 0. `within`: the languages stand in the values, as
    JSON may have them."""

    heading: str
    base: str
    cells: Mapping[int, Cell]
    language: str = ""
    within: bool = False

    @property
    def role(self) -> str:
        """What it is for, by its heading; "" for anything else."""
        return headings.role_of(self.base)

    @property
    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells.values()]

    @property
    def longest(self) -> int:
        """The signs of its longest cell."""
        return max(map(len, self.texts), default=0)


@dataclass
class Sheet:
    """A table that becomes a deck: its columns, how many cards it holds, the row of its headings, 0
    for the first; headings that stand over several columns, and what stands under none."""

    columns: list[Column] = field(default_factory=list)
    count: int = 0
    header: int = 0
    doubled: list[str] = field(default_factory=list)
    nameless: list[str] = field(default_factory=list)


def of_rows(rows: Sequence[Row]) -> Sheet:
    """A table of rows, of which one names the columns; those above it are left out."""
    at = header_at(rows)
    first, others = rows[at], rows[at + 1 :]
    names = [name_of(cell) for cell in first.cells]
    counts = Counter(names)
    sheet = Sheet(count=len(others), header=first.source.line if at else 0)
    sheet.doubled = [name for name, count in counts.items() if name and count > 1]
    for number, name in enumerate(names):
        cells = {
            line: Cell(text)
            for line, row in enumerate(others)
            if number < len(row.cells)
            and row.cells[number]
            and (text := name_of(row.cells[number]))
        }
        if not name:
            sheet.nameless += [cell.text for cell in cells.values()]
        elif counts[name] == 1:
            sheet.columns.append(Column(name, name, cells))
    return sheet


def of_cards(cards: Sequence[Node]) -> Sheet:
    """The cards of a JSON file."""
    sheet = Sheet(count=len(cards))
    names = dict.fromkeys(key for card in cards for key, _ in card.items())
    for name in names:
        values = ((line, card.get(name)) for line, card in enumerate(cards))
        cells = {
            line: Cell(node.text if node.is_scalar else "", node)
            for line, node in values
            if node is not None and node.value is not None
        }
        if name_of(name):
            sheet.columns += _of_languages(Column(name_of(name), name_of(name), cells))
        else:
            sheet.nameless += [cell.text for cell in cells.values()]
    return sheet


def _of_languages(column: Column) -> list[Column]:
    """The texts of a column of JSON by their languages; the column where it holds anything else."""
    values = {line: dict(cell.value.items()) for line, cell in column.cells.items() if cell.value}
    codes = list(dict.fromkeys(key for value in values.values() for key in value))
    if not codes or not all(value and headings.are_codes(value) for value in values.values()):
        return [column]
    return [
        replace(column, language=code, within=True, cells={
            line: Cell(value[code].text, value[code])
            for line, value in values.items()
            if code in value and value[code].is_scalar
        })
        for code in codes
    ]  # fmt: skip


def header_at(rows: Sequence[Row]) -> int:
    """Which of the rows holds the headings: the first that names two things cards have, or else the
    first that is half as full as any."""
    looked_at = rows[: max(min(_LOOKED_AT, len(rows) - 1), 1)]
    for at, row in enumerate(looked_at):
        if len({headings.role_of(cell) for cell in row.cells} - {""}) > 1:
            return at
    filled = [sum(1 for cell in row.cells if cell.strip()) for row in looked_at]
    return next(at for at, count in enumerate(filled) if count * 2 >= max(filled))


def with_languages(columns: Sequence[Column], asked: Collection[str]) -> list[Column]:
    """The same columns; those of a text in several languages have one base, and a language each."""
    found = [_spoken(column, columns) for column in columns]
    for base in dict.fromkeys(headings.plain(c.base) for c in found if c.language):
        taken = {c.language for c in found if c.language and headings.plain(c.base) == base}
        for at, column in enumerate(found):
            if not column.language and headings.plain(column.base) == base:
                found[at] = replace(column, language=_of_bare(column, taken, asked))
    return _of_two_words(found)


def _spoken(column: Column, columns: Sequence[Column]) -> Column:
    """A column with the language that its heading names, if others bear it out."""
    for said in headings.spoken(column.heading):
        others = (each for other in columns if other is not column
                  for each in headings.spoken(other.heading))  # fmt: skip
        beside = any(
            headings.plain(other.base) == headings.plain(said.base)
            and other.language != said.language
            for other in others
        )
        if said.sure or beside:
            return replace(column, base=said.base, language=said.language)
    return column


def _of_bare(column: Column, taken: Collection[str], asked: Collection[str]) -> str:
    """The language of `Name` beside `Name (FI)`; "" where nothing tells."""
    own = [code for code in asked if code not in taken]
    own += [code for code in sorted(headings.written_in(column.base)) if code not in taken]
    return next(
        iter(["en"] if not asked and "en" in own else own), "en" if "en" not in taken else ""
    )


def _of_two_words(columns: Sequence[Column]) -> list[Column]:
    """`Nimi` beside `Name` is the same in two languages."""
    found = list(columns)
    told = [
        frozenset({each.language}) if each.language else headings.written_in(each.base)
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
            base = found[next(iter(of_role))].base
            for at, code in of_role.items():
                found[at] = replace(found[at], base=base, language=code)
    return found


def gaps(columns: Sequence[Column], language: str) -> int:
    """How many texts that stand in another language are missing in this one."""
    missing = 0
    for group in grouped(columns).values():
        said = {line for column in group if column.language for line in column.cells}
        own = {line for column in group if column.language == language for line in column.cells}
        missing += len(said - own)
    return missing


def grouped(columns: Sequence[Column]) -> dict[str, list[Column]]:
    """The columns that are one field: those of a text together, every other by itself."""
    found: dict[str, list[Column]] = {}
    for column in columns:
        key = f"{headings.plain(column.base)} in" if column.language else column.heading
        found.setdefault(key, []).append(column)
    return found


def main_language(columns: Sequence[Column]) -> str:
    """The language of a table that names none: by its headings, and by its letters."""
    votes = Counter(code for c in columns for code in headings.written_in(c.base))
    words = "".join(text for column in columns for text in column.texts[:50])
    if sum("а" <= sign <= "я" for sign in words.lower()) * 4 > len(words):
        return "uk" if any(sign in "іїєґ" for sign in words.lower()) else "ru"
    most = max(votes.values(), default=0)
    return next(iter(_best(votes, most)), "en")


def _best(votes: Mapping[str, int], most: int) -> Iterator[str]:
    if votes.get("en", 0) < most:
        yield from (code for code, count in votes.items() if count == most)
