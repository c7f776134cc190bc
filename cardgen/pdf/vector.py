"""SVG art to PDF, with typst (usvg): filters, masks and clips come out right, text is not drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typst

from cardgen.assets import artwork, drawable
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import filing, guard

# CSS px to PDF points.
_POINTS_PER_PX = 0.75


def draw(art: Art, scratch: Path) -> bytes:
    """One picture as a one-page PDF of its own size, made in a folder below `scratch`. Raises
    `Unusable`, and `Changed` when the picture is no longer what it was when it was looked at.

    The compiler sees a folder that holds this picture alone.
    """
    # A folder of its own for each call: two builds at once may draw the same picture.
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        return _compiled(art, Path(name))


def _compiled(art: Art, folder: Path) -> bytes:
    source = folder / "art.typ"
    filing.write_new(folder / "art.svg", _settled(artwork.data_of(art)))
    width, height = art.width * _POINTS_PER_PX, art.height * _POINTS_PER_PX
    text = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        '#image("art.svg", width: 100%, height: 100%, fit: "stretch")\n'
    )
    filing.write_new(source, text.encode())
    try:
        with guard.at(f"drawing {art.name}", known=(typst.TypstError,)):
            compiler = typst.Compiler(str(source), root=str(folder), ignore_system_fonts=True)
            pdf = compiler.compile(format="pdf")
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise Unusable(f"{art.name} cannot be drawn: {reason}") from None
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf


def _settled(data: bytes) -> bytes:
    """The drawing with the pictures in it made ready to print."""
    if b"data:image/" not in data:
        return data
    return drawable.settled(data.decode("utf-8-sig")).encode()
