"""Check for strongly different colours on both sides of a cut, which show when a cut is off.

The check warns if another order of a deck's cards would leave fewer such cuts. The colour of a side
is the mean of a strip along it, inside the trim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from PIL.Image import Image

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.outputs import face_measurement
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.outputs.face_measurement import FaceMeasure
from cardgen.outputs.sheet_recipes import get_card_format
from cardgen.pdf.face_file import FacePdf
from cardgen.rules import card_rules
from cardgen.runtime.content_store import digest_parts
from cardgen.sheets.arrangement import ImposedSheet
from cardgen.sheets.imposition import Slot

STRONG_DELTA_E = 30.0
"""ΔE2000 from which a stripe of another colour is visible at arm's length."""
_SAME_COLOUR_DELTA_E = 12.0
"""ΔE2000 up to which cards count as one colour when they are sorted."""
_MIN_CUTS_MENDED = 4
"""Minimum number of strong cuts that another order must avoid."""
_STRIP_MM = 1.5
_COLOUR_STEP = 8
"""Colours are rounded to multiples of this level of 255. Closer colours look alike."""
_SIDE_COUNT = 4
_COLOUR_PATTERN = re.compile("#[0-9a-f]{6}")
SideColours = tuple[str, str, str, str]
"""Colours `#rrggbb` of a face's top, left, bottom and right side, counter-clockwise."""
SheetArranger = Callable[[Sequence[str]], Sequence[ImposedSheet]]
"""Imposes a deck's cards, given by their ids, in an order."""


def _measure_sides(image: Image, face: FacePdf) -> list[str]:
    """Return the colours of the sides from a picture of the bleed box."""
    scale = image.width / face.width
    left = top = round(face.bleed * scale)
    right, bottom = image.width - left, image.height - top
    strip = max(1, round(_STRIP_MM * scale))
    boxes = (
        (left, top, right, top + strip), (left, top, left + strip, bottom),
        (left, bottom - strip, right, bottom), (right - strip, top, right, bottom),
    )  # fmt: skip
    return [_format_colour(_compute_mean(image.crop(box).tobytes())) for box in boxes]


def _compute_mean(pixels: bytes) -> tuple[float, ...]:
    """Return the mean levels of red, green and blue, 0 to 255."""
    return tuple(sum(pixels[channel::3]) / (len(pixels) // 3) for channel in range(3))


def _format_colour(mean: Sequence[float]) -> str:
    steps = (min(255, round(level / _COLOUR_STEP) * _COLOUR_STEP) for level in mean)
    return "#" + "".join(f"{level:02x}" for level in steps)


def _parse_sides(values: object) -> SideColours | None:
    match values:
        case [str(top), str(left), str(bottom), str(right)]:
            sides = top, left, bottom, right
            return sides if all(map(_COLOUR_PATTERN.fullmatch, sides)) else None
    return None


SIDES_MEASURE = FaceMeasure("sides", "looking at the sides of cards", _measure_sides, _parse_sides)


def has_shared_cuts(job: Job, deck: Deck) -> bool:
    """Return true if several cards of a deck are selected and share cuts on the sheets."""
    layout = job.options.layout
    whole = not (job.selection_suffix or job.options.sheets or job.options.mix)
    across = max(deck.gap.width, layout.gap.width)
    down = max(deck.gap.height, layout.gap.height)
    apart = min(across, down) > 0 or layout.stock is not None
    return deck.form.shape == "rectangle" and not apart and whole and len(deck.pieces) > 1


def list_faces_to_measure(job: Job) -> list[Face]:
    """Return the fronts to measure. Those of one language are enough."""
    language = job.languages[0]
    faces = [
        face
        for deck in job.decks
        if has_shared_cuts(job, deck)
        for face in job.faces.find_faces(deck, language, "front")
    ]
    return list({face.key: face for face in faces}.values())


def check_neighbours(job: Job, deck: Deck, arrange: SheetArranger) -> Iterator[Problem]:
    """Warn if another order of a deck's cards leaves less than half of the strong cuts."""
    if not has_shared_cuts(job, deck):
        return
    fronts = job.faces.find_faces(deck, job.languages[0], "front")
    figures = face_measurement.load_figures(job, SIDES_MEASURE, fronts)
    sides = {front.piece.id: figures[front.key] for front in fronts if front.key in figures}
    order = [piece.id for piece in deck.pieces if piece.copies]
    if any(piece not in sides for piece in order):
        return
    found = _recall_cuts(job, deck, order, sides, arrange)
    if found.cuts - found.rest < _MIN_CUTS_MENDED or 2 * found.rest > found.cuts:
        return
    rest, first, second = found.rest, found.first, found.second
    count = {0: "would be none", 1: "would be one"}.get(rest, f"would be {rest}")
    message = (
        f"on {found.cuts} cuts between cards of {deck.id} two strongly different colours meet, "
        f"such as between {first} and {second}: a cut that is a little off shows the neighbour. "
        f"With the cards sorted by colour there {count}; sort them, or set them apart "
        "with 'gap: 4'"
    )
    yield Problem(deck.source, message, "neighbours", "warning")


class CutFigures(NamedTuple):
    """Numbers of strong cuts, now and with the cards sorted, and the cards at the first of them."""

    cuts: int = 0
    rest: int = 0
    first: str = ""
    second: str = ""


def _recall_cuts(
    job: Job, deck: Deck, order: Sequence[str], sides: dict[str, SideColours],
    arrange: SheetArranger,
) -> CutFigures:  # fmt: skip
    """Return the strong cuts of a deck, from the store where nothing has changed that decides
    them: colours, order, copies, format and layout."""
    backs = {face.piece.id for face in job.faces.find_faces(deck, job.languages[0], "back")}
    cards = [
        (piece.id, piece.copies, piece.id in backs, sides.get(piece.id)) for piece in deck.pieces
    ]
    layout = job.options.layout
    key = digest_recipe(layout, get_card_format(deck), deck.separate_backs, cards)
    path = job.store.get_path(SIDES_MEASURE.kind, f"{digest_parts([deck.id])}-cuts.json")
    match job.store.read_json(path):
        case [str(known), int(cuts), int(rest), str(first), str(second)] if known == key:
            if not cuts or {first, second} <= sides.keys():
                return CutFigures(cuts, rest, first, second)
    figures = _count_cuts(order, sides, arrange)
    job.store.write_json(path, [key, *figures])
    return figures


def _count_cuts(
    order: Sequence[str], sides: dict[str, SideColours], arrange: SheetArranger
) -> CutFigures:
    cuts = find_strong_cuts(arrange(order), sides)
    if len(cuts) < _MIN_CUTS_MENDED:
        return CutFigures()
    rest = len(find_strong_cuts(arrange(sort_by_colour(order, sides)), sides))
    return CutFigures(len(cuts), rest, *cuts[0])


def sort_by_colour(order: Sequence[str], sides: dict[str, SideColours]) -> list[str]:
    """Return the cards grouped by colour. Colours keep the order of their first cards."""
    groups: list[list[str]] = []
    for piece in order:
        for group in groups:
            if _is_same_colour(sides[group[0]], sides[piece]):
                group.append(piece)
                break
        else:
            groups.append([piece])
    return [piece for group in groups for piece in group]


def _is_same_colour(one: SideColours, other: SideColours) -> bool:
    pairs = zip(one, other, strict=True)
    return all(card_rules.measure_delta_e(a, b) <= _SAME_COLOUR_DELTA_E for a, b in pairs)


def find_strong_cuts(
    sheets: Sequence[ImposedSheet], sides: dict[str, SideColours]
) -> list[tuple[str, str]]:
    """Return the two cards at every cut where strongly different colours meet."""
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
            # To the right and below, so that every cut counts once.
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
    """Return the colour of a face at a side of the paper. The face may be turned."""
    return sides[(side - slot.turn // 90) % _SIDE_COUNT]
