"""Signs in a text that were meant as markup and are none: they would be printed as they stand.

Each is told with what to write instead. What nobody can mean is an error, the rest a warning; a
backslash before a sign says that it is meant.
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

_SUSPECT_CHARACTERS = re.compile(r"[{}*_<&\\\u00c2\u00c3\u00d0\u00d1\u00e2]")
# Letters that UTF-8 becomes when it is read as Windows' or Western Europe's encoding.
_TRAILING_BYTES = f"[\x80-\xbf{re.escape(bytes(range(0x80, 0xA0)).decode('cp1252', 'ignore'))}]"
_MOJIBAKE = re.compile(f"[\u00c2\u00c3\u00d0\u00d1]{_TRAILING_BYTES}|\u00e2{_TRAILING_BYTES}{{2}}")
# No pattern here looks at a place more than a few times, however the text is made.
_JINJA = re.compile(
    r"\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|\{#(?:(?!\{#|#\}).)*#\}", re.DOTALL
)
_ICON_CALL = re.compile(r"""icon\(\s*["']([^"']*)["']\s*\)""")
_BRACES = re.compile(r"\{([^{}\n]*)\}")
_UNCLOSED_BRACE = re.compile(r"\{\s*([\w-]*)")
_UNOPENED_BRACE = re.compile(r"([\w-]*)\s*\}\Z")
_WORD = re.compile(r"[^\W\d_][\w -]*\Z")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?/?>")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt])")
_UNDERSCORED = re.compile(r"(?<!\w)(__?)(?=[^\W_])([^_\n]+)(?<=[^\s_])\1(?!\w)")
MAX_QUOTED_CHARACTERS = 40
"""So far before a brace the name is looked for that it should close."""
_LONE_STAR = re.compile(r"(?<=\S)\*|\*(?=\S)")
# Tags, comments and styles of a face's HTML; and what looks like markup between them.
_TAGS_AND_COMMENTS = re.compile(r"<!--(?:(?!<!--).)*?-->|<[^<>]*>", re.DOTALL)
_PRINTED_MARKUP = re.compile(
    r"\{\s*([A-Za-z][\w -]*)\}|&lt;/?([A-Za-z][A-Za-z0-9-]*)(?:\s(?:(?!&[lg]t;).)*)?/?&gt;"
    r"|\*\*[^\s*][^*<]*\*\*"
)
_BOLD, _ITALIC = "write **bold**", "write *italic*"
_LINE_BREAK_HINT = "break the line itself"
_TAG_HINTS = {
    **dict.fromkeys(("b", "strong"), _BOLD),
    **dict.fromkeys(("i", "em"), _ITALIC),
    **dict.fromkeys(("br", "p"), _LINE_BREAK_HINT),
    **dict.fromkeys(
        (
            "a", "big", "center", "code", "div", "font", "h1", "h2", "h3", "hr", "img", "li",
            "mark", "ol", "s", "small", "span", "style", "sub", "sup", "table", "td", "tr", "tt",
            "u", "ul",
        ),
        "take it out; looks stand in the template",
    ),
}  # fmt: skip
"""Tags of HTML, and what a text has in their place."""


@dataclass(frozen=True)
class MarkupSlip:
    """What was mistyped, and the kind of problem that it is."""

    message: str
    severity: Severity = "error"
    kind: str = "markup"


def check_text(text: str, icons: Collection[str], in_table: bool = False) -> list[MarkupSlip]:
    """Everything in a card's text that is not what its writer meant; each once."""
    if not _SUSPECT_CHARACTERS.search(text):
        return []
    kept = protect_escapes(text)
    found = [*_check_jinja(kept, icons), *check_braces(_JINJA.sub(" ", kept), icons)]
    found += [
        *_check_tags(kept, icons),
        *_check_entities(kept, in_table),
        *_check_escapes(kept, in_table),
    ]
    found += [
        *find_unpaired_stars(replace_styles(kept)),
        *_check_underscores(kept),
        *_check_mojibake(text),
    ]
    return list(dict.fromkeys(found))


def check_braces(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    """Braces of a held text that hold no icon's name, or are not closed."""
    if "{" not in text and "}" not in text:
        return
    for match in _BRACES.finditer(text):
        if not ICON_TOKEN.fullmatch(match[0]):
            yield _describe_braces(match[0], match[1].strip(), icons)
        elif match[1] not in icons:
            yield _describe_unknown_icon(match[1], icons)
    rest = _BRACES.sub(" ", text)
    for match in _UNCLOSED_BRACE.finditer(rest):
        yield _describe_lone_brace(
            "{", match[0].strip(), _find_near_icon(match[1], icons), "closed"
        )
    for end in re.finditer(r"\}", rest):
        before = _UNOPENED_BRACE.search(
            rest[max(0, end.start() - MAX_QUOTED_CHARACTERS) : end.end()]
        )
        written, name = (before[0].strip(), before[1]) if before else ("}", "")
        yield _describe_lone_brace("}", written, _find_near_icon(name, icons), "opened")


def _describe_lone_brace(sign: str, written: str, near: str, lacks: str) -> MarkupSlip:
    """A brace without the other."""
    if near:
        return MarkupSlip(f"'{written}' is not {lacks}; did you mean {{{near}}}?", kind="icon")
    return MarkupSlip(f"a '{sign}' is not {lacks} and {_hint_escape(sign)}", "warning")


def find_unpaired_stars(styled_text: str, within: str = " within a line") -> Iterator[MarkupSlip]:
    """Stars that are left when bold and italic are taken out; `within` what italic must stand."""
    if "**" in styled_text:
        yield MarkupSlip(
            "a '**' is without its pair; bold is **bold**, the stars themselves \\*\\*"
        )
    if _LONE_STAR.search(styled_text.replace("**", "")):
        message = f"a '*' is without its pair; italic is *italic*{within}, the star itself \\*"
        yield MarkupSlip(message, "warning")


def check_face_html(html: str, icons: Collection[str]) -> Iterator[tuple[int, str]]:
    """Markup that a face prints as it stands: where in its HTML, and what is told of it.

    What `texts.markup` let through on purpose stands there as numbered entities.
    """
    if "{" not in html and "**" not in html and "&lt;" not in html:
        return
    words = _TAGS_AND_COMMENTS.sub(lambda match: " " * len(match[0]), html)
    for match in _PRINTED_MARKUP.finditer(words):
        icon, tag = _find_exact_icon(match[1] or "", icons), match[2]
        if icon:
            does = f'in a template write {{{{ icon("{icon}") }}}}'
        elif tag and tag.lower() in _TAG_HINTS:
            does = "tags are for templates"
        elif match[0].startswith("*"):
            does = "in a template write <b>"
        else:
            continue
        shown = _shorten_quote(unescape(match[0]))
        message = f"'{shown}' is printed as it stands: only fields of the type text are marked up"
        yield match.start(), f"{message}; {does}"


def _check_jinja(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    for match in _JINJA.finditer(text):
        call = _ICON_CALL.search(match[0])
        near = _find_exact_icon(call[1] if call else match[0].strip("{}%#"), icons)
        does = f"did you mean {{{near}}}?" if near else "write out what the card says"
        yield MarkupSlip(
            f"'{_shorten_quote(match[0])}' is for templates, a text prints it as it stands; {does}"
        )
        if not near:
            return


def _describe_braces(written: str, inner: str, icons: Collection[str]) -> MarkupSlip:
    near = _find_near_icon(inner, icons)
    if near:
        return MarkupSlip(f"'{written}' is no icon; did you mean {{{near}}}?", kind="icon")
    if _WORD.match(inner):
        return _describe_unknown_icon(inner, icons)
    return MarkupSlip(
        f"'{_shorten_quote(written)}' is no icon and {_hint_escape(written)}", "warning"
    )


def _describe_unknown_icon(name: str, icons: Collection[str]) -> MarkupSlip:
    hint = did_you_mean(name, icons)
    if "did you mean" not in hint:
        hint += f"; {{{name}}} itself is written \\{{{name}\\}}"
    return MarkupSlip(f"no icon '{name}' in art/icons{hint}", kind="icon")


def _find_exact_icon(written: str, icons: Collection[str]) -> str:
    """The icon whose name that is, but for capitals and spaces."""
    name = re.sub(r"[\s_-]+", "-", written.strip().lower())
    return name if name in icons else ""


def _find_near_icon(written: str, icons: Collection[str]) -> str:
    """The icon that was meant by something like `Coin`, `coin.svg`, `icon: coin` or `2 coin`."""
    words = [word for word in re.findall(r"[a-z][a-z0-9-]*", written.lower()) if word in icons]
    close = words or get_close_matches(written.lower(), sorted(icons), n=1, cutoff=0.75)
    return _find_exact_icon(written, icons) or (close[0] if close else "")


def _hint_escape(sign: str) -> str:
    escaped = re.sub(r"([{}])", r"\\\1", _shorten_quote(sign))
    return f"is printed as it stands; write {escaped} if that is meant"


def _check_tags(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    for match in _TAG.finditer(text) if "<" in text else ():
        name = match[1].lower()
        does = f"write {{{name}}}" if name in icons else _TAG_HINTS.get(name)
        if does:
            yield MarkupSlip(f"<{match[1]}> is printed as it stands, texts hold no HTML; {does}")


def _check_entities(text: str, in_table: bool) -> Iterator[MarkupSlip]:
    for match in _ENTITY.finditer(text) if "&" in text else ():
        name = match[1]
        if not name.startswith("#"):
            meant = html5.get(f"{name};", "")
        else:
            number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
            meant = chr(number) if number < 0x110000 else ""
        if not meant:
            continue
        seen = meant.isprintable() and not meant.isspace()
        code = "the character itself" if in_table else f'"\\u{ord(meant[0]):04x}" in double quotes'
        sign = f"write {meant if seen else code}"
        yield MarkupSlip(f"'{match[0]}' is printed as it stands, texts hold no HTML; {sign}")


def _check_escapes(text: str, in_table: bool) -> Iterator[MarkupSlip]:
    for match in _ESCAPE.finditer(text) if "\\" in text else ():
        written = match[0]
        if in_table:
            does = (
                _LINE_BREAK_HINT + " within the cell"
                if written == "\\n"
                else "write the character itself"
            )
        else:
            does = "it means something in double quotes alone"
        yield MarkupSlip(f"'{written}' is printed as it stands; {does}")


def _check_underscores(text: str) -> Iterator[MarkupSlip]:
    for match in _UNDERSCORED.finditer(text) if "_" in text else ():
        does = _BOLD if match[1] == "__" else _ITALIC
        yield MarkupSlip(f"'{_shorten_quote(match[0])}' is printed as it stands; {does}", "warning")


def _check_mojibake(text: str) -> Iterator[MarkupSlip]:
    """The first letter of a text that was written in UTF-8 and read in another encoding."""
    for match in _MOJIBAKE.finditer(text):
        try:
            meant = b"".join(map(_decode_western, match[0])).decode()
        except UnicodeDecodeError:
            continue
        yield MarkupSlip(
            f"'{match[0]}' looks like '{meant}', read in another encoding; open what it came from "
            "as UTF-8, and copy the text again", "warning",
        )  # fmt: skip
        return


def _decode_western(sign: str) -> bytes:
    try:
        return sign.encode("cp1252")
    except UnicodeEncodeError:
        return sign.encode("latin-1", "replace")


def _shorten_quote(written: str) -> str:
    """The place in the text, so short that it can be quoted."""
    text = " ".join(restore_escapes(written).split())
    return text if len(text) <= 40 else text[:39] + "…"
