"""SVG art to PDF, with typst (usvg): filters, masks and clips come out right, text is not drawn."""

from __future__ import annotations

from pathlib import Path

import typst

from cardgen.artwork import Art, Unusable

# CSS px to PDF points.
_POINTS_PER_PX = 0.75


def draw(art: Art, scratch: Path) -> bytes:
    """One picture as a one-page PDF of its own size. Raises `Unusable`.

    The compiler sees a folder that holds this picture alone.
    """
    folder = scratch / art.digest
    folder.mkdir(parents=True, exist_ok=True)
    picture, source = folder / "art.svg", folder / "art.typ"
    picture.write_bytes(art.path.read_bytes())
    width, height = art.width * _POINTS_PER_PX, art.height * _POINTS_PER_PX
    source.write_text(
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        '#image("art.svg", width: 100%, height: 100%, fit: "stretch")\n'
    )
    try:
        compiler = typst.Compiler(str(source), root=str(folder), ignore_system_fonts=True)
        pdf = compiler.compile(format="pdf")
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise Unusable(f"{art.name} cannot be drawn: {reason}") from None
    finally:
        picture.unlink(missing_ok=True)
        source.unlink(missing_ok=True)
        folder.rmdir()
    assert isinstance(pdf, bytes)  # one document in, one out
    return pdf
