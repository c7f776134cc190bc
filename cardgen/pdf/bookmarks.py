"""The bookmarks of a PDF and where they lead (ISO 32000-1, 12.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Array, Name


def each(document: pikepdf.Pdf) -> Iterator[Any]:
    """Every bookmark, each once, and first what holds them all; also where they lead in circles."""
    waiting, seen = [document.Root.get("/Outlines")], set()
    while waiting:
        item = waiting.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        waiting += [item.get("/First"), item.get("/Next")]
        yield item


def shift(document: pikepdf.Pdf, off: float) -> None:
    """Have bookmarks lead to where what they name is now, `off` points further right and up."""
    for item in each(document):
        place = item.get("/Dest")
        if isinstance(place, Array) and len(place) == 5 and place[1] == Name.XYZ:
            x, y = (round(float(value) + off, 4) for value in (place[2], place[3]))
            item.Dest = Array([place[0], Name.XYZ, x, y, place[4]])
