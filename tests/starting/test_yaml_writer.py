"""Values written as YAML are read back by cardgen's own reader as they were."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import UNPRINTABLE
from cardgen.starting import yaml_writer

texts = st.text(max_size=60).filter(lambda text: not UNPRINTABLE.search(text)) | st.sampled_from([
    "", " ", "~", "null", "true", "No", "007", "1.10", "- a", "a: b", "a #b", "#a", "{{ x }}",
    "[x]", "a, b", "%a", "@a", "`a`", "&a", "*a", "!a", "'a'", '"a"', "a\\n", "?", "? a",
    "|", ">", "---",
    "a\u0085b", "a\u2028b", "\ufeff", "\u00a0a", "12:30", "<<", "=", "a'b", "1e5", "a:", "a -", "٣",
])  # fmt: skip
keys = texts.filter(lambda text: len(text) < 80)
plain = (
    texts
    | st.integers(-(10**17), 10**17)
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9).map(
        lambda value: round(value, 6)
    )
)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4)
)


def read(text: str) -> Any:
    node, problems = yaml_nodes.load(text, "deck.yaml")
    assert problems == [], text
    assert node is not None
    return node.to_plain()


@given(st.dictionaries(keys, values, min_size=1, max_size=5), st.sampled_from([0, 2, 4]))
def test_a_mapping_is_read_as_it_was(value: dict[str, Any], indent: int) -> None:
    assert read(yaml_writer.format_block(value, indent)) == value


@given(values)
def test_a_value_on_one_line_is_read_as_it_was(value: Any) -> None:
    said = yaml_writer.format_flow({"x": value})
    assert "\n" not in said
    assert read(said) == {"x": value}


@given(st.lists(st.dictionaries(keys, values, min_size=1, max_size=3), min_size=1, max_size=3))
def test_entries_of_a_list_are_read_as_they_were(value: list[dict[str, Any]]) -> None:
    assert read("\n".join(["cards:", *map(yaml_writer.format_entry, value)])) == {"cards": value}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"name": "Old Crane"}, "name: Old Crane"),
        ({"text": "Pay 2, then draw."}, "text: Pay 2, then draw."),
        ({"text": "Stop: wait."}, 'text: "Stop: wait."'),
        ({"of": ["a", "b, c", "12"]}, 'of: [a, "b, c", "12"]'),
        ({"at": 1e-07}, "at: 0.0000001"),
        ({"at": 1e22}, "at: 10000000000000000000000.0"),
        ({"no\u00a0break": "a\tb"}, '"no\\u00a0break": "a\\tb"'),
    ],
)
def test_short_things_look_as_a_person_would_write_them(value: dict[str, Any], said: str) -> None:
    assert yaml_writer.format_block(value) == said


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_what_no_file_can_hold_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="no number"):
        yaml_writer.format_flow(value)
