"""However many pictures are put into one PDF, and however often: each place shows its own."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pikepdf
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name
from PIL import Image
from pixels import pages, pixel

from cardgen.core.units import convert_to_points
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import SPARE_PAGE_MM, FacePdf
from cardgen.runtime.content_store import Store

MM = 10.0
"""A face is so wide and high."""
GREY, COLOURS = Name.DeviceGray, Name.DeviceRGB
STEP = 85
"""Levels are so far apart that rounding on the way to a pixel makes none another."""
levels = st.sampled_from(range(0, 256, STEP))
# Some are alike: the same bytes are four grey pixels or others, or coloured ones, by what is said
# beside them.
data = st.lists(levels, min_size=4, max_size=4).map(bytes) | st.just(bytes(range(0, 256, STEP)))
pictures = st.builds(
    lambda data, coloured, turned: (data * (3 if coloured else 1), coloured, turned),
    data, st.booleans(), st.booleans(),
)  # fmt: skip
Picture = tuple[bytes, bool, bool]


def face_of(picture: Picture, store: Store, key: str) -> FacePdf:
    """A face that shows four pixels, as `typeset` leaves one behind: at the top of its page."""
    data, coloured, turned = picture
    pdf = pikepdf.new()
    side, foot = convert_to_points(MM), convert_to_points(SPARE_PAGE_MM)
    page = pdf.add_blank_page(page_size=(side, side + foot))
    image = pdf.make_stream(
        data, Type=Name.XObject, Subtype=Name.Image, Width=2, Height=2, BitsPerComponent=8,
        ColorSpace=COLOURS if coloured else GREY,
    )  # fmt: skip
    if turned:
        image.Decode = Array([1, 0] * (3 if coloured else 1))
    page.obj.Resources = Dictionary(XObject=Dictionary({"/I": image}))
    page.obj.Contents = pdf.make_stream(f"q {side} 0 0 {side} 0 {foot} cm /I Do Q".encode())
    out = io.BytesIO()
    pdf.save(out)
    path = store.get_path("faces", f"{key}.pdf")
    store.write(path, out.getvalue())
    return FacePdf(key, path, MM, MM, 0.0)


def shown(picture: Picture) -> list[tuple[int, ...]]:
    """The levels of the four pixels, row by row from the top."""
    data, coloured, turned = picture
    values = [round((255 - value if turned else value) / STEP) for value in data]
    if not coloured:
        return [(value,) * 3 for value in values]
    return [tuple(values[at : at + 3]) for at in range(0, 12, 3)]


def seen(page: Image.Image) -> list[tuple[int, ...]]:
    near, far = page.width // 4, page.width * 3 // 4
    places = ((near, near), (far, near), (near, far), (far, far))
    return [tuple(round(value / STEP) for value in pixel(page, at)) for at in places]


@settings(max_examples=15)
@given(st.lists(pictures, min_size=1, max_size=8), st.data())
def test_each_place_shows_its_own_picture(given_: list[Picture], data: st.DataObject) -> None:
    order = data.draw(st.lists(st.sampled_from(range(len(given_))), min_size=1, max_size=12))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        faces = [face_of(picture, store, f"f{n}") for n, picture in enumerate(given_)]
        composer = Composer([])
        for number in order:
            composer.add_page(MM, MM, b"/F Do", {"F": composer.add_face(faces[number])})
        pdf = composer.save("pictures", "en")
    drawn = pages(pdf, 2)
    assert [seen(page) for page in drawn] == [shown(given_[number]) for number in order]
    with pikepdf.open(io.BytesIO(pdf)) as made:
        images = sum(isinstance(o, pikepdf.Stream) and o.get("/Subtype") == Name.Image
                     for o in made.objects)  # fmt: skip
    assert images == len({given_[number] for number in order})
