"""Markdown of rulebooks: CommonMark with tables, footnotes, definition lists and attributes.

The parsers are markdown-it-py's, with two changes: a heading needs no space after its signs
(`####(I) Shoot:`), and it may end with attributes (`## Setting up {#setup .page}`).
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.attrs.parse import ParseError
from mdit_py_plugins.attrs.parse import parse as parse_attributes
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from cardgen.game.markup import ICON_TOKEN, WITHIN_WORD_STARS

BOX_CONTAINER = "box"
_ALLOWED_ATTRIBUTE_NAMES = ("id", "class", "width", "height", "term")
_HEADING_ATTRIBUTE_NAMES = ("id", "class", "picture")
HEADING_CLASSES = ("opener", "page", "running", "unnumbered")
_HEADING_PATTERN = re.compile(r"(#{2,6})(?=[^#\s])(.*)")
_UNQUOTED_PICTURE_PATTERN = re.compile(r"(\bpicture=)([^\s\"'}]+)")
_NOTE_PATTERN = re.compile(r"\[!([A-Za-z]+)\][+-]?[ \t]*(?:([^\n]*\S)[ \t]*(?=\n|\Z))?\n?")
_PICTURE_WITH_SIZE = re.compile(
    r"(`{1,4})[^`]+\1|(?P<picture>!\[(?P<alt>[^\[\]|]*)(?P<alt_size>\|[0-9x]+)?\]"
    r"\((?P<address>[^\s()]+)(?P<title> +\"[^\"]*\")?(?P<size> +=[0-9%]*x?[0-9%]*)?\)"
    r"(?:\{:?(?P<attributes>[^{}=]*=[^{}]*)\})?)"
)
_WIDTH_PATTERN = re.compile(r"\b(width|height) *= *[\"']?([0-9.,]+(?: *[a-z%]+)?[^\s\"'}]*)[\"']?")
_TASK_PATTERN = re.compile(r"\[([ xX])\] +(?=\S)")
_ATTRIBUTES_PATTERN = re.compile(r"\s*(\{[^{}]*[#.=][^{}]*\})\s*\Z")


def make_parser() -> MarkdownIt:
    """Return a parser of the whole dialect."""
    md = MarkdownIt("commonmark", {"html": True, "maxNesting": 40})
    md.enable(["table", "strikethrough"])
    md.inline.ruler.at("emphasis", _parse_emphasis)
    footnote_plugin(md)
    deflist_plugin(md)
    attrs_plugin(md, spans=True, allowed=_ALLOWED_ATTRIBUTE_NAMES)
    attrs_block_plugin(md, allowed=_ALLOWED_ATTRIBUTE_NAMES)
    md.block.ruler.at("attr", _parse_block_attributes)
    container_plugin(md, BOX_CONTAINER, validate=lambda params, *_: bool(params.strip()))
    md.core.ruler.at("text_join", _join_texts)
    md.core.ruler.after("block", "notes_of_forges", _parse_notes)
    md.core.ruler.after("block", "sizes_of_pictures", _parse_picture_sizes)
    md.core.ruler.after("text_join", "task_lists", _parse_tasks)
    md.block.ruler.after(
        "heading",
        "heading_without_space",
        _parse_heading,
        {"alt": ["paragraph", "blockquote", "list"]},
    )
    return md


def _parse_emphasis(state: StateInline, silent: bool) -> bool:
    """Parse emphasis as CommonMark does, but let a star within a word be a star, as on cards."""
    match = WITHIN_WORD_STARS.match(state.src, state.pos)
    if silent or not match or match.end() > state.posMax:
        return emphasis.tokenize(state, silent)
    state.pending += match[0]
    state.pos = match.end()
    return True


def _parse_notes(state: StateCore) -> None:
    """Make boxes of the notes of GitHub and other forges: quotations that begin with `[!NOTE]`."""
    tokens = state.tokens
    ends: list[tuple[Token, str]] = []
    for index, token in enumerate(tokens):
        if token.type == "blockquote_open":
            inline = tokens[index + 2] if len(tokens) > index + 2 else token
            match = _NOTE_PATTERN.match(inline.content) if inline.type == "inline" else None
            ends.append((token, ""))
            if match and inline.map:
                title = f" {match[2]}" if match[2] else ""
                token.type, token.info = f"container_{BOX_CONTAINER}_open", match[1] + title
                ends[-1] = token, f"container_{BOX_CONTAINER}_close"
                inline.content = inline.content[match.end() :]
                inline.map = [inline.map[0] + match[0].count("\n"), inline.map[1]]
        elif token.type == "blockquote_close" and ends:
            opening, kind = ends.pop()
            token.type, token.info = kind or token.type, opening.info


def _parse_picture_sizes(state: StateCore) -> None:
    """Make attributes of the ways in which other tools write the size of a picture.

    They are `{width=50%}`, `{: width="200" }`, `![Map|250](…)` and `![Map](map.png =200x150)`. A
    size that is not understood is reported where the picture is rendered.
    """
    for token in state.tokens:
        if token.type == "inline" and "![" in token.content:
            token.content = _PICTURE_WITH_SIZE.sub(_format_picture, token.content)


def _format_picture(match: re.Match[str]) -> str:
    if match["picture"] is None:
        return match[0]  # code
    size = match["alt_size"] or match["size"]
    words = f"![{match['alt']}]({match['address']}{match['title'] or ''})"
    attributes = _WIDTH_PATTERN.sub(r'\1="\2"', match["attributes"] or "")
    if size:
        attributes = f'{attributes} width="{size}"'
    return f"{words}{{{attributes}}}" if attributes else match[0]


def _parse_tasks(state: StateCore) -> None:
    """Make boxes to tick of `[ ]` and `[x]` at the beginning of a list's items."""
    for item, paragraph, inline in zip(
        state.tokens, state.tokens[1:], state.tokens[2:], strict=False
    ):
        if (item.type, paragraph.type) != ("list_item_open", "paragraph_open"):
            continue
        children = inline.children or []
        match = _TASK_PATTERN.match(children[0].content) if children else None
        if match and children[0].type == "text":
            children[0].content = children[0].content[match.end() :]
            item.attrSet("class", "task-item")
            children.insert(0, Token("task_box", "", 0, content=match[1].strip()))


def _join_texts(state: StateCore) -> None:
    r"""Join texts as markdown-it does, but keep escaped signs (`\{`, `&#42;`) separate.

    Joined, they would be taken for markup of icons, or of other tools.
    """
    lists = [token.children for token in state.tokens if token.children]
    while lists:
        children = lists.pop()
        lists += [token.children for token in children if token.children]
        joined: list[Token] = []
        alone = True
        for token in children:
            sign = token.type == "text_special" and token.content != token.markup
            token.meta["sign"] = sign
            token.type = "text" if token.type == "text_special" else token.type
            if token.type == "text" and not (sign or alone):
                joined[-1].content += token.content
            else:
                joined.append(token)
            alone = sign or token.type != "text"
        children[:] = joined


def _parse_block_attributes(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Parse a line that is nothing but attributes; the plugin drops what stands behind them."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].rstrip()
    if not line.startswith("{") or state.is_code_block(start):
        return False
    try:
        last, attributes = parse_attributes(line)
    except ParseError:
        return False
    if last < len(line) - 1 or not attributes:
        return False
    if not silent:
        token = state.push("attrs_block", "", 0)
        token.attrs, token.map = dict(attributes), [start, start + 1]
        state.line = start + 1
    return True


def _parse_heading(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _HEADING_PATTERN.match(line)
    if not match:
        return False
    if silent:
        return True
    state.line = start + 1
    tag = f"h{len(match[1])}"
    inline_at = [start, state.line]
    for token in (
        state.push("heading_open", tag, 1),
        state.push("inline", "", 0),
        state.push("heading_close", tag, -1),
    ):
        token.markup, token.map = match[1], inline_at
        if token.type == "inline":
            token.content, token.children = match[2].rstrip("# \t"), []
    return True


def parse_heading_attributes(inline: Token) -> dict[str, str]:
    """Return the attributes at the end of a heading's text."""
    return _split_attributes(inline)[1]


def take_attributes(inline: Token) -> dict[str, str]:
    """Remove the attributes at the end of a heading's text and return those of headings."""
    rest, attributes = _split_attributes(inline)
    if attributes and inline.children:
        inline.children[-1].content = rest
    return {key: value for key, value in attributes.items() if key in _HEADING_ATTRIBUTE_NAMES}


def _split_attributes(inline: Token) -> tuple[str, dict[str, str]]:
    """Return the last text of a heading without its attributes, and these."""
    last = inline.children[-1] if inline.children else None
    if last is None or last.type != "text":
        return "", {}
    match = _ATTRIBUTES_PATTERN.search(last.content)
    if match is None:
        return "", {}
    try:
        written = _UNQUOTED_PICTURE_PATTERN.sub(r'\1"\2"', match[1])
        attributes = {key: str(value) for key, value in parse_attributes(written)[1].items()}
    except ParseError:
        return "", {}
    return last.content[: match.start()], attributes


def extract_text(tokens: list[Token]) -> str:
    """Return the text of inline tokens without markup, with icons as their tokens."""
    parts = []
    for token in tokens:
        if token.type == "image":
            parts.append(extract_text(token.children or []))
        elif token.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        elif token.type in {"text", "code_inline"}:
            parts.append(token.content)
    return "".join(parts).strip()


def format_spoken_text(text: str) -> str:
    """Return extracted text for bookmarks and screen readers, without icons or with their names."""
    text = text.replace("\u00ad", "")
    return re.sub(" {2,}", " ", ICON_TOKEN.sub("", text)).strip() or ICON_TOKEN.sub(r"\1", text)
