"""Which neighbours on a sheet share a cut and differ strongly in colour: a cut that is a little
off leaves a stripe of the one on the other. It is told where another order would leave few.

A face's colour at a side is the mean of a strip along it, inside the trim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from PIL import ImageStat
from PIL.Image import Image

from cardgen.base.problems import Problem
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs import pictured
from cardgen.outputs.contract import Job
from cardgen.outputs.pictured import Measure
from cardgen.pdf.face_file import FacePdf
from cardgen.rules import colours
from cardgen.sheets.arrange import Sheet
from cardgen.sheets.imposition import Slot

STRONG = 30.0
"""ΔE2000 from which a stripe of the other colour is seen at arm's length."""
_ALIKE = 12.0
"""Within so much, cards are of one colour when they are put in order."""
_LEAST = 4
"""So many cuts at least must another order mend."""
_STRIP = 1.5
"""mm inside the trim."""
_STEP = 8
"""Colours are held apart in steps of so many levels of 255: what is nearer looks alike."""
_SIDES = 4
_COLOUR = re.compile("#[0-9a-f]{6}")
Sides = tuple[str, str, str, str]
"""Colours `#rrggbb` of a face's top, left, bottom and right side: counter-clockwise."""
Arranged = Callable[[Sequence[str]], Sequence[Sheet]]
"""Ids of a deck's pieces in an order → the sheets that they come to lie on."""


def _sides(image: Image, face: FacePdf) -> list[str]:
    """The colours of the sides, from a picture of the whole bleed box."""
    scale = image.width / face.width
    left = top = round(face.bleed * scale)
    right, bottom = image.width - left, image.height - top
    strip = max(1, round(_STRIP * scale))
    boxes = (
        (left, top, right, top + strip), (left, top, left + strip, bottom),
        (left, bottom - strip, right, bottom), (right - strip, top, right, bottom),
    )  # fmt: skip
    return [_hex(ImageStat.Stat(image.crop(box)).mean) for box in boxes]


def _hex(mean: Sequence[float]) -> str:
    steps = (min(255, round(level / _STEP) * _STEP) for level in mean)
    return "#" + "".join(f"{level:02x}" for level in steps)


def _told(found: object) -> Sides | None:
    if not isinstance(found, list) or len(found) != _SIDES:
        return None
    if not all(isinstance(each, str) and _COLOUR.fullmatch(each) for each in found):
        return None
    return (found[0], found[1], found[2], found[3])


SIDES = Measure("sides", "looking at the sides of cards", _sides, _told)


def touching(job: Job, deck: Deck) -> bool:
    """Whether the deck's pieces share cuts on the sheets that are asked for, and several of them
    are to be compared."""
    rectangle, apart = deck.form.shape == "rectangle", max(deck.gap, job.options.layout.gap)
    cut = job.options.layout.stock is not None
    whole = not (job.some or job.options.sheets or job.options.mix)
    return rectangle and not apart and not cut and whole and len(deck.pieces) > 1


def faces_of(job: Job) -> list[Face]:
    """The fronts whose sides are looked at: one language's, for order and colours do not hang on
    words."""
    language = job.languages[0]
    found = [
        face
        for deck in job.decks
        if touching(job, deck)
        for face in job.faces.of(deck, language, "front")
    ]
    return list({face.key: face for face in found}.values())


def problems(job: Job, deck: Deck, arranged: Arranged) -> Iterator[Problem]:
    """A warning where another order of a deck's cards leaves less than half of the strong cuts."""
    if not touching(job, deck):
        return
    fronts = job.faces.of(deck, job.languages[0], "front")
    sides = pictured.known(job, SIDES, fronts)
    by_piece = {front.piece.id: sides[front.key] for front in fronts if front.key in sides}
    order = [piece.id for piece in deck.pieces if piece.copies and piece.id in by_piece]
    if len(order) < len([piece for piece in deck.pieces if piece.copies]):
        return
    now = strong_cuts(arranged(order), by_piece)
    if len(now) < _LEAST:
        return
    sorted_ = strong_cuts(arranged(by_colour(order, by_piece)), by_piece)
    if len(now) - len(sorted_) < _LEAST or 2 * len(sorted_) > len(now):
        return
    first, second = now[0]
    message = (
        f"on {len(now)} cuts between cards of {deck.id} two strongly different colours meet, such "
        f"as between {first} and {second}: a cut that is a little off shows the neighbour. With "
        f"cards of one colour one after another there {_are(len(sorted_))}; put them in that "
        "order, or set them apart with 'gap: 4'"
    )
    yield Problem(deck.source, message, "neighbours", "warning")


def _are(count: int) -> str:
    return {0: "would be none", 1: "would be one"}.get(count, f"would be {count}")


def by_colour(order: Sequence[str], sides: dict[str, Sides]) -> list[str]:
    """The pieces, those of one colour together, in the order in which colours first come."""
    groups: list[list[str]] = []
    for piece in order:
        for group in groups:
            if _most(sides[group[0]], sides[piece]) <= _ALIKE:
                group.append(piece)
                break
        else:
            groups.append([piece])
    return [piece for group in groups for piece in group]


def _most(one: Sides, other: Sides) -> float:
    return max(colours.distance(a, b) for a, b in zip(one, other, strict=True))


def strong_cuts(sheets: Sequence[Sheet], sides: dict[str, Sides]) -> list[tuple[str, str]]:
    """The pieces on both sides of every cut at which strongly different colours meet."""
    found = []
    for sheet in sheets:
        if not sheet.front:
            continue
        slots = [slot for _, slot in sheet.front.placed][: len(sheet.pieces)]
        at = {
            (round(slot.trim.left, 2), round(slot.trim.top, 2)): (pair.name, slot)
            for pair, slot in zip(sheet.pieces, slots, strict=True)
        }
        for name, slot in at.values():
            # On the right, and below: every cut once.
            for place, side in (
                ((slot.trim.right, slot.trim.top), 3), ((slot.trim.left, slot.trim.bottom), 2),
            ):  # fmt: skip
                other = at.get((round(place[0], 2), round(place[1], 2)))
                if other and _differ(sides, (name, slot), other, side):
                    found.append((name, other[0]))
    return found


def _differ(
    sides: dict[str, Sides], one: tuple[str, Slot], other: tuple[str, Slot], side: int
) -> bool:
    here = _shown(sides[one[0]], one[1], side)
    there = _shown(sides[other[0]], other[1], (side + 2) % _SIDES)
    return colours.distance(here, there) > STRONG


def _shown(sides: Sides, slot: Slot, side: int) -> str:
    """The colour at a side of the paper, of a face that lies turned."""
    return sides[(side - slot.turn // 90) % _SIDES]
