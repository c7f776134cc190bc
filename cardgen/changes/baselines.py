"""What a build may be compared with: what was printed, a saved file of it, a commit, a date."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from cardgen.assets.fontfiles import FontSet
from cardgen.base import paths
from cardgen.base.problems import Problem, Source, has_errors, ordered
from cardgen.base.store import Store
from cardgen.changes import printed_file, revisions
from cardgen.changes.compare import Base, State
from cardgen.changes.revisions import NoRevision, Revision
from cardgen.changes.states import state_of
from cardgen.faces import produce
from cardgen.rules import composition

Found = tuple[Base | None, list[Problem]]


def printed(root: Path) -> Found:
    """What `cardgen printed` recorded in the game folder."""
    text, why = paths.read_text(root, printed_file.FILE)
    if "missing" in why:
        message = (
            "nothing is recorded as printed yet; print everything once ('cardgen build sheets') "
            "and then run 'cardgen printed', or name an earlier state with --since"
        )
        return None, [Problem(Source(printed_file.FILE), message, "printed")]
    if why:
        return None, [Problem(Source(printed_file.FILE), f"the file {why}", "file")]
    return _from(text, printed_file.FILE)


def _from(text: str, name: str) -> Found:
    states, problems = printed_file.read(text, name)
    return (None if problems else Base(name, states)), problems


def languages_in(
    base: Base, asked: tuple[str, ...], known: tuple[str, ...]
) -> tuple[tuple[str, ...], list[Problem]]:
    """The languages to compare in, of those that are asked for, or of all that the game has; and a
    problem when the base lacks one that is asked for, or all."""
    missing = [language for language in asked if language not in base.states]
    there = tuple(language for language in asked or known if language in base.states)
    if there and not missing:
        return there, []
    message = (
        f"it holds nothing in {', '.join(missing or known)}; print all of it once "
        "('cardgen build sheets'), then record it with 'cardgen printed --lang CODE'"
    )
    return (), [Problem(Source(base.name), message, "printed")]


def since(root: Path, written: str, languages: Iterable[str]) -> Found:
    """A saved file, the last commit before a date, or a revision."""
    path = Path(written)
    if os.path.lexists(path) and not path.is_dir():
        try:
            text = paths.read(path, paths.MAX_TEXT_BYTES).decode("utf-8-sig")
        except (paths.Unreadable, UnicodeDecodeError) as error:
            why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
            return None, [Problem(Source(written), f"the file {why}", "file")]
        return _from(text, written)
    return at_revision(root, written, languages)


def at_revision(root: Path, written: str, languages: Iterable[str]) -> Found:
    """The last commit before a date, or a revision."""
    try:
        return _at(revisions.find(root, written), languages)
    except NoRevision as error:
        return None, [Problem(Source("--since"), str(error), "revision")]


def _at(revision: Revision, languages: Iterable[str]) -> Found:
    """The game as it was. Its fonts are not looked for: nothing of it is typeset."""
    with revisions.extracted(revision) as root:
        game, problems = composition.load(root)
        if game is None:
            raise NoRevision(f"the game at {revision} cannot be read: {problems[0]}")
        store = Store(root.parent / "store")
        known = [language for language in languages if language in game.languages]
        ordered_faces = produce.order(game, FontSet((), {}), game.decks, known, store)
        states: dict[str, State] = {
            language: state_of(game, ordered_faces, game.decks, language) for language in known
        }
        wrong = [p for p in [*problems, *ordered_faces.problems] if p.kind != "font"]
    warnings = []
    if has_errors(wrong):
        first = next(p for p in ordered(wrong) if p.severity == "error")
        message = (
            f"at {revision} the game had mistakes, so what changed may be told wrongly; "
            f"the first: {first}"
        )
        warnings.append(Problem(Source("--since"), message, "revision", "warning"))
    return Base(str(revision), states), warnings
