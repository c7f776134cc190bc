"""A face's page without its words: what lies under them. Icons are pictures, and may stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name

_SHOWING = frozenset({"Tj", "TJ", "'", '"'})


def without_words(page: Any, keep: str = "") -> None:
    """Take out of a page what shows letters, in what it draws too; those of a font family to
    `keep` stay. Everything else is as it was."""
    _strip(page.obj, page.Contents, keep, set())


def _strip(holder: Any, stream: Any, keep: str, seen: set[Any]) -> None:
    """A stream, and the forms that its holder's resources name."""
    resources = holder.get("/Resources")
    kept = _kept_fonts(resources, keep) if keep else frozenset[str]()
    stream.write(pikepdf.unparse_content_stream(list(_unlettered(stream, kept))))
    for item in ((resources or {}).get("/XObject") or {}).values():
        if item.get("/Subtype") == Name.Form and item.objgen not in seen:
            seen.add(item.objgen)
            _strip(item, item, keep, seen)


def _unlettered(stream: Any, kept: frozenset[str]) -> Iterator[Any]:
    font, outer = "", list[str]()
    for each in pikepdf.parse_content_stream(stream):
        operator = str(each.operator)
        if operator == "q":
            outer.append(font)
        elif operator == "Q" and outer:
            font = outer.pop()
        elif operator == "Tf":
            font = str(each.operands[0])
        if operator not in _SHOWING or font in kept:
            yield each


def _kept_fonts(resources: Any, family: str) -> frozenset[str]:
    """The names by which a stream calls the fonts of a family."""
    fonts = ((resources or {}).get("/Font") or {}).items()
    return frozenset(name for name, font in fonts if _family(font) == family)


def _family(font: Any) -> str:
    if "/DescendantFonts" not in font:
        return ""
    return str(font.DescendantFonts[0].FontDescriptor.get("/FontFamily", ""))
