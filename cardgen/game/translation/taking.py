"""What came back from translators, put into a game's files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cardgen.base import paths, yaml_edits
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Severity, Source, Subject, quoted
from cardgen.base.yaml_edits import Change, Edit, Entry
from cardgen.game import folder, loading
from cardgen.game.model import Game
from cardgen.game.translation import as_csv, as_po, as_xlsx, checks, csv_edits, states
from cardgen.game.translation.judging import Judge
from cardgen.game.translation.register import Register, plain
from cardgen.game.translation.rows import Back, Returned, Sheet
from cardgen.game.translation.units import Unit

MOST_BYTES = 50_000_000
KIND = "translation"
WRITERS: Mapping[str, Callable[[Sheet], bytes]] = {
    "xlsx": as_xlsx.written, "csv": as_csv.written, "po": as_po.written,
}  # fmt: skip
"""By the ending of a file."""
_READERS: Mapping[str, Callable[[bytes, str], Returned]] = {
    "xlsx": as_xlsx.read, "ods": as_xlsx.read, "csv": as_csv.read, "po": as_po.read,
}  # fmt: skip


@dataclass
class Taken:
    """What a file comes to: the game's files as they will be, by their paths; how many texts are
    new, others, or as they were; and what is wrong with single rows."""

    register: Register
    files: dict[str, str] = field(default_factory=dict)
    new: int = 0
    changed: int = 0
    same: int = 0
    empty: int = 0
    left: int = 0
    """Rows that were left out."""
    absent: int = 0
    """Texts of the game of which the file has no row."""
    added: bool = False
    """Whether the language is a new one of the game."""
    problems: list[Problem] = field(default_factory=list)


def read(data: bytes, name: str) -> Returned:
    """What a file says that came back, by its ending."""
    ending = name.rpartition(".")[2].lower()
    reader = _READERS.get(ending)
    if reader is None:
        known = ", ".join(_READERS)
        message = f"'.{ending}' is no file of texts; they end in {known}"
        return Returned(problems=[Problem(Source(name), message, "file")])
    return reader(data, name)


def wrong_language(game: Game, language: str) -> str:
    """Why nothing can be translated into a language; "" where it can."""
    if not loading.is_language(language):
        return f"'{language}' is no code of a language, such as fr or pt-BR"
    if language == game.languages[0]:
        return f"{language} is what the game is written in; another language is asked for"
    if language in game.variants:
        return f"'{language}' is a variant of the game; give the variant another name"
    if language not in game.languages and len(game.languages) >= loading.MOST_LANGUAGES:
        return f"the game has {loading.MOST_LANGUAGES} languages, as many as there may be"
    return ""


def take(game: Game, units: list[Unit], returned: Returned, register: Register) -> Taken:
    """The game's files with the texts of a file that came back. What cannot be taken is told at its
    row, and the rest goes in."""
    return _Taking(game, units, returned, Taken(register)).all()


class _Taking:
    def __init__(self, game: Game, units: list[Unit], returned: Returned, taken: Taken) -> None:
        self.game, self.returned, self.taken = game, returned, taken
        self.language, self.source = returned.language, game.languages[0]
        self.read_from = returned.source or self.source
        self.units = {unit.id: unit for unit in units}
        self.icons = tuple(game.icons)
        self.judge = Judge(self.units, self.read_from, taken.register)
        self.wanted: dict[str, list[tuple[Back, Unit, str]]] = {}

    def all(self) -> Taken:
        seen: dict[str, Back] = {}
        for row in self.returned.rows:
            if row.id in seen:
                message = f"{row.id} stands twice; the first counts, {seen[row.id].at}"
                self._leave_out(row, message)
            else:
                seen.update({row.id: row} if row.id else {})
                self._row(row)
        self.taken.absent = sum(
            unit.id not in seen for unit in self.units.values()
            if unit.said.get(self.read_from, "").strip()
        )  # fmt: skip
        if self.language not in self.game.languages:
            self.taken.added = self._put(folder.FILE, [Entry(("languages",), self.language)]) == []
        for file, wanted in self.wanted.items():
            self._into(file, wanted)
        return self.taken

    def _tell(
        self, row: Back, message: str, *, warning: bool = False, unit: Unit | None = None
    ) -> None:
        whose = Subject(unit.deck, unit.card, self.language) if unit else Subject()
        severity: Severity = "warning" if warning else "error"
        self.taken.problems.append(Problem(row.at, message, KIND, severity, whose))

    def _row(self, row: Back) -> None:
        unit = self.units.get(row.id)
        if not row.text.strip() and not row.odd:
            self.taken.empty += 1
        elif unit is None:
            self._leave_out(row, self.judge.unknown(row))
        else:
            self._text(row, unit)

    def _text(self, row: Back, unit: Unit) -> None:
        """Take the translation of a text that the game has."""
        source, was = unit.said.get(self.read_from, ""), unit.said.get(self.language, "")
        text = checks.trimmed(source, plain(row.text))
        odd, moved = self.judge.odd(row, unit), self.judge.moved(row, unit)
        if not odd and text.strip() == plain(was).strip():
            self.taken.same += 1
            if not moved and self._is_looked_at(row, unit, was):
                self.taken.register.note(unit.id, self._made_from(row, unit), was)
            return
        wrong = [each for each in (odd, moved) if each] or checks.wrong(
            source, text, self.icons, in_table=not unit.way
        )
        if wrong:
            self._leave_out(row, *(f"{unit.what} is left out: {each}" for each in wrong), unit=unit)
            return
        if self.judge.is_behind(row, text, was):
            stays = self.judge.is_done_with(row, text)
            self._tell_behind(row, unit, was, stays=stays)
            if stays:
                self.taken.left += 1
                return
        for message in checks.doubtful(source, text):
            self._tell(row, f"{unit.what}: {message}", warning=True, unit=unit)
        if plain(row.source).strip() != plain(source).strip():
            message = f"{unit.what}: its source was changed since the export; it counts as older"
            self._tell(row, message, warning=True, unit=unit)
        ends = source[len(source.rstrip("\n")) :] if not was else was[len(was.rstrip("\n")) :]
        self.wanted.setdefault(unit.file, []).append((row, unit, text + ends))

    def _leave_out(self, row: Back, *messages: str, unit: Unit | None = None) -> None:
        self.taken.left += 1
        for message in messages:
            self._tell(row, message, unit=unit)

    def _tell_behind(self, row: Back, unit: Unit, was: str, *, stays: bool) -> None:
        """That the game says something newer than what went out with the file."""
        both = f"the game says {quoted(plain(was))}, the file {quoted(plain(row.text))}"
        comes = "the game's stays" if stays else "the file's goes in"
        message = f"{unit.what}: the game's text was changed since the export: {both}; {comes}"
        self._tell(row, message, warning=True, unit=unit)

    def _is_looked_at(self, row: Back, unit: Unit, was: str) -> bool:
        """Whether somebody looked at a text that stays as it is: what was older is so no more when
        its row says so."""
        now = states.of(unit, self.source, self.language, self.taken.register)
        noted = self.taken.register.made_from(unit.id, was)
        if now == states.OLDER or (noted is None and row.state == states.OLDER):
            return row.state == states.DONE
        return noted is None or noted != plain(self._made_from(row, unit))

    def _made_from(self, row: Back, unit: Unit) -> str:
        """What a translation was made from, in the first language as long as it stands for what was
        read."""
        now = plain(unit.said.get(self.read_from, "")).strip()
        return unit.said.get(self.source, "") if plain(row.source).strip() == now else row.source

    def _into(self, file: str, wanted: list[tuple[Back, Unit, str]]) -> None:
        """Put the texts of a file into it."""
        of_cards = [each for each in wanted if each[1].way]
        edits: list[Change] = [
            Edit(unit.way, self.language, text, self.source) for _, unit, text in of_cards
        ]
        left = {id(edit) for edit in self._put(file, edits)}
        failed = [each for each, edit in zip(of_cards, edits, strict=True) if id(edit) in left]
        for row, unit, _ in failed:
            message = (
                f"{unit.what}: it cannot be written at {unit.source} without touching more; "
                "write it there by hand"
            )
            self._leave_out(row, message, unit=unit)
        rest = [each for each in wanted if not each[1].way]
        refused = self._into_table(file, rest) if rest else []
        for row, unit, text in wanted:
            if (row, unit, text) not in failed and unit.id not in refused:
                self.taken.register.note(unit.id, self._made_from(row, unit), text)
                self.taken.changed += self.language in unit.said
                self.taken.new += self.language not in unit.said

    def _into_table(self, file: str, wanted: list[tuple[Back, Unit, str]]) -> list[str]:
        """Put texts into a table; the ids of those that could not be."""
        text, why = paths.read_text(self.game.root, file)
        placed = {unit.id: (unit, said) for _, unit, said in wanted}
        if why or not file.endswith((".csv", ".tsv")):
            made, refused = text, list(placed)
        else:
            made, refused = csv_edits.edited(self.game, file, text, self.language, placed)
        if made != text:
            self.taken.files[file] = made
        for row, unit, _ in wanted:
            if unit.id in refused:
                column = f"{unit.what}.{self.language}"
                message = (
                    f"{unit.what}: it is left out, since {unit.source.path} is no file that is "
                    f"written here; put it into the column {column} there"
                )
                self._leave_out(row, message, unit=unit)
        return refused

    def _put(self, file: str, changes: list[Change]) -> list[Change]:
        """Make changes in a file; those that could not be made."""
        if not changes:
            return []
        text = self.taken.files.get(file)
        if text is None:
            text, why = paths.read_text(self.game.root, file)
            if why:
                self.taken.problems.append(Problem(Source(file), f"the file {why}", "file"))
                return changes
        try:
            made, left = yaml_edits.edited(text, file, changes)
        except Stopped as error:
            self.taken.problems.append(Problem(Source(file), str(error), "bounds"))
            return changes
        if made != text:
            self.taken.files[file] = made
        return left
