"""Pictures converted to PDF with typst.

Its SVG library, usvg, draws filters, masks and clips correctly. It draws no text.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import typst

from cardgen.assets import artwork, svg_checks
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.core import work_limits
from cardgen.runtime import safe_files

_POINTS_PER_PX = 0.75
_IMAGE_SUFFIXES = {b"\x89PNG": "png", b"\xff\xd8": "jpg"}
_SVG_NAME = "art.svg"


def convert_art(art: Art, scratch: Path) -> bytes:
    """Convert a picture to a one-page PDF of its own size, in a folder below `scratch`.

    The compiler sees a folder with only this picture. Raises `UnusableArtError`, and
    `FileChangedError` where the picture changed since it was read.
    """
    # A folder of its own for each call: two builds at once may draw the same picture.
    return convert_picture(
        art.name, _prepare_svg(artwork.read_art(art)), (art.width, art.height), scratch
    )


def convert_picture(name: str, data: bytes, size: tuple[float, float], scratch: Path) -> bytes:
    """Convert a picture's file to a one-page PDF of that size (CSS px). Raises
    `UnusableArtError`."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        return _compile_with_typst(name, data, size, Path(folder))


def _compile_with_typst(name: str, data: bytes, size: tuple[float, float], folder: Path) -> bytes:
    source = folder / "art.typ"
    file = next(
        (f"art.{end}" for sign, end in _IMAGE_SUFFIXES.items() if data.startswith(sign)), _SVG_NAME
    )
    safe_files.write_new_file(folder / file, data)
    width, height = (side * _POINTS_PER_PX for side in size)
    text = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        f'#image("{file}", width: 100%, height: 100%, fit: "stretch")\n'
    )
    safe_files.write_new_file(source, text.encode())
    try:
        with work_limits.work_limit(f"drawing {name}", expected=(typst.TypstError,)):
            compiler = typst.Compiler(str(source), root=str(folder), ignore_system_fonts=True)
            pdf = compiler.compile(format="pdf")
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise UnusableArtError(f"{name} cannot be drawn: {reason}") from None
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf


def _prepare_svg(data: bytes) -> bytes:
    """Return a drawing with the pictures in it prepared for print."""
    if b"data:image/" not in data:
        return data
    return svg_checks.prepare_rasters(data.decode("utf-8-sig")).encode()
