"""The command `texts`: the state of translations, and their export and import."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from cardgen.cli import card_hints
from cardgen.cli.command_output import ProgressBar, print_problems
from cardgen.cli.parameters import resolve_game_root
from cardgen.cli.terminal import FINE, PROBLEMS, format_path, print_lines
from cardgen.core.problems import (
    Problem,
    ProblemsError,
    Source,
    format_value,
    has_errors,
    summarise,
)
from cardgen.game import loader
from cardgen.game.inventory import format_count
from cardgen.game.model import Game
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.translation import (
    text_formats,
    text_units,
    translation_import,
    translation_rows,
    translation_status,
)
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_rows import TextContext
from cardgen.translation.translation_status import TranslationRegister

_MAX_LISTED_TEXTS = 4
"""Missing and outdated texts of a deck that are named."""
_MAX_PICTURES = 500
"""Sides of cards of which pictures are made unless the user asks for more."""
_UNPRINTED_STATES = (translation_status.MISSING, translation_status.PROPOSED)
_game_argument = click.argument("game", required=False, type=click.Path(path_type=Path))


class _TextsGroup(click.Group):
    """Group of commands; without a command it is `status`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["status", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_TextsGroup)
def texts() -> None:
    """Hand a game's texts to translators, and take them back.

    Without a word: how much of each deck is translated into each language.
    """


@texts.command()
@_game_argument
@click.option("--lang", "only", metavar="CODE", help="One language of the game.")
@click.option("--missing", is_flag=True, help="List every text that is missing, proposed or older.")
def status(game: Path | None, only: str | None, missing: bool) -> None:
    """Tell how much of each deck is translated, missing and older."""
    found = _load_game(resolve_game_root(game))
    every = text_units.find_text_units(found)
    source = found.languages[0]
    if len(found.languages) < 2:
        print_lines(f"the game is in {source} alone; 'cardgen texts export --to fr' begins another")
    if only is not None and only not in found.languages[1:]:
        others = ", ".join(found.languages[1:]) or "no other language"
        raise click.UsageError(f"--lang {only}: the game is translated into {others}")
    for language in [only] if only else found.languages[1:]:
        noted, problems = translation_status.read_register(found.root, language)
        listed = [unit for unit in every if unit.is_for(language)]
        print_problems(problems)
        print_lines(*_format_status(found, listed, language, noted))
        if missing:
            print_lines(*_list_open_texts(listed, source, language, noted))
        told = translation_status.describe_book_status(found, language)
        if told:
            print_lines(f"  {told}")


def _load_game(root: Path) -> Game:
    """Return the game. Raise `ProblemsError` without one."""
    found, problems = loader.load_game(root)
    if found is None:
        raise ProblemsError(problems)
    return found


def _format_status(
    game: Game, listed: Sequence[TextUnit], language: str, noted: TranslationRegister
) -> Iterator[str]:
    """Yield a language's state, one line for each deck, with the first texts to do."""
    source = game.languages[0]
    counts = translation_status.count_states(listed, source, language, noted)
    of_deck: dict[str, list[TextUnit]] = {}
    for unit in listed:
        of_deck.setdefault(unit.deck, []).append(unit)
    total: Counter[str] = Counter()
    for each in counts.values():
        total.update(each)
    done = sum(total[state] for state in total if state not in _UNPRINTED_STATES)
    share = int(100 * done / len(listed)) if listed else 100
    yield f"{language}: {done} of {format_count(len(listed), 'text')} ({share} %)"
    names = {deck: deck or "game.yaml" for deck in ("", *(deck.id for deck in game.decks))}
    wide = max(map(len, names.values()))
    columns = [
        state
        for state in translation_status.TRANSLATION_STATES
        if total[state] or state == translation_status.DONE
    ][::-1]
    yield f"  {'':{wide}}" + "".join(f"  {name:>10}" for name in columns)
    for deck, name in names.items():
        if deck in counts:
            figures = "".join(f"  {counts[deck][state] or '·':>10}" for state in columns)
            yield f"  {name:{wide}}{figures}"
            yield from _list_first_texts(of_deck[deck], source, language, noted)
    if total[translation_status.PROPOSED]:
        yield f"  proposals are not printed: {noted.proposals_file}"
    if any(total[state] for state in translation_status.OPEN_STATES):
        yield f"  all of them: cardgen texts status --lang {language} --missing"


def _list_first_texts(
    listed: Iterable[TextUnit], source: str, language: str, noted: TranslationRegister
) -> Iterator[str]:
    """Yield the first texts that are missing, proposed and outdated."""
    found: dict[str, list[str]] = {state: [] for state in translation_status.OPEN_STATES}
    for unit in listed:
        state = translation_status.compute_state(unit, source, language, noted)
        if state in found:
            found[state].append(f"{unit.card}/{unit.label}" if unit.card else unit.label)
    for state, names in found.items():
        if names:
            yield f"    {state}: {summarise(names, _MAX_LISTED_TEXTS)}"


def _list_open_texts(
    listed: Iterable[TextUnit], source: str, language: str, noted: TranslationRegister
) -> Iterator[str]:
    """Yield every text that is missing, proposed or outdated, at its line."""
    for unit in listed:
        state = translation_status.compute_state(unit, source, language, noted)
        if state in translation_status.OPEN_STATES:
            whose = f"{unit.deck}/{unit.card}" if unit.card else unit.deck
            what = f"{whose}: {unit.label}" if whose else unit.label
            said = format_value(unit.texts.get(source, ""))
            if proposal := noted.find_proposal(unit.id, unit.texts.get(language, "")):
                said += f" → {format_value(proposal.text)}"
            yield f"{unit.source}: {state}: {what}: {said}"


@texts.command()
@_game_argument
@click.option("--to", "language", required=True, metavar="CODE",
              help="The language: one of the game, or a new one.")  # fmt: skip
@click.option("--from", "source", metavar="CODE", help="What is translated; the first language.")
@click.option("--format", "form", type=click.Choice(tuple(translation_import.WRITERS)),
              help="A workbook, CSV, PO or XLIFF 2; else as the file's name ends.")  # fmt: skip
@click.option("--pictures/--no-pictures", default=None,
              help=f"With a picture of each card; by default up to {_MAX_PICTURES}.")  # fmt: skip
@click.option("-o", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--force", is_flag=True, help="Write over a file that holds work of a translator.")
def export(game: Path | None, language: str, source: str | None, **given: Any) -> None:
    """Write every text of the game into a file for translators."""
    found = _load_game(resolve_game_root(game))
    source = source or found.languages[0]
    wrong = translation_import.check_target_language(found, language)
    if not wrong and (source not in found.languages or source == language):
        wrong = f"--from {source}: the game is in {', '.join(found.languages)}"
    if wrong:
        raise click.UsageError(wrong)
    pictures, (form, file) = given["pictures"], _choose_format(found.id, language, given)
    safe_files.refuse_links(found.root, file)
    noted, problems = translation_status.read_register(found.root, language)
    print_problems(problems)
    listed = text_units.find_text_units(found)
    if not given["force"]:
        _check_overwrite(found, listed, file, noted)
    around = _collect_context(found, listed, source, pictures=pictures)
    sheet = translation_rows.make_rows(found, listed, (source, language), noted, around)
    print_problems([*sheet.problems])
    _write_file(file, translation_import.WRITERS[form](sheet))
    if form != "xlsx" and any(row.picture for row in sheet.rows):
        folder = file.with_suffix("")
        _write_pictures(folder, sheet)
    for row in text_formats.find_long_rows(sheet) if form == "xlsx" else ():
        print_lines(
            f"{row.unit.source}: warning: the text is too long for a cell; use --format po",
            err=True,
        )
    tally: Counter[str] = Counter()
    for row in sheet.rows:
        tally[row.state] += len(row.units)
    told = ", ".join(
        f"{tally[state]} {state}" for state in translation_status.TRANSLATION_STATES if tally[state]
    )
    print_lines(
        f"{format_path(file)}: {format_count(tally.total(), 'text')} {source} → {language}"
        + (f" in {format_count(len(sheet.rows), 'row')}" if len(sheet.rows) < tally.total() else "")
        + f": {told}"
    )
    if language not in found.languages:
        print_lines(f"  {language} is new; 'cardgen texts import' puts it into game.yaml")
    book = translation_status.describe_book_status(found, language)
    if book:
        print_lines(f"  {book}")


def _choose_format(name: str, language: str, given: dict[str, Any]) -> tuple[str, Path]:
    """Return the format and the file of an export."""
    file: Path | None = given["file"]
    form = given["form"]
    if file is None:
        form = form or "xlsx"
        return form, Path(f"{safe_files.make_file_name(name)}-{language}.{form}")
    ending = file.suffix[1:].lower()
    if ending not in translation_import.WRITERS:
        raise click.UsageError(
            f"-o {file}: files of texts end in {', '.join(translation_import.WRITERS)}"
        )
    if form not in {None, ending}:
        raise click.UsageError(f"-o {file}: a file of --format {form} ends in .{form}")
    return ending, file


def _check_overwrite(
    game: Game, listed: Sequence[TextUnit], file: Path, noted: TranslationRegister
) -> None:
    """Raise `UsageError` rather than write over translations that the game does not have."""
    try:
        data = game_files.read_file(file, translation_import.MAX_FILE_BYTES)
    except game_files.MissingFileError:
        return
    except game_files.UnreadableError as error:
        raise click.UsageError(f"{file} {error}") from None
    if not data:
        return
    returned = translation_import.read_returned_file(data, file.name)
    ways = "write to another file with -o, or over it with --force"
    if not returned.language:
        raise click.UsageError(f"{format_path(file)} exists but is not a translation file; {ways}")
    if returned.language != noted.language:
        noted = translation_status.read_register(game.root, returned.language)[0]
    count = translation_import.count_unsaved_rows(game, listed, returned, noted)
    if count:
        holds = (
            f"{format_path(file)} holds {format_count(count, 'translation')} missing in the game"
        )
        raise click.UsageError(
            f"{holds}; import them with 'cardgen texts import {format_path(file)}', {ways}"
        )


def _collect_context(
    game: Game, listed: Sequence[TextUnit], source: str, *, pictures: bool | None
) -> dict[str, TextContext]:
    """Return what is known about each text, by its id. Without `pictures` being decided, they are
    drawn unless there are many."""
    sides = text_units.find_where_shown(game, listed)
    pieces = card_hints.find_first_pieces(game)
    of_unit = {
        unit.id: card_hints.CardSide(
            unit.deck, pieces[unit.deck, unit.card],
            "back" if sides.get(unit.id) == "back" else "front",
        )
        for unit in listed if (unit.deck, unit.card) in pieces
    }  # fmt: skip
    with ProgressBar() as bar:
        wanted = frozenset(of_unit.values())
        drawn = len(wanted) <= _MAX_PICTURES if pictures is None else pictures
        cards = card_hints.load_card_hints(
            game.root, source, wanted, bar.show_progress, drawn=drawn
        )
    if not drawn and pictures is None:
        print_lines(f"without pictures of {len(wanted):,} cards; --pictures draws them")
    empty = card_hints.CardHint()
    found = {}
    for unit in listed:
        where = of_unit.get(unit.id)
        card = cards.get(where, empty) if where else empty
        room = card.find_room(unit.texts.get(source, ""))
        name = where.picture_name if where else ""
        found[unit.id] = TextContext(sides.get(unit.id, ""), room, card.picture, name)
    return found


def _write_file(file: Path, data: bytes) -> None:
    try:
        safe_files.replace_file(file, data)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None


def _write_pictures(folder: Path, sheet: translation_rows.TranslationSheet) -> None:
    try:
        safe_files.ensure_folder(folder.parent, [folder.name])
    except (PathBlockedError, OSError) as error:
        raise click.UsageError(f"{folder} cannot be written: {error}") from None
    pictures = {row.picture: row.context.picture for row in sheet.rows if row.context.picture}
    for name, data in pictures.items():
        _write_file(folder / name, data)
    print_lines(f"{format_path(folder)}: {format_count(len(pictures), 'picture')}")


@texts.command(name="import")
@click.argument("words", nargs=-1, metavar="[GAME] FILE", required=True)
@click.option("--try", "only_try", is_flag=True, help="Tell what would come of it; write nothing.")
def import_(words: tuple[str, ...], only_try: bool) -> None:
    """Put a file that came back into the files of the game.

    What is wrong with a text is told at its row; all others go in.
    """
    if len(words) > 2:
        raise click.UsageError("name one file: cardgen texts import [GAME] FILE")
    file = Path(words[-1])
    found = _load_game(resolve_game_root(Path(words[0]) if len(words) == 2 else None))
    returned = _read_returned(found, file)
    noted, problems = translation_status.read_register(found.root, returned.language)
    taken = translation_import.import_translations(
        found, text_units.find_text_units(found), returned, noted
    )
    problems += [*returned.problems, *taken.problems]
    print_problems(problems)
    if not only_try:
        _write_translations(found.root, taken)
    _report_import(found, returned.language, taken, only_try)
    sys.exit(PROBLEMS if has_errors(problems) else FINE)


def _read_returned(game: Game, file: Path) -> translation_rows.ReturnedFile:
    """Return what the file says. Raise `ProblemsError` where it is not usable."""
    try:
        data = game_files.read_file(file, translation_import.MAX_FILE_BYTES)
    except game_files.UnreadableError as error:
        raise click.UsageError(f"{file} {error}") from None
    returned = translation_import.read_returned_file(data, file.name)
    wrong = (
        translation_import.check_target_language(game, returned.language)
        if returned.language
        else ""
    )
    if wrong:
        returned.problems.append(Problem(Source(file.name), wrong, "language"))
    if wrong or not returned.language:
        raise ProblemsError(returned.problems)
    return returned


def _write_translations(root: Path, taken: translation_import.ImportResult) -> None:
    """Write the game's files, each whole."""
    try:
        for name, text in taken.files.items():
            safe_files.check_target(root, name)
            mark = BOM_UTF8 if game_files.read_bytes(root, name).startswith(BOM_UTF8) else b""
            safe_files.replace_file(root / name, mark + text.encode())
        translation_status.write_register(root, taken.register)
    except (PathBlockedError, OSError, game_files.UnreadableError) as error:
        source = Source(translation_status.REGISTER_FOLDER)
        raise ProblemsError([Problem(source, str(error), "file")]) from None


def _report_import(
    game: Game, language: str, taken: translation_import.ImportResult, only_try: bool
) -> None:
    parts: list[tuple[int, str]] = [
        (taken.new, "new"), (taken.changed, "changed"), (taken.same, "as they were"),
        (taken.proposed, "proposals"), (taken.empty, "not translated"),
        (taken.left_out, "left out"), (taken.absent, "not in the file"),
    ]  # fmt: skip
    told = ", ".join(f"{count} {what}" for count, what in parts if count) or "no texts"
    print_lines(f"{language}: {told}" + (" (nothing was written)" if only_try else ""))
    for name in taken.files:
        print_lines(f"  {format_path(game.root / name)}")
    if taken.proposed:
        print_lines(
            "  proposals are not printed until a translator confirms them: "
            f"{taken.register.proposals_file}"
        )
    if taken.added:
        print_lines(f"  {language} was added to languages in game.yaml")
        if not game.fallback:
            print_lines(
                f"  with 'fallback: true' there, texts that {language} lacks are printed in "
                f"{game.languages[0]}; without it, each is an error"
            )
