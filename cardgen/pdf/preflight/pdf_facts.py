"""Facts about a PDF, which `pdf_reader` collects, and findings, made of them by `inspection`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from cardgen.core.problems import Problem, Severity, Source, join_words
from cardgen.core.units import Box, Size

MAX_EXAMPLES = 12
"""So many names of one thing are kept."""


@dataclass(frozen=True, order=True)
class PlacedPicture:
    """A picture where it is placed: its resolution there, its size in px and in mm."""

    dpi: float
    width: int
    height: int
    width_mm: float
    height_mm: float


@dataclass
class PaintedContent:
    """What a page or form paints.

    None of it depends on the position, so that a form placed often is read only once.
    """

    colours: set[tuple[str, str]] = field(default_factory=set)
    """Of what kind (gray, cmyk, rgb, lab, spot), and what has it: text, drawings, pictures …"""
    spots: set[str] = field(default_factory=set)
    inks: dict[str, tuple[float, str]] = field(default_factory=dict)
    """The most that one operator or picture lays down, by what has it, and its colour."""
    black: dict[str, float] = field(default_factory=dict)
    """Of black texts: how it is made, with the smallest size of letters that is."""
    overprinted: set[str] = field(default_factory=set)
    thinnest: float = math.inf
    pictures: list[PlacedPicture] = field(default_factory=list)
    """Those of least resolution, the lowest first."""
    transparency: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    """Pictures and gradients whose ink is not known, by what they are."""
    missing_fonts: dict[str, str] = field(default_factory=dict)
    """Those that show letters: name → why it is not embedded, "" when it is."""
    faults: set[str] = field(default_factory=set)

    @property
    def has_inks(self) -> bool:
        """Say if anything is painted in inks."""
        return any(kind in {"cmyk", "spot"} for kind, _ in self.colours)

    def merge(self, other: PaintedContent) -> None:
        """Add all that another has."""
        self.colours |= other.colours
        self.spots |= other.spots
        for what, ink in other.inks.items():
            self.add_ink(what, *ink)
        for how, size in other.black.items():
            self.black[how] = min(size, self.black.get(how, math.inf))
        self.overprinted |= other.overprinted
        self.thinnest = min(self.thinnest, other.thinnest)
        self.pictures = sorted({*self.pictures, *other.pictures})[:MAX_EXAMPLES]
        self.transparency |= other.transparency
        self.unreadable |= other.unreadable
        self.missing_fonts.update(other.missing_fonts)
        self.faults |= other.faults

    def add_ink(self, what: str, percent: float, description: str) -> None:
        """Record the ink that something takes, in %."""
        if percent > self.inks.get(what, (-1.0, ""))[0]:
            self.inks[what] = percent, description


@dataclass(frozen=True)
class BleedSide:
    """One side of the bleed.

    `painted` is the painted length of the trim's edge in mm, `short` how much of it has paper in
    the bleed, and `reach` how far the paint goes beyond the trim.
    """

    painted: float
    short: float
    reach: float


@dataclass(frozen=True)
class PageFacts:
    """A page: its boxes, what it paints, and its bleed as it shows. Boxes are from its lower
    left."""

    number: int
    media: Box
    crop: Box | None
    bleed: Box | None
    trim: Box | None
    rotation: int
    painted: PaintedContent
    sides: Mapping[str, BleedSide] = field(default_factory=dict)
    annotations: Mapping[str, int] = field(default_factory=dict)

    @property
    def cut_size(self) -> Size:
        """Size of the card or leaf that is cut out."""
        box = self.trim or self.media
        return Size(round(box.width, 3), round(box.height, 3))


@dataclass(frozen=True)
class OutputIntent:
    """An output intent: its kind, its printing condition, and the colour space of its profile."""

    kind: str
    condition: str
    space: str


@dataclass(frozen=True)
class DocumentFacts:
    """A file: what it declares, and its pages as far as they were read."""

    version: str
    pages: tuple[PageFacts, ...]
    page_count: int
    encrypted: bool = False
    scripts: tuple[str, ...] = ()
    has_attachments: bool = False
    intents: tuple[OutputIntent, ...] = ()
    standard: str = ""
    """The PDF/X that it claims to be, as `X-4`."""
    title: str = ""
    trapped: str = ""
    has_id: bool = False
    has_layers: bool = False
    is_damaged: bool = False
    """Whether it had to be mended to be read."""
    faults: tuple[str, ...] = ()

    @cached_property
    def is_for_press(self) -> bool:
        """Say if any page is made for inks."""
        spaces = {intent.space for intent in self.intents}
        return "cmyk" in spaces or any(page.painted.has_inks for page in self.pages)


_MAX_RANGES = 8


class PreflightFinding(NamedTuple):
    """A mistake on a page or in the file.

    `message` says what was found, what is expected and what to do. `{}` in it stands for `figure`,
    which may differ from page to page; the page with the largest `badness` supplies it.
    """

    kind: str
    message: str
    severity: Severity = "error"
    figure: str = ""
    badness: float = 0.0


Findings = Iterator[PreflightFinding]


def make_problems(path: str, found: Iterable[tuple[int, PreflightFinding]]) -> list[Problem]:
    """Return one problem for each mistake, at its first page; `line` is the page.

    Findings come with their page, from 1; 0 is the file.
    """
    groups: dict[tuple[str, str, str], list[tuple[int, PreflightFinding]]] = {}
    for page, finding in found:
        key = finding.kind, finding.severity, finding.message
        groups.setdefault(key, []).append((page, finding))
    problems = []
    for group in groups.values():
        page, first = group[0]
        worst_page, worst = max(group, key=lambda each: each[1].badness)
        where = f" (page {worst_page})" if worst.figure != first.figure else ""
        message = first.message.replace("{}", f"{worst.figure}{where}")
        others = list(dict.fromkeys(other for other, _ in group if other != page))
        if others:
            message += f" (so on {format_page_ranges(others)}, too)"
        source = Source(path, page, f"page {page}" if page else "")
        problems.append(Problem(source, message, first.kind, first.severity))
    return sorted(problems, key=lambda each: (each.source.line, each.kind, each.message))


def format_page_ranges(pages: Sequence[int]) -> str:
    """Format page numbers: `page 3`, `pages 2–7 and 9`."""
    spans: list[list[int]] = []
    for page in sorted(pages):
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    if len(spans) > _MAX_RANGES:
        return f"{len(pages)} pages from {spans[0][0]} to {spans[-1][1]}"
    listed = join_words([str(a) if a == b else f"{a}–{b}" for a, b in spans])
    return f"{'page' if len(pages) == 1 else 'pages'} {listed}"
