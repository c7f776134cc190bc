"""How well each text of a face stands out from what is painted under it, on the face as it is
printed: its drawings in, its words taken out, drawn by pdfium.

The figure is WCAG 2's ratio of the text's colour and that of the ground, pixel by pixel within the
box of the small letters, of which the palest tenth is left out: a speck of a picture makes no text
illegible. It is kept in the store beside the face, by all that decides the picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets.fontfiles import ICON_FAMILY, Cut, FontSet
from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.store import Damaged, Store, digest_of
from cardgen.base.store import read as store_read
from cardgen.base.units import MM_PER_INCH
from cardgen.base.workers import spread
from cardgen.faces import facts
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.face_facts import Lettering, Rect
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import SHARES, Colour, apart, lightness
from cardgen.pdf.inks import contrast as ratio

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 120
_LEFT_OUT = 0.1
"""Of a text's pixels: the share that may be worse than what is told."""
_ALONE = 12
"""Up to so many faces are looked at in this process: starting helpers costs more."""
_SECONDS = 10.0
_PIXELS, _FEW_PIXELS = 1_000_000, 400
"""Of a face, so many pixels under its letters are looked at; and of each line's, those at least."""
_CLEAR: Colour = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _Call:
    """A face to look at, with its texts and the icons' font."""

    name: str
    face: FacePdf
    texts: tuple[Lettering, ...]
    icons: tuple[Cut, ...]


def name(face: Face, fonts: FontSet) -> str:
    """What the contrasts of a face are called in the store, by all that decides its picture."""
    return f"{digest_of([face.digest, fonts.icon_digest])}.contrasts"


def path_of(store: Store, face: Face, fonts: FontSet) -> Path:
    """Where the store holds them."""
    return store.path("faces", name(face, fonts))


def read(store: Store, face: Face, fonts: FontSet) -> tuple[float, ...] | None:
    """The contrast of each text of a face; None where nobody looked. Raises `Damaged`."""
    path = path_of(store, face, fonts)
    if not store.has(path):
        return None
    found = json.loads(store_read(path))
    if not isinstance(found, list) or not all(isinstance(each, int | float) for each in found):
        raise Damaged(str(path))
    return tuple(map(float, found))


def make(
    faces: Iterable[Face], fonts: FontSet, store: Store,
    done: Callable[[int, int], object] = lambda _done, _total: None, most: int = 0,
) -> None:  # fmt: skip
    """Look at those faces that are set and nobody looked at, of which `most` may bound the number.
    One that is stopped stays unknown."""
    calls: dict[Path, _Call] = {}
    faces = [*faces]
    store.fetch(path_of(store, face, fonts) for face in faces)
    icons = tuple(cut for cut in fonts.cuts if cut.family == ICON_FAMILY)
    for face in faces:
        path = path_of(store, face, fonts)
        if path in calls or store.has(path) or (most and len(calls) >= most):
            continue
        known = facts.read(store, face.key)
        if known is not None:
            calls[path] = _Call(str(face.whose), face_pdf(face, store), known.texts, icons)
    alone = len(calls) <= _ALONE
    results = spread(_looked, calls.values(), alone=alone)
    for number, (path, found) in enumerate(zip(calls, results, strict=True), 1):
        if found is not None:
            store.write_json(path, found)
        done(number, len(calls))


def _looked(call: _Call) -> list[float] | None:
    try:
        with guard.at(f"the contrasts of {call.name}", _SECONDS):
            return list(_contrasts(call))
    except Stopped:
        return None


def _contrasts(call: _Call) -> Iterator[float]:
    words = any(not text.icon and not text.halos for text in call.texts)
    signs = any(text.icon and not text.halos for text in call.texts)
    under_words = _picture(call, ICON_FAMILY) if words else None
    under_signs = _picture(call, "") if signs else None
    most = max(_FEW_PIXELS, _PIXELS // max(1, sum(len(text.boxes) for text in call.texts)))
    for text in call.texts:
        ink = _colour(text.colour)
        ground = under_signs if text.icon else under_words
        if text.halos or ground is None:
            yield round(min(ratio(ink, _colour(halo)) for halo in text.halos), 2)
        else:
            crop = partial(_crop, ground, bleed=call.face.bleed, turned=text.turned)
            crops = (_sample(crop(box), most) for box in text.boxes)
            yield round(_least(ink, text.alpha, crops), 2)


def _picture(call: _Call, keep: str) -> Image:
    """The face without its words; the letters of a family to `keep` stay."""
    from cardgen.pdf import raster  # noqa: PLC0415 - pdfium and pikepdf where faces are looked at
    from cardgen.pdf.compose import Composer  # noqa: PLC0415
    from cardgen.pdf.wordless import without_words  # noqa: PLC0415

    composer = Composer(call.icons, change=partial(without_words, keep=keep))
    form = composer.form(call.face)
    composer.page(call.face.width, call.face.height, b"/F Do", {"F": form})
    return next(raster.pages(composer.save("face", "en"), _DPI))


def _crop(ground: Image, box: Rect, *, bleed: float, turned: bool) -> Image:
    """What a picture shows in a box, a pixel at least; of a slanting line, about its middle."""
    left, top, width, height = box
    if turned:
        side = min(width, height, 2.0) / 2
        left, top = left + width / 2 - side, top + height / 2 - side
        width = height = 2 * side
    px = _DPI / MM_PER_INCH
    x1, y1 = floor((left + bleed) * px), floor((top + bleed) * px)
    x2, y2 = ceil((left + bleed + width) * px), ceil((top + bleed + height) * px)
    x1, y1 = min(max(x1, 0), ground.width - 1), min(max(y1, 0), ground.height - 1)
    return ground.crop((x1, y1, min(max(x2, x1 + 1), ground.width),
                        min(max(y2, y1 + 1), ground.height)))  # fmt: skip


def _sample(crop: Image, most: int) -> Image:
    """The picture, or so many of its pixels at most, evenly out of all of it."""
    times = crop.width * crop.height / most
    if times <= 1:
        return crop
    across = max(1, min(crop.width, round(crop.width / times**0.5)))
    return crop.resize((across, max(1, min(crop.height, most // across))), resample=0)


def _least(ink: Colour, alpha: float, crops: Iterable[Image]) -> float:
    """The ratio that nine tenths of the pixels of the worst box keep."""
    return min(map(partial(_of_box, ink, alpha), crops), default=21.0)


def _of_box(ink: Colour, alpha: float, crop: Image) -> float:
    """A photograph has as many colours as pixels: what each part of them adds is looked up."""
    counted: Sequence[tuple[int, Any]] = crop.getcolors(crop.width * crop.height) or []
    under, over = _parts(_CLEAR, 0.0), _parts(ink, alpha)
    found: dict[float, int] = {}
    for count, colour in counted:
        value = apart(_of_parts(over, colour), _of_parts(under, colour))
        found[value] = found.get(value, 0) + count
    left = _LEFT_OUT * sum(found.values())
    for value in sorted(found):
        left -= found[value]
        if left < 0:
            return value
    return 21.0


@lru_cache(maxsize=64)
def _parts(ink: Colour, alpha: float) -> tuple[tuple[float, ...], ...]:
    """What red, green and blue of 0 to 255 add to the luminance, with an ink of that opacity on
    them."""
    return tuple(
        tuple(lightness(alpha * part + (1 - alpha) * under / 255, share) for under in range(256))
        for part, share in zip(ink, SHARES, strict=True)
    )


def _of_parts(parts: Sequence[Sequence[float]], colour: Sequence[int]) -> float:
    return parts[0][colour[0]] + parts[1][colour[1]] + parts[2][colour[2]]


def _colour(written: str) -> Colour:
    red, green, blue = (int(written[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
