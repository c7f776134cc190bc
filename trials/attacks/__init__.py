"""Hostile games, as data: every YAML file here lists attacks of one kind.

A file maps shapes to attacks. A shape says what its attacks have in common: `files` laid over the
small game, the `command`, right exit `codes` and so on. An attack is the text of the shape's
parameter `text`, or a mapping of parameters and of whatever it has in place of the shape's. Short
ones stand in the table `variants`, others below `attacks`; `for` lists expressions whose values are
more attacks. `names` are shared by the attacks of a file.

Texts hold Python expressions in « », for what is too long or too odd to be written out. They see
the names, the attack's parameters and the functions of `trials.bombs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from trials import bombs
from trials.attack import Attack, Content

_EXPRESSION = re.compile("«([^»]*)»", re.DOTALL)
_FIELDS = frozenset(Attack.__dataclass_fields__) - {"name", "files"}
_RESERVED = _FIELDS | {"name", "files"}


class _Scope(dict[str, Any]):
    """Names that expressions see. A text is filled when it is first asked for."""

    def __init__(self, texts: Mapping[str, Any], outer: Mapping[str, Any]) -> None:
        super().__init__()
        self._texts, self._outer = texts, outer

    def __missing__(self, name: str) -> Any:
        if name not in self._texts:
            return self._outer[name]
        self[name] = _fill(self._texts[name], self)
        return self[name]


def _fill(value: Any, scope: _Scope) -> Any:
    """Return a value with its expressions evaluated. The key `<<` holds entries of a mapping."""
    if isinstance(value, Mapping):
        filled = {_fill(k, scope): _fill(each, scope) for k, each in value.items() if k != "<<"}
        return {**_fill(value["<<"], scope), **filled} if "<<" in value else filled
    if isinstance(value, list):
        return [_fill(each, scope) for each in value]
    if not isinstance(value, str):
        return value
    whole = _EXPRESSION.fullmatch(value)
    if whole:
        return eval(whole[1], scope)  # noqa: S307 - the expressions are ours
    return _EXPRESSION.sub(lambda match: str(eval(match[1], scope)), value)  # noqa: S307


def _list_files(given: Any, scope: _Scope) -> Iterator[tuple[str, Content]]:
    """Yield the files of a shape or an attack; texts are filled when they are written."""
    for path, text in (_fill(given, scope) if isinstance(given, str) else given).items():
        if path == "<<":
            yield from _fill(text, scope).items()
        else:
            yield _fill(path, scope), partial(_fill, text, scope)


def _make_attack(shape: Mapping[str, Any], name: str, entry: Any, names: _Scope) -> Attack:
    if not isinstance(entry, Mapping):
        entry = {shape.get("text", "text"): entry}
    merged = {**shape, **entry}
    parameters = {key: each for key, each in entry.items() if key not in _RESERVED}
    scope = _Scope({**shape.get("defaults", {}), **parameters, "name": name}, names)
    files: dict[str, Content] = {}
    for given in (shape.get("files", {}), entry.get("files", {})):
        files.update(_list_files(given, scope))
    rest = {key: _fill(merged[key], scope) for key in _FIELDS & merged.keys()}
    rest = {key: tuple(each) if isinstance(each, list) else each for key, each in rest.items()}
    return Attack(shape["name"].format(name), files, **rest)


def _read_attacks(path: Path) -> Iterator[Attack]:
    shapes = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    names = _Scope(shapes.pop("names", {}), vars(bombs))
    for shape in shapes.values():
        attacks = {**shape.get("variants", {}), **shape.get("attacks", {})}
        for more in shape.get("for", ()):
            attacks.update(_fill(more, names))
        for name, entry in attacks.items():
            yield _make_attack(shape, str(name), entry, names)


@cache
def all_attacks() -> list[Attack]:
    """Return every attack of every file here."""
    paths = sorted(Path(__file__).parent.glob("*.yaml"))
    found = [attack for path in paths for attack in _read_attacks(path)]
    names = [attack.name for attack in found]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"attacks of one name: {twice}"
    return found
