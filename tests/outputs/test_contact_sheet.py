"""Contact sheets: one page a deck, every different face once."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
from conftest import MakeGame
from PIL import Image
from small_games import TEXT_GAME, make


def text_of(pdf: Path) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    return [page.get_textpage().get_text_bounded() for page in document]


def test_one_page_a_deck_and_a_picture_of_it(make_game: MakeGame) -> None:
    root = make_game(TEXT_GAME)
    report = make(root, outputs=("contact",))
    decks = sorted({Path(artefact.path).stem for artefact in report.new_files} - {"contact"})
    assert report.game is not None
    assert decks == sorted(deck.id for deck in report.game.decks)
    for language in report.game.languages:
        pages = text_of(root / "build" / language / "contact.pdf")
        # What the notes are made of stands behind them; of the loot there is nothing to count.
        assert len(pages) == len(report.game.decks) + 1
        for deck, page in zip(report.game.decks, pages, strict=False):
            for piece in deck.pieces:
                assert page.count(piece.id) >= 1
        picture = (root / "build" / language / "contact" / f"{decks[0]}.jpg").read_bytes()
        assert Image.open(io.BytesIO(picture)).format == "JPEG"


def test_a_contact_sheet_is_made_only_on_request(make_game: MakeGame) -> None:
    root = make_game(TEXT_GAME)
    make(root)
    assert not (root / "build" / "en" / "contact.pdf").exists()
