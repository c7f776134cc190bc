"""Files examined, each in a helper process under the guard: what is wrong, and what they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

from cardgen.base import paths, workers
from cardgen.base.guard import Stopped, at
from cardgen.base.problems import Problem, Source
from cardgen.pdf.preflight import checks, findings, reading
from cardgen.pdf.preflight.facts import Document
from cardgen.pdf.preflight.spec import Spec

MOST_BYTES = 300_000_000
_SECONDS = 20.0
"""Of the processor, for one page."""


@dataclass(frozen=True)
class Call:
    """A file, by its path and the name that it is told under, and what it is held to."""

    path: Path
    name: str
    spec: Spec


@dataclass(frozen=True)
class Examined:
    """What came of a file: its problems, and what it is, in lines."""

    name: str
    problems: list[Problem] = field(default_factory=list)
    told: tuple[str, ...] = ()


def examined(calls: Iterable[Call]) -> Iterator[Examined]:
    """Every file, in order; several on all cores."""
    listed = list(calls)
    yield from workers.spread(_one, listed, alone=len(listed) < 2)


def _one(call: Call) -> Examined:
    def wrong(message: str, kind: str) -> Examined:
        return Examined(call.name, [Problem(Source(call.name), message, kind)])

    try:
        data = paths.read(call.path, MOST_BYTES)
    except paths.Unreadable as error:
        return wrong(f"the file {error}", "file")
    known = (pikepdf.PikepdfError, reading.Locked)
    try:
        with at(call.name, _SECONDS, known=known) as turn:
            found = reading.read(data, call.spec, turn)
            told = findings.problems(call.name, checks.findings(found, call.spec))
            return Examined(call.name, told, tuple(_told(found)))
    except reading.Locked:
        said = "it opens with a password alone; save it without one, as printers need it"
        return wrong(said, "locked")
    except pikepdf.PikepdfError:
        return wrong("it is no PDF, or broken beyond reading; export it anew", "broken")
    except Stopped as error:
        return wrong(f"it cannot be looked at: {error}", "bounds")


def _told(found: Document) -> Iterator[str]:
    """What it is: what a printer asks about first."""
    if not found.pages:
        yield "no pages"
        return
    first = found.pages[0]
    claim = f"PDF/{found.standard}" if found.standard else f"PDF {found.version}"
    trim = f", trim {first.cut.width:.2f} × {first.cut.height:.2f} mm" if first.trim else ""
    page = f"{first.media.width:.2f} × {first.media.height:.2f} mm"
    number = f"{found.count} page{'' if found.count == 1 else 's'}"
    yield f"{claim}, {number} of {page}{trim}"
    yield from _colours(found)
    pictures = [
        (page.painted.pictures[0].dpi, page.number) for page in found.pages if page.painted.pictures
    ]
    if pictures:
        dpi, number_ = min(pictures)
        yield f"pictures: {dpi:.0f} dpi or more (least on page {number_})"
    thin, number_ = min((page.painted.thinnest, page.number) for page in found.pages)
    if math.isfinite(thin):
        yield f"lines: {thin:.2f} pt or more (thinnest on page {number_})"
    fonts = {name: why for page in found.pages for name, why in page.painted.fonts.items()}
    if fonts:
        here = sum(not why for why in fonts.values())
        yield f"fonts: {len(fonts)}, {'all' if here == len(fonts) else here} embedded"


def _colours(found: Document) -> Iterator[str]:
    kinds = sorted({kind for page in found.pages for kind, _ in page.painted.colours})
    spots = ", ".join(sorted({name for page in found.pages for name in page.painted.spots}))
    spoken = {"gray": "grey tones", "rgb": "RGB", "cmyk": "CMYK", "lab": "Lab"}
    colours = ", ".join(spoken.get(kind, kind) for kind in kinds) or "none"
    yield f"colours: {colours}{f' ({spots})' if spots else ''}"
    inks = [
        (percent, what, page.number)
        for page in found.pages
        for what, (percent, _) in page.painted.inks.items()
    ]
    if inks and {"cmyk", "spot"} & set(kinds):
        percent, what, number = max(inks, key=lambda ink: ink[0])
        yield f"ink: at most {percent:.0f} % of one colour ({what}, page {number})"
