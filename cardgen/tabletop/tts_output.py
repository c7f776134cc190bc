"""Output for Tabletop Simulator: one Saved Object with the whole table, its thumbnail and
pictures."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cardgen.core import work_limits
from cardgen.core.problems import Problem
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces.model import Face
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.runtime import game_files, safe_files, user_secret
from cardgen.runtime.safe_files import make_file_name
from cardgen.tabletop import face_atlas, table_contents
from cardgen.tabletop.face_atlas import PictureRecipe
from cardgen.tabletop.table_contents import TableContents
from cardgen.tabletop.tts_save import SaveAssets, get_base_url, write_save

_TTS_FOLDER, _IMAGES_FOLDER = "tts", "tts/images"
_THUMBNAIL_PX = 256


@dataclass(frozen=True)
class ThumbnailRecipe:
    """The first page of the rulebook in the middle of a square image, or a face without one."""

    picture: PictureRecipe
    book: FileContent | None = None


TtsFileRecipe = FileContent | ThumbnailRecipe


def _build_tables(job: Job) -> list[TableContents]:
    return [table_contents.build_table(job, language, extras=True) for language in job.languages]


def _plan_table(job: Job, table: TableContents) -> list[Artefact[TtsFileRecipe]]:
    language = table.language
    name = f"{make_file_name(job.game.id)}{job.partial_suffix}"
    pictures = face_atlas.load_pictures(job, table_contents.list_pictures([table], job))
    images = [
        Artefact(f"{language}/{_IMAGES_FOLDER}/{path.name}", FileContent(path=path), language)
        for path in dict.fromkeys(pictures.values())
    ]
    book = _plan_rulebook(job, language)
    base = get_base_url(job, job.folder / language / _IMAGES_FOLDER)
    assets = SaveAssets(pictures, base, PurePosixPath(book.path).name if book else "")
    data = write_save(job, table, assets)
    save = Artefact[TtsFileRecipe](
        f"{language}/{_TTS_FOLDER}/{name}.json", FileContent(data), language
    )
    faces = table_contents.list_faces(job, language)
    # Without a rulebook, the cover is the first back, or the first front without any.
    covers = sorted(faces, key=lambda face: face.side != "back")[:1]
    cover = book.recipe if book and isinstance(book.recipe, FileContent) else None
    thumbnails = [
        _plan_thumbnail(job, face, f"{language}/{_TTS_FOLDER}/{name}.png", cover) for face in covers
    ]
    return [save, *images, *thumbnails, *([book] if book else [])]


def _plan_rulebook(job: Job, language: str) -> Artefact[TtsFileRecipe] | None:
    """Plan a copy of the rulebook if it is published already."""
    data = job.read_published(f"{language}/rulebook.pdf")
    if data is None:
        return None
    digest = hashlib.sha256(data).hexdigest()[:20]
    target = f"{language}/{_IMAGES_FOLDER}/{digest}.pdf"
    return Artefact(target, FileContent(data), language)


def _plan_thumbnail(
    job: Job, face: Face, path: str, book: FileContent | None
) -> Artefact[TtsFileRecipe]:
    picture = face_atlas.build_face_picture(face.deck, face, "png", _THUMBNAIL_PX)
    recipe = ThumbnailRecipe(face_atlas.build_picture_recipe(job, picture), book)
    return Artefact(path, recipe, face.language)


def _make_tts_file(recipe: TtsFileRecipe) -> bytes:
    if isinstance(recipe, FileContent):
        return recipe.read_bytes()
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made

    cover = None
    if recipe.book:
        try:
            with work_limits.work_limit("rulebook.pdf: drawing its cover"):
                cover = raster.rasterise_cover(_make_tts_file(recipe.book), _THUMBNAIL_PX)
        except LimitExceededError:
            cover = None  # a face will do
    picture = cover or face_atlas.render_picture(recipe.picture)
    return raster.encode_centred(picture, _THUMBNAIL_PX)


class TabletopSimulator(Output[TtsFileRecipe]):
    """A save, its thumbnail and its pictures."""

    batch_size = 8

    def prepare(self, job: Job) -> list[Problem]:
        """Draw the sheets and tiles, which the save names by their content."""
        face_atlas.draw_missing_pictures(job, table_contents.list_pictures(_build_tables(job), job))
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[TtsFileRecipe]], list[Problem]]:
        """Plan `tts/<game>.json` with a thumbnail and `tts/images/` for every language.

        A published rulebook is copied to the pictures.
        """
        return [each for table in _build_tables(job) for each in _plan_table(job, table)], []

    def make_file(self, recipe: TtsFileRecipe) -> bytes:
        """Return the file of a recipe."""
        return _make_tts_file(recipe)


SAVED_OBJECTS_FOLDER = ("Saves", "Saved Objects")
_PRODUCT_NAME = "Tabletop Simulator"


def list_candidate_folders(
    system: str = sys.platform, home: Path | None = None, variables: Mapping[str, str] = os.environ
) -> list[Path]:
    """Return the folders that the program may use on a system, the likeliest first."""
    home = home or user_secret.get_home_folder()
    if system == "win32":
        # OneDrive may have moved Documents.
        names = ("OneDrive", "OneDriveConsumer")
        clouds = [Path(variables[name]) for name in names if name in variables]
        profile = Path(variables.get("USERPROFILE", str(home)))
        return [base / "Documents" / "My Games" / _PRODUCT_NAME for base in (*clouds, profile)]
    if system == "darwin":
        return [home / "Library" / _PRODUCT_NAME]
    return [home / ".local" / "share" / _PRODUCT_NAME]


def find_data_folder() -> Path | None:
    """Return the folder on this machine, if there is one."""
    return next((path for path in list_candidate_folders() if path.is_dir()), None)


def get_saves_folder(base: Path) -> Path:
    """Return the folder for saves in the program's data folder."""
    return base.joinpath(*SAVED_OBJECTS_FOLDER)


def install_saves(folder: Path, made: Iterable[str], base: Path) -> list[Path]:
    """Copy the saves of a build with their thumbnails into Saved Objects. Return their paths.

    The pictures stay where they are, because a save refers to them by URL.
    """
    target = get_saves_folder(base)
    target.mkdir(parents=True, exist_ok=True)
    installed = []
    for path in map(PurePosixPath, made):
        if len(path.parts) != 3 or path.parts[1] != "tts":
            continue
        place = target / f"{path.stem} {path.parts[0]}{path.suffix}"
        data = safe_files.read_plain_file(folder, path.as_posix(), game_files.MAX_BYTES)
        safe_files.replace_file(place, data)
        installed.append(place)
    return [path for path in installed if path.suffix == ".json"]
