"""Rulebooks: what is written, what is wrong with it, and what the PDF holds."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from conftest import TESTS, MakeGame
from small_games import contents, make, options, times, write_game

from cardgen.book import editions
from cardgen.book.model import EDITIONS, PAGE_FORMATS, Book, BookSelection, IndexEntry, WrittenBooks
from cardgen.book.page_numbers import fill_page_numbers, make_sort_key
from cardgen.cli.command_line import cli
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.rules import rule_file

GAME = {
    "game.yaml": "game: harbour\ntitle: Harbour\nlanguages: [en]\nedition: '1'\n"
    "colours: {sea: '#1f5a96'}\n"
    "rulebook: {editions: [player, player-a5, designer, designer-a5]}\n",
    "cards/ships.yaml": "deck: ships\ntitle: Ships\nsize: poker\nfront: ship.html\n"
    "back: back.html\nfields: {name: text, cargo: integer}\ncards:\n"
    "  - {id: tug, name: Tug, cargo: 1}\n  - {id: ferry, copies: 2, name: Ferry, cargo: 3}\n"
    "  - {id: unseen, name: Unseen, cargo: 0}\n",
    "templates/ship.html": '<div class="bleed" style="background: #c0392b"></div>'
    '<div style="position: absolute; left: 9mm; top: 9mm; color: #fff">{{ card.name }}</div>',
    "templates/back.html": '<div class="bleed" style="background: #1f5a96"></div>',
    "art/icons/crate.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<path d="M2 2h20v20H2z"/></svg>',
}
BOOK = """\
---
title: Harbour rules
subtitle: A short book
cover: ships/tug
---
## Setting up {#setup}

There are {{ count("ships") }} ships. Read [](#loading) and [](#fleet),
or [all of the fleet](#fleet).
A [tug]{.term} pulls[^why].

[^why]: Because it can.

```figure
name: fleet
caption: The **fleet** {crate}
scaled: false
row:
  - ships/tug
  - {card: ships/ferry, turn: 45, label: turned}
  - {card: ships/ferry, turn: 90, side: back, with: [{card: ships/tug, at: [20, 30], scale: 0.2}]}
```

::: example Pulling
The [tugs]{term="tug"} pull.
:::

::: designer
Why so few?
:::

## Loading

| What | How many |
|---|--:|
| Ferry | {{ card("ships", "ferry").cargo }} |

### Crates {.unnumbered}

{{ chart("ships", of="cargo") }}

#### Deep

Term
: what it means

## Unloading {.page}

The [tug]{.term} again.
"""

Write = Callable[..., WrittenBooks]


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting helpers takes longer than what these small books ask of them."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture
def write(make_game: MakeGame) -> Write:
    """The books of GAME with that text; all glyphs are there unless told."""

    def writing(text: str, glyphs: str | None = None, **files: str) -> WrittenBooks:
        root = make_game({**GAME, **files, "rulebook/en.md": text})
        game, problems = rule_file.load_game(root)
        assert game is not None
        assert problems == []
        have = frozenset(map(ord, glyphs)) if glyphs is not None else frozenset[int]()
        return editions.write_books(game, BookSelection(("en",)), have)

    return writing


def told(found: WrittenBooks) -> list[str]:
    return [str(problem) for problem in sorted(set(found.problems))]


def player(found: WrittenBooks) -> Book:
    return next(b for b in found.books if (b.edition, b.format.name) == ("player", "a4"))


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html).replace("\u00a0", " ").split())


def test_sections_are_numbered_and_referred_to(write: Write) -> None:
    found = write(BOOK)
    assert told(found) == []
    text = text_of(fill_page_numbers(player(found), {"loading": 2, "fleet": 1}))
    assert (
        "There are 4 ships. Read section 2, p. 2 and figure 1, p. 1, or all of the fleet (p. 1)."
        in text
    )
    assert "1 Setting up" in text
    assert "2 Loading" in text
    assert "3 Unloading" in text
    assert "2.1" not in text  # Crates has no number, and what stands below it has none either
    assert "Figure 1 The fleet" in text


def test_a_changed_count_changes_the_book(write: Write, tmp_path: Path) -> None:
    before = text_of(player(write(BOOK)).html)
    shutil.rmtree(tmp_path / "game")
    cards = GAME["cards/ships.yaml"].replace("copies: 2", "copies: 7")
    after = text_of(player(write(BOOK, **{"cards/ships.yaml": cards})).html)
    assert "There are 4 ships" in before
    assert "There are 9 ships" in after


def test_editions_differ_by_the_designers_boxes(write: Write) -> None:
    shown = {b.edition: "Why so few?" in b.html for b in write(BOOK).books}
    assert shown == {"player": False, "designer": True}


def test_the_index_gathers_forms_of_a_term(write: Write) -> None:
    (entry,) = player(write(BOOK)).index
    assert entry.headword == "tug"
    assert len(entry.anchors) == 3


def test_pages_of_the_index() -> None:
    made = Book(
        "fi", "player", next(iter(PAGE_FORMATS.values())), "t", "\x0e\x0f",
        (IndexEntry("öljy", ("a", "b")), IndexEntry("apu", ("c", "d", "e", "f"))),
    )  # fmt: skip
    text = text_of(fill_page_numbers(made, {"a": 3, "b": 3, "c": 1, "d": 2, "e": 3, "f": 7}))
    assert text == "Aapu 1–3, 7Ööljy 3"


def test_finnish_letters_come_last() -> None:
    words = ["öljy", "zombi", "äes", "åkeri", "Apu", "éclair", "erä"]
    ordered = sorted(words, key=lambda word: make_sort_key(word, "fi"))
    assert ordered == ["Apu", "éclair", "erä", "zombi", "åkeri", "äes", "öljy"]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "## A {#one}\n\nSee [](#tow).\n\n## B {#two}\n",
            ["3: error: nothing in the book has the id 'tow'; did you mean 'two'? [reference]"],
        ),
        (
            "## A {#one}\n\nSee [that](#tow).\n",
            ["3: warning: nothing in the book has the id 'tow'; known: one [reference]"],
        ),
        ("## A {#x}\n\n## B {#x}\n", [
            "3: error: the name 'x' is used twice, first on line 1 [reference]"]),
        ("one\n\n![](card:ships/tog)\n", [
            "3: error: there is no card 'tog' in ships; did you mean 'tug'? [figure]"]),
        ("![](card:shops/tug)\n", [
            "1: error: there is no deck 'shops'; did you mean 'ships'? [figure]"]),
        (
            "a\n\n```figure\nrow:\n  - ships/tug\n  - ships/fery\n```\n",
            ["6: error: there is no card 'fery' in ships; did you mean 'ferry'? [figure]"],
        ),
        (
            "```figure\nrow: [ships/tug]\ncapton: x\n```\n",
            ["3: error: a figure takes no 'capton'; did you mean 'caption'? [figure]"],
        ),
        ("```figure\ncaption: x\n```\n", [
            "2: error: a figure needs one of row:, rows: and scene: [figure]"]),
        (
            "```figure\nscene:\n  - {arrow: [1, 2]}\n```\n",
            ["3: error: a figure's arrow needs its position in mm; write arrow: [[x1, y1], [x2, "
            "y2]] [figure]"],
        ),
        ("a {crat} b\n", ["1: warning: there is no icon 'crat' in art/icons; did you mean "
        "'crate'? [icon]"]),
        ("![x](art/none.svg)\n", ["1: warning: art/none.svg is missing [art]"]),
        ("![x](../../etc/passwd)\n", [
            "1: warning: 'etc/passwd' is not read; pictures come from the game's art/, nothing "
            "from elsewhere [art]"]),
        ("::: exampel X\nhi\n:::\n", [
            "1: warning: no box 'exampel'; did you mean 'example'?; it is printed as a note "
            "[box]"]),
        ("::: note\nhi\n", [
            "1: warning: this box is not closed; it goes on to the end of the book; write ::: "
            "where it ends [box]"]),
        ("---\ntitel: x\n---\n\nhi\n", [
            "2: warning: unknown key 'titel'; did you mean 'title'? [fields]"]),
        ("---\ntoc: maybe\n---\n\nhi\n", [
            "2: warning: toc is 'maybe'; expected true or false [type]"]),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_line(write: Write, text: str, problems: list[str]) -> None:
    assert told(write(text)) == [f"rulebook/en.md:{problem}" for problem in problems]


def test_a_character_that_no_font_has(write: Write) -> None:
    found = write("Hello\n\n☃ hi ☃\n", glyphs="Helo hi0123456789·.C")
    assert [line for line in told(found) if "☃" in line] == [
        "rulebook/en.md:3: warning: no font has a glyph for '☃' (U+2603); a box is printed; "
        "'cardgen fonts --add Symbols' brings them [glyph]"
    ]
    assert 'class="no-glyph"' in player(found).html
    assert "☃" not in player(found).html


def test_a_book_in_a_language_that_the_game_has_not_is_a_warning(make_game: MakeGame) -> None:
    root = make_game({**GAME, "rulebook/en.md": "hi", "rulebook/sv.md": "hej"})
    _, problems = rule_file.load_game(root)
    assert [str(problem) for problem in problems] == [
        "rulebook/sv.md: warning: the game has no language 'sv', so this file is not read; "
        "known: en [passed-over]"
    ]


def test_names_of_plain_markdown(write: Write) -> None:
    """Headings by hand, without a space, over skipped levels; numbered by hand, not once more."""
    text = "# Title\n\n## 1. One\n\n####(I) Shoot:\n\n## 2. Two\n\n[x](#2-two)\n"
    found = write(text)
    assert told(found) == []
    made = player(found)
    assert made.title == "Title"
    assert '<h2 id="1-one"' in made.html
    assert '<h3 id="i-shoot"' in made.html
    assert 'class="number"' not in made.html


def test_raw_html_is_let_through_by_a_short_list(write: Write) -> None:
    found = write('a <b onclick="x()">b</b> <i>open\n\n<script>x</script>\n\n</main> c\n')
    html = player(found).html
    assert "<b>b</b> <i>open</i>" in html
    assert "<script" not in html
    assert "onclick" not in html
    assert html.count("</main>") == 1
    assert told(found) == [
        "rulebook/en.md:1: warning: <i> is not closed in its paragraph; write </i>, or \\<i> if "
        "you mean the signs [html]",
        "rulebook/en.md:3: warning: <script> is not used in a book; it is printed as text [html]",
    ]


def test_cells_hold_no_soft_hyphen(write: Write) -> None:
    """One of them and the table would run off the page."""
    found = write(
        "| a | b |\n|---|---|\n| sea\u00adport | harbour\u00admaster |\n\nsea\u00adport\n"
    )
    html = player(found).html
    assert "<td>seaport</td>" in html
    assert "harbourmaster</td>" in html
    assert "sea\u00adport" in html


# What is set


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildReport]:
    files = {**GAME, "rulebook/en.md": BOOK}
    root = write_game(tmp_path_factory.mktemp("book") / "game", files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        report = make(root, outputs=("rulebook",))
    return root, report


@pytest.fixture
def root(built: tuple[Path, BuildReport], tmp_path: Path) -> Path:
    """A folder of the game whose book was built before."""
    return Path(shutil.copytree(built[0], tmp_path / "copy"))


def rebuild(root: Path) -> BuildReport:
    return build.build(Request(root, ("rulebook",), options=options()))


def made(report: BuildReport) -> list[str]:
    return sorted(artefact.path for artefact in report.new_files)


def test_what_a_build_leaves(built: tuple[Path, BuildReport]) -> None:
    _root, report = built
    assert report.problems == []
    names = [f"en/rulebook{edition}{kind}.pdf" for edition in ("", "-designer")
             for kind in ("", "-a5", "-booklet")]  # fmt: skip
    assert made(report) == sorted(names)
    assert (
        report.face_count == report.typeset_count == 3
    )  # tug, ferry and the back; not the unseen one


def test_a_build_makes_the_players_edition_on_a4_unless_told_otherwise(tmp_path: Path) -> None:
    settings = GAME["game.yaml"].partition("rulebook:")[0]
    root = write_game(tmp_path / "game", {**GAME, "game.yaml": settings, "rulebook/en.md": BOOK})
    assert made(rebuild(root)) == ["en/rulebook.pdf"]
    everything = replace(options(), editions=EDITIONS)
    assert len(made(make(root, everything, outputs=("rulebook",)))) == 5
    assert rebuild(root).removed_paths == [
        f"en/rulebook-{name}.pdf"
        for name in ("a5", "booklet", "designer-a5", "designer-booklet", "designer")
    ]


def test_an_unknown_edition_is_reported_with_those_that_exist(tmp_path: Path) -> None:
    settings = GAME["game.yaml"].partition("rulebook:")[0] + "rulebook: {editions: [players]}\n"
    root = write_game(tmp_path / "game", {**GAME, "game.yaml": settings, "rulebook/en.md": BOOK})
    (problem,) = rebuild(root).problems
    assert str(problem).endswith("a list of player, player-a5, designer, designer-a5 [type]")


def test_the_pdf_is_tagged_and_has_bookmarks(built: tuple[Path, BuildReport]) -> None:
    with pikepdf.open(built[0] / "build/en/rulebook.pdf") as pdf:
        assert pdf.Root.MarkInfo.Marked
        assert str(pdf.Root.Lang) == "en"
        assert str(pdf.docinfo["/Title"]) == "Harbour rules"
        assert b"pdfuaid" in pdf.Root.Metadata.read_bytes()
        kinds = {str(item.S) for item in pdf.objects if _is_element(item)}
        assert {"/H1", "/H2", "/P", "/Table", "/TH", "/Figure", "/Link", "/Caption"} <= kinds
        figures = [item for item in pdf.objects if _is_element(item) and item.S == "/Figure"]
        assert all(str(figure.Alt).startswith("Ships: ") for figure in figures)
        with pdf.open_outline() as outline:
            found = [(o.title, [c.title for c in o.children]) for o in outline.root]
    assert found == [
        ("1 Setting up", []), ("2 Loading", ["Crates"]), ("3 Unloading", []), ("Index", []),
    ]  # fmt: skip


def colours_of(path: Path) -> set[tuple[int, int, int]]:
    """Every colour of a PDF's pages."""
    found: set[tuple[int, int, int]] = set()
    for page in pypdfium2.PdfDocument(path):
        image = page.render(scale=2).to_pil().convert("RGB")
        found.update(colour for _, colour in image.getcolors(1 << 24))
    return found


def _is_element(item: object) -> bool:
    return isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/StructElem"


def test_the_printed_pages_are_the_true_ones(built: tuple[Path, BuildReport]) -> None:
    pdf = pypdfium2.PdfDocument(built[0] / "build/en/rulebook.pdf")
    pages = [" ".join(page.get_textpage().get_text_range().split()) for page in pdf]
    (unloading,) = [n for n, text in enumerate(pages, 1) if "3 Unloading The tug again" in text]
    assert re.search(rf"3 Unloading {unloading}\b", pages[1])  # in the contents, behind the cover
    first = next(n for n, text in enumerate(pages, 1) if "There are 4 ships" in text)
    assert f"tug {first}, {unloading}" in pages[-1]  # the index, each page once


def test_faces_are_drawn_in_their_colours(built: tuple[Path, BuildReport]) -> None:
    """The figure shows the faces themselves: fronts red, the back blue, as vectors."""
    path = built[0] / "build/en/rulebook.pdf"
    assert {(0xC0, 0x39, 0x2B), (0x1F, 0x5A, 0x96)} <= colours_of(path)
    with pikepdf.open(path) as pdf:
        streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
        assert [item for item in streams if item.get("/Subtype") == "/Image"] == []


def test_the_booklet_holds_the_pages_in_order(built: tuple[Path, BuildReport]) -> None:
    def texts(name: str) -> list[str]:
        pdf = pypdfium2.PdfDocument(built[0] / "build/en" / name)
        return [page.get_textpage().get_text_range() for page in pdf]

    flat, folded = texts("rulebook-a5.pdf"), texts("rulebook-booklet.pdf")
    assert len(folded) == -(-len(flat) // 4) * 2
    assert "Harbour rules" in folded[0]
    assert "Harbour rules" not in folded[1]
    pdf = pypdfium2.PdfDocument(built[0] / "build/en/rulebook-booklet.pdf")
    assert pdf[0].get_size() == pytest.approx((297 / 25.4 * 72, 210 / 25.4 * 72), abs=0.1)
    text = pdf[0].get_textpage()
    found = text.search("Harbour rules").get_next()
    assert found is not None
    assert text.get_charbox(found[0])[0] > 148.5 / 25.4 * 72  # page 1 is on the right


def test_an_unchanged_book_is_not_set_again(root: Path) -> None:
    before = times(root)
    report = rebuild(root)
    assert made(report) == []
    assert report.typeset_count == 0
    assert times(root) == before


def test_an_edited_paragraph_sets_no_face(root: Path) -> None:
    path = root / "rulebook/en.md"
    path.write_text(path.read_text().replace("Read [](#loading)", "Do read [](#loading)"))
    report = rebuild(root)
    assert report.typeset_count == 0
    assert len(made(report)) == 6


def test_the_same_book_twice_has_the_same_bytes(root: Path, tmp_path: Path) -> None:
    again = Path(shutil.copytree(root, tmp_path / "again", ignore=shutil.ignore_patterns("build")))
    make(again, outputs=("rulebook",))
    assert contents(again / "build/en") == contents(root / "build/en")


def test_page_rules_of_its_own_style_are_refused(root: Path) -> None:
    (root / "rulebook/book.css").write_text("h2 { color: red }\n@page { size: 1mm }\n")
    report = rebuild(root)
    assert [str(problem) for problem in report.problems] == [
        "rulebook/book.css:2: error: @page is cardgen's own; sizes and margins of a book are "
        "fixed [css]"
    ]


def test_its_own_style_wins_and_its_mistakes_are_told(root: Path) -> None:
    (root / "rulebook/book.css").write_text("h2 { color: #008000 }\nh3 { colour: red }\n")
    report = rebuild(root)
    assert [str(problem) for problem in report.problems] == [
        "rulebook/book.css:2: warning: 'colour: red' is ignored: unknown property; "
        "did you mean 'color'? [css]"
    ]
    assert (0, 128, 0) in colours_of(root / "build/en/rulebook.pdf")


def test_a_chosen_deck_leaves_the_book_alone(root: Path) -> None:
    shutil.rmtree(root / "build/en")
    result = CliRunner().invoke(cli, ["build", str(root), "--deck", "ships"])
    assert result.exit_code == 0, result.output
    assert not (root / "build/en/rulebook.pdf").exists()


def test_one_edition_on_one_paper_is_made_alone_and_removes_no_other(root: Path) -> None:
    path = root / "rulebook/en.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
    before = times(root / "build/en")
    chosen = ["--edition", "player", "--book-size", "a4"]
    result = CliRunner().invoke(cli, ["build", str(root), "rulebook", *chosen])
    assert result.exit_code == 0, result.output
    after = times(root / "build/en")
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name]] == ["rulebook.pdf"]


def test_a_strangers_markdown_becomes_a_book(make_game: MakeGame) -> None:
    """Difficult plain Markdown builds; what cannot be done is told at its line."""
    folder = TESTS / "book/books/plain"
    root = make_game(like=folder)
    result = CliRunner().invoke(cli, ["build", str(root), "rulebook"])
    assert result.exit_code == 0, result.output
    assert result.stderr == (folder / "expected.txt").read_text(encoding="utf-8")
    pdf = pypdfium2.PdfDocument(root / "build/en/rulebook.pdf")
    text = " ".join(page.get_textpage().get_text_range() for page in pdf)
    assert "(I) Shoot:" in text
    assert "starts at seven" in text
    assert "raw" in text
