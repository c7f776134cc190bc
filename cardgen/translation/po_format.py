"""Files for translators as PO, the format of gettext.

https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html: the flag `fuzzy` marks a
translation that nobody has confirmed, and msgfmt leaves it out, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import polib

from cardgen.core import work_limits
from cardgen.core.problems import Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import plural_forms
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
    if any(row.unit.category for row in sheet.rows):
        file.metadata["Plural-Forms"] = (
            f"nplurals={len(plural_forms.list_categories(sheet.language))}; "
            f"plural={plural_forms.get_plural_expression(sheet.language)};"
        )
    for name, rows in groupby(sheet.rows, key=_get_plural_id):
        forms = list(rows)
        file.extend([_make_plural_entry(forms, sheet)] if name else map(_make_po_entry, forms))
    return str(file).encode()


def _get_plural_id(row: TranslationRow) -> str:
    return row.unit.plural_id if row.unit.category else ""


def _make_plural_entry(rows: list[TranslationRow], sheet: TranslationSheet) -> Any:
    """Return the entry of a word with the forms of the target language."""
    forms = {row.unit.category: row for row in rows}
    categories = plural_forms.list_categories(sheet.language)
    one, other = forms.get("one", rows[0]), rows[-1]
    marks = " ".join(forms[name].sent_mark if name in forms else "-" for name in categories)
    fuzzy = any(row.state in {OLDER, PROPOSED} for row in rows)
    before = {"previous_msgid": one.previous_source, "previous_msgid_plural": other.previous_source}
    return polib.POEntry(
        msgctxt=other.unit.plural_id, msgid=one.source, msgid_plural=other.source,
        msgstr_plural={number: forms[name].text if name in forms else ""
                       for number, name in enumerate(categories)},
        comment="\n".join([*(row.label for row in rows), f"{_SENT_PREFIX}{marks}"]),
        occurrences=[(row.unit.file, str(row.unit.source.line)) for row in rows],
        flags=["fuzzy"] if fuzzy else [],
        **(before if fuzzy and one.previous_source else {}),
    )  # fmt: skip


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
    rows = [row for entry in file if not entry.obsolete
            for row in _read_po_entry(entry, name, language)]  # fmt: skip
    source = str(file.metadata.get(_SOURCE_LANGUAGE_HEADER, "")).strip()
    return ReturnedFile(language, rows, source=source)


def _read_po_entry(entry: Any, name: str, language: str) -> Iterator[ReturnedRow]:
    """Yield the row of an entry, or one for each plural form."""
    comments = str(entry.comment or "").split("\n")
    marks = [each.removeprefix(_SENT_PREFIX) for each in comments if each.startswith(_SENT_PREFIX)]
    state = FUZZY if entry.fuzzy else DONE
    context, sent = str(entry.msgctxt or ""), marks[0].strip() if marks else ""
    place = Source(name, max(0, int(entry.linenum or 0) - 1))
    if not entry.msgid_plural:
        mark, repeats = split_sent_mark(sent)
        yield ReturnedRow(
            context, entry.msgid, entry.msgstr, state, place, mark, repeats=repeats
        )  # fmt: skip
        return
    marks = [*sent.split(" "), *[""] * len(plural_forms.PLURAL_CATEGORIES)]
    for number, category in enumerate(plural_forms.list_categories(language)):
        source = entry.msgid if category == "one" else entry.msgid_plural
        text = entry.msgstr_plural.get(number, "")
        yield ReturnedRow(
            f"{context}.{category}", source, text, state, place, marks[number].strip("-")
        )
