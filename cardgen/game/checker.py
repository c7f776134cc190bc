"""What is read of a game's files, checked: texts in every language, and all that is wrong told."""

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
"""Deck and language → how many texts of another language stand in that one."""
MAX_NAMED_DECKS = 3
"""So many decks are named that lack texts."""


@dataclass
class Checker:
    """Checks nodes against what a game has and collects what is wrong with them."""

    languages: tuple[str, ...]
    icons: Iterable[str]
    colours: Iterable[str]
    problems: list[Problem] = field(default_factory=list)
    emoji: Mapping[str, str] = field(default_factory=dict)
    keywords: Keywords = field(default_factory=Keywords)
    subject: Subject = WHOLE_GAME
    """The deck or card at which the checker is."""
    fallback_counts: FallbackCounts | None = None
    """Where a text that a language lacks is counted, and the source's stands in its place; None
    where it is a mistake."""

    def report(
        self, source: Source, message: str, kind: str, language: str = "",
        severity: Severity = "error",
    ) -> None:  # fmt: skip
        subject = replace(self.subject, language=language) if language else self.subject
        self.problems.append(Problem(source, message, kind, severity, subject))

    def read_text(self, node: Node, what: str) -> Text:
        """A text in every language. One that names no language is in the first alone."""
        asked = f"{{{', '.join(f'{language}: …' for language in self.languages)}}}"
        by_language: dict[str, str] = {}
        lines = {language: child.source for language, child in node.items()}
        if node.is_scalar and node.value is not None:
            by_language[self.languages[0]] = node.text
            for language in self.languages[1:]:
                self._report_missing(
                    node, what, language, f"; in several languages it is written {asked}"
                )
        elif node.is_scalar and node.value is None:
            self.report(node.source, f"{what} is empty; write it, or leave it out", "type")
        elif not node.is_mapping:
            message = f"{what} is {node.describe()}; a text is written {asked}"
            self.report(node.source, message, "type")
        elif node.quoting_hint and not any(language in node.value for language in self.languages):
            self.report(node.source, f"{what} is {node.describe()}{node.quoting_hint}", "type")
        else:
            by_language = self._read_languages(node, what)
        lent = self._find_fallbacks(by_language)
        filled = {
            language: replace_emoji(by_language.get(lent.get(language, language), ""), self.emoji)
            for language in self.languages
        }
        return Text(filled, node.source, lines, lent)

    def _find_fallbacks(self, found: Mapping[str, str]) -> dict[str, str]:
        """Of each language that lacks the text, the one that stands in its place."""
        first = self.languages[0]
        if self.fallback_counts is None or first not in found:
            return {}
        return {language: first for language in self.languages if language not in found}

    def _report_missing(self, node: Node, what: str, language: str, how: str = "") -> None:
        """A text that a language lacks, told; or counted, where the first language has it."""
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
        """A text that says something in one language and nothing in another."""
        said = [language for language in found if found[language].strip()]
        for language, value in node.items():
            if said and language in found and value.value is not None and not value.text.strip():
                message = f"{what} is empty in {language}, and in {said[0]} it is not"
                self.report(value.source, message, "language", language, "warning")

    def report_unexpected(self, node: Node, declared: Field, what: str, expected: str) -> Value:
        """Report a value of the wrong type. Return the field's default."""
        message = f"{what} is {node.describe()}{node.quoting_hint or f'; expected {expected}'}"
        self.report(node.source, message, "type")
        return declared.default


def report_fallback_texts(
    lent: Mapping[tuple[str, str], int], source: str, head: Node
) -> Iterator[Problem]:
    """A warning for each language that lacks texts: how many, and of which decks. `head` is
    game.yaml, which allows it."""
    for language in dict.fromkeys(language for _, language in lent):
        counts = {deck: count for (deck, code), count in lent.items() if code == language}
        most = sorted(counts, key=lambda deck: (-counts[deck], deck))
        named = ", ".join(
            f"{deck or 'game.yaml'} {counts[deck]}" for deck in most[:MAX_NAMED_DECKS]
        )
        named += (
            f" and {len(most) - MAX_NAMED_DECKS} decks more" if len(most) > MAX_NAMED_DECKS else ""
        )
        total = sum(counts.values())
        lacks = "1 text is" if total == 1 else f"{total} texts are"
        message = (
            f"{lacks} missing in {language}, and printed in {source} instead ({named}); "
            "'cardgen texts' tells which"
        )
        at = head.value["fallback"].source
        yield Problem(at, message, "language", "warning", Subject(language=language))
