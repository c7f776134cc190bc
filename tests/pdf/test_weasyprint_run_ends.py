"""Letters after the end of a run stand where they were reckoned, as PDFium draws them."""

from __future__ import annotations

from pathlib import Path

import block_font
import pixels

from cardgen.pdf import weasyprint_adapter, weasyprint_patches


def _right_edge(folder: Path, body: str) -> int:
    """How far to the right a line in two families has ink, px."""
    faces = "".join(
        f"@font-face {{ font-family: {name}; src: url({(folder / name).as_uri()}) }}"
        for name in ("one", "two")
    )
    style = f"{faces} @page {{ size: 60mm 10mm; margin: 0 }} body {{ margin: 0 }}"
    style += "p { margin: 0; font: 5mm one, two; white-space: nowrap }"
    pdf = weasyprint_adapter.weasyprint.HTML(
        string=f"<style>{style}</style><p>{body}</p>"
    ).write_pdf()
    (page,) = pixels.pages(pdf, 10, "L")
    box = page.point(lambda value: 255 if value < 128 else 0).getbbox()
    assert box is not None
    return int(box[2])


def test_what_follows_a_run_of_another_font_is_not_shoved(tmp_path: Path) -> None:
    """Room after the last letter of the first run is kept: `b` stands as far off as its like."""
    assert (
        weasyprint_patches._show_glyphs is weasyprint_adapter.weasyprint.pdf.stream.Stream.show_text
    )
    block_font.write(tmp_path / "one", {"a": 700}, "one")
    block_font.write(tmp_path / "two", {"b": 700}, "two")
    mixed, plain = (
        _right_edge(tmp_path, f'<span style="letter-spacing: 3mm">{text}</span>')
        for text in ("ab", "aa")
    )
    assert abs(mixed - plain) <= 1
    assert plain > 80
