"""Contrast of each text of a face with what is printed under it.

The face is drawn by pdfium with its drawings and without its text. The value is the WCAG 2
contrast ratio of the text's colour and the background, pixel by pixel within the x-height box of
the text. The worst tenth is ignored: a speck in a picture makes no text illegible. Text beyond the
edge of the card has no background, and is reported for where it stands. Values are stored beside
the face, keyed by everything that affects its picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets.font_files import ICON_FAMILY, FontFile, FontSet
from cardgen.core import work_limits
from cardgen.core.colour_math import (
    LUMINANCE_WEIGHTS,
    Colour,
    get_contrast,
    get_luminance_contrast,
    linearise_channel,
    split_hex,
)
from cardgen.core.units import MM_PER_INCH
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import typeset_facts
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.face_facts import FaceText, Rect
from cardgen.pdf.face_file import FacePdf
from cardgen.runtime.content_store import DamagedEntryError, Store, digest_parts
from cardgen.runtime.content_store import read_entry as store_read
from cardgen.runtime.worker_pool import map_calls

if TYPE_CHECKING:
    from PIL.Image import Image

_RENDER_DPI = 120
_IGNORED_SHARE = 0.1
"""Share of a text's pixels that may be worse than the reported value."""
_MAX_FACES_IN_PROCESS = 12
"""Maximum number of faces measured in this process; starting workers costs more."""
_CONTRAST_SECONDS = 10.0
_MAX_PAGE_PIXELS, _MAX_SAMPLED_PIXELS = 1_000_000, 400
"""Maximum number of pixels measured per face, and minimum number per line."""
_NO_COLOUR: Colour = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _ContrastCall:
    """A face to measure, with its texts and the icon font."""

    name: str
    face: FacePdf
    texts: tuple[FaceText, ...]
    icons: tuple[FontFile, ...]


def format_contrast_name(face: Face, fonts: FontSet) -> str:
    """Return the name of a face's store entry."""
    return f"{digest_parts([face.digest, fonts.icon_digest])}.contrasts"


def get_contrast_path(store: Store, face: Face, fonts: FontSet) -> Path:
    """Return the path of a face's store entry."""
    return store.get_path("faces", format_contrast_name(face, fonts))


def read_contrasts(store: Store, face: Face, fonts: FontSet) -> tuple[float, ...] | None:
    """Return the contrast of each text of a face, or None if unknown. Raises
    `DamagedEntryError`."""
    path = get_contrast_path(store, face, fonts)
    if not store.has_entry(path):
        return None
    found = json.loads(store_read(path))
    if not isinstance(found, list) or not all(isinstance(each, int | float) for each in found):
        raise DamagedEntryError(str(path))
    return tuple(map(float, found))


def measure_contrasts(
    faces: Iterable[Face], fonts: FontSet, store: Store,
    done: Callable[[int, int], object] = lambda _done, _total: None,
) -> None:  # fmt: skip
    """Measure typeset faces the store has no contrasts of.

    A face over its time limit stays unknown.
    """
    calls: dict[Path, _ContrastCall] = {}
    faces = [*faces]
    store.fetch_entries(get_contrast_path(store, face, fonts) for face in faces)
    icons = tuple(cut for cut in fonts.files if cut.family == ICON_FAMILY)
    for face in faces:
        path = get_contrast_path(store, face, fonts)
        if path in calls or store.has_entry(path):
            continue
        known = typeset_facts.read_facts(store, face.key)
        if known is not None:
            calls[path] = _ContrastCall(
                str(face.subject), get_face_pdf(face, store), known.texts, icons
            )
    alone = len(calls) <= _MAX_FACES_IN_PROCESS
    results = map_calls(_measure_or_stop, calls.values(), alone=alone)
    for number, (path, found) in enumerate(zip(calls, results, strict=True), 1):
        if found is not None:
            store.write_json(path, found)
        done(number, len(calls))


def _measure_or_stop(call: _ContrastCall) -> list[float] | None:
    try:
        with work_limits.work_limit(f"the contrasts of {call.name}", _CONTRAST_SECONDS):
            return list(_measure_face(call))
    except LimitExceededError:
        return None


def _measure_face(call: _ContrastCall) -> Iterator[float]:
    words = any(not text.is_icon and not text.halos for text in call.texts)
    signs = any(text.is_icon and not text.halos for text in call.texts)
    under_words = _rasterise_face(call, ICON_FAMILY) if words else None
    under_signs = _rasterise_face(call, "") if signs else None
    most = max(
        _MAX_SAMPLED_PIXELS, _MAX_PAGE_PIXELS // max(1, sum(len(text.boxes) for text in call.texts))
    )
    for text in call.texts:
        ink = split_hex(text.colour)
        ground = under_signs if text.is_icon else under_words
        if text.halos or ground is None:
            yield round(min(get_contrast(ink, split_hex(halo)) for halo in text.halos), 2)
        else:
            crop = partial(_crop_box, ground, bleed=call.face.bleed, turned=text.is_slanted)
            boxes = (box for box in text.boxes if _is_on_card(box, call.face))
            crops = (_sample_pixels(crop(box), most) for box in boxes)
            yield round(_find_least_contrast(ink, text.opacity, crops), 2)


def _is_on_card(box: Rect, face: FacePdf) -> bool:
    left, top, width, height = box
    wide, high = face.width - 2 * face.bleed, face.height - 2 * face.bleed
    return left < wide and top < high and left + width > 0 and top + height > 0


def _rasterise_face(call: _ContrastCall, keep: str) -> Image:
    """Return the face without its text, except text in the font family `keep`."""
    from cardgen.pdf import raster  # noqa: PLC0415 - pdfium and pikepdf where faces are looked at
    from cardgen.pdf.composition import Composer  # noqa: PLC0415
    from cardgen.pdf.page_edits import remove_text  # noqa: PLC0415

    composer = Composer(call.icons, change=partial(remove_text, keep=keep))
    form = composer.add_face(call.face)
    composer.add_page(call.face.width, call.face.height, b"/F Do", {"F": form})
    return next(raster.rasterise_pages(composer.save("face", "en"), _RENDER_DPI))


def _crop_box(ground: Image, box: Rect, *, bleed: float, turned: bool) -> Image:
    """Return the picture within a box, at least one pixel; of slanted text, around its middle."""
    remaining, top, width, height = box
    if turned:
        side = min(width, height, 2.0) / 2
        remaining, top = remaining + width / 2 - side, top + height / 2 - side
        width = height = 2 * side
    px = _RENDER_DPI / MM_PER_INCH
    x1, y1 = floor((remaining + bleed) * px), floor((top + bleed) * px)
    x2, y2 = ceil((remaining + bleed + width) * px), ceil((top + bleed + height) * px)
    x1, y1 = min(max(x1, 0), ground.width - 1), min(max(y1, 0), ground.height - 1)
    return ground.crop((x1, y1, min(max(x2, x1 + 1), ground.width),
                        min(max(y2, y1 + 1), ground.height)))  # fmt: skip


def _sample_pixels(crop: Image, most: int) -> Image:
    """Return the picture reduced to at most `most` pixels."""
    times = crop.width * crop.height / most
    if times <= 1:
        return crop
    across = max(1, min(crop.width, round(crop.width / times**0.5)))
    return crop.resize((across, max(1, min(crop.height, most // across))), resample=0)


def _find_least_contrast(ink: Colour, alpha: float, crops: Iterable[Image]) -> float:
    """Return the ratio that nine tenths of the pixels of the worst box reach."""
    return min(map(partial(_measure_box, ink, alpha), crops), default=21.0)


def _measure_box(ink: Colour, alpha: float, crop: Image) -> float:
    """Return the ratio of one box. Luminance is looked up: photographs have many colours."""
    counted: Sequence[tuple[int, Any]] = crop.getcolors(crop.width * crop.height) or []
    background, ink_table = _tabulate_luminance(_NO_COLOUR, 0.0), _tabulate_luminance(ink, alpha)
    found: dict[float, int] = {}
    for count, colour in counted:
        value = get_luminance_contrast(
            _sum_luminance(ink_table, colour), _sum_luminance(background, colour)
        )
        found[value] = found.get(value, 0) + count
    remaining = _IGNORED_SHARE * sum(found.values())
    for value in sorted(found):
        remaining -= found[value]
        if remaining < 0:
            return value
    return 21.0


@lru_cache(maxsize=64)
def _tabulate_luminance(ink: Colour, alpha: float) -> tuple[tuple[float, ...], ...]:
    """Return what red, green and blue from 0 to 255 add to the luminance under an ink."""
    return tuple(
        tuple(
            share * linearise_channel(alpha * part + (1 - alpha) * background / 255)
            for background in range(256)
        )
        for part, share in zip(ink, LUMINANCE_WEIGHTS, strict=True)
    )


def _sum_luminance(parts: Sequence[Sequence[float]], colour: Sequence[int]) -> float:
    return parts[0][colour[0]] + parts[1][colour[1]] + parts[2][colour[2]]
