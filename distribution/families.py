"""Put the families that come with cardgen beside its code, with their licences.

    python distribution/families.py

They are fetched with npm, in the versions that `cardgen/assets/fonts/package-lock.json` pins. The
build of a wheel does so by itself, and so does make. What is there already is not fetched again.
The family of symbols is put together from several. It needs fontTools and brotli.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tempfile
import unicodedata
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cardgen.assets import npm_client
from cardgen.game import fonts_file
from cardgen.game.fonts_file import BUILTIN_FAMILIES, BUILTIN_FONTS_FOLDER, BuiltinFamily

SYMBOL_PACKAGES = (
    ("dejavu-sans", "latin"),
    ("noto-sans-symbols", "symbols"),
    ("noto-emoji", "emoji"),
)
"""Packages of the family of symbols with their subsets. Each adds what those before it lack."""
SYMBOL_RANGES = (
    (0x20, 0x20),
    (0xA1, 0xBF),
    (0xD7, 0xD7),
    (0xF7, 0xF7),
    (0x2012, 0x2BFF),
    (0x1F000, 0x1FFFF),
)
LINE_METRICS = (935, -265)
"""Ascent and descent of the text's family in 1/1000 em, so that a symbol moves no line."""
SPACE_WIDTH = 265
"""Width of its space, which Pango takes between two symbols from their family."""
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
            packages = root / "fonts/node_modules/@fontsource"
            with ProcessPoolExecutor() as pool:
                list(pool.map(_make, BUILTIN_FAMILIES, repeat(packages)))
    DONE.write_text(_pinned(), encoding="utf-8")


def are_there() -> bool:
    """Whether just what is pinned was fetched, and is there."""
    return (
        DONE.is_file()
        and DONE.read_text(encoding="utf-8") == _pinned()
        and all(family.find_file(*cut) for family in BUILTIN_FAMILIES for cut in family.cuts)
    )


def _pinned() -> str:
    symbols = repr((SYMBOL_PACKAGES, SYMBOL_RANGES, LINE_METRICS, SPACE_WIDTH))
    said = [
        repr(BUILTIN_FAMILIES),
        symbols,
        *((BUILTIN_FONTS_FOLDER / name).read_text() for name in PINS),
    ]
    return hashlib.sha256("\0".join(said).encode()).hexdigest() + "\n"


def _folder(family: BuiltinFamily) -> Path:
    return BUILTIN_FONTS_FOLDER / fonts_file.make_family_slug(family.name)


def _make(family: BuiltinFamily, packages: Path) -> None:
    """Make the cuts of a family that come along, each one file for all of its scripts: a game that
    is built for the first time need not."""
    from cardgen.assets import font_files  # noqa: PLC0415 - fontTools, only if needed

    target = _folder(family)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    if family.name == fonts_file.SYMBOLS_FAMILY:
        fonts, names = _cut_symbols(packages), [name for name, _ in SYMBOL_PACKAGES]
        (BUILTIN_FONTS_FOLDER / family.get_file_name(400, "normal")).write_bytes(
            _set_metrics(font_files.merge_fonts(fonts))
        )
    else:
        names = [fonts_file.make_family_slug(family.name)]
        for weight, style in family.cuts:
            data = [_read(packages, names[0], subset, weight, style) for subset in family.subsets]
            (BUILTIN_FONTS_FOLDER / family.get_file_name(weight, style)).write_bytes(
                font_files.merge_fonts(data)
            )
    licences = [(packages / name / LICENCE).read_text(encoding="utf-8") for name in names]
    (target / LICENCE).write_text("\n".join(licences), encoding="utf-8")


def _read(
    packages: Path, name: str, subset: str, weight: int = 400, style: str = "normal"
) -> bytes:
    file = packages / name / "files" / f"{name}-{subset}-{weight}-{style}.woff2"
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise CannotBeHad(f"{name} has no {file.name}") from None


def _cut_symbols(packages: Path) -> list[bytes]:
    """Return the symbols of each package that those before it lack, as fonts of 1000 units."""
    # fontTools is there once a wheel's build has begun.
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415
    from fontTools.ttLib.scaleUpem import scale_upem  # noqa: PLC0415

    taken: set[int] = set()
    fonts = []
    for name, subset in SYMBOL_PACKAGES:
        font = TTFont(io.BytesIO(_read(packages, name, subset)), recalcTimestamp=False)
        wanted = {code for code in font.getBestCmap() if _is_symbol(code)} - taken
        taken |= wanted
        # Emoji of several characters are ligatures.
        options = Options(
            layout_features=["*"] if subset == "emoji" else [], hinting=False,
            drop_tables=["GDEF", "GPOS", "kern", "vhea", "vmtx", "DSIG", "FFTM", "MATH"],
        )  # fmt: skip
        cutter = Subsetter(options)
        cutter.populate(unicodes=wanted)
        cutter.subset(font)
        font.flavor = None
        scale_upem(font, 1000)
        out = io.BytesIO()
        font.save(out)
        fonts.append(out.getvalue())
    return fonts


def _is_symbol(code: int) -> bool:
    is_in_range = any(first <= code <= last for first, last in SYMBOL_RANGES)
    return is_in_range and unicodedata.category(chr(code))[0] in "SPNCZ"


def _set_metrics(data: bytes) -> bytes:
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    lines, limits = font["hhea"], font["OS/2"]
    lines.ascent, lines.descent = limits.sTypoAscender, limits.sTypoDescender = LINE_METRICS
    font["hmtx"][font.getBestCmap()[0x20]] = (SPACE_WIDTH, 0)
    limits.usWinAscent, limits.usWinDescent = LINE_METRICS[0], -LINE_METRICS[1]
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


if __name__ == "__main__":
    try:
        put()
    except CannotBeHad as error:
        sys.exit(f"the families that come with cardgen cannot be had: {error}")
