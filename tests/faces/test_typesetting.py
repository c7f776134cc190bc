"""How long faces may take before they are stopped."""

from __future__ import annotations

from pathlib import Path

from cardgen.assets.artwork import Art
from cardgen.faces.model import FaceInput
from cardgen.faces.typesetting import _estimate_seconds


def allowed(*art: Art, text: str = "") -> float:
    return _estimate_seconds(3, 0, 2000, [FaceInput("key", "en", text, art)])


def test_large_pictures_and_long_texts_have_more_time_within_bounds() -> None:
    scan = Art("art/scan.tif", Path("scan.tif"), False, 5000, 8000, "a")
    drawing = Art("art/map.svg", Path("map.svg"), True, 5000, 8000, "b")
    assert allowed() == allowed(drawing) == 3
    assert allowed(scan) == allowed(scan, scan) == 3 + 5
    assert allowed(text="a" * 4000) == 3 + 2
    many = [Art(f"art/{n}.tif", Path("scan.tif"), False, 5000, 8000, str(n)) for n in range(9)]
    assert allowed(*many, text="a" * 99_999) == 3 + 6 + 4
