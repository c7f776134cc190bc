"""Sheets that are arranged to their PDF: a recipe in, bytes out."""

from __future__ import annotations

from typing import Any

from cardgen.pdf.compose import Composer
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.operators import Matrix, moved, painted
from cardgen.sheets import marks
from cardgen.sheets.arrange import Recipe
from cardgen.sheets.caption_forms import Letters
from cardgen.sheets.guides import Guide
from cardgen.sheets.imposition import Slot
from cardgen.sheets.printers import NONE


def make(recipe: Recipe) -> bytes:
    """The PDF."""
    composer = Composer(recipe.cuts, ink=recipe.ink)
    letters = Letters(composer, recipe.lettering)
    drawn: dict[tuple[Guide, ...], Any] = {}
    for page in recipe.pages:
        forms: dict[str, Any] = {}
        content: list[str] = []
        names: dict[str, str] = {}
        for face, slot in page.placed:
            name = names.setdefault(face.key, f"F{len(names)}")
            forms[name] = composer.form(face)
            content.append(painted(name, slot.paint, matrix(face, slot)))
        if page.guides:
            if page.guides not in drawn:
                drawn[page.guides] = composer.content(marks.drawn(page.guides))
            forms["M"] = drawn[page.guides]
            content += ["q /M Do Q", marks.labels(page.guides, letters, forms)]
        content.append(marks.slug(page.slug, page.slug_at, recipe.paper, letters, forms))
        drawing = "\n".join(filter(None, content))
        if page.side == "back" and recipe.calibration != NONE:
            drawing = moved(drawing, recipe.calibration.matrix(recipe.paper))
        composer.page(recipe.paper.width, recipe.paper.height, drawing.encode(), forms)
    return composer.save(recipe.title, recipe.language)


def matrix(face: FacePdf, slot: Slot) -> Matrix:
    """How a face's bleed box comes to lie in its slot, scaled to it where the slot is smaller."""
    across = slot.trim.width if slot.turn % 180 == 0 else slot.trim.height
    s = across / (face.width - 2 * face.bleed)
    box = slot.trim.grown(face.bleed * s)
    if slot.turn == 90:
        return (0, s, -s, 0, box.right, box.bottom)
    if slot.turn == 180:
        return (-s, 0, 0, -s, box.right, box.top)
    if slot.turn == 270:
        return (0, -s, s, 0, box.left, box.top)
    return (s, 0, 0, s, box.left, box.bottom)
