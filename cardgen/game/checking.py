"""What is read of a game's files, checked: texts in every language, and all that is wrong told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardgen.base.problems import NOBODY, Problem, Severity, Source, Subject, did_you_mean
from cardgen.base.yamlnodes import Node
from cardgen.game.keywords import Keywords
from cardgen.game.model import Field, Text, Value
from cardgen.game.texts import emoji_as_icons

Lent = Counter[tuple[str, str]]
"""Deck and language → how many texts of another language stand in that one."""
_NAMED = 3
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
    subject: Subject = NOBODY
    """The deck or card at which the checker is."""
    lent: Lent | None = None
    """Where a text that a language lacks is counted, and the source's stands in its place; None
    where it is a mistake."""

    def problem(
        self, source: Source, message: str, kind: str, language: str = "",
        severity: Severity = "error",
    ) -> None:  # fmt: skip
        subject = replace(self.subject, language=language) if language else self.subject
        self.problems.append(Problem(source, message, kind, severity, subject))

    def text(self, node: Node, what: str) -> Text:
        """A text in every language. One that names no language is in the first alone."""
        asked = f"{{{', '.join(f'{language}: …' for language in self.languages)}}}"
        by_language: dict[str, str] = {}
        lines = {language: child.source for language, child in node.items()}
        if node.is_scalar and node.value is not None:
            by_language[self.languages[0]] = node.text
            for language in self.languages[1:]:
                self._lacks(node, what, language, f"; in several languages it is written {asked}")
        elif node.is_scalar and node.value is None:
            self.problem(node.source, f"{what} is empty; write it, or leave it out", "type")
        elif not node.is_mapping:
            message = f"{what} is {node.describe()}; a text is written {asked}"
            self.problem(node.source, message, "type")
        elif node.quotes and not any(language in node.value for language in self.languages):
            self.problem(node.source, f"{what} is {node.describe()}{node.quotes}", "type")
        else:
            by_language = self._languages_of(node, what)
        lent = self._lent(by_language)
        filled = {
            language: emoji_as_icons(by_language.get(lent.get(language, language), ""), self.emoji)
            for language in self.languages
        }
        return Text(filled, node.source, lines, lent)

    def _lent(self, found: Mapping[str, str]) -> dict[str, str]:
        """Of each language that lacks the text, the one that stands in its place."""
        first = self.languages[0]
        if self.lent is None or first not in found:
            return {}
        return {language: first for language in self.languages if language not in found}

    def _lacks(self, node: Node, what: str, language: str, how: str = "") -> None:
        """A text that a language lacks, told; or counted, where the first language has it."""
        first = self.languages[0]
        if self.lent is not None and (node.is_scalar or node.get(first) is not None):
            self.lent[self.subject.deck, language] += 1
        else:
            self.problem(node.source, f"{what} has no text{how}", "language", language)

    def _languages_of(self, node: Node, what: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for language, value in node.items():
            if language not in self.languages:
                hint = did_you_mean(language, self.languages)
                if value.value is None and " " in language:
                    hint = "; a text with a comma in it needs quotes"
                self.problem(
                    node.keys[language], f"{what}: unknown language '{language}'{hint}", "language"
                )
            elif not value.is_scalar or value.value is None:
                message = f"{what} is {value.describe()}, not a text{value.quotes}"
                self.problem(value.source, message, "type", language)
                found[language] = ""
            else:
                found[language] = value.text
        for language in self.languages:
            if language not in found:
                self._lacks(node, what, language)
        self._tell_empty(node, found, what)
        return found

    def _tell_empty(self, node: Node, found: Mapping[str, str], what: str) -> None:
        """A text that says something in one language and nothing in another."""
        said = [language for language in found if found[language].strip()]
        for language, value in node.items():
            if said and language in found and value.value is not None and not value.text.strip():
                message = f"{what} is empty in {language}, and in {said[0]} it is not"
                self.problem(value.source, message, "language", language, "warning")

    def expected(self, node: Node, declared: Field, what: str, expected: str) -> Value:
        message = f"{what} is {node.describe()}{node.quotes or f'; {expected}'}"
        self.problem(node.source, message, "type")
        return declared.default


def lent_texts(lent: Mapping[tuple[str, str], int], source: str, head: Node) -> Iterator[Problem]:
    """A warning for each language that lacks texts: how many, and of which decks. `head` is
    game.yaml, which allows it."""
    for language in dict.fromkeys(language for _, language in lent):
        counts = {deck: count for (deck, code), count in lent.items() if code == language}
        most = sorted(counts, key=lambda deck: (-counts[deck], deck))
        named = ", ".join(f"{deck or 'game.yaml'} {counts[deck]}" for deck in most[:_NAMED])
        named += f" and {len(most) - _NAMED} decks more" if len(most) > _NAMED else ""
        total = sum(counts.values())
        lacks = "1 text is" if total == 1 else f"{total} texts are"
        message = (
            f"{lacks} missing in {language}, and printed in {source} instead ({named}); "
            "'cardgen texts' tells which"
        )
        at = head.value["fallback"].source
        yield Problem(at, message, "language", "warning", Subject(language=language))
