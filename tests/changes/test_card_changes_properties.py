"""Properties of differences: applying a change to the old box gives the new one."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardgen.changes import baselines
from cardgen.changes.card_changes import CardChange, CardSnapshot, GameState, compare_states

looks = st.sampled_from("fgh")
# What cannot be printed is in no game: where files are read, it gives way to a sign for it.
signs = st.characters(exclude_categories=("Cs", "Cc", "Cn")) | st.sampled_from("\n\t\x85\u2028")
texts = st.text(signs, max_size=8)
entries = st.builds(
    CardSnapshot, st.integers(0, 4), st.just("0000"), looks, st.sampled_from(["", "b", "c"]),
    st.dictionaries(texts, texts, max_size=3),
)  # fmt: skip
states = st.dictionaries(
    st.sampled_from("xy"), st.dictionaries(st.sampled_from("abcd"), entries), max_size=2
)
Box = Counter[tuple[str, str]]


def box(state: GameState) -> Box:
    """How many cards of each look lie in the box."""
    held: Box = Counter()
    for pieces in state.values():
        for entry in pieces.values():
            held[entry.front, entry.back] += entry.copies
    return +held


def after(held: Box, changes: tuple[CardChange, ...]) -> Box:
    """The box once the changes are followed: what is taken out has to be in it."""
    left = held.copy()
    for change in changes:
        if change.old:
            left[change.old.front, change.old.back] -= change.copies_to_remove
        if change.new:
            left[change.new.front, change.new.back] += change.copies_to_print
    assert all(count >= 0 for count in left.values())
    return +left


@given(states, states)
def test_printing_and_removing_turns_the_old_box_into_the_new_one(
    old: GameState, new: GameState
) -> None:
    assert after(box(old), compare_states(old, new)) == box(new)


@given(states)
def test_a_state_does_not_differ_from_itself(state: GameState) -> None:
    assert compare_states(state, state) == ()
    everything = compare_states({}, state)
    assert {change.kind for change in everything} <= {"new"}
    assert sum(change.copies_to_print for change in everything) == box(state).total()


@given(states, states)
def test_the_reverse_change_removes_what_was_added(old: GameState, new: GameState) -> None:
    there, back = compare_states(old, new), compare_states(new, old)
    assert sum(change.copies_to_print for change in there) == sum(
        change.copies_to_remove for change in back
    )
    assert sum(change.copies_to_remove for change in there) == sum(
        change.copies_to_print for change in back
    )


@given(st.dictionaries(st.sampled_from(["en", "fi", "no"]), states, min_size=1))
def test_a_record_is_read_back(given_: dict[str, GameState]) -> None:
    found, problems = baselines.parse_states(baselines.format_states(given_))
    assert problems == []
    whole = {language: {deck: p for deck, p in s.items() if p} for language, s in given_.items()}
    assert found == whole
