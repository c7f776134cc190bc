"""Mutations of font files: of their tables, and of their bytes within a table."""

from __future__ import annotations

import struct
from functools import lru_cache
from random import Random

from trials.bombs import changed, directory
from trials.fuzzing.mutations import of_bytes


@lru_cache(maxsize=16)
def plain(data: bytes) -> bytes:
    """The font as TrueType, without compression."""
    return changed(lambda _: None, data=data)


def assembled(parts: list[tuple[bytes, bytes]]) -> bytes:
    """A TrueType font of those tables."""
    start = 12 + 16 * len(parts)
    directory, body = b"", b""
    for tag, content in parts:
        directory += struct.pack(">4sIII", tag, 0, start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    return b"\0\1\0\0" + struct.pack(">HHHH", len(parts), 0, 0, 0) + directory + body


def of_font(data: bytes, rng: Random) -> bytes:
    """A font with tables dropped, swapped, cut short or with bytes of one changed."""
    if rng.random() < 0.1 or not data.startswith((b"wOF2", b"\0\1\0\0")):
        return of_bytes(data, rng)
    whole = plain(data)
    parts = [
        (tag.encode("latin-1"), whole[start : start + length])
        for tag, _, start, length in directory(whole)
    ]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        tag, content = parts[at]
        way = rng.randrange(8)
        if way == 0 and len(parts) > 1:
            del parts[at]
        elif way == 1:
            parts[at] = (tag, parts[other][1])
        elif way == 2:
            parts[at] = (tag, content[: rng.randint(0, len(content))])
        elif way == 3:
            parts[at] = (tag, content * rng.choice((2, 10)))
        else:
            parts[at] = (tag, _head_changed(content, rng))
    return assembled(parts)


def _head_changed(content: bytes, rng: Random) -> bytes:
    """Content with some of its bytes changed, mostly of its head, where counts and offsets are."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 2, 4, 16))):
        if not found:
            break
        reach = len(found) if rng.random() < 0.3 else min(len(found), 60)
        at = rng.randrange(reach)
        value = rng.choice((0, 1, 127, 128, 254, 255, rng.randrange(256)))
        width = rng.choice((1, 2, 4))
        found[at : at + width] = bytes([value]) * width
    return bytes(found[: len(content)])
