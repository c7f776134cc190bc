"""Baselines to compare a game with: what was printed, a copy of printed.yaml, a commit or date."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.assets.font_files import FontSet
from cardgen.changes import printed_file, revisions
from cardgen.changes.card_changes import Baseline, GameState
from cardgen.changes.card_states import describe_state
from cardgen.changes.revisions import Revision, RevisionError
from cardgen.core.problems import Problem, Source, has_errors, sort_problems
from cardgen.faces import rendering
from cardgen.faces.model import FaceSet
from cardgen.game import loader
from cardgen.game.model import Deck, Game
from cardgen.rules import rule_file
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.content_store import Store

BaselineResult = tuple[Baseline | None, list[Problem]]


def load_printed(root: Path) -> BaselineResult:
    """Load the baseline that `cardgen printed` recorded in the game's folder."""
    text, why = game_files.read_text(root, printed_file.FILE)
    if "missing" in why:
        message = (
            "nothing is recorded as printed yet; print everything once ('cardgen build sheets') "
            "and then run 'cardgen printed', or name an earlier state with --since"
        )
        return None, [Problem(Source(printed_file.FILE), message, "printed")]
    if why:
        return None, [Problem(Source(printed_file.FILE), f"the file {why}", "file")]
    return _parse_baseline(text, printed_file.FILE)


def _parse_baseline(text: str, name: str) -> BaselineResult:
    states, problems = printed_file.parse_states(text, name)
    return (None if problems else Baseline(name, states)), problems


def select_languages(
    base: Baseline, wanted: tuple[str, ...], known: tuple[str, ...]
) -> tuple[tuple[str, ...], list[Problem]]:
    """Return the languages to compare, of the requested ones or of all languages of the game.

    When the baseline lacks a requested language, or all, return a problem instead.
    """
    missing = [language for language in wanted if language not in base.states]
    found = tuple(language for language in wanted or known if language in base.states)
    if found and not missing:
        return found, []
    message = (
        f"it holds nothing in {', '.join(missing or known)}; print all of it once "
        "('cardgen build sheets'), then record it with 'cardgen printed --lang CODE'"
    )
    return (), [Problem(Source(base.name), message, "printed")]


def load_baseline(root: Path, written: str, languages: Iterable[str]) -> BaselineResult:
    """Load the baseline of a saved file, of the last commit before a date, or of a revision."""
    path = Path(written)
    if os.path.lexists(path) and not path.is_dir():
        try:
            text = game_files.read_file(path, game_files.MAX_TEXT_BYTES).decode("utf-8-sig")
        except (game_files.UnreadableError, UnicodeDecodeError) as error:
            why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
            return None, [Problem(Source(written), f"the file {why}", "file")]
        return _parse_baseline(text, written)
    return load_revision(root, written, languages)


def load_revision(root: Path, written: str, languages: Iterable[str]) -> BaselineResult:
    """Load the baseline of the last commit before a date, or of a revision."""
    try:
        return _render_revision(revisions.find_revision(root, written), languages)
    except RevisionError as error:
        return None, [Problem(Source("--since"), str(error), "revision")]


def _render_revision(revision: Revision, languages: Iterable[str]) -> BaselineResult:
    """Render the game at a revision. Its fonts are not needed, since nothing is typeset."""
    with revisions.open_revision(revision) as root:
        game, problems = rule_file.load_game(root)
        if game is None:
            raise RevisionError(f"the game at {revision} cannot be read: {problems[0]}")
        store = Store(root.parent / "store")
        known = [language for language in languages if language in game.languages]
        ordered_faces = rendering.render_faces(game, FontSet((), {}), game.decks, known, store)
        states: dict[str, GameState] = {
            language: describe_state(game, ordered_faces, game.decks, language)
            for language in known
        }
        errors = [p for p in [*problems, *ordered_faces.problems] if p.kind != "font"]
    warnings = []
    if has_errors(errors):
        first = next(p for p in sort_problems(errors) if p.severity == "error")
        message = (
            f"at {revision} the game had errors, so the list of changes may be wrong; "
            f"the first: {first}"
        )
        warnings.append(Problem(Source("--since"), message, "revision", "warning"))
    return Baseline(str(revision), states), warnings


@dataclass(frozen=True)
class RecordResult:
    """What was recorded as printed: languages and numbers of copies, none when there are errors."""

    problems: list[Problem]
    pieces: tuple[tuple[str, int], ...] = ()


def load_recorded_states(root: Path) -> tuple[dict[str, GameState], list[Problem]]:
    """Return the recorded states by language, and the problems of the file."""
    if not game_files.has_entry(root, printed_file.FILE):
        return {}, []
    base, problems = load_printed(root)
    return dict(base.states) if base else {}, problems


def record_printed(
    game: Game,
    faces: FaceSet,
    before: Mapping[str, GameState],
    languages: Sequence[str],
    decks: Sequence[Deck] | None,
) -> tuple[tuple[str, int], ...]:
    """Record the current state of decks, or of all, as printed; return the copies by language.

    When `decks` are given, the records of all others stay as they were.
    """
    states = dict(before)
    for language in languages:
        others = states.get(language, {}) if decks is not None else {}
        recorded = game.decks if decks is None else decks
        states[language] = {**others, **describe_state(game, faces, recorded, language)}
    loader.raise_if_changed(game)
    safe_files.replace_file(
        game.root / printed_file.FILE, printed_file.format_states(states).encode()
    )
    return tuple(
        (code, sum(each.copies for deck in states[code].values() for each in deck.values()))
        for code in languages
    )
