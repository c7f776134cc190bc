"""The tags of a PDF put right, so that it can be read aloud (PDF/UA-1, ISO 14289-1).

WeasyPrint writes most of what is asked. What is missing is put in here: links hold their
annotations, running heads and pictures without words are marked as what they are, headers of tables
say what they head, items of lists have a body, and what holds nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream, String

_MARKED = re.compile(rb"/\w+\s*<<\s*/MCID (\d+)\s*>>\s*BDC")
_RUNNING = b"/Artifact\n<</Type /Pagination>>\nBDC"
_ADORNING = b"/Artifact\n<</Type /Layout>>\nBDC"
_HOLLOW = frozenset({"/P", "/Span", "/NonStruct", "/Div", "/Sect", "/Figure"})
"""Elements that mean nothing when they hold nothing."""
_PRINTED = 4
"""The flag of an annotation that is there on paper, too, as on the screen."""


@dataclass(frozen=True)
class _Element:
    """An element of the tree, and those that it stands in, from the outermost."""

    held: Any
    above: tuple[Any, ...]

    @property
    def kind(self) -> str:
        return str(self.held.get("/S"))


def mend(pdf: Any) -> None:
    """Put the tags of a PDF right; nothing where it has none."""
    root = pdf.Root.get("/StructTreeRoot")
    if not isinstance(root, Dictionary):
        return
    elements = list(_elements(root))
    parents = _numbered(root)
    _links(elements, parents)
    silent = {each.held.objgen for each in elements if _is_silent(each)}
    _unsaid(pdf, {each.held.objgen for each in elements}, silent, parents)
    for each in elements:
        if each.held.objgen in silent:
            each.held.K = Array([])
    for each in elements:
        if each.kind == "/Table":
            _table(each.held)
        elif each.kind == "/LI":
            _body(pdf, each.held)
    _hollow(elements)
    _identify(root, elements)
    for page in pdf.pages:
        for annotation in page.obj.get("/Annots", []):
            annotation.F = int(annotation.get("/F", 0)) | _PRINTED


def _elements(root: Any) -> Iterator[_Element]:
    """Every element that the tree leads to, each before those in it."""
    waiting = [_Element(kid, ()) for kid in reversed(_kids(root))]
    while waiting:
        each = waiting.pop()
        yield each
        above = (*each.above, each.held)
        waiting += [_Element(kid, above) for kid in reversed(_kids(each.held))]


def _kids(element: Any) -> list[Any]:
    return [kid for kid in _all(element) if isinstance(kid, Dictionary) and "/S" in kid]


def _all(element: Any) -> list[Any]:
    """What an element holds: elements, marks on pages, annotations."""
    held = element.get("/K")
    if held is None:
        return []
    return list(held) if isinstance(held, Array) else [held]


def _numbered(root: Any) -> dict[int, tuple[Any, int]]:
    """Which list and place of the tree of numbers holds what a page or annotation belongs to."""
    numbers = root.ParentTree.get("/Nums", [])
    return {int(numbers[at]): (numbers, at + 1) for at in range(0, len(numbers) - 1, 2)}


def _links(elements: list[_Element], parents: dict[int, tuple[Any, int]]) -> None:
    """An annotation belongs to the link itself, not to a word in it."""
    for each in elements:
        if each.kind == "/Link":
            continue
        held = _all(each.held)
        found = [kid for kid in held if isinstance(kid, Dictionary) and "/Obj" in kid]
        link = next((one for one in reversed(each.above) if str(one.S) == "/Link"), None)
        if not found or link is None:
            continue
        each.held.K = Array([kid for kid in held if "/Obj" not in _keys(kid)])
        link.K = Array([*_all(link), *found])
        for kid in found:
            known = parents.get(int(kid.Obj.get("/StructParent", -1)))
            if known:
                known[0][known[1]] = link


def _keys(kid: Any) -> Any:
    return kid if isinstance(kid, Dictionary) else ()


def _is_silent(each: _Element) -> bool:
    """Whether an element is a picture that its author gave no words: it adorns."""
    said = any(str(each.held.get(name, "")) for name in ("/Alt", "/ActualText"))
    return each.kind == "/Figure" and not said


def _unsaid(
    pdf: Any, known: set[Any], silent: set[Any], parents: dict[int, tuple[Any, int]]
) -> None:
    """Heads and page numbers, which no element of the tree holds, and pictures that are silent are
    marked as no content."""
    for page in pdf.pages:
        place = parents.get(int(page.obj.get("/StructParents", -1)))
        if place is None:
            continue
        marks = place[0][place[1]]
        lost = {
            number: _ADORNING if element.objgen in silent else _RUNNING
            for number, element in enumerate(marks)
            if isinstance(element, Dictionary)
            and (element.objgen in silent or element.objgen not in known)
        }
        if lost:
            _unmark(page, lost)
            place[0][place[1]] = Array(
                [None if number in lost else element for number, element in enumerate(marks)]
            )


def _unmark(page: Any, lost: Mapping[int, bytes]) -> None:
    def marked(match: re.Match[bytes]) -> bytes:
        return lost.get(int(match[1]), match[0])

    contents = page.obj.Contents
    for stream in list(contents) if isinstance(contents, Array) else [contents]:
        if isinstance(stream, Stream):
            stream.write(_MARKED.sub(marked, stream.read_bytes()))


def _body(pdf: Any, item: Any) -> None:
    """What an item of a list says stands in one body, beside its sign."""
    kids = _kids(item)
    said = [kid for kid in kids if str(kid.S) != "/Lbl"]
    if not said or any(str(kid.S) == "/LBody" for kid in kids):
        return
    body = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.LBody, P=item, K=Array(said)))
    if "/Pg" in item:
        body.Pg = item.Pg
    for kid in said:
        kid.P = body
    item.K = Array([*(kid for kid in _all(item) if not any(_same(kid, one) for one in said)), body])


def _table(table: Any) -> None:
    """Headers say whether they head a column or a row. Under a corner that is empty stand headers
    of rows."""
    rows = [list(_kids(row)) for row in _rows(table)]
    if not rows:
        return
    for number, row in enumerate(rows):
        for cell in row:
            if str(cell.S) == "/TH":
                _scope(cell, Name.Row if number and cell.objgen == row[0].objgen else Name.Column)
    corner = rows[0][0] if rows[0] else None
    if corner is not None and str(corner.S) == "/TH" and not _holds(corner):
        _head_rows(rows)


def _rows(table: Any) -> Iterator[Any]:
    for kid in _kids(table):
        if str(kid.S) == "/TR":
            yield kid
        elif str(kid.S) in {"/THead", "/TBody", "/TFoot", "/NonStruct"}:
            yield from _rows(kid)


def _scope(cell: Any, scope: Any) -> None:
    attributes = cell.get("/A", Dictionary(O=Name.Table))
    attributes.Scope = scope
    cell.A = attributes


def _head_rows(rows: list[list[Any]]) -> None:
    corner = rows[0][0]
    corner.S = Name.TD
    empty = bytes(corner.get("/ID", String("")))
    if "/ID" in corner:
        del corner.ID
    if "/Scope" in corner.A:
        del corner.A.Scope
    for number, row in enumerate(rows[1:], start=1):
        if not row or str(row[0].S) != "/TD":
            continue
        row[0].S = Name.TH
        if "/Headers" in row[0].get("/A", Dictionary()):
            del row[0].A.Headers
        _scope(row[0], Name.Row)
        row[0].ID = String(f"{empty.decode('ascii', 'replace')}-row-{number}")
        for cell in row[1:]:
            if str(cell.S) == "/TD":
                attributes = cell.get("/A", Dictionary(O=Name.Table))
                others = [each for each in attributes.get("/Headers", []) if bytes(each) != empty]
                attributes.Headers = Array([row[0].ID, *others])
                cell.A = attributes


def _holds(element: Any) -> bool:
    """Whether anything stands in an element or in those within it."""
    return any(_holds(kid) if "/S" in _keys(kid) else True for kid in _all(element))


def _hollow(elements: list[_Element]) -> None:
    """What holds nothing is left out, from the innermost."""
    for each in reversed(elements):
        if each.kind in _HOLLOW and each.above and not _all(each.held):
            above = each.above[-1]
            above.K = Array([kid for kid in _all(above) if not _same(kid, each.held)])


def _same(kid: Any, element: Any) -> bool:
    return isinstance(kid, Dictionary) and kid.objgen == element.objgen


def _identify(root: Any, elements: list[_Element]) -> None:
    """The tree of names by which cells find their headers."""
    named = {bytes(each.held.ID): each.held for each in elements if "/ID" in each.held}
    if named:
        pairs = [part for name in sorted(named) for part in (String(name), named[name])]
        root.IDTree = Dictionary(Names=Array(pairs))
