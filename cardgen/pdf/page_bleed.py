"""Pages of a finished PDF that go on beyond their cut: what lies there mirrors what they show."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.base.units import POINTS_PER_MM, Box, points
from cardgen.pdf import bookmarks
from cardgen.pdf.extending import extended


@dataclass(frozen=True)
class _Page:
    """A page in mm, whose edge is the cut."""

    width: float
    height: float
    bleed: float = 0.0


def with_bleed(pdf: bytes, bleed: float) -> bytes:
    """A PDF of pages that end at their cut and begin at the origin, with so much (mm) mirrored
    beyond it on every side.

    Bookmarks lead to where they led. Links and tags are left as they are: they are off by the
    bleed, and a press has no use for them.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            _widen(document, page, bleed)
        bookmarks.shift(document, points(bleed))
        out = io.BytesIO()
        document.save(
            out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate
        )
        return out.getvalue()


def _widen(document: pikepdf.Pdf, page: pikepdf.Page, bleed: float) -> None:
    _, _, right, top = (float(value) for value in page.mediabox)
    page.contents_coalesce()
    form = page.obj.Contents  # what the page was is a form from here on
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.obj.MediaBox
    form.Resources = page.obj.get("/Resources", Dictionary())
    size = _Page(right / POINTS_PER_MM, top / POINTS_PER_MM)
    whole = Box(0, 0, size.width + 2 * bleed, size.height + 2 * bleed)
    content = extended("P", size, whole, (1.0, 1.0))
    page.obj.Contents = document.make_stream(content.encode())
    page.obj.Resources = Dictionary(XObject=Dictionary(P=form))
    sides = (round(points(side), 4) for side in (whole.right, whole.top))
    page.obj.MediaBox = Array([0, 0, *sides])
