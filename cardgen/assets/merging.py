"""Subsets of a font made one. It needs fontTools alone, where a wheel of cardgen is built, too."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence


def merged(files: Sequence[bytes]) -> bytes:
    """One plain font with the glyphs of all, whose bytes hang on theirs alone. Raises whatever
    fontTools does over what is no font."""
    from fontTools.merge import Merger, Options  # noqa: PLC0415 - half a second, seldom needed
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    def plain(data: bytes) -> io.BytesIO:
        font = TTFont(io.BytesIO(data), recalcTimestamp=False)
        font.flavor = None
        out = io.BytesIO()
        font.save(out)
        out.seek(0)
        return out

    if len(files) == 1:
        return plain(files[0]).getvalue()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = Merger(Options(drop_tables=["vhea", "vmtx", "DSIG"])).merge(
            [plain(data) for data in files]
        )
    # The merger writes what time it is.
    head = TTFont(plain(files[0]), recalcTimestamp=False)["head"]
    made["head"].created, made["head"].modified = head.created, head.modified
    made.recalcTimestamp = False
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
