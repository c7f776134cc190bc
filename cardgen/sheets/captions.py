"""Words that stand beside the pieces: slugs, titles, captions. What is to be set, and where kept.

A file's words are set once, like cards, and kept in the store by their hash; `caption_forms` sets
and places them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cardgen.assets.fontfiles import ICON_FAMILY, Cut, FontSet, glyphs
from cardgen.base.store import Store, digest_of

KIND = "lines"
_INVISIBLE = frozenset(" \u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
SLUG_GREY = 0.35
"""How pale the words are that nobody needs to read."""


@dataclass(frozen=True, order=True)
class Line:
    """Words on one line; `grey` is 0 for black to 1 for white."""

    text: str
    grey: float = 0.0


@dataclass(frozen=True)
class Lettering:
    """The lines of a file: `path` is the PDF that holds them, made when it is missing.

    In place of each character in `lost`, which no font has, a small box is printed.
    """

    path: Path
    language: str
    lines: tuple[Line, ...]
    cuts: tuple[Cut, ...]
    lost: str


def lettering(
    lines: Iterable[Line], language: str, fonts: FontSet, store: Store, engine: str
) -> Lettering:
    """Those lines, each once, under the hash of all that decides how they look."""
    listed = tuple(sorted({line for line in lines if line.text}))
    gone = lost((line.text for line in listed), fonts, store)
    cuts = [c for c in fonts.cuts if c.family != ICON_FAMILY]
    files = [f"{cut.family} {cut.weight} {cut.style} {cut.digest}" for cut in cuts]
    key = digest_of([engine, language, gone, *files, *map(repr, listed)])
    return Lettering(store.path(KIND, f"{key}.pdf"), language, listed, fonts.cuts, gone)


def lost(texts: Iterable[str], fonts: FontSet, store: Store) -> str:
    """The characters of the texts that no font has a glyph for, each once, in order."""
    found = {character for text in texts for character in text} - _INVISIBLE
    known = _glyphs(fonts.cuts, store.folder)
    return "".join(sorted(c for c in found if ord(c) not in known))


@lru_cache(maxsize=4)
def _glyphs(cuts: tuple[Cut, ...], folder: Path) -> frozenset[int]:
    return glyphs(FontSet(cuts, {}), Store(folder))
