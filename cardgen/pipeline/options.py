"""The options of a build that decide its files, declared once.

The command line makes its options, their help and their checks of this table, and the preview reads
what a page sends by it. `create_options` turns the values of either into `Options`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cardgen.book.model import EDITIONS, PAGE_FORMATS
from cardgen.core.problems import did_you_mean
from cardgen.core.units import (
    PAPERS,
    format_unknown_paper,
    is_number,
    parse_gap,
    parse_grid,
    parse_margins,
    parse_paper,
)
from cardgen.game.deck_keys import GAP_FORM, MAX_BLEED_MM, MAX_GAP_MM
from cardgen.game.game_settings import (
    GRID_FORM,
    MARGIN_FORM,
    MAX_INK_PERCENT,
    MAX_MARGIN_MM,
    MIN_INK_PERCENT,
)
from cardgen.game.model import BACKS, FITS, MARKS, PrintDefaults
from cardgen.outputs.contract import (
    DEFAULT_SHEET_PX,
    FILE_CONTENTS,
    IMAGE_FORMATS,
    MAX_SHEET_PX,
    Options,
    PressOptions,
    SingleOptions,
    TableOptions,
)
from cardgen.pdf.ink_modes import InkMode
from cardgen.sheets import precut_stock
from cardgen.sheets.arrangement import SheetLayout
from cardgen.sheets.cut_files import CUT_FILE_KINDS
from cardgen.sheets.imposition import ALL_NUMBERS, NO_NUMBERS, NumberRanges, parse_numbers
from cardgen.sheets.precut_stock import PrecutStock
from cardgen.sheets.printer_profiles import NO_CALIBRATION, PrinterCalibration
from cardgen.sheets.sheet_guides import MarkStyle
from cardgen.sheets.silhouette import (
    DEFAULT_DIMENSIONS,
    MARK_KINDS,
    MAX_DIMENSIONS,
    MIN_DIMENSIONS,
    MarkDimensions,
)

MAX_TEXT_CHARS = 2000
_DIMENSIONS = ("inset", "length", "thickness")


@dataclass(frozen=True)
class BuildOption:
    """An option: how it is typed, which values it takes, and the field of `Options` it decides."""

    flag: str
    name: str
    field: str
    help: str
    kind: Literal["text", "flag", "switch", "choice", "choices", "number", "integer"] = "text"
    metavar: str = ""
    values: tuple[str, ...] = ()
    limits: tuple[float, float] = (0, 0)
    default: Any = None

    def read_json(self, value: Any) -> Any:
        """Return a value that a page sends, or the default where it is not a valid one."""
        if self.kind == "flag":
            return value if isinstance(value, bool) else self.default
        if self.kind == "number":
            low, high = self.limits
            return float(value) if is_number(value) and low <= value <= high else self.default
        if self.kind == "text" and is_number(value):
            value = f"{value:g}"
        if (
            not isinstance(value, str)
            or not value.strip()
            or (self.values and value not in self.values)
        ):
            return self.default
        return value[:MAX_TEXT_CHARS]


def _mm(flag: str, name: str, field: str, help_: str) -> BuildOption:
    limits = (0, MAX_MARGIN_MM)
    return BuildOption(flag, name, field, help_, "number", "MM", limits=limits)


def _flag(flag: str, name: str, field: str, help_: str, default: Any = False) -> BuildOption:
    return BuildOption(flag, name, field, help_, "flag", default=default)


def _dimension(name: str, help_: str) -> BuildOption:
    limits = getattr(MIN_DIMENSIONS, name), getattr(MAX_DIMENSIONS, name)
    help_ = f"{help_}; {getattr(DEFAULT_DIMENSIONS, name):g} by default."
    return BuildOption(
        f"--mark-{name}", f"mark_{name}", "layout.style", help_, "number", "MM", limits=limits
    )


OPTION_GROUPS: Mapping[str, tuple[BuildOption, ...]] = {
    "Sheets": (
        BuildOption("--sheets", "sheets", "sheets", "Only these sheets.", metavar="2-4,7"),
        BuildOption("--paper", "paper", "layout.paper", f"{', '.join(PAPERS)}, or 320x450 in mm.",
                    metavar="NAME|WxH"),
        BuildOption("--backs", "backs", "layout.backs", "How backs are printed.", "choice",
                    values=BACKS),
        BuildOption("--margin", "margin", "layout.margin",
                    "Margins that the printer cannot print: all, or top,right,bottom,left.",
                    metavar="MM|MM,MM,MM,MM"),
        BuildOption("--gap", "gap", "layout.gap", "Gap between cards, or gaps across x down.",
                    metavar="MM|MMxMM"),
        BuildOption("--grid", "grid", "layout.grid", "Columns x rows on a sheet.", metavar="2x3"),
        _mm("--overlap", "overlap", "layout.overlap", "Overlap of the parts of a split board."),
        _flag("--mix", "mix", "mix", "Decks of one size share sheets.", default=None),
        BuildOption("--stock", "stock", "layout.stock", "Pre-cut cards or labels: avery-5371.",
                    metavar="NAME|list"),
        BuildOption("--skip", "skip", "layout.skip", "Places of the first sheet already used.",
                    metavar="1-4,7"),
        BuildOption("--marks", "marks", "layout.style", "Marks on the sheets.", "choice",
                    values=MARKS),
        _dimension("inset", "How far in a machine's marks lie"),
        _dimension("length", "How long their arms are"),
        _dimension("thickness", "How thick their lines are"),
        _flag("--cut-lines", "cut_lines", "layout.style", "Lines round every card."),
        _flag("--corner-guides", "corner_guides", "layout.style", "Arcs at the corners of cards."),
        BuildOption("--cut", "cut_files", "cut_files", "Cut files beside the sheets.",
                    metavar="dxf,svg"),
        BuildOption("--printer", "printer", "layout.calibration",
                    "Correct backs as calibrated for this printer.", metavar="NAME"),
        _flag("--low-ink", "low_ink", "layout.ink", "White grounds, outlines and pale art."),
        _flag("--grayscale", "grayscale", "layout.ink", "Black ink alone."),
        _flag("--estimate", "estimate", "estimate", "Report how much ink the sheets take."),
    ),
    "Images": (
        BuildOption("--dpi", "dpi", "dpi", "Resolution.", "integer", limits=(50, 1200)),
        BuildOption("--width-px", "width_px", "width_px", "Width of the trimmed card, not dpi.",
                    "integer", limits=(16, 10_000)),
        _flag("--bleed", "bleed", "bleed", "With bleed."),
        _flag("--round", "rounded", "rounded", "With round corners."),
        BuildOption("--format", "image_format", "image_format", "File format.", "choice",
                    values=IMAGE_FORMATS, default="png"),
    ),
    "Rulebook": (
        BuildOption("--edition", "editions", "editions", "This edition.", "choices",
                    values=EDITIONS, default=()),
        BuildOption("--book-size", "book_sizes", "book_sizes", "On this paper.", "choices",
                    values=tuple(PAGE_FORMATS), default=()),
        _flag("--all-editions", "all_editions", "editions", "Every edition on every paper."),
    ),
    "Virtual tables": (
        BuildOption("--png/--jpeg", "png", "tables.png", "File format of pictures.", "switch",
                    default=False),
        BuildOption("--sheet-px", "sheet_px", "tables.sheet_px",
                    "Longest side of a sheet of faces.", "integer", limits=(256, MAX_SHEET_PX),
                    default=DEFAULT_SHEET_PX),
        BuildOption("--base-url", "base_url", "tables.base_url",
                    "Where the pictures will be hosted.", metavar="URL", default=""),
    ),
    "Print shops and presses": (
        BuildOption("--bleed-mm", "bleed_mm", "single.bleed", "Bleed of single cards.", "number",
                    "MM", limits=(0, MAX_BLEED_MM)),
        BuildOption("--file-per", "file_per", "single.file_per", "What a file of card-pdfs holds.",
                    "choice", values=FILE_CONTENTS, default=FILE_CONTENTS[0]),
        BuildOption("--fit", "fit", "single.fit", "Bring cards to a shop's size nearby.", "choice",
                    values=FITS),
        BuildOption("--shop", "shop", "single.shop", "The print shop of the output shop.",
                    metavar="NAME", default=""),
        BuildOption("--profile", "profile", "press.profile", "ICC profile of the press.",
                    metavar="FILE|NAME", default=""),
        BuildOption("--ink-limit", "ink_limit", "press.ink", "Most ink that the press takes.",
                    "integer", "PERCENT", limits=(MIN_INK_PERCENT, MAX_INK_PERCENT)),
    ),
}  # fmt: skip
"""The options by the sections of `cardgen build --help`."""

BUILD_OPTIONS = {each.name: each for group in OPTION_GROUPS.values() for each in group}


_TYPED_FORMS: tuple[tuple[str, Callable[[str], Any], str], ...] = (
    ("margin", lambda text: parse_margins(text, MAX_MARGIN_MM), MARGIN_FORM),
    ("gap", lambda text: parse_gap(text, MAX_GAP_MM), GAP_FORM),
    ("grid", parse_grid, GRID_FORM),
)
"""Options by how their text is parsed and what it may be."""


class OptionError(Exception):
    """A value that an option cannot have; `flag` is the option, "" where several do not agree."""

    def __init__(self, flag: str, message: str) -> None:
        super().__init__(message)
        self.flag = flag


def create_options(
    given: Mapping[str, Any],
    defaults: PrintDefaults,
    calibration: PrinterCalibration = NO_CALIBRATION,
) -> Options:
    """Return the options for values by the names of `BUILD_OPTIONS`.

    A missing value, or None, is the option's default, or the game's. Raise `OptionError`.
    """
    values = {name: option.default for name, option in BUILD_OPTIONS.items()}
    values |= {key: value for key, value in given.items() if value is not None}
    marks = {key: found for key in _DIMENSIONS if (found := values[f"mark_{key}"]) is not None}
    for name, parse, form in _TYPED_FORMS:
        if isinstance(text := values[name], str):
            values[name] = parse(text)
            if values[name] is None:
                raise OptionError(f"--{name}", f"'{text}' is not {form}")
    sheets = _parse_ranges("sheets", values, ALL_NUMBERS, "no sheets; write 3, 2-4 or 2-4,7")
    layout = _create_layout(values, marks, defaults, calibration)
    return Options(
        layout, values["dpi"] or defaults.dpi, values["bleed"], values["rounded"],
        defaults.mix if values["mix"] is None else values["mix"],
        _parse_cut_files(values["cut_files"]), values["image_format"], values["width_px"] or 0,
        TableOptions(values["sheet_px"], values["png"], values["base_url"]),
        EDITIONS if values["all_editions"] else values["editions"], values["book_sizes"],
        estimate=values["estimate"], sheets=sheets,
        press=PressOptions(values["profile"], values["ink_limit"] or 0),
        single=SingleOptions(values["bleed_mm"], values["file_per"], values["fit"] or "",
                             values["shop"]),
    )  # fmt: skip


def _create_layout(
    values: Mapping[str, Any],
    marks: Mapping[str, float],
    defaults: PrintDefaults,
    calibration: PrinterCalibration,
) -> SheetLayout:
    """Return the layout of sheets; where a value is None, game.yaml decides. Raise `OptionError`.

    `marks` are the dimensions of a machine's marks that are given.
    """
    keys = ("paper", "backs", "margin", "gap", "grid", "overlap", "marks")
    name, backs, margin, gap, grid, overlap, marks_kind = (
        getattr(defaults, key) if values[key] is None else values[key] for key in keys
    )
    skip = _parse_ranges("skip", values, NO_NUMBERS, "no places; write 3, 1-4 or 1-4,7")
    cut = _find_stock(values, backs)
    name = cut.paper_name if cut else name
    paper = parse_paper(name)
    if paper is None:
        raise OptionError("", format_unknown_paper(name))
    if marks and (cut or marks_kind not in MARK_KINDS):
        kinds = " or ".join(MARK_KINDS)
        raise OptionError("", f"--mark-{next(iter(marks))} goes with --marks {kinds}")
    ink = InkMode(values["low_ink"], values["grayscale"])
    # White cards need a cut line to show their edge, unless the stock has edges.
    lines = values["cut_lines"] or (ink.low and not cut)
    style = MarkStyle(marks_kind, lines, values["corner_guides"], MarkDimensions(**marks))
    return SheetLayout(
        name, paper, backs, margin, gap, None if cut else grid, overlap, style, calibration, ink,
        cut, skip,
    )  # fmt: skip


def _find_stock(values: Mapping[str, Any], backs: str) -> PrecutStock | None:
    """Return the stock that is named, if any, and check the other options against it."""
    name, paper, marks = (values[key] for key in ("stock", "paper", "marks"))
    if not name:
        return None
    found = precut_stock.find_stock(name)
    if found is None:
        more = did_you_mean(name.lower(), precut_stock.index_stock_names())
        raise OptionError("", f"no stock '{name}'{more or '; --stock list shows all'}")
    if paper is not None and parse_paper(paper) != found.paper:
        message = f"{name} is {found.paper_name} paper, not {paper}; leave --paper out"
        raise OptionError("", message)
    if marks not in {None, "none"}:
        raise OptionError("", f"{name} is cut already; leave --marks out")
    if values["grid"]:
        raise OptionError("", f"{name} has its own places; leave --grid out")
    if backs == "gutterfold":
        raise OptionError("", f"{name} cannot be folded; choose --backs duplex-long, or none")
    return found


def _parse_ranges(
    name: str, values: Mapping[str, Any], otherwise: NumberRanges, mistake: str
) -> NumberRanges:
    text = values[name]
    found = otherwise if text is None else parse_numbers(text)
    if found is None:
        raise OptionError(f"--{name}", f"'{text}' names {mistake}")
    return found


def _parse_cut_files(words: str | tuple[str, ...] | None) -> tuple[str, ...]:
    listed = words.split(",") if isinstance(words, str) and words else words or ()
    kinds = tuple(kind.strip() for kind in listed)
    for kind in kinds:
        if kind not in CUT_FILE_KINDS:
            hint = did_you_mean(kind, CUT_FILE_KINDS)
            raise OptionError("", f"no kind of cut file '{kind}'{hint}")
    return kinds
