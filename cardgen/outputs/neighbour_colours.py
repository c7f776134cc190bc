"""Which neighbours on a sheet share a cut and differ strongly in colour: a cut that is a little
off leaves a stripe of the one on the other. It is told where another order would leave few.

A face's colour at a side is the mean of a strip along it, inside the trim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from PIL import ImageStat
from PIL.Image import Image

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.outputs import face_measurement
from cardgen.outputs.contract import Job
from cardgen.outputs.face_measurement import FaceMeasure
from cardgen.pdf.face_file import FacePdf
from cardgen.rules import card_rules
from cardgen.sheets.arrangement import ImposedSheet
from cardgen.sheets.imposition import Slot

STRONG_DELTA_E = 30.0
"""ΔE2000 from which a stripe of the other colour is seen at arm's length."""
_SAME_COLOUR_DELTA_E = 12.0
"""Within so much, cards are of one colour when they are put in order."""
_MIN_CUTS_MENDED = 4
"""So many cuts at least must another order mend."""
_STRIP_MM = 1.5
"""mm inside the trim."""
_COLOUR_STEP = 8
"""Colours are held apart in steps of so many levels of 255: what is nearer looks alike."""
_SIDE_COUNT = 4
_COLOUR_PATTERN = re.compile("#[0-9a-f]{6}")
SideColours = tuple[str, str, str, str]
"""Colours `#rrggbb` of a face's top, left, bottom and right side: counter-clockwise."""
SheetArranger = Callable[[Sequence[str]], Sequence[ImposedSheet]]
"""Ids of a deck's pieces in an order → the sheets that they come to lie on."""


def _measure_sides(image: Image, face: FacePdf) -> list[str]:
    """The colours of the sides, from a picture of the whole bleed box."""
    scale = image.width / face.width
    left = top = round(face.bleed * scale)
    right, bottom = image.width - left, image.height - top
    strip = max(1, round(_STRIP_MM * scale))
    boxes = (
        (left, top, right, top + strip), (left, top, left + strip, bottom),
        (left, bottom - strip, right, bottom), (right - strip, top, right, bottom),
    )  # fmt: skip
    return [_format_colour(ImageStat.Stat(image.crop(box)).mean) for box in boxes]


def _format_colour(mean: Sequence[float]) -> str:
    steps = (min(255, round(level / _COLOUR_STEP) * _COLOUR_STEP) for level in mean)
    return "#" + "".join(f"{level:02x}" for level in steps)


def _parse_sides(found: object) -> SideColours | None:
    if not isinstance(found, list) or len(found) != _SIDE_COUNT:
        return None
    if not all(isinstance(each, str) and _COLOUR_PATTERN.fullmatch(each) for each in found):
        return None
    return (found[0], found[1], found[2], found[3])


SIDES_MEASURE = FaceMeasure("sides", "looking at the sides of cards", _measure_sides, _parse_sides)


def has_shared_cuts(job: Job, deck: Deck) -> bool:
    """Whether the deck's pieces share cuts on the sheets that are asked for, and several of them
    are to be compared."""
    rectangle, apart = deck.form.shape == "rectangle", max(deck.gap, job.options.layout.gap)
    cut = job.options.layout.stock is not None
    whole = not (job.selection_suffix or job.options.sheets or job.options.mix)
    return rectangle and not apart and not cut and whole and len(deck.pieces) > 1


def list_faces_to_measure(job: Job) -> list[Face]:
    """The fronts whose sides are looked at: one language's, for order and colours do not hang on
    words."""
    language = job.languages[0]
    found = [
        face
        for deck in job.decks
        if has_shared_cuts(job, deck)
        for face in job.faces.find_faces(deck, language, "front")
    ]
    return list({face.key: face for face in found}.values())


def check_neighbours(job: Job, deck: Deck, arranged: SheetArranger) -> Iterator[Problem]:
    """A warning where another order of a deck's cards leaves less than half of the strong cuts."""
    if not has_shared_cuts(job, deck):
        return
    fronts = job.faces.find_faces(deck, job.languages[0], "front")
    sides = face_measurement.load_figures(job, SIDES_MEASURE, fronts)
    by_piece = {front.piece.id: sides[front.key] for front in fronts if front.key in sides}
    order = [piece.id for piece in deck.pieces if piece.copies and piece.id in by_piece]
    if len(order) < len([piece for piece in deck.pieces if piece.copies]):
        return
    now = find_strong_cuts(arranged(order), by_piece)
    if len(now) < _MIN_CUTS_MENDED:
        return
    sorted_ = find_strong_cuts(arranged(sort_by_colour(order, by_piece)), by_piece)
    if len(now) - len(sorted_) < _MIN_CUTS_MENDED or 2 * len(sorted_) > len(now):
        return
    first, second = now[0]
    message = (
        f"on {len(now)} cuts between cards of {deck.id} two strongly different colours meet, such "
        f"as between {first} and {second}: a cut that is a little off shows the neighbour. With "
        f"cards of one colour one after another there {_format_count(len(sorted_))}; put them in that "
        "order, or set them apart with 'gap: 4'"
    )
    yield Problem(deck.source, message, "neighbours", "warning")


def _format_count(count: int) -> str:
    return {0: "would be none", 1: "would be one"}.get(count, f"would be {count}")


def sort_by_colour(order: Sequence[str], sides: dict[str, SideColours]) -> list[str]:
    """The pieces, those of one colour together, in the order in which colours first come."""
    groups: list[list[str]] = []
    for piece in order:
        for group in groups:
            if _compute_max_distance(sides[group[0]], sides[piece]) <= _SAME_COLOUR_DELTA_E:
                group.append(piece)
                break
        else:
            groups.append([piece])
    return [piece for group in groups for piece in group]


def _compute_max_distance(one: SideColours, other: SideColours) -> float:
    return max(card_rules.measure_delta_e(a, b) for a, b in zip(one, other, strict=True))


def find_strong_cuts(
    sheets: Sequence[ImposedSheet], sides: dict[str, SideColours]
) -> list[tuple[str, str]]:
    """The pieces on both sides of every cut at which strongly different colours meet."""
    found = []
    for sheet in sheets:
        if not sheet.front:
            continue
        slots = [slot for _, slot in sheet.front.placements][: len(sheet.pieces)]
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
                if other and _is_strong_cut(sides, (name, slot), other, side):
                    found.append((name, other[0]))
    return found


def _is_strong_cut(
    sides: dict[str, SideColours], one: tuple[str, Slot], other: tuple[str, Slot], side: int
) -> bool:
    here = _get_side_colour(sides[one[0]], one[1], side)
    there = _get_side_colour(sides[other[0]], other[1], (side + 2) % _SIDE_COUNT)
    return card_rules.measure_delta_e(here, there) > STRONG_DELTA_E


def _get_side_colour(sides: SideColours, slot: Slot, side: int) -> str:
    """The colour at a side of the paper, of a face that lies turned."""
    return sides[(side - slot.turn // 90) % _SIDE_COUNT]
