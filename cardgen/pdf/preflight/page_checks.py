"""A page's boxes, size and bleed, held to what a printer asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.base.problems import Severity
from cardgen.base.units import Box, Size
from cardgen.pdf.preflight.facts import Page
from cardgen.pdf.preflight.findings import Finding
from cardgen.pdf.preflight.spec import Spec

USUAL_BLEED = 3.0
_SAME = 0.05
"""Lengths nearer than this are one, mm."""
_SIZE = 0.2


def boxes(page: Page, spec: Spec, claims: bool) -> Iterator[Finding]:
    """TrimBox and BleedBox: that they are there, and lie in each other."""
    if page.trim is None:
        severity: Severity = "error" if spec.boxes or claims else "warning"
        if spec.boxes is not False:
            said = (
                f"no TrimBox: the page is {{}}, and nothing tells where it is cut; {spec.whose} "
                "cuts along the TrimBox, so have your program write one"
            )
            yield Finding(page.number, "boxes", said, severity, _size(page.media))
    for inner, outer, names in (
        (page.trim, page.bleed, "TrimBox reaches beyond the BleedBox"),
        (page.trim, page.media, "TrimBox reaches beyond the page (MediaBox)"),
        (page.bleed, page.media, "BleedBox reaches beyond the page (MediaBox)"),
    ):
        if inner and outer and _beyond(inner, outer) > _SAME:
            said = f"the {names} by {{}} mm; boxes lie in each other, the TrimBox innermost"
            yield Finding(
                page.number,
                "boxes",
                said,
                "error",
                f"{_beyond(inner, outer):.2f}",
                _beyond(inner, outer),
            )
    if page.trim and page.crop and _beyond(page.trim, page.crop) > _SAME:
        said = (
            "the CropBox cuts {} mm off the trim: some programs print no more than it holds; leave "
            "it out, or let it be the whole page"
        )
        over = f"{_beyond(page.trim, page.crop):.2f}"
        yield Finding(page.number, "boxes", said, "warning", over)


def sizes(pages: Iterable[Page], spec: Spec) -> Iterator[Finding]:
    """What is cut out: a size that is printed, and the same on every page."""
    first: Page | None = None
    for page in pages:
        first = first or page
        cut = _cut(page, spec)
        if spec.sizes and spec.named(cut, _SIZE) is None:
            near = spec.nearest(cut)
            what = "the trim is" if page.trim else "without its bleed the page is"
            said = (
                f"{what} {_mm(cut)}; {spec.whose} prints no such size, and the nearest is {near}, "
                f"{_mm(spec.sizes[near])}: set the cards in it"
            )
            yield Finding(page.number, "size", said)
        if page.turned != first.turned:
            said = (
                f"the page is turned by {page.turned}° (Rotate) and page {first.number} by "
                f"{first.turned}°: where fronts and backs lie by turns, one of them comes out "
                "lying; turn what is on it instead"
            )
            yield Finding(page.number, "size", said, "warning")
        if _apart(page.cut, first.cut) > _SIZE:
            said = (
                f"this page is cut to {_mm(page.cut)} and page {first.number} to "
                f"{_mm(first.cut)}; a printer wants one size in a file: part them"
            )
            yield Finding(page.number, "size", said, "error" if spec.sizes else "warning")


def room(page: Page, spec: Spec) -> Iterator[Finding]:
    """How far the page goes beyond its trim."""
    if page.trim is None or not spec.bleed:
        return
    outer = page.bleed or page.crop or page.media
    least = min(_margins(page.trim, outer))
    if least < spec.bleed - _SAME:
        said = (
            f"the bleed box ends {{}} mm from the trim; {spec.whose} asks for {spec.bleed:g} mm on "
            "every side: make the bleed wider, and let the pictures go on into it"
        )
        yield Finding(page.number, "bleed", said, "error", f"{max(0.0, least):.2f}", -least)
    most = max(_margins(page.trim, page.media))
    if not spec.marks and most > spec.bleed + 2 * _SAME:
        said = (
            f"the page goes {{}} mm beyond the trim; {spec.whose} takes pages that end with the "
            f"bleed, {spec.bleed:g} mm beyond it, without marks or margins"
        )
        yield Finding(page.number, "bleed", said, "error", f"{most:.2f}")


def painted(page: Page, spec: Spec) -> Iterator[Finding]:
    """That the bleed is painted wherever the trim's edge is."""
    asked = spec.bleed or USUAL_BLEED
    short = [name for name, side in page.sides.items() if side.short]
    blank = [name for name in short if page.sides[name].reach < _SIZE]
    stripes = [name for name in short if name not in blank]
    if blank:
        said = (
            f"the bleed is blank on the {_listed(blank)}, though the edge of the trim is painted "
            f"there: a cut that is a little off leaves paper; paint {asked:g} mm beyond the trim"
        )
        yield Finding(page.number, "bleed", said)
    if stripes:
        reach = min(page.sides[name].reach for name in stripes)
        said = (
            f"the bleed is painted no further than {{}} mm from the trim on the "
            f"{_listed(stripes)}, and a stripe of paper follows; paint all {asked:g} mm of it"
        )
        yield Finding(page.number, "bleed", said, "error", f"{reach:.1f}", -reach)
    if spec.bleed is None and page.trim and page.sides:
        least = min(_margins(page.trim, page.bleed or page.media))
        if least < USUAL_BLEED - _SAME:
            said = (
                f"colour reaches the trim, and the page has {{}} mm of bleed; most printers ask "
                f"for {USUAL_BLEED:g} mm"
            )
            yield Finding(page.number, "bleed", said, "warning", f"{max(0.0, least):.2f}")


def _cut(page: Page, spec: Spec) -> Size:
    """What is cut out, as far as can be told: the page without the bleed where it tells no trim."""
    if page.trim is None and spec.bleed:
        inner = page.media.grown(-spec.bleed)
        if min(inner.width, inner.height) > 0:
            return Size(inner.width, inner.height)
    return page.cut


def _beyond(inner: Box, outer: Box) -> float:
    return max(-margin for margin in _margins(inner, outer))


def _margins(inner: Box, outer: Box) -> tuple[float, float, float, float]:
    return (
        inner.left - outer.left, outer.right - inner.right,
        inner.bottom - outer.bottom, outer.top - inner.top,
    )  # fmt: skip


def _apart(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))


def _size(box: Box) -> str:
    return _mm(Size(box.width, box.height))


def _mm(size: Size) -> str:
    return f"{size.width:.2f} × {size.height:.2f} mm"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
