"""Which rules of a stylesheet can concern a face, told without laying anything out.

A rule is left out only where it cannot match: every one of its selectors asks for a class or an
id that stands nowhere in the face. So an edited rule means new prints of the cards that it shows
on, not of every deck that shares the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cardgen.core.problems import did_you_mean

_WORD = re.compile(r"[^\s\"'<>=]+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{}]', re.DOTALL)
_CLASS_OR_ID = re.compile(r"[.#]([^\s.#:>+~,]+)")
# What a name may hide in: it then says nothing of what must stand in the face.
_UNCLEAR = re.compile(r"[\[(\\@&]")
_ENGINE_CLASSES = frozenset({"face", "trim"})
"""Classes that the typesetter puts round every face."""


@dataclass(frozen=True)
class StyleRule:
    """A rule, and the names that each of its selectors needs. Without `needs` it always counts."""

    text: str
    needs: tuple[frozenset[str], ...] = ()

    def applies_to(self, names: frozenset[str]) -> bool:
        return not self.needs or any(need <= names for need in self.needs)


@lru_cache(maxsize=64)
def parse_stylesheet(css: str) -> tuple[StyleRule, ...]:
    """The rules of a stylesheet in their order, comments and line breaks left out."""
    return tuple(_split_rules(_COMMENT.sub(" ", css)))


def _split_rules(css: str) -> Iterator[StyleRule]:
    depth = start = opened = 0
    for match in _TOKEN.finditer(css):
        if match[0] == "{":
            depth += 1
            opened = match.start() if depth == 1 else opened
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                yield _parse_style_rule(css[start:opened], css[start : match.end()])
                start = match.end()
    rest = " ".join(css[start:].split())
    if rest:
        yield StyleRule(rest)


def _parse_style_rule(selectors: str, text: str) -> StyleRule:
    text = " ".join(text.split())
    if _UNCLEAR.search(selectors):
        return StyleRule(text)
    return StyleRule(
        text, tuple(frozenset(_CLASS_OR_ID.findall(each)) for each in selectors.split(","))
    )


def collect_words(html: str) -> frozenset[str]:
    """All that a selector can go by in that HTML: names of elements, classes, ids and values."""
    return frozenset(_WORD.findall(html))


def select_styles(styles: Iterable[str], standing: frozenset[str]) -> str:
    """What of the stylesheets can concern a face in which these words stand."""
    return select_rules((rule for css in styles for rule in parse_stylesheet(css)), standing)


def select_rules(listed: Iterable[StyleRule], standing: frozenset[str]) -> str:
    """What of those rules can concern a face in which these words stand."""
    names = standing | _ENGINE_CLASSES
    return "\n".join(rule.text for rule in listed if rule.applies_to(names))


FACE_VARIABLES = ("--bleed", "--safe", "--trim-height", "--trim-width")
"""Those that cardgen itself gives to faces."""
BOOK_VARIABLES = (
    "--accent", "--beside", "--display", "--display-weight", "--full", "--hang", "--in-box",
    "--ink-of-book", "--measure", "--on-accent", "--paper", "--rule", "--side", "--tint", "--unbox",
)  # fmt: skip
"""Those that it gives to books."""
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_USE = re.compile(r"\bvar\(\s*(--[\w-]+)\s*\)")
_DEFINITION = re.compile(r"(?<![\w-])(--[\w-]+)\s*:")


def list_colour_variables(colours: Mapping[str, str] | Iterable[str]) -> set[str]:
    """The properties that colours of a game are."""
    return {f"--{name}" for name in colours}


def find_definitions(text: str) -> set[str]:
    """The properties that a stylesheet, or HTML or a template, sets."""
    return set(_DEFINITION.findall(text)) if "--" in text else set()


def find_uses(css: str) -> Iterator[tuple[str, int]]:
    """The properties that CSS uses with nothing to fall back on, and where."""
    if "var(" not in css:
        return
    plain = _CSS_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), css)
    for match in _USE.finditer(plain):
        yield match[1], match.start()


def explain_unknown_variable(name: str, known: Iterable[str]) -> str:
    """What is told of a property that nothing sets."""
    # All begin alike, which would make any two of them near.
    hint = did_you_mean(name[2:], (other[2:] for other in known)).replace(" '", " '--")
    return f"var({name}) is set nowhere, so its declaration has no effect{hint}"
