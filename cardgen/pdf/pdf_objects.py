"""Objects of a PDF as several modules make them: forms, images, and the saved file."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL.Image import Image

_IMAGE_SPACES = {"L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}
_DEVICE_COMPONENTS = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4}


def save_pdf(pdf: Any, **options: Any) -> bytes:
    """Return a PDF as a file, the same bytes for the same content."""
    out = io.BytesIO()
    mode = pikepdf.ObjectStreamMode.generate
    pdf.save(out, deterministic_id=True, object_stream_mode=mode, **options)
    return out.getvalue()


def save_document(pdf: Any, title: str, language: str, **preferences: Any) -> bytes:
    """Return a PDF as a file, with its title and language, and preferences for viewers."""
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Producer"] = "cardgen"
    pdf.Root.Lang = String(language)
    pdf.Root.ViewerPreferences = Dictionary(
        PrintScaling=Name("/None"), DisplayDocTitle=True, **preferences
    )
    return save_pdf(pdf)


def make_form(pdf: Any, content: bytes | str, box: Array, **entries: Any) -> Stream:
    """Return a form of that content, with further entries of its dictionary."""
    data = content.encode() if isinstance(content, str) else content
    kind = {"Type": Name.XObject, "Subtype": Name.Form}
    return pdf.make_stream(data, BBox=box, **kind, **entries)


def make_image(pdf: Any, image: Image, data: bytes | None = None, **entries: Any) -> Stream:
    """Return an image in its device colour space; `data` are its bytes, if they are packed."""
    return pdf.make_stream(
        image.tobytes() if data is None else data, Type=Name.XObject, Subtype=Name.Image,
        Width=image.width, Height=image.height, ColorSpace=_IMAGE_SPACES[image.mode],
        BitsPerComponent=8, **entries,
    )  # fmt: skip


def count_components(space: Any) -> int:
    """Return the number of components of a device's or a profile's colour space; 0 for others."""
    if isinstance(space, Array):
        return int(space[1].get("/N", 0)) if len(space) and space[0] == Name.ICCBased else 0
    return _DEVICE_COMPONENTS.get(str(space), 0)


def round_numbers(*numbers: float) -> Array:
    """Return numbers as an array, rounded to four digits."""
    return Array([round(number, 4) for number in numbers])
