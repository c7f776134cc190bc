"""Card texts as HTML: `{icon}` tokens, **bold**, *italic*, and line breaks.

An icon is a character of the icon font that `iconfont` builds from art/icons.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from cardgen.model import Game, Reference, Text, Value
from cardgen.problems import Problem, did_you_mean

_TOKEN = re.compile(r"\{([a-z][a-z0-9-]*)\}")
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_ITALIC = re.compile(r"(?<![*\w])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![*\w])")
# A word that holds an icon and a no-break space, such as "3\u00a0{coin}\u00a0pieces".
_TIED = re.compile(r"[^ \n<>]*\{[a-z][a-z0-9-]*\}[^ \n<>]*")
PRIVATE_USE = 0xF0000
_PLACES = 4096


@lru_cache(maxsize=8)
def _codepoints(names: tuple[str, ...]) -> dict[str, int]:
    taken: set[int] = set()
    found = {}
    places = max(_PLACES, 2 * len(names))
    for name in sorted(names):
        offset = zlib.crc32(name.encode()) % places
        while offset in taken:
            offset = (offset + 1) % places
        taken.add(offset)
        found[name] = PRIVATE_USE + offset
    return found


def codepoints(names: Iterable[str]) -> dict[str, int]:
    """Icon name → its private-use character. A name keeps its character when icons come and go."""
    return _codepoints(tuple(sorted(names)))


def icon_markup(name: str, icons: Iterable[str]) -> Markup:
    """One icon as HTML."""
    return Markup(f'<span class="icon icon-{name}">&#x{codepoints(icons)[name]:x};</span>')


class CardText(str):
    """A card's text in one language: a plain text to code, HTML to a template that prints it."""

    __slots__ = ("icons",)

    icons: tuple[str, ...]

    def __new__(cls, text: str, icons: tuple[str, ...]) -> CardText:
        made = super().__new__(cls, text)
        made.icons = icons
        return made

    def __html__(self) -> str:
        return str(markup(str(self), self.icons))


def markup(text: str, icons: tuple[str, ...]) -> Markup:
    """The text as HTML. Tokens of unknown icons stay as they are; `icon_problems` names them."""
    html = str(escape(text.rstrip("\n")))
    html = _BOLD.sub(r"<b>\1</b>", html)
    html = _ITALIC.sub(r"<i>\1</i>", html)
    html = _TIED.sub(_tied, html).replace("\n", "<br>")
    known = frozenset(icons)
    return Markup(
        _TOKEN.sub(
            lambda match: str(icon_markup(match[1], icons)) if match[1] in known else match[0],
            html,
        )
    )


def localised(value: Value, language: str, icons: tuple[str, ...]) -> Any:
    """A value as templates see it: texts in one language, references as ids."""
    if isinstance(value, Text):
        return CardText(value[language], icons)
    if isinstance(value, Mapping):
        return {key: localised(child, language, icons) for key, child in value.items()}
    if isinstance(value, tuple):
        return tuple(localised(child, language, icons) for child in value)
    return value.piece if isinstance(value, Reference) else value


def emoji_as_icons(text: str, emoji: Mapping[str, str]) -> str:
    """The text with the tokens of icons in place of the emoji that stand for them."""
    for sign, icon in emoji.items():
        if sign in text:
            text = text.replace(f"{sign}\ufe0f", f"{{{icon}}}").replace(sign, f"{{{icon}}}")
    return text


def _tied(match: re.Match[str]) -> str:
    # WeasyPrint breaks a line much too early when the text around an icon may not break.
    return f'<span class="tied">{match[0]}</span>' if "\u00a0" in match[0] else match[0]


def icon_problems(game: Game) -> list[Problem]:
    """Every `{token}` in a text that names no icon."""
    return [
        Problem(
            text.source, f"no icon '{name}' in art/icons{did_you_mean(name, game.icons)}", "icon"
        )
        for text in _texts(game)
        for language in text
        for name in _TOKEN.findall(text[language])
        if name not in game.icons
    ]


def _texts(game: Game) -> Iterator[Text]:
    yield from _in_value(game.words)
    for deck in game.decks:
        yield from _in_value((deck.title, deck.constants))
        for piece in deck.pieces:
            yield from _in_value(piece.values)


def _in_value(value: Any) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Mapping):
        for child in value.values():
            yield from _in_value(child)
    elif isinstance(value, tuple):
        for child in value:
            yield from _in_value(child)
