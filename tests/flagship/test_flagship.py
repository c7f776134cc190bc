"""The repository's own game: what is in its box, that nothing is wrong with it, and its art."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Checked
from printed import Printer

from cardgen.core.units import PAPERS, Size
from cardgen.game.model import Deck, Game, Piece
from cardgen.outputs.sheet_recipes import get_card_format
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.arrangement import (
    SheetLayout,
    SheetPiece,
    SlugText,
    arrange_pieces,
    compute_waste_percent,
    count_papers,
)
from cardgen.templates.template_renderer import make_stamp

EXPERIENCED = ("greenhorn", "scarface")
FOLDERS = ("art", "cards", "fonts", "rulebook", "templates")


def test_every_card_bears_its_id_and_stamp(game: Game) -> None:
    """Markers and chips are too small; a note has its value and stamp in its serial number."""
    printer = Printer(game)
    for deck in game.decks:
        for piece in deck.pieces if deck.id not in ("tokens", "goods") else ():
            text = printer.front(deck, piece, "fi").text().lower()
            assert make_stamp(piece, "fi") in text, piece.id
            assert deck.id == "money" or piece.id in text, piece.id


def test_what_is_in_the_box(game: Game) -> None:
    assert {deck.id: deck.count for deck in game.decks} == {
        "actions": 72,
        "areas": 24,
        "bridges": 4,
        "commanders": 4,
        "experience": 12,
        "foreign-aid": 12,
        "goods": 45,
        "graft": 24,
        "loot-city": 32,
        "loot-country": 32,
        "money": 80,
        "night-attacks": 18,
        "player-aids": 4,
        "ruler": 3,
        "status-boards": 4,
        "substances": 58,
        "tokens": 144,
        "units": 12,
    }
    assert game.languages == ("fi", "en")


def test_money_and_substances_by_kind(game: Game) -> None:
    notes = {p.values["value"]: p.copies for p in pieces(game, "money")}
    assert notes == {1: 20, 3: 20, 5: 20, 10: 20}
    substances = {p.id: p.copies for p in pieces(game, "substances")}
    assert substances == {"cigarettes": 32, "booze": 16, "dope": 10}


def test_goods_are_as_many_as_can_be_looted(game: Game) -> None:
    """A chip for every crate of every loot card, at its finder's best; one in a piano."""
    most: Counter[int] = Counter()
    for deck in ("loot-city", "loot-country"):
        for piece in pieces(game, deck):
            ways = [piece.values, *(piece.values.get(who) or {} for who in EXPERIENCED)]
            counts = [Counter(way.get("goods") or ()) for way in ways]
            most.update({value: max(count[value] for count in counts) for value in (1, 3, 5)})
    most[3] += 1
    assert {p.values["value"]: p.copies for p in pieces(game, "goods")} == most


def pieces(game: Game, deck_id: str) -> tuple[Piece, ...]:
    deck = game.get_deck(deck_id)
    assert deck is not None
    return deck.pieces


@pytest.mark.parametrize("deck", ["loot-city", "loot-country"])
def test_loot_by_category(game: Game, deck: str) -> None:
    categories = Counter(piece.values["category"] for piece in pieces(game, deck))
    assert categories == {"money": 16, "other": 8, "harmful": 8}


def test_every_player_has_every_unit_and_a_board(game: Game) -> None:
    colours = {player.id for player in game.players}
    assert len(colours) == 4
    units = {(p.values["type"], p.player and p.player.id) for p in pieces(game, "units")}
    assert units == {(t, c) for t in ("armour", "infantry", "supply") for c in colours}
    assert {p.player and p.player.id for p in pieces(game, "status-boards")} == colours


def test_texts_of_both_languages_differ(game: Game) -> None:
    """A text that was copied instead of translated; names may well be the same."""
    for deck in game.decks:
        for piece in deck.pieces:
            flavour = piece.values.get("flavour")
            assert flavour is None or flavour["fi"] != flavour["en"], piece.id


def pairs_of(deck: Deck) -> list[SheetPiece]:
    """The deck's pieces as sheets take them, without pictures."""
    b = deck.bleed
    face = FacePdf("f", Path("f.pdf"), deck.size.width + 2 * b, deck.size.height + 2 * b, b)
    pair = SheetPiece(
        face, face if deck.back else None, get_card_format(deck), deck.title["fi"], "piece"
    )
    return [pair] * deck.count


def sheets_of(pairs: list[SheetPiece], paper: str, backs: str = "duplex-long") -> tuple[int, int]:
    """How many sheets, and what of the paper is left over, in percent."""
    layout = SheetLayout(paper, Size(*PAPERS[paper]), backs)
    found = arrange_pieces(pairs, layout, SlugText("64 km", "", "fi", ""))
    assert sum(len(page.placements) for sheet in found for page in [sheet.front] if page) >= len(
        pairs
    )
    return count_papers(found), compute_waste_percent(found, layout)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_sheets_needed(game: Game, paper: str) -> None:
    needed = {deck.id: sheets_of(pairs_of(deck), paper)[0] for deck in game.decks}
    assert needed == {
        "actions": 8,
        "areas": 3,
        "bridges": 1,
        "commanders": 1,
        "experience": 2,
        "foreign-aid": 2,
        "goods": 1,
        "graft": 3,
        "loot-city": 4,
        "loot-country": 4,
        "money": 5,
        "night-attacks": 2,
        "player-aids": 2,
        "ruler": 1,
        "status-boards": 4,
        "substances": 4,
        "tokens": 1,
        "units": 2,
    }


@pytest.mark.parametrize(
    ("paper", "backs", "count", "left"),
    [
        ("a4", "duplex-long", 45, 27),
        ("letter", "duplex-long", 46, 26),
        ("a4", "gutterfold", 89, 29),
        ("letter", "gutterfold", 91, 28),
        ("a3", "duplex-long", 24, 31),
    ],
)
def test_the_whole_box_on_shared_sheets(
    game: Game, paper: str, backs: str, count: int, left: int
) -> None:
    """All 584 pieces, decks of one size mixed; what is left over of the paper in percent."""
    every = [pair for deck in game.decks for pair in pairs_of(deck)]
    assert sheets_of(every, paper, backs) == (count, left)


@pytest.mark.parametrize(("paper", "left"), [("a4", 34), ("letter", 32)])
def test_the_whole_box_deck_by_deck(game: Game, paper: str, left: int) -> None:
    """As docs/printing.md tells."""
    layout = SheetLayout(paper, Size(*PAPERS[paper]))
    colophon = SlugText("64 km", "", "fi", "")
    found = [s for deck in game.decks for s in arrange_pieces(pairs_of(deck), layout, colophon)]
    assert (count_papers(found), compute_waste_percent(found, layout)) == (50, left)


def test_nothing_is_wrong_with_it(checked: Checked) -> None:
    """All faces in both languages are typeset, all rules hold."""
    assert [str(problem) for problem in checked.problems] == []
    two_sided = 72 + 24 + 1 + 4 + 3 + 12 + 24 + 32 + 32 + 4 + 18 + 1 + 3 + 12
    one_sided = 3 + 4 + 6 + 3  # ruler, boards, markers, goods
    assert len(checked.faces.faces) == 2 * (2 * two_sided + one_sided)


SPOTS = {
    "loot-city": "city",
    "loot-country": "country",
    "experience": "experience",
    "substances": "substance",
    "units": None,
    "actions": "actions",
    "areas": "areas",
    "bridges": "areas",
    "commanders": "commanders",
    "foreign-aid": "night",
    "graft": "graft",
    "night-attacks": "night",
}
"""Folder of art → the name of its spot colour in game.yaml. Units take their player's."""


def drawings(folder: str) -> list[Path]:
    return sorted((ROOT / "art" / folder).glob("*.svg"))


def paints(tree: ElementTree.Element) -> Iterator[str]:
    """Every colour that a drawing's elements name, in attributes or styles."""
    for element in tree.iter():
        style = dict(
            part.split(":", 1) for part in element.get("style", "").split(";") if ":" in part
        )
        for name in ("fill", "stroke", "stop-color", "color", "flood-color"):
            value = style.get(name, element.get(name))
            if value is not None:
                yield value.strip().lower()


@pytest.mark.parametrize("folder", SPOTS)
def test_art_is_printed_in_two_inks_on_its_paper(game: Game, folder: str) -> None:
    allowed = {game.colours[name] for name in ("ink", "paper", SPOTS[folder]) if name}
    for path in drawings(folder):
        tree = ElementTree.parse(path).getroot()
        used = {paint for paint in paints(tree) if paint != "none" and not paint.startswith("url(")}
        assert used <= allowed, path.name
        tags = {str(element.tag).rpartition("}")[2] for element in tree.iter()}
        assert not tags & {"text", "image", "style", "linearGradient", "radialGradient"}, path.name


@pytest.mark.parametrize("deck", ["loot-city", "loot-country"])
def test_every_loot_card_has_a_drawing_of_its_own(game: Game, deck: str) -> None:
    assert {path.stem for path in drawings(deck)} == {piece.id for piece in pieces(game, deck)}
    assert len({path.read_bytes() for path in drawings(deck)}) == len(drawings(deck))


def test_icons_are_black_and_white_on_one_grid() -> None:
    found = drawings("icons")
    assert found
    for path in found:
        tree = ElementTree.parse(path).getroot()
        assert tree.get("viewBox") == "0 0 24 24", path.name
        used = set(paints(tree)) - {"none"}
        assert used <= {"#000", "#000000", "black", "#fff", "#ffffff", "white"}, path.name
