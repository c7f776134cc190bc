"""Conversion of a composed document's pages, and all that they draw, to the inks of a press.

Streams, patterns and pictures are converted once, however often they are drawn. Gradients: ISO
32000-1, 7.10.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from cardgen.pdf.cmyk.ink_painter import (
    OVERPRINT_STATES,
    InkPainter,
    MaskPainter,
    UnprintableError,
    convert_to_bytes,
    convert_to_rgb,
    get_brightness,
    make_spot_name,
)
from cardgen.pdf.cmyk.separation import InkSeparator, SeparationRecord, parse_hex_colour
from cardgen.pdf.pdf_objects import count_components, make_image

ConvertColours = Callable[[list[list[float]]], bytes]
"""Returns colours as bytes of another colour space."""
_SAMPLE_COUNT = 64
_AXIAL, _RADIAL = 2, 3


def convert_shading(shading: Any, pdf: Any, convert: ConvertColours) -> Dictionary:
    """Return a gradient in the space of `convert`, which the caller sets.

    Raises `UnprintableError`.
    """
    if int(shading.ShadingType) not in {_AXIAL, _RADIAL}:
        raise UnprintableError("a gradient that is neither straight nor round")
    converted, function = Dictionary(shading), shading.Function
    if isinstance(function, Array):
        # One function for each component.
        places = _list_places(_get_domain(shading), 4 * _SAMPLE_COUNT)
        row = [[_evaluate_function(each, at)[0] for each in function] for at in places]
        converted.Function = _make_sampled_function(shading, row, pdf, convert)
    else:
        converted.Function = _convert_function(function, pdf, convert)
    if "/Background" in shading:
        data = convert([[float(part) for part in shading.Background]])
        converted.Background = Array([round(part / 255, 4) for part in data])
    return converted


def _convert_function(function: Any, pdf: Any, convert: ConvertColours) -> Any:
    """Convert a function piece by piece, so that colours still meet sharply where they did."""
    if int(function.FunctionType) == 3:
        converted = Dictionary(function)
        pieces = [_convert_function(each, pdf, convert) for each in function.Functions]
        converted.Functions = Array(pieces)
        if "/Range" in converted:
            del converted.Range
        return pdf.make_indirect(converted)
    places = _list_places(_get_domain(function), _SAMPLE_COUNT)
    row = [_evaluate_function(function, at) for at in places]
    return _make_sampled_function(function, row, pdf, convert)


def _list_places(domain: tuple[float, float], steps: int) -> list[float]:
    first, last = domain
    return [first + (last - first) * n / (steps - 1) for n in range(steps)]


def _make_sampled_function(
    item: Any, row: list[list[float]], pdf: Any, convert: ConvertColours
) -> Stream:
    """Return a function of colours at equal steps of an item's domain."""
    data = convert(row)
    return pdf.make_stream(
        data, FunctionType=0, Domain=Array(list(_get_domain(item))), Size=Array([len(row)]),
        Range=Array([0, 1] * (len(data) // len(row))), BitsPerSample=8,
    )  # fmt: skip


def _get_domain(item: Any) -> tuple[float, float]:
    first, last = (float(part) for part in item.get("/Domain", [0, 1]))
    return first, last


def _evaluate_function(function: Any, at: float) -> list[float]:
    """Return the value of a function of one variable. Raises `UnprintableError`."""
    kind = int(function.FunctionType)
    first, last = _get_domain(function)
    at = min(max(at, first), last)
    if kind == 2:
        start = [float(part) for part in function.get("/C0", [0])]
        end = [float(part) for part in function.get("/C1", [1])]
        share = at ** float(function.N)
        return [a + share * (b - a) for a, b in zip(start, end, strict=True)]
    if kind == 3:
        return _evaluate_stitched(function, at)
    if kind == 0 and int(function.BitsPerSample) == 8 and len(function.Size) == 1:
        return _look_up_sample(function, (at - first) / (last - first or 1))
    raise UnprintableError(
        "a gradient whose colours are reckoned by a program, as one that repeats"
    )


def _evaluate_stitched(function: Any, at: float) -> list[float]:
    first, last = _get_domain(function)
    bounds = [float(part) for part in function.Bounds]
    piece = sum(at >= bound for bound in bounds)
    low, high = [first, *bounds][piece], [*bounds, last][piece]
    start, end = (float(part) for part in list(function.Encode)[2 * piece : 2 * piece + 2])
    share = (at - low) / (high - low) if high > low else 0.0
    return _evaluate_function(function.Functions[piece], start + share * (end - start))


def _look_up_sample(function: Any, share: float) -> list[float]:
    parts, steps = len(function.Range) // 2, int(function.Size[0])
    data = function.read_bytes()
    place = share * (steps - 1)
    low = min(int(place), max(steps - 2, 0))
    high = min(low + 1, steps - 1)
    bounds = [float(part) for part in function.Range]
    found = []
    for part, (least, most) in enumerate(zip(bounds[::2], bounds[1::2], strict=True)):
        one, other = data[low * parts + part], data[high * parts + part]
        value = (one + (place - low) * (other - one)) / 255
        found.append(least + value * (most - least))
    return found


def make_spot_space(name: str, alternate: tuple[float, ...]) -> Array:
    """Return a spot ink as a colour space; `alternate` is how it looks where the ink is missing."""
    function = Dictionary(
        FunctionType=2, Domain=Array([0, 1]), N=1,
        C0=Array([0, 0, 0, 0]), C1=Array(list(alternate)),
    )  # fmt: skip
    return Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, function])


_DEVICE_SPACES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_CALIBRATED_SPACES = {"/CalRGB": "/DeviceRGB", "/CalGray": "/DeviceGray"}
_STREAM_KEYS = {"/Length", "/Filter", "/DecodeParms", "/Resources"}
Convert = Callable[[Any, bool, SeparationRecord], Any]
"""Converts an object, or a mask, to the new colours and records them."""
_KEPT_IMAGE_KEYS = ("/SMask", "/Mask", "/Interpolate")


class InkConversion:
    """Converts the pages of one PDF to inks."""

    def __init__(self, pdf: Any, separator: InkSeparator) -> None:
        self._pdf, self._separator = pdf, separator
        self._made: dict[tuple[Any, bool], tuple[Any, SeparationRecord]] = {}
        self._states = {}
        for name, (strokes, fills) in OVERPRINT_STATES.items():
            state = Dictionary(Type=Name.ExtGState, OP=strokes, op=fills, OPM=1)
            self._states[name] = pdf.make_indirect(state)
        self._spots = {}
        for number, (name, colour) in enumerate(separator.condition.spots):
            inks, _ = separator.separate_colour(parse_hex_colour(colour))
            self._spots[make_spot_name(number)] = pdf.make_indirect(make_spot_space(name, inks))

    def convert_page(self, page: Any) -> SeparationRecord:
        """Convert a page, and return the record of its colours. Raises `UnprintableError`."""
        record = SeparationRecord()
        resources, content = self._convert_content(page, page.obj.get("/Resources"), False, record)
        page.obj.Contents = self._pdf.make_stream(content)
        page.obj.Resources = resources
        page.obj.Group = Dictionary(
            Type=Name.Group, S=Name.Transparency, CS=Name.DeviceCMYK, I=True, K=False
        )
        return record

    def _convert_content(
        self, stream: Any, resources: Any, mask: bool, record: SeparationRecord
    ) -> tuple[Any, bytes]:
        """Return the converted content of a stream, and its resources."""
        old = resources if resources is not None else Dictionary()
        new = self._convert_resources(old, mask, record)
        named_spaces = (old.get("/ColorSpace") or {}).items()
        spaces = {name: classify_space(space) for name, space in named_spaces}
        pictures: list[Any] = []

        def add_inline_picture(picture: Any) -> str:
            image = make_image(self._pdf, picture.as_pil_image().convert("RGB"))
            pictures.append(self._convert_picture(image, mask, record))
            return f"/CgInline{len(pictures)}"

        if mask:
            content = MaskPainter(spaces, add_inline_picture).rewrite_stream(stream)
        else:
            drawn = (old.get("/XObject") or {}).items()
            stencils = frozenset(name for name, item in drawn if item.get("/ImageMask"))
            painter = InkPainter(self._separator, record, spaces, stencils, add_inline_picture)
            content = painter.rewrite_stream(stream)
            _add_resources(new, "/ExtGState", self._states)
            _add_resources(new, "/ColorSpace", self._spots)
        named = {f"/CgInline{number}": item for number, item in enumerate(pictures, 1)}
        _add_resources(new, "/XObject", named)
        return new, content

    def _convert_once(
        self, item: Any, mask: bool, record: SeparationRecord, convert: Convert
    ) -> Any:
        """Return an object in the new colours, converted once if it is not a direct object."""
        cache_key = (item.objgen, mask)
        if cache_key not in self._made or not item.is_indirect:
            inner = SeparationRecord()
            self._made[cache_key] = (convert(item, mask, inner), inner)
        converted, inner = self._made[cache_key]
        record.merge(inner)
        return converted

    def _convert_stream(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        """Return a form, pattern or glyph in the new colours."""
        converted = self._pdf.make_stream(b"")
        self._made[item.objgen, mask] = (converted, record)  # it may be drawn in itself
        for key, value in item.items():
            if key not in _STREAM_KEYS:
                converted[key] = value
        if "/Group" in item:
            group = Dictionary(item.Group)
            group.CS = Name.DeviceGray if mask else Name.DeviceCMYK
            converted.Group = group
        resources, content = self._convert_content(item, item.get("/Resources"), mask, record)
        converted.write(content)
        converted.Resources = resources
        return converted

    def _convert_resources(self, old: Any, mask: bool, record: SeparationRecord) -> Dictionary:
        new = Dictionary(old)
        if "/ColorSpace" in old:
            spaces = old.ColorSpace.items()
            new.ColorSpace = Dictionary({n: each for n, each in spaces if not classify_space(each)})
        changes: Mapping[str, Convert] = {
            "/XObject": self._convert_xobject, "/Pattern": self._convert_pattern,
            "/Shading": self._convert_shading, "/ExtGState": self._convert_state,
            "/Font": self._convert_font,
        }  # fmt: skip
        for key, change in changes.items():
            if key in old:
                named = {name: change(item, mask, record) for name, item in old[key].items()}
                new[key] = Dictionary(named)
        return new

    def _convert_xobject(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        is_form = item.get("/Subtype") == Name.Form
        convert = self._convert_stream if is_form else self._convert_picture
        return self._convert_once(item, mask, record, convert)

    def _convert_pattern(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        if int(item.PatternType) == 1:
            return self._convert_once(item, mask, record, self._convert_stream)
        pattern = Dictionary(item)
        pattern.Shading = self._convert_shading(item.Shading, mask, record)
        return self._pdf.make_indirect(pattern)

    def _convert_shading(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        return self._convert_once(item, mask, record, self._convert_gradient)

    def _convert_gradient(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        space = classify_space(item.ColorSpace)
        if not space or (not mask and space == "/DeviceCMYK"):
            return item

        def convert(row: list[list[float]]) -> bytes:
            return self._convert_row([convert_to_rgb(each, space) for each in row], mask, record)

        gradient = convert_shading(item, self._pdf, convert)
        gradient.ColorSpace = Name.DeviceGray if mask else Name.DeviceCMYK
        return self._pdf.make_indirect(gradient)

    def _convert_row(
        self, colours: list[tuple[float, float, float]], mask: bool, record: SeparationRecord
    ) -> bytes:
        """Return the colours of a gradient side by side, as bytes in the new space."""
        if mask:
            return bytes(round(255 * min(1.0, max(0.0, get_brightness(each)))) for each in colours)
        row, before, after = self._separator.separate_colours(
            [convert_to_bytes(each) for each in colours]
        )
        record.record_ink(before, after)
        return row

    def _convert_state(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        """Return a graphics state, with its soft mask in greys.

        What a mask shows is not in the record.
        """
        soft = item.get("/SMask")
        if not isinstance(soft, Dictionary):
            return item
        state, masked = Dictionary(item), Dictionary(soft)
        masked.G = self._convert_once(soft.G, True, SeparationRecord(), self._convert_stream)
        if "/BC" in soft:
            space = classify_space((soft.G.get("/Group") or {}).get("/CS")) or "/DeviceGray"
            masked.BC = Array([round(get_brightness(convert_to_rgb(list(soft.BC), space)), 4)])
        state.SMask = masked
        return state

    def _convert_font(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        """Return a font, with glyphs in the new colours where they are drawings."""
        if item.get("/Subtype") != Name.Type3:
            return item
        font = Dictionary(item)
        glyphs = {}
        for name, glyph in item.CharProcs.items():
            resources, content = self._convert_content(glyph, item.get("/Resources"), mask, record)
            glyphs[name] = self._pdf.make_stream(content)
            font.Resources = resources
        font.CharProcs = Dictionary(glyphs)
        return self._pdf.make_indirect(font)

    def _convert_picture(self, item: Any, mask: bool, record: SeparationRecord) -> Any:
        """Return a picture in the new colours, with the same transparency."""
        if item.get("/ImageMask"):
            return item
        if isinstance(item.get("/Mask"), Array):
            raise UnprintableError("a picture in which one colour stands for what is clear")
        kind = classify_space(item.get("/ColorSpace"))
        if kind == "/DeviceCMYK" and not mask:
            item.ColorSpace = Name.DeviceCMYK
            return item
        image = pikepdf.PdfImage(item).as_pil_image().convert("RGB")
        if mask:
            converted = image.convert("L")
        else:
            converted, before, after = self._separator.separate_picture(image)
            record.record_ink(before, after)
        entries = {key[1:]: item[key] for key in _KEPT_IMAGE_KEYS if key in item}
        # Packed at once: a deck of photographs would fill the memory else.
        data = zlib.compress(converted.tobytes())
        return make_image(self._pdf, converted, data, Filter=Name.FlateDecode, **entries)


def classify_space(space: Any) -> str:
    """Return the device space or the one of `LAB_SPACES` by which a colour space is converted.

    Return "" for a spot ink, a pattern or an unknown space.
    """
    if isinstance(space, Array):
        family = str(space[0])
        if family == "/Lab":
            return "/Lab65" if float(space[1].WhitePoint[2]) > 1 else "/Lab50"
        if family == "/Indexed":
            return classify_space(space[1])
        if family in _CALIBRATED_SPACES:
            return _CALIBRATED_SPACES[family]
    return _DEVICE_SPACES.get(count_components(space), "")


def _add_resources(resources: Dictionary, key: str, more: Mapping[str, Any]) -> None:
    """Add named resources."""
    if more:
        resources[key] = Dictionary({**dict((resources.get(key) or {}).items()), **more})
