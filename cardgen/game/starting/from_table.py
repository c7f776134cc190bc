"""A game whose cards stand in a spreadsheet: the table as it is, and a deck that reads it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, has_errors
from cardgen.game import loading, tables
from cardgen.game.ids import id_of
from cardgen.game.looks.catalogue import Look
from cardgen.game.starting import columns, game_files, guessing, headings, yaml_text
from cardgen.game.starting.columns import Sheet
from cardgen.game.starting.game_files import Begun, Wish
from cardgen.game.starting.guessing import Guess
from cardgen.game.tables import Table

_SECONDS = 20.0
_MOST_SHEETS, _MOST_COLUMNS, _LONGEST_HEADING = 20, 200, 200
_TAKEN = frozenset({"rules", "con", "prn", "aux", "nul"})
"""What no deck's file is called: another file of the game, and what Windows keeps for itself."""
_HUES = ("#1f5a7a", "#8a5a2b", "#3f6b4f", "#8a3f2e", "#5a4a7a", "#2f6068", "#7a6420", "#4a4456")
_NO_ROWS = "it holds no rows: a first one with headings, and one for each card"
_NO_CARDS = "it holds no cards: a list of them, each a mapping such as {name: Tug}"


def begun(wish: Wish, path: Path) -> tuple[Begun, list[Problem]]:
    """The files of the game; nothing with an error, which names the spreadsheet as it was given."""
    ending = path.suffix.lower()
    if ending not in tables.ENDINGS:
        asked = ", ".join(sorted(tables.ENDINGS))
        return Begun(), [
            Problem(Source(str(path)), f"no table; its ending is one of {asked}", "file")
        ]
    stem = id_of(path.stem, ()) or "cards"
    file = f"{'cards' if stem in _TAKEN else stem}{ending}"
    try:
        data = paths.read(path, tables.MOST_BYTES)
        with guard.at(str(path), _SECONDS):
            made, problems = _made(wish, path.stem, file, data)
    except paths.Unreadable as error:
        return Begun(), [Problem(Source(str(path)), f"the file {error}", "file")]
    except Stopped as error:
        return Begun(), [Problem(Source(str(path)), f"the table cannot be read: {error}", "bounds")]
    if has_errors(problems):
        return Begun(), [_as_given(problem, f"cards/{file}", str(path)) for problem in problems]
    return made, []


def _as_given(problem: Problem, ours: str, given: str) -> Problem:
    """A problem in the copy of the table, told of the table itself."""
    place = problem.source
    source = replace(place, path=given) if place.path == ours else place
    return replace(problem, source=source, message=problem.message.replace(ours, given))


def _made(wish: Wish, title: str, file: str, data: bytes) -> tuple[Begun, list[Problem]]:
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        root = Path(scratch)
        _write(root, {f"cards/{file}": data})
        table, others, problems = _sheet_of(wish, file, root)
        if problems:
            return Begun(), problems
        sheet, problems = _read(table, root)
        if problems:
            return Begun(), problems
        guess = guessing.guessed(sheet, wish.look, wish.languages)
        if guess.refused:
            return Begun(), [Problem(table.source, guess.refused, "language")]
        table = replace(table, header=sheet.header)
        made = _written(wish, guess, table, title, sheet)
        made.told[:0] = [_about(table, sheet, others)]
        made.files[table.path] = data
        _write(root, made.files)
        _, problems = loading.load(root)
        return made, problems


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


# -- the table


def _sheet_of(wish: Wish, file: str, root: Path) -> tuple[Table, list[str], list[Problem]]:
    """The sheet with the cards, and the others: the one that is asked for, or of several the one
    whose headings name the most of what cards have."""
    table = Table(file, wish.sheet, Source(f"cards/{file}"))
    names, problems = tables.sheets(table, root)
    if wish.sheet and not names and not problems:
        problems = [Problem(table.source, "it has no sheets", "table")]
    if problems or wish.sheet or len(names) < 2:
        return table, [], problems
    known = {name: _known(replace(table, sheet=name), root) for name in names[:_MOST_SHEETS]}
    best = max(known, key=lambda name: known[name])
    return replace(table, sheet=best), [name for name in names if name != best], []


def _known(table: Table, root: Path) -> int:
    """How many of a sheet's headings name what cards have; -1 where it has no cards."""
    rows, _ = tables.rows_of(table, root)
    if len(rows) < 2:
        return -1
    return len({headings.role_of(cell) for cell in rows[columns.header_at(rows)].cells} - {""})


def _read(table: Table, root: Path) -> tuple[Sheet, list[Problem]]:
    if table.file.endswith(tables.JSON):
        cards, problems = tables.cards_of(table, root)
        sheet, none = columns.of_cards(cards), _NO_CARDS
    else:
        rows, problems = tables.rows_of(table, root)
        sheet, none = columns.of_rows(rows) if len(rows) > 1 else Sheet(), _NO_ROWS
    if has_errors(problems):
        return sheet, problems
    said = [column.heading for column in sheet.columns]
    why = ""
    if sheet.doubled and not said:
        why = "each heading stands over several columns; give every column one of its own"
    elif not sheet.count or not said:
        why = none
    elif len(said) > _MOST_COLUMNS:
        why = f"it has {len(said)} columns; {_MOST_COLUMNS} are the most"
    elif long := next((name for name in said if len(name) > _LONGEST_HEADING), ""):
        why = f"a heading has {len(long)} signs, {_LONGEST_HEADING} are the most: '{long[:40]}…'"
    return sheet, [Problem(table.source, why, "table")] if why else []


def _about(table: Table, sheet: Sheet, others: Sequence[str]) -> str:
    where = f", sheet {table.sheet}" if table.sheet else ""
    where += f", headings in row {sheet.header}" if sheet.header else ""
    rest = ", ".join(others[:6])
    left = f"; other sheets: {rest} (--sheet)" if others else ""
    return f"{sheet.count} cards from cards/{table.file}{where}{left}"


# -- the files


def _written(wish: Wish, guess: Guess, table: Table, title: str, sheet: Sheet) -> Begun:
    made = Begun(deck=Path(table.file).stem, languages=guess.languages, told=guess.told)
    colours = _hues(guess, wish.look)
    game_files.game(made, wish, dict(colours.values()), guess.words)
    places = {place: False if name is None else name for place, name in guess.places.items()}
    by, _ = guess.sorts
    if colours:
        values = {value: name for value, (name, _) in colours.items()}
        places["accent"] = {"by": by, "values": values}
    called = game_files.everywhere(game_files.title_of(title, "Cards"), made.languages)
    keys = {"fields": guess.fields, "places": places}
    art = f"art/{made.deck}/ID.png"
    lines = [f"# A picture is a file named after its card, {art}; until then one is made up."]
    if guess.pictures:
        lines += [f"# When those that the table names are in art/: picture: {guess.pictures}"]
    lines += ["", f"# The cards stand in cards/{table.file}; edit them there."]
    lines += [yaml_text.block({"rows": _rows(table)})]
    if guess.columns:
        lines += [
            "# Columns that are called otherwise than their fields; 'ignore' leaves one out.",
            "columns:",
            yaml_text.block(guess.columns, 2),
        ]
    game_files.deck(made, wish, called, keys, lines)
    if guess.named:
        game_files.rules(made, [_names_differ(made.deck)])
    game_files.book_and_table(made, wish)
    return made


def _rows(table: Table) -> Any:
    more = {"sheet": table.sheet, "header": table.header}
    said = {key: value for key, value in more.items() if value}
    return {"file": table.file, **said} if said else table.file


def _names_differ(deck: str) -> dict[str, Any]:
    return {
        "id": "names",
        "unique": deck,
        "of": "name",
        "because": "two cards of one name cannot be told apart in talk",
        "section": "Setting up",
    }


def _hues(guess: Guess, look: Look) -> dict[str, tuple[str, str]]:
    """A colour for each value of the choice that tells cards apart: the value → the colour's name,
    the colour."""
    _, values = guess.sorts
    if not values or "accent" not in look.places or "accent" in guess.places:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for value, hue in zip(values, _HUES, strict=False):
        taken = {*look.tints, *(name for name, _ in found.values())}
        found[value] = (id_of(value, taken) or id_of("colour", {*taken, "colour"}), hue)
    return found
