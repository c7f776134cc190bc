"""Books to typeset, and books assembled from a layout and the game's faces.

A layout knows only the size and place of each face, so it stays valid until the book's own HTML
changes. The faces, their names and the drawings are added here, without WeasyPrint.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf

from cardgen.assets.artwork import Art
from cardgen.assets.font_files import FontFile
from cardgen.book.model import Book, BookPage, FaceId
from cardgen.core.problems import Diagnostic
from cardgen.core.units import Size
from cardgen.game.shapes import PieceForm
from cardgen.pdf import accessibility_tags
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import FacePdf, make_image_name

BLOCK_PREFIX = "block "
"""Prefix of a remark's location that is a block's number; its source line is found later."""


@dataclass(frozen=True)
class PlacedFace:
    """A face for a figure, with its trim size and bleed in mm."""

    pdf: FacePdf
    size: Size
    bleed: float
    form: PieceForm


@dataclass(frozen=True)
class LayoutHints:
    """Results of the previous layout that make the next one faster and never change it.

    The summary scale comes with a flag that is true where a summary is too long even so.
    """

    page_numbers: Mapping[str, int] | None = None
    summary_scale: tuple[float, bool] | None = None


@dataclass(frozen=True)
class BookRequest:
    """A book to typeset. `styles` are (name, text) of the game's own; `drawings` are PDFs."""

    key: str
    book: Book
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    cuts: tuple[FontFile, ...]
    hyphenation_patterns: tuple[tuple[str, Path], ...]
    faces: Mapping[FaceId, PlacedFace]
    art: tuple[Art, ...]
    drawings: Mapping[str, Path]
    hints: LayoutHints = LayoutHints()

    @property
    def label(self) -> str:
        """Name of the book in messages about work limits."""
        book = self.book
        return f"the rulebook {book.language} {book.edition} {book.format.name}"


@dataclass(frozen=True)
class BookLayout:
    """A book as WeasyPrint laid it out: its PDF without faces, its remarks and its pages.

    `page_numbers` is empty where the next layout must not start from them.
    """

    pdf: bytes
    remarks: tuple[Diagnostic, ...] = ()
    page_numbers: Mapping[str, int] = field(default_factory=dict)
    summary_scale: tuple[float, bool] = (1.0, False)
    pass_count: int = 0
    pages: tuple[BookPage, ...] = ()


@dataclass(frozen=True)
class TypesetBook:
    """A finished book: its PDF and its layout, whose remarks say why there is no PDF."""

    key: str
    pdf: bytes
    layout: BookLayout


def assemble_book(request: BookRequest, layout: bytes) -> bytes:
    """Return the PDF of a layout with the book's faces, drawings and fonts."""
    composer = Composer(request.cuts, pikepdf.open(io.BytesIO(layout)))
    forms = {
        make_image_name(face.stand_in_name): composer.make_unit_square(
            placed.pdf, placed.size, placed.bleed, placed.form
        )
        for face, placed in request.faces.items()
    }
    drawings = {
        make_image_name(name): composer.add_drawing(path) for name, path in request.drawings.items()
    }
    composer.replace_stand_ins({**forms, **drawings})
    accessibility_tags.repair_tags(composer.pdf)
    _name_faces(composer.pdf, request.book)
    return composer.save(request.book.title, request.book.language)


def _name_faces(pdf: Any, book: Book) -> None:
    """Replace the stand-in names of faces in the tags by their alternative texts."""
    names = {face.stand_in_name: alt for face, alt in zip(book.faces, book.face_alts, strict=True)}
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and "/Alt" in item:
            alt = names.get(str(item.Alt))
            if alt is not None:
                item.Alt = pikepdf.String(alt if alt.isascii() else _encode_utf16(alt))


def _encode_utf16(text: str) -> bytes:
    return b"\xfe\xff" + text.encode("utf-16-be")
