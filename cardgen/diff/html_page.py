"""The HTML report of a difference: one file with pictures, style and script inside.

The texts may come from a stranger's cards. Jinja escapes all of them, and the page's content
security policy allows only the style and the script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cardgen.changes.change_list import flatten_text, render_difference
from cardgen.changes.diff_model import CardDiff, Difference, DiffSpot, FaceDiff, FigureDiff
from cardgen.core.problems import summarise
from cardgen.diff import summary

PAGE_FOLDER = Path(__file__).parent / "page"
MAX_NAMED_CARDS = 12
BAR_WIDTH, BAR_PADDING = 170, 8
"""Size in px of the bar that shows a measure between its bounds."""


@dataclass(frozen=True)
class BarMarks:
    """Positions on the bar of a measure, px from the left: the band of its bounds, and its values
    before and after, None where there was none."""

    least: float
    most: float
    old: float | None
    new: float | None


def render_page(difference: Difference) -> str:
    """Return the whole HTML file."""
    sizes: dict[tuple[float, float], str] = {}
    for card in difference.cards:
        for image in (each for face in card.faces for each in (face.old, face.new) if each):
            sizes.setdefault((image.width, image.height), f"f{len(sizes)}")
    style = (PAGE_FOLDER / "page.css").read_text("utf-8") + "".join(
        f".{name}{{--w:{width:g};--h:{height:g}}}\n" for (width, height), name in sizes.items()
    )
    script = (PAGE_FOLDER / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash_source(style)}'; "
        f"script-src '{_hash_source(script)}'; base-uri 'none'; form-action 'none'"
    )
    environment = Environment(
        loader=FileSystemLoader(PAGE_FOLDER), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    html = environment.get_template("page.html").render(
        difference=difference,
        summary=summary,
        policy=policy,
        style=style,
        script=script,
        bar_width=BAR_WIDTH,
        bar_padding=BAR_PADDING,
        name_cards=lambda cards: summarise(cards, MAX_NAMED_CARDS),
        size_class=lambda image: sizes[image.width, image.height],
        data_url=lambda webp: f"data:image/webp;base64,{base64.b64encode(webp).decode()}",
        text_diff=_render_text_diff,
        group_by_deck=_group_by_deck,
        list_spots=_list_spots,
        is_within_bounds=_is_within_bounds,
        place_marks=_place_marks,
    )
    return html.lstrip()


def _hash_source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _render_text_diff(old: str, new: str) -> Markup:
    return render_difference(flatten_text(old), flatten_text(new), summary.NO_VALUE)


def _group_by_deck(cards: Sequence[CardDiff]) -> list[tuple[str, list[CardDiff]]]:
    decks: dict[str, list[CardDiff]] = {}
    for card in cards:
        decks.setdefault(card.deck, []).append(card)
    return list(decks.items())


def _list_spots(face: FaceDiff) -> list[DiffSpot]:
    """Return the spots in hundredths of the face, moved inside its edges to be visible."""
    spots = []
    for x, y, width, height in face.spots:
        left, top, right, bottom = (
            min(98.8, max(1.2, side * 100)) for side in (x, y, x + width, y + height)
        )
        spots.append((left, top, right - left, bottom - top))
    return spots


def _is_within_bounds(figure: FigureDiff) -> bool:
    value = figure.new
    if value is None:
        return True
    above = figure.least is None or value >= figure.least
    return above and (figure.most is None or value <= figure.most)


def _place_marks(figure: FigureDiff) -> BarMarks | None:
    """Place the bounds and values of a measure on its bar; None where all of them are equal."""
    numbers = (figure.old, figure.new, figure.least, figure.most)
    given = [number for number in numbers if number is not None]
    low, high = min(given, default=0.0), max(given, default=0.0)
    if high <= low:
        return None
    margin = (high - low) * 0.12
    low, high = low - margin, high + margin

    def place(number: float | None) -> float | None:
        if number is None:
            return None
        return BAR_PADDING + (BAR_WIDTH - 2 * BAR_PADDING) * (number - low) / (high - low)

    least, most = place(figure.least), place(figure.most)
    return BarMarks(
        BAR_PADDING if least is None else least,
        BAR_WIDTH - BAR_PADDING if most is None else most,
        place(figure.old), place(figure.new),
    )  # fmt: skip
