"""Where a run of letters ends: what moves the pen after its last sign is written by itself.

A sign that hangs over the letter before it, such as a vowel of Devanagari or Arabic, is shown to
the left of the pen, and the pen put back by a number after it. PDFium, which draws our pictures
and the pages of Chrome, passes over a number at the very end of what `TJ` shows: the next run, a
comma of another font, would be printed on the letter. A `TJ` of numbers alone it heeds.
"""

from __future__ import annotations

import re
from typing import Any

from cardgen.pdf.library import weasyprint

_AT_END = re.compile(r">(-?[0-9.]+)$")

_show_text = weasyprint.pdf.stream.Stream.show_text


def _show(stream: Any, text: str) -> None:
    """Show the signs of `text`, a list of glyphs and of thousandths of an em between them."""
    end = _AT_END.search(text)
    if end is None or not float(end[1]):
        _show_text(stream, text)
        return
    _show_text(stream, text[: end.start(1)])
    _show_text(stream, end[1])


weasyprint.pdf.stream.Stream.show_text = _show
