"""Field types guessed from the cells of a column: the one that most cells are values of.

A type that reads every cell as it is written comes first. Else the majority decides, and `check`
reports the other cells. No number is taken that would be printed otherwise than it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import Node, parse_scalar
from cardgen.game.checker import Checker
from cardgen.game.field_types import LIST_SEPARATOR, read_declarations, read_value
from cardgen.game.markup import ICON_TOKEN, convert_html, replace_styles
from cardgen.game.number_formats import (
    find_decimal_signs,
    get_decimal_sign,
    parse_grouped_number,
)
from cardgen.looks.look_catalogue import LANGUAGE_WORD
from cardgen.starting import yaml_writer
from cardgen.starting.table_columns import SourceCell, SourceColumn

Declaration = str | Mapping[str, Any]
"""A field as a deck declares it: the name of a type, or a mapping with its options."""
_TEXT_ROLES = frozenset({"title", "text", "flavour", "footer"})
"""Roles of columns whose cells are never choices or lists."""
_MAX_CHOICES, _MAX_CHOICE_CHARS = 8, 24
_MAX_PART_CHARS, _MAX_PARTS = 24, 12
_MAX_TICK_CHARS = 12
"""A longer cell in a column of ticks is a text, and then all of them are."""
_NO_TICKS = frozenset({"-", "–", "—"})
"""Signs for nothing, in columns of any type."""
_DIGIT_TICKS = frozenset({"0", "1"})
"""Truth values only among others that are none of these."""
_SEPARATORS = (LIST_SEPARATOR, ",", "|", "/")
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")
_SPACE = re.compile(r"\s")


def guess_type(
    column: SourceColumn, role: str, languages: Sequence[str]
) -> tuple[Declaration, str]:
    """Return a field's declaration, and the separator of a list where it is not the usual one.

    `languages` are those of the game: their decimal signs decide what a number is, and one column
    may hold its words in several.
    """
    is_text = len(languages) < 2 or has_markup(column.texts) or _has_words(column.texts)
    words = "text" if is_text else "string"
    if role == "picture":
        return "string" if _matches_type(column, "string") else _guess_from_values(column), ""
    if not column.cells:
        return words, ""
    if role not in _TEXT_ROLES:
        said, sign = _guess_from_cells(column, role, languages)
        if said:
            return said, sign
    return (words if _matches_type(column, words) else _guess_from_values(column)), ""


def get_type_name(said: Declaration) -> str:
    return said if isinstance(said, str) else str(said["type"])


def _guess_from_cells(
    column: SourceColumn, role: str, languages: Sequence[str]
) -> tuple[Declaration, str]:
    is_colour = all(map(_HEX_COLOUR.fullmatch, column.texts)) and _matches_type(column, "colour")
    if plain := "colour" if is_colour else _choose_plain_type(column, languages):
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


def _choose_plain_type(column: SourceColumn, languages: Sequence[str]) -> str:
    """Return boolean, integer or number, "" where the cells are none of them in the main."""
    odd_cells = {
        plain: _find_odd_cells(column, plain, languages)
        for plain in ("boolean", "integer", "number")
    }
    digits = [text for text in column.texts if text in _DIGIT_TICKS]
    if digits and (len(digits) * 2 >= len(column.texts)
                   or {*column.texts} <= _NO_TICKS | _DIGIT_TICKS):  # fmt: skip
        odd_cells["boolean"] = list(column.cells.values())
    for plain, odd in odd_cells.items():
        if odd == []:
            return plain
    fewest, plain = min(
        ((len(odd), plain) for plain, odd in odd_cells.items() if odd), default=(0, "")
    )
    if (
        odd_cells["number"] is None
        or not plain
        or not is_majority(len(column.cells) - fewest, len(column.cells))
    ):
        return ""
    texts = [cell.text for cell in odd_cells[plain] or ()]
    # A word that comes back is meant: X, - or ? in a column of numbers.
    is_slip = len(set(texts)) == len(texts)
    if plain == "boolean":
        ticks = set(column.texts) - set(texts)
        is_slip = is_slip and not ticks <= _NO_TICKS and max(map(len, texts)) <= _MAX_TICK_CHARS
        is_slip = is_slip and not any(map(str.isnumeric, texts))
    return plain if is_slip else ""


def is_majority(count: int, total: int) -> bool:
    return count * 2 > total


def _guess_list(column: SourceColumn, sign: str, role: str) -> Declaration:
    """Return the type of a list of short words, some of which repeat; tracks may be long."""
    parted = [[part.strip() for part in text.split(sign)] for text in column.texts]
    parts = [part for cell in parted for part in cell if part]
    several = sum(len(cell) > 1 for cell in parted)
    if not several or not parts:
        return ""
    again = len(set(parts)) * 2 <= len(parts)
    again = again or (sign == LIST_SEPARATOR and several * 2 >= len(parted))
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
    """Return the type that takes most of these values of JSON, "" where none takes any."""
    nodes = [cell.value for cell in column.cells.values() if cell.value is not None]
    tried: list[Declaration] = ["integer", "number", "boolean"]
    tried += [{"type": "list", "of": of} for of in ("integer", "number", "string")]
    records = [node for node in nodes if node.is_mapping]
    if is_majority(len(records), len(nodes)):
        fields = _guess_record_fields(records)
        tried = [{"type": "record", "fields": fields}] if fields else []
    if any(each.is_mapping for node in nodes for each in node.list_nodes()):
        return ""  # no list holds mappings
    odd_cells = [(_find_odd_cells(column, said), said) for said in [*tried, "string"]]
    fits = [(len(odd), at) for at, (odd, _) in enumerate(odd_cells)
            if odd is not None and len(odd) < len(column.cells)]  # fmt: skip
    return odd_cells[min(fits)[1]][1] if fits else ""


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
    return bool(column.cells) and _find_odd_cells(column, said) == []


def _find_odd_cells(
    column: SourceColumn, said: Declaration, languages: Sequence[str] = ("en",)
) -> list[SourceCell] | None:
    """Return the cells that are no values of the type, which a check reports.

    Return None where a cell would be taken, and printed otherwise than it is written.
    """
    node, _ = yaml_nodes.load(yaml_writer.format_block({"fields": {"x": said}}), "")
    checker = Checker(tuple(languages), (), ())
    signs = {get_decimal_sign(language) for language in languages}
    sign = max(signs, key=",".__eq__)  # each language prints its own
    fields = node.get("fields") if node else None
    if fields is None:
        return list(column.cells.values())
    field = read_declarations(fields, checker)["x"]
    odd = []
    decimal_signs = find_decimal_signs(column.texts)
    for cell in column.cells.values():
        value = cell.read_value(field)
        if field.kind in ("integer", "number") and decimal_signs and cell.value is None:
            number, why = parse_grouped_number(cell.text, languages, decimal_signs)
            value = Node("?" if why else number, value.source) if why or number else value
        found = read_value(checker, value, field, "")
        if checker.problems or not _has_no_gaps(value):
            odd.append(cell)
        elif field.kind in ("integer", "number") and not _prints_unchanged(found, cell.text, sign):
            return None
        checker.problems.clear()
    return odd


def _has_no_gaps(node: Node) -> bool:
    """Return true where nothing within is empty: a list or record cannot hold that."""
    if node.is_mapping:
        return all(_has_no_gaps(child) for _, child in node.items())
    return node.value is not None and all(map(_has_no_gaps, node.list_nodes()))


def _prints_unchanged(value: object, text: str, sign: str = ".") -> bool:
    """Return true where a number is printed as it is written, but for its decimal sign: not 007,
    1.10 or +3."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and text in {str(value), str(value).replace(".", sign)}


def _has_words(texts: Sequence[str]) -> bool:
    """Return true where most texts belong to a language."""
    return is_majority(sum(bool(LANGUAGE_WORD.search(text)) for text in texts), len(texts))


def has_html(texts: Sequence[str]) -> bool:
    """Return true where a text holds HTML or a written line break."""
    return any(convert_html(text) != text for text in texts)


def has_styles(texts: Sequence[str]) -> bool:
    """Return true where a text holds bold or italic."""
    plain = [convert_html(text) for text in texts]
    return any(replace_styles(text) != text for text in plain)


def has_markup(texts: Sequence[str]) -> bool:
    """Return true where a text holds bold, italic, an icon or HTML."""
    return has_html(texts) or any(
        ICON_TOKEN.search(text) or replace_styles(text) != text for text in texts
    )
