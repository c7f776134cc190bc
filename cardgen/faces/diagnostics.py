"""Marks on a face for its diagnostics.

`MISSING_ART` is the kind of a diagnostic that only gives the place of a missing picture; the
error was reported before typesetting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.core.problems import Diagnostic, Spot
from cardgen.pdf.face_file import DraftLayer

MISSING_ART = "missing art"
NO_MARKS = DraftLayer(is_marked=False)


def build_marks(remarks: Iterable[Diagnostic], width: float, height: float) -> DraftLayer:
    """Return the marks for errors on a face of that size (mm, with bleed).

    Errors without a visible place become words. Returns `NO_MARKS` without errors.
    """
    errors = [remark for remark in remarks if remark.severity == "error"]
    visible = {each: [s for s in each.spots if _is_on_face(s, width, height)] for each in errors}
    frames = (spot for each in errors if each.kind == MISSING_ART for spot in visible[each])
    outlined = [each for each in errors if each.kind != MISSING_ART]
    spots = _keep_innermost([spot for each in outlined for spot in visible[each]])
    # An error off the face is left out if a visible one causes it.
    unseen = (e.message for e in outlined if not visible[e] and not (e.spots and spots))
    return DraftLayer(tuple(spots), tuple(frames), tuple(unseen), is_marked=False)


def _is_on_face(spot: Spot, width: float, height: float) -> bool:
    across = spot.left < width and spot.left + spot.width > 0
    return across and spot.top < height and spot.top + spot.height > 0


def _keep_innermost(spots: Sequence[Spot]) -> list[Spot]:
    """Return the spots that contain no other: a text that overflows overflows the outer boxes,
    too."""
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
