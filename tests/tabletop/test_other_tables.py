"""Tabletop Playground, PlayingCards.io and the plain folder."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from dataclasses import replace

import pytest
from conftest import MakeGame
from PIL import Image
from small_games import make, marked_deck, marked_game
from table_games import (
    SMALL,
    TTS,
    a_game,
    numbered,
    seated,
)


def test_a_playground_package(make_game: MakeGame) -> None:
    root = make_game(
        a_game(
            {
                "d": numbered("d", 3).replace("id: c1,", "id: c1, copies: 3,"),
                "u": numbered("u", 2, back="own-back.html"),
            }
        )
    )
    make(root, SMALL, outputs=("tabletop-playground",))
    base = root / "build/en/tabletop-playground/small-en"
    manifest = json.loads((base / "Manifest.json").read_text())
    assert set(manifest) == {"Name", "Version", "GUID"}
    assert len(manifest["GUID"]) == 32
    deck = json.loads((base / "Templates/d.json").read_text())
    assert deck["Indices"] == [0, 1, 1, 1, 2]
    assert deck["CardNames"]["2"] == "Card 2"
    assert (deck["Width"], deck["Height"], deck["BackIndex"]) == (6.35, 8.89, -2)
    assert json.loads((base / "Templates/u.json").read_text())["BackIndex"] == -3
    assert (base / "Textures" / deck["FrontTexture"]).is_file()


def test_a_playingcards_file(make_game: MakeGame) -> None:
    root = make_game(seated())
    make(root, SMALL, outputs=("playingcards",))
    with zipfile.ZipFile(root / "build/en/playingcards/small.pcio") as package:
        widgets = json.loads(package.read("widgets.json"))
        names = set(package.namelist())
    decks = {w["id"]: w for w in widgets if w["type"] == "cardDeck"}
    cards = [w for w in widgets if w["type"] == "card"]
    assert len(cards) == 9 + 2 + 2 + 2 + 2 + 5  # every copy in the box
    for card in cards:
        kind = decks[card["deck"]]["cardTypes"][card["cardType"]]
        for side in ("face", "back"):
            assert kind[side].removeprefix("package://") in names


def test_a_room_has_piles_to_shuffle_hands_seats_and_dice(make_game: MakeGame) -> None:
    """As VirtualTabletop's importer reads them: a shuffle button works on the pile that is the
    parent of its deck, and the cards of a pile lie within it."""
    files = seated()
    files["table.yaml"] = "dice: 2\n" + files.get("table.yaml", "")
    root = make_game(files)
    make(root, SMALL, outputs=("playingcards",))
    with zipfile.ZipFile(root / "build/en/playingcards/small.pcio") as package:
        widgets = json.loads(package.read("widgets.json"))
    by_id = {each["id"]: each for each in widgets}
    assert len(by_id) == len(widgets)
    kinds = Counter(each["type"] for each in widgets)
    assert (kinds["hand"], kinds["seat"], kinds["dice"]) == (1, 2, 2)
    piles = [each for each in widgets if each["type"] == "cardPile"]
    homes = {each["parent"] for each in widgets if each["type"] == "cardDeck" and "parent" in each}
    assert homes
    assert {pile["id"] for pile in piles if pile["hasShuffleButton"]} == homes
    for card in (each for each in widgets if each["type"] == "card"):
        deck = by_id[card["deck"]]
        if card["parent"]:
            pile = by_id[card["parent"]]
            for at, side, own in (("x", "width", "cardWidth"), ("y", "height", "cardHeight")):
                assert pile[at] <= card[at]
                assert card[at] + deck[own] <= pile[at] + pile[side] + 0.05
    for pile in piles:
        assert pile["label"]
        assert (
            sum(each.get("parent") == pile["id"] for each in widgets if each["type"] == "card") > 1
        )
    # Nothing that belongs to the players lies upon the table.
    below = max(each["y"] + each["height"] for each in piles)
    assert all(each["y"] > below for each in widgets if each["type"] in {"hand", "seat", "dice"})
    dice = by_id["deck-of-dice"]
    assert [face["image"] for face in dice["cardTypes"].values()] == [
        f"/img/dice-basic/{pips}.svg" for pips in range(1, 7)
    ]
    assert {each["color"] for each in widgets if each["type"] == "seat"}


def test_a_plain_folder(make_game: MakeGame) -> None:
    root = make_game(seated())
    make(root, replace(SMALL, width_px=200), outputs=("folder",))
    base = root / "build/en/folder"
    rows = list(csv.DictReader(io.StringIO((base / "cards.csv").read_text(encoding="utf-8"))))
    assert [row["copies"] for row in rows if row["deck"] == "d"] == ["9", "2", "2", "2"]
    for row in rows:
        sizes = {Image.open(base / row[side]).size for side in ("front", "back") if row[side]}
        assert len(sizes) == 1
        assert next(iter(sizes))[0] == 200


@pytest.mark.parametrize(("form", "name"), [("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")])
def test_images_in_every_format(make_game: MakeGame, form: str, name: str) -> None:
    root = make_game(
        marked_game(
            {
                "cards": marked_deck("cards", "poker", (1,)),
                "lying": marked_deck("lying", "60 x 40", (1,)),
            }
        )
    )
    make(root, replace(TTS, image_format=form, width_px=321), outputs=("images",))
    images = sorted(p for p in (root / "build/en/images").rglob("*") if p.is_file())
    assert len(images) == 4
    for path in images:
        with Image.open(path) as image:
            assert image.format == name
            assert image.width == 321
