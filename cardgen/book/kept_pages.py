"""Pages of a book as they are kept: what a page's layout hung on, and all that its PDF needs.

A `Kept` page stands among those that WeasyPrint laid out, with what `Document.write_pdf` and
`passes` ask of them. Its boxes are bones: what tags are made from, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from cardgen.book import page_painting
from cardgen.book.blocks import Doubt, Place
from cardgen.book.page_areas import ElementPlaces, list_areas
from cardgen.book.page_painting import Painting
from cardgen.pdf.weasyprint_library import boxes, weasyprint
from cardgen.runtime.content_store import digest_parts

_SIZES = ("alt", "src", "scope")
_SVG = "{http://www.w3.org/2000/svg}svg"
_KINDS: dict[str, Any] = {
    name: kind
    for name, kind in vars(boxes).items()
    if isinstance(kind, type) and issubclass(kind, boxes.Box)
}


@dataclass(frozen=True)
class Basis:
    """What a page's layout hung on, and with what the next one begins.

    `digests` are those of the blocks that were looked at for it, from `start` on; `last` says that
    there was none after them. `end` is None on the last page; `whole` says that nothing of it goes
    on beside the text, no float and no footnote. `areas` are the sizes of the book's first page,
    with and without margins, px; `head` is what stands at the page's head, and `opens` says that
    the page begins with what sets it.
    """

    start: Place
    state: Any
    digests: list[str]
    last: bool
    end: Place | None
    after: Any
    whole: bool
    areas: Any
    head: str = ""
    opens: bool = False

    def look(self, number: int) -> str:
        """The hash of all that decides how the page comes out, as the one of that number, with
        the same styles, fonts and pictures."""
        start = [self.start.depth, self.start.rest]
        decides = [number, start, self.state, self.digests, self.last, self.head, self.opens]
        return digest_parts([json.dumps(decides)])

    def fits(self, start: Place, state: Any, digests: list[str]) -> bool:
        """Whether a page that begins so comes out the same."""
        beyond = start.block + len(self.digests)
        return (
            self.whole
            and replace(self.start, block=start.block) == start
            and self.state == state
            and self.digests == digests[start.block : beyond]
            and self.last == (beyond == len(digests))
        )

    def moved(self, start: Place) -> Basis:
        """The same page, begun at another block."""
        by = start.block - self.start.block
        end = self.end and replace(self.end, block=self.end.block + by)
        return replace(self, start=start, end=end)


@dataclass
class Seen:
    """What is seen of a page but its painting, as JSON holds it."""

    width: float
    height: float
    bleed: dict[str, float]
    bookmarks: list[Any]
    links: list[Any]
    anchors: dict[str, Any]
    strings: list[Any]
    bones: list[Any]
    marks: list[Any]
    areas: list[Any]
    holds: bool | None = None


class Fresh(weasyprint.document.Page):  # type: ignore[misc]
    """A page that WeasyPrint laid out, recorded as it is painted."""

    def __init__(self, page_box: Any, basis: Basis | None, places: ElementPlaces) -> None:
        super().__init__(page_box)
        self.basis = basis
        self.areas = list_areas(page_box, places, basis.start.block) if basis else []
        self.holds: bool | None = None
        self._painting: Painting | None = None
        self._marks: dict[Any, Any] = {}

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint it, and remember what was painted."""
        self._painting = page_painting.painted(self, stream, scale)
        self._marks = dict(stream._tags or {})

    def draw(self, stream: Any, scale: float) -> None:
        """Paint it and no more."""
        super().paint(stream, scale)

    def shown(self) -> set[str]:
        """The addresses of the pictures that stand on it."""
        found = (box.element for box in self._page_box.descendants() if box.element_tag == "img")
        return {element.get("src", "") for element in found if element is not None}

    def data(self) -> dict[str, Any] | None:
        """The page as JSON; None when it cannot be kept."""
        if self.basis is None or self._painting is None or any(self.forms.values()):
            return None
        if not self._marks:
            return None  # nothing stands on it, or the book cannot be tagged
        try:
            seen = vars(self._seen())
        except (Doubt, KeyError):
            return None
        return {"basis": _data(self.basis), "seen": seen, "painting": self._painting.data()}

    def _seen(self) -> Seen:
        bones: list[Any] = []
        numbers: dict[int, int] = {}
        _strip(self._page_box, bones, numbers)
        links = [[*link[:3], numbers.get(id(link[3]), -1)] for link in self.links]
        marks = [[numbers[id(box)], mark["tag"]] for box, mark in self._marks.items()]
        strings = [list(each) for each in strings_of(self._page_box)]
        return Seen(
            self.width, self.height, self.bleed, self.bookmarks, links, self.anchors, strings,
            bones, marks, self.areas, self.holds,
        )  # fmt: skip


def strings_of(page_box: Any) -> list[tuple[str, str]]:
    """The strings that are set on a page, for the heads of this and others, with their names."""
    sets = (box.string_set for box in page_box.descendants())
    return [each for found in sets if found and found != "none" for each in found]


class Kept:
    """A page of the last time, in a document of this time."""

    def __init__(self, basis: Basis, seen: Seen, paints: Any) -> None:
        self.basis, self._seen, self._paints = basis, seen, paints
        self.holds, self.areas = seen.holds, seen.areas
        self.width, self.height, self.bleed = seen.width, seen.height, seen.bleed
        self.bookmarks, self.anchors = seen.bookmarks, seen.anchors
        self.forms: dict[Any, Any] = {None: []}
        self._painting: Painting | None = None
        # What WeasyPrint does to a page when all are laid out.
        self.fixed_boxes: tuple[Any, ...] = ()
        self.children: Any = [SimpleNamespace(children=[]) for _ in range(3)]
        self._bones: list[Any] = []
        self.links: list[Any] = []

    def descendants(self) -> list[Any]:
        """One box, which sets the strings of all."""
        strings = [tuple(each) for each in self._seen.strings]
        return [SimpleNamespace(bookmark_label="", missing_link=None, string_set=strings)]

    def shown(self) -> set[str]:
        """The addresses of the pictures that stand on it."""
        about = [bone[2] for bone in self._seen.bones if bone[1] == "img" and bone[2]]
        return {attributes.get("src", "") for _, attributes in about}

    def at(self, basis: Basis) -> Kept:
        """The page, begun where a basis says."""
        return Kept(basis, self._seen, self._paints)

    def ready(self, font_config: Any, pictures: Mapping[str, Any]) -> None:
        """Make ready for the document in which it stands. Raises `Doubt`."""
        self._painting = page_painting.of_data(self._paints, font_config, pictures)
        self._bones = _bones(self._seen.bones)
        self._page_box = self._bones[0]
        self.links = [
            (kind, target, rectangle, self._bones[bone] if bone >= 0 else SimpleNamespace())
            for kind, target, rectangle, bone in self._seen.links
        ]

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint what was painted."""
        assert self._painting is not None
        self._painting.put(stream)
        if stream._tags is not None:
            for number, (bone, tag) in enumerate(self._seen.marks):
                stream._tags[self._bones[bone]] = {"tag": tag, "mcid": number}

    def data(self) -> dict[str, Any]:
        """The page as JSON."""
        return {"basis": _data(self.basis), "seen": vars(self._seen), "painting": self._paints}


def _data(basis: Basis) -> dict[str, Any]:
    end = basis.end and vars(basis.end)
    return {**vars(basis), "start": vars(basis.start), "end": end}


def of_data(data: Any) -> Kept | None:
    """A page out of JSON; None when it is none."""
    try:
        basis = dict(data["basis"])
        for name in ("start", "end"):
            basis[name] = basis[name] and Place(**basis[name])
        page = Kept(Basis(**basis), Seen(**data["seen"]), data["painting"])
        return page if isinstance(page.holds, bool) else None
    except (LookupError, TypeError, ValueError):
        return None


def _strip(box: Any, bones: list[Any], numbers: dict[int, int]) -> None:
    """Add a box and those within it, each before its children, with what tags are made from."""
    numbers[id(box)] = len(bones)
    box = getattr(box, "_box", box)  # what stands for a box out of the flow
    numbers[id(box)] = len(bones)
    element, style = box.element, None
    if element is not None and element.tag == _SVG:
        raise Doubt
    if box.element_tag == "li":
        style = [list(box.style["display"]), box.style["list_style_type"]]
    about = None
    if element is not None:
        about = [element.tag, {key: element.attrib[key] for key in _SIZES if key in element.attrib}]
    place = None
    if box.element_tag == "img":
        place = [box.content_box_x(), box.content_box_y(), box.width, box.height]
    children = box.children
    bones.append([
        type(box).__name__, box.element_tag, about, style, place, box.is_table_wrapper,
        box.colspan, box.rowspan, len(children),
    ])  # fmt: skip
    for child in children:
        _strip(child, bones, numbers)


def _bones(data: list[Any]) -> list[Any]:
    """The boxes again, each before its children."""
    made: list[Any] = []
    waiting: list[tuple[Any, int]] = []
    for name, tag, about, style, place, wrapper, colspan, rowspan, count in data:
        kind = _KINDS[name]
        bone = kind.__new__(kind)
        bone.element_tag, bone.children, bone.is_table_wrapper = tag, [], wrapper
        bone.element = about and SimpleNamespace(tag=about[0], attrib=about[1])
        bone.colspan, bone.rowspan = colspan, rowspan
        if style is not None:
            bone.style = {"display": tuple(style[0]), "list_style_type": style[1]}
        if place is not None:
            bone.position_x, bone.position_y, bone.width, bone.height = place
            for side in ("left", "top"):
                for edge in (f"margin_{side}", f"padding_{side}", f"border_{side}_width"):
                    setattr(bone, edge, 0)
        while waiting and waiting[-1][1] == 0:
            waiting.pop()
        if waiting:
            parent, left = waiting.pop()
            parent.children.append(bone)
            waiting.append((parent, left - 1))
        made.append(bone)
        waiting.append((bone, count))
    return made
