"""Headings of card tables: what a column is for, and the language of its texts.

The words are in `headings.yaml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.core import yaml_nodes

_AMBIGUOUS_CODES = frozenset({"it", "no", "et", "da", "el"})
"""Codes that are words, too. They are codes only where another language is named beside them."""
_WHOLE_HEADING_ROLES = frozenset({"copies", "id", "number"})
_NON_LETTERS = re.compile(r"[\W_]+")
_LANGUAGE_PREPOSITION = re.compile(r"\s+(?:in|auf|på|en)\s*\Z", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# `Name (EN)`, `Name [en]`; then `name.fi`, `name_fi`, `Name fi`, `Name: Finnish`, `Name/EN`.
_LANGUAGE_IN_BRACKETS = re.compile(
    r"(?P<base>.+?)\s*[(\[]\s*(?P<code>[^()\[\]]+?)\s*[)\]]\Z", re.DOTALL
)
_LANGUAGE_AFTER = re.compile(
    r"(?P<base>.+?)\s*(?P<sign>[\s._:/|,–-])\s*(?P<code>[^\W\d_]+)\Z", re.DOTALL
)
_REGION_AFTER = re.compile(
    r"(?P<base>.+?)[\s._:/|]\s*(?P<code>[a-z]{2}-[a-z]{2,4})\Z", re.IGNORECASE | re.DOTALL
)
_LANGUAGE_BEFORE = re.compile(
    r"(?P<code>[^\W\d_]+)\s*(?P<sign>[\s._:/|,–-])\s*(?P<base>.+)\Z", re.DOTALL
)


def load_data_file(path: Path) -> dict[str, Any]:
    """Return what a YAML file of cardgen holds."""
    node, _ = yaml_nodes.load(path.read_text(encoding="utf-8"), path.name)
    assert node is not None
    data: dict[str, Any] = node.to_plain()
    return data


@dataclass(frozen=True)
class _Words:
    """The headings of `headings.yaml`, as they are looked up."""

    headings: dict[str, dict[str, list[str]]]
    """Role, language, headings from the likeliest down."""
    roles: dict[str, str]
    """Heading, role."""
    languages: frozenset[str]
    counts: frozenset[str]
    """Headings that may stand over numbers of copies."""
    dates: tuple[str, ...]
    copies: dict[str, re.Pattern[str]]
    """Words of headings that count copies, by what they say."""
    codes: dict[str, str]
    """Code or name of a language, code."""


@cache
def _load_words() -> _Words:
    data = load_data_file(Path(__file__).parent / "headings.yaml")
    headings = {
        role: {language: words.split(", ") for language, words in by_language.items()}
        for role, by_language in data["roles"].items()
    }
    roles = {
        word: role
        # Of a word that is listed twice (German Art), the first role holds.
        for role, by_language in reversed(headings.items())
        for words in by_language.values()
        for word in words
    }
    named = {
        name: code
        for code, names in data["languages"].items()
        for name in filter(None, names.split(", "))
    }
    codes = {**{code: code for code in data["languages"]}, **named}
    counts = frozenset(data["counts"].split(", "))
    dates = tuple(data["dates"].split(", "))
    copies = {what: words.replace(", ", "|").replace("*", r"\w*")
              for what, words in data["copies"].items()}  # fmt: skip
    copies["amounts"] = f"(?:{copies['cards']})?(?:{copies['amounts']})"
    patterns = {what: re.compile(words) for what, words in copies.items()}
    return _Words(headings, roles, frozenset(data["languages"]), counts, dates, patterns, codes)


@dataclass(frozen=True)
class HeadingLanguage:
    """A heading without its language: `Name (EN)` is `Name` in en.

    Where it is not certain, it is a language only beside another one: `move_it` is none.
    """

    base_heading: str
    language: str
    is_certain: bool


def normalise_heading(heading: str) -> str:
    """Return a heading as it is compared: lower case, one space for all that is no letter."""
    return _NON_LETTERS.sub(" ", unicodedata.normalize("NFC", heading).lower()).strip()


def find_role(heading: str) -> str:
    """Return what a column is for: `title`, `text`, `copies` and so on, or "".

    The whole heading decides, then it without what is in brackets, then words that count copies,
    then the last word.
    """
    roles = _load_words().roles
    whole, bare = normalise_heading(heading), normalise_heading(_BRACKETS.sub(" ", heading))
    for text in (whole, bare):
        if text in roles:
            return roles[text]
    if _counts_copies(bare.split()):
        return "copies"
    role = roles.get(bare.rpartition(" ")[2], "")
    return "" if role in _WHOLE_HEADING_ROLES else role


def _counts_copies(words: Sequence[str]) -> bool:
    """Return true where words of a heading say that cards or copies are counted, and nothing else
    is done with them."""
    known = _load_words().copies
    has = {what: any(map(pattern.fullmatch, words)) for what, pattern in known.items()}
    if has["others"]:
        return False
    is_counted = has["counted"] and (has["numbers"] or has["decks"])
    is_compound = any(known["amounts"].fullmatch(word) and known["cards"].match(word)
                      for word in words)  # fmt: skip
    return is_counted or (has["amounts"] and (has["cards"] or has["decks"])) or is_compound


def is_date_heading(heading: str) -> bool:
    """Return true for a heading over dates, such as *Release date* or *Erscheinungsjahr*."""
    return any(word.endswith(_load_words().dates) for word in normalise_heading(heading).split())


def is_count_heading(heading: str) -> bool:
    """Return true for a heading that may stand over numbers of copies, such as `#` or `Cards`."""
    return " ".join(heading.lower().split()).rstrip(".:") in _load_words().counts


def find_word_role(cell: str) -> str:
    """Return the role of a cell that is a known heading as a whole, "" for any other."""
    return _load_words().roles.get(normalise_heading(cell), "")


def rank_heading(heading: str) -> int:
    """Return how near a heading comes to its role, 0 for the likeliest."""
    whole = normalise_heading(heading)
    by_language = _load_words().headings.get(find_role(heading), {})
    return min((words.index(whole) for words in by_language.values() if whole in words), default=99)


def find_word_languages(heading: str) -> frozenset[str]:
    """Return the languages in which a heading is a known word."""
    whole = normalise_heading(_BRACKETS.sub(" ", heading))
    return frozenset(
        language
        for by_language in _load_words().headings.values()
        for language, words in by_language.items()
        if whole in words
    )


def parse_heading_languages(heading: str) -> Iterator[HeadingLanguage]:
    """Yield the ways in which a heading may name a language, the likeliest first."""
    words = _load_words()
    for pattern in (_LANGUAGE_IN_BRACKETS, _REGION_AFTER, _LANGUAGE_AFTER, _LANGUAGE_BEFORE):
        match = pattern.match(heading)
        word = normalise_heading(match["code"]).replace(" ", "-") if match else ""
        code = words.codes.get(word, "")
        if match is None or not code:
            continue
        is_name = word not in words.languages
        is_marked = pattern in {_LANGUAGE_IN_BRACKETS, _REGION_AFTER} or match["sign"] == "."
        is_certain = is_name or (is_marked and word not in _AMBIGUOUS_CODES)
        base = _LANGUAGE_PREPOSITION.sub("", match["base"]).strip()
        yield HeadingLanguage(base, _format_code(code), is_certain)


def are_language_codes(names: Iterable[str]) -> bool:
    return all(name.lower() in _load_words().languages for name in names)


def _format_code(code: str) -> str:
    """Return a code as it is written: pt-BR."""
    language, sign, region = code.partition("-")
    return f"{language}{sign}{region.upper() if len(region) == 2 else region.capitalize()}"
