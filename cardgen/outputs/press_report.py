"""Report on colours and ink of cards on a press: an HTML page and a summary in one line."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from cardgen.core.problems import summarise
from cardgen.pdf.cmyk.printing_condition import CmykInks, PrintingCondition

VISIBLE_DELTA_E = 3.0
"""ΔE2000 from which the difference is obvious side by side."""
_MAX_LISTED_PLACES = 6
_REPORT_CSS = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #222; background: #fff }
h1 { font-size: 1.5rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .8rem
  .3rem 0; border-bottom: 1px solid #ddd; vertical-align: top } td.n, th.n { text-align: right }
.pair { display: inline-flex; border: 1px solid #999 } .pair i { width: 2.2rem; height: 1.5rem }
.over { font-weight: 600; color: #a30 } p.about { color: #555; margin-top: 0 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b }
  td, th { border-color: #444 } p.about { color: #aaa } .over { color: #f96 } }
"""


@dataclass(frozen=True)
class ReportColour:
    """A colour of a face as requested and as printed ("#rrggbb"), its inks and the ΔE2000."""

    requested: str
    printed: str
    inks: CmykInks
    distance: float


@dataclass(frozen=True)
class FaceInkReport:
    """Inks of a deck's page.

    `name` is the card's id, with `-back` for its back, and `copies` are the card's. `ink_before`
    and `ink_after` are the total ink in % before and after the ink limit is applied.
    """

    deck: str
    name: str
    copies: int
    ink_before: float
    ink_after: float
    colours: tuple[ReportColour, ...]
    rich_blacks: tuple[CmykInks, ...]
    spots: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.deck}/{self.name}"


def pack_face_reports(pages: Sequence[Any], condition: PrintingCondition) -> list[object]:
    """Return JSON values of the page reports that the conversion returns."""
    from cardgen.pdf.cmyk import separation  # noqa: PLC0415 - in the helper process

    separator = separation.get_separator(condition)
    colours: dict[Any, list[object]] = {}

    def describe_colour(rgb: Any, inks: CmykInks) -> list[object]:
        if rgb not in colours:
            printed = separation.preview_inks(separator, inks)
            distance = separation.measure_colour_distance(separator, rgb, inks)
            colours[rgb] = [separation.format_hex_colour(rgb), printed, list(inks), distance]
        return colours[rgb]

    return [
        [
            round(page.unlimited_ink, 1), round(page.limited_ink, 1),
            [describe_colour(*pair) for pair in sorted(page.colours.items())],
            [list(inks) for inks in page.rich_blacks], sorted(page.spots),
        ]
        for page in pages
    ]  # fmt: skip


def unpack_deck_report(
    values: Any, deck: str, pages: Sequence[tuple[str, int]]
) -> list[FaceInkReport] | None:
    """Return the reports of a deck's pages, given by name and copies, from the values of
    `pack_face_reports`, or None for other values."""
    reports = []
    try:
        for (name, copies), page in zip(pages, values, strict=True):
            before, after, colours, rich, spots = page
            listed = tuple(ReportColour(a, p, _unpack_inks(i), float(d)) for a, p, i, d in colours)
            blacks = tuple(map(_unpack_inks, rich))
            ink = float(before), float(after)
            reports.append(FaceInkReport(deck, name, copies, *ink, listed, blacks, tuple(spots)))
    except (TypeError, ValueError):
        return None
    return reports


def _unpack_inks(parts: Iterable[float]) -> CmykInks:
    c, m, y, k = (float(part) for part in parts)
    return c, m, y, k


def _find_out_of_gamut(
    faces: Iterable[FaceInkReport],
) -> list[tuple[ReportColour, list[str]]]:
    """Return the colours that the press cannot print and their places, the farthest first."""
    places: dict[str, tuple[ReportColour, list[str]]] = {}
    for face in faces:
        for colour in face.colours:
            if colour.distance >= VISIBLE_DELTA_E:
                places.setdefault(colour.requested, (colour, []))[1].append(face.place)
    return sorted(places.values(), key=lambda each: (-each[0].distance, each[0].requested))


def summarise_report(
    language: str, condition: PrintingCondition, faces: Sequence[FaceInkReport]
) -> str:
    """Return the summary in one line."""
    before = max((face.ink_before for face in faces), default=0.0)
    after = max((face.ink_after for face in faces), default=0.0)
    outside = _find_out_of_gamut(faces)
    text = f"{language}, for {condition.profile.description}: "
    if outside:
        first = outside[0][0]
        noun = "colour lies" if len(outside) == 1 else "colours lie"
        text += f"{len(outside)} {noun} outside of it, the farthest {first.requested} "
        text += f"(ΔE\u00a0{first.distance:.0f})"
    else:
        text += "every colour lies within it"
    ink = "" if round(before) == round(after) else f"{before:.0f} → "
    over = f", over the {condition.max_ink}\u00a0% asked for" if after > condition.max_ink else ""
    blacks = {inks for face in faces for inks in face.rich_blacks}
    more = "; rich black " + ", ".join(map(_format_inks, sorted(blacks))) if blacks else ""
    return f"{text}; ink {ink}{after:.0f}\u00a0% at most{over}{more}"


def _format_inks(inks: CmykInks) -> str:
    """Return inks as text such as `C60 M40 Y40 K100`."""
    shares = {name: round(100 * part) for name, part in zip("CMYK", inks, strict=True)}
    return " ".join(f"{name}{share}" for name, share in shares.items() if share) or "no ink"


def render_report(
    title: str, language: str, condition: PrintingCondition, faces: Sequence[FaceInkReport]
) -> str:
    """Return the report as an HTML page."""
    heading = html.escape(f"{title} [{language}]")
    intent = condition.intent or "relative for colours, perceptual for pictures"
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width">',
        f"<title>{heading} on the press</title><style>{_REPORT_CSS}</style>",
        f"<h1>{heading} on the press</h1>",
        f"<p class=about>PDF/X-4 for {html.escape(condition.profile.description)}; at most "
        f"{condition.max_ink} % of ink; rendering intent: {intent}.</p>",
        *_render_colours(faces), *_render_blacks(faces), *_render_spots(condition, faces),
        *_render_ink(condition, faces),
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _render_colours(faces: Sequence[FaceInkReport]) -> list[str]:
    outside = _find_out_of_gamut(faces)
    if not outside:
        return ["<h2>Colours</h2><p>The press has all of them.</p>"]
    rows = [
        f"<tr><td>{_render_swatch(colour)}<td>{colour.requested}<td>{_format_inks(colour.inks)}"
        f"<td class=n>{colour.distance:.1f}<td>{_format_places(at)}"
        for colour, at in outside
    ]
    return [
        "<h2>Colours that the press lacks</h2>",
        "<p>To the left as a screen shows it, to the right about as it will be printed. From a "
        "distance (ΔE2000) of 3 on the difference is seen side by side, from 10 on it is another "
        "colour: choose one that the press has.</p>",
        "<table><tr><th><th>Colour<th>Inks<th class=n>ΔE<th>Where", *rows, "</table>",
    ]  # fmt: skip


def _render_swatch(colour: ReportColour) -> str:
    return (
        f'<span class=pair><i style="background:{colour.requested}"></i>'
        f'<i style="background:{html.escape(colour.printed)}"></i></span>'
    )


def _format_places(places: Sequence[str]) -> str:
    return html.escape(summarise(places, _MAX_LISTED_PLACES))


def _render_blacks(faces: Sequence[FaceInkReport]) -> list[str]:
    at: dict[CmykInks, list[str]] = {}
    for face in faces:
        for inks in face.rich_blacks:
            at.setdefault(inks, []).append(face.place)
    rows = [f"<tr><td>{_format_inks(i)}<td>{_format_places(at[i])}" for i in sorted(at)]
    return _render_table("<h2>Rich black</h2><table><tr><th>Inks<th>Where", rows)


def _render_spots(condition: PrintingCondition, faces: Sequence[FaceInkReport]) -> list[str]:
    rows = []
    for name, colour in condition.spots:
        places = _format_places([face.place for face in faces if name in face.spots])
        rows.append(f"<tr><td>{html.escape(name)}<td>{colour}<td>{places or 'nowhere'}")
    return _render_table("<h2>Spot inks</h2><table><tr><th>Ink<th>Stands for it<th>Where", rows)


def _render_table(head: str, rows: list[str]) -> list[str]:
    return [head, *rows, "</table>"] if rows else []


def _render_ink(condition: PrintingCondition, faces: Sequence[FaceInkReport]) -> list[str]:
    parts = ["<h2>Ink</h2><p>The most of all inks together at any place of a face, in %: as the "
             "profile would have it, and as it is printed.</p>"]  # fmt: skip
    for deck, group in groupby(faces, lambda face: face.deck):
        pages = list(group)
        heaviest = max(face.ink_after for face in pages)
        copies = sum(face.copies for face in pages if not face.name.endswith("-back"))
        parts.append(
            f"<details><summary>{html.escape(deck)}: {len(pages)} pages, {copies} cards, "
            f"at most {heaviest:.0f} %</summary><table><tr><th>Page<th class=n>Copies"
            "<th class=n>Before<th class=n>Printed"
        )
        for face in pages:
            over = " over" if face.ink_after > condition.max_ink else ""
            parts.append(
                f"<tr><td>{html.escape(face.name)}<td class=n>{face.copies}"
                f'<td class=n>{face.ink_before:.0f}<td class="n{over}">{face.ink_after:.0f}'
            )
        parts.append("</table></details>")
    return parts
