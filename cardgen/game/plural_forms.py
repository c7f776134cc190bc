"""Plural forms: the categories of Unicode's CLDR, and which of them a number has in a language.

`plurals.yaml` holds CLDR's rules for whole numbers as expressions of gettext, which Python's own
gettext evaluates. Babel, which has the rules themselves, would be 33 MB for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

from cardgen.core.yaml_nodes import Node
from cardgen.game.heading_words import load_data_file
from cardgen.game.model import Text

PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_OTHER = "other"
_RULES_FILE = Path(__file__).with_name("plurals.yaml")
_MAX_EXAMPLES, _EXAMPLES_BELOW = 5, 200


def list_categories(language: str) -> tuple[str, ...]:
    """Return the categories that whole numbers have in a language. The last is the fallback."""
    return _find_rule(language)[0]


def get_plural_expression(language: str) -> str:
    """Return a language's rule as an expression of gettext: the index of a number's category."""
    return _find_rule(language)[1]


def find_category(number: float, language: str) -> str:
    """Return the category of a number. One with decimals has `other`."""
    if number != int(number):
        return _OTHER
    return list_categories(language)[_compile_rule(language)(abs(int(number)))]


def format_example_numbers(category: str, language: str) -> str:
    """Return some numbers of a category, such as `2, 3, 4, 22, 23 …`."""
    rule, index = _compile_rule(language), list_categories(language).index(category)
    found = [str(number) for number in range(_EXAMPLES_BELOW) if rule(number) == index]
    return ", ".join(found[:_MAX_EXAMPLES]) + (" …" if len(found) > _MAX_EXAMPLES else "")


def choose_form(
    language: str, number: object, forms: Mapping[str, Any] | None = None, **named: Any
) -> Any:
    """Return the form for a number: `plural(n, words.cards)` or `plural(n, one=…, other=…)`. Raise
    LookupError if there is none."""
    if not isinstance(number, int | float) or isinstance(number, bool):
        raise LookupError(f"plural() counts {number!r}, which is not a number")
    if forms is not None and not isinstance(forms, Mapping):
        raise LookupError(
            f"plural() expects the forms of a word, {{one: …, other: …}}, not '{forms}'"
        )
    given = {**(forms or {}), **named}
    category = find_category(number, language)
    for name in (category, _OTHER, list_categories(language)[-1]):
        if name in given:
            return given[name]
    raise LookupError(f"plural() lacks the form '{category}', which {number} has in {language}")


def has_plural_forms(node: Node, languages: tuple[str, ...]) -> bool:
    """Return whether a word has plural forms instead of languages."""
    names = node.value if node.is_mapping else ()
    return bool(names) and all(name in PLURAL_CATEGORIES for name in names) and not any(
        name in languages for name in names
    )  # fmt: skip


def read_plural_forms(
    node: Node, languages: tuple[str, ...], read_text: Callable[[Node, str], Text], what: str
) -> dict[str, Text]:
    """Read the forms that any of the languages has. A language that lacks a form has its last one
    instead."""
    needed = {name for language in languages for name in list_categories(language)}
    return {
        name: read_text(fill_form(node, name, languages), f"{what}.{name}")
        for name in PLURAL_CATEGORIES
        if name in needed or name in node.value
    }


def fill_form(node: Node, category: str, languages: tuple[str, ...]) -> Node:
    """Return the texts of a form by language, with the last form of languages that lack it."""
    own = _read_languages(node.get(category), languages[0])
    texts = dict(own)
    for language in languages:
        known = list_categories(language)
        if category not in known and language not in own:
            last = _read_languages(node.get(known[-1]) or node.get(_OTHER), languages[0])
            texts |= {language: last[language]} if language in last else {}
    at = node.get(category) or node
    return Node(texts, at.source, {language: each.source for language, each in texts.items()})


def _read_languages(node: Node | None, first: str) -> dict[str, Node]:
    if node is None:
        return {}
    return dict(node.items()) if node.is_mapping else {first: node}


@cache
def _load_rules() -> dict[str, tuple[tuple[str, ...], str]]:
    rules = load_data_file(_RULES_FILE)["rules"]
    return {
        language: (tuple(entry["forms"]), entry["plural"])
        for entry in rules
        for language in entry["languages"]
    }


def _find_rule(language: str) -> tuple[tuple[str, ...], str]:
    rules = _load_rules()
    return rules.get(language) or rules.get(language.partition("-")[0]) or ((_OTHER,), "0")


@cache
def _compile_rule(language: str) -> Callable[[int], int]:
    return c2py(get_plural_expression(language))
