"""Checks of a game and of its variants: everything that can be wrong, without making a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgen.core.problems import Problem, ProblemsError, has_errors, sort_problems, summarise
from cardgen.game.model import Game
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import Stages, load_stages
from cardgen.pipeline.workspace import open_workspace

if TYPE_CHECKING:
    from cardgen.faces.model import FaceSet

_MAX_LISTED_VARIANTS = 3


@dataclass(frozen=True)
class CheckedGame:
    """The problems of a game, and its stages where they went through."""

    problems: list[Problem]
    stages: Stages | None = None

    @property
    def buildable(self) -> Stages | None:
        """The stages, where files can be made: no errors, or drafts in the place of faces."""
        stages = self.stages
        usable = stages and (stages.has_drafts or not has_errors(self.problems))
        return stages if usable else None


def check_game(request: Request, progress: Progress = ignore_progress) -> CheckedGame:
    """Take a game through all stages before outputs; the workspace must be locked."""
    try:
        stages = load_stages(request, progress)
        stages.render()
        stages.check_rules()
        stages.write_books()
        stages.typeset()
        stages.check_faces()
        return CheckedGame(stages.finish(), stages)
    except ProblemsError as error:
        return CheckedGame(error.problems)


def check(
    request: Request,
    progress: Progress = ignore_progress,
    variants: Sequence[str] | None = None,
) -> tuple[Game | None, FaceSet | None, list[Problem]]:
    """Return a game, its faces and all problems of it and of its variants.

    `variants` are names, "" for the game as a whole; without, it is all of them. Game and faces are
    those of the first. Books are written and not laid out.
    """
    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    result = _check_variants(current, progress, variants)
    except ProblemsError as error:
        result = None, None, error.problems
    request.store.flush_shared()
    return result


def _check_variants(
    request: Request, progress: Progress, variants: Sequence[str] | None
) -> tuple[Game | None, FaceSet | None, list[Problem]]:
    from cardgen.rules import rule_file

    game, problems = request.loaded_game or rule_file.load_game(request.root)
    loaded = game, tuple(problems)
    names = list_variants(game) if variants is None else variants
    found = {
        name: check_game(replace(request, loaded_game=loaded, variant=name), progress)
        for name in names
    }
    first = found[names[0]].stages
    merged = merge_variant_problems({name: each.problems for name, each in found.items()})
    return (first.game, first.faces, merged) if first else (None, None, merged)


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
