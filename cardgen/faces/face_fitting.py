"""Fitting of the texts of a batch: cached sizes, layouts of whole faces and of single boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from cardgen.core.problems import Diagnostic
from cardgen.faces import measurement
from cardgen.faces.fit_cache import FitKeys, FitResult, FitSizes
from cardgen.faces.fitting import (
    FitMeasurement,
    FittedBox,
    fit_standalone_boxes,
    group_measurements,
)
from cardgen.faces.measurement import FaceLayout
from cardgen.faces.model import FaceInput, FaceSettings
from cardgen.faces.page_layout import PageLayout, copy_chain
from cardgen.game.face_facts import FaceFacts
from cardgen.pdf.weasyprint_adapter import WeasyPrintLog

_MAX_STANDALONE_BOXES = 100
"""Number of fitted boxes of a face beyond which none is laid out by itself."""


@dataclass(eq=False)
class FaceWork:
    """A face during layout."""

    input: FaceInput
    index: int
    html: str
    fitted_boxes: dict[str, FittedBox]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    page: Any = None
    layout: FaceLayout = field(default_factory=FaceLayout)
    facts: FaceFacts = field(default_factory=FaceFacts)
    key: str = ""
    """Hash of everything that affects the sizes of its texts, if it has fitted ones."""

    @property
    def section_id(self) -> str:
        return f"face-{self.index}"


UnfittedBox = tuple[FaceWork, FittedBox, Sequence[Element]]
"""A box to fit that can be laid out by itself, with its face and its chain of elements."""


def recall_fits(
    faces: Sequence[FaceWork], pages: PageLayout, setting: FaceSettings, sizes: FitSizes
) -> list[UnfittedBox]:
    """Set the sizes that the cache knows, and return the boxes that may be laid out alone."""
    by_name = {
        name: (face, fit)
        for face in faces
        if len(face.fitted_boxes) <= _MAX_STANDALONE_BOXES
        for name, fit in face.fitted_boxes.items()
    }
    styles = tuple(text for _, text in setting.styles)
    keys = [FitKeys(setting.digest, styles, face.input.pictures) for face in faces]
    for face in faces:
        section = pages.find_section(face.section_id)
        if face.fitted_boxes and section is not None:
            face.key = keys[face.index].compute_key([section])
            _recall_sizes(list(face.fitted_boxes.values()), face.key, sizes)
    unfitted: list[UnfittedBox] = []
    for name, chain in pages.find_chains(by_name):
        face, fit = by_name[name]
        if fit.is_settled:
            continue  # found with its whole face
        fit.key = keys[face.index].compute_key(chain)
        _recall_sizes([fit], fit.key, sizes)
        if not fit.is_settled:
            unfitted.append((face, fit, chain))
    return unfitted


def fit_standalone(
    unfitted: Sequence[UnfittedBox], pages: PageLayout, *, disturbed: bool
) -> set[FaceWork]:
    """Settle the boxes that fit at their largest on the whole face, and lay out others alone.

    Return the faces with others. Where faces were `disturbed` by each other, all boxes are.
    """
    measured = {
        face: group_measurements(face.layout.overflows) for face, _, _ in unfitted if not disturbed
    }
    tried: dict[str, tuple[FaceWork, FittedBox]] = {}
    for face, fit, chain in unfitted:
        if disturbed:
            fit.standalone = copy_chain(chain)
        elif fit.add_first_measurement(found := measured[face].get(fit.name, ())):
            fit.standalone = copy_chain(chain)
            if len(found) == 1:
                fit.add_standalone_measurement(found)
        else:
            continue
        tried[fit.name] = face, fit

    def probe_layout(pending: Sequence[FittedBox]) -> dict[str, list[FitMeasurement]]:
        document = pages.lay_out_elements(
            (fit.standalone for fit in pending), {fit.name: fit.size for fit in pending}
        )
        return group_measurements(
            found for page in document.pages for found in measurement.measure_fitted_boxes(page)
        )

    with WeasyPrintLog():  # the full layout repeats these messages
        fit_standalone_boxes((fit for _, fit in tried.values()), probe_layout)
    return {face for face, _ in tried.values()}


def _recall_sizes(fits: Sequence[FittedBox], key: str, sizes: FitSizes) -> None:
    """Set the sizes of boxes from the cache."""
    known = sizes.find_sizes(key, [(fit.smallest, fit.largest) for fit in fits])
    for fit, (size, *laid_out) in zip(fits, known or (), strict=False):
        fit.accept_size(size, FitMeasurement(*laid_out) if laid_out else None)


def save_sizes(faces: Iterable[FaceWork], sizes: FitSizes) -> None:
    """Add sizes to the cache: per box if it was fitted by itself, else for the whole face."""
    for face in faces:
        fits = list(face.fitted_boxes.values())
        for fit in fits:
            if fit.is_settled and fit.key:
                sizes.add_sizes(fit.key, [_format_fit_result(fit.size, fit.expected)])
        found = group_measurements(face.layout.overflows)
        laid_out = [found.get(fit.name, []) for fit in fits]
        hanging = face.key and any(not fit.is_settled for fit in fits)
        if hanging and all(len(each) < 2 for each in laid_out):
            pairs = zip(fits, laid_out, strict=True)
            results = [_format_fit_result(fit.size, *each) for fit, each in pairs]
            sizes.add_sizes(face.key, results)


def _format_fit_result(size: float, laid_out: FitMeasurement | None = None) -> FitResult:
    return (size, *vars(laid_out).values()) if laid_out else (size,)
