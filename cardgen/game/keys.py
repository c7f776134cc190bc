"""Declarative tables of keys: one table reads a mapping, checks it and makes its JSON Schema.

A table maps each name to a `Key`. `read_keys` reads a mapping by its table, `build_schema` makes
the schema with which editors complete and check the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.runtime import game_files

Report = Callable[[Source, str, str], None]
"""Called with the place of a problem, its message and its kind."""


@dataclass(frozen=True)
class Key:
    """A key of a mapping: its JSON Schema, how its value is read, and its default.

    `parse` returns the value of a node, or None where the node holds none; without `parse`, the
    node itself is the value. `expected` completes the message "gap is 'wide'; expected …". Where
    a word resembles one of `choices`, the message suggests that one instead.
    """

    schema: Schema
    parse: Callable[[Node], Any] | None = None
    expected: str = ""
    default: Any = None
    choices: Collection[str] = ()
    kind: str = "type"
    required: bool = False

    @classmethod
    def node(
        cls, schema: Schema = json_schema.ANYTHING, about: str = "", *, required: bool = False
    ) -> Key:
        """A value that its reader checks."""
        return cls(json_schema.describe(about, schema), required=required)

    @classmethod
    def flag(cls, about: str = "", default: bool | None = None) -> Key:
        """True or false."""
        schema = json_schema.describe(about, json_schema.BOOLEAN)
        return cls(schema, lambda node: node.boolean, "true or false", default)

    @classmethod
    def number(
        cls, least: float, most: float, about: str = "", default: float | None = None,
        unit: str = "mm",
    ) -> Key:  # fmt: skip
        """A number within bounds."""
        schema = json_schema.describe(about, json_schema.allow_number(least, most))
        what = "length" if unit == "mm" else "number"
        expected = f"a {what} from {least:g} to {most:g} {unit}"
        return cls(schema, lambda node: node.get_number(least, most), expected, default, (), "size")

    @classmethod
    def integer(
        cls, least: int, most: int, about: str = "", default: int | None = None, unit: str = "",
    ) -> Key:  # fmt: skip
        """A whole number within bounds."""
        schema = json_schema.describe(about, json_schema.allow_integer(least, most))
        expected = f"a whole number from {least} to {most}{unit}"
        return cls(schema, lambda node: node.get_integer(least, most), expected, default)

    @classmethod
    def choice(cls, values: Collection[Any], about: str = "", default: Any = "") -> Key:
        """One of a few values."""
        schema = json_schema.describe(about, json_schema.allow_values(values))
        return cls(
            schema, lambda node: node.value if node.is_scalar and node.value in values else None,
            ("one of " if len(values) > 1 else "") + ", ".join(map(str, values)), default,
            [value for value in values if isinstance(value, str)],
        )  # fmt: skip

    @classmethod
    def word(
        cls, about: str = "", expected: str = "a word or a number",
        schema: Schema = json_schema.SCALAR, *, required: bool = False,
        form: re.Pattern[str] | None = None,
    ) -> Key:  # fmt: skip
        """Any scalar, as the text that is written, of a form if there is one."""

        def parse(node: Node) -> str | None:
            is_word = node.is_scalar and node.value is not None
            return node.text if is_word and (form is None or form.match(node.text)) else None

        return cls(json_schema.describe(about, schema), parse, expected, "", required=required)

    @classmethod
    def file_name(cls, schema: Schema, about: str = "") -> Key:
        """The name of a file; "" where nothing is written."""

        def parse(node: Node) -> str | None:
            is_name = isinstance(node.value, str) and not node.value.startswith("@")
            return "" if node.value is None else node.text if is_name else None

        return cls(json_schema.describe(about, schema), parse, "the name of a file", "")

    @classmethod
    def sequence(
        cls, item: Schema, about: str = "", expected: str = "", bounds: tuple[int, ...] = (),
        *, required: bool = False,
    ) -> Key:  # fmt: skip
        """A list, as its nodes. `expected` replaces the example in the message."""
        schema = json_schema.describe(about, json_schema.allow_list(item, *bounds))
        parse = lambda node: node.list_nodes() if node.is_list else None  # noqa: E731
        return cls(schema, parse, expected or "a list, such as [a, b]", (), required=required)

    @classmethod
    def mapping(
        cls, schema: Schema = json_schema.OBJECT, about: str = "", example: str = "NAME: VALUE"
    ) -> Key:
        """A mapping, as its node."""
        return cls(
            json_schema.describe(about, schema), lambda node: node if node.is_mapping else None,
            f"a mapping, {example}",
        )  # fmt: skip

    def read(self, node: Node | None, name: str, report: Report) -> Any:
        """Return the value of the node called `name`. Report a wrong value; for that, and where
        there is no node, return the default."""
        if node is None or self.parse is None:
            return self.default if node is None else node
        value = self.parse(node)
        if value is not None:
            return value
        hint = did_you_mean(node.text, self.choices) if node.is_scalar else ""
        hint = hint if "did you mean" in hint else f"; expected {self.expected}"
        report(node.source, f"{name} is {node.describe()}{hint}", self.kind)
        return self.default


def report_to(problems: list[Problem]) -> Report:
    """Return a `Report` that appends to a list of problems."""
    return lambda source, message, kind: problems.append(Problem(source, message, kind))


def check_keys(
    node: Node,
    known: Collection[str],
    where: str,
    report: Report,
    hints: Mapping[str, str] | None = None,
) -> None:
    """Report each unknown key of the mapping called `where`, such as `a player`. `hints` are what
    to say, instead of the nearest key, of names that are common in other tools."""
    within = f" in {where}" if where else ""
    for key, nearest in node.find_unknown_keys(known):
        hint = (hints or {}).get(key.lower(), "")
        if not hint and not where and "did you mean" not in nearest:
            hint = f"{nearest}; declare it under fields: {{{key}: text}}"
        hint = hint or nearest
        report(node.keys[key], f"unknown field '{key}'{within}{hint}", "fields")


def read_keys(node: Node, table: Mapping[str, Key], where: str, report: Report) -> dict[str, Any]:
    """Return the value of every key in a table, defaults included. Report unknown keys of the
    mapping, which messages call `where`."""
    check_keys(node, table, where, report)
    return {name: key.read(node.get(name), name, report) for name, key in table.items()}


def build_schema(table: Mapping[str, Key]) -> Schema:
    """Return the JSON Schema of a mapping that has the keys of a table."""
    required = [name for name, key in table.items() if key.required]
    return json_schema.allow_mapping({name: key.schema for name, key in table.items()}, required)


def load_yaml(root: Path, path: str) -> tuple[Node | None, list[Problem]]:
    """Read a YAML file of a game. Return None where it cannot be read, and what is wrong."""
    text, error = game_files.read_text(root, path)
    if error:
        return None, [Problem(Source(path), f"the file {error}", "file")]
    return yaml_nodes.load(text, path)
