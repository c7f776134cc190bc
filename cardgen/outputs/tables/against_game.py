"""Rule 7: what a save shows of a card is the card. Every face is drawn for itself and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from cardgen.base import paths
from cardgen.base.workers import spread
from cardgen.faces.produce import Face
from cardgen.outputs.contract import LARGEST_SHEET_PX, Job, Progress
from cardgen.outputs.tables import checker, pictures
from cardgen.outputs.tables.atlas import Grid
from cardgen.outputs.tables.checker import Checked, Finding, Json
from cardgen.outputs.tables.pictures import Order, Picture

MOST_MEAN, MOST_PATCH = 3.0, 24.0
"""How far a cell may be from its card: on the whole, and in any patch of 16 px a side. JPEG moves a
px here and there, and pdfium snaps a hairline to the next px; one changed letter moves a patch."""
_PATCH = 16
_BATCH = 40
_WORDS = 3
"""Words in a card's notes: deck and id, stamp, language."""


@dataclass(frozen=True)
class Case:
    """One face of the save: where its picture is, which cell of it, and how the card is drawn."""

    where: str
    path: Path
    columns: int
    rows: int
    cell: int
    order: Order


def prove(job: Job, save: Checked, progress: Progress) -> list[Finding]:
    """What of a save's cards differs from the game's: faces, and how many of each there are."""
    assert save.save is not None
    finder = _Finder(job, save)
    cases = list(finder.cases(save.save))
    groups = [cases[i : i + _BATCH] for i in range(0, len(cases), _BATCH)]
    for done, found in enumerate(spread(compare, groups, alone=len(groups) < 2), start=1):
        finder.findings += found
        progress("comparing faces", done, len(groups))
    finder.count(job)
    return finder.findings


def languages(save: Checked) -> tuple[str, ...]:
    """The languages of a save's cards, by their notes."""
    notes = (str(found.get("GMNotes") or "") for _, found, _ in checker.objects_of(save.save or {}))
    return tuple(sorted({words[2] for words in map(str.split, notes) if len(words) == _WORDS}))


class _Finder:
    def __init__(self, job: Job, save: Checked) -> None:
        self.job = job
        self.files = checker.files_of(save.folder.resolve())
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.endless: set[str] = set()
        self.faces = {
            (f"{face.deck.id}/{face.piece.id}", face.language, face.side): face
            for face in job.faces.faces
        }
        self.done: set[tuple[str, int, str]] = set()

    def cases(self, save: Json) -> Iterator[Case]:
        for path, found, _ in checker.objects_of(save):
            words = str(found.get("GMNotes") or "").split()
            name = str(found.get("Name"))
            if len(words) != _WORDS or name not in {"Card", "CardCustom", "Custom_Tile"}:
                continue
            card, _, language = words
            where = checker.named(found, path)
            self.counts[card] += 1
            if self._in_endless(save, path):
                self.endless.add(card)
            front = self.faces.get((card, language, "front"))
            if front is None:
                self.findings.append(Finding(where, 7, f"the game has no {card} in {language}"))
                continue
            back = self.faces.get((card, language, "back"))
            yield from self._sides(found, where, front, back)

    def _in_endless(self, save: Json, path: str) -> bool:
        """Whether an object lies in an infinite bag, which stands for as many as one likes."""
        first = path.partition("]")[0].partition("[")[2]
        states = save.get("ObjectStates")
        top = states[int(first)] if isinstance(states, list) and first.isdigit() else {}
        return bool(top.get("Name") == "Infinite_Bag") and "ContainedObjects" in path

    def _sides(self, found: Json, where: str, front: Face, back: Face | None) -> Iterator[Case]:
        if found["Name"] == "Custom_Tile":
            image = found.get("CustomImage")
            image = image if isinstance(image, dict) else {}
            yield from self._case(where, image.get("ImageURL"), (1, 1, 0), front)
            if back:
                yield from self._case(where, image.get("ImageSecondaryURL"), (1, 1, 0), back)
            return
        number = found.get("CardID")
        sheets = found.get("CustomDeck")
        if not isinstance(number, int) or not isinstance(sheets, dict):
            return
        sheet = sheets.get(str(number // 100))
        if not isinstance(sheet, dict):
            return
        cell = (sheet.get("NumWidth"), sheet.get("NumHeight"), number % 100)
        yield from self._case(where, sheet.get("FaceURL"), cell, front)
        if back:
            alone = not sheet.get("UniqueBack")
            yield from self._case(where, sheet.get("BackURL"), (1, 1, 0) if alone else cell, back)

    def _case(self, where: str, url: Any, cell: tuple[Any, Any, int], face: Face) -> Iterator[Case]:
        columns, rows, index = cell
        key = (str(url), index, face.key)
        path = checker.find_file(str(url), self.files)
        whole = all(isinstance(each, int) and each > 0 for each in (columns, rows))
        if path is None or key in self.done or not whole or not index < columns * rows:
            return
        self.done.add(key)
        try:
            with paths.opened(path, follow=False) as file, Image.open(file) as image:
                width, height = image.size
        except (OSError, ValueError, Image.DecompressionBombError, paths.Unreadable):
            return
        grid = Grid(1, 1, max(1, width // columns), max(1, height // rows))
        if max(width, height) > LARGEST_SHEET_PX:
            return
        order = pictures.order(self.job, Picture(grid, ((0, face),)))
        yield Case(f"{where} {face.side}", path, columns, rows, index, order)

    def count(self, job: Job) -> None:
        """Copies of every card whose deck is in the save; what lies in an endless bag is enough."""
        decks = {card.partition("/")[0] for card in self.counts}
        for deck in job.decks:
            for piece in deck.pieces if deck.id in decks else ():
                card = f"{deck.id}/{piece.id}"
                if card not in self.endless and self.counts[card] != piece.copies:
                    message = f"{self.counts[card]} copies of {card}; the game has {piece.copies}"
                    self.findings.append(Finding(card, 7, message))


def compare(cases: list[Case]) -> list[Finding]:
    """The cells that are not what their cards look like."""
    found = []
    sheets: dict[Path, Any] = {}
    for case in cases:
        if case.path not in sheets:
            sheets.clear()
            with paths.opened(case.path, follow=False) as file, Image.open(file) as image:
                sheets[case.path] = image.convert("RGB")
        mean, patch = difference(_cell(sheets[case.path], case), pictures.render(case.order))
        if mean > MOST_MEAN or patch > MOST_PATCH:
            message = f"cell {case.cell} of {case.path.name} is not this card"
            found.append(Finding(case.where, 7, f"{message} ({mean:.1f}, {patch:.0f} of 255 off)"))
    return found


def difference(seen: Any, card: Any) -> tuple[float, float]:
    """How far two pictures are apart: on the whole, and in the patch where it is most; of 255."""
    gap = ImageChops.difference(seen, card)
    mean = sum(ImageStat.Stat(gap).mean) / 3
    size = (max(1, gap.width // _PATCH), max(1, gap.height // _PATCH))
    patches = gap.resize(size, Image.Resampling.BOX)
    return mean, float(max(high for _, high in ImageStat.Stat(patches).extrema))


def _cell(sheet: Any, case: Case) -> Any:
    wide, high = sheet.width // case.columns, sheet.height // case.rows
    row, column = divmod(case.cell, case.columns)
    return sheet.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))
