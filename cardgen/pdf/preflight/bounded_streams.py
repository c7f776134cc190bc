"""Streams of a PDF, decompressed within limits: a few kB may stand for gigabytes."""

from __future__ import annotations

import zlib
from typing import Any

import pikepdf
from pikepdf import Array, Name

MAX_STREAM_BYTES = 64_000_000
"""Of one page's content, or of one form's, unpacked."""
MAX_PICTURE_BYTES = 400_000_000
"""Of one picture."""
_FLATE_FILTERS = frozenset({"/FlateDecode", "/Fl"})
_MAX_FLATE_RATIO = 1040
"""No more times than this does deflate pack anything."""
_OTHER_FILTER_RATIO = 64


class StreamTooLargeError(Exception):
    """A stream that is too large to decompress; the text continues its name."""


def list_filters(stream: Any) -> list[str]:
    """Return the filters of a stream, outermost first."""
    found = stream.get("/Filter")
    if found is None:
        return []
    return [str(each) for each in found] if isinstance(found, Array) else [str(found)]


def check_stream_size(stream: Any, most: int = MAX_STREAM_BYTES) -> None:
    """Raise `StreamTooLargeError` for a stream that decompresses to more than `most` bytes."""
    raw = stream.read_raw_bytes()
    packed = [name for name in list_filters(stream) if name not in {"/DCTDecode", "/JPXDecode"}]
    length = f"unpacks to more than {most // 1_000_000} MB"
    if len(raw) > most:
        raise StreamTooLargeError(length)
    if not packed or len(raw) * _MAX_FLATE_RATIO ** len(packed) <= most:
        return
    for name in packed:
        if name not in _FLATE_FILTERS:
            if len(raw) * _OTHER_FILTER_RATIO > most:
                raise StreamTooLargeError(length)
            return
        raw = _inflate(raw, most)
        if len(raw) > most:
            raise StreamTooLargeError(length)


def read_stream(stream: Any, most: int = MAX_STREAM_BYTES) -> bytes:
    """Return the content of a stream.

    Raises `StreamTooLargeError`, and errors of pikepdf for a broken stream.
    """
    check_stream_size(stream, most)
    return bytes(stream.read_bytes())


def _inflate(raw: bytes, most: int) -> bytes:
    """Return at most one byte more than allowed; broken data ends where it breaks."""
    try:
        return zlib.decompressobj().decompress(raw, most + 1)
    except zlib.error:
        return b""


def parse_operators(page_or_form: Any, most: int) -> list[tuple[list[Any], str]]:
    """Return the operators of a page or form, at most so many.

    Raises `StreamTooLargeError` and errors of pikepdf.
    """
    for stream in _list_streams(page_or_form):
        check_stream_size(stream)
    found: list[tuple[list[Any], str]] = []
    for each in pikepdf.parse_content_stream(page_or_form):
        if len(found) >= most:
            raise StreamTooLargeError(f"has more than {most:,} operators")
        if isinstance(each, pikepdf.ContentStreamInlineImage):
            found.append(([each.iimage], "BI"))
        else:
            found.append((list(each.operands), str(each.operator)))
    return found


def _list_streams(page_or_form: Any) -> list[Any]:
    contents = (
        page_or_form.get("/Contents") if page_or_form.get("/Type") == Name.Page else page_or_form
    )
    if contents is None:
        return []
    streams = list(contents) if isinstance(contents, Array) else [contents]
    if len(streams) > 10_000:
        raise StreamTooLargeError("has its content in more than 10,000 pieces")
    return [stream for stream in streams if isinstance(stream, pikepdf.Stream)]
