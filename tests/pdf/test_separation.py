"""Colours turned into inks: profiles that are none, bounds, intents, greys, gradients."""

from __future__ import annotations

import struct
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms

from cardgen.pdf.cmyk import page_conversion, printing_condition, separation
from cardgen.pdf.cmyk.ink_painter import UnprintableError
from cardgen.pdf.cmyk.printing_condition import (
    PrintingCondition,
    UnusableProfileError,
    check_profile,
    get_total_ink,
)
from cardgen.pdf.cmyk.separation import InkSeparator, RgbBytes, get_max_ink, is_black

NAVY = (20, 24, 60)


@pytest.fixture(scope="module")
def condition(profile: Path) -> PrintingCondition:
    return PrintingCondition(check_profile(profile.read_bytes(), profile.name))


@pytest.fixture(scope="module")
def separator(condition: PrintingCondition) -> InkSeparator:
    return InkSeparator(condition)


def changed(data: bytes, at: int, to: bytes) -> bytes:
    return data[:at] + to + data[at + len(to) :]


def test_a_profile_tells_what_it_calls_itself(condition: PrintingCondition) -> None:
    assert condition.profile.description == "FOGRA39L for tests"


def test_what_is_no_profile_of_a_press_is_told(profile: Path) -> None:
    good = profile.read_bytes()
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for data, why in (
        (b"%PDF-1.4" + bytes(200), "is no ICC profile"),
        (b"", "is no ICC profile"),
        (screen, "is of a screen, for RGB; a press wants one of a printer, for CMYK"),
        (good[:5000], "was cut short"),
        (changed(good, 128, struct.pack(">I", 70_000)), "was cut short or is damaged"),
        (changed(good, 136, struct.pack(">I", 0xFFFFFFF0)), "was cut short or is damaged"),
        (good.replace(b"B2A0", b"B2X0"), "lacks the table B2A0"),
        (good + bytes(printing_condition.MAX_PROFILE_BYTES), "is larger than 16 MB"),
        (changed(good, 400, bytes(len(good) - 400)), "cannot be used: Pillow"),
    ):
        with pytest.raises(UnusableProfileError, match=why):
            check_profile(data, "press.icc")


@pytest.mark.parametrize("most", [200, 240, 300])
def test_what_is_over_the_bound_comes_below_it_and_stays_as_dark(
    condition: PrintingCondition, most: int
) -> None:
    bound = InkSeparator(PrintingCondition(condition.profile, most))
    free = InkSeparator(PrintingCondition(condition.profile, 400))
    for colour in ((0, 0, 0), NAVY, (60, 10, 10), (10, 60, 30), (70, 70, 20)):
        made, before = bound.separate_colour(colour)
        other, _ = free.separate_colour(colour)
        assert before == pytest.approx(get_total_ink(other), abs=0.1)
        assert get_total_ink(made) <= most
        if before <= most:
            assert made == other
        else:
            assert bound.get_lab(made)[0] == pytest.approx(free.get_lab(other)[0], abs=4)
            assert made[3] >= other[3], "black stays"
    picture = Image.effect_noise((64, 64), 120).convert("RGB")
    inks, before, after = bound.separate_picture(picture)
    assert before > most
    assert after == get_max_ink(inks) / 2.55
    assert most - 2 < after <= most


def test_intents_differ(condition: PrintingCondition) -> None:
    made = {
        intent: InkSeparator(PrintingCondition(condition.profile, 400, intent)).separate_colour(
            NAVY
        )[0]
        for intent in ("", "relative", "perceptual", "absolute")
    }
    assert made[""] == made["relative"]
    assert made["relative"] != made["perceptual"]
    assert len(set(made.values())) == 3 or made["perceptual"] != made["absolute"]


def test_pictures_are_perceptual_and_colours_relative_unless_told(
    condition: PrintingCondition,
) -> None:
    one = Image.new("RGB", (1, 1), NAVY)
    usual = InkSeparator(PrintingCondition(condition.profile, 400))
    perceptual = InkSeparator(PrintingCondition(condition.profile, 400, "perceptual"))
    assert usual.separate_picture(one)[0].tobytes() == perceptual.separate_picture(one)[0].tobytes()
    assert usual.separate_colour(NAVY) != perceptual.separate_colour(NAVY)


def test_white_is_paper_and_greys_are_black_alone_of_even_lightness(
    separator: InkSeparator,
) -> None:
    assert separator.separate_colour((255, 255, 255)) == ((0, 0, 0, 0), 0)
    blacks = [separator.separate_grey((part, part, part))[3] for part in range(0, 256, 15)]
    assert blacks[0] == 1
    assert blacks[-1] == 0
    assert blacks == sorted(blacks, reverse=True)
    assert len(set(blacks)) == len(blacks)


@pytest.mark.parametrize(
    ("colour", "black"),
    [((0, 0, 0), True), ((33, 29, 26), True), ((51, 51, 51), True), ((60, 60, 60), False),
     ((20, 24, 60), False)],
)  # fmt: skip
def test_what_is_meant_as_black(colour: RgbBytes, black: bool) -> None:
    assert is_black(colour) is black


def test_distances_are_small_within_the_press_and_large_outside(separator: InkSeparator) -> None:
    inside, outside = (180, 120, 100), (0, 255, 0)
    assert (
        separation.measure_colour_distance(separator, inside, separator.separate_colour(inside)[0])
        < 2
    )
    assert (
        separation.measure_colour_distance(
            separator, outside, separator.separate_colour(outside)[0]
        )
        > 10
    )


def stops(pdf: pikepdf.Pdf) -> Dictionary:
    """A gradient with a sharp edge in its middle: red to green, then blue."""

    def piece(one: list[int], other: list[int]) -> Dictionary:
        return Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1, C0=Array(one), C1=Array(other))

    function = Dictionary(
        FunctionType=3, Domain=Array([0, 1]), Bounds=Array([0.5]), Encode=Array([0, 1, 0, 1]),
        Functions=Array([piece([1, 0, 0], [0, 1, 0]), piece([0, 0, 1], [0, 0, 1])]),
    )  # fmt: skip
    return Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB, Function=function)


def test_sharp_edges_of_gradients_stay_sharp() -> None:
    pdf = pikepdf.new()
    rows: list[list[list[float]]] = []

    def convert(row: list[list[float]]) -> bytes:
        rows.append(row)
        return bytes(4 * len(row))

    made = page_conversion.convert_shading(stops(pdf), pdf, convert)
    assert [float(bound) for bound in made.Function.Bounds] == [0.5]
    assert [(row[0], row[-1]) for row in rows] == [
        ([1, 0, 0], [0, 1, 0]),
        ([0, 0, 1], [0, 0, 1]),
    ]
    assert all(len(inner.Range) == 8 for inner in made.Function.Functions)


def test_a_gradient_that_a_program_reckons_is_told() -> None:
    pdf = pikepdf.new()
    shading = stops(pdf)
    program = pdf.make_stream(b"{ dup 0 }")
    program.FunctionType, program.Domain = 4, Array([0, 1])
    shading.Function = program
    with pytest.raises(UnprintableError, match="reckoned by a program"):
        page_conversion.convert_shading(shading, pdf, lambda row: b"")
