"""Font files that lie in fonts/ under any name: their families, as the files themselves say."""

from __future__ import annotations

import io
from collections.abc import Collection
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.runtime import game_files

FONT_SUFFIXES = (".ttf", ".otf", ".woff2")
_FAMILY_IDS = (16, 1)
"""Typographic family and family of the table `name` (OpenType 1.9)."""
_ITALIC_BIT = 1
_READ_SECONDS = 10.0
LooseFonts = dict[str, dict[tuple[int, str], tuple[Path, ...]]]


def find_loose_fonts(root: Path, claimed: Collection[str]) -> tuple[LooseFonts, list[Problem]]:
    """Return the files in fonts/ by family, weight and style, but for those that are `claimed`.

    Files that are no fonts, and further ones of the same kind, are reported and left out.
    """
    found: LooseFonts = {}
    problems = []
    for name in game_files.list_files(root, "fonts", *FONT_SUFFIXES, deep=False):
        if name in claimed:
            continue
        try:
            path = game_files.find_file(root, name)
            data = game_files.read_file(path)
            with work_limits.work_limit(name, _READ_SECONDS, expected=(Exception,)):
                family, weight, style = _read_names(data)
        except Exception:  # fontTools raises whatever it likes
            message = "the file cannot be read as a font"
            problems.append(Problem(Source(name), message, "font", severity="warning"))
            continue
        (first,) = found.setdefault(family, {}).setdefault((weight, style), (path,))
        if first != path:
            message = f"the font is {family} {weight} {style}, as {first.name} is, which is used"
            problems.append(Problem(Source(name), message, "font", severity="warning"))
    return found, problems


def _read_names(data: bytes) -> tuple[str, int, str]:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - half a second, few games have such files

    with TTFont(io.BytesIO(data), lazy=True) as font:
        names = (font["name"].getDebugName(number) for number in _FAMILY_IDS)
        family = next(filter(None, names))
        table = font["OS/2"]
        style = "italic" if table.fsSelection & _ITALIC_BIT else "normal"
        return str(family), int(table.usWeightClass), style
