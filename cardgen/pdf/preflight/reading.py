"""A PDF looked at: what it says of itself, its pages' boxes, what they paint, and their bleed."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream

from cardgen.base.guard import Stopped, at
from cardgen.base.units import MM_PER_INCH, Box
from cardgen.pdf import raster
from cardgen.pdf.preflight import bleed, streams
from cardgen.pdf.preflight.facts import Document, Intent, Page
from cardgen.pdf.preflight.spec import Spec
from cardgen.pdf.preflight.streams import TooMuch
from cardgen.pdf.preflight.walking import Walker

MOST_PAGES = 3000
"""So many pages are looked at."""
_MOST_NOTES = 2000
_MOST_OBJECTS = 1_000_000
_MENDED = ("damaged", "reconstruct")
"""What a reader says of a file that it could not take as it is."""
_MM = MM_PER_INCH / 72
_CLAIM = re.compile(rb"PDF/(X-[0-9][a-z]?)[^:0-9<\"')]{0,3}(?::([0-9]{4}))?")
_PDFX = re.compile(rb"GTS_PDFXVersion[^>\"'=]{0,8}[>=][\"']?\s*([^<\"']{1,40})")


class Locked(Exception):  # noqa: N818 - it reads as what it says
    """A file that opens with a password alone."""


def read(data: bytes, spec: Spec, turn: at) -> Document:
    """What a PDF holds. Every page has the time that `turn` gives.

    Raises `Locked`, `Stopped`, and pikepdf's errors for what is no PDF.
    """
    try:
        with pikepdf.open(io.BytesIO(data), suppress_warnings=True) as pdf:
            if len(pdf.objects) > _MOST_OBJECTS:
                raise Stopped(f"it has more than {_MOST_OBJECTS:,} objects, which are the most")
            found = _document(pdf)
            pages = list(_pages(pdf, turn))
            wanted = {page.number - 1: _resolution(page, spec) for page in pages}
            wanted = {number: dpi for number, dpi in wanted.items() if dpi}
            shown = _laid_open(pdf) if wanted else b""
    except pikepdf.PasswordError:
        raise Locked from None
    turn.again()
    return replace(found, pages=tuple(_with_sides(pages, shown, wanted, spec, turn)))


def _document(pdf: pikepdf.Pdf) -> Document:
    root, info = pdf.Root, pdf.trailer.get("/Info")
    info = info if isinstance(info, Dictionary) else Dictionary()
    count = len(pdf.pages)
    faults = []
    if count > MOST_PAGES:
        faults.append(f"it has {count} pages; {MOST_PAGES} of them were looked at")
    said = " ".join(map(str, pdf.get_warnings()))
    return Document(
        version=pdf.pdf_version,
        pages=(),
        count=count,
        encrypted=pdf.is_encrypted,
        scripts=tuple(_scripts(root)),
        attached="/EmbeddedFiles" in _held(root, "/Names"),
        intents=tuple(_intents(root)),
        standard=_standard(root, info),
        title=str(info.get("/Title", ""))[:200],
        trapped=str(info.get("/Trapped", "")).removeprefix("/"),
        identified="/ID" in pdf.trailer,
        layers="/OCProperties" in root,
        faults=tuple(faults),
        damaged=any(word in said for word in _MENDED),
    )


def _held(given: Any, name: str) -> Any:
    """A dictionary in another; an empty one where there is none."""
    found = given.get(name) if isinstance(given, Dictionary | Stream) else None
    return found if isinstance(found, Dictionary) else Dictionary()


def _scripts(root: Any) -> Iterator[str]:
    if "/JavaScript" in _held(root, "/Names"):
        yield "JavaScript that runs when it is opened"
    action = root.get("/OpenAction")
    if isinstance(action, Dictionary) and str(action.get("/S")) in {"/JavaScript", "/Launch"}:
        yield "an action that runs when it is opened"
    if "/AA" in root:
        yield "actions that run by themselves"
    if "/XFA" in _held(root, "/AcroForm"):
        yield "a form of XFA"


def _intents(root: Any) -> Iterator[Intent]:
    listed = root.get("/OutputIntents")
    for given in list(listed)[:20] if isinstance(listed, Array) else []:
        if not isinstance(given, Dictionary):
            continue
        profile = given.get("/DestOutputProfile")
        parts = int(profile.get("/N", 0)) if isinstance(profile, Stream) else 0
        condition = given.get("/OutputConditionIdentifier", given.get("/OutputCondition", ""))
        space = {1: "gray", 3: "rgb", 4: "cmyk"}.get(parts, "")
        yield Intent(str(given.get("/S", "")).removeprefix("/"), str(condition)[:80], space)


def _standard(root: Any, info: Any) -> str:
    """The PDF/X that a file claims: by its head, or in its metadata."""
    claims = [bytes(str(info.get("/GTS_PDFXConformance", "")), "utf-8"),
              bytes(str(info.get("/GTS_PDFXVersion", "")), "utf-8")]  # fmt: skip
    metadata = root.get("/Metadata")
    if isinstance(metadata, Stream):
        with suppress(TooMuch, pikepdf.PikepdfError):
            claims += _PDFX.findall(streams.content(metadata, 4_000_000))
    for claim in claims:
        match = _CLAIM.search(claim)
        if match:
            year = f":{match[2].decode()}" if match[2] else ""
            return match[1].decode() + year
    return ""


def _pages(pdf: pikepdf.Pdf, turn: at) -> Iterator[Page]:
    walker = Walker()
    for number, page in enumerate(pdf.pages, start=1):
        if number > MOST_PAGES:
            return
        turn.again()
        yield _page(number, page, walker)


def _page(number: int, page: pikepdf.Page, walker: Walker) -> Page:
    unit = _number(page.obj.get("/UserUnit"), 1.0) * _MM
    media = _box(page.mediabox, unit) or Box(0, 0, 612 * _MM, 792 * _MM)
    boxes = {
        name: _box(page.obj.get(key), unit)
        for name, key in (("bleed", "/BleedBox"), ("trim", "/TrimBox"))
    }
    crop = _box(page.cropbox, unit)
    return Page(
        number,
        media,
        crop if crop != media else None,
        boxes["bleed"],
        boxes["trim"],
        int(_number(_inherited(page.obj, "/Rotate"), 0)) % 360,
        walker.page(page),
        annotations=_annotations(page.obj),
    )


def _inherited(page: Any, key: str) -> Any:
    for _ in range(50):
        if not isinstance(page, Dictionary) or key in page:
            break
        page = page.get("/Parent")
    return page.get(key) if isinstance(page, Dictionary) else None


def _number(given: Any, otherwise: float) -> float:
    try:
        found = float(given)
    except (TypeError, ValueError):
        return otherwise
    return found if abs(found) < 1e6 else otherwise


def _box(given: Any, unit: float) -> Box | None:
    """A box in mm, its corners in order; None where it is none."""
    try:
        left, bottom, right, top = (float(each) * unit for each in given)
    except (TypeError, ValueError):
        return None
    made = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return made if 0 < made.width < 1e6 and 0 < made.height < 1e6 else None


def _annotations(page: Any) -> Mapping[str, int]:
    listed = page.get("/Annots")
    found: Counter[str] = Counter()
    for each in list(listed)[:_MOST_NOTES] if isinstance(listed, Array) else []:
        if isinstance(each, Dictionary):
            found[str(each.get("/Subtype", "")).removeprefix("/")[:30]] += 1
            if str(_held(each, "/A").get("/S")) == "/JavaScript" or "/AA" in each:
                found["script"] += 1
    return dict(found)


def _bounds(page: Page, spec: Spec) -> tuple[Box, Box] | None:
    """The trim and the bleed of a page; None where nobody can tell them."""
    trim, out = page.trim, page.bleed or page.crop or page.media
    if trim is None and spec.bleed and spec.sizes:
        inner = page.media.grown(-spec.bleed)
        sized = replace(page, trim=inner).cut
        trim = inner if min(inner.width, inner.height) > 0 and spec.named(sized) else None
    return (trim, out) if trim else None


def _resolution(page: Page, spec: Spec) -> float:
    """At which resolution a page is drawn; 0 for one without bleed, or that may have no end."""
    if page.painted.faults or not _bounds(page, spec):
        return 0.0
    return bleed.resolution(page.media)


def _laid_open(pdf: pikepdf.Pdf) -> bytes:
    """The same pages, upright, with all that lies on them: pdfium shows no more than the crop."""
    for page in list(pdf.pages)[:MOST_PAGES]:
        if "/CropBox" in page.obj or _inherited(page.obj, "/Rotate"):
            page.obj.CropBox = page.mediabox
            page.obj.Rotate = 0
        if "/Annots" in page.obj:
            del page.obj.Annots
    out = io.BytesIO()
    pdf.save(out, encryption=False)
    return out.getvalue()


def _with_sides(
    pages: list[Page], shown: bytes, wanted: Mapping[int, float], spec: Spec, turn: at
) -> Iterator[Page]:
    drawn = raster.some(shown, wanted) if wanted else iter(())
    for page in pages:
        bounds = _bounds(page, spec)
        if page.number - 1 not in wanted or bounds is None:
            yield page
            continue
        turn.again()
        _, image = next(drawn)
        yield replace(page, sides=bleed.sides(image, page.media, *bounds))
