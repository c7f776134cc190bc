"""Set faces as those get them who put them into files or draw them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cardgen.faces.downsample import DownsampledArt
from cardgen.faces.model import Face
from cardgen.pdf.face_file import FacePdf
from cardgen.runtime.content_store import Store

NO_DOWNSAMPLED: Mapping[str, DownsampledArt] = MappingProxyType({})


def get_face_pdf(
    face: Face, store: Store, smaller: Mapping[str, DownsampledArt] = NO_DOWNSAMPLED
) -> FacePdf:
    """Where a face lies in the store, with its drawings, and with pictures that others take the
    place of."""
    deck = face.deck
    drawn = (art for art in face.pictures if art.vector and not art.missing)
    drawings = {art.name: store.get_path("art", f"{art.digest}.pdf") for art in drawn}
    drawings |= {art.name: smaller[art.name].path for art in face.pictures if art.name in smaller}
    missing = {art.name: (art.width, art.height) for art in face.pictures if art.missing}
    return FacePdf(
        face.key,
        store.get_path("faces", f"{face.original_key or face.key}.pdf"),
        deck.size.width + 2 * deck.bleed,
        deck.size.height + 2 * deck.bleed,
        deck.bleed,
        drawings,
        missing,
        face.layer,
    )
