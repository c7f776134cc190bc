"""Field types guessed from the cells of a column: one that reads each cell as it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import Node, parse_scalar
from cardgen.game import markup_lint
from cardgen.game.checker import Checker
from cardgen.game.field_types import LIST_SEPARATOR, read_declarations, read_value
from cardgen.game.model import Field
from cardgen.starting import yaml_writer
from cardgen.starting.table_columns import SourceCell, SourceColumn

Declaration = str | Mapping[str, Any]
"""A field as a deck declares it: the name of a type, or a mapping with its options."""
_TEXT_ROLES = frozenset({"title", "text", "flavour", "footer"})
"""Roles of columns whose cells are never choices or lists."""
_MAX_CHOICES, _MAX_CHOICE_CHARS = 8, 24
_MAX_PART_CHARS, _MAX_PARTS = 24, 12
_SEPARATORS = (LIST_SEPARATOR, ",", "|", "/")
_SPACE = re.compile(r"\s")


def guess_type(column: SourceColumn, role: str, several: bool) -> tuple[Declaration, str]:
    """Return a field's declaration, and the separator of a list where it is not the usual one.

    `several` is true where a game of several languages has these words in one column.
    """
    words = "string" if several or has_markup(column.texts) else "text"
    if role == "picture":
        return "string" if _matches_type(column, "string") else _guess_from_values(column), ""
    if not column.cells:
        return words, ""
    if role not in _TEXT_ROLES:
        said, sign = _guess_from_cells(column, role)
        if said:
            return said, sign
    return (words if _matches_type(column, words) else _guess_from_values(column)), ""


def get_type_name(said: Declaration) -> str:
    return said if isinstance(said, str) else str(said["type"])


def _guess_from_cells(column: SourceColumn, role: str) -> tuple[Declaration, str]:
    for plain in ("boolean", "integer", "number"):
        if _matches_type(column, plain):
            return plain, ""
    if any(cell.value is not None and not cell.value.is_scalar for cell in column.cells.values()):
        return _guess_from_values(column), ""
    different = list(dict.fromkeys(column.texts))
    if (
        1 < len(different) <= _MAX_CHOICES
        and len(different) * 2 <= len(column.cells)
        and max(map(len, different)) <= _MAX_CHOICE_CHARS
        and _matches_type(column, choice := {"type": "choice", "of": different})
    ):
        return choice, ""
    if any(cell.value is not None for cell in column.cells.values()):
        return "", ""  # a list of JSON is one already, and no text is parted
    for sign in _SEPARATORS:
        said = _guess_list(column, sign, role)
        if said:
            return said, "" if sign == LIST_SEPARATOR else sign
    return "", ""


def _guess_list(column: SourceColumn, sign: str, role: str) -> Declaration:
    """Return the type of a list of short words, some of which repeat; tracks may be long."""
    parted = [[part.strip() for part in text.split(sign)] for text in column.texts]
    parts = [part for cell in parted for part in cell if part]
    if not any(len(cell) > 1 for cell in parted) or not parts:
        return ""
    again = sign == LIST_SEPARATOR or len(set(parts)) * 2 <= len(parts)
    short = max(map(len, parts)) <= _MAX_PART_CHARS and max(map(len, parted)) <= _MAX_PARTS
    whole = all(all(cell) for cell in parted)
    few = all(len(_SPACE.findall(part)) < 3 for part in parts)
    if not (whole and (role == "tracks" or (again and short and few))):
        return ""
    of = (
        "integer"
        if all(_prints_unchanged(parse_scalar(part), part) for part in parts)
        else "string"
    )
    said = {"type": "list", "of": of}
    return said if sign != LIST_SEPARATOR or _matches_type(column, said) else ""


def _guess_from_values(column: SourceColumn) -> Declaration:
    """Return a type for values of JSON, "" where no type takes them."""
    nodes = [cell.value for cell in column.cells.values() if cell.value is not None]
    tried: list[Declaration] = ["integer", "number", "boolean"]
    tried += [{"type": "list", "of": of} for of in ("integer", "number", "string")]
    if nodes and all(node.is_mapping for node in nodes):
        fields = _guess_record_fields(nodes)
        tried = [{"type": "record", "fields": fields}] if fields else []
    return next((said for said in [*tried, "string"] if _matches_type(column, said)), "")


def _guess_record_fields(nodes: Sequence[Node]) -> dict[str, Declaration]:
    """Return the fields of records, or none where a field has no type or no valid name."""
    found: dict[str, Declaration] = {}
    for name in dict.fromkeys(key for node in nodes for key, _ in node.items()):
        inner = (node.get(name) for node in nodes)
        cells = {
            line: SourceCell(node.text if node.is_scalar else "", node)
            for line, node in enumerate(inner)
            if node is not None
        }
        found[name] = _guess_from_values(SourceColumn(name, name, cells))
    sound = all(found.values()) and all(re.fullmatch(r"[A-Za-z]\w*", name) for name in found)
    return found if sound else {}


def _matches_type(column: SourceColumn, said: Declaration) -> bool:
    """Return true where each cell is a value of the type, and prints as it is written."""
    if not column.cells:
        return False
    node, _ = yaml_nodes.load(yaml_writer.format_block({"fields": {"x": said}}), "")
    checker = Checker(("en",), (), ())
    fields = node.get("fields") if node else None
    if fields is None:
        return False
    field = read_declarations(fields, checker)["x"]
    return all(_matches_cell(cell, field, checker) for cell in column.cells.values())


def _matches_cell(cell: SourceCell, field: Field, checker: Checker) -> bool:
    node = cell.read_value(field)
    found = read_value(checker, node, field, "")
    if checker.problems:
        return False
    kept = field.kind not in ("integer", "number") or _prints_unchanged(found, cell.text)
    return kept and _has_no_gaps(node)


def _has_no_gaps(node: Node) -> bool:
    """Return true where nothing within is empty: a list or record cannot hold that."""
    if node.is_mapping:
        return all(_has_no_gaps(child) for _, child in node.items())
    return node.value is not None and all(map(_has_no_gaps, node.list_nodes()))


def _prints_unchanged(value: object, text: str) -> bool:
    """Return true where a number is printed as it is written: not 007, 1.10 or +3."""
    return isinstance(value, int | float) and not isinstance(value, bool) and str(value) == text


def has_markup(texts: Sequence[str]) -> bool:
    """Return true where a text holds what cardgen would take for markup, such as {coin}."""
    return any(
        slip.severity == "error" for text in texts for slip in markup_lint.check_text(text, ())
    )
