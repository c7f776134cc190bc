"""Inspection of PDFs, each in a worker process with limits: checks, and a summary of each file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

from cardgen.core.problems import Problem, Severity, Source, join_words
from cardgen.core.units import Box, Size
from cardgen.core.work_limits import LimitExceededError, work_limit
from cardgen.game.inventory import format_count
from cardgen.pdf.preflight import paint_checks, pdf_facts, pdf_reader
from cardgen.pdf.preflight.pdf_facts import DocumentFacts, Findings, PageFacts, PreflightFinding
from cardgen.pdf.preflight.printer_spec import PrinterSpec
from cardgen.runtime import game_files, worker_pool

USUAL_BLEED_MM = 3.0
_SAME_BOX_MM = 0.05
"""Tolerance for boxes."""
_SAME_SIZE_MM = 0.2
_MAX_VERSIONS = {"X-1a": "1.4", "X-3": "1.4"}
"""Newest version of PDF for these standards."""


def check_document(
    found: DocumentFacts, spec: PrinterSpec
) -> Iterator[tuple[int, PreflightFinding]]:
    """Yield all findings about a file, each with its page; 0 is the file."""
    for check_file in (_check_file, _check_page_count, _check_standard):
        for finding in check_file(found, spec):
            yield 0, finding
    for page in found.pages:
        for check_page in (
            check_sizes, check_boxes, check_margins, check_bleed, paint_checks.check_colours,
            paint_checks.check_ink, paint_checks.check_black, paint_checks.check_overprint,
            paint_checks.check_resolution, paint_checks.check_lines,
            paint_checks.check_transparency, paint_checks.check_fonts, paint_checks.report_faults,
            paint_checks.check_annotations, _check_standard_of_page,
        ):  # fmt: skip
            for finding in check_page(page, found, spec):
                yield page.number, finding


def check_boxes(page: PageFacts, found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check that TrimBox and BleedBox exist and lie in each other."""
    if page.trim is None and spec.needs_boxes is not False:
        severity: Severity = "error" if spec.needs_boxes or found.standard else "warning"
        message = (
            f"no TrimBox: the page is {{}}, and nothing says where it is cut; {spec.subject} "
            "cuts along the TrimBox, so have your program write one"
        )
        size = format_box(page.media)
        yield PreflightFinding("boxes", message, severity, size)
    for inner, outer, names in (
        (page.trim, page.bleed, "TrimBox reaches beyond the BleedBox"),
        (page.trim, page.media, "TrimBox reaches beyond the page (MediaBox)"),
        (page.bleed, page.media, "BleedBox reaches beyond the page (MediaBox)"),
    ):
        over = -min(_measure_margins(inner, outer)) if inner and outer else 0.0
        if over > _SAME_BOX_MM:
            message = f"the {names} by {{}} mm; boxes lie in each other, the TrimBox innermost"
            yield PreflightFinding("boxes", message, "error", f"{over:.2f}", over)
    over = -min(_measure_margins(page.trim, page.crop)) if page.trim and page.crop else 0.0
    if over > _SAME_BOX_MM:
        message = (
            "the CropBox cuts {} mm off the trim: some programs print no more than it holds; leave "
            "it out, or let it be the whole page"
        )
        yield PreflightFinding("boxes", message, "warning", f"{over:.2f}")


def check_sizes(page: PageFacts, found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check that the trim is a size of the printer, and the same as on the first page."""
    first, cut = found.pages[0], page.cut_size
    if page.trim is None and spec.bleed:
        inner = page.media.grow(-spec.bleed)
        if min(inner.width, inner.height) > 0:
            cut = Size(inner.width, inner.height)
    if spec.sizes and spec.find_size_name(cut, _SAME_SIZE_MM) is None:
        near = spec.find_nearest_size(cut)
        what = "the trim is" if page.trim else "without its bleed the page is"
        message = (
            f"{what} {format_box(cut)}; {spec.subject} prints no such size, and the nearest "
            f"is {near}, {format_box(spec.sizes[near])}: set the cards in it"
        )
        yield PreflightFinding("size", message)
    if page.rotation != first.rotation:
        message = (
            f"the page is turned by {page.rotation}° (Rotate) and page {first.number} by "
            f"{first.rotation}°: where fronts and backs alternate, one of them comes out "
            "sideways; turn the content instead"
        )
        yield PreflightFinding("size", message, "warning")
    one, other = page.cut_size, first.cut_size
    if max(abs(one.width - other.width), abs(one.height - other.height)) > _SAME_SIZE_MM:
        message = (
            f"this page is cut to {format_box(one)} and page {first.number} to "
            f"{format_box(other)}; a printer wants one size per file: split it"
        )
        yield PreflightFinding("size", message, "error" if spec.sizes else "warning")


def check_margins(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check how far the page goes beyond its trim."""
    if page.trim is None or not spec.bleed:
        return
    least = min(_measure_margins(page.trim, page.bleed or page.crop or page.media))
    if least < spec.bleed - _SAME_BOX_MM:
        message = (
            f"the bleed box ends {{}} mm from the trim; {spec.subject} asks for {spec.bleed:g} mm "
            "on every side: make the bleed wider, and let the pictures go on into it"
        )
        yield PreflightFinding("bleed", message, "error", f"{max(0.0, least):.2f}", -least)
    most = max(_measure_margins(page.trim, page.media))
    if not spec.allows_marks and most > spec.bleed + 2 * _SAME_BOX_MM:
        message = (
            f"the page goes {{}} mm beyond the trim; {spec.subject} takes pages that end with "
            f"the bleed, {spec.bleed:g} mm beyond it, without marks or margins"
        )
        yield PreflightFinding("bleed", message, "error", f"{most:.2f}")


def check_bleed(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check that the bleed is painted wherever the edge of the trim is."""
    expected = spec.bleed or USUAL_BLEED_MM
    reaches = {name: side.reach for name, side in page.sides.items() if side.short}
    blank = [name for name, reach in reaches.items() if reach < _SAME_SIZE_MM]
    stripes = [name for name in reaches if name not in blank]
    if blank:
        message = (
            f"the bleed is blank on the {join_words(blank)}, though the edge of the trim is "
            f"painted there: a cut that is a little off leaves paper; paint {expected:g} mm beyond "
            "the trim"
        )
        yield PreflightFinding("bleed", message)
    if stripes:
        least = min(reaches[name] for name in stripes)
        message = (
            f"the bleed is painted no further than {{}} mm from the trim on the "
            f"{join_words(stripes)}, and a stripe of paper follows; paint all {expected:g} mm"
        )
        yield PreflightFinding("bleed", message, "error", f"{least:.1f}", -least)
    if spec.bleed is None and page.trim and page.sides:
        least = min(_measure_margins(page.trim, page.bleed or page.media))
        if least < USUAL_BLEED_MM - _SAME_BOX_MM:
            message = (
                f"colour reaches the trim, and the page has {{}} mm of bleed; most printers ask "
                f"for {USUAL_BLEED_MM:g} mm"
            )
            yield PreflightFinding("bleed", message, "warning", f"{max(0.0, least):.2f}")


def _measure_margins(inner: Box, outer: Box) -> tuple[float, float, float, float]:
    return (
        inner.left - outer.left, outer.right - inner.right,
        inner.bottom - outer.bottom, outer.top - inner.top,
    )  # fmt: skip


def format_box(size: Size | Box) -> str:
    """Format a size in mm."""
    return f"{size.width:.2f} × {size.height:.2f} mm"


def _check_file(found: DocumentFacts, spec: PrinterSpec) -> Findings:
    for fault in found.faults:
        yield PreflightFinding("bounds", fault)
    if found.is_damaged:
        message = (
            "the file is cut off or damaged, and what follows is of what could be read: export or "
            "send it again"
        )
        yield PreflightFinding("broken", message)
    if found.encrypted:
        message = "the file is encrypted; many printers refuse that, so save it without a password"
        yield PreflightFinding("locked", message)
    for script in found.scripts:
        yield PreflightFinding("script", f"{script}; take it out: print needs none of it")
    if found.has_attachments:
        message = "other files are attached to it; take them out"
        yield PreflightFinding("annotations", message, "warning")
    if spec.file_form == "pictures":
        message = (
            f"{spec.name} takes pictures (PNG or JPEG), one file per face, and no PDF; this was "
            "checked as what the pictures are made from"
        )
        yield PreflightFinding("pages", message, "warning")


def _check_page_count(found: DocumentFacts, spec: PrinterSpec) -> Findings:
    limits, count = spec.pages, found.page_count
    if limits is None:
        return
    has = f"it has {format_count(count, 'page')}; {spec.subject} takes"
    if not limits.least <= count <= limits.most:
        yield PreflightFinding("pages", f"{has} {limits.least} to {limits.most}")
    if count % limits.multiple:
        lacks = limits.multiple - count % limits.multiple
        missing = "one is missing" if lacks == 1 else f"{lacks} are missing"
        yield PreflightFinding("pages", f"{has} a multiple of {limits.multiple}: {missing}")


def _check_standard(found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check the standard that the file claims."""
    claim = found.standard
    if spec.standards and claim not in spec.standards:
        expected = " or ".join(f"PDF/{each}" for each in spec.standards)
        is_ = f"it claims to be PDF/{claim}" if claim else "it does not claim to be PDF/X"
        message = f"{is_}; {spec.subject} asks for {expected}: export it so"
        yield PreflightFinding("pdf-x", message)
    intents = [intent for intent in found.intents if intent.kind == "GTS_PDFX"]
    if not intents and (claim or spec.needs_intent):
        message = "it has no output intent, which says for which press and paper its inks are meant"
        yield PreflightFinding("intent", f"{message}: export it with the printer's profile")
    if not claim:
        return
    if any(not intent.condition for intent in intents):
        message = "its output intent names no printing condition, such as FOGRA39"
        yield PreflightFinding("intent", message)
    if claim == "X-4" and intents and not any(intent.space for intent in intents):
        message = "its output intent has no profile in it; PDF/X-4 asks for the profile itself"
        yield PreflightFinding("intent", message)
    kind = claim.partition(":")[0]
    newest = _MAX_VERSIONS.get(kind, found.version)
    for is_wrong, wrong in (
        (found.trapped not in {"True", "False"},
         "does not say whether it is trapped (Trapped in its information)"),
        (not found.has_id, "has no ID in its trailer"),
        (not found.title, "has no title"),
        (found.version > newest, f"is PDF {found.version}, newer than {newest}"),
        (kind != "X-4" and found.has_layers, "has layers"),
    ):  # fmt: skip
        if is_wrong:
            yield PreflightFinding("pdf-x", f"it claims to be PDF/{claim}, and {wrong}")


def _check_standard_of_page(page: PageFacts, found: DocumentFacts, _spec: PrinterSpec) -> Findings:
    """Check for what the claimed standard does not allow on a page."""
    kind, painted = found.standard.partition(":")[0], page.painted
    effects = ", ".join(sorted(painted.transparency))
    has_effects = bool(painted.transparency - {"blended in RGB"})
    has_rgb = bool({"rgb", "lab"} & {colour for colour, _ in painted.colours})
    for is_wrong, wrong in (
        (kind in {"X-1a", "X-3"} and has_effects, f"transparency ({effects})"),
        (kind == "X-1a" and has_rgb, "RGB"),
    ):
        if is_wrong:
            message = f"it claims to be PDF/{found.standard}, which allows no {wrong}"
            yield PreflightFinding("pdf-x", message)


MAX_PDF_BYTES = 300_000_000
PAGE_SECONDS, FILE_SECONDS = 20.0, 300.0
"""Processor time for one page, and for all pages of a file."""


_WRONG_VALUE_ERRORS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What reading a foreign object raises that is not what it should be, such as a name for a
number."""
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
    expected = (pikepdf.PikepdfError, pdf_reader.PasswordRequiredError, *_WRONG_VALUE_ERRORS)
    try:
        with (
            work_limit(call.display_name, FILE_SECONDS, expected),
            work_limit(call.display_name, PAGE_SECONDS, expected) as turn,
        ):
            found = pdf_reader.read_pdf(data, call.spec, turn)
            mistakes = check_document(found, call.spec)
            problems = pdf_facts.make_problems(call.display_name, mistakes)
            return InspectionResult(call.display_name, problems, tuple(_summarise_document(found)))
    except pdf_reader.PasswordRequiredError:
        return make_failure("it opens only with a password; save it without one", "locked")
    except pikepdf.PikepdfError:
        return make_failure("it is not a PDF, or it is damaged; export it again", "broken")
    except _WRONG_VALUE_ERRORS:
        message = "it holds a value of another kind than PDF wants there; export it again"
        return make_failure(message, "broken")
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
