"""What a printer asks of a file, read from YAML: a shop's of the package or a local printer's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.units import CARD_SIZES, MM_PER_INCH, PAPERS, Size, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game.keys import Key, Report, build_schema, read_keys, report_to
from cardgen.game.shapes import SHAPES
from cardgen.runtime import game_files
from cardgen.runtime.user_secret import get_config_folder

COLOUR_KINDS = ("gray", "cmyk", "rgb", "lab", "spot")
STANDARDS = ("X-1a:2001", "X-1a:2003", "X-3:2002", "X-3:2003", "X-4")
FILE_FORMS = ("pdf", "pictures")
BLACK_TEXT_RULES = ("one-ink", "overprinting")
SHOP_DPI = 300
MAX_BLEED_MM = 30.0
_ROUNDING_MM = 0.1
_MAX_PAGES = 100_000
_MAX_SIZES = 200
_INCHES_SUFFIX = re.compile(r"(.*?)\s*in\Z")
_NAMED_SIZES = {**PAPERS, **CARD_SIZES}
_SHOPS_FILE = "shops.yaml"
_PAGE_KEYS: Mapping[str, Key] = {
    "least": Key.integer(1, _MAX_PAGES, default=1),
    "most": Key.integer(1, _MAX_PAGES, default=_MAX_PAGES),
    "by": Key.integer(1, 1000, "Their number is a multiple of this.", 1),
}


def _make_words_key(item: Schema, about: str = "") -> Key:
    """Return a key with a list of words, as nodes."""

    def parse(node: Node) -> list[Node] | None:
        nodes = node.list_nodes()
        return nodes if node.is_list and all(each.is_scalar for each in nodes) else None

    schema = json_schema.describe(about, json_schema.allow_list(item))
    return Key(schema, parse, "a list of words", ())


ORDER_FORMS = ("table", "mpc-autofill")
_PIXELS = re.compile(r"\s*([1-9][0-9]{1,4})\s*x\s*([1-9][0-9]{1,4})\s*\Z")
_SIZE_SCHEMA = json_schema.describe("poker, 63.5 x 88.9, 2.5 x 3.5 in", json_schema.STRING)
_SOURCE_KEYS: Mapping[str, Key] = {
    "source": Key.word("Where the sizes are from.", "a text", json_schema.STRING),
    "read": Key.word("The day they were read.", "a day such as 2026-11-28", json_schema.STRING),
}
_PRODUCT_KEYS: Mapping[str, Key] = {
    "trim": Key.node(_SIZE_SCHEMA, "The size of the finished piece.", required=True),
    "pixels": Key.word("Of its picture, with bleed: 822 x 1122.", "pixels", json_schema.STRING),
    "shape": Key.choice(SHAPES, default=SHAPES[0]),
    "order": Key.choice(ORDER_FORMS, "The file to order it with.", ORDER_FORMS[0]),
    **_SOURCE_KEYS,
}
_SPEC_KEYS: Mapping[str, Key] = {
    "name": Key.word("The printer.", "a text", json_schema.STRING, required=True),
    "takes": Key.choice(FILE_FORMS, default="pdf"),
    "sizes": Key.node(
        json_schema.allow_either(
            json_schema.allow_list(_SIZE_SCHEMA),
            json_schema.allow_named_values(
                json_schema.allow_either(_SIZE_SCHEMA, build_schema(_PRODUCT_KEYS))
            ),
        ),
        "The trim sizes that are printed, either way up.",
    ),
    **_SOURCE_KEYS,
    "copies": Key.integer(1, 10_000, "Most copies in a line of an order."),
    "bleed": Key.number(0, 30, "Beyond the trim, mm."),
    "boxes": Key.flag("Every page needs a TrimBox."),
    "marks": Key.flag("Something may stand beyond the bleed.", True),
    "pages": Key.mapping(build_schema(_PAGE_KEYS), example="such as {least: 2, most: 108, by: 2}"),
    "colours": _make_words_key(json_schema.allow_values(COLOUR_KINDS)),
    "spots": _make_words_key(json_schema.STRING, "Spot colours that may be used."),
    "ink": Key.number(50, 400, "All inks together, %.", unit="%"),
    "resolution": Key.number(50, 2400, "Of pictures as they are placed, dpi.", unit="dpi"),
    "line": Key.number(0, 5, "The thinnest line, points.", unit="points"),
    "transparency": Key.flag(),
    "pdf-x": _make_words_key(json_schema.allow_values(STANDARDS), "Any of these."),
    "intent": Key.flag("An output intent is needed.", False),
    "black-text": Key.choice(BLACK_TEXT_RULES),
}
SPEC_SCHEMA = build_schema(_SPEC_KEYS)


@dataclass(frozen=True)
class PageLimits:
    """Limits on the number of pages."""

    least: int = 1
    most: int = _MAX_PAGES
    multiple: int = 1


@dataclass(frozen=True)
class PrintedSize:
    """A size that a shop prints: trim in mm, shape, pixels of its picture with bleed (None as the
    shop's bleed says), the form of its order, and where all this is from."""

    trim: Size
    shape: str = SHAPES[0]
    pixels: tuple[int, int] | None = None
    order: str = ORDER_FORMS[0]
    source: str = ""
    read: str = ""


@dataclass(frozen=True)
class PrinterSpec:
    """What a printer asks; None and what is empty is not asked. Lengths in mm, lines in points.

    `sizes` are trims by name, and `products` what else is known of them. What is asked and missed
    is an error, what is merely usual a warning.
    """

    name: str = ""
    file_form: str = "pdf"
    sizes: Mapping[str, Size] = field(default_factory=dict)
    products: Mapping[str, PrintedSize] = field(default_factory=dict)
    max_copies: int | None = None
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
    def subject(self) -> str:
        """The printer as the subject of a sentence."""
        return self.name or "a printer"

    def find_size_name(self, size: Size, within: float = 0.2) -> str | None:
        """Return the name of a printed size, in either orientation; None where there is none."""
        near = self.find_nearest_size(size)
        return near if near and self.sizes[near].measure_difference(size) <= within else None

    def find_nearest_size(self, size: Size) -> str:
        """Return the name of the nearest size; "" where the printer names none."""
        return min(self.sizes, key=lambda n: self.sizes[n].measure_difference(size), default="")


DEFAULT_SPEC = PrinterSpec()
"""What any printer asks."""


def load_spec(file: Path) -> tuple[PrinterSpec | None, list[Problem]]:
    """Read a printer's requirements from a YAML file, and return them with the problems of the
    file.

    They are None when there is a problem.
    """
    try:
        text = game_files.read_file(file, game_files.MAX_TEXT_BYTES).decode("utf-8-sig")
    except game_files.UnreadableError as error:
        return None, [Problem(Source(str(file)), f"the file {error}", "file")]
    except UnicodeDecodeError:
        return None, [Problem(Source(str(file)), f"the file {game_files.NOT_UTF8}", "file")]
    return _parse_spec(text, str(file))


def _parse_spec(text: str, file: str) -> tuple[PrinterSpec | None, list[Problem]]:
    node, problems = yaml_nodes.load(text, file)
    if node is None or problems:
        return None, problems
    found = _SpecReader(report_to(problems)).read_spec(node)
    return (None if problems else found), problems


SHOPS_FOLDER = "shops"
_SHOP_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}\.yaml\Z")


def load_own_shop(root: Path, name: str) -> tuple[PrinterSpec | None, list[Problem]]:
    """Return a shop of the game, of the user's settings, or of cardgen, and problems of its file.

    The files are `shops/<name>.yaml` in the game's folder and in that of the settings.
    """
    file, settings = f"{SHOPS_FOLDER}/{name}.yaml", get_config_folder()
    for folder in (root, settings) if _SHOP_NAME.match(f"{name}.yaml") else ():
        if game_files.has_entry(folder, file):
            shown = str(folder / file) if folder is settings else file
            text, reason = game_files.read_text(folder, file)
            if reason:
                return None, [Problem(Source(shown), f"the file {reason}", "file")]
            return _parse_spec(text, shown)
    if name in load_shops():
        return load_shops()[name], []
    known = list_shop_names(root)
    message = f"there is no shop '{name}'{did_you_mean(name, known)}; write {file} for your own"
    return None, [Problem(Source("game.yaml"), message, "shop")]


def list_shop_names(root: Path) -> list[str]:
    """Return the names of cardgen's shops, the game's and the user's."""
    files = (
        name.rpartition("/")[2]
        for folder in (root, get_config_folder())
        for name in game_files.list_files(folder, SHOPS_FOLDER, ".yaml")
    )
    names = (each.removesuffix(".yaml") for each in files if _SHOP_NAME.match(each))
    return sorted({*load_shops(), *names})


@lru_cache(maxsize=1)
def load_shops() -> Mapping[str, PrinterSpec]:
    """Return the requirements that come with cardgen, by the names that `--for` takes."""
    text, why = game_files.read_text(Path(__file__).parent, _SHOPS_FILE)
    node, problems = yaml_nodes.load(text, _SHOPS_FILE)
    if why or node is None:
        raise RuntimeError(f"{_SHOPS_FILE} {why}")
    reader = _SpecReader(report_to(problems))
    found = {name: reader.read_spec(each) for name, each in node.items()}
    if problems:
        raise RuntimeError("\n".join(map(str, problems)))
    return MappingProxyType(found)


def _check_pixels(trim: Size, pixels: tuple[int, int]) -> str:
    """Return what is wrong with the pixels of a picture at 300 dpi; "" if nothing is."""
    over = [
        px / SHOP_DPI * MM_PER_INCH - side
        for px, side in zip(pixels, (trim.width, trim.height), strict=True)
    ]
    if min(over) < -_ROUNDING_MM:
        return f"at {SHOP_DPI} dpi they are smaller than its trim, {trim}"
    if max(over) > 2 * MAX_BLEED_MM:
        return f"at {SHOP_DPI} dpi they have more than {MAX_BLEED_MM:g} mm of bleed around {trim}"
    return ""


class _SpecReader:
    def __init__(self, report: Report) -> None:
        self.report = report

    def read_spec(self, node: Node) -> PrinterSpec:
        """Return the specification of a mapping, with defaults in place of what is wrong."""
        if not node.is_mapping:
            message = (
                f"it is {node.describe()}; a printer's file has name:, sizes:, bleed: and more"
            )
            self.report(node.source, message, "type")
            return DEFAULT_SPEC
        given = read_keys(node, _SPEC_KEYS, "a printer's file", self.report)
        if not given["name"].strip():
            self.report(node.source, "name: is missing; write who prints", "missing")
        colours = self._check_words(given, "colours", COLOUR_KINDS)
        if node.get("spots") is not None and "spot" not in colours:
            message = "spots: needs spot in colours:; add it there, or remove spots:"
            self.report(node.value["spots"].source, message, "type")
        products = self._read_products(given)
        return PrinterSpec(
            name=given["name"].strip(),
            file_form=given["takes"],
            sizes={name: each.trim for name, each in products.items()},
            products=products,
            max_copies=given["copies"],
            bleed=given["bleed"],
            needs_boxes=given["boxes"],
            allows_marks=given["marks"],
            pages=self._read_page_limits(given["pages"]),
            colours=colours,
            spots=tuple(each.text for each in given["spots"]) if node.get("spots") else None,
            max_ink=given["ink"],
            min_resolution=given["resolution"],
            min_line=given["line"],
            transparency=given["transparency"],
            standards=self._check_words(given, "pdf-x", STANDARDS),
            needs_intent=given["intent"],
            black_text=given["black-text"],
        )

    def _check_words(
        self, given: Mapping[str, Any], name: str, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        for each in given[name]:
            if each.text not in allowed:
                message = f"{name}: there is no {each.describe()}{did_you_mean(each.text, allowed)}"
                self.report(each.source, message, "type")
        return tuple(each.text for each in given[name] if each.text in allowed)

    def _read_page_limits(self, node: Node | None) -> PageLimits | None:
        if node is None:
            return None
        given = read_keys(node, _PAGE_KEYS, "pages", self.report)
        if given["least"] > given["most"]:
            message = f"pages: least is {given['least']}, which is more than most, {given['most']}"
            self.report(node.source, message, "type")
        return PageLimits(given["least"], given["most"], given["by"])

    def _read_products(self, spec: Mapping[str, Any]) -> dict[str, PrintedSize]:
        node = spec["sizes"]
        if node is None:
            return {}
        named = list(node.items())
        if not node.is_mapping:
            nodes = _make_words_key(_SIZE_SCHEMA).read(node, "sizes", self.report)
            named = [(each.text, each) for each in nodes]
        if len(named) > _MAX_SIZES:
            self.report(node.source, f"sizes has more than {_MAX_SIZES} entries", "type")
        return {
            name: product
            for name, each in named[:_MAX_SIZES]
            if (product := self._read_product(name, each, spec)) is not None
        }

    def _read_product(self, name: str, node: Node, spec: Mapping[str, Any]) -> PrintedSize | None:
        """Read a size, or a mapping with more about it."""
        if not node.is_mapping:
            size = self._read_size(node)
            whence = {"source": spec["source"], "read": spec["read"]}
            return PrintedSize(size, **whence) if size else None
        given = read_keys(node, _PRODUCT_KEYS, f"the size {name}", self.report)
        trim = self._read_size(given["trim"]) if given["trim"] else None
        match = _PIXELS.match(given["pixels"])
        if given["pixels"] and not match:
            message = f"pixels is '{given['pixels']}'; expected width and height: 822 x 1122"
            self.report(node.value["pixels"].source, message, "size")
        pixels = (int(match[1]), int(match[2])) if match else None
        if trim and pixels and (problem := _check_pixels(trim, pixels)):
            self.report(node.value["pixels"].source, f"pixels of {name}: {problem}", "size")
        source, read = given["source"] or spec["source"], given["read"] or spec["read"]
        if trim is None:
            return None
        return PrintedSize(trim, given["shape"], pixels, given["order"], source, read)

    def _read_size(self, given: Node) -> Size | None:
        text = given.text if given.is_scalar else ""
        inches = _INCHES_SUFFIX.match(text)
        size = parse_size(inches[1], {}) if inches else parse_size(text, _NAMED_SIZES)
        if size is None:
            hint = did_you_mean(text, _NAMED_SIZES) if text.isalpha() else ""
            message = f"a size is {given.describe()}; expected one such as 63.5 x 88.9 or "
            self.report(given.source, f"{message}2.5 x 3.5 in{hint}", "size")
        elif inches:
            return Size(round(size.width * MM_PER_INCH, 4), round(size.height * MM_PER_INCH, 4))
        return size
