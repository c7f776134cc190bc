"""Font files ready for typesetting: merged subsets of families.

`@fontsource` packages split a family into latin, latin-ext, cyrillic and so on. Loaded together
under one family name they print wrong glyphs, so the subsets of each weight and style are merged
into one TrueType file. Files lie in the store under the hash of their sources.
"""

from __future__ import annotations

import io
import logging
import struct
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cardgen.core import work_limits
from cardgen.core.problems import Problem
from cardgen.game.fonts_file import BUILTIN_BY_NAME
from cardgen.game.model import Fonts
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store, digest_parts, read_entry
from cardgen.runtime.game_files import describe_file

_HEAD_BOX_OFFSET = 36
"""Of the bounding box in the table `head` (OpenType)."""


def merge_fonts(files: Sequence[bytes]) -> bytes:
    """Return one TrueType font with the glyphs of all files.

    The bytes depend on the input only. Raises whatever fontTools raises for invalid fonts.
    """
    from fontTools.merge import Merger, Options  # noqa: PLC0415 - half a second, seldom needed
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    files = [*map(_check_size, files)]
    if len(files) == 1:
        font = TTFont(io.BytesIO(files[0]), recalcTimestamp=False)
        font.flavor = None
        return _save_font(_add_no_break_hyphen(font))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        merged = Merger(Options(drop_tables=["vhea", "vmtx", "DSIG"])).merge(
            [io.BytesIO(data) for data in files]
        )
    # The merger writes the current time.
    head = TTFont(io.BytesIO(files[0]), recalcTimestamp=False, lazy=True)["head"]
    merged["head"].created, merged["head"].modified = head.created, head.modified
    merged.recalcTimestamp = False
    return _save_font(_add_no_break_hyphen(merged))


def _check_size(data: bytes) -> bytes:
    """Return a font whose tables are small enough once they are decompressed. Raises `ValueError`.

    The directories of WOFF and WOFF2 say how large they are; fontTools holds them to it.
    """
    from fontTools.ttLib import sfnt, woff2  # noqa: PLC0415

    count, size = int.from_bytes(data[12:14]), len(data)
    if data[:4] == b"wOFF":
        first = sfnt.woffDirectorySize + 12  # tag, offset, length, origLength, checksum
        places = range(first, first + 20 * count, 20)
        size = sum(int.from_bytes(data[place : place + 4]) for place in places)
    elif data[:4] == b"wOF2":
        directory = io.BytesIO(data[woff2.woff2DirectorySize :])
        for _ in range(count):
            entry = woff2.WOFF2DirectoryEntry()
            entry.fromFile(directory)
            size += max(entry.length, entry.origLength)
    if size > _MAX_FONT_BYTES:
        raise ValueError(f"its tables take more than {_MAX_FONT_BYTES // 1_000_000} MB")
    return data


def _add_no_break_hyphen(font: Any) -> Any:
    """Let the hyphen stand for U+2011, which many fonts lack; another family's would look odd."""
    if any(tag not in font for tag in _REQUIRED_TABLES):
        return font  # `_check_font` reports it
    codes = font.getBestCmap() or {}
    hyphen = codes.get(0x2010) or codes.get(0x2D)
    for table in font["cmap"].tables if hyphen and 0x2011 not in codes else ():
        if table.isUnicode():
            table.cmap[0x2011] = hyphen
    return font


def _save_font(font: Any) -> bytes:
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


# fontTools would print warnings about fonts it can read to the terminal.
logging.getLogger("fontTools").addHandler(logging.NullHandler())
logging.getLogger("fontTools").propagate = False

ICON_FAMILY = "cardgen icons"
_REQUIRED_TABLES = ("head", "hhea", "maxp", "hmtx", "cmap")
_OPTIONAL_TABLES = ("post", "name", "OS/2", "loca", "CFF ")
_FONT_SECONDS = 20.0
_MAX_FONT_BYTES = 64_000_000
"""More than any font of one weight, Chinese ones included; the work takes many times as much."""


@dataclass(frozen=True)
class FontFile:
    """A font file of one weight and style. `digest` is the hash of its sources."""

    family: str
    weight: int
    style: str
    path: Path
    digest: str
    offered: tuple[tuple[int, str], ...] = ()
    """Weights and styles that can be had, since their files lie beside its source."""


@dataclass(frozen=True)
class FontSet:
    """All font files of a game, its icon font included, and hyphenation dictionaries by
    language."""

    files: tuple[FontFile, ...]
    patterns: Mapping[str, Path]
    unusable: frozenset[str] = frozenset()
    """Files of coloured icons that cannot be printed."""
    multicoloured_icons: frozenset[str] = frozenset()
    """Names of icons that their drawings make coloured, not their folder."""

    @property
    def text_digest(self) -> str:
        """Hash of everything that affects text layout.

        Of the icons only their presence counts, since all are one em wide.
        """
        cuts = [
            f"{cut.family} {cut.weight} {cut.style} {cut.digest * (cut.family != ICON_FAMILY)}"
            for cut in self.files
        ]
        patterns = [f"{language} {path.name}" for language, path in sorted(self.patterns.items())]
        return digest_parts([*cuts, "", *patterns])

    @property
    def icon_digest(self) -> str:
        """Hash of the icons' drawings."""
        return digest_parts([cut.digest for cut in self.files if cut.family == ICON_FAMILY])


def read_font(path: Path, root: Path) -> bytes:
    """Return the bytes of a file found while loading the game. Raises `FileChangedError` if it
    is gone."""
    try:
        return game_files.read_file(path)
    except game_files.UnreadableError:
        name = path.relative_to(root) if path.is_relative_to(root) else path
        raise game_files.FileChangedError(name.as_posix()) from None


def prepare_text_fonts(
    fonts: Fonts, root: Path, store: Store
) -> tuple[list[FontFile], list[Problem]]:
    """Make the font files of the families that the store does not hold yet."""
    cuts, problems = [], []
    for family in fonts.families:
        offered = set(family.files).union(
            *(_list_offered_cuts(path) for files in family.files.values() for path in files[:1])
        )
        for (weight, style), files in sorted(family.files.items()):
            data = [read_font(path, root) for path in files]
            digest = digest_parts(["merged 2", *data])
            path = store.get_path("fonts", f"{digest}.ttf")
            if not store.has_entry(path):
                names = ", ".join(file.name for file in files)
                try:
                    with work_limits.work_limit(
                        f"fonts: {names}", _FONT_SECONDS, expected=(Exception,)
                    ):
                        store.write(path, _check_font(merge_fonts(data)))
                except Exception as error:
                    reason = str(error).partition("\n")[0] or type(error).__name__
                    kinds = [
                        kind for kind in map(describe_file, data) if kind and "font" not in kind
                    ]
                    reason = f"it is {kinds[0]}" if kinds else reason
                    message = f"{names} cannot be read as fonts: {reason}"
                    problems.append(Problem(family.source, message, "font"))
                    continue
            cuts.append(FontFile(family.name, weight, style, path, digest, tuple(sorted(offered))))
    return cuts, problems


def _list_offered_cuts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the weights and styles of the font files with the name of this one in its folder."""
    stem = path.stem.rsplit("-", 2)[0]
    for name in game_files.list_files(path.parent.parent, path.parent.name, path.suffix):
        start, *cut = Path(name).stem.rsplit("-", 2)
        if start == stem and len(cut) == 2 and cut[0].isdecimal():
            yield int(cut[0]), cut[1]


def _check_font(data: bytes) -> bytes:
    """Return the font if text can be set with it. Raises `ValueError`.

    No later stage checks that the tables exist and are consistent.
    """
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(io.BytesIO(data), lazy=True) as font:
        for tag in _REQUIRED_TABLES:
            if tag not in font:
                raise ValueError(f"it has no table '{tag}'")
        try:
            for tag in (*_REQUIRED_TABLES, *filter(font.__contains__, _OPTIONAL_TABLES)):
                _ = font[tag]  # raises if it cannot be decompiled
            defect = _find_defect(font)
        except Exception as error:
            raise ValueError(f"its tables do not fit together ({error})") from None
    if defect:
        raise ValueError(defect)
    return data


def _find_defect(font: Any) -> str:
    """Return what is wrong with a font that has its tables, or ""."""
    # Keep the order, so that the same defect is reported every time.
    letters = dict.fromkeys((font.getBestCmap() or {}).values())
    widths = font["hmtx"].metrics
    if not letters:
        return "it has no characters"
    if not 16 <= font["head"].unitsPerEm <= 16384 or not letters.keys() <= widths.keys():
        return "its tables do not fit together"
    if not any(widths[name][0] for name in letters):
        return "all its letters are without width"
    if "glyf" in font:
        outlines = font["glyf"]
        has_outlines = any(outlines[name].numberOfContours for name in letters)
    else:
        has_outlines = "CFF " in font or "CFF2" in font
    if has_outlines:
        return ""
    if any(tag in font for tag in ("COLR", "CBDT", "sbix", "SVG ")):
        return "its characters are pictures in colours; Noto Emoji has them as outlines"
    return "it draws no letters"


@lru_cache(maxsize=64)
def read_code_points(path: Path) -> frozenset[int]:
    """Return the code points a font file has a glyph for."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(io.BytesIO(read_entry(path)), lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


@lru_cache(maxsize=8)
def read_builtin_code_points(family: str) -> frozenset[int]:
    """Return the code points of a family that comes with cardgen; none if it is not installed."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    path = BUILTIN_BY_NAME[family].find_file(400, "normal")
    if path is None:
        return frozenset()
    with TTFont(io.BytesIO(game_files.read_file(path)), lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


def read_all_code_points(fonts: FontSet, store: Store) -> frozenset[int]:
    """Return the code points any of the fonts has a glyph for, from the store if possible."""
    found: set[int] = set()
    for digest, path in {cut.digest: cut.path for cut in fonts.files}.items():
        known = store.get_path("fonts", f"{digest}.json")
        listed = store.read_json(known)
        if not isinstance(listed, list) or not all(isinstance(code, int) for code in listed):
            listed = sorted(read_code_points(path))
            store.write_json(known, listed)
        found.update(listed)
    return frozenset(found)


@dataclass(frozen=True)
class FontMetrics:
    """Advance widths by glyph and the bounding box of a font file, in 1/1000 em."""

    advances: tuple[float, ...]
    box: tuple[int, int, int, int]


@lru_cache(maxsize=64)
def read_metrics(path: Path) -> FontMetrics:
    """Return the metrics of a font file."""
    import uharfbuzz  # noqa: PLC0415 - only where PDFs are composed

    face = uharfbuzz.Face(read_entry(path))
    font, scale = uharfbuzz.Font(face), 1000 / face.upem
    advances = (font.get_glyph_h_advance(glyph) for glyph in range(face.glyph_count))
    box = struct.unpack_from(">4h", face.reference_table("head").data, _HEAD_BOX_OFFSET)
    left, foot, right, top = (round(edge * scale) for edge in box)
    return FontMetrics(tuple(round(each * scale, 1) for each in advances), (left, foot, right, top))


@lru_cache(maxsize=64)
def measure_mean_width(path: Path, text: str) -> float:
    """Return the mean advance width of a text's characters in em; 0 if one has no glyph."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(io.BytesIO(read_entry(path)), lazy=True) as font:
        names = font.getBestCmap() or {}
        if not text or not {ord(letter) for letter in text} <= names.keys():
            return 0.0
        widths = font["hmtx"].metrics
        total = sum(widths[names[ord(letter)]][0] for letter in text)
        return float(total / len(text) / font["head"].unitsPerEm)


@lru_cache(maxsize=8)
def read_icon_names(path: Path) -> dict[int, str]:
    """Return the icon name of each glyph number of the icon font."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(io.BytesIO(read_entry(path)), lazy=True) as font:
        named = set((font.getBestCmap() or {}).values())
        return {n: name for n, name in enumerate(font.getGlyphOrder()) if name in named}
