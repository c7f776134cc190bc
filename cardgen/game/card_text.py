"""Card texts as HTML, and the lint of a game's texts.

An icon is a character of the icon font that `assets.font_files` builds from art/icons.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from cardgen.core.problems import WHOLE_GAME, Problem, Subject
from cardgen.game import markup_lint
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.markup import ICON_TOKEN, PROTECTED, protect_escapes, replace_styles
from cardgen.game.model import CardReference, Game, Text, Value, map_value, walk_values
from cardgen.game.problem_scope import BOOKS_FOLDER
from cardgen.runtime import game_files

_RTL_SCRIPTS = frozenset(
    {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
_RTL_LANGUAGES = frozenset({
    "ar", "arc", "ars", "ary", "arz", "azb", "bal", "bgn", "bqi", "ckb", "dv", "fa", "glk", "he",
    "iw", "ji", "khw", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd", "sdh", "skr", "syr", "ug",
    "ur", "yi",
})  # fmt: skip

_KEYCAP = re.compile("([0-9#*])\ufe0f?\u20e3")
_COMMON_SIGNS = {
    0x2010: "-",
    **dict.fromkeys((0x2001, 0x2003), "\u00a0\u00a0"),
    **dict.fromkeys((0x2000, 0x2002, 0x2004, 0x2007, 0x205F), "\u00a0"),
    **dict.fromkeys((0x2005, 0x2006, 0x2008, 0x2009, 0x200A), "\u202f"),
}
"""Spaces by their widths, the narrow ones as a narrow space, which the built-in symbols have."""
_SKIN_TONE = re.compile("(?<=[\u2600-\u27bf\U0001f300-\U0001faff])[\U0001f3fb-\U0001f3ff]")
_CSS_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_LEFT_OR_RIGHT = re.compile(r"\b(left|right)\b")


def is_right_to_left(language: str) -> bool:
    """Return whether a language is written from right to left. A script in its code decides
    first."""
    first, *more = language.lower().split("-")
    script = next((part for part in more if len(part) == 4 and part.isalpha()), "")
    return script in _RTL_SCRIPTS if script else first in _RTL_LANGUAGES


def format_language_attributes(language: str) -> str:
    """Return the HTML attributes of a language: `lang`, and `dir` if it is written from right to
    left."""
    return f'lang="{language}"' + (' dir="rtl"' if is_right_to_left(language) else "")


def format_part_attributes(language: str) -> str:
    """Return the HTML attributes of a part in another language than its surroundings."""
    return f'lang="{language}" dir="{"rtl" if is_right_to_left(language) else "ltr"}"'


def mirror_stylesheet(text: str) -> str:
    """Return one of cardgen's own stylesheets with left and right exchanged.

    Compositions stay as they are, since their parts have computed positions.
    """

    def mirror_rule(match: re.Match[str]) -> str:
        if ".composition" in match[1]:
            return match[0]
        return f"{match[1]}{{{';'.join(map(_mirror_declaration, match[2].split(';')))}}}"

    return _CSS_RULE.sub(mirror_rule, text)


def _mirror_declaration(declaration: str) -> str:
    swapped = _LEFT_OR_RIGHT.sub(lambda side: "right" if side[0] == "left" else "left", declaration)
    name, colon, value = swapped.partition(":")
    sides = value.split()
    if name.strip() in {"margin", "padding"} and len(sides) == 4:
        top, right, bottom, left = sides
        return f"{name}{colon} {top} {left} {bottom} {right}"
    return swapped


_LIST_ITEM = re.compile(r"^[ \t]*([-*]|[0-9]{1,2}[.)]) +(?=\S)", re.MULTILINE)
_MAX_LIST_LEVEL = 2
_WORD_PATTERN = re.compile(r"[^ \n<>]+")
# Signs that are printed as they are, in a form that nobody takes for markup once more.
_ENTITY_MAP = str.maketrans(
    {
        kept: f"&#{ord(sign)};"
        for kept, sign in (*PROTECTED.items(), *zip("{}*", "{}*", strict=True))
    }
)
PRIVATE_USE_START = 0xF0000
PRIVATE_USE_SLOTS = 4096


@lru_cache(maxsize=8)
def _assign_codepoints(names: tuple[str, ...]) -> dict[str, int]:
    taken: set[int] = set()
    found = {}
    places = max(PRIVATE_USE_SLOTS, 2 * len(names))
    for name in sorted(names):
        offset = zlib.crc32(name.encode()) % places
        while offset in taken:
            offset = (offset + 1) % places
        taken.add(offset)
        found[name] = PRIVATE_USE_START + offset
    return found


def assign_codepoints(names: Iterable[str]) -> dict[str, int]:
    """Return the private-use character of each icon. An icon keeps its character when others are
    added or removed."""
    return _assign_codepoints(tuple(sorted(names)))


def render_icon(name: str, icons: Iterable[str]) -> Markup:
    """Return an icon as HTML."""
    return Markup(f'<span class="icon icon-{name}">&#x{assign_codepoints(icons)[name]:x};</span>')  # noqa: S704 - a known icon's name


class CardText(str):
    """A card's text in one language: a plain string in code, HTML in a template that prints it."""

    __slots__ = ("icons", "language")

    icons: tuple[str, ...]
    language: str
    """The language of the text, "" if it is the one that is wanted."""

    def __new__(cls, text: str, icons: tuple[str, ...], language: str = "") -> CardText:
        made = super().__new__(cls, text)
        made.icons, made.language = icons, language
        return made

    def __html__(self) -> str:
        html = str(render_markup(str(self), self.icons))
        return (
            f"<span {format_part_attributes(self.language)}>{html}</span>"
            if self.language
            else html
        )


def render_markup(text: str, icons: tuple[str, ...]) -> Markup:
    """Return the text as HTML. Tokens of unknown icons stay as they are; `check_card_texts` reports
    them."""
    html = replace_styles(str(escape(protect_escapes(text.rstrip("\n"))))).replace("&lt;", "&#60;")
    if "\u00a0" in html and "{" in html:
        html = _WORD_PATTERN.sub(_wrap_tied_word, html)
    html = _render_lists(html).replace("\n", "<br>")
    known = frozenset(icons)
    return Markup(  # noqa: S704 - the text was escaped above
        ICON_TOKEN.sub(
            lambda match: str(render_icon(match[1], icons)) if match[1] in known else match[0],
            html,
        ).translate(_ENTITY_MAP)
    )


def _render_lists(html: str) -> str:
    """Return a text with its lists, of two lines or more that begin with `- ` or `1. `.

    Empty lines between items belong to the list, and so do indented items of either kind.
    """
    if not _LIST_ITEM.search(html):
        return html
    parts: list[str] = []
    lines = html.split("\n")
    while lines:
        items = _take_list(lines)
        if len(items) < 2:
            parts.append(lines.pop(0))
            continue
        indents = sorted({*map(_measure_indent, items)})
        rows = []
        for item in items:
            level = min(indents.index(_measure_indent(item)), _MAX_LIST_LEVEL)
            nested = f" level-{level}" if level else ""
            marked = _LIST_ITEM.sub(_render_list_mark, item, 1)
            rows.append(f'<span class="text-item{nested}">{marked}</span>')
        parts.append(f'<span class="text-list {_find_list_kind(items[0])}">{"".join(rows)}</span>')
    return "\n".join(parts)


def _take_list(lines: list[str]) -> list[str]:
    """Return the items of the list that the lines begin with; if there are two, remove them."""
    items: list[str] = []
    end = 0
    for number, line in enumerate(lines):
        kind = _find_list_kind(line)
        if kind and (
            not items
            or kind == _find_list_kind(items[0])
            or _measure_indent(line) > _measure_indent(items[0])
        ):
            items.append(line)
            end = number + 1
        elif not items or line.strip():
            break
    if len(items) > 1:
        del lines[:end]
    return items


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _find_list_kind(line: str) -> str:
    """Return the kind of list that a line is an item of, or "". A style may not end elsewhere."""
    found = _LIST_ITEM.match(line)
    if not found or any(line.count(f"<{tag}>") != line.count(f"</{tag}>") for tag in "bi"):
        return ""
    return "bulleted" if found[1] in "-*" else "numbered"


def _render_list_mark(match: re.Match[str]) -> str:
    return f'<span class="text-mark">{"•" if match[1] in "-*" else match[1]}</span>'


def localise_value(
    value: Value,
    language: str,
    icons: tuple[str, ...],
    referred: Callable[[CardReference], str] = str,
) -> Any:
    """Return a value as templates see it: its texts in one language, printed with their icons."""
    return map_language(value, language, make_card_text_factory(language, icons), referred)


def make_card_text_factory(language: str, icons: tuple[str, ...]) -> Callable[[Text], CardText]:
    """Return a function that makes a `CardText` in a language of a text."""

    def make_card_text(text: Text) -> CardText:
        tongue = text.get_language(language)
        return CardText(text[language], icons, "" if tongue == language else tongue)

    return make_card_text


def map_language(
    value: Value,
    language: str,
    made: Callable[[Text], str] | None = None,
    referred: Callable[[CardReference], str] = str,
) -> Any:
    """Return a value in one language, with `made` applied to its texts and `referred` to its
    references."""

    def map_part(part: Value) -> Any:
        if isinstance(part, Text):
            return made(part) if made else part[language]
        return referred(part) if isinstance(part, CardReference) else part

    return map_value(value, map_part)


def replace_emoji(text: str, emoji: Mapping[str, str]) -> str:
    """Return the text with icon tokens in place of emoji, other keycaps as their digit, and other
    emoji without their tone of skin, which is no colour in print.

    Spaces and hyphens that most fonts lack become those that look alike.
    """
    text = text.translate(_COMMON_SIGNS)
    text = _KEYCAP.sub("\\1\u20e3", text)
    for sign, icon in emoji.items():
        if sign in text:
            text = text.replace(f"{sign}\ufe0f", f"{{{icon}}}").replace(sign, f"{{{icon}}}")
    return _SKIN_TONE.sub("", _KEYCAP.sub(r"\1", text))


def _wrap_tied_word(match: re.Match[str]) -> str:
    """Wrap a word that holds an icon and a no-break space, such as "3 {coin} pieces"."""
    # WeasyPrint breaks a line much too early when the text around an icon may not break.
    tied = "\u00a0" in match[0] and ICON_TOKEN.search(match[0])
    return f'<span class="tied">{match[0]}</span>' if tied else match[0]


def check_card_texts(game: Game) -> list[Problem]:
    """Return the findings of the lint in every text of the game, such as `{Coin}` or `<b>`."""
    return [
        Problem(
            text.get_source(language), slip.message, slip.kind, slip.severity,
            replace(subject, language=language),
        )
        for subject, text in _walk_texts(game)
        for language in text
        for slip in markup_lint.check_text(text[language], game.icons)
    ]  # fmt: skip


def list_characters(game: Game) -> frozenset[str]:
    """Return the characters of all texts of the game, and of its rulebooks and templates."""
    names = [
        *game_files.list_files(game.root, BOOKS_FOLDER, ".md"),
        *game_files.list_files(game.root, TEMPLATES_FOLDER, ".html", ".css"),
    ]
    written = (replace_emoji(game_files.read_text(game.root, n)[0], game.emoji) for n in names)
    texts = (text[each] for _, text in _walk_texts(game) for each in text)
    return frozenset().union(*texts, *written)


def _walk_texts(game: Game) -> Iterator[tuple[Subject, Text]]:
    for value in _walk_game_values(game):
        yield from ((WHOLE_GAME, text) for text in _walk_value_texts(value))
    for deck in game.decks:
        yield from (
            (Subject(deck.id), text) for text in _walk_value_texts((deck.title, deck.constants))
        )
        for piece in deck.pieces:
            card = Subject(deck.id, piece.id)
            yield from ((card, text) for text in _walk_value_texts(piece.values))


def _walk_game_values(game: Game) -> Iterator[Value]:
    yield from (game.title, game.words, game.constants)
    yield from (player.name for player in game.players)
    if game.table:
        yield from ((note.title, note.text) for note in game.table.notes)
        yield from (placement.name for placement in (*game.table.middle, *game.table.seat))


def _walk_value_texts(value: Any) -> Iterator[Text]:
    return (part for part in walk_values(value) if isinstance(part, Text))
