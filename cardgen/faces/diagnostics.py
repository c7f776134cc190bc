"""What is wrong with a face that is set, as what is drawn over it to show that; and at which line
it is told of a picture.

`MISSING` is the kind of a remark that tells where a picture would stand: why it cannot be used was
told before anything was set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from cardgen.core.problems import Diagnostic, Source, Spot, Subject, find_line
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Piece
from cardgen.pdf.face_file import DraftLayer
from cardgen.runtime import game_files

MISSING_ART = "missing art"
NO_MARKS = DraftLayer(is_marked=False)


def build_marks(remarks: Iterable[Diagnostic], width: float, height: float) -> DraftLayer:
    """Where on a face of that size (mm, with its bleed) what is wrong shows, and words for what
    shows nowhere; `NOTHING` of a sound face."""
    wrong = [remark for remark in remarks if remark.severity == "error"]
    seen = {each: [s for s in each.spots if _is_on_face(s, width, height)] for each in wrong}
    frames = (spot for each in wrong if each.kind == MISSING_ART for spot in seen[each])
    told = [each for each in wrong if each.kind != MISSING_ART]
    spots = _keep_innermost([spot for each in told for spot in seen[each]])
    # Of what lies off the face nothing is said where it follows from what is seen.
    unseen = (e.message for e in told if not seen[e] and not (e.spots and spots))
    return DraftLayer(tuple(spots), tuple(frames), tuple(unseen), is_marked=False)


def _is_on_face(spot: Spot, width: float, height: float) -> bool:
    across = spot.left < width and spot.left + spot.width > 0
    return across and spot.top < height and spot.top + spot.height > 0


def _keep_innermost(spots: Sequence[Spot]) -> list[Spot]:
    """The boxes but those that others lie in: a text that passes its box passes the outer ones."""
    return [
        spot
        for number, spot in enumerate(spots)
        if not any(
            _is_inside(spot, other) and not (_is_inside(other, spot) and number < at)
            for at, other in enumerate(spots)
            if at != number
        )
    ]


def _is_inside(outer: Spot, inner: Spot) -> bool:
    slack = 0.05
    return (
        outer.left <= inner.left + slack
        and outer.top <= inner.top + slack
        and outer.left + outer.width >= inner.left + inner.width - slack
        and outer.top + outer.height >= inner.top + inner.height - slack
    )


def locate_in_style(style: str, text: str, deck: Deck, name: str) -> tuple[Source, Subject]:
    """Where a stylesheet names a picture, and whose it is."""
    return Source(style, find_line(text, name)), Subject(deck.id)


def locate_in_face(
    root: Path, make_html: Callable[[], str], deck: Deck, piece: Piece, name: str
) -> tuple[Source, Subject]:
    """The template's line where it writes a picture's name out, else the card that it comes from,
    and whose it is."""
    html = make_html()
    before = html[: html.find(name)]
    template = before.rpartition("data-at=")[2].partition(":")[0]
    text, why = game_files.read_text(root, f"{TEMPLATES_FOLDER}/{template}")
    if not why and name in text:
        return Source(f"{TEMPLATES_FOLDER}/{template}", find_line(text, name)), Subject(deck.id)
    return piece.source, Subject(deck.id, piece.id)
