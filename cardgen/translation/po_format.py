"""Files for translators as PO, the format of gettext.

https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html: the flag `fuzzy` marks a
translation that nobody has confirmed, and msgfmt leaves it out, too.
"""

from __future__ import annotations

from typing import Any

import polib

from cardgen.core import work_limits
from cardgen.core.problems import Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.translation.translation_rows import (
    FUZZY,
    ReturnedFile,
    ReturnedRow,
    TranslationRow,
    TranslationSheet,
    decode_text,
    list_notes,
    reject_file,
    split_sent_mark,
)
from cardgen.translation.translation_status import DONE, OLDER, PROPOSED

PO_READ_SECONDS = 20.0
_SOURCE_LANGUAGE_HEADER = "X-Source-Language"
_SENT_PREFIX = "sent: "


class _PoText(str):
    """A text that is split at line feeds only, as PO is, and not at other Unicode line ends."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = self.split("\n")
        return [f"{line}\n" for line in lines] if keepends else lines


def write_po(sheet: TranslationSheet) -> bytes:
    """Return the PO file."""
    file = polib.POFile(wrapwidth=0)  # a line for each line of a text
    file.metadata = {
        "Project-Id-Version": sheet.game.replace("\n", " "),
        "Language": sheet.language,
        _SOURCE_LANGUAGE_HEADER: sheet.source,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "X-Generator": "cardgen",
    }
    for row in sheet.rows:
        file.append(_make_po_entry(row))
    return str(file).encode()


def _make_po_entry(row: TranslationRow) -> Any:
    fuzzy = row.state in {OLDER, PROPOSED}
    comments = [*list_notes(row), f"{_SENT_PREFIX}{row.sent_mark}"]
    return polib.POEntry(
        msgctxt=row.unit.id, msgid=row.source, msgstr=row.text,
        comment="\n".join(comments),
        occurrences=[(unit.file, str(unit.source.line)) for unit in row.units],
        flags=["fuzzy"] if fuzzy else [],
        previous_msgid=row.previous_source or None if fuzzy else None,
    )  # fmt: skip


def read_po(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned PO file."""
    text = decode_text(data)
    if text is None:
        return reject_file(name, "the file is not UTF-8; save it as UTF-8")
    try:
        with work_limits.work_limit(
            f"{name}: reading it", PO_READ_SECONDS, expected=(OSError, ValueError)
        ):
            # A line's end at its beginning: what is read is the text, and no file of that name.
            file = polib.pofile(_PoText(f"\n{text}"), encoding="utf-8")
    except LimitExceededError as error:
        return reject_file(name, f"it cannot be read: {error}", "bounds")
    except (OSError, ValueError) as error:
        why = str(error).partition("\n")[0][:200] or "it is not a PO file"
        return reject_file(name, f"it cannot be read: {why}")
    language = str(file.metadata.get("Language", "")).replace("_", "-").strip()
    if not language:
        return reject_file(name, "its head names no language; write Language: fr there")
    rows = [_read_po_entry(entry, name) for entry in file if not entry.obsolete]
    source = str(file.metadata.get(_SOURCE_LANGUAGE_HEADER, "")).strip()
    return ReturnedFile(language, rows, source=source)


def _read_po_entry(entry: Any, name: str) -> ReturnedRow:
    comments = str(entry.comment or "").split("\n")
    marks = [each.removeprefix(_SENT_PREFIX) for each in comments if each.startswith(_SENT_PREFIX)]
    mark, repeats = split_sent_mark(marks[0] if marks else "")
    return ReturnedRow(
        str(entry.msgctxt or ""),
        entry.msgid,
        entry.msgstr,
        FUZZY if entry.fuzzy else DONE,
        Source(name, max(0, int(entry.linenum or 0) - 1)),
        mark,
        repeats=repeats,
    )
