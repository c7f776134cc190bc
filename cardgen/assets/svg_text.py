"""Text of a drawing as outlines, since the renderer of drawings sets no text.

Text is set in the fonts of the game only, so that a drawing looks alike on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

import uharfbuzz
from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen

from cardgen.assets import svg_reader
from cardgen.assets.font_files import FontFile, FontSet, prepare_text_fonts
from cardgen.assets.svg_reader import (
    INITIAL_PROPERTIES,
    NOT_INHERITED,
    TEXT_PROPERTIES,
    SvgStylesheet,
    get_local_name,
)
from cardgen.game import fonts_file
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store, read_entry

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAX_LETTERS = 20_000
_MAX_DEPTH, _MAX_SIZE = 20, 1e6
_REFUSED_ATTRIBUTES = ("rotate", "textLength", "lengthAdjust")
_PLACES = ("x", "y", "dx", "dy")
_NEUTRAL_VALUES = frozenset({
    "normal", "none", "auto", "baseline", "alphabetic", "ltr", "lr", "lr-tb", "horizontal-tb", "0",
    "0px", "0em", "100%",
})  # fmt: skip
_WEIGHTS = {"normal": "400", "bold": "700"}
_ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
_PATH_HINT = "make it a path (Inkscape: Path > Object to Path), or"
_NO_FAMILY = "it names no font"


class UnsetTextError(ValueError):
    """Text that cannot be set; the message says why and what to do."""


@dataclass(frozen=True)
class GlyphPlace:
    """A shaped glyph: its number, offset to the right and up, and advance, in em.

    `cluster` is the position of its first character in the text.
    """

    glyph: int
    right: float
    up: float
    advance: float
    cluster: int


def shape_text(text: str, font: uharfbuzz.Font) -> list[GlyphPlace]:
    """Return the glyphs of a line of text."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    em: int = font.face.upem
    return [
        GlyphPlace(info.codepoint, place.x_offset / em, place.y_offset / em, place.x_advance / em,
                   info.cluster)
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    ]  # fmt: skip


def read_text_fonts(root: Path, store: Store) -> FontSet:
    """Return the fonts of a game's texts, cached by the stamp of fonts.yaml."""
    stamp = game_files.stamp_file(root / fonts_file.FONTS_FILE)
    return _read_fonts(root, store.folder, stamp)


@lru_cache(maxsize=16)
def _read_fonts(root: Path, store_folder: Path, _stamp: tuple[int, ...]) -> FontSet:
    fonts, _ = fonts_file.load_fonts(root, ())  # the game's loader reports what is wrong
    return FontSet(tuple(prepare_text_fonts(fonts, root, Store(store_folder))[0]), {})


@lru_cache(maxsize=16)
def _open_font(path: Path) -> uharfbuzz.Font:
    return uharfbuzz.Font(uharfbuzz.Face(read_entry(path)))


@dataclass(frozen=True)
class _Looks:
    """Properties of an element of text. `own` are those below its `<text>`."""

    all: Mapping[str, str]
    own: Mapping[str, str]
    size: float


@dataclass
class _Run:
    """Words of one element, with the place that their first character is given."""

    words: str
    looks: _Looks
    place: Mapping[str, float]
    x: float = 0.0
    y: float = 0.0
    cut: FontFile | None = None
    glyphs: Sequence[GlyphPlace] = ()

    @property
    def width(self) -> float:
        return sum(each.advance for each in self.glyphs) * self.looks.size


def outline_texts(root: Element, unpainted: frozenset[Element], fonts: FontSet) -> bool:
    """Replace the texts of a drawing that paint by paths; return if there were any.

    Raises `UnsetTextError`.
    """
    sheet = SvgStylesheet(root)
    initial = {**INITIAL_PROPERTIES, **TEXT_PROPERTIES}
    left = [(root, Element(""), 0, _Looks(initial, {}, 16.0))]
    letters = 0
    while left:
        element, parent, index, outer = left.pop()
        if get_local_name(element) != "text" or element in unpainted:
            inner = _inherit(outer, sheet.get_properties(element), element)
            left += [(child, element, index, inner) for index, child in enumerate(element)]
            continue
        try:
            setter = _TextSetter(element, sheet, fonts)
            made = setter.set_text(outer, in_clip=get_local_name(parent) == "clipPath")
            letters += setter.letters
            if letters > _MAX_LETTERS:
                raise _refuse(f"the drawing has more than {_MAX_LETTERS} letters")
        except ValueError as error:
            words = " ".join("".join(element.itertext()).split())
            reason = str(error) if isinstance(error, UnsetTextError) else str(_refuse(str(error)))
            start = f"has the <text> '{words[:30]}', which is not drawn: {reason}"
            raise UnsetTextError(start) from None
        made.tail = element.tail
        parent[index] = made
    return letters > 0


def _refuse(reason: str, way: str = "let the card print it") -> UnsetTextError:
    return UnsetTextError(f"{reason}; {_PATH_HINT} {way}")


def _keeps_spaces(looks: _Looks) -> bool:
    return looks.all["white-space"] in {"pre", "pre-wrap", "break-spaces"}


def _inherit(outer: _Looks, own: Mapping[str, str], element: Element) -> _Looks:
    """Return the properties of an element; one whose type size is unclear has the size -1."""
    if space := element.get(_XML_SPACE):
        own = {"white-space": "pre" if space == "preserve" else "normal", **own}
    if not own:
        return outer
    kept = {name: value for name, value in own.items() if name not in NOT_INHERITED}
    size = _parse_size(own["font-size"], outer.size) if "font-size" in own else outer.size
    return _Looks({**outer.all, **kept}, {**outer.own, **kept}, size)


def _parse_size(written: str, outer: float) -> float:
    try:
        size = _parse_em(written, outer, outer)
    except ValueError:
        return -1.0
    return size if 0 <= size < _MAX_SIZE else -1.0


def _parse_em(written: str, em: float, whole: float | None = None) -> float:
    """Return a length in px. Raises `ValueError` for a percentage of nothing."""
    value = written.strip()
    if value.endswith("em") and not value.endswith("rem"):
        return svg_reader.parse_number(value[:-2].strip()) * em
    if value.endswith("%") and whole is None:
        raise ValueError(f"it is placed at {value}")
    return svg_reader.parse_length(value, whole or 0.0)


class _TextSetter:
    """Sets a `<text>`: its runs of words, their places, and the paths of their letters."""

    def __init__(self, text: Element, sheet: SvgStylesheet, fonts: FontSet) -> None:
        self._text, self._sheet, self._fonts = text, sheet, fonts
        self._runs: list[_Run] = []
        self._pending: dict[str, float] = {}
        self.letters = 0

    def set_text(self, outer: _Looks, *, in_clip: bool) -> Element:
        """Return what stands for the text: a path, or a group of paths."""
        own = self._sheet.get_properties(self._text)
        self._collect(self._text, replace(_inherit(outer, own, self._text), own={}), 0)
        if self._runs and not _keeps_spaces(self._runs[-1].looks):
            self._runs[-1].words = self._runs[-1].words.rstrip(" ")
        self._runs = [run for run in self._runs if run.words]
        for run in self._runs:
            run.glyphs = self._shape(run)
        self._place_runs()
        paths = [self._draw(run) for run in self._runs]
        if len(paths) == 1:
            return self._make("path", own, self._text, self._runs[0].looks.own, paths[0])
        if in_clip:
            raise _refuse("it clips, and has several parts")
        group = self._make("g", own, self._text, {})
        group.extend(
            self._make("path", run.looks.own, None, {}, drawn)
            for run, drawn in zip(self._runs, paths, strict=True)
        )
        return group

    def _collect(self, element: Element, looks: _Looks, depth: int) -> None:
        """Add the runs of an element, in order."""
        before, count = dict(self._pending), len(self._runs)
        for name in _REFUSED_ATTRIBUTES:
            if element.get(name):
                raise _refuse(f"it has {name}")
        for name in _PLACES:
            if written := element.get(name, "").replace(",", " ").split():
                if len(written) > 1:
                    raise _refuse(f"it has {len(written)} values of {name}, for single letters")
                self._pending[name] = _parse_em(written[0], looks.size)
        self._add_words(element.text or "", looks)
        for child in element:
            tag = get_local_name(child)
            if tag == "tspan" and depth < _MAX_DEPTH:
                own = self._sheet.get_properties(child)
                if own.get("display") != "none":
                    self._collect(child, _inherit(looks, own, child), depth + 1)
            elif tag not in {"title", "desc"}:
                raise _refuse(f"it has a <{tag}> in it")
            self._add_words(child.tail or "", looks)
        if len(self._runs) == count:
            self._pending = before

    def _add_words(self, written: str, looks: _Looks) -> None:
        if _keeps_spaces(looks):
            words = re.sub(r"[\t\r\n]", " ", written)
        else:
            words = re.sub(r"[ \t\r\n]+", " ", written)
            if not self._runs or self._runs[-1].words.endswith(" "):
                words = words.lstrip(" ")
        if words:
            self._runs.append(_Run(words, looks, self._pending))
            self._pending = {}

    def _shape(self, run: _Run) -> list[GlyphPlace]:
        if run.looks.size < 0:
            raise _refuse(f"its font-size is {run.looks.all['font-size'][:20]}")
        for name, initial in TEXT_PROPERTIES.items():
            value = run.looks.all[name]
            if (
                not initial
                and name not in {"font-family", "white-space"}
                and value not in {"", *_NEUTRAL_VALUES}
            ):
                raise _refuse(f"it has {name}: {value[:30]}")
        if any(unicodedata.bidirectional(letter) in {"R", "AL", "RLE", "RLO", "RLI"}
               for letter in run.words):  # fmt: skip
            raise _refuse("it runs from right to left")
        self.letters += len(run.words)
        if self.letters > _MAX_LETTERS:
            raise _refuse(f"the drawing has more than {_MAX_LETTERS} letters")
        run.cut = cut = self._find_cut(run.looks.all)
        glyphs = shape_text(run.words, _open_font(cut.path))
        for each in glyphs:
            if each.glyph == 0:
                letter = run.words[each.cluster]
                way = "use a font that has it"
                raise _refuse(f"{cut.family} has no '{letter}' (U+{ord(letter):04X})", way)
        return glyphs

    def _find_cut(self, looks: Mapping[str, str]) -> FontFile:
        """Return the font file of the first family that is one of the game's."""
        names = [name.strip(" \"'") for name in looks["font-family"].split(",")]
        families = {cut.family.casefold(): cut.family for cut in self._fonts.files}
        family = next(
            (families[each.casefold()] for each in names if each.casefold() in families), ""
        )
        if not family:
            known = ", ".join(sorted(dict.fromkeys(families.values())))
            reason = f"its font {names[0][:40]} is not the game's" if names[0] else _NO_FAMILY
            raise _refuse(reason, f"use one of the game's fonts: {known}")
        weight = _WEIGHTS.get(looks["font-weight"], looks["font-weight"])
        style = looks["font-style"].replace("oblique", "italic")
        for cut in self._fonts.files:
            if (cut.family, str(cut.weight), cut.style) == (family, weight, style):
                return cut
        cuts = ", ".join(f"{cut.weight} {cut.style}" for cut in self._fonts.files
                         if cut.family == family)  # fmt: skip
        reason = f"the game has {family} as {cuts}, not as {weight[:20]} {style[:20]}"
        raise _refuse(reason, "add that to fonts/fonts.yaml")

    def _place_runs(self) -> None:
        """Place the runs one after another, and each chunk at its anchor."""
        x = y = 0.0
        for chunk in self._split_chunks():
            for run in chunk:
                x = run.place.get("x", x) + run.place.get("dx", 0.0)
                y = run.place.get("y", y) + run.place.get("dy", 0.0)
                run.x, run.y = x, y
                x += run.width
            anchor = chunk[0].looks.all["text-anchor"]
            if anchor not in _ANCHOR_SHARES:
                raise _refuse(f"it has text-anchor: {anchor[:20]}")
            back = (x - chunk[0].x) * _ANCHOR_SHARES[anchor]
            for run in chunk:
                run.x -= back
            x -= back

    def _split_chunks(self) -> Iterator[list[_Run]]:
        """Yield the runs that one anchor moves: up to the next place."""
        chunk: list[_Run] = []
        for run in self._runs:
            if chunk and run.place.keys() & {"x", "y"}:
                yield chunk
                chunk = []
            chunk.append(run)
        if chunk:
            yield chunk

    @staticmethod
    def _draw(run: _Run) -> str:
        """Return the path of a run's letters."""
        assert run.cut is not None  # set by `_shape`
        font, x = _open_font(run.cut.path), run.x
        pen = SVGPathPen(None, ntos=lambda number: f"{number:.7g}")
        scale = run.looks.size / font.face.upem
        for each in run.glyphs:
            left, foot = x + each.right * run.looks.size, run.y - each.up * run.looks.size
            frame = Transform(scale, 0, 0, -scale, left, foot)
            font.draw_glyph_with_pen(each.glyph, TransformPen(pen, frame))
            x += each.advance * run.looks.size
        return str(pen.getCommands())

    def _make(
        self, tag: str, own: Mapping[str, str], source: Element | None,
        more: Mapping[str, str], drawn: str = "",
    ) -> Element:  # fmt: skip
        """Return a path or group that looks as `source` does, whatever the rules say of its tag."""
        made = Element(_NAMESPACE + tag)
        style: dict[str, str] = {}
        if source is not None:
            dropped = {*_PLACES, *TEXT_PROPERTIES, "style", _XML_SPACE}
            made.attrib.update({k: v for k, v in source.items() if k not in dropped})
            parts = (part.partition(":") for part in source.get("style", "").split(";"))
            style = {name.strip(): value for name, _, value in parts if value.strip()}
        style |= {**own, **more}
        for name in self._sheet.get_properties(made).keys() - style.keys():
            neutral = {"opacity": "1", "display": "inline"}.get(name, "none")
            style[name] = neutral if name in NOT_INHERITED else "inherit"
        kept = {name: value for name, value in style.items() if name not in TEXT_PROPERTIES}
        made.set("style", ";".join(f"{name}:{value.strip()}" for name, value in kept.items()))
        if tag == "path":
            made.set("d", drawn)
        return made
