"""Sheets in the preview: they equal those of a build, and only the button writes files."""

from __future__ import annotations

import io
import json
import shutil
import time
from collections import OrderedDict
from pathlib import Path

import chromium
import pytest
from chromium import Page
from PIL import Image, ImageChops
from previews import Preview
from small_games import contents, edit, make

from cardgen.core.units import MM_PER_INCH
from cardgen.pdf import raster
from cardgen.pipeline.build import build
from cardgen.preview.messages import GameLocation
from cardgen.preview.sheet_choices import InvalidChoiceError, SheetChoices, parse_choices
from cardgen.preview.state import Json
from cardgen.preview.workers import render_worker, sheet_worker

WIDTH = 420


@pytest.fixture
def place(root: Path, one_process: None, monkeypatch: pytest.MonkeyPatch) -> GameLocation:
    monkeypatch.setattr(render_worker, "_sessions", {})
    monkeypatch.setattr(sheet_worker, "_page_recipes", OrderedDict())
    return GameLocation(root)


def shown(place: GameLocation, **asked: object) -> Json:
    return sheet_worker.arrange_sheets(place, parse_choices(asked))


def pictures(place: GameLocation, told: Json, number: int = 0) -> list[Image.Image]:
    """The pages of a file as the page of the preview gets them."""
    found = []
    for each in told["files"][number]["pages"]:
        drawn = sheet_worker.draw_sheet_page(place, each["key"], WIDTH)
        assert drawn is not None
        assert drawn[1]
        found.append(Image.open(io.BytesIO(drawn[0])).convert("RGB"))
    return found


def written(place: GameLocation, path: str, told: Json) -> list[Image.Image]:
    """The pages of a file that a build wrote, as wide as the preview's."""
    pdf = (place.root / "build" / path).read_bytes()
    dpi = WIDTH / told["paper"]["width"] * MM_PER_INCH
    return list(raster.rasterise_pages(pdf, dpi, raster.FINE_DPI))


def assert_alike(one: list[Image.Image], other: list[Image.Image]) -> None:
    """The same but for what a font's subset, of one page or of many, does to a px or two."""
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert a.size == b.size
        assert max(ImageChops.difference(a, b).tobytes()) < 64


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"low_ink": True, "grayscale": True},
        {"backs": "gutterfold", "marks": "none", "cut_lines": True, "gap": 4},
        {"paper": "a3", "backs": "none"},
        {"margin": "10,5,5,5", "gap": "4x0", "grid": "2x2"},
    ],
    ids=["usual", "pale", "folded", "large", "uneven"],
)
def test_shown_sheets_equal_those_of_a_build(place: GameLocation, asked: Json) -> None:
    told = shown(place, **asked)
    before = contents(place.root / "build")
    drawn = [pictures(place, told, number) for number in (0, 1)]
    assert contents(place.root / "build") == before
    done = sheet_worker.make_sheets(place, parse_choices(asked))
    assert done["problems"] == []
    whole = ["fi/sheets.pdf"] if "backs" in asked else ["fi/sheets.pdf", "fi/sheets-one-sided.pdf"]
    assert [file["path"] for file in done["files"]] == [
        *whole, "fi/sheets/loot.pdf", "fi/sheets/notes.pdf",
    ]  # fmt: skip
    assert [file["whole"] for file in done["files"]] == [True] * len(whole) + [False] * 2
    assert_alike(drawn[0], written(place, "fi/sheets/loot.pdf", told))
    assert_alike(drawn[1], written(place, "fi/sheets/notes.pdf", told))
    game = render_worker.get_session(place).game
    assert game is not None
    summaries = [
        a.summary
        for a in build(parse_choices(asked).make_request(place, game)).planned_files
        if a.summary
    ]
    papers = [int(summary.partition(" ")[0]) for summary in summaries]
    assert (len(papers), sum(papers)) == (len(whole), told["papers"])
    if len(whole) == 1:
        name = told["paper"]["name"]
        assert summaries[0].startswith(
            f"{told['papers']} sheets of {name}, {told['waste']}\u00a0% of the"
        )


def test_the_button_builds_the_same_files_as_the_command(place: GameLocation) -> None:
    sheet_worker.make_sheets(
        place, parse_choices({"language": "en", "decks": ["loot"], "mix": True})
    )
    with_preview = contents(place.root / "build")
    make(place.root, fresh=True, outputs=("sheets", "images"))
    choices = parse_choices({"language": "en", "decks": ["loot"], "mix": True})
    at = render_worker.get_session(place)
    assert at.game is not None
    report = build(choices.make_request(place, at.game))
    assert not report.has_failed
    assert report.file_paths == ["en/sheets/63.5x88.9.pdf"]
    assert contents(place.root / "build") == with_preview


def test_stock_gives_the_paper_and_skipped_places_stay_free(place: GameLocation) -> None:
    asked = {
        "decks": ["loot"],
        "stock": "herma-8897",
        "skip": "1-2",
        "paper": "a3",
        "marks": "crop",
    }
    told = shown(place, **asked)
    assert (told["paper"]["name"], told["why"]) == ("a4", [])
    assert "herma-8897" in json.loads(json.dumps(told))["offered"]["stock"]
    (front, _) = told["files"][0]["pages"]
    assert [(card["left"], card["top"]) for card in front["cards"]] == [
        pytest.approx(at)
        for at in ((13.56, 82.88), (107.54, 82.88), (13.56, 150.61), (107.54, 150.61))
    ]
    done = sheet_worker.make_sheets(place, parse_choices(asked))
    assert [file["path"] for file in done["files"]] == ["fi/sheets/loot.pdf"]
    asked["decks"] = ["notes"]
    assert "does not fit herma-8897" in shown(place, **asked)["why"][0]["message"]


def test_a_face_is_typeset_once(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    told = shown(place, language="en", decks=["loot"])
    (pages,) = [file["pages"] for file in told["files"]]
    assert [page["side"] for page in pages] == ["front", "back"]
    cards = [card["card"] for card in pages[0]["cards"]]
    assert cards == ["loot/barn", *["loot/shop"] * 3]
    session = render_worker.get_session(place)
    assert session.faces is not None
    assert not all(session.is_typeset(face) for face in session.faces.faces)
    pictures(place, told)
    assert make(place.root).typeset_count == 0


def test_a_page_that_did_not_change_keeps_its_key(place: GameLocation) -> None:
    before = [page["key"] for file in shown(place)["files"] for page in file["pages"]]
    edit(place.root, "cards/loot.yaml", "fi: Lato", "fi: Aitta")
    after = [page["key"] for file in shown(place)["files"] for page in file["pages"]]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]
    plain = [page["key"] for file in shown(place, marks="none")["files"] for page in file["pages"]]
    same = [a == b for a, b in zip(after, plain, strict=True)]
    assert same == [False, True, False], "backs have no marks"


def test_ink_is_measured_bit_by_bit_and_less_with_low_ink(
    place: GameLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_worker, "MAX_FACES_MEASURED", 3)
    told = sheet_worker.measure_ink(place, parse_choices({}))
    assert told["left"] == 5 - 3  # four fronts and a back that two share
    full = sheet_worker.measure_ink(place, parse_choices({}))
    assert full["pages"] == 3
    assert 0.01 < full["share"] < 0.5
    low = SheetChoices(options={"low_ink": True})
    while (less := sheet_worker.measure_ink(place, low)).get("left"):
        pass
    assert less["share"] < full["share"]
    assert less["saving"] == pytest.approx(1 - less["share"] / full["share"])


def test_choices_that_cannot_be_built_are_reported(place: GameLocation) -> None:
    def why(**asked: object) -> str:
        told = shown(place, **asked)
        assert told["files"] is None
        return str(told["why"][0]["message"])

    assert "names no sheets" in why(sheets="two")
    assert "names no places" in why(skip="two")
    assert "holds for no card" in why(where="copies > 90")
    assert "unknown paper 'a5'" in why(paper="a5")
    assert "nothing is recorded as printed yet" in why(changed=True)
    assert "not in a git repository" in why(changed=True, since="yesterday-ish")
    assert sheet_worker.make_sheets(place, parse_choices({"sheets": "two"}))["files"] == []
    assert "is no sheet 9" in shown(place, sheets="1,9")["why"][0]["message"]
    assert (
        "'1e+09' is not a length from 0 to 50 mm" in shown(place, margin=1e9)["why"][0]["message"]
    )
    edit(place.root, "game.yaml", "languages:", "tongues:")
    assert "needs languages" in why()


def test_a_file_is_not_accepted_as_a_revision(place: GameLocation, tmp_path: Path) -> None:
    (tmp_path / "printed.yaml").write_text("en: {}\n")
    at = render_worker.get_session(place)
    assert at.game is not None
    with pytest.raises(InvalidChoiceError, match="not in a git repository"):
        parse_choices({"changed": True, "since": str(tmp_path / "printed.yaml")}).make_request(
            place, at.game
        )


@pytest.mark.parametrize(
    "strange", [None, [], 7, {"decks": "loot"}, {"margin": True}, {"overlap": 1e9}, {"backs": 3},
                {"marks": "none "}, {"decks": [1, None, "x y"]}, {"cut_files": ["exe"]},
                {"mix": "yes"}, {"low_ink": 1}, {"stock": "avery-1"}, {"skip": [3]}],
)  # fmt: skip
def test_invalid_choices_are_ignored(strange: object) -> None:
    assert parse_choices(strange) == SheetChoices()


def test_an_error_stops_the_button_and_keeps_the_files(place: GameLocation) -> None:
    make(place.root)
    before = contents(place.root / "build")
    edit(place.root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    told = shown(place, language="en")
    assert (
        sheet_worker.draw_sheet_page(place, told["files"][0]["pages"][0]["key"], WIDTH) is not None
    )
    done = sheet_worker.make_sheets(place, parse_choices({"language": "en"}))
    assert any("too tall for its box" in problem["message"] for problem in done["problems"])
    assert done["files"] == []
    assert contents(place.root / "build") == before


# -- in the browser

LEAVES = "[...document.querySelectorAll('.leaf')]"
KEYS = f"{LEAVES}.map(leaf => leaf.dataset.picture).join()"
DRAWN = f"{LEAVES}.length && {LEAVES}.every(leaf => leaf.dataset.picture)"
COUNT = "document.querySelector('.big b')?.textContent"
PANEL = "document.getElementById('sheet-panel').textContent"


@pytest.fixture
def page(page: Page) -> Page:
    page.key("S")
    page.wait(DRAWN, 60)
    return page


@chromium.needs_browser
def test_sheets_follow_the_choices_and_these_are_kept(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    assert page.run(COUNT) == "2"
    before = page.run(KEYS)
    page.key("i")
    page.wait(f"{KEYS} !== {before!r} && {DRAWN}", 60)
    page.wait(f"{PANEL}.includes('less than in full')", 60)
    pale = page.run(KEYS)
    time.sleep(0.5)
    page.go("about:blank")
    page.go(shared[1].address)
    page.wait(DRAWN, 60)
    assert page.run(KEYS) == pale
    assert page.run("document.querySelector('[data-choice=low_ink]').checked")


@chromium.needs_browser
def test_a_save_redraws_only_the_changed_sheets(page: Page, shared: tuple[Path, Preview]) -> None:
    first, second, third = page.run(KEYS).split(",")
    edit(shared[0], "cards/loot.yaml", "fi: Lato", "fi: Aitta")
    page.wait(f"{LEAVES}[0].dataset.picture !== {first!r} && {DRAWN}", 60)
    assert page.run(KEYS).split(",")[1:] == [second, third]
    edit(shared[0], "cards/loot.yaml", "fi: Aitta", "fi: Lato")
    page.wait(f"{LEAVES}[0].dataset.picture === {first!r}", 60)
    # What only the sheets hang on is no card's, and is seen as well.
    edit(shared[0], "game.yaml", "languages:", "print: {paper: a3}\nlanguages:")
    page.wait("document.querySelector('[data-choice=paper]').value === 'a3'", 60)
    page.wait("document.querySelector('.big').textContent.includes('A3')")
    edit(shared[0], "game.yaml", "print: {paper: a3}\n", "")
    page.wait("document.querySelector('.big').textContent.includes('A4')", 60)


@chromium.needs_browser
def test_the_button_makes_the_pdf_and_its_link_serves_it_alone(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    root, preview = shared
    shutil.rmtree(root / "build/fi")
    page.key("m")
    page.wait("document.querySelector('a.whole')", 60)
    assert page.run("document.querySelector('a.whole').textContent") == "build/fi/sheets.pdf"
    href = page.run("document.querySelector('a.whole').getAttribute('href')")
    got = page.run(
        f"fetch({href!r}).then(async a => [a.status, a.headers.get('content-type'), "
        "(await a.arrayBuffer()).byteLength])"
    )
    size = (root / "build/fi/sheets.pdf").stat().st_size
    assert got == [200, "application/pdf", size]
    token = href.split("/")[1]
    for path in ("made/other/sheets.pdf", f"made/{token}", "made/../../game.yaml"):
        assert preview.ask(f"/TOKEN/{path}")[0] == 404, path
    assert preview.ask(f"/TOKEN/made/{token}/sheets.pdf")[0] == 200
    # The token is the file's: another name after it leads nowhere else.
    status, other = preview.ask(f"/TOKEN/made/{token}/..%2f..%2fgame.yaml")
    assert status == 404 or other.startswith("%PDF")
    assert preview.ask("/TOKEN/sheets/make", "POST", "{}")[0] == 403
    assert preview.ask("/TOKEN/sheet/none/100")[0] == 204


@chromium.needs_browser
def test_a_click_on_a_card_of_a_sheet_opens_it(page: Page) -> None:
    page.run("void document.querySelector('.spot[data-card=\"loot/shop\"]').click()")
    page.wait("document.getElementById('card').open")
    assert "Kauppa" in page.run("document.getElementById('card').textContent")
    page.run("void document.querySelector('#card .close').click()")
    page.wait("!document.getElementById('card').open")


@chromium.needs_browser
def test_sheets_stay_when_the_game_cannot_be_read(page: Page, shared: tuple[Path, Preview]) -> None:
    before = page.run(KEYS)
    edit(shared[0], "game.yaml", "languages:", "tongues:")
    page.wait("document.getElementById('sheet-desk').classList.contains('stale')", 60)
    assert page.run(KEYS) == before
    assert "needs languages" in page.run(PANEL)
    edit(shared[0], "game.yaml", "tongues:", "languages:")
    page.wait("!document.getElementById('sheet-desk').classList.contains('stale')", 60)
