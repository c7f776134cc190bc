"""The printing condition that a build is for: its profile found and looked at, as the command line
and game.yaml name it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from cardgen.base import paths
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.game.loading import FILE
from cardgen.outputs.contract import Job
from cardgen.pdf.press import profiles
from cardgen.pdf.press.condition import Condition
from cardgen.pdf.press.profiles import MOST_BYTES, Profile, Unusable

_NONE = (
    "files for a press are made for its profile, and none is named. Ask your printer for theirs "
    "(an .icc file, such as PSO Coated v3 or FOGRA39), put it into the game and write "
    "print: {profile: coated.icc} in game.yaml, or build with --profile FILE. One that is free "
    "for coated paper is made in a minute: see docs/press.md"
)


def condition_of(job: Job) -> tuple[Condition | None, list[Problem]]:
    """What the files are made for; None where its profile is missing or is none."""
    asked, said = job.options.press, job.game.defaults.press
    source = Source(f"--profile {asked.profile}") if asked.profile else said.profile_at
    try:
        if asked.profile:
            data = _typed(asked.profile)
        elif said.profile:
            data = paths.read_bytes(job.game.root, said.profile, MOST_BYTES)
        else:
            return None, [Problem(Source(FILE), _NONE, "press")]
        profile = _checked(data, Path(asked.profile or said.profile).name)
    except (paths.Unreadable, Unusable) as error:
        named = asked.profile or said.profile
        missing = isinstance(error, paths.Missing)
        why = f"there is no profile {named}{_near(named)}" if missing else f"{named} {error}"
        return None, [Problem(source or Source(FILE), why, "press")]
    return Condition(profile, asked.ink or said.ink, said.intent, said.rich_black, said.spots), []


@lru_cache(maxsize=4)
def _checked(data: bytes, called: str) -> Profile:
    return profiles.checked(data, called)


def _typed(named: str) -> bytes:
    """A profile by its file, or by its name among those of the system. Raises `Unreadable`."""
    try:
        return paths.read(Path(named), MOST_BYTES)
    except paths.Missing:
        found = profiles.named(named)
        if found is None:
            raise
        return paths.read(found, MOST_BYTES)


def _near(named: str) -> str:
    hint = did_you_mean(named, profiles.names())
    return hint or ", neither a file nor among the system's profiles"
