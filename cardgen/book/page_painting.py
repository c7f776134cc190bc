"""What a page paints, recorded and painted again: its stream, and what it adds to the document's
fonts, pictures and states.

Each page is painted into a stream that knows nothing of the pages before it, and what it used is
put to theirs afterwards, as if it had been painted after them. So what is recorded hangs on the
page alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from cardgen.book.blocks import Doubt
from cardgen.pdf.weasyprint_library import get_pango_font_key, text_ffi, weasyprint

_NAMED_BY_NUMBER = ("Pattern", "Shading")
_SIZES_ARE_RIGHT = 14802
"""The version of Pango from which on WeasyPrint takes sizes of fonts from it."""
_ffi, _pango = text_ffi.ffi, text_ffi.pango
_pydyf, _Font = weasyprint.pdf.pydyf, weasyprint.pdf.stream.Font


@dataclass
class Letters:
    """What a page uses of a font. `glyphs` are the texts that they stand for, in the order of their
    first use; `widths` are theirs in the document, `own` those that they would have there, were
    this page its first: a width is rounded at the size at which a glyph is first met."""

    font: Any
    glyphs: dict[int, str]
    widths: dict[int, int]
    own: dict[int, int]

    def fit(self, known: Any) -> bool:
        """Whether the page comes out the same in a document that knows such a font, or none."""
        before = known.widths if known else {}
        own, widths = self.own, self.widths
        return all(before.get(glyph, own[glyph]) == widths[glyph] for glyph in self.glyphs)

    def join(self, known: Any) -> None:
        """Add the glyphs to a document's font."""
        for glyph, text in self.glyphs.items():
            known.to_unicode.setdefault(glyph, text)
            known.widths.setdefault(glyph, self.widths[glyph])


class Painting:
    """What a page paints. `letters`, `images` and `states` are those that it uses, in order, by
    their names in the document."""

    def __init__(self, letters: dict[Any, Letters], images: Any, states: Any) -> None:
        self.letters, self.images, self.states = letters, images, states
        self.content = b""

    def put(self, stream: Any) -> None:
        """Paint it into a page's stream. Raises `Doubt` where the pages before are at odds."""
        known = stream._fonts
        if not all(each.fit(known.get(key)) for key, each in self.letters.items()):
            raise Doubt
        self.join(known, stream._images, stream._resources)
        if self.content:
            stream.stream.append(self.content)

    def join(self, fonts: Any, images: Any, resources: Any) -> None:
        """Add what it uses to what the pages before use."""
        for key, letters in self.letters.items():
            if key not in fonts:
                fonts[key] = letters.font
                fonts[key].widths, fonts[key].to_unicode = {}, {}
            letters.join(fonts[key])
        for name, image in self.images.items():
            images.setdefault(name, image)["dpi_ratios"].update(image["dpi_ratios"])
            resources["XObject"].setdefault(name)
        for name, state in self.states.items():
            resources["ExtGState"].setdefault(name, state)

    def data(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "content": self.content.decode("latin-1"),
            "letters": [_letters_data(each) for each in self.letters.values()],
            "images": [
                [name, image["interpolate"], sorted(image["dpi_ratios"])]
                for name, image in self.images.items()
            ],
            "states": [[name, dict(state)] for name, state in self.states.items()],
        }


def of_data(data: Any, font_config: Any, pictures: Mapping[str, Any]) -> Painting:
    """A page's painting out of JSON. `pictures` are those of the document, by their names in it.
    Raises `Doubt` where a font or picture is no longer there."""
    letters = dict(_letters(each, font_config) for each in data["letters"])
    images = {}
    for name, interpolate, ratios in data["images"]:
        if name not in pictures:
            raise Doubt
        images[name] = {
            "image": pictures[name], "interpolate": bool(interpolate), "dpi_ratios": set(ratios),
            "x_object": None,
        }  # fmt: skip
    states = {name: _pydyf.Dictionary(state) for name, state in data["states"]}
    made = Painting(letters, images, states)
    made.content = data["content"].encode("latin-1")
    return made


def painted(page: Any, stream: Any, scale: float) -> Painting | None:
    """Paint a page into its stream; None where what it painted hangs on other pages."""
    begin = len(stream.stream)
    shared = stream._fonts, stream._images, stream._resources
    own = {name: _pydyf.Dictionary() for name in ("ExtGState", "XObject", *_NAMED_BY_NUMBER)}
    pen = _Pen(shared[0])
    stream._fonts, stream._images = {}, {}
    stream._resources = _pydyf.Dictionary({**own, "ColorSpace": shared[2]["ColorSpace"]})
    stream.add_font = pen.font
    try:
        page.draw(stream, scale)
    finally:
        images = stream._images
        stream._fonts, stream._images, stream._resources = shared
        del stream.add_font
    if not _by_itself(own) or not pen.is_plain():
        del stream.stream[begin:]
        if stream._tags is not None:
            stream._tags.clear()
        page.draw(stream, scale)
        return None
    made = Painting(pen.letters(), images, own["ExtGState"])
    made.join(*shared)
    made.content = b"\n".join(map(_pydyf._to_bytes, stream.stream[begin:]))
    return made


def _by_itself(own: Mapping[str, Any]) -> bool:
    """Whether nothing that a page used is named by its number in the document."""
    return not (
        any(own[name] for name in _NAMED_BY_NUMBER)
        or any(own["XObject"].values())
        or any(name[0] not in "aA" for name in own["ExtGState"])
    )


class _Pen:
    """Fonts for one page: with the widths that the document knows, and with texts of its own."""

    def __init__(self, shared: Mapping[Any, Any]) -> None:
        self._shared = shared
        self._fonts: dict[Any, Any] = {}
        self._held: Any = None

    def font(self, pango_font: Any) -> tuple[Any, float]:
        """The font for the next letters, and its size: in place of the stream's `add_font`."""
        key, description, size = get_pango_font_key(pango_font)
        self._held = pango_font, size
        if key not in self._fonts:
            known = self._shared.get(key)
            font = copy(known) if known else _Font(pango_font, description, size)
            font.font_size, font.widths = size, dict(font.widths)
            font.to_unicode = _Noted(self)
            self._fonts[key] = font
        return self._fonts[key], size

    def held(self) -> tuple[Any, float]:
        """The font of Pango that is written with, and its size in px."""
        return self._held  # type: ignore[no-any-return]

    def is_plain(self) -> bool:
        """Whether letters were all that was written."""
        return _pango.pango_version() >= _SIZES_ARE_RIGHT and not any(
            font.missing or font.bitmap or font.png or font.svg or font.colr or font.variations
            for font in self._fonts.values()
        )

    def letters(self) -> dict[Any, Letters]:
        found = {}
        for key, font in self._fonts.items():
            known = self._shared[key].widths if key in self._shared else {}
            glyphs = font.to_unicode
            widths = {glyph: font.widths[glyph] for glyph in glyphs}
            own = {
                glyph: _width(glyph, *glyphs.first[glyph]) if glyph in known else width
                for glyph, width in widths.items()
            }
            found[key] = Letters(copy(font), dict(glyphs), widths, own)
        return found


class _Noted(dict[int, str]):
    """Texts of glyphs, with the font and size at which each was first met on a page."""

    def __init__(self, pen: _Pen) -> None:
        super().__init__()
        self._pen = pen
        self.first: dict[int, tuple[Any, float]] = {}

    def __setitem__(self, glyph: int, text: str) -> None:
        super().__setitem__(glyph, text)
        self.first[glyph] = self._pen.held()


def _width(glyph: int, pango_font: Any, size: float) -> int:
    """How wide a glyph is, in thousandths of its size, as WeasyPrint rounds it."""
    ink, logical = (_ffi.new("PangoRectangle *") for _ in range(2))
    _pango.pango_font_get_glyph_extents(pango_font, glyph, ink, logical)
    width: int = round(logical.width * 1000 * text_ffi.FROM_UNITS / size)
    return width


def _letters_data(letters: Letters) -> Any:
    font = letters.font
    glyphs = [
        [glyph, text, letters.widths[glyph], letters.own[glyph]]
        for glyph, text in letters.glyphs.items()
    ]
    return [font.family, font.style, font.weight, font.font_size, font.name.decode(), glyphs]


def _letters(data: Any, font_config: Any) -> tuple[Any, Letters]:
    """What a page used of a font, and the font's key in a document. Raises `Doubt` where the font
    is another than it was."""
    *asked, glyphs = data
    key, font = _loaded(tuple(asked), font_config)
    texts = {int(glyph): str(text) for glyph, text, _, _ in glyphs}
    widths = {int(glyph): width for glyph, _, width, _ in glyphs}
    own = {int(glyph): width for glyph, _, _, width in glyphs}
    return key, Letters(copy(font), texts, widths, own)


def _loaded(asked: tuple[Any, ...], font_config: Any) -> tuple[Any, Any]:
    """A font by family, style, weight, size and name, loaded once for all pages, and its key.
    Raises `Doubt`."""
    loaded = vars(font_config).setdefault("_loaded_for_pages", {})
    if asked not in loaded:
        family, style, weight, size, name = asked
        pango_font = _pango_font(family, (style, weight), size, font_config.font_map)
        key, found, found_size = get_pango_font_key(pango_font)
        font = _Font(pango_font, found, found_size)
        if found_size != size or font.name.decode() != name:
            raise Doubt
        loaded[asked] = key, font, pango_font  # which must live as long
    key, font, _ = loaded[asked]
    return key, font


def _pango_font(family: str, cut: tuple[int, int], size: float, font_map: Any) -> Any:
    """A font of Pango; `cut` is its style and weight as Pango counts them, `size` in px."""
    style, weight = cut
    description = _ffi.gc(_pango.pango_font_description_new(), _pango.pango_font_description_free)
    written = _ffi.new("char[]", family.encode())
    _pango.pango_font_description_set_family(description, written)
    _pango.pango_font_description_set_style(description, int(style))
    _pango.pango_font_description_set_weight(description, int(weight))
    _pango.pango_font_description_set_absolute_size(description, round(size * text_ffi.TO_UNITS))
    unref = text_ffi.gobject.g_object_unref
    context = _ffi.gc(_pango.pango_font_map_create_context(font_map), unref)
    font = _pango.pango_font_map_load_font(font_map, context, description)
    if font == _ffi.NULL:
        raise Doubt
    return _ffi.gc(font, unref)
