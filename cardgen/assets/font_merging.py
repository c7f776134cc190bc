"""Merges the subsets of a font.

Used while the wheel is built, too: depends on fontTools alone, and on uharfbuzz for reproducible
bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any


def merge_fonts(files: Sequence[bytes]) -> bytes:
    """Return one TrueType font with the glyphs of all files.

    The bytes depend on the input only. Raises whatever fontTools raises for invalid fonts.
    """
    from fontTools.merge import Merger, Options  # noqa: PLC0415 - half a second, seldom needed
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    if len(files) == 1:
        font = TTFont(io.BytesIO(files[0]), recalcTimestamp=False)
        font.flavor = None
        return _save_font(font)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        merged = Merger(Options(drop_tables=["vhea", "vmtx", "DSIG"])).merge(
            [io.BytesIO(data) for data in files]
        )
    # The merger writes the current time.
    head = TTFont(io.BytesIO(files[0]), recalcTimestamp=False, lazy=True)["head"]
    merged["head"].created, merged["head"].modified = head.created, head.modified
    merged.recalcTimestamp = False
    return _save_font(merged)


def _save_font(font: Any) -> bytes:
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
