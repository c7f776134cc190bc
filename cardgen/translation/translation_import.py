"""Import of returned translations into a game's files, and the checks of returned rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cardgen.core import yaml_edits
from cardgen.core.problems import Problem, Severity, Source, Subject, find_closest, format_value
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_edits import ListAppend, TextEdit, YamlChange
from cardgen.game import game_folder, loader, workbooks
from cardgen.game.model import Game
from cardgen.runtime import game_files
from cardgen.translation import (
    csv_edits,
    text_formats,
    translation_rows,
    translation_status,
    xlsx_format,
)
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_rows import ReturnedFile, ReturnedRow, TranslationSheet
from cardgen.translation.translation_status import (
    TranslationRegister,
    hash_text,
    make_mark,
    normalise_text,
)

_PLAIN_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
MAX_NEAR_UNITS = 50
"""Number of unknown ids for which the nearest id is searched, which is slow."""
MIN_SIMILARITY = 0.8
_ODD_CELL_NOUNS = {
    workbooks.DATE: "a date",
    workbooks.NUMBER: "a number",
    workbooks.TRUTH: "true or false",
}


class ReturnedRowChecks:
    """Checks of returned rows; `language` is the one from which they were translated."""

    def __init__(
        self, units: Mapping[str, TextUnit], language: str, register: TranslationRegister
    ) -> None:
        self._units, self._language, self._register = units, language, register
        self._of_source: dict[str, list[str]] = {}
        for unit in units.values():
            source = normalise_text(unit.texts.get(language, "")).strip()
            self._of_source.setdefault(source, []).append(unit.id)
        self._looked_for = 0

    def describe_unknown_id(self, row: ReturnedRow) -> str:
        """Return the message about a row whose id the game does not have."""
        if not row.id:
            return "the row has no id, so nobody knows which text it is; it is left out"
        intended = self._find_intended_id(row)
        if not intended:
            return f"the game has no text '{row.id}' any more; it is left out"
        return (
            f"the game has no text '{row.id}'; did you mean '{intended}'? was the Id column "
            f"edited? "
            "it is left out"
        )

    def _find_intended_id(self, row: ReturnedRow) -> str:
        """Return the id that a row probably had: the one text with its source, or a near id; else
        ""."""
        of_source = (
            self._of_source.get(normalise_text(row.source).strip(), [])
            if row.source.strip()
            else []
        )
        if len(of_source) == 1:
            return of_source[0]
        self._looked_for += 1
        if self._looked_for > MAX_NEAR_UNITS:
            return ""
        return find_closest(row.id, of_source or self._units, MIN_SIMILARITY)

    def describe_odd_cell(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return why the cell of a row holds no text; "" if it does, or if its source is a number,
        too."""
        source = normalise_text(unit.texts.get(self._language, "")).strip()
        if not row.odd_kind:
            return ""
        if row.odd_kind == workbooks.FORMULA:
            return "the cell is a formula, and the file holds no value of it; write it as text"
        if row.odd_kind not in _ODD_CELL_NOUNS:
            return f"the cell holds a formula that says {row.odd_kind}; write it as text"
        is_number = row.odd_kind == workbooks.NUMBER and _PLAIN_NUMBER.match(source)
        if is_number and (row.text == source or float(source) != _parse_number(row.text)):
            return ""
        return (
            f"the spreadsheet made {_ODD_CELL_NOUNS[row.odd_kind]} of this, "
            f"{format_value(row.text)}; the source "
            f"says {format_value(source)}; write it as text"
        )

    def describe_moved_row(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return the message about a row with the source of another text; "" for all other rows."""
        source = normalise_text(row.source).strip()
        noted = self._register.entries.get(unit.id)
        own = {normalise_text(unit.texts.get(self._language, "")).strip()}
        own |= {noted.source.strip()} if noted else set()
        others = self._of_source.get(source, [])
        if not source or source in own or not others:
            return ""
        return f"its source is that of '{others[0]}', not of '{unit.id}'; was the id moved?"

    def is_outdated(self, row: ReturnedRow, text: str, current: str) -> bool:
        """Return whether the game's translation changed since the export; for a row that does not
        tell, since its import."""
        if not current.strip():
            return False
        return (
            make_mark(current) != row.sent_mark if row.sent_mark else self._was_imported(row, text)
        )

    def is_already_imported(self, row: ReturnedRow, text: str) -> bool:
        """Return whether a row's translation was exported like this, or was imported before."""
        return make_mark(text) == row.sent_mark or self._was_imported(row, text)

    def _was_imported(self, row: ReturnedRow, text: str) -> bool:
        noted = self._register.entries.get(row.id)
        return noted is not None and noted.digest == hash_text(text)


def _parse_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


MAX_FILE_BYTES = 50_000_000
TRANSLATION_KIND = "translation"
WRITERS: Mapping[str, Callable[[TranslationSheet], bytes]] = {
    "xlsx": xlsx_format.write_xlsx, "csv": text_formats.write_csv, "po": text_formats.write_po,
}  # fmt: skip
"""Functions that write a file for translators, by suffix."""
_READERS: Mapping[str, Callable[[bytes, str], ReturnedFile]] = {
    "xlsx": xlsx_format.read_xlsx, "ods": xlsx_format.read_xlsx, "csv": text_formats.read_csv,
    "po": text_formats.read_po,
}  # fmt: skip


@dataclass
class ImportResult:
    """The result of an import: the changed files of the game by path, counts of texts, and
    problems."""

    register: TranslationRegister
    files: dict[str, str] = field(default_factory=dict)
    new: int = 0
    changed: int = 0
    same: int = 0
    empty: int = 0
    left_out: int = 0
    """Number of rows that were not imported."""
    absent: int = 0
    """Number of the game's texts without a row in the file."""
    added: bool = False
    """True if the language is new to the game."""
    problems: list[Problem] = field(default_factory=list)


def read_returned_file(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned file, read by its suffix."""
    ending = name.rpartition(".")[2].lower()
    reader = _READERS.get(ending)
    if reader is None:
        known = ", ".join(_READERS)
        message = f"'.{ending}' is not a file for translators; these end in {known}"
        return ReturnedFile(problems=[Problem(Source(name), message, "file")])
    return reader(data, name)


def check_target_language(game: Game, language: str) -> str:
    """Return why nothing can be translated into a language; "" if something can."""
    if not loader.is_language_code(language):
        return f"'{language}' is not a language code; expected one such as fr or pt-BR"
    if language == game.languages[0]:
        return f"{language} is the game's own language; name another"
    if language in game.variants:
        return f"'{language}' is a variant of the game; give the variant another name"
    if language not in game.languages and len(game.languages) >= loader.MAX_LANGUAGES:
        return f"the game has {loader.MAX_LANGUAGES} languages, as many as there may be"
    return ""


def import_translations(
    game: Game, units: list[TextUnit], returned: ReturnedFile, register: TranslationRegister
) -> ImportResult:
    """Return the game's files with the texts of a returned file. Rows that cannot be imported are
    reported and left out."""
    return _TranslationImporter(game, units, returned, ImportResult(register)).import_all()


class _TranslationImporter:
    def __init__(
        self, game: Game, units: list[TextUnit], returned: ReturnedFile, taken: ImportResult
    ) -> None:
        self.game, self.returned, self.taken = game, returned, taken
        self.language, self.source = returned.language, game.languages[0]
        self.read_from = returned.source or self.source
        self.units = {unit.id: unit for unit in units}
        self.icons = tuple(game.icons)
        self.judge = ReturnedRowChecks(self.units, self.read_from, taken.register)
        self.wanted: dict[str, list[tuple[ReturnedRow, TextUnit, str]]] = {}

    def import_all(self) -> ImportResult:
        first_rows: dict[str, ReturnedRow] = {}
        for row in self.returned.rows:
            if row.id in first_rows:
                message = (
                    f"{row.id} is there twice; the first row counts, {first_rows[row.id].place}"
                )
                self._leave_out_row(row, message)
            else:
                first_rows.update({row.id: row} if row.id else {})
                self._import_row(row)
        self.taken.absent = sum(
            unit.id not in first_rows for unit in self.units.values()
            if unit.texts.get(self.read_from, "").strip()
        )  # fmt: skip
        if self.language not in self.game.languages:
            self.taken.added = (
                self._apply_edits(
                    game_folder.GAME_FILE, [ListAppend(("languages",), self.language)]
                )
                == []
            )
        for file, edits in self.wanted.items():
            self._edit_file(file, edits)
        return self.taken

    def _report_row(
        self, row: ReturnedRow, message: str, *, warning: bool = False, unit: TextUnit | None = None
    ) -> None:
        whose = Subject(unit.deck, unit.card, self.language) if unit else Subject()
        severity: Severity = "warning" if warning else "error"
        self.taken.problems.append(Problem(row.place, message, TRANSLATION_KIND, severity, whose))

    def _import_row(self, row: ReturnedRow) -> None:
        unit = self.units.get(row.id)
        if not row.text.strip() and not row.odd_kind:
            self.taken.empty += 1
        elif unit is None:
            self._leave_out_row(row, self.judge.describe_unknown_id(row))
        else:
            self._import_text(row, unit)

    def _import_text(self, row: ReturnedRow, unit: TextUnit) -> None:
        """Import the translation of a text that the game has."""
        source, current = unit.texts.get(self.read_from, ""), unit.texts.get(self.language, "")
        text = translation_rows.trim_translation(source, normalise_text(row.text))
        odd, moved = (
            self.judge.describe_odd_cell(row, unit),
            self.judge.describe_moved_row(row, unit),
        )
        if not odd and text.strip() == normalise_text(current).strip():
            self.taken.same += 1
            if not moved and self._is_reviewed(row, unit, current):
                self.taken.register.record_translation(
                    unit.id, self._find_row_source(row, unit), current
                )
            return
        wrong = [each for each in (odd, moved) if each] or translation_rows.find_translation_errors(
            source, text, self.icons
        )
        if wrong:
            self._leave_out_row(
                row, *(f"{unit.label} is left out: {each}" for each in wrong), unit=unit
            )
            return
        if self.judge.is_outdated(row, text, current):
            stays = self.judge.is_already_imported(row, text)
            self._report_outdated(row, unit, current, stays=stays)
            if stays:
                self.taken.left_out += 1
                return
        for message in translation_rows.find_translation_doubts(source, text):
            self._report_row(row, f"{unit.label}: {message}", warning=True, unit=unit)
        if normalise_text(row.source).strip() != normalise_text(source).strip():
            message = f"{unit.label}: its source was changed since the export; it counts as older"
            self._report_row(row, message, warning=True, unit=unit)
        ends = (
            source[len(source.rstrip("\n")) :]
            if not current
            else current[len(current.rstrip("\n")) :]
        )
        self.wanted.setdefault(unit.file, []).append((row, unit, text + ends))

    def _leave_out_row(
        self, row: ReturnedRow, *messages: str, unit: TextUnit | None = None
    ) -> None:
        self.taken.left_out += 1
        for message in messages:
            self._report_row(row, message, unit=unit)

    def _report_outdated(
        self, row: ReturnedRow, unit: TextUnit, current: str, *, stays: bool
    ) -> None:
        """Warn that the game's translation is newer than the exported one."""
        ours, theirs = normalise_text(current), normalise_text(row.text)
        both = f"the game says {format_value(ours)}, the file {format_value(theirs)}"
        comes = "the game's stays" if stays else "the file's goes in"
        message = f"{unit.label}: the game's text was changed since the export: {both}; {comes}"
        self._report_row(row, message, warning=True, unit=unit)

    def _is_reviewed(self, row: ReturnedRow, unit: TextUnit, current: str) -> bool:
        """Return whether somebody reviewed an unchanged translation: its row no longer says that it
        is older."""
        now = translation_status.compute_state(
            unit, self.source, self.language, self.taken.register
        )
        noted = self.taken.register.find_source(unit.id, current)
        if now == translation_status.OLDER or (
            noted is None and row.state == translation_status.OLDER
        ):
            return row.state == translation_status.DONE
        return noted is None or noted != normalise_text(self._find_row_source(row, unit))

    def _find_row_source(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return the source of a translation, in the game's first language if that still matches
        the file."""
        now = normalise_text(unit.texts.get(self.read_from, "")).strip()
        return (
            unit.texts.get(self.source, "")
            if normalise_text(row.source).strip() == now
            else row.source
        )

    def _edit_file(self, file: str, entries: list[tuple[ReturnedRow, TextUnit, str]]) -> None:
        """Put texts into a file of the game."""
        of_cards = [each for each in entries if each[1].path]
        edits: list[YamlChange] = [
            TextEdit(unit.path, self.language, text, self.source) for _, unit, text in of_cards
        ]
        left = {id(edit) for edit in self._apply_edits(file, edits)}
        failed = [each for each, edit in zip(of_cards, edits, strict=True) if id(edit) in left]
        for row, unit, _ in failed:
            message = (
                f"{unit.label}: it cannot be written at {unit.source} without touching more; "
                "write it there by hand"
            )
            self._leave_out_row(row, message, unit=unit)
        rest = [each for each in entries if not each[1].path]
        refused = self._edit_table(file, rest) if rest else []
        for row, unit, text in entries:
            if (row, unit, text) not in failed and unit.id not in refused:
                self.taken.register.record_translation(
                    unit.id, self._find_row_source(row, unit), text
                )
                self.taken.changed += self.language in unit.texts
                self.taken.new += self.language not in unit.texts

    def _edit_table(self, file: str, entries: list[tuple[ReturnedRow, TextUnit, str]]) -> list[str]:
        """Put texts into a table. Return the ids of those that could not be placed."""
        text, error = game_files.read_text(self.game.root, file)
        placed = {unit.id: (unit, new_text) for _, unit, new_text in entries}
        if error or not file.endswith((".csv", ".tsv")):
            made, refused = text, list(placed)
        else:
            made, refused = csv_edits.edit_csv(self.game, file, text, self.language, placed)
        if made != text:
            self.taken.files[file] = made
        for row, unit, _ in entries:
            if unit.id in refused:
                column = f"{unit.label}.{self.language}"
                message = (
                    f"{unit.label}: it is left out, since {unit.source.path} is not a file that is "
                    f"written here; put it into the column {column} there"
                )
                self._leave_out_row(row, message, unit=unit)
        return refused

    def _apply_edits(self, file: str, changes: list[YamlChange]) -> list[YamlChange]:
        """Apply edits to a file. Return those that failed."""
        if not changes:
            return []
        text = self.taken.files.get(file)
        if text is None:
            text, why = game_files.read_text(self.game.root, file)
            if why:
                self.taken.problems.append(Problem(Source(file), f"the file {why}", "file"))
                return changes
        try:
            made, left = yaml_edits.apply_changes(text, file, changes)
        except LimitExceededError as error:
            self.taken.problems.append(Problem(Source(file), str(error), "bounds"))
            return changes
        if made != text:
            self.taken.files[file] = made
        return left


def count_unsaved_rows(
    game: Game, units: Iterable[TextUnit], returned: ReturnedFile, register: TranslationRegister
) -> int:
    """Return the number of rows that were written since the export and are not in the game."""
    known = {unit.id: unit for unit in units}
    return sum(
        _is_unsaved_row(row, known.get(row.id), game.languages[0], returned, register)
        for row in returned.rows
    )


def _is_unsaved_row(
    row: ReturnedRow,
    unit: TextUnit | None,
    source: str,
    returned: ReturnedFile,
    register: TranslationRegister,
) -> bool:
    if not row.text.strip():
        return bool(row.odd_kind)
    current = unit.texts.get(returned.language, "") if unit else ""
    if normalise_text(row.text).strip() != normalise_text(current).strip():
        noted = register.entries.get(row.id)
        taken_in = noted is not None and noted.digest == hash_text(row.text)
        return not taken_in and make_mark(row.text) != row.sent_mark
    if unit is None or row.state != translation_status.DONE:
        return False
    original = unit.texts.get(returned.source or source, "")
    is_older = (
        translation_status.compute_state(unit, source, returned.language, register)
        == translation_status.OLDER
    )
    return is_older and normalise_text(row.source).strip() == normalise_text(original).strip()
