r"""The markup of card texts: `{icon}`, **bold**, *italic*, and the backslash that escapes it.

Cells of tables may hold HTML and `\n` instead, which are converted into it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from cardgen.core.yaml_nodes import Node

INVISIBLE_CHARACTERS = frozenset(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff\n\t "
)
"""Characters that only affect others: no font needs a glyph for them."""
ICON_TOKEN = re.compile(r"\{([a-z][a-z0-9-]*)\}")
# Scripts that put no space between words, or hang endings on a word that is marked.
_UNSPACED_SCRIPTS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff"
    r"\uff00-\uffef\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_UNSPACED_SCRIPTS}]"
WITHIN_WORD_STARS = re.compile(
    rf"(?<={_LETTER})(?<!\*)\*(?={_LETTER})|(?<=[0-9])(?<!\*)\*\*(?=[0-9])"
)
"""Stars that mark nothing: `2*3*4`, `2**3`, and a star within a word of a script with spaces."""
_BOLD_ITALIC = re.compile(r"\*\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*\*", re.DOTALL)
_BOLD = re.compile(
    r"(?!(?<=[0-9])\*\*[0-9])\*\*(?=\S)(.+?)(?!(?<=[0-9])\*\*[0-9])(?<=\S)\*\*", re.DOTALL
)
_ITALIC = re.compile(
    rf"(?<!\*)(?:(?<!{_LETTER})\*|\*(?=[{_UNSPACED_SCRIPTS}]))(?!\s)"
    r"([^*\n]+?)(?<!\s)"
    rf"(?:\*(?!{_LETTER})|(?<=[{_UNSPACED_SCRIPTS}])\*)(?!\*)"
)
_ESCAPABLE = "{}*_<&\\~`[|#>-.=^:$]!+,;?%@/\"'"
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


# Cells may come from strangers: no pattern here looks at a place more than a few times.
_BREAK_TAG = re.compile(r" ?<br(?:\s[^<>]*)?/?> ?\n?", re.IGNORECASE)
_BREAK_ESCAPE = re.compile(r" ?(?<!\\)\\(?:r\\n|n|r) ?")
_BLOCK = re.compile(r"</?(?:p|div)(?:\s[^<>]*)?>", re.IGNORECASE)
_BLOCKS = re.compile(r"[ \n]{0,4}\0[\s\0]*")
_DRIVE = re.compile(r"(?<!\w)[A-Za-z]:\\")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_SIGNS = frozenset("{}*_<\\")


def _compile_pair(names: str) -> re.Pattern[str]:
    opening = rf"<({names})(?:\s[^<>]*)?>"
    return re.compile(rf"{opening}((?:(?!</?(?:{names})[\s>]).)*)</\1\s*>", re.DOTALL | re.I)


_ITALIC_TAGS, _BOLD_TAGS = _compile_pair("i|em"), _compile_pair("b|strong")
_CONTINUED_TAGS = re.compile(
    r"</(?:i|em)\s*>(\s*)<(?:i|em)(?:\s[^<>]*)?>|</(?:b|strong)\s*>(\s*)<(?:b|strong)(?:\s[^<>]*)?>",
    re.I,
)
_TOUCHING_TAGS = re.compile(r"(</(?:i|em|b|strong)\s*>)(?=<(?:i|em|b|strong)[\s>])", re.I)


def convert_html(text: str) -> str:
    """Return a text with bold, italic, line breaks and entities of HTML as markup of card texts.

    Tags that markup cannot express stay, so that they are reported as in any other text.
    """
    if "<" not in text and "&" not in text and "\\" not in text:
        return text
    text = _BREAK_TAG.sub("\n", text)
    if not _DRIVE.search(text):
        text = _BREAK_ESCAPE.sub("\n", text)
    text = _BLOCKS.sub("\n", _BLOCK.sub("\0", text.replace("\0", ""))).strip()
    text = _CONTINUED_TAGS.sub(r"\1\2", text)
    text = _TOUCHING_TAGS.sub("\\1\u200b", text)  # stars of two styles would be one run
    text = _ITALIC_TAGS.sub(_make_styler("*"), text)
    text = _BOLD_TAGS.sub(_make_styler("**"), text)
    return _ENTITY.sub(_convert_entity, text)


def convert_nodes(node: Node) -> Node:
    """Return a value of JSON with all its texts converted."""
    if isinstance(node.value, str):
        return Node(convert_html(node.value), node.source)
    if node.is_list:
        return Node([convert_nodes(child) for child in node.list_nodes()], node.source)
    if node.is_mapping:
        values = {key: convert_nodes(child) for key, child in node.items()}
        return Node(values, node.source, node.keys)
    return node


def _make_styler(stars: str) -> Callable[[re.Match[str]], str]:
    """Return what replaces a pair of tags: stars around each of its lines."""

    def style(match: re.Match[str]) -> str:
        around = match.string[match.start() - 1 : match.start()] + match.string[match.end() :][:1]
        if stars == "*" and any(map(str.isalnum, around)):
            return match[0]  # a star within a word is no italic
        return "\n".join(map(style_line, match[2].split("\n")))

    def style_line(line: str) -> str:
        words = line.strip()
        return line.replace(words, f"{stars}{words}{stars}", 1) if words else line

    return style


def _convert_entity(match: re.Match[str]) -> str:
    sign = unescape(match[0])
    if sign == match[0]:
        return sign
    follows = match.string[match.end() : match.end() + 1]
    is_markup = sign in _ESCAPED_SIGNS or (sign == "&" and (follows.isalpha() or follows == "#"))
    return f"\\{sign}" if is_markup else sign
