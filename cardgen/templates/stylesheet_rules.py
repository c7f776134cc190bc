"""Rules of stylesheets that may apply to a face, and custom properties of CSS.

A rule is left out only if every one of its selectors needs a class or an id that the face does not
contain. So an edited rule changes the cards that it applies to, not every deck with the stylesheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cardgen.core.problems import did_you_mean

_WORD = re.compile(r"[^\s\"'<>=]+")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*+"?|\'(?:\\.|[^\'\\])*+\'?|[{}]', re.DOTALL)
_CLASS_OR_ID = re.compile(r"[.#]([^\s.#:>+~,]+)")
# Selectors with these characters may match without the classes and ids that they name.
_UNCLEAR = re.compile(r"[\[(\\@&]")
_ENGINE_CLASSES = frozenset({"face", "trim"})
"""Classes of the elements that the typesetter adds around every face."""


@dataclass(frozen=True)
class StyleRule:
    """A rule with the classes and ids that each of its selectors needs; none for unclear ones."""

    text: str
    needs: tuple[frozenset[str], ...] = ()

    def applies_to(self, names: frozenset[str]) -> bool:
        return not self.needs or any(need <= names for need in self.needs)


@lru_cache(maxsize=64)
def parse_stylesheet(css: str) -> tuple[StyleRule, ...]:
    """Return the rules of a stylesheet in order, without comments and line breaks."""
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
    """Return all words of HTML that a selector may match: elements, classes, ids and values."""
    return frozenset(_WORD.findall(html))


def select_styles(styles: Iterable[str], words: frozenset[str]) -> str:
    """Return the rules of stylesheets that may apply to a face with these words."""
    return select_rules((rule for css in styles for rule in parse_stylesheet(css)), words)


def select_rules(rules: Iterable[StyleRule], words: frozenset[str]) -> str:
    """Return those of the rules that may apply to a face with these words."""
    names = words | _ENGINE_CLASSES
    return "\n".join(rule.text for rule in rules if rule.applies_to(names))


FACE_VARIABLES = ("--bleed", "--safe", "--trim-height", "--trim-width")
"""Custom properties that cardgen sets on faces."""
BOOK_VARIABLES = (
    "--accent", "--beside", "--code", "--display", "--display-weight", "--full", "--hang",
    "--in-box", "--ink-of-book", "--measure", "--on-accent", "--paper", "--rule", "--side",
    "--tint", "--unbox",
)  # fmt: skip
"""Custom properties that cardgen sets on rulebooks."""
_USE = re.compile(r"\bvar\(\s*(--[\w-]+)\s*\)")
_DEFINITION = re.compile(r"(?<![\w-])(--[\w-]+)\s*:")


def list_colour_variables(colours: Mapping[str, str] | Iterable[str]) -> set[str]:
    """Return the custom properties for the colours of a game."""
    return {f"--{name}" for name in colours}


def find_definitions(text: str) -> set[str]:
    """Return the custom properties that CSS, HTML or a template sets."""
    return set(_DEFINITION.findall(text)) if "--" in text else set()


def find_uses(css: str) -> Iterator[tuple[str, int]]:
    """Yield custom properties that CSS uses without a fallback, with their positions."""
    if "var(" not in css:
        return
    plain = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), css)
    for match in _USE.finditer(plain):
        yield match[1], match.start()


def explain_unknown_variable(name: str, known: Iterable[str]) -> str:
    """Return the message about a custom property that nothing sets."""
    # The common prefix would make any two names similar.
    hint = did_you_mean(name[2:], (other[2:] for other in known)).replace(" '", " '--")
    return f"var({name}) is not set anywhere, so its declaration has no effect{hint}"
