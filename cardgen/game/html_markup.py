r"""HTML and `\n` in the cells of a table, converted into the markup of card texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from cardgen.core.yaml_nodes import Node

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


_ITALIC, _BOLD = _compile_pair("i|em"), _compile_pair("b|strong")


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
    text = _ITALIC.sub(_make_styler("*"), text)
    text = _BOLD.sub(_make_styler("**"), text)
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
