"""A file's facts held to what a printer asks, or to what any printer does."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.pdf.preflight import page_checks, paint_checks
from cardgen.pdf.preflight.facts import Document, Page
from cardgen.pdf.preflight.findings import Finding
from cardgen.pdf.preflight.spec import Spec

_OLDEST = {"X-1a": "1.4", "X-3": "1.4"}
"""No PDF/X of these is newer than this version of PDF."""


def findings(found: Document, spec: Spec) -> Iterator[Finding]:
    """All that is wrong with a file."""
    claims = bool(found.standard)
    press = paint_checks.inked(found.pages) or any(i.space == "cmyk" for i in found.intents)
    yield from _file(found, spec)
    yield from _standard(found, spec)
    yield from page_checks.sizes(found.pages, spec)
    for page in found.pages:
        yield from page_checks.boxes(page, spec, claims)
        yield from page_checks.room(page, spec)
        yield from page_checks.painted(page, spec)
        yield from paint_checks.colours(page, spec, press)
        for check in (
            paint_checks.inks, paint_checks.black, paint_checks.overprinted,
            paint_checks.resolution, paint_checks.lines, paint_checks.transparency,
            paint_checks.fonts, paint_checks.faults,
        ):  # fmt: skip
            yield from check(page, spec)
        yield from paint_checks.notes(page, spec, claims)


def _file(found: Document, spec: Spec) -> Iterator[Finding]:
    for fault in found.faults:
        yield Finding(0, "bounds", fault)
    if found.damaged:
        said = (
            "the file is cut off or damaged, and what follows is of what could be read: export or "
            "send it anew"
        )
        yield Finding(0, "broken", said)
    if found.encrypted:
        said = "the file is encrypted; many printers refuse that, so save it without a password"
        yield Finding(0, "locked", said)
    for script in found.scripts:
        yield Finding(0, "script", f"{script}; take it out: print needs none of it")
    if found.attached:
        yield Finding(0, "annotations", "other files are attached to it; take them out", "warning")
    if spec.takes == "pictures":
        said = (
            f"{spec.name} takes pictures (PNG or JPEG), a file a face, and no PDF; this was looked "
            "at as what the pictures are made from"
        )
        yield Finding(0, "pages", said, "warning")
    yield from _pages(found.count, spec)


def _pages(count: int, spec: Spec) -> Iterator[Finding]:
    asked = spec.pages
    if asked is None:
        return
    if not asked.least <= count <= asked.most:
        bounds = f"{asked.least} to {asked.most}"
        yield Finding(0, "pages", f"it has {_so_many(count)}; {spec.whose} takes {bounds}")
    if count % asked.by:
        lacks = asked.by - count % asked.by
        missing = "one is missing" if lacks == 1 else f"{lacks} are missing"
        said = f"it has {_so_many(count)}; {spec.whose} takes a multiple of {asked.by}: {missing}"
        yield Finding(0, "pages", said)


def _so_many(pages: int) -> str:
    return "1 page" if pages == 1 else f"{pages} pages"


def _standard(found: Document, spec: Spec) -> Iterator[Finding]:
    """What it claims to be, and whether that holds."""
    claim = found.standard
    if spec.standards and claim not in spec.standards:
        asked = " or ".join(f"PDF/{each}" for each in spec.standards)
        is_ = f"it claims to be PDF/{claim}" if claim else "it claims to be no PDF/X"
        yield Finding(0, "pdf-x", f"{is_}; {spec.whose} asks for {asked}: export it so")
    intents = [intent for intent in found.intents if intent.kind == "GTS_PDFX"]
    if not intents and (claim or spec.intent):
        said = "it has no output intent, which says for which press and paper its inks are meant"
        yield Finding(0, "intent", f"{said}: export it with the printer's profile")
    if not claim:
        return
    if any(not intent.condition for intent in intents):
        yield Finding(0, "intent", "its output intent names no printing condition, such as FOGRA39")
    if claim == "X-4" and intents and not any(intent.space for intent in intents):
        said = "its output intent has no profile in it; PDF/X-4 asks for the profile itself"
        yield Finding(0, "intent", said)
    for wrong in _broken(found, claim.partition(":")[0]):
        yield Finding(0, "pdf-x", f"it claims to be PDF/{claim}, and {wrong}")
    yield from _painted(found, claim.partition(":")[0])


def _broken(found: Document, kind: str) -> Iterator[str]:
    if found.trapped not in {"True", "False"}:
        yield "does not say whether it is trapped (Trapped in its information)"
    if not found.identified:
        yield "has no ID in its trailer"
    if not found.title:
        yield "has no title"
    if kind in _OLDEST and found.version > _OLDEST[kind]:
        yield f"is PDF {found.version}, newer than {_OLDEST[kind]}"
    if kind != "X-4" and found.layers:
        yield "has layers"


def _painted(found: Document, kind: str) -> Iterator[Finding]:
    """What a PDF/X does not allow on any page."""
    for page in found.pages:
        for wrong in _not_allowed(page, kind):
            said = f"it claims to be PDF/{found.standard}, which allows no {wrong}"
            yield Finding(page.number, "pdf-x", said)


def _not_allowed(page: Page, kind: str) -> Iterator[str]:
    kinds = {one for one, _ in page.painted.colours}
    if kind in {"X-1a", "X-3"} and page.painted.transparency - {"blended in RGB"}:
        yield f"transparency ({', '.join(sorted(page.painted.transparency))})"
    if kind == "X-1a" and kinds & {"rgb", "lab"}:
        yield "RGB"
