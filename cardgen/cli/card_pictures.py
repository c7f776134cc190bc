"""What faces tell a translator of their cards: how tight they are, and how they look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen import examining
from cardgen.assets import fontfiles
from cardgen.base.problems import Remark, has_errors
from cardgen.base.store import Store
from cardgen.faces import produce, tightness
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face, Faces
from cardgen.outputs.contract import Progress
from cardgen.request import Request
from cardgen.rules import composition

_DPI = 72.0
_BATCH = 40


@dataclass(frozen=True)
class OfCard:
    """A card's room, in words, and its front as PNG; empty where they are not known."""

    room: str = ""
    picture: bytes = b""


Cards = dict[tuple[str, str], OfCard]


def of_cards(root: Path, language: str, progress: Progress, *, drawn: bool) -> Cards:
    """What is known of each card, by deck and card, in a language; with `drawn`, faces that are not
    set yet are set, and all are drawn."""

    def work(request: Request) -> Cards:
        game, problems = composition.load(request.root)
        if game is None or (has_errors(problems) and not drawn):
            return {}
        store = request.store_of(game)
        fonts, _ = fontfiles.prepare(game, store)
        faces = produce.order(game, fonts, game.decks, (language,), store)
        if drawn and fonts.cuts:
            produce.make(
                game, faces, store, lambda done, total: progress("typesetting", done, total)
            )
        return _known(faces, store, progress, drawn=drawn)

    request = Request(root, (), (language,))
    return examining.in_turn(request, progress, work, lambda _: {})


def _known(faces: Faces, store: Store, progress: Progress, *, drawn: bool) -> Cards:
    found: Cards = {}
    set_by_now = []
    for face in faces.faces:
        remarks = None if face.instead else produce.remarks_of(face.key, store)
        if remarks is None:
            continue
        name = face.deck.id, face.piece.id
        room = _room(remarks)
        if room and (face.side == "front" or name not in found):
            found[name] = OfCard(room)
        if face.side == "front" and not has_errors_on_face(remarks):
            set_by_now.append(face)
    if drawn:
        for start in range(0, len(set_by_now), _BATCH):
            some = set_by_now[start : start + _BATCH]
            for face, picture in zip(some, _drawn(some, faces, store), strict=True):
                name = face.deck.id, face.piece.id
                found[name] = replace(found.get(name, OfCard()), picture=picture)
            progress("pictures", start + len(some), len(set_by_now))
    return found


def has_errors_on_face(remarks: Iterable[Remark]) -> bool:
    """Whether a face cannot be drawn as it should."""
    return any(remark.severity == "error" for remark in remarks)


def _room(remarks: Iterable[Remark]) -> str:
    """What the tightest box of a face leaves, in words; "" where no text is fitted."""
    found = tightness.of(remarks)
    if found is None:
        return ""
    if found.over:
        return f"none: a text passes its box by {-found.over:.1f} mm"
    left = f"{found.left:.1f} mm"
    if found.spare < 0.05:
        return f"{left} at the smallest size"
    return f"{left}; letters may shrink by {found.spare:.1f} pt"


def _drawn(faces: Sequence[Face], of: Faces, store: Store) -> list[bytes]:
    """Pictures of faces, trimmed."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(of.fonts.cuts)
    pdfs = [face_pdf(face, store) for face in faces]
    for pdf in pdfs:
        composer.page(pdf.width, pdf.height, b"/F Do", {"F": composer.form(pdf)})
    drawn = raster.each(composer.save("faces", "en"), [_DPI] * len(faces))
    return [
        raster.image_file(
            image, _DPI,
            raster.Crop(pdf.width - 2 * pdf.bleed, pdf.height - 2 * pdf.bleed, face.deck.form),
            "png",
        )
        for face, pdf, image in zip(faces, pdfs, drawn, strict=True)
    ]  # fmt: skip
