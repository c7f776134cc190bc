"""A file for translators as PO: each text's id is its context, what is older is fuzzy."""

from __future__ import annotations

from typing import Any

import polib

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.game.translation import states
from cardgen.game.translation.rows import Back, Returned, Row, Sheet

_SECONDS = 20.0
_FROM = "X-Source-Language"
_SENT = "sent: "


class _Lines(str):
    """A text that ends its lines where PO does, and not at every sign that Unicode knows."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = self.split("\n")
        return [f"{line}\n" for line in lines] if keepends else lines


def written(sheet: Sheet) -> bytes:
    """The file."""
    file = polib.POFile(wrapwidth=0)  # a line for each line of a text
    file.metadata = {
        "Project-Id-Version": sheet.game.replace("\n", " "),
        "Language": sheet.language,
        _FROM: sheet.source,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "X-Generator": "cardgen",
    }
    for row in sheet.rows:
        file.append(_entry(row))
    return str(file).encode()


def _entry(row: Row) -> Any:
    unit, older = row.unit, row.state == states.OLDER
    card = f"{unit.called} ({unit.card})" if unit.called else unit.card
    told = [
        " · ".join(part for part in (unit.deck, card, unit.what) if part),
        f"signs: {row.signs}" if row.signs else "",
        f"shown on: {row.around.shown}" if row.around.shown else "",
        f"room: {row.around.room}" if row.around.room else "",
        f"picture: {row.picture}" if row.picture else "",
        f"{_SENT}{row.sent}",
    ]
    return polib.POEntry(
        msgctxt=unit.id, msgid=row.source, msgstr=row.text,
        comment="\n".join(filter(None, told)),
        occurrences=[(unit.file, str(unit.source.line))],
        flags=["fuzzy"] if older else [], previous_msgid=row.before or None if older else None,
    )  # fmt: skip


def read(data: bytes, name: str) -> Returned:
    """What a file says that came back."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "the file is not UTF-8; save it so"
        return Returned(problems=[Problem(Source(name), message, "file")])
    try:
        with guard.at(f"{name}: reading it", _SECONDS, known=(OSError, ValueError)):
            # A line's end at its beginning: what is read is the text, and no file of that name.
            file = polib.pofile(_Lines(f"\n{text}"), encoding="utf-8")
    except Stopped as error:
        return Returned(problems=[Problem(Source(name), f"it cannot be read: {error}", "bounds")])
    except (OSError, ValueError) as error:
        why = str(error).partition("\n")[0][:200] or "it is no PO"
        return Returned(problems=[Problem(Source(name), f"it cannot be read: {why}", "file")])
    language = str(file.metadata.get("Language", "")).replace("_", "-").strip()
    if not language:
        message = "its head names no language; write Language: fr there"
        return Returned(problems=[Problem(Source(name), message, "file")])
    rows = [_back(entry, name) for entry in file if not entry.obsolete]
    return Returned(language, rows, source=str(file.metadata.get(_FROM, "")).strip())


def _back(entry: Any, name: str) -> Back:
    state = states.OLDER if entry.fuzzy else states.DONE
    line = max(0, int(entry.linenum or 0) - 1)
    told = str(entry.comment or "").split("\n")
    sent = next((each.removeprefix(_SENT) for each in told if each.startswith(_SENT)), "")
    at = Source(name, line)
    return Back(str(entry.msgctxt or ""), entry.msgid, entry.msgstr, state, at, sent.strip())
