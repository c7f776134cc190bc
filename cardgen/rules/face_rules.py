"""Kinds of rule that are held against faces once they are set: whether pieces fit the places that
they lie on, how large texts are, and how well they stand out from their ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.problems import did_you_mean
from cardgen.core.units import Size
from cardgen.game.face_facts import FaceFacts, FaceText, NamedPlace
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Piece
from cardgen.rules import rule_arguments
from cardgen.rules.rule_base import BackImages, RuleKind, RuleMeasure
from cardgen.templates.expressions import EvaluationError

SIDES = ("front", "back")
ICON_TEXT_KIND = "icon"
"""What rules call the signs of the icons' font, which they pass over unless they name them."""
_MAX_LISTED_FACES = 4
_SIZE_TOLERANCE = 0.05
"""mm and pt by which a figure may be off what it is held against: boxes are rounded."""
_CONTRAST_TOLERANCE = 0.005
_MAX_SIDE_BY_SIDE = 400
_WORDS_SCHEMA: Schema = json_schema.allow_either(
    json_schema.SCALAR, json_schema.allow_list(json_schema.SCALAR)
)
FACE_RULE_KEYS: Mapping[str, Schema] = {
    "on": json_schema.describe(
        "The decks on whose cards it lies.", json_schema.allow_one_or_list(json_schema.DECK)
    ),
    "place": json_schema.describe("A place by its name, or many: store-*.", json_schema.SCALAR),
    "side_by_side": json_schema.describe("How many lie on one place.", json_schema.EXPRESSION),
    "room": json_schema.describe("mm that stay free all around.", json_schema.EXPRESSION),
    "within": json_schema.describe(
        "pt between the largest and the smallest.", json_schema.EXPRESSION
    ),
    "text": json_schema.describe("Only texts of this kind, or of these: data-text.", _WORDS_SCHEMA),
    "except": json_schema.describe(
        "What is left out: kinds of texts, or what none translates.", _WORDS_SCHEMA
    ),
}
"""What rules about faces may say, by its word."""


class FaceNotTypesetError(Exception):
    """A face that a rule asks about is not set yet."""


@dataclass(frozen=True)
class CheckedFace:
    """A face that is set, and what is known of it."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    facts: FaceFacts
    is_monolingual: bool = False
    """Whether the game has no other language."""

    @property
    def name(self) -> str:
        """`harbour [fi] back`, without what need not be said."""
        language = "" if self.is_monolingual else f" [{self.language}]"
        return f"{self.piece.id}{language}{' back' if self.side == 'back' else ''}"


class FaceRule(RuleKind):
    """A rule about faces. It raises `Waits` where one that it asks about is not set."""

    needs_contrasts: ClassVar[bool] = False

    def list_faces(self, deck: Deck, piece: Piece) -> Iterator[CheckedFace]:
        """The faces of a card that have a template, in every language."""
        languages = self.database.game.languages
        for side in SIDES:
            for language in languages if deck.get_template(piece, side) else ():
                facts = self.face_facts.get_facts(deck.id, piece.id, side, language)
                if facts is None:
                    raise FaceNotTypesetError(f"{deck.id}/{piece.id}")
                yield CheckedFace(deck, piece, side, language, facts, len(languages) == 1)

    def select_pieces(self, deck: str, where: str) -> list[Piece]:
        """The different cards of a deck for which an expression holds."""
        self.check_conditions([deck], where)
        found = self.database.get_deck(deck)
        return [
            piece
            for piece in found.pieces
            if not where or self.database.evaluate_on_card(where, deck, piece)
        ]

    def get_words(self, key: str) -> frozenset[str]:
        """The kinds of text that a rule names under a key."""
        given = self.arguments.get(key, ())
        return frozenset(map(str, given if isinstance(given, list) else [given] if given else ()))

    def read_nonnegative(self, key: str, usual: float) -> float:
        """A figure of the rule that is not below 0."""
        rule_arguments.check_number_format(self.arguments.get(key))
        found = self.read_number(self.arguments.get(key, usual))
        if found < 0:
            raise EvaluationError(f"{key}: is {found:g}; 0 is the least")
        return found


@dataclass(frozen=True)
class SpaceShortage:
    """What a place lacks, mm across and down: less than nothing is room that is left."""

    face: CheckedFace
    name: str
    place: NamedPlace
    width: float
    height: float

    @property
    def worst(self) -> float:
        return max(self.width, self.height)


class FitsRule(FaceRule):
    """Whether what lies on a place fits it: a deck's pieces, each way round, side by side."""

    optional_keys, required_keys = "where side_by_side room", "on place"

    def check(self, _backs: BackImages) -> list[str]:
        told = []
        for deck, size in self._list_sizes():
            worst: dict[str, list[SpaceShortage]] = {}
            for lack in self._find_shortages(size):
                if lack.worst > _SIZE_TOLERANCE:
                    worst.setdefault(lack.place.template_line, []).append(lack)
            told += [self._format_shortages(deck, size, lacks) for lacks in worst.values()]
        return told

    def measure(self) -> list[RuleMeasure]:
        found = []
        for deck, size in self._list_sizes():
            room = round(-max(lack.worst for lack in self._find_shortages(size)), 2)
            what = f"mm of room for {deck} on {self.arguments['place']}"
            found.append(RuleMeasure(what, 0.0 if abs(room) <= _SIZE_TOLERANCE else room, 0.0))
        return found

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        """What lies there."""
        count, room = self.arguments.get("side_by_side"), self.arguments.get("room")
        parts = [f"{count} ×"] if count else []
        return " ".join([*parts, *([f"+ {room} mm"] if room else [])])

    def _list_sizes(self) -> Iterator[tuple[str, Size]]:
        """The decks of which anything lies there, and how large its pieces are."""
        for deck in self.get_decks():
            if self.select_pieces(deck, self.where):
                yield deck, self.database.get_deck(deck).size

    def _compute_needed_sizes(self, size: Size) -> list[tuple[float, float]]:
        """How much room they take, mm, in every way that they can lie."""
        count = self.read_nonnegative("side_by_side", 1)
        room = self.read_nonnegative("room", 0)
        if not 1 <= count <= _MAX_SIDE_BY_SIDE or count != int(count):
            raise EvaluationError(
                f"side_by_side: is {count:.12g}; a whole number from 1 to {_MAX_SIDE_BY_SIDE} is "
                "asked for"
            )
        return [
            (across * wide + 2 * room, down * tall + 2 * room)
            for wide, tall in ((size.width, size.height), (size.height, size.width))
            for across, down in _list_arrangements(int(count))
        ]

    def _find_shortages(self, size: Size) -> list[SpaceShortage]:
        """What each of the places lacks."""
        pattern, needed = self._get_place_pattern(), self._compute_needed_sizes(size)
        found, others = [], set[str]()
        for face in self._list_boards():
            for name, place in face.facts.places.items():
                others.add(name)
                if fnmatchcase(name, pattern):
                    wide, tall = min(
                        ((w - place.width, h - place.height) for w, h in needed), key=max
                    )
                    found.append(SpaceShortage(face, name, place, wide, tall))
        if not found:
            on = ", ".join(self.get_decks("on"))
            if not others:
                raise EvaluationError(
                    f'no place on {on} has a name; its template gives one by data-place="store-1"'
                )
            hint = did_you_mean(pattern, others) or f"; one is '{min(others)}'"
            raise EvaluationError(f"no place on {on} is called '{pattern}'{hint}")
        return found

    def _get_place_pattern(self) -> str:
        """The pattern of the places' names."""
        given = self.arguments["place"]
        if isinstance(given, bool | list | dict) or not str(given).strip():
            raise EvaluationError("place: is one name or pattern, such as store-*")
        return str(given)

    def _list_boards(self) -> Iterator[CheckedFace]:
        for name in self.get_decks("on"):
            deck = self.database.get_deck(name)
            for piece in deck.pieces:
                yield from self.list_faces(deck, piece)

    def _format_shortages(self, deck: str, size: Size, lacks: Sequence[SpaceShortage]) -> str:
        """What is too small on one line of a template."""
        ordered = sorted(lacks, key=lambda lack: -lack.worst)
        first = ordered[0]
        across = [f"{first.width:.2f} mm across"] if first.width > _SIZE_TOLERANCE else []
        down = [f"{first.height:.2f} mm down"] if first.height > _SIZE_TOLERANCE else []
        count, room = self.arguments.get("side_by_side", 1), self.arguments.get("room", 0)
        several = f"{count} side by side" if str(count) != "1" else ""
        around = f"{room} mm around" if self.read_nonnegative("room", 0) else ""
        lying = ", ".join(filter(None, (f"{size.width:g} × {size.height:g} mm", several, around)))
        named = ", ".join(dict.fromkeys(f"{each.name} of {each.face.name}" for each in ordered))
        place, at = first.place, first.face.deck.id
        return (
            f"{deck} ({lying}) do not fit {first.name} on {at}, {place.width:.2f} × "
            f"{place.height:.2f} mm: too small by {' and '.join([*across, *down])} "
            f"({_format_template_path(place.template_line)}); in question: {_shorten_list(named)}"
        )


def _list_arrangements(count: int) -> list[tuple[int, int]]:
    """How so many lie side by side, across and down, with no row or column that could be spared."""
    downs = {-(-count // across) for across in range(1, count + 1)}
    return [(-(-count // down), down) for down in downs]


@dataclass(frozen=True)
class MeasuredText:
    """A text of a face, with the figure that a rule asks of it."""

    face: CheckedFace
    text: FaceText
    figure: float


class TextRule(FaceRule):
    """A rule about texts, of some kinds or of all but some."""

    optional_keys = "where text except"

    def measure_texts(self, deck: Deck) -> list[MeasuredText]:
        """The texts of a deck that the rule is about, with their figures."""
        wanted, unwanted = self.get_words("text"), self.get_words("except")
        if wanted and wanted <= unwanted:
            raise EvaluationError("text: and except: say the same, so no text is left")
        found, kinds = [], set[str]()
        for piece in self.select_pieces(deck.id, self.where):
            for face in self.list_faces(deck, piece):
                for text, figure in zip(
                    face.facts.texts, self.list_text_figures(face), strict=True
                ):
                    kind = ICON_TEXT_KIND if text.is_icon else text.kind
                    kinds.add(kind)
                    meant = kind in wanted if wanted else kind != ICON_TEXT_KIND
                    if meant and kind not in unwanted:
                        found.append(MeasuredText(face, text, figure))
        strange = sorted((wanted or unwanted) - kinds - {ICON_TEXT_KIND})
        if strange and wanted:
            known = sorted(kinds - {"", ICON_TEXT_KIND})
            hint = did_you_mean(strange[0], known) if known else (
                f'; a template says so by data-text="{strange[0]}"')  # fmt: skip
            raise EvaluationError(f"{deck.id} has no text of the kind '{strange[0]}'{hint}")
        return found

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        """The figure of each text of a face."""
        raise NotImplementedError

    def report_small_texts(
        self, deck: str, texts: Sequence[MeasuredText], least: float, unit: str, slack: float
    ) -> Iterator[str]:
        """Those whose figure is below the least, by the line of their template."""
        lines: dict[tuple[str, str], list[MeasuredText]] = {}
        for each in texts:
            if each.figure < least - slack:
                lines.setdefault((each.text.template_line, each.text.kind), []).append(each)
        for (at, kind), few in lines.items():
            ordered = sorted(few, key=lambda each: each.figure)
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ordered)
            said = f"{deck}: {kind or 'text'} '{ordered[0].text.excerpt}'"
            yield (
                f"{said} {self.describe_text(ordered[0])}{unit}, at least {least:g}{unit} asked "
                f"({_format_template_path(at)}); in question: {_shorten_list(', '.join(cards))}"
            )

    def describe_text(self, text: MeasuredText) -> str:
        """What is said of a text, its figure last."""
        return f"is {text.figure:g}"


class TextSizeRule(TextRule):
    """Whether texts are large enough, and those of one kind of one size on the cards of a deck."""

    optional_keys = "where text except at_least within"

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        """Their sizes in pt."""
        return [text.size for text in face.facts.texts]

    def check(self, _backs: BackImages) -> list[str]:
        self._check_bounds_given()
        told: list[str] = []
        for name in self.get_decks():
            texts = self.measure_texts(self.database.get_deck(name))
            if "at_least" in self.arguments:
                least = self.read_nonnegative("at_least", 0)
                told += self.report_small_texts(name, texts, least, " pt", _SIZE_TOLERANCE)
            if "within" in self.arguments:
                told += self._find_size_differences(name, texts)
        return told

    def measure(self) -> list[RuleMeasure]:
        self._check_bounds_given()
        found = []
        for name in self.get_decks():
            texts = self.measure_texts(self.database.get_deck(name))
            if "at_least" in self.arguments and texts:
                least = self.read_nonnegative("at_least", 0)
                size = min(each.figure for each in texts)
                held = least if least - _SIZE_TOLERANCE <= size < least else size
                found.append(RuleMeasure(f"pt of the smallest text of {name}", held, least))
            if "within" in self.arguments:
                most = self.read_nonnegative("within", 0)
                found += [
                    RuleMeasure(f"pt between {kind} of {name}", _measure_span(few), None, most)
                    for kind, few in _group_by_kind(texts)
                ]
        return found

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        """The least size, and how far sizes may be apart."""
        parts = [super().describe_requirement(words)]
        parts += [f"± {self.arguments['within']} pt"] if "within" in self.arguments else []
        return ", ".join(filter(None, parts))

    def _check_bounds_given(self) -> None:
        if not {"at_least", "within"} & self.arguments.keys():
            raise EvaluationError("it needs at_least: or within:, in pt")

    def _find_size_differences(self, deck: str, texts: Sequence[MeasuredText]) -> Iterator[str]:
        most = self.read_nonnegative("within", 0)
        for kind, few in _group_by_kind(texts):
            if _measure_span(few) <= most + _SIZE_TOLERANCE:
                continue
            ordered = sorted(few, key=lambda each: each.figure)
            ends = [*ordered[: _MAX_LISTED_FACES // 2], *ordered[-_MAX_LISTED_FACES // 2 :]]
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ends)
            lines = dict.fromkeys(_format_template_path(each.text.template_line) for each in ends)
            yield (
                f"{deck}: {kind} is from {ordered[0].figure:g} to {ordered[-1].figure:g} pt, "
                f"{most:g} pt apart at most asked ({', '.join(lines)}); in question: "
                f"{', '.join(cards)}"
            )


class ContrastRule(TextRule):
    """Whether texts stand out from what is painted under them."""

    required_keys = "at_least"
    needs_contrasts = True

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        """Their contrasts, from 1 to 21."""
        found = self.face_facts.get_contrasts(face.deck.id, face.piece.id, face.side, face.language)
        if found is None or len(found) != len(face.facts.texts):
            raise FaceNotTypesetError(face.name)
        return found

    def check(self, _backs: BackImages) -> list[str]:
        least, told = self.read_nonnegative("at_least", 0), list[str]()
        for name in self.get_decks():
            texts = self.measure_texts(self.database.get_deck(name))
            told += self.report_small_texts(name, texts, least, " : 1", _CONTRAST_TOLERANCE)
        return told

    def measure(self) -> list[RuleMeasure]:
        least, found = self.read_nonnegative("at_least", 0), []
        for name in self.get_decks():
            figures = [each.figure for each in self.measure_texts(self.database.get_deck(name))]
            if figures:
                found.append(RuleMeasure(f"least contrast of {name}", min(figures), least))
        return found

    def describe_text(self, text: MeasuredText) -> str:
        """The colour, and how it stands out."""
        return f"in {text.text.colour} stands out from its ground by {text.figure:.2f}"


def _group_by_kind(texts: Sequence[MeasuredText]) -> list[tuple[str, list[MeasuredText]]]:
    """The texts that have a kind, by it: what has none is not the same thing."""
    found: dict[str, list[MeasuredText]] = {}
    for each in texts:
        kind = ICON_TEXT_KIND if each.text.is_icon else each.text.kind
        if kind:
            found.setdefault(kind, []).append(each)
    return list(found.items())


def _measure_span(texts: Sequence[MeasuredText]) -> float:
    figures = [each.figure for each in texts]
    return round(max(figures) - min(figures), 2)


def _format_template_path(at: str) -> str:
    """A template's mark, `board.html:3`, as people find it."""
    return f"{TEMPLATES_FOLDER}/{at}" if at else TEMPLATES_FOLDER


def _shorten_list(listed: str) -> str:
    """The first few of what is listed, and how many more."""
    names = listed.split(", ")
    more = f" and {len(names) - _MAX_LISTED_FACES} more" if len(names) > _MAX_LISTED_FACES else ""
    return ", ".join(names[:_MAX_LISTED_FACES]) + more


def list_deck_names(given: Any) -> list[str]:
    """The decks that a rule names, one or a list."""
    return [str(each) for each in (given if isinstance(given, list) else [given])]
