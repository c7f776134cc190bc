"""The commands that write games: `new`, `add`, `looks` and `eject`."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from cardgen.assets import artwork
from cardgen.cli.command_output import print_problems
from cardgen.cli.parameters import require_game, split_names
from cardgen.cli.terminal import PROBLEMS, format_path, is_terminal, print_lines
from cardgen.core.problems import (
    Problem,
    did_you_mean,
    format_value,
    has_errors,
    join_words,
)
from cardgen.core.units import CARD_SIZES, parse_size
from cardgen.game import deck_style, game_looks
from cardgen.game.card_ids import check_id
from cardgen.game.deck_keys import is_valid_size
from cardgen.game.game_folder import GAME_FILE, find_game_folder
from cardgen.game.inventory import format_count
from cardgen.game.loader import is_language_code
from cardgen.looks import look_catalogue
from cardgen.runtime import game_files, safe_files
from cardgen.starting import deck_addition, ejection, new_game, table_game
from cardgen.starting.starter_files import NewGame, NewGameRequest, derive_title
from cardgen.starting.table_game import ALL_SHEETS

_PLAIN_WORD, _SHELL_SPECIAL = re.compile(r"[\w./+-]+"), re.compile(r"[\"$`\\!]")
"""What is typed without quotes, and what needs more than double quotes."""


_DECK_OPTIONS = (
    click.option(
        "--from",
        "table",
        type=click.Path(path_type=Path, exists=True),
        metavar="FILE",
        help="Cards from a spreadsheet (.xlsx, .ods, .csv, .json), or a folder of pictures.",
    ),
    click.option("--sheet", "sheets", multiple=True, metavar="NAME",
                 help="A sheet of the workbook; 'all' makes a deck of each."),
    click.option("--look", default="classic", metavar="LOOK", help="'cardgen looks' lists them."),
    click.option("--size", default="", metavar="NAME|WxH", help="Of the cards: poker, 70x120."),
)  # fmt: skip


def _add_deck_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_DECK_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("name", metavar="NAME")
@_add_deck_options
@click.option("--lang", "languages", multiple=True, callback=split_names, metavar="CODE,…",
              help="Of its texts.")  # fmt: skip
def new(  # noqa: PLR0913, PLR0917 - as it is typed
    name: str,
    table: Path | None,
    sheets: tuple[str, ...],
    look: str,
    size: str,
    languages: tuple[str, ...],
) -> None:
    """Begin a game in a new folder NAME, with a deck that builds at once.

    With --from, the cards stand in your spreadsheet, and its columns are guessed.
    """
    _check_new_options(look, size, languages)
    sheets = _choose_sheets(table, sheets)
    folder = _choose_folder(name)
    title = derive_title(folder.resolve().name, "Game")
    languages = tuple(dict.fromkeys(languages))
    wish = NewGameRequest(title, look_catalogue.load_look(look), size, languages, table, sheets)
    begun, problems = new_game.create_game(wish)
    if problems:
        _refuse(problems, "game")
    try:
        for path, data in begun.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            safe_files.replace_file(folder / path, data)
        _copy_pictures(begun, folder)
    except (FileExistsError, NotADirectoryError):
        raise click.UsageError(f"{name}: there is a file where a folder is needed") from None
    _report_new_game(begun, folder)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[GAME] DECK")
@_add_deck_options
def add(
    words: tuple[str, ...], table: Path | None, sheets: tuple[str, ...], look: str, size: str
) -> None:
    """Add a deck to a game: its file, colours, a rule, and its place on the table.

    With --from, its cards stand in your spreadsheet, as with 'cardgen new'.
    """
    _check_new_options(look, size, ())
    root, deck = _split_game_and_deck(words)
    if not deck:
        raise click.UsageError("name the new deck: cardgen add GAME DECK")
    sheets = _choose_sheets(table, sheets)
    if len(sheets) > 1 or sheets == (ALL_SHEETS,):
        raise click.UsageError("one deck at a time: --sheet NAME")
    found, _ = require_game(root)
    wish = NewGameRequest(
        derive_title(deck, "Cards"), look_catalogue.load_look(look), size, (), table, sheets, deck
    )
    try:
        made, files, problems = deck_addition.prepare_deck(found, wish)
        if problems:
            _refuse(problems, "deck")
        ejection.write_ejection(files, found.root)
        _copy_pictures(made, found.root)
    except deck_addition.DeckAdditionError as error:
        print_lines(*f"error: {error}".split("\n"), err=True)
        sys.exit(PROBLEMS)
    for name in files:
        print_lines(f"  {format_path(found.root / name)}")
    print_lines(*(f"  {line}" for line in made.messages))
    print_problems(made.problems)
    print_lines(f"next: cardgen check, then put {join_words(made.decks)} into the rulebook")


def _refuse(problems: list[Problem], what: str) -> NoReturn:
    """Print why a table is not used, and that nothing was written."""
    print_problems(problems)
    print_lines(f"no {what} was made; correct this and run the command once more", err=True)
    sys.exit(PROBLEMS)


def _choose_sheets(table: Path | None, sheets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sheets that are asked for; on a terminal ask, if several hold cards."""
    if sheets and table is None:
        raise click.UsageError("--sheet is of a workbook: --from FILE")
    if sheets or table is None or table.is_dir() or not (sys.stdin.isatty() and is_terminal()):
        return sheets
    names = table_game.list_card_sheets(table)
    if len(names) < 2:
        return ()
    print_lines(f"{table.name} has these sheets with cards: {', '.join(names)}")
    answer = click.prompt("Which one, or all", type=click.Choice([*names, ALL_SHEETS]))
    return (str(answer),)


def _copy_pictures(made: NewGame, root: Path) -> None:
    for path, picture in made.pictures.items():
        data = game_files.read_file(picture, artwork.MAX_BYTES)
        ejection.write_ejection({path: data}, root)


def _choose_folder(name: str) -> Path:
    """Return the folder of that name, which must be empty or new."""
    folder = Path(name)
    if not name.strip() or not name.isprintable():
        raise click.UsageError("a folder's name is letters, digits, spaces and hyphens")
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise click.UsageError(f"{format_value(name)}: {error.strerror}") from None
    if taken:
        raise click.UsageError(f"{name} already exists; choose another name")
    return folder


def _report_new_game(begun: NewGame, folder: Path) -> None:
    """Report what was made and guessed, and what to type next."""
    here = format_path(folder)
    made = format_count(len(begun.files) + len(begun.pictures), "file")
    decks = ", ".join(f"cards/{deck}.yaml" for deck in begun.decks)
    are = "the decks are" if len(begun.decks) > 1 else "the deck is"
    print_lines(f"{here}: {made}; {are} {decks}")
    for line in begun.messages:
        print_lines(f"  {line}")
    print_problems(begun.problems)
    draft = " --draft" if has_errors(begun.problems) else ""
    pdf = f"build/{'draft/' if draft else ''}{begun.languages[0]}/sheets.pdf"
    if here != ".":
        draft, pdf = f" {_quote_for_shell(here)}{draft}", _quote_for_shell(f"{here}/{pdf}")
    correct = "correct the errors above, or for now " if has_errors(begun.problems) else ""
    print_lines(f"next: {correct}cardgen build{draft}, then open {pdf}")


def _quote_for_shell(path: str) -> str:
    """Return a path as it is typed on a command line."""
    path = f"./{path}" if path.startswith("-") else path
    if _PLAIN_WORD.fullmatch(path):
        return path
    return shlex.quote(path) if _SHELL_SPECIAL.search(path) else f'"{path}"'


def _check_new_options(look: str, size: str, languages: tuple[str, ...]) -> None:
    if look not in look_catalogue.list_looks():
        hint = did_you_mean(look, look_catalogue.list_looks())
        raise click.UsageError(f"there is no look '{look}'{hint}")
    meant = parse_size(size, CARD_SIZES) if size else None
    if size and meant is None:
        hint = did_you_mean(size, CARD_SIZES)
        raise click.UsageError(f"'{size}' is not a size; use a name or 63.5x88.9 in mm{hint}")
    if meant and not is_valid_size(meant):
        raise click.UsageError(f"{meant} is not a card size; each side is 5 to 1200 mm")
    for code in languages:
        if not is_language_code(code):
            raise click.UsageError(f"'{code}' is not a language code such as fi or en")


@click.command()
@click.option("--new", "name", default="", metavar="NAME", help="Copy a look into looks/NAME/.")
@click.option("--from", "model", default="classic", metavar="LOOK", help="The look to copy.")
@click.option(
    "--styles",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Draw each look in each style into a folder.",
)
@click.argument("game", required=False, type=click.Path(path_type=Path), metavar="[LOOK|GAME]")
def looks(name: str, model: str, folder: Path | None, game: Path | None) -> None:
    """List the looks that come with cardgen, and what each offers: the default, then others.

    With the name of a look, only that one. With --new, copy one into the game, as a look of your
    own.
    """
    if name:
        _copy_look(name, model, game)
        return
    if folder:
        _draw_styles(folder)
        return
    known = look_catalogue.list_looks()
    one = str(game) if str(game) in known else ""
    for each in [one] if one else known:
        look = look_catalogue.load_look(each)
        print_lines(f"{each}: {look.description}", f"  places: {', '.join(look.slots)}")
        offers = (f"{key} ({', '.join(words)})" for key, words in look.offers.items())
        print_lines(f"  style: {', '.join(['fonts', 'text_size', 'colours', *offers])}")
    found = require_game(game)[0].root if game and not one else Path.cwd()
    styles = deck_style.list_styles(found)
    print_lines(f"styles: {', '.join(styles)}")


def _draw_styles(folder: Path) -> None:
    from cardgen.starting import look_pictures  # noqa: PLC0415 - it builds

    styles = list(deck_style.list_styles(look_catalogue.LOOKS_FOLDER))
    for each in look_catalogue.list_looks():
        picture = io.BytesIO()
        look_pictures.draw_styles(look_catalogue.load_look(each), styles).save(picture, "PNG")
        path = safe_files.ensure_folder(folder.absolute().parent, [folder.name]) / f"{each}.png"
        safe_files.replace_file(path, picture.getvalue())
        print_lines(f"  {format_path(path)}")


def _copy_look(name: str, model: str, game: Path | None) -> None:
    found, _ = require_game(game)
    if wrong := check_id(name):
        raise click.UsageError(wrong)
    if model not in look_catalogue.list_looks():
        hint = did_you_mean(model, look_catalogue.list_looks())
        raise click.UsageError(f"there is no look '{model}'{hint}")
    folder = f"{game_looks.LOOKS_FOLDER}/{name}"
    if game_files.has_entry(found.root, folder):
        raise click.UsageError(f"{folder} already exists; choose another name")
    texts = look_catalogue.load_look(model).files
    text = look_catalogue.read_shared_file(f"{model}/{look_catalogue.LOOK_FILE}")
    files = {look_catalogue.LOOK_FILE: text, **texts}
    ejection.write_ejection({f"{folder}/{file}": data for file, data in files.items()}, found.root)
    for file in files:
        print_lines(f"  {format_path(found.root / folder / file)}")
    print_lines(f"next: look: {name} in a deck, then cardgen preview")


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[GAME] DECK")
def eject(words: tuple[str, ...]) -> None:
    """Write a deck's look into templates/, as HTML and CSS of your own.

    Of a game with one deck, its folder is enough.
    """
    game, deck = _split_game_and_deck(words)
    found, _ = require_game(game)
    known = [each.id for each in found.decks]
    deck = deck or (known[0] if len(known) == 1 else "")
    if not deck:
        raise click.UsageError(f"name one deck: {', '.join(known)}")
    meant = found.get_deck(deck)
    if meant is None:
        raise click.UsageError(f"there is no deck '{deck}'{did_you_mean(deck, known)}")
    try:
        files = ejection.prepare_ejection(meant, found.root)
        ejection.write_ejection(files, found.root)
    except ejection.EjectError as error:
        print_lines(f"error: {error}", err=True)
        sys.exit(PROBLEMS)
    for name in files:
        print_lines(f"  {format_path(found.root / name)}")
    print_lines(f"{deck} is HTML and CSS of yours now; its cards look as before")


def _split_game_and_deck(words: tuple[str, ...]) -> tuple[Path | None, str]:
    """Split a game's folder and a deck, in either order; one of them may be left out."""
    if len(words) > 2:
        raise click.UsageError(f"one deck at a time, not {len(words) - 1}")
    games = [word for word in words if game_files.has_entry(Path(word), GAME_FILE)]
    if len(words) == 2:
        game = games[0] if games else words[1]
        return Path(game), words[1] if game == words[0] else words[0]
    no_id = Path(words[0]).name != words[0]  # ".", or a path
    if games and (no_id or find_game_folder(Path.cwd()) is None):
        return Path(games[0]), ""
    return None, words[0]
