"""Notes about cards in notes.yaml, each edit one changed line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.game import card_notes
from cardgen.game.card_notes import CardNote, NotesError

BY_HAND = """\
# From the evening of play.
notes:
  - card: loot/barn      # blue
    text: 'Too strong?'
    date: 2026-11-27
"""


def add(root: Path, card: str, text: str) -> None:
    card_notes.add_note(root, card, text, "2026-11-28")


def test_notes_are_added_resolved_and_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "notes.yaml"
    assert card_notes.read_notes(tmp_path) == []
    add(tmp_path, "loot/barn", " Too dear: 3 is enough\n")
    first = path.read_text(encoding="utf-8")
    assert first == (
        'notes:\n  - {card: loot/barn, text: "Too dear: 3 is enough", date: "2026-11-28"}\n'
    )
    add(tmp_path, "loot/shop", "Why?")
    second = path.read_text(encoding="utf-8")
    assert second.startswith(first)
    assert len(second.splitlines()) == 3
    barn, shop = card_notes.read_notes(tmp_path)
    assert shop == CardNote("loot/shop", "Why?", "2026-11-28", line=3)
    card_notes.resolve_note(tmp_path, replace(barn, resolved=True))
    assert [note.resolved for note in card_notes.read_notes(tmp_path)] == [True, False]
    card_notes.resolve_note(tmp_path, replace(barn, resolved=False))
    assert path.read_text(encoding="utf-8") == second


def test_what_was_written_by_hand_stays(tmp_path: Path) -> None:
    path = tmp_path / "notes.yaml"
    path.write_bytes(BY_HAND.encode())
    add(tmp_path, "loot/shop", "Why?")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(BY_HAND)
    (barn, _) = card_notes.read_notes(tmp_path)
    assert (barn.card, barn.text, barn.date) == ("loot/barn", "Too strong?", "2026-11-27")
    card_notes.resolve_note(tmp_path, replace(barn, resolved=True))
    added = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in added if line not in text.splitlines()] == ["    resolved: true"]


@pytest.mark.parametrize(
    "text", ["[", "7\n", "notes: 7\n", "notes: [7]\n", "notes: [{card: a}]\n", "notes: &a [*a]\n"]
)
def test_a_file_that_holds_no_notes_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(NotesError, match=r"notes\.yaml"):
        card_notes.read_notes(tmp_path)
    if "[7]" not in text and "{card" not in text:
        with pytest.raises(NotesError):
            add(tmp_path, "loot/barn", "Why?")
        assert (tmp_path / "notes.yaml").read_text(encoding="utf-8") == text


def test_a_note_that_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    add(tmp_path, "loot/barn", "Why?")
    (note,) = card_notes.read_notes(tmp_path)
    for other in (replace(note, text="Who?"), replace(note, line=9), replace(note, card="a/b")):
        with pytest.raises(NotesError, match="changed meanwhile"):
            card_notes.resolve_note(tmp_path, replace(other, resolved=True))
    for text in ("", "  \n", "x" * 2001):
        with pytest.raises(NotesError, match="1 to 2000 characters"):
            add(tmp_path, "loot/barn", text)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1)))
def test_whatever_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    root = tmp_path_factory.mktemp("notes")
    texts = [text.strip() for text in texts if text.strip()]
    for text in texts:
        add(root, "loot/barn", text)
    assert [note.text for note in card_notes.read_notes(root)] == texts
