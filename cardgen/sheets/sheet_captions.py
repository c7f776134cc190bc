"""Words that stand beside the pieces: slugs, titles, captions. What is to be set, and where kept.

A file's words are set once, like cards, and kept in the store by their hash; `caption_forms` sets
and places them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cardgen.assets.font_files import ICON_FAMILY, FontFile, FontSet, read_all_code_points
from cardgen.runtime.content_store import Store, digest_parts

CAPTION_STORE_KIND = "lines"
_INVISIBLE_CHARACTERS = frozenset(
    " \u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"
)
SLUG_GREY = 0.35
"""How pale the words are that nobody needs to read."""


@dataclass(frozen=True, order=True)
class CaptionLine:
    """Words on one line; `grey` is 0 for black to 1 for white."""

    text: str
    grey: float = 0.0


@dataclass(frozen=True)
class CaptionSet:
    """The lines of a file: `path` is the PDF that holds them, made when it is missing.

    In place of each character in `lost`, which no font has, a small box is printed.
    """

    path: Path
    language: str
    lines: tuple[CaptionLine, ...]
    cuts: tuple[FontFile, ...]
    missing_characters: str


def make_caption_set(
    lines: Iterable[CaptionLine], language: str, fonts: FontSet, store: Store, engine: str
) -> CaptionSet:
    """Those lines, each once, under the hash of all that decides how they look."""
    listed = tuple(sorted({line for line in lines if line.text}))
    gone = find_missing_characters((line.text for line in listed), fonts, store)
    cuts = [c for c in fonts.files if c.family != ICON_FAMILY]
    files = [f"{cut.family} {cut.weight} {cut.style} {cut.digest}" for cut in cuts]
    key = digest_parts([engine, language, gone, *files, *map(repr, listed)])
    return CaptionSet(
        store.get_path(CAPTION_STORE_KIND, f"{key}.pdf"), language, listed, fonts.files, gone
    )


def find_missing_characters(texts: Iterable[str], fonts: FontSet, store: Store) -> str:
    """The characters of the texts that no font has a glyph for, each once, in order."""
    found = {character for text in texts for character in text} - _INVISIBLE_CHARACTERS
    known = _list_glyphs(fonts.files, store.folder)
    return "".join(sorted(c for c in found if ord(c) not in known))


@lru_cache(maxsize=4)
def _list_glyphs(cuts: tuple[FontFile, ...], folder: Path) -> frozenset[int]:
    return read_all_code_points(FontSet(cuts, {}), Store(folder))
