"""PDFs of sheets: faces, marks, captions and slugs drawn by a recipe. Lengths are mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.core import colour_math
from cardgen.core.units import Size, convert_to_points
from cardgen.pdf.composed_pdf import open_composed, write_record
from cardgen.pdf.composition import Composer
from cardgen.pdf.content_operators import Matrix, format_numbers, paint_form, transform_content
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.runtime import code_version
from cardgen.runtime.content_store import digest_parts
from cardgen.sheets.arrangement import SheetsRecipe
from cardgen.sheets.imposition import Slot
from cardgen.sheets.printer_profiles import NO_CALIBRATION
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionForms, CaptionLine, CaptionSpot
from cardgen.sheets.sheet_guides import (
    CUT_LINE_WIDTH_MM,
    Guide,
    GuideLabel,
    GuideLine,
    GuidePatch,
    GuidePath,
)

# Widths of line and halo in mm, by style. The white halo makes a mark visible on any colour.
# Cuts and folds of boxes stay visible on them: hardly a halo, and dashes between black and white.
_LINE_WIDTHS_MM = {
    "crop": (0.15, 0.6), "fold": (0.2, 0.6), "join": (0.2, 0.7), "trim": (0.12, 0.3),
    "crease": (0.12, 0.12), "valley": (0.12, 0.12),
}  # fmt: skip
_FOLD_DASH_MM = (2.0, 1.5)
_DASHES_MM: Mapping[str, tuple[float, ...]] = {
    "fold": _FOLD_DASH_MM, "crease": _FOLD_DASH_MM, "valley": (4.0, 1.2, 0.6, 1.2),
}  # fmt: skip
_HALO_WIDTH_MM = 0.3
_CONTOUR_WIDTH_MM = 0.15
_CONTOUR_STYLES: Mapping[str, tuple[tuple[float, float, float], tuple[float, ...]]] = {
    "cut": ((0.85, 0.0, 0.45), ()),
    "bleed": ((0.0, 0.4, 0.8), (2.4, 1.0)),
    "safe": ((0.0, 0.5, 0.2), (0.9, 0.6)),
}
"""Colour (RGB) and dashes (mm) of the contour lines of a proof, by kind. The dashes keep them apart
without colour."""
_SLUG_SIZE_PT, _MIN_SLUG_SIZE_PT = 6.5, 4.5
# Minimum distance of slugs from the paper's edges.
_SLUG_EDGE_MM = 6.0


def draw_guides(guides: Iterable[Guide]) -> str:
    """Return the operators of all guides but labels: patches below lines, outlines above them."""
    all_guides = list(guides)
    lines = [guide for guide in all_guides if isinstance(guide, GuideLine)]
    parts = [*_draw_patches(all_guides), *_draw_lines(lines)]
    outlines = [guide for guide in all_guides if isinstance(guide, GuidePath)]
    if outlines:
        parts.append(f"{_format_lengths(CUT_LINE_WIDTH_MM)} w")
    parts += map(_draw_outline, outlines)
    return "\n".join(parts)


def _draw_outline(path: GuidePath) -> str:
    colour = f"{format_numbers(path.grey)} G"
    if path.colour:
        colour = f"{format_numbers(*colour_math.split_hex(path.colour))} RG"
    drawn = f"{colour} {_format_path(path.points, path.is_closed)}"
    return f"[{_format_lengths(*_FOLD_DASH_MM)}] 0 d {drawn} [] 0 d" if path.is_dashed else drawn


def _draw_patches(guides: Iterable[Guide]) -> Iterator[str]:
    for patch in guides:
        if isinstance(patch, GuidePatch):
            box = patch.box
            yield f"{format_numbers(patch.grey)} g"
            yield f"{_format_lengths(box.left, box.bottom, box.width, box.height)} re f"


def _draw_lines(lines: Sequence[GuideLine]) -> Iterator[str]:
    for halo in (True, False) if lines else ():
        yield "1 G" if halo else "0 G"
        for line in lines:
            thin, wide = _LINE_WIDTHS_MM[line.style]
            dash = "" if halo else _format_lengths(*_DASHES_MM.get(line.style, ()))
            yield f"[{dash}] 0 d {_format_lengths(wide if halo else thin)} w"
            yield f"{_format_lengths(line.x1, line.y1)} m {_format_lengths(line.x2, line.y2)} l S"
    if lines:
        yield "[] 0 d"


def draw_contour(style: str, along: Sequence[tuple[float, float]], *, closed: bool = True) -> str:
    """Return the operators of a contour of a proof along points: cut, bleed or safe."""
    colour, dash = _CONTOUR_STYLES[style]
    path = _format_path(along, closed)
    return (
        f"q 1 G {_format_lengths(_HALO_WIDTH_MM)} w {path} "
        f"{format_numbers(*colour)} RG [{_format_lengths(*dash)}] 0 d "
        f"{_format_lengths(_CONTOUR_WIDTH_MM)} w {path} Q"
    )


def _format_path(points: Sequence[tuple[float, float]], is_closed: bool) -> str:
    first, *rest = (_format_lengths(x, y) for x, y in points)
    return " ".join([f"{first} m", *(f"{point} l" for point in rest), "s" if is_closed else "S"])


def _format_lengths(*values: float) -> str:
    return format_numbers(*map(convert_to_points, values))


def draw_labels(guides: Iterable[Guide], letters: CaptionForms, forms: dict[str, Any]) -> str:
    """Return the operators of the labels among guides, and add their forms to `forms`."""
    return "\n".join(_draw_label(g, letters, forms) for g in guides if isinstance(g, GuideLabel))


def _draw_label(label: GuideLabel, letters: CaptionForms, forms: dict[str, Any]) -> str:
    line = CaptionLine(label.text)
    spot = CaptionSpot(label.x, label.y, label.size_pt, label.is_centred)
    text_operators = letters.draw_line(line, spot, forms)
    if not label.has_background:
        return text_operators
    width = letters.measure_line(line, label.size_pt)
    x, y = convert_to_points(label.x), convert_to_points(label.y)
    x -= width / 2 if label.is_centred else 0
    background = format_numbers(x - 1, y - 1, width + 2, label.size_pt * 0.72 + 2)
    return f"1 g {background} re f\n{text_operators}"


def draw_slug(
    text: str,
    position: tuple[float, float, int],
    paper: Size,
    letters: CaptionForms,
    forms: dict[str, Any],
) -> str:
    """Return the operators of a slug centred at its place, smaller where the paper is too short."""
    x, y, turn = position
    line = CaptionLine(text, SLUG_GREY)
    room = convert_to_points((paper.height if turn else paper.width) - 2 * _SLUG_EDGE_MM)
    width = letters.measure_line(line, _SLUG_SIZE_PT)
    fitting = _SLUG_SIZE_PT * room / width if width else _SLUG_SIZE_PT
    size = max(_MIN_SLUG_SIZE_PT, min(_SLUG_SIZE_PT, fitting))
    return letters.draw_line(line, CaptionSpot(x, y, size, True, turn), forms)


def make_sheets_pdf(recipe: SheetsRecipe) -> bytes:
    """Return the PDF of a recipe."""
    last = recipe.last if recipe.ink == FULL_INK else None
    basis = digest_parts([code_version.digest_code("sheets"), *map(repr, recipe.cuts)])
    composer = Composer(
        recipe.cuts, ink=recipe.ink, last=open_composed(last, basis) if last else None
    )
    letters = CaptionForms(composer, recipe.captions)
    drawn: dict[tuple[Guide, ...], Any] = {}
    placed: dict[str, tuple[int, str]] = {}
    for number, page in enumerate(recipe.pages):
        forms: dict[str, Any] = {}
        content: list[str] = []
        names: dict[str, str] = {}
        for face, slot in page.placements:
            name = names.setdefault(face.key, f"F{len(names)}")
            forms[name] = composer.add_face(face)
            placed.setdefault(face.digest, (number, f"/{name}"))
            content.append(paint_form(name, slot.paint, compute_placement_matrix(face, slot)))
        if page.guides:
            if page.guides not in drawn:
                drawn[page.guides] = composer.add_operators(draw_guides(page.guides))
            forms["M"] = drawn[page.guides]
            content += ["q /M Do Q", draw_labels(page.guides, letters, forms)]
        content.append(draw_slug(page.slug, page.slug_position, recipe.paper, letters, forms))
        drawing = "\n".join(filter(None, content))
        if page.side == "back" and recipe.calibration != NO_CALIBRATION:
            drawing = transform_content(drawing, recipe.calibration.compute_matrix(recipe.paper))
        composer.add_page(recipe.paper.width, recipe.paper.height, drawing.encode(), forms)
    data = composer.save(recipe.title, recipe.language, pages_only=True)
    if last:
        write_record(last, basis, data, placed, composer.font_uses)
    return data


def compute_placement_matrix(face: FacePdf, slot: Slot) -> Matrix:
    """Return the matrix that places a face's bleed box in its slot, scaled down if the slot is
    smaller."""
    across = slot.trim.width if slot.turn % 180 == 0 else slot.trim.height
    s = across / (face.width - 2 * face.bleed)
    box = slot.trim.grow(face.bleed * s)
    if slot.turn == 90:
        return (0, s, -s, 0, box.right, box.bottom)
    if slot.turn == 180:
        return (-s, 0, 0, -s, box.right, box.top)
    if slot.turn == 270:
        return (0, -s, s, 0, box.left, box.top)
    return (s, 0, 0, s, box.left, box.bottom)
