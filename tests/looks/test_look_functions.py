"""What templates call for their looks: colours, landscapes, ornaments, values and tracks."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
import typst
from PIL import Image, ImageChops

from cardgen.assets import svg_checks
from cardgen.looks import look_colours, look_functions, scenery
from cardgen.looks.look_functions import LOOK_FUNCTIONS, PICTURE_FUNCTIONS

COLOURS = ("#000000", "#ffffff", "#2f6068", "#e3b23c", "#808080", "#ff0000", "#0b1f8a")
PICTURES: Mapping[str, tuple[Any, ...]] = {
    "placeholder": ("Tug", 53, 38),
    "motif": ("Tug", "#2f6068"),
    "pattern": ("rings", 69, 95, "#ffffff"),
    "frame": (55, 80, "#ffffff"),
}


def test_colours_are_mixed_as_the_eye_sees_them() -> None:
    assert look_colours.mix("#123456", "#ffffff", 0) == "#123456"
    assert look_colours.mix("#123456", "#abcdef", 1) == "#abcdef"
    # Halfway between blue and yellow is no mud: it is lighter than the mean of the figures.
    between = look_colours.mix("#0000ff", "#ffff00")
    assert look_colours.contrast(between, "#000000") > look_colours.contrast("#808080", "#000000")
    steps = [look_colours.mix("#000000", "#ffffff", k / 10) for k in range(11)]
    assert steps == sorted(set(steps))


@pytest.mark.parametrize("ground", COLOURS)
def test_the_better_read_of_two_colours_is_chosen(ground: str) -> None:
    chosen = look_colours.legible(ground, dark="#26211d", light="#f8f1e3")
    other = {"#26211d": "#f8f1e3", "#f8f1e3": "#26211d"}[chosen]
    assert look_colours.contrast(chosen, ground) >= look_colours.contrast(other, ground)
    assert look_colours.contrast(chosen, ground) >= 3.8


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("ground", ["#f8f1e3", "#2f6068", "#000000"])
def test_a_colour_is_made_readable_and_else_left_alone(colour: str, ground: str) -> None:
    made = look_colours.readable(colour, ground)
    assert look_colours.contrast(made, ground) >= 4.5
    if look_colours.contrast(colour, ground) >= 4.5:
        assert made == colour


def test_contrast_is_that_of_wcag() -> None:
    assert look_colours.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert look_colours.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_same_each_time_and_can_be_drawn(name: str) -> None:
    svg = PICTURE_FUNCTIONS[name](*PICTURES[name])
    assert svg == PICTURE_FUNCTIONS[name](*PICTURES[name])
    assert svg_checks.check(ElementTree.fromstring(svg)) == ()
    assert b"<text" not in svg
    assert b"nan" not in svg
    assert b"inf" not in svg
    assert len(svg) < 60_000


def test_every_scene_at_every_hour_is_small_and_can_be_drawn() -> None:
    for mood in scenery.MOODS:
        for name in ("Tug", "Fish", "Moon", "Gull", "Horse", "Coal", "Nobody Knows", "?"):
            for box in ((53, 38), (20, 60), (200, 30)):
                svg = look_functions.placeholder(name, *box, "#8a3b2e", mood)
                assert svg_checks.check(ElementTree.fromstring(svg)) == ()
                assert len(svg) < 20_000


def test_another_card_is_another_picture_and_nothing_is_a_name_too() -> None:
    names = ["Tug", "Ferry", "Hinaaja", "Маяк", "", None]
    made = {look_functions.placeholder(name, 53, 38) for name in names}
    assert len(made) == 5  # no name and an empty one are the same


def test_a_picture_is_in_the_key_of_its_colour() -> None:
    def light(colour: str, part: int) -> int:
        """How much red (0) or blue (2) twelve pictures have."""
        made = [look_functions.placeholder(f"Tug {k}", 53, 38, colour, "noon") for k in range(12)]
        painted = re.findall(r'fill="#(\w{6})"', b"".join(made).decode())
        return sum(int(found[2 * part : 2 * part + 2], 16) for found in painted)

    assert light("#b02020", 0) > light("#1f4fa6", 0)
    assert light("#b02020", 2) < light("#1f4fa6", 2)


@pytest.mark.parametrize("kind", ["rings", "leaves", "waves", "diamonds", "rays", "stars"])
@pytest.mark.parametrize("size", [(69.5, 94.9), (36, 36), (426, 300)])
def test_a_pattern_looks_the_same_turned_by_half_a_circle(
    kind: str, size: tuple[float, float]
) -> None:
    assert_turns(look_functions.pattern(kind, *size, "#000000"))


@pytest.mark.parametrize("shape", ["notched", "cut", "square", "round", "hexagon"])
def test_a_frame_looks_the_same_turned_by_half_a_circle(shape: str) -> None:
    assert_turns(look_functions.frame(55, 80, "#000000", "none", shape))


def assert_turns(svg: bytes) -> None:
    """Told by the means of 24 × 24 parts of the picture, of 480 pixels a side."""
    drawn = typst.compile(
        b"#set page(width: 480pt, height: 480pt, margin: 0pt)\n"
        b'#image(bytes(sys.inputs.svg), width: 100%, height: 100%, fit: "stretch")',
        format="png",
        ppi=72,
        ignore_system_fonts=True,
        sys_inputs={"svg": svg.decode().replace("<svg ", '<svg preserveAspectRatio="none" ')},
    )
    assert isinstance(drawn, bytes)
    alpha = Image.open(io.BytesIO(drawn)).convert("L")
    assert alpha.size == (480, 480)
    parts = alpha.resize((24, 24), Image.Resampling.BOX)
    turned = alpha.transpose(Image.Transpose.ROTATE_180).resize((24, 24), Image.Resampling.BOX)
    assert min(alpha.tobytes()) < 200 < max(alpha.tobytes())
    assert max(ImageChops.difference(parts, turned).tobytes()) < 4


def test_values_are_written_as_people_write_them() -> None:
    asked = [{"label": "Speed", "value": 4}, {"label": "Max load", "value": 120}]
    assert look_functions.labelled({"speed": 4, "max_load": 120}) == asked
    assert look_functions.labelled([{"speed": 4}, {"max-load": 120}]) == asked
    assert look_functions.labelled([("Speed", 4), ["Max load", 120]]) == asked
    assert look_functions.labelled([{"name": "Speed", "value": 4}, {"max_load": 120}]) == asked
    texts = look_functions.labelled(["Speed: 4", "Max load: 120"])
    assert [each["value"] for each in texts] == ["4", "120"]
    assert look_functions.labelled({"speed": 0, "load": None}) == [{"label": "Speed", "value": 0}]
    assert look_functions.labelled(None) == []


def test_tracks_are_written_as_people_write_them() -> None:
    def track(text: str) -> tuple[str, list[str], int | None]:
        (made,) = look_functions.tracks(text)
        return made["name"], made["spaces"], made["start"]

    assert track("Morale: 0-3") == ("Morale", ["0", "1", "2", "3"], None)
    assert track("Morale: 0–3 (2)") == ("Morale", ["0", "1", "2", "3"], 2)
    assert track("Luck: -1-1 (0)") == ("Luck", ["−1", "0", "1"], 1)
    assert track("Countdown: 3-1") == ("Countdown", ["3", "2", "1"], None)
    assert track("Part 2: Tide: low, (high)") == ("Part 2: Tide", ["low", "high"], 1)
    assert track("夜：夕暮れ、真夜中、夜明け") == ("夜", ["夕暮れ", "真夜中", "夜明け"], None)
    assert track("الليل: الغسق، الفجر") == ("الليل", ["الغسق", "الفجر"], None)
    assert track("士気: 0～2 (1)") == ("士気", ["0", "1", "2"], 1)
    assert track("1-2") == ("", ["1", "2"], None)
    many = look_functions.tracks([{"name": "Coal", "last": 2, "start": 0}, "Bread: 1..2"])
    assert [each["spaces"] for each in many] == [["0", "1", "2"], ["1", "2"]]
    assert many[0]["start"] == 0
    assert look_functions.tracks(None) == []


@pytest.mark.parametrize("count", [4, 5, 20, 21, 50, 99, 200])
@pytest.mark.parametrize("box", [(200, 140), (100, 100), (60, 300)])
def test_spaces_round_an_edge_cover_it_once(count: int, box: tuple[float, float]) -> None:
    width, height = box
    ring = look_functions.around(count, width, height)
    assert len(ring) == count
    assert (ring[0]["x"], ring[0]["y"]) == (0, 0)
    for one, two in zip(ring, [*ring[1:], ring[0]], strict=True):
        across = min(one["x"] + one["width"], two["x"] + two["width"]) - max(one["x"], two["x"])
        down = min(one["y"] + one["height"], two["y"] + two["height"]) - max(one["y"], two["y"])
        # They touch and do not lie upon each other.
        assert min(across, down) == pytest.approx(0, abs=0.01)
        assert max(across, down) > 1
    if count > 9:  # no space stands out
        assert max(space["width"] for space in ring) < 1.55 * ring[0]["width"]
        assert max(space["height"] for space in ring) < 1.55 * ring[0]["height"]
    assert max(space["x"] + space["width"] for space in ring) == pytest.approx(width, abs=0.01)
    assert max(space["y"] + space["height"] for space in ring) == pytest.approx(height, abs=0.01)


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        ("mix", ("blue", "#ffffff"), "'blue' is not a colour; write it like #1f5a96"),
        ("mix", ("#000000", "#ffffff", 1.5), "the share of a colour must be a number from 0 to 1"),
        ("legible", (None,), "'None' is not a colour"),
        ("readable", ("#000000", "#ffffff", 40), "a contrast must be a number from 1 to 15"),
        ("labelled", (["just words"],), ""),
        ("labelled", ([{"a": 1, "b": 2}],), "write a value with its name"),
        ("tracks", ("Morale",), "write a track like 'Morale: 0-10'"),
        ("tracks", ("Morale: 0-999",), "more than 200 spaces"),
        ("tracks", ("Morale: 0-5 (9)",), "goes from 0 to 5; it has no 9"),
        (
            "around",
            (3, 100, 100),
            "the number of spaces round an edge must be a number from 4 to 200",
        ),
        (
            "placeholder",
            ("Tug", 0, 10),
            "the width of a picture in mm must be a number from 2 to 1400",
        ),
        ("placeholder", ("Tug", 10, True), "the height of a picture"),
        ("placeholder", ("Tug", 10, float("nan")), "the height of a picture"),
        ("placeholder", ("x" * 1001, 10, 10), "at most 1000 characters"),
        ("placeholder", ("Tug", 10, 10, "red"), "'red' is not a colour"),
        ("placeholder", ("Tug", 10, 10, "#ff0000", "lunch"), "mood must be dawn, noon, evening or"),
        ("pattern", ("ring", 10, 10, "#000000"), "no pattern 'ring'; did you mean 'rings'"),
        ("pattern", ("rings", 10, 10, "#000000", 0), "the size of a pattern"),
        ("frame", (10, 10, "#000000", "none", "oval"), "there is no shape 'oval'"),
        ("frame", ("wide", 10, "#000000"), "the width of a picture"),
    ],
)
def test_mistakes(call: str, given: tuple[Any, ...], said: str) -> None:
    function = {**LOOK_FUNCTIONS, **PICTURE_FUNCTIONS}[call]
    if not said:
        assert function(*given) == [{"label": "", "value": "just words"}]
        return
    with pytest.raises(ValueError, match=re.escape(said)):
        function(*given)


@pytest.mark.parametrize(
    ("count", "most", "row"),
    [(9, 4, 3), (8, 4, 4), (5, 4, 3), (4, 4, 4), (1, 4, 1), (0, 4, 1), (7, 0.5, 1), (7, 3.9, 3)],
)
def test_rows_are_as_even_as_can_be(count: int, most: float, row: int) -> None:
    assert look_functions.abreast(count, most) == row
    rows = -(-count // row)
    # No row has more than fits, and none fewer rows would do.
    assert row <= max(1, most)
    assert rows == -(-count // max(1, int(most)))


def test_what_is_no_number_of_things_is_told() -> None:
    with pytest.raises(
        ValueError, match="the number of things in rows must be a number from 0 to 1000"
    ):
        look_functions.abreast(-1, 4)
