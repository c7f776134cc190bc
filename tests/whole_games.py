"""The repository's own games for tests: read once, copied, their faces typeset."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from cardgen.assets import game_fonts
from cardgen.assets.font_files import FontSet
from cardgen.faces import rendering, typesetting
from cardgen.faces.model import Face, FaceSet
from cardgen.game.model import Game
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

WHOLE = ("game.yaml", "table.yaml", "art", "cards", "fonts", "rulebook", "templates")


@cache
def loaded(folder: Path) -> Game:
    """The game of a folder that nothing is wrong with."""
    assert (folder / "fonts/node_modules").is_dir(), f"run 'cardgen fonts {folder}' first"
    found, problems = rule_file.load_game(folder)
    assert [str(problem) for problem in problems] == []
    assert found is not None
    return found


def with_rule(game: Game, rule_id: str) -> Game:
    """The same game with one of its rules alone."""
    return replace(game, rules=tuple(rule for rule in game.rules if rule.id == rule_id))


def fonts_of(folder: Path) -> FontSet:
    """The fonts of a game, which need have no deck."""
    game, _ = rule_file.load_game(folder)
    assert game is not None
    fonts, problems = game_fonts.prepare_fonts(game, Store(folder / "build" / ".store"))
    assert problems == []
    return fonts


def copy_game(
    game: Path, target: Path, parts: Iterable[str] = WHOLE, *, packages: bool = True
) -> Path:
    """Copy files and folders of a game; with its font packages come the faces that were set."""
    left_out = shutil.ignore_patterns(*(() if packages else ("node_modules",)))
    target.mkdir(parents=True, exist_ok=True)
    for part in parts:
        if (game / part).is_dir():
            shutil.copytree(game / part, target / part, ignore=left_out)
        else:
            shutil.copy(game / part, target)
    if packages:
        give_store(game, target / "build/.store")
    return target


def give_store(game: Path, target: Path) -> None:
    """Give a store what earlier builds of a game made, and what tests of this run did."""
    link_files(game / "build/.store", target)
    link_files(_shared_store(game), target)


def keep_store(game: Path, store: Path) -> None:
    """Let the tests that come later have what was made of a game."""
    link_files(store, _shared_store(game))


def _shared_store(game: Path) -> Path:
    """A folder of all processes of the run; it goes with the run's temporary files."""
    return Path(tempfile.gettempdir(), "stores", game.name)


def link_files(source: Path, target: Path) -> None:
    """Link files that the target lacks. Stores replace their files and never change one."""
    for file in source.rglob("*"):
        if file.is_file() and not {".", "scratch"}.intersection((file.name[0], file.parent.name)):
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(file, place)
            except FileExistsError:
                continue
            except OSError:  # on another disk
                shutil.copy(file, place)


def typeset(
    folder: Path,
    scratch: Path,
    languages: Sequence[str],
    choose: Callable[[list[Face]], list[Face]],
    decks: Collection[str] = (),
) -> tuple[FaceSet, Store]:
    """Faces of a game, chosen of all that its decks have, in a store of their own."""
    game = loaded(folder)
    give_store(folder, scratch)
    store = Store(scratch)
    fonts, _ = game_fonts.prepare_fonts(game, store)
    wanted = [deck for deck in game.decks if not decks or deck.id in decks]
    everything = rendering.render_faces(game, fonts, wanted, tuple(languages), store)
    chosen = FaceSet(fonts, choose(list(everything.faces)))
    typesetting.typeset_faces(game, chosen, store)
    keep_store(folder, scratch)
    assert chosen.problems == []
    return chosen, store
