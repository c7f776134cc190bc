"""Fonts cut down to the glyphs that a file shows, which keep their numbers."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import uharfbuzz

from cardgen.base.store import read

# What sets text; a PDF's text is set already. Of the rest, what only screens or systems ask for.
_DROPPED = (
    "BASE", "DSIG", "EBDT", "EBLC", "EBSC", "GDEF", "GPOS", "GSUB", "JSTF", "LTSH", "PCLT",
    "STAT", "SVG ", "gasp", "kern",
)  # fmt: skip


@dataclass(frozen=True)
class Subset:
    """A font file with some of its glyphs: deflated, and its size before; the six letters that
    tell it from other subsets of the font (ISO 32000-1, 9.6.4)."""

    packed: bytes
    size: int
    truetype: bool
    tag: str


@lru_cache(maxsize=64)
def subset(font: Path, glyphs: frozenset[int]) -> Subset:
    """The font with these glyphs alone, at their numbers; whole where it cannot be cut down.

    Glyphs that it lacks do not matter. Raises `store.Damaged`.
    """
    data = read(font)
    cut = _cut(data, glyphs)
    return Subset(zlib.compress(cut), len(cut), cut[:4] != b"OTTO", _tag(data, glyphs))


def _cut(data: bytes, glyphs: frozenset[int]) -> bytes:
    asked = uharfbuzz.SubsetInput()
    asked.flags = (
        uharfbuzz.SubsetFlags.RETAIN_GIDS
        | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
        | uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
    )
    asked.glyph_set.update(glyphs)
    asked.drop_table_tag_set.update(_number(tag) for tag in _DROPPED)
    try:
        return bytes(uharfbuzz.subset(uharfbuzz.Face(data), asked).blob.data)
    except RuntimeError:
        return data


def _number(tag: str) -> int:
    return int.from_bytes(tag.encode(), "big")


def _tag(data: bytes, glyphs: frozenset[int]) -> str:
    """Six capitals that the font's bytes and the glyphs decide."""
    total = blake2b(data, digest_size=6)
    total.update(repr(sorted(glyphs)).encode())
    return "".join(chr(ord("A") + byte % 26) for byte in total.digest())
