"""New games: a folder that builds at once, from a look's sample or from a spreadsheet."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.core import work_limits, yaml_nodes
from cardgen.core.problems import Problem, Source, has_errors, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import card_tables, card_text, loader
from cardgen.game.card_ids import make_id
from cardgen.game.card_tables import UNDECIDED_WORD, CardTable
from cardgen.looks.look_catalogue import LOOKS_FOLDER, Look
from cardgen.runtime import game_files
from cardgen.starting import heading_words, starter_files, table_columns, table_guess, yaml_writer
from cardgen.starting.starter_files import NewGame, NewGameRequest, get_box_rule
from cardgen.starting.table_columns import SourceSheet
from cardgen.starting.table_guess import TableGuess

_READ_SECONDS = 20.0
_MAX_SHEETS, _MAX_COLUMNS, _MAX_HEADING_CHARS = 20, 200, 200
_RESERVED_STEMS = frozenset({"rules", "con", "prn", "aux", "nul"})
"""Names that no deck's file may have: another file of the game, and what Windows reserves."""
_ACCENT_COLOURS = (
    "#1f5a7a",
    "#8a5a2b",
    "#3f6b4f",
    "#8a3f2e",
    "#5a4a7a",
    "#2f6068",
    "#7a6420",
    "#4a4456",
)
_MAX_LISTED_ICONS = 8
_NO_ROWS_MESSAGE = "it holds no rows: a first one with headings, and one for each card"
_NO_CARDS_MESSAGE = "it holds no cards: a list of them, each a mapping such as {name: Tug}"


def create_from_table(wish: NewGameRequest, path: Path) -> tuple[NewGame, list[Problem]]:
    """Return the files of a game from a spreadsheet, or none and the errors, at the file given."""
    ending = path.suffix.lower()
    if ending not in card_tables.TABLE_SUFFIXES:
        asked = ", ".join(sorted(card_tables.TABLE_SUFFIXES))
        return NewGame(), [
            Problem(Source(str(path)), f"no table; its ending is one of {asked}", "file")
        ]
    stem = make_id(path.stem, ()) or "cards"
    file = f"{'cards' if stem in _RESERVED_STEMS else stem}{ending}"
    try:
        data = game_files.read_file(path, card_tables.MAX_TABLE_BYTES)
        with work_limits.work_limit(str(path), _READ_SECONDS):
            made, problems = _create_files(wish, path.stem, file, data)
    except game_files.UnreadableError as error:
        return NewGame(), [Problem(Source(str(path)), f"the file {error}", "file")]
    except LimitExceededError as error:
        return NewGame(), [
            Problem(Source(str(path)), f"the table cannot be read: {error}", "bounds")
        ]
    if has_errors(problems):
        return NewGame(), [
            _restore_file_name(problem, f"cards/{file}", str(path)) for problem in problems
        ]
    return made, []


def _is_unreadable(problems: Sequence[Problem], card_count: int) -> bool:
    """Return true where the table as a whole is wrong, or more than half of its rows."""
    errors = [problem for problem in problems if problem.severity == "error"]
    lines = {problem.source.line for problem in errors if problem.kind == "table"}
    return len(lines) * 2 > card_count or any(
        problem.kind in {"file", "bounds", "yaml"} for problem in errors
    )


def _restore_file_name(problem: Problem, ours: str, given: str) -> Problem:
    """Return a problem of the copy of the table as one of the table itself."""
    place = problem.source
    source = replace(place, path=given) if place.path == ours else place
    return replace(problem, source=source, message=problem.message.replace(ours, given))


def _create_files(
    wish: NewGameRequest, title: str, file: str, data: bytes
) -> tuple[NewGame, list[Problem]]:
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        root = Path(scratch)
        _write_files(root, {f"cards/{file}": data})
        table, others, problems = _choose_sheet(wish, file, root)
        if problems:
            return NewGame(), problems
        sheet, problems = _read_sheet(table, root)
        if problems:
            return NewGame(), problems
        guess = table_guess.guess_table(sheet, wish.look, wish.languages)
        if guess.refusal:
            return NewGame(), [Problem(table.source, guess.refusal, "language")]
        table = replace(table, header=sheet.header_row)
        made = _compose_files(wish, guess, table, title, sheet)
        made.messages[:0] = [_describe_table(table, sheet, others)]
        made.files[table.path] = data
        _write_files(root, made.files)
        game, problems = loader.load_game(root)
        if game is None or _is_unreadable(problems, sheet.card_count):
            return made, problems
        problems += card_text.check_card_texts(game)
        made.problems = [each for each in problems if each.source.path == table.path]
        return made, []


def _write_files(root: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


# -- the table


def _choose_sheet(
    wish: NewGameRequest, file: str, root: Path
) -> tuple[CardTable, list[str], list[Problem]]:
    """Return the sheet with the cards, and the names of the others.

    Of several sheets it is the one whose headings name the most of what cards have.
    """
    table = CardTable(file, wish.sheet, Source(f"cards/{file}"))
    names, problems = card_tables.list_table_sheets(table, root)
    if wish.sheet and not names and not problems:
        problems = [Problem(table.source, "it has no sheets", "table")]
    if problems or wish.sheet or len(names) < 2:
        return table, [], problems
    known = {
        name: _count_known_headings(replace(table, sheet=name), root)
        for name in names[:_MAX_SHEETS]
    }
    best = max(known, key=lambda name: known[name])
    return replace(table, sheet=best), [name for name in names if name != best], []


def _count_known_headings(table: CardTable, root: Path) -> int:
    """Return how many roles a sheet's headings name, -1 for a sheet without cards."""
    rows, _ = card_tables.read_table_rows(table, root)
    if len(rows) < 2:
        return -1
    return len(
        {heading_words.find_role(cell) for cell in rows[table_columns.find_header(rows)].cells}
        - {""}
    )


def _read_sheet(table: CardTable, root: Path) -> tuple[SourceSheet, list[Problem]]:
    if table.file.endswith(card_tables.JSON_SUFFIX):
        cards, problems = card_tables.read_json_cards(table, root)
        sheet, none = table_columns.read_card_sheet(cards), _NO_CARDS_MESSAGE
    else:
        rows, problems = card_tables.read_table_rows(table, root)
        sheet, none = (
            table_columns.read_row_sheet(rows) if len(rows) > 1 else SourceSheet(),
            _NO_ROWS_MESSAGE,
        )
    if has_errors(problems):
        return sheet, problems
    said = [column.heading for column in sheet.columns]
    why = ""
    if sheet.duplicate_headings and not said:
        why = "each heading is used for several columns; give every column a heading of its own"
    elif not sheet.card_count or not said:
        why = none
    elif len(said) > _MAX_COLUMNS:
        why = f"it has {len(said)} columns; {_MAX_COLUMNS} are the most"
    elif long := next((name for name in said if len(name) > _MAX_HEADING_CHARS), ""):
        why = f"a heading has {len(long)} signs, {_MAX_HEADING_CHARS} are the most: '{long[:40]}…'"
    return sheet, [Problem(table.source, why, "table")] if why else []


def _describe_table(table: CardTable, sheet: SourceSheet, others: Sequence[str]) -> str:
    where = f", sheet {table.sheet}" if table.sheet else ""
    where += f", headings in row {sheet.header_row}" if sheet.header_row else ""
    rest = ", ".join(others[:6])
    left = f"; other sheets: {rest} (--sheet)" if others else ""
    return f"{sheet.card_count} cards from cards/{table.file}{where}{left}"


# -- the files


def _compose_files(
    wish: NewGameRequest, guess: TableGuess, table: CardTable, title: str, sheet: SourceSheet
) -> NewGame:
    made = NewGame(deck=Path(table.file).stem, languages=guess.languages, messages=guess.messages)
    made.has_fallback = guess.has_fallback
    colours = _assign_colours(guess, wish.look)
    starter_files.add_game_file(made, wish, dict(colours.values()), guess.words)
    places = {place: False if name is None else name for place, name in guess.places.items()}
    by, _ = guess.kind_choice
    if colours:
        values = {value: name for value, (name, _) in colours.items()}
        places["accent"] = {"by": by, "values": values}
    called = starter_files.repeat_text(starter_files.derive_title(title, "Cards"), made.languages)
    keys = {"fields": guess.fields, "places": places}
    art = f"art/{made.deck}/ID.png"
    lines = [f"# A picture is a file named after its card, {art}; until then one is made up."]
    if guess.picture_field:
        lines += [f"# When those that the table names are in art/: picture: {guess.picture_field}"]
    if guess.icons:
        files = summarise([f"{name}.svg" for name in guess.icons], _MAX_LISTED_ICONS)
        lines += [f"# Texts name icons, files in art/icons/: {files}"]
    lines += ["", f"# The cards stand in cards/{table.file}; edit them there."]
    lines += [yaml_writer.format_block({"rows": _describe_rows(table)})]
    if guess.columns:
        lines += [
            "# Columns that are called otherwise than their fields; 'ignore' leaves one out.",
            *(
                [
                    f"# cardgen could not tell what those that are {UNDECIDED_WORD} are for: write",
                    "# the name of a field, or ignore. 'cardgen check' reminds you until then.",
                ]
                if UNDECIDED_WORD in guess.columns.values()
                else ()
            ),
            "columns:",
            yaml_writer.format_block(guess.columns, 2),
        ]
    starter_files.add_deck_file(made, wish, called, keys, lines)
    if guess.has_unique_names:
        starter_files.add_rules_file(made, [_make_unique_rule(made.deck)])
    starter_files.add_book_and_table(made, wish)
    return made


def _describe_rows(table: CardTable) -> Any:
    more = {"sheet": table.sheet, "header": table.header}
    said = {key: value for key, value in more.items() if value}
    return {"file": table.file, **said} if said else table.file


def _make_unique_rule(deck: str) -> dict[str, Any]:
    return {
        "id": "names",
        "unique": deck,
        "of": "name",
        "because": "players cannot tell two cards with one name apart",
        "section": "Setting up",
    }


def _assign_colours(guess: TableGuess, look: Look) -> dict[str, tuple[str, str]]:
    """Return a colour for each value of the choice that tells cards apart: value to name and
    colour.
    """
    _, values = guess.kind_choice
    if not values or "accent" not in look.slots or "accent" in guess.places:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for value, hue in zip(values, _ACCENT_COLOURS, strict=False):
        taken = {*look.colours, *(name for name, _ in found.values())}
        found[value] = (make_id(value, taken) or make_id("colour", {*taken, "colour"}), hue)
    return found


SAMPLE_FILE = "sample.yaml"


def create_game(wish: NewGameRequest) -> tuple[NewGame, list[Problem]]:
    """Return the files of the game, or none and the errors."""
    if wish.table is not None:
        return create_from_table(wish, wish.table)
    sample = _load_sample(wish.look)
    made = NewGame(deck=sample["deck"], languages=wish.languages or ("en",))
    said = _select_languages(
        {key: sample.get(key, {}) for key in ("colours", "words")}, made.languages
    )
    starter_files.add_game_file(made, wish, said["colours"], said["words"])
    keys = {
        "fields": _select_languages(sample["fields"], ()),
        "places": _select_languages(sample.get("places", {}), made.languages),
        "shape": {key: sample[key] for key in ("shape",) if key in sample},
    }
    cards = [_select_languages(card, made.languages) for card in sample["cards"]]
    lines = ["cards:", *map(yaml_writer.format_entry, cards)]
    if "picture" in wish.look.slots:
        picture = f"art/{made.deck}/{cards[0]['id']}.png"
        lines.insert(0, f"# A picture is a file named after its card, {picture};")
        lines.insert(1, "# until then one is made up.")
    starter_files.add_deck_file(
        made, wish, _select_languages(sample["title"], made.languages), keys, lines
    )
    because, section = get_box_rule(made.languages[0])
    first = {
        "id": "box",
        "count": made.deck,
        "is": sum(card.get("copies", 1) for card in sample["cards"]),
        "severity": "warning",
        "because": because,
        "section": section,
    }
    more = _select_languages(sample.get("rules", []), made.languages[:1])
    starter_files.add_rules_file(made, [first, *({**rule, "severity": "warning"} for rule in more)])
    books = {one: _select_languages(sample.get("book", {}), (one,)) for one in made.languages}
    starter_files.add_book_and_table(made, wish, books, sample.get("table"))
    return made, []


def _load_sample(look: Look) -> dict[str, Any]:
    node, _ = yaml_nodes.load(
        (LOOKS_FOLDER / look.name / SAMPLE_FILE).read_text(encoding="utf-8"), SAMPLE_FILE
    )
    assert node is not None
    found: dict[str, Any] = node.to_plain()
    return found


def _select_languages(value: Any, languages: Sequence[str]) -> Any:
    """Return a value with its texts in these languages alone, English where there is none.

    A mapping that has English is a text.
    """
    if isinstance(value, Mapping) and "en" in value and languages:
        said = {
            language: value.get(language, value.get(language.partition("-")[0], value["en"]))
            for language in languages
        }
        return said if len(said) > 1 else next(iter(said.values()))
    if isinstance(value, Mapping):
        return {key: _select_languages(child, languages) for key, child in value.items()}
    if isinstance(value, list):
        return [_select_languages(child, languages) for child in value]
    return value
