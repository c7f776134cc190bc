"""Earlier versions of a card: at a commit, and as printed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from small_games import edit

from cardgen.cli import change_commands
from cardgen.pipeline.request import Request
from cardgen.preview.messages import GameLocation
from cardgen.preview.workers import past_worker, raster_worker, render_worker
from cardgen.preview.workers.past_worker import PastCard

BARN = "loot/barn/front/en"


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, message: str) -> None:
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", message)


@pytest.fixture
def place(root: Path, monkeypatch: pytest.MonkeyPatch) -> GameLocation:
    """A game with one commit."""
    monkeypatch.setattr(render_worker, "_sessions", {})
    (root / ".gitignore").write_text("build/\n")
    git(root, "init", "-q")
    commit(root, "first")
    return GameLocation(root)


def asked(place: GameLocation, when: str, card: str = "barn") -> PastCard:
    return past_worker.find_past_card(place, "loot", card, when)


def drawn(found: PastCard, name: str = BARN) -> bytes | None:
    return raster_worker.draw_face(found.recipes[found.pictures[name]], 120)


def test_a_card_as_it_was_at_a_commit(place: GameLocation) -> None:
    now = asked(place, "HEAD")
    assert (now.why, now.edits) == ("", {})
    sides = [f"{side}/{code}" for side in ("back", "front") for code in ("en", "fi")]
    assert sorted(now.pictures) == [f"loot/barn/{each}" for each in sides]
    seen = render_worker._sessions[place].last_update
    assert now.pictures[BARN] in seen.recipes  # it is the very picture of today
    before = drawn(now)
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    edit(place.root, "templates/card.css", "#f1e6cf", "#223344")
    edit(place.root, "art/house.svg", "#b8392a", "#2a57b8")
    then = asked(place, "HEAD")
    assert then.pictures == now.pictures
    assert drawn(then) == before
    assert then.edits == {"en": [{"name": "name", "old": "Barn", "new": "Old barn"}]}
    commit(place.root, "second")
    assert asked(place, "HEAD").pictures != now.pictures
    assert asked(place, "HEAD~1").pictures == now.pictures
    assert then.name.endswith(")")
    assert len(then.name.split()[0]) == 8


def test_a_missing_version_is_reported(place: GameLocation) -> None:
    assert "no commit, branch or tag" in asked(place, "nothing").why
    assert asked(place, "--help").why == "'--help' is not a revision"
    assert "there is no card loot/ruin" in asked(place, "HEAD", "ruin").why
    edit(place.root, "cards/loot.yaml", "id: barn", "id: ruin")
    assert "there is no card loot/ruin" in asked(place, "HEAD", "ruin").why
    edit(place.root, "cards/loot.yaml", "id: ruin", "id: barn")
    assert "nothing is recorded as printed yet" in asked(place, "printed").why
    edit(place.root, "templates/loot.html", "{{ card.name }}", "{% if card.name %}")
    commit(place.root, "broken")
    edit(place.root, "templates/loot.html", "{% if card.name %}", "{{ card.name }}")
    assert "cannot be drawn" in asked(place, "HEAD").why


def test_without_git_it_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_worker, "_sessions", {})
    assert "not in a git repository" in asked(GameLocation(root), "HEAD").why


def printed(place: GameLocation) -> None:
    """Record that the game as it is lies on the table."""
    assert change_commands.record_printed(Request(place.root, ())).pieces


def test_a_card_as_it_was_printed(place: GameLocation) -> None:
    before = asked(place, "HEAD").pictures
    printed(place)
    same = asked(place, "printed")
    assert (same.why, same.pictures) == ("it looks as it was printed", {})
    commit(place.root, "printed")
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    commit(place.root, "edited")
    edit(place.root, "cards/loot.yaml", "Old barn", "Older barn")
    then = asked(place, "printed")
    assert then.pictures == {name: each for name, each in before.items() if "/en" in name}
    assert then.edits == {"en": [{"name": "name", "old": "Barn", "new": "Older barn"}]}
    assert then.name.startswith("printed.yaml, as in ")
    assert drawn(then)
    assert asked(place, "printed", "shop").why == "it looks as it was printed"


def test_a_print_that_was_never_committed_is_described_by_its_fields(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    printed(place)
    edit(place.root, "cards/loot.yaml", "Old barn", "Barn")
    then = asked(place, "printed")
    assert "in none of the last" in then.why
    assert then.edits == {"en": [{"name": "name", "old": "Old barn", "new": "Barn"}]}
