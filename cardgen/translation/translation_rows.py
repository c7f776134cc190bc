"""Rows of files for translators and of returned files, and the checks of a translation's text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import UNPRINTABLE
from cardgen.game import markup_lint, plural_forms, sheet_scan
from cardgen.game.markup import ICON_TOKEN, protect_escapes, replace_styles
from cardgen.game.model import Game
from cardgen.translation import translation_status
from cardgen.translation.glossary import Glossary
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_status import TranslationRegister, make_mark, normalise_text

MAX_TRANSLATION_CHARACTERS = 20_000
"""Maximum length of a translation."""
MAX_LISTED_PLACES = 100
"""Maximum number of places, cards and the like that are listed in one cell."""
_JINJA_TAG = re.compile(r"\{\{.{0,200}?\}\}|\{%.{0,200}?%\}", re.DOTALL)
_ESCAPED_BRACES = re.compile(r"\\\{[^{}\n]{0,100}\\?\}")
# Ends of lines and marks of files, which are no letters of a text.
_NON_TEXT = re.compile("[\u2028\u2029\ufeff\ufff9-\ufffd]")
_INVISIBLE_NAMES = {"\u200b": "a space without width", "\u2060": "a joint without width"}
_BLANKS = " \t\n"
_STYLE_TAGS = {"bold": "<b>", "italic": "<i>"}
_PERCENT_PLACEHOLDER = re.compile(r"%(?:\(\w{1,40}\))?[sd]\b")


def find_translation_errors(source: str, text: str, icons: Collection[str]) -> list[str]:
    """Return why a translation cannot be imported; nothing if it can."""
    if len(text) > MAX_TRANSLATION_CHARACTERS:
        allowed = f"{MAX_TRANSLATION_CHARACTERS:,} are allowed"
        return [f"the text has {len(text):,} characters; {allowed}"]
    for sign in UNPRINTABLE.findall(text) + _NON_TEXT.findall(text):
        if sign not in source:
            return [f"U+{ord(sign):04X} cannot be printed; delete it"]
    if sheet_scan.ERROR_VALUE.fullmatch(text.strip()) and text.strip() != source.strip():
        return [f"{text.strip()} is the error of a broken formula; write the text instead"]
    known_messages = {slip.message for slip in markup_lint.check_text(source, icons)}
    stars = set(markup_lint.find_unpaired_stars(replace_styles(protect_escapes(text))))
    found = [
        slip.message
        for slip in markup_lint.check_text(text, icons)
        if (slip.severity == "error" or slip in stars) and slip.message not in known_messages
    ]
    lost = _find_placeholders(source, icons) - _find_placeholders(text, icons)
    if lost and not found:
        signs = [f"{count} × {sign}" if count > 1 else sign for sign, count in lost.items()]
        found.append(f"it lacks {', '.join(signs)}, which its source has")
    return found


def find_translation_doubts(source: str, text: str) -> list[str]:
    """Return what may be wrong with a translation that is imported."""
    before, now = (replace_styles(protect_escapes(each)) for each in (source, text))
    counts = {name: (before.count(tag), now.count(tag)) for name, tag in _STYLE_TAGS.items()}
    lost = [name for name, (had, has) in counts.items() if had and not has]
    doubts = [f"its source has words in {' and '.join(lost)}, it has none"] if lost else []
    fewer = [
        f"its source has {had} passages in {name}, it has {has}"
        for name, (had, has) in counts.items()
        if 0 < has < had
    ]
    unseen = [
        f"it holds U+{ord(sign):04X}, {name}"
        for sign, name in _INVISIBLE_NAMES.items() if sign in text and sign not in source
    ]  # fmt: skip
    return doubts + fewer + unseen


def trim_translation(source: str, text: str) -> str:
    """Return a translation without spaces at the ends where its source has none."""
    text = text if source[:1].isspace() else text.lstrip(_BLANKS)
    return text if source.rstrip("\n")[-1:].isspace() else text.rstrip(_BLANKS)


def _find_placeholders(text: str, icons: Collection[str]) -> Counter[str]:
    """Return icons, escaped braces and placeholders of a text with their numbers."""
    found = Counter(match[0] for match in _JINJA_TAG.finditer(text))
    rest = _JINJA_TAG.sub(" ", text)
    for pattern in (_ESCAPED_BRACES, _PERCENT_PLACEHOLDER):
        found.update(match[0] for match in pattern.finditer(rest))
    tokens = ICON_TOKEN.finditer(protect_escapes(rest))
    found.update(match[0] for match in tokens if match[1] in icons)
    return found


@dataclass(frozen=True)
class TextContext:
    """Context of a text: where it is shown, the room left in its box in words, and a PNG picture of
    its card with its name."""

    shown_on: str = ""
    room: str = ""
    picture: bytes = b""
    picture_name: str = ""


NO_CONTEXT = TextContext()


@dataclass(frozen=True)
class TranslationRow:
    """A text with its translation, or a proposal for it, and its context.

    `units` are all texts with this source and this translation. `previous_source` is the source
    from which an older translation was made, `signs` what the translation must have, too, `mark`
    that of the game's translation, and `glossary` a line for each term of the text.
    """

    units: tuple[TextUnit, ...]
    source: str
    text: str
    state: str
    previous_source: str
    signs: tuple[str, ...]
    mark: str
    glossary: str = ""
    context: TextContext = NO_CONTEXT

    @property
    def unit(self) -> TextUnit:
        """The first text, whose id the row has."""
        return self.units[0]

    @property
    def card(self) -> str:
        """The names and ids of the cards."""
        cards = ((unit.card_name, unit.card) for unit in self.units)
        return _join_lines(f"{name} ({card})" if name and card else card for name, card in cards)

    @property
    def deck(self) -> str:
        """The decks."""
        return _join_lines(unit.deck for unit in self.units)

    @property
    def label(self) -> str:
        """The names of the texts within their cards."""
        return _join_lines(unit.label for unit in self.units)

    @property
    def place(self) -> str:
        """The texts' places for people, such as `cards/loot.yaml:12`."""
        return _join_lines(str(unit.source) for unit in self.units)

    @property
    def picture(self) -> str:
        """The name of the text's picture, "" without one."""
        if not self.context.picture:
            return ""
        return self.context.picture_name or f"{self.unit.deck}-{self.unit.card}.png"

    @property
    def sent_mark(self) -> str:
        """The mark of the exported translation and the number of texts, from which an import sees
        what was changed."""
        return self.mark + (f" ×{len(self.units)}" if len(self.units) > 1 else "")


def list_notes(row: TranslationRow) -> list[str]:
    """Return what a translator should know of a row, a line each."""
    where = " · ".join(filter(None, (part.replace("\n", ", ")
                                     for part in (row.deck, row.card, row.label))))  # fmt: skip
    context = {
        "signs": " ".join(row.signs), "glossary": row.glossary.replace("\n", "; "),
        "shown on": row.context.shown_on, "room": row.context.room, "picture": row.picture,
    }  # fmt: skip
    return [where, *(f"{name}: {text}" for name, text in context.items() if text)]


def _join_lines(parts: Iterable[str]) -> str:
    """Return different texts as lines. Those that no cell has room for are counted."""
    lines = [*dict.fromkeys(filter(None, parts))]
    more = len(lines) - MAX_LISTED_PLACES
    return "\n".join(lines[:MAX_LISTED_PLACES]) + (f"\n… {more} more" if more > 0 else "")


def split_sent_mark(text: str) -> tuple[str, int]:
    """Return the mark of the exported translation, and the number of texts it is for."""
    mark, _, count = text.strip().partition(" ×")
    return mark, int(count) if count.isdecimal() and len(count) < 8 else 1


@dataclass(frozen=True)
class TranslationSheet:
    """All rows of a file, for a game and from one language to another."""

    game: str
    source: str
    language: str
    rows: tuple[TranslationRow, ...]
    problems: tuple[Problem, ...] = ()
    """Problems of the glossary."""


FUZZY = "fuzzy"
"""The state of rows of files whose programs tell which translations are confirmed: this one is not,
even where it was changed."""


@dataclass(frozen=True)
class ReturnedRow:
    """A row of a returned file with its place.

    `sent_mark` is the mark of the exported translation, "" if unknown, and `repeats` the number of
    texts with this source that the row is for. `odd_kind` is the kind of a
    cell that holds no text, see `TableRow`.
    """

    id: str
    source: str
    text: str
    state: str
    place: Source
    sent_mark: str = ""
    odd_kind: str = ""
    repeats: int = 1


@dataclass
class ReturnedFile:
    """A returned file; without a language, it could not be read. `source` is the language from
    which it was translated, "" for the game's first."""

    language: str = ""
    rows: list[ReturnedRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: str = ""


def reject_file(name: str, message: str, kind: str = "file") -> ReturnedFile:
    """Return a file that could not be read."""
    return ReturnedFile(problems=[Problem(Source(name), message, kind)])


def decode_text(data: bytes) -> str | None:
    """Return a file's text; None if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def make_rows(
    game: Game,
    units: Iterable[TextUnit],
    languages: tuple[str, str],
    register: TranslationRegister,
    around: Mapping[str, TextContext],
) -> TranslationSheet:
    """Return a row for each source text and translation. `languages` are the source and the
    target; `around` holds the context of texts by id."""
    source, language = languages
    found: dict[tuple[str, ...], TranslationRow] = {}
    units = list(units)
    glossary = Glossary.collect(game, units, source, language)
    for unit in units:
        if unit.is_for(language) and unit.texts.get(source, "").strip():
            row = _make_row(game, unit, languages, register)
            own = unit.id if unit.category else ""
            key = row.source, row.text, row.state, row.previous_source, row.mark, own
            context = around.get(unit.id, NO_CONTEXT)
            if known := found.get(key):
                best = context if context.picture and not known.context.picture else known.context
                found[key] = replace(known, units=(*known.units, unit), context=best)
            else:
                terms = glossary.find_terms(row.source)
                found[key] = replace(row, context=context, glossary=terms)
    title = game.title.get_plain_text(game.languages[0])
    return TranslationSheet(title, source, language, tuple(found.values()), glossary.problems)


def _make_row(
    game: Game, unit: TextUnit, languages: tuple[str, str], register: TranslationRegister
) -> TranslationRow:
    (source, language), first = languages, game.languages[0]
    source_text, text = unit.texts[source], unit.texts.get(language, "")
    proposal = register.find_proposal(unit.id, text)
    made_from = proposal.source if proposal else register.find_source(unit.id, text)
    older = made_from is not None and made_from != normalise_text(unit.texts.get(first, ""))
    if unit.category:
        numbers = plural_forms.format_example_numbers(unit.category, language)
        unit = replace(unit, label=f"{unit.label}: for {numbers}")
    return TranslationRow(
        (unit,),
        normalise_text(source_text),
        normalise_text(proposal.text if proposal else text),
        translation_status.compute_state(unit, first, language, register),
        made_from or "" if older else "",
        tuple(_find_placeholders(source_text, tuple(game.icons))),
        make_mark(text),
    )
