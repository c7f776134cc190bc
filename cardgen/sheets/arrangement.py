"""Arrangement of pieces on sheets: pairs of faces and a layout in, sheets out.

All outputs on sheets are planned here, whether they print all decks or only changed cards.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from cardgen.core.units import DEFAULT_MARGINS, NO_GAP, PAPERS, Box, Margins, Size
from cardgen.game.shapes import Outline, compute_area, place_outline
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.sheets import board_tiling, imposition, sheet_guides, silhouette
from cardgen.sheets.board_tiling import BoardTiling
from cardgen.sheets.imposition import (
    LONG_EDGE,
    SHORT_EDGE,
    NumberRanges,
    PieceFormat,
    PrintableArea,
    SheetGrid,
    Slot,
    find_back_slot,
)
from cardgen.sheets.precut_stock import PrecutStock
from cardgen.sheets.printer_profiles import NO_CALIBRATION, PrinterCalibration
from cardgen.sheets.sheet_captions import SLUG_GREY, CaptionLine, CaptionSet
from cardgen.sheets.sheet_guides import Guide, GuideLabel, MarkStyle
from cardgen.words.languages import get_word, get_words

if TYPE_CHECKING:
    from cardgen.assets.font_files import FontFile
    from cardgen.pdf.face_file import ComposedFile, FacePdf

DEFAULT_MARK_STYLE = MarkStyle()
_SLUG_CLEARANCE_MM = 2.8


def list_sheet_texts(language: str) -> list[str]:
    """Return every text that sheets may print in a language, and their signs."""
    return [*get_words("sheets", language).values(), "0123456789 ·×–-/,…", language]


@dataclass(frozen=True)
class SheetLayout:
    """Options of a sheet. Lengths are mm, `paper` is upright, `backs` is one of `model.BACKS`.

    `grid` is the number of columns and rows, or None for as many as fit. `stock` is precut: its
    places are used as they are. `skip` are places of the first sheet to leave empty, counted from 1
    in reading order.
    """

    paper_name: str
    paper: Size
    backs: str = "duplex-long"
    margin: Margins = DEFAULT_MARGINS
    gap: Size = NO_GAP
    grid: tuple[int, int] | None = None
    overlap: float = board_tiling.DEFAULT_TILE_OVERLAP_MM
    style: MarkStyle = DEFAULT_MARK_STYLE
    calibration: PrinterCalibration = NO_CALIBRATION
    ink: InkMode = FULL_INK
    stock: PrecutStock | None = None
    skip: NumberRanges = imposition.NO_NUMBERS


@dataclass(frozen=True)
class SheetPiece:
    """A piece to print once: its faces, its format, and its names in the slug.

    With `has_separate_back` its back goes on a sheet of backs, to be cut out by itself.
    """

    front: FacePdf
    back: FacePdf | None
    format: PieceFormat
    deck: str
    name: str
    has_separate_back: bool = False


@dataclass(frozen=True)
class SlugText:
    """Facts about the game for slugs."""

    title: str
    edition: str
    language: str
    date: str

    def translate_word(self, key: str) -> str:
        """Return a text of the sheets in the game's language, or in English."""
        return get_word(f"sheets.{key}", self.language)


@dataclass(frozen=True)
class SheetPage:
    """One side of a sheet. `slug_position` is the middle of the slug: x and y in mm, degrees."""

    side: str
    placements: tuple[tuple[FacePdf, Slot], ...] = ()
    guides: tuple[Guide, ...] = ()
    slug: str = ""
    slug_position: tuple[float, float, int] = (0.0, 0.0, 0)


@dataclass(frozen=True)
class ImposedSheet:
    """A piece of paper, or two where both sides are printed apart.

    `used_mm2` is the area of paper that ends up in pieces; `outlines` is where they are cut.
    `place_count` is 0 for parts of a board.
    """

    front: SheetPage | None
    back: SheetPage | None
    pieces: tuple[SheetPiece, ...]
    part_label: str = ""
    used_mm2: float = 0.0
    paper_count: int = 1
    outlines: tuple[Outline, ...] = ()
    place_count: int = 0
    skipped_places: NumberRanges = imposition.NO_NUMBERS


@dataclass(frozen=True)
class SheetsRecipe:
    """Content of one PDF of sheets."""

    title: str
    language: str
    paper: Size
    pages: tuple[SheetPage, ...]
    cuts: tuple[FontFile, ...]
    captions: CaptionSet
    calibration: PrinterCalibration
    ink: InkMode = FULL_INK
    last: ComposedFile | None = field(default=None, compare=False)
    """The last PDF at the same place, from which faces are taken over. It decides no bytes."""


@dataclass(frozen=True)
class _FormatPlan:
    """Grid or tiling of pieces of one format. `fold_edge` is set where backs are folded on."""

    grid: SheetGrid | None = None
    tiling: BoardTiling | None = None
    fold_edge: str = ""
    style: MarkStyle = DEFAULT_MARK_STYLE


@lru_cache(maxsize=256)
def _plan_format(pieces: PieceFormat, two_sided: bool, layout: SheetLayout) -> _FormatPlan | None:
    if layout.stock:
        on_stock, style = layout.stock.make_grid(pieces), replace(layout.style, marks="none")
        return _FormatPlan(on_stock, style=style) if on_stock else None
    room = _measure_room(pieces, layout)
    folded = layout.backs == "gutterfold" and two_sided
    style = layout.style
    open_room = replace(room, grid=None)
    if style.marks in silhouette.MARK_KINDS and not folded:
        fit = partial(
            silhouette.fit_machine_grid, piece=pieces.size, bleed=pieces.bleed,
            figures=style.dimensions,
        )  # fmt: skip
        if fit(open_room):
            grid = fit(room)
            return _FormatPlan(grid, style=style) if grid else None
    if style.marks in silhouette.MARK_KINDS:
        # The machine cannot cut these, so they get crop marks for cutting by hand.
        style = replace(style, marks="crop")
    if folded and (folded_grid := imposition.fit_folded_grid(room, pieces.size, pieces.bleed)):
        return _FormatPlan(folded_grid[0], fold_edge=folded_grid[1], style=style)
    if grid := imposition.fit_grid(room, pieces.size, pieces.bleed):
        return _FormatPlan(grid, style=style)
    single = imposition.fit_grid(open_room, pieces.size, pieces.bleed)
    if pieces.form.shape == "rectangle" and not single:
        split = board_tiling.split_board(room, pieces.size, pieces.bleed, layout.overlap)
        return _FormatPlan(tiling=split, style=style) if split else None
    return None


def _measure_room(pieces: PieceFormat, layout: SheetLayout) -> PrintableArea:
    a, b = layout.gap, pieces.gap
    gap = Size(max(a.width, b.width), max(a.height, b.height))
    return PrintableArea(layout.paper, layout.margin, gap, layout.grid)


def explain_misfit(pieces: PieceFormat, layout: SheetLayout) -> str:
    """Return why no sheet can hold such pieces and what would help; "" if one can."""
    if _plan_format(pieces, False, layout):
        return ""
    if layout.stock:
        return layout.stock.explain_misfit(pieces)
    plan = layout.grid and _plan_format(pieces, False, replace(layout, grid=None))
    if plan and plan.grid:
        return _explain_grid(pieces, plan.grid, layout)
    box = PrintableArea(layout.paper, layout.margin).measure_box()
    largest = f"{max(0, box.width):g} × {max(0, box.height):g} mm"
    taking = [
        name
        for name, size in PAPERS.items()
        if imposition.fit_grid(PrintableArea(Size(*size), layout.margin), pieces.size, pieces.bleed)
    ]
    help_ = f"; it fits {', '.join(taking)}" if taking else ""
    return (
        f"({pieces.size}) does not fit {layout.paper_name} paper with {layout.margin} mm "
        f"margins, which takes {largest}{help_}"
    )


def _explain_grid(pieces: PieceFormat, fullest: SheetGrid, layout: SheetLayout) -> str:
    """Return why a sheet does not hold the grid that was asked for, and which ones it holds."""
    assert layout.grid is not None
    room = replace(_measure_room(pieces, layout), grid=None)
    counts = {(fullest.columns, fullest.rows): None}
    if layout.style.marks not in silhouette.MARK_KINDS:
        cells = (pieces.size, pieces.size.rotate())
        counts = dict.fromkeys(imposition.count_cells(room, cell, pieces.bleed) for cell in cells)
    fitting = " or ".join(f"{across}x{down}" for across, down in counts if across and down)
    return (
        f"({pieces.size}) does not fit {layout.grid[0]}x{layout.grid[1]} times on "
        f"{layout.paper_name} paper with {layout.margin} mm margins; at most {fitting} fit"
    )


def arrange_pieces(
    pairs: Iterable[SheetPiece], layout: SheetLayout, colophon: SlugText
) -> list[ImposedSheet]:
    """Return the sheets of all pieces that fit, grouped by format, in the order of the pieces.

    Portrait and landscape pieces of the same measures share a format.
    """
    groups: dict[tuple[PieceFormat, str], list[SheetPiece]] = {}
    for pair in pairs:
        for side, piece in _separate_backs(pair, layout, colophon):
            groups.setdefault((pair.format.upright, side), []).append(piece)
    sheets: list[ImposedSheet] = []
    skip = layout.skip
    for (pieces, _), group in groups.items():
        two_sided = layout.backs != "none" and any(pair.back for pair in group)
        plan = _plan_format(pieces, two_sided, layout)
        if plan and plan.grid:
            sheets += _impose_grid(group, pieces, plan, layout, skip)
            skip = imposition.NO_NUMBERS
        elif plan and plan.tiling:
            sheets += _impose_tiles(group, plan.tiling, layout, colophon)
    return _add_slugs([sheet for sheet in sheets if sheet.front or sheet.back], layout, colophon)


def _separate_backs(
    pair: SheetPiece, layout: SheetLayout, colophon: SlugText
) -> Iterable[tuple[str, SheetPiece]]:
    """Yield a piece as it is printed, or its two faces as separate pieces, each with the name of
    the group that it shares sheets with."""
    if not (pair.has_separate_back and pair.back) or layout.backs in {"none", "only"}:
        yield "", pair
        return
    yield "fronts", replace(pair, back=None)
    title = f"{pair.deck} – {colophon.translate_word('back')}"
    yield "backs", replace(pair, front=pair.back, back=None, deck=title)


def _impose_grid(
    group: Sequence[SheetPiece],
    pieces: PieceFormat,
    plan: _FormatPlan,
    layout: SheetLayout,
    skip: NumberRanges,
) -> Iterable[ImposedSheet]:
    grid = plan.grid
    assert grid is not None
    slug_at = _place_slug(_measure_page_block(grid, plan.fold_edge), grid.bleed, layout)
    piece_mm2 = compute_area(pieces.form, pieces.size)
    for number, (chunk, places) in enumerate(imposition.divide_pieces(group, grid.capacity, skip)):
        # No bleed may reach a place that is used already or will be used later.
        skipped = imposition.NO_NUMBERS if number else skip
        used_grid = grid if layout.stock or skipped else grid.crop_to_count(len(chunk))
        marks = sheet_guides.list_grid_guides(used_grid, pieces, plan.style, plan.fold_edge, places)
        slots_by_size = {
            size: _list_slots(used_grid, size) for size in {pair.format.size for pair in chunk}
        }
        slots = [slots_by_size[pair.format.size][n] for n, pair in zip(places, chunk, strict=True)]
        fronts = [(pair.front, slot) for pair, slot in zip(chunk, slots, strict=True)]
        backs = _place_backs(chunk, slots, layout, plan.fold_edge)
        used = piece_mm2 * len(chunk)
        if plan.fold_edge:
            fronts, backs, used = fronts + backs, [], used + piece_mm2 * len(backs)
        front = SheetPage("front", tuple(fronts), marks, slug_position=slug_at)
        sheet = _make_sheet(chunk, front, backs, layout, used, _place_outlines(chunk, slots))
        yield replace(sheet, place_count=grid.capacity, skipped_places=skipped)


@lru_cache(maxsize=64)
def _list_slots(grid: SheetGrid, size: Size) -> tuple[Slot, ...]:
    """Return the slots of a grid, the same objects for all sheets: recipes digest each once."""
    return tuple(grid.list_slots(size))


def _measure_page_block(grid: SheetGrid, fold: str) -> Box:
    """Return the box around the cards of a page, with folded backs."""
    block = grid.trim_block
    if not fold:
        return block
    back_block = find_back_slot(Slot(block, block, 0), grid.paper, fold).trim
    return block.join(back_block)


def _place_outlines(chunk: Sequence[SheetPiece], slots: Sequence[Slot]) -> tuple[Outline, ...]:
    return tuple(
        place_outline(p.format.form, p.format.size, slot.trim.left, slot.trim.bottom, slot.turn)
        for p, slot in zip(chunk, slots, strict=True)
    )


def _place_backs(
    chunk: Sequence[SheetPiece], slots: Sequence[Slot], layout: SheetLayout, fold: str
) -> list[tuple[FacePdf, Slot]]:
    if layout.backs == "none":
        return []
    edge = fold or (SHORT_EDGE if layout.backs == "duplex-short" else LONG_EDGE)
    return [
        (pair.back, find_back_slot(slot, layout.paper, edge))
        for pair, slot in zip(chunk, slots, strict=True)
        if pair.back
    ]


def _make_sheet(  # noqa: PLR0913, PLR0917 - all of a sheet
    chunk: Sequence[SheetPiece], front: SheetPage, backs: list[tuple[FacePdf, Slot]],
    layout: SheetLayout, used: float, outlines: tuple[Outline, ...] = (), part: str = "",
) -> ImposedSheet:  # fmt: skip
    back = SheetPage("back", tuple(backs), slug_position=front.slug_position) if backs else None
    if layout.backs == "only":
        return ImposedSheet(None, back, tuple(chunk), part, used, 1, outlines)
    # Backs that no fold brings behind their fronts are glued on: two papers of equal layout.
    printed_apart = back is not None and layout.backs == "gutterfold"
    used, papers = (2 * used, 2) if printed_apart else (used, 1)
    return ImposedSheet(front, back, tuple(chunk), part, used, papers, outlines)


def _impose_tiles(
    group: Sequence[SheetPiece], split: BoardTiling, layout: SheetLayout, colophon: SlugText
) -> Iterable[ImposedSheet]:
    tiles = split.list_tiles()
    yield _make_sketch(group[0], split, layout, colophon)
    slug_at = (layout.paper.width / 2, layout.margin.bottom, 0)
    tile_mm2 = split.piece.width * split.piece.height / len(tiles)
    for pair in group:
        for tile in tiles:
            slot = _turn_slot(split.make_slot(tile), pair, split)
            guides = sheet_guides.list_tile_guides(split, tile)
            front = SheetPage("front", ((pair.front, slot),), guides, slug_position=slug_at)
            part = f"{pair.name}  ·  {colophon.translate_word('part')} {tile.number}/{len(tiles)}"
            backs = _place_backs([pair], [slot], layout, "")
            yield _make_sheet([pair], front, backs, layout, tile_mm2, (), part)


def _turn_slot(slot: Slot, pair: SheetPiece, split: BoardTiling) -> Slot:
    lies = abs(pair.format.size.width - split.piece.width) > 1e-6
    return replace(slot, turn=90 if lies else 0)


def _make_sketch(
    pair: SheetPiece, split: BoardTiling, layout: SheetLayout, colophon: SlugText
) -> ImposedSheet:
    """Return a sheet with the small board, its joints, numbers and letters, and instructions."""
    paper, head = layout.paper, 30.0
    edge = max(*astuple(layout.margin), 12.0)
    scale = min(
        (paper.width - 2 * edge) / split.piece.width,
        (paper.height - 2 * edge - head) / split.piece.height,
        0.9,
    )
    width, height = split.piece.width * scale, split.piece.height * scale
    top = paper.height - edge - head
    box = Box((paper.width - width) / 2, top - height, (paper.width + width) / 2, top)
    slot = _turn_slot(Slot(box, box, 0), pair, split)
    words = textwrap.wrap(
        colophon.translate_word("how"), int((paper.width - 2 * edge) / 1.75),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    title, head_y = f"{pair.deck} – {colophon.translate_word('sketch')}", paper.height - edge
    labels = [GuideLabel(edge, head_y - 5, title, 13)]
    labels += [GuideLabel(edge, head_y - 13 - 4.5 * n, line, 9) for n, line in enumerate(words)]
    marks = (*labels, *sheet_guides.list_sketch_guides(split, box))
    slug_position = (paper.width / 2, max(layout.margin.bottom, 5.5), 0)
    page = SheetPage("front", ((pair.front, slot),), tuple(marks), slug_position=slug_position)
    front = page if layout.backs != "only" else None
    return ImposedSheet(front, None, (pair,), colophon.translate_word("sketch"))


def _place_slug(block: Box, bleed: float, layout: SheetLayout) -> tuple[float, float, int]:
    """Return the position of the slug: at the foot if there is room, else at the left, never on a
    piece."""
    foot, side = block.bottom - bleed, block.left - bleed
    if foot >= side:
        y = min(max(5.5, min(foot / 2, block.bottom - 9)), block.bottom - _SLUG_CLEARANCE_MM)
        return layout.paper.width / 2, y, 0
    x = min(max(6.5, side / 2 + 1), block.left - 1)
    return x, layout.paper.height / 2, 90


def _add_slugs(
    sheets: Sequence[ImposedSheet], layout: SheetLayout, colophon: SlugText
) -> list[ImposedSheet]:
    """Number the sheets and add their slugs."""
    numbered = []
    for number, sheet in enumerate(sheets, start=1):
        which = f"{colophon.translate_word('sheet')} {number}/{len(sheets)}"
        pages = [
            page and replace(page, slug=_format_slug(sheet, page, which, layout, colophon))
            for page in (sheet.front, sheet.back)
        ]
        numbered.append(replace(sheet, front=pages[0], back=pages[1]))
    return numbered


def _format_slug(
    sheet: ImposedSheet, page: SheetPage, which: str, layout: SheetLayout, colophon: SlugText
) -> str:
    decks = list(dict.fromkeys(pair.deck for pair in sheet.pieces))
    deck_names = ", ".join(decks[:3]) + (" …" if len(decks) > 3 else "")
    folded = layout.backs == "gutterfold" and sheet.back is None and sheet.pieces[0].back
    side = colophon.translate_word("fold" if folded and not sheet.part_label else page.side)
    edition = f"{colophon.translate_word('edition')} {colophon.edition}" if colophon.edition else ""
    size = str(sheet.pieces[0].format.size)
    parts = [colophon.title, deck_names, which, sheet.part_label, side, edition]
    return "  ·  ".join(filter(None, (*parts, colophon.language, colophon.date, size)))


def list_sheet_pages(sheets: Iterable[ImposedSheet], layout: SheetLayout) -> tuple[SheetPage, ...]:
    """Return the pages in the order of printing."""
    all_sheets = list(sheets)
    blank = layout.backs.startswith("duplex") and any(sheet.back for sheet in all_sheets)
    pages = []
    for sheet in all_sheets:
        back = sheet.back or (SheetPage("back") if blank else None)
        pages += [page for page in (sheet.front, back) if page]
    return tuple(pages)


def list_caption_lines(pages: Iterable[SheetPage]) -> set[CaptionLine]:
    """Return the texts beside the pieces: slugs, and labels of marks."""
    lines = set[CaptionLine]()
    for page in pages:
        lines.add(CaptionLine(page.slug, SLUG_GREY))
        lines |= {CaptionLine(each.text) for each in page.guides if isinstance(each, GuideLabel)}
    return lines


def count_papers(sheets: Iterable[ImposedSheet]) -> int:
    """Return the number of papers to print on."""
    return sum(sheet.paper_count for sheet in sheets)


def compute_waste_percent(sheets: Iterable[ImposedSheet], layout: SheetLayout) -> int:
    """Return the percentage of the paper that does not end up in pieces."""
    all_sheets = list(sheets)
    whole = count_papers(all_sheets) * layout.paper.width * layout.paper.height
    return round(100 * (1 - sum(sheet.used_mm2 for sheet in all_sheets) / whole)) if whole else 0
