"""Formats of cells of a workbook: numbers as the sheet shows them, and marks that are not printed.

XLSX is described by ECMA-376 (number formats in 18.8.30), ODS by OpenDocument 1.3.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape

_STYLES, _STRINGS = "xl/styles.xml", "xl/sharedStrings.xml"
_BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 16: "d-mmm", 20: "h:mm", 21: "h:mm:ss",
    45: "mm:ss", 46: "[h]:mm:ss",
}  # fmt: skip
_CELL_STYLE = re.compile(rb"<xf\s[^<>]*>")
_FORMAT = re.compile(
    rb"<numFmt\s[^<>]*?numFmtId=\"([0-9]{1,6})\"\s[^<>]*?formatCode=\"([^\"<>]*)\""
)
_FONT = re.compile(rb"<font>.*?(?:</font>|\Z)|<font\s*/>", re.DOTALL)
_ATTRIBUTE = re.compile(rb"\b(numFmtId|fontId)=\"([0-9]{1,6})\"")
_SHORT_DATE = re.compile(
    r"(?:\[[^\]]*\])?(?:d{1,2}[^\w]{1,3}m{1,3}|m{1,3}[^\w]{1,3}d{1,2})\W*", re.IGNORECASE
)
_PERCENT = re.compile(r"[#0]*0(?:\.(0+))?(\s?)%")
_ZEROS = re.compile(r"0{2,15}")
_FRACTION = re.compile(r"#\s*(\?{1,3})/\?{1,3}")
_TIME = re.compile(
    r"(?:\[[^\]h-s]*\])?((?:\[[hms]{1,2}\]|h{1,2}|m{1,2}|s{1,2}|[:.])+)(?:;@)?", re.IGNORECASE
)
_TIME_PART = re.compile(r"\[?([hms])(\1?)\]?", re.IGNORECASE)
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_DAY = 86400
_MAX_FORMATTED = 1e15
"""Larger numbers, of which a spreadsheet shows no last digits, and what is no number stay as they
are."""
_STRUCK = re.compile(
    rb"<(?:\w+:)?strike(?:\s*/>|\s+val=\"(?:1|true)\")"
    rb"|text-line-through-(?:style|type)=\"(?!none)"
)
_RAISED = re.compile(
    rb"<(?:\w+:)?vertAlign\s+val=\"su(?:per|b)script\"|text-position=\"(?:su|-?[1-9])"
)
STRUCK, RAISED = "struck", "raised"
_STRING = re.compile(rb"<si(?:\s[^<>]*)?>(.*?)(?:</si>|\Z)|<si\s*/>", re.DOTALL)
_RUN = re.compile(rb"<r>(.*?)(?:</r>|\Z)", re.DOTALL)
_RUN_TEXT = re.compile(rb"<t(?:\s[^<>]*)?>([^<]*)</t>")
_ODS_STYLE = re.compile(
    rb"<style:style\s[^<>]*?style:name=\"([^\"]*)\"[^<>]*?(?<!/)>(.*?)(?:</style:style>|\Z)",
    re.DOTALL,
)
_ODS_SPAN = re.compile(rb"<text:span\s[^<>]*?text:style-name=\"([^\"]*)\"[^<>]*>([^<]*)")
_ODS_CELL_STYLE = re.compile(rb"table:style-name=\"([^\"]*)\"")
_ODS_SHOWN = re.compile(rb"[^<]*<text:p>([^<]*)</text:p>[^<]*\Z")
_ODS_NUMBER = re.compile(r"-?0[0-9]+|.*%|(?:[0-9]+ )?[0-9]+/[0-9]+|[0-9]+(?::[0-9]{2}){1,2}")
Mark = tuple[str, str]
"""`STRUCK` or `RAISED`, and the text that has it, "" for a whole cell."""


@dataclass
class StyleTable:
    """Styles of an XLSX workbook by their numbers, as far as they change what a sheet shows.

    `marks` are those of whole cells, `strings` those of runs within the shared strings.
    """

    codes: dict[int, str] = field(default_factory=dict)
    short_dates: set[int] = field(default_factory=set)
    marks: dict[int, Mark] = field(default_factory=dict)
    strings: dict[int, Mark] = field(default_factory=dict)


def read_styles(package: zipfile.ZipFile) -> StyleTable:
    """Return the styles of a workbook that show a number or a text in a way of their own."""
    names, table = package.namelist(), StyleTable()
    if _STYLES in names:
        text = package.read(_STYLES)
        own = {int(number): unescape(code.decode(errors="replace")).replace("\\ ", " ")
               for number, code in _FORMAT.findall(text)}  # fmt: skip
        fonts = _FONT.findall(text.partition(b"<fonts")[2].partition(b"</fonts>")[0])
        marks = {at: mark for at, font in enumerate(fonts) if (mark := find_mark(font))}
        styles = _CELL_STYLE.findall(text.partition(b"<cellXfs")[2].partition(b"</cellXfs")[0])
        for at, style in enumerate(styles):
            numbers = {key: int(value) for key, value in _ATTRIBUTE.findall(style)}
            number = numbers.get(b"numFmtId", 0)
            code = own.get(number, _BUILT_IN.get(number, ""))
            if _SHORT_DATE.fullmatch(code):
                table.short_dates.add(at)
            elif any(p.fullmatch(code) for p in (_PERCENT, _ZEROS, _FRACTION, _TIME)):
                table.codes[at] = code
            if own_mark := marks.get(numbers.get(b"fontId", 0), ""):
                table.marks[at] = (own_mark, "")
    if _STRINGS in names:
        for at, content in enumerate(_STRING.findall(package.read(_STRINGS))):
            if run_mark := find_run_mark(content):
                table.strings[at] = run_mark
    return table


def find_mark(content: bytes) -> str:
    """Return how a style marks its text: `STRUCK`, `RAISED` (also lowered), or ""."""
    return STRUCK if _STRUCK.search(content) else RAISED if _RAISED.search(content) else ""


def find_run_mark(content: bytes) -> Mark | None:
    """Return the mark of the first run of a text that has one."""
    for run in _RUN.findall(content):
        text = b"".join(_RUN_TEXT.findall(run))
        if text.strip() and (mark := find_mark(run)):
            return mark, unescape(text.decode(errors="replace")).strip()
    return None


def format_number(value: float, code: str) -> str:
    """Return a number as its format shows it, "" where that is what the number itself says."""
    if not abs(value) < _MAX_FORMATTED:
        return ""
    if match := _PERCENT.fullmatch(code):
        return f"{value * 100:.{len(match[1] or '')}f}{match[2]}%"
    if _ZEROS.fullmatch(code):
        return f"{round(value):0{len(code)}d}" if value >= 0 else ""
    if match := _FRACTION.fullmatch(code):
        return _format_fraction(value, 10 ** len(match[1]) - 1)
    match = _TIME.fullmatch(code)
    return _format_time(round(value * _DAY), match[1]) if match and value >= 0 else ""


def _format_fraction(value: float, most: int) -> str:
    fraction = Fraction(abs(value)).limit_denominator(most)
    whole, rest = divmod(fraction, 1)
    parts = [str(whole)] if whole or not rest else []
    parts += [f"{rest.numerator}/{rest.denominator}"] if rest else []
    return ("-" if value < 0 else "") + " ".join(parts)


def _format_time(seconds: int, code: str) -> str:
    """Return a time or duration. Without a part for hours, the minutes of the hour are shown."""

    def replace_part(match: re.Match[str]) -> str:
        size = _SECONDS[match[1].lower()]
        count = seconds // size
        if not match[0].startswith("["):
            count %= 24 if size == _SECONDS["h"] else 60
        return f"{count:0{1 + len(match[2])}d}"

    return _TIME_PART.sub(replace_part, code)


def read_ods_styles(content: bytes) -> dict[bytes, str]:
    """Return the marks of the styles of an ODS sheet by their names."""
    styles = _ODS_STYLE.findall(content.partition(b"<office:body")[0])
    return {name: mark for name, style in styles if (mark := find_mark(style))}


def find_ods_marks(attributes: bytes, content: bytes, styles: dict[bytes, str]) -> Iterator[Mark]:
    """Yield the mark of an ODS cell: that of the whole cell, or of a run in it."""
    style = _ODS_CELL_STYLE.search(attributes)
    if style and content.strip() and (mark := styles.get(style[1])):
        yield mark, ""
        return
    for name, text in _ODS_SPAN.findall(content):
        if text.strip() and (mark := styles.get(name)):
            yield mark, unescape(text.decode(errors="replace")).strip()
            return


def find_ods_number(content: bytes) -> str:
    """Return what an ODS cell shows of a number: a percentage, fraction, time, or one with leading
    zeros; "" for any other."""
    match = _ODS_SHOWN.match(content)
    shown = unescape(match[1].decode(errors="replace")).strip() if match else ""
    return shown if _ODS_NUMBER.fullmatch(shown) else ""
