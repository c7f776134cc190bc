"""Checks of a game and of its variants: everything that can be wrong, without making a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from cardgen.book.editions import WrittenBooks
from cardgen.core.problems import (
    Problem,
    ProblemsError,
    has_errors,
    sort_problems,
    summarise,
)
from cardgen.faces.model import FaceSet
from cardgen.game.model import Game
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import EMPTY_SELECTION, BuildSelection
from cardgen.pipeline.stages import Stages, load_stages
from cardgen.pipeline.workspace import run_locked
from cardgen.rules import rule_file

_MAX_LISTED_VARIANTS = 3
CheckResult = tuple[Game | None, FaceSet | None, list[Problem]]


@dataclass(frozen=True)
class CheckedGame:
    """A game with its faces and books, as far as they could be made, and all its problems."""

    game: Game | None = None
    selection: BuildSelection = EMPTY_SELECTION
    faces: FaceSet | None = None
    books: WrittenBooks = field(default_factory=WrittenBooks)
    problems: list[Problem] = field(default_factory=list)
    stages: Stages | None = None
    """The stages, where files can be made of the game: no errors, or drafts in their place."""

    @property
    def buildable(self) -> tuple[Game, FaceSet] | None:
        """The game and its faces, where files can be made of them."""
        return (self.stages.game, self.stages.faces) if self.stages else None


def check_game(request: Request, progress: Progress = ignore_progress) -> CheckedGame:
    """Take a game through all stages before outputs; the workspace must be locked."""
    try:
        stages = load_stages(request, progress)
        stages.render()
        stages.check_rules()
        stages.write_books()
        stages.typeset()
        stages.check_faces()
        problems = stages.finish()
    except ProblemsError as error:
        return CheckedGame(problems=error.problems)
    is_buildable = stages.has_drafts or not has_errors(problems)
    return CheckedGame(
        stages.game, stages.selection, stages.faces, stages.books, problems,
        stages if is_buildable else None,
    )  # fmt: skip


def check(
    request: Request,
    progress: Progress = ignore_progress,
    variants: Sequence[str] | None = None,
) -> CheckResult:
    """Return a game, its faces and all problems of it and of its variants.

    `variants` are names, "" for the game as a whole; without, it is all of them. Game and faces are
    those of the first. Books are written and not laid out.
    """
    try:
        result = run_locked(request, progress, partial(_check_variants, progress, variants))
    except ProblemsError as error:
        result = None, None, error.problems
    request.store.flush_shared()
    return result


def _check_variants(
    progress: Progress, variants: Sequence[str] | None, request: Request
) -> CheckResult:
    game, problems = request.loaded_game or rule_file.load_game(request.root)
    loaded = game, tuple(problems)
    names = list_variants(game) if variants is None else variants
    found = {
        name: check_game(replace(request, loaded_game=loaded, variant=name), progress)
        for name in names
    }
    first = found[names[0]]
    merged = merge_variant_problems({name: each.problems for name, each in found.items()})
    return first.game, first.faces, merged


def list_variants(game: Game | None) -> list[str]:
    """Return what a game is built as: "" for itself and its variants, or the variants alone."""
    variants = list(game.variants) if game else []
    return variants if game and game.variants_only else ["", *variants]


def merge_variant_problems(problems_by_variant: Mapping[str, Sequence[Problem]]) -> list[Problem]:
    """Return the problems of a game's variants, each once.

    One that only some variants have names them, unless the game as a whole ("") has it, too.
    """
    variants: dict[Problem, list[str]] = {}
    blocking: dict[Problem, bool] = {}
    for name, problems in problems_by_variant.items():
        for each in problems:
            problem = replace(each, outside_selection=False)
            variants.setdefault(problem, []).append(name)
            blocking[problem] = blocking.get(problem, False) or not each.outside_selection
    merged = []
    for problem, names in variants.items():
        message = problem.message
        if "" not in names and len(names) < len(problems_by_variant):
            plural = "s" * (len(names) > 1)
            message = f"in the variant{plural} {summarise(names, _MAX_LISTED_VARIANTS)}: {message}"
        merged.append(replace(problem, message=message, outside_selection=not blocking[problem]))
    return sort_problems(merged)
