"""Trees of YAML files as PyYAML composes them, and their content."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from cardgen.core.yaml_nodes import parse_scalar
from cardgen.core.yaml_scalars import EditLoader, format_value

YamlPath = tuple[str | int, ...]
"""Keys and places in lists, from the top of a file down."""


@lru_cache(maxsize=2)
def compose_tree(text: str) -> Any:
    """Return the tree of a text. Those of the last edit are kept: the next one begins there."""
    return yaml.compose(text, Loader=EditLoader)


def convert_tree(tree: Any) -> Any:
    """Return the content of a tree, its scalars as written."""
    if isinstance(tree, yaml.MappingNode):
        return {key.value: convert_tree(child) for key, child in tree.value}
    if isinstance(tree, yaml.SequenceNode):
        return [convert_tree(child) for child in tree.value]
    return tree.value


def read_typed(tree: Any) -> Any:
    """Return the content of a tree as cardgen reads it, with its types."""
    if isinstance(tree, yaml.MappingNode):
        return {key.value: read_typed(child) for key, child in tree.value}
    if isinstance(tree, yaml.SequenceNode):
        return [read_typed(child) for child in tree.value]
    return _tag_type(tree.value if tree.style else parse_scalar(tree.value))


def type_value(value: Any) -> Any:
    """Return a value in the form of `_read_typed`."""
    if isinstance(value, Mapping):
        return {str(key): type_value(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [type_value(child) for child in value]
    return _tag_type(value)


def _tag_type(value: Any) -> tuple[type, Any]:
    """Return a value with its type, since true is 1 to Python."""
    return type(value), value


def format_plain(value: Any) -> Any:
    """Return a value in the form of `_convert_to_plain`."""
    if isinstance(value, Mapping):
        return {str(key): format_plain(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [format_plain(child) for child in value]
    return value if isinstance(value, str) else format_value(value)


def find_node(tree: Any, path: YamlPath) -> Any:
    """Return the node at a path. Raises LookupError."""
    for part in path:
        if isinstance(tree, yaml.MappingNode):
            tree = next((child for key, child in tree.value if key.value == part), None)
        elif isinstance(tree, yaml.SequenceNode) and isinstance(part, int):
            tree = tree.value[part]
        else:
            raise LookupError(part)
    if tree is None:
        raise LookupError(path)
    return tree
