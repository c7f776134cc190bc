"""Files for translators as XLIFF 2, the exchange format of translation programs.

https://docs.oasis-open.org/xliff/xliff-core/v2.0/xliff-core-v2.0.html. A unit is a text, its name
the text's id. Icons and placeholders are `ph` elements. A segment in the state `initial`, which is
also the default, is not confirmed; the Translate Toolkit, which Weblate uses, marks a translation
that needs work so (translate/storage/xliff2.py).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from cardgen.core import work_limits
from cardgen.core.problems import Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.workbook_edits import INVALID_XML
from cardgen.translation.translation_rows import (
    FUZZY,
    ReturnedFile,
    ReturnedRow,
    TranslationRow,
    TranslationSheet,
    list_notes,
    reject_file,
    split_sent_mark,
)
from cardgen.translation.translation_status import DONE, MISSING, SAME

XLIFF_READ_SECONDS = 20.0
MAX_XML_DEPTH = 60
_NAMESPACE = "urn:oasis:names:tc:xliff:document:2."
_SENT_ID = "sent"
_CONFIRMED_STATES = frozenset(("translated", "reviewed", "final"))
_TEXT_TAG = re.compile("source|target|data|note")
_CHARACTER_CODE = re.compile(r"(?![dD][89a-fA-F])[0-9A-Fa-f]{1,4}\Z")


def write_xliff(sheet: TranslationSheet) -> bytes:
    """Return the XLIFF file."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<xliff xmlns="{_NAMESPACE}0" version="2.0" srcLang={quoteattr(sheet.source)} '
        f"trgLang={quoteattr(sheet.language)}>",
        f'<file id="f1" original={quoteattr(sheet.game)} xml:space="preserve">',
    ]
    for number, row in enumerate(sheet.rows, 1):
        lines += _format_unit(row, f"u{number}")
    return "\n".join([*lines, "</file>", "</xliff>", ""]).encode()


def _format_unit(row: TranslationRow, name: str) -> list[str]:
    """Return the lines of a unit."""
    before = [f"source before: {row.previous_source}"] if row.previous_source else []
    notes = [f"<note>{_escape_text(each)}</note>" for each in (*list_notes(row), *before)]
    places = [f'<note category="location">{_escape_text(row.place)}</note>']
    sent = f'<note id="{_SENT_ID}">{row.sent_mark}</note>'
    source, target = (_format_inline(text, row.signs) for text in (row.source, row.text))
    state = "translated" if row.state in {DONE, SAME} else "initial"
    data = (f'<data id="d{number}">{_escape_text(sign)}</data>'
            for number, sign in enumerate(row.signs, 1))  # fmt: skip
    return [
        f'<unit id="{name}" name={quoteattr(row.unit.id)}>',
        f"<notes>{''.join([*notes, *places, sent])}</notes>",
        *([f"<originalData>{''.join(data)}</originalData>"] if row.signs else []),
        f'<segment state="{state}">',
        f"<source>{source}</source>",
        *([f"<target>{target}</target>"] if row.text else []),
        "</segment>",
        "</unit>",
    ]


def _format_inline(text: str, signs: tuple[str, ...]) -> str:
    """Return a text with its icons and placeholders as elements. Equal ones are numbered alike in
    source and target."""
    if not signs:
        return _escape_text(text)
    used: Counter[str] = Counter()

    def number_sign(sign: str) -> str:
        used[sign] += 1
        at = signs.index(sign) + 1
        return f'<ph id="{at}.{used[sign]}" dataRef="d{at}" disp={quoteattr(sign)}/>'

    parts = re.split(f"({'|'.join(map(re.escape, sorted(signs, key=len, reverse=True)))})", text)
    return "".join(number_sign(part) if part in signs else _escape_text(part) for part in parts)


def _escape_text(text: str) -> str:
    """Return a text as XML, with elements for characters that XML cannot hold."""
    escaped = escape(text, {"\r": "&#13;"})
    return INVALID_XML.sub(lambda match: f'<cp hex="{ord(match[0]):04X}"/>', escaped)


def read_xliff(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned XLIFF file."""
    reader = _XliffReader(name)
    try:
        with work_limits.work_limit(
            f"{name}: reading it", XLIFF_READ_SECONDS, expected=(expat.ExpatError, ValueError)
        ):
            reader.read(data)
    except LimitExceededError as error:
        return reject_file(name, f"it cannot be read: {error}", "bounds")
    except (expat.ExpatError, ValueError) as error:
        return reject_file(name, f"it cannot be read: {error}")
    if not reader.languages[1]:
        return reject_file(name, 'it names no language; write trgLang="fr" into its head')
    return ReturnedFile(reader.languages[1], reader.rows, source=reader.languages[0])


@dataclass
class _Segment:
    state: str
    source: str = ""
    target: str | None = None


@dataclass
class _Unit:
    name: str
    line: int
    sent: str = ""
    data: dict[str, str] = field(default_factory=dict)
    segments: list[_Segment] = field(default_factory=list)


class _XliffReader:
    """Reader of an XLIFF file by its tags, without entities or declarations."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.languages = ("", "")
        self.rows: list[ReturnedRow] = []
        self._unit: _Unit | None = None
        self._depth = 0
        self._text: list[str] | None = None
        """Parts of the element whose text is read."""
        self._key = ""
        """The id of the data or note that is read."""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def read(self, data: bytes) -> None:
        """Read a file. Raises `ExpatError` and `ValueError`."""
        self._parser.Parse(data, True)

    def _refuse_doctype(self, *_: object) -> None:
        raise ValueError("it has a DOCTYPE; take it out")

    def _start(self, tag: str, given: dict[str, str]) -> None:
        space, _, name = tag.rpartition(" ")
        self._depth += 1
        if self._depth > MAX_XML_DEPTH:
            raise ValueError(f"its elements are nested more than {MAX_XML_DEPTH} deep")
        if self._depth == 1:
            if name != "xliff" or not space.startswith(_NAMESPACE):
                raise ValueError("it is not XLIFF 2; save it as XLIFF 2.0")
            self.languages = given.get("srcLang", ""), given.get("trgLang", "")
        if not space.startswith(_NAMESPACE):
            return  # an extension of another program
        unit = self._unit
        if name == "unit":
            self._unit = _Unit(given.get("name", ""), self._parser.CurrentLineNumber)
        elif unit and name in {"segment", "ignorable"}:
            state = given.get("state", "initial") if name == "segment" else "final"
            unit.segments.append(_Segment(state))
        elif unit and _TEXT_TAG.fullmatch(name):
            self._text = []
            self._key = given.get("id", "")
        elif unit and self._text is not None:
            self._text.append(_read_inline(name, given, unit))

    def _end(self, tag: str) -> None:
        self._depth -= 1
        name, unit = tag.rpartition(" ")[2], self._unit
        if unit and name == "unit":
            self.rows.append(_make_returned_row(unit, self.name))
            self._unit = None
        elif unit and self._text is not None and _TEXT_TAG.fullmatch(name):
            text, self._text = "".join(self._text), None
            if name == "data":
                unit.data[self._key] = text
            elif name == "note":
                unit.sent = text if self._key == _SENT_ID else unit.sent
            elif unit.segments and name == "source":
                unit.segments[-1].source = text
            elif unit.segments:
                unit.segments[-1].target = text

    def _add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)


def _read_inline(name: str, given: dict[str, str], unit: _Unit) -> str:
    """Return what an element within a text stands for."""
    if name == "cp":
        code = given.get("hex", "")
        return chr(int(code, 16)) if _CHARACTER_CODE.match(code) else ""
    return unit.data.get(given.get("dataRef", ""), given.get("equiv", "")) if name == "ph" else ""


def _make_returned_row(unit: _Unit, file: str) -> ReturnedRow:
    """Return the row of a unit. One of which a segment is not translated is not translated."""
    sources, targets = [each.source for each in unit.segments], list[str]()
    for each in unit.segments:
        is_blank = not each.source.strip()
        targets.append(each.source if is_blank and each.target is None else each.target or "")
        if not targets[-1].strip() and not is_blank:
            targets = []
            break
    confirmed = all(each.state in _CONFIRMED_STATES for each in unit.segments)
    state = (DONE if confirmed else FUZZY) if targets else MISSING
    mark, repeats = split_sent_mark(unit.sent)
    return ReturnedRow(
        unit.name, "".join(sources), "".join(targets), state, Source(file, unit.line), mark,
        repeats=repeats,
    )  # fmt: skip
