"""Entries added to the YAML files of a game, whose other lines stay."""

from __future__ import annotations

import pytest

from cardgen.starting.deck_addition import DeckAdditionError, add_entries

CASES = {
    "a block": (
        "title: A\ncolours:\n  sea: \"#1f5a96\"   # deep\n\n# rules\nwords: {a: b}\n",
        "colours", {"fog": "x"},
        "title: A\ncolours:\n  sea: \"#1f5a96\"   # deep\n  fog: x\n\n# rules\nwords: {a: b}\n",
    ),
    "one line": ("colours: {sea: a}\ntitle: A\n", "colours", {"fog": "x"},
                 "colours:\n  sea: a\n  fog: x\ntitle: A\n"),
    "no key": ("title: A\n", "colours", {"fog": "x"}, "title: A\ncolours:\n  fog: x\n"),
    "an empty key": ("colours:\ntitle: A\n", "colours", {"fog": "x"},
                     "colours:\n  fog: x\ntitle: A\n"),
    "a list that is not indented": (
        "middle:\n- {deck: a}\n- {deck: b}\nseat: []\n", "middle", [{"deck": "c"}],
        "middle:\n- {deck: a}\n- {deck: b}\n- {deck: c}\nseat: []\n",
    ),
    "a list on one line": ("middle: [{deck: a}]\n", "middle", [{"deck": "c"}],
                           "middle:\n  - {deck: a}\n  - {deck: c}\n"),
    "a flag": ("title: A\n", "fallback", True, "title: A\nfallback: true\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_entries_are_added(case: str) -> None:
    text, key, value, wanted = CASES[case]
    assert add_entries(text, "game.yaml", key, value) == wanted


def test_what_cannot_be_edited_is_said_with_the_lines_to_add() -> None:
    with pytest.raises(DeckAdditionError) as caught:
        add_entries('"colours": {sea: a}\n', "game.yaml", "colours", {"fog": "x"})
    assert str(caught.value) == (
        "game.yaml cannot be edited automatically; add this to it:\ncolours:\n  fog: x"
    )
