"""The command `texts`: how translations stand, and texts handed to translators and taken back."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from cardgen.base import filing, paths
from cardgen.base.filing import Blocked
from cardgen.base.problems import Problem, Source, has_errors, quoted
from cardgen.cli import card_pictures
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.parameters import root_of
from cardgen.cli.report import Bar, print_problems, shown
from cardgen.cli.saying import say
from cardgen.game import loading
from cardgen.game.inventory import counted
from cardgen.game.model import Game
from cardgen.game.translation import as_xlsx, books, keeping, register, rows, states, taking, units
from cardgen.game.translation import shown as on_templates
from cardgen.game.translation.register import Register
from cardgen.game.translation.rows import Around
from cardgen.game.translation.units import Unit

_NAMED = 4
"""So many texts of a deck are named that are missing or older."""
_game = click.argument("game", required=False, type=click.Path(path_type=Path))


class _Texts(click.Group):
    """Without a word of its own, it tells how translations stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["status", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Texts)
def texts() -> None:
    """Hand a game's texts to translators, and take them back.

    Without a word: how much of each deck is translated into each language.
    """


@texts.command()
@_game
@click.option("--lang", "only", metavar="CODE", help="One language of the game.")
@click.option("--missing", is_flag=True, help="List every text that is missing or older.")
def status(game: Path | None, only: str | None, missing: bool) -> None:
    """Tell how much of each deck is translated, missing and older."""
    found = _read(root_of(game))
    listed = units.found(found)
    source = found.languages[0]
    if len(found.languages) < 2:
        say(f"the game is in {source} alone; 'cardgen texts export --to fr' begins another")
    if only is not None and only not in found.languages[1:]:
        others = ", ".join(found.languages[1:]) or "no other language"
        raise click.UsageError(f"--lang {only}: the game is translated into {others}")
    for language in [only] if only else found.languages[1:]:
        noted, problems = register.read(found.root, language)
        print_problems(problems)
        say(*_table(found, listed, language, noted))
        if missing:
            say(*_asked(listed, source, language, noted))
        told = books.told(found, language)
        if told:
            say(f"  {told}")


def _read(root: Path) -> Game:
    """The game; what is wrong with it is told where nothing can be done without."""
    found, problems = loading.load(root)
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    return found


def _table(game: Game, listed: Sequence[Unit], language: str, noted: Register) -> Iterator[str]:
    """How a language stands, a line for each deck, with the first texts that are to be done."""
    source = game.languages[0]
    counts = states.table(listed, source, language, noted)
    of_deck: dict[str, list[Unit]] = {}
    for unit in listed:
        of_deck.setdefault(unit.deck, []).append(unit)
    total: Counter[str] = Counter()
    for each in counts.values():
        total.update(each)
    done = sum(total.values()) - total[states.MISSING]
    share = int(100 * done / len(listed)) if listed else 100
    yield f"{language}: {done} of {counted(len(listed), 'text')} ({share} %)"
    names = {deck: deck or "game.yaml" for deck in ("", *(deck.id for deck in game.decks))}
    wide = max(map(len, names.values()))
    columns = [state for state in states.STATES if total[state] or state == states.DONE][::-1]
    yield f"  {'':{wide}}" + "".join(f"  {name:>10}" for name in columns)
    for deck, name in names.items():
        if deck in counts:
            figures = "".join(f"  {counts[deck][state] or '·':>10}" for state in columns)
            yield f"  {name:{wide}}{figures}"
            yield from _named(of_deck[deck], source, language, noted)
    if total[states.MISSING] + total[states.OLDER]:
        yield f"  all of them: cardgen texts status --lang {language} --missing"


def _named(listed: Iterable[Unit], source: str, language: str, noted: Register) -> Iterator[str]:
    """The first texts that are missing, and that are older."""
    found: dict[str, list[str]] = {states.MISSING: [], states.OLDER: []}
    for unit in listed:
        state = states.of(unit, source, language, noted)
        if state in found:
            found[state].append(f"{unit.card}/{unit.what}" if unit.card else unit.what)
    for state, names in found.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        if names:
            yield f"    {state}: {', '.join(names[:_NAMED])}{more}"


def _asked(listed: Iterable[Unit], source: str, language: str, noted: Register) -> Iterator[str]:
    """Every text that is missing or older, at its line."""
    for unit in listed:
        state = states.of(unit, source, language, noted)
        if state in {states.MISSING, states.OLDER}:
            whose = f"{unit.deck}/{unit.card}" if unit.card else unit.deck
            what = f"{whose}: {unit.what}" if whose else unit.what
            yield f"{unit.source}: {state}: {what}: {quoted(unit.said.get(source, ''))}"


@texts.command()
@_game
@click.option("--to", "language", required=True, metavar="CODE",
              help="The language: one of the game, or a new one.")  # fmt: skip
@click.option("--from", "source", metavar="CODE", help="What is translated; the first language.")
@click.option("--format", "form", type=click.Choice(tuple(taking.WRITERS)),
              help="A workbook, CSV or PO; else as the file's name ends.")  # fmt: skip
@click.option("--pictures", is_flag=True, help="With a picture of each card.")
@click.option("-o", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--force", is_flag=True, help="Write over a file that holds work of a translator.")
def export(game: Path | None, language: str, source: str | None, **given: Any) -> None:
    """Write every text of the game into a file for translators."""
    found = _read(root_of(game))
    source = source or found.languages[0]
    wrong = taking.wrong_language(found, language)
    if not wrong and (source not in found.languages or source == language):
        wrong = f"--from {source}: the game is in {', '.join(found.languages)}"
    if wrong:
        raise click.UsageError(wrong)
    pictures, (form, file) = given["pictures"], _form(found.id, language, given)
    noted, problems = register.read(found.root, language)
    print_problems(problems)
    listed = units.found(found)
    if not given["force"]:
        _keep(found, listed, file, noted)
    around = _around(found, listed, source, pictures=pictures)
    sheet = rows.of(found, listed, (source, language), noted, around)
    _write(file, taking.WRITERS[form](sheet))
    if pictures and form != "xlsx":
        folder = file.with_suffix("")
        _write_pictures(folder, sheet)
    for row in as_xlsx.too_long(sheet) if form == "xlsx" else ():
        say(f"{row.place}: warning: the text is too long for a cell; use --format po", err=True)
    tally = Counter(row.state for row in sheet.rows)
    told = ", ".join(f"{tally[state]} {state}" for state in states.STATES if tally[state])
    say(f"{shown(file)}: {counted(len(sheet.rows), 'text')} {source} → {language}: {told}")
    if language not in found.languages:
        say(f"  {language} is new; 'cardgen texts import' puts it into game.yaml")
    book = books.told(found, language)
    if book:
        say(f"  {book}")


def _form(name: str, language: str, given: dict[str, Any]) -> tuple[str, Path]:
    """In which form the texts are written, and into which file."""
    file: Path | None = given["file"]
    form = given["form"]
    if file is None:
        form = form or "xlsx"
        return form, Path(f"{name}-{language}.{form}")
    ending = file.suffix[1:].lower()
    if ending not in taking.WRITERS:
        raise click.UsageError(f"-o {file}: files of texts end in {', '.join(taking.WRITERS)}")
    if form not in {None, ending}:
        raise click.UsageError(f"-o {file}: a file of --format {form} ends in .{form}")
    return ending, file


def _keep(game: Game, listed: Sequence[Unit], file: Path, noted: Register) -> None:
    """Refuse to write over a file with what a translator wrote and the game has not."""
    try:
        data = paths.read(file, taking.MOST_BYTES)
    except paths.Missing:
        return
    except paths.Unreadable as error:
        raise click.UsageError(f"{file} {error}") from None
    if not data:
        return
    returned = taking.read(data, file.name)
    ways = "write to another file with -o, or over it with --force"
    if not returned.language:
        raise click.UsageError(f"{shown(file)} is there and no file of texts; {ways}")
    if returned.language != noted.language:
        noted = register.read(game.root, returned.language)[0]
    count = keeping.unsaved(game, listed, returned, noted)
    if count:
        holds = f"{shown(file)} holds {counted(count, 'translation')} that the game has not"
        raise click.UsageError(
            f"{holds}; take in what it says with 'cardgen texts import {shown(file)}', {ways}"
        )


def _around(
    game: Game, listed: Sequence[Unit], source: str, *, pictures: bool
) -> dict[str, Around]:
    """What is known of each text besides, by its id."""
    sides = on_templates.of(game, listed)
    pieces = card_pictures.first_pieces(game)
    of_unit = {
        unit.id: card_pictures.Of(
            unit.deck, pieces[unit.deck, unit.card],
            "back" if sides.get(unit.id) == "back" else "front",
        )
        for unit in listed if (unit.deck, unit.card) in pieces
    }  # fmt: skip
    with Bar() as bar:
        wanted = frozenset(of_unit.values())
        cards = card_pictures.of_cards(game.root, source, wanted, bar.show, drawn=pictures)
    empty = card_pictures.OfCard()
    found = {}
    for unit in listed:
        where = of_unit.get(unit.id)
        card = cards.get(where, empty) if where else empty
        room = card.room_of(unit.said.get(source, ""))
        name = where.picture if where else ""
        found[unit.id] = Around(sides.get(unit.id, ""), room, card.picture, name)
    return found


def _write(file: Path, data: bytes) -> None:
    try:
        filing.put(file, data)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None


def _write_pictures(folder: Path, sheet: rows.Sheet) -> None:
    try:
        filing.folder(folder.parent, [folder.name])
    except (Blocked, OSError) as error:
        raise click.UsageError(f"{folder} cannot be written: {error}") from None
    pictures = {row.picture: row.around.picture for row in sheet.rows if row.around.picture}
    for name, data in pictures.items():
        _write(folder / name, data)
    say(f"{shown(folder)}: {counted(len(pictures), 'picture')}")


@texts.command(name="import")
@click.argument("words", nargs=-1, metavar="[GAME] FILE", required=True)
@click.option("--try", "only_try", is_flag=True, help="Tell what would come of it; write nothing.")
def import_(words: tuple[str, ...], only_try: bool) -> None:
    """Put a file that came back into the files of the game.

    What is wrong with a text is told at its row; all others go in.
    """
    if len(words) > 2:
        raise click.UsageError("one file is asked for: cardgen texts import [GAME] FILE")
    file = Path(words[-1])
    found = _read(root_of(Path(words[0]) if len(words) == 2 else None))
    returned = _returned(found, file)
    noted, problems = register.read(found.root, returned.language)
    taken = taking.take(found, units.found(found), returned, noted)
    problems += [*returned.problems, *taken.problems]
    print_problems(problems)
    if not only_try:
        _put(found.root, taken)
    _tell_taken(found, returned.language, taken, only_try)
    sys.exit(PROBLEMS if has_errors(problems) else FINE)


def _returned(game: Game, file: Path) -> rows.Returned:
    """What the file says; ends here where it says nothing that can be used."""
    try:
        data = paths.read(file, taking.MOST_BYTES)
    except paths.Unreadable as error:
        raise click.UsageError(f"{file} {error}") from None
    returned = taking.read(data, file.name)
    wrong = taking.wrong_language(game, returned.language) if returned.language else ""
    if wrong:
        returned.problems.append(Problem(Source(file.name), wrong, "language"))
    if wrong or not returned.language:
        print_problems(returned.problems)
        sys.exit(PROBLEMS)
    return returned


def _put(root: Path, taken: taking.Taken) -> None:
    """Write the game's files, each whole."""
    try:
        for name, text in taken.files.items():
            filing.check(root, name)
            mark = (
                b"\xef\xbb\xbf" if paths.read_bytes(root, name).startswith(b"\xef\xbb\xbf") else b""
            )
            filing.put(root / name, mark + text.encode())
        register.write(root, taken.register)
    except (Blocked, OSError, paths.Unreadable) as error:
        print_problems([Problem(Source(register.FOLDER), str(error), "file")])
        sys.exit(PROBLEMS)


def _tell_taken(game: Game, language: str, taken: taking.Taken, only_try: bool) -> None:
    parts: list[tuple[int, str]] = [
        (taken.new, "new"), (taken.changed, "changed"), (taken.same, "as they were"),
        (taken.empty, "not translated"), (taken.left, "left out"),
        (taken.absent, "not in the file"),
    ]  # fmt: skip
    told = ", ".join(f"{count} {what}" for count, what in parts if count) or "no texts"
    say(f"{language}: {told}" + (" (nothing was written)" if only_try else ""))
    for name in taken.files:
        say(f"  {shown(game.root / name)}")
    if taken.added:
        say(f"  {language} stands in the languages of game.yaml now")
        if not game.fallback:
            say(f"  with 'fallback: true' there, texts that {language} lacks are printed in "
                f"{game.languages[0]}; without it, each is an error")  # fmt: skip
