"""`cardgen build --draft`: what can be drawn is made, apart from what is for printing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import TESTS, Cardgen, MakeGame
from small_games import TEXT_GAME, contents, edit, options

from cardgen.cli.terminal import FINE, PROBLEMS, USAGE
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

BUILT = TEXT_GAME
LONG = "Take a great lot of {coin} " * 30
SOME = ("--dpi", "72")
# Games with mistakes of many kinds, in names, files, HTML and values.
BROKEN = (
    "broken-yaml", "drawing", "long-names", "missing-art", "several-files", "strange-addresses",
    "table", "unsound-html", "wrong-size", "wrong-type",
)  # fmt: skip


def test_what_is_wrong_is_told_and_all_is_made_apart(root: Path, cardgen: Cardgen) -> None:
    before = contents(root / "build")
    edit(root, "cards/loot.yaml", "Take {coin}", LONG)
    edit(root, "templates/note.html", "{{ card.value }}", "{{ card.vale }}")
    told = cardgen("build", "sheets", "images", "--draft", *SOME)
    assert told.code == PROBLEMS
    assert "too tall for its box" in told.err
    assert "there is no 'vale'" in told.err
    assert "5 faces of 3 cards are drafts, marked across (4 could not be drawn" in told.out
    assert "loot/barn" in told.out
    made = contents(root / "build/draft")
    assert {name for name in before if name != ".cardgen.json"} <= made.keys()
    kept = {n: d for n, d in contents(root / "build").items() if not n.startswith("draft/")}
    assert kept == before
    assert not (root / "printed.yaml").exists()


def test_it_is_what_a_build_refuses(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", LONG)
    refused = cardgen("build", "sheets")
    drafted = cardgen("build", "sheets", "--draft")
    assert (refused.code, drafted.code) == (PROBLEMS, PROBLEMS)
    assert refused.err == drafted.err
    assert "nothing was changed in build" in refused.out
    assert "nothing was changed" not in drafted.out


def test_without_a_mistake_all_is_well(root: Path, cardgen: Cardgen) -> None:
    told = cardgen("build", "images", "--draft", *SOME)
    assert told.code == FINE
    assert "draft," not in told.out
    assert "drafts," not in told.out
    assert (root / "build/draft/en/images/loot/barn.png").exists()


def test_where_nothing_can_be_drawn_it_says_so(root: Path, cardgen: Cardgen) -> None:
    edit(root, "game.yaml", "languages: [fi, en]", "languages: [fi, en")
    told = cardgen("build", "--draft")
    assert told.code == PROBLEMS
    assert "nothing was changed in build/draft" in told.out


def test_it_goes_below_the_folder_that_is_named(
    root: Path, tmp_path: Path, cardgen: Cardgen
) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", LONG)
    cardgen("build", "images", "--draft", *SOME, "-o", str(tmp_path / "out"))
    assert (tmp_path / "out/draft/en/images/loot/barn.png").exists()
    assert [path.name for path in (tmp_path / "out").iterdir() if path.is_dir()] == ["draft"]


def test_variants_have_folders_of_their_own_and_clean_takes_them_along(
    root: Path, cardgen: Cardgen
) -> None:
    edit(root, "game.yaml", "languages:", "variants: {pocket: {decks: [loot]}}\nlanguages:")
    edit(root, "cards/loot.yaml", "Take {coin}", LONG)
    cardgen("build", "images", "--draft", *SOME, "--variant", "pocket")
    assert (root / "build/draft/pocket/en/images/loot/barn.png").exists()
    cardgen("build", "images", "--draft", *SOME)
    assert (root / "build/draft/en/images/notes/one.png").exists()
    cardgen("clean")
    assert contents(root / "build").keys() <= {".cardgen.lock"}


def test_no_variant_takes_the_name_of_the_folder(root: Path, cardgen: Cardgen) -> None:
    edit(root, "game.yaml", "languages:", "variants: {draft: {decks: [loot]}}\nlanguages:")
    told = cardgen("check")
    assert "'draft' is the draft folder; give the variant another name" in told.err


def test_a_draft_is_not_put_where_a_table_is_played(
    root: Path, tmp_path: Path, cardgen: Cardgen
) -> None:
    told = cardgen("build", "tts", "--draft", "--install", "--tts-dir", str(tmp_path))
    assert told.code == USAGE
    assert "--draft" in told.err


def test_parts_can_be_asked_for(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", LONG)
    told = cardgen("build", "images", "--draft", *SOME, "--card", "shop")
    assert told.code == FINE
    assert "1 error" not in told.out.splitlines()[0].replace("(1 in what is not built)", "")
    made = contents(root / "build/draft/en/images")
    assert made.keys() == {"loot/shop.png", "loot/shop-back.png"}


def test_an_output_that_cannot_be_made_keeps_no_other_back(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/notes.yaml", "size: 60 x 40", "size: 190 x 190")
    edit(root, "cards/loot.yaml", "size: poker", "size: 60 x 40")
    told = cardgen("build", "tgc", "images", "--draft", *SOME)
    assert told.code == PROBLEMS
    assert "[shop]" in told.err
    assert (root / "build/draft/en/images/loot/barn.png").exists()
    assert not (root / "build/draft/en/tgc").exists()


@pytest.mark.parametrize("kind", BROKEN)
def test_whatever_is_wrong_something_is_made_and_nothing_fails(
    kind: str, make_game: MakeGame, one_process: None
) -> None:
    root = make_game(like=TESTS / "problems" / kind)
    outside = {path: path.stat().st_mtime_ns for path in root.parent.rglob("*") if path != root}
    report = build.build(Request(root, ("sheets", "images"), options=options(), is_draft=True))
    assert report.draft_faces is not None
    assert all(path.parts[0] == "en" for path in map(Path, report.file_paths))
    assert (root / "build/draft/.cardgen.json").exists()
    faces = [path for path in report.file_paths if "/images/" in path]
    assert bool(faces) == bool(report.face_count)
    shutil.rmtree(root / "build")
    after = {path: path.stat().st_mtime_ns for path in root.parent.rglob("*") if path != root}
    assert after == outside
