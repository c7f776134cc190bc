"""Import of returned translations into a game's files, and the checks of returned rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.core import yaml_edits
from cardgen.core.problems import Problem, Severity, Source, Subject, find_closest, format_value
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_edits import ListAppend, TextEdit, ValueEdit, YamlChange
from cardgen.game import game_folder, loader, sheet_scan, table_cells
from cardgen.game.model import Game
from cardgen.runtime import game_files
from cardgen.translation import (
    csv_edits,
    po_format,
    text_formats,
    translation_rows,
    xliff_format,
)
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_rows import FUZZY, ReturnedFile, ReturnedRow, TranslationSheet
from cardgen.translation.translation_status import (
    DONE,
    OLDER,
    PROPOSED,
    TranslationRegister,
    compute_state,
    hash_text,
    make_mark,
    normalise_text,
    strip_text,
)

_PLAIN_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
MAX_NEAR_UNITS = 50
"""Number of unknown ids for which the nearest id is searched, which is slow."""
MIN_SIMILARITY = 0.8
_ODD_CELL_NOUNS = {
    table_cells.DATE: "a date",
    table_cells.NUMBER: "a number",
    table_cells.TRUTH: "true or false",
}
MAX_FILE_BYTES = 50_000_000
TRANSLATION_KIND = "translation"
WRITERS: Mapping[str, Callable[[TranslationSheet], bytes]] = {
    "xlsx": text_formats.write_xlsx, "csv": text_formats.write_csv, "po": po_format.write_po,
    "xlf": xliff_format.write_xliff,
}  # fmt: skip
"""Functions that write a file for translators, by suffix."""
_READERS: Mapping[str, Callable[[bytes, str], ReturnedFile]] = {
    "xlsx": text_formats.read_xlsx, "ods": text_formats.read_xlsx, "csv": text_formats.read_csv,
    "po": po_format.read_po, "xlf": xliff_format.read_xliff, "xliff": xliff_format.read_xliff,
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
    proposed: int = 0
    """Number of texts with a proposal that is kept and not printed."""
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
    if wrong := loader.check_language_folder(language, game.languages):
        return wrong
    if language == game.languages[0]:
        return f"{language} is the game's own language; name another"
    if language in game.variants:
        return f"'{language}' is a variant of the game; give the variant another name"
    if language not in game.languages and len(game.languages) >= loader.MAX_LANGUAGES:
        return f"the game has {loader.MAX_LANGUAGES} languages, as many as there may be"
    return ""


def import_translations(
    game: Game, units: Iterable[TextUnit], returned: ReturnedFile, register: TranslationRegister
) -> ImportResult:
    """Return the game's files with the texts of a returned file. Rows that cannot be imported are
    reported and left out."""
    return _TranslationImporter(game, units, returned, register).import_all()


def count_unsaved_rows(
    game: Game, units: Iterable[TextUnit], returned: ReturnedFile, register: TranslationRegister
) -> int:
    """Return the number of rows that were written since the export and are not in the game."""
    importer = _TranslationImporter(game, units, returned, register)
    return sum(map(importer.is_unsaved, returned.rows))


@dataclass(frozen=True)
class _NewText:
    """A text of the game with the translation that it gets, and its row."""

    row: ReturnedRow
    unit: TextUnit
    text: str


class _TranslationImporter:
    """Import of one returned file.

    `own` is the game's first language, `source` the one from which the file was translated.
    """

    def __init__(
        self,
        game: Game,
        units: Iterable[TextUnit],
        returned: ReturnedFile,
        register: TranslationRegister,
    ) -> None:
        self.game, self.returned, self.register = game, returned, register
        self.result = ImportResult(register)
        self.language, self.own = returned.language, game.languages[0]
        self.source = returned.source or self.own
        self.units = {unit.id: unit for unit in units if unit.is_for(self.language)}
        self.ids_by_source: dict[str, list[str]] = {}
        for unit in self.units.values():
            self.ids_by_source.setdefault(self._get_source(unit), []).append(unit.id)
        self.searched_ids = 0
        self.new_texts: dict[str, list[_NewText]] = {}

    def import_all(self) -> ImportResult:
        first_rows: dict[str, ReturnedRow] = {}
        for row in self._list_rows():
            first = first_rows.setdefault(row.id, row) if row.id else row
            if first is row:
                self._import_row(row)
            else:
                message = f"{row.id} is there twice; the first row counts, {first.place}"
                self._leave_out_row(row, message)
        self.result.absent = sum(
            unit.id not in first_rows and self._get_source(unit) != ""
            for unit in self.units.values()
        )
        if self.language not in self.game.languages:
            new_language = ListAppend(("languages",), self.language)
            self.result.added = not self._apply_edits(game_folder.GAME_FILE, [new_language])
        for file, entries in self.new_texts.items():
            self._edit_file(file, entries)
        return self.result

    def _list_rows(self) -> Iterator[ReturnedRow]:
        """Yield the rows of the file, and those of the texts that a row stands for, too: they have
        its source, no row of their own, and still the translation that was exported."""
        with_row = {row.id for row in self.returned.rows}
        for row in self.returned.rows:
            source = strip_text(row.source)
            same_source = self.ids_by_source.get(source, []) if row.repeats > 1 and source else []
            unsaid = (each for each in same_source if each not in with_row)
            others = [each for each in unsaid if self._is_repeat(self.units[each], row)]
            is_gone = row.id not in self.units and others
            ids = others if is_gone else [row.id, *others]
            with_row.update(ids)
            yield from (replace(row, id=each) for each in ids)

    def _is_repeat(self, unit: TextUnit, row: ReturnedRow) -> bool:
        """Return whether a text still has the translation with which a row was exported."""
        if unit.category:
            return False
        current = unit.texts.get(self.language, "")
        return make_mark(current) in {row.sent_mark, make_mark(row.text)}

    def is_unsaved(self, row: ReturnedRow) -> bool:
        """Return whether a row was written since the export and is not in the game."""
        unit = self.units.get(row.id)
        if not row.text.strip():
            return bool(row.odd_kind)
        current = unit.texts.get(self.language, "") if unit else ""
        if unit and self._is_proposal(row, unit):
            proposal = self.register.find_proposal(unit.id, current)
            return proposal is None or strip_text(proposal.text) != strip_text(row.text)
        if strip_text(row.text) != strip_text(current):
            return not self._is_already_imported(row, row.text)
        if unit is None or row.state != DONE:
            return False
        is_older = compute_state(unit, self.own, self.language, self.register) == OLDER
        return is_older and strip_text(row.source) == self._get_source(unit)

    def _get_source(self, unit: TextUnit) -> str:
        return strip_text(unit.texts.get(self.source, ""))

    def _report_row(
        self, row: ReturnedRow, message: str, unit: TextUnit | None, *, warning: bool = True
    ) -> None:
        subject = Subject(unit.deck, unit.card, self.language) if unit else Subject()
        severity: Severity = "warning" if warning else "error"
        problem = Problem(row.place, message, TRANSLATION_KIND, severity, subject)
        self.result.problems.append(problem)

    def _leave_out_row(
        self, row: ReturnedRow, *messages: str, unit: TextUnit | None = None
    ) -> None:
        self.result.left_out += 1
        for message in messages:
            self._report_row(row, message, unit, warning=False)

    def _import_row(self, row: ReturnedRow) -> None:
        unit = self.units.get(row.id)
        if not row.text.strip() and not row.odd_kind:
            self.result.empty += 1
        elif unit is None:
            self._leave_out_row(row, self._describe_unknown_id(row))
        else:
            self._import_text(row, unit)

    def _import_text(self, row: ReturnedRow, unit: TextUnit) -> None:
        """Import the translation of a text that the game has."""
        source, current = unit.texts.get(self.source, ""), unit.texts.get(self.language, "")
        text = translation_rows.trim_translation(source, normalise_text(row.text))
        odd, moved = self._describe_odd_cell(row, unit), self._describe_moved_row(row, unit)
        if not odd and text.strip() == strip_text(current):
            self.result.same += 1
            if row.state == DONE:
                self.register.proposals.pop(unit.id, None)
            if not moved and self._is_reviewed(row, unit, current):
                self._record_translation(row, unit, current)
            elif row.state == FUZZY and self._count_as_older(unit, current):
                message = "it is marked as needing work; the game prints it, and it counts as older"
                self._report_row(row, f"{unit.label}: {message}", unit)
            return
        wrong = [each for each in (odd, moved) if each] or translation_rows.find_translation_errors(
            source, text, tuple(self.game.icons)
        )
        if wrong:
            messages = (f"{unit.label} is left out: {each}" for each in wrong)
            self._leave_out_row(row, *messages, unit=unit)
            return
        if self._is_proposal(row, unit):
            self.result.proposed += 1
            made_from = self._find_row_source(row, unit)
            self.register.record_proposal(unit.id, made_from, text, current)
            return
        if self._is_outdated(row, text, current):
            stays = self._is_already_imported(row, text)
            message = (
                f"the game's text was changed since the export: the game says "
                f"{format_value(normalise_text(current))}, the file "
                f"{format_value(normalise_text(row.text))}; "
                f"{'the game' if stays else 'the file'}'s {'stays' if stays else 'goes in'}"
            )
            self._report_row(row, f"{unit.label}: {message}", unit)
            if stays:
                self.result.left_out += 1
                return
        doubts = translation_rows.find_translation_doubts(source, text)
        if strip_text(row.source) != self._get_source(unit):
            doubts.append("its source was changed since the export; it counts as older")
        for message in doubts:
            self._report_row(row, f"{unit.label}: {message}", unit)
        model = current or source
        ends = model[len(model.rstrip("\n")) :]
        self.new_texts.setdefault(unit.file, []).append(_NewText(row, unit, text + ends))

    def _is_proposal(self, row: ReturnedRow, unit: TextUnit) -> bool:
        """Return whether nobody confirmed a row's translation. In a table, whose state has to be
        set by hand, a proposal that was changed is confirmed."""
        current = unit.texts.get(self.language, "")
        if row.state == FUZZY:
            return strip_text(row.text) != strip_text(current)
        proposal = self.register.find_proposal(unit.id, current)
        is_changed = proposal is not None and strip_text(row.text) != strip_text(proposal.text)
        return row.state == PROPOSED and not is_changed

    def _count_as_older(self, unit: TextUnit, current: str) -> bool:
        """Let a translation that needs work count as older. Return false if it did already."""
        state = compute_state(unit, self.own, self.language, self.register)
        if state in {OLDER, PROPOSED}:
            return False
        self.register.doubt_translation(unit.id, current)
        return True

    def _describe_unknown_id(self, row: ReturnedRow) -> str:
        """Return the message about a row whose id the game does not have."""
        if not row.id:
            return "the row has no id, so nobody knows which text it is; it is left out"
        intended = self._find_intended_id(row)
        if not intended:
            return f"the game has no text '{row.id}' any more; it is left out"
        return (
            f"the game has no text '{row.id}'; did you mean '{intended}'? was the Id column "
            "edited? it is left out"
        )

    def _find_intended_id(self, row: ReturnedRow) -> str:
        """Return the id that a row probably had: the one text with its source, or a near id; else
        ""."""
        source = strip_text(row.source)
        same_source = self.ids_by_source.get(source, []) if source else []
        if len(same_source) == 1:
            return same_source[0]
        self.searched_ids += 1
        if self.searched_ids > MAX_NEAR_UNITS:
            return ""
        return find_closest(row.id, same_source or self.units, MIN_SIMILARITY)

    def _describe_odd_cell(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return why the cell of a row holds no text; "" if it does, or if its source is a number,
        too."""
        if not row.odd_kind:
            return ""
        if row.odd_kind == sheet_scan.FORMULA:
            return "the cell is a formula, and the file holds no value of it; write it as text"
        if row.odd_kind not in _ODD_CELL_NOUNS:
            return f"the cell holds a formula that says {row.odd_kind}; write it as text"
        source = self._get_source(unit)
        is_number = row.odd_kind == table_cells.NUMBER and _PLAIN_NUMBER.match(source)
        if is_number and (row.text == source or float(source) != _parse_number(row.text)):
            return ""
        return (
            f"the spreadsheet made {_ODD_CELL_NOUNS[row.odd_kind]} of this, "
            f"{format_value(row.text)}; the source says {format_value(source)}; write it as text"
        )

    def _describe_moved_row(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return the message about a row with the source of another text; "" for all other rows."""
        source, noted = strip_text(row.source), self.register.entries.get(unit.id)
        own = {"", self._get_source(unit), noted.source.strip() if noted else ""}
        others = self.ids_by_source.get(source)
        if source in own or not others:
            return ""
        return f"its source is that of '{others[0]}', not of '{unit.id}'; was the id moved?"

    def _is_outdated(self, row: ReturnedRow, text: str, current: str) -> bool:
        """Return whether the game's translation changed since the export; for a row that does not
        tell, since its import."""
        if not row.sent_mark:
            return current.strip() != "" and self._was_imported(row, text)
        return current.strip() != "" and make_mark(current) != row.sent_mark

    def _is_already_imported(self, row: ReturnedRow, text: str) -> bool:
        """Return whether a row's translation was exported like this, or was imported before."""
        return make_mark(text) == row.sent_mark or self._was_imported(row, text)

    def _was_imported(self, row: ReturnedRow, text: str) -> bool:
        noted = self.register.entries.get(row.id)
        return noted is not None and noted.digest == hash_text(text)

    def _is_reviewed(self, row: ReturnedRow, unit: TextUnit, current: str) -> bool:
        """Return whether somebody reviewed an unchanged translation: its row no longer says that it
        is older."""
        state = compute_state(unit, self.own, self.language, self.register)
        noted = self.register.find_source(unit.id, current)
        if state == OLDER or row.state == FUZZY or (noted is None and row.state == OLDER):
            return row.state == DONE
        return noted is None or noted != normalise_text(self._find_row_source(row, unit))

    def _find_row_source(self, row: ReturnedRow, unit: TextUnit) -> str:
        """Return the source of a translation, in the game's first language if that still matches
        the file."""
        is_current = strip_text(row.source) == self._get_source(unit)
        return unit.texts.get(self.own, "") if is_current else row.source

    def _record_translation(self, row: ReturnedRow, unit: TextUnit, text: str) -> None:
        self.register.record_translation(unit.id, self._find_row_source(row, unit), text)

    def _edit_file(self, file: str, entries: list[_NewText]) -> None:
        """Put texts into a file of the game."""
        in_yaml = {each.unit.path: each for each in entries if each.unit.path}
        edits = [TextEdit(way, self.language, each.text, self.own) for way, each in in_yaml.items()]
        failed = [in_yaml[edit.path] for edit in self._apply_edits(file, edits)]
        forms = [each for each in failed if each.unit.category]  # that the source language lacks
        values = [ValueEdit(each.unit.path, {self.language: each.text}) for each in forms]
        failed = [each for each in failed if each not in forms]
        failed += [in_yaml[edit.path] for edit in self._apply_edits(file, values)]
        for each in failed:
            message = (
                f"{each.unit.label}: it cannot be written at {each.unit.source} without touching "
                "more; write it there by hand"
            )
            self._leave_out_row(each.row, message, unit=each.unit)
        failed += self._edit_table(file, [each for each in entries if not each.unit.path])
        refused = {each.unit.id for each in failed}
        for each in entries:
            if each.unit.id not in refused:
                self._record_translation(each.row, each.unit, each.text)
                self.result.changed += self.language in each.unit.texts
                self.result.new += self.language not in each.unit.texts

    def _edit_table(self, file: str, entries: list[_NewText]) -> list[_NewText]:
        """Put texts into a table. Return those that could not be placed."""
        if not entries:
            return []
        text, error = game_files.read_text(self.game.root, file)
        placed = {each.unit.id: (each.unit, each.text) for each in entries}
        refused = list(placed)
        if not error and file.endswith((".csv", ".tsv")):
            made, refused = csv_edits.edit_csv(self.game, file, text, self.language, placed)
            if made != text:
                self.result.files[file] = made
        failed = [each for each in entries if each.unit.id in refused]
        for each in failed:
            label = each.unit.label
            message = (
                f"{label}: it is left out, since {each.unit.source.path} is not a file that is "
                f"written here; put it into the column {label}.{self.language} there"
            )
            self._leave_out_row(each.row, message, unit=each.unit)
        return failed

    def _apply_edits(self, file: str, changes: Sequence[YamlChange]) -> Sequence[YamlChange]:
        """Apply edits to a file. Return those that failed."""
        if not changes:
            return []
        text, why = self.result.files.get(file), ""
        if text is None:
            text, why = game_files.read_text(self.game.root, file)
        if why:
            self.result.problems.append(Problem(Source(file), f"the file {why}", "file"))
            return changes
        try:
            made, left = yaml_edits.apply_changes(text, file, changes)
        except LimitExceededError as error:
            self.result.problems.append(Problem(Source(file), str(error), "bounds"))
            return changes
        if made != text:
            self.result.files[file] = made
        return left


def _parse_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
