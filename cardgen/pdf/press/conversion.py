"""A composed document's pages and all that they draw, turned into the inks of a press.

Every stream is written anew once for its place: among what is seen, in inks; within a soft mask, in
greys as bright as the colours were, since a mask's brightness is what shows through it. What was
there is left as it stands, and goes when the file is saved.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image

from cardgen.pdf.press.gradients import Space, gradient, spot_space
from cardgen.pdf.press.painters import (
    OVERPRINTS,
    InkPainter,
    MaskPainter,
    Unprintable,
    as_rgb,
    brightness,
    bytes_of,
    spot_name,
)
from cardgen.pdf.press.seen import Seen
from cardgen.pdf.press.separating import Separator, rgb_of

_DEVICE = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_PACKING = {"/Length", "/Filter", "/DecodeParms", "/Resources"}
_KEPT_OF_PICTURES = ("/SMask", "/Mask", "/Interpolate")


class Conversion:
    """Turns the pages of one PDF into inks."""

    def __init__(self, pdf: Any, separator: Separator) -> None:
        self._pdf, self._separator = pdf, separator
        self._made: dict[tuple[Any, bool], tuple[Any, Seen]] = {}
        self._states = {
            name: pdf.make_indirect(
                Dictionary(Type=Name.ExtGState, OP=strokes, op=fills, OPM=1)
            )
            for name, (strokes, fills) in OVERPRINTS.items()
        }  # fmt: skip
        self._spots = {
            spot_name(number): pdf.make_indirect(
                spot_space(name, separator.colour(rgb_of(colour))[0])
            )
            for number, (name, colour) in enumerate(separator.condition.spots)
        }  # fmt: skip

    def page(self, page: Any) -> Seen:
        """Turn a page into inks; what was seen on it. Raises `Unprintable`."""
        seen = Seen()
        resources, content = self._content(page, page.obj.get("/Resources"), False, seen)
        page.obj.Contents = self._pdf.make_stream(content)
        page.obj.Resources = resources
        page.obj.Group = Dictionary(
            Type=Name.Group, S=Name.Transparency, CS=Name.DeviceCMYK, I=True, K=False
        )
        return seen

    def _content(self, stream: Any, resources: Any, mask: bool, seen: Seen) -> tuple[Any, bytes]:
        """What a stream draws with and how, both in the new colours."""
        old = resources if resources is not None else Dictionary()
        new = self._resources(old, mask, seen)
        spaces = {name: kind_of(space) for name, space in _items(old, "/ColorSpace")}
        pictures: list[Any] = []

        def inline(picture: Any) -> str:
            pictures.append(self._picture(_standing(self._pdf, picture), mask, seen))
            return f"/CgInline{len(pictures)}"

        if mask:
            content = MaskPainter(spaces, inline).changed(stream)
        else:
            stencils = frozenset(
                name for name, item in _items(old, "/XObject") if item.get("/ImageMask")
            )
            content = InkPainter(self._separator, seen, spaces, stencils, inline).changed(stream)
            _put(new, "/ExtGState", self._states)
            _put(new, "/ColorSpace", self._spots)
        named = {f"/CgInline{number}": item for number, item in enumerate(pictures, 1)}
        _put(new, "/XObject", named)
        return new, content

    def _stream(self, item: Any, mask: bool, seen: Seen) -> Any:
        """A form, pattern or glyph in the new colours, once."""
        known = (item.objgen, mask)
        if known not in self._made:
            made, inner = self._pdf.make_stream(b""), Seen()
            self._made[known] = (made, inner)
            for key, value in item.items():
                if key not in _PACKING:
                    made[key] = value
            if "/Group" in item:
                group = Dictionary(dict(item.Group.items()))
                group.CS = Name.DeviceGray if mask else Name.DeviceCMYK
                made.Group = group
            resources, content = self._content(item, item.get("/Resources"), mask, inner)
            made.write(content)
            made.Resources = resources
        made, inner = self._made[known]
        seen.add(inner)
        return made

    def _resources(self, old: Any, mask: bool, seen: Seen) -> Dictionary:
        new = Dictionary(dict(old.items()))
        if "/ColorSpace" in old:
            kept = {name: space for name, space in old.ColorSpace.items() if not kind_of(space)}
            new.ColorSpace = Dictionary(kept)
        for key, change in (
            ("/XObject", self._drawn), ("/Pattern", self._pattern), ("/Shading", self._gradient),
            ("/ExtGState", self._state), ("/Font", self._font),
        ):  # fmt: skip
            if key in old:
                new[key] = Dictionary(
                    {name: change(item, mask, seen) for name, item in old[key].items()}
                )
        return new

    def _drawn(self, item: Any, mask: bool, seen: Seen) -> Any:
        if item.get("/Subtype") == Name.Form:
            return self._stream(item, mask, seen)
        known = (item.objgen, mask)
        if known not in self._made or not item.is_indirect:
            inner = Seen()
            self._made[known] = (self._picture(item, mask, inner), inner)
        made, inner = self._made[known]
        seen.add(inner)
        return made

    def _pattern(self, item: Any, mask: bool, seen: Seen) -> Any:
        if int(item.PatternType) == 1:
            return self._stream(item, mask, seen)
        made = Dictionary(dict(item.items()))
        made.Shading = self._gradient(item.Shading, mask, seen)
        return self._pdf.make_indirect(made)

    def _gradient(self, item: Any, mask: bool, seen: Seen) -> Any:
        known = (item.objgen, mask)
        if known in self._made and item.is_indirect:
            made, inner = self._made[known]
            seen.add(inner)
            return made
        space = kind_of(item.ColorSpace)
        inner = Seen()
        if not mask and space == "/DeviceCMYK":
            return item
        if not space:
            return item
        parts = 1 if mask else 4
        convert = lambda row: self._row([as_rgb(each, space) for each in row], mask, inner)  # noqa: E731
        made = gradient(item, Space(self._pdf, parts, convert))
        made.ColorSpace = Name.DeviceGray if mask else Name.DeviceCMYK
        made = self._pdf.make_indirect(made)
        if item.is_indirect:
            self._made[known] = (made, inner)
        seen.add(inner)
        return made

    def _row(self, colours: list[tuple[float, float, float]], mask: bool, seen: Seen) -> bytes:
        """Colours of a gradient side by side, as bytes in the new ones."""
        if mask:
            return bytes(round(255 * min(1.0, max(0.0, brightness(each)))) for each in colours)
        made, before, after = self._separator.colours([bytes_of(each) for each in colours])
        seen.took(before, after)
        return made

    def _state(self, item: Any, mask: bool, seen: Seen) -> Any:
        """A graphics state, its soft mask in greys; what a mask shows is not seen itself."""
        soft = item.get("/SMask")
        if not isinstance(soft, Dictionary):
            return item
        made, masked = Dictionary(dict(item.items())), Dictionary(dict(soft.items()))
        masked.G = self._stream(soft.G, True, Seen())
        if "/BC" in soft:
            space = kind_of((soft.G.get("/Group") or {}).get("/CS")) or "/DeviceGray"
            masked.BC = Array([round(brightness(as_rgb(list(soft.BC), space)), 4)])
        made.SMask = masked
        return made

    def _font(self, item: Any, mask: bool, seen: Seen) -> Any:
        """A font, its glyphs in the new colours where they are drawings."""
        if item.get("/Subtype") != Name.Type3:
            return item
        made = Dictionary(dict(item.items()))
        glyphs = {}
        for name, glyph in item.CharProcs.items():
            resources, content = self._content(glyph, item.get("/Resources"), mask, seen)
            glyphs[name] = self._pdf.make_stream(content)
            made.Resources = resources
        made.CharProcs = Dictionary(glyphs)
        return self._pdf.make_indirect(made)

    def _picture(self, item: Any, mask: bool, seen: Seen) -> Any:
        """A picture in the new colours; its transparency stays."""
        if item.get("/ImageMask"):
            return item
        if isinstance(item.get("/Mask"), Array):
            raise Unprintable("a picture in which one colour stands for what is clear")
        kind = kind_of(item.get("/ColorSpace"))
        if kind == "/DeviceCMYK" and not mask:
            item.ColorSpace = Name.DeviceCMYK
            return item
        image = pikepdf.PdfImage(item).as_pil_image().convert("RGB")
        if mask:
            return self._replaced(item, image.convert("L"), Name.DeviceGray)
        made, before, after = self._separator.picture(image)
        seen.took(before, after)
        return self._replaced(item, made, Name.DeviceCMYK)

    def _replaced(self, item: Any, picture: Image.Image, space: Name) -> Any:
        # Packed at once: a deck of photographs would fill the memory else.
        made = self._pdf.make_stream(zlib.compress(picture.tobytes()), Filter=Name.FlateDecode)
        made.update(
            Dictionary(
                Type=Name.XObject, Subtype=Name.Image, Width=picture.width,
                Height=picture.height, ColorSpace=space, BitsPerComponent=8,
            )
        )  # fmt: skip
        for key in _KEPT_OF_PICTURES:
            if key in item:
                made[key] = item[key]
        return made


def kind_of(space: Any) -> str:
    """The device's colour space that one is worked with as, or one of `LABS`; "" for one of its
    own ink, a pattern, or none."""
    if isinstance(space, Array):
        family = str(space[0])
        if family == "/ICCBased":
            return _DEVICE.get(int(space[1].get("/N", 0)), "")
        if family == "/Lab":
            return "/Lab65" if float(space[1].WhitePoint[2]) > 1 else "/Lab50"
        plain = {"/CalRGB": "/DeviceRGB", "/CalGray": "/DeviceGray"}
        if family == "/Indexed":
            return kind_of(space[1])
        return plain.get(family, "")
    return str(space) if str(space) in _DEVICE.values() else ""


def _items(resources: Any, key: str) -> list[tuple[str, Any]]:
    return list((resources.get(key) or {}).items())


def _put(resources: Dictionary, key: str, more: Mapping[str, Any]) -> None:
    """Add named things to resources."""
    if more:
        resources[key] = Dictionary({**dict((resources.get(key) or {}).items()), **more})


def _standing(pdf: Any, inline: Any) -> Any:
    """A picture that stood among operators, as an object."""
    image = inline.as_pil_image().convert("RGB")
    made = pdf.make_stream(image.tobytes())
    made.update(
        Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=image.width, Height=image.height,
            ColorSpace=Name.DeviceRGB, BitsPerComponent=8,
        )
    )  # fmt: skip
    return made
