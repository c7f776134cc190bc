"""Notes about cards in `notes.yaml`: what somebody said of a card, and whether it is settled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cardgen.core import yaml_edits, yaml_nodes
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_edits import KeyRemoval, ValueEdit, YamlChange
from cardgen.core.yaml_nodes import Node
from cardgen.runtime import game_files, safe_files

NOTES_FILE = "notes.yaml"
MAX_NOTES = 5_000
MAX_NOTE_CHARS = 2_000


class NotesError(Exception):
    """Notes that cannot be read or written; the message says why."""


@dataclass(frozen=True)
class CardNote:
    """A note about a card, `deck/id`. `line` is where it stands."""

    card: str
    text: str
    date: str = ""
    resolved: bool = False
    line: int = 0


def read_notes(root: Path) -> list[CardNote]:
    """Return the notes of a game; without the file there are none. Raises `NotesError`."""
    return _parse_notes(_read_file(root) or b"")


def add_note(root: Path, card: str, text: str, date: str) -> None:
    """Write a note at the end of the file, or into a new one. Raises `NotesError`."""
    text = text.strip()
    if not text or len(text) > MAX_NOTE_CHARS:
        raise NotesError(f"a note has 1 to {MAX_NOTE_CHARS} characters")
    data = _read_file(root)
    notes = _list_note_nodes(data or b"")
    if len(notes) >= MAX_NOTES:
        raise NotesError(f"{NOTES_FILE} has {MAX_NOTES} notes; remove some")
    added = {"card": card, "text": text, "date": date}
    if notes:
        plain = [note.to_plain() for note in notes]
        _write_changes(root, data or b"", [ValueEdit(("notes",), [*plain, added])])
        return
    entry = _apply(b"notes: []\n", [ValueEdit(("notes",), [added])])
    entry = entry.removeprefix("notes: [").removesuffix("]\n")
    _write_file(root, data, f"notes:\n  - {entry}\n".encode())


def resolve_note(root: Path, note: CardNote) -> None:
    """Write whether a note is settled, of the one at its line. Raises `NotesError`."""
    data = _read_file(root) or b""
    for number, found in enumerate(_parse_notes(data)):
        if (found.line, found.card, found.text) == (note.line, note.card, note.text):
            path = ("notes", number, "resolved")
            change = ValueEdit(path, value=True) if note.resolved else KeyRemoval(path)
            if found.resolved != note.resolved:
                _write_changes(root, data, [change])
            return
    raise NotesError(f"{NOTES_FILE} was changed meanwhile")


def _parse_notes(data: bytes) -> list[CardNote]:
    return [_parse_note(node) for node in _list_note_nodes(data)]


def _list_note_nodes(data: bytes) -> list[Node]:
    if not data.strip():
        return []
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise NotesError(f"{NOTES_FILE} is not UTF-8") from None
    node, problems = yaml_nodes.load(text, NOTES_FILE)
    if node is None or problems:
        raise NotesError(str(problems[0]) if problems else f"{NOTES_FILE} holds no notes")
    listed = node.get("notes")
    if listed is None or not listed.is_list:
        raise NotesError(f"{NOTES_FILE}:1: the file has no list 'notes:'")
    return listed.list_nodes()


def _parse_note(node: Node) -> CardNote:
    card, text, date, resolved = (node.get(key) for key in ("card", "text", "date", "resolved"))
    if card is None or text is None or not (card.is_scalar and text.is_scalar):
        raise NotesError(f"{node.source}: a note has a card, as deck/id, and a text")
    return CardNote(
        card.text, text.text, date.text if date else "",
        resolved is not None and resolved.value is True, node.source.line,
    )  # fmt: skip


def _read_file(root: Path) -> bytes | None:
    if not game_files.has_entry(root, NOTES_FILE):
        return None
    try:
        return game_files.read_bytes(root, NOTES_FILE)
    except game_files.UnreadableError as error:
        raise NotesError(f"{NOTES_FILE} {error}") from None


def _write_changes(root: Path, data: bytes, changes: list[YamlChange]) -> None:
    _write_file(root, data, _apply(data, changes).encode())


def _apply(data: bytes, changes: list[YamlChange]) -> str:
    try:
        text, refused = yaml_edits.apply_changes(data.decode(), NOTES_FILE, changes)
    except LimitExceededError as error:
        raise NotesError(f"{NOTES_FILE}: {error}") from None
    if refused:
        raise NotesError(f"{NOTES_FILE} cannot be changed without touching more; edit it there")
    return text


def _write_file(root: Path, old: bytes | None, new: bytes) -> None:
    try:
        if old is None:
            safe_files.write_new_file(root / NOTES_FILE, new)
        else:
            safe_files.rewrite_file(root, NOTES_FILE, old, new)
    except (safe_files.PathBlockedError, game_files.UnreadableError, OSError) as error:
        raise NotesError(f"{NOTES_FILE} is not written: {error}") from None
