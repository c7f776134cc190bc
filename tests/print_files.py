"""PDFs as printers get them, sound and broken on purpose."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from cardgen.pdf.preflight import inspection
from cardgen.pdf.preflight.inspection import InspectionCall, InspectionResult
from cardgen.pdf.preflight.printer_spec import DEFAULT_SPEC, PrinterSpec

BLEED = 9.0
POKER = (198.0, 270.0)
"""A poker card with its bleed, points."""
GROUND = b"0.2 0.1 0 0 k 0 0 198 270 re f\n"
"""All of the page painted."""
LETTERS = b"BT /F 9 Tf 40 100 Td (Loot) Tj ET\n"


@dataclass
class PrintFile:
    """A file in the making: sound cards in CMYK with boxes, until something of it is changed."""

    contents: list[bytes] = field(default_factory=lambda: [GROUND] * 3)
    resources: Callable[[Pdf], Mapping[str, Any]] = lambda _pdf: {}
    boxes: Callable[[int], Mapping[str, Any]] = lambda _number: {}
    change: Callable[[Pdf], object] = lambda _pdf: None

    def made(self, **how: Any) -> bytes:
        """Its bytes."""
        pdf = pikepdf.new()
        trim = [BLEED, BLEED, POKER[0] - BLEED, POKER[1] - BLEED]
        held = pdf.make_indirect(Dictionary(self.resources(pdf)))
        for number, content in enumerate(self.contents, start=1):
            page = {
                "/Type": Name.Page, "/MediaBox": [0, 0, *POKER], "/TrimBox": trim,
                "/BleedBox": [0, 0, *POKER], "/Resources": held,
                "/Contents": pdf.make_stream(content), **self.boxes(number),
            }  # fmt: skip
            kept = {key: value for key, value in page.items() if value is not None}
            pdf.pages.append(pikepdf.Page(pdf.make_indirect(Dictionary(kept))))
        self.change(pdf)
        out = io.BytesIO()
        pdf.save(out, **how)
        return out.getvalue()


def looked_at(data: bytes, folder: Path, spec: PrinterSpec = DEFAULT_SPEC) -> InspectionResult:
    """What is told of a file, `cards.pdf`."""
    path = folder / "cards.pdf"
    path.write_bytes(data)
    (found,) = inspection.inspect_files([InspectionCall(path, "cards.pdf", spec)])
    return found


def told(file: PrintFile, folder: Path, spec: PrinterSpec = DEFAULT_SPEC, **how: Any) -> list[str]:
    """Its problems as they are printed."""
    return [str(each) for each in looked_at(file.made(**how), folder, spec).problems]


def picture(
    pdf: Pdf, width: int, height: int, space: Any = Name.DeviceCMYK, data: bytes = b"", **more: Any
) -> Stream:
    """A picture of pale cyan, or of `data`."""
    made = pdf.make_stream(data or b"\x40\x00\x00\x00" * (width * height))
    made.update(
        Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=width, Height=height, ColorSpace=space,
            BitsPerComponent=8, **more,
        )
    )  # fmt: skip
    return made


def form(pdf: Pdf, content: bytes, **more: Any) -> Stream:
    """A form that paints within the page."""
    made = pdf.make_stream(content)
    made.update(
        Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, *POKER]), **more)
    )
    return made
