"""A page of text before sheets: HTML set with WeasyPrint, and bound to the sheets' PDF."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.assets.artwork import BASE_URL
from cardgen.assets.fontfiles import Cut
from cardgen.base.units import Size, points
from cardgen.game.writing import attributes, from_right, mirrored

if TYPE_CHECKING:
    import pikepdf

_MARGIN = 14.0


@dataclass(frozen=True)
class Listing:
    """What is set: the HTML of a body, its stylesheet, the paper and the fonts.

    `even` adds an empty page where one is needed for the sheets to begin on a paper of their own.
    """

    html: str
    css: str
    title: str
    language: str
    paper: Size
    cuts: tuple[Cut, ...]
    margin: float
    even: bool


def make(listing: Listing, sheets: bytes | None) -> bytes:
    """The PDF of the listing and, after it, of the sheets."""
    import pikepdf  # noqa: PLC0415 - loaded only where a list is made

    with pikepdf.open(io.BytesIO(_set(listing))) as pdf:
        pages = len(pdf.pages)
        if sheets is not None:
            if listing.even and pages % 2:
                size = points(listing.paper.width), points(listing.paper.height)
                pdf.add_blank_page(page_size=size)
            with pikepdf.open(io.BytesIO(sheets)) as rest:
                pdf.pages.extend(rest.pages)
        return _saved(pdf, listing)


def _saved(pdf: pikepdf.Pdf, listing: Listing) -> bytes:
    import pikepdf  # noqa: PLC0415

    pdf.docinfo["/Title"] = listing.title
    pdf.docinfo["/Producer"] = "cardgen"
    pdf.Root.Lang = pikepdf.String(listing.language)
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"), DisplayDocTitle=True
    )
    out = io.BytesIO()
    pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _set(listing: Listing) -> bytes:
    from cardgen.pdf.library import FontConfiguration, weasyprint  # noqa: PLC0415 - if needed
    from cardgen.pdf.weasy import Fetcher, families, font_faces  # noqa: PLC0415

    fetcher = Fetcher({}, listing.cuts)
    fonts = FontConfiguration()
    own = mirrored(listing.css) if from_right(listing.language) else listing.css
    css = (
        f"{font_faces(listing.cuts)}\n"
        f"@page {{ size: {listing.paper.width}mm {listing.paper.height}mm; "
        f"margin: {max(_MARGIN, listing.margin)}mm }}\n"
        f"html {{ font-family: {families(listing.cuts)} }} body {{ margin: 0 }}\n{own}"
    )
    style = weasyprint.CSS(string=css, font_config=fonts, url_fetcher=fetcher, base_url=BASE_URL)
    fetcher.check()
    html = weasyprint.HTML(
        string=f"<!doctype html><html {attributes(listing.language)}><body>{listing.html}</body>",
        base_url=BASE_URL,
        url_fetcher=fetcher,
    )
    pdf: bytes = html.write_pdf(stylesheets=[style], font_config=fonts)
    return pdf
