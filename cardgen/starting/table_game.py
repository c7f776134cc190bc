"""Games and decks from a spreadsheet: its sheets chosen and read, a deck guessed from each."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean, has_errors, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import card_tables, card_text, heading_words, loader
from cardgen.game.card_ids import make_id
from cardgen.game.card_tables import UNDECIDED_WORD, CardTable
from cardgen.game.inventory import format_count
from cardgen.game.model import Game
from cardgen.looks.look_catalogue import Look
from cardgen.runtime import game_files
from cardgen.starting import starter_files, table_columns, table_guess, yaml_writer
from cardgen.starting.starter_files import NewGame, NewGameRequest
from cardgen.starting.table_columns import SourceSheet
from cardgen.starting.table_guess import TableGuess

ALL_SHEETS = "all"
"""The word for every sheet that holds cards."""
_READ_SECONDS = 20.0
_MAX_SHEETS, _MAX_COLUMNS, _MAX_HEADING_CHARS = 20, 200, 200
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
_MAX_LISTED = 8
_NO_ROWS_MESSAGE = "it holds no rows: a first one with headings, and one for each card"
_NO_CARDS_MESSAGE = "it holds no cards: a list of them, each a mapping such as {name: Tug}"


@dataclass(frozen=True)
class _DeckPlan:
    """A deck to be made: its id and title, its table, and what was guessed of it."""

    deck: str
    title: str
    table: CardTable
    sheet: SourceSheet
    guess: TableGuess


@dataclass(frozen=True)
class _OtherSheets:
    """Sheets that are not used: those with cards, and what is said of all."""

    undecided: Sequence[str]
    messages: Sequence[str]


def create_from_table(wish: NewGameRequest, path: Path) -> tuple[NewGame, list[Problem]]:
    """Return the files of a game from a spreadsheet, or none and the errors, at the file given."""
    ending = path.suffix.lower()
    if ending not in card_tables.TABLE_SUFFIXES:
        asked = ", ".join(sorted(card_tables.TABLE_SUFFIXES))
        return NewGame(), [
            Problem(Source(str(path)), f"no table; its ending is one of {asked}", "file")
        ]
    try:
        data = game_files.read_file(path, card_tables.MAX_TABLE_BYTES)
        file = _choose_file_name(wish, path, data)
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


def choose_deck_id(words: str, taken: Iterable[str]) -> str:
    """Return an id for a deck that is called so, which is no file of the game yet."""
    words = "cards" if make_id(words, ()) == "rules" else words
    used = set(taken)
    return make_id(words, used) or make_id("cards", used)


def _choose_file_name(wish: NewGameRequest, path: Path, data: bytes) -> str:
    """Return the name of the table in cards/. A file with the same bytes is used once more."""
    stem = choose_deck_id(path.stem, ())
    taken = {name.lower() for name in wish.taken_files}
    suffix = path.suffix.lower().replace(".yaml", ".yml")  # the deck's file ends in .yaml
    names = [f"{stem}{number}{suffix}" for number in ("", *range(2, 1000))]
    return next(
        name.replace(stem, f"{stem}-", 1) if name[len(stem)].isdigit() else name
        for name in names
        if name.lower() not in taken or wish.taken_files.get(name) == data
    )


def _is_unreadable(problems: Sequence[Problem], card_count: int) -> bool:
    """Return true where the table as a whole is wrong, or none of its cards can be read."""
    errors = [problem for problem in problems if problem.severity == "error"]
    return bool(errors) and (
        not card_count or any(problem.kind in {"file", "bounds", "yaml"} for problem in errors)
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
        starter_files.write_files(root, {f"cards/{file}": data})
        table = CardTable(file, "", Source(f"cards/{file}"))
        known, problems = _rate_sheets(table, root)
        hidden, _ = ({}, []) if problems else _rate_sheets(table, root, is_hidden=True)
        tables, problems = (
            ([], problems) if problems else _choose_sheets(wish, table, known, hidden)
        )
        if problems:
            return NewGame(), problems
        plans, problems = _plan_decks(wish, title, tables, root)
        if problems:
            return NewGame(), problems
        used = [table.sheet or next(iter(known), "") for table in tables]
        others = _find_other_sheets(wish, file, used, known, hidden)
        made = _compose_files(wish, plans, others)
        made.files[f"cards/{file}"] = data
        starter_files.write_files(root, made.files)
        game, problems = loader.load_game(root)
        if game is None or _is_unreadable(problems, sum(len(deck.pieces) for deck in game.decks)):
            return made, problems
        made.messages = _describe_decks(plans, game) + list(others.messages)
        problems += card_text.check_card_texts(game)
        made.problems = [each for each in problems if each.source.path == f"cards/{file}"]
        return made, []


# -- the table


def list_card_sheets(path: Path) -> list[str]:
    """Return the names of a workbook's sheets that hold cards, none where it cannot be read."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        root, file = Path(scratch), f"cards{path.suffix.lower()}"
        try:
            data = game_files.read_file(path, card_tables.MAX_TABLE_BYTES)
            starter_files.write_files(root, {f"cards/{file}": data})
            with work_limits.work_limit(str(path), _READ_SECONDS):
                known, _ = _rate_sheets(CardTable(file, "", Source(file)), root)
        except (game_files.UnreadableError, LimitExceededError):
            return []
    return [name for name, count in known.items() if count > 0]


def _rate_sheets(
    table: CardTable, root: Path, is_hidden: bool = False
) -> tuple[dict[str, int], list[Problem]]:
    """Return how much of what cards have the headings of each sheet name, -1 for one without
    rows, 0 for one beyond the first sheets."""
    names, problems = card_tables.list_table_sheets(table, root, is_hidden)
    return {
        name: _count_known_headings(replace(table, sheet=name), root) if at < _MAX_SHEETS else 0
        for at, name in enumerate(names)
    }, problems


def _choose_sheets(
    wish: NewGameRequest,
    table: CardTable,
    known: Mapping[str, int],
    hidden: Collection[str],
) -> tuple[list[CardTable], list[Problem]]:
    """Return the sheets that are asked for, or the one that looks most like cards. A hidden one
    must be asked for."""
    if wish.sheets and not known:
        return [], [Problem(table.source, "it has no sheets", "table")]
    if len(known) < 2 and wish.sheets in ((), (ALL_SHEETS,)):
        return [table], []
    chosen = list(wish.sheets) or [max(known, key=lambda name: known[name])]
    if wish.sheets == (ALL_SHEETS,) and ALL_SHEETS not in known:
        chosen = [name for name, count in known.items() if count > 0] or list(known)
    for name in chosen:
        if name not in known and name not in hidden:
            hint = did_you_mean(name, [*known, *hidden])
            message = f"{table.path} has no sheet '{name}'{hint}"
            return [], [Problem(table.source, message, "table")]
    return [replace(table, sheet=name) for name in chosen], []


def _find_other_sheets(
    wish: NewGameRequest,
    file: str,
    used: Collection[str],
    known: Mapping[str, int],
    hidden: Mapping[str, int],
) -> _OtherSheets:
    """Return the sheets that neither these decks nor others of the game use."""
    first = next(iter(known), "")

    def is_free(name: str) -> bool:
        there = {(file, name), (file, "" if name == first else name)}
        return name not in used and there.isdisjoint(wish.known_sheets)

    free = [name for name in known if is_free(name)]
    of_cards = [name for name, count in hidden.items() if count > 0 and is_free(name)]
    undecided = [name for name in free if known[name] > 0] + of_cards
    if ALL_SHEETS in wish.sheets and ALL_SHEETS not in known:
        how = "--sheet NAME makes a deck of one"
    elif wish.deck:
        how = "cardgen add DECK --from FILE --sheet NAME makes a deck of one"
    else:
        how = f"--sheet NAME, or --sheet {ALL_SHEETS} for a deck of each"
    messages = [f"other sheets: {summarise(free, _MAX_LISTED)} ({how})"] if free else []
    if of_cards:
        listed = summarise(of_cards, _MAX_LISTED)
        messages.append(f"hidden sheets, left out: {listed} (--sheet NAME makes a deck of one)")
    return _OtherSheets(undecided, messages)


def _count_known_headings(table: CardTable, root: Path) -> int:
    """Return how many roles a sheet's headings name, -1 for a sheet without cards."""
    rows, _ = card_tables.read_table_rows(table, root)
    if len(rows) < 2:
        return -1
    cells = rows[table_columns.find_header(rows)].cells
    return len({heading_words.find_role(cell) for cell in cells} - {"", "notes"})


def _plan_decks(
    wish: NewGameRequest, title: str, tables: Sequence[CardTable], root: Path
) -> tuple[list[_DeckPlan], list[Problem]]:
    """Return a deck for each table. The first decides on the languages, unless the user does."""
    plans: list[_DeckPlan] = []
    languages = wish.languages
    taken = [Path(name).stem for name in wish.taken_files if name.endswith(".yaml")]
    for table in tables:
        sheet, problems = _read_sheet(table, root)
        if problems:
            return [], problems
        guess = table_guess.guess_table(sheet, wish.look, languages)
        if guess.refusal:
            where = f"sheet {table.sheet}: " if len(tables) > 1 else ""
            return [], [Problem(table.source, where + guess.refusal, "language")]
        languages = guess.languages
        words = wish.deck or (table.sheet if len(tables) > 1 else title)
        deck = wish.deck or choose_deck_id(
            words if len(tables) > 1 else Path(table.file).stem, taken
        )
        taken.append(deck)
        table = replace(table, header=sheet.header_row)  # noqa: PLW2901 - now with its row
        plans.append(_DeckPlan(deck, words, table, sheet, guess))
    return plans, []


def _read_sheet(table: CardTable, root: Path) -> tuple[SourceSheet, list[Problem]]:
    if Path(table.file).suffix in card_tables.DOCUMENT_SUFFIXES:
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
    if not sheet.card_count or not said:
        why = none
    elif len(said) > _MAX_COLUMNS:
        why = f"it has {len(said)} columns; {_MAX_COLUMNS} are the most"
    elif long := next((name for name in said if len(name) > _MAX_HEADING_CHARS), ""):
        why = f"a heading has {len(long)} signs, {_MAX_HEADING_CHARS} are the most: '{long[:40]}…'"
    return sheet, [Problem(table.source, why, "table")] if why else []


def _describe_decks(plans: Sequence[_DeckPlan], game: Game) -> list[str]:
    """Return what was guessed of each deck, and how many cards it has in the game."""
    messages = []
    for plan in plans:
        deck = game.get_deck(plan.deck)
        pieces = deck.pieces if deck else ()
        copies = sum(piece.copies for piece in pieces)
        lines = [_describe_table(plan, len(pieces))]
        if heading := plan.guess.copies_heading:
            lines.append(f"how many copies: {heading}; {copies} cards with all copies")
        head = f"{plan.deck}: " if len(plans) > 1 else ""
        messages += [f"{head}{line}" for line in (*lines, *plan.guess.messages)]
    return messages


def _describe_table(plan: _DeckPlan, card_count: int) -> str:
    table, sheet = plan.table, plan.sheet
    where = f", sheet {table.sheet}" if table.sheet else ""
    where += f", headings in row {sheet.header_row}" if sheet.header_row else ""
    return f"{format_count(card_count, 'card')} from cards/{table.file}{where}"


# -- the files


def _compose_files(
    wish: NewGameRequest, plans: Sequence[_DeckPlan], others: _OtherSheets
) -> NewGame:
    """Return the files of a game with these decks."""
    first = plans[0]
    made = NewGame(deck=first.deck, languages=first.guess.languages)
    made.decks = [plan.deck for plan in plans]
    made.has_guessed_language = first.guess.has_guessed_language
    for plan in plans:
        made.has_fallback |= plan.guess.has_fallback
        there = {**wish.taken_colours, **made.colours}
        colours = _assign_colours(plan.guess, wish.look, {*there, *there.values()})
        made.colours |= dict(colours.values())
        made.words |= plan.guess.words
        _add_deck(made, wish, plan, colours, others.undecided if plan is first else ())
        if plan.guess.has_unique_names:
            prefix = f"{plan.deck}-" if len(plans) > 1 else ""
            made.rules.append(_make_unique_rule(plan.deck, prefix))
    starter_files.add_game_file(made, wish, made.colours, made.words)
    if made.rules:
        starter_files.add_rules_file(made, made.rules)
    starter_files.add_book_and_table(made, wish)
    return made


def _add_deck(
    made: NewGame,
    wish: NewGameRequest,
    plan: _DeckPlan,
    colours: Mapping[str, tuple[str, str]],
    others: Sequence[str],
) -> None:
    """Add the file of a deck. `others` are sheets that nobody has decided about."""
    guess, table = plan.guess, plan.table
    places = {place: False if name is None else name for place, name in guess.places.items()}
    by, _ = guess.kind_choice
    if colours:
        values = {value: name for value, (name, _) in colours.items()}
        places["accent"] = {"by": by, "values": values}
    called = starter_files.repeat_text(
        starter_files.derive_title(plan.title, "Cards"), made.languages
    )
    lines = [f"# A picture is a file named after its card, art/{plan.deck}/ID.png; until then one",
             "# is made up."]  # fmt: skip
    if guess.picture_field:
        lines += [f"# When those that the table names are in art/: picture: {guess.picture_field}"]
    if guess.icons:
        files = summarise([f"{name}.svg" for name in guess.icons], _MAX_LISTED)
        lines += [f"# Texts name icons, files in art/icons/: {files}"]
    lines += ["", f"# The cards stand in cards/{table.file}; edit them there."]
    if others:
        lines += [
            f"# The sheets under {UNDECIDED_WORD} are not used yet: cardgen add DECK --from FILE",
            "# --sheet NAME makes a deck of one. Delete that line once you have decided.",
        ]
    lines += [yaml_writer.format_block({"rows": _describe_rows(table, others)})]
    lines += _describe_columns(guess)
    keys = {"fields": guess.fields, "places": places}
    starter_files.add_deck_file(replace(made, deck=plan.deck), wish, called, keys, lines)


def _describe_columns(guess: TableGuess) -> list[str]:
    if not guess.columns:
        return []
    undecided = [
        f"# cardgen could not tell what those that are {UNDECIDED_WORD} are for: write",
        "# the name of a field, or ignore. 'cardgen check' reminds you until then.",
    ]
    return [
        "# Columns that are called otherwise than their fields; 'ignore' leaves one out.",
        *(undecided if UNDECIDED_WORD in guess.columns.values() else ()),
        "columns:",
        yaml_writer.format_block(guess.columns, 2),
    ]


def _describe_rows(table: CardTable, others: Sequence[str]) -> Any:
    more = {"sheet": table.sheet, "header": table.header, UNDECIDED_WORD: list(others)}
    said = {key: value for key, value in more.items() if value}
    return {"file": table.file, **said} if said else table.file


def _make_unique_rule(deck: str, prefix: str) -> dict[str, Any]:
    return {
        "id": f"{prefix}names",
        "unique": deck,
        "of": "name",
        "because": "players cannot tell two cards with one name apart",
        "section": "Setting up",
    }


def _assign_colours(guess: TableGuess, look: Look, taken: set[str]) -> dict[str, tuple[str, str]]:
    """Return a colour for each value of the choice that tells cards apart: value to name and
    colour. `taken` are names and colours that the game has; a name that it has stays its own."""
    _, values = guess.kind_choice
    if not values or "accent" not in look.slots or "accent" in guess.places:
        return {}
    found: dict[str, tuple[str, str]] = {}
    hues = [hue for hue in _ACCENT_COLOURS if hue not in taken]
    for value, hue in zip(values, hues or _ACCENT_COLOURS, strict=False):
        used = {*look.colours, *(name for name, _ in found.values())}
        found[value] = (make_id(value, used) or make_id("colour", {*used, *taken, "colour"}), hue)
    return found
