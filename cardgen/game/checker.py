"""The checker of a game's files: it reads texts in every language and collects problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardgen.core.problems import WHOLE_GAME, Problem, Severity, Source, Subject, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game.card_text import replace_emoji
from cardgen.game.keywords import Keywords
from cardgen.game.model import Field, Text, Value

FallbackCounts = Counter[tuple[str, str]]
"""Number of texts that are printed in the source language instead, by deck and language."""
MAX_NAMED_DECKS = 3
"""Maximum number of decks that a warning about missing texts names."""


@dataclass
class Checker:
    """Checks nodes against the names that a game has, and collects problems."""

    languages: tuple[str, ...]
    icons: Iterable[str]
    colours: Iterable[str]
    problems: list[Problem] = field(default_factory=list)
    emoji: Mapping[str, str] = field(default_factory=dict)
    keywords: Keywords = field(default_factory=Keywords)
    subject: Subject = WHOLE_GAME
    """The deck or card whose nodes are being checked."""
    fallback_counts: FallbackCounts | None = None
    """Counts texts that are missing in a language; None if a missing text is an error."""

    def report(
        self, source: Source, message: str, kind: str, language: str = "",
        severity: Severity = "error",
    ) -> None:  # fmt: skip
        subject = replace(self.subject, language=language) if language else self.subject
        self.problems.append(Problem(source, message, kind, severity, subject))

    def read_text(self, node: Node, what: str) -> Text:
        """Return a text in every language. A text without languages is in the first one."""
        example = f"{{{', '.join(f'{language}: …' for language in self.languages)}}}"
        by_language: dict[str, str] = {}
        lines = {language: child.source for language, child in node.items()}
        if node.is_scalar and node.value is not None:
            by_language[self.languages[0]] = node.text
            for language in self.languages[1:]:
                self._report_missing(
                    node, what, language, f"; in several languages it is written {example}"
                )
        elif node.is_scalar and node.value is None:
            self.report(node.source, f"{what} is empty; write it, or leave it out", "type")
        elif not node.is_mapping:
            message = f"{what} is {node.describe()}; a text is written {example}"
            self.report(node.source, message, "type")
        elif node.quoting_hint and not any(language in node.value for language in self.languages):
            self.report(node.source, f"{what} is {node.describe()}{node.quoting_hint}", "type")
        else:
            by_language = self._read_languages(node, what)
        fallbacks = self._find_fallbacks(by_language)
        filled = {
            language: replace_emoji(
                by_language.get(fallbacks.get(language, language), ""), self.emoji
            )
            for language in self.languages
        }
        return Text(filled, node.source, lines, fallbacks)

    def _find_fallbacks(self, found: Mapping[str, str]) -> dict[str, str]:
        """Return the language that is printed in place of each language without the text."""
        first = self.languages[0]
        if self.fallback_counts is None or first not in found:
            return {}
        return {language: first for language in self.languages if language not in found}

    def _report_missing(self, node: Node, what: str, language: str, how: str = "") -> None:
        """Report a text that is missing in a language, or count it if the first language has it."""
        first = self.languages[0]
        if self.fallback_counts is not None and (node.is_scalar or node.get(first) is not None):
            self.fallback_counts[self.subject.deck, language] += 1
        else:
            self.report(node.source, f"{what} has no text{how}", "language", language)

    def _read_languages(self, node: Node, what: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for language, value in node.items():
            if language not in self.languages:
                hint = did_you_mean(language, self.languages)
                if value.value is None and " " in language:
                    hint = "; a text with a comma in it needs quotes"
                self.report(
                    node.keys[language], f"{what}: unknown language '{language}'{hint}", "language"
                )
            elif not value.is_scalar or value.value is None:
                message = f"{what} is {value.describe()}, not a text{value.quoting_hint}"
                self.report(value.source, message, "type", language)
                found[language] = ""
            else:
                found[language] = value.text
        for language in self.languages:
            if language not in found:
                self._report_missing(node, what, language)
        self._report_empty(node, found, what)
        return found

    def _report_empty(self, node: Node, found: Mapping[str, str], what: str) -> None:
        """Report a text that is empty in one language only."""
        filled = [language for language in found if found[language].strip()]
        for language, value in node.items():
            if filled and language in found and value.value is not None and not value.text.strip():
                message = f"{what} is empty in {language}, and in {filled[0]} it is not"
                self.report(value.source, message, "language", language, "warning")

    def report_unexpected(self, node: Node, declared: Field, what: str, expected: str) -> Value:
        """Report a value of the wrong type. Return the field's default."""
        message = f"{what} is {node.describe()}{node.quoting_hint or f'; expected {expected}'}"
        self.report(node.source, message, "type")
        return declared.default


def report_fallback_texts(
    missing: Mapping[tuple[str, str], int], source: str, head: Node
) -> Iterator[Problem]:
    """Yield a warning for each language with missing texts: their number and their decks.

    `head` is the node of game.yaml, which has `fallback: true`.
    """
    for language in dict.fromkeys(language for _, language in missing):
        counts = {deck: count for (deck, code), count in missing.items() if code == language}
        most = sorted(counts, key=lambda deck: (-counts[deck], deck))
        named = ", ".join(
            f"{deck or 'game.yaml'} {counts[deck]}" for deck in most[:MAX_NAMED_DECKS]
        )
        named += (
            f" and {len(most) - MAX_NAMED_DECKS} decks more" if len(most) > MAX_NAMED_DECKS else ""
        )
        total = sum(counts.values())
        texts = "1 text is" if total == 1 else f"{total} texts are"
        message = (
            f"{texts} missing in {language}, and printed in {source} instead ({named}); "
            "'cardgen texts' tells which"
        )
        at = head.value["fallback"].source
        yield Problem(at, message, "language", "warning", Subject(language=language))
