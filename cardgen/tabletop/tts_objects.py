"""JSON objects of a Tabletop Simulator save, with their GUIDs, sheet keys and player colours.

Everything known of the format is here and in `tts_save`. docs/tabletop.md lists what could not be
tried in the program. A unit of the table is an inch. At scale 1 a card measures 56 × 80 mm and a
tile 2 × 2 inches. An object turned by 180° about the vertical axis is upright for the near side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cardgen.core import colour_math
from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.model import Deck, Player
from cardgen.rules.card_rules import measure_delta_e
from cardgen.tabletop.table_contents import HAND_MM, TableSpot

TtsObject = dict[str, Any]
Scale = tuple[float, float, float]
"""Factors of width, thickness and height."""

CARD_MM = (56.0, 80.0)
TILE_MM = 2 * MM_PER_INCH
_HAND_HEIGHT_INCH = 5.0
_TABLE_Y_INCH, _BOARD_Y_INCH = 1.0, 1.2
_GREY = 0.713235259
_TILE_THICKNESS = {"board": 0.1, "token": 0.2}
_CARD_TYPES = {"rectangle": 1, "hexagon": 3, "round": 4}
_TILE_TYPES = {"rectangle": 0, "hexagon": 1, "round": 2}
_ROUNDED_CARD, _ROUNDED_TILE = 0, 3


@dataclass(frozen=True)
class ObjectLabel:
    """Identifier and texts of an object."""

    guid: str
    nickname: str = ""
    description: str = ""
    gm_notes: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObjectPose:
    """Position and orientation of an object."""

    spot: TableSpot
    face_up: bool = True
    raised: bool = False

    def build_transform(self, scale: Scale) -> TtsObject:
        names = ("posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ")
        values = (
            self.spot.x / MM_PER_INCH,
            _BOARD_Y_INCH if self.raised else _TABLE_Y_INCH,
            self.spot.y / MM_PER_INCH,
            0.0,
            float((180 + self.spot.turn) % 360),
            0.0 if self.face_up else 180.0,
            *scale,
        )
        return {name: round(value, 6) + 0.0 for name, value in zip(names, values, strict=True)}


POSE_IN_BAG = ObjectPose(TableSpot(0.0, 0.0, 0))


def compute_scale(size: Size, width: float, height: float) -> Scale:
    """Return the scale at which an object of these mm has its true size."""
    return size.width / width, 1.0, size.height / height


def build_card(
    pose: ObjectPose, label: ObjectLabel, deck: Deck, card_id: int, sheet: TtsObject
) -> TtsObject:
    """Return a single card."""
    return {
        **_build_object("Card", pose, label, compute_scale(deck.size, *CARD_MM)),
        "HideWhenFaceDown": True, "Hands": True, "CardID": card_id,
        "SidewaysCard": deck.size.width > deck.size.height,
        "CustomDeck": {str(card_id // 100): sheet},
    }  # fmt: skip


def build_deck(
    pose: ObjectPose, label: ObjectLabel, deck: Deck, cards: list[TtsObject]
) -> TtsObject:
    """Return a deck of two or more cards."""
    sheets = {key: sheet for card in cards for key, sheet in card["CustomDeck"].items()}
    return {
        **_build_object("Deck", pose, label, compute_scale(deck.size, *CARD_MM)),
        "HideWhenFaceDown": True, "Hands": False,
        "SidewaysCard": deck.size.width > deck.size.height,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": dict(sorted(sheets.items())), "ContainedObjects": cards,
    }  # fmt: skip


def build_sheet_entry(
    deck: Deck, face_url: str, back_url: str, grid: tuple[int, int], *, unique_back: bool
) -> TtsObject:
    """Return an entry of CustomDeck. The back hides a card, so the last cell is never dealt."""
    rounded = deck.shape == "rectangle" and deck.corner
    return {
        "FaceURL": face_url, "BackURL": back_url, "NumWidth": grid[0], "NumHeight": grid[1],
        "BackIsHidden": True, "UniqueBack": unique_back,
        "Type": _ROUNDED_CARD if rounded else _CARD_TYPES[deck.shape],
    }  # fmt: skip


def build_tile(
    pose: ObjectPose, label: ObjectLabel, deck: Deck, urls: tuple[str, str], *, locked: bool = False
) -> TtsObject:
    """Return a board, tile or token with the URLs of its front and back ("" for none)."""
    rounded = deck.shape == "rectangle" and deck.corner
    thin = max(deck.size.width, deck.size.height) > 45
    return {
        **_build_object("Custom_Tile", pose, label, compute_scale(deck.size, TILE_MM, TILE_MM)),
        "Locked": locked, "Grid": False, "Snap": False,
        "CustomImage": {
            "ImageURL": urls[0], "ImageSecondaryURL": urls[1],
            "ImageScalar": 1.0, "WidthScale": 0.0,
            "CustomTile": {
                "Type": _ROUNDED_TILE if rounded else _TILE_TYPES[deck.shape],
                "Thickness": _TILE_THICKNESS["board" if thin else "token"],
                "Stackable": not thin,
                # The picture fills the tile, which is scaled to the piece's proportions.
                "Stretch": False,
            },
        },
    }  # fmt: skip


def build_bag(
    pose: ObjectPose, label: ObjectLabel, contents: list[TtsObject], *, infinite: bool
) -> TtsObject:
    """Return a bag to draw from at random, or an infinite bag of one piece."""
    name, more = ("Infinite_Bag", {}) if infinite else ("Bag", {"Bag": {"Order": 2}})
    bag = _build_object(name, pose, label)
    return {**bag, "ContainedObjects": contents, **more}


def build_note(pose: ObjectPose, label: ObjectLabel) -> TtsObject:
    """Return a note card. Its nickname is the title, its description the text."""
    return _build_object("Notecard", pose, label)


def build_pdf(pose: ObjectPose, label: ObjectLabel, url: str) -> TtsObject:
    """Return a PDF to leaf through."""
    pdf = {"PDFUrl": url, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
    return {**_build_object("Custom_PDF", pose, label), "CustomPDF": pdf}


def build_hand_zone(pose: ObjectPose, label: ObjectLabel, seat: str, colour: str) -> TtsObject:
    """Return the hand zone of a seat, in a player's own colour. Unlike a card, it faces its
    player."""
    wide, deep = (mm / MM_PER_INCH for mm in HAND_MM)
    zone = _build_object("HandTrigger", pose, label, (wide, _HAND_HEIGHT_INCH, deep))
    zone["Transform"]["rotY"] = float((zone["Transform"]["rotY"] + 180) % 360)
    zone["Transform"]["posY"] = _HAND_HEIGHT_INCH / 2
    shares = (round(share, 6) for share in colour_math.split_hex(colour))
    zone["ColorDiffuse"] = dict(zip("rgb", shares, strict=True))
    return {**zone, "Locked": True, "FogColor": seat}


def build_saved_object(objects: list[TtsObject]) -> TtsObject:
    """Return a Saved Object with all objects."""
    before = ("SaveName", "Date", "VersionNumber", "GameMode", "GameType", "GameComplexity")
    after = ("Table", "Sky", "Note", "LuaScript", "LuaScriptState", "XmlUI")
    return {
        **dict.fromkeys(before, ""), "Tags": [], "Gravity": 0.5, "PlayArea": 0.5,
        **dict.fromkeys(after, ""), "TabStates": {}, "ObjectStates": objects,
    }  # fmt: skip


def _build_object(
    name: str, pose: ObjectPose, label: ObjectLabel, scale: Scale = (1.0, 1.0, 1.0)
) -> TtsObject:
    return {
        "GUID": label.guid, "Name": name, "Transform": pose.build_transform(scale),
        "Nickname": label.nickname, "Description": label.description,
        "GMNotes": label.gm_notes, "Memo": "", "Tags": list(label.tags),
        "ColorDiffuse": {"r": _GREY, "g": _GREY, "b": _GREY},
        "Locked": False, "Grid": True, "Snap": True, "Autoraise": True, "Sticky": True,
        "Tooltip": True, "HideWhenFaceDown": False, "Hands": False,
        "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
    }  # fmt: skip


_SHEET_KEY_RANGE = 9_000_000


def assign_guids(names: Iterable[str]) -> dict[str, str]:
    """Return six hex digits for every name, all different."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names)):
        attempt = 0
        while (guid := sha256(f"{name} {attempt}".encode()).hexdigest()[:6]) in taken:
            attempt += 1
        taken.add(guid)
        found[name] = guid
    return found


def assign_sheet_keys(
    decks: Iterable[Deck], sheets: Mapping[str, int]
) -> dict[tuple[str, int], int]:
    """Return a key for every sheet of every deck, by deck id and sheet number.

    CardID is a signed 32-bit number with a hundred cards a sheet, so a key is at most 21474836.
    """
    found: dict[tuple[str, int], int] = {}
    for deck in sorted(decks, key=lambda deck: deck.id):
        for number in range(sheets.get(deck.id, 0)):
            digest = sha256(f"{deck.id} {number}".encode()).digest()
            key = 1 + int.from_bytes(digest[:6], "big") % _SHEET_KEY_RANGE
            while key in found.values():
                key += 1
            found[deck.id, number] = key
    return found


# Fixed by the program. Grey watches and Black leads the game, so neither has a seat.
SEAT_COLOURS = {
    "White": "#ffffff", "Brown": "#713b17", "Red": "#da1918", "Orange": "#f4641d",
    "Yellow": "#e7e52c", "Green": "#31b32b", "Teal": "#21b19b", "Blue": "#1f87ff",
    "Purple": "#a020f0", "Pink": "#f570ce",
}  # fmt: skip


def assign_seat_colours(players: Sequence[Player]) -> dict[str, str]:
    """Return the seat colour of each player id. The nearest pairs are matched first.

    Only ten players have a seat.
    """
    pairs = sorted(
        (measure_delta_e(player.colour, colour), number, seat)
        for number, player in enumerate(players)
        for seat, colour in SEAT_COLOURS.items()
    )
    found: dict[str, str] = {}
    for _, number, seat in pairs:
        if players[number].id not in found and seat not in found.values():
            found[players[number].id] = seat
    return found
