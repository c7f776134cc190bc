"""Rule 7 of a Tabletop Simulator save: each face is compared with the card of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from cardgen.outputs.contract import MAX_SHEET_PX, Job, Progress
from cardgen.runtime import game_files
from cardgen.runtime.worker_pool import map_calls
from cardgen.tabletop import face_atlas, tts_checker
from cardgen.tabletop.face_atlas import AtlasGrid, PictureRecipe, TablePicture
from cardgen.tabletop.tts_checker import CheckedSave, Json, SavedObject, SaveFinding

MAX_MEAN_DIFFERENCE, MAX_PATCH_DIFFERENCE = 3.0, 24.0
"""The largest difference of a cell from its card, of 255: on average, and in any patch of 16 px a
side. JPEG and snapped hairlines stay below it, one changed letter does not."""
_PATCH_PX = 16
_CASES_PER_BATCH = 40
Cell = tuple[str, int, int, int]
"""URL of a picture, its columns and rows, and the number of a cell."""


@dataclass(frozen=True)
class FaceCase:
    """A cell of a picture, and how the card that belongs there is drawn."""

    where: str
    path: Path
    columns: int
    rows: int
    cell: int
    recipe: PictureRecipe


def list_languages(save: CheckedSave) -> tuple[str, ...]:
    """Return the languages that the notes of a save's cards name."""
    return tuple(sorted({language for _, _, language in _list_cards(save)}))


def compare_with_game(job: Job, save: CheckedSave, progress: Progress) -> list[SaveFinding]:
    """Compare the faces of a save's cards, and their number, with those of the game."""
    faces = {
        (f"{face.deck.id}/{face.piece.id}", face.language, face.side): face
        for face in job.faces.faces
    }
    findings = []
    wanted: dict[tuple[object, ...], FaceCase] = {}
    files = tts_checker.list_picture_files(save.folder.resolve())
    for found, card, language in _list_cards(save):
        if (card, language, "front") not in faces:
            findings.append(SaveFinding(str(found), 7, f"the game has no {card} in {language}"))
            continue
        for side, cell in _list_sides(found.value).items():
            face, path = (
                faces.get((card, language, side)),
                tts_checker.find_picture_file(cell[0], files),
            )
            key = (cell, face.key if face else "")
            if face and path and key not in wanted and (grid := _measure_cell(path, cell)):
                recipe = face_atlas.build_picture_recipe(job, TablePicture(grid, ((0, face),)))
                wanted[key] = FaceCase(f"{found} {side}", path, *cell[1:], recipe)
    cases = list(wanted.values())
    groups = [cases[i : i + _CASES_PER_BATCH] for i in range(0, len(cases), _CASES_PER_BATCH)]
    for done, wrong in enumerate(map_calls(compare_faces, groups, alone=len(groups) < 2), start=1):
        findings += wrong
        progress("comparing faces", done, len(groups))
    return [*findings, *_check_counts(job, save)]


def _list_cards(save: CheckedSave) -> Iterator[tuple[SavedObject, str, str]]:
    """Yield the cards and tiles with the card's name and language, as their notes have them."""
    for found in save.objects:
        # Deck and id, stamp, language: see `card_descriptions.format_maker_notes`.
        words = str(found.value.get("GMNotes") or "").split()
        if len(words) == 3 and found.value["Name"] in {"Card", "CardCustom", "Custom_Tile"}:
            yield found, words[0], words[2]


def _list_sides(value: Json) -> dict[str, Cell]:
    if value["Name"] == "Custom_Tile":
        image = value["CustomImage"]
        sides = {"front": image["ImageURL"], "back": image.get("ImageSecondaryURL") or ""}
        return {side: (url, 1, 1, 0) for side, url in sides.items()}
    sheet = value["CustomDeck"].get(str(value["CardID"] // 100))
    if sheet is None:
        return {}
    cell = (sheet["NumWidth"], sheet["NumHeight"], value["CardID"] % 100)
    back = cell if sheet.get("UniqueBack") else (1, 1, 0)
    return {"front": (sheet["FaceURL"], *cell), "back": (sheet["BackURL"], *back)}


def _measure_cell(path: Path, cell: Cell) -> AtlasGrid | None:
    """Return the size of a cell in px. None stands for a picture that cannot be compared."""
    _, columns, rows, number = cell
    try:
        with game_files.open_file(path, follow=False) as file, Image.open(file) as image:
            width, height = image.size
    except (OSError, ValueError, Image.DecompressionBombError, game_files.UnreadableError):
        return None
    if max(width, height) > MAX_SHEET_PX or number >= columns * rows:
        return None
    return AtlasGrid(1, 1, max(1, width // columns), max(1, height // rows))


def _check_counts(job: Job, save: CheckedSave) -> Iterator[SaveFinding]:
    """Check the copies of every card whose deck is in the save. An infinite bag has enough."""
    counts = Counter(card for _, card, _ in _list_cards(save))
    endless = {card for found, card, _ in _list_cards(save) if found.in_infinite_bag}
    decks = {card.partition("/")[0] for card in counts}
    for deck in job.decks:
        for piece in deck.pieces if deck.id in decks else ():
            card = f"{deck.id}/{piece.id}"
            if card not in endless and counts[card] != piece.copies:
                message = f"{counts[card]} copies of {card}; the game has {piece.copies}"
                yield SaveFinding(card, 7, message)


def compare_faces(cases: list[FaceCase]) -> list[SaveFinding]:
    """Return a finding for each cell that does not look like its card."""
    findings = []
    sheets: dict[Path, Any] = {}
    for case in cases:
        if case.path not in sheets:
            sheets.clear()
            with game_files.open_file(case.path, follow=False) as file, Image.open(file) as image:
                sheets[case.path] = image.convert("RGB")
        cell = _crop_cell(sheets[case.path], case)
        mean, patch = measure_difference(cell, face_atlas.render_picture(case.recipe))
        if mean > MAX_MEAN_DIFFERENCE or patch > MAX_PATCH_DIFFERENCE:
            message = f"cell {case.cell} of {case.path.name} is not this card"
            message = f"{message} (difference {mean:.1f}, at most {patch:.0f} of 255)"
            findings.append(SaveFinding(case.where, 7, message))
    return findings


def measure_difference(cell: Any, card: Any) -> tuple[float, float]:
    """Return the difference of two pictures, 0 to 255: the mean, and that of the worst patch."""
    gap = ImageChops.difference(cell, card)
    mean = sum(ImageStat.Stat(gap).mean) / 3
    size = (max(1, gap.width // _PATCH_PX), max(1, gap.height // _PATCH_PX))
    patches = gap.resize(size, Image.Resampling.BOX)
    return mean, float(max(high for _, high in ImageStat.Stat(patches).extrema))


def _crop_cell(sheet: Any, case: FaceCase) -> Any:
    wide, high = sheet.width // case.columns, sheet.height // case.rows
    row, column = divmod(case.cell, case.columns)
    return sheet.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))
