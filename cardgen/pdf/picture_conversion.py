"""Pictures converted to PDF with typst.

Its SVG library, usvg, draws filters, masks and clips correctly. It draws no text, which
`assets.svg_text` makes paths.
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


def convert_art(art: Art, scratch: Path) -> bytes:
    """Convert a picture to a one-page PDF of its own size, in a folder below `scratch`.

    The compiler sees a folder with only this picture. Raises `UnusableArtError`, and
    `FileChangedError` where the picture changed since it was read.
    """
    data = artwork.read_printable(art)
    if b"data:image/" in data:  # pictures in a drawing are prepared for print, too
        data = svg_checks.prepare_rasters(data.decode("utf-8-sig")).encode()
    return convert_picture(art.name, data, (art.width, art.height), scratch)


def convert_picture(name: str, data: bytes, size: tuple[float, float], scratch: Path) -> bytes:
    """Convert a picture's file to a one-page PDF of that size (CSS px). Raises
    `UnusableArtError`."""
    end = next((end for sign, end in _IMAGE_SUFFIXES.items() if data.startswith(sign)), "svg")
    file = f"art.{end}"
    width, height = (side * _POINTS_PER_PX for side in size)
    text = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        f'#image("{file}", width: 100%, height: 100%, fit: "stretch")\n'
    )
    # A folder of its own for each call: two builds at once may draw the same picture.
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        source = Path(folder, "art.typ")
        safe_files.write_new_file(Path(folder, file), data)
        safe_files.write_new_file(source, text.encode())
        try:
            with work_limits.work_limit(f"drawing {name}", expected=(typst.TypstError,)):
                compiler = typst.Compiler(str(source), root=folder, ignore_system_fonts=True)
                pdf = compiler.compile(format="pdf")
        except Exception as error:
            reason = str(error).splitlines()[0]
            raise UnusableArtError(f"{name} cannot be drawn: {reason}") from None
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf
