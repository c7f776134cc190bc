"""A plan of a table, drawn from a save alone: what lies where, at its true size and the right way
up; far is up, as the near side sees it. It is drawn with
`python tests/tabletop/table_picture.py SAVE.json OUT.png`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from PIL import Image, ImageDraw, ImageFont

MM = 25.4
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
ESTIMATED = {
    "Bag": (60, 60),
    "Infinite_Bag": (60, 60),
    "Notecard": (130, 90),
    "Custom_PDF": (210, 297),
}
"""mm at scale 1; the room that is kept for what could not be measured in the client."""


@dataclass(frozen=True)
class Lying:
    """Something on the table: its middle and sides in mm, and how far it is turned, clockwise as
    seen from above, from upright for the near side."""

    object: dict[str, Any]
    x: float
    y: float
    width: float
    height: float
    turn: float
    raised: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top, of a thing that lies straight."""
        wide, high = (self.width, self.height)[:: -1 if round(self.turn) % 180 else 1]
        return self.x - wide / 2, self.y - high / 2, self.x + wide / 2, self.y + high / 2


def lying(save: dict[str, Any]) -> Iterator[Lying]:
    """Everything that a save lays on the table."""
    for found in save["ObjectStates"]:
        pose = found["Transform"]
        name = found["Name"]
        if name in {"Card", "Deck"}:
            sides = (56 * pose["scaleX"], 80 * pose["scaleZ"])
        elif name == "Custom_Tile":
            sides = (2 * MM * pose["scaleX"], 2 * MM * pose["scaleZ"])
        elif name == "HandTrigger":
            sides = (MM * pose["scaleX"], MM * pose["scaleZ"])
        else:
            sides = ESTIMATED[name]
        upright = 0 if name == "HandTrigger" else 180
        turn = (pose["rotY"] - upright) % 360
        raised = pose["posY"] > 1.1 and name != "HandTrigger"
        yield Lying(found, pose["posX"] * MM, pose["posZ"] * MM, *sides, turn, raised)


def overlaps(things: list[Lying]) -> list[str]:
    """Pairs of things that lie in one another's place; markers may lie on a board."""
    wrong = []
    flat = [thing for thing in things if not thing.raised]
    for layer in (flat, [thing for thing in things if thing.raised]):
        for index, first in enumerate(layer):
            for second in layer[index + 1 :]:
                a, b = first.box, second.box
                if (
                    min(a[2], b[2]) - max(a[0], b[0]) > 0.01
                    and min(a[3], b[3]) - max(a[1], b[1]) > 0.01
                ):
                    wrong.append(f"{first.object['Nickname']} / {second.object['Nickname']}")
    return wrong


def picture_of(thing: dict[str, Any], folder: Path) -> Image.Image | None:
    """What is seen of a thing from above, out of the save's own pictures."""
    face_up = round(thing["Transform"]["rotZ"]) == 0
    if thing["Name"] == "Custom_Tile":
        image = thing["CustomImage"]
        return local(image["ImageURL"] if face_up else image["ImageSecondaryURL"], folder)
    if thing["Name"] == "Infinite_Bag":
        return picture_of({**thing["ContainedObjects"][0]}, folder)
    if thing["Name"] not in {"Card", "Deck"}:
        return None
    card = thing["DeckIDs"][-1 if face_up else 0] if "DeckIDs" in thing else thing["CardID"]
    sheet = thing["CustomDeck"][str(card // 100)]
    if not face_up and not sheet["UniqueBack"]:
        return local(sheet["BackURL"], folder)
    return cell(local(sheet["FaceURL" if face_up else "BackURL"], folder), sheet, card % 100)


def cell(image: Image.Image, sheet: dict[str, Any], index: int) -> Image.Image:
    """One face of a sheet."""
    wide, high = image.width // sheet["NumWidth"], image.height // sheet["NumHeight"]
    row, column = divmod(index, sheet["NumWidth"])
    return image.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))


def local(url: str, folder: Path) -> Image.Image:
    """The picture that a URL names, by its file's name in a folder."""
    return Image.open(folder / Path(url2pathname(unquote(urlparse(url).path))).name).convert("RGB")


def draw(save: dict[str, Any], folder: Path, scale: float = 1.0) -> Image.Image:
    """The plan; `scale` is px a mm, `folder` holds the pictures."""
    things = list(lying(save))
    left = min(thing.box[0] for thing in things) - 25
    top = max(thing.box[3] for thing in things) + 25
    right, bottom = max(t.box[2] for t in things) + 25, min(t.box[1] for t in things) - 25
    plan = Image.new(
        "RGB", (round((right - left) * scale), round((top - bottom) * scale)), "#3d5a4a"
    )
    font = ImageFont.truetype(FONT, 11)
    pen = ImageDraw.Draw(plan)
    for thing in sorted(things, key=lambda thing: thing.raised):
        x, y = (thing.x - left) * scale, (top - thing.y) * scale
        size = (max(1, round(thing.width * scale)), max(1, round(thing.height * scale)))
        name = thing.object["Name"]
        seen = picture_of(thing.object, folder)
        if seen is None:
            colour = {"HandTrigger": thing.object.get("FogColor", "Grey").lower()}.get(
                name, "#efe8d4"
            )
            seen = Image.new("RGB", size, colour)
            ImageDraw.Draw(seen).text((6, 4), name, fill="black", font=font)
        if name == "Infinite_Bag":
            size = (round(44 * scale), round(44 * scale))
            pen.ellipse(
                (x - 30 * scale, y - 30 * scale, x + 30 * scale, y + 30 * scale), fill="#7a6a50"
            )
        seen = seen.resize(size, Image.Resampling.LANCZOS).convert("RGBA")
        # PIL turns the other way round than the client's upright axis, seen from above.
        seen = seen.rotate(-thing.turn, expand=True)
        plan.paste(seen, (round(x - seen.width / 2), round(y - seen.height / 2)), seen)
        if not thing.raised:
            label(pen, thing, (x, y), scale, font)
    return plan


def label(
    pen: ImageDraw.ImageDraw, thing: Lying, at: tuple[float, float], scale: float, font: Any
) -> None:
    """The name of a thing, and of how many pieces a deck is, at its lower edge."""
    count = len(thing.object.get("DeckIDs", ()))
    text = thing.object["Nickname"].split(" – ")[0] + (f" ×{count}" if count else "")
    most = max(4, int((thing.box[2] - thing.box[0]) * scale / 6.0))
    text = text if len(text) <= most else text[: most - 1] + "…"
    x, y = at[0], at[1] + (thing.box[3] - thing.box[1]) / 2 * scale
    wide = pen.textlength(text, font=font)
    pen.rectangle((x - wide / 2 - 2, y - 13, x + wide / 2 + 2, y + 1), fill="#fffbe8")
    pen.text((x - wide / 2, y - 13), text, fill="black", font=font)


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    """A point turned clockwise about the origin."""
    angle = radians(degrees)
    return x * cos(angle) + y * sin(angle), -x * sin(angle) + y * cos(angle)


if __name__ == "__main__":
    file, out = Path(sys.argv[1]), Path(sys.argv[2])
    made = draw(json.loads(file.read_text(encoding="utf-8")), file.parent / "images", 0.9)
    made.save(out)
