"""Inspection of PDFs, each in a worker process with limits: their problems, and a summary of
each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError, work_limit
from cardgen.game.inventory import format_count
from cardgen.pdf.preflight import file_checks, findings, pdf_reader
from cardgen.pdf.preflight.file_checks import format_box
from cardgen.pdf.preflight.pdf_facts import DocumentFacts
from cardgen.pdf.preflight.printer_spec import PrinterSpec
from cardgen.runtime import game_files, worker_pool

MAX_PDF_BYTES = 300_000_000
_INSPECTION_SECONDS = 20.0
"""Processor time for one page."""


_SPOKEN_KINDS = {"gray": "grey tones", "rgb": "RGB", "cmyk": "CMYK", "lab": "Lab"}


@dataclass(frozen=True)
class InspectionCall:
    """A file, its name in messages, and what it is checked against."""

    path: Path
    display_name: str
    spec: PrinterSpec


@dataclass(frozen=True)
class InspectionResult:
    """Problems of a file, and a summary of it in lines."""

    name: str
    problems: list[Problem] = field(default_factory=list)
    summary: tuple[str, ...] = ()


def inspect_files(calls: Iterable[InspectionCall]) -> Iterator[InspectionResult]:
    """Yield the result of every file, in order; several files use all cores."""
    listed = list(calls)
    yield from worker_pool.map_calls(_inspect_file, listed, alone=len(listed) < 2)


def _inspect_file(call: InspectionCall) -> InspectionResult:
    def make_failure(message: str, kind: str) -> InspectionResult:
        problem = Problem(Source(call.display_name), message, kind)
        return InspectionResult(call.display_name, [problem])

    try:
        data = game_files.read_file(call.path, MAX_PDF_BYTES)
    except game_files.UnreadableError as error:
        return make_failure(f"the file {error}", "file")
    expected = (pikepdf.PikepdfError, pdf_reader.PasswordRequiredError)
    try:
        with work_limit(call.display_name, _INSPECTION_SECONDS, expected=expected) as turn:
            found = pdf_reader.read_pdf(data, call.spec, turn)
            mistakes = file_checks.check_document(found, call.spec)
            problems = findings.make_problems(call.display_name, mistakes)
            return InspectionResult(call.display_name, problems, tuple(_summarise_document(found)))
    except pdf_reader.PasswordRequiredError:
        return make_failure("it opens only with a password; save it without one", "locked")
    except pikepdf.PikepdfError:
        return make_failure("it is not a PDF, or it is damaged; export it again", "broken")
    except LimitExceededError as error:
        return make_failure(f"it cannot be checked: {error}", "bounds")


def _summarise_document(found: DocumentFacts) -> Iterator[str]:
    """Yield what a printer asks about first."""
    if not found.pages:
        yield "no pages"
        return
    first = found.pages[0]
    claim = f"PDF/{found.standard}" if found.standard else f"PDF {found.version}"
    trim = f", trim {format_box(first.cut_size)}" if first.trim else ""
    pages = format_count(found.page_count, "page")
    yield f"{claim}, {pages} of {format_box(first.media)}{trim}"
    yield from _summarise_colours(found)
    pictures = [(each.dpi, p.number) for p in found.pages for each in p.painted.pictures[:1]]
    if pictures:
        yield "pictures: {:.0f} dpi or more (least on page {})".format(*min(pictures))
    thin = min((page.painted.thinnest, page.number) for page in found.pages)
    if math.isfinite(thin[0]):
        yield "lines: {:.2f} pt or more (thinnest on page {})".format(*thin)
    fonts = {name: why for page in found.pages for name, why in page.painted.missing_fonts.items()}
    if fonts:
        here = sum(not why for why in fonts.values())
        yield f"fonts: {len(fonts)}, {'all' if here == len(fonts) else here} embedded"


def _summarise_colours(found: DocumentFacts) -> Iterator[str]:
    kinds = sorted({kind for page in found.pages for kind, _ in page.painted.colours})
    spots = ", ".join(sorted({name for page in found.pages for name in page.painted.spots}))
    colours = ", ".join(_SPOKEN_KINDS.get(kind, kind) for kind in kinds) or "none"
    yield f"colours: {colours}{f' ({spots})' if spots else ''}"
    inks = [
        (percent, what, page.number)
        for page in found.pages
        for what, (percent, _) in page.painted.inks.items()
    ]
    if inks and {"cmyk", "spot"} & set(kinds):
        percent, what, number = max(inks, key=lambda ink: ink[0])
        yield f"ink: at most {percent:.0f} % of one colour ({what}, page {number})"
