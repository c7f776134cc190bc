"""Hints for translators: how much room a card's texts have, and pictures of its sides."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from cardgen.core.problems import Diagnostic, ProblemsError, has_errors
from cardgen.faces import fitting, typesetting
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.game.markup import strip_signs
from cardgen.game.model import Game
from cardgen.outputs.contract import Progress
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import load_stages
from cardgen.pipeline.workspace import open_workspace
from cardgen.runtime.content_store import Store

_PICTURE_DPI = 72.0
_PICTURES_PER_BATCH = 40
_NON_WORD = re.compile(r"[\W_]+")
_VOID_TAGS = frozenset(("img", "br", "hr", "input", "meta", "link", "wbr", "source", "col"))


@dataclass(frozen=True)
class CardHint:
    """A side of a card: the room in its tightest fitted box, in words, and its picture as PNG.

    `fitted_text` is the letters in its fitted boxes, of which there are `box_count`.
    """

    room: str = ""
    picture: bytes = b""
    fitted_text: str = ""
    box_count: int = 0

    def find_room(self, text: str) -> str:
        """Return the room of a text on this side, "" for one in no fitted box."""
        letters = _normalise_text(strip_signs(text, lambda _: ""))
        if not self.room or not letters or letters not in self.fitted_text:
            return ""
        return (
            self.room
            if self.box_count == 1
            else f"{self.room} (tightest of {self.box_count} boxes)"
        )


class CardSide(NamedTuple):
    """A side of a piece."""

    deck: str
    piece: str
    side: str

    @property
    def picture_name(self) -> str:
        """File name of the picture."""
        return f"{self.deck}-{self.piece}{'-back' if self.side == 'back' else ''}.png"


CardHints = dict[CardSide, CardHint]


def find_first_pieces(game: Game) -> dict[tuple[str, str], str]:
    """Return the first piece of each card, by deck and card: cards of players have several."""
    found: dict[tuple[str, str], str] = {}
    for deck in game.decks:
        for piece in deck.pieces:
            found.setdefault((deck.id, piece.card_id), piece.id)
    return found


def load_card_hints(
    root: Path, language: str, wanted: Collection[CardSide], progress: Progress, *, drawn: bool
) -> CardHints:
    """Return hints about some sides in a language.

    With `drawn`, faces that are not typeset yet are typeset, and all are drawn.
    """
    request = Request(root, (), (language,))
    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    hints = _load_locked(current, wanted, progress, drawn=drawn)
    except ProblemsError:
        return {}
    return hints


def _load_locked(
    request: Request, wanted: Collection[CardSide], progress: Progress, *, drawn: bool
) -> CardHints:
    stages = load_stages(request, progress)
    if has_errors(stages.problems) and not drawn:
        return {}
    faces = stages.render(languages=request.languages)
    faces.faces = [face for face in faces.faces if _get_side(face) in wanted]
    if drawn and stages.fonts.files:
        report = partial(progress, "typesetting")
        typesetting.typeset_faces(stages.game, faces, stages.store, report)
    return _read_hints(faces, stages.store, progress, drawn=drawn)


def _read_hints(faces: FaceSet, store: Store, progress: Progress, *, drawn: bool) -> CardHints:
    found: CardHints = {}
    set_by_now = []
    for face in faces.faces:
        remarks = None if face.is_placeholder else typesetting.read_diagnostics(face.key, store)
        if remarks is None:
            continue
        room = _format_room(remarks)
        if room:
            fitted, boxes = _read_fitted_text(face.make_html())
            found[_get_side(face)] = CardHint(room, fitted_text=fitted, box_count=boxes)
        if not has_error_remarks(remarks):
            set_by_now.append(face)
    if drawn:
        for start in range(0, len(set_by_now), _PICTURES_PER_BATCH):
            some = set_by_now[start : start + _PICTURES_PER_BATCH]
            for face, picture in zip(some, _draw_faces(some, faces, store), strict=True):
                name = _get_side(face)
                found[name] = replace(found.get(name, CardHint()), picture=picture)
            progress("pictures", start + len(some), len(set_by_now))
    return found


def _get_side(face: Face) -> CardSide:
    return CardSide(face.deck.id, face.piece.id, face.side)


def _normalise_text(text: str) -> str:
    """Return the letters and digits of a text, by which it is found however it is typeset."""
    return _NON_WORD.sub("", text).casefold()


class _FittedTextParser(HTMLParser):
    """Parser that collects the texts in fitted boxes of a face."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes = 0
        self.texts: list[str] = []
        self._open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID_TAGS:
            begins = any(name in {"data-fit", "data-fit-steps"} for name, _ in attrs)
            self.boxes += begins
            self._open.append(begins or (bool(self._open) and self._open[-1]))
            if begins:
                self.texts.append("\0")

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID_TAGS and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1]:
            self.texts.append(_normalise_text(data))


def _read_fitted_text(html: str) -> tuple[str, int]:
    """Return the letters in a face's fitted boxes, and how many boxes there are."""
    boxes = _FittedTextParser()
    boxes.feed(html)
    return "".join(boxes.texts), boxes.boxes


def has_error_remarks(remarks: Iterable[Diagnostic]) -> bool:
    """Return true where a face cannot be drawn as it should."""
    return any(remark.severity == "error" for remark in remarks)


def _format_room(remarks: Iterable[Diagnostic]) -> str:
    """Return what the tightest box of a face leaves, in words; "" where no text is fitted."""
    found = fitting.read_tightness(remarks)
    if found is None:
        return ""
    if found.excess_mm:
        return f"none: a text passes its box by {-found.excess_mm:.1f} mm"
    left = f"{found.free_mm:.1f} mm"
    if found.spare_pt < 0.05:
        return f"{left} at the smallest size"
    return f"{left}; letters may shrink by {found.spare_pt:.1f} pt"


def _draw_faces(faces: Sequence[Face], of: FaceSet, store: Store) -> list[bytes]:
    """Return pictures of faces, trimmed."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    composer = Composer(of.fonts.files)
    pdfs = [get_face_pdf(face, store) for face in faces]
    for pdf in pdfs:
        composer.add_page(pdf.width, pdf.height, b"/F Do", {"F": composer.add_face(pdf)})
    drawn = raster.rasterise_pages(composer.save("faces", "en"), _PICTURE_DPI, raster.FINE_DPI)
    return [
        raster.encode_cropped(
            image, _PICTURE_DPI,
            raster.ImageCrop(pdf.width - 2 * pdf.bleed, pdf.height - 2 * pdf.bleed, face.deck.form),
            "png",
        )
        for face, pdf, image in zip(faces, pdfs, drawn, strict=True)
    ]  # fmt: skip
