"""Workbooks that are bombs, broken, or larger than any: tables of cards in XLSX, ODS and JSON."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from trials.attack import DECK, EITHER, Attack, Content, nested

_HEAD = DECK.removesuffix("cards:\n")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = f'<worksheet xmlns="{_MAIN}"><sheetData>{{}}</sheetData></worksheet>'
_ROW = (
    '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>{1}</t></is></c>'
    '<c r="B{0}" t="inlineStr"><is><t>{2}</t></is></c></row>'
)
_TOP = _ROW.format(1, "id", "name")
_PARTS: Mapping[str, str] = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}


def packed(sheet: str, **more: str) -> bytes:
    """A workbook with that sheet; other parts take the place of those that belong there."""
    out = io.BytesIO()
    parts = {**_PARTS, "xl/worksheets/sheet1.xml": sheet, **more}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return out.getvalue()


def workbook(name: str, data: Content, file: str = "loot.xlsx", more: str = "") -> Attack:
    """An attack by a workbook."""
    files = {"cards/loot.yaml": f"{_HEAD}rows: {file}\n{more}", f"cards/{file}": data}
    return Attack(f"workbook/{name}", files, (), EITHER)


def rows(*written: str) -> str:
    """A sheet of a head and such rows."""
    return _SHEET.format(_TOP + "".join(written))


_CARD = _ROW.format(2, "school", "School")
_GOOD = packed(rows(_CARD))
_ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)

ATTACKS = [
    workbook("right", _GOOD),
    workbook("cut-short", _GOOD[: len(_GOOD) // 2]),
    workbook("beginning-only", _GOOD[:40]),
    workbook("bytes", bytes(range(256)) * 40),
    workbook("empty", b""),
    workbook("no-zip", "id,name\nschool,School\n"),
    workbook("of-another-ending", _GOOD, "loot.ods"),
    workbook("old", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 4000, "loot.xls"),
    workbook("old-noise", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)) * 100, "loot.xls"),
    workbook("binary", _GOOD, "loot.xlsb"),
    workbook("bomb", lambda: packed(rows("<row/>" * 40_000_000))),
    workbook("bomb-of-a-cell", lambda: packed(rows(_ROW.format(2, "school", "x" * 400_000_000)))),
    workbook("bomb-of-strings", lambda: packed(rows(_CARD), **{
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{"<si><t>a</t></si>" * 20_000_000}</sst>'})),
    workbook("the-last-cell", packed(rows(
        _CARD, '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'))),
    workbook("beyond-the-last-cell", packed(rows(
        _CARD, '<row r="99999999999"><c r="ZZZZZZZ99999999999"><v>1</v></c></row>'))),
    workbook("cells-odd", packed(rows(
        _CARD, '<row r="0"><c r="0"/><c r=""/><c r="A-1"><v>nan</v></c><c><v>1e999</v></c></row>'))),
    workbook("size-told-wrong", packed(rows(_CARD).replace(
        "<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>'))),
    workbook("rows", packed(rows(*(_ROW.format(n, f"c{n}", "x") for n in range(2, 30_000))))),
    workbook("entities", packed(_ENTITIES + rows(_ROW.format(2, "school", "&i;")))),
    workbook("entity-of-a-file", packed(
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
        + rows(_ROW.format(2, "school", "&a;")))),
    workbook("deep", packed(rows(nested("<x>", "</x>", 200_000)))),
    workbook("formula", packed(rows(
        _CARD, '<row r="3"><c r="A3"><f>WEBSERVICE("http://HOST/")</f><v>1</v></c></row>'))),
    workbook("sheet-elsewhere", packed(rows(_CARD), **{
        "xl/_rels/workbook.xml.rels": _PARTS["xl/_rels/workbook.xml.rels"].replace(
            "worksheets/sheet1.xml", "../../../../etc/passwd")})),
    workbook("sheet-names", packed(rows(_CARD), **{
        "xl/workbook.xml": _PARTS["xl/workbook.xml"].replace(
            'name="One"', 'name="&#27;]0;owned&#7;&#8238;!"')})),
    workbook("sheets", packed(rows(_CARD), **{
        "xl/workbook.xml": _PARTS["xl/workbook.xml"].replace(
            "</sheets>", '<sheet name="x" sheetId="2" r:id="r1"/>' * 200_000 + "</sheets>")})),
    workbook("json-deep", nested("[", "]", 100_000), "loot.json"),
    workbook("json-odd", '[{"id": "a\\ud800", "name": "\\u0000"}, 1, null, {"id": {"a": 1e999}}]', "loot.json"),
    workbook("json-keys", "[{" + ",".join(f'"k{n}": {n}' for n in range(100_000)) + "}]", "loot.json"),
    workbook("columns-odd", _GOOD, more="columns: {id: id, name: {field: name, split: [a]}, x: {}}\n"),
    workbook("columns", _GOOD, more="columns:\n" + "".join(f"  c{n}: ignore\n" for n in range(50_000))),
]  # fmt: skip
"""All of them."""
