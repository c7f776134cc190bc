"""Whether a book can be read aloud: its PDF held to PDF/UA by two packages that check it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import outloud
import pdfua
import pikepdf
import pytest
from pikepdf import Array, Dictionary
from small_books import ordered
from small_games import options, write_game
from test_editions import GAME

from cardgen.pdf import accessibility_tags

ONE = replace(options(), editions=("player",), book_sizes=("a5",))
WHO = ("Laivue", "Hinaaja", "Lautta", "Luotsi", "Majakka", "Satama", "Kapteeni", "Perämies")
DOES = ("odottaa sumun hälvenemistä", "maksaa polttoaineen", "jatkaa matkaa", "kääntyy takaisin")
TEXT = "\n\n".join(f"{who} {does}, ennen kuin ilta tulee." for does in DOES for who in WHO)
BOOK = f"""\
---
title: Sataman säännöt
cover: ships/tug
---
## Valmistelu {{#setup}}

Katso [](#loading) ja [kaikki laivat](#fleet). Hinaaja vetää[^why].

[^why]: Koska se osaa.

```figure
name: fleet
caption: Laivasto
row:
  - ships/tug
  - {{card: ships/ferry, turn: 90, side: back}}
```

- {{crate}} laatikko
- toinen

    1. ensin
    2. sitten

## Lastaus {{#loading .running picture=art/quay.svg}}

{{{{ distribution(dice="4d6", title="Neljä noppaa") }}}}

| | Lasti | Matka |
|---|--:|--:|
| **Hinaaja** | 1 | 2 |
| Lautta | 3 | 4 |

{TEXT}

### Laatikot

| Mitä | Montako |
|---|--:|
| Lautta | 3 |

{TEXT}

## Purku {{#unload}}

Palaa [alkuun](#setup). {TEXT}
"""

QUAY = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 20">
<path fill="#357" d="M0 8h90v12H0z"/></svg>"""

FORGIVEN = {
    # The order in which a page is painted, which no clause of PDF/UA asks to be that of the tags:
    # a browser's engine paints grounds, floats and text in CSS's order. The tags are in the
    # reader's, and screen readers follow them.
    "ORD-001",
}
BROKEN = {
    # It fails itself, on an element that holds a list, with the pikepdf that is installed;
    # `test_no_heading_is_empty` asks what it would.
    "UA-14-001",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book in Finnish, as it is published."""
    game = GAME["game.yaml"].replace("[en]", "[fi]").replace("Harbour", "Satama")
    files = {**GAME, "game.yaml": game, "rulebook/fi.md": BOOK, "art/quay.svg": QUAY}
    root, _ = ordered(write_game(tmp_path_factory.mktemp("aloud") / "game", files), ONE)
    return min((root / "build" / "fi").glob("rulebook*.pdf"), key=lambda path: len(path.name))


@pytest.fixture(scope="module")
def pdf(book: Path) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(book) as opened:
        yield opened


def elements(pdf: pikepdf.Pdf, kind: str = "") -> list[Any]:
    """The elements of its tree, or those of a kind."""
    found = [
        each.dictionary for each in accessibility_tags._iterate_elements(pdf.Root.StructTreeRoot)
    ]
    return [each for each in found if not kind or str(each.S) == kind]


def test_pdfua_finds_nothing(book: Path) -> None:
    report = pdfua.validate(str(book))
    assert [f"{each.rule_id} {each.message}" for each in report.findings] == []
    assert {each.rule_id for each in report.skipped} <= BROKEN


def test_outloud_finds_nothing(book: Path) -> None:
    result = outloud.check(str(book))
    assert result.error is None
    found = [f"{each.rule} {each.message}" for each in result.findings]
    assert [each for each in found if each.split()[0] not in FORGIVEN] == []


def test_the_tree_of_a_book_that_is_broken_on_purpose_is_found(book: Path, tmp_path: Path) -> None:
    """Both packages see what `tags` mends: else nothing found would say nothing."""
    with pikepdf.open(book) as spoilt:
        for header in elements(spoilt, "/TH"):
            del header.A.Scope
        for page in spoilt.pages:
            for annotation in page.obj.get("/Annots", []):
                annotation.F = 0
        spoilt.save(tmp_path / "spoilt.pdf")
    report = pdfua.validate(str(tmp_path / "spoilt.pdf"))
    assert {each.rule_id for each in report.findings} == {"UA-15-003"}
    result = outloud.check(str(tmp_path / "spoilt.pdf"), only=["LNK-004"])
    assert {each.rule for each in result.findings} == {"LNK-004"}


def marked(element: Any) -> bool:
    """Whether an element holds something of a page."""
    held = element.get("/K")
    kids = list(held) if isinstance(held, Array) else [] if held is None else [held]
    return any(not isinstance(kid, Dictionary) or marked(kid) for kid in kids)


def test_no_heading_is_empty(pdf: pikepdf.Pdf) -> None:
    found = [
        each for each in elements(pdf) if str(each.S)[1:2] == "H" and str(each.S)[2:].isdigit()
    ]
    assert len(found) >= 4
    assert all(marked(each) for each in found)


def test_what_heads_a_table_says_what(pdf: pikepdf.Pdf) -> None:
    _, first, second = elements(pdf, "/Table")  # the chart comes first
    scopes = [
        [(str(cell.S), str(cell.A.get("/Scope", ""))) for cell in row]
        for row in (
            accessibility_tags._list_children(row) for row in accessibility_tags._list_rows(first)
        )
    ]
    head = ("/TH", "/Column")
    assert scopes == [[("/TD", ""), head, head]] + [[("/TH", "/Row"), ("/TD", ""), ("/TD", "")]] * 2
    cells = [accessibility_tags._list_children(row) for row in accessibility_tags._list_rows(first)]
    assert [bytes(each) for each in cells[1][1].A.Headers] == [
        bytes(cells[1][0].ID), bytes(cells[0][1].ID),
    ]  # fmt: skip
    rows = accessibility_tags._list_rows(second)
    headers = (cell for row in rows for cell in accessibility_tags._list_children(row))
    assert {str(cell.A.Scope) for cell in headers if str(cell.S) == "/TH"} == {"/Column"}


def test_items_of_lists_have_one_body(pdf: pikepdf.Pdf) -> None:
    items = elements(pdf, "/LI")
    assert len(items) == 4
    assert [[str(kid.S) for kid in accessibility_tags._list_children(item)] for item in items] == [
        ["/Lbl", "/LBody"]
    ] * 4


def test_names_lead_to_cells(pdf: pikepdf.Pdf) -> None:
    names = list(pdf.Root.StructTreeRoot.IDTree.Names)
    keys = [bytes(name) for name in names[::2]]
    assert keys == sorted({bytes(each.ID) for each in elements(pdf) if "/ID" in each})
    assert all(bytes(held.ID) == key for key, held in zip(keys, names[1::2], strict=True))


def test_links_hold_their_annotations(pdf: pikepdf.Pdf) -> None:
    numbers = accessibility_tags._index_number_tree(pdf.Root.StructTreeRoot)
    links = [note for page in pdf.pages for note in page.obj.get("/Annots", [])]
    assert links
    for note in links:
        held, at = numbers[int(note.StructParent)]
        assert str(held[at].S) == "/Link"
        assert str(note.get("/Contents", "")) != ""


def test_heads_and_page_numbers_are_no_content(pdf: pikepdf.Pdf) -> None:
    known = {each.objgen for each in elements(pdf)}
    numbers = accessibility_tags._index_number_tree(pdf.Root.StructTreeRoot)
    running = 0
    for page in pdf.pages:
        held, at = numbers[int(page.obj.StructParents)]
        assert all(each is None or each.objgen in known for each in held[at])
        running += page.Contents.read_bytes().count(b"/Type /Pagination")
    assert running >= len(pdf.pages) - 1


def test_a_picture_without_words_adorns(pdf: pikepdf.Pdf) -> None:
    assert all("/Alt" in each for each in elements(pdf, "/Figure"))
    adorning = sum(page.Contents.read_bytes().count(b"/Type /Layout") for page in pdf.pages)
    assert adorning == 1, "the picture above the title"


def test_a_file_without_tags_is_left_alone() -> None:
    bare = pikepdf.new()
    bare.add_blank_page()
    accessibility_tags.repair_tags(bare)
    assert "/StructTreeRoot" not in bare.Root


def test_empty_elements_are_taken_out_of_their_parent_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each parent is written once, however many of its children go."""
    pdf = pikepdf.new()
    parent = pdf.make_indirect(Dictionary(S=pikepdf.Name.P))
    kids = [pdf.make_indirect(Dictionary(S=pikepdf.Name.Span, P=parent)) for _ in range(50)]
    kids[7].K = 3
    parent.K = Array(kids)
    pdf.Root.StructTreeRoot = pdf.make_indirect(
        Dictionary(K=parent, ParentTree=pdf.make_indirect(Dictionary()))
    )
    counted: list[int] = []
    real = accessibility_tags._list_others

    def count(element: Any, kids: list[Any]) -> list[Any]:
        counted.append(len(kids))
        return real(element, kids)

    monkeypatch.setattr(accessibility_tags, "_list_others", count)
    accessibility_tags.repair_tags(pdf)
    assert [kid.objgen for kid in parent.K] == [kids[7].objgen]
    assert counted == [49]
