"""What the columns of a spreadsheet are, guessed from their headings and from their cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cardgen.base.units import is_whole
from cardgen.game.deck_keys import RESERVED
from cardgen.game.decks import FUNCTIONS
from cardgen.game.fields import LIST_SIGN
from cardgen.game.ids import id_of, wrong_id
from cardgen.game.looks.catalogue import Look
from cardgen.game.starting import columns as of_sheets
from cardgen.game.starting import headings, kinds, placing
from cardgen.game.starting.columns import Column, Sheet
from cardgen.game.starting.kinds import Declared
from cardgen.game.starting.placing import Known
from cardgen.game.table_rows import NAMELESS, column_of
from cardgen.game.tables import IGNORED

_COPIES = frozenset(map(str, range(101)))
"""Columns with more count something else than copies."""
_TOTALS = frozenset({"total", "totals", "sum", "yhteensä", "summa", "итого", "всего", "summe"})
_MOST_SHOWN = 6
_LONGEST_SHOWN = 40
_LONGEST_NAME = 40


@dataclass
class Guess:
    """A deck's `fields`, `columns` and `places`; the game's languages; the choice that tells kinds
    of cards apart, and its values; what fields are called whose names do not say it; a field of
    pictures' names, or ""; whether each card has a name of its own; how many cards there are with
    copies; and what to tell of how it all came about. `refused` says why there is no such game; ""
    when there is one."""

    fields: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    sorts: tuple[str, Sequence[str]] = ("", ())
    words: dict[str, str] = field(default_factory=dict)
    pictures: str = ""
    named: bool = False
    pieces: int = 0
    told: list[str] = field(default_factory=list)
    refused: str = ""


@dataclass
class _Field:
    """What becomes a field: its columns, one, or one for each language; what the deck says of it,
    and what parts the values of a list."""

    columns: Sequence[Column]
    role: str
    said: Declared = ""
    split: str = ""
    name: str = ""

    @property
    def heading(self) -> str:
        return _shown(self.columns[0].heading)

    @property
    def kind(self) -> str:
        return kinds.name_of(self.said)

    def known(self, count: int) -> Known:
        """What matters to where it may stand, in a table of so many cards."""
        texts = [text for column in self.columns for text in column.texts]
        if self.kind == "list":
            sign = self.split or LIST_SIGN
            texts = [part.strip() for text in texts for part in text.split(sign) if part.strip()]
        rank = headings.rank_of(self.columns[0].base)
        full = all(len(column.cells) == count for column in self.columns)
        return Known(self.name, self.kind, self.role, rank, texts, full)


def guessed(sheet: Sheet, look: Look, asked: Sequence[str]) -> Guess:
    """What a table is, for a deck with a look, in the languages that are asked for, if any are."""
    guess = Guess()
    columns = of_sheets.with_languages(sheet.columns, asked)
    columns = _in_languages(columns, asked, guess)
    if guess.refused:
        return guess
    columns = _without_own(columns, sheet.count, guess)
    fields = _declared(columns, guess)
    _name(fields, sheet.count)
    _place(fields, sheet.count, look, guess)
    for each in fields:
        _write(each, guess)
    _leave_out(sheet, guess)
    _tell_totals(sheet, guess)
    return guess


def _tell_totals(sheet: Sheet, guess: Guess) -> None:
    """Rows that are no cards, by a word that no card is called."""
    for column in sheet.columns:
        for text in column.texts:
            if headings.plain(text) in _TOTALS:
                guess.told.append(f"the row of '{_shown(text)}' is a card, too; delete it if not")


# -- languages


def _in_languages(columns: Sequence[Column], asked: Sequence[str], guess: Guess) -> list[Column]:
    """The columns in the languages of the game; the others are left out, and told."""
    there = list(dict.fromkeys(column.language for column in columns if column.language))
    if not there:
        guess.languages = tuple(asked) or (of_sheets.main_language(columns),)
        if len(guess.languages) > 1:
            other = guess.languages[-1]
            guess.told.append(
                f"the same words are printed in every language; with columns such as Name "
                f"({other.upper()}) beside Name, each has its own"
            )
        if not asked and guess.languages != ("en",):
            guess.told.append(
                f"its language is taken for '{guess.languages[0]}'; --lang says which"
            )
        return list(columns)
    lacking = [code for code in asked if code not in there]
    if lacking:
        guess.refused = f"it has no column in {', '.join(lacking)}; it has {', '.join(there)}"
        return []
    guess.languages = tuple(_whole(columns, asked or there, guess))
    kept = [column for column in columns if _stays(column, columns, guess.languages)]
    left_out = [column for column in columns if column not in kept]
    guess.columns |= {column.heading: IGNORED for column in left_out}
    if [column for column in left_out if column.language in guess.languages]:
        listed = _listed(dict.fromkeys(c.heading for c in left_out if c.within))
        guess.told.append(f"left out, since not all of its languages are in the game: {listed}")
    return kept


def _whole(columns: Sequence[Column], wanted: Sequence[str], guess: Guess) -> list[str]:
    """Those of the languages in which no text is missing, or that in which the fewest are."""
    lacking = {code: of_sheets.gaps(columns, code) for code in wanted}
    whole = [code for code in wanted if not lacking[code]]
    kept = whole or [min(wanted, key=lambda code: lacking[code])]
    for code in wanted:
        if code not in kept:
            texts = "1 text is" if lacking[code] == 1 else f"{lacking[code]} texts are"
            guess.told.append(
                f"'{code}' is left out, since {texts} missing in it; later put it into languages: "
                "of game.yaml, and its columns into columns:"
            )
    return kept


def _stays(column: Column, columns: Sequence[Column], languages: Collection[str]) -> bool:
    """Whether a column is in the game: one of a language of it; all of them, where they stand in
    one value."""
    if not column.within:
        return not column.language or column.language in languages
    same = {other.language for other in columns if other.heading == column.heading}
    return same == set(languages)


# -- copies and ids


def _without_own(columns: Sequence[Column], count: int, guess: Guess) -> list[Column]:
    """The columns that are fields: all but those for copies and ids, which every card has."""
    copies = next(filter(_are_copies, columns), None)
    ids = next(filter(_are_ids, columns), None)
    for column, name in ((copies, "copies"), (ids, "id")):
        if column is not None and column.heading != name:
            guess.columns[column.heading] = name
    said = [int(text) for text in copies.texts] if copies else []
    guess.pieces = sum(said) + count - len(said)
    if copies:
        cards = f"{guess.pieces} cards with all copies"
        guess.told.append(f"how many copies: {_shown(copies.heading)}; {cards}")
    return [column for column in columns if column not in (copies, ids)]


def _are_copies(column: Column) -> bool:
    """A column of copies: few enough of each to print."""
    return (
        column.role == "copies"
        and bool(column.cells)
        and not column.language
        and all(text in _COPIES for text in column.texts)
        and all(cell.value is None or is_whole(cell.value.value) for cell in column.cells.values())
    )


def _are_ids(column: Column) -> bool:
    texts = column.texts
    return (
        column.role == "id"
        and bool(texts)
        and not column.language
        and len(set(texts)) == len(texts)
        and not any(map(wrong_id, texts))
    )


# -- fields


def _declared(columns: Sequence[Column], guess: Guess) -> list[_Field]:
    """The fields, each with its type; columns of which none can be made are left out."""
    found = []
    for group in of_sheets.grouped(columns).values():
        each = _Field(group, group[0].role)
        if group[0].language:
            each.said = "text"
            if len(group) == 1 and not group[0].within and kinds.are_signs(group[0].texts):
                each.columns, each.said = [replace(group[0], language="")], "string"
        elif group[0].cells or each.role:
            several = len(guess.languages) > 1
            each.said, each.split = kinds.declared(group[0], each.role, several)
            signs = group[0].texts if each.said == "string" and not several else ()
            if shown := next((text for text in signs if kinds.are_signs([text])), ""):
                guess.told.append(f"{each.heading}: without bold and icons, for '{_shown(shown)}'")
            if not each.said:
                guess.columns[group[0].heading] = IGNORED
                guess.told.append(f"left out, since its values are no field's: {each.heading}")
        if each.said:
            found.append(each)
    return found


def _name(fields: Sequence[_Field], count: int) -> None:
    """Give each a name. What cards are called is `name`: ids are made of it."""
    words = [each for each in fields if each.kind in ("text", "string")]
    titles = [each for each in words if each.role == "title"]
    titles.sort(key=lambda each: headings.rank_of(each.columns[0].base))
    if not titles:
        known = {id(each): each.known(count) for each in words}
        free = [each for each in words if placing.may_be_a_name(known[id(each)])]
        titles = sorted(free, key=lambda each: placing.like_a_name(known[id(each)]))
    taken: set[str] = set()
    for each in titles[:1]:
        each.name, each.role = "name", "title"
        taken.add("name")
    for number, each in enumerate(fields, start=1):
        if not each.name:
            each.name = _free_name(each, number, taken)
            taken.add(each.name)


def _free_name(each: _Field, number: int, taken: Collection[str]) -> str:
    stem = id_of(each.columns[0].base, ())[:_LONGEST_NAME].strip("-").replace("-", "_")
    if each.role == "picture" and each.columns[0].cells and not stem.endswith("file"):
        stem = f"{stem}_file"  # no place takes it by that name: its files are not there yet
    if not stem or stem[0].isdigit():
        stem = f"column_{stem or number}"
    if stem in RESERVED or stem in FUNCTIONS:
        stem = f"card_{stem}"
    name, again = stem, 1
    while name in taken:
        again += 1
        name = f"{stem}_{again}"
    return name


# -- places


def _place(fields: Sequence[_Field], count: int, look: Look, guess: Guess) -> None:
    """Which field goes into which place of the look; the rest is told as not shown."""
    pictures = [each for each in fields if each.role == "picture" and each.columns[0].cells]
    guess.pictures = pictures[0].name if pictures else ""
    free = [each.known(count) for each in fields if each not in pictures]
    places = placing.placed(free, look)
    guess.places = places.taken
    called = {each.name: each for each in fields}
    on_card = [f"{_listed(called[name].heading for name in _names(taken))} ({place})"
               for place, taken in places.taken.items() if taken]  # fmt: skip
    guess.told.insert(0, f"on the cards: {', '.join(on_card)}" if on_card else "no place was found")
    hidden = [each for each in fields if not any(
        each.name in _names(taken) for taken in places.taken.values())]  # fmt: skip
    for each in hidden:
        options = each.said if isinstance(each.said, Mapping) else {"type": each.said}
        each.said = {**options, "printed": False}
    listed = [each.heading for each in hidden if each not in pictures and each.columns[0].cells]
    if listed:
        guess.told.append(f"not on the cards: {_listed(listed)}; places: gives them room")
    if pictures:
        guess.told.append(
            f"{pictures[0].heading} names pictures: put those into art/, then write "
            f"'picture: {guess.pictures}' under places:"
        )
    _tell_kinds(fields, count, guess)


def _tell_kinds(fields: Sequence[_Field], count: int, guess: Guess) -> None:
    """What of the fields concerns the whole game: the choice that tells cards apart, the names."""
    choices = [each for each in fields if each.kind == "choice"]
    choices.sort(key=lambda each: each.role != "type")
    for each in choices[:1]:
        assert isinstance(each.said, Mapping)
        guess.sorts = (each.name, each.said["of"])
    several = [name for taken in guess.places.values() if isinstance(taken, list) for name in taken]
    for each in fields:
        spelt = each.name.replace("_", " ").capitalize()
        if each.name in several and spelt != each.heading.capitalize():
            guess.words[each.name] = each.heading
        if each.role == "title" and each.name == "name" and each.known(count).full:
            each.said = {"type": each.kind, "required": True}
            guess.named = all(len(set(c.texts)) == len(c.texts) for c in each.columns)


def _names(taken: str | list[str] | None) -> list[str]:
    return taken if isinstance(taken, list) else [taken] if taken else []


# -- what is written


def _write(each: _Field, guess: Guess) -> None:
    """A field's declaration, and its columns where they are called otherwise."""
    guess.fields[each.name] = each.said
    for column in each.columns:
        parted = column.language and not column.within
        name = f"{each.name}.{column.language}" if parted else each.name
        if each.split:
            guess.columns[column.heading] = {"field": name, "split": each.split}
        elif column_of(column.heading, {}, {each.name}).field != name:
            guess.columns[column.heading] = name


def _leave_out(sheet: Sheet, guess: Guess) -> None:
    for heading in sheet.doubled:
        guess.columns[heading] = IGNORED
        guess.told.append(f"left out, since it stands over several columns: {_shown(heading)}")
    if sheet.nameless:
        guess.columns[NAMELESS] = IGNORED
        guess.told.append(f"left out, since no heading stands over it: {_listed(sheet.nameless)}")


def _listed(words: Iterable[str]) -> str:
    (*shown,) = map(_shown, words)
    more = f" and {len(shown) - _MOST_SHOWN} more" if len(shown) > _MOST_SHOWN else ""
    return ", ".join(shown[:_MOST_SHOWN]) + more


def _shown(words: str) -> str:
    """What stands in a cell, on one line and short."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"
