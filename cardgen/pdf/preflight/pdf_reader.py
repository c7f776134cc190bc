"""Reads a PDF: what it declares, the boxes of its pages, what they paint, and their bleed."""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream
from PIL import Image, ImageChops

from cardgen.core.units import MM_PER_INCH, Box
from cardgen.core.work_limits import LimitExceededError, work_limit
from cardgen.pdf import raster
from cardgen.pdf.preflight import bounded_streams
from cardgen.pdf.preflight.bounded_streams import StreamTooLargeError
from cardgen.pdf.preflight.page_walker import PageWalker
from cardgen.pdf.preflight.pdf_facts import BleedSide, DocumentFacts, OutputIntent, PageFacts
from cardgen.pdf.preflight.printer_spec import PrinterSpec

BLEED_DPI = 144.0
_MAX_BLEED_PX, _MAX_SIDE_PX = 6_000_000, 20_000
_PAPER_LEVEL = 248
"""From which value on every colour of a px is paper's."""
_INSIDE_MM = 0.45
"""So far within the trim the page is looked at for what reaches its edge, mm."""
_EDGE_MM = 0.3
"""So much of the bleed's outer edge may be missing: half a px, and rounding."""
_EVEN_SHARE = 0.7
"""A stripe of paper begins at one distance from the trim, give or take so much, mm; what ends here
and there is a drawing."""
_MIN_PAINTED_MM = 2.0
"""Shorter stretches are told by nobody, mm."""
Probe = Callable[[float, float], bool]
"""Says if there is paper at a place along a side, so far beyond the trim; in mm."""


def measure_bleed(image: Image.Image, page: Box, trim: Box, bleed: Box) -> dict[str, BleedSide]:
    """Measure the sides of a page's bleed. `image` shows the whole page upright."""
    across, up = image.width / page.width, image.height / page.height
    red, green, blue = image.convert("RGB").split()
    pixels: Any = ImageChops.darker(ImageChops.darker(red, green), blue).load()

    def is_paper(x: float, y: float) -> bool:
        """Say if a point of the page, in mm, is paper."""
        column, row = int((x - page.left) * across), int((page.top - y) * up)
        column, row = min(max(column, 0), image.width - 1), min(max(row, 0), image.height - 1)
        return bool(pixels[column, row] >= _PAPER_LEVEL)

    probes: Mapping[str, tuple[Probe, float]] = {
        "left": (lambda at, out: is_paper(trim.left - out, at), trim.left - bleed.left),
        "right": (lambda at, out: is_paper(trim.right + out, at), bleed.right - trim.right),
        "bottom": (lambda at, out: is_paper(at, trim.bottom - out), trim.bottom - bleed.bottom),
        "top": (lambda at, out: is_paper(at, trim.top + out), bleed.top - trim.top),
    }
    step, sides = 1 / max(across, up), {}
    for name, (is_bare, reach) in probes.items():
        upright = name in {"left", "right"}
        ends = (trim.bottom, trim.top) if upright else (trim.left, trim.right)
        if side := _measure_side(is_bare, *ends, reach, step):
            sides[name] = side
    return sides


def _measure_side(
    bare: Probe, start: float, end: float, bleed: float, step: float
) -> BleedSide | None:
    """Measure a side, from `start` to `end` along the trim; None where nothing reaches its edge."""
    painted = 0
    reaches = []
    places = max(1, int((end - start) / step))
    for number in range(places):
        at = start + (number + 0.5) * step
        if bare(at, -_INSIDE_MM):
            continue
        painted += 1
        if bleed > _EDGE_MM:
            reach = _measure_reach(bare, at, bleed, step)
            if reach < bleed - _EDGE_MM:
                reaches.append(reach)
    if painted * step < _MIN_PAINTED_MM:
        return None
    reaches.sort()
    short = len(reaches) * step
    if short >= max(_MIN_PAINTED_MM, 0.12 * painted * step):
        low, high = reaches[len(reaches) // 10], reaches[len(reaches) * 9 // 10]
        if high - low <= _EVEN_SHARE:
            return BleedSide(painted * step, short, reaches[len(reaches) // 2])
    return BleedSide(painted * step, 0.0, bleed)


def _measure_reach(bare: Probe, at: float, bleed: float, step: float) -> float:
    """Return how far the paint goes beyond the trim, in mm."""
    out = bleed - step / 2
    while out > 0:
        if not bare(at, out):
            return out + step / 2
        out -= step
    return 0.0


MAX_PAGES = 3000
"""Maximum number of pages that are read."""
_MAX_ANNOTATIONS = 2000
_MAX_OBJECTS = 1_000_000
_DAMAGE_WORDS = ("damaged", "reconstruct")
"""Words in warnings about a damaged file."""
_MM_PER_POINT = MM_PER_INCH / 72
_PDFX_CLAIM = re.compile(rb"PDF/(X-[0-9][a-z]?)[^:0-9<\"')]{0,3}(?::([0-9]{4}))?")
_PDFX_METADATA = re.compile(rb"GTS_PDFXVersion[^>\"'=]{0,8}[>=][\"']?\s*([^<\"']{1,40})")


class PasswordRequiredError(Exception):
    """A file that opens only with a password."""


def read_pdf(data: bytes, spec: PrinterSpec, turn: work_limit) -> DocumentFacts:
    """Return the facts about a PDF. `turn` limits the time for each page.

    Raises `PasswordRequiredError`, `LimitExceededError`, and errors of pikepdf for what is no PDF.
    """
    try:
        with pikepdf.open(io.BytesIO(data), suppress_warnings=True) as pdf:
            if len(pdf.objects) > _MAX_OBJECTS:
                raise LimitExceededError(
                    f"it has more than {_MAX_OBJECTS:,} objects, which are the most"
                )
            found = _read_document(pdf)
            pages, walker = [], PageWalker()
            for number, page in enumerate(islice(pdf.pages, MAX_PAGES), start=1):
                turn.restart_clock()
                pages.append(_read_page(number, page, walker))
            found_bounds = {n: _find_bleed_bounds(page, spec) for n, page in enumerate(pages)}
            bounds = {n: each for n, each in found_bounds.items() if each}
            resolutions = {n: _get_resolution(pages[n].media) for n in bounds}
            expanded = _expand_pages(pdf) if bounds else b""
    except pikepdf.PasswordError:
        raise PasswordRequiredError from None
    turn.restart_clock()
    for number, image in raster.rasterise_some(expanded, resolutions) if bounds else ():
        sides = measure_bleed(image, pages[number].media, *bounds[number])
        pages[number] = replace(pages[number], sides=sides)
        turn.restart_clock()
    return replace(found, pages=tuple(pages))


def _read_document(pdf: pikepdf.Pdf) -> DocumentFacts:
    root, info = pdf.Root, pdf.trailer.get("/Info")
    info = info if isinstance(info, Dictionary) else Dictionary()
    count = len(pdf.pages)
    faults = []
    if count > MAX_PAGES:
        faults.append(f"it has {count} pages; {MAX_PAGES} of them were looked at")
    warnings = " ".join(map(str, pdf.get_warnings()))
    return DocumentFacts(
        version=pdf.pdf_version,
        pages=(),
        page_count=count,
        encrypted=pdf.is_encrypted,
        scripts=tuple(_find_scripts(root)),
        has_attachments="/EmbeddedFiles" in _get_dictionary(root, "/Names"),
        intents=tuple(_read_intents(root)),
        standard=_read_standard(root, info),
        title=str(info.get("/Title", ""))[:200],
        trapped=str(info.get("/Trapped", "")).removeprefix("/"),
        has_id="/ID" in pdf.trailer,
        has_layers="/OCProperties" in root,
        faults=tuple(faults),
        is_damaged=any(word in warnings for word in _DAMAGE_WORDS),
    )


def _get_dictionary(given: Any, name: str) -> Any:
    """Return a dictionary in another; an empty one if it is missing."""
    found = given.get(name) if isinstance(given, Dictionary | Stream) else None
    return found if isinstance(found, Dictionary) else Dictionary()


def _find_scripts(root: Any) -> Iterator[str]:
    if "/JavaScript" in _get_dictionary(root, "/Names"):
        yield "JavaScript that runs when it is opened"
    action = root.get("/OpenAction")
    if isinstance(action, Dictionary) and str(action.get("/S")) in {"/JavaScript", "/Launch"}:
        yield "an action that runs when it is opened"
    if "/AA" in root:
        yield "actions that run by themselves"
    if "/XFA" in _get_dictionary(root, "/AcroForm"):
        yield "a form of XFA"


def _read_intents(root: Any) -> Iterator[OutputIntent]:
    listed = root.get("/OutputIntents")
    for given in list(listed)[:20] if isinstance(listed, Array) else []:
        if isinstance(given, Dictionary):
            profile = given.get("/DestOutputProfile")
            parts = int(profile.get("/N", 0)) if isinstance(profile, Stream) else 0
            name = given.get("/OutputConditionIdentifier", given.get("/OutputCondition", ""))
            space = {1: "gray", 3: "rgb", 4: "cmyk"}.get(parts, "")
            yield OutputIntent(str(given.get("/S", "")).removeprefix("/"), str(name)[:80], space)


def _read_standard(root: Any, info: Any) -> str:
    """Return the PDF/X standard that a file claims, in its information or metadata."""
    keys = ("/GTS_PDFXConformance", "/GTS_PDFXVersion")
    claims = [str(info.get(key, "")).encode() for key in keys]
    metadata = root.get("/Metadata")
    if isinstance(metadata, Stream):
        with suppress(StreamTooLargeError, pikepdf.PikepdfError):
            claims += _PDFX_METADATA.findall(bounded_streams.read_stream(metadata, 4_000_000))
    for match in filter(None, map(_PDFX_CLAIM.search, claims)):
        return b":".join(filter(None, match.groups())).decode()
    return ""


def _read_page(number: int, page: pikepdf.Page, walker: PageWalker) -> PageFacts:
    unit = _read_number(page.obj.get("/UserUnit"), 1.0) * _MM_PER_POINT
    media = _read_box(page.mediabox, unit) or Box(0, 0, 612 * _MM_PER_POINT, 792 * _MM_PER_POINT)
    crop = _read_box(page.cropbox, unit)
    return PageFacts(
        number,
        media,
        crop if crop != media else None,
        _read_box(page.obj.get("/BleedBox"), unit),
        _read_box(page.obj.get("/TrimBox"), unit),
        int(_read_number(_get_inherited(page.obj, "/Rotate"), 0)) % 360,
        walker.walk_page(page),
        annotations=_count_annotations(page.obj),
    )


def _get_inherited(page: Any, key: str) -> Any:
    for _ in range(50):
        if not isinstance(page, Dictionary) or key in page:
            break
        page = page.get("/Parent")
    return page.get(key) if isinstance(page, Dictionary) else None


def _read_number(given: Any, otherwise: float) -> float:
    try:
        found = float(given)
    except (TypeError, ValueError):
        return otherwise
    return found if abs(found) < 1e6 else otherwise


def _read_box(given: Any, unit: float) -> Box | None:
    """Return a box in mm with its corners in order; None where there is none."""
    try:
        left, bottom, right, top = (float(each) * unit for each in given)
    except (TypeError, ValueError):
        return None
    box = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return box if 0 < box.width < 1e6 and 0 < box.height < 1e6 else None


def _count_annotations(page: Any) -> Mapping[str, int]:
    listed = page.get("/Annots")
    found: Counter[str] = Counter()
    for each in list(listed)[:_MAX_ANNOTATIONS] if isinstance(listed, Array) else []:
        if isinstance(each, Dictionary):
            found[str(each.get("/Subtype", "")).removeprefix("/")[:30]] += 1
            if str(_get_dictionary(each, "/A").get("/S")) == "/JavaScript" or "/AA" in each:
                found["script"] += 1
    return dict(found)


def _find_bleed_bounds(page: PageFacts, spec: PrinterSpec) -> tuple[Box, Box] | None:
    """Return the trim and the bleed of a page; None where they are unknown or it has faults."""
    trim, out = page.trim, page.bleed or page.crop or page.media
    if trim is None and spec.bleed and spec.sizes:
        inner = page.media.grow(-spec.bleed)
        sized = replace(page, trim=inner).cut_size
        trim = inner if min(inner.width, inner.height) > 0 and spec.find_size_name(sized) else None
    return (trim, out) if trim and not page.painted.faults else None


def _get_resolution(page: Box) -> float:
    """Return the resolution at which to rasterise a page, within the limits on pixels."""
    inches = page.width / MM_PER_INCH * (page.height / MM_PER_INCH)
    longest = max(page.width, page.height) / MM_PER_INCH
    return min(BLEED_DPI, math.sqrt(_MAX_BLEED_PX / max(inches, 0.01)), _MAX_SIDE_PX / longest)


def _expand_pages(pdf: pikepdf.Pdf) -> bytes:
    """Return the same pages upright, with all content: pdfium shows only the crop box."""
    for page in list(pdf.pages)[:MAX_PAGES]:
        if "/CropBox" in page.obj or _get_inherited(page.obj, "/Rotate"):
            page.obj.CropBox = page.mediabox
            page.obj.Rotate = 0
        if "/Annots" in page.obj:
            del page.obj.Annots
    out = io.BytesIO()
    pdf.save(out, encryption=False)
    return out.getvalue()
