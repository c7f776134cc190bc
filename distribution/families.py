"""Put the families that come with cardgen beside its code, with their licences.

    python distribution/families.py

They are fetched with npm, in the versions that `cardgen/assets/fonts/package-lock.json` pins. The
build of a wheel does so by itself, and so does make. What is there already is not fetched again.
It needs fontTools and brotli.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cardgen.assets import npm_client
from cardgen.game import fonts_file
from cardgen.game.fonts_file import BUILTIN_FAMILIES, BUILTIN_FONTS_FOLDER, BuiltinFamily

PINS = ("package.json", "package-lock.json")
DONE = BUILTIN_FONTS_FOLDER / ".fetched"
"""Says of what the files were fetched; the Makefile goes by its time."""
LICENCE = "LICENSE"


class CannotBeHad(Exception):  # noqa: N818 - it reads as what it says
    """Why the families could not be fetched."""


def put() -> None:
    """Have every family in its folder. Raises `CannotBeHad`."""
    if not are_there():
        with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
            root = Path(scratch)
            (root / "fonts").mkdir()
            for name in PINS:
                shutil.copyfile(BUILTIN_FONTS_FOLDER / name, root / "fonts" / name)
            problems, failure = npm_client.install_packages(root)
            if problems or failure:
                raise CannotBeHad("\n".join([*map(str, problems), failure]).strip())
            for family in BUILTIN_FAMILIES:
                _make(family, root / "fonts/node_modules" / fonts_file.get_npm_package(family.name))
    DONE.write_text(_pinned(), encoding="utf-8")


def are_there() -> bool:
    """Whether just what is pinned was fetched, and is there."""
    return (
        DONE.is_file()
        and DONE.read_text(encoding="utf-8") == _pinned()
        and all(family.find_file(*cut) for family in BUILTIN_FAMILIES for cut in family.cuts)
    )


def _pinned() -> str:
    said = [repr(BUILTIN_FAMILIES), *((BUILTIN_FONTS_FOLDER / name).read_text() for name in PINS)]
    return hashlib.sha256("\0".join(said).encode()).hexdigest() + "\n"


def _folder(family: BuiltinFamily) -> Path:
    return BUILTIN_FONTS_FOLDER / fonts_file.make_family_slug(family.name)


def _make(family: BuiltinFamily, fetched: Path) -> None:
    """Make the cuts of a family that come along, each one file for all of its scripts: a game that
    is built for the first time need not."""
    from cardgen.assets import font_files  # noqa: PLC0415 - fontTools, only if needed

    target = _folder(family)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    shutil.copyfile(fetched / LICENCE, target / LICENCE)
    stem = fonts_file.make_family_slug(family.name)
    for weight, style in family.cuts:
        names = [f"{stem}-{subset}-{weight}-{style}.woff2" for subset in family.subsets]
        try:
            data = [(fetched / "files" / name).read_bytes() for name in names]
        except FileNotFoundError as error:
            raise CannotBeHad(f"{family.name} has no {error.filename}") from None
        (BUILTIN_FONTS_FOLDER / family.get_file_name(weight, style)).write_bytes(
            font_files.merge_fonts(data)
        )


if __name__ == "__main__":
    try:
        put()
    except CannotBeHad as error:
        sys.exit(f"the families that come with cardgen cannot be had: {error}")
