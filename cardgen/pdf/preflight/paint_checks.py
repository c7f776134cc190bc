"""Checks of what pages paint: colours, ink, black, pictures, lines and fonts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.core.problems import Severity, did_you_mean
from cardgen.pdf.preflight.findings import PreflightFinding
from cardgen.pdf.preflight.pdf_facts import PageFacts, PaintedContent
from cardgen.pdf.preflight.printer_spec import PrinterSpec

USUAL_INK, USUAL_DPI, POOR_DPI, USUAL_LINE = 300.0, 300.0, 200.0, 0.25
_MAX_TEXT_PT = 24.0
"""Letters up to so many points are text: larger ones may be rich."""
_BLACK_CONSEQUENCES = {
    "knocks out": (
        "where inks are a hair apart, paper shows beside letters; let black text overprint"
    ),
    "mode 0": (
        "overprint is switched on, but in mode 0, in which cyan, magenta and yellow of 0 are "
        "printed as none; set OPM 1"
    ),
}
_INK_KINDS = frozenset({"cmyk", "spot"})
_KIND_TITLES = {
    "gray": "grey tones",
    "rgb": "RGB",
    "cmyk": "CMYK",
    "lab": "Lab",
    "spot": "a spot colour",
}


def check_colours(page: PageFacts, spec: PrinterSpec, press: bool) -> Iterator[PreflightFinding]:
    """Check for colours that the printer does not take, and for RGB among inks."""
    painted = page.painted
    for kind in sorted({kind for kind, _ in painted.colours}):
        what = ", ".join(sorted(what for one, what in painted.colours if one == kind))
        if kind in {"unknown", "pattern"}:
            yield PreflightFinding(
                page.number, "colour", f"colours of an unknown kind in {what}", "warning"
            )
        elif spec.colours and kind not in spec.colours:
            accepted = " and ".join(_KIND_TITLES[each] for each in spec.colours)
            advice = _format_colour_advice(kind)
            message = f"{_KIND_TITLES[kind]} in {what}; {spec.subject} takes {accepted}: {advice}"
            yield PreflightFinding(page.number, "colour", message)
        elif not spec.colours and kind in {"rgb", "lab"} and press:
            message = (
                f"{_KIND_TITLES[kind]} in {what}, in a file that is made for inks: the press turns "
                f"it into inks in its own way; {_format_colour_advice(kind)}"
            )
            yield PreflightFinding(page.number, "colour", message, "warning")
    if "blended in RGB" in painted.transparency and (press or _has_inks(painted)):
        message = (
            "a transparency group is blended in RGB: its inks are turned to RGB and back; let it "
            "be blended in CMYK"
        )
        yield PreflightFinding(page.number, "colour", message, "warning")
    yield from _check_spots(page, spec)


def _check_spots(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    for name in sorted(page.painted.spots):
        if spec.spots is not None and name not in spec.spots:
            hint = did_you_mean(name, spec.spots)
            message = f"the spot colour '{name}' is not one that {spec.subject} has{hint}"
            yield PreflightFinding(page.number, "colour", message)


def _format_colour_advice(kind: str) -> str:
    ways = {
        "rgb": "turn it into inks with the printer's profile",
        "lab": "turn it into inks with the printer's profile",
        "cmyk": "write it in RGB, as pictures on a screen have it",
        "spot": "turn it into the four inks",
        "gray": "write it in one of those",
    }
    return ways[kind]


def check_ink(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check the total ink of every colour and picture."""
    most = spec.max_ink or USUAL_INK
    severity: Severity = "error" if spec.max_ink else "warning"
    for what, (percent, colour) in sorted(page.painted.inks.items()):
        if percent > most + 0.5:
            limit = f"{spec.subject} takes {most:g} %"
            message = (
                f"{{}} in {what}; {limit}: use a profile with that ink limit, or a lighter colour"
            )
            figure = f"{percent:.0f} % of ink ({colour})"
            yield PreflightFinding(page.number, "ink", message, severity, figure, percent)


def check_black(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check that black text is of one ink and overprints."""
    painted = page.painted
    is_required = bool(spec.black_text)
    for how, consequence in (
        ("rich", "of several inks: where these are a hair apart, letters have coloured edges"),
        ("rgb", "in RGB, which the press makes of several inks"),
    ):
        size = painted.black.get(how)
        if (
            size is None
            or size > _MAX_TEXT_PT
            or (how == "rgb" and not (is_required or _has_inks(painted)))
        ):
            continue
        message = f"black text {consequence}; make it of black alone (smallest: {{}})"
        severity: Severity = "error" if is_required else "warning"
        yield PreflightFinding(page.number, "black", message, severity, f"{size:g} pt", -size)
    for how, consequence in _BLACK_CONSEQUENCES.items():
        size = painted.black.get(how)
        if size is None or size > _MAX_TEXT_PT or not _has_inks(painted):
            continue
        if spec.black_text == "overprinting" or not is_required:
            message = f"black text knocks out what lies below it: {consequence} (smallest: {{}})"
            severity = "error" if is_required else "warning"
            yield PreflightFinding(page.number, "black", message, severity, f"{size:g} pt", -size)


def check_overprint(page: PageFacts, _spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check for overprint where it does harm."""
    if "white" in page.painted.overprinted:
        message = "white overprints: on the press it is not there at all; let it knock out"
        yield PreflightFinding(page.number, "overprint", message)
    if "grey white" in page.painted.overprinted:
        message = (
            "white in DeviceGray overprints, and is not there on some presses; let it knock out, "
            "or write it in CMYK"
        )
        yield PreflightFinding(page.number, "overprint", message, "warning")
    if "colours" in page.painted.overprinted:
        message = (
            "colours other than black overprint, and mix with what lies below them; unless that "
            "is meant, let them knock out"
        )
        yield PreflightFinding(page.number, "overprint", message, "warning")


def check_resolution(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check the resolution of pictures as they are placed."""
    if not page.painted.pictures:
        return
    low = page.painted.pictures[0]
    least = spec.min_resolution or POOR_DPI
    usual = max(least, USUAL_DPI)
    if low.dpi >= usual - 1:
        return
    poor = low.dpi < least - 1
    expected = f"{spec.subject} asks for {least:g}" if poor else f"{usual:g} is usual"
    message = f"a picture of {{}}; {expected}: take a larger one, or place it smaller"
    figure = (
        f"{low.width} × {low.height} px is placed at {low.width_mm:.1f} × {low.height_mm:.1f} mm, "
        f"{low.dpi:.0f} dpi"
    )
    severity: Severity = "error" if poor else "warning"
    yield PreflightFinding(page.number, "resolution", message, severity, figure, -low.dpi)


def check_lines(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check for lines that are too thin for a press."""
    least = USUAL_LINE if spec.min_line is None else spec.min_line
    thin = page.painted.thinnest
    if thin < least - 0.005:
        what = f"{thin:.2f} pt" if thin > 0 else "no width at all, as thin as the press can"
        message = f"a line of {{}}; a press loses what is under {least:g} pt: draw it thicker"
        severity: Severity = "warning" if spec.min_line is None else "error"
        yield PreflightFinding(page.number, "line", message, severity, what, -thin)


def check_transparency(page: PageFacts, spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check for transparency where the printer takes none."""
    found = sorted(page.painted.transparency - {"blended in RGB"})
    if found and spec.transparency is False:
        message = f"transparency ({', '.join(found)}); {spec.subject} takes none: flatten it"
        yield PreflightFinding(page.number, "transparency", message)


def check_fonts(page: PageFacts, _spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Check that fonts are embedded."""
    for name, why in sorted(page.painted.missing_fonts.items()):
        if why:
            message = (
                f"the font {name} is not embedded: {why}; embed it, or turn letters to outlines"
            )
            yield PreflightFinding(page.number, "fonts", message)


def report_faults(page: PageFacts, _spec: PrinterSpec) -> Iterator[PreflightFinding]:
    """Report what could not be read, so that silence is not taken for approval."""
    for fault in sorted(page.painted.faults):
        message = f"{fault}; what depends on it was not checked: save the file again"
        yield PreflightFinding(page.number, "broken", message, "warning")
    for what in sorted(page.painted.unreadable):
        if _has_inks(page.painted):
            yield PreflightFinding(
                page.number, "ink", f"the ink of {what} could not be measured", "warning"
            )


def check_annotations(
    page: PageFacts, _spec: PrinterSpec, claims: bool
) -> Iterator[PreflightFinding]:
    """Check for what is on a page but does not belong to its print."""
    if page.annotations.get("script"):
        yield PreflightFinding(page.number, "script", "JavaScript in a field or link; take it out")
    allowed = {"Link", "Popup", "PrinterMark", "TrapNet", "script"}
    others = sorted(set(page.annotations) - allowed)
    if others:
        message = (
            f"notes or fields ({', '.join(others)}) are on the page, and a printer may print them "
            "or not; flatten or remove them"
        )
        yield PreflightFinding(page.number, "annotations", message, "warning")
    if claims and page.annotations.get("Link"):
        message = "links lie on a page of PDF/X; take them out for print"
        yield PreflightFinding(page.number, "annotations", message, "warning")


def _has_inks(painted: PaintedContent) -> bool:
    return any(kind in _INK_KINDS for kind, _ in painted.colours)


def has_ink_pages(pages: Iterable[PageFacts]) -> bool:
    """Say if any page is made for inks."""
    return any(_has_inks(page.painted) for page in pages)
