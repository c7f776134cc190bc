"""Parameters that several commands share: a game, numbers, names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.core.problems import Problem, ProblemsError, did_you_mean
from cardgen.core.units import NUMERAL_PATTERN
from cardgen.game import game_folder
from cardgen.runtime import game_files

if TYPE_CHECKING:
    from cardgen.game.model import Game

_NUMBER = re.compile(rf"[-+]?(?:{NUMERAL_PATTERN}|\.[0-9]{{1,20}})\Z")
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}\Z")


class FloatOption(click.FloatRange):
    """A number within bounds, in ASCII digits as everywhere, and neither `nan` nor `inf`."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, str) and not _NUMBER.match(value):
            self.fail(f"'{value}' is not a number.", param, ctx)
        number: float = super().convert(value, param, ctx)
        return number


class IntOption(click.IntRange):
    """A whole number within bounds, in ASCII digits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not _INTEGER.match(value):
            self.fail(f"'{value}' is not a whole number.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


def split_names(
    _context: click.Context, _param: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Split names at commas, also those of an option that is typed more than once."""
    names = tuple(name.strip() for each in given for name in each.split(","))
    if not all(names):
        raise click.BadParameter("a name is missing before or after a comma")
    return tuple(dict.fromkeys(names))


def check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise click.UsageError(f"no {what} '{name}'{did_you_mean(name, known)}")


def resolve_game_root(game: Path | None) -> Path:
    """Return the folder of the game that is named, or of the nearest one upward."""
    if game is None:
        found = game_folder.find_game_folder(Path.cwd())
        if found is None:
            raise click.UsageError("no game.yaml here or in any folder above; name the game folder")
        return found
    meant = game_folder.resolve_game_folder(game)
    if not game_files.has_entry(meant, game_folder.GAME_FILE):
        hint = "; rename its game.yml" if game_files.has_entry(meant, "game.yml") else ""
        raise click.UsageError(
            f"{game} is not a game folder: it has no {game_folder.GAME_FILE}{hint}"
        )
    return meant.resolve()


def require_game(game: Path | None) -> tuple[Game, list[Problem]]:
    """Return the game in the folder named, or in the nearest one upward, and its problems.

    Raise `ProblemsError` where it cannot be read.
    """
    from cardgen.rules import rule_file  # noqa: PLC0415 - not for help and completion

    found, problems = rule_file.load_game(resolve_game_root(game))
    if found is None:
        raise ProblemsError(problems)
    return found, problems
