"""Raster pictures: decoded to validate them, converted to what prints correctly.

Sheets are in sRGB with 8 bits per channel. CMYK, 16 bits, other profiles and EXIF orientation
are converted here, once; renderers would get them wrong.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from PIL import Image, ImageChops, ImageCms, ImageFile, ImageOps

from cardgen.runtime.game_files import describe_file

MAX_PIXELS = 201_000_000
"""A square of 1200 mm, the largest board, at 300 dpi has 200.9 million."""
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
_MAX_PRINTED_PIXELS = 50_400_000
"""A larger picture is drawn down. The largest board at 150 dpi has 50.2 million."""
_READABLE_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "AVIF", "BMP")
_ORIENTATION_TAG = 0x0112
_PRINTABLE_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})
_COLOUR_TOLERANCE = 3
"""Maximum difference from sRGB of a profile treated as sRGB, in steps of 256."""
_PROBE_COLOURS = ((0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (90, 140, 200), (200, 120, 60),
           (128, 128, 128), (255, 255, 255))  # fmt: skip
_JPEG_QUALITY = 95


_READABLE_NAMES = "SVG, PNG, JPEG, WebP, AVIF, GIF and TIFF"


class UnusableRasterError(Exception):
    """A picture that cannot be used; the message follows its name."""


@dataclass(frozen=True)
class Raster:
    """Size in px of a picture, and the bytes to print instead, None if it prints correctly.

    `warnings` are phrases that follow its name.
    """

    width: int
    height: int
    replacement: bytes | None = None
    warnings: tuple[str, ...] = ()
    has_alpha: bool = field(default=False, compare=False)


def examine_raster(data: bytes) -> Raster:
    """Decode a picture completely. Raises `UnusableRasterError`."""
    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        with Image.open(io.BytesIO(data), formats=_READABLE_FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise UnusableRasterError(f"has more than {MAX_PIXELS // 1_000_000} million pixels")
            remarks = list(_count_frames(image))
            given = image.size
            if image.format == "JPEG":
                # The decoder itself draws it down, in a fraction of the memory.
                image.draft(None, _limit_size(given))
            image.load()
            has_alpha = image.has_transparency_data
            found = _examine_image(image, remarks, is_reduced=image.size != given)
            return replace(found, has_alpha=has_alpha)
    except (UnusableRasterError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise UnusableRasterError(
            f"has more than {MAX_PIXELS // 1_000_000} million pixels"
        ) from None
    except Exception as error:
        reason = str(error).partition("<")[0].partition("'/")[0].strip()
        if "truncated" in reason.lower():
            reason = "it is cut short"
        elif "cannot identify" in reason:
            kind = describe_file(data) or "not a picture"
            raise UnusableRasterError(
                "is empty" if kind == "empty" else f"is {kind}; {_READABLE_NAMES} are read"
            ) from None
        raise UnusableRasterError(f"cannot be read: {reason or type(error).__name__}") from None
    finally:
        # WeasyPrint sets it when imported, so that it can draw truncated pictures.
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _limit_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size in px at which a picture is printed."""
    scale = min(1.0, math.sqrt(_MAX_PRINTED_PIXELS / (size[0] * size[1])))
    return max(1, int(size[0] * scale)), max(1, int(size[1] * scale))


def resize_raster(data: bytes, width: int, height: int) -> bytes:
    """Return a picture with fewer pixels: a JPEG as JPEG, any other as PNG."""
    with Image.open(io.BytesIO(data), formats=_READABLE_FORMATS) as image:
        alpha = "A" in image.mode or "transparency" in image.info
        grey = image.mode in {"1", "L", "LA"}
        result = image.convert(("LA" if grey else "RGBA") if alpha else ("L" if grey else "RGB"))
        result = result.resize((width, height), Image.Resampling.LANCZOS)
        return _encode_image(result, lossy=image.format in {"JPEG", "MPO"})


def _count_frames(image: Any) -> Iterator[str]:
    many = 1 if image.format == "MPO" else getattr(image, "n_frames", 1)
    if many > 1:
        noun = "pages" if image.format == "TIFF" else "frames"
        yield f"has {many} {noun}; the first is printed"
        image.seek(0)


def _examine_image(image: Any, remarks: list[str], *, is_reduced: bool) -> Raster:
    kind, original = image.format, image
    if image.width * image.height > _MAX_PRINTED_PIXELS:
        image, is_reduced = _reduce_image(image), True
    result = _apply_orientation(image)
    profile = image.info.get("icc_profile") or b""
    if result.mode == "CMYK":
        result = _convert_cmyk(result, image, profile, remarks)
    else:
        result = _convert_to_srgb(_convert_to_eight_bits(result), profile)
    if result is original and not is_reduced:
        return Raster(image.width, image.height, None, tuple(remarks))
    # Typesetting takes a JPEG as it is, and would take too long for as large a PNG.
    lossy = (kind in {"JPEG", "MPO"} or is_reduced) and result.mode in {"L", "RGB"}
    return Raster(result.width, result.height, _encode_image(result, lossy=lossy), tuple(remarks))


def _reduce_image(image: Any) -> Any:
    """Return a picture with as many pixels as are printed, in a mode that can be averaged."""
    alpha = "A" in image.mode or "transparency" in image.info
    if image.mode in {"P", "PA", "1"}:
        reduced = image.convert("RGBA" if alpha else "L" if image.mode == "1" else "RGB")
    else:
        reduced = image if image.mode == "CMYK" else _convert_to_eight_bits(image)
    reduced = reduced.resize(_limit_size(image.size), Image.Resampling.HAMMING)
    reduced.info = dict(image.info)
    return reduced


def _apply_orientation(image: Any) -> Any:
    """Return the picture upright, according to its EXIF orientation."""
    if image.getexif().get(_ORIENTATION_TAG, 1) in {1, 0}:
        return image
    return ImageOps.exif_transpose(image)


def _convert_cmyk(image: Any, opened: Any, profile: bytes, remarks: list[str]) -> Any:
    # Pillow treats every CMYK JPEG as Adobe's, whose values are inverted.
    if opened.format in {"JPEG", "MPO"} and "adobe" not in opened.info:
        image = Image.eval(image, lambda value: 255 - value)
    result = _apply_profile(image, profile, "RGB") if profile else None
    if result is None:
        remarks.append(
            "is in CMYK without a profile, so its colours are guessed; save it as RGB, or embed "
            "the profile"
        )
        return image.convert("RGB")
    return result


def _convert_to_eight_bits(image: Any) -> Any:
    """Return the picture in a mode that prints correctly."""
    mode = image.mode
    if mode in _PRINTABLE_MODES:
        return image
    if mode == "F" or mode.startswith("I"):
        return _scale_greys(image)
    alpha = mode in {"La", "PA", "RGBa"} or "transparency" in image.info
    return image.convert("RGBA" if alpha else "RGB")


def _scale_greys(image: Any) -> Any:
    """Convert greys of more than 8 bits to 8 bits. White is 1.0, 255 or 65535."""
    low, high = image.convert("F").getextrema()
    whole = image.mode != "F"
    limits = (65535.0,) if whole else (1.0, 255.0, 65535.0)
    white = next((limit for limit in limits if high <= limit), 0.0)
    if low < 0 or not white:
        raise UnusableRasterError(
            f"holds greys from {low:g} to {high:g}; save it with 8 or 16 bits"
        )
    grey = image.convert("F").point(lambda value: value * (255.0 / white) + 0.5).convert("L")
    clear = image.info.get("transparency")
    if isinstance(clear, int):
        grey.putalpha(_mask_other_values(image, clear))
    return grey


def _mask_other_values(image: Any, clear: int) -> Any:
    """Return a mask that is white where a grey picture has a value other than `clear`."""
    above = image.convert("F").point(lambda value: value * 255 - clear * 255).convert("L")
    below = image.convert("F").point(lambda value: value * -255 + clear * 255).convert("L")
    return ImageChops.add(above, below)


def _convert_to_srgb(image: Any, profile: bytes) -> Any:
    """Return the picture in sRGB; unchanged without a profile or with one equal to sRGB."""
    grey = image.mode in {"1", "L", "LA"}
    if not profile or _is_identity_profile(profile, grey=grey):
        return image
    alpha = "A" in image.mode or "transparency" in image.info
    if not alpha:
        result = _apply_profile(image.convert("L" if grey else "RGB"), profile, "RGB")
        return image if result is None else result
    clear = image.convert("LA" if grey else "RGBA")
    result = _apply_profile(clear.convert("L" if grey else "RGB"), profile, "RGB")
    if result is None:
        return image
    result.putalpha(clear.getchannel("A"))
    return result


def _apply_profile(image: Any, profile: bytes, mode: str) -> Any:
    """Return the picture in sRGB; None if the profile is broken or of another colour space."""
    try:
        return ImageCms.profileToProfile(
            image,
            ImageCms.ImageCmsProfile(io.BytesIO(profile)),
            _get_srgb_profile(),
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            outputMode=mode,
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None


@lru_cache(maxsize=64)
def _is_identity_profile(profile: bytes, *, grey: bool) -> bool:
    """Return True if a profile leaves colours unchanged or does not apply to them."""
    probes = [(r,) * 3 for r, _, _ in _PROBE_COLOURS] if grey else list(_PROBE_COLOURS)
    probe = _make_strip(probes)
    result = _apply_profile(probe.convert("L") if grey else probe, profile, "RGB")
    return result is None or _is_close(_list_values(result), _list_values(probe))


def _make_strip(colours: Iterable[tuple[int, ...]]) -> Any:
    listed = list(colours)
    image = Image.new("RGB", (len(listed), 1))
    for x, colour in enumerate(listed):
        image.putpixel((x, 0), colour)
    return image


def _list_values(image: Any) -> bytes:
    result: bytes = image.tobytes()
    return result


def _is_close(one: bytes, other: bytes) -> bool:
    return all(abs(a - b) <= _COLOUR_TOLERANCE for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=1)
def _get_srgb_profile() -> Any:
    return ImageCms.createProfile("sRGB")


def _encode_image(image: Any, *, lossy: bool) -> bytes:
    clean = image.copy()
    clean.info = {}
    out = io.BytesIO()
    if lossy:
        clean.save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=0)
    else:
        # Tight compression of a large picture would take longer than all else.
        large = clean.width * clean.height > _MAX_PRINTED_PIXELS // 2
        clean.save(out, "PNG", compress_level=1 if large else 6)
    return out.getvalue()
