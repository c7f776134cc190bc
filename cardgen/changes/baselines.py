"""Baselines to compare a game with: what was printed, a copy of printed.yaml, a commit or date; and
the search in them for the card that a printed stamp belongs to."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.assets.font_files import FontSet
from cardgen.changes import revisions
from cardgen.changes.card_changes import Baseline, CardSnapshot, GameState, describe_state
from cardgen.changes.revisions import NoGameAtRevisionError, Revision, RevisionError
from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Source, sort_problems
from cardgen.core.yaml_nodes import Node
from cardgen.faces import rendering
from cardgen.faces.model import FaceSet
from cardgen.game import loader
from cardgen.game.model import Deck, Game
from cardgen.rules import rule_file
from cardgen.runtime import code_version, fingerprint, game_files, safe_files
from cardgen.runtime.content_store import STORE_FOLDER, Store, digest_parts
from cardgen.templates.template_renderer import make_stamp

FILE = "printed.yaml"
FILE_HEADER = (
    "# What lies on the table, as 'cardgen printed' wrote it: copies, stamp, looks, fields.\n"
    "# Commit it; 'cardgen build sheets --changed' prints what differs from it.\n"
)
# Characters that JSON allows in strings and YAML does not.
UNPRINTABLE_PATTERN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
PLAIN_KEY_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
YAML_LITERALS = frozenset({"true", "false", "null"})
MAX_COPIES = 10**20
ENTRY_KEYS = ("copies", "stamp", "front", "back", "fields")


def format_states(states: Mapping[str, GameState]) -> str:
    """Return the content of the file, which does not depend on the order of the states."""
    lines = [FILE_HEADER]
    for language, state in sorted(states.items()):
        lines.append(f"{_format_key(language)}:\n")
        for deck, pieces in sorted(state.items()):
            if pieces:
                lines.append(f"  {_format_key(deck)}:\n")
                for name, entry in sorted(pieces.items()):
                    lines.append(f"    {_format_key(name)}: {_format_entry(entry)}\n")
    return "".join(lines)


def _format_entry(entry: CardSnapshot) -> str:
    looks = {"front": entry.front, "back": entry.back}
    parts = [f"copies: {entry.copies}", f"stamp: {_quote_text(entry.stamp)}"]
    parts += [f"{side}: {_quote_text(look)}" for side, look in looks.items() if look]
    fields = [f"{_format_key(name)}: {_quote_text(text)}" for name, text in entry.fields.items()]
    parts.append("fields: {" + ", ".join(fields) + "}")
    return "{" + ", ".join(parts) + "}"


def _format_key(word: str) -> str:
    is_plain = PLAIN_KEY_PATTERN.match(word) and word not in YAML_LITERALS
    return word if is_plain else _quote_text(word)


def _quote_text(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    return UNPRINTABLE_PATTERN.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def parse_states(text: str, name: str = FILE) -> tuple[dict[str, GameState], list[Problem]]:
    """Return the states of a file by language, and its problems."""
    node, problems = yaml_nodes.load(text, name)
    if node is None or problems:
        return {}, problems
    if node.value is not None and not node.is_mapping:
        return {}, [Problem(node.source, f"is {node.describe()}; {EXPECTED_CONTENT}", "printed")]
    states: dict[str, GameState] = {}

    def report_format(source: Source, what: str) -> None:
        message = f"'{what}' cannot be read; {EXPECTED_CONTENT}"
        problems.append(Problem(source, message, "printed"))

    for language, decks in node.items():
        state: dict[str, dict[str, CardSnapshot]] = {}
        for deck, pieces in decks.items():
            state[deck] = {}
            for piece, each in pieces.items():
                entry = _parse_entry(each)
                if entry is None:
                    report_format(each.source, piece)
                else:
                    state[deck][piece] = entry
            if not pieces.is_mapping:
                report_format(pieces.source, deck)
        states[language] = state
        if not decks.is_mapping and decks.value is not None:
            report_format(decks.source, language)
    return states, problems


EXPECTED_CONTENT = "expected languages, decks and pieces as 'cardgen printed' writes them"


def _parse_entry(node: Node) -> CardSnapshot | None:
    given, fields = node.get("copies"), node.get("fields")
    copies = given.get_integer(0, MAX_COPIES) if given else None
    texts = [node.get(key) for key in ("stamp", "front", "back")]
    if copies is None or any(node.find_unknown_keys(ENTRY_KEYS)):
        return None
    if (fields and not fields.is_mapping) or any(text and not text.is_scalar for text in texts):
        return None
    stamp, front, back = (text.text if text else "" for text in texts)
    texts_by_key = {key: child.text for key, child in fields.items()} if fields else {}
    return CardSnapshot(copies, stamp, front, back, texts_by_key)


BaselineResult = tuple[Baseline | None, list[Problem]]


def load_printed(root: Path) -> BaselineResult:
    """Load the baseline that `cardgen printed` recorded in the game's folder."""
    text, why = game_files.read_text(root, FILE)
    if "missing" in why:
        message = (
            "nothing is recorded as printed yet; print everything once ('cardgen build sheets') "
            "and then run 'cardgen printed', or name an earlier state with --since"
        )
        return None, [Problem(Source(FILE), message, "printed")]
    if why:
        return None, [Problem(Source(FILE), f"the file {why}", "file")]
    return _parse_baseline(text, FILE)


def _parse_baseline(text: str, name: str) -> BaselineResult:
    states, problems = parse_states(text, name)
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
        faces = rendering.render_faces(game, FontSet((), {}), game.decks, known, store)
        states = {code: describe_state(game, faces, game.decks, code) for code in known}
    found = sort_problems([*problems, *faces.problems])
    errors = [p for p in found if p.kind != "font" and p.severity == "error"]
    message = f"at {revision} the game had errors, so the list of changes may be wrong; the first: "
    warnings = [
        Problem(Source("--since"), message + str(error), "revision", "warning")
        for error in errors[:1]
    ]
    return Baseline(str(revision), states), warnings


@dataclass(frozen=True)
class RecordResult:
    """What was recorded as printed: languages and numbers of copies, none when there are errors."""

    problems: list[Problem]
    pieces: tuple[tuple[str, int], ...] = ()


def load_recorded_states(root: Path) -> tuple[dict[str, GameState], list[Problem]]:
    """Return the recorded states by language, and the problems of the file."""
    if not game_files.has_entry(root, FILE):
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
    safe_files.replace_file(game.root / FILE, format_states(states).encode())
    return tuple(
        (code, sum(each.copies for deck in states[code].values() for each in deck.values()))
        for code in languages
    )


MAX_HISTORY_COMMITS = 50
HISTORY_KIND, MAX_HISTORY_ENTRIES = "past-stamps", 4
STAMP_PATHS = loader.FILE, "cards", "art/icons"
"""Files and folders on which stamps depend."""
STAMP_PATTERN = re.compile(r"[0-9a-f]{4}\Z")
StampedKey = tuple[str, str, str]
"""Deck, piece and language."""
SearchProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class StampMatch:
    """A piece that has or had the stamp; `where` is the newest state it was found in."""

    deck: str
    piece: str
    where: str
    is_current: bool = False
    current_stamp: str = ""
    """The current stamp of the piece, "" when it is no longer in the game."""

    def __str__(self) -> str:
        if self.is_current:
            return f"{self.piece} of {self.deck}: current"
        now = self.current_stamp
        state = f"its stamp is {now} now" if now else "it is no longer in the game"
        return f"{self.piece} of {self.deck}, as in {self.where}: not current, {state}"


def is_stamp(word: str) -> bool:
    """Tell whether a word is four hexadecimal digits."""
    return bool(STAMP_PATTERN.match(word))


def find_stamp(game: Game, wanted: str, progress: SearchProgress) -> tuple[list[StampMatch], str]:
    """Return every piece that has or had the stamp, and why history was not searched, if so.

    A piece is listed once, with its newest match. The last 50 commits that changed cards or
    printed.yaml are searched.
    """
    now = dict(_list_stamps(game))
    cards = {(deck.id, p.id): p.base_id for deck in game.decks for p in deck.pieces}
    found: dict[tuple[str, str], StampMatch] = {}
    for (deck, piece, _), value in now.items():
        if value == wanted:
            found[deck, piece] = StampMatch(deck, piece, "", True, value)

    def add_matches(where: str, stamps: Iterable[tuple[StampedKey, str]]) -> None:
        for (deck, piece, language), stamp in stamps:
            if stamp == wanted:
                card = cards.get((deck, piece), piece)
                current = now.get((deck, card, language), "")
                match = StampMatch(deck, card, where, current_stamp=current)
                found.setdefault((deck, card), match)

    text, why = game_files.read_text(game.root, FILE)
    if not why:
        add_matches(FILE, _list_recorded_stamps(text))
    try:
        for commit, recorded, stamps in _list_past_stamps(game.root, progress):
            add_matches(f"printed.yaml at {commit}", recorded)
            add_matches(f"the cards at {commit}", stamps)
    except RevisionError as error:
        return list(found.values()), str(error)
    return list(found.values()), ""


def _list_stamps(game: Game) -> Iterator[tuple[StampedKey, str]]:
    for language in game.languages:
        for deck in game.decks:
            for piece in deck.pieces:
                if piece.copies:
                    yield (deck.id, piece.base_id, language), make_stamp(piece, language)


def _list_recorded_stamps(text: str) -> Iterator[tuple[StampedKey, str]]:
    """Yield the stamps of a file printed.yaml."""
    for language, state in parse_states(text)[0].items():
        for deck, pieces in state.items():
            yield from (((deck, piece, language), e.stamp) for piece, e in pieces.items())


PastStamps = list[tuple[StampedKey, str]]


def _list_past_stamps(
    root: Path, progress: SearchProgress
) -> Iterator[tuple[Revision, PastStamps, PastStamps]]:
    """Yield commits with the stamps in their printed.yaml and those of their cards.

    Stamps of a commit never change, so they are kept in the store.
    """
    prefix, commits = revisions.list_commits(root, MAX_HISTORY_COMMITS)
    store = Store(root / STORE_FOLDER)
    name = digest_parts([code_version.digest_code("changes"), prefix])
    path = store.get_path(HISTORY_KIND, f"{name}.json")
    kept = store.read_json(path) or {}
    before = len(kept)
    try:
        for done, commit in enumerate(commits, start=1):
            found, is_final = (kept[commit], True) if commit in kept else (None, False)
            if found is None:
                found, is_final = _read_past_stamps(root, prefix, commit)
            if is_final:
                kept[commit] = found
            day, *listed = found
            recorded, stamps = ([((d, p, c), s) for d, p, c, s in each] for each in listed)
            yield Revision(root, prefix, commit, day), recorded, stamps
            progress("searching history", done, len(commits))
    finally:
        if len(kept) > before:
            with suppress(OSError, safe_files.PathBlockedError):
                store.write_json(path, {name: kept[name] for name in commits if name in kept})
                store.remove_unused(HISTORY_KIND, [path.name], MAX_HISTORY_ENTRIES)


def _read_past_stamps(root: Path, prefix: str, commit: str) -> tuple[list[Any], bool]:
    """Return the day of a commit, the stamps in its printed.yaml and those of its cards, and
    whether they are the same at any time."""
    revision = revisions.make_revision(root, prefix, commit)
    text = revisions.read_revision_file(revision, FILE) or ""
    stamps, is_final = _list_stamps_at(revision)
    lists = (_list_recorded_stamps(text), stamps)
    return [revision.date, *([[*key, stamp] for key, stamp in each] for each in lists)], is_final


def _list_stamps_at(commit: Revision) -> tuple[PastStamps, bool]:
    """Return the stamps of a commit, and whether they are the same at any time. Of the art only
    icons matter, since their names are values of fields."""
    try:
        with (
            fingerprint.pause_trace(),
            revisions.open_revision(commit, STAMP_PATHS) as root,
        ):
            game, problems = rule_file.load_game(root)
    except RevisionError as error:
        return [], isinstance(error, NoGameAtRevisionError)
    is_final = all(problem.kind != "bounds" for problem in problems)
    return list(_list_stamps(game)) if game is not None else [], is_final
