"""Of which type a field is whose values stand in a column: one that reads each as it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.base import yamlnodes
from cardgen.base.yamlnodes import Node, scalar
from cardgen.game import slips
from cardgen.game.checking import Checker
from cardgen.game.fields import LIST_SIGN, declare, value
from cardgen.game.model import Field
from cardgen.game.starting import yaml_text
from cardgen.game.starting.columns import Cell, Column

Declared = str | Mapping[str, Any]
"""What a deck says of a field: a type's name, or a mapping with its options."""
_WORDS = frozenset({"title", "text", "flavour", "footer"})
"""What columns are for whose cells are never choices or lists."""
_MOST_CHOICES, _LONGEST_CHOICE = 8, 24
_LONGEST_PART, _MOST_PARTS = 24, 12
_SIGNS = (LIST_SIGN, ",", "|", "/")
_SPACE = re.compile(r"\s")


def declared(column: Column, role: str, several: bool) -> tuple[Declared, str]:
    """What a deck says of the field, and what parts the values of a list if it is not the usual
    sign. `several`: the game has several languages, and these words are in one column for all."""
    words = "string" if several or are_signs(column.texts) else "text"
    if role == "picture":
        return "string" if _fits(column, "string") else _of_values(column), ""
    if not column.cells:
        return words, ""
    if role not in _WORDS:
        said, sign = _of_cells(column, role)
        if said:
            return said, sign
    return (words if _fits(column, words) else _of_values(column)), ""


def name_of(said: Declared) -> str:
    """The name of a type."""
    return said if isinstance(said, str) else str(said["type"])


def _of_cells(column: Column, role: str) -> tuple[Declared, str]:
    for plain in ("boolean", "integer", "number"):
        if _fits(column, plain):
            return plain, ""
    if any(cell.value is not None and not cell.value.is_scalar for cell in column.cells.values()):
        return _of_values(column), ""
    different = list(dict.fromkeys(column.texts))
    if (
        1 < len(different) <= _MOST_CHOICES
        and len(different) * 2 <= len(column.cells)
        and max(map(len, different)) <= _LONGEST_CHOICE
        and _fits(column, choice := {"type": "choice", "of": different})
    ):
        return choice, ""
    if any(cell.value is not None for cell in column.cells.values()):
        return "", ""  # a list of JSON is one already, and no text is parted
    for sign in _SIGNS:
        said = _of_list(column, sign, role)
        if said:
            return said, "" if sign == LIST_SIGN else sign
    return "", ""


def _of_list(column: Column, sign: str, role: str) -> Declared:
    """A list of short words that the sign parts, of which some come again; tracks may be long."""
    parted = [[part.strip() for part in text.split(sign)] for text in column.texts]
    parts = [part for cell in parted for part in cell if part]
    if not any(len(cell) > 1 for cell in parted) or not parts:
        return ""
    again = sign == LIST_SIGN or len(set(parts)) * 2 <= len(parts)
    short = max(map(len, parts)) <= _LONGEST_PART and max(map(len, parted)) <= _MOST_PARTS
    whole = all(all(cell) for cell in parted)
    few = all(len(_SPACE.findall(part)) < 3 for part in parts)
    if not (whole and (role == "tracks" or (again and short and few))):
        return ""
    of = "integer" if all(_as_written(scalar(part), part) for part in parts) else "string"
    said = {"type": "list", "of": of}
    return said if sign != LIST_SIGN or _fits(column, said) else ""


def _of_values(column: Column) -> Declared:
    """A type for values of JSON: lists, records, texts by their languages are no such; "" for what
    no type takes."""
    nodes = [cell.value for cell in column.cells.values() if cell.value is not None]
    tried: list[Declared] = ["integer", "number", "boolean"]
    tried += [{"type": "list", "of": of} for of in ("integer", "number", "string")]
    if nodes and all(node.is_mapping for node in nodes):
        fields = _fields(nodes)
        tried = [{"type": "record", "fields": fields}] if fields else []
    return next((said for said in [*tried, "string"] if _fits(column, said)), "")


def _fields(nodes: Sequence[Node]) -> dict[str, Declared]:
    """The fields of records; none where one has no type, or a name that no field has."""
    found: dict[str, Declared] = {}
    for name in dict.fromkeys(key for node in nodes for key, _ in node.items()):
        inner = (node.get(name) for node in nodes)
        cells = {
            line: Cell(node.text if node.is_scalar else "", node)
            for line, node in enumerate(inner)
            if node is not None
        }
        found[name] = _of_values(Column(name, name, cells))
    sound = all(found.values()) and all(re.fullmatch(r"[A-Za-z]\w*", name) for name in found)
    return found if sound else {}


def _fits(column: Column, said: Declared) -> bool:
    """Whether each cell is a value of the type, and prints as it is written."""
    if not column.cells:
        return False
    node, _ = yamlnodes.load(yaml_text.block({"fields": {"x": said}}), "")
    checker = Checker(("en",), (), ())
    fields = node.get("fields") if node else None
    if fields is None:
        return False
    field = declare(fields, checker)["x"]
    return all(_holds(cell, field, checker) for cell in column.cells.values())


def _holds(cell: Cell, field: Field, checker: Checker) -> bool:
    node = cell.read(field)
    found = value(checker, node, field, "")
    if checker.problems:
        return False
    kept = field.kind not in ("integer", "number") or _as_written(found, cell.text)
    return kept and _sound(node)


def _sound(node: Node) -> bool:
    """Nothing within is empty, which no list or record may hold."""
    if node.is_mapping:
        return all(_sound(child) for _, child in node.items())
    return node.value is not None and all(map(_sound, node.nodes()))


def _as_written(value: object, text: str) -> bool:
    """Whether a number looks as it did: not 007, 1.10 or +3."""
    return isinstance(value, int | float) and not isinstance(value, bool) and str(value) == text


def are_signs(texts: Sequence[str]) -> bool:
    """Whether one of the texts holds what cardgen would take for its own signs, such as {coin}."""
    return any(
        slip.severity == "error"
        for text in texts
        for slip in slips.in_text(text, (), in_table=True)
    )
