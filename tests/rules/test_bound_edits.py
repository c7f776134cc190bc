"""Bounds of rules, written into their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.rules import bound_edits
from cardgen.rules.bound_edits import BoundEditError

RULES = """\
# What must hold.
rules:
  - {id: size, count: loot, at_least: 2, at_most: most, because: it lasts a game}   # two
  - id: worth
    sum: notes
    of: value
    is: 7      # coins
    because: the bank
  - id: each-{side}
    for_each: {side: [a, b]}
    count: loot
    at_least: {a: 1, b: 2}
    because: both play
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/rules.yaml").write_bytes(RULES.encode())
    return tmp_path


def test_bounds_that_are_numbers_can_be_changed(root: Path) -> None:
    assert bound_edits.read_bounds(root) == {3: {"at_least": 2}, 4: {"is": 7}, 9: {}}


@pytest.mark.parametrize(
    ("line", "key", "numbers", "edit"),
    [
        (3, "at_least", (2, 4), ("at_least: 2,", "at_least: 4,")),
        (4, "is", (7, 6.5), ("is: 7      # coins", "is: 6.5      # coins")),
    ],
)
def test_one_number_is_changed_and_no_other_byte(
    root: Path, line: int, key: str, numbers: tuple[float, float], edit: tuple[str, str]
) -> None:
    bound_edits.change_bound(root, line, key, *numbers)
    assert (root / "cards/rules.yaml").read_bytes() == RULES.replace(*edit).encode()
    bound_edits.change_bound(root, line, key, *reversed(numbers))
    assert (root / "cards/rules.yaml").read_bytes() == RULES.encode()


@pytest.mark.parametrize(
    ("line", "key", "was"),
    [(3, "at_least", 3), (3, "at_most", 2), (9, "at_least", 1), (5, "is", 7), (3, "id", 2)],
)
def test_another_bound_than_the_page_knows_is_left_alone(
    root: Path, line: int, key: str, was: float
) -> None:
    with pytest.raises(BoundEditError, match="was changed meanwhile"):
        bound_edits.change_bound(root, line, key, was, 5)
    assert (root / "cards/rules.yaml").read_bytes() == RULES.encode()


def test_a_file_that_is_a_link_or_read_only_is_left_alone(root: Path) -> None:
    path = root / "cards/rules.yaml"
    path.chmod(0o444)
    with pytest.raises(BoundEditError, match="read-only"):
        bound_edits.change_bound(root, 3, "at_least", 2, 5)
    path.unlink()
    with pytest.raises(BoundEditError, match="is missing"):
        bound_edits.change_bound(root, 3, "at_least", 2, 5)
