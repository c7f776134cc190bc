"""Streams of a PDF unpacked within bounds: a few kB may stand for gigabytes."""

from __future__ import annotations

import zlib
from typing import Any

import pikepdf
from pikepdf import Array, Name

MOST_BYTES = 64_000_000
"""Of one page's content, or of one form's, unpacked."""
MOST_PICTURE = 400_000_000
"""Of one picture."""
_FLATE = frozenset({"/FlateDecode", "/Fl"})
_MOST_PACKED = 1040
"""No more times than this does deflate pack anything."""
_OTHERS = 64


class TooMuch(Exception):  # noqa: N818 - it reads as what it says
    """More than is unpacked. The text goes on after the thing's name."""


def filters(stream: Any) -> list[str]:
    """By what it is packed, outermost first."""
    found = stream.get("/Filter")
    if found is None:
        return []
    return [str(each) for each in found] if isinstance(found, Array) else [str(found)]


def hold(stream: Any, most: int = MOST_BYTES) -> None:
    """Raise `TooMuch` when a stream unpacks to more than so many bytes."""
    raw = stream.read_raw_bytes()
    packed = [name for name in filters(stream) if name not in {"/DCTDecode", "/JPXDecode"}]
    said = f"unpacks to more than {most // 1_000_000} MB"
    if len(raw) > most:
        raise TooMuch(said)
    if not packed or len(raw) * _MOST_PACKED ** len(packed) <= most:
        return
    for name in packed:
        if name not in _FLATE:
            if len(raw) * _OTHERS > most:
                raise TooMuch(said)
            return
        raw = _inflated(raw, most)
        if len(raw) > most:
            raise TooMuch(said)


def content(stream: Any, most: int = MOST_BYTES) -> bytes:
    """What a stream holds. Raises `TooMuch`, and pikepdf's errors for one that is broken."""
    hold(stream, most)
    return bytes(stream.read_bytes())


def _inflated(raw: bytes, most: int) -> bytes:
    """At most one byte more than is allowed; what is broken ends where it breaks."""
    try:
        return zlib.decompressobj().decompress(raw, most + 1)
    except zlib.error:
        return b""


def parsed(held: Any, most: int) -> list[tuple[list[Any], str]]:
    """The operators of a page or form, at most so many. Raises `TooMuch` and pikepdf's errors."""
    for stream in _streams(held):
        hold(stream)
    found: list[tuple[list[Any], str]] = []
    for each in pikepdf.parse_content_stream(held):
        if len(found) >= most:
            raise TooMuch(f"has more than {most:,} operators")
        if isinstance(each, pikepdf.ContentStreamInlineImage):
            found.append(([each.iimage], "BI"))
        else:
            found.append((list(each.operands), str(each.operator)))
    return found


def _streams(held: Any) -> list[Any]:
    contents = held.get("/Contents") if held.get("/Type") == Name.Page else held
    if contents is None:
        return []
    streams = list(contents) if isinstance(contents, Array) else [contents]
    if len(streams) > 10_000:
        raise TooMuch("has its content in more than 10,000 pieces")
    return [stream for stream in streams if isinstance(stream, pikepdf.Stream)]
