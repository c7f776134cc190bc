"""The markup of card texts: `{icon}`, **bold**, *italic*, and the backslash that escapes it."""

from __future__ import annotations

import re
from collections.abc import Callable

INVISIBLE_CHARACTERS = frozenset(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff\n\t "
)
"""Characters that only affect others: no font needs a glyph for them."""
ICON_TOKEN = re.compile(r"\{([a-z][a-z0-9-]*)\}")
_BOLD_ITALIC = re.compile(r"\*\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*\*", re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
# Scripts that put no space between words, or hang endings on a word that is marked.
_UNSPACED_SCRIPTS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff"
    r"\uff00-\uffef\U00020000-\U0003ffff"
)
_ITALIC = re.compile(
    rf"(?<!\*)(?:(?<![^\W{_UNSPACED_SCRIPTS}])\*|\*(?=[{_UNSPACED_SCRIPTS}]))(?!\s)"
    r"([^*\n]+?)(?<!\s)"
    rf"(?:\*(?![^\W{_UNSPACED_SCRIPTS}])|(?<=[{_UNSPACED_SCRIPTS}])\*)(?!\*)"
)
"""A star within a word is not italic, as in `2*3*4`, except in scripts without spaces."""
_ESCAPABLE = "{}*_<&\\~`[|#>-.=^:$"
_ESCAPED = re.compile(rf"\\([{re.escape(_ESCAPABLE)}])")
# Unicode keeps these characters free for programs: in no text do they mean anything.
_PROTECTED_BY_SIGN = {sign: chr(0xFDD0 + place) for place, sign in enumerate(_ESCAPABLE)}
PROTECTED = {held: sign for sign, held in _PROTECTED_BY_SIGN.items()}
"""Stand-ins of escaped characters → the characters."""
_UNPROTECT = str.maketrans(PROTECTED)


def protect_escapes(text: str) -> str:
    """Return the text with a stand-in from `PROTECTED` for every escaped character."""
    return _ESCAPED.sub(lambda match: _PROTECTED_BY_SIGN[match[1]], text) if "\\" in text else text


def restore_escapes(text: str) -> str:
    """Return a protected text with the characters themselves."""
    return text.translate(_UNPROTECT)


def replace_styles(text: str, bold: str = r"<b>\1</b>", italic: str = r"<i>\1</i>") -> str:
    """Return a protected text with its bold and italic replaced by these patterns."""
    if "*" not in text:
        return text
    both = bold.replace(r"\1", italic)
    return _ITALIC.sub(italic, _BOLD.sub(bold, _BOLD_ITALIC.sub(both, text)))


def strip_signs(text: str, icon: Callable[[str], str]) -> str:
    """Return the text without markup; `icon` returns the word for an icon's name."""
    bare = replace_styles(protect_escapes(text), r"\1", r"\1")
    return restore_escapes(ICON_TOKEN.sub(lambda match: icon(match[1]), bare))


def strip_markup(text: str) -> str:
    """Return the text without markup, for titles and lists; an icon becomes its name."""
    return strip_signs(text.replace("\u00ad", ""), lambda name: name)
