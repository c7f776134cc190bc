"""Rows of files for translators and of returned files, and the checks of a translation's text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import UNPRINTABLE
from cardgen.game import markup_lint, sheet_scan
from cardgen.game.markup import ICON_TOKEN, protect_escapes, replace_styles
from cardgen.game.model import Game
from cardgen.translation import translation_status
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_status import TranslationRegister, make_mark, normalise_text

MAX_TRANSLATION_CHARACTERS = 20_000
"""Maximum length of a translation."""
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
    """A text with its translation, or a proposal for it, and its context. `previous_source` is the
    source from which an older translation was made, `sent_mark` the mark of the game's translation,
    from which an import sees what was changed."""

    unit: TextUnit
    source: str
    text: str
    state: str
    previous_source: str
    required_signs: str
    sent_mark: str
    context: TextContext = NO_CONTEXT

    @property
    def card(self) -> str:
        """The card's name and id."""
        name, card = self.unit.card_name, self.unit.card
        return f"{name} ({card})" if name and card else card

    @property
    def place(self) -> str:
        """The text's place for people, such as `cards/loot.yaml:12`."""
        return str(self.unit.source)

    @property
    def picture(self) -> str:
        """The name of the text's picture, "" without one."""
        if not self.context.picture:
            return ""
        return self.context.picture_name or f"{self.unit.deck}-{self.unit.card}.png"


@dataclass(frozen=True)
class TranslationSheet:
    """All rows of a file, for a game and from one language to another."""

    game: str
    source: str
    language: str
    rows: tuple[TranslationRow, ...]


FUZZY = "fuzzy"
"""The state of rows of files whose programs tell which translations are confirmed: this one is not,
even where it was changed."""


@dataclass(frozen=True)
class ReturnedRow:
    """A row of a returned file with its place.

    `sent_mark` is the mark of the exported translation, "" if unknown. `odd_kind` is the kind of a
    cell that holds no text, see `TableRow`.
    """

    id: str
    source: str
    text: str
    state: str
    place: Source
    sent_mark: str = ""
    odd_kind: str = ""


@dataclass
class ReturnedFile:
    """A returned file; without a language, it could not be read. `source` is the language from
    which it was translated, "" for the game's first."""

    language: str = ""
    rows: list[ReturnedRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: str = ""


def make_rows(
    game: Game,
    units: Iterable[TextUnit],
    languages: tuple[str, str],
    register: TranslationRegister,
    around: Mapping[str, TextContext],
) -> TranslationSheet:
    """Return a row for each text that the source language has. `languages` are the source and the
    target; `around` holds the context of texts by id."""
    source, language = languages
    first, found = game.languages[0], []
    for unit in units:
        source_text = unit.texts.get(source, "")
        if not source_text.strip():
            continue
        text = unit.texts.get(language, "")
        proposal = register.find_proposal(unit.id, text)
        made_from = proposal.source if proposal else register.find_source(unit.id, text)
        older = made_from is not None and made_from != normalise_text(unit.texts.get(first, ""))
        before = made_from or "" if older else ""
        found.append(
            TranslationRow(
                unit, normalise_text(source_text),
                normalise_text(proposal.text if proposal else text),
                translation_status.compute_state(unit, first, language, register),
                before, " ".join(_find_placeholders(source_text, tuple(game.icons))),
                make_mark(text), around.get(unit.id, NO_CONTEXT),
            )
        )  # fmt: skip
    title = game.title.get_plain_text(game.languages[0])
    return TranslationSheet(title, source, language, tuple(found))
