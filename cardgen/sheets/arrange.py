"""Pieces onto sheets: pairs of faces of any sizes and a layout in, sheets out.

Whatever prints sheets plans them here: all decks, the changed cards alone, or anything else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cardgen.assets.fontfiles import Cut
from cardgen.base.units import PAPERS, Box, Size
from cardgen.game.shapes import Outline, area, placed
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import FULL, Ink
from cardgen.sheets import guides, imposition, numbers, silhouette, tiling
from cardgen.sheets.captions import SLUG_GREY, Lettering, Line
from cardgen.sheets.guides import Guide, Label, Style
from cardgen.sheets.imposition import LONG, SHORT, Format, Grid, Room, Slot, behind
from cardgen.sheets.numbers import Numbers
from cardgen.sheets.printers import NONE, Calibration
from cardgen.sheets.stock import Stock
from cardgen.sheets.tiling import Tile, Tiling
from cardgen.words.languages import word, words_of

STYLE = Style()
_SLUG_ROOM = 2.8


def words(language: str) -> list[str]:
    """All that sheets say in a language, and their signs."""
    return [*words_of("sheets", language).values(), "0123456789 ·×–-/,…", language]


@dataclass(frozen=True)
class Layout:
    """How sheets are wanted. Lengths in mm, `paper` upright; `backs` is one of `model.BACKS`.

    `stock` is cut already: its places are taken as they are. `skip` are places of the first sheet
    that nothing is printed on, counted from 1 in reading order.
    """

    paper_name: str
    paper: Size
    backs: str = "duplex-long"
    margin: float = imposition.MARGIN
    gap: float = 0.0
    overlap: float = tiling.OVERLAP
    style: Style = STYLE
    calibration: Calibration = NONE
    ink: Ink = FULL
    stock: Stock | None = None
    skip: Numbers = numbers.NONE


@dataclass(frozen=True)
class Pair:
    """A piece to be printed once: its faces, its format, and what the slug calls it.

    `apart` is whether its back lies on a sheet of backs alone, to be cut out by itself.
    """

    front: FacePdf
    back: FacePdf | None
    format: Format
    deck: str
    name: str
    apart: bool = False


@dataclass(frozen=True)
class Colophon:
    """What the slug tells of the game."""

    title: str
    edition: str
    language: str
    date: str

    def word(self, key: str) -> str:
        """A word of the sheets in the game's language, English for want of it."""
        return word(f"sheets.{key}", self.language)


@dataclass(frozen=True)
class Page:
    """One side of a sheet. `slug` stands in the middle of a line at `slug_at`: x, y, degrees."""

    side: str
    placed: tuple[tuple[FacePdf, Slot], ...] = ()
    guides: tuple[Guide, ...] = ()
    slug: str = ""
    slug_at: tuple[float, float, int] = (0.0, 0.0, 0)


@dataclass(frozen=True)
class Sheet:
    """A piece of paper, or two where both sides are printed apart.

    `used` (mm²) is what of it ends up in pieces; `outlines` is where they are cut. Its `places` are
    so many, of which some are `skipped`; the parts of a board fill none.
    """

    front: Page | None
    back: Page | None
    pieces: tuple[Pair, ...]
    part: str = ""
    used: float = 0.0
    papers: int = 1
    outlines: tuple[Outline, ...] = ()
    places: int = 0
    skipped: Numbers = numbers.NONE


@dataclass(frozen=True)
class Recipe:
    """A PDF of sheets."""

    title: str
    language: str
    paper: Size
    pages: tuple[Page, ...]
    cuts: tuple[Cut, ...]
    lettering: Lettering
    calibration: Calibration
    ink: Ink = FULL


@dataclass(frozen=True)
class _Plan:
    """How pieces of a format come to lie on paper. `fold` is an edge when backs are folded on."""

    grid: Grid | None = None
    tiling: Tiling | None = None
    fold: str = ""
    style: Style = STYLE


@lru_cache(maxsize=256)
def _plan(pieces: Format, two_sided: bool, layout: Layout) -> _Plan | None:
    if layout.stock:
        taken = layout.stock.grid(pieces)
        return _Plan(taken, style=replace(layout.style, marks="none")) if taken else None
    gap = max(layout.gap, pieces.gap)
    room = Room(layout.paper, layout.margin, gap)
    folded = layout.backs == "gutterfold" and two_sided
    style = layout.style
    if style.marks in silhouette.MARKS:
        grid = silhouette.fit(room, pieces.size, pieces.bleed, style.figures)
        if grid and not folded:
            return _Plan(grid, style=style)
        # What the machine cannot cut is cut by hand.
        style = replace(style, marks="crop")
    if folded and (found := imposition.fit_folded(room, pieces.size, pieces.bleed)):
        return _Plan(found[0], fold=found[1], style=style)
    if grid := imposition.fit(room, pieces.size, pieces.bleed):
        return _Plan(grid, style=style)
    if pieces.form.shape == "rectangle":
        split = tiling.split(room, pieces.size, pieces.bleed, layout.overlap)
        return _Plan(tiling=split, style=style) if split else None
    return None


def misfit(pieces: Format, layout: Layout) -> str:
    """Why no sheet can be made of such pieces, with what would help; empty when one can."""
    if _plan(pieces, False, layout):
        return ""
    if layout.stock:
        return layout.stock.misfit(pieces)
    box = Room(layout.paper, layout.margin).box()
    largest = f"{max(0, box.width):g} × {max(0, box.height):g} mm"
    taking = [
        name
        for name, size in PAPERS.items()
        if imposition.fit(Room(Size(*size), layout.margin), pieces.size, pieces.bleed)
    ]
    help_ = f"; it fits {', '.join(taking)}" if taking else ""
    return (
        f"({pieces.size}) does not fit {layout.paper_name} paper with {layout.margin:g} mm "
        f"margins, which takes {largest}{help_}"
    )


def arrange(pairs: Iterable[Pair], layout: Layout, colophon: Colophon) -> list[Sheet]:
    """Sheets of all pieces that fit, those of one format together, in the order they come in.

    A portrait and a landscape piece of the same measures are of one format.
    """
    groups: dict[tuple[Format, str], list[Pair]] = {}
    for pair in pairs:
        for side, piece in _sides(pair, layout, colophon):
            groups.setdefault((pair.format.upright, side), []).append(piece)
    found: list[Sheet] = []
    skip = layout.skip
    for (pieces, _), group in groups.items():
        two_sided = layout.backs != "none" and any(pair.back for pair in group)
        plan = _plan(pieces, two_sided, layout)
        if plan and plan.grid:
            found += _grid_sheets(group, pieces, plan, layout, skip)
            skip = numbers.NONE
        elif plan and plan.tiling:
            found += _tile_sheets(group, plan.tiling, layout, colophon)
    return _with_slugs([sheet for sheet in found if sheet.front or sheet.back], layout, colophon)


def _sides(pair: Pair, layout: Layout, colophon: Colophon) -> Iterable[tuple[str, Pair]]:
    """A piece as it is printed, or its two faces as pieces of their own: each with what only
    shares sheets with its like."""
    if not (pair.apart and pair.back) or layout.backs in {"none", "only"}:
        yield "", pair
        return
    yield "fronts", replace(pair, back=None)
    title = f"{pair.deck} – {colophon.word('back')}"
    yield "backs", replace(pair, front=pair.back, back=None, deck=title)


def _grid_sheets(
    group: Sequence[Pair], pieces: Format, plan: _Plan, layout: Layout, skip: Numbers
) -> Iterable[Sheet]:
    grid = plan.grid
    assert grid is not None
    slug_at = _slug_at(_filled(grid, plan.fold), grid.bleed, layout)
    one = area(pieces.form, pieces.size)
    for number, (chunk, places) in enumerate(imposition.sheets(group, grid.capacity, skip)):
        # No bleed reaches a place that is used already, or will be later.
        skipped = numbers.NONE if number else skip
        taken = grid if layout.stock or skipped else grid.filled(len(chunk))
        marks = _guides_of(taken, pieces, plan.style, plan.fold, places)
        slots = [_slots(taken, pair.format.size)[n] for n, pair in zip(places, chunk, strict=True)]
        fronts = [(pair.front, slot) for pair, slot in zip(chunk, slots, strict=True)]
        backs = _backs(chunk, slots, layout, plan.fold)
        used = one * len(chunk)
        if plan.fold:
            fronts, backs, used = fronts + backs, [], used + one * len(backs)
        front = Page("front", tuple(fronts), marks, slug_at=slug_at)
        made = _sheet(chunk, front, backs, layout, used, _outlines(chunk, slots))
        yield replace(made, places=grid.capacity, skipped=skipped)


def _filled(grid: Grid, fold: str) -> Box:
    """The cards of a page together, folded backs among them."""
    block = grid.block
    if not fold:
        return block
    other = behind(Slot(block, block, 0), grid.paper, fold).trim
    return Box(
        min(block.left, other.left),
        min(block.bottom, other.bottom),
        max(block.right, other.right),
        max(block.top, other.top),
    )


def _outlines(chunk: Sequence[Pair], slots: Sequence[Slot]) -> tuple[Outline, ...]:
    return tuple(
        placed(p.format.form, p.format.size, slot.trim.left, slot.trim.bottom, slot.turn)
        for p, slot in zip(chunk, slots, strict=True)
    )


@lru_cache(maxsize=64)
def _slots(grid: Grid, size: Size) -> tuple[Slot, ...]:
    return tuple(grid.slots(size))


@lru_cache(maxsize=64)
def _guides_of(
    grid: Grid, pieces: Format, style: Style, fold: str, places: tuple[int, ...]
) -> tuple[Guide, ...]:
    return tuple(guides.of_grid(grid, pieces, style, fold, places))


def _backs(
    chunk: Sequence[Pair], slots: Sequence[Slot], layout: Layout, fold: str
) -> list[tuple[FacePdf, Slot]]:
    if layout.backs == "none":
        return []
    edge = fold or (SHORT if layout.backs == "duplex-short" else LONG)
    return [
        (pair.back, behind(slot, layout.paper, edge))
        for pair, slot in zip(chunk, slots, strict=True)
        if pair.back
    ]


def _sheet(  # noqa: PLR0913, PLR0917 - all of a sheet
    chunk: Sequence[Pair], front: Page, backs: list[tuple[FacePdf, Slot]], layout: Layout,
    used: float, outlines: tuple[Outline, ...] = (), part: str = "",
) -> Sheet:  # fmt: skip
    back = Page("back", tuple(backs), slug_at=front.slug_at) if backs else None
    if layout.backs == "only":
        return Sheet(None, back, tuple(chunk), part, used, 1, outlines)
    # Backs that no fold brings behind their fronts are glued there: two papers, printed alike.
    apart = back is not None and layout.backs == "gutterfold"
    used, papers = (2 * used, 2) if apart else (used, 1)
    return Sheet(front, back, tuple(chunk), part, used, papers, outlines)


def _tile_sheets(
    group: Sequence[Pair], split: Tiling, layout: Layout, colophon: Colophon
) -> Iterable[Sheet]:
    tiles = split.tiles()
    yield _sketch(group[0], split, layout, colophon)
    slug_at = (layout.paper.width / 2, layout.margin, 0)
    one = split.piece.width * split.piece.height / len(tiles)
    for pair in group:
        for tile in tiles:
            slot = _turned(split.slot(tile), pair, split)
            front = Page("front", ((pair.front, slot),), _tile_guides(split, tile), slug_at=slug_at)
            part = f"{pair.name}  ·  {colophon.word('part')} {tile.number}/{len(tiles)}"
            yield _sheet([pair], front, _backs([pair], [slot], layout, ""), layout, one, (), part)


def _turned(slot: Slot, pair: Pair, split: Tiling) -> Slot:
    lies = abs(pair.format.size.width - split.piece.width) > 1e-6
    return replace(slot, turn=90 if lies else 0)


@lru_cache(maxsize=64)
def _tile_guides(split: Tiling, tile: Tile) -> tuple[Guide, ...]:
    return tuple(guides.of_tile(split, tile))


def _sketch(pair: Pair, split: Tiling, layout: Layout, colophon: Colophon) -> Sheet:
    """The board in small with its joints, numbers and letters, and how to put it together."""
    paper, head = layout.paper, 30.0
    edge = max(layout.margin, 12.0)
    scale = min(
        (paper.width - 2 * edge) / split.piece.width,
        (paper.height - 2 * edge - head) / split.piece.height,
        0.9,
    )
    width, height = split.piece.width * scale, split.piece.height * scale
    top = paper.height - edge - head
    box = Box((paper.width - width) / 2, top - height, (paper.width + width) / 2, top)
    slot = _turned(Slot(box, box, 0), pair, split)
    words = textwrap.wrap(
        colophon.word("how"), int((paper.width - 2 * edge) / 1.75),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    labels = [
        Label(edge, paper.height - edge - 5, f"{pair.deck} – {colophon.word('sketch')}", 13),
        *(Label(edge, paper.height - edge - 13 - 4.5 * n, line, 9) for n, line in enumerate(words)),
    ]
    found = (*labels, *guides.of_sketch(split, box))
    at = (paper.width / 2, max(layout.margin, 5.5), 0)
    page = Page("front", ((pair.front, slot),), tuple(found), slug_at=at)
    return Sheet(page if layout.backs != "only" else None, None, (pair,), colophon.word("sketch"))


def _slug_at(block: Box, bleed: float, layout: Layout) -> tuple[float, float, int]:
    """Along the foot where there is room, else up the left side; never on a piece."""
    foot, side = block.bottom - bleed, block.left - bleed
    if foot >= side:
        y = min(max(5.5, min(foot / 2, block.bottom - 9)), block.bottom - _SLUG_ROOM)
        return layout.paper.width / 2, y, 0
    x = min(max(6.5, side / 2 + 1), block.left - 1)
    return x, layout.paper.height / 2, 90


def _with_slugs(found: Sequence[Sheet], layout: Layout, colophon: Colophon) -> list[Sheet]:
    """Number the sheets and tell what each is."""
    done = []
    for number, sheet in enumerate(found, start=1):
        which = f"{colophon.word('sheet')} {number}/{len(found)}"
        pages = [
            page and replace(page, slug=_slug(sheet, page, which, layout, colophon))
            for page in (sheet.front, sheet.back)
        ]
        done.append(replace(sheet, front=pages[0], back=pages[1]))
    return done


def _slug(sheet: Sheet, page: Page, which: str, layout: Layout, colophon: Colophon) -> str:
    decks = list(dict.fromkeys(pair.deck for pair in sheet.pieces))
    shown = ", ".join(decks[:3]) + (" …" if len(decks) > 3 else "")
    folded = layout.backs == "gutterfold" and sheet.back is None and sheet.pieces[0].back
    parts = [
        colophon.title,
        shown,
        which,
        sheet.part,
        colophon.word("fold") if folded and not sheet.part else colophon.word(page.side),
        f"{colophon.word('edition')} {colophon.edition}" if colophon.edition else "",
        colophon.language,
        colophon.date,
        str(sheet.pieces[0].format.size),
    ]
    return "  ·  ".join(part for part in parts if part)


def pages_of(found: Iterable[Sheet], layout: Layout) -> tuple[Page, ...]:
    """The pages in the order they are printed.

    Where some sheets have backs, one that has none gets a blank page: else, printed on both
    sides, the next front would come to lie behind it.
    """
    listed = list(found)
    blank = layout.backs.startswith("duplex") and any(sheet.back for sheet in listed)
    pages = []
    for sheet in listed:
        back = sheet.back or (Page("back") if blank else None)
        pages += [page for page in (sheet.front, back) if page]
    return tuple(pages)


def lines_of(pages: Iterable[Page]) -> set[Line]:
    """The words that stand beside the pieces: slugs, and the labels of marks."""
    listed = list(pages)
    words = {Line(g.text) for page in listed for g in page.guides if isinstance(g, Label)}
    return words | {Line(page.slug, SLUG_GREY) for page in listed}


def papers(found: Iterable[Sheet]) -> int:
    """How many papers are printed on."""
    return sum(sheet.papers for sheet in found)


def waste(found: Iterable[Sheet], layout: Layout) -> int:
    """What of the paper does not end up in pieces, in percent."""
    listed = list(found)
    whole = papers(listed) * layout.paper.width * layout.paper.height
    return round(100 * (1 - sum(sheet.used for sheet in listed) / whole)) if whole else 0
