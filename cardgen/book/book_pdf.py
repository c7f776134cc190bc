"""Books bound: into what WeasyPrint laid out go the game's faces, their names, drawings and fonts.

A layout knows of a face no more than its size and place, so it holds as long as the book's own
HTML does; what the faces show, and what they are called to those who hear the book read, comes in
here. Nothing of WeasyPrint is loaded for it.
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
from cardgen.book.model import Book, FaceId
from cardgen.core.problems import Diagnostic
from cardgen.core.units import Size
from cardgen.game.shapes import PieceForm
from cardgen.pdf import accessibility_tags
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import FacePdf, make_image_name

BLOCK_PREFIX = "block "
"""Before the number of a block, and after a stroke of how many: the place of a remark until it is
known from which line the block comes."""


@dataclass(frozen=True)
class PlacedFace:
    """A face for a figure: its PDF, its trim and bleed in mm, and its shape."""

    pdf: FacePdf
    size: Size
    bleed: float
    form: PieceForm


@dataclass(frozen=True)
class LayoutHints:
    """What earlier settings of a book tell this one; nothing of it decides what comes out.

    `pages` are the page numbers of the last one, to begin with; `scale` is what its summaries come
    to, and whether one is too long; `kept` are its pages, as `relayout` writes them.
    """

    page_numbers: Mapping[str, int] | None = None
    summary_scale: tuple[float, bool] | None = None
    kept: bytes = b""


@dataclass(frozen=True)
class BookRequest:
    """A book to set. `styles` are the game's own, as (name, text); `drawings` by art's name."""

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
        """The book as `guard` tells it."""
        book = self.book
        return f"the rulebook {book.language} {book.edition} {book.format.name}"


@dataclass(frozen=True)
class BookLayout:
    """A book as WeasyPrint laid it out: its PDF, without faces, and what is wrong with it.

    `pages` are its page numbers, empty where the next setting had better not begin with them.
    `passes` is how often the book was laid out for it, `kept` what the next setting may take from
    this one.
    """

    pdf: bytes
    remarks: tuple[Diagnostic, ...] = ()
    page_numbers: Mapping[str, int] = field(default_factory=dict)
    summary_scale: tuple[float, bool] = (1.0, False)
    pass_count: int = 0
    kept: bytes = b""


@dataclass(frozen=True)
class TypesetBook:
    """A book, set: its PDF and its layout, which says why when there is none."""

    key: str
    pdf: bytes
    layout: BookLayout


def assemble_book(order: BookRequest, layout: bytes) -> bytes:
    """The book with its faces, drawings and fonts."""
    composer = Composer(order.cuts, pikepdf.open(io.BytesIO(layout)))
    forms = {
        make_image_name(face.stand_in_name): composer.make_unit_square(
            placed.pdf, placed.size, placed.bleed, placed.form
        )
        for face, placed in order.faces.items()
    }
    drawings = {
        make_image_name(name): composer.add_drawing(path) for name, path in order.drawings.items()
    }
    composer.replace_stand_ins({**forms, **drawings})
    accessibility_tags.repair_tags(composer.pdf)
    _name_faces(composer.pdf, order.book)
    return composer.save(order.book.title, order.book.language)


def _name_faces(pdf: Any, book: Book) -> None:
    """Say what each face is called, where its address stands in the tags."""
    said = {face.stand_in_name: alt for face, alt in zip(book.faces, book.face_alts, strict=True)}
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and "/Alt" in item:
            alt = said.get(str(item.Alt))
            if alt is not None:
                item.Alt = pikepdf.String(alt if alt.isascii() else _encode_utf16(alt))


def _encode_utf16(text: str) -> bytes:
    return b"\xfe\xff" + text.encode("utf-16-be")
