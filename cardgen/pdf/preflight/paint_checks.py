"""Checks of what pages paint: colours, ink, black, pictures, lines and fonts."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.core.problems import Severity, did_you_mean
from cardgen.pdf.preflight.pdf_facts import DocumentFacts, Findings, PageFacts, PreflightFinding
from cardgen.pdf.preflight.printer_spec import PrinterSpec

USUAL_INK, USUAL_DPI, POOR_DPI, USUAL_LINE = 300.0, 300.0, 200.0, 0.25
_MAX_TEXT_PT = 24.0
"""Letters up to so many points are text: larger ones may be rich."""
_KNOCKS_OUT = "black text knocks out what lies below it: {} (smallest: {{}})"
_BLACK_FAULTS: Mapping[str, str] = {
    "rich": (
        "black text of several inks: where these are a hair apart, letters have coloured edges; "
        "make it of black alone (smallest: {})"
    ),
    "rgb": (
        "black text in RGB, which the press makes of several inks; make it of black alone "
        "(smallest: {})"
    ),
    "knocks out": _KNOCKS_OUT.format(
        "where inks are a hair apart, paper shows beside letters; let black text overprint"
    ),
    "mode 0": _KNOCKS_OUT.format(
        "overprint is switched on, but in mode 0, in which cyan, magenta and yellow of 0 are "
        "printed as none; set OPM 1"
    ),
}
_OVERPRINT_FAULTS: Mapping[str, tuple[Severity, str]] = {
    "white": ("error", "white overprints: on the press it is not there at all; let it knock out"),
    "grey white": (
        "warning",
        "white in DeviceGray overprints, and is not there on some presses; let it knock out, "
        "or write it in CMYK",
    ),
    "colours": (
        "warning",
        "colours other than black overprint, and mix with what lies below them; unless that "
        "is meant, let them knock out",
    ),
}
_WITH_PROFILE = "turn it into inks with the printer's profile"
_COLOUR_KINDS: Mapping[str, tuple[str, str]] = {
    "gray": ("grey tones", "write it in one of those"),
    "rgb": ("RGB", _WITH_PROFILE),
    "cmyk": ("CMYK", "write it in RGB, as pictures on a screen have it"),
    "lab": ("Lab", _WITH_PROFILE),
    "spot": ("a spot colour", "turn it into the four inks"),
}
"""Kinds of colours in words, and what to do where the printer does not take them."""
_ALLOWED_ANNOTATIONS = frozenset({"Link", "Popup", "PrinterMark", "TrapNet", "script"})


def check_colours(page: PageFacts, found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check for colours that the printer does not take, and for RGB among inks."""
    painted = page.painted
    for kind in sorted({kind for kind, _ in painted.colours}):
        what = ", ".join(sorted(what for one, what in painted.colours if one == kind))
        title, advice = _COLOUR_KINDS.get(kind, ("", ""))
        if not title:
            yield PreflightFinding("colour", f"colours of an unknown kind in {what}", "warning")
        elif spec.colours and kind not in spec.colours:
            accepted = " and ".join(_COLOUR_KINDS[each][0] for each in spec.colours)
            message = f"{title} in {what}; {spec.subject} takes {accepted}: {advice}"
            yield PreflightFinding("colour", message)
        elif not spec.colours and kind in {"rgb", "lab"} and found.is_for_press:
            message = (
                f"{title} in {what}, in a file that is made for inks: the press turns it into inks "
                f"in its own way; {advice}"
            )
            yield PreflightFinding("colour", message, "warning")
    if "blended in RGB" in painted.transparency and (found.is_for_press or painted.has_inks):
        message = (
            "a transparency group is blended in RGB: its inks are turned to RGB and back; let it "
            "be blended in CMYK"
        )
        yield PreflightFinding("colour", message, "warning")
    for name in sorted(painted.spots):
        if spec.spots is not None and name not in spec.spots:
            hint = did_you_mean(name, spec.spots)
            message = f"the spot colour '{name}' is not one that {spec.subject} has{hint}"
            yield PreflightFinding("colour", message)


def check_ink(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check the total ink of every colour and picture."""
    most = spec.max_ink or USUAL_INK
    severity: Severity = "error" if spec.max_ink else "warning"
    limit = f"{spec.subject} takes {most:g} %"
    for what, (percent, colour) in sorted(page.painted.inks.items()):
        if percent > most + 0.5:
            advice = "use a profile with that ink limit, or a lighter colour"
            figure = f"{percent:.0f} % of ink ({colour})"
            message = f"{{}} in {what}; {limit}: {advice}"
            yield PreflightFinding("ink", message, severity, figure, percent)


def check_black(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check that black text is of one ink and overprints."""
    required, has_inks = bool(spec.black_text), page.painted.has_inks
    for how, message in _BLACK_FAULTS.items():
        size = page.painted.black.get(how, _MAX_TEXT_PT + 1)
        may_knock_out = spec.black_text == "one-ink" or not has_inks
        is_fine = {"rich": False, "rgb": not (required or has_inks)}.get(how, may_knock_out)
        if size <= _MAX_TEXT_PT and not is_fine:
            severity: Severity = "error" if required else "warning"
            yield PreflightFinding("black", message, severity, f"{size:g} pt", -size)


def check_overprint(page: PageFacts, _found: DocumentFacts, _spec: PrinterSpec) -> Findings:
    """Check for overprint where it does harm."""
    for what, (severity, message) in _OVERPRINT_FAULTS.items():
        if what in page.painted.overprinted:
            yield PreflightFinding("overprint", message, severity)


def check_resolution(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check the resolution of pictures as they are placed."""
    least = spec.min_resolution or POOR_DPI
    usual = max(least, USUAL_DPI)
    for low in page.painted.pictures[:1]:
        if low.dpi < usual - 1:
            poor = low.dpi < least - 1
            expected = f"{spec.subject} asks for {least:g}" if poor else f"{usual:g} is usual"
            message = f"a picture of {{}}; {expected}: take a larger one, or place it smaller"
            figure = (
                f"{low.width} × {low.height} px is placed at {low.width_mm:.1f} × "
                f"{low.height_mm:.1f} mm, {low.dpi:.0f} dpi"
            )
            severity: Severity = "error" if poor else "warning"
            yield PreflightFinding("resolution", message, severity, figure, -low.dpi)


def check_lines(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check for lines that are too thin for a press."""
    least = USUAL_LINE if spec.min_line is None else spec.min_line
    thin = page.painted.thinnest
    if thin < least - 0.005:
        what = f"{thin:.2f} pt" if thin > 0 else "no width at all, as thin as the press can"
        message = f"a line of {{}}; a press loses what is under {least:g} pt: draw it thicker"
        severity: Severity = "warning" if spec.min_line is None else "error"
        yield PreflightFinding("line", message, severity, what, -thin)


def check_transparency(page: PageFacts, _found: DocumentFacts, spec: PrinterSpec) -> Findings:
    """Check for transparency where the printer takes none."""
    kinds = sorted(page.painted.transparency - {"blended in RGB"})
    if kinds and spec.transparency is False:
        message = f"transparency ({', '.join(kinds)}); {spec.subject} takes none: flatten it"
        yield PreflightFinding("transparency", message)


def check_fonts(page: PageFacts, _found: DocumentFacts, _spec: PrinterSpec) -> Findings:
    """Check that fonts are embedded."""
    for name, why in sorted(page.painted.missing_fonts.items()):
        if why:
            advice = "embed it, or turn letters to outlines"
            yield PreflightFinding("fonts", f"the font {name} is not embedded: {why}; {advice}")


def report_faults(page: PageFacts, _found: DocumentFacts, _spec: PrinterSpec) -> Findings:
    """Report what could not be read, so that silence is not taken for approval."""
    for fault in sorted(page.painted.faults):
        message = f"{fault}; what depends on it was not checked: save the file again"
        yield PreflightFinding("broken", message, "warning")
    for what in sorted(page.painted.unreadable) if page.painted.has_inks else ():
        yield PreflightFinding("ink", f"the ink of {what} could not be measured", "warning")


def check_annotations(page: PageFacts, found: DocumentFacts, _spec: PrinterSpec) -> Findings:
    """Check for what is on a page but does not belong to its print."""
    if page.annotations.get("script"):
        yield PreflightFinding("script", "JavaScript in a field or link; take it out")
    others = sorted(set(page.annotations) - _ALLOWED_ANNOTATIONS)
    if others:
        message = (
            f"notes or fields ({', '.join(others)}) are on the page, and a printer may print them "
            "or not; flatten or remove them"
        )
        yield PreflightFinding("annotations", message, "warning")
    if found.standard and page.annotations.get("Link"):
        message = "links lie on a page of PDF/X; take them out for print"
        yield PreflightFinding("annotations", message, "warning")
