"""Faces, sheets and pages look as they did when somebody last looked at them.

When one is meant to look different, `make golden` keeps it as it is now.
"""

from __future__ import annotations

import golden_pictures as golden
import pytest
from PIL import Image, ImageDraw


@pytest.mark.parametrize("name", golden.NAMES)
def test_it_looks_as_it_did(name: str) -> None:
    mean, worst = golden.apart(golden.kept(name), golden.drawn(name))
    assert mean <= golden.MEAN, "look at what changed with 'make golden'"
    assert worst <= golden.PART, "look at what changed with 'make golden'"


def test_every_picture_is_compared_and_small() -> None:
    found = {path.stem: path.stat().st_size for path in golden.GOLDEN.iterdir()}
    assert found.keys() == set(golden.NAMES)
    assert max(found.values()) < 40_000


def test_a_word_less_or_another_colour_is_seen() -> None:
    """The measure can fail: an icon that is lost is no mean difference, but one of its cell."""
    page = Image.new("RGB", (160, 240), "white")
    lost = page.copy()
    ImageDraw.Draw(lost).rectangle((40, 40, 52, 52), fill="black")
    assert golden.apart(page, lost)[0] < golden.MEAN
    assert not golden.same(page, lost)
    assert not golden.same(page, Image.new("RGB", page.size, "#f8f8f8"))
    assert not golden.same(page, Image.new("RGB", (150, 240), "white"))
    assert golden.same(page, page)
