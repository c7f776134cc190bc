"""A PDF that was composed before, from which faces are taken over instead of being composed anew.

A sealed record in the store says which face is where in the PDF, and has the hash of the PDF's
bytes. Another PDF in its place counts for nothing, and neither does a record that came with a game.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Dictionary

from cardgen.pdf.face_file import ComposedFile
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.content_store import Store

_MAX_FILE_BYTES = 200_000_000
_BFCHAR_PATTERN = re.compile(rb"<([0-9a-f]{4})> <([0-9a-f]*)>")


class FontUse(NamedTuple):
    """What a face shows of a font: `base` is the name of its own subset, `texts` are by glyph, as
    in a ToUnicode map. `descriptor` is the font descriptor, without what depends on the subset."""

    base: str
    descriptor: bytes
    glyphs: tuple[int, ...]
    texts: Mapping[int, bytes]


FontUses = dict[str, FontUse]
"""Fonts of a face by the names of the resources."""


class ComposedPdf:
    """A PDF that was composed before, and what its record says of it."""

    def __init__(self, pdf: Any, record: Mapping[str, Any]) -> None:
        self._pdf = pdf  # its objects live as long as it does
        self._pages = [page.obj for page in pdf.pages]
        self._faces, self._bases = record["faces"], record["bases"]
        self._glyphs = [(glyph, text and text.encode()) for glyph, text in record["glyphs"]]

    def find_face(self, digest: str) -> tuple[Any, FontUses] | None:
        """Return a face's form in this PDF and its fonts; None for a face that is not there."""
        if digest not in self._faces:
            return None
        page, name, uses = self._faces[digest]
        form = self._pages[page].Resources.XObject[name]
        return form, {resource: self._read_use(*use) for resource, use in uses.items()}

    def _read_use(self, number: int, glyph_numbers: list[int]) -> FontUse:
        base, descriptor = self._bases[number]
        used = [self._glyphs[each] for each in glyph_numbers]
        texts = {glyph: text for glyph, text in used if text is not None}
        return FontUse(base, descriptor.encode("latin-1"), tuple(glyph for glyph, _ in used), texts)


def read_font_use(font: Any) -> FontUse:
    """Return what a typeset face shows of a composite font."""
    child = font.DescendantFonts[0]
    descriptor = {
        name: value
        for name, value in child.FontDescriptor.items()
        if name != "/FontBBox" and not getattr(value, "is_indirect", False)
    }
    glyphs = tuple(_iterate_widths(child.W))
    # What comes before is the range of codes, which looks like a glyph with a text.
    entries = font.ToUnicode.read_bytes().partition(b"endcodespacerange")[2]
    texts = {int(glyph, 16): text for glyph, text in _BFCHAR_PATTERN.findall(entries)}
    shown = {glyph: texts[glyph] for glyph in glyphs if glyph in texts}
    unparsed = Dictionary(descriptor).unparse()
    return FontUse(str(font.BaseFont), unparsed, glyphs, shown)


def _iterate_widths(array: Any) -> Iterator[int]:
    """Yield the glyphs of a font's W array: `first [width …] first [width …]`."""
    items = list(array)
    for start, widths in zip(items[::2], items[1::2], strict=True):
        yield from range(int(start), int(start) + len(widths))


def open_composed(file: ComposedFile, basis: str) -> ComposedPdf | None:
    """Return the last PDF, if it is as it was composed, and for the same `basis`."""
    record = _get_store(file).read_json(Path(file.record))
    if not isinstance(record, dict) or record.get("basis") != basis:
        return None
    try:
        data = safe_files.read_plain_file(Path(file.folder), file.path, _MAX_FILE_BYTES)
    except game_files.UnreadableError:
        return None
    is_intact = hashlib.sha256(data).hexdigest() == record["pdf"]
    return ComposedPdf(pikepdf.open(io.BytesIO(data)), record) if is_intact else None


def write_record(
    file: ComposedFile, basis: str, data: bytes, faces: Mapping[str, tuple[int, str]],
    uses: Mapping[str, FontUses],
) -> None:  # fmt: skip
    """Write the record of a PDF. `faces` are pages, and names on them, by the digests of faces."""
    bases: dict[tuple[str, str], int] = {}
    glyphs: dict[tuple[int, str | None], int] = {}

    def encode_use(use: FontUse) -> tuple[int, list[int]]:
        pairs = ((glyph, use.texts.get(glyph)) for glyph in use.glyphs)
        keys = [(glyph, None if text is None else text.decode()) for glyph, text in pairs]
        number = bases.setdefault((use.base, use.descriptor.decode("latin-1")), len(bases))
        return number, [glyphs.setdefault(key, len(glyphs)) for key in keys]

    placed = {
        digest: (*place, {name: encode_use(use) for name, use in uses[digest].items()})
        for digest, place in faces.items()
        if digest in uses
    }
    record = {
        "basis": basis, "pdf": hashlib.sha256(data).hexdigest(), "faces": placed,
        "bases": [*bases], "glyphs": [*glyphs],
    }  # fmt: skip
    with suppress(OSError, safe_files.PathBlockedError):  # a machine of a cluster lacks the store
        _get_store(file).write_json(Path(file.record), record)


def _get_store(file: ComposedFile) -> Store:
    return Store(Path(file.record).parent.parent)
