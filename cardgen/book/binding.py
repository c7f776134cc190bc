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
from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Remark
from cardgen.base.units import Size
from cardgen.book.model import Book, FaceId
from cardgen.game.shapes import Form
from cardgen.pdf import tags
from cardgen.pdf.compose import Composer
from cardgen.pdf.face_file import FacePdf, image_name

BLOCK = "block "
"""Before the number of a block, and after a stroke of how many: the place of a remark until it is
known from which line the block comes."""


@dataclass(frozen=True)
class Placed:
    """A face for a figure: its PDF, its trim and bleed in mm, and its shape."""

    pdf: FacePdf
    size: Size
    bleed: float
    form: Form


@dataclass(frozen=True)
class Known:
    """What earlier settings of a book tell this one; nothing of it decides what comes out.

    `pages` are the page numbers of the last one, to begin with; `scale` is what its summaries come
    to, and whether one is too long; `kept` are its pages, as `relayout` writes them.
    """

    pages: Mapping[str, int] | None = None
    scale: tuple[float, bool] | None = None
    kept: bytes = b""


@dataclass(frozen=True)
class BookOrder:
    """A book to set. `styles` are the game's own, as (name, text); `drawings` by art's name."""

    key: str
    book: Book
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    cuts: tuple[Cut, ...]
    patterns: tuple[tuple[str, Path], ...]
    faces: Mapping[FaceId, Placed]
    art: tuple[Art, ...]
    drawings: Mapping[str, Path]
    known: Known = Known()

    @property
    def name(self) -> str:
        """The book as `guard` tells it."""
        book = self.book
        return f"the rulebook {book.language} {book.edition} {book.format.name}"


@dataclass(frozen=True)
class Layout:
    """A book as WeasyPrint laid it out: its PDF, without faces, and what is wrong with it.

    `pages` are its page numbers, empty where the next setting had better not begin with them.
    `passes` is how often the book was laid out for it, `kept` what the next setting may take from
    this one.
    """

    pdf: bytes
    remarks: tuple[Remark, ...] = ()
    pages: Mapping[str, int] = field(default_factory=dict)
    scale: tuple[float, bool] = (1.0, False)
    passes: int = 0
    kept: bytes = b""


@dataclass(frozen=True)
class SetBook:
    """A book, set: its PDF and its layout, which says why when there is none."""

    key: str
    pdf: bytes
    layout: Layout


def bound(order: BookOrder, layout: bytes) -> bytes:
    """The book with its faces, drawings and fonts."""
    composer = Composer(order.cuts, pikepdf.open(io.BytesIO(layout)))
    forms = {
        image_name(face.address): composer.square(
            placed.pdf, placed.size, placed.bleed, placed.form
        )
        for face, placed in order.faces.items()
    }
    drawings = {image_name(name): composer.drawing(path) for name, path in order.drawings.items()}
    composer.settle({**forms, **drawings})
    tags.mend(composer.pdf)
    _name(composer.pdf, order.book)
    return composer.save(order.book.title, order.book.language)


def _name(pdf: Any, book: Book) -> None:
    """Say what each face is called, where its address stands in the tags."""
    said = {face.address: alt for face, alt in zip(book.faces, book.alts, strict=True)}
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and "/Alt" in item:
            alt = said.get(str(item.Alt))
            if alt is not None:
                item.Alt = pikepdf.String(alt if alt.isascii() else _utf16(alt))


def _utf16(text: str) -> bytes:
    return b"\xfe\xff" + text.encode("utf-16-be")
