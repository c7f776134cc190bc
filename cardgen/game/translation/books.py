"""Rulebooks and their translation: a file for each language, translated as a whole.

What can be told of them is which chapters a translation has, by their headings' order.
"""

from __future__ import annotations

import re

from cardgen.base import paths
from cardgen.game.inventory import counted
from cardgen.game.model import Game

_HEADING = re.compile(r"^(#{1,4})\s+\S", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def told(game: Game, language: str) -> str:
    """How the rulebook of a language stands beside the source's; "" for a game without one."""
    source = game.languages[0]
    first, other = (_headings(game, code) for code in (source, language))
    if first is None:
        return ""
    name = f"rulebook/{language}.md"
    if other is None:
        return f"the rulebook is a file of its own, and missing: {name}, from rulebook/{source}.md"
    if first == other:
        return f"rulebook/{language}.md has all of {counted(len(first), 'heading')}"
    return f"{name} has {counted(len(other), 'heading')}, rulebook/{source}.md {len(first)}"


def _headings(game: Game, language: str) -> list[int] | None:
    """The levels of a book's headings, in their order; None where there is no book."""
    name = f"rulebook/{language}.md"
    if not paths.there(game.root, name):
        return None
    text, why = paths.read_text(game.root, name)
    return None if why else [len(found[1]) for found in _HEADING.finditer(_FENCE.sub("", text))]
