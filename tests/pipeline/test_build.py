"""Builds one after another: what is typeset, what is written, what stays, what goes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeGame
from small_games import TEXT_GAME, contents, edit, make, options, times, write_game

from cardgen.faces import typesetting
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request

pytestmark = pytest.mark.usefixtures("one_process")

FACES = 10
"""Of TEXT_GAME: in two languages 2 fronts and the back they share, and 2 notes."""


def made(report: BuildReport) -> list[str]:
    return sorted(artefact.path for artefact in report.new_files)


def test_a_build_makes_everything(make_game: MakeGame) -> None:
    report = make(make_game(TEXT_GAME))
    assert report.typeset_count == FACES
    assert made(report) == sorted(
        f"{language}/{path}"
        for language in ("fi", "en")
        for path in (
            "sheets.pdf",
            "sheets-one-sided.pdf",
            "sheets/loot.pdf",
            "sheets/notes.pdf",
            "images/loot/barn.png",
            "images/loot/barn-back.png",
            "images/loot/shop.png",
            "images/loot/shop-back.png",
            "images/notes/one.png",
            "images/notes/five.png",
        )
    )


def test_the_same_folder_gives_the_same_bytes(make_game: MakeGame, tmp_path: Path) -> None:
    """Built in two folders of different names, from nothing."""
    first = make_game(TEXT_GAME)
    make(first)
    second = tmp_path / "another name"
    first.rename(second)
    old = contents(second / "build")
    build.clean(second)
    make(second)
    assert contents(second / "build") == old


def test_a_second_build_does_nothing(root: Path) -> None:
    before = times(root / "build")
    report = make(root)
    assert (report.typeset_count, report.new_files, report.removed_paths) == (0, [], [])
    assert times(root / "build") == before


def test_an_edited_text_typesets_its_own_faces_only(root: Path) -> None:
    edit(root, "cards/loot.yaml", "Lato", "Navetta")
    report = make(root)
    assert report.typeset_count == 1
    assert made(report) == ["fi/images/loot/barn.png", "fi/sheets.pdf", "fi/sheets/loot.pdf"]


def test_an_edited_drawing_typesets_nothing(root: Path) -> None:
    """It is drawn again and takes its place in every PDF and picture that shows it."""
    before = contents(root / "build")
    edit(root, "art/house.svg", "#b8392a", "#2a39b8")
    report = make(root)
    assert report.typeset_count == 0
    assert len(made(report)) == 2 * (4 + 2)
    after = contents(root / "build")
    assert all(after[path] != before[path] for path in made(report))


def test_an_edited_icon_typesets_nothing(root: Path) -> None:
    edit(root, "art/icons/coin.svg", 'r="9"', 'r="7"')
    report = make(root)
    assert report.typeset_count == 0
    assert "fi/images/loot/barn.png" in made(report)


def test_a_drawing_of_other_proportions_is_laid_out_again(root: Path) -> None:
    edit(root, "art/house.svg", "0 0 40 40", "0 0 40 20")
    assert make(root).typeset_count == 3 * 2


EDITS = {
    "a text": ("cards/loot.yaml", "Barn", "Hay barn"),
    "a style": ("templates/card.css", "left: 5mm", "left: 6mm"),
    "a template": ("templates/loot.html", '<div class="name">', '<div class="name tall">'),
    "a drawing": ("art/house.svg", "#b8392a", "#2a39b8"),
    "an icon": ("art/icons/coin.svg", 'r="9"', 'r="7"'),
    "copies": ("cards/loot.yaml", "copies: 3", "copies: 12"),
    "the size": ("cards/notes.yaml", "60 x 40", "62 x 40"),
    "the title": ("game.yaml", "Pieni", "Suuri"),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_build_after_an_edit_equals_a_fresh_one(root: Path, what: str) -> None:
    """And once the edit is taken back, everything is as it was, with nothing typeset."""
    original = contents(root / "build")
    name, old, new = EDITS[what]
    edit(root, name, old, new)
    make(root)
    edited = contents(root / "build")
    assert edited != original
    make(root, fresh=True)
    assert contents(root / "build") == edited
    edit(root, name, new, old)
    make(root)
    assert contents(root / "build") == original


def test_an_icon_more_changes_no_other(root: Path) -> None:
    """Faces that were set before the icon came still show their own icons."""
    before = contents(root / "build")
    (root / "art/icons/anchor.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2h20v3H2z"/></svg>'
    )
    assert make(root).typeset_count == 0
    after = contents(root / "build")
    assert after["en/images/loot/barn.png"] == before["en/images/loot/barn.png"]
    make(root, fresh=True)
    assert contents(root / "build") == after


def test_two_processes_set_what_one_does(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = contents(root / "build")
    monkeypatch.setattr(typesetting, "_MAX_FACES_IN_PROCESS", 0)
    monkeypatch.setattr(typesetting, "MAX_FACES_PER_BATCH", 2)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert make(root, fresh=True).typeset_count == FACES
    assert contents(root / "build") == alone


def test_an_error_leaves_the_old_output_alone(root: Path) -> None:
    before, when = contents(root / "build"), times(root / "build")
    edit(root, "cards/loot.yaml", "Maksa 5 €.", "Maksa. " * 90)
    edit(root, "cards/notes.yaml", "value: 5", "value: 7")
    report = build.build(Request(root, options=options()))
    assert [str(problem) for problem in report.problems if problem.severity == "error"]
    assert (report.new_files, report.removed_paths) == ([], [])
    assert (contents(root / "build"), times(root / "build")) == (before, when)


def test_a_build_that_breaks_off_leaves_the_old_output_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is made before anything is published."""
    before = contents(root / "build")
    edit(root, "cards/notes.yaml", "value: 5", "value: 7")

    def broken(_recipes: list[Any]) -> list[bytes]:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(OUTPUTS["images"].output, "make", broken)
        with pytest.raises(RuntimeError):
            make(root)
    assert contents(root / "build") == before
    assert sorted(path.name for path in (root / "build").iterdir()) == [
        ".cardgen.json", ".store", "en", "fi",
    ]  # fmt: skip
    assert "fi/images/notes/five.png" in made(make(root))


def test_what_a_removed_card_left_is_removed(root: Path) -> None:
    edit(root, "cards/notes.yaml", "  - {id: five, value: 5}\n", "")
    report = make(root)
    assert report.removed_paths == ["en/images/notes/five.png", "fi/images/notes/five.png"]
    assert not (root / "build/fi/images/notes/five.png").exists()
    assert (root / "build/fi/images/notes/one.png").exists()


def test_what_a_removed_deck_left_is_removed_with_its_folder(root: Path) -> None:
    (root / "cards/notes.yaml").unlink()
    assert "fi/sheets/notes.pdf" in make(root).removed_paths
    assert not (root / "build/fi/images/notes").exists()
    assert (root / "build/fi/sheets").exists()


def test_files_that_no_build_made_are_left_alone(root: Path) -> None:
    own = root / "build/fi/images/notes/own.png"
    own.write_bytes(b"mine")
    (root / "cards/notes.yaml").unlink()
    make(root)
    build.clean(root)
    assert own.read_bytes() == b"mine"


def test_one_deck_leaves_the_others_files_alone(root: Path) -> None:
    edit(root, "cards/loot.yaml", "Lato", "Navetta")
    edit(root, "cards/notes.yaml", "  - {id: five, value: 5}\n", "")
    report = make(root, decks=("loot",))
    assert report.removed_paths == []
    assert (root / "build/fi/images/notes/five.png").exists()
    assert "fi/images/loot/barn.png" in made(report)


def test_one_language_leaves_the_others_files_alone(root: Path) -> None:
    edit(root, "cards/notes.yaml", "  - {id: five, value: 5}\n", "")
    report = make(root, languages=("fi",))
    assert report.removed_paths == ["fi/images/notes/five.png"]
    assert (root / "build/en/images/notes/five.png").exists()


def test_a_build_of_part_does_not_stand_for_the_whole_box(root: Path) -> None:
    """sheets.pdf is of all decks; one made of a part of them is made again in full."""
    whole = contents(root / "build")
    make(root, decks=("loot",))
    make(root)
    assert contents(root / "build") == whole


def test_another_folder_for_the_files(root: Path, tmp_path: Path) -> None:
    report = make(root, folder=tmp_path / "out")
    assert report.typeset_count == 0
    assert contents(tmp_path / "out") == contents(root / "build")


def test_a_lost_file_is_made_again(root: Path) -> None:
    before = contents(root / "build")
    (root / "build/fi/sheets.pdf").unlink()
    report = make(root)
    assert (report.typeset_count, made(report)) == (0, ["fi/sheets.pdf"])
    assert contents(root / "build") == before


def test_fresh_forgets_what_was_made_before(root: Path) -> None:
    before = contents(root / "build")
    report = make(root, fresh=True)
    assert report.typeset_count == FACES
    assert len(report.new_files) == 20
    assert contents(root / "build") == before


def test_clean_removes_all_that_was_made(root: Path) -> None:
    assert build.clean(root) == 20
    assert contents(root / "build") == {}
    assert not (root / "build/.store").exists()
    assert build.clean(root) == 0


def test_a_damaged_store_is_no_bug(root: Path) -> None:
    """A face whose record was lost is set again; a broken manifest is as none."""
    before = contents(root / "build")
    lost = sorted((root / "build/.store/faces").glob("*.json"))[0]
    lost.unlink()
    (root / "build/.cardgen.json").write_text("{")
    report = make(root)
    assert (report.typeset_count, len(report.new_files)) == (1, 20)
    assert contents(root / "build") == before


def test_the_store_does_not_grow_for_ever(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces that no card shows any more go once there are many; those in use stay."""
    store = root / "build/.store"
    for number in range(500):
        for kind in ("faces", "art", "fonts"):
            (store / kind / f"old-{number}.pdf").write_bytes(b"")
    edit(root, "cards/loot.yaml", "Lato", "Navetta")
    make(root)
    assert len(list((store / "faces").iterdir())) == 2 * FACES  # set, and what is known of them
    assert len(list((store / "art").iterdir())) == 1
    assert len(list((store / "fonts").iterdir())) == 2 * 2 + 1  # with characters, and what is lost
    assert make(root).typeset_count == 0


def test_two_files_of_one_name_are_told_and_none_is_made(tmp_path: Path) -> None:
    """The back of `barn` and the front of `barn-back`."""
    deck = TEXT_GAME["cards/loot.yaml"].replace("id: shop", "id: barn-back")
    root = write_game(tmp_path, {**TEXT_GAME, "cards/loot.yaml": deck})
    report = build.build(Request(root, outputs=("images",), options=options()))
    assert [str(problem) for problem in report.problems] == [
        f"cards: error: two files would both be {language}/images/loot/barn-back.png; "
        "give one of the cards another id [duplicate-id]"
        for language in ("en", "fi")
    ]
    assert not list((root / "build").rglob("*.png"))


def test_the_build_imports_few_modules_and_no_heavy_library(root: Path) -> None:
    """Of what books are written with, nothing where there is no book."""
    code = (
        "import sys, cardgen.pipeline.build; "
        "print(sum(name.startswith('cardgen') for name in sys.modules)); "
        "import pathlib, cardgen.faces.queries; from cardgen.pipeline import request, stages; "
        "game = stages.load_stages(request.Request(pathlib.Path(sys.argv[1]))); "
        "game.render(); game.check_rules(); game.write_books(); "
        "print(*(name for name in ('weasyprint', 'pathops', 'markdown_it', "
        "'typst', 'pypdfium2', 'pikepdf') if name in sys.modules))"
    )
    command = [sys.executable, "-P", "-c", code, str(root)]
    done = subprocess.run(command, capture_output=True, check=True)
    count, *heavy = done.stdout.decode().split()
    assert heavy == []
    assert int(count) <= 90
