"""File types recognised by the first bytes of a file."""

from __future__ import annotations

_SIGNATURES = (
    (b"\x89PNG", "a PNG"),
    (b"\xff\xd8\xff", "a JPEG"),
    (b"GIF8", "a GIF"),
    (b"II*\0", "a TIFF"),
    (b"MM\0*", "a TIFF"),
    (b"BM", "a BMP"),
    (b"8BPS", "a Photoshop file"),
    (b"%PDF", "a PDF"),
    (b"%!PS", "PostScript"),
    (b"PK\x03\x04", "a ZIP archive, as workbooks and documents are"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"\x1f\x8b", "compressed"),
    (b"\0\0\0\x0cjP", "a JPEG 2000"),
    (b"\0\0\0\x0cJXL", "a JPEG XL"),
    (b"\xff\x0a", "a JPEG XL"),
    (b"wOF2", "a font"),
    (b"wOFF", "a font"),
    (b"OTTO", "a font"),
    (b"\0\x01\0\0", "a font"),
    (b"ttcf", "a collection of fonts"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"version https://git-lfs", "a pointer of Git LFS; 'git lfs pull' fetches the file itself"),
)
_TEXT_SIGNATURES = (("<!doctype html", "a web page"), ("<html", "a web page"), ("<svg", "an SVG"))


def describe_file(data: bytes) -> str:
    """Return the type of a file with its article, such as `a PNG`; "" if unknown."""
    if not data.strip():
        return "empty"
    for sign, words in _SIGNATURES:
        if data.startswith(sign):
            return words
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP"
    if data[4:8] == b"ftyp":
        return "an AVIF or HEIC"
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \t\r\n").lower()
    start = start.partition("?>")[2].lstrip() if start.startswith("<?xml") else start
    return next((words for sign, words in _TEXT_SIGNATURES if start.startswith(sign)), "")
