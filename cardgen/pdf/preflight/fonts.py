"""Whether the fonts of a PDF come with it."""

from __future__ import annotations

import re
from typing import Any

from pikepdf import Array, Dictionary

_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_SUBSET = re.compile(r"[A-Z]{6}\+")
_BASE = ("Courier", "Helvetica", "Times", "Symbol", "ZapfDingbats")


def name_of(font: Any) -> str:
    """A font as people know it, without the mark of a subset."""
    told = str(font.get("/BaseFont") or font.get("/Name") or "a font without a name")
    return _SUBSET.sub("", told.removeprefix("/"))[:80]


def missing(font: Any) -> str:
    """Why a font does not come with the file; "" when it does."""
    kind = str(font.get("/Subtype"))
    if kind == "/Type3":
        return ""  # its letters are drawings in the file
    if kind == "/Type0":
        below = font.get("/DescendantFonts")
        font = below[0] if isinstance(below, Array) and len(below) else Dictionary()
    described = font.get("/FontDescriptor")
    if isinstance(described, Dictionary) and any(name in described for name in _FILES):
        return ""
    if name_of(font).startswith(_BASE):
        return "it is one of the fourteen that every program has a likeness of, each another"
    return "its letters are not in the file"
