"""Outline of a book: headings with numbers, and targets of references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote

from markdown_it.token import Token

from cardgen.book.markdown_parser import extract_text, format_spoken_text, take_attributes

MAX_NUMBERED_DEPTH = 3
_OWN_NUMBER_PATTERN = re.compile(r"\(?(\d+|[IVXLC]+|[A-Z])[.)](\s|\d|\Z)|\d+(\.\d+)*\s")
ReportReference = Callable[[int, str, str], None]
"""Called with a line, a message and its severity."""


@dataclass
class Heading:
    """A heading, its depth among the others (from 1) and its number, "" for none."""

    name: str
    text: str
    depth: int
    line: int
    number: str = ""
    starts_page: bool = False
    picture: str = ""
    is_opener: bool = False
    is_running: bool = False
    tokens: list[Token] = field(default_factory=list)


@dataclass
class ReferenceTarget:
    """Target of references. `kind` is the word before its number, section or figure."""

    kind: str
    number: str
    text: str
    line: int


@dataclass
class BookOutline:
    """Headings of a book by their opening token, and all targets of references."""

    title: str = ""
    headings: dict[int, Heading] = field(default_factory=dict)
    targets: dict[str, ReferenceTarget] = field(default_factory=dict)
    numbered: bool = True

    def add_target(self, name: str, target: ReferenceTarget, report: ReportReference) -> bool:
        """Add a target; report it and return False if its name is taken."""
        if name in self.targets:
            first = self.targets[name].line
            report(target.line, f"the name '{name}' is used twice, first {first}", "error")
            return False
        self.targets[name] = target
        return True


def make_heading_id(text: str) -> str:
    """Return the id of a heading without one of its own, as code forges make it."""
    allowed = re.sub(r"[^\w\- ]", "", text.lower().replace("\u00ad", ""))
    return allowed.strip().replace(" ", "-")


def parse_reference(href: str) -> str:
    """Return the name that a link to a place in the book refers to."""
    return unquote(href.removeprefix("#"))


def build_outline(
    tokens: list[Token],
    game_title: str,
    given_title: str,
    numbered: bool | None,
    report: ReportReference,
) -> tuple[list[Token], BookOutline]:
    """Return the tokens without the title's heading, and the outline of the rest."""
    result = BookOutline(given_title)
    pairs = [(a, b) for a, b in pairwise(tokens) if a.type == "heading_open" and b.type == "inline"]
    tops = [inline for opening, inline in pairs if opening.tag == "h1"]
    first = extract_text(pairs[0][1].children or []) if pairs and pairs[0][0].tag == "h1" else ""
    names = {_fold_title(title) for title in (game_title, given_title) if title}
    is_title = _fold_title(first) in names or bool(first and len(tops) == 1 and not given_title)
    if is_title:
        take_attributes(pairs[0][1])
        result.title = given_title or extract_text(pairs[0][1].children or [])
        start = tokens.index(pairs[0][0])
        tokens = tokens[:start] + tokens[start + 3 :]
        pairs = pairs[1:]
    result.title = result.title or game_title
    title_tokens = [extract_text(inline.children or []) for _, inline in pairs]
    by_hand = sum(bool(_OWN_NUMBER_PATTERN.match(text)) for text in title_tokens)
    result.numbered = numbered if numbered is not None else by_hand * 2 <= len(title_tokens)
    for (opening, inline), depth in zip(pairs, _compute_depths(pairs), strict=True):
        _enter_heading(result, opening, inline, depth, report)
    _number_headings(list(result.headings.values()), result)
    return tokens, result


def _fold_title(title: str) -> str:
    return " ".join(format_spoken_text(title).casefold().split())


def _compute_depths(pairs: list[tuple[Token, Token]]) -> Iterator[int]:
    """Return the depth of each heading, without skipped levels."""
    stack: list[int] = []
    for opening, _ in pairs:
        level = int(opening.tag[1])
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        yield len(stack)


def _enter_heading(
    result: BookOutline, opening: Token, inline: Token, depth: int, report: ReportReference
) -> None:
    attrs = {**{key: str(value) for key, value in opening.attrs.items()}, **take_attributes(inline)}
    text = extract_text(inline.children or [])
    line = opening.map[0] if opening.map else 0
    classes = attrs.get("class", "").split()
    heading = Heading(attrs.get("id", ""), text, depth, line, tokens=inline.children or [])
    heading.picture = attrs.get("picture", "")
    heading.is_running = "running" in classes
    heading.is_opener = "opener" in classes or bool(heading.picture and not heading.is_running)
    heading.starts_page = "page" in classes or heading.is_opener
    heading.number = "" if "unnumbered" in classes or not text else "?"
    own_id = bool(heading.name)
    base = heading.name or make_heading_id(text) or "section"
    heading.name, count = base, 1
    while not own_id and heading.name in result.targets:
        heading.name, count = f"{base}-{count}", count + 1
    if not result.add_target(heading.name, ReferenceTarget("section", "", text, line), report):
        heading.name = ""
    result.headings[id(opening)] = heading


def _number_headings(headings: list[Heading], result: BookOutline) -> None:
    counters: list[int] = []
    silent = 0
    for heading in headings:
        if silent and heading.depth > silent:
            heading.number = ""  # part of an unnumbered section
            continue
        silent = 0
        if not heading.number or not result.numbered or heading.depth > MAX_NUMBERED_DEPTH:
            silent = 0 if heading.number else heading.depth
            heading.number = ""
            continue
        del counters[heading.depth :]
        counters += [0] * (heading.depth - len(counters))
        counters[heading.depth - 1] += 1
        heading.number = ".".join(map(str, counters))
        if heading.name:
            result.targets[heading.name].number = heading.number
