"""What is written is read again: sizes, and YAML of whatever values a game may hold."""

from __future__ import annotations

import json

import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.units import CARD_SIZES, PAPERS, Size, parse_paper, parse_size

lengths = st.integers(1, 999_999).map(lambda hundredths: hundredths / 100)
sizes = st.builds(Size, lengths, lengths)
# What YAML itself reads as a break of lines, or not at all, is left to the other tests.
texts = st.text(st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Zs")))
scalars = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(sizes)
def test_a_size_is_read_as_it_is_printed(size: Size) -> None:
    assert parse_size(str(size), {}) == size
    assert parse_size(f" {size.width}x{size.height} ", CARD_SIZES) == size
    assert size.rotate().rotate() == size


@given(st.text() | st.sampled_from(sorted({*CARD_SIZES, *PAPERS})))
def test_whatever_is_typed_for_a_size_is_one_or_none(text: str) -> None:
    for names in (CARD_SIZES, PAPERS):
        size = parse_size(text, names)
        assert (size is not None) >= (text in names)
        assert size is None or min(size.width, size.height) > 0
    paper = parse_paper(text)
    assert paper is None or 50 <= paper.width <= paper.height <= 2000


@given(values)
def test_values_in_quotes_and_brackets_are_read_as_they_are(value: object) -> None:
    node, problems = yaml_nodes.load(json.dumps(value, ensure_ascii=False), "deck.yaml")
    assert problems == []
    assert node is not None
    assert node.to_plain() == value


@given(st.dictionaries(texts, values, min_size=1, max_size=4))
def test_values_as_people_lay_them_out_are_read_as_they_are(value: dict[str, object]) -> None:
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
    node, problems = yaml_nodes.load(text, "deck.yaml")
    assert problems == []
    assert node is not None
    assert node.to_plain() == value


@given(st.text(st.sampled_from("a1 \n-:{}[]'\"#&*!|>%@`,?~\t\x85\u2028\x00é")))
def test_whatever_is_written_is_read_or_told(text: str) -> None:
    node, problems = yaml_nodes.load(text, "deck.yaml")
    assert node is not None or problems
    lines = len(text.splitlines()) + 1
    assert all(0 <= problem.source.line <= lines for problem in problems)
