"""Kinds of rules checked against typeset faces: pieces that fit, sizes and contrast of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from cardgen.core.problems import did_you_mean, summarise
from cardgen.core.units import Size
from cardgen.game.face_facts import FaceFacts, FaceText, NamedPlace
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Piece
from cardgen.rules import rule_base
from cardgen.rules.rule_base import RuleKind, RuleMeasure, RuleResult
from cardgen.templates.expressions import EvaluationError

SIDES = ("front", "back")
ICON_TEXT_KIND = "icon"
"""Kind of the characters of the icon font, which rules ignore unless they name it."""
_MAX_LISTED_FACES = 4
_SIZE_TOLERANCE = 0.05
"""Tolerance of sizes in mm and pt, since the sizes of boxes are rounded."""
_CONTRAST_TOLERANCE = 0.005
_MAX_SIDE_BY_SIDE = 400


class FaceNotTypesetError(Exception):
    """A rule is about a face that is not typeset yet."""


@dataclass(frozen=True)
class CheckedFace:
    """Typeset face with its facts."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    facts: FaceFacts
    is_monolingual: bool = False
    """True if the game has no other language."""

    @property
    def name(self) -> str:
        """The card, and its language and side unless they are obvious: `harbour [fi] back`."""
        language = "" if self.is_monolingual else f" [{self.language}]"
        return f"{self.piece.id}{language}{' back' if self.side == 'back' else ''}"


class FaceRule(RuleKind):
    """Base class of rules about faces. They raise FaceNotTypesetError until all are typeset."""

    def list_faces(self, deck: Deck, piece: Piece) -> Iterator[CheckedFace]:
        """Yield the faces of a card that have a template, in every language."""
        languages = self.database.game.languages
        for side in SIDES:
            for language in languages if deck.get_template(piece, side) else ():
                facts = self.face_facts.get_facts(deck.id, piece.id, side, language)
                if facts is None:
                    raise FaceNotTypesetError(f"{deck.id}/{piece.id}")
                yield CheckedFace(deck, piece, side, language, facts, len(languages) == 1)

    def select_pieces(self, deck: str) -> list[Piece]:
        """Return the different cards of a deck for which `where:` holds."""
        where = self.where
        self.check_conditions([deck], where)
        return [
            piece
            for piece in self.database.get_deck(deck).pieces
            if not where or self.database.evaluate_on_card(where, deck, piece)
        ]

    def read_nonnegative(self, key: str, default: float = 0) -> float:
        """Return a number of the rule that must be at least 0."""
        rule_base.check_number_format(self.arguments.get(key))
        number = self.read_number(self.arguments.get(key, default))
        rule_base.check_not_negative(key, number)
        return number


@dataclass(frozen=True)
class SpaceShortage:
    """Missing width and height of a place in mm; a negative number is spare room."""

    face: CheckedFace
    name: str
    place: NamedPlace
    width: float
    height: float

    @property
    def worst(self) -> float:
        return max(self.width, self.height)


class FitsRule(FaceRule):
    """Asks that the pieces of a deck fit the places that they lie on, in some orientation."""

    optional_keys, required_keys = "where side_by_side room", "on place"

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        count, room = self.arguments.get("side_by_side"), self.arguments.get("room")
        return " ".join([f"{count} ×"] * bool(count) + [f"+ {room} mm"] * bool(room))

    def run(self) -> Iterator[RuleResult]:
        for deck in self.get_decks():
            if not self.select_pieces(deck):
                continue
            size = self.database.get_deck(deck).size
            shortages = self._find_shortages(size)
            spare = round(-max(each.worst for each in shortages), 2)
            spare = 0.0 if abs(spare) <= _SIZE_TOLERANCE else spare
            what = f"mm of room for {deck} on {self.arguments['place']}"
            yield RuleResult(measure=RuleMeasure(what, spare, 0.0))
            by_line: dict[str, list[SpaceShortage]] = {}
            for shortage in shortages:
                if shortage.worst > _SIZE_TOLERANCE:
                    by_line.setdefault(shortage.place.template_line, []).append(shortage)
            for group in by_line.values():
                yield RuleResult(violation=self._format_shortages(deck, size, group))

    def _compute_needed_sizes(self, size: Size) -> list[tuple[float, float]]:
        """Return the width and height in mm of every arrangement of the pieces on a place."""
        count, room = self.read_nonnegative("side_by_side", 1), self.read_nonnegative("room")
        if not 1 <= count <= _MAX_SIDE_BY_SIDE or count != int(count):
            raise EvaluationError(
                f"side_by_side: is {count:.12g}; it must be a whole number from 1 to "
                f"{_MAX_SIDE_BY_SIDE}"
            )
        return [
            (across * width + 2 * room, down * height + 2 * room)
            for width, height in ((size.width, size.height), (size.height, size.width))
            for across, down in _list_arrangements(int(count))
        ]

    def _find_shortages(self, size: Size) -> list[SpaceShortage]:
        """Return what each place lacks for the best arrangement of pieces of that size."""
        pattern, needed = self._get_place_pattern(), self._compute_needed_sizes(size)
        shortages, names = [], set[str]()
        for deck in map(self.database.get_deck, self.get_decks("on")):
            for face in (face for piece in deck.pieces for face in self.list_faces(deck, piece)):
                for name, place in face.facts.places.items():
                    names.add(name)
                    if fnmatchcase(name, pattern):
                        lack = min(
                            ((w - place.width, h - place.height) for w, h in needed), key=max
                        )
                        shortages.append(SpaceShortage(face, name, place, *lack))
        if not shortages:
            on = ", ".join(self.get_decks("on"))
            if not names:
                raise EvaluationError(
                    f"no place on {on} has a name; name it in the template with "
                    'data-place="store-1"'
                )
            hint = did_you_mean(pattern, names) or f"; one is '{min(names)}'"
            raise EvaluationError(f"no place on {on} is called '{pattern}'{hint}")
        return shortages

    def _get_place_pattern(self) -> str:
        given = self.arguments["place"]
        if isinstance(given, bool | list | dict) or not str(given).strip():
            raise EvaluationError("place: must be one name or pattern, such as store-*")
        return str(given)

    def _format_shortages(self, deck: str, size: Size, shortages: Sequence[SpaceShortage]) -> str:
        """Return the message about the places on one line of a template that are too small."""
        ordered = sorted(shortages, key=lambda each: -each.worst)
        first, place = ordered[0], ordered[0].place
        missing = [
            f"{lack:.2f} mm {way}"
            for lack, way in ((first.width, "across"), (first.height, "down"))
            if lack > _SIZE_TOLERANCE
        ]
        count, room = self.arguments.get("side_by_side", 1), self.arguments.get("room", 0)
        pieces = [f"{size.width:g} × {size.height:g} mm"]
        pieces += [f"{count} side by side"] if str(count) != "1" else []
        pieces += [f"{room} mm around"] if self.read_nonnegative("room") else []
        names = dict.fromkeys(f"{each.name} of {each.face.name}" for each in ordered)
        return (
            f"{deck} ({', '.join(pieces)}) do not fit {first.name} on {first.face.deck.id}, "
            f"{place.width:.2f} × {place.height:.2f} mm: too small by {' and '.join(missing)} "
            f"({_format_template_path(place.template_line)}); in question: "
            f"{summarise(names, _MAX_LISTED_FACES)}"
        )


def _list_arrangements(count: int) -> list[tuple[int, int]]:
    """Return the columns and rows in which `count` pieces can lie without a row to spare."""
    downs = {-(-count // across) for across in range(1, count + 1)}
    return [(-(-count // down), down) for down in downs]


@dataclass(frozen=True)
class MeasuredText:
    """Text of a face with the figure that a rule is about."""

    face: CheckedFace
    text: FaceText
    figure: float

    @property
    def kind(self) -> str:
        return ICON_TEXT_KIND if self.text.is_icon else self.text.kind


class TextRule(FaceRule):
    """Base class of rules about texts, of some kinds or of all but some."""

    optional_keys = "where text except"
    unit = ""

    def measure_texts(self, deck: Deck) -> list[MeasuredText]:
        """Return the texts of a deck that the rule is about, with their figures."""
        wanted, unwanted = (
            frozenset(map(str, given if isinstance(given, list) else [given] if given else ()))
            for given in (self.arguments.get(key) for key in ("text", "except"))
        )
        if wanted and wanted <= unwanted:
            raise EvaluationError("text: and except: name the same kinds, so no text is left")
        texts = [
            MeasuredText(face, text, figure)
            for piece in self.select_pieces(deck.id)
            for face in self.list_faces(deck, piece)
            for text, figure in zip(face.facts.texts, self.list_text_figures(face), strict=True)
        ]
        kinds = {text.kind for text in texts} - {"", ICON_TEXT_KIND}
        unknown = sorted(wanted - kinds - {ICON_TEXT_KIND})
        if unknown:
            hint = did_you_mean(unknown[0], sorted(kinds)) if kinds else (
                f'; mark it in the template with data-text="{unknown[0]}"')  # fmt: skip
            raise EvaluationError(f"{deck.id} has no text of the kind '{unknown[0]}'{hint}")
        return [
            text
            for text in texts
            if (text.kind in wanted if wanted else text.kind != ICON_TEXT_KIND)
            and text.kind not in unwanted
        ]

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        """Return the figure of each text of a face."""
        raise NotImplementedError

    def report_small_texts(
        self, deck: str, texts: Sequence[MeasuredText], least: float, tolerance: float
    ) -> Iterator[RuleResult]:
        """Yield a violation for each line of a template with texts below a bound."""
        lines: dict[tuple[str, str], list[MeasuredText]] = {}
        for each in texts:
            if each.figure < least - tolerance:
                lines.setdefault((each.text.template_line, each.text.kind), []).append(each)
        for (line, kind), group in lines.items():
            ordered = sorted(group, key=lambda each: each.figure)
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ordered)
            yield RuleResult(
                violation=f"{deck}: {kind or 'text'} '{ordered[0].text.excerpt}' "
                f"{self.describe_text(ordered[0])}{self.unit}, expected at least "
                f"{least:g}{self.unit} ({_format_template_path(line)}); in question: "
                f"{summarise(cards, _MAX_LISTED_FACES)}"
            )

    def describe_text(self, text: MeasuredText) -> str:
        """Return what is wrong with a text, ending with its figure."""
        return f"is {text.figure:g}"


class TextSizeRule(TextRule):
    """Bounds the size of texts, and the range of sizes of one kind of text in a deck."""

    optional_keys = "where text except at_least within"
    unit = " pt"

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        """Return the text sizes in pt."""
        return [text.size for text in face.facts.texts]

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        within = [f"± {self.arguments['within']} pt"] if "within" in self.arguments else []
        return ", ".join(filter(None, [super().describe_requirement(words), *within]))

    def run(self) -> Iterator[RuleResult]:
        if not {"at_least", "within"} & self.arguments.keys():
            raise EvaluationError("the rule needs at_least: or within:, in pt")
        for deck in self.get_decks():
            texts = self.measure_texts(self.database.get_deck(deck))
            if "at_least" in self.arguments and texts:
                least = self.read_nonnegative("at_least")
                size = min(each.figure for each in texts)
                size = least if least - _SIZE_TOLERANCE <= size < least else size
                what = f"pt of the smallest text of {deck}"
                yield RuleResult(measure=RuleMeasure(what, size, least))
                yield from self.report_small_texts(deck, texts, least, _SIZE_TOLERANCE)
            if "within" in self.arguments:
                yield from self._compare_sizes(deck, texts)

    def _compare_sizes(self, deck: str, texts: Sequence[MeasuredText]) -> Iterator[RuleResult]:
        most = self.read_nonnegative("within")
        by_kind: dict[str, list[MeasuredText]] = {}
        for text in texts:
            if text.kind:
                by_kind.setdefault(text.kind, []).append(text)
        for kind, group in by_kind.items():
            ordered = sorted(group, key=lambda each: each.figure)
            low, high = ordered[0].figure, ordered[-1].figure
            span = round(high - low, 2)
            ends = [*ordered[: _MAX_LISTED_FACES // 2], *ordered[-_MAX_LISTED_FACES // 2 :]]
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ends)
            lines = dict.fromkeys(_format_template_path(each.text.template_line) for each in ends)
            violation = (
                f"{deck}: {kind} is from {low:g} to {high:g} pt, expected at most {most:g} pt "
                f"apart ({', '.join(lines)}); in question: {', '.join(cards)}"
            )
            yield RuleResult(
                measure=RuleMeasure(f"pt between {kind} of {deck}", span, None, most),
                violation=violation if span > most + _SIZE_TOLERANCE else "",
            )


class ContrastRule(TextRule):
    """Bounds the contrast of texts with the ground under them, 1 to 21 (WCAG 2)."""

    required_keys = "at_least"
    unit = " : 1"

    def list_text_figures(self, face: CheckedFace) -> Sequence[float]:
        contrasts = self.face_facts.get_contrasts(
            face.deck.id, face.piece.id, face.side, face.language
        )
        if contrasts is None or len(contrasts) != len(face.facts.texts):
            raise FaceNotTypesetError(face.name)
        return contrasts

    def run(self) -> Iterator[RuleResult]:
        least = self.read_nonnegative("at_least")
        for deck in self.get_decks():
            texts = self.measure_texts(self.database.get_deck(deck))
            if texts:
                figure = min(text.figure for text in texts)
                yield RuleResult(measure=RuleMeasure(f"least contrast of {deck}", figure, least))
            yield from self.report_small_texts(deck, texts, least, _CONTRAST_TOLERANCE)

    def describe_text(self, text: MeasuredText) -> str:
        return f"in {text.text.colour} stands out from its ground by {text.figure:.2f}"


def _format_template_path(line: str) -> str:
    """Return the path of a template line: `board.html:3` becomes `templates/board.html:3`."""
    return f"{TEMPLATES_FOLDER}/{line}" if line else TEMPLATES_FOLDER
