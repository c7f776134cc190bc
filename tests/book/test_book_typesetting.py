"""Whole pages of rulebooks, how long their lines are, and what stays together on them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pypdfium2
import pytest
from small_books import ordered
from small_games import make, options, write_game
from test_editions import GAME

from cardgen.book.book_pdf import BookRequest, LayoutHints
from cardgen.book.book_typesetting import typeset_book
from cardgen.core import work_limits
from cardgen.game.loader import load_game
from cardgen.pdf.ink_modes import InkMode
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets import imposition

SIZES = ("a4", "a5")
SAID = "A ship that waits lies on its side until the crane of the harbour is free once more. "
SEA = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="{}">'
    '<rect width="300" height="900" fill="#00aa55"/></svg>'
)
GREEN = (0, 170, 85)


def game_of(tmp_path: Path, files: dict[str, str]) -> Path:
    """Another game of this test."""
    return write_game(tmp_path / f"game-{len(list(tmp_path.iterdir()))}", files)


def book(tmp_path: Path, text: str, size: str = "a4", **more: str) -> tuple[Path, BookRequest]:
    """A game with that rulebook, set on pages of one size."""
    files = {**GAME, "art/sea.svg": SEA.format(200), "rulebook/en.md": text, **more}
    return ordered(
        game_of(tmp_path, files), replace(options(), editions=("player",), book_sizes=(size,))
    )


def built(tmp_path: Path, text: str, size: str = "a4", **more: str) -> list[Any]:
    """The pages of the book."""
    root, _ = book(tmp_path, text, size, **more)
    name = "rulebook.pdf" if size == "a4" else "rulebook-a5.pdf"
    return list(pypdfium2.PdfDocument(root / "build/en" / name))


def words(page: Any) -> str:
    return " ".join(page.get_textpage().get_text_range().split())


def corners(page: Any) -> list[tuple[int, int, int]]:
    """The colours 1 mm inside the page's corners."""
    image = page.render(scale=1).to_pil().convert("RGB")
    right, foot = image.width - 4, image.height - 4
    return [image.getpixel(at) for at in ((3, 3), (right, 3), (3, foot), (right, foot))]


def lines(page: Any) -> list[str]:
    return [each.strip() for each in page.get_textpage().get_text_range().splitlines()]


# How long lines are


@pytest.mark.parametrize("size", SIZES)
def test_a_full_line_holds_sixty_to_seventy_five_letters(tmp_path: Path, size: str) -> None:
    (page,) = built(tmp_path, SAID * 12, size)
    said = [len(line) for line in lines(page) if len(line) > 45]
    assert len(said) > 6
    assert 60 <= median(said) <= 75


# What stays together


def table(rows: int) -> str:
    return "| a | b |\n|---|---|\n" + "".join(f"| row {n} | {n} |\n" for n in range(rows))


def rows_of(page: Any) -> list[int]:
    return [int(n) for n in re.findall(r"row (\d+)", words(page))]


def test_a_table_that_fits_on_a_page_is_not_parted(tmp_path: Path) -> None:
    found = [rows_of(page) for page in built(tmp_path, (SAID * 3 + "\n\n") * 10 + table(20))]
    assert [rows for rows in found if rows] == [list(range(20))]


def test_a_table_goes_on_overleaf_where_its_page_would_be_half_empty(tmp_path: Path) -> None:
    pages = built(tmp_path, (SAID * 3 + "\n\n") * 4 + table(34))
    found = [rows for page in pages if (rows := rows_of(page))]
    assert len(found) == 2
    assert [row for rows in found for row in rows] == list(range(34))
    assert min(map(len, found)) >= 2
    assert all("a b" in words(page) for page in pages), "the head stands on both"


def test_what_announces_something_stands_on_its_page(tmp_path: Path) -> None:
    """However far down the page it comes, and it alone: another paragraph does not."""
    bold, colon, plain = "Bold words?", "These are the ships:", "No announcement."
    text = ""
    for said in (f"**{bold}**", colon, plain):
        for before in range(42, 54, 2):
            filling = "\\\n".join(["Line."] * before)
            text += f"## A {{.page}}\n\n{filling}\n\n{said}\n\n{SAID * 3}\n\n"
    pages = [words(page) for page in built(tmp_path, text)]

    def alone(said: str) -> list[bool]:
        found = ["A ship" not in page.partition(said)[2] for page in pages if said in page]
        assert len(found) == 6
        return found

    assert not any(alone(bold))
    assert not any(alone(colon))
    assert any(alone(plain))


@pytest.mark.parametrize("motto", ["*{}*", "> {}"])
def test_a_motto_below_a_heading_stands_with_what_follows(tmp_path: Path, motto: str) -> None:
    said, text = "The queue begins with hope.", ""
    for before in range(38, 52, 2):
        filling = "\\\n".join(["Line."] * before)
        text += f"## A {{.page}}\n\n{filling}\n\n### B\n\n{motto.format(said)}\n\n{SAID * 3}\n\n"
    found = [words(page) for page in built(tmp_path, text)]
    alone = ["A ship" not in page.partition(said)[2] for page in found if said in page]
    assert alone == [False] * 7


def test_a_short_heading_stands_beside_its_text_and_a_long_one_above(tmp_path: Path) -> None:
    short, long = "Who is asked to be next", "Who is asked to be the next one of all"
    (page,) = built(tmp_path, f"## A\n\n### {short}\n\nFirst.\n\n### {long}\n\nSecond.")
    found = page.get_textpage()

    def height(text: str) -> float:
        first, _ = found.search(text).get_next()
        return float(found.get_charbox(first)[1])

    assert abs(height(short) - height("First.")) < 2
    assert height(long) - height("Second.") > 8


def test_a_page_under_half_full_is_told_where_that_stands_which_did_not_fit(
    tmp_path: Path,
) -> None:
    files = {**GAME, "art/sea.svg": SEA.format(480), "rulebook/en.md": "# A\n\n"}
    text = "# A\n\n" + (SAID * 3 + "\n\n") * 3
    asked = replace(options(), editions=("player",), book_sizes=("a4",))
    told = []
    for more in (f"![](art/sea.svg){{width=150mm}}\n\n{SAID}", f"## B {{.page}}\n\n{SAID}"):
        root = game_of(tmp_path, {**files, "rulebook/en.md": text + more})
        report = build.build(Request(root, ("rulebook",), options=asked))
        told.append([str(problem) for problem in report.problems])
    line = text.count("\n") + 1
    assert len(told[0]) == 1
    assert re.match(rf"rulebook/en.md:{line}: warning: a4: page 1 is [0-9]+% full", told[0][0])
    assert told[1] == [], "a chapter ends there"


# Whole pages

HEAD = "---\ntitle: Boats\nsubtitle: Of crates\n{}---\n## One {{#one}}\n\n{}\n\n## Two\n\nText.\n"
FOUR = "### Three\n\n### Four\n"


def test_words_break_at_the_side_of_the_text(tmp_path: Path) -> None:
    word = "overlong" * 20
    text = f"# Book\n\n## {word}\n\n{word}\n\n::: note {word}\nText\n:::\n"
    _, request = book(tmp_path, text)
    assert typeset_book(request).layout.remarks == ()


def test_a_table_that_is_wider_than_the_page_is_reported_at_its_line(tmp_path: Path) -> None:
    text = f"# Book\n\nText.\n\n| A | B |\n|---|---|\n| {'overlong' * 20} | b |\n"
    root = game_of(tmp_path, {**GAME, "rulebook/en.md": text})
    asked = replace(options(), editions=("player",), book_sizes=("a4",))
    (problem,) = build.build(Request(root, ("rulebook",), options=asked)).problems
    assert re.match(
        r"rulebook/en.md:5: warning: a4: page 1: 'B' is [0-9]+ mm beyond the side of the text",
        str(problem),
    )


def test_text_in_the_colour_of_its_paper_is_reported_once(tmp_path: Path) -> None:
    text = "---\npaper: night\n---\n# Book\n\nDark words.\n\nMore of them.\n\n## Part\n\nThe end.\n"
    colours = 'colours: {night: "#201c20", accent: "#ffe9a0"}'
    css = ".pale { color: #fefefe; background: white }\n"
    text += "\n<p class='pale'>Pale words.</p>\n"
    files = {
        **GAME,
        "game.yaml": re.sub("colours:.*", colours, GAME["game.yaml"]),
        "rulebook/book.css": css,
    }
    root = game_of(tmp_path, {**files, "rulebook/en.md": text})
    asked = replace(options(), editions=("player",), book_sizes=("a4",))
    problems = [*map(str, build.build(Request(root, ("rulebook",), options=asked)).problems)]
    assert problems == [
        "rulebook/en.md:6: warning: a4: page 1: 'Dark words.' is #1f1c19 on #201c20, a contrast of "
        "1.0; text needs 3, so change paper: or the colours in rulebook/book.css [page]",
        "rulebook/en.md:14: warning: a4: page 1: 'Pale words.' is #fefefe on #ffffff, a contrast "
        "of 1.0; text needs 3, so change paper: or the colours in rulebook/book.css [page]",
    ]


def test_the_accent_of_the_game_is_made_legible_on_the_paper(tmp_path: Path) -> None:
    colours = re.sub("colours:.*", 'colours: {accent: "#ffe9a0"}', GAME["game.yaml"])
    files = {**GAME, "game.yaml": colours}
    root = game_of(tmp_path, {**files, "rulebook/en.md": "# Book\n\n## Part\n\nWords.\n"})
    asked = replace(options(), editions=("player",), book_sizes=("a4",))
    assert build.build(Request(root, ("rulebook",), options=asked)).problems == []


@pytest.mark.parametrize("size", SIZES)
def test_a_cover_fills_its_page_and_the_contents_stand_overleaf(tmp_path: Path, size: str) -> None:
    head = "cover: {picture: art/sea.svg}\nfacts: {players: 2–4}\n"
    game = GAME["game.yaml"] + "facts: {players: 1–9, time: 45 min}\n"
    text = HEAD.format(head, FOUR)
    cover, contents, *_ = built(tmp_path, text, size, **{"game.yaml": game})
    assert corners(cover)[:2] == [GREEN, GREEN]
    assert len(set(corners(cover)[2:])) == 1
    assert corners(cover)[2] not in (GREEN, (255, 255, 255)), "the band with the title"
    assert words(cover) == "Boats Of crates players 2–4 time 45 min edition 1"
    assert "Contents" in words(contents)


def test_plain_markdown_has_no_cover(tmp_path: Path) -> None:
    (page,) = built(tmp_path, HEAD.format("", FOUR))
    assert words(page).startswith("Boats Of crates edition 1")
    assert "Contents" in words(page)


def test_a_chapter_opens_with_its_picture(tmp_path: Path) -> None:
    head = "chapters: {pictures: art/chapters}\n"
    picture = {"art/chapters/one.svg": SEA.format(100)}
    first, second = built(tmp_path, HEAD.format(head, "Text."), **picture)
    assert words(first).startswith("Boats")
    assert corners(second) == [GREEN, GREEN, (255, 255, 255), (255, 255, 255)]
    text = HEAD.format("", "Text.").replace("## Two", "## Two {.opener picture=art/sea.svg}")
    _, second = built(tmp_path, text)
    assert corners(second)[:2] == [GREEN, GREEN]
    assert words(second) == "2 Two Text. 2"


def test_a_running_chapter_begins_no_page_and_keeps_its_picture(tmp_path: Path) -> None:
    head = "chapters: {pictures: art/chapters}\n"
    text = HEAD.format(head, "Text.").replace("#one", "#one .running")
    picture = {"art/chapters/one.svg": SEA.format(100)}
    (page,) = built(tmp_path, text, **picture)
    assert "1 One Text." in words(page)
    colours = page.render(scale=1).to_pil().convert("RGB").getcolors(1 << 24)
    assert GREEN in {colour for _, colour in colours}
    assert corners(page)[0] != GREEN, "it stays within the margins"


def test_a_picture_fills_a_page_and_words_stand_on_it(tmp_path: Path) -> None:
    text = f"{SAID}\n\n::: page {{picture=art/sea.svg}}\nThe sea.\n:::\n\n{SAID}"
    before, page, after = built(tmp_path, text)
    assert corners(page) == [GREEN] * 4
    assert words(page) == "The sea."
    assert words(before).endswith("1")
    assert words(after).endswith("3")


def test_paper_has_a_tone_that_low_ink_leaves_out(tmp_path: Path) -> None:
    text = HEAD.format('paper: "#f6efe0"\n', "Text.")
    root, _ = book(tmp_path, text)
    path = root / "build/en/rulebook.pdf"
    (page,) = pypdfium2.PdfDocument(path)
    assert corners(page) == [(246, 239, 224)] * 4
    asked = replace(options(ink=InkMode(low=True)), editions=("player",), book_sizes=("a4",))
    for wanted, tone in ((asked, (255, 255, 255)), (replace(asked, layout=options().layout), None)):
        make(root, wanted, outputs=("rulebook",))
        (page,) = pypdfium2.PdfDocument(path)
        assert corners(page) == [tone or (246, 239, 224)] * 4


def test_a_box_on_toned_paper_is_of_the_papers_colour(tmp_path: Path) -> None:
    text = HEAD.format('paper: "#e0efff"\n', f"::: note\n{SAID}\n:::")
    (page,) = built(tmp_path, text)
    image = page.render(scale=1).to_pil().convert("RGB")
    assert {(224, 239, 255), (210, 224, 239)} <= {colour for _, colour in image.getcolors(10**6)}


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("facts: {player: 2}", "facts knows no 'player'; did you mean 'players'?"),
        ("facts: 2", "facts is 2; write facts: {players: …}"),
        ("chapters: {pictures: ../elsewhere}", "../elsewhere is not a folder of art/"),
        ("paper: grey", "paper is 'grey'; it is a colour"),
        ("cover: {picture: art/se.svg}", "art/se.svg"),
    ],
)
def test_a_mistake_in_the_head_is_told(tmp_path: Path, head: str, message: str) -> None:
    files = {**GAME, "rulebook/en.md": HEAD.format(head + "\n", "Text.")}
    asked = replace(options(), editions=("player",), book_sizes=("a4",))
    report = build.build(Request(game_of(tmp_path, files), ("rulebook",), options=asked))
    (told,) = {str(problem) for problem in report.problems}
    assert told.startswith("rulebook/en.md:4: ")
    assert message in told


def test_a_summary_at_the_end_is_the_back_cover(tmp_path: Path) -> None:
    text = HEAD.format("", "A [tug]{.term}.") + "\n::: summary At a glance\nDraw.\n:::\n"
    root, order = book(tmp_path, text, "a5")
    assert order.book.has_back_cover
    pages = list(pypdfium2.PdfDocument(root / "build/en/rulebook-a5.pdf"))
    assert "tug 1" in words(pages[-2]), "the index stands before it"
    assert words(pages[-1]).startswith("At a glance")
    (outside, *_) = pypdfium2.PdfDocument(root / "build/en/rulebook-booklet.pdf")
    assert "At a glance" in words(outside)
    assert "Boats" in words(outside)


def test_a_summary_behind_a_cover_has_the_room_of_a_common_page(tmp_path: Path) -> None:
    """The margins that a cover does without are there: what would fit on a page without them is
    set smaller, and still stands on one page."""
    head = "cover: {picture: art/sea.svg}\n"
    said = f"\n::: summary At a glance\n{SAID * 50}\n:::\n"
    *_, before, last = built(tmp_path, HEAD.format(head, "Text.") + said, "a5")
    assert "At a glance" not in words(before)
    assert words(last).startswith("At a glance")


def test_icons_have_a_list(tmp_path: Path) -> None:
    game = GAME["game.yaml"] + "words: {icon_crate: A crate of nails}\n"
    (page,) = built(tmp_path, "[[icons]]\n", **{"game.yaml": game})
    assert "A crate of nails" in words(page)
    (page,) = built(tmp_path, "[[icons]]\n")
    assert words(page).endswith("crate 1")


@pytest.mark.parametrize("size", SIZES)
def test_whole_pages_come_out_the_same_when_laid_out_again(tmp_path: Path, size: str) -> None:
    """The page numbers of the previous layout change nothing of named pages and what follows."""
    parts = "\n\n".join(
        f"## Part {n} {{.opener picture=art/sea.svg}}\n\n{SAID * 9}\n\n"
        f"::: page {{picture=art/sea.svg}}\n:::\n\n{SAID * 2}\n\n{table(30)}"
        for n in range(3)
    )
    head = "---\ncover: {picture: art/sea.svg}\npaper: '#f6efe0'\n---\n"
    _, order = book(tmp_path, f"{head}{parts}\n\n::: summary\n{SAID}\n:::\n", size)
    first = typeset_book(order).layout
    edited = order.book.html.replace("row 29", "row 30")
    assert edited != order.book.html
    changed = replace(order, book=replace(order.book, html=edited))
    again = typeset_book(
        replace(changed, hints=LayoutHints(first.page_numbers, first.summary_scale))
    ).layout
    assert again.pdf == typeset_book(changed).layout.pdf


# Booklets


def test_a_booklet_of_one_stack() -> None:
    assert [side.pages for side in imposition.impose_booklet(6)] == [
        (None, 0),
        (1, None),
        (5, 2),
        (3, 4),
    ]
    assert [side.depth for side in imposition.impose_booklet(6)] == [0, 0, 1, 1]


def test_blank_pages_stand_before_a_back_cover() -> None:
    assert [side.pages for side in imposition.impose_booklet(6, back=True)] == [
        (5, 0), (1, None), (None, 2), (3, 4),
    ]  # fmt: skip


def test_a_thick_booklet_is_folded_in_stacks() -> None:
    found = imposition.impose_booklet(20, signature=8)
    assert [side.pages for side in found] == [
        (7, 0), (1, 6), (5, 2), (3, 4), (15, 8), (9, 14), (13, 10), (11, 12), (19, 16), (17, 18),
    ]  # fmt: skip
    assert [side.depth for side in found] == [0, 0, 1, 1] * 2 + [0, 0]
    assert max(side.depth for side in imposition.impose_booklet(64)) == 15
    assert max(side.depth for side in imposition.impose_booklet(68)) == 3


def test_inner_sheets_creep_towards_the_fold(tmp_path: Path) -> None:
    text = "\n\n".join(f"## Part {n} {{.page}}\n\nText." for n in range(7))
    places = {}
    for creep in (0, 1):
        game = GAME["game.yaml"] + f"print: {{creep: {creep}}}\n"
        root, _ = book(tmp_path, text, "a5", **{"game.yaml": game})
        sides = pypdfium2.PdfDocument(root / "build/en/rulebook-booklet.pdf")
        places[creep] = [_edges(side) for side in sides]
    moved = [
        (round(after[0] - before[0], 1), round(after[1] - before[1], 1))
        for before, after in zip(places[0], places[1], strict=True)
    ]
    a_mm = round(72 / 25.4, 1)
    depth = [0, 0, 1, 1]
    assert moved[:4] == [(a_mm * d, -a_mm * d) for d in depth]


def _edges(side: Any) -> tuple[float, float]:
    """Where the leftmost and the rightmost letters stand, pt."""
    text = side.get_textpage()
    boxes = [text.get_charbox(n) for n in range(text.count_chars())]
    boxes = [box for box in boxes if box[2] > box[0]]
    return min(box[0] for box in boxes), max(box[2] for box in boxes)


def test_facts_written_once_hold_in_every_language(tmp_path: Path) -> None:
    game = GAME["game.yaml"].replace("[en]", "[en, fi]").replace("Harbour", "{en: H, fi: S}")
    files = {**GAME, "game.yaml": game + "facts: {players: 2–4, time: {en: 1 h, fi: 1 t}}\n"}
    found, _ = load_game(game_of(tmp_path, files))
    assert found is not None
    said = {name: (text["en"], text["fi"]) for name, text in found.facts.items()}
    assert said == {"players": ("2–4", "2–4"), "time": ("1 h", "1 t")}


def test_putting_a_book_together_has_a_limit_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, request = book(tmp_path, "# Harbour\n\nText.\n")
    label = f"{request.label}, put together"
    monkeypatch.setattr(work_limits._limit_state, "exclusions", {label: "it was stopped"})
    done = typeset_book(request)
    assert done.pdf == b""
    (remark,) = done.layout.remarks
    assert (remark.kind, remark.severity) == ("bounds", "error")
    assert remark.message == "the book cannot be put together: it was stopped"
