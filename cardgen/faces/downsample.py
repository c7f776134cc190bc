"""Pictures with far more pixels than print can show, made smaller for sheets: once, and kept.

Only what is told of each face's layout says how large a picture stands anywhere. Faces hold their
pictures whole, so that images of any resolution show all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.assets import artwork, rasters
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store

PIXELS_KIND = "pixels"
"""The kind of a remark that is no problem: how many pixels of a picture a face can show."""
MAX_DPI = 600
"""More nobody sees on paper; offices and homes print no finer."""
_MAX_KEPT_SHARE = 0.8
"""A picture is left alone that would keep more than this part of its width."""


@dataclass(frozen=True)
class DownsampledArt:
    """A picture made smaller: the PDF of it, its resolution where it stands largest, and how many
    bytes it takes less."""

    path: Path
    dpi: int
    saved_bytes: int


def record_shown_pixels(shown: Mapping[str, tuple[int, int]]) -> list[Diagnostic]:
    """How many pixels of each picture a face can show, for `wanted`."""
    return [
        Diagnostic(PIXELS_KIND, "warning", name, f"{width} {height}", about_face=False)
        for name, (width, height) in sorted(shown.items())
    ]


def find_needed_pixels(remarks: Iterable[Diagnostic]) -> dict[str, tuple[int, int]]:
    """The most pixels of each picture that any face can show."""
    found: dict[str, tuple[int, int]] = {}
    for remark in remarks:
        if remark.kind == PIXELS_KIND:
            width, height = map(int, remark.message.split())
            known = found.get(remark.location, (0, 0))
            found[remark.location] = max(known[0], width), max(known[1], height)
    return found


def downsample_art(
    pictures: Sequence[Art], remarks: Iterable[Diagnostic], store: Store
) -> dict[str, DownsampledArt]:
    """The pictures that are made smaller, by their names; the store holds them afterwards. One that
    cannot be is left as it is."""
    most = find_needed_pixels(remarks)
    found: dict[str, DownsampledArt] = {}
    for name, art in {art.name: art for art in pictures if art.name in most}.items():
        part = max(most[name][0] / art.width, most[name][1] / art.height)
        if art.vector or part > _MAX_KEPT_SHARE:
            continue
        width, height = (max(1, round(side * part)) for side in (art.width, art.height))
        path = store.get_path("art", format_downsampled_name(art, width, height))
        try:
            if not store.has_entry(path):
                store.write(
                    path, _draw_downsampled(art, width, height, store.make_scratch_folder())
                )
        except (LimitExceededError, UnusableArtError):
            continue
        saved = game_files.get_file_size(
            art.inspection.replacement or art.path
        ) - game_files.get_file_size(path)
        found[name] = DownsampledArt(path, round(MAX_DPI / part), saved)
    return found


def _draw_downsampled(art: Art, width: int, height: int, scratch: Path) -> bytes:
    from cardgen.pdf.picture_conversion import convert_picture  # noqa: PLC0415 - typst only when a picture is new

    with work_limits.work_limit(f"{art.name}, made smaller"):
        data = rasters.resize_raster(artwork.read_printable(art), width, height)
        return convert_picture(art.name, data, (width, height), scratch)


def format_downsampled_name(art: Art, width: int, height: int) -> str:
    """What the PDF of a picture of so many pixels is called in the store."""
    return f"{art.digest}-{width}x{height}.pdf"
