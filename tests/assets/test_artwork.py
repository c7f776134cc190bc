"""Raster pictures, from the file to the paper: each card shows its own, in its own colours."""

from __future__ import annotations

import io
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import ROOT
from PIL import Image, ImageCms
from small_games import make, options, write_game

from cardgen.assets import artwork, rasters
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

DECK = """deck: scans
title: {en: Scans}
size: 10 x 10
bleed: 0
front: scan.html
fields: {file: string}
cards:
"""
FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "templates/scan.html": (
        '<img src="art/{{ card.file }}" style="position: absolute; left: 0; top: 0; '
        'width: 10mm; height: 10mm">'
    ),
}
SIDE = 64


def game_of(root: Path, pictures: dict[str, bytes]) -> Path:
    """A game of one card a picture, which covers it."""
    cards = "".join(
        f"  - {{id: card-{number}, file: {name}}}\n" for number, name in enumerate(pictures)
    )
    write_game(root, {**FILES, "cards/scans.yaml": DECK + cards})
    (root / "art").mkdir(exist_ok=True)
    for name, data in pictures.items():
        (root / "art" / name).write_bytes(data)
    return root


def encoded(image: Image.Image, kind: str = "PNG", **asked: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **asked)
    return out.getvalue()


def alike(count: int, mode: str, seed: int) -> dict[str, bytes]:
    """Pictures of noise that differ in one small spot near their ends alone."""
    noise = random.Random(seed)
    bands = len(Image.new(mode, (1, 1)).getbands())
    shared = bytes(noise.randrange(256) for _ in range(SIDE * SIDE * bands))
    found = {}
    for number in range(count):
        image = Image.frombytes(mode, (SIDE, SIDE), shared)
        ink = tuple(noise.randrange(256) for _ in range(bands))
        image.paste(ink if bands > 1 else ink[0], (SIDE - 12, SIDE - 8, SIDE - 4, SIDE - 2))
        found[f"{mode.lower()}-{number}.png"] = encoded(image)
    return found


def spots(root: Path, name: str) -> dict[str, tuple[int, ...]]:
    """The colour of each printed card in the middle of its picture's spot."""
    found = {}
    for path in sorted((root / "build/en/images/scans").glob("*.png")):
        with Image.open(path) as image:
            at = round(image.width * (SIDE - 8) / SIDE), round(image.height * (SIDE - 5) / SIDE)
            found[path.stem] = image.convert("RGB").getpixel(at)
    assert found, name
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA"])
def test_pictures_that_begin_alike_are_each_cards_own(mode: str, tmp_path: Path) -> None:
    """Scans of one machine begin alike and are of one size."""
    pictures = alike(24, mode, seed=7)
    root = game_of(tmp_path, pictures)
    make(root, options(dpi=160), outputs=("images", "sheets"))
    printed = spots(root, mode)
    for number, data in enumerate(pictures.values()):
        image = Image.open(io.BytesIO(data)).convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        asked = Image.alpha_composite(paper, image).convert("RGB").getpixel((SIDE - 8, SIDE - 5))
        assert isinstance(asked, tuple)
        got = printed[f"card-{number}"]
        assert max(abs(a - b) for a, b in zip(asked, got, strict=True)) <= 3, number


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_picture_is_stored_once_however_many_cards_show_it(mode: str, tmp_path: Path) -> None:
    """With transparency, too, and under whatever name."""
    (data,) = alike(1, mode, seed=3).values()
    root = game_of(tmp_path, {"one.png": data, "two.png": data, "three.png": data})
    make(root, outputs=("sheets",))
    with pikepdf.open(root / "build/en/sheets.pdf") as pdf:
        images = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        assert len(images) == (2 if mode == "RGBA" else 1)


# Colours near two corners: red runs from left to right, green from the top down, blue is even.
CORNERS = {(60, 3): (240, 12, 128), (3, 60): (12, 240, 128), (60, 60): (240, 240, 128)}


def ramp() -> Image.Image:
    """A picture whose every place has its own colour."""
    image = Image.new("RGB", (SIDE, SIDE))
    image.putdata([(x * 4, y * 4, 128) for y in range(SIDE) for x in range(SIDE)])
    return image


def greys(mode: str, white: float) -> bytes:
    """A TIFF of greys, black at the left, white at the right."""
    values = [x / 63 * white for _ in range(SIDE) for x in range(SIDE)]
    made = Image.new(mode, (SIDE, SIDE))
    made.putdata([value if mode == "F" else round(value) for value in values])
    return encoded(made, "TIFF")


def without_adobe(jpeg: bytes) -> bytes:
    """A JPEG without the mark that says its inks stand upside down."""
    made, at = jpeg[:2], 2
    while jpeg[at + 1] != 0xDA:
        length = 2 + int.from_bytes(jpeg[at + 2 : at + 4])
        made += b"" if jpeg[at + 1] == 0xEE else jpeg[at : at + length]
        at += length
    return made + jpeg[at:]


def turned(image: Image.Image) -> bytes:
    """As a camera held upright writes it: lying, and told so."""
    told = Image.Exif()
    told[0x0112] = 6
    return encoded(image.transpose(Image.Transpose.ROTATE_90), "JPEG", exif=told, quality=95)


def png(depth: int, kind: int, pixels: list[list[tuple[int, ...]]], *, woven: bool = False,
        clear: bytes = b"") -> bytes:  # fmt: skip
    """A PNG as Pillow does not write it: samples of that depth, in the passes of Adam7 (`woven`),
    with a chunk tRNS."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    def packed(rows: list[list[tuple[int, ...]]]) -> bytes:
        size = depth // 8
        return b"".join(
            b"\0" + b"".join(value.to_bytes(size) for pixel in row for value in pixel)
            for row in rows
            if row
        )

    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)] if woven else [(0, 0, 1, 1)]  # fmt: skip
    data = b"".join(packed([row[x::dx] for row in pixels[y::dy]]) for x, y, dx, dy in passes)
    head = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), depth, kind, 0, 0, woven)
    parts = [(b"IHDR", head), (b"tRNS", clear), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    written = (chunk(name, data) for name, data in parts if data or name == b"IEND")
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def colours(deep: int = 1, *more: int) -> list[list[tuple[int, ...]]]:
    """The ramp as rows of samples."""
    return [[(x * 4 * deep, y * 4 * deep, 128 * deep, *more) for x in range(SIDE)]
            for y in range(SIDE)]  # fmt: skip


def swapped() -> bytes:
    """A profile in which red and green have changed places: its picture comes out as the ramp."""
    plain = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    starts = range(132, 132 + 12 * int.from_bytes(plain[128:132]), 12)
    at = {bytes(plain[start : start + 4]): start for start in starts}
    for tag in (b"XYZ", b"TRC"):
        red, green = at[b"r" + tag], at[b"g" + tag]
        plain[red + 4 : red + 12], plain[green + 4 : green + 12] = (
            plain[green + 4 : green + 12], plain[red + 4 : red + 12],
        )  # fmt: skip
    return bytes(plain)


def files() -> dict[str, bytes]:
    """The ramp in every way that it may come."""
    image = ramp()
    red, green, blue = image.split()
    cmyk = image.convert("CMYK")
    inverted = Image.eval(cmyk, lambda value: 255 - value)
    other = [Image.new("RGB", image.size, "white")]
    clear = image.copy()
    clear.putalpha(255)
    return {
        "plain.png": encoded(image),
        "alpha.png": encoded(clear),
        "cmyk.tif": encoded(cmyk, "TIFF"),
        "cmyk-adobe.jpg": encoded(cmyk, "JPEG", quality=97),
        "cmyk-plain.jpg": without_adobe(encoded(inverted, "JPEG", quality=97)),
        "ycc.tif": encoded(image.convert("YCbCr"), "TIFF"),
        "palette.png": encoded(image.quantize(256)),
        "palette.gif": encoded(image.quantize(256), "GIF"),
        "moving.gif": encoded(image, "GIF", save_all=True, append_images=other),
        "moving.webp": encoded(image, "WEBP", save_all=True, append_images=other, lossless=True),
        "pages.tif": encoded(image, "TIFF", save_all=True, append_images=other),
        "turned.jpg": turned(image),
        "profile.png": encoded(Image.merge("RGB", (green, red, blue)), icc_profile=swapped()),
        "profile.jpg": encoded(
            Image.merge("RGB", (green, red, blue)), "JPEG", quality=97, icc_profile=swapped()
        ),
        "deep.png": png(16, 2, colours(257)),
        "deep-alpha.png": png(16, 6, colours(257, 65535)),
        "woven.png": png(8, 2, colours(), woven=True),
        "deep-woven.png": png(16, 6, colours(257, 65535), woven=True),
        "lossy.webp": encoded(image, "WEBP", quality=96),
        "plain.avif": encoded(image, "AVIF", quality=96),
        "plain.bmp": encoded(image, "BMP"),
        "deep.tif": encoded(image, "TIFF", compression="tiff_lzw"),
        "progressive.jpg": encoded(image, "JPEG", quality=97, progressive=True),
        "same-profile.png": encoded(
            image, icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        ),
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_picture_prints_in_its_colours_however_it_comes(tmp_path: Path) -> None:
    pictures = files()
    root = game_of(tmp_path, pictures)
    report = build.build(Request(root, outputs=("images",), options=options(dpi=160)))
    no_profile = (
        "is in CMYK without a profile, so its colours are guessed; save it as RGB, or embed the "
        "profile"
    )
    told = {
        "cmyk-adobe.jpg": no_profile, "cmyk-plain.jpg": no_profile, "cmyk.tif": no_profile,
        "moving.gif": "has 2 frames; the first is printed",
        "moving.webp": "has 2 frames; the first is printed",
        "pages.tif": "has 2 pages; the first is printed",
    }  # fmt: skip
    assert [str(problem) for problem in report.problems if problem.kind == "art"] == [
        f"art/{name}: warning: {said} [art]" for name, said in sorted(told.items())
    ]
    wrong = {}
    for number, name in enumerate(pictures):
        with Image.open(root / f"build/en/images/scans/card-{number}.png") as made:
            scale = made.width / SIDE
            for (x, y), asked in CORNERS.items():
                got = made.convert("RGB").getpixel(
                    (round((x + 0.5) * scale), round((y + 0.5) * scale))
                )
                assert isinstance(got, tuple)
                if max(abs(a - b) for a, b in zip(asked, got, strict=True)) > 14:
                    wrong[name, x, y] = got
    assert not wrong


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_greys_of_any_depth_are_greys(tmp_path: Path) -> None:
    pictures = {
        "16.tif": greys("I;16", 65535), "32.tif": greys("I", 65535), "one.tif": greys("F", 1.0),
        "many.tif": greys("F", 255.0), "8.tif": greys("L", 255),
    }  # fmt: skip
    deep = Image.new("I;16", (SIDE, SIDE))
    deep.putdata([round(x / 63 * 65535) for _ in range(SIDE) for x in range(SIDE)])
    pictures["16.png"] = encoded(deep)
    pictures["bits.png"] = encoded(Image.open(io.BytesIO(greys("L", 255))).point(
        lambda value: 255 * (value > 127)).convert("1"))  # fmt: skip
    root = game_of(tmp_path, pictures)
    make(root, options(dpi=160), outputs=("images",))
    for number, name in enumerate(pictures):
        with Image.open(root / f"build/en/images/scans/card-{number}.png") as made:
            line = [made.convert("L").getpixel((made.width * part // 8, 20)) for part in (1, 4, 7)]
        asked = (0, None, 255) if name == "bits.png" else (32, 128, 223)
        for want, got in zip(asked, line, strict=True):
            assert want is None or abs(want - got) < 9, (name, line)  # type: ignore[operator]


def half_clear() -> dict[str, bytes]:
    """Pictures whose left half is clear and whose right half is grey, in every way to say so."""
    grey, left = 60, Image.linear_gradient("L").resize((SIDE, SIDE)).rotate(90)
    mask = left.point(lambda value: 255 * (value > 127))
    if mask.getpixel((2, 2)):
        mask = mask.rotate(180)
    inks = Image.new("RGB", (SIDE, SIDE), (grey,) * 3)
    alpha = inks.copy()
    alpha.putalpha(mask)
    palette = Image.new("P", (SIDE, SIDE))
    palette.putpalette([0, 255, 0, grey, grey, grey])
    palette.paste(1, (SIDE // 2, 0, SIDE, SIDE))
    deep, half = grey * 257, SIDE // 2

    def rows(clear: tuple[int, ...], full: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
        return [[clear] * half + [full] * half for _ in range(SIDE)]

    return {
        "palette.png": encoded(palette, transparency=0),
        "palette-alpha.png": encoded(palette, transparency=b"\0\xff"),
        "palette.gif": encoded(palette, "GIF", transparency=0),
        "alpha.webp": encoded(alpha, "WEBP", lossless=True),
        "alpha.avif": encoded(alpha, "AVIF", quality=95),
        "alpha.tif": encoded(alpha, "TIFF"),
        "grey.png": encoded(alpha.convert("LA")),
        "deep.png": png(16, 6, rows((0, 0, 0, 0), (deep, deep, deep, 65535))),
        "deep-grey.png": png(16, 4, rows((0, 0), (deep, 65535))),
        "one-colour.png": png(8, 2, rows((9, 9, 9), (grey,) * 3), clear=b"\0\x09" * 3),
        "one-grey.png": png(8, 0, rows((9,), (grey,)), clear=b"\0\x09"),
        "one-deep-grey.png": png(16, 0, rows((2313,), (deep,)), clear=b"\x09\x09"),
        "one-deep-colour.png": png(16, 2, rows((2313,) * 3, (deep,) * 3), clear=b"\x09\x09" * 3),
    }  # fmt: skip


def test_what_is_clear_stays_clear(tmp_path: Path) -> None:
    pictures = half_clear()
    root = game_of(tmp_path, pictures)
    page = root / "templates/scan.html"
    page.write_text('<div class="bleed" style="background: #30c060"></div>' + page.read_text())
    make(root, options(dpi=160), outputs=("images",))
    wrong = {}
    for number, name in enumerate(pictures):
        with Image.open(root / f"build/en/images/scans/card-{number}.png") as made:
            across = [made.convert("RGB").getpixel((made.width * part // 8, 20)) for part in (2, 6)]
        for got, asked in zip(across, ((0x30, 0xC0, 0x60), (60, 60, 60)), strict=True):
            assert isinstance(got, tuple)
            if max(abs(a - b) for a, b in zip(got, asked, strict=True)) > 6:
                wrong[name, asked] = got
    assert not wrong


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (lambda: encoded(Image.effect_noise((200, 200), 90), "JPEG")[:6000],
         "cannot be read: it is cut short"),
        (lambda: encoded(Image.effect_noise((200, 200), 90))[:20000],
         "cannot be read: it is cut short"),
        (lambda: encoded(Image.new("1", (15_000, 14_000))), "has more than 201 million pixels"),
        (lambda: encoded(Image.new("1", (200_000, 1))), "is more than 100000 pixels wide or high"),
        (lambda: greys("F", 1e9), "holds greys from 0 to 1e+09; save it with 8 or 16 bits"),
        (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EOF\n",
         "is PostScript; SVG, PNG, JPEG, WebP, AVIF, GIF and TIFF are read"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_picture_that_is_not_whole_is_an_error(
    data: Callable[[], bytes], why: str, tmp_path: Path
) -> None:
    root = game_of(tmp_path, {"scan.img": data()})
    report = build.build(Request(root, outputs=("images",), options=options()))
    (told,) = report.problems
    assert str(told).startswith(f"cards/scans.yaml:8: error: scans/card-0: art/scan.img {why}")


def test_no_picture_is_decoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor converted: what was seen and made of it stands in the store, by its bytes."""
    pictures = {name: files()[name] for name in ("cmyk.tif", "plain.png", "turned.jpg")}
    root = game_of(tmp_path, pictures)
    request = Request(root, outputs=("images",), options=options())
    before = build.build(request).problems
    artwork._load_cached.cache_clear()
    monkeypatch.setattr(rasters, "examine_raster", None)
    assert build.build(request).problems == before
    page = root / "templates/scan.html"
    page.write_text(page.read_text() + "<i></i>")
    again = build.build(request)
    assert again.typeset_count == 3
    assert again.problems == before


@pytest.mark.parametrize(
    ("mode", "kind", "size"),
    [("RGB", "PNG", (6000, 9000)), ("L", "JPEG", (14_173, 14_173)), ("CMYK", "JPEG", (9000, 6000)),
     ("P", "PNG", (9000, 6000)), ("LA", "PNG", (9000, 6000)), ("1", "PNG", (14_173, 14_173))],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_picture_of_the_largest_board_is_drawn_down(
    mode: str, kind: str, size: tuple[int, int]
) -> None:
    """A board may measure 1200 mm, at 300 dpi; 150 dpi of it are printed."""
    image = Image.new(mode, size)
    found = rasters.examine_raster(encoded(image, kind))
    assert 50_100_000 <= found.width * found.height <= 50_400_000
    assert found.width / found.height == pytest.approx(size[0] / size[1], rel=0.001)
    assert found.replacement is not None
    with Image.open(io.BytesIO(found.replacement)) as printed:
        assert printed.size == (found.width, found.height)
        assert printed.mode == {"CMYK": "RGB", "P": "RGB", "1": "L"}.get(mode, mode)


@pytest.mark.parametrize(
    "path", [p for p in (ROOT / "cardgen").rglob("*.py") if "Image.open(" in p.read_text()], ids=str
)
def test_whatever_opens_pictures_bounds_their_pixels(path: Path) -> None:
    """Each such module alone, since the bound is set where this module is imported."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    code = f"from PIL import Image; import {module}; print(Image.MAX_IMAGE_PIXELS)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == rasters.MAX_PIXELS
