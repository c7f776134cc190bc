"""Pictures to PDF, with typst. SVG is drawn by usvg: filters, masks and clips come out right, text
is not drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typst

from cardgen.assets import artwork, svg_checks
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.core import work_limits
from cardgen.runtime import safe_files

# CSS px to PDF points.
_POINTS_PER_PX = 0.75
_IMAGE_SUFFIXES = {b"\x89PNG": "png", b"\xff\xd8": "jpg"}
_SVG_NAME = "art.svg"


def convert_art(art: Art, scratch: Path) -> bytes:
    """One picture as a one-page PDF of its own size, made in a folder below `scratch`. Raises
    `Unusable`, and `Changed` when the picture is no longer what it was when it was looked at.

    The compiler sees a folder that holds this picture alone.
    """
    # A folder of its own for each call: two builds at once may draw the same picture.
    return convert_picture(
        art.name, _prepare_svg(artwork.read_art(art)), (art.width, art.height), scratch
    )


def convert_picture(called: str, data: bytes, size: tuple[float, float], scratch: Path) -> bytes:
    """A picture's file as a one-page PDF of that size (CSS px). Raises `Unusable`."""
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        return _compile_with_typst(called, data, size, Path(name))


def _compile_with_typst(called: str, data: bytes, size: tuple[float, float], folder: Path) -> bytes:
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
        with work_limits.work_limit(f"drawing {called}", expected=(typst.TypstError,)):
            compiler = typst.Compiler(str(source), root=str(folder), ignore_system_fonts=True)
            pdf = compiler.compile(format="pdf")
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise UnusableArtError(f"{called} cannot be drawn: {reason}") from None
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf


def _prepare_svg(data: bytes) -> bytes:
    """The drawing with the pictures in it made ready to print."""
    if b"data:image/" not in data:
        return data
    return svg_checks.prepare_rasters(data.decode("utf-8-sig")).encode()
