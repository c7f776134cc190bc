"""Lint for card texts: characters that look like markup but would be printed as they are.

What nobody can mean is an error, the rest a warning. A backslash before a character prints it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from html import unescape
from html.entities import html5

from cardgen.core.problems import Severity, did_you_mean
from cardgen.game.markup import ICON_TOKEN, protect_escapes, replace_styles, restore_escapes

_SUSPECT_CHARACTERS = re.compile(r"[{}*<&_\\~`\[|#>^$]|==|:\w|--|%%|:::|!!!|''|^\+ ", re.MULTILINE)
# Texts may come from strangers: no pattern here looks at a place more than a few times.
_JINJA = re.compile(
    r"\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|\{#(?:(?!\{#|#\}).)*#\}", re.DOTALL
)
_ICON_CALL = re.compile(r"""icon\(\s*["']([^"']*)["']\s*\)""")
_BRACES = re.compile(r"\{([^{}\n]*)\}")
_UNCLOSED_BRACE = re.compile(r"\{\s*([\w-]*)")
_UNOPENED_BRACE = re.compile(r"([\w-]*)\s*\}\Z")
_WORD = re.compile(r"[^\W\d_][\w -]*\Z")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?/?>")
_EMOJI_SEQUENCE = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?(?:\u200d[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?){1,8}"
)
"""Flags of countries, and emoji of several that are joined."""
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
UNENDED_ENTITY = (
    rf"&(?:{'|'.join(name for name in html5 if name.isalpha() and len(name) > 2)})(?![\w;])"
)
"""An entity of HTML without its semicolon, such as `&copy 2024`."""
_BARE_ENTITY = re.compile(rf"{UNENDED_ENTITY}|&[a-z]{{3,10}};")
"""Entities without their semicolon, and what no entity is called."""
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt])")
_SHORTCODE = re.compile(r"(?<![\w:]):([a-z][a-z0-9_+-]{0,39}):(?![\w:])", re.IGNORECASE)
_UNDERSCORED = re.compile(r"(?<!\w)(__?)(?=[^\W_])([^_\n]+)(?<=[^\s_])\1(?!\w)")
FORUM_TAG = (
    r"\[/?(?:b|i|u|s|q|o|url|img|imageid|quote|size|color|list|center|code|thing)(?:=[^\[\]]*)?\]"
)
"""Tags of forums such as BoardGameGeek."""
_OTHER_MARKDOWN = (
    (re.compile(FORUM_TAG), "write **bold** or *italic*"),
    (re.compile(r"<!--(?:(?!-->).){0,400}-->", re.DOTALL), "a text has no comments, remove it"),
    (re.compile(r"%%[^%\n]*%%"), "a text has no comments, remove it"),
    (re.compile(r"^:::.*|^!!! .*", re.MULTILINE), "a text has no boxes, write **bold**"),
    (
        re.compile(r"\\\((?:(?!\\[()])[^\n]){1,200}\\\)"),
        "a text has no formulas, write the characters themselves, such as × or ½",
    ),
    (
        re.compile(r"(?<!')'{2,3}(?=[^\s'])[^'\n]{1,200}(?<=\S)'{2,3}(?!')"),
        "write **bold** or *italic*",
    ),
    (re.compile(r"~~(?=[^\s~])[^~\n]+~~"), "no text is struck out, remove it or the signs"),
    (re.compile(r"==(?=[^\s=])[^=\n]+(?<=\S)=="), "a text has no marker, write **bold**"),
    (re.compile(r"\^[\w+−-]{1,8}\^"), "write the raised characters themselves, such as ² or ⁿ"),
    (re.compile(r"(?<!~)~\w{1,8}~(?!~)"), "write the lowered characters themselves, such as ₂"),
    (
        re.compile(r"(?<![\w$])\$(?=[^\s$])(?:(?!\. )[^$\n]){1,200}(?<=[^\s$])\$(?![\w$])"),
        "a text has no formulas, write the characters themselves, such as × or ½",
    ),
    (
        re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,2}[.)]) +\[[ xX]\](?= )", re.MULTILINE),
        "a text has no boxes to tick, write ☐ or ☑",
    ),
    (re.compile(r"!?\[\[[^\[\]\n]+\]\]"), "a card has no links, write the words alone"),
    (re.compile(r"\[\^[^\[\]\s]+\]"), "a text has no footnotes, write the note itself in brackets"),
    (re.compile(r"!?\[[^\[\]\n]+\]\([^()\s]*\)"), "a card has no links, write the words alone"),
    (re.compile(r"`[^`\n]+`"), "write **bold** or *italic*"),
    (
        re.compile(r"^\|[^\n]*\|[ \t]*$", re.MULTILINE),
        "a text has no tables, write a line for each row",
    ),
    (re.compile(r"^(?:---+|___+)[ \t]*$", re.MULTILINE), "a text has no rules, leave a line empty"),
    (re.compile(r"^#{1,6} [^\n]+", re.MULTILINE), "a text has no headings, write **bold**"),
    (
        re.compile(r"^>+ ?(?=[^\W\d])[^\n]+", re.MULTILINE),
        "a text has no quotations, write *italic*",
    ),
    (re.compile(r"^`{3}.*", re.MULTILINE), "a text has no listings, remove it"),
    (re.compile(r"^={3,}$|^#{7,} .*", re.MULTILINE), "a text has no headings, write **bold**"),
    (re.compile(r"^-# .*", re.MULTILINE), "a text has no small print, write *italic*"),
    (re.compile(r"^\+ .*", re.MULTILINE), "an item of a list begins with - and a space"),
    (re.compile(r"<(?:a?:\w+:|[@#][!&]?)[0-9]+>"), "it is of a chat, write {icon} or the name"),
    (re.compile(r"<https?://[^<>\s]+>"), "a card has no links, write the words alone"),
    (re.compile(r">!(?=\S)[^\n]{1,200}?!<"), "a text hides nothing, remove the signs"),
    (re.compile(r"(?<=\s)\^\(?[^\W\d_][\w ]*\)?"), "write the raised characters themselves"),
    (re.compile(r"``[^`'\n]+''"), "write “…”"),
    (re.compile(r"(?<= )-{2,3}(?= )|(?<=\w)-{2,3}(?=\w)"), "write a dash, – or —"),
    (
        re.compile(r"^[^|\n]+\|[^|\n]+\n[^|\n]+\|[^|\n]+$", re.MULTILINE),
        "a text has no tables, write a line for each row",
    ),
)
"""Markdown that card texts lack, and what to write instead."""
_MAX_NAME_CHARACTERS = 40
"""Length of the text before a '}' in which the name is looked for that it should close."""
MAX_QUOTED_CHARACTERS = 40
_LONE_STAR = re.compile(r"(?<=\S)\*|\*(?=\S)")
_PLAIN_STARS = re.compile(
    r"(?<![\w*])[0-9]{1,9}(?:\*\*?[0-9]{1,9}){1,9}(?![\w*])|(?<=[^\W\d_])\*(?=in(?:nen)?\b)"
)
"""Stars that nobody takes for markup: `2*3*4`, and the German `Spieler*innen`."""
_TAGS_AND_COMMENTS = re.compile(r"<!--(?:(?!<!--).)*?-->|<[^<>]*>", re.DOTALL)
_PRINTED_MARKUP = re.compile(
    r"\{\s*([A-Za-z][\w -]*)\}|&lt;/?([A-Za-z][A-Za-z0-9-]*)(?:\s(?:(?!&[lg]t;).)*)?/?&gt;"
    r"|\*\*[^\s*][^*<]*\*\*"
)
_TAG_HINTS = {
    **dict.fromkeys(("b", "strong"), "write **bold**"),
    **dict.fromkeys(("i", "em"), "write *italic*"),
    **dict.fromkeys(("br", "p"), "break the line itself"),
    **dict.fromkeys(
        (
            "a", "big", "center", "code", "div", "font", "h1", "h2", "h3", "hr", "img", "li",
            "mark", "ol", "s", "small", "span", "style", "sub", "sup", "table", "td", "tr", "tt",
            "u", "ul", "abbr", "blockquote", "cite", "del", "ins", "kbd", "q", "script", "strike",
        ),
        "remove it; the style or the template of the deck sets how it looks",
    ),
}  # fmt: skip
"""HTML tags, and what to write in a card text instead."""


@dataclass(frozen=True)
class MarkupSlip:
    """A finding of the lint, and the kind of problem that it is."""

    message: str
    severity: Severity = "error"
    kind: str = "markup"


def check_text(text: str, icons: Collection[str]) -> list[MarkupSlip]:
    """Return everything in a card text that looks like markup and is not, each finding once."""
    sequences = [*find_emoji_sequences(text)]
    if not _SUSPECT_CHARACTERS.search(text):
        return sequences
    protected = protect_escapes(text)
    slips = [
        *_check_jinja(protected, icons),
        *check_braces(_JINJA.sub(" ", protected), icons),
        *_check_tags(protected, icons),
        *_check_entities(protected),
        *_check_escapes(protected),
        *_check_underscores(protected),
        *_check_shortcodes(protected, icons),
        *_check_markdown(protected),
        *find_unpaired_stars(replace_styles(protected)),
        *sequences,
    ]
    return list(dict.fromkeys(slips))


def find_emoji_sequences(text: str) -> Iterator[MarkupSlip]:
    """Yield flags and joined emoji, which are printed as the parts that they consist of."""
    for sequence in () if text.isascii() else dict.fromkeys(_EMOJI_SEQUENCE.findall(text)):
        message = f"'{sequence}' is printed as its parts; draw an icon for it, and write its name "
        yield MarkupSlip(f"{message}under emoji: in game.yaml", "warning")


def check_braces(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    """Yield braces of a protected text that hold no icon's name, or are not paired."""
    if "{" not in text and "}" not in text:
        return
    for match in _BRACES.finditer(text):
        if not ICON_TOKEN.fullmatch(match[0]):
            yield _describe_braces(match[0], match[1].strip(), icons)
        elif match[1] not in icons:
            yield _describe_unknown_icon(match[1], icons)
    rest = _BRACES.sub(" ", text)
    for match in _UNCLOSED_BRACE.finditer(rest):
        yield _describe_lone_brace("{", match[0].strip(), _find_near_icon(match[1], icons))
    for end in re.finditer(r"\}", rest):
        nearby = rest[max(0, end.start() - _MAX_NAME_CHARACTERS) : end.end()]
        before = _UNOPENED_BRACE.search(nearby)
        written, name = (before[0].strip(), before[1]) if before else ("}", "")
        yield _describe_lone_brace("}", written, _find_near_icon(name, icons))


def _describe_lone_brace(brace: str, written: str, near: str) -> MarkupSlip:
    lacks = "closed" if brace == "{" else "opened"
    if near:
        return MarkupSlip(f"'{written}' is not {lacks}; did you mean {{{near}}}?", kind="icon")
    return MarkupSlip(f"a '{brace}' is not {lacks} and {_hint_escape(brace)}", "warning")


def find_unpaired_stars(styled_text: str, within: str = " within a line") -> Iterator[MarkupSlip]:
    """Yield the stars that are left once bold and italic are replaced. `within` says where italic
    must end."""
    if "*" not in styled_text:
        return
    styled_text = _PLAIN_STARS.sub(" ", styled_text)
    if "**" in styled_text:
        yield MarkupSlip("a '**' has no pair; bold is **bold**, the stars themselves are \\*\\*")
    if _LONE_STAR.search(styled_text.replace("**", "")):
        message = f"a '*' has no pair; italic is *italic*{within}, the star itself is \\*"
        yield MarkupSlip(message, "warning")


def check_face_html(html: str, icons: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield markup that a face prints as it is: its offset in the HTML, and a message.

    Escaped characters do not count: `card_text.render_markup` writes them as numbered entities.
    """
    if "{" not in html and "**" not in html and "&lt;" not in html:
        return
    words = _TAGS_AND_COMMENTS.sub(lambda match: " " * len(match[0]), html)
    for match in _PRINTED_MARKUP.finditer(words):
        icon, tag = _find_exact_icon(match[1] or "", icons), match[2]
        if icon:
            hint = f'in a template write {{{{ icon("{icon}") }}}}'
        elif tag and tag.lower() in _TAG_HINTS:
            hint = "remove the tag"
        elif match[0].startswith("*"):
            hint = "in a template write <b>"
        else:
            continue
        quote = _shorten_quote(unescape(match[0]))
        message = f"'{quote}' is printed as it is: only fields of the type text have markup"
        yield match.start(), f"{message}; {hint}"


def _check_jinja(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    for match in _JINJA.finditer(text):
        call = _ICON_CALL.search(match[0])
        icon = _find_exact_icon(call[1] if call else match[0].strip("{}%#"), icons)
        hint = f"did you mean {{{icon}}}?" if icon else "write the text of the card"
        quote = _shorten_quote(match[0])
        yield MarkupSlip(f"'{quote}' is not filled in: a text prints it as it is; {hint}")
        if not icon:
            return


def _describe_braces(written: str, inner: str, icons: Collection[str]) -> MarkupSlip:
    near = _find_near_icon(inner, icons)
    if near:
        return MarkupSlip(f"'{written}' is not an icon; did you mean {{{near}}}?", kind="icon")
    if _WORD.match(inner):
        return _describe_unknown_icon(inner, icons)
    quote = _shorten_quote(written)
    return MarkupSlip(f"'{quote}' is not an icon and {_hint_escape(written)}", "warning")


def _describe_unknown_icon(name: str, icons: Collection[str]) -> MarkupSlip:
    hint = did_you_mean(name, icons)
    if "did you mean" not in hint:
        hint += f"; to print {{{name}}}, write \\{{{name}\\}}"
    return MarkupSlip(f"there is no icon '{name}' in art/icons{hint}", kind="icon")


def _find_exact_icon(written: str, icons: Collection[str]) -> str:
    """Return the icon with a name, capitals and spaces aside; "" if there is none."""
    name = re.sub(r"[\s_-]+", "-", written.strip().lower())
    return name if name in icons else ""


def _find_near_icon(written: str, icons: Collection[str]) -> str:
    """Return the icon for something like `Coin`, `coin.svg`, `icon: coin` or `2 coin`."""
    words = [word for word in re.findall(r"[a-z][a-z0-9-]*", written.lower()) if word in icons]
    close = words or get_close_matches(written.lower(), sorted(icons), n=1, cutoff=0.75)
    return _find_exact_icon(written, icons) or (close[0] if close else "")


def _hint_escape(written: str) -> str:
    escaped = re.sub(r"([{}])", r"\\\1", _shorten_quote(written))
    return f"is printed as it is; write {escaped} if you mean that"


def _check_tags(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    for match in _TAG.finditer(text) if "<" in text else ():
        name = match[1].lower()
        hint = f"write {{{name}}}" if name in icons else _TAG_HINTS.get(name)
        if hint:
            yield MarkupSlip(f"<{match[1]}> is printed as it is, texts hold no HTML; {hint}")


def _check_entities(text: str) -> Iterator[MarkupSlip]:
    for match in _ENTITY.finditer(text) if "&" in text else ():
        name = match[1]
        character = unescape(match[0]) if name.startswith("#") else html5.get(f"{name};", "")
        if character:
            is_visible = character.isprintable() and not character.isspace()
            hint = character if is_visible else f"the character itself, U+{ord(character[0]):04X}"
            yield MarkupSlip(f"'{match[0]}' is printed as it is, texts hold no HTML; write {hint}")
    for match in _BARE_ENTITY.finditer(text) if "&" in text else ():
        if match[0].endswith(";") and match[0][1:] in html5:
            continue  # it is told above
        message = f"'{match[0]}' is printed as it is; write the character itself"
        yield MarkupSlip(message, "warning")


def _check_escapes(text: str) -> Iterator[MarkupSlip]:
    for match in _ESCAPE.finditer(text) if "\\" in text else ():
        hint = "break the line" if match[0] == "\\n" else "write the character"
        yield MarkupSlip(
            f"'{match[0]}' is printed as it is; {hint} itself, or in YAML put the text in double "
            "quotes"
        )


def _check_underscores(text: str) -> Iterator[MarkupSlip]:
    for match in _UNDERSCORED.finditer(text) if "_" in text else ():
        hint = "**bold**" if match[1] == "__" else "*italic*"
        message = f"'{_shorten_quote(match[0])}' is printed as it is; write {hint}"
        yield MarkupSlip(message, "warning")


def _check_shortcodes(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    for match in _SHORTCODE.finditer(text) if ":" in text else ():
        near = _find_near_icon(match[1].replace("_", "-"), icons)
        hint = f"did you mean {{{near}}}?" if near else "write the emoji itself, or {icon}"
        yield MarkupSlip(f"'{match[0]}' is printed as it is; {hint}", "warning")


def _check_markdown(text: str) -> Iterator[MarkupSlip]:
    """Yield the first place of each kind of Markdown that texts lack."""
    for pattern, hint in _OTHER_MARKDOWN:
        if match := pattern.search(text):
            message = f"'{_shorten_quote(match[0])}' is printed as it is; {hint}"
            yield MarkupSlip(message, "warning")


def _shorten_quote(written: str) -> str:
    text = " ".join(restore_escapes(written).split())
    return text if len(text) <= MAX_QUOTED_CHARACTERS else text[: MAX_QUOTED_CHARACTERS - 1] + "…"
