"""Simulated colour blindness, grey and low ink in a browser."""

from __future__ import annotations

from collections.abc import Callable

import chromium
import pytest
from chromium import Page
from coloraide import Color
from previews import DRAWN, face, pixel

from cardgen.core import colour_math

pytestmark = chromium.needs_browser


# What stands in the middle of a card's back, and what it becomes; a bluer and a redder one lie on
# either side of the plane that tritan sight turns about.
@pytest.mark.parametrize("colour", ["#b8392a", "#2a57b8", "#4f9d3a"])
def test_a_card_with_simulated_colour_blindness(
    page: Page, edited: Callable[[str, str, str], None], colour: str
) -> None:
    back = "loot/barn/back/en"
    page.key("b")
    page.wait(face(back))
    before = page.run(face(back))
    edited("art/house.svg", "#b8392a", colour)
    edited("templates/card.css", "left: 20mm; top: 15mm", "left: 21mm; top: 32mm")
    page.wait(f"{face(back)} !== {before!r}")
    page.wait(DRAWN)
    middle = f"document.querySelector('[data-face=\"{back}\"]')"
    assert pixel(page, middle) == tuple(bytes.fromhex(colour[1:]))
    for sight in ("protan", "deutan", "tritan"):
        page.key("s")
        page.wait(f"document.querySelector('select.sight').value === {sight!r}")
        expected = Color(colour).filter(sight).clip().convert("srgb")[:3]
        seen = pixel(page, middle)
        assert all(abs(a - 255 * b) <= 2 for a, b in zip(seen, expected, strict=True)), sight
    drawn = page.run(f"{middle}.querySelector('img').src")
    page.key("s")
    page.wait(f"{middle}.querySelector('img').src !== {drawn!r}")
    r, g, b = bytes.fromhex(colour[1:])
    assert pixel(page, middle) == (round(colour_math.get_luma((r, g, b))),) * 3
    page.key("s")
    page.wait(f"{middle}.querySelector('img').src.endsWith('?low-ink')")
    assert min(pixel(page, middle)) > min(r, g, b) + 50
