"""Composition of faces, art and fonts into one PDF, with pikepdf.

A face becomes a form XObject once, however often it is placed. Its stand-ins for art are replaced
by the drawings, which are stored once for all faces. Its font subsets are replaced by one subset
with all glyphs that the document shows. Coordinates are PDF points from the bottom left. See ISO
32000-1, 8.10 (form XObjects) and 9.7 (composite fonts).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from cardgen.assets import coloured_icons
from cardgen.assets.font_files import ICON_FAMILY, FontFile, read_icon_names, read_metrics
from cardgen.core.units import Size, convert_to_points
from cardgen.game.card_text import is_right_to_left
from cardgen.game.shapes import PieceForm, flatten_outline, make_outline
from cardgen.pdf import draft_layer, text_outlines
from cardgen.pdf.composed_pdf import ComposedPdf, FontUses, read_font_use
from cardgen.pdf.face_file import SPARE_PAGE_MM, FacePdf, make_image_name
from cardgen.pdf.font_subsets import get_subset_tag, subset_font
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.pdf.pdf_objects import count_components, make_form, round_numbers, save_document
from cardgen.pdf.recolour import Recolourer
from cardgen.runtime.content_store import DamagedEntryError, read_entry

_FONT_WEIGHTS = {
    "Thin": 100, "Ultra-Light": 200, "Light": 300, "Semi-Light": 350, "Book": 380, "Medium": 500,
    "Semi-Bold": 600, "Bold": 700, "Ultra-Bold": 800, "Heavy": 900, "Ultra-Heavy": 1000,
}  # fmt: skip
_WIDTH_SUFFIX = re.compile(r"-?((Ultra|Extra|Semi)-)?(Condensed|Expanded)$")
_EDGE_PT, _EDGE_GREY = 0.9, 0.45
_MAX_PAGE_PT = 14_400
"""Larger than any page."""
StandIns = Mapping[str, Callable[[Any], Any]]
"""By the names of XObjects without their last digits: what returns the form that takes the place of
the one that is there."""


@dataclass
class _GatheredFont:
    """A font of the document, merged from the subsets of many faces. `texts` is by glyph."""

    cut: FontFile
    name: str
    target: Any
    descriptor: Any
    last: Any = None
    """The font as the document before had it, which may have the same glyphs."""
    glyphs: set[int] = field(default_factory=set)
    texts: dict[int, bytes] = field(default_factory=dict)


class Composer:
    """Composes one PDF, empty at first or typeset already.

    Faces get the colours of the ink mode. `change`, if given, edits the page of each face first.
    Faces that `last` has, in the same colours, are taken over from it.
    """

    def __init__(
        self,
        cuts: Iterable[FontFile],
        pdf: Any = None,
        ink: InkMode = FULL_INK,
        change: Callable[[Any], None] | None = None,
        last: ComposedPdf | None = None,
    ) -> None:
        self._change, self._last, self._is_reusing = change, last, False
        self.pdf = pdf if pdf is not None else pikepdf.new()
        self._ink = ink
        self._recolour = Recolourer(self.pdf, ink) if ink != FULL_INK else None
        self._cuts = {(cut.family, cut.weight, cut.style): cut for cut in cuts}
        self._fonts: dict[str, _GatheredFont] = {}
        self._forms: dict[str, Any] = {}
        self._art: dict[Path, Any] = {}
        self._images: dict[str, Any] = {}
        self.font_uses: dict[str, FontUses] = {}
        """Fonts of each face without a draft layer, by the face's digest."""

    def add_face(self, face: FacePdf) -> Any:
        """Return a face as a form XObject of its bleed box, with its origin at the bottom left."""
        if face.key not in self._forms:
            form = self._reuse_face(face) or self._import_face(face)
            self._forms[face.key] = self._add_draft_layer(form, face) if face.layer else form
        return self._forms[face.key]

    def _reuse_face(self, face: FacePdf) -> Any:
        """Return a face of the last document; None for a face that it does not have."""
        found = self._last.find_face(face.digest) if self._last else None
        if found is None:
            return None
        form, self.font_uses[face.digest] = self.pdf.copy_foreign(found[0]), found[1]
        stand_ins = {
            make_image_name(n): partial(self._art.setdefault, p) for n, p in face.art.items()
        }
        self._is_reusing = True
        self._replace_resources(form, stand_ins, set(), found[1])
        self._is_reusing = False
        return form

    def _import_face(self, face: FacePdf) -> Any:
        with _open_stored_pdf(face.path) as source:
            page = source.pages[0]
            if self._change:
                self._change(page)
            # The top left corner of the page, without the spare room below.
            width, height, spare = map(convert_to_points, (face.width, face.height, SPARE_PAGE_MM))
            box = round_numbers(0, spare, width, spare + height)
            form = self._import_form(source, page, box, round_numbers(1, 0, 0, 1, 0, -spare))
        stand_ins = {
            name: self.add_drawing(path, sign=coloured_icons.is_icon_file(name))
            for name, path in face.art.items()
        }
        for name, (across, up) in face.missing_art.items():
            frame = draft_layer.draw_picture_frame(across, up)
            matrix = Array([1 / across, 0, 0, 1 / up, 0, 0])
            stand_ins[name] = make_form(self.pdf, frame, Array([0, 0, across, up]), Matrix=matrix)
        named = {
            make_image_name(n): partial(_return_form, drawing) for n, drawing in stand_ins.items()
        }
        uses: FontUses = {}
        self._replace_resources(form, named, set(), uses)
        if not face.layer:
            self.font_uses[face.digest] = uses
        if self._recolour:
            self._recolour.recolour_face(form)
        return form

    def _import_form(self, source: Any, page: Any, box: Any, matrix: Any = None) -> Any:
        """Copy a page of another PDF as a form, with its compression."""
        content = page.Contents
        form = make_form(source, content.read_raw_bytes(), box, Resources=page.Resources)
        for name in ("/Filter", "/DecodeParms"):
            if name in content:
                form[name] = content[name]
        if matrix is not None:
            form.Matrix = matrix
        return self.pdf.copy_foreign(source.make_indirect(form))

    def _add_draft_layer(self, form: Any, face: FacePdf) -> Any:
        """Return a face with its draft layer, which keeps its colours in every ink mode."""
        fonts = text_outlines.list_fonts(self._cuts.values())
        content = draft_layer.draw_draft_layer(face, fonts, self._ink)
        box = round_numbers(0, 0, convert_to_points(face.width), convert_to_points(face.height))
        opacity = draft_layer.PALE_OPACITY
        pale = Dictionary(Type=Name.ExtGState, ca=opacity, CA=opacity)
        resources = Dictionary(XObject=Dictionary({"/F": form}), ExtGState=Dictionary(Pale=pale))
        return make_form(self.pdf, f"/F Do\n{content}", box, Resources=resources)

    def make_unit_square(self, face: FacePdf, size: Size, bleed: float, form: PieceForm) -> Any:
        """Return a face's trim as a form that fills the unit square, like a picture. Lengths in mm.

        It is clipped to the piece's shape. Its edge is drawn, so that a pale card shows.
        """
        w, h, edge = map(convert_to_points, (size.width, size.height, bleed))
        corners = [
            f"{convert_to_points(x):.3f} {convert_to_points(y):.3f}"
            for x, y in flatten_outline(make_outline(form, size))
        ]
        path = f"{corners[0]} m {' '.join(f'{corner} l' for corner in corners[1:])} h"
        content = (
            f"q {1 / w:.8f} 0 0 {1 / h:.8f} 0 0 cm q {path} W n "
            f"1 0 0 1 {-edge:.4f} {-edge:.4f} cm /F Do Q "
            f"{path} {_EDGE_PT} w {_EDGE_GREY} G S Q"
        )
        resources = Dictionary(XObject=Dictionary({"/F": self.add_face(face)}))
        return make_form(self.pdf, content, Array([0, 0, 1, 1]), Resources=resources)

    def replace_stand_ins(self, stand_ins: Mapping[str, Any]) -> None:
        """Replace pictures that stand in for forms, on every page."""
        seen: set[Any] = set()
        forms = {name: partial(_return_form, form) for name, form in stand_ins.items()}
        for page in self.pdf.pages:
            self._replace_resources(page.obj, forms, seen, {})

    def add_page(
        self, width: float, height: float, content: bytes, forms: Mapping[str, Any]
    ) -> Any:
        """Add a page of that size (mm) that draws the named forms."""
        size = convert_to_points(width), convert_to_points(height)
        page = self.pdf.add_blank_page(page_size=size)
        page.obj.Contents = self.pdf.make_stream(content)
        page.obj.Resources = Dictionary(XObject=Dictionary({f"/{k}": v for k, v in forms.items()}))
        return page

    def import_pages(self, pdf: bytes) -> list[Any]:
        """Return the pages of another PDF as forms."""
        with pikepdf.open(io.BytesIO(pdf)) as source:
            return [self._import_form(source, page, page.MediaBox) for page in source.pages]

    def import_text_pages(self, pdf: bytes) -> list[Any]:
        """Return the pages of a PDF of typeset lines as forms, in the document's fonts."""
        forms = self.import_pages(pdf)
        for form in forms:
            self._replace_resources(form, {}, set(), {})
        return forms

    def add_operators(self, operators: str) -> Any:
        """Return a form of operators that need no resources, of any extent."""
        return make_form(self.pdf, operators, Array([0, 0, _MAX_PAGE_PT, _MAX_PAGE_PT]))

    def save(self, title: str, language: str, *, pages_only: bool = False) -> bytes:
        """Return the finished PDF, the same bytes for the same content.

        With `pages_only` nothing but pages is in it, and objects are numbered as the pages reach
        them, in whatever order they were made.
        """
        for font in self._fonts.values():
            self._embed_font(font)
        preferences = {"Direction": Name.R2L} if is_right_to_left(language) else {}
        pdf = self.pdf
        if pages_only:
            pdf = pikepdf.new()
            pdf.pages.extend(self.pdf.pages)
        return save_document(pdf, title, language, **preferences)

    def _replace_resources(
        self, holder: Any, stand_ins: StandIns, seen: set[Any], uses: FontUses
    ) -> None:
        """Replace art, rasters and fonts of a page or form by those of the document.

        `uses` are the fonts of the page as far as they are known; others are added.
        """
        if holder.objgen in seen or "/Resources" not in holder:
            return
        seen.add(holder.objgen)
        resources = holder.Resources
        for name, font in list((resources.get("/Font") or {}).items()):
            # Others are replaced already: a nested form shares its page's fonts.
            if "/DescendantFonts" in font:
                resources.Font[name] = self._merge_font(name, font, uses)
        inner = list((resources.get("/Pattern") or {}).values())
        for name, item in list((resources.get("/XObject") or {}).items()):
            if replacement := stand_ins.get(name[1:-1]):
                resources.XObject[name] = replacement(item)
            elif item.get("/Subtype") == Name.Image:
                resources.XObject[name] = self._share_image(item)
            else:
                self._replace_resources(item, stand_ins, seen, uses)
        for state in (resources.get("/ExtGState") or {}).values():
            mask = state.get("/SMask")
            if isinstance(mask, Dictionary) and "/G" in mask:
                inner.append(mask.G)
        for item in inner:
            self._replace_resources(item, stand_ins, seen, uses)

    def _share_image(self, image: Any) -> Any:
        """Return the document's first image that is equal byte for byte, or this one.

        Equal are only images with the same pixels, colour space, decoding and transparency.
        """
        hasher = blake2b(digest_size=20)
        _update_digest(hasher, image)
        digest = hasher.hexdigest()
        if digest not in self._images:
            self._images[digest] = self._recolour.recolour_image(image) if self._recolour else image
        return self._images[digest]

    def add_drawing(self, path: Path, *, sign: bool = False) -> Any:
        """Return art as a form that fills the unit square, like the image that stands in for it.

        A `sign` is read like a letter, and so is not made paler to save ink. It keeps its
        proportions in the middle of the square.
        """
        if path not in self._art:
            with _open_stored_pdf(path) as source:
                page = source.pages[0]
                _, _, width, height = (float(v) for v in page.MediaBox)
                _use_device_colours(page.Resources)
                across, up = (max(width, height),) * 2 if sign else (width, height)
                left, foot = (1 - width / across) / 2, (1 - height / up) / 2
                matrix = Array([1 / across, 0, 0, 1 / up, left, foot])
                self._art[path] = self._import_form(source, page, page.MediaBox, matrix)
                if self._recolour:
                    self._recolour.recolour_drawing_form(self._art[path], sign=sign)
        return self._art[path]

    def _merge_font(self, name: str, font: Any, uses: FontUses) -> Any:
        """Return the document's font for one of a page, whose glyphs are added to it.

        `name` is that of the resource, which decides the font.
        """
        use = uses.get(name)
        short = (use.base if use else str(font.BaseFont)).partition("+")[2]
        cut = self._find_font_cut(str(font.DescendantFonts[0].FontDescriptor.FontFamily), short)
        if cut is None:
            return font
        use = uses[name] = use or read_font_use(font)
        if use.base not in self._fonts:
            descriptor = Object.parse(use.descriptor)
            target = self.pdf.make_indirect(Dictionary(Type=Name.Font))
            self._fonts[use.base] = _GatheredFont(cut, short, target, descriptor)
        gathered = self._fonts[use.base]
        if self._is_reusing:
            gathered.last = font
        gathered.glyphs.update(use.glyphs)
        names = read_icon_names(gathered.cut.path) if gathered.cut.family == ICON_FAMILY else {}
        for glyph, text in use.texts.items():
            gathered.texts.setdefault(
                glyph, _get_icon_text(names[glyph]) if glyph in names else text
            )
        return gathered.target

    def _find_font_cut(self, family: str, name: str) -> FontFile | None:
        words = name.removeprefix(family.replace(" ", "-")).strip(",-")
        return self._cuts.get((family, *parse_weight_and_style(words)))

    def _embed_font(self, font: _GatheredFont) -> None:
        name = f"{get_subset_tag(font.cut.path, frozenset(font.glyphs))}+{font.name}"
        descriptor = Dictionary(font.descriptor)
        descriptor.FontName = Name(f"/{name.replace(',', '')}")
        # A subset's box and widths are those of its glyphs, rounded as they came up in one face.
        metrics = read_metrics(font.cut.path)
        descriptor.FontBBox = Array(metrics.box)
        # A character that the font lacks has a glyph past its last one, which draws nothing.
        advances, fallback = metrics.advances, metrics.advances[0]
        widths = (
            (glyph, Array([advances[glyph] if glyph < len(advances) else fallback]))
            for glyph in sorted(font.glyphs)
        )
        key, descriptor[key] = self._make_font_file(font, descriptor.FontName)
        truetype = key == "/FontFile2"
        child = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2 if truetype else Name.CIDFontType0,
            BaseFont=descriptor.FontName,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=self.pdf.make_indirect(descriptor),
            W=Array([part for entry in widths for part in entry]),
        )
        if truetype:
            child.CIDToGIDMap = Name.Identity
        font.target.update(
            Dictionary(
                Subtype=Name.Type0,
                BaseFont=descriptor.FontName,
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([self.pdf.make_indirect(child)]),
                ToUnicode=self.pdf.make_stream(_make_to_unicode(font.texts)),
            )
        )

    def _make_font_file(self, font: _GatheredFont, name: Name) -> tuple[str, Any]:
        """Return a descriptor's key and the stream of the subset with that name, from the last
        document if it has it."""
        if font.last is not None and font.last.BaseFont == name:
            descriptor = font.last.DescendantFonts[0].FontDescriptor
            return next((k, v) for k, v in descriptor.items() if k.startswith("/FontFile"))
        subset = subset_font(font.cut.path, frozenset(font.glyphs))
        stream = self.pdf.make_stream(subset.deflated, Filter=Name.FlateDecode)
        if subset.truetype:
            stream.Length1 = subset.size
            return "/FontFile2", stream
        stream.Subtype = Name.OpenType
        return "/FontFile3", stream


def _return_form(form: Any, _stand_in: Any) -> Any:
    return form


def _open_stored_pdf(path: Path) -> Any:
    """Open a PDF of the store. Raises `DamagedEntryError`."""
    try:
        return pikepdf.open(io.BytesIO(read_entry(path)))
    except pikepdf.PdfError:
        raise DamagedEntryError(str(path)) from None


def parse_weight_and_style(words: str) -> tuple[int, str]:
    """Parse what Pango appends to a family's name, such as `Bold-Italic`; narrow fonts add a
    width."""
    italic = "Italic" in words or "Oblique" in words
    weight = _WIDTH_SUFFIX.sub("", words).replace("Italic", "").replace("Oblique", "").strip("-")
    return _FONT_WEIGHTS.get(weight, 400), "italic" if italic else "normal"


def _update_digest(hasher: Any, item: Any) -> None:
    if isinstance(item, Stream | Dictionary):
        hasher.update(b"<<")
        for name, value in sorted(item.items()):
            if name != "/Length":  # follows from the bytes, and may be an indirect object
                hasher.update(name.encode() + b" ")
                _update_digest(hasher, value)
        hasher.update(b">>")
        if isinstance(item, Stream):
            data = item.read_raw_bytes()
            hasher.update(b"%d " % len(data) + data)
    elif isinstance(item, Array):
        hasher.update(b"[")
        for part in item:
            _update_digest(hasher, part)
        hasher.update(b"]")
    elif isinstance(item, pikepdf.Object):
        hasher.update(item.unparse() + b" ")
    else:
        hasher.update(f"{item!r} ".encode())


def _use_device_colours(resources: Any) -> None:
    """Replace art's profiles, sRGB or grey, by device spaces: one hex colour prints as one."""
    spaces = resources.get("/ColorSpace") or {}
    for name, space in list(spaces.items()):
        if count_components(space) == 3:
            spaces[name] = Name.DeviceRGB
    for item in (resources.get("/XObject") or {}).values():
        if "/Resources" in item:
            _use_device_colours(item.Resources)
        elif (count := count_components(item.get("/ColorSpace"))) in {1, 3}:
            item.ColorSpace = Name.DeviceRGB if count == 3 else Name.DeviceGray


def _get_icon_text(icon: str) -> bytes:
    """Return the text of an icon for searching, copying and reading aloud."""
    return f"[{icon}]".encode("utf-16-be").hex().encode()


def _make_to_unicode(texts: Mapping[int, bytes]) -> bytes:
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
