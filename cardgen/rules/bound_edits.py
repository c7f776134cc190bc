"""Bounds of rules, changed in their file as a person would do it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cardgen.core import yaml_edits, yaml_nodes
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_edits import ValueEdit
from cardgen.core.yaml_nodes import Node
from cardgen.rules.rule_file import BOUND_KEYS, RULES_FILE
from cardgen.runtime import game_files, safe_files


class BoundEditError(Exception):
    """A bound that is not changed; the message says why."""


def read_bounds(root: Path) -> dict[int, dict[str, float]]:
    """Return the bounds that are written as numbers, by the line of their rule.

    Others come from a constant or a formula, or differ between the cards of a rule.
    """
    text, _ = game_files.read_text(root, RULES_FILE)
    return {
        rule.source.line: {
            key: bound.value for key in sorted(BOUND_KEYS) if (bound := _get_number(rule, key))
        }
        for rule in _list_rules(text)
    }


def change_bound(root: Path, line: int, key: str, was: float, value: float) -> None:
    """Write another number for a bound of the rule at a line. Raises `BoundEditError`."""
    try:
        old = game_files.read_bytes(root, RULES_FILE)
        text = old.decode()
        rules = list(_list_rules(text))
        number = next((at for at, rule in enumerate(rules) if rule.source.line == line), None)
        bound = None if number is None else _get_number(rules[number], key)
        if number is None or bound is None or bound.value != was:
            raise BoundEditError(f"{RULES_FILE} was changed meanwhile")
        edit = ValueEdit(("rules", number, key), value)
        text, refused = yaml_edits.apply_changes(text, RULES_FILE, [edit])
        if refused:
            raise BoundEditError(f"{key} cannot be changed without touching more; edit it there")
        safe_files.rewrite_file(root, RULES_FILE, old, text.encode())
    except (game_files.UnreadableError, safe_files.PathBlockedError, OSError) as error:
        raise BoundEditError(f"{RULES_FILE} is not written: {error}") from None
    except (UnicodeDecodeError, LimitExceededError) as error:
        raise BoundEditError(f"{RULES_FILE}: {error}") from None


def _list_rules(text: str) -> Iterator[Node]:
    node, _ = yaml_nodes.load(text, RULES_FILE)
    listed = node.get("rules") if node else None
    yield from listed.list_nodes() if listed else ()


def _get_number(rule: Node, key: str) -> Node | None:
    bound = rule.get(key)
    is_number = bound is not None and type(bound.value) in {int, float}
    return bound if is_number else None
