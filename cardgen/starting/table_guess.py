"""Fields of a deck guessed from a spreadsheet: names, types, languages and places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.core.problems import summarise
from cardgen.core.units import is_integer
from cardgen.game import heading_words
from cardgen.game.card_ids import check_id, make_id
from cardgen.game.card_tables import UNDECIDED_WORD
from cardgen.game.deck_files import EXPRESSION_FUNCTIONS
from cardgen.game.deck_keys import CARD_KEYS
from cardgen.game.field_types import LIST_SEPARATOR
from cardgen.game.heading_words import rank_heading
from cardgen.game.markup import ICON_TOKEN
from cardgen.game.number_formats import is_count_like, parse_copies, parse_number
from cardgen.game.table_rows import match_column
from cardgen.looks.look_catalogue import Look
from cardgen.starting import place_guess, table_columns, type_guess
from cardgen.starting.place_guess import PlaceCandidate
from cardgen.starting.table_columns import SourceColumn, SourceSheet
from cardgen.starting.type_guess import Declaration, is_majority

_COPY_COUNTS = frozenset(map(str, range(101)))
"""Columns with larger numbers count something else than copies."""
_MAX_LIKELY_COPIES, _MIN_NUMBERED_ROWS = 20, 5
"""Where a heading leaves it open: the most copies of a card, and the rows from which numbers that
all differ are no copies."""
_MAX_LISTED_CELLS = 6
_MAX_CELL_CHARS = 40
_MAX_NAME_CHARS = 40


@dataclass
class TableGuess:
    """What a table becomes: keys of the deck's file and of game.yaml, and messages about the
    guesses.

    `kind_choice` is the choice that tells kinds of cards apart, with its values. `words` are labels
    of fields whose names do not say enough. `refusal` says why there is no game, "" where there is
    one.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    kind_choice: tuple[str, Sequence[str]] = ("", ())
    words: dict[str, str] = field(default_factory=dict)
    picture_field: str = ""
    has_fallback: bool = False
    """True where texts are missing in a language."""
    icons: dict[str, None] = field(default_factory=dict)
    """The icons that texts name."""
    has_unique_names: bool = False
    has_guessed_language: bool = False
    """True where no heading names a language, and nor does the user."""
    copies_heading: str = ""
    messages: list[str] = field(default_factory=list)
    refusal: str = ""


@dataclass
class _FieldGuess:
    """A field: its columns, one or one for each language, its declaration, and a list's
    separator.
    """

    columns: Sequence[SourceColumn]
    role: str
    declaration: Declaration = ""
    separator: str = ""
    name: str = ""

    @property
    def heading(self) -> str:
        return _shorten(self.columns[0].heading)

    @property
    def kind(self) -> str:
        return type_guess.get_type_name(self.declaration)

    def create_candidate(self, count: int) -> PlaceCandidate:
        """Return the field as a candidate for places, in a table of `count` cards."""
        texts = [text for column in self.columns for text in column.texts]
        if self.kind == "list":
            sign = self.separator or LIST_SEPARATOR
            texts = [part.strip() for text in texts for part in text.split(sign) if part.strip()]
        rank = rank_heading(self.columns[0].base_heading)
        full = all(len(column.cells) == count for column in self.columns)
        return PlaceCandidate(self.name, self.kind, self.role, rank, texts, full)


def guess_table(sheet: SourceSheet, look: Look, asked: Sequence[str]) -> TableGuess:
    """Return what a table is for a deck with this look. `asked` are languages that the user
    names.
    """
    guess = TableGuess()
    columns = table_columns.assign_languages(sheet.columns, asked)
    columns = _select_languages(columns, asked, guess)
    if guess.refusal:
        return guess
    columns = _remove_built_ins(columns, guess)
    fields = _declare_fields(columns, guess)
    _name_fields(fields, sheet.card_count)
    _place_fields(fields, sheet.card_count, look, guess)
    for each in fields:
        _write_field(each, guess)
    if guess.icons:
        files = _join_cells(f"{name}.svg" for name in guess.icons)
        guess.messages.append(f"texts name icons; draw them as art/icons/{files}")
    _ignore_columns(sheet, guess)
    return guess


# -- languages


def _select_languages(
    columns: Sequence[SourceColumn], asked: Sequence[str], guess: TableGuess
) -> list[SourceColumn]:
    """Return the columns in the languages of the game; ignore and report the others."""
    there = list(dict.fromkeys(column.language for column in columns if column.language))
    if not there:
        guess.languages = tuple(asked) or (table_columns.guess_language(columns),)
        guess.has_guessed_language = not asked
        if len(guess.languages) > 1:
            other = guess.languages[-1]
            guess.messages.append(
                f"the same words are printed in every language; with columns such as Name "
                f"({other.upper()}) beside Name, each has its own"
            )
        if not asked and guess.languages != ("en",):
            guess.messages.append(
                f"its language is taken for '{guess.languages[0]}'; --lang says which"
            )
        return list(columns)
    lacking = [code for code in asked if code not in there]
    if lacking:
        guess.refusal = f"it has no column in {', '.join(lacking)}; it has {', '.join(there)}"
        return []
    guess.languages = tuple(_find_complete_languages(columns, asked or there, guess))
    if not asked:
        headings = _join_cells(dict.fromkeys(c.heading for c in columns if c.language))
        guess.messages.append(
            f"in the languages {', '.join(guess.languages)}, by the headings {headings}; --lang "
            "says which"
        )
    kept = [column for column in columns if _is_in_languages(column, columns, guess.languages)]
    left_out = [column for column in columns if column not in kept]
    guess.columns |= {column.heading: UNDECIDED_WORD for column in left_out}
    if [column for column in left_out if column.language in guess.languages]:
        listed = _join_cells(dict.fromkeys(c.heading for c in left_out if c.has_language_values))
        guess.messages.append(f"left out, since not all of its languages are in the game: {listed}")
    return kept


def _find_complete_languages(
    columns: Sequence[SourceColumn], wanted: Sequence[str], guess: TableGuess
) -> list[str]:
    """Return the languages with most of their texts, or the one with the most.

    The first is the one with the fewest gaps, since the others fall back on it.
    """
    lacking = {code: table_columns.count_missing_texts(columns, code) for code in wanted}
    texts = {
        code: sum(len(column.cells) for column in columns if column.language == code)
        for code in wanted
    }
    most = max(texts.values(), default=0)
    first = min(wanted, key=lambda code: lacking[code])
    in_values = {column.language for column in columns if column.has_language_values}
    kept = [
        code
        for code in wanted
        if code == first or code in in_values or is_majority(texts[code], most)
    ]
    if lacking[kept[0]]:
        kept.sort(key=lambda code: lacking[code])
    for code in wanted:
        missing = "1 text is" if lacking[code] == 1 else f"{lacking[code]} texts are"
        if code not in kept:
            guess.messages.append(
                f"'{code}' is left out, since {missing} missing in it; later put it into "
                "languages: of game.yaml, and its columns into columns:"
            )
        elif lacking[code] and code != kept[0]:
            guess.has_fallback = True
            guess.messages.append(
                f"{missing} missing in '{code}', and printed in '{kept[0]}' instead"
            )
    return kept


def _is_in_languages(
    column: SourceColumn, columns: Sequence[SourceColumn], languages: Collection[str]
) -> bool:
    """Return true for a column in the game's languages.

    A column with the languages in its values has no others.
    """
    if not column.has_language_values:
        return not column.language or column.language in languages
    same = {other.language for other in columns if other.heading == column.heading}
    return same <= set(languages)


# -- copies and ids


def _remove_built_ins(columns: Sequence[SourceColumn], guess: TableGuess) -> list[SourceColumn]:
    """Return the columns that are fields: all but copies and ids, which every card has."""
    named = sorted(
        filter(_is_copies, columns), key=lambda c: (not c.cells, rank_heading(c.base_heading))
    )
    copies = next(iter(named), next(filter(_is_count, columns), None))
    ids = next(filter(_is_ids, columns), None)
    for column, name in ((copies, "copies"), (ids, "id")):
        if column is not None and column.heading != name:
            guess.columns[column.heading] = name
    if ids and ids.heading.lower() != "id":
        guess.messages.append(f"ids of cards: {_shorten(ids.heading)}")
    if copies:
        guess.copies_heading = _shorten(copies.heading)
    others = [column for column in named[1:] if column.cells]
    if copies and others:
        guess.columns |= {column.heading: UNDECIDED_WORD for column in others}
        guess.messages.append(
            f"several columns count copies; {guess.copies_heading} is used, not "
            f"{_join_cells(column.heading for column in others)}"
        )
    return [column for column in columns if column not in (copies, ids, *others)]


def _is_copies(column: SourceColumn) -> bool:
    """Return true for a column of copies: at least half of its cells are like the number of copies,
    readable or not, and no larger. A column of formulas without results has no cells."""
    if column.role != "copies" or column.language:
        return False
    alike = [text for text in column.texts if is_count_like(text)]
    numbers = [parse_number(parse_copies(text)) or 0 for text in alike]
    small = sum(number < len(_COPY_COUNTS) for number in numbers)
    return small * 2 >= len(column.cells)


def _is_count(column: SourceColumn) -> bool:
    """Return true for a column such as `#` or `Cards` that may be of copies: all of its cells are
    small whole numbers, which do not number the rows."""
    counts = _list_counts(column)
    is_numbering = counts == sorted(set(counts)) or (
        len(counts) >= _MIN_NUMBERED_ROWS and len(set(counts)) == len(counts)
    )
    return (
        heading_words.is_count_heading(column.base_heading)
        and len(counts) == len(column.cells) > 0
        and max(counts) <= _MAX_LIKELY_COPIES
        and (len(counts) == 1 or not is_numbering)
    )


def _list_counts(column: SourceColumn) -> list[int]:
    """Return the numbers of a column that may be copies."""
    return [
        int(count)
        for cell in column.cells.values()
        if (count := parse_copies(cell.text)) in _COPY_COUNTS
        and (cell.value is None or is_integer(cell.value.value))
    ]


def _is_ids(column: SourceColumn) -> bool:
    """Return true for a column of ids: most of its cells are ids, each its own."""
    ids = {text for text in column.texts if not check_id(text)}
    is_named = column.role == "id" and not column.language
    return is_named and is_majority(len(ids), len(column.texts))


# -- fields


def _declare_fields(columns: Sequence[SourceColumn], guess: TableGuess) -> list[_FieldGuess]:
    """Return the fields with their types; ignore columns that have none."""
    found = []
    for group in table_columns.group_columns(columns).values():
        each = _FieldGuess(group, group[0].role)
        if group[0].language:
            each.declaration = "text"
        elif group[0].cells or each.role:
            several = len(guess.languages) > 1
            each.declaration, each.separator = type_guess.guess_type(
                group[0], each.role, guess.languages
            )
            guess.has_fallback |= several and each.kind == "text"
            if not each.declaration:
                guess.columns[group[0].heading] = UNDECIDED_WORD
                guess.messages.append(
                    f"not used, since no field type fits its values: {each.heading}"
                )
        if each.declaration:
            found.append(each)
    return found


def _name_fields(fields: Sequence[_FieldGuess], count: int) -> None:
    """Name the fields. What cards are called is `name`, since ids are made of it."""
    words = [each for each in fields if each.kind in ("text", "string")]
    titles = [each for each in words if each.role == "title"]
    titles.sort(key=lambda each: rank_heading(each.columns[0].base_heading))
    if not titles:
        known = {id(each): each.create_candidate(count) for each in words}
        free = [each for each in words if place_guess.is_name_candidate(known[id(each)])]
        titles = sorted(free, key=lambda each: place_guess.rank_as_name(known[id(each)]))
    taken: set[str] = set()
    for each in titles[:1]:
        each.name, each.role = "name", "title"
        taken.add("name")
    for number, each in enumerate(fields, start=1):
        if not each.name:
            each.name = _find_free_name(each, number, taken)
            taken.add(each.name)


def _find_free_name(each: _FieldGuess, number: int, taken: Collection[str]) -> str:
    stem = make_id(each.columns[0].base_heading, ())[:_MAX_NAME_CHARS].strip("-").replace("-", "_")
    if each.role == "picture" and each.columns[0].cells and not stem.endswith("file"):
        stem = f"{stem}_file"  # no place takes it by that name: its files are not there yet
    if not stem or stem[0].isdigit():
        stem = f"column_{stem or number}"
    if stem in CARD_KEYS or stem in EXPRESSION_FUNCTIONS:
        stem = f"card_{stem}"
    name, again = stem, 1
    while name in taken:
        again += 1
        name = f"{stem}_{again}"
    return name


# -- places


def _place_fields(fields: Sequence[_FieldGuess], count: int, look: Look, guess: TableGuess) -> None:
    """Assign the fields to places of the look, and report those that are not shown."""
    pictures = [each for each in fields if each.role == "picture" and each.columns[0].cells]
    guess.picture_field = pictures[0].name if pictures else ""
    free = [each.create_candidate(count) for each in fields if each not in pictures]
    places = place_guess.assign_places(free, look)
    guess.places = {**places.fields_by_place}
    called = {each.name: each for each in fields}
    title = called.get(str(guess.places.get("title")))
    if title and any(type_guess.has_styles(column.texts) for column in title.columns):
        guess.messages.append(
            f"bold or italic in {title.heading}, for which most looks have no font; remove it "
            "there, or see what 'cardgen check' says"
        )
    _translate_choice(called, guess)
    on_card = [f"{_join_cells(called[name].heading for name in _list_names(taken))} ({place})"
               for place, taken in places.fields_by_place.items() if taken]  # fmt: skip
    guess.messages.insert(
        0, f"on the cards: {', '.join(on_card)}" if on_card else "no place was found"
    )
    hidden = [each for each in fields if not any(
        each.name in _list_names(taken) for taken in places.fields_by_place.values())]  # fmt: skip
    for each in hidden:
        if each.columns[0].cells and each.role != "notes":
            continue  # a check reports it until it has a place
        options = (
            each.declaration
            if isinstance(each.declaration, Mapping)
            else {"type": each.declaration}
        )
        each.declaration = {**options, "printed": False}
    listed = [each.heading for each in hidden if each not in pictures and each.columns[0].cells]
    if listed:
        guess.messages.append(f"not on the cards: {', '.join(listed)}; add them under places:")
    if pictures:
        guess.messages.append(
            f"{pictures[0].heading} names pictures: put those into art/, then write "
            f"'picture: {guess.picture_field}' under places:"
        )
    _describe_kinds(fields, count, guess)


def _translate_choice(called: Mapping[str, _FieldGuess], guess: TableGuess) -> None:
    """Let a choice be printed by its words, so that these can be translated."""
    name = guess.places.get("type")
    said = called[name].declaration if isinstance(name, str) else ""
    if len(guess.languages) > 1 and isinstance(said, Mapping) and said["type"] == "choice":
        first = guess.languages[0]
        values = {value: {first: str(value)} for value in said["of"]}
        guess.places["type"] = {"by": name, "values": values}
        guess.has_fallback = True


def _describe_kinds(fields: Sequence[_FieldGuess], count: int, guess: TableGuess) -> None:
    """Find the choice that tells cards apart, labels of fields, and whether names are unique."""
    choices = [each for each in fields if each.kind == "choice"]
    choices.sort(key=lambda each: each.role != "type")
    for each in choices[:1]:
        assert isinstance(each.declaration, Mapping)
        guess.kind_choice = (each.name, each.declaration["of"])
    several = [name for taken in guess.places.values() if isinstance(taken, list) for name in taken]
    for each in fields:
        spelt = each.name.replace("_", " ").capitalize()
        if each.name in several and spelt != each.heading.capitalize():
            guess.words[each.name] = each.heading
        if (
            each.role == "title"
            and each.name == "name"
            and each.create_candidate(count).is_complete
        ):
            each.declaration = {"type": each.kind, "required": True}
            guess.has_unique_names = all(len(set(c.texts)) == len(c.texts) for c in each.columns)


def _list_names(taken: str | list[str] | None) -> list[str]:
    return taken if isinstance(taken, list) else [taken] if taken else []


# -- what is written


def _write_field(each: _FieldGuess, guess: TableGuess) -> None:
    """Add a field's declaration, and its columns where their headings differ from its name, or
    their cells are to be converted."""
    guess.fields[each.name] = each.declaration
    texts = [text for column in each.columns for text in column.texts if each.kind == "text"]
    guess.icons |= dict.fromkeys(name for text in texts for name in ICON_TOKEN.findall(text))
    html = [column.heading for column in each.columns if type_guess.has_html(column.texts)]
    html = html if each.kind == "text" else []
    if html:
        guess.messages.append(
            f"HTML and \\n become bold, italic and new lines (html: true): {_join_cells(html)}"
        )
    for column in each.columns:
        parted = column.language and not column.has_language_values
        name = f"{each.name}.{column.language}" if parted else each.name
        if each.separator:
            guess.columns[column.heading] = {"field": name, "split": each.separator}
        elif column.heading in html:
            guess.columns[column.heading] = {"field": name, "html": True}
        elif match_column(column.heading, {}, {each.name}).field != name:
            guess.columns[column.heading] = name


def _ignore_columns(sheet: SourceSheet, guess: TableGuess) -> None:
    for name, texts in sheet.unnamed_texts.items():
        guess.columns[name] = UNDECIDED_WORD
        where = f"{name.strip('()')}: " if name else ""
        guess.messages.append(f"not used, since it has no heading: {where}{_join_cells(texts)}")


def _join_cells(words: Iterable[str]) -> str:
    return summarise(map(_shorten, words), _MAX_LISTED_CELLS)


def _shorten(words: str) -> str:
    """Return the text of a cell on one line, short."""
    line = " ".join(words.split())
    return line if len(line) <= _MAX_CELL_CHARS else f"{line[: _MAX_CELL_CHARS - 1]}…"
