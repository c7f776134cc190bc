"""Repairs of a PDF's tags, so that it can be read aloud (PDF/UA-1, ISO 14289-1).

WeasyPrint writes most tags. This module adds what is missing: links contain their annotations,
running heads and decorative pictures are artifacts, table headers have a scope, list items have a
body, and empty elements are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream, String

_MARKED_CONTENT = re.compile(rb"/\w+\s*<<\s*/MCID (\d+)\s*>>\s*BDC")
_PAGINATION_ARTIFACT = b"/Artifact\n<</Type /Pagination>>\nBDC"
_LAYOUT_ARTIFACT = b"/Artifact\n<</Type /Layout>>\nBDC"
_REMOVABLE_KINDS = frozenset({"/P", "/Span", "/NonStruct", "/Div", "/Sect", "/Figure"})
"""Elements that mean nothing when they are empty."""
_PRINT_FLAG = 4
"""Flag of an annotation that is printed, too."""


@dataclass(frozen=True)
class _StructElement:
    """An element of the structure tree, and its ancestors from the outermost."""

    dictionary: Any
    ancestors: tuple[Any, ...]

    @property
    def kind(self) -> str:
        return str(self.dictionary.get("/S"))


def repair_tags(pdf: Any) -> None:
    """Repair the tags of a PDF, if it has any."""
    root = pdf.Root.get("/StructTreeRoot")
    if not isinstance(root, Dictionary):
        return
    elements = list(_iterate_elements(root))
    parents = _index_number_tree(root)
    _repair_links(elements, parents)
    decorative = {each.dictionary.objgen for each in elements if _is_decorative(each)}
    _mark_artifacts(pdf, {each.dictionary.objgen for each in elements}, decorative, parents)
    for each in elements:
        if each.dictionary.objgen in decorative:
            each.dictionary.K = Array([])
    for each in elements:
        if each.kind == "/Table":
            _repair_table(each.dictionary)
        elif each.kind == "/LI":
            _wrap_list_body(pdf, each.dictionary)
    _remove_empty_elements(elements)
    _write_id_tree(root, elements)
    for page in pdf.pages:
        for annotation in page.obj.get("/Annots", []):
            if isinstance(annotation, Dictionary):  # a damaged entry is null
                annotation.F = int(annotation.get("/F", 0)) | _PRINT_FLAG


def _iterate_elements(root: Any) -> Iterator[_StructElement]:
    """Yield every element of the tree, each before its children."""
    waiting = [_StructElement(kid, ()) for kid in reversed(_list_children(root))]
    while waiting:
        each = waiting.pop()
        yield each
        ancestors = (*each.ancestors, each.dictionary)
        kids = reversed(_list_children(each.dictionary))
        waiting += [_StructElement(kid, ancestors) for kid in kids]


def _list_children(element: Any) -> list[Any]:
    return [kid for kid in _list_contents(element) if _has_key(kid, "/S")]


def _list_contents(element: Any) -> list[Any]:
    """Return what an element contains: elements, marked content, annotations."""
    contents = element.get("/K")
    if contents is None:
        return []
    return list(contents) if isinstance(contents, Array) else [contents]


def _index_number_tree(root: Any) -> dict[int, tuple[Any, int]]:
    """Return, by key, the array and position in the number tree with the parent of a page or
    annotation."""
    numbers = root.ParentTree.get("/Nums", [])
    return {int(numbers[at]): (numbers, at + 1) for at in range(0, len(numbers) - 1, 2)}


def _repair_links(elements: list[_StructElement], parents: dict[int, tuple[Any, int]]) -> None:
    """Move annotations from words inside a link to the link itself."""
    for each in elements:
        if each.kind == "/Link":
            continue
        contents = _list_contents(each.dictionary)
        annotations = [kid for kid in contents if _has_key(kid, "/Obj")]
        links = [ancestor for ancestor in each.ancestors if str(ancestor.S) == "/Link"]
        if not annotations or not links:
            continue
        link = links[-1]
        each.dictionary.K = Array([kid for kid in contents if not _has_key(kid, "/Obj")])
        link.K = Array([*_list_contents(link), *annotations])
        for kid in annotations:
            place = parents.get(int(kid.Obj.get("/StructParent", -1)))
            if place:
                place[0][place[1]] = link


def _has_key(kid: Any, key: str) -> bool:
    return isinstance(kid, Dictionary) and key in kid


def _is_decorative(each: _StructElement) -> bool:
    """Say if an element is a picture without a text alternative."""
    has_text = any(str(each.dictionary.get(name, "")) for name in ("/Alt", "/ActualText"))
    return each.kind == "/Figure" and not has_text


def _mark_artifacts(
    pdf: Any, elements: set[Any], decorative: set[Any], parents: dict[int, tuple[Any, int]]
) -> None:
    """Mark content without an element, such as page numbers, and decorative pictures as
    artifacts."""
    for page in pdf.pages:
        place = parents.get(int(page.obj.get("/StructParents", -1)))
        if place is None:
            continue
        marks = place[0][place[1]]
        artifacts = {
            number: _LAYOUT_ARTIFACT if element.objgen in decorative else _PAGINATION_ARTIFACT
            for number, element in enumerate(marks)
            if isinstance(element, Dictionary)
            and (element.objgen in decorative or element.objgen not in elements)
        }
        if artifacts:
            _unmark_content(page, artifacts)
            kept = [None if n in artifacts else element for n, element in enumerate(marks)]
            place[0][place[1]] = Array(kept)


def _unmark_content(page: Any, artifacts: Mapping[int, bytes]) -> None:
    def replace_mark(match: re.Match[bytes]) -> bytes:
        return artifacts.get(int(match[1]), match[0])

    contents = page.obj.Contents
    for stream in list(contents) if isinstance(contents, Array) else [contents]:
        if isinstance(stream, Stream):
            stream.write(_MARKED_CONTENT.sub(replace_mark, stream.read_bytes()))


def _wrap_list_body(pdf: Any, item: Any) -> None:
    """Put the content of a list item beside its label into one body."""
    kids = _list_children(item)
    contents = [kid for kid in kids if str(kid.S) != "/Lbl"]
    if not contents or any(str(kid.S) == "/LBody" for kid in kids):
        return
    element = Dictionary(Type=Name.StructElem, S=Name.LBody, P=item, K=Array(contents))
    body = pdf.make_indirect(element)
    if "/Pg" in item:
        body.Pg = item.Pg
    for kid in contents:
        kid.P = body
    item.K = Array([*_list_others(item, contents), body])


def _list_others(element: Any, kids: Sequence[Any]) -> list[Any]:
    """Return what an element contains apart from some of its children."""
    numbers = {kid.objgen for kid in kids}
    return [
        kid
        for kid in _list_contents(element)
        if not (isinstance(kid, Dictionary) and kid.objgen in numbers)
    ]


def _repair_table(table: Any) -> None:
    """Set the scope of table headers, and make row headers of the cells below an empty corner."""
    rows = [_list_children(row) for row in _list_rows(table)]
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            if str(cell.S) == "/TH":
                _set_attribute(cell, "/Scope", Name.Column if place or not number else Name.Row)
    for corner in rows[0][:1] if rows else ():
        if str(corner.S) == "/TH" and not _has_content(corner):
            _make_row_headers(corner, rows[1:])


def _list_rows(table: Any) -> Iterator[Any]:
    for kid in _list_children(table):
        if str(kid.S) == "/TR":
            yield kid
        elif str(kid.S) in {"/THead", "/TBody", "/TFoot", "/NonStruct"}:
            yield from _list_rows(kid)


def _set_attribute(cell: Any, name: str, value: Any) -> None:
    attributes = cell.get("/A", Dictionary(O=Name.Table))
    attributes[name] = value
    cell.A = attributes


def _make_row_headers(corner: Any, rows: list[list[Any]]) -> None:
    """Make headers of the first cells of all rows below an empty corner."""
    corner.S = Name.TD
    empty = bytes(corner.get("/ID", String("")))
    if "/ID" in corner:
        del corner.ID
    if "/Scope" in corner.A:
        del corner.A.Scope
    for number, row in enumerate(rows, start=1):
        if not row or str(row[0].S) != "/TD":
            continue
        row[0].S = Name.TH
        if "/Headers" in row[0].get("/A", Dictionary()):
            del row[0].A.Headers
        _set_attribute(row[0], "/Scope", Name.Row)
        row[0].ID = String(f"{empty.decode('ascii', 'replace')}-row-{number}")
        for cell in row[1:]:
            if str(cell.S) == "/TD":
                headers = cell.get("/A", Dictionary()).get("/Headers", [])
                others = [each for each in headers if bytes(each) != empty]
                _set_attribute(cell, "/Headers", Array([row[0].ID, *others]))


def _has_content(element: Any) -> bool:
    """Say if an element or one in it has content."""
    return any(not _has_key(kid, "/S") or _has_content(kid) for kid in _list_contents(element))


def _remove_empty_elements(elements: list[_StructElement]) -> None:
    """Remove empty elements, from the innermost. Children are left out of their parent at once."""
    empty: dict[tuple[int, int], list[Any]] = {}
    for each in reversed(elements):
        if kids := empty.pop(each.dictionary.objgen, []):
            each.dictionary.K = Array(_list_others(each.dictionary, kids))
        if each.kind in _REMOVABLE_KINDS and each.ancestors and not _list_contents(each.dictionary):
            empty.setdefault(each.ancestors[-1].objgen, []).append(each.dictionary)


def _write_id_tree(root: Any, elements: list[_StructElement]) -> None:
    """Write the name tree by which cells find their headers."""
    named = {
        bytes(each.dictionary.ID): each.dictionary for each in elements if "/ID" in each.dictionary
    }
    if named:
        pairs = [part for name in sorted(named) for part in (String(name), named[name])]
        root.IDTree = Dictionary(Names=Array(pairs))
