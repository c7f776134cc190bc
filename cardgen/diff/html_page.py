"""The HTML report of a difference: one file with pictures, style and script inside.

The texts may come from a stranger's cards. Jinja escapes all of them, and the page's content
security policy allows only the style and the script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import math
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cardgen.changes.change_list import flatten_text, group_by_deck, render_difference
from cardgen.changes.diff_model import Difference, DiffSpot, FaceDiff, FigureDiff
from cardgen.core.problems import summarise
from cardgen.diff import summary

PAGE_FOLDER = Path(__file__).parent / "page"
MAX_NAMED_CARDS = 12
BAR_WIDTH, BAR_PADDING = 170, 8
"""Size in px of the bar that shows a measure between its bounds."""


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
        text_diff=lambda old, new: render_difference(
            flatten_text(old), flatten_text(new), summary.NO_VALUE
        ),
        group_by_deck=lambda cards: group_by_deck(cards).items(),
        list_spots=_list_spots,
        is_within_bounds=_is_within_bounds,
        place_marks=_place_marks,
    )
    return html.lstrip()


def _hash_source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
    least, most = (-math.inf if figure.least is None else figure.least), figure.most
    return figure.new is None or least <= figure.new <= (math.inf if most is None else most)


def _place_marks(figure: FigureDiff) -> dict[str, float | None] | None:
    """Return the positions on the bar of a measure, px from the left: the band of its bounds, and
    its values before and after, None where there was none. Return None where all of them are
    equal."""
    numbers = {"old": figure.old, "new": figure.new, "least": figure.least, "most": figure.most}
    given = [number for number in numbers.values() if number is not None]
    low, high = min(given, default=0.0), max(given, default=0.0)
    if high <= low:
        return None
    margin = (high - low) * 0.12
    low, high = low - margin, high + margin
    width = BAR_WIDTH - 2 * BAR_PADDING
    ends = {"least": BAR_PADDING, "most": BAR_WIDTH - BAR_PADDING}
    return {
        name: ends.get(name) if number is None
        else BAR_PADDING + width * (number - low) / (high - low)
        for name, number in numbers.items()
    }  # fmt: skip
