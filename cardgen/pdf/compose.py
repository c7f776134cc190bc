"""Faces, art and fonts put together into one PDF, with pikepdf.

A face becomes a form XObject once, however often it is placed. Its stand-ins for art are replaced
by the drawings, which are stored once for all faces, and its font subsets by one of all glyphs that
the document shows. Coordinates are PDF points from the bottom left; see ISO 32000-1, 8.10 (form
XObjects) and 9.7 (composite fonts).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from cardgen.assets import coloured
from cardgen.assets.fontfiles import ICON_FAMILY, Cut, icon_names, metrics
from cardgen.base.store import Damaged, read
from cardgen.base.units import Size, points
from cardgen.game.shapes import Form, flat, outline
from cardgen.game.writing import from_right
from cardgen.pdf import draft_layer, outlined
from cardgen.pdf.face_file import SPARE_MM, FacePdf, Layer, image_name
from cardgen.pdf.inks import FULL, Ink
from cardgen.pdf.recolour import Recolourer
from cardgen.pdf.subsets import subset

_WEIGHTS = {
    "Thin": 100, "Ultra-Light": 200, "Light": 300, "Semi-Light": 350, "Book": 380, "Medium": 500,
    "Semi-Bold": 600, "Bold": 700, "Ultra-Bold": 800, "Heavy": 900, "Ultra-Heavy": 1000,
}  # fmt: skip
_WIDTH = re.compile(r"-?((Ultra|Extra|Semi)-)?(Condensed|Expanded)$")
_EDGE_PT, _EDGE_GREY = 0.9, 0.45
_WHOLE = 14_400
"""Larger than any page, pt."""
_BFCHAR = re.compile(rb"<([0-9a-f]{4})> <([0-9a-f]*)>")
Matrix = tuple[float, float, float, float, float, float]


@dataclass
class _Font:
    """A font of the document, gathered from the subsets of many faces: glyph → its text."""

    cut: Cut
    name: str
    target: Any
    descriptor: Any
    glyphs: set[int] = field(default_factory=set)
    texts: dict[int, bytes] = field(default_factory=dict)


class Composer:
    """One PDF in the making, from nothing or from one that is set already.

    Its faces come in the colours of the ink that is wanted, and changed as `change` does it, if
    given, which gets the page of each.
    """

    def __init__(
        self,
        cuts: Iterable[Cut],
        pdf: Any = None,
        ink: Ink = FULL,
        change: Callable[[Any], None] | None = None,
    ) -> None:
        self._change = change
        self.pdf = pdf if pdf is not None else pikepdf.new()
        self._ink = ink
        self._recolour = Recolourer(self.pdf, ink) if ink != FULL else None
        self._cuts = {(cut.family, cut.weight, cut.style): cut for cut in cuts}
        self._fonts: dict[str, _Font] = {}
        self._forms: dict[str, Any] = {}
        self._art: dict[Path, Any] = {}
        self._images: dict[str, Any] = {}

    def form(self, face: FacePdf) -> Any:
        """The face as a form XObject of its bleed box, origin at the bottom left."""
        if face.key not in self._forms:
            form = self._as_set(face)
            self._forms[face.key] = self._covered(form, face, face.layer) if face.layer else form
        return self._forms[face.key]

    def _as_set(self, face: FacePdf) -> Any:
        with _kept(face.path) as source:
            page = source.pages[0]
            if self._change:
                self._change(page)
            form = self.pdf.copy_foreign(source.make_indirect(_as_form(source, page, face)))
        stand_ins = {
            image_name(name): self.drawing(path, sign=coloured.is_one(name))
            for name, path in face.art.items()
        }
        stand_ins |= {image_name(name): self._frame(*size) for name, size in face.missing.items()}
        self._settle(form.get("/Resources"), stand_ins, set())
        if self._recolour:
            self._recolour.face(form)
        return form

    def _covered(self, form: Any, face: FacePdf, layer: Layer) -> Any:
        """A face with what is drawn over it, which is for no print and keeps its colours."""
        fonts = outlined.fonts(self._cuts.values())
        drawn = draft_layer.drawn(face, layer, fonts, self._ink)
        covered = self.content(f"/F Do\n{drawn.content}")
        covered.BBox = Array([0, 0, round(points(face.width), 4), round(points(face.height), 4)])
        pale = Dictionary(Type=Name.ExtGState, ca=drawn.pale, CA=drawn.pale)
        covered.Resources = Dictionary(
            XObject=Dictionary({"/F": form}), ExtGState=Dictionary(Pale=pale)
        )
        return covered

    def _frame(self, width: float, height: float) -> Any:
        """What stands in the place of a missing picture, filling the unit square."""
        form = self.content(draft_layer.frame(width, height))
        form.BBox = Array([0, 0, width, height])
        form.Matrix = Array([1 / width, 0, 0, 1 / height, 0, 0])
        return form

    def square(self, face: FacePdf, size: Size, bleed: float, form: Form) -> Any:
        """The face's trim as a form that fills the unit square, as a picture of it would.

        Lengths in mm. It is cut to the piece's shape, and its edge is drawn, so that a pale card
        shows.
        """
        w, h, edge = points(size.width), points(size.height), points(bleed)
        corners = [f"{points(x):.3f} {points(y):.3f}" for x, y in flat(outline(form, size))]
        path = f"{corners[0]} m {' '.join(f'{corner} l' for corner in corners[1:])} h"
        content = (
            f"q {1 / w:.8f} 0 0 {1 / h:.8f} 0 0 cm q {path} W n "
            f"1 0 0 1 {-edge:.4f} {-edge:.4f} cm /F Do Q "
            f"{path} {_EDGE_PT} w {_EDGE_GREY} G S Q"
        )
        square = self.pdf.make_stream(content.encode())
        square.Type, square.Subtype = Name.XObject, Name.Form
        square.BBox = Array([0, 0, 1, 1])
        square.Resources = Dictionary(XObject=Dictionary({"/F": self.form(face)}))
        return square

    def settle(self, stand_ins: Mapping[str, Any]) -> None:
        """Put forms in place of the pictures that stand in for them, on every page."""
        seen: set[Any] = set()
        for page in self.pdf.pages:
            self._settle(page.obj.get("/Resources"), stand_ins, seen)

    def page(self, width: float, height: float, content: bytes, forms: Mapping[str, Any]) -> Any:
        """Add a page of that size (mm) that draws the named forms."""
        page = self.pdf.add_blank_page(page_size=(points(width), points(height)))
        page.obj.Contents = self.pdf.make_stream(content)
        page.obj.Resources = Dictionary(XObject=Dictionary({f"/{k}": v for k, v in forms.items()}))
        return page

    def overlay(self, pdf: bytes) -> list[Any]:
        """The pages of another PDF as forms."""
        with pikepdf.open(io.BytesIO(pdf)) as source:
            forms = []
            for page in source.pages:
                form = _as_packed(source, page)
                form.BBox, form.Resources = page.MediaBox, page.Resources
                forms.append(self.pdf.copy_foreign(source.make_indirect(form)))
        return forms

    def lines(self, pdf: bytes) -> list[Any]:
        """The pages of a PDF of set lines as forms, in the document's fonts."""
        forms = self.overlay(pdf)
        for form in forms:
            self._settle(form.get("/Resources"), {}, set())
        return forms

    def content(self, operators: str) -> Any:
        """A form of plain operators that need no resources, wherever on a page they draw."""
        form = self.pdf.make_stream(operators.encode())
        form.Type, form.Subtype = Name.XObject, Name.Form
        form.BBox = Array([0, 0, _WHOLE, _WHOLE])
        return form

    def save(self, title: str, language: str) -> bytes:
        """The finished PDF, the same bytes for the same content."""
        for font in self._fonts.values():
            self._embed(font)
        self.pdf.docinfo["/Title"] = title
        self.pdf.docinfo["/Producer"] = "cardgen"
        self.pdf.Root.Lang = pikepdf.String(language)
        self.pdf.Root.ViewerPreferences = Dictionary(
            PrintScaling=Name("/None"), DisplayDocTitle=True
        )
        if from_right(language):
            self.pdf.Root.ViewerPreferences.Direction = Name.R2L
        out = io.BytesIO()
        self.pdf.save(
            out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate
        )
        return out.getvalue()

    def _settle(self, resources: Any, stand_ins: Mapping[str, Any], seen: set[Any]) -> None:
        """Put drawings, shared rasters and the document's fonts in place of a face's own."""
        if resources is None:
            return
        for name, font in list((resources.get("/Font") or {}).items()):
            if "/DescendantFonts" in font:  # not settled yet: a nested form shares its page's fonts
                resources.Font[name] = self._font(font)
        for name, item in list((resources.get("/XObject") or {}).items()):
            drawing = stand_ins.get(name[1:-1])
            if drawing is not None:
                resources.XObject[name] = drawing
            elif item.get("/Subtype") == Name.Image:
                resources.XObject[name] = self._image(item)
            else:
                self._settle_inner(item, stand_ins, seen)
        for item in (resources.get("/Pattern") or {}).values():
            self._settle_inner(item, stand_ins, seen)
        for state in (resources.get("/ExtGState") or {}).values():
            mask = state.get("/SMask")
            if isinstance(mask, Dictionary) and "/G" in mask:
                self._settle_inner(mask.G, stand_ins, seen)

    def _settle_inner(self, item: Any, stand_ins: Mapping[str, Any], seen: set[Any]) -> None:
        if item.objgen not in seen and "/Resources" in item:
            seen.add(item.objgen)
            self._settle(item.Resources, stand_ins, seen)

    def _image(self, image: Any) -> Any:
        """The first picture of the document that is this one, byte for byte, or this one."""
        known = content_digest(image)
        if known not in self._images:
            self._images[known] = self._recolour.image(image) if self._recolour else image
        return self._images[known]

    def drawing(self, path: Path, *, sign: bool = False) -> Any:
        """Art as a form that fills the unit square, as the image it stands for would. A `sign` is
        read like a letter, and so not made paler to save ink."""
        if path not in self._art:
            with _kept(path) as source:
                page = source.pages[0]
                box = [float(v) for v in page.MediaBox]
                form = _as_packed(source, page)
                form.BBox, form.Resources = page.MediaBox, page.Resources
                form.Matrix = Array([1 / box[2], 0, 0, 1 / box[3], 0, 0])
                _device_colours(form.Resources)
                self._art[path] = self.pdf.copy_foreign(source.make_indirect(form))
                if self._recolour:
                    self._recolour.drawing(self._art[path], sign=sign)
        return self._art[path]

    def _font(self, font: Any) -> Any:
        base = str(font.BaseFont)
        if base not in self._fonts:
            descriptor = font.DescendantFonts[0].FontDescriptor
            cut = self._cut(str(descriptor.FontFamily), base.partition("+")[2])
            if cut is None:
                return font
            target = self.pdf.make_indirect(Dictionary(Type=Name.Font))
            plain = {k: v for k, v in descriptor.items() if not k.startswith("/FontFile")}
            self._fonts[base] = _Font(cut, base.partition("+")[2], target, plain)
        known = self._fonts[base]
        known.glyphs.update(_glyphs(font.DescendantFonts[0].W))
        names = icon_names(known.cut.path) if known.cut.family == ICON_FAMILY else {}
        for written, text in _BFCHAR.findall(font.ToUnicode.read_bytes()):
            glyph = int(written, 16)
            known.texts.setdefault(glyph, _said(names[glyph]) if glyph in names else text)
        return known.target

    def _cut(self, family: str, name: str) -> Cut | None:
        words = name.removeprefix(family.replace(" ", "-")).strip(",-")
        return self._cuts.get((family, *weight_and_style(words)))

    def _embed(self, font: _Font) -> None:
        shown = subset(font.cut.path, frozenset(font.glyphs))
        stream = self.pdf.make_stream(shown.packed, Filter=Name.FlateDecode)
        descriptor = Dictionary(font.descriptor)
        # A subset's box and widths are those of its glyphs, rounded as they came up in one face.
        measured = metrics(font.cut.path)
        descriptor.FontBBox = Array(measured.box)
        # A character that the font lacks has a glyph past its last one, which draws nothing.
        advances, past = measured.advances, measured.advances[0]
        widths = (
            (glyph, Array([advances[glyph] if glyph < len(advances) else past]))
            for glyph in sorted(font.glyphs)
        )
        if shown.truetype:
            stream.Length1 = shown.size
            descriptor.FontFile2 = stream
        else:
            stream.Subtype = Name.OpenType
            descriptor.FontFile3 = stream
        descriptor.FontName = Name(f"/{shown.tag}+{font.name.replace(',', '')}")
        child = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2 if shown.truetype else Name.CIDFontType0,
            BaseFont=descriptor.FontName,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=self.pdf.make_indirect(descriptor),
            W=Array([part for entry in widths for part in entry]),
        )
        if shown.truetype:
            child.CIDToGIDMap = Name.Identity
        font.target.update(
            Dictionary(
                Subtype=Name.Type0,
                BaseFont=descriptor.FontName,
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([self.pdf.make_indirect(child)]),
                ToUnicode=self.pdf.make_stream(_to_unicode(font.texts)),
            )
        )


def _kept(path: Path) -> Any:
    """A PDF out of the store. Raises `Damaged`."""
    try:
        return pikepdf.open(io.BytesIO(read(path)))
    except pikepdf.PdfError:
        raise Damaged(str(path)) from None


def weight_and_style(words: str) -> tuple[int, str]:
    """What Pango says after a family's name, such as `Bold-Italic`; narrow fonts add a width."""
    italic = "Italic" in words or "Oblique" in words
    weight = _WIDTH.sub("", words).replace("Italic", "").replace("Oblique", "").strip("-")
    return _WEIGHTS.get(weight, 400), "italic" if italic else "normal"


def _as_packed(source: Any, page: Any) -> Stream:
    """A page's content as a form, in the packing that it came in."""
    content = page.Contents
    form = source.make_stream(content.read_raw_bytes())
    for name in ("/Filter", "/DecodeParms"):
        if name in content:
            form[name] = content[name]
    form.Type, form.Subtype = Name.XObject, Name.Form
    return form


def _as_form(source: Any, page: Any, face: FacePdf) -> Stream:
    """The page's top left corner, as large as the bleed box; the room below is cut off."""
    height, spare = points(face.height), points(SPARE_MM)
    form = _as_packed(source, page)
    form.BBox = Array([0, round(spare, 4), round(points(face.width), 4), round(spare + height, 4)])
    form.Matrix = Array([1, 0, 0, 1, 0, round(-spare, 4)])
    form.Resources = page.Resources
    return form


def content_digest(item: Any) -> str:
    """The hash of a PDF object: of a stream's bytes as they stand, and of all that it refers to.

    So two pictures are one only with the same pixels, colour space, decoding and transparency.
    """
    total = blake2b(digest_size=20)
    _digest_into(total, item)
    return total.hexdigest()


def _digest_into(total: Any, item: Any) -> None:
    if isinstance(item, Stream | Dictionary):
        total.update(b"<<")
        for name, value in sorted(item.items()):
            if name != "/Length":  # told by the bytes, and may stand elsewhere
                total.update(name.encode() + b" ")
                _digest_into(total, value)
        total.update(b">>")
        if isinstance(item, Stream):
            data = item.read_raw_bytes()
            total.update(b"%d " % len(data) + data)
    elif isinstance(item, Array):
        total.update(b"[")
        for part in item:
            _digest_into(total, part)
        total.update(b"]")
    elif isinstance(item, pikepdf.Object):
        total.update(item.unparse() + b" ")
    else:
        total.update(f"{item!r} ".encode())


def _device_colours(resources: Any) -> None:
    """Art's sRGB profile gives way to DeviceRGB, so that one hex colour prints as one colour."""
    spaces = resources.get("/ColorSpace") or {}
    for name, space in list(spaces.items()):
        if _figures(space) == 3:
            spaces[name] = Name.DeviceRGB
    for item in (resources.get("/XObject") or {}).values():
        if "/Resources" in item:
            _device_colours(item.Resources)
        elif figures := _figures(item.get("/ColorSpace")):
            item.ColorSpace = Name.DeviceRGB if figures == 3 else Name.DeviceGray


def _figures(space: Any) -> int:
    """How many figures a colour has by the profile that typst embeds, of sRGB or of grey; 0 for any
    other colour space."""
    profiled = isinstance(space, Array) and space[0] == Name.ICCBased
    figures = int(space[1].get("/N", 0)) if profiled else 0
    return figures if figures in (1, 3) else 0


def _glyphs(array: Any) -> Iterator[int]:
    """The glyphs that a font's W tells the widths of: `first [width …] first [width …]`."""
    items = list(array)
    for start, widths in zip(items[::2], items[1::2], strict=True):
        yield from range(int(start), int(start) + len(widths))


def _said(icon: str) -> bytes:
    """What an icon reads as to those who search, copy or hear a file."""
    return f"[{icon}]".encode("utf-16-be").hex().encode()


def _to_unicode(texts: Mapping[int, bytes]) -> bytes:
    lines = [
        b"/CIDInit /ProcSet findresource begin", b"12 dict begin", b"begincmap",
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        b"/CMapName /Adobe-Identity-UCS def", b"/CMapType 2 def",
        b"1 begincodespacerange", b"<0000> <ffff>", b"endcodespacerange",
    ]  # fmt: skip
    entries = sorted(texts.items())
    for start in range(0, len(entries), 100):
        batch = entries[start : start + 100]
        lines.append(b"%d beginbfchar" % len(batch))
        lines += [b"<%04x> <%s>" % entry for entry in batch]
        lines.append(b"endbfchar")
    lines += [b"endcmap", b"CMapName currentdict /CMap defineresource pop", b"end", b"end"]
    return b"\n".join(lines)
