"""Objects of a Tabletop Simulator save, as JSON values. All that is known of the format is here
and in `save`; what could not be tried in the client is listed in docs/tabletop.md.

A unit of the table is an inch. A card measures 56 × 80 mm at scale 1, a tile 2 × 2 inches. An
object turned 180° about the upright axis is upright for the near side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgen.base.units import MM_PER_INCH, Size
from cardgen.game.model import Deck
from cardgen.outputs.tables.layout import Spot

Object = dict[str, Any]

CARD_MM = (56.0, 80.0)
TILE_MM = 2 * MM_PER_INCH
BAG_MM = 60.0
NOTE_MM = (130.0, 90.0)
PDF_MM = (210.0, 297.0)
HAND_MM = (300.0, 100.0)
"""Footprints; those of bags, notes, PDFs are estimates that keep room for them."""
_HAND_HEIGHT = 5.0
_TABLE_Y, _BOARD_Y = 1.0, 1.2
_GREY = 0.713235259
_THICK = {"board": 0.1, "token": 0.2}
_CARD_TYPES = {"rectangle": 1, "hexagon": 3, "round": 4}
_TILE_TYPES = {"rectangle": 0, "hexagon": 1, "round": 2}
_ROUNDED_CARD, _ROUNDED_TILE = 0, 3


@dataclass(frozen=True)
class Label:
    """What an object says of itself."""

    guid: str
    nickname: str = ""
    description: str = ""
    gm_notes: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pose:
    """Where an object is and how it lies."""

    spot: Spot
    face_up: bool = True
    raised: bool = False

    def transform(self, scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Object:
        names = ("posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ")
        values = (
            self.spot.x / MM_PER_INCH,
            _BOARD_Y if self.raised else _TABLE_Y,
            self.spot.y / MM_PER_INCH,
            0.0,
            float((180 + self.spot.turn) % 360),
            0.0 if self.face_up else 180.0,
            *scale,
        )
        return {name: round(value, 6) + 0.0 for name, value in zip(names, values, strict=True)}


IN_A_BAG = Pose(Spot(0.0, 0.0, 0))


def card_scale(size: Size) -> tuple[float, float, float]:
    """The scale at which a card has its true size."""
    return size.width / CARD_MM[0], 1.0, size.height / CARD_MM[1]


def tile_scale(size: Size) -> tuple[float, float, float]:
    """The scale at which a tile has its true size."""
    return size.width / TILE_MM, 1.0, size.height / TILE_MM


def card(pose: Pose, label: Label, deck: Deck, card_id: int, sheet: Object) -> Object:
    """A card of its own."""
    return {
        **_base("Card", pose.transform(card_scale(deck.size)), label),
        "HideWhenFaceDown": True,
        "Hands": True,
        "CardID": card_id,
        "SidewaysCard": deck.size.width > deck.size.height,
        "CustomDeck": {str(card_id // 100): sheet},
    }


def pile(pose: Pose, label: Label, deck: Deck, cards: list[Object]) -> Object:
    """A deck of at least two cards."""
    sheets = {key: sheet for card in cards for key, sheet in card["CustomDeck"].items()}
    return {
        **_base("Deck", pose.transform(card_scale(deck.size)), label),
        "HideWhenFaceDown": True,
        "Hands": False,
        "SidewaysCard": deck.size.width > deck.size.height,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": dict(sorted(sheets.items())),
        "ContainedObjects": cards,
    }


def sheet_entry(
    deck: Deck, face_url: str, back_url: str, grid: tuple[int, int], *, unlike: bool
) -> Object:
    """An entry of CustomDeck. The last cell is never dealt: the back itself hides a card."""
    kind = _CARD_TYPES[deck.shape]
    if deck.shape == "rectangle" and deck.corner:
        kind = _ROUNDED_CARD
    return {
        "FaceURL": face_url,
        "BackURL": back_url,
        "NumWidth": grid[0],
        "NumHeight": grid[1],
        "BackIsHidden": True,
        "UniqueBack": unlike,
        "Type": kind,
    }


def tile(
    pose: Pose, label: Label, deck: Deck, urls: tuple[str, str], *, locked: bool = False
) -> Object:
    """A board, a tile or a token: a front and, maybe, a back of its own."""
    kind = _TILE_TYPES[deck.shape]
    if deck.shape == "rectangle" and deck.corner:
        kind = _ROUNDED_TILE
    thin = max(deck.size.width, deck.size.height) > 45
    return {
        **_base("Custom_Tile", pose.transform(tile_scale(deck.size)), label),
        "Locked": locked,
        "Grid": False,
        "Snap": False,
        "CustomImage": {
            "ImageURL": urls[0],
            "ImageSecondaryURL": urls[1],
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {
                "Type": kind,
                "Thickness": _THICK["board" if thin else "token"],
                "Stackable": not thin,
                # The picture fills the tile, whose sides are scaled to the piece's own.
                "Stretch": False,
            },
        },
    }


def bag(pose: Pose, label: Label, contents: list[Object], *, infinite: bool) -> Object:
    """A bag that is drawn from at random; an infinite one gives its one piece again and again."""
    made = {
        **_base("Infinite_Bag" if infinite else "Bag", pose.transform(), label),
        "ContainedObjects": contents,
    }
    if not infinite:
        made["Bag"] = {"Order": 2}
    return made


def note(pose: Pose, label: Label) -> Object:
    """A card with words: the nickname is its title, the description its text."""
    return _base("Notecard", pose.transform(), label)


def pdf(pose: Pose, label: Label, url: str) -> Object:
    """A booklet to leaf through."""
    return {
        **_base("Custom_PDF", pose.transform(), label),
        "CustomPDF": {
            "PDFUrl": url, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0,
        },
    }  # fmt: skip


def hand(pose: Pose, label: Label, colour: str) -> Object:
    """A hand zone of a player colour. It faces its player, unlike a card."""
    wide, deep = (mm / MM_PER_INCH for mm in HAND_MM)
    transform = pose.transform((wide, _HAND_HEIGHT, deep))
    transform["rotY"] = float((transform["rotY"] + 180) % 360)
    transform["posY"] = _HAND_HEIGHT / 2
    return {**_base("HandTrigger", transform, label), "Locked": True, "FogColor": colour}


def envelope(objects: list[Object]) -> Object:
    """A Saved Object that holds the objects."""
    empty = (
        "SaveName", "Date", "VersionNumber", "GameMode", "GameType", "GameComplexity",
    )  # fmt: skip
    after = ("Table", "Sky", "Note", "LuaScript", "LuaScriptState", "XmlUI")
    return {
        **dict.fromkeys(empty, ""),
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        **dict.fromkeys(after, ""),
        "TabStates": {},
        "ObjectStates": objects,
    }


def _base(name: str, transform: Object, label: Label) -> Object:
    return {
        "GUID": label.guid,
        "Name": name,
        "Transform": transform,
        "Nickname": label.nickname,
        "Description": label.description,
        "GMNotes": label.gm_notes,
        "Memo": "",
        "Tags": list(label.tags),
        "ColorDiffuse": {"r": _GREY, "g": _GREY, "b": _GREY},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": False,
        "Hands": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }
