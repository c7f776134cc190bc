"""What a printer asks of a file, read from YAML: a shop's of the package or a local printer's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.units import CARD_SIZES, MM_PER_INCH, PAPERS, Size, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game.keys import Report, check_keys, read_flag, read_length, read_whole, report_to
from cardgen.runtime import game_files

COLOUR_KINDS = ("gray", "cmyk", "rgb", "lab", "spot")
STANDARDS = ("X-1a:2001", "X-1a:2003", "X-3:2002", "X-3:2003", "X-4")
FILE_FORMS = ("pdf", "pictures")
BLACK_TEXT_RULES = ("one-ink", "overprinting")
_BLEED, _INK, _DPI, _LINE = (0.0, 30.0), (50.0, 400.0), (50.0, 2400.0), (0.0, 5.0)
_MAX_PAGES = 100_000
_MAX_SIZES = 200
_INCHES_SUFFIX = re.compile(r"(.*?)\s*in\Z")
_NAMED_SIZES = {**PAPERS, **CARD_SIZES}
_SHOPS_FILE = "shops.yaml"
_PAGE_KEYS: Mapping[str, Schema] = {
    "least": json_schema.allow_integer(1, _MAX_PAGES),
    "most": json_schema.allow_integer(1, _MAX_PAGES),
    "by": json_schema.describe(
        "Their number is a multiple of this.", json_schema.allow_integer(1, 1000)
    ),
}
_SIZE_SCHEMA = json_schema.describe("poker, 63.5 x 88.9, 2.5 x 3.5 in", {"type": "string"})
SPEC_KEYS: Mapping[str, Schema] = {
    "name": json_schema.describe("Who prints.", {"type": "string"}),
    "takes": json_schema.allow_values(FILE_FORMS),
    "sizes": json_schema.describe(
        "The trims that are printed, either way up.",
        json_schema.allow_either(
            json_schema.allow_list(_SIZE_SCHEMA), json_schema.allow_named_values(_SIZE_SCHEMA)
        ),
    ),
    "bleed": json_schema.describe("Beyond the trim, mm.", json_schema.allow_number(*_BLEED)),
    "boxes": json_schema.describe("Whether every page has a TrimBox.", json_schema.BOOLEAN),
    "marks": json_schema.describe(
        "Whether anything may stand beyond the bleed.", json_schema.BOOLEAN
    ),
    "pages": json_schema.allow_mapping(_PAGE_KEYS),
    "colours": json_schema.allow_list(json_schema.allow_values(COLOUR_KINDS), 1),
    "spots": json_schema.describe(
        "Spot colours that may be used.", json_schema.allow_list({"type": "string"})
    ),
    "ink": json_schema.describe("All inks together, %.", json_schema.allow_number(*_INK)),
    "resolution": json_schema.describe(
        "Of pictures as they are placed, dpi.", json_schema.allow_number(*_DPI)
    ),
    "line": json_schema.describe("The thinnest line, points.", json_schema.allow_number(*_LINE)),
    "transparency": json_schema.BOOLEAN,
    "pdf-x": json_schema.describe(
        "Any of these.", json_schema.allow_list(json_schema.allow_values(STANDARDS), 1)
    ),
    "intent": json_schema.describe("Whether an output intent is needed.", json_schema.BOOLEAN),
    "black-text": json_schema.allow_values(BLACK_TEXT_RULES),
}
SPEC_SCHEMA = json_schema.allow_mapping(SPEC_KEYS, ["name"])


@dataclass(frozen=True)
class PageLimits:
    """How many pages there may be."""

    least: int = 1
    most: int = _MAX_PAGES
    multiple: int = 1


@dataclass(frozen=True)
class PrinterSpec:
    """What a printer asks; None and what is empty is not asked. Lengths in mm, lines in points.

    `sizes` are trims by name. What is asked and missed is an error, what is merely usual a warning.
    """

    name: str = ""
    file_form: str = "pdf"
    sizes: Mapping[str, Size] = field(default_factory=dict)
    bleed: float | None = None
    needs_boxes: bool | None = None
    allows_marks: bool = True
    pages: PageLimits | None = None
    colours: tuple[str, ...] = ()
    spots: tuple[str, ...] | None = None
    max_ink: float | None = None
    min_resolution: float | None = None
    min_line: float | None = None
    transparency: bool | None = None
    standards: tuple[str, ...] = ()
    needs_intent: bool = False
    black_text: str = ""

    @property
    def format_subject(self) -> str:
        """The printer as the subject of a sentence."""
        return self.name or "a printer"

    def find_size_name(self, size: Size, within: float = 0.2) -> str | None:
        """The name of a size that is printed, whichever way it lies; None where there is none."""
        near = self.find_nearest_size(size)
        return near if near and _measure_size_difference(self.sizes[near], size) <= within else None

    def find_nearest_size(self, size: Size) -> str:
        """The name of the size that is most like it; "" where none is told."""
        names = list(self.sizes)
        return (
            min(names, key=lambda name: _measure_size_difference(self.sizes[name], size))
            if names
            else ""
        )


DEFAULT_SPEC = PrinterSpec()
"""What any printer asks."""


def _measure_size_difference(one: Size, other: Size) -> float:
    """The larger difference of both sides, mm, each upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


def load_spec(file: Path) -> tuple[PrinterSpec | None, list[Problem]]:
    """A printer's own, from a YAML file, and what is wrong with it; None when nothing can be held
    to it."""
    try:
        text = game_files.read_file(file, game_files.MAX_TEXT_BYTES).decode("utf-8-sig")
    except game_files.UnreadableError as error:
        return None, [Problem(Source(str(file)), f"the file {error}", "file")]
    except UnicodeDecodeError:
        return None, [Problem(Source(str(file)), f"the file {game_files.NOT_UTF8}", "file")]
    node, problems = yaml_nodes.load(text, str(file))
    if node is None or problems:
        return None, problems
    found = _SpecReader(report_to(problems)).read_spec(node)
    return (None if problems else found), problems


@lru_cache(maxsize=1)
def load_shops() -> Mapping[str, PrinterSpec]:
    """What comes with cardgen, by the names that `--for` takes."""
    text, why = game_files.read_text(Path(__file__).parent, _SHOPS_FILE)
    node, problems = yaml_nodes.load(text, _SHOPS_FILE)
    if why or node is None:
        raise RuntimeError(f"{_SHOPS_FILE} {why}")
    reader = _SpecReader(report_to(problems))
    found = {name: reader.read_spec(each) for name, each in node.items()}
    if problems:
        raise RuntimeError("\n".join(map(str, problems)))
    return MappingProxyType(found)


class _SpecReader:
    def __init__(self, tell: Report) -> None:
        self.tell = tell

    def read_spec(self, node: Node) -> PrinterSpec:
        """A specification; what is wrong is told, and its default stands."""
        if not node.is_mapping:
            said = f"it is {node.describe()}; a printer's file has name:, sizes:, bleed: and more"
            self.tell(node.source, said, "type")
            return DEFAULT_SPEC
        check_keys(node, SPEC_KEYS, "a printer's file", self.tell)
        name = self._read_text(node.get("name"), "name")
        if not name:
            self.tell(node.source, "name: is missing; it says who prints", "missing")
        colours = self._read_words(node, "colours", COLOUR_KINDS)
        bleed = node.get("bleed")
        return PrinterSpec(
            name=name,
            file_form=self._read_word(node, "takes", FILE_FORMS) or "pdf",
            sizes=self._read_sizes(node.get("sizes")),
            bleed=read_length(bleed, "bleed", 0, _BLEED, self.tell) if bleed else None,
            needs_boxes=read_flag(node.get("boxes"), "boxes", self.tell),
            allows_marks=read_flag(node.get("marks"), "marks", self.tell) is not False,
            pages=self._read_page_limits(node.get("pages")),
            colours=colours,
            spots=self._read_spots(node.get("spots"), "spot" in colours),
            max_ink=self._read_number(node, "ink", _INK, "%"),
            min_resolution=self._read_number(node, "resolution", _DPI, "dpi"),
            min_line=self._read_number(node, "line", _LINE, "points"),
            transparency=read_flag(node.get("transparency"), "transparency", self.tell),
            standards=self._read_words(node, "pdf-x", STANDARDS),
            needs_intent=read_flag(node.get("intent"), "intent", self.tell) is True,
            black_text=self._read_word(node, "black-text", BLACK_TEXT_RULES),
        )

    def _read_text(self, given: Node | None, name: str) -> str:
        if given is not None and (not given.is_scalar or given.value is None):
            self.tell(given.source, f"{name} is {given.describe()}; a text is asked for", "type")
            return ""
        return given.text.strip() if given else ""

    def _read_number(
        self, node: Node, name: str, bounds: tuple[float, float], unit: str
    ) -> float | None:
        given = node.get(name)
        found = given.get_number(*bounds) if given else None
        if given is not None and found is None:
            asked = f"a number of {unit} from {bounds[0]:g} to {bounds[1]:g}"
            self.tell(given.source, f"{name} is {given.describe()}; {asked}", "type")
        return found

    def _read_word(self, node: Node, name: str, known: tuple[str, ...]) -> str:
        given = node.get(name)
        found = self._read_text(given, name)
        if given is not None and found and found not in known:
            said = f"{name} knows no '{found}'{did_you_mean(found, known)}"
            self.tell(given.source, said, "type")
            return ""
        return found

    def _read_words(self, node: Node, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        given = node.get(name)
        for each in (found := self._list_nodes(given, name)):
            if each.text not in known:
                said = f"{name} knows no {each.describe()}{did_you_mean(each.text, known)}"
                self.tell(each.source, said, "type")
        return tuple(each.text for each in found if each.text in known)

    def _list_nodes(self, given: Node | None, name: str) -> list[Node]:
        if given is not None and not (
            given.is_list and all(n.is_scalar for n in given.list_nodes())
        ):
            self.tell(given.source, f"{name} is {given.describe()}; a list is asked for", "type")
            return []
        return given.list_nodes() if given else []

    def _read_spots(self, given: Node | None, allowed: bool) -> tuple[str, ...] | None:
        if given is None:
            return None
        if not allowed:
            self.tell(given.source, "spots: goes with spot among the colours:", "type")
        return tuple(each.text for each in self._list_nodes(given, "spots"))

    def _read_page_limits(self, given: Node | None) -> PageLimits | None:
        if given is None:
            return None
        check_keys(given, _PAGE_KEYS, "pages", self.tell)
        if not given.is_mapping:
            said = f"pages is {given.describe()}; such as {{least: 2, most: 108, by: 2}}"
            self.tell(given.source, said, "type")
            return None
        made = PageLimits(
            read_whole(given.get("least"), "least", 1, (1, _MAX_PAGES), self.tell),
            read_whole(given.get("most"), "most", _MAX_PAGES, (1, _MAX_PAGES), self.tell),
            read_whole(given.get("by"), "by", 1, (1, 1000), self.tell),
        )
        if made.least > made.most:
            said = f"at least {made.least} pages and at most {made.most}: no file has that"
            self.tell(given.source, said, "type")
        return made

    def _read_sizes(self, given: Node | None) -> dict[str, Size]:
        if given is None:
            return {}
        if given.is_mapping:
            named = list(given.items())
        else:
            named = [(each.text, each) for each in self._list_nodes(given, "sizes")]
        if len(named) > _MAX_SIZES:
            self.tell(given.source, f"sizes has more than {_MAX_SIZES} entries", "type")
        found = {name: self._read_size(each) for name, each in named[:_MAX_SIZES]}
        return {name: size for name, size in found.items() if size is not None}

    def _read_size(self, given: Node) -> Size | None:
        text = given.text if given.is_scalar else ""
        inches = _INCHES_SUFFIX.match(text)
        size = parse_size(inches[1], {}) if inches else parse_size(text, _NAMED_SIZES)
        if size is None:
            hint = did_you_mean(text, _NAMED_SIZES) if text.isalpha() else ""
            said = f"a size is {given.describe()}; such as 63.5 x 88.9 or 2.5 x 3.5 in{hint}"
            self.tell(given.source, said, "size")
        elif inches:
            sides = (round(side * MM_PER_INCH, 4) for side in (size.width, size.height))
            return Size(*sides)
        return size
