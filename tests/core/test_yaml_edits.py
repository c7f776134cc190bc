"""Texts written back into YAML: each in its place and way, and nothing else touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.yaml_edits import KeyRemoval, ListAppend, TextEdit, ValueEdit, apply_changes
from cardgen.core.yaml_scalars import format_scalar


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


def set_value(text: str, *path: str | int, to: Any, order: tuple[str, ...] = ()) -> str:
    made, left = apply_changes(text, "deck.yaml", [ValueEdit(path, to, order)])
    assert not left
    return made


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("n: 3  # a\nm: 1\n", 4, "n: 4  # a\nm: 1\n"),
        ("n:   '3'\n", "4", "n:   '4'\n"),
        ("n: 3\n", "3", 'n: "3"\n'),
        ("n: no way\n", False, "n: false\n"),
        ("n:\nm: 1\n", 2.5, "n: 2.5\nm: 1\n"),
        ("n: [1, 1]  # a\n", [1, 2], "n: [1, 2]  # a\n"),
        ("n: [1, 1]\n", [1, 1, 1], "n: [1, 1, 1]\n"),
        ("n: [1, 2,  3]\n", [1, 3], "n: [1,  3]\n"),
        ("n: [1, 2]\n", [2], "n: [2]\n"),
        ("n: [1, 2]\n", [], "n: []\n"),
        ("n:\n  - a # x\n  - b\n\nm: 1\n", ["a", "b", "c"],
         "n:\n  - a # x\n  - b\n  - c\n\nm: 1\n"),
        ("n:\n- a # x\n- b\nm: 1\n", ["b"], "n:\n- b\nm: 1\n"),
        ("n:\n  - a # x\n  - b\n", ["c", "a", "b"], "n:\n  - c\n  - a # x\n  - b\n"),
        ("n:\n  - {k: a}\n  - {k: b} # y\n", [{"k": "a"}, {"k": "c"}],
         "n:\n  - {k: a}\n  - {k: c} # y\n"),
        ("n: {a: 1, b: [2]} # r\n", {"a": 1, "b": [3]}, "n: {a: 1, b: [3]} # r\n"),
        ("n:\n  a: 1 # x\n  b: 2\nm: 1\n", {"a": 1, "b": 2, "c": "d"},
         "n:\n  a: 1 # x\n  b: 2\n  c: d\nm: 1\n"),
        ("n:\n  a: 1 # x\n  b: 2 # y\nm: 1\n", {"a": 1}, "n:\n  a: 1 # x\nm: 1\n"),
        ("n:\n  a: 1\n  b: 2 # y\nm: 1\n", 5, "n: 5 # y\nm: 1\n"),
        ("n: >-\n  one two\n  three four\n  five\nm: 1\n", "one two\nthree 4\nfive",
         "n: >-\n  one two\n\n  three 4\n\n  five\nm: 1\n"),
        ("n: > # c\n   one two\n   three four\n   five six\nm: 1\n", "one two three 4 five six\n",
         "n: > # c\n   one two\n   three 4\n   five six\nm: 1\n"),
        ("n: |\n    one\n    two\n\nm: 1\n", "one\n2\n", "n: |\n    one\n    2\n\nm: 1\n"),
        ("n: one two\n  three four\n  five\nm: 1\n", "one two 3 four five",
         "n: one two\n  3 four\n  five\nm: 1\n"),
        ('n: "one: two\n  three four\n  five"\n', "one: two three 4 five",
         'n: "one: two\n  three 4\n  five"\n'),
    ],
)  # fmt: skip
def test_a_value_takes_its_place(before: str, value: Any, after: str) -> None:
    assert set_value(before, "n", to=value) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- {id: a, c: 1}\n", "- {id: a, b: 2, c: 1}\n"),
        ("- id: a # x\n  c: 1\n\n- id: d\n", "- id: a # x\n  b: 2\n  c: 1\n\n- id: d\n"),
        ("- id: a\n\n  # what\n- id: d", "- id: a\n  b: 2\n\n  # what\n- id: d"),
        ("- id: {\n    k: 1}\n  c: 1\n", "- id: {\n    k: 1}\n  b: 2\n  c: 1\n"),
        ("- id: |\n    x\n  c: 1\n", "- id: |\n    x\n  b: 2\n  c: 1\n"),
    ],
)
def test_a_new_key_stands_in_its_place(before: str, after: str) -> None:
    assert set_value(before, 0, "b", to=2, order=("id", "b", "c")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- {id: a, b: 2, c: 1}\n", "- {id: a, c: 1}\n"),
        ("- {b: 2, c: 1}\n", "- {c: 1}\n"),
        ("- id: a\n  b: [2,\n    3] # x\n  c: 1\n", "- id: a\n  c: 1\n"),
        ("- b: 2\n  c: 1\n", "- c: 1\n"),
        ("- id: a\r\n  b: |\r\n    x\r\n\r\n- id: c\r\n", "- id: a\r\n\r\n- id: c\r\n"),
    ],
)
def test_a_key_is_removed(before: str, after: str) -> None:
    assert apply_changes(before, "d", [KeyRemoval((0, "b"))]) == (after, [])


HUNDREDTHS = st.integers(-(10**6), 10**6).map(lambda number: number / 100)
LEAVES = st.one_of(NASTY, st.integers(-99, 10**6), st.booleans(), HUNDREDTHS)
RECORDS = st.dictionaries(st.sampled_from("abc"), LEAVES, min_size=1)
VALUES = st.one_of(LEAVES, RECORDS, st.lists(st.one_of(LEAVES, RECORDS), max_size=4))
AROUND = st.sampled_from([
    "# top\nm: 'x'  # y\nn: S # z\nk: 2\n", "n: [1,  2, 'a']\nk:  2\n",
    "n:\n- 1 # one\n- b\n- 3\nk: 2\n",
    "n: {a: 1, b: 'q'}\nk: 2\n", "n:\n    a: 1\n    b: |\n      x\n      y\n\n# c\nk: 2\n",
    "m: 1\nn: >\n  one two\n  three\n\n  four\nk: 2\n", 'n: "a\n  b"\nk: 2', "n:\r\nk: 2\r\n",
    "{m: 1, n: [3, {a: 1}], k: 2}\n", "n:\n  - a: 1\n    b: 2 # b\n  - a: x\nk: 2\n",
])  # fmt: skip


@given(VALUES, AROUND)
def test_a_value_is_read_as_it_was_meant_and_nothing_else_moves(value: Any, before: str) -> None:
    """Whatever is put there; a second edit leads back to the same content."""
    made, left = apply_changes(before, "deck.yaml", [ValueEdit(("n",), value)])
    assert not left
    old, _ = yaml_nodes.load(before, "a")
    new, problems = yaml_nodes.load(made, "b")
    assert old is not None
    assert new is not None
    assert not problems
    assert new.to_plain() == {**old.to_plain(), "n": value}
    at = before.index("n:")
    assert made[:at] == before[:at]
    rest = before[before.index("k:") :]
    assert made.endswith(rest)
    back, left = apply_changes(made, "deck.yaml", [ValueEdit(("n",), old.to_plain()["n"])])
    assert not left
    found, _ = yaml_nodes.load(back, "c")
    assert found is not None
    assert found.to_plain() == old.to_plain()
