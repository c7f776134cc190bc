"""Checks of a file's facts against what a printer asks, or what any printer does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.core.problems import Severity
from cardgen.core.units import Box, Size
from cardgen.pdf.preflight import paint_checks
from cardgen.pdf.preflight.findings import PreflightFinding
from cardgen.pdf.preflight.pdf_facts import DocumentFacts, PageFacts
from cardgen.pdf.preflight.printer_spec import PrinterSpec

USUAL_BLEED_MM = 3.0
_SAME_BOX_MM = 0.05
"""Tolerance for boxes."""
_SAME_SIZE_MM = 0.2


def check_boxes(page: PageFacts, spec: PrinterSpec, claims: bool) -> Iterator[PreflightFinding]:
    """Check that TrimBox and BleedBox exist and lie in each other."""
    if page.trim is None:
        severity: Severity = "error" if spec.needs_boxes or claims else "warning"
        if spec.needs_boxes is not False:
            message = (
                f"no TrimBox: the page is {{}}, and nothing says where it is cut; {spec.subject} "
                "cuts along the TrimBox, so have your program write one"
            )
            yield PreflightFinding(
                page.number, "boxes", message, severity, _get_box_size(page.media)
            )
    for inner, outer, names in (
        (page.trim, page.bleed, "TrimBox reaches beyond the BleedBox"),
        (page.trim, page.media, "TrimBox reaches beyond the page (MediaBox)"),
        (page.bleed, page.media, "BleedBox reaches beyond the page (MediaBox)"),
    ):
        if inner and outer and _extends_beyond(inner, outer) > _SAME_BOX_MM:
            message = f"the {names} by {{}} mm; boxes lie in each other, the TrimBox innermost"
            yield PreflightFinding(
                page.number,
                "boxes",
                message,
                "error",
                f"{_extends_beyond(inner, outer):.2f}",
                _extends_beyond(inner, outer),
            )
    if page.trim and page.crop and _extends_beyond(page.trim, page.crop) > _SAME_BOX_MM:
        message = (
            "the CropBox cuts {} mm off the trim: some programs print no more than it holds; leave "
            "it out, or let it be the whole page"
        )
        over = f"{_extends_beyond(page.trim, page.crop):.2f}"
        yield PreflightFinding(page.number, "boxes", message, "warning", over)


def check_sizes(pages: Iterable[PageFacts], spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check that the trim is a size of the printer, and the same on every page."""
    first: PageFacts | None = None
    for page in pages:
        first = first or page
        cut = _get_cut_box(page, spec)
        if spec.sizes and spec.find_size_name(cut, _SAME_SIZE_MM) is None:
            near = spec.find_nearest_size(cut)
            what = "the trim is" if page.trim else "without its bleed the page is"
            message = (
                f"{what} {_format_size(cut)}; {spec.subject} prints no such size, and the nearest "
                f"is {near}, {_format_size(spec.sizes[near])}: set the cards in it"
            )
            yield PreflightFinding(page.number, "size", message)
        if page.rotation != first.rotation:
            message = (
                f"the page is turned by {page.rotation}° (Rotate) and page {first.number} by "
                f"{first.rotation}°: where fronts and backs alternate, one of them comes out "
                "sideways; turn the content instead"
            )
            yield PreflightFinding(page.number, "size", message, "warning")
        if _differs_in_size(page.cut_size, first.cut_size) > _SAME_SIZE_MM:
            message = (
                f"this page is cut to {_format_size(page.cut_size)} and page {first.number} to "
                f"{_format_size(first.cut_size)}; a printer wants one size per file: split it"
            )
            yield PreflightFinding(
                page.number, "size", message, "error" if spec.sizes else "warning"
            )


def check_margins(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check how far the page goes beyond its trim."""
    if page.trim is None or not spec.bleed:
        return
    outer = page.bleed or page.crop or page.media
    least = min(_measure_margins(page.trim, outer))
    if least < spec.bleed - _SAME_BOX_MM:
        message = (
            f"the bleed box ends {{}} mm from the trim; {spec.subject} asks for {spec.bleed:g} mm "
            "on every side: make the bleed wider, and let the pictures go on into it"
        )
        yield PreflightFinding(
            page.number, "bleed", message, "error", f"{max(0.0, least):.2f}", -least
        )
    most = max(_measure_margins(page.trim, page.media))
    if not spec.allows_marks and most > spec.bleed + 2 * _SAME_BOX_MM:
        message = (
            f"the page goes {{}} mm beyond the trim; {spec.subject} takes pages that end with "
            f"the bleed, {spec.bleed:g} mm beyond it, without marks or margins"
        )
        yield PreflightFinding(page.number, "bleed", message, "error", f"{most:.2f}")


def check_bleed(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check that the bleed is painted wherever the edge of the trim is."""
    expected = spec.bleed or USUAL_BLEED_MM
    short = [name for name, side in page.sides.items() if side.short]
    blank = [name for name in short if page.sides[name].reach < _SAME_SIZE_MM]
    stripes = [name for name in short if name not in blank]
    if blank:
        message = (
            f"the bleed is blank on the {_join_names(blank)}, though the edge of the trim is "
            f"painted there: a cut that is a little off leaves paper; paint {expected:g} mm beyond "
            "the trim"
        )
        yield PreflightFinding(page.number, "bleed", message)
    if stripes:
        reach = min(page.sides[name].reach for name in stripes)
        message = (
            f"the bleed is painted no further than {{}} mm from the trim on the "
            f"{_join_names(stripes)}, and a stripe of paper follows; paint all {expected:g} mm"
        )
        yield PreflightFinding(page.number, "bleed", message, "error", f"{reach:.1f}", -reach)
    if spec.bleed is None and page.trim and page.sides:
        least = min(_measure_margins(page.trim, page.bleed or page.media))
        if least < USUAL_BLEED_MM - _SAME_BOX_MM:
            message = (
                f"colour reaches the trim, and the page has {{}} mm of bleed; most printers ask "
                f"for {USUAL_BLEED_MM:g} mm"
            )
            yield PreflightFinding(
                page.number, "bleed", message, "warning", f"{max(0.0, least):.2f}"
            )


def _get_cut_box(page: PageFacts, spec: PrinterSpec) -> Size:
    """Return the trim size; of a page without a TrimBox, the page without the bleed."""
    if page.trim is None and spec.bleed:
        inner = page.media.grow(-spec.bleed)
        if min(inner.width, inner.height) > 0:
            return Size(inner.width, inner.height)
    return page.cut_size


def _extends_beyond(inner: Box, outer: Box) -> float:
    return max(-margin for margin in _measure_margins(inner, outer))


def _measure_margins(inner: Box, outer: Box) -> tuple[float, float, float, float]:
    return (
        inner.left - outer.left, outer.right - inner.right,
        inner.bottom - outer.bottom, outer.top - inner.top,
    )  # fmt: skip


def _differs_in_size(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))


def _get_box_size(box: Box) -> str:
    return _format_size(Size(box.width, box.height))


def _format_size(size: Size) -> str:
    return f"{size.width:.2f} × {size.height:.2f} mm"


def _join_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


_MAX_VERSIONS = {"X-1a": "1.4", "X-3": "1.4"}
"""Newest version of PDF for these standards."""


def check_document(found: DocumentFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Yield all findings about a file."""
    claims = bool(found.standard)
    press = paint_checks.has_ink_pages(found.pages) or any(i.space == "cmyk" for i in found.intents)
    yield from _check_file(found, spec)
    yield from _check_standard(found, spec)
    yield from check_sizes(found.pages, spec)
    for page in found.pages:
        yield from check_boxes(page, spec, claims)
        yield from check_margins(page, spec)
        yield from check_bleed(page, spec)
        yield from paint_checks.check_colours(page, spec, press)
        for check in (
            paint_checks.check_ink, paint_checks.check_black, paint_checks.check_overprint,
            paint_checks.check_resolution, paint_checks.check_lines,
            paint_checks.check_transparency, paint_checks.check_fonts, paint_checks.report_faults,
        ):  # fmt: skip
            yield from check(page, spec)
        yield from paint_checks.check_annotations(page, spec, claims)


def _check_file(found: DocumentFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    for fault in found.faults:
        yield PreflightFinding(0, "bounds", fault)
    if found.is_damaged:
        message = (
            "the file is cut off or damaged, and what follows is of what could be read: export or "
            "send it again"
        )
        yield PreflightFinding(0, "broken", message)
    if found.encrypted:
        message = "the file is encrypted; many printers refuse that, so save it without a password"
        yield PreflightFinding(0, "locked", message)
    for script in found.scripts:
        yield PreflightFinding(0, "script", f"{script}; take it out: print needs none of it")
    if found.has_attachments:
        yield PreflightFinding(
            0, "annotations", "other files are attached to it; take them out", "warning"
        )
    if spec.file_form == "pictures":
        message = (
            f"{spec.name} takes pictures (PNG or JPEG), one file per face, and no PDF; this was "
            "checked as what the pictures are made from"
        )
        yield PreflightFinding(0, "pages", message, "warning")
    yield from _check_page_count(found.page_count, spec)


def _check_page_count(count: int, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    limits = spec.pages
    if limits is None:
        return
    if not limits.least <= count <= limits.most:
        bounds = f"{limits.least} to {limits.most}"
        yield PreflightFinding(
            0, "pages", f"it has {_format_page_count(count)}; {spec.subject} takes {bounds}"
        )
    if count % limits.multiple:
        lacks = limits.multiple - count % limits.multiple
        missing = "one is missing" if lacks == 1 else f"{lacks} are missing"
        message = (
            f"it has {_format_page_count(count)}; {spec.subject} takes a multiple of "
            f"{limits.multiple}: {missing}"
        )
        yield PreflightFinding(0, "pages", message)


def _format_page_count(pages: int) -> str:
    return "1 page" if pages == 1 else f"{pages} pages"


def _check_standard(found: DocumentFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check the standard that the file claims."""
    claim = found.standard
    if spec.standards and claim not in spec.standards:
        expected = " or ".join(f"PDF/{each}" for each in spec.standards)
        is_ = f"it claims to be PDF/{claim}" if claim else "it does not claim to be PDF/X"
        yield PreflightFinding(
            0, "pdf-x", f"{is_}; {spec.subject} asks for {expected}: export it so"
        )
    intents = [intent for intent in found.intents if intent.kind == "GTS_PDFX"]
    if not intents and (claim or spec.needs_intent):
        message = "it has no output intent, which says for which press and paper its inks are meant"
        yield PreflightFinding(0, "intent", f"{message}: export it with the printer's profile")
    if not claim:
        return
    if any(not intent.condition for intent in intents):
        yield PreflightFinding(
            0, "intent", "its output intent names no printing condition, such as FOGRA39"
        )
    if claim == "X-4" and intents and not any(intent.space for intent in intents):
        message = "its output intent has no profile in it; PDF/X-4 asks for the profile itself"
        yield PreflightFinding(0, "intent", message)
    for wrong in _list_violations(found, claim.partition(":")[0]):
        yield PreflightFinding(0, "pdf-x", f"it claims to be PDF/{claim}, and {wrong}")
    yield from _list_paint_violations(found, claim.partition(":")[0])


def _list_violations(found: DocumentFacts, kind: str) -> Iterator[str]:
    if found.trapped not in {"True", "False"}:
        yield "does not say whether it is trapped (Trapped in its information)"
    if not found.has_id:
        yield "has no ID in its trailer"
    if not found.title:
        yield "has no title"
    if kind in _MAX_VERSIONS and found.version > _MAX_VERSIONS[kind]:
        yield f"is PDF {found.version}, newer than {_MAX_VERSIONS[kind]}"
    if kind != "X-4" and found.has_layers:
        yield "has layers"


def _list_paint_violations(found: DocumentFacts, kind: str) -> Iterator[PreflightFinding]:
    """Yield what the claimed standard does not allow on a page."""
    for page in found.pages:
        for wrong in _list_disallowed(page, kind):
            message = f"it claims to be PDF/{found.standard}, which allows no {wrong}"
            yield PreflightFinding(page.number, "pdf-x", message)


def _list_disallowed(page: PageFacts, kind: str) -> Iterator[str]:
    kinds = {one for one, _ in page.painted.colours}
    if kind in {"X-1a", "X-3"} and page.painted.transparency - {"blended in RGB"}:
        yield f"transparency ({', '.join(sorted(page.painted.transparency))})"
    if kind == "X-1a" and kinds & {"rgb", "lab"}:
        yield "RGB"
