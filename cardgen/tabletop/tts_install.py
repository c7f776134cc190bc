"""Folders of Tabletop Simulator on this machine, and the installation of a save."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from cardgen.runtime import game_files, safe_files

SAVED_OBJECTS_FOLDER = ("Saves", "Saved Objects")
_PRODUCT_NAME = "Tabletop Simulator"


def list_candidate_folders(
    system: str = sys.platform, home: Path | None = None, variables: Mapping[str, str] = os.environ
) -> list[Path]:
    """Return the folders that the program may use on a system, the likeliest first."""
    home = home or Path.home()
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


def install_saves(folder: Path, made: Iterable[str], base: Path) -> list[Path]:
    """Copy the saves of a build with their thumbnails into Saved Objects. Return their paths.

    The pictures stay where they are, because a save refers to them by URL.
    """
    target = base.joinpath(*SAVED_OBJECTS_FOLDER)
    target.mkdir(parents=True, exist_ok=True)
    installed = []
    for path in map(PurePosixPath, made):
        if len(path.parts) != 3 or path.parts[1] != "tts":
            continue
        place = target / f"{path.stem} {path.parts[0]}{path.suffix}"
        safe_files.replace_file(
            place, safe_files.read_plain_file(folder, path.as_posix(), game_files.MAX_BYTES)
        )
        installed.append(place)
    return [path for path in installed if path.suffix == ".json"]
