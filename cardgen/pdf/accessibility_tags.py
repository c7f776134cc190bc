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

_MARKED_CONTENT = re.compile(rb"/\w+\s*<<\s*/MCID (\d+)\s*>>\s*BDC")
_PAGINATION_ARTIFACT = b"/Artifact\n<</Type /Pagination>>\nBDC"
_LAYOUT_ARTIFACT = b"/Artifact\n<</Type /Layout>>\nBDC"
_REMOVABLE_KINDS = frozenset({"/P", "/Span", "/NonStruct", "/Div", "/Sect", "/Figure"})
"""Elements that mean nothing when they hold nothing."""
_PRINT_FLAG = 4
"""The flag of an annotation that is there on paper, too, as on the screen."""


@dataclass(frozen=True)
class _StructElement:
    """An element of the tree, and those that it stands in, from the outermost."""

    dictionary: Any
    ancestors: tuple[Any, ...]

    @property
    def kind(self) -> str:
        return str(self.dictionary.get("/S"))


def repair_tags(pdf: Any) -> None:
    """Put the tags of a PDF right; nothing where it has none."""
    root = pdf.Root.get("/StructTreeRoot")
    if not isinstance(root, Dictionary):
        return
    elements = list(_iterate_elements(root))
    parents = _index_number_tree(root)
    _repair_links(elements, parents)
    silent = {each.dictionary.objgen for each in elements if _is_decorative(each)}
    _mark_artifacts(pdf, {each.dictionary.objgen for each in elements}, silent, parents)
    for each in elements:
        if each.dictionary.objgen in silent:
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
            annotation.F = int(annotation.get("/F", 0)) | _PRINT_FLAG


def _iterate_elements(root: Any) -> Iterator[_StructElement]:
    """Every element that the tree leads to, each before those in it."""
    waiting = [_StructElement(kid, ()) for kid in reversed(_list_children(root))]
    while waiting:
        each = waiting.pop()
        yield each
        above = (*each.ancestors, each.dictionary)
        waiting += [_StructElement(kid, above) for kid in reversed(_list_children(each.dictionary))]


def _list_children(element: Any) -> list[Any]:
    return [kid for kid in _list_contents(element) if isinstance(kid, Dictionary) and "/S" in kid]


def _list_contents(element: Any) -> list[Any]:
    """What an element holds: elements, marks on pages, annotations."""
    held = element.get("/K")
    if held is None:
        return []
    return list(held) if isinstance(held, Array) else [held]


def _index_number_tree(root: Any) -> dict[int, tuple[Any, int]]:
    """Which list and place of the tree of numbers holds what a page or annotation belongs to."""
    numbers = root.ParentTree.get("/Nums", [])
    return {int(numbers[at]): (numbers, at + 1) for at in range(0, len(numbers) - 1, 2)}


def _repair_links(elements: list[_StructElement], parents: dict[int, tuple[Any, int]]) -> None:
    """An annotation belongs to the link itself, not to a word in it."""
    for each in elements:
        if each.kind == "/Link":
            continue
        held = _list_contents(each.dictionary)
        found = [kid for kid in held if isinstance(kid, Dictionary) and "/Obj" in kid]
        link = next((one for one in reversed(each.ancestors) if str(one.S) == "/Link"), None)
        if not found or link is None:
            continue
        each.dictionary.K = Array([kid for kid in held if "/Obj" not in _get_parent_keys(kid)])
        link.K = Array([*_list_contents(link), *found])
        for kid in found:
            known = parents.get(int(kid.Obj.get("/StructParent", -1)))
            if known:
                known[0][known[1]] = link


def _get_parent_keys(kid: Any) -> Any:
    return kid if isinstance(kid, Dictionary) else ()


def _is_decorative(each: _StructElement) -> bool:
    """Whether an element is a picture that its author gave no words: it adorns."""
    said = any(str(each.dictionary.get(name, "")) for name in ("/Alt", "/ActualText"))
    return each.kind == "/Figure" and not said


def _mark_artifacts(
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
            number: _LAYOUT_ARTIFACT if element.objgen in silent else _PAGINATION_ARTIFACT
            for number, element in enumerate(marks)
            if isinstance(element, Dictionary)
            and (element.objgen in silent or element.objgen not in known)
        }
        if lost:
            _unmark_content(page, lost)
            place[0][place[1]] = Array(
                [None if number in lost else element for number, element in enumerate(marks)]
            )


def _unmark_content(page: Any, lost: Mapping[int, bytes]) -> None:
    def replace_mark(match: re.Match[bytes]) -> bytes:
        return lost.get(int(match[1]), match[0])

    contents = page.obj.Contents
    for stream in list(contents) if isinstance(contents, Array) else [contents]:
        if isinstance(stream, Stream):
            stream.write(_MARKED_CONTENT.sub(replace_mark, stream.read_bytes()))


def _wrap_list_body(pdf: Any, item: Any) -> None:
    """What an item of a list says stands in one body, beside its sign."""
    kids = _list_children(item)
    said = [kid for kid in kids if str(kid.S) != "/Lbl"]
    if not said or any(str(kid.S) == "/LBody" for kid in kids):
        return
    body = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.LBody, P=item, K=Array(said)))
    if "/Pg" in item:
        body.Pg = item.Pg
    for kid in said:
        kid.P = body
    item.K = Array(
        [
            *(
                kid
                for kid in _list_contents(item)
                if not any(_is_same_element(kid, one) for one in said)
            ),
            body,
        ]
    )


def _repair_table(table: Any) -> None:
    """Headers say whether they head a column or a row. Under a corner that is empty stand headers
    of rows."""
    rows = [list(_list_children(row)) for row in _list_rows(table)]
    if not rows:
        return
    for number, row in enumerate(rows):
        for cell in row:
            if str(cell.S) == "/TH":
                _set_scope(
                    cell, Name.Row if number and cell.objgen == row[0].objgen else Name.Column
                )
    corner = rows[0][0] if rows[0] else None
    if corner is not None and str(corner.S) == "/TH" and not _has_content(corner):
        _count_header_rows(rows)


def _list_rows(table: Any) -> Iterator[Any]:
    for kid in _list_children(table):
        if str(kid.S) == "/TR":
            yield kid
        elif str(kid.S) in {"/THead", "/TBody", "/TFoot", "/NonStruct"}:
            yield from _list_rows(kid)


def _set_scope(cell: Any, scope: Any) -> None:
    attributes = cell.get("/A", Dictionary(O=Name.Table))
    attributes.Scope = scope
    cell.A = attributes


def _count_header_rows(rows: list[list[Any]]) -> None:
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
        _set_scope(row[0], Name.Row)
        row[0].ID = String(f"{empty.decode('ascii', 'replace')}-row-{number}")
        for cell in row[1:]:
            if str(cell.S) == "/TD":
                attributes = cell.get("/A", Dictionary(O=Name.Table))
                others = [each for each in attributes.get("/Headers", []) if bytes(each) != empty]
                attributes.Headers = Array([row[0].ID, *others])
                cell.A = attributes


def _has_content(element: Any) -> bool:
    """Whether anything stands in an element or in those within it."""
    return any(
        _has_content(kid) if "/S" in _get_parent_keys(kid) else True
        for kid in _list_contents(element)
    )


def _remove_empty_elements(elements: list[_StructElement]) -> None:
    """What holds nothing is left out, from the innermost."""
    for each in reversed(elements):
        if each.kind in _REMOVABLE_KINDS and each.ancestors and not _list_contents(each.dictionary):
            above = each.ancestors[-1]
            above.K = Array(
                [kid for kid in _list_contents(above) if not _is_same_element(kid, each.dictionary)]
            )


def _is_same_element(kid: Any, element: Any) -> bool:
    return isinstance(kid, Dictionary) and kid.objgen == element.objgen


def _write_id_tree(root: Any, elements: list[_StructElement]) -> None:
    """The tree of names by which cells find their headers."""
    named = {
        bytes(each.dictionary.ID): each.dictionary for each in elements if "/ID" in each.dictionary
    }
    if named:
        pairs = [part for name in sorted(named) for part in (String(name), named[name])]
        root.IDTree = Dictionary(Names=Array(pairs))
