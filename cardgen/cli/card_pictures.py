"""What faces tell a translator of their cards: how tight they are, and how they look."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from cardgen import examining
from cardgen.assets import fontfiles
from cardgen.base.problems import Remark, has_errors
from cardgen.base.store import Store
from cardgen.faces import produce, tightness
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face, Faces
from cardgen.game.model import Game
from cardgen.game.signs import unsigned
from cardgen.outputs.contract import Progress
from cardgen.request import Request
from cardgen.rules import composition

_DPI = 72.0
_BATCH = 40
_BETWEEN = re.compile(r"[\W_]+")
_VOID = frozenset(("img", "br", "hr", "input", "meta", "link", "wbr", "source", "col"))


@dataclass(frozen=True)
class OfCard:
    """A side of a card: the room that its tightest box has, in words, and its picture as PNG, empty
    where they are not known; `fitted` is what stands in its boxes that are fitted, its letters
    alone, and `boxes` how many there are."""

    room: str = ""
    picture: bytes = b""
    fitted: str = ""
    boxes: int = 0

    def room_of(self, text: str) -> str:
        """The room of a text that stands on it; "" for one in no box that is fitted."""
        letters = _letters(unsigned(text, lambda _: ""))
        if not self.room or not letters or letters not in self.fitted:
            return ""
        return self.room if self.boxes == 1 else f"{self.room} (tightest of {self.boxes} boxes)"


class Of(NamedTuple):
    """A side of a piece."""

    deck: str
    piece: str
    side: str

    @property
    def picture(self) -> str:
        """What its picture is called."""
        return f"{self.deck}-{self.piece}{'-back' if self.side == 'back' else ''}.png"


Cards = dict[Of, OfCard]


def first_pieces(game: Game) -> dict[tuple[str, str], str]:
    """The piece that stands for each card, by deck and card: of a card that every player has, the
    first one's."""
    found: dict[tuple[str, str], str] = {}
    for deck in game.decks:
        for piece in deck.pieces:
            found.setdefault((deck.id, piece.entry), piece.id)
    return found


def of_cards(
    root: Path, language: str, wanted: Collection[Of], progress: Progress, *, drawn: bool
) -> Cards:
    """What is known of the sides that are asked for, in a language; with `drawn`, faces that are
    not set yet are set, and all are drawn."""

    def work(request: Request) -> Cards:
        game, problems = composition.load(request.root)
        if game is None or (has_errors(problems) and not drawn):
            return {}
        store = request.store_of(game)
        fonts, _ = fontfiles.prepare(game, store)
        faces = produce.order(game, fonts, game.decks, (language,), store)
        faces.faces = [face for face in faces.faces if _name(face) in wanted]
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
        room = _room(remarks)
        if room:
            fitted, boxes = _fitted(face.html())
            found[_name(face)] = OfCard(room, fitted=fitted, boxes=boxes)
        if not has_errors_on_face(remarks):
            set_by_now.append(face)
    if drawn:
        for start in range(0, len(set_by_now), _BATCH):
            some = set_by_now[start : start + _BATCH]
            for face, picture in zip(some, _drawn(some, faces, store), strict=True):
                name = _name(face)
                found[name] = replace(found.get(name, OfCard()), picture=picture)
            progress("pictures", start + len(some), len(set_by_now))
    return found


def _name(face: Face) -> Of:
    return Of(face.deck.id, face.piece.id, face.side)


def _letters(text: str) -> str:
    """Letters and figures of a text, by which it is found again however it is set."""
    return _BETWEEN.sub("", text).casefold()


class _Boxes(HTMLParser):
    """What stands in the boxes of a face that are fitted."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes = 0
        self.texts: list[str] = []
        self._open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            begins = any(name == "data-fit" for name, _ in attrs)
            self.boxes += begins
            self._open.append(begins or (bool(self._open) and self._open[-1]))
            if begins:
                self.texts.append("\0")

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1]:
            self.texts.append(_letters(data))


def _fitted(html: str) -> tuple[str, int]:
    """The letters in a face's fitted boxes, and how many boxes there are."""
    boxes = _Boxes()
    boxes.feed(html)
    return "".join(boxes.texts), boxes.boxes


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
