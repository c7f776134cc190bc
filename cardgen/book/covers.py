"""Whole pages and what reaches a page's edge: covers, openers of chapters, pictures of a page."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import escape

from cardgen.assets.artwork import Art
from cardgen.book.model import Format

COVER = '<header class="cover whole"'
"""How the cover that is a page of its own begins."""
OPENER = 0.34
"""Of the page's height: how much of it a chapter's picture takes at most."""
RUNNING = 0.13
"""The same of one that begins no page."""


def bled(art: Art, alt: str, format_: Format, height: float, *, margins: bool) -> str:
    """A picture from edge to edge, so high (mm) from the page's top. It covers that, and what is
    left over is cut off; with `margins` the place begins within the page's margins."""
    tall = art.height / art.width
    width = max(format_.width, height / tall)
    left, top = (format_.width - width) / 2, (height - width * tall) / 2
    side = (format_.width - format_.full) / 2 if margins else 0
    above = format_.top if margins else 0
    return (
        f'<div class="bled" style="left:{-side:g}mm;top:{-above:g}mm;'
        f'width:{format_.width:g}mm;height:{height:.2f}mm">'
        f'<img class="picture" src="{escape(art.name)}" alt="{escape(alt)}" '
        f'style="left:{left:.2f}mm;top:{top:.2f}mm;width:{width:.2f}mm;'
        f'height:{width * tall:.2f}mm"></div>'
    )


def strip(art: Art, format_: Format) -> str:
    """A chapter's picture above its title in the run of the text, as wide as text and margin
    together. The title says what it shows."""
    whole = format_.full * art.height / art.width
    height = min(whole, RUNNING * format_.height)
    return (
        f'<span class="chapter-strip" style="height:{height:.2f}mm">'
        f'<img class="picture" src="{escape(art.name)}" alt="" '
        f'style="margin-top:{(height - whole) / 2:.2f}mm;width:{format_.full:g}mm;'
        f'height:{whole:.2f}mm"></span>'
    )


def opener(art: Art, alt: str, format_: Format) -> str:
    """A chapter's picture, which begins its page."""
    height = min(format_.width * art.height / art.width, OPENER * format_.height)
    inner = bled(art, alt, format_, height, margins=True)
    return f'<div class="opener-picture" style="height:{height - format_.top:.2f}mm">{inner}</div>'


def plate(art: Art, alt: str, format_: Format) -> str:
    """The beginning of a page that a picture fills, up to the words on it; two elements are
    open."""
    picture = bled(art, alt, format_, format_.height, margins=False)
    size = f"width:{format_.width:g}mm;height:{format_.height:g}mm"
    return f'<div class="plate" style="{size}">{picture}<div class="plate-words">'


def facts(said: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Players, time and age, each with what it is; "" without any."""
    each = "".join(
        f'<p class="fact"><span class="fact-name">{escape(words[f"facts_{name}"])}</span> '
        f'<span class="fact-value">{escape(value)}</span></p>'
        for name, value in said.items()
    )
    return f'<div class="facts">{each}</div>' if each else ""


def cover(picture: str, titles: str, foot: str, format_: Format) -> str:
    """The first page: a picture to its edges, or cards on a ground, and a band with the title."""
    style = f"width:{format_.width:g}mm;height:{format_.height:g}mm"
    return (
        f'{COVER} style="{style}">{picture}'
        f'<div class="cover-band">{titles}<div class="cover-foot">{foot}</div></div></header>'
    )
