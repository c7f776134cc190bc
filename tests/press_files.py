"""A PDF for a press read as a press would read it: every colour in it, and who is to blame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

_RGB = {"rg", "RG", "g", "G"}
_GREY = "DeviceGray at the beginning"
"""What is painted in before a colour is set (ISO 32000-1, 8.6.8)."""
_FILLED = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_STROKED = frozenset(("B", "B*", "S", "s", "b", "b*"))
_LETTERS = frozenset(("Tj", "TJ", "'", '"'))
_MOVE = "w J j M d ri i cm m l c v y h re n W W* BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T*"
_OTHERS = frozenset(f"{_MOVE} Do sh d0 d1 BMC BDC EMC MP DP BX EX scn SCN sc SC".split())
"""What moves, measures, or paints what is looked at elsewhere."""
_SPACES_OF_OTHERS = ("/DeviceRGB", "/CalRGB", "/CalGray", "/Lab", "/ICCBased")
Inks = tuple[float, ...]


@dataclass
class Painted:
    """What a stream paints outside masks: its colours in inks, with whether each overprints, of
    letters and of all else; the operators and objects that are no press's; its pictures."""

    letters: set[tuple[Inks, bool]] = field(default_factory=set)
    others: set[tuple[Inks, bool]] = field(default_factory=set)
    foreign: list[str] = field(default_factory=list)
    pictures: list[Any] = field(default_factory=list)
    samples: list[Inks] = field(default_factory=list)
    spots: set[tuple[str, bool]] = field(default_factory=set)
    masks: list[Any] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)

    @property
    def colours(self) -> set[Inks]:
        return {inks for inks, _ in self.letters | self.others}


def painted(pdf: pikepdf.Pdf) -> Painted:
    """All that the pages paint."""
    found = Painted()
    for page in pdf.pages:
        _walk(page.obj, page.obj.get("/Resources"), found)
    return found


def of_page(page: pikepdf.Page) -> Painted:
    """All that a page paints."""
    found = Painted()
    _walk(page.obj, page.obj.get("/Resources"), found)
    return found


def _walk(stream: Any, resources: Any, found: Painted) -> None:
    resources = resources if resources is not None else Dictionary()
    group = stream.get("/Group")
    if group is not None and group.get("/CS") not in (None, Name.DeviceCMYK):
        found.foreign.append(f"group in {group.CS}")
    _operators(stream, resources, found)
    for space in (resources.get("/ColorSpace") or {}).values():
        _space(space, found)
    for item in (resources.get("/XObject") or {}).values():
        if item.objgen in found.seen:
            continue
        found.seen.add(item.objgen)
        if item.Subtype == Name.Image:
            _image(item, found)
        else:
            _walk(item, item.get("/Resources"), found)
    _others(resources, found)


def _others(resources: Any, found: Painted) -> None:
    """Patterns, gradients, masks and glyphs that are drawings."""
    for item in (resources.get("/Pattern") or {}).values():
        if item.PatternType == 1:
            _walk(item, item.get("/Resources"), found)
        else:
            _shading(item.Shading, found)
    for item in (resources.get("/Shading") or {}).values():
        _shading(item, found)
    for state in (resources.get("/ExtGState") or {}).values():
        if isinstance(state.get("/SMask"), Dictionary):
            found.masks.append(state.SMask)
    for font in (resources.get("/Font") or {}).values():
        if font.Subtype == Name.Type3:
            for glyph in font.CharProcs.values():
                _walk(glyph, font.get("/Resources"), found)


def _operators(stream: Any, resources: Any, found: Painted) -> None:
    state: dict[str, Any] = {"fill": _GREY, "stroke": _GREY, "OP": False, "op": False}
    stack: list[dict[str, Any]] = []
    for each in pikepdf.parse_content_stream(stream):
        name, operands = str(each.operator), list(each.operands)
        if name in _RGB or name == "INLINE IMAGE":
            found.foreign.append(name)
        elif name == "q":
            stack.append(dict(state))
        elif name == "Q":
            state = stack.pop() if stack else state
        elif name in {"gs", "k", "K", "cs", "CS"}:
            _set(name, operands, state, resources, found)
        elif name in _LETTERS:
            _lettered(state, resources, found)
        elif name in _FILLED | _STROKED:
            _shape(name, state, resources, found)
        elif name not in _OTHERS:
            found.foreign.append(f"operator {name}")


def _set(
    name: str, operands: list[Any], state: dict[str, Any], resources: Any, found: Painted
) -> None:
    """What is painted in from here on."""
    side = "fill" if name in {"k", "cs"} else "stroke"
    if name == "gs":
        given = resources.ExtGState[str(operands[0])]
        for key in ("OP", "op"):
            if f"/{key}" in given:
                state[key] = bool(given[f"/{key}"])
                assert int(given.OPM) == 1
    elif name in {"k", "K"}:
        state[side] = tuple(float(part) for part in operands)
    else:
        state[side] = str(operands[0])
        if state[side] in _SPACES_OF_OTHERS:
            found.foreign.append(state[side])


def _lettered(state: dict[str, Any], resources: Any, found: Painted) -> None:
    if isinstance(state["fill"], tuple):
        found.letters.add((state["fill"], state["op"]))
    else:
        _named(state["fill"], state["op"], resources, found)


def _shape(name: str, state: dict[str, Any], resources: Any, found: Painted) -> None:
    wanted = [("fill", "op")] if name in _FILLED else []
    wanted += [("stroke", "OP")] if name in _STROKED else []
    for side, over in wanted:
        if isinstance(state[side], tuple):
            found.others.add((state[side], state[over]))
        else:
            _named(state[side], state[over], resources, found)


def _named(space: str, over: bool, resources: Any, found: Painted) -> None:
    """What is painted in a colour space that was named: a pattern, which is looked at where it
    stands, or an ink of its own."""
    if space == "/Pattern":
        return
    named = (resources.get("/ColorSpace") or {}).get(space)
    if isinstance(named, Array) and named[0] == Name.Separation:
        found.spots.add((str(named[1]), over))
    elif space != "/DeviceCMYK":
        found.foreign.append(space if named is None else str(named))


def _space(space: Any, found: Painted) -> None:
    kind = str(space[0]) if isinstance(space, Array) else str(space)
    if kind in _SPACES_OF_OTHERS or (kind == "/Separation" and space[2] != Name.DeviceCMYK):
        found.foreign.append(kind)


def _image(item: Any, found: Painted) -> None:
    if item.get("/ImageMask"):
        return
    if item.ColorSpace != Name.DeviceCMYK:
        found.foreign.append(f"picture in {item.ColorSpace}")
    found.pictures.append(item)


def _shading(item: Any, found: Painted) -> None:
    if item.ColorSpace != Name.DeviceCMYK:
        found.foreign.append(f"gradient in {item.ColorSpace}")
        return
    for data in _sampled(item.Function):
        assert len(data) % 4 == 0
        found.samples += [tuple(data[at : at + 4]) for at in range(0, len(data), 4)]


def _sampled(function: Any) -> Iterator[bytes]:
    if function.FunctionType == 3:
        for inner in function.Functions:
            yield from _sampled(inner)
    else:
        assert function.FunctionType == 0
        assert isinstance(function, Stream)
        yield function.read_bytes()


def most_ink(found: Painted) -> float:
    """The most ink of anything painted, in %, told by a walk through pictures and gradients."""
    most = max((100 * sum(inks) for inks in found.colours), default=0.0)
    most = max([most, *(sum(inks) / 2.55 for inks in found.samples)])
    for picture in found.pictures:
        data = picture.read_bytes()
        sums = (sum(data[at : at + 4]) for at in range(0, len(data), 4))
        most = max(most, max(sums) / 2.55)
    return most
