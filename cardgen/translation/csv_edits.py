"""Edits of single cells in a CSV table; all other cells stay as they are written."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.game import card_tables, csv_tables, deck_files, table_rows
from cardgen.game.model import Game
from cardgen.translation.text_units import TextUnit


@dataclass
class _CsvCells:
    """The records of a table with the offsets at which each cell begins and ends."""

    text: str
    delimiter: str
    records: list[list[tuple[int, int]]]
    lines: list[int]


def edit_csv(
    game: Game, file: str, text: str, language: str, placed: Mapping[str, tuple[TextUnit, str]]
) -> tuple[str, list[str]]:
    """Return the table with texts in the columns of a language, which are added where they are
    missing, and the ids of texts that could not be placed."""
    cells = _locate_cells(text)
    at_record = _find_heading_record(game, file, cells)
    if at_record is None:
        return text, list(placed)
    names = _read_record(cells, at_record)
    by_line = {line: number for number, line in enumerate(cells.lines)}
    columns = _find_columns(game, names, placed)
    source = game.languages[0]
    changes: dict[int, dict[int, str]] = defaultdict(dict)
    refused, new = [], list[str]()
    for name, (unit, new_text) in placed.items():
        record = by_line.get(unit.source.line)
        bare, own = columns.get(unit.label), columns.get(f"{unit.label}.{language}")
        of_source = columns.get(f"{unit.label}.{source}", bare)
        if record is None or record <= at_record or of_source is None or "." in unit.label:
            refused.append(name)
            continue
        if own is None:
            if of_source == bare:  # until now, no column told a language
                changes[at_record][of_source] = f"{names[of_source].strip()}.{source}"
            title = names[of_source].strip().removesuffix(f".{source}") + f".{language}"
            if title not in new:
                new.append(title)
            own = len(names) + new.index(title)
        changes[record][own] = new_text
    changes[at_record].update(enumerate(new, len(names)))
    return _write_cells(cells, changes), refused


def _locate_cells(text: str) -> _CsvCells:
    """Return the offsets of every cell. A quote opens a cell at its beginning only, as in Python's
    csv."""
    delimiter, at = csv_tables.detect_dialect(text)
    quoted = r'"(?:[^"]|"")*+(?:"|\Z)'
    cell = re.compile(rf"(?:{quoted})?[^{delimiter}\r\n]*(?P<end>{delimiter}|\r\n|[\r\n]|\Z)")
    found = _CsvCells(text, delimiter, [], [])
    line, record = 1 + text.count("\n", 0, at), list[tuple[int, int]]()
    while at < len(text) or record:
        match = cell.match(text, at)
        assert match is not None  # the pattern matches anywhere
        begin, end = at, match.start("end")
        at = match.end()
        record.append((begin, end))
        if match["end"] != delimiter:
            found.records.append(record)
            found.lines.append(line)
            line += text.count("\n", record[0][0], end) + 1
            record = []
    return found


def _read_record(cells: _CsvCells, record: int) -> list[str]:
    """Return the texts of a record's cells."""
    spans = cells.records[record]
    written = cells.text[spans[0][0] : spans[-1][1]]
    return next(csv.reader(io.StringIO(written, newline=""), delimiter=cells.delimiter), [])


def _find_heading_record(game: Game, file: str, cells: _CsvCells) -> int | None:
    """Return the index of the record with the headings."""
    headers = {
        table.path: table.header
        for node in deck_files.read_deck_files(game.root).nodes.values()
        for table in card_tables.read_table_list(node.get("rows"), lambda *_: None)
    }
    for number, line in enumerate(cells.lines):
        if line >= headers.get(file, 0) and any(map(str.strip, _read_record(cells, number))):
            return number
    return None


def _find_columns(
    game: Game, names: list[str], placed: Mapping[str, tuple[TextUnit, str]]
) -> dict[str, int]:
    """Return the index of each field's column, `name` or `name.fr`."""
    deck = game.get_deck(next(iter(placed.values()))[0].deck)
    node = deck_files.read_deck_files(game.root).nodes.get(deck.id) if deck else None
    specs = card_tables.read_columns(node.get("columns") if node else None, lambda *_: None)
    known = list(deck.fields) if deck else []
    found: dict[str, int] = {}
    for number, column in enumerate(table_rows.match_columns(names, specs, known)):
        found.setdefault(column.field, number)
    return found


def _write_cells(cells: _CsvCells, changes: Mapping[int, Mapping[int, str]]) -> str:
    """Return the table with other texts in some cells. Records are extended where needed."""
    text = cells.text
    for record in sorted(changes, reverse=True):
        spans = cells.records[record]
        row = [text[start:end] for start, end in spans]
        row += [""] * (max(changes[record], default=0) + 1 - len(row))
        for column, new_text in changes[record].items():
            row[column] = _quote_cell(new_text, cells.delimiter)
        text = text[: spans[0][0]] + cells.delimiter.join(row) + text[spans[-1][1] :]
    return text


def _quote_cell(cell: str, delimiter: str) -> str:
    if any(sign in cell for sign in (delimiter, '"', "\n", "\r")) or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell
