"""Hyphenation patterns of the npm package `hyphen` for pyphen, which WeasyPrint hyphenates with.

Pyphen has no Finnish. The package stores patterns as a trie in JavaScript; it is read here as
data, never run: `[[levels …], {letter: {…}}]`, where a number is an index into the levels. A
pattern's levels stand between its letters, as in Liang's thesis (1983).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_BARE_KEY = re.compile(r'([{,]\s*)([^\s"{}\[\]:,]+)\s*:')
_TRAILING = re.compile(r",(\s*[}\]])")


def patterns(script: str) -> list[str]:
    """The patterns of a `hyphen` package file in TeX's notation, such as `1ba` or `a1e`."""
    body = script[script.index("})(this,") + len("})(this,") : script.rindex(")")]
    text = re.sub(r"'([^']*)'", r'"\1"', body)
    text = _TRAILING.sub(r"\1", _BARE_KEY.sub(r'\1"\2":', text))
    data = json.loads(text)
    levels, trie = data[0], data[1]
    return sorted(_walk(trie, "", levels))


def _walk(trie: Any, prefix: str, levels: list[list[int]]) -> Iterator[str]:
    for letter, child in trie.items():
        if letter == "_":
            yield _pattern(prefix, levels[child])
        elif isinstance(child, int):
            yield _pattern(prefix + letter, levels[child])
        else:
            yield from _walk(child, prefix + letter, levels)


def _pattern(letters: str, levels: list[int]) -> str:
    padded = levels + [0] * (len(letters) + 1 - len(levels))
    parts = [str(padded[0] or "")]
    for letter, level in zip(letters, padded[1:], strict=False):
        parts += [letter, str(level or "")]
    return "".join(parts)


def register(language: str, source: Path, folder: Path) -> None:
    """Teach pyphen a language. The dictionary file is written to `folder`."""
    import pyphen  # noqa: PLC0415 - only where text is set

    target = folder / f"hyph_{language}.dic"
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        lines = ["UTF-8", "LEFTHYPHENMIN 2", "RIGHTHYPHENMIN 2"]
        lines += patterns(source.read_text(encoding="utf-8"))
        folder.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    pyphen.LANGUAGES[language] = target
    pyphen.LANGUAGES_LOWERCASE[language.lower()] = language
