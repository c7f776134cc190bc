"""Pictures that reach a page's edge: covers, chapter openers and full-page pictures."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import escape

from cardgen.assets.artwork import Art
from cardgen.book.model import PageFormat

COVER_TAG = '<header class="cover whole"'
"""Opening tag of a cover that fills a page."""
OPENER_HEIGHT_SHARE = 0.34
"""Largest height of the picture of a chapter that begins a page, as a share of the page."""
RUNNING_HEIGHT_SHARE = 0.13
"""The same for a chapter in the run of the text."""


def render_bleeding_picture(
    art: Art, alt: str, format_: PageFormat, height: float, *, margins: bool
) -> str:
    """Render a picture from edge to edge, `height` mm high from the page's top.

    The picture covers that area and is cropped. With `margins` its place begins within the page's
    margins.
    """
    tall = art.height / art.width
    width = max(format_.width, height / tall)
    left, top = (format_.width - width) / 2, (height - width * tall) / 2
    side = (format_.width - format_.full_width) / 2 if margins else 0
    above = format_.top_margin if margins else 0
    return (
        f'<div class="bled" style="left:{-side:g}mm;top:{-above:g}mm;'
        f'width:{format_.width:g}mm;height:{height:.2f}mm">'
        f'<img class="picture" src="{escape(art.name)}" alt="{escape(alt)}" '
        f'style="left:{left:.2f}mm;top:{top:.2f}mm;width:{width:.2f}mm;'
        f'height:{width * tall:.2f}mm"></div>'
    )


def render_chapter_strip(art: Art, format_: PageFormat) -> str:
    """Render a chapter's picture above its title in the run of the text, across text and side
    column.

    It has no alternative text, since the title tells what it shows.
    """
    whole = format_.full_width * art.height / art.width
    height = min(whole, RUNNING_HEIGHT_SHARE * format_.height)
    return (
        f'<span class="chapter-strip" style="height:{height:.2f}mm">'
        f'<img class="picture" src="{escape(art.name)}" alt="" '
        f'style="margin-top:{(height - whole) / 2:.2f}mm;width:{format_.full_width:g}mm;'
        f'height:{whole:.2f}mm"></span>'
    )


def render_chapter_opener(art: Art, alt: str, format_: PageFormat) -> str:
    """Render the picture of a chapter that begins a page."""
    height = min(format_.width * art.height / art.width, OPENER_HEIGHT_SHARE * format_.height)
    inner = render_bleeding_picture(art, alt, format_, height, margins=True)
    below_margin = f"height:{height - format_.top_margin:.2f}mm"
    return f'<div class="opener-picture" style="{below_margin}">{inner}</div>'


def open_picture_page(art: Art, alt: str, format_: PageFormat) -> str:
    """Render the beginning of a page that a picture fills; two elements stay open for words."""
    picture = render_bleeding_picture(art, alt, format_, format_.height, margins=False)
    size = f"width:{format_.width:g}mm;height:{format_.height:g}mm"
    return f'<div class="plate" style="{size}">{picture}<div class="plate-words">'


def render_facts(facts: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Render players, time and age with their labels; "" without any."""
    each = "".join(
        f'<p class="fact"><span class="fact-name">{escape(words[f"facts_{name}"])}</span> '
        f'<span class="fact-value">{escape(value)}</span></p>'
        for name, value in facts.items()
    )
    return f'<div class="facts">{each}</div>' if each else ""


def render_cover(picture: str, titles: str, foot: str, format_: PageFormat) -> str:
    """Render the first page: a picture to its edges, or cards on a ground, and a band with the
    title."""
    style = f"width:{format_.width:g}mm;height:{format_.height:g}mm"
    return (
        f'{COVER_TAG} style="{style}">{picture}'
        f'<div class="cover-band">{titles}<div class="cover-foot">{foot}</div></div></header>'
    )
