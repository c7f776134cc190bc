"""Hyphenation patterns of the npm package `hyphen`, converted for pyphen.

Pyphen, which WeasyPrint uses, has no Finnish. The package stores patterns as a trie in
JavaScript. It is parsed as data, never run: `[[levels …], {letter: {…}}]`, where a number is an
index into the levels, alone or with the letters that may follow, `[{…}, 3]`. The levels of a
pattern stand between its letters (Liang, Word Hy-phen-a-tion by Com-put-er, 1983). A pattern for
the start of a word begins with a dot; its levels start behind the dot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cardgen.runtime.content_store import Store, digest_parts, read_entry

_DICTIONARY_HEADER = "UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2"
_MODULE_END = "})(this,"
_TOKEN_PATTERN = re.compile(
    r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|[{}\[\],:]|[^\s{}\[\],:"']++""", re.DOTALL
)
_ESCAPE_PATTERN = re.compile(r"\\(.)", re.DOTALL)
_NOT_LETTERS = re.compile(r"[\d\s%#/=^]")
"""Characters with a special meaning to pyphen."""
_MAX_TRIE_DEPTH = 64


def make_dictionary(script: bytes, store: Store) -> Path:
    """Return the path of the pyphen dictionary for a package file; make it if needed.

    Raises `ValueError` with a phrase that follows the file's name.
    """
    path = store.get_path("hyphenation", f"{digest_parts([_DICTIONARY_HEADER, '2', script])}.dic")
    if not store.has_entry(path):
        try:
            found = extract_patterns(script.decode("utf-8-sig"))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise ValueError("is not a pattern file of the npm package hyphen") from None
        if not found:
            raise ValueError("has no patterns")
        store.write(path, ("\n".join([_DICTIONARY_HEADER, *found]) + "\n").encode())
    return path


def extract_patterns(script: str) -> list[str]:
    """Return the patterns of a `hyphen` file in TeX notation, such as `1ba`.

    Raises built-in exceptions for an invalid file.
    """
    levels, trie = _parse_literal(
        script[script.index(_MODULE_END) + len(_MODULE_END) : script.rindex(")")]
    )[:2]
    return sorted(_walk_trie(trie, "", levels))


def _parse_literal(literal: str) -> Any:
    """Parse a JavaScript literal: unquoted keys, single quotes, trailing commas."""
    tokens = _TOKEN_PATTERN.findall(literal)
    parts = []
    for token, follows in zip(tokens, [*tokens[1:], ""], strict=True):
        if token[0] in "\"'":
            parts.append(json.dumps(_ESCAPE_PATTERN.sub(r"\1", token[1:-1])))
        elif follows == ":":
            parts.append(json.dumps(token))
        elif token != "," or follows not in ("]", "}"):
            parts.append(token)
    return json.loads("".join(parts))


def _walk_trie(trie: dict[str, Any], prefix: str, levels: list[list[int]]) -> Iterator[str]:
    if len(prefix) > _MAX_TRIE_DEPTH:
        raise ValueError
    for letter, child in trie.items():
        letters_ = prefix if letter == "_" else prefix + letter
        children, index = child if isinstance(child, list) else (child, None)
        if isinstance(children, int):
            children, index = {}, children
        if index is not None and not _NOT_LETTERS.search(letters_):
            yield _format_pattern(letters_, levels[_parse_index(index)])
        yield from _walk_trie(children, letters_, levels)


def _parse_index(index: Any) -> int:
    if type(index) is not int or index < 0:
        raise ValueError
    return index


def _format_pattern(letters: str, levels: list[int]) -> str:
    if not letters or not all(_parse_index(each) < 10 for each in levels):
        raise ValueError
    padded = [0] * letters.startswith(".") + levels
    padded += [0] * (len(letters) + 1 - len(padded))
    parts = [str(padded[0] or "")]
    for letter, level in zip(letters, padded[1:], strict=False):
        parts += [letter, str(level or "")]
    return "".join(parts)


_registered: dict[str, Path] = {}
_replaced: dict[str, tuple[Any, Any]] = {}
"""What pyphen itself has for the languages of registered dictionaries; None for nothing."""


def register_dictionaries(dictionaries: Iterable[tuple[str, Path]]) -> None:
    """Let pyphen take these dictionaries by language, and its own for all other languages.

    Raises `DamagedEntryError`.
    """
    import pyphen  # noqa: PLC0415 - only where text is set

    wanted = dict(dictionaries)
    tables = pyphen.LANGUAGES, pyphen.LANGUAGES_LOWERCASE
    for language in _registered.keys() - wanted.keys():
        for table, own in zip(tables, _replaced[language], strict=True):
            key = language if table is tables[0] else language.lower()
            if own is None:
                del table[key]
            else:
                table[key] = own
        del _registered[language]
    for language, path in wanted.items():
        if _registered.get(language) == path:
            continue
        read_entry(path)  # check the seal; pyphen opens the file itself and takes it for a comment
        lower = language.lower()
        _replaced.setdefault(language, (tables[0].get(language), tables[1].get(lower)))
        tables[0][language], tables[1][lower] = path, language
        _registered[language] = path
