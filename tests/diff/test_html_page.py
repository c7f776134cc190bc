"""The HTML report in a browser: its security policy and its keys."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from chromium import browser, needs_browser
from PIL import Image

from cardgen.changes.card_changes import FieldEdit
from cardgen.changes.diff_model import CardDiff, Difference, FaceDiff, FaceImage, FieldDiff
from cardgen.diff.html_page import render_page

MM = 96 / 25.4


def picture(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (63, 88), colour).save(out, "WEBP")
    return out.getvalue()


def card(name: str, language: str, width: float, height: float) -> CardDiff:
    old, new = FaceImage(width, height, "old"), FaceImage(width, height, "new")
    why = ("templates/a-template-with-a-long-name.html, templates/another-template.html",)
    face = FaceDiff("front", (language,), old, new, why, EDGES)
    fields = (FieldDiff(FieldEdit("name", "one", "other"), (language,)),)
    return CardDiff("changed", "loot", (name,), None, (1, 1), fields, (face,))


EDGES = ((0.0, 0.0, 1.0, 0.5), (0.9, 0.8, 0.2, 0.3))
"""Spots that end at the sides of the face, and beyond them."""


FOUND = Difference(
    "A game", "HEAD", "the files", ("fi", "en"),
    (card("barn", "fi", 63, 88), card("note", "en", 40, 30)),
    pictures={"old": picture("#884400"), "new": picture("#004488")},
)  # fmt: skip


@needs_browser
def test_keys_navigate_the_report(tmp_path: Path) -> None:
    file = tmp_path / "diff.html"
    file.write_text(render_page(FOUND), encoding="utf-8")
    with browser() as seen:
        seen.size(1280, 900)
        seen.go(file.as_uri())
        widths = "[...document.querySelectorAll('.pic')].map(e => e.getBoundingClientRect().width)"
        told = seen.run(widths)
        assert told == pytest.approx([63 * MM, 63 * MM, 40 * MM, 40 * MM], abs=0.1), "true size"
        loaded = "[...document.images].every(i => i.complete && i.naturalWidth === 63)"
        seen.wait(loaded)
        assert seen.run("document.querySelector('.tools').hidden") is False
        seen.key("j")
        seen.key("j")
        assert seen.run("document.activeElement.querySelector('h4').textContent") == "note"
        seen.key("2")
        assert seen.run("document.documentElement.dataset.view") == "slider"
        slide = (
            "(() => { const s = document.querySelector('.slide'); s.value = 80;"
            " s.dispatchEvent(new Event('input')); const p = s.previousElementSibling;"
            " const wide = s.getBoundingClientRect().width;"
            " return [p.style.getPropertyValue('--cut'), wide] })()"
        )
        cut, wide = seen.run(slide)
        assert (cut, wide) == ("80.0", pytest.approx(63 * MM, abs=0.1)), "as wide as the card"
        line = "getComputedStyle(document.querySelector('.two .new'), '::after').left"
        assert float(seen.run(line)[:-2]) == pytest.approx(0.8 * 63 * MM, abs=0.3)
        seen.key("3")
        seen.key(" ")
        shows = (
            "[...document.querySelectorAll('.two .new')].map(e => getComputedStyle(e).visibility)"
        )
        assert seen.run(shows) == ["hidden", "hidden"]
        seen.key(" ")
        assert seen.run(shows) == ["visible", "visible"]
        seen.key("1")
        marks = (
            "[...document.querySelectorAll('.at rect')].every(r => { const b = r.getBBox();"
            " return b.x > 1 && b.y > 1 && b.x + b.width < 99 && b.y + b.height < 99"
            " && b.width > 5 })"
        )
        assert seen.run(marks) is True, "no side of a mark is cut off"
        seen.key("l")
        shown = "[...document.querySelectorAll('figure')].map(e => e.checkVisibility())"
        assert seen.run(shown) == [True, False]
        seen.key("+")
        assert seen.run(widths)[0] == pytest.approx(63 * MM * 1.25, abs=0.2)
        seen.key("m")
        assert seen.run("document.querySelector('.at svg').checkVisibility()") is False
        seen.size(375, 800)
        assert seen.run("document.documentElement.scrollWidth") == 375, "nothing runs off a phone"
