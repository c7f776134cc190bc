"""The commands that write games: `new`, `looks` and `eject`."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import click

from cardgen.base import filing, paths
from cardgen.base.problems import did_you_mean, quoted
from cardgen.base.units import CARD_SIZES, parse_size
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import listed, root_of
from cardgen.cli.report import print_problems, shown
from cardgen.cli.saying import say
from cardgen.game.decks import is_card
from cardgen.game.folder import FILE, find
from cardgen.game.inventory import counted
from cardgen.game.loading import is_language
from cardgen.game.looks import catalogue
from cardgen.game.starting import ejecting, new_game
from cardgen.game.starting.game_files import Begun, Wish, title_of
from cardgen.rules import composition

_WORD, _SPECIAL = re.compile(r"[\w./+-]+"), re.compile(r"[\"$`\\!]")
"""What is typed as it stands, and what would not be itself within double quotes."""


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--from",
    "table",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Cards from a spreadsheet: .xlsx, .ods, .csv, .json.",
)
@click.option("--sheet", default="", metavar="NAME", help="The sheet of the workbook.")
@click.option("--look", default="classic", metavar="LOOK", help="'cardgen looks' lists them.")
@click.option("--size", default="", metavar="NAME|WxH", help="Of the cards: poker, 70x120.")
@click.option("--lang", "languages", multiple=True, callback=listed, metavar="CODE,…",
              help="Of its texts.")  # fmt: skip
def new(  # noqa: PLR0913, PLR0917 - as it is typed
    name: str, table: Path | None, sheet: str, look: str, size: str, languages: tuple[str, ...]
) -> None:
    """Begin a game in a new folder NAME, with a deck that builds at once.

    With --from, the cards stand in your spreadsheet, and its columns are guessed.
    """
    _check(look, size, languages)
    if sheet and table is None:
        raise click.UsageError("--sheet is of a workbook: --from FILE")
    folder = _free(name)
    title = title_of(folder.resolve().name, "Game")
    languages = tuple(dict.fromkeys(languages))
    wish = Wish(title, catalogue.of(look), size, languages, table, sheet)
    begun, problems = new_game.begun(wish)
    if problems:
        print_problems(problems)
        sys.exit(PROBLEMS)
    try:
        for path, data in begun.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            filing.put(folder / path, data)
    except (FileExistsError, NotADirectoryError):
        raise click.UsageError(f"{name}: a file stands where a folder is asked for") from None
    _tell(begun, folder)


def _free(name: str) -> Path:
    """The folder of that name, which holds nothing yet."""
    folder = Path(name)
    if not name.strip() or not name.isprintable():
        raise click.UsageError("a folder's name is letters, digits, spaces and hyphens")
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise click.UsageError(f"{quoted(name)}: {error.strerror}") from None
    if taken:
        raise click.UsageError(f"{name} is there already; give a name that is not")
    return folder


def _tell(begun: Begun, folder: Path) -> None:
    """What was made, what was guessed, and what to type next."""
    here = shown(folder)
    made = counted(len(begun.files), "file")
    say(f"{here}: {made}; the deck is cards/{begun.deck}.yaml")
    for line in begun.told:
        say(f"  {line}")
    pdf = f"build/{begun.languages[0]}/sheets.pdf"
    if here == ".":
        say(f"next: cardgen build, then open {pdf}")
    else:
        say(f"next: cardgen build {_typed(here)}, then open {_typed(f'{here}/{pdf}')}")


def _typed(path: str) -> str:
    """A path as it is typed on a command line."""
    path = f"./{path}" if path.startswith("-") else path
    if _WORD.fullmatch(path):
        return path
    return shlex.quote(path) if _SPECIAL.search(path) else f'"{path}"'


def _check(look: str, size: str, languages: tuple[str, ...]) -> None:
    if look not in catalogue.names():
        hint = did_you_mean(look, catalogue.names())
        raise click.UsageError(f"there is no look '{look}'{hint}")
    meant = parse_size(size, CARD_SIZES) if size else None
    if size and meant is None:
        hint = did_you_mean(size, CARD_SIZES)
        raise click.UsageError(f"'{size}' is no size; a name or 63.5x88.9 in mm{hint}")
    if meant and not is_card(meant):
        raise click.UsageError(f"{meant} is no size; a card measures from 5 to 1200 mm a side")
    for code in languages:
        if not is_language(code):
            raise click.UsageError(f"'{code}' is no language code, such as fi or en")


@click.command()
def looks() -> None:
    """List the looks that come with cardgen, and the places of each."""
    for name in catalogue.names():
        look = catalogue.of(name)
        say(f"{name}: {look.about}")
        say(f"  places: {', '.join(look.places)}")


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[GAME] DECK")
def eject(words: tuple[str, ...]) -> None:
    """Write a deck's look into templates/, as HTML and CSS of your own.

    Of a game with one deck, its folder is enough.
    """
    game, deck = _game_and_deck(words)
    root = root_of(game)
    found, problems = composition.load(root)
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    known = [each.id for each in found.decks]
    deck = deck or (known[0] if len(known) == 1 else "")
    if not deck:
        raise click.UsageError(f"which deck? {', '.join(known)}")
    meant = found.deck(deck)
    if meant is None:
        raise click.UsageError(f"there is no deck '{deck}'{did_you_mean(deck, known)}")
    try:
        files = ejecting.ejected(meant, root)
        ejecting.put(files, root)
    except ejecting.NotNow as error:
        say(f"error: {error}", err=True)
        sys.exit(PROBLEMS)
    except filing.Blocked as error:
        say(f"{shown(error.path)}: {error}", err=True)
        sys.exit(PROBLEMS)
    for name in files:
        say(f"  {shown(root / name)}")
    say(f"{deck} has templates of its own now; its cards look as before")


def _game_and_deck(words: tuple[str, ...]) -> tuple[Path | None, str]:
    """A game's folder and a deck, in whichever order; one of them may be left out."""
    if len(words) > 2:
        raise click.UsageError(f"one deck at a time, not {len(words) - 1}")
    games = [word for word in words if paths.there(Path(word), FILE)]
    if len(words) == 2:
        game = games[0] if games else words[1]
        return Path(game), words[1] if game == words[0] else words[0]
    no_id = Path(words[0]).name != words[0]  # ".", or a path
    if games and (no_id or find(Path.cwd()) is None):
        return Path(games[0]), ""
    return None, words[0]
