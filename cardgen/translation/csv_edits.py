"""Translations in a CSV table, in columns of their languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from cardgen.game import card_rows, card_tables, csv_cells, deck_files, table_rows
from cardgen.game.csv_cells import CsvCells
from cardgen.game.model import Game
from cardgen.translation.text_units import TextUnit


def edit_csv(
    game: Game, file: str, text: str, language: str, placed: Mapping[str, tuple[TextUnit, str]]
) -> tuple[str, list[str]]:
    """Return the table with texts in the columns of a language, which are added where they are
    missing, and the ids of texts that could not be placed."""
    cells = csv_cells.locate_cells(text)
    at_record = _find_heading_record(game, file, cells)
    if at_record is None:
        return text, list(placed)
    names = cells.read_record(at_record)
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
    return csv_cells.write_cells(cells, changes), refused


def _find_heading_record(game: Game, file: str, cells: CsvCells) -> int | None:
    """Return the index of the record with the headings."""
    headers = {
        table.path: table.header
        for node in deck_files.read_deck_files(game.root).nodes.values()
        for table in card_tables.read_table_list(node.get("rows"), card_rows.ignore_problem)
    }
    for number, line in enumerate(cells.lines):
        if line >= headers.get(file, 0) and any(map(str.strip, cells.read_record(number))):
            return number
    return None


def _find_columns(
    game: Game, names: list[str], placed: Mapping[str, tuple[TextUnit, str]]
) -> dict[str, int]:
    """Return the index of each field's column, `name` or `name.fr`."""
    deck = game.get_deck(next(iter(placed.values()))[0].deck)
    node = deck_files.read_deck_files(game.root).nodes.get(deck.id) if deck else None
    specs = card_tables.read_columns(
        node.get("columns") if node else None, card_rows.ignore_problem
    )
    known = list(deck.fields) if deck else []
    return table_rows.locate_columns(table_rows.match_columns(names, specs, known))
