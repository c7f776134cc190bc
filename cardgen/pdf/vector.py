"""Pictures to PDF, with typst. SVG is drawn by usvg: filters, masks and clips come out right, text
is not drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typst

from cardgen.assets import artwork, drawable
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import filing, guard

# CSS px to PDF points.
_POINTS_PER_PX = 0.75
_ENDINGS = {b"\x89PNG": "png", b"\xff\xd8": "jpg"}
_SVG = "art.svg"


def draw(art: Art, scratch: Path) -> bytes:
    """One picture as a one-page PDF of its own size, made in a folder below `scratch`. Raises
    `Unusable`, and `Changed` when the picture is no longer what it was when it was looked at.

    The compiler sees a folder that holds this picture alone.
    """
    # A folder of its own for each call: two builds at once may draw the same picture.
    return enclosed(art.name, _settled(artwork.data_of(art)), (art.width, art.height), scratch)


def enclosed(called: str, data: bytes, size: tuple[float, float], scratch: Path) -> bytes:
    """A picture's file as a one-page PDF of that size (CSS px). Raises `Unusable`."""
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        return _compiled(called, data, size, Path(name))


def _compiled(called: str, data: bytes, size: tuple[float, float], folder: Path) -> bytes:
    source = folder / "art.typ"
    file = next((f"art.{end}" for sign, end in _ENDINGS.items() if data.startswith(sign)), _SVG)
    filing.write_new(folder / file, data)
    width, height = (side * _POINTS_PER_PX for side in size)
    text = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        f'#image("{file}", width: 100%, height: 100%, fit: "stretch")\n'
    )
    filing.write_new(source, text.encode())
    try:
        with guard.at(f"drawing {called}", known=(typst.TypstError,)):
            compiler = typst.Compiler(str(source), root=str(folder), ignore_system_fonts=True)
            pdf = compiler.compile(format="pdf")
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise Unusable(f"{called} cannot be drawn: {reason}") from None
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf


def _settled(data: bytes) -> bytes:
    """The drawing with the pictures in it made ready to print."""
    if b"data:image/" not in data:
        return data
    return drawable.settled(data.decode("utf-8-sig")).encode()
