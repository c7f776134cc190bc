"""Keywords: whole words of card texts that are printed as icons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from unicodedata import category

from cardgen.core.problems import Problem, Source, Subject

MAX_KEYWORDS = 500
MAX_KEYWORD_CHARACTERS = 100
# What a keyword is not looked for in: icons, escaped signs, what looks like a tag or an entity.
_SKIPPED = r"\\[{}*_<&\\]|\{[^{}\n]*\}|<[^<>\n]*>|&#?\w{1,31};"
# Signs within a word: hyphens of both kinds, joiners, apostrophes.
_WORD_JOINERS = frozenset("-'’\u00ad\u200c\u200d\u2011")
_MARKUP_CHARACTERS = frozenset("{}*<>&\\\n")


@dataclass
class Keywords:
    """Words with the icons printed in their place; `places_by_word` counts where they occur."""

    icons: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    places_by_word: dict[str, dict[str, int]] = field(default_factory=dict)

    def insert_icons(self, text: str, where: Subject) -> str:
        """Return a text with icon tokens in place of keywords that stand alone.

        A keyword behind a backslash stays a word, without the backslash.
        """
        if not self.icons:
            return text

        parts, at = [""][:0], 0
        while match := self._word_pattern.search(text, at):
            replacement, end = self._replace_match(match, where)
            parts += text[at : match.start()], replacement
            at = end
        return "".join(parts) + text[at:]

    def _replace_match(self, match: re.Match[str], where: Subject) -> tuple[str, int]:
        """Return what is printed for a match, and where the search continues."""
        group = "word" if match["word"] else "plain"
        if match[group] is None:
            return match[0], match.end()
        word, start = self._find_whole_word(match, group), match.start()
        end = match.start(group) + (len(word) or 1)
        if not word:
            return match.string[start:end], end
        if group == "plain":
            return word, end
        places = self.places_by_word.setdefault(word, {})
        places[str(where)] = places.get(str(where), 0) + 1
        return f"{{{self.icons[word]}}}", end

    def _find_whole_word(self, match: re.Match[str], group: str) -> str:
        """Return the longest keyword at a match that is a whole word; "" if there is none."""
        text, start = match.string, match.start(group)
        if _continues_word(text[max(0, match.start() - 2) : match.start()][::-1]):
            return ""
        for end in (start + length for length in self._word_lengths):
            if text[start:end] in self.icons and not _continues_word(text[end : end + 2]):
                return text[start:end]
        return ""

    @cached_property
    def _word_lengths(self) -> list[int]:
        return sorted({len(word) for word in self.icons}, reverse=True)

    @cached_property
    def _word_pattern(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, sorted(self.icons, key=len, reverse=True)))
        return re.compile(rf"{_SKIPPED}|\\(?P<plain>{words})|(?P<word>{words})")

    def report_unused(self) -> list[Problem]:
        """Return a warning for each keyword that occurs in no text."""
        return [
            Problem(
                source,
                f"the keyword '{word}' is in no card text; correct the word, or remove it",
                "fields",
                "warning",
            )
            for word, source in self.sources.items()
            if word not in self.places_by_word
        ]


def check_keyword(word: str) -> str:
    """Return why a word cannot be a keyword; "" if it can."""
    if not any(sign.isalnum() for sign in word) or word != word.strip():
        return f"'{word}' is not a word"
    if _MARKUP_CHARACTERS & set(word):
        return f"'{word}' has a character that is markup in texts"
    return (
        ""
        if len(word) <= MAX_KEYWORD_CHARACTERS
        else f"a keyword has {MAX_KEYWORD_CHARACTERS} letters at most"
    )


def _continues_word(signs: str) -> bool:
    """Return whether a word continues with the next characters, nearest first: with a letter or a
    digit, also behind a hyphen or an apostrophe."""
    next_one, beyond = signs[:1], signs[1:2]
    if next_one in _WORD_JOINERS:
        return beyond.isalnum()
    joined = next_one.isalnum() or next_one == "_"
    return bool(next_one) and (joined or category(next_one).startswith("M"))
