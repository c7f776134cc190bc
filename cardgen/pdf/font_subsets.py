"""Font subsets: fonts reduced to the glyphs that a file shows, which keep their numbers."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import uharfbuzz

from cardgen.runtime.content_store import read_entry

# Tables for shaping text, which is done, and tables that only screens or systems use.
_DROPPED_TABLES = (
    "BASE", "DSIG", "EBDT", "EBLC", "EBSC", "GDEF", "GPOS", "GSUB", "JSTF", "LTSH", "PCLT",
    "STAT", "SVG ", "gasp", "kern",
)  # fmt: skip


@dataclass(frozen=True)
class FontSubset:
    """A reduced font file, deflated, and its size before that."""

    deflated: bytes
    size: int
    truetype: bool


@lru_cache(maxsize=64)
def subset_font(font: Path, glyphs: frozenset[int]) -> FontSubset:
    """Return a font with only these glyphs, at their numbers; the whole font if that fails.

    Glyphs that the font lacks are ignored. Raises `DamagedEntryError`.
    """
    data = read_entry(font)
    cut = _cut_font(data, glyphs)
    return FontSubset(zlib.compress(cut), len(cut), cut[:4] != b"OTTO")


def _cut_font(data: bytes, glyphs: frozenset[int]) -> bytes:
    request = uharfbuzz.SubsetInput()
    request.flags = (
        uharfbuzz.SubsetFlags.RETAIN_GIDS
        | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
        | uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
    )
    request.glyph_set.update(glyphs)
    numbers = (int.from_bytes(tag.encode(), "big") for tag in _DROPPED_TABLES)
    request.drop_table_tag_set.update(numbers)
    try:
        return bytes(uharfbuzz.subset(uharfbuzz.Face(data), request).blob.data)
    except RuntimeError:
        return data


def get_subset_tag(font: Path, glyphs: frozenset[int]) -> str:
    """Return the six capitals that distinguish a subset from others (ISO 32000-1, 9.6.4), made from
    the font's bytes and the glyphs. Raises `DamagedEntryError`."""
    hasher = blake2b(read_entry(font), digest_size=6)
    hasher.update(repr(sorted(glyphs)).encode())
    return "".join(chr(ord("A") + byte % 26) for byte in hasher.digest())
