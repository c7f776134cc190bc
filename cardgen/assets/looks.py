"""Pictures looked at, and what was seen remembered by their bytes: no build decodes one again.

Texts of what is wrong go on after a picture's name, which is not known here.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from cardgen.assets import drawable, rasters, svg
from cardgen.assets.drawable import Undrawn
from cardgen.assets.rasters import Unfit
from cardgen.base import paths
from cardgen.base.store import Store, digest_of

KIND, READY = "looks", "rasters"
_RULES = ("drawable.py", "looks.py", "rasters.py", "svg.py")
_MOST_PX = 100_000.0


@dataclass(frozen=True)
class Look:
    """A picture that can be used: its size in CSS px, what will not come out as it was meant, and
    the file to print in its place, None where it prints right as it is. `name` is its entry's."""

    width: float
    height: float
    remarks: tuple[str, ...]
    ready: Path | None
    name: str


UNSEEN = Look(0, 0, (), None, "")


def look(data: bytes, store: Store, *, vector: bool) -> Look:
    """Look at a picture, or remember how it looked. Raises `ValueError`; what cannot be used is
    looked at again each time."""
    digest = hashlib.sha256(data).hexdigest()
    name = digest_of([_rules(), digest, "svg" if vector else "raster"])
    path = store.path(KIND, f"{name}.json")
    kept = _kept(store.read_json(path), name, store)
    if kept is None:
        found, ready = _of_svg(data) if vector else _of_raster(data)
        if not all(0 < side <= _MOST_PX for side in found[:2]):
            raise ValueError(f"is more than {_MOST_PX:.0f} pixels wide or high")
        if ready is not None:
            store.write(store.path(READY, name), ready)
        store.write_json(path, found)
        width, height, remarks, _ = found
        return Look(width, height, tuple(remarks), store.path(READY, name) if ready else None, name)
    return kept


@lru_cache(maxsize=1)
def _rules() -> str:
    """What is looked for: another version of these modules looks again."""
    return digest_of(paths.read(Path(__file__).parent / name) for name in _RULES)


def _kept(found: Any, name: str, store: Store) -> Look | None:
    """A look as it was written; None where it must be made."""
    try:
        width, height, remarks, replaced = found
        size = float(width), float(height)
        told = tuple(str(remark) for remark in remarks)
    except (TypeError, ValueError):
        return None
    ready = store.path(READY, name) if replaced else None
    right = all(0 < side <= _MOST_PX for side in size) and (ready is None or store.has(ready))
    return Look(*size, told, ready, name) if right else None


def _of_raster(data: bytes) -> tuple[Any, bytes | None]:
    try:
        found = rasters.examine(data)
    except Unfit as error:
        raise ValueError(str(error)) from None
    shown = [found.width, found.height, list(found.remarks), found.ready is not None]
    return shown, found.ready


def _of_svg(data: bytes) -> tuple[Any, None]:
    tree = svg.tree(data)
    for element in tree.iter():
        _refuse_outside(element)
    if not str(tree.tag).endswith("svg"):
        raise ValueError("is no SVG")
    width, height = svg.size(tree)
    try:
        remarks = drawable.check(tree)
    except Undrawn as error:
        raise ValueError(str(error)) from None
    return [width, height, list(remarks), False], None


def _refuse_outside(element: Element) -> None:
    tag = str(element.tag).rpartition("}")[2]
    if tag == "text":
        raise ValueError(
            "has a <text>, which is not drawn; make it a path, or let the template print it"
        )
    if tag in {"script", "foreignObject"}:
        raise ValueError(f"has a <{tag}>, which is not drawn here")
    for key, value in element.attrib.items():
        target = value.strip()
        outside = key.rpartition("}")[2] == "href" and not target.startswith(("#", "data:image/"))
        if outside or re.search(r"url\(\s*[\"']?(?!#|[\"']?#)", target):
            raise ValueError(f"refers to {target[:60]}, outside itself")
    if tag == "style" and re.search(r"@import|url\(\s*[\"']?(?!#)", element.text or ""):
        raise ValueError("refers outside itself in its <style>")
