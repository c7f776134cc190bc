"""What lies on the table, written into printed.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.base import filing, paths
from cardgen.base.problems import Problem
from cardgen.changes import baselines, printed_file
from cardgen.changes.compare import State
from cardgen.changes.states import state_of
from cardgen.faces.produce import Faces
from cardgen.game import loading
from cardgen.game.model import Deck, Game


@dataclass(frozen=True)
class Recorded:
    """What was recorded as printed: language and number of pieces; nothing with an error."""

    problems: list[Problem]
    pieces: tuple[tuple[str, int], ...] = ()


def recorded(root: Path) -> tuple[dict[str, State], list[Problem]]:
    """What is recorded so far, by language, and what is wrong with it."""
    if not paths.there(root, printed_file.FILE):
        return {}, []
    base, problems = baselines.printed(root)
    return dict(base.states) if base else {}, problems


def record(
    game: Game,
    faces: Faces,
    before: Mapping[str, State],
    languages: Sequence[str],
    decks: Sequence[Deck] | None,
) -> tuple[tuple[str, int], ...]:
    """Write that these decks, or all, lie on the table in these languages as they are; how many
    pieces are recorded in each. Where decks are named, the others stay as they were recorded."""
    states = dict(before)
    for language in languages:
        kept = states.get(language, {}) if decks is not None else {}
        shown = game.decks if decks is None else decks
        states[language] = {**kept, **state_of(game, faces, shown, language)}
    loading.hold_still(game)
    filing.put(game.root / printed_file.FILE, printed_file.write(states).encode())
    return tuple(
        (code, sum(each.copies for deck in states[code].values() for each in deck.values()))
        for code in languages
    )
