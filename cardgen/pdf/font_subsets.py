"""Fonts cut down to the glyphs that a file shows, which keep their numbers."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import uharfbuzz

from cardgen.runtime.content_store import read_entry

# What sets text; a PDF's text is set already. Of the rest, what only screens or systems ask for.
_DROPPED_TABLES = (
    "BASE", "DSIG", "EBDT", "EBLC", "EBSC", "GDEF", "GPOS", "GSUB", "JSTF", "LTSH", "PCLT",
    "STAT", "SVG ", "gasp", "kern",
)  # fmt: skip


@dataclass(frozen=True)
class FontSubset:
    """A font file with some of its glyphs: deflated, and its size before; the six letters that
    tell it from other subsets of the font (ISO 32000-1, 9.6.4)."""

    deflated: bytes
    size: int
    truetype: bool
    tag: str


@lru_cache(maxsize=64)
def subset_font(font: Path, glyphs: frozenset[int]) -> FontSubset:
    """The font with these glyphs alone, at their numbers; whole where it cannot be cut down.

    Glyphs that it lacks do not matter. Raises `store.Damaged`.
    """
    data = read_entry(font)
    cut = _cut_font(data, glyphs)
    return FontSubset(
        zlib.compress(cut), len(cut), cut[:4] != b"OTTO", _make_subset_tag(data, glyphs)
    )


def _cut_font(data: bytes, glyphs: frozenset[int]) -> bytes:
    asked = uharfbuzz.SubsetInput()
    asked.flags = (
        uharfbuzz.SubsetFlags.RETAIN_GIDS
        | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
        | uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
    )
    asked.glyph_set.update(glyphs)
    asked.drop_table_tag_set.update(_parse_tag_number(tag) for tag in _DROPPED_TABLES)
    try:
        return bytes(uharfbuzz.subset(uharfbuzz.Face(data), asked).blob.data)
    except RuntimeError:
        return data


def _parse_tag_number(tag: str) -> int:
    return int.from_bytes(tag.encode(), "big")


def _make_subset_tag(data: bytes, glyphs: frozenset[int]) -> str:
    """Six capitals that the font's bytes and the glyphs decide."""
    total = blake2b(data, digest_size=6)
    total.update(repr(sorted(glyphs)).encode())
    return "".join(chr(ord("A") + byte % 26) for byte in total.digest())
