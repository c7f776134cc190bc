"""Files of a game that are rewritten in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.runtime import game_files, safe_files
from cardgen.runtime.safe_files import PathBlockedError


def test_a_rewritten_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_bytes(b"old")
    path.chmod(0o664)
    safe_files.rewrite_file(tmp_path, "deck.yaml", b"old", b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o664
    assert [*tmp_path.iterdir()] == [path]


def test_what_is_in_the_way_is_left_as_it_is(tmp_path: Path) -> None:
    game = tmp_path / "game"
    (game / "cards").mkdir(parents=True)
    outside = tmp_path / "outside.yaml"
    for path in (outside, game / "changed.yaml", game / "locked.yaml"):
        path.write_bytes(b"old")
    (game / "link.yaml").symlink_to(outside)
    (game / "folder").symlink_to(tmp_path)
    (game / "locked.yaml").chmod(0o444)
    for name, old, why in (
        ("../outside.yaml", b"old", "outside"), ("folder/outside.yaml", b"old", "link"),
        ("changed.yaml", b"older", "changed meanwhile"), ("locked.yaml", b"old", "read-only"),
        ("changed.yaml", b"o", "larger|changed"),
    ):  # fmt: skip
        with pytest.raises((PathBlockedError, game_files.UnreadableError), match=why):
            safe_files.rewrite_file(game, name, old, b"new")
    with pytest.raises(game_files.UnreadableError, match="link"):
        safe_files.rewrite_file(game, "link.yaml", b"old", b"new")
    with pytest.raises(game_files.MissingFileError):
        safe_files.rewrite_file(game, "gone.yaml", b"old", b"new")
    assert outside.read_bytes() == b"old"
    assert (game / "link.yaml").is_symlink()
    assert {path.name: path.read_bytes() for path in game.glob("*.yaml")} == dict.fromkeys(
        ("changed.yaml", "link.yaml", "locked.yaml"), b"old"
    )


def test_a_link_of_a_game_leads_nowhere_that_the_user_names(tmp_path: Path) -> None:
    game, own = tmp_path / "game", tmp_path / "own"
    for folder in (game / "plain", own / "folder"):
        folder.mkdir(parents=True)
    (game / "out").symlink_to(own)
    (own / "link").symlink_to(own / "folder")
    for named in (game / "out", game / "out/folder", game / "plain/../out/new"):
        with pytest.raises(PathBlockedError):
            safe_files.refuse_links(game, named)
    for named in (game, game / "plain", game / "new/x", own / "link", own / "link/x"):
        safe_files.refuse_links(game, named)
    (tmp_path / "way").symlink_to(game)
    safe_files.refuse_links(tmp_path / "way", tmp_path / "way/plain")
    with pytest.raises(PathBlockedError):
        safe_files.refuse_links(tmp_path / "way", tmp_path / "way/out")
