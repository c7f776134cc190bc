"""States of cards, their differences, and the file they are stored in."""

from __future__ import annotations

import random

import pytest

from cardgen.changes import baselines, change_list
from cardgen.changes.card_changes import (
    CardChange,
    CardSnapshot,
    GameState,
    compare_states,
    find_changed_backs,
)
from cardgen.templates import stylesheet_rules


def state(**pieces: CardSnapshot) -> GameState:
    return {"loot": pieces}


def entry(copies: int = 1, front: str = "f", back: str = "b", **fields: str) -> CardSnapshot:
    return CardSnapshot(copies, "0000", front, back, fields)


def summary(changes: tuple[CardChange, ...]) -> list[tuple[str, str, int, int]]:
    return [(c.kind, c.piece, c.copies_to_print, c.copies_to_remove) for c in changes]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (state(a=entry()), state(a=entry()), []),
        (state(), state(a=entry(2)), [("new", "a", 2, 0)]),
        (state(a=entry(2)), state(), [("gone", "a", 0, 2)]),
        (state(a=entry(2)), {}, [("gone", "a", 0, 2)]),
        (state(a=entry(2)), state(a=entry(3)), [("more", "a", 1, 0)]),
        (state(a=entry(3)), state(a=entry(1)), [("fewer", "a", 0, 2)]),
        (state(a=entry(3)), state(a=entry(0)), [("gone", "a", 0, 3)]),
        (state(a=entry(2)), state(a=entry(3, "g")), [("changed", "a", 3, 2)]),
        (state(a=entry(2)), state(a=entry(2, back="c")), [("changed", "a", 2, 2)]),
        # A piece that only has another id is what it was; with more copies, they alone are new.
        (state(a=entry(2)), state(b=entry(2)), []),
        (state(a=entry(2)), state(b=entry(5)), [("more", "b", 3, 0)]),
        (state(a=entry(1)), state(b=entry(1), c=entry(1)), [("new", "c", 1, 0)]),
    ],
)
def test_compare(old: GameState, new: GameState, told: list[tuple[str, str, int, int]]) -> None:
    assert summary(compare_states(old, new)) == told


def test_printing_and_removing_turns_the_old_box_into_the_new_one() -> None:
    """Whatever the states: what lay there, less what is taken, plus what is put, is what is."""
    for seed in range(300):
        draw = random.Random(seed)
        old, new = (
            {
                deck: {
                    piece: entry(draw.randrange(4), draw.choice("fgh") + piece)
                    for piece in "abcd"
                    if draw.random() < 0.7
                }
                for deck in ("x", "y")
            }
            for _ in range(2)
        )
        box: dict[str, int] = {}
        for change in compare_states(old, new):
            for sign, side, count in (
                (-1, change.old, change.copies_to_remove),
                (1, change.new, change.copies_to_print),
            ):
                if count:
                    assert side is not None
                    box[side.front] = box.get(side.front, 0) + sign * count
        looks = {e.front for s in (old, new) for d in s.values() for e in d.values()}
        for look in looks:
            before, after = (
                sum(e.copies for d in s.values() for e in d.values() if e.front == look)
                for s in (old, new)
            )
            assert before + box.get(look, 0) == after, (seed, look)


def test_edits_are_in_the_order_of_the_deck() -> None:
    old = state(a=entry(front="f", name="A", text="x", worth="1"))
    new = state(a=entry(front="g", name="A", worth="2", art="tree"))
    (change,) = compare_states(old, new)
    assert [(e.name, e.old, e.new) for e in change.edits] == [
        ("worth", "1", "2"),
        ("art", "", "tree"),
        ("text", "x", ""),
    ]
    assert change.sides == ("front",)


def test_a_back_changed_for_a_deck_only_when_every_card_has_it() -> None:
    old = state(a=entry(), b=entry(front="g"))
    new = state(a=entry(back="c"), b=entry(front="g", back="c"), c=entry(front="h", back="c"))
    assert list(find_changed_backs(compare_states(old, new), new)) == ["loot"]
    partly = state(a=entry(back="c"), b=entry(front="g"))
    assert list(find_changed_backs(compare_states(old, partly), partly)) == []


ODD = {
    "en": {
        "loot": {
            "a": CardSnapshot(
                1, "0123", "1e5", "", {"text": 'say "no": \\ {coin} # on\n\ttwo\u00ad\x85'}
            ),
            "no": CardSnapshot(
                12, "12e4", "00000000", "ffffffff", {"null": "~", "x y": "\u2028ä€😀"}
            ),
            "7": CardSnapshot(2, "0000", "1", "2"),
        }
    },
    "fi": {},
}


def test_a_record_comes_back_as_it_was() -> None:
    text = baselines.format_states(ODD)
    states, problems = baselines.parse_states(text)
    assert problems == []
    assert states == ODD


def test_a_record_has_one_sorted_line_for_each_piece() -> None:
    lines = baselines.format_states(ODD).splitlines()
    assert len(lines) == 2 + 2 + 1 + 3  # comments, languages, deck, pieces
    turned = {
        language: {deck: dict(reversed(pieces.items())) for deck, pieces in decks.items()}
        for language, decks in reversed(ODD.items())
    }
    assert baselines.format_states(turned) == baselines.format_states(ODD)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("en: loot\n", 1),
        ("- en\n", 1),
        ("en:\n  loot: [a]\n", 2),
        ("en:\n  loot:\n    a: {copies: -1}\n", 3),
        ("en:\n  loot:\n    a: {copies: 1, looks: 3}\n", 3),
        ("en:\n  loot:\n    a: {copies: 1, fields: x}\n", 3),
        ("en:\n  loot:\n    a: &x {copies: 1}\n    b: *x\n", 4),
        ("<<<<<<< ours\n", 1),
    ],
)
def test_an_invalid_record_is_reported(text: str, line: int) -> None:
    _, problems = baselines.parse_states(text)
    assert [problem.source.line for problem in problems] == [line]


CSS = """@font-face { font-family: "a{b" }
/* .no { } */ .a, p .b { color: red; content: "}" }
.a.c > #d:first-child { top: 0 }
div { left: 0 }
.x:not(.y) { right: 0 } [class~=z] { right: 1mm }
@media print { .a { bottom: 0 } }
.trim { margin: 0 }"""


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("", "font div x z media trim"),
        ("a", "font ab div x z media trim"),
        ("b", "font ab div x z media trim"),
        ("a c", "font ab div x z media trim"),
        ("a c d", "font ab acd div x z media trim"),
    ],
)
def test_css_rules_that_can_match_are_kept(words: str, kept: str) -> None:
    beginnings = {
        "font": "@font-face", "ab": ".a, p .b", "acd": ".a.c", "div": "div", "x": ".x:not",
        "z": "[class", "media": "@media", "trim": ".trim",
    }  # fmt: skip
    found = stylesheet_rules.select_styles((CSS,), frozenset(words.split())).splitlines()
    assert len(found) == len(kept.split())
    assert all(
        line.startswith(beginnings[name]) for line, name in zip(found, kept.split(), strict=True)
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("3", "5", "<del>3</del> › <ins>5</ins>"),
        ("", "5", "<del>none</del> › <ins>5</ins>"),
        ("<b>", "&", "<del>&lt;b&gt;</del> › <ins>&amp;</ins>"),
        (
            "nought half one two three four five six seven eight nine",
            "nought half one two three four FIVE six seven eight nine ten",
            "… two three four <del>five</del> <ins>FIVE</ins> six seven eight nine <ins>ten</ins>",
        ),
    ],
)
def test_long_texts_are_shortened_to_their_differences(old: str, new: str, told: str) -> None:
    assert str(change_list.render_difference(old, new, "none")) == told
