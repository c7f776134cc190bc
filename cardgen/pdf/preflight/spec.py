"""What a printer asks of a file, read from YAML: a shop's of the package or a local printer's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from cardgen.base import paths, schema, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.units import CARD_SIZES, MM_PER_INCH, PAPERS, Size, parse_size
from cardgen.base.yamlnodes import Node
from cardgen.game.reading import Tell, flag, known_keys, length, telling, whole

COLOURS = ("gray", "cmyk", "rgb", "lab", "spot")
STANDARDS = ("X-1a:2001", "X-1a:2003", "X-3:2002", "X-3:2003", "X-4")
TAKES = ("pdf", "pictures")
BLACK_TEXT = ("one-ink", "overprinting")
_BLEED, _INK, _DPI, _LINE = (0.0, 30.0), (50.0, 400.0), (50.0, 2400.0), (0.0, 5.0)
_MOST_PAGES = 100_000
_MOST_SIZES = 200
_INCHES = re.compile(r"(.*?)\s*in\Z")
_NAMES = {**PAPERS, **CARD_SIZES}
_SHOPS = "shops.yaml"
_PAGE_KEYS: Mapping[str, Schema] = {
    "least": schema.whole(1, _MOST_PAGES),
    "most": schema.whole(1, _MOST_PAGES),
    "by": schema.said("Their number is a multiple of this.", schema.whole(1, 1000)),
}
_SIZE = schema.said("poker, 63.5 x 88.9, 2.5 x 3.5 in", {"type": "string"})
KEYS: Mapping[str, Schema] = {
    "name": schema.said("Who prints.", {"type": "string"}),
    "takes": schema.one_of(TAKES),
    "sizes": schema.said(
        "The trims that are printed, either way up.",
        schema.either(schema.listed(_SIZE), schema.named(_SIZE)),
    ),
    "bleed": schema.said("Beyond the trim, mm.", schema.number(*_BLEED)),
    "boxes": schema.said("Whether every page has a TrimBox.", schema.FLAG),
    "marks": schema.said("Whether anything may stand beyond the bleed.", schema.FLAG),
    "pages": schema.mapping(_PAGE_KEYS),
    "colours": schema.listed(schema.one_of(COLOURS), 1),
    "spots": schema.said("Spot colours that may be used.", schema.listed({"type": "string"})),
    "ink": schema.said("All inks together, %.", schema.number(*_INK)),
    "resolution": schema.said("Of pictures as they are placed, dpi.", schema.number(*_DPI)),
    "line": schema.said("The thinnest line, points.", schema.number(*_LINE)),
    "transparency": schema.FLAG,
    "pdf-x": schema.said("Any of these.", schema.listed(schema.one_of(STANDARDS), 1)),
    "intent": schema.said("Whether an output intent is needed.", schema.FLAG),
    "black-text": schema.one_of(BLACK_TEXT),
}
SCHEMA = schema.mapping(KEYS, ["name"])


@dataclass(frozen=True)
class Pages:
    """How many pages there may be."""

    least: int = 1
    most: int = _MOST_PAGES
    by: int = 1


@dataclass(frozen=True)
class Spec:
    """What a printer asks; None and what is empty is not asked. Lengths in mm, lines in points.

    `sizes` are trims by name. What is asked and missed is an error, what is merely usual a warning.
    """

    name: str = ""
    takes: str = "pdf"
    sizes: Mapping[str, Size] = field(default_factory=dict)
    bleed: float | None = None
    boxes: bool | None = None
    marks: bool = True
    pages: Pages | None = None
    colours: tuple[str, ...] = ()
    spots: tuple[str, ...] | None = None
    ink: float | None = None
    resolution: float | None = None
    line: float | None = None
    transparency: bool | None = None
    standards: tuple[str, ...] = ()
    intent: bool = False
    black_text: str = ""

    @property
    def whose(self) -> str:
        """The printer as the subject of a sentence."""
        return self.name or "a printer"

    def named(self, size: Size, within: float = 0.2) -> str | None:
        """The name of a size that is printed, whichever way it lies; None where there is none."""
        near = self.nearest(size)
        return near if near and _apart(self.sizes[near], size) <= within else None

    def nearest(self, size: Size) -> str:
        """The name of the size that is most like it; "" where none is told."""
        names = list(self.sizes)
        return min(names, key=lambda name: _apart(self.sizes[name], size)) if names else ""


USUAL = Spec()
"""What any printer asks."""


def _apart(one: Size, other: Size) -> float:
    """The larger difference of both sides, mm, each upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


def load(file: Path) -> tuple[Spec | None, list[Problem]]:
    """A printer's own, from a YAML file, and what is wrong with it; None when nothing can be held
    to it."""
    try:
        text = paths.read(file, paths.MAX_TEXT_BYTES).decode("utf-8-sig")
    except paths.Unreadable as error:
        return None, [Problem(Source(str(file)), f"the file {error}", "file")]
    except UnicodeDecodeError:
        return None, [Problem(Source(str(file)), f"the file {paths.NOT_UTF8}", "file")]
    node, problems = yamlnodes.load(text, str(file))
    if node is None or problems:
        return None, problems
    found = _Reader(telling(problems)).spec(node)
    return (None if problems else found), problems


@lru_cache(maxsize=1)
def shops() -> Mapping[str, Spec]:
    """What comes with cardgen, by the names that `--for` takes."""
    text, why = paths.read_text(Path(__file__).parent, _SHOPS)
    node, problems = yamlnodes.load(text, _SHOPS)
    if why or node is None:
        raise RuntimeError(f"{_SHOPS} {why}")
    reader = _Reader(telling(problems))
    found = {name: reader.spec(each) for name, each in node.items()}
    if problems:
        raise RuntimeError("\n".join(map(str, problems)))
    return MappingProxyType(found)


class _Reader:
    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    def spec(self, node: Node) -> Spec:
        """A specification; what is wrong is told, and its default stands."""
        if not node.is_mapping:
            said = f"it is {node.describe()}; a printer's file has name:, sizes:, bleed: and more"
            self.tell(node.source, said, "type")
            return USUAL
        known_keys(node, KEYS, "a printer's file", self.tell)
        name = self._text(node.get("name"), "name")
        if not name:
            self.tell(node.source, "name: is missing; it says who prints", "missing")
        colours = self._words(node, "colours", COLOURS)
        bleed = node.get("bleed")
        return Spec(
            name=name,
            takes=self._word(node, "takes", TAKES) or "pdf",
            sizes=self._sizes(node.get("sizes")),
            bleed=length(bleed, "bleed", 0, _BLEED, self.tell) if bleed else None,
            boxes=flag(node.get("boxes"), "boxes", self.tell),
            marks=flag(node.get("marks"), "marks", self.tell) is not False,
            pages=self._pages(node.get("pages")),
            colours=colours,
            spots=self._spots(node.get("spots"), "spot" in colours),
            ink=self._number(node, "ink", _INK, "%"),
            resolution=self._number(node, "resolution", _DPI, "dpi"),
            line=self._number(node, "line", _LINE, "points"),
            transparency=flag(node.get("transparency"), "transparency", self.tell),
            standards=self._words(node, "pdf-x", STANDARDS),
            intent=flag(node.get("intent"), "intent", self.tell) is True,
            black_text=self._word(node, "black-text", BLACK_TEXT),
        )

    def _text(self, given: Node | None, name: str) -> str:
        if given is not None and (not given.is_scalar or given.value is None):
            self.tell(given.source, f"{name} is {given.describe()}; a text is asked for", "type")
            return ""
        return given.text.strip() if given else ""

    def _number(
        self, node: Node, name: str, bounds: tuple[float, float], unit: str
    ) -> float | None:
        given = node.get(name)
        found = given.number(*bounds) if given else None
        if given is not None and found is None:
            asked = f"a number of {unit} from {bounds[0]:g} to {bounds[1]:g}"
            self.tell(given.source, f"{name} is {given.describe()}; {asked}", "type")
        return found

    def _word(self, node: Node, name: str, known: tuple[str, ...]) -> str:
        given = node.get(name)
        found = self._text(given, name)
        if given is not None and found and found not in known:
            said = f"{name} knows no '{found}'{did_you_mean(found, known)}"
            self.tell(given.source, said, "type")
            return ""
        return found

    def _words(self, node: Node, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        given = node.get(name)
        for each in (found := self._listed(given, name)):
            if each.text not in known:
                said = f"{name} knows no {each.describe()}{did_you_mean(each.text, known)}"
                self.tell(each.source, said, "type")
        return tuple(each.text for each in found if each.text in known)

    def _listed(self, given: Node | None, name: str) -> list[Node]:
        if given is not None and not (given.is_list and all(n.is_scalar for n in given.nodes())):
            self.tell(given.source, f"{name} is {given.describe()}; a list is asked for", "type")
            return []
        return given.nodes() if given else []

    def _spots(self, given: Node | None, allowed: bool) -> tuple[str, ...] | None:
        if given is None:
            return None
        if not allowed:
            self.tell(given.source, "spots: goes with spot among the colours:", "type")
        return tuple(each.text for each in self._listed(given, "spots"))

    def _pages(self, given: Node | None) -> Pages | None:
        if given is None:
            return None
        known_keys(given, _PAGE_KEYS, "pages", self.tell)
        if not given.is_mapping:
            said = f"pages is {given.describe()}; such as {{least: 2, most: 108, by: 2}}"
            self.tell(given.source, said, "type")
            return None
        made = Pages(
            whole(given.get("least"), "least", 1, (1, _MOST_PAGES), self.tell),
            whole(given.get("most"), "most", _MOST_PAGES, (1, _MOST_PAGES), self.tell),
            whole(given.get("by"), "by", 1, (1, 1000), self.tell),
        )
        if made.least > made.most:
            said = f"at least {made.least} pages and at most {made.most}: no file has that"
            self.tell(given.source, said, "type")
        return made

    def _sizes(self, given: Node | None) -> dict[str, Size]:
        if given is None:
            return {}
        if given.is_mapping:
            named = list(given.items())
        else:
            named = [(each.text, each) for each in self._listed(given, "sizes")]
        if len(named) > _MOST_SIZES:
            self.tell(given.source, f"sizes has more than {_MOST_SIZES} entries", "type")
        found = {name: self._size(each) for name, each in named[:_MOST_SIZES]}
        return {name: size for name, size in found.items() if size is not None}

    def _size(self, given: Node) -> Size | None:
        text = given.text if given.is_scalar else ""
        inches = _INCHES.match(text)
        size = parse_size(inches[1], {}) if inches else parse_size(text, _NAMES)
        if size is None:
            hint = did_you_mean(text, _NAMES) if text.isalpha() else ""
            said = f"a size is {given.describe()}; such as 63.5 x 88.9 or 2.5 x 3.5 in{hint}"
            self.tell(given.source, said, "size")
        elif inches:
            sides = (round(side * MM_PER_INCH, 4) for side in (size.width, size.height))
            return Size(*sides)
        return size
