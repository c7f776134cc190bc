"""printed.yaml: what lies on the table, in the game folder, one line a piece.

Lines are sorted and stand for themselves, so that two people's printings merge like any text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from cardgen.base import yamlnodes
from cardgen.base.problems import Problem, Source
from cardgen.base.yamlnodes import Node
from cardgen.changes.compare import Entry, State

FILE = "printed.yaml"
_HEAD = (
    "# What lies on the table, as 'cardgen printed' wrote it: copies, stamp, looks, fields.\n"
    "# Commit it; 'cardgen build sheets --changed' prints what differs from it.\n"
)
# What YAML does not take as it is, though JSON does.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
_NOT_WORDS = frozenset({"true", "false", "null"})
_MOST_COPIES = 10**20
_KEYS = ("copies", "stamp", "front", "back", "fields")


def write(states: Mapping[str, State]) -> str:
    """The file's text: the same for the same states, whatever order they come in."""
    lines = [_HEAD]
    for language, state in sorted(states.items()):
        lines.append(f"{_key(language)}:\n")
        for deck, pieces in sorted(state.items()):
            if pieces:
                lines.append(f"  {_key(deck)}:\n")
                lines += [f"    {_key(name)}: {_entry(e)}\n" for name, e in sorted(pieces.items())]
    return "".join(lines)


def _entry(entry: Entry) -> str:
    parts = [f"copies: {entry.copies}", f"stamp: {_text(entry.stamp)}"]
    parts += [f"front: {_text(entry.front)}"] if entry.front else []
    parts += [f"back: {_text(entry.back)}"] if entry.back else []
    fields = ", ".join(f"{_key(name)}: {_text(value)}" for name, value in entry.fields.items())
    return "{" + ", ".join([*parts, f"fields: {{{fields}}}"]) + "}"


def _key(word: str) -> str:
    return word if _WORD.match(word) and word not in _NOT_WORDS else _text(word)


def _text(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def read(text: str, name: str = FILE) -> tuple[dict[str, State], list[Problem]]:
    """The states of a file by their languages, and what is wrong with it."""
    node, problems = yamlnodes.load(text, name)
    if node is None or problems:
        return {}, problems
    if node.value is not None and not node.is_mapping:
        return {}, [Problem(node.source, f"is {node.describe()}; {_ASKED}", "printed")]
    states: dict[str, State] = {}
    for language, decks in node.items():
        state: dict[str, dict[str, Entry]] = {}
        for deck, pieces in decks.items():
            state[deck] = dict(_entries(pieces, problems))
            if not pieces.is_mapping:
                problems.append(_wrong(pieces.source, deck))
        states[language] = state
        if not decks.is_mapping and decks.value is not None:
            problems.append(_wrong(decks.source, language))
    return states, problems


_ASKED = "it holds languages, decks and pieces as 'cardgen printed' writes them"


def _wrong(source: Source, what: str) -> Problem:
    return Problem(source, f"'{what}' cannot be read; {_ASKED}", "printed")


def _entries(pieces: Node, problems: list[Problem]) -> Iterator[tuple[str, Entry]]:
    for name, node in pieces.items():
        entry = _read_entry(node)
        if entry is None:
            problems.append(_wrong(node.source, name))
        else:
            yield name, entry


def _read_entry(node: Node) -> Entry | None:
    given, fields = node.get("copies"), node.get("fields")
    copies = given.whole(0, _MOST_COPIES) if given else None
    if copies is None or any(node.unknown(_KEYS)) or (fields and not fields.is_mapping):
        return None
    texts = [node.get(key) for key in ("stamp", "front", "back")]
    if any(text and not text.is_scalar for text in texts):
        return None
    stamp, front, back = (text.text if text else "" for text in texts)
    told = {key: child.text for key, child in fields.items()} if fields else {}
    return Entry(copies, stamp, front, back, told)
