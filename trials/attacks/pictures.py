"""Raster pictures that are bombs, or none."""

from __future__ import annotations

import base64
import gzip
import io
import struct
import zlib
from collections.abc import Callable, Iterable

from trials.attack import EITHER, Attack, Content, styled

RASTER = '<img class="box" src="art/house.png">\n'
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def picture(
    name: str, data: Content, expected: Iterable[str] = (), codes: tuple[int, ...] = EITHER
) -> Attack:
    """An attack by a raster picture."""
    files: dict[str, Content] = {"art/house.png": data, "templates/loot.html": RASTER}
    return Attack(f"picture/{name}", files, tuple(expected), codes, command=("build", "images"))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int = 1, colour: int = 0, more: bytes = b"") -> bytes:
    """A PNG of nothing, however large."""
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    row = bytes(1 + (width * depth * channels + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + more + chunk(b"IDAT", packed)
        + chunk(b"IEND", b"")
    )  # fmt: skip


def text_bomb() -> bytes:
    """A small PNG with a text of 200 MB."""
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000_000), 9))
    return png(24, 24, more=bomb * 4)


def profile_bomb() -> bytes:
    """A small PNG with a colour profile of 400 MB."""
    return png(24, 24, more=chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(400_000_000), 9)))


def saved(kind: str, size: tuple[int, int], frames: int = 1, mode: str = "L") -> bytes:
    """A picture of PIL's making."""
    from PIL import Image  # noqa: PLC0415

    out = io.BytesIO()
    pages = [Image.new(mode, size, n % 2) for n in range(frames)]
    pages[0].save(out, kind, save_all=frames > 1, append_images=pages[1:])
    return out.getvalue()


def scans() -> bytes:
    """A progressive JPEG of 64 megapixels with many scans: each costs the whole picture."""
    whole = saved("JPEG", (16, 16))
    start = whole.index(b"\xff\xda")
    head = bytearray(whole[:start])
    frame = head.index(b"\xff\xc0")
    head[frame + 1] = 0xC2
    head[frame + 5 : frame + 9] = struct.pack(">HH", 7000, 7000)
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x01"
    return bytes(head) + (scan + b"\x00\x00") * 20_000 + b"\xff\xd9"


TEXT_TIFF: Callable[[], bytes] = lambda: saved("TIFF", (5000, 9000), mode="1")  # noqa: E731
PICTURES: tuple[Attack, ...] = (
    picture("900-megapixels", lambda: png(30_000, 30_000), codes=(1,)),
    picture("49-megapixels-deep", lambda: png(7000, 7000, 16, 6)),
    picture("49-megapixels-thin", lambda: png(49_000_000, 1)),
    picture("49-megapixels-high", lambda: png(1, 4_000_000)),
    picture(
        "size-of-2-to-31",
        lambda: png(9, 9).replace(struct.pack(">II", 9, 9), b"\x7f\xff\xff\xff" * 2),
    ),
    picture("size-0", lambda: png(9, 9).replace(struct.pack(">II", 9, 9), bytes(8))),
    picture("text-bomb", text_bomb),
    picture("profile-bomb", profile_bomb),
    picture("frames", lambda: saved("PNG", (9, 9), 3000)),
    picture("frames-of-a-gif", lambda: saved("GIF", (900, 900), 2000)),
    picture("scans", scans),
    picture("webp", lambda: saved("WEBP", (7000, 7000), mode="RGB")),
    picture("tiff", TEXT_TIFF),
    picture("tiff-in-a-ring", b"II*\0\x08\0\0\0\0\0\x08\0\0\0"),
    picture(
        "tiff-directories",
        b"II*\0\x08\0\0\0\xff\xff" + b"\0\1\4\0\xff\xff\xff\xff\0\0\0\0" * 65_535,
    ),
    picture(
        "postscript",
        "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"
        "(%pipe%touch @ELSEWHERE@/code-ran) (w) file\n(@ELSEWHERE@/ps-ran) (w) file\nshowpage\n%%EOF\n",
    ),
    picture(
        "bmp",
        lambda: (
            b"BM"
            + struct.pack("<IHHI", 60, 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, 7000, 7000, 1, 24, 0, 0, 0, 0, 0, 0)
        ),
    ),
    picture("ico", b"\0\0\1\0\xff\xff" + bytes(range(16)) * 4000),
    picture("empty", b""),
    picture("text", "This is no picture.\n"),
    picture("cut-short", lambda: png(2000, 2000, 8, 2)[:200]),
    picture("a-drawing", SQUARE),
    picture("in-gzip", lambda: gzip.compress(bytes(1_000_000_000), 6)),
    styled(
        "picture-in-data-of-900-megapixels",
        "",
        '<div class="box"><img src="data:image/png;base64,'
        + base64.b64encode(png(30_000, 30_000)).decode()
        + '"></div>',
    ),
)
ATTACKS = PICTURES
