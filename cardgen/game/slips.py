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

from cardgen.base.problems import Severity, did_you_mean
from cardgen.game.signs import TOKEN, held, released, styled

_SUSPECT = re.compile(r"[{}*_<&\\\u00c2\u00c3\u00d0\u00d1\u00e2]")
# Letters that UTF-8 becomes when it is read as Windows' or Western Europe's encoding.
_TRAILING = f"[\x80-\xbf{re.escape(bytes(range(0x80, 0xA0)).decode('cp1252', 'ignore'))}]"
_MANGLED = re.compile(f"[\u00c2\u00c3\u00d0\u00d1]{_TRAILING}|\u00e2{_TRAILING}{{2}}")
# No pattern here looks at a place more than a few times, however the text is made.
_JINJA = re.compile(
    r"\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|\{#(?:(?!\{#|#\}).)*#\}", re.DOTALL
)
_ICON_CALL = re.compile(r"""icon\(\s*["']([^"']*)["']\s*\)""")
_BRACED = re.compile(r"\{([^{}\n]*)\}")
_UNCLOSED = re.compile(r"\{\s*([\w-]*)")
_BEFORE = re.compile(r"([\w-]*)\s*\}\Z")
_WORD = re.compile(r"[^\W\d_][\w -]*\Z")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?/?>")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt])")
_UNDERSCORED = re.compile(r"(?<!\w)(__?)(?=[^\W_])([^_\n]+)(?<=[^\s_])\1(?!\w)")
_REACH = 40
"""So far before a brace the name is looked for that it should close."""
_LONE_STAR = re.compile(r"(?<=\S)\*|\*(?=\S)")
# Tags, comments and styles of a face's HTML; and what looks like markup between them.
_OUTSIDE = re.compile(r"<!--(?:(?!<!--).)*?-->|<[^<>]*>", re.DOTALL)
_PLAIN = re.compile(
    r"\{\s*([A-Za-z][\w -]*)\}|&lt;/?([A-Za-z][A-Za-z0-9-]*)(?:\s(?:(?!&[lg]t;).)*)?/?&gt;"
    r"|\*\*[^\s*][^*<]*\*\*"
)
_BOLD, _ITALIC = "write **bold**", "write *italic*"
_LINE = "break the line itself"
_TAGS = {
    **dict.fromkeys(("b", "strong"), _BOLD),
    **dict.fromkeys(("i", "em"), _ITALIC),
    **dict.fromkeys(("br", "p"), _LINE),
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
class Slip:
    """What was mistyped, and the kind of problem that it is."""

    message: str
    severity: Severity = "error"
    kind: str = "markup"


def in_text(text: str, icons: Collection[str], in_table: bool = False) -> list[Slip]:
    """Everything in a card's text that is not what its writer meant; each once."""
    if not _SUSPECT.search(text):
        return []
    kept = held(text)
    found = [*_jinja(kept, icons), *in_braces(_JINJA.sub(" ", kept), icons)]
    found += [*_tags(kept, icons), *_entities(kept, in_table), *_escapes(kept, in_table)]
    found += [*unpaired(styled(kept)), *_underscores(kept), *_mangled(text)]
    return list(dict.fromkeys(found))


def in_braces(text: str, icons: Collection[str]) -> Iterator[Slip]:
    """Braces of a held text that hold no icon's name, or are not closed."""
    if "{" not in text and "}" not in text:
        return
    for match in _BRACED.finditer(text):
        if not TOKEN.fullmatch(match[0]):
            yield _braced(match[0], match[1].strip(), icons)
        elif match[1] not in icons:
            yield _no_icon(match[1], icons)
    rest = _BRACED.sub(" ", text)
    for match in _UNCLOSED.finditer(rest):
        yield _lone("{", match[0].strip(), _near(match[1], icons), "closed")
    for end in re.finditer(r"\}", rest):
        before = _BEFORE.search(rest[max(0, end.start() - _REACH) : end.end()])
        written, name = (before[0].strip(), before[1]) if before else ("}", "")
        yield _lone("}", written, _near(name, icons), "opened")


def _lone(sign: str, written: str, near: str, lacks: str) -> Slip:
    """A brace without the other."""
    if near:
        return Slip(f"'{written}' is not {lacks}; did you mean {{{near}}}?", kind="icon")
    return Slip(f"a '{sign}' is not {lacks} and {_as_it_stands(sign)}", "warning")


def unpaired(styled_text: str, within: str = " within a line") -> Iterator[Slip]:
    """Stars that are left when bold and italic are taken out; `within` what italic must stand."""
    if "**" in styled_text:
        yield Slip("a '**' is without its pair; bold is **bold**, the stars themselves \\*\\*")
    if _LONE_STAR.search(styled_text.replace("**", "")):
        message = f"a '*' is without its pair; italic is *italic*{within}, the star itself \\*"
        yield Slip(message, "warning")


def in_face(html: str, icons: Collection[str]) -> Iterator[tuple[int, str]]:
    """Markup that a face prints as it stands: where in its HTML, and what is told of it.

    What `texts.markup` let through on purpose stands there as numbered entities.
    """
    if "{" not in html and "**" not in html and "&lt;" not in html:
        return
    words = _OUTSIDE.sub(lambda match: " " * len(match[0]), html)
    for match in _PLAIN.finditer(words):
        icon, tag = _named(match[1] or "", icons), match[2]
        if icon:
            does = f'in a template write {{{{ icon("{icon}") }}}}'
        elif tag and tag.lower() in _TAGS:
            does = "tags are for templates"
        elif match[0].startswith("*"):
            does = "in a template write <b>"
        else:
            continue
        shown = _shown(unescape(match[0]))
        message = f"'{shown}' is printed as it stands: only fields of the type text are marked up"
        yield match.start(), f"{message}; {does}"


def _jinja(text: str, icons: Collection[str]) -> Iterator[Slip]:
    for match in _JINJA.finditer(text):
        call = _ICON_CALL.search(match[0])
        near = _named(call[1] if call else match[0].strip("{}%#"), icons)
        does = f"did you mean {{{near}}}?" if near else "write out what the card says"
        yield Slip(f"'{_shown(match[0])}' is for templates, a text prints it as it stands; {does}")
        if not near:
            return


def _braced(written: str, inner: str, icons: Collection[str]) -> Slip:
    near = _near(inner, icons)
    if near:
        return Slip(f"'{written}' is no icon; did you mean {{{near}}}?", kind="icon")
    if _WORD.match(inner):
        return _no_icon(inner, icons)
    return Slip(f"'{_shown(written)}' is no icon and {_as_it_stands(written)}", "warning")


def _no_icon(name: str, icons: Collection[str]) -> Slip:
    hint = did_you_mean(name, icons)
    if "did you mean" not in hint:
        hint += f"; {{{name}}} itself is written \\{{{name}\\}}"
    return Slip(f"no icon '{name}' in art/icons{hint}", kind="icon")


def _named(written: str, icons: Collection[str]) -> str:
    """The icon whose name that is, but for capitals and spaces."""
    name = re.sub(r"[\s_-]+", "-", written.strip().lower())
    return name if name in icons else ""


def _near(written: str, icons: Collection[str]) -> str:
    """The icon that was meant by something like `Coin`, `coin.svg`, `icon: coin` or `2 coin`."""
    words = [word for word in re.findall(r"[a-z][a-z0-9-]*", written.lower()) if word in icons]
    close = words or get_close_matches(written.lower(), sorted(icons), n=1, cutoff=0.75)
    return _named(written, icons) or (close[0] if close else "")


def _as_it_stands(sign: str) -> str:
    escaped = re.sub(r"([{}])", r"\\\1", _shown(sign))
    return f"is printed as it stands; write {escaped} if that is meant"


def _tags(text: str, icons: Collection[str]) -> Iterator[Slip]:
    for match in _TAG.finditer(text) if "<" in text else ():
        name = match[1].lower()
        does = f"write {{{name}}}" if name in icons else _TAGS.get(name)
        if does:
            yield Slip(f"<{match[1]}> is printed as it stands, texts hold no HTML; {does}")


def _entities(text: str, in_table: bool) -> Iterator[Slip]:
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
        yield Slip(f"'{match[0]}' is printed as it stands, texts hold no HTML; {sign}")


def _escapes(text: str, in_table: bool) -> Iterator[Slip]:
    for match in _ESCAPE.finditer(text) if "\\" in text else ():
        written = match[0]
        if in_table:
            does = _LINE + " within the cell" if written == "\\n" else "write the character itself"
        else:
            does = "it means something in double quotes alone"
        yield Slip(f"'{written}' is printed as it stands; {does}")


def _underscores(text: str) -> Iterator[Slip]:
    for match in _UNDERSCORED.finditer(text) if "_" in text else ():
        does = _BOLD if match[1] == "__" else _ITALIC
        yield Slip(f"'{_shown(match[0])}' is printed as it stands; {does}", "warning")


def _mangled(text: str) -> Iterator[Slip]:
    """The first letter of a text that was written in UTF-8 and read in another encoding."""
    for match in _MANGLED.finditer(text):
        try:
            meant = b"".join(map(_western, match[0])).decode()
        except UnicodeDecodeError:
            continue
        yield Slip(
            f"'{match[0]}' looks like '{meant}', read in another encoding; open what it came from "
            "as UTF-8, and copy the text again", "warning",
        )  # fmt: skip
        return


def _western(sign: str) -> bytes:
    try:
        return sign.encode("cp1252")
    except UnicodeEncodeError:
        return sign.encode("latin-1", "replace")


def _shown(written: str) -> str:
    """The place in the text, so short that it can be quoted."""
    text = " ".join(released(written).split())
    return text if len(text) <= 40 else text[:39] + "…"
