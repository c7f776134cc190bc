"""A line ends before the word that has no room, not behind the first one."""

from __future__ import annotations

from pathlib import Path

import block_font
import pytest

from cardgen.pdf import weasyprint_adapter, weasyprint_patches

_PITCH = 0.6
"""How wide a letter of the font of blocks is, em."""


def _lines(folder: Path, letters: float, body: str) -> list[str]:
    """What stands on each line of a paragraph that is so many letters wide."""
    block_font.write(folder / "one", dict.fromkeys("abcd. ", 700), "one")
    style = f"@font-face {{ font-family: one; src: url({(folder / 'one').as_uri()}) }}"
    style += f"p {{ width: {_PITCH * letters}em; font: 5mm one }}"
    (page,) = (
        weasyprint_adapter.weasyprint.HTML(string=f"<style>{style}</style><p>{body}</p>")
        .render()
        .pages
    )
    boxes = weasyprint_adapter.weasyprint.formatting_structure.boxes
    return [
        "".join(each.text for each in line.descendants() if isinstance(each, boxes.TextBox)).strip()
        for line in page._page_box.descendants()
        if isinstance(line, boxes.LineBox)
    ]


@pytest.mark.parametrize("letters", [9.1, 9.3, 9.5, 9.7, 9.9])
def test_a_text_that_fits_but_for_its_last_space_is_not_broken(
    tmp_path: Path, letters: float
) -> None:
    assert (
        weasyprint_patches._split_first_line
        is weasyprint_adapter.weasyprint.layout.inline.split_first_line
    )
    assert _lines(tmp_path, letters, "aa bb ccc <i>dd</i>.") == ["aa bb ccc", "dd."]


def test_other_lines_end_where_they_did(tmp_path: Path) -> None:
    assert _lines(tmp_path, 8.5, "aa bb ccc <i>dd</i>.") == ["aa bb", "ccc dd."]
    assert _lines(tmp_path, 13.1, "aa bb ccc <i>dd</i>.") == ["aa bb ccc dd."]
    assert _lines(tmp_path, 3.5, "aa bb ") == ["aa", "bb"]
