"""Format of printed.yaml, the record of what was printed: one line for each piece.

The lines are sorted and independent of each other, so that git can merge the records of two people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from cardgen.changes.card_changes import CardSnapshot, GameState
from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import Node

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
                lines += [
                    f"    {_format_key(name)}: {_format_entry(e)}\n"
                    for name, e in sorted(pieces.items())
                ]
    return "".join(lines)


def _format_entry(entry: CardSnapshot) -> str:
    parts = [f"copies: {entry.copies}", f"stamp: {_quote_text(entry.stamp)}"]
    parts += [f"front: {_quote_text(entry.front)}"] if entry.front else []
    parts += [f"back: {_quote_text(entry.back)}"] if entry.back else []
    fields = ", ".join(
        f"{_format_key(name)}: {_quote_text(value)}" for name, value in entry.fields.items()
    )
    return "{" + ", ".join([*parts, f"fields: {{{fields}}}"]) + "}"


def _format_key(word: str) -> str:
    return (
        word if PLAIN_KEY_PATTERN.match(word) and word not in YAML_LITERALS else _quote_text(word)
    )


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
    for language, decks in node.items():
        state: dict[str, dict[str, CardSnapshot]] = {}
        for deck, pieces in decks.items():
            state[deck] = dict(_parse_entries(pieces, problems))
            if not pieces.is_mapping:
                problems.append(_make_format_problem(pieces.source, deck))
        states[language] = state
        if not decks.is_mapping and decks.value is not None:
            problems.append(_make_format_problem(decks.source, language))
    return states, problems


EXPECTED_CONTENT = "expected languages, decks and pieces as 'cardgen printed' writes them"


def _make_format_problem(source: Source, what: str) -> Problem:
    return Problem(source, f"'{what}' cannot be read; {EXPECTED_CONTENT}", "printed")


def _parse_entries(pieces: Node, problems: list[Problem]) -> Iterator[tuple[str, CardSnapshot]]:
    for name, node in pieces.items():
        entry = _parse_entry(node)
        if entry is None:
            problems.append(_make_format_problem(node.source, name))
        else:
            yield name, entry


def _parse_entry(node: Node) -> CardSnapshot | None:
    given, fields = node.get("copies"), node.get("fields")
    copies = given.get_integer(0, MAX_COPIES) if given else None
    if (
        copies is None
        or any(node.find_unknown_keys(ENTRY_KEYS))
        or (fields and not fields.is_mapping)
    ):
        return None
    texts = [node.get(key) for key in ("stamp", "front", "back")]
    if any(text and not text.is_scalar for text in texts):
        return None
    stamp, front, back = (text.text if text else "" for text in texts)
    texts_by_key = {key: child.text for key, child in fields.items()} if fields else {}
    return CardSnapshot(copies, stamp, front, back, texts_by_key)
