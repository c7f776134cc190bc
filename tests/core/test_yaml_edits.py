"""Texts written back into YAML: each in its place and way, and nothing else touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.yaml_edits import ListAppend, TextEdit, apply_changes, format_scalar


def put(text: str, *path: str | int, to: str = "École", language: str = "fr") -> str:
    made, left = apply_changes(text, "deck.yaml", [TextEdit(path, language, to, "en")])
    assert not left
    return made


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("n: {en: School, fi: Koulu}  # a\n", "n: {en: School, fi: Koulu, fr: École}  # a\n"),
        ("n: {en: 'S', fr: 'K'} # a\n", "n: {en: 'S', fr: 'École'} # a\n"),
        ("n: {en: S, fr: }\n", "n: {en: S, fr: École}\n"),
        ("n:\n  en: S # one\n\nm: 1\n", "n:\n  en: S # one\n  fr: École\n\nm: 1\n"),
        ("n:\n  en: S\n  fr:\nm: 1\n", "n:\n  en: S\n  fr: École\nm: 1\n"),
        ("n: School # a\nm: 1\n", "n: {en: School, fr: École} # a\nm: 1\n"),
        ('n: "a: b"', 'n: {en: "a: b", fr: "École"}'),
        (
            "n:\n  en: |\n    One\n\n    two\n\n# what\nm: 1\n",
            "n:\n  en: |\n    One\n\n    two\n  fr: |-\n    École\n\n# what\nm: 1\n",
        ),
        ("n: |\n  One\nm: 1\n", "n:\n  en: |\n    One\n  fr: |-\n    École\nm: 1\n"),
        ("n: {en: S,\n    fi: K}\n", "n: {en: S,\n    fi: K,\n    fr: École}\n"),
        ("n:\r\n  en: S\r\nm: 1\r\n", "n:\r\n  en: S\r\n  fr: École\r\nm: 1\r\n"),
        ("n: {en: 🂡 S, fr: K} # 🂡\n", "n: {en: 🂡 S, fr: École} # 🂡\n"),
    ],
)
def test_a_text_takes_its_place(before: str, after: str) -> None:
    assert put(before, "n") == after


def test_a_text_in_a_list_of_records() -> None:
    before = "cards:\n  - id: a\n    effects:\n      - text: {en: One}\n      - text: Two\n"
    after = before.replace("text: Two", "text: {en: Two, fr: École}")
    assert put(before, "cards", 0, "effects", 1, "text") == after


def test_a_new_language_stands_at_the_end_of_the_list() -> None:
    change = ListAppend(("languages",), "fr")
    assert (
        apply_changes("languages: [en, fi] # a\n", "g", [change])[0]
        == "languages: [en, fi, fr] # a\n"
    )
    made = apply_changes("languages:\n  - en # a\nx: 1\n", "g", [change])[0]
    assert made == "languages:\n  - en # a\n  - fr\nx: 1\n"


def test_what_has_no_place_is_left_and_the_rest_is_made() -> None:
    changes = [TextEdit(("n",), "fr", "A", "en"), TextEdit(("m", 3), "fr", "B", "en")]
    made, left = apply_changes("n: {en: x}\n", "deck.yaml", changes)
    assert made == "n: {en: x, fr: A}\n"
    assert left == changes[1:]


NASTY = st.one_of(
    st.text(st.sampled_from("ab :#-,[]{}'\"|>&*!%@`=+\n\t\\é\u00a0שʼ漢🂡?~0y.")),
    st.sampled_from(["null", "~", "true", "no", "-", "1.10", "007", "2026-01-02", "a #b", "- a"]),
)
STYLES = st.sampled_from([
    "n: {en: S}\n", "n: {en: 'S'}\n", 'n: {en: "S", fr: "x"}\n', "n:\n  en: S\n  fr: 'a'\nm: 1\n",
    "n:\n  en: |\n    S\n\nm: 1\n", "n: >\n  S\n  s\nm: 1\n", "n: S\n", "- n\n- {en: x, fr: y}\n",
    "- n\n- |\n  S\n- m\n", "- n\n- S\n- m\n",
])  # fmt: skip


@given(NASTY, STYLES)
def test_what_is_written_is_read_as_the_same(text: str, before: str) -> None:
    path: tuple[str | int, ...] = ("n",) if before.startswith("n") else (1,)
    made, left = apply_changes(before, "deck.yaml", [TextEdit(path, "fr", text, "en")])
    assert not left
    node, problems = yaml_nodes.load(made, "deck.yaml")
    assert node is not None
    assert not problems
    found: Any = node.get("n") if path == ("n",) else node.list_nodes()[1]
    said = found.get("fr")
    assert said.text == text
    assert said.value is not None or text == ""


@given(NASTY)
def test_a_word_without_quotes_is_a_text_to_any_reader(text: str) -> None:
    said = format_scalar(text, "")
    assert said[0] == '"' or yaml_nodes.parse_scalar(said) == text
