"""The walk by which the tests read files for a press sees what is no press's."""

from __future__ import annotations

import pikepdf
import press_files
import pytest
from pikepdf import Array, Dictionary, Name


def page(content: str) -> pikepdf.Pdf:
    pdf = pikepdf.new()
    made = pdf.add_blank_page(page_size=(100, 100))
    tint = pdf.make_stream(b"{0 0 0}", FunctionType=4, Domain=[0, 1], Range=[0, 1] * 3)
    gold = Array([Name.Separation, Name("/Gold"), Name.DeviceRGB, tint])
    made.obj.Resources = Dictionary(ColorSpace=Dictionary(Gold=gold))
    made.obj.Contents = pdf.make_stream(content.encode())
    return pdf


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("0 0 9 9 re f", [press_files._GREY]),
        ("0 0 9 9 re F", [press_files._GREY]),
        ("0 0 9 9 re S", [press_files._GREY]),
        ("0 0 0 1 k 0 0 9 9 re B", [press_files._GREY]),  # its line
        ("BT (a) Tj ET", [press_files._GREY]),
        ("BT (a) ' ET", [press_files._GREY]),
        ('BT 1 1 (a) " ET', [press_files._GREY]),
        ("1 0 0 rg", ["rg"]),
        ("0 g", ["g"]),
        ("/DeviceGray cs 0 0 9 9 re f", ["/DeviceGray"]),
        ("/DeviceRGB cs 0 0 9 9 re f", ["/DeviceRGB", "/DeviceRGB"]),
        ("q 0 0 0 1 k Q 0 0 9 9 re f", [press_files._GREY]),
        ("0 0 9 9 zz", ["operator zz"]),
    ],
)
def test_what_is_no_ink_is_seen(content: str, told: list[str]) -> None:
    found = press_files.painted(page(content))
    assert [each for each in found.foreign if each != "/Separation"] == told


def test_inks_are_told_with_what_overprints() -> None:
    content = (
        "0 0 0 1 k 0 0 9 9 re f BT (a) ' ET 1 0 0 0 K 0 0 9 9 re s /DeviceCMYK cs 0 0 9 9 re f"
    )
    found = press_files.painted(page(content))
    assert found.letters == {((0, 0, 0, 1), False)}
    assert found.others == {((0, 0, 0, 1), False), ((1, 0, 0, 0), False)}


def test_an_ink_of_its_own_whose_stand_in_is_rgb_is_seen() -> None:
    found = press_files.painted(page("/Gold cs 1 scn 0 0 9 9 re f"))
    assert found.spots == {("/Gold", False)}
    assert found.foreign == ["/Separation"]
