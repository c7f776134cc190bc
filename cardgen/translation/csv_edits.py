"""Edits of single cells in a CSV table; all other cells stay as they are written."""

from __future__ import annotations

import csv
import io
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
    head = _find_heading_record(game, file, cells)
    if head is None:
        return text, list(placed)
    at_record, names = head
    by_line = {line: number for number, line in enumerate(cells.lines)}
    columns = _find_columns(game, names, placed)
    source = game.languages[0]
    changes: dict[tuple[int, int], str] = {}
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
                changes[at_record, of_source] = f"{names[of_source].strip()}.{source}"
            title = names[of_source].strip().removesuffix(f".{source}") + f".{language}"
            if title not in new:
                new.append(title)
            own = len(names) + new.index(title)
        changes[record, own] = new_text
    for number, title in enumerate(new):
        changes[at_record, len(names) + number] = title
    return _write_cells(cells, changes), refused


def _locate_cells(text: str) -> _CsvCells:
    """Return the offsets of every cell. A quote opens a cell at its beginning only, as in Python's
    csv."""
    delimiter, start = csv_tables.detect_dialect(text)
    found = _CsvCells(text, delimiter, [], [])
    record: list[tuple[int, int]] = []
    at, line, first, begun = start, 1 + text.count("\n", 0, start), 0, start
    first = line
    quoted = False
    while at <= len(text):
        sign = text[at : at + 1]
        if quoted:
            if sign == '"' and text[at + 1 : at + 2] == '"':
                at += 1
            elif sign in {'"', ""}:
                quoted = False
                if not sign:
                    continue
            line += sign == "\n"
        elif sign == '"' and at == begun:
            quoted = True
        elif sign == delimiter:
            record.append((begun, at))
            begun = at + 1
        elif sign in {"\n", "\r", ""}:
            if sign or begun < at or record:
                record.append((begun, at))
                found.records.append(record)
                found.lines.append(first)
            at += text[at : at + 2] == "\r\n"
            line += 1
            record, begun, first = [], at + 1, line
        at += 1
    return found


def _read_record(cells: _CsvCells, record: int) -> list[str]:
    """Return the texts of a record's cells."""
    spans = cells.records[record]
    written = cells.text[spans[0][0] : spans[-1][1]]
    return next(csv.reader(io.StringIO(written, newline=""), delimiter=cells.delimiter), [])


def _find_heading_record(game: Game, file: str, cells: _CsvCells) -> tuple[int, list[str]] | None:
    """Return the index of the record with the headings, and the headings."""
    named = {
        table.path: table.header
        for node in deck_files.read_deck_files(game.root).nodes.values()
        for table in card_tables.read_table_list(node.get("rows"), lambda *_: None)
    }
    for number, line in enumerate(cells.lines):
        texts = _read_record(cells, number)
        if line >= named.get(file, 0) and any(cell.strip() for cell in texts):
            return number, texts
    return None


def _find_columns(
    game: Game, names: list[str], placed: Mapping[str, tuple[TextUnit, str]]
) -> dict[str, int]:
    """Return the index of each field's column, `name` or `name.fr`."""
    deck = game.get_deck(next(iter(placed.values()))[0].deck)
    node = deck_files.read_deck_files(game.root).nodes.get(deck.id) if deck else None
    specs = (
        card_tables.read_columns(node.get("columns"), lambda *_: None) if node is not None else {}
    )
    known = list(deck.fields) if deck else []
    found: dict[str, int] = {}
    for number, name in enumerate(names):
        column = table_rows.match_column(name, specs, known)
        if column.field:
            found.setdefault(column.field, number)
    return found


def _write_cells(cells: _CsvCells, changes: Mapping[tuple[int, int], str]) -> str:
    """Return the table with other texts in some cells. Records are extended where needed."""
    text = cells.text
    for record in sorted({record for record, _ in changes}, reverse=True):
        spans = cells.records[record]
        row = [text[start:end] for start, end in spans]
        for (each, column), new_text in changes.items():
            if each == record:
                row += [""] * (column + 1 - len(row))
                row[column] = _quote_cell(new_text, cells.delimiter)
        text = text[: spans[0][0]] + cells.delimiter.join(row) + text[spans[-1][1] :]
    return text


def _quote_cell(cell: str, delimiter: str) -> str:
    if any(sign in cell for sign in (delimiter, '"', "\n", "\r")) or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell
