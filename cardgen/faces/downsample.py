"""Pictures with more pixels than print can show, downsampled for sheets and kept in the store.

The diagnostics of all faces say how large a picture is printed anywhere. Faces keep the full
pictures, so that images of any resolution can be made.
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
"""Kind of the diagnostic that records how many pixels of a picture a face can show."""
MAX_DPI = 600
"""Resolution beyond which print shows no difference."""
_MAX_KEPT_SHARE = 0.8
"""A picture that would keep more than this share of its width stays as it is."""


@dataclass(frozen=True)
class DownsampledArt:
    """A downsampled picture: its PDF, its lowest resolution in print, and the bytes saved."""

    path: Path
    dpi: int
    saved_bytes: int


def record_shown_pixels(pixels_by_name: Mapping[str, tuple[int, int]]) -> list[Diagnostic]:
    """Return diagnostics with the number of pixels of each picture a face can show."""
    return [
        Diagnostic(PIXELS_KIND, "warning", name, f"{width} {height}", about_face=False)
        for name, (width, height) in sorted(pixels_by_name.items())
    ]


def find_needed_pixels(remarks: Iterable[Diagnostic]) -> dict[str, tuple[int, int]]:
    """Return the maximum number of pixels of each picture that any face can show."""
    result: dict[str, tuple[int, int]] = {}
    for remark in remarks:
        if remark.kind == PIXELS_KIND:
            width, height = map(int, remark.message.split())
            previous = result.get(remark.location, (0, 0))
            result[remark.location] = max(previous[0], width), max(previous[1], height)
    return result


def downsample_art(
    pictures: Sequence[Art], remarks: Iterable[Diagnostic], store: Store
) -> dict[str, DownsampledArt]:
    """Return the downsampled pictures by name; the store holds them afterwards.

    A picture that cannot be converted stays as it is.
    """
    needed = find_needed_pixels(remarks)
    result: dict[str, DownsampledArt] = {}
    for name, art in {art.name: art for art in pictures if art.name in needed}.items():
        part = max(needed[name][0] / art.width, needed[name][1] / art.height)
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
        result[name] = DownsampledArt(path, round(MAX_DPI / part), saved)
    return result


def _draw_downsampled(art: Art, width: int, height: int, scratch: Path) -> bytes:
    from cardgen.pdf.picture_conversion import convert_picture  # noqa: PLC0415 - typst only when a picture is new

    with work_limits.work_limit(f"{art.name}, made smaller"):
        data = rasters.resize_raster(artwork.read_printable(art), width, height)
        return convert_picture(art.name, data, (width, height), scratch)


def format_downsampled_name(art: Art, width: int, height: int) -> str:
    """Return the name of a downsampled picture's store entry."""
    return f"{art.digest}-{width}x{height}.pdf"
