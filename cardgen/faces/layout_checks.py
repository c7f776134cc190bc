"""Checks of a laid-out face: overflow, small text, safe margin and fonts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from unicodedata import category

from cardgen.assets import fontsource
from cardgen.assets.font_files import ICON_FAMILY, FontFile, read_code_points
from cardgen.core.problems import Diagnostic, Spot, did_you_mean, shorten, summarise
from cardgen.faces.measurement import TOLERANCE_MM, FaceLayout, TextRun, find_lost_text
from cardgen.game.look_templates import OVERFLOW_PHRASE
from cardgen.game.markup import INVISIBLE_CHARACTERS

MIN_TEXT_PT = 6.0
_EUROPEAN_SCRIPTS = ((0x30, 0x52F), (0x1D00, 0x1FFF), (0x2C60, 0x2C7F), (0xA640, 0xA69F),
                     (0xA720, 0xA7FF), (0xAB30, 0xAB6F))  # fmt: skip
"""Ranges with the digits and the letters of Latin, Greek and Cyrillic."""
_MAX_NAMED_LETTERS = 8
_NESTED_BLEED_MESSAGE = (
    "an element with the class bleed is nested, where it covers nothing; move it to the "
    "top level of the template"
)


def check_layout(layout: FaceLayout, html: str, smallest: Mapping[str, str]) -> list[Diagnostic]:
    """Return diagnostics about text that overflows or is not printed.

    `smallest` gives the smallest size in pt of each fitted box.
    """
    worst: dict[tuple[str, str], tuple[float, str, str]] = {}
    spots: dict[tuple[str, str], list[Spot]] = {}
    for overflow in layout.overflows:
        key = (overflow.location, overflow.fit_id)
        if not overflow.location:  # the face itself: reported for each text beyond its edge
            continue
        if overflow.is_unbounded:
            message = "data-fit needs a box of fixed height: give it height, or top and bottom"
            worst[key] = 0, "template", message
            spots[key] = _make_spots("no height", overflow.visible_box)
            continue
        by = max(overflow.excess_height, overflow.excess_width)
        way = "tall" if by == overflow.excess_height else "wide"
        if by <= TOLERANCE_MM:
            continue
        size = smallest.get(overflow.fit_id)
        at_size = f" {OVERFLOW_PHRASE}, {size} pt; shorten it"
        more = at_size if size else "; shorten it, or let it shrink with data-fit"
        message = f"the text is {by:.1f} mm too {way} for its box{more}"
        spots[key] = [
            *spots.get(key, ()),
            *_make_spots(f"{by:.1f} mm too {way}", overflow.visible_box),
        ]
        if key not in worst or by > worst[key][0]:
            worst[key] = by, "overflow", message
    diagnostics = [
        Diagnostic(kind, "error", key[0], message, spots=tuple(spots[key]))
        for key, (_, kind, message) in worst.items()
    ]
    diagnostics += [
        Diagnostic("css", "warning", at, _NESTED_BLEED_MESSAGE)
        for at in dict.fromkeys(layout.nested_bleeds)
    ]
    missing = find_lost_text(html, layout.text)
    if layout.is_continued:
        message = (
            "the text runs off the page and would be carried to the next card; shorten it, or "
            "give it more room"
        )
        diagnostics.append(Diagnostic("overflow", "error", "", message))
    elif missing:
        short = missing if len(missing) <= 60 else missing[:57] + "…"
        diagnostics.append(
            Diagnostic("overflow", "error", "", f"text is not printed at all: '{short}'")
        )
    return diagnostics


def _make_spots(label: str, *boxes: tuple[float, float, float, float]) -> list[Spot]:
    """Return a spot for each finite box."""
    return [Spot(*box, label) for box in boxes if all(map(isfinite, box))]


def _get_run_box(run: TextRun) -> tuple[float, float, float, float]:
    return run.left, run.top, run.right - run.left, run.bottom - run.top


def check_text(
    runs: Iterable[TextRun], width: float, height: float, bleed: float, safe: float
) -> list[Diagnostic]:
    """Return diagnostics about text too near the edge or too small. Lengths in mm.

    Text marked data-unsafe may be near the edge.
    """
    worst: dict[tuple[str, str], tuple[float, Diagnostic]] = {}

    def note_worst(what: str, figure: float, diagnostic: Diagnostic) -> None:
        """Keep only the worst finding for each template line."""
        key = (diagnostic.location, what)
        if key not in worst or figure < worst[key][0]:
            worst[key] = figure, diagnostic

    for run in runs:
        excerpt = _quote_run(run)
        if not isfinite(run.left + run.top + run.right + run.bottom) or run.bottom <= run.top:
            message = (
                f"'{excerpt}' is not printed: its position or transform leaves nothing visible"
            )
            note_worst("nowhere", 0.0, Diagnostic("overflow", "error", run.location, message))
            continue
        if run.size < MIN_TEXT_PT - 0.01:
            message = f"'{excerpt}' is set in {run.size:.1f} pt; under 6 pt is hard to read"
            note_worst("size", run.size, Diagnostic("small-text", "warning", run.location, message))
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
            message = f"'{excerpt}' stands {-left_over:.1f} mm past the {side} edge of the card"
            spots = tuple(_make_spots(f"{-left_over:.1f} mm past the edge", _get_run_box(run)))
            note_worst(
                side, left_over, Diagnostic("overflow", "error", run.location, message, spots=spots)
            )
        elif left_over < safe - TOLERANCE_MM:
            where = f"{max(0.0, left_over):.1f} mm from the {side} edge"
            message = f"'{excerpt}' stands {where}; the safe margin is {safe:g} mm"
            note_worst(side, left_over, Diagnostic("safe-margin", "warning", run.location, message))
    return [diagnostic for _, diagnostic in worst.values()]


def check_fonts(
    runs: Iterable[TextRun], cuts: Iterable[FontFile], language: str = ""
) -> list[Diagnostic]:
    """Return diagnostics about undeclared fonts and missing glyphs.

    Each character is set in the first of its families that has it, or in any other family of the
    game. Letters of Latin, Greek and Cyrillic from another family look odd: they get a warning.
    """
    declared: dict[str, dict[tuple[int, str], FontFile]] = {}
    for cut in cuts:
        declared.setdefault(cut.family, {})[cut.weight, cut.style] = cut
    diagnostics: dict[Diagnostic, list[Spot]] = {}
    missing: dict[tuple[str, tuple[str, ...], str], list[tuple[TextRun, list[str]]]] = {}
    for run in runs:
        known = tuple(family for family in run.families if family in declared)
        if run.families[:1] != known[:1]:
            _add_run_spots(diagnostics, _check_family(run, known, declared), "no such font", run)
        rest = [letter for letter in dict.fromkeys(run.text) if letter not in INVISIBLE_CHARACTERS]
        for family in known:
            cuts_of = declared[family]
            cut = cuts_of.get((run.weight, run.style)) or next(iter(cuts_of.values()))
            have = read_code_points(cut.path)
            set_in = [letter for letter in rest if ord(letter) in have]
            rest = [letter for letter in rest if ord(letter) not in have]
            if set_in and family != ICON_FAMILY and (run.weight, run.style) not in cuts_of:
                diagnostic = _check_variant(run, cuts_of, "" if family == known[0] else set_in[0])
                _add_run_spots(diagnostics, diagnostic, f"no {run.weight} {run.style}", run)
        others: dict[str, list[str]] = {}
        for letter in rest if known else ():
            other = _find_other_family(letter, declared)
            if not other or _is_european_letter(letter):
                others.setdefault(other, []).append(letter)
        for other, letters in others.items():
            missing.setdefault((run.location, known, other), []).append((run, letters))
    for (at, families, other), places in missing.items():
        missing_letters = dict.fromkeys(letter for _, letters in places for letter in letters)
        message = f"no glyph for {_name_letters(missing_letters)} in {', '.join(families)}"
        if other:
            diagnostic = Diagnostic("glyph", "warning", at, f"{message}; set in {other} instead")
        else:
            hint = fontsource.suggest_remedy(missing_letters, language, families[0])
            diagnostic = Diagnostic("glyph", "error", at, f"{message}{hint}")
        for run, letters in places:
            codes = ", ".join(f"U+{ord(letter):04X}" for letter in letters)
            _add_run_spots(diagnostics, diagnostic, f"no glyph: {codes}", run)
    return [replace(diagnostic, spots=tuple(spots)) for diagnostic, spots in diagnostics.items()]


def _name_letters(letters: Iterable[str]) -> str:
    return summarise(
        (f"'{letter}' (U+{ord(letter):04X})" for letter in letters), _MAX_NAMED_LETTERS
    )


def _is_european_letter(letter: str) -> bool:
    """Return True for digits and for letters of Latin, Greek and Cyrillic."""
    in_range = any(first <= ord(letter) <= last for first, last in _EUROPEAN_SCRIPTS)
    return in_range and category(letter)[0] in "LMN"


def _find_other_family(
    letter: str, declared: Mapping[str, Mapping[tuple[int, str], FontFile]]
) -> str:
    """Return the first family of the game that has a character, or ""."""
    for family, cuts in declared.items():
        cut = next(iter(cuts.values()))
        if family != ICON_FAMILY and ord(letter) in read_code_points(cut.path):
            return family
    return ""


def _add_run_spots(
    diagnostics: dict[Diagnostic, list[Spot]], diagnostic: Diagnostic, label: str, run: TextRun
) -> None:
    """Add the text's box to the spots of a diagnostic."""
    diagnostics.setdefault(diagnostic, []).extend(_make_spots(label, _get_run_box(run)))


def _check_family(run: TextRun, known: Sequence[str], declared: Iterable[str]) -> Diagnostic:
    """Return a diagnostic about the first family of a text, which is not declared."""
    name = run.families[0] if run.families else "none"
    hint = did_you_mean(name, set(declared) - {ICON_FAMILY})
    message = f"the font '{name}' is not declared in fonts/fonts.yaml"
    if known:
        suggestion = hint if "did you mean" in hint else ""
        message = f"{message}, and {known[0]} is used instead{suggestion}"
        return Diagnostic("font", "warning", run.location, message)
    return Diagnostic("font", "error", run.location, f"{message}{hint}")


def _check_variant(
    run: TextRun, declared: Mapping[tuple[int, str], FontFile], letter: str
) -> Diagnostic:
    """Return a diagnostic about a missing weight or style, given those that the family has.

    `letter` is an example if the family is not the first choice.
    """
    cut = next(iter(declared.values()))
    what = f"{cut.family} {run.weight} {run.style}"
    what = f"{what}, in which '{letter}' is set," if letter else what
    if (run.weight, run.style) in cut.offered:
        message = "is not declared in fonts/fonts.yaml; add it to the family's weights and styles"
    else:
        has = ", ".join(f"{weight} {style}" for weight, style in cut.offered)
        emphasis = "bold" if any(style == run.style for _, style in declared) else "italic"
        message = (
            f"does not exist, the family has {has}; write this without {emphasis}, or choose "
            "another family for it"
        )
    return Diagnostic("font", "error", run.location, f"{what} {message}")


def _quote_run(run: TextRun) -> str:
    return shorten("icon" if ICON_FAMILY in run.families else run.text.strip())
