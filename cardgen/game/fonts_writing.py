"""Families written into fonts.yaml as a person would: at the list's end, all else as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.base import yamlnodes
from cardgen.game import builtin_fonts
from cardgen.game.fonts_file import FILE

_HEAD = "# The families that the templates use. The first is what text is set in.\n"
_LIST = re.compile(r"fonts:\s*(?:#.*)?\Z")
_DASH = re.compile(r"( *)- ")
_WITHIN = re.compile(r"[ -]")


@dataclass(frozen=True)
class Entry:
    """A family as fonts.yaml lists it. Without a package it is one that comes with cardgen."""

    family: str
    package: str = ""
    subsets: tuple[str, ...] = ()
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)

    def lines(self) -> list[str]:
        """It as YAML, without what goes without saying."""
        said = [f"- family: {self.family}"]
        if self.package:
            said.append(f'  package: "{self.package}"')
        if self.subsets and self.subsets != ("latin",):
            said.append(f"  subsets: [{', '.join(self.subsets)}]")
        if self.weights != (400,):
            said.append(f"  weights: [{', '.join(map(str, self.weights))}]")
        if self.styles != ("normal",):
            said.append(f"  styles: [{', '.join(self.styles)}]")
        return said


def new(entries: Iterable[Entry]) -> str:
    """A fonts.yaml for a game that had none: with what it was set in until now first."""
    builtin = [
        Entry(family.name, weights=family.weights, styles=family.styles)
        for family in builtin_fonts.FAMILIES
    ]
    lines = [line for entry in (*builtin, *entries) for line in entry.lines()]
    return _HEAD + "fonts:\n" + "".join(f"  {line}\n" for line in lines)


def appended(text: str, entries: Sequence[Entry]) -> str | None:
    """The text of fonts.yaml with more families; None where it is written in a way that a line
    cannot be added to, such as in brackets."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.removesuffix(end).split(end)
    start = next((number for number, line in enumerate(lines) if _LIST.match(line)), None)
    if start is None:
        return None
    last = start
    for number, line in enumerate(lines[start + 1 :], start + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            if not _WITHIN.match(line):
                break
            last = number
    dashes = (_DASH.match(line) for line in lines[start + 1 : last + 1])
    indent = next((match[1] for match in dashes if match), "  ")
    added = [indent + line for entry in entries for line in entry.lines()]
    made = end.join([*lines[: last + 1], *added, *lines[last + 1 :], ""])
    return made if _says(made, text, entries) else None


def _says(made: str, before: str, entries: Sequence[Entry]) -> bool:
    """Whether a text says what the one before did, and the new families."""
    nodes = [yamlnodes.load(text, FILE)[0] for text in (made, before)]
    now, was = (node.plain() if node is not None else None for node in nodes)
    if not isinstance(now, dict) or not isinstance(was, dict):
        return False
    names = [entry.family for entry in entries]
    kept, listed = was.get("fonts") or [], now.get("fonts")
    if not isinstance(listed, list) or listed[: -len(names)] != kept:
        return False
    added = [each.get("family") if isinstance(each, dict) else each for each in listed]
    return added[-len(names) :] == names and {**now, "fonts": kept} == {**was, "fonts": kept}
