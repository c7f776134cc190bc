"""Colours turned into inks: profiles that are none, bounds, intents, greys, gradients."""

from __future__ import annotations

import struct
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms

from cardgen.pdf.press import gamut, gradients, profiles
from cardgen.pdf.press.condition import Condition, total
from cardgen.pdf.press.painters import Unprintable
from cardgen.pdf.press.profiles import Unusable, checked
from cardgen.pdf.press.separating import Rgb, Separator, is_black, most_of

NAVY = (20, 24, 60)


@pytest.fixture(scope="module")
def condition(profile: Path) -> Condition:
    return Condition(checked(profile.read_bytes(), profile.name))


@pytest.fixture(scope="module")
def separator(condition: Condition) -> Separator:
    return Separator(condition)


def changed(data: bytes, at: int, to: bytes) -> bytes:
    return data[:at] + to + data[at + len(to) :]


def test_a_profile_tells_what_it_calls_itself(condition: Condition) -> None:
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
        (good + bytes(profiles.MOST_BYTES), "is larger than 16 MB"),
        (changed(good, 400, bytes(len(good) - 400)), "cannot be used: Pillow"),
    ):
        with pytest.raises(Unusable, match=why):
            checked(data, "press.icc")


@pytest.mark.parametrize("most", [200, 240, 300])
def test_what_is_over_the_bound_comes_below_it_and_stays_as_dark(
    condition: Condition, most: int
) -> None:
    bound = Separator(Condition(condition.profile, most))
    free = Separator(Condition(condition.profile, 400))
    for colour in ((0, 0, 0), NAVY, (60, 10, 10), (10, 60, 30), (70, 70, 20)):
        made, before = bound.colour(colour)
        other, _ = free.colour(colour)
        assert before == pytest.approx(total(other), abs=0.1)
        assert total(made) <= most
        if before <= most:
            assert made == other
        else:
            assert bound.lab(made)[0] == pytest.approx(free.lab(other)[0], abs=4)
            assert made[3] >= other[3], "black stays"
    picture = Image.effect_noise((64, 64), 120).convert("RGB")
    inks, before, after = bound.picture(picture)
    assert before > most
    assert after == most_of(inks) / 2.55
    assert most - 2 < after <= most


def test_intents_differ(condition: Condition) -> None:
    made = {
        intent: Separator(Condition(condition.profile, 400, intent)).colour(NAVY)[0]
        for intent in ("", "relative", "perceptual", "absolute")
    }
    assert made[""] == made["relative"]
    assert made["relative"] != made["perceptual"]
    assert len(set(made.values())) == 3 or made["perceptual"] != made["absolute"]


def test_pictures_are_perceptual_and_colours_relative_unless_told(condition: Condition) -> None:
    one = Image.new("RGB", (1, 1), NAVY)
    usual = Separator(Condition(condition.profile, 400))
    perceptual = Separator(Condition(condition.profile, 400, "perceptual"))
    assert usual.picture(one)[0].tobytes() == perceptual.picture(one)[0].tobytes()
    assert usual.colour(NAVY) != perceptual.colour(NAVY)


def test_white_is_paper_and_greys_are_black_alone_of_even_lightness(separator: Separator) -> None:
    assert separator.colour((255, 255, 255)) == ((0, 0, 0, 0), 0)
    blacks = [separator.grey((part, part, part))[3] for part in range(0, 256, 15)]
    assert blacks[0] == 1
    assert blacks[-1] == 0
    assert blacks == sorted(blacks, reverse=True)
    assert len(set(blacks)) == len(blacks)


@pytest.mark.parametrize(
    ("colour", "black"),
    [((0, 0, 0), True), ((33, 29, 26), True), ((51, 51, 51), True), ((60, 60, 60), False),
     ((20, 24, 60), False)],
)  # fmt: skip
def test_what_is_meant_as_black(colour: Rgb, black: bool) -> None:
    assert is_black(colour) is black


def test_distances_are_small_within_the_press_and_large_outside(separator: Separator) -> None:
    inside, outside = (180, 120, 100), (0, 255, 0)
    assert gamut.distance(separator, inside, separator.colour(inside)[0]) < 2
    assert gamut.distance(separator, outside, separator.colour(outside)[0]) > 10


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

    made = gradients.gradient(stops(pdf), gradients.Space(pdf, 4, convert))
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
    with pytest.raises(Unprintable, match="reckoned by a program"):
        gradients.gradient(shading, gradients.Space(pdf, 4, lambda row: b""))
