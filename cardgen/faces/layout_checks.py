"""What may be wrong with a face once it is laid out: (kind, severity, template line, message)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from cardgen.assets.fontfiles import ICON_FAMILY, Cut, characters
from cardgen.base.problems import Severity, did_you_mean
from cardgen.faces.measure import TOLERANCE_MM, Layout, Run, lost_text
from cardgen.game.looks.drawing_up import TOO_LARGE

SMALLEST_PT = 6.0
_FLAT = (
    "an element of the class bleed stands within another, where it covers nothing; put it at the "
    "outermost level of the template"
)
Finding = tuple[str, Severity, str, str]
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\n\t ")


def of_layout(layout: Layout, html: str, smallest: Mapping[str, str]) -> list[Finding]:
    """Text that passes its box, or is not drawn at all. `smallest` is in pt, by fitted box."""
    worst: dict[tuple[str, str], tuple[float, Finding]] = {}
    for overflow in layout.overflows:
        if not overflow.at:  # the whole face: told of each text that passes its edge
            continue
        if overflow.boundless:
            message = "data-fit needs a box of fixed height: give it height, or top and bottom"
            worst[overflow.at, overflow.box] = 0, ("template", "error", overflow.at, message)
            continue
        way, by = ("tall", overflow.tall) if overflow.tall >= overflow.wide else (
            "wide", overflow.wide)  # fmt: skip
        if by <= TOLERANCE_MM:
            continue
        size = smallest.get(overflow.box)
        at_size = f" {TOO_LARGE}, {size} pt" if size else ""
        message = f"the text is {by:.1f} mm too {way} for its box{at_size}"
        key = (overflow.at, overflow.box)
        if key not in worst or by > worst[key][0]:
            worst[key] = by, ("overflow", "error", overflow.at, message)
    found = [finding for _, finding in worst.values()]
    found += [("css", "warning", at, _FLAT) for at in dict.fromkeys(layout.flat)]
    lost = lost_text(html, layout.text)
    if layout.continued:
        message = "the text runs off the page and would be carried to the next card"
        found.append(("overflow", "error", "", message))
    elif lost:
        short = lost if len(lost) <= 60 else lost[:57] + "…"
        found.append(("overflow", "error", "", f"text is not printed at all: '{short}'"))
    return found


def of_runs(
    runs: Iterable[Run], width: float, height: float, bleed: float, safe: float
) -> list[Finding]:
    """Text too near the cut, or too small to read. Lengths in mm; text marked data-unsafe may."""
    worst: dict[tuple[str, str], tuple[float, Finding]] = {}

    def note(what: str, figure: float, finding: Finding) -> None:
        """Of all the words of a template's line, only the worst is told."""
        key = (finding[2], what)
        if key not in worst or figure < worst[key][0]:
            worst[key] = figure, finding

    for run in runs:
        shown = _shown(run)
        if not isfinite(run.left + run.top + run.right + run.bottom) or run.bottom <= run.top:
            message = f"'{shown}' is not printed: its place or transform leaves nothing of it"
            note("nowhere", 0.0, ("overflow", "error", run.at, message))
            continue
        if run.size < SMALLEST_PT - 0.01:
            message = f"'{shown}' is set in {run.size:.1f} pt; under 6 pt is hard to read"
            note("size", run.size, ("small-text", "warning", run.at, message))
        if run.unsafe_allowed:
            continue
        room = {
            "left": run.left - bleed,
            "top": run.top - bleed,
            "right": bleed + width - run.right,
            "bottom": bleed + height - run.bottom,
        }
        side, left_over = min(room.items(), key=lambda item: item[1])
        if left_over < -TOLERANCE_MM:
            message = f"'{shown}' stands {-left_over:.1f} mm past the {side} edge of the card"
            note(side, left_over, ("overflow", "error", run.at, message))
        elif left_over < safe - TOLERANCE_MM:
            where = f"{max(0.0, left_over):.1f} mm from the {side} edge"
            message = f"'{shown}' stands {where}; the safe margin is {safe:g} mm"
            note(side, left_over, ("safe-margin", "warning", run.at, message))
    return [finding for _, finding in worst.values()]


def of_fonts(runs: Iterable[Run], cuts: Iterable[Cut]) -> list[Finding]:
    """Fonts that fonts.yaml does not declare, and characters that no declared font has.

    Each character is set in the first of its families that has it.
    """
    declared: dict[str, dict[tuple[int, str], Cut]] = {}
    for cut in cuts:
        declared.setdefault(cut.family, {})[cut.weight, cut.style] = cut
    found: dict[Finding, None] = {}
    lost: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for run in runs:
        known = tuple(family for family in run.families if family in declared)
        if run.families[:1] != known[:1]:
            found[_undeclared(run, known, declared)] = None
        rest = [letter for letter in dict.fromkeys(run.text) if letter not in _INVISIBLE]
        for family in known:
            cuts_of = declared[family]
            cut = cuts_of.get((run.weight, run.style)) or next(iter(cuts_of.values()))
            have = characters(cut.path)
            set_in = [letter for letter in rest if ord(letter) in have]
            rest = [letter for letter in rest if ord(letter) not in have]
            if set_in and family != ICON_FAMILY and (run.weight, run.style) not in cuts_of:
                found[_no_cut(run, family, "" if family == known[0] else set_in[0])] = None
        if rest and known:
            lost.setdefault((run.at, known), {}).update(dict.fromkeys(rest))
    for (at, families), letters in lost.items():
        named = ", ".join(f"'{letter}' (U+{ord(letter):04X})" for letter in letters)
        found["glyph", "error", at, f"no glyph for {named} in {', '.join(families)}"] = None
    return list(found)


def _undeclared(run: Run, known: Sequence[str], declared: Iterable[str]) -> Finding:
    """The first font that the text asks for is none: another stands in, if one is declared."""
    name = run.families[0] if run.families else "none"
    hint = did_you_mean(name, set(declared) - {ICON_FAMILY})
    message = f"the font '{name}' is not declared in fonts/fonts.yaml"
    if known:
        near = hint if "did you mean" in hint else ""
        return "font", "warning", run.at, f"{message}, and {known[0]} is set instead{near}"
    return "font", "error", run.at, f"{message}{hint}"


def _no_cut(run: Run, family: str, letter: str) -> Finding:
    """A weight or style that is not there; `letter` is set in it where it is no first choice."""
    what = f"{family} {run.weight} {run.style}"
    what = f"{what}, in which '{letter}' is set," if letter else what
    message = (
        f"{what} is not declared in fonts/fonts.yaml; add it to the family's weights and styles"
    )
    return "font", "error", run.at, message


def _shown(run: Run) -> str:
    text = "icon" if ICON_FAMILY in run.families else run.text.strip()
    return text if len(text) <= 24 else text[:23] + "…"
