"""Which rules of a stylesheet can concern a face, told without laying anything out.

A rule is left out only where it cannot match: every one of its selectors asks for a class or an
id that stands nowhere in the face. So an edited rule means new prints of the cards that it shows
on, not of every deck that shares the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\s\"'<>=]+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{}]', re.DOTALL)
_NAMED = re.compile(r"[.#]([^\s.#:>+~,]+)")
# What a name may hide in: it then says nothing of what must stand in the face.
_UNCLEAR = re.compile(r"[\[(\\@&]")
_ENGINE = frozenset({"face", "trim"})
"""Classes that the typesetter puts round every face."""


@dataclass(frozen=True)
class Rule:
    """A rule, and the names that each of its selectors needs. Without `needs` it always counts."""

    text: str
    needs: tuple[frozenset[str], ...] = ()

    def concerns(self, names: frozenset[str]) -> bool:
        return not self.needs or any(need <= names for need in self.needs)


@lru_cache(maxsize=64)
def rules(css: str) -> tuple[Rule, ...]:
    """The rules of a stylesheet in their order, comments and line breaks left out."""
    return tuple(_rules(_COMMENT.sub(" ", css)))


def _rules(css: str) -> Iterator[Rule]:
    depth = start = opened = 0
    for match in _TOKEN.finditer(css):
        if match[0] == "{":
            depth += 1
            opened = match.start() if depth == 1 else opened
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                yield _rule(css[start:opened], css[start : match.end()])
                start = match.end()
    rest = " ".join(css[start:].split())
    if rest:
        yield Rule(rest)


def _rule(selectors: str, text: str) -> Rule:
    text = " ".join(text.split())
    if _UNCLEAR.search(selectors):
        return Rule(text)
    return Rule(text, tuple(frozenset(_NAMED.findall(each)) for each in selectors.split(",")))


def words(html: str) -> frozenset[str]:
    """All that a selector can go by in that HTML: names of elements, classes, ids and values."""
    return frozenset(_WORD.findall(html))


def concerning(styles: Iterable[str], standing: frozenset[str]) -> str:
    """What of the stylesheets can concern a face in which these words stand."""
    return meeting((rule for css in styles for rule in rules(css)), standing)


def meeting(listed: Iterable[Rule], standing: frozenset[str]) -> str:
    """What of those rules can concern a face in which these words stand."""
    names = standing | _ENGINE
    return "\n".join(rule.text for rule in listed if rule.concerns(names))
