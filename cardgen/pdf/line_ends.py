"""Where a line ends: a text that fits but for the space after its last word is not broken.

WeasyPrint measures a text before an element, such as `You draw <i>two</i>.`, with the space at its
end. Where just that space has no room on the line, it takes the text for one word too long, and
breaks it behind its first word: `Every` stood alone, and the rest on the next line. Spaces at the
end of a line need no room (https://www.w3.org/TR/css-text-3/#white-space-phase-2); what follows
finds its break before itself.
"""

from __future__ import annotations

from math import inf
from typing import Any

from cardgen.pdf.library import weasyprint

_COLLAPSED = ("normal", "pre-line")
_inline = weasyprint.layout.inline
_first_line = _inline.split_first_line


def _split(
    text: str, style: Any, context: Any, max_width: float | None, *rest: Any, **more: Any
) -> Any:
    """The first line of a text, as `weasyprint.text.line_break.split_first_line` tells it: layout,
    bytes, where the next line begins (bytes; None: nowhere), width, height and baseline in px."""
    found = _first_line(text, style, context, max_width, *rest, **more)
    if found[2] is None or max_width is None or max_width == inf or text[-1:] != " ":
        return found
    if style["white_space"] in _COLLAPSED:
        bare = _first_line(text.rstrip(" "), style, context, max_width, *rest, **more)
        if bare[2] is None and bare[3] <= max_width:
            return _first_line(text, style, context, None, *rest, **more)
    return found


_inline.split_first_line = _split
