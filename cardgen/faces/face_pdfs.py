"""Set faces as those get them who put them into files or draw them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cardgen.base.store import Store
from cardgen.faces.drawn_down import Smaller
from cardgen.faces.produce import Face
from cardgen.pdf.face_file import FacePdf

NOTHING: Mapping[str, Smaller] = MappingProxyType({})


def face_pdf(face: Face, store: Store, smaller: Mapping[str, Smaller] = NOTHING) -> FacePdf:
    """Where a face lies in the store, with its drawings, and with pictures that others take the
    place of."""
    deck = face.deck
    drawn = (art for art in face.art if art.vector and not art.missing)
    drawings = {art.name: store.path("art", f"{art.digest}.pdf") for art in drawn}
    drawings |= {art.name: smaller[art.name].path for art in face.art if art.name in smaller}
    missing = {art.name: (art.width, art.height) for art in face.art if art.missing}
    return FacePdf(
        face.key,
        store.path("faces", f"{face.kept or face.key}.pdf"),
        deck.size.width + 2 * deck.bleed,
        deck.size.height + 2 * deck.bleed,
        deck.bleed,
        drawings,
        missing,
        face.layer,
    )
