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
from cardgen.pdf.preflight import file_checks, findings, pdf_reader
from cardgen.pdf.preflight.pdf_facts import DocumentFacts
from cardgen.pdf.preflight.printer_spec import PrinterSpec
from cardgen.runtime import game_files, worker_pool

MAX_PDF_BYTES = 300_000_000
_INSPECTION_SECONDS = 20.0
"""Processor time for one page."""


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
        return InspectionResult(
            call.display_name, [Problem(Source(call.display_name), message, kind)]
        )

    try:
        data = game_files.read_file(call.path, MAX_PDF_BYTES)
    except game_files.UnreadableError as error:
        return make_failure(f"the file {error}", "file")
    expected = (pikepdf.PikepdfError, pdf_reader.PasswordRequiredError)
    try:
        with work_limit(call.display_name, _INSPECTION_SECONDS, expected=expected) as turn:
            found = pdf_reader.read_pdf(data, call.spec, turn)
            problems = findings.make_problems(
                call.display_name, file_checks.check_document(found, call.spec)
            )
            return InspectionResult(call.display_name, problems, tuple(_summarise_document(found)))
    except pdf_reader.PasswordRequiredError:
        said = "it opens only with a password; save it without one"
        return make_failure(said, "locked")
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
    trim = (
        f", trim {first.cut_size.width:.2f} × {first.cut_size.height:.2f} mm" if first.trim else ""
    )
    page = f"{first.media.width:.2f} × {first.media.height:.2f} mm"
    number = f"{found.page_count} page{'' if found.page_count == 1 else 's'}"
    yield f"{claim}, {number} of {page}{trim}"
    yield from _summarise_colours(found)
    pictures = [
        (page.painted.pictures[0].dpi, page.number) for page in found.pages if page.painted.pictures
    ]
    if pictures:
        dpi, number_ = min(pictures)
        yield f"pictures: {dpi:.0f} dpi or more (least on page {number_})"
    thin, number_ = min((page.painted.thinnest, page.number) for page in found.pages)
    if math.isfinite(thin):
        yield f"lines: {thin:.2f} pt or more (thinnest on page {number_})"
    fonts = {name: why for page in found.pages for name, why in page.painted.missing_fonts.items()}
    if fonts:
        here = sum(not why for why in fonts.values())
        yield f"fonts: {len(fonts)}, {'all' if here == len(fonts) else here} embedded"


def _summarise_colours(found: DocumentFacts) -> Iterator[str]:
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
