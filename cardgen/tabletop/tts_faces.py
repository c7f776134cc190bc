"""Rule 7: what a save shows of a card is the card. Every face is drawn for itself and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from cardgen.faces.model import Face
from cardgen.outputs.contract import MAX_SHEET_PX, Job, Progress
from cardgen.runtime import game_files
from cardgen.runtime.worker_pool import map_calls
from cardgen.tabletop import face_atlas, tts_checker
from cardgen.tabletop.face_atlas import AtlasGrid, PictureRecipe, TablePicture
from cardgen.tabletop.tts_checker import CheckedSave, Json, SaveFinding

MAX_MEAN_DIFFERENCE, MAX_PATCH_DIFFERENCE = 3.0, 24.0
"""How far a cell may be from its card: on the whole, and in any patch of 16 px a side. JPEG moves a
px here and there, and pdfium snaps a hairline to the next px; one changed letter moves a patch."""
_PATCH_PX = 16
_CASES_PER_BATCH = 40
_NOTE_WORDS = 3
"""Words in a card's notes: deck and id, stamp, language."""


@dataclass(frozen=True)
class FaceCase:
    """One face of the save: where its picture is, which cell of it, and how the card is drawn."""

    where: str
    path: Path
    columns: int
    rows: int
    cell: int
    order: PictureRecipe


def compare_with_game(job: Job, save: CheckedSave, progress: Progress) -> list[SaveFinding]:
    """What of a save's cards differs from the game's: faces, and how many of each there are."""
    assert save.save is not None
    finder = _CardFinder(job, save)
    cases = list(finder.collect_cases(save.save))
    groups = [cases[i : i + _CASES_PER_BATCH] for i in range(0, len(cases), _CASES_PER_BATCH)]
    for done, found in enumerate(map_calls(compare_faces, groups, alone=len(groups) < 2), start=1):
        finder.findings += found
        progress("comparing faces", done, len(groups))
    finder.count_copies(job)
    return finder.findings


def list_languages(save: CheckedSave) -> tuple[str, ...]:
    """The languages of a save's cards, by their notes."""
    notes = (
        str(found.get("GMNotes") or "")
        for _, found, _ in tts_checker.iterate_objects(save.save or {})
    )
    return tuple(sorted({words[2] for words in map(str.split, notes) if len(words) == _NOTE_WORDS}))


class _CardFinder:
    def __init__(self, job: Job, save: CheckedSave) -> None:
        self.job = job
        self.files = tts_checker.list_picture_files(save.folder.resolve())
        self.findings: list[SaveFinding] = []
        self.counts: Counter[str] = Counter()
        self.endless: set[str] = set()
        self.faces = {
            (f"{face.deck.id}/{face.piece.id}", face.language, face.side): face
            for face in job.faces.faces
        }
        self.done: set[tuple[str, int, str]] = set()

    def collect_cases(self, save: Json) -> Iterator[FaceCase]:
        for path, found, _ in tts_checker.iterate_objects(save):
            words = str(found.get("GMNotes") or "").split()
            name = str(found.get("Name"))
            if len(words) != _NOTE_WORDS or name not in {"Card", "CardCustom", "Custom_Tile"}:
                continue
            card, _, language = words
            where = tts_checker.format_object(found, path)
            self.counts[card] += 1
            if self._is_in_infinite_bag(save, path):
                self.endless.add(card)
            front = self.faces.get((card, language, "front"))
            if front is None:
                self.findings.append(SaveFinding(where, 7, f"the game has no {card} in {language}"))
                continue
            back = self.faces.get((card, language, "back"))
            yield from self._collect_sides(found, where, front, back)

    def _is_in_infinite_bag(self, save: Json, path: str) -> bool:
        """Whether an object lies in an infinite bag, which stands for as many as one likes."""
        first = path.partition("]")[0].partition("[")[2]
        states = save.get("ObjectStates")
        top = states[int(first)] if isinstance(states, list) and first.isdigit() else {}
        return bool(top.get("Name") == "Infinite_Bag") and "ContainedObjects" in path

    def _collect_sides(
        self, found: Json, where: str, front: Face, back: Face | None
    ) -> Iterator[FaceCase]:
        if found["Name"] == "Custom_Tile":
            image = found.get("CustomImage")
            image = image if isinstance(image, dict) else {}
            yield from self._build_case(where, image.get("ImageURL"), (1, 1, 0), front)
            if back:
                yield from self._build_case(where, image.get("ImageSecondaryURL"), (1, 1, 0), back)
            return
        number = found.get("CardID")
        sheets = found.get("CustomDeck")
        if not isinstance(number, int) or not isinstance(sheets, dict):
            return
        sheet = sheets.get(str(number // 100))
        if not isinstance(sheet, dict):
            return
        cell = (sheet.get("NumWidth"), sheet.get("NumHeight"), number % 100)
        yield from self._build_case(where, sheet.get("FaceURL"), cell, front)
        if back:
            alone = not sheet.get("UniqueBack")
            yield from self._build_case(
                where, sheet.get("BackURL"), (1, 1, 0) if alone else cell, back
            )

    def _build_case(
        self, where: str, url: Any, cell: tuple[Any, Any, int], face: Face
    ) -> Iterator[FaceCase]:
        columns, rows, index = cell
        key = (str(url), index, face.key)
        path = tts_checker.find_picture_file(str(url), self.files)
        whole = all(isinstance(each, int) and each > 0 for each in (columns, rows))
        if path is None or key in self.done or not whole or not index < columns * rows:
            return
        self.done.add(key)
        try:
            with game_files.open_file(path, follow=False) as file, Image.open(file) as image:
                width, height = image.size
        except (OSError, ValueError, Image.DecompressionBombError, game_files.UnreadableError):
            return
        grid = AtlasGrid(1, 1, max(1, width // columns), max(1, height // rows))
        if max(width, height) > MAX_SHEET_PX:
            return
        order = face_atlas.build_picture_recipe(self.job, TablePicture(grid, ((0, face),)))
        yield FaceCase(f"{where} {face.side}", path, columns, rows, index, order)

    def count_copies(self, job: Job) -> None:
        """Copies of every card whose deck is in the save; what lies in an endless bag is enough."""
        decks = {card.partition("/")[0] for card in self.counts}
        for deck in job.decks:
            for piece in deck.pieces if deck.id in decks else ():
                card = f"{deck.id}/{piece.id}"
                if card not in self.endless and self.counts[card] != piece.copies:
                    message = f"{self.counts[card]} copies of {card}; the game has {piece.copies}"
                    self.findings.append(SaveFinding(card, 7, message))


def compare_faces(cases: list[FaceCase]) -> list[SaveFinding]:
    """The cells that are not what their cards look like."""
    found = []
    sheets: dict[Path, Any] = {}
    for case in cases:
        if case.path not in sheets:
            sheets.clear()
            with game_files.open_file(case.path, follow=False) as file, Image.open(file) as image:
                sheets[case.path] = image.convert("RGB")
        mean, patch = measure_difference(
            _crop_cell(sheets[case.path], case), face_atlas.render_picture(case.order)
        )
        if mean > MAX_MEAN_DIFFERENCE or patch > MAX_PATCH_DIFFERENCE:
            message = f"cell {case.cell} of {case.path.name} is not this card"
            found.append(
                SaveFinding(case.where, 7, f"{message} ({mean:.1f}, {patch:.0f} of 255 off)")
            )
    return found


def measure_difference(seen: Any, card: Any) -> tuple[float, float]:
    """How far two pictures are apart: on the whole, and in the patch where it is most; of 255."""
    gap = ImageChops.difference(seen, card)
    mean = sum(ImageStat.Stat(gap).mean) / 3
    size = (max(1, gap.width // _PATCH_PX), max(1, gap.height // _PATCH_PX))
    patches = gap.resize(size, Image.Resampling.BOX)
    return mean, float(max(high for _, high in ImageStat.Stat(patches).extrema))


def _crop_cell(sheet: Any, case: FaceCase) -> Any:
    wide, high = sheet.width // case.columns, sheet.height // case.rows
    row, column = divmod(case.cell, case.columns)
    return sheet.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))
