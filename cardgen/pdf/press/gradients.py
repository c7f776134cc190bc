"""The functions of gradients, of one figure each, in other colours (ISO 32000-1, 7.10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from cardgen.pdf.press.painters import Unprintable

_STEPS = 64
_AXIAL, _RADIAL = 2, 3


@dataclass(frozen=True)
class Space:
    """The colour space that a gradient is brought into: `parts` are a colour's figures in it, and
    `convert` turns the colours of a row, in the gradient's own space, into bytes of this one."""

    pdf: Any
    parts: int
    convert: Callable[[list[list[float]]], bytes]


def gradient(shading: Any, space: Space) -> Dictionary:
    """A gradient in a colour space, which the caller names. Raises `Unprintable`."""
    if int(shading.ShadingType) not in {_AXIAL, _RADIAL}:
        raise Unprintable("a gradient that is neither straight nor round")
    made = Dictionary(dict(shading.items()))
    function = shading.Function
    if isinstance(function, Array):
        made.Function = _sampled(
            space, _domain(shading), 4 * _STEPS,
            lambda at: [_value(each, at)[0] for each in function],
        )  # fmt: skip
    else:
        made.Function = _changed(function, space)
    if "/Background" in shading:
        data = space.convert([[float(part) for part in shading.Background]])
        made.Background = Array([round(part / 255, 4) for part in data])
    return made


def _changed(function: Any, space: Space) -> Any:
    """A function's pieces one by one, so that where two colours meet they still do so sharply."""
    if int(function.FunctionType) == 3:
        made = Dictionary(dict(function.items()))
        made.Functions = Array([_changed(each, space) for each in function.Functions])
        if "/Range" in made:
            del made.Range
        return space.pdf.make_indirect(made)
    return _sampled(space, _domain(function), _STEPS, lambda at: _value(function, at))


def _sampled(
    space: Space, domain: tuple[float, float], steps: int, value: Callable[[float], list[float]]
) -> Stream:
    """A function of so many colours at equal steps."""
    first, last = domain
    row = [value(first + (last - first) * n / (steps - 1)) for n in range(steps)]
    made = space.pdf.make_stream(space.convert(row))
    made.FunctionType = 0
    made.Domain = Array([first, last])
    made.Range = Array([0, 1] * space.parts)
    made.Size = Array([steps])
    made.BitsPerSample = 8
    return made


def _domain(item: Any) -> tuple[float, float]:
    first, last = (float(part) for part in item.get("/Domain", [0, 1]))
    return first, last


def _value(function: Any, at: float) -> list[float]:
    """What a function of one figure comes to. Raises `Unprintable`."""
    kind = int(function.FunctionType)
    first, last = _domain(function)
    at = min(max(at, first), last)
    if kind == 2:
        start = [float(part) for part in function.get("/C0", [0])]
        end = [float(part) for part in function.get("/C1", [1])]
        share = at ** float(function.N)
        return [a + share * (b - a) for a, b in zip(start, end, strict=True)]
    if kind == 3:
        return _stitched(function, at)
    if kind == 0 and int(function.BitsPerSample) == 8 and len(function.Size) == 1:
        return _looked_up(function, (at - first) / (last - first or 1))
    raise Unprintable("a gradient whose colours are reckoned by a program, as one that repeats")


def _stitched(function: Any, at: float) -> list[float]:
    first, last = _domain(function)
    bounds = [float(part) for part in function.Bounds]
    piece = sum(at >= bound for bound in bounds)
    low, high = [first, *bounds][piece], [*bounds, last][piece]
    start, end = (float(part) for part in list(function.Encode)[2 * piece : 2 * piece + 2])
    share = (at - low) / (high - low) if high > low else 0.0
    return _value(function.Functions[piece], start + share * (end - start))


def _looked_up(function: Any, share: float) -> list[float]:
    parts, steps = len(function.Range) // 2, int(function.Size[0])
    data = function.read_bytes()
    place = share * (steps - 1)
    low = min(int(place), max(steps - 2, 0))
    high = min(low + 1, steps - 1)
    bounds = [float(part) for part in function.Range]
    found = []
    for part in range(parts):
        one, other = data[low * parts + part], data[high * parts + part]
        value = (one + (place - low) * (other - one)) / 255
        least, most = bounds[2 * part], bounds[2 * part + 1]
        found.append(least + value * (most - least))
    return found


def spot_space(name: str, alternate: tuple[float, ...]) -> Array:
    """An ink of its own as a colour space; `alternate` is how it looks where it is not there."""
    function = Dictionary(
        FunctionType=2, Domain=Array([0, 1]), N=1,
        C0=Array([0, 0, 0, 0]), C1=Array(list(alternate)),
    )  # fmt: skip
    return Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, function])
