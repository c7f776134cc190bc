"""What a book refers to: its headings with their numbers, its figures, its title."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote

from markdown_it.token import Token

from cardgen.book.markdown import attributes, plain

DEEPEST_NUMBER = 3
_OWN_NUMBER = re.compile(r"\(?(\d+|[IVXLC]+|[A-Z])[.)](\s|\d|\Z)|\d+(\.\d+)*\s")
Tell = Callable[[int, str, str], None]
"""Called with a line, what is wrong there and how much: error or warning."""


@dataclass
class Heading:
    """A heading: how deep it stands among the others (from 1), and its number or ""."""

    name: str
    text: str
    depth: int
    line: int
    number: str = ""
    new_page: bool = False
    picture: str = ""
    opener: bool = False
    running: bool = False
    tokens: list[Token] = field(default_factory=list)


@dataclass
class Target:
    """What a reference may name. `kind` is the word it is called by, section or figure."""

    kind: str
    number: str
    text: str
    line: int


@dataclass
class Outline:
    """The headings of a book by their opening token, and all that references may name."""

    title: str = ""
    headings: dict[int, Heading] = field(default_factory=dict)
    targets: dict[str, Target] = field(default_factory=dict)
    numbered: bool = True

    def add(self, name: str, target: Target, tell: Tell) -> bool:
        """Enter a name; False, and told, when something has it already."""
        if name in self.targets:
            first = self.targets[name].line
            tell(target.line, f"the name '{name}' stands twice, first {first}", "error")
            return False
        self.targets[name] = target
        return True


def slug(text: str) -> str:
    """The name of a heading without one of its own, as code forges make it."""
    kept = re.sub(r"[^\w\- ]", "", text.lower().replace("\u00ad", ""))
    return kept.strip().replace(" ", "-")


def wanted(href: str) -> str:
    """The name that a link to a place in the book asks for."""
    return unquote(href.removeprefix("#"))


def outline(
    tokens: list[Token], game_title: str, given_title: str, numbered: bool | None, tell: Tell
) -> tuple[list[Token], Outline]:
    """The tokens less the title's heading, and the outline of the rest."""
    found = Outline(given_title)
    pairs = [(a, b) for a, b in pairwise(tokens) if a.type == "heading_open" and b.type == "inline"]
    tops = [inline for opening, inline in pairs if opening.tag == "h1"]
    first = plain(pairs[0][1].children or []) if pairs and pairs[0][0].tag == "h1" else ""
    is_title = bool(first) and (len(tops) == 1 or first in (game_title, given_title))
    if is_title:
        attributes(pairs[0][1])
        found.title = given_title or plain(pairs[0][1].children or [])
        start = tokens.index(pairs[0][0])
        tokens = tokens[:start] + tokens[start + 3 :]
        pairs = pairs[1:]
    found.title = found.title or game_title
    own = [plain(inline.children or []) for _, inline in pairs]
    by_hand = sum(bool(_OWN_NUMBER.match(text)) for text in own)
    found.numbered = numbered if numbered is not None else by_hand * 2 <= len(own)
    for (opening, inline), depth in zip(pairs, _depths(pairs), strict=True):
        _enter(found, opening, inline, depth, tell)
    _number(list(found.headings.values()), found)
    return tokens, found


def _depths(pairs: list[tuple[Token, Token]]) -> Iterator[int]:
    """How deep each heading stands: a level that is skipped counts for nothing."""
    stack: list[int] = []
    for opening, _ in pairs:
        level = int(opening.tag[1])
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        yield len(stack)


def _enter(found: Outline, opening: Token, inline: Token, depth: int, tell: Tell) -> None:
    attrs = {**{key: str(value) for key, value in opening.attrs.items()}, **attributes(inline)}
    text = plain(inline.children or [])
    line = opening.map[0] if opening.map else 0
    classes = attrs.get("class", "").split()
    heading = Heading(attrs.get("id", ""), text, depth, line, tokens=inline.children or [])
    heading.picture = attrs.get("picture", "")
    heading.running = "running" in classes
    heading.opener = "opener" in classes or bool(heading.picture and not heading.running)
    heading.new_page = "page" in classes or heading.opener
    heading.number = "" if "unnumbered" in classes or not text else "?"
    given = bool(heading.name)
    base = heading.name or slug(text) or "section"
    heading.name, count = base, 1
    while not given and heading.name in found.targets:
        heading.name, count = f"{base}-{count}", count + 1
    if not found.add(heading.name, Target("section", "", text, line), tell):
        heading.name = ""
    found.headings[id(opening)] = heading


def _number(headings: list[Heading], found: Outline) -> None:
    counters: list[int] = []
    silent = 0
    for heading in headings:
        if silent and heading.depth > silent:
            heading.number = ""  # a part of what is not numbered
            continue
        silent = 0
        if not heading.number or not found.numbered or heading.depth > DEEPEST_NUMBER:
            silent = 0 if heading.number else heading.depth
            heading.number = ""
            continue
        del counters[heading.depth :]
        counters += [0] * (heading.depth - len(counters))
        counters[heading.depth - 1] += 1
        heading.number = ".".join(map(str, counters))
        if heading.name:
            found.targets[heading.name].number = heading.number
