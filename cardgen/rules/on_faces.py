"""Kinds of rule that are held against faces once they are set: whether pieces fit the places that
they lie on, how large texts are, and how well they stand out from their ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from cardgen.base import schema
from cardgen.base.problems import did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.units import Size
from cardgen.game.face_facts import FaceFacts, Lettering, NamedPlace
from cardgen.game.folder import TEMPLATES
from cardgen.game.model import Deck, Piece
from cardgen.rules import asked
from cardgen.rules.kind import Backs, Kind
from cardgen.rules.measures import Measure
from cardgen.templates.expressions import CannotEvaluate

SIDES = ("front", "back")
ICON = "icon"
"""What rules call the signs of the icons' font, which they pass over unless they name them."""
_WORST = 4
_MEASURED = 0.05
"""mm and pt by which a figure may be off what it is held against: boxes are rounded."""
_RATIO = 0.005
_MOST_SIDE_BY_SIDE = 400
_WORDS: Schema = schema.either(schema.WORD, schema.listed(schema.WORD))
KEYS: Mapping[str, Schema] = {
    "on": schema.said("The decks on whose cards it lies.", schema.several(schema.DECK)),
    "place": schema.said("A place by its name, or many: store-*.", schema.WORD),
    "side_by_side": schema.said("How many lie on one place.", schema.EXPRESSION),
    "room": schema.said("mm that stay free all around.", schema.EXPRESSION),
    "within": schema.said("pt between the largest and the smallest.", schema.EXPRESSION),
    "text": schema.said("Only texts of this kind, or of these: data-text.", _WORDS),
    "except": schema.said("What is left out: kinds of texts, or what none translates.", _WORDS),
}
"""What rules about faces may say, by its word."""


class Waits(Exception):  # noqa: N818 - it reads as what it says
    """A face that a rule asks about is not set yet."""


@dataclass(frozen=True)
class Seen:
    """A face that is set, and what is known of it."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    facts: FaceFacts
    alone: bool = False
    """Whether the game has no other language."""

    @property
    def name(self) -> str:
        """`harbour [fi] back`, without what need not be said."""
        language = "" if self.alone else f" [{self.language}]"
        return f"{self.piece.id}{language}{' back' if self.side == 'back' else ''}"


class OnFaces(Kind):
    """A rule about faces. It raises `Waits` where one that it asks about is not set."""

    needs_contrasts: ClassVar[bool] = False

    def seen(self, deck: Deck, piece: Piece) -> Iterator[Seen]:
        """The faces of a card that have a template, in every language."""
        languages = self.database.game.languages
        for side in SIDES:
            for language in languages if deck.template(piece, side) else ():
                facts = self.known.facts(deck.id, piece.id, side, language)
                if facts is None:
                    raise Waits(f"{deck.id}/{piece.id}")
                yield Seen(deck, piece, side, language, facts, len(languages) == 1)

    def pieces(self, deck: str, where: str) -> list[Piece]:
        """The different cards of a deck for which an expression holds."""
        self.check_conditions([deck], where)
        found = self.database.deck(deck)
        return [
            piece
            for piece in found.pieces
            if not where or self.database.on_card(where, deck, piece)
        ]

    def words(self, key: str) -> frozenset[str]:
        """The kinds of text that a rule names under a key."""
        given = self.arguments.get(key, ())
        return frozenset(map(str, given if isinstance(given, list) else [given] if given else ()))

    def at_least_zero(self, key: str, usual: float) -> float:
        """A figure of the rule that is not below 0."""
        asked.as_written(self.arguments.get(key))
        found = self.number(self.arguments.get(key, usual))
        if found < 0:
            raise CannotEvaluate(f"{key}: is {found:g}; 0 is the least")
        return found


@dataclass(frozen=True)
class _Lack:
    """What a place lacks, mm across and down: less than nothing is room that is left."""

    face: Seen
    name: str
    place: NamedPlace
    wide: float
    tall: float

    @property
    def worst(self) -> float:
        return max(self.wide, self.tall)


class Fits(OnFaces):
    """Whether what lies on a place fits it: a deck's pieces, each way round, side by side."""

    keys, needed = "where side_by_side room", "on place"

    def broken(self, _backs: Backs) -> list[str]:
        told = []
        for deck, size in self._sizes():
            worst: dict[str, list[_Lack]] = {}
            for lack in self._lacks(size):
                if lack.worst > _MEASURED:
                    worst.setdefault(lack.place.at, []).append(lack)
            told += [self._told(deck, size, lacks) for lacks in worst.values()]
        return told

    def measures(self) -> list[Measure]:
        found = []
        for deck, size in self._sizes():
            room = round(-max(lack.worst for lack in self._lacks(size)), 2)
            what = f"mm of room for {deck} on {self.arguments['place']}"
            found.append(Measure(what, 0.0 if abs(room) <= _MEASURED else room, 0.0))
        return found

    def asks(self, words: Mapping[str, str]) -> str:
        """What lies there."""
        count, room = self.arguments.get("side_by_side"), self.arguments.get("room")
        parts = [f"{count} ×"] if count else []
        return " ".join([*parts, *([f"+ {room} mm"] if room else [])])

    def _sizes(self) -> Iterator[tuple[str, Size]]:
        """The decks of which anything lies there, and how large its pieces are."""
        for deck in self.decks():
            if self.pieces(deck, self.where):
                yield deck, self.database.deck(deck).size

    def _needed(self, size: Size) -> list[tuple[float, float]]:
        """How much room they take, mm, in every way that they can lie."""
        count = self.at_least_zero("side_by_side", 1)
        room = self.at_least_zero("room", 0)
        if not 1 <= count <= _MOST_SIDE_BY_SIDE or count != int(count):
            raise CannotEvaluate(
                f"side_by_side: is {count:.12g}; a whole number from 1 to {_MOST_SIDE_BY_SIDE} is "
                "asked for"
            )
        return [
            (across * wide + 2 * room, down * tall + 2 * room)
            for wide, tall in ((size.width, size.height), (size.height, size.width))
            for across, down in _rows(int(count))
        ]

    def _lacks(self, size: Size) -> list[_Lack]:
        """What each of the places lacks."""
        pattern, needed = self._place(), self._needed(size)
        found, others = [], set[str]()
        for face in self._boards():
            for name, place in face.facts.places.items():
                others.add(name)
                if fnmatchcase(name, pattern):
                    wide, tall = min(
                        ((w - place.width, h - place.height) for w, h in needed), key=max
                    )
                    found.append(_Lack(face, name, place, wide, tall))
        if not found:
            on = ", ".join(self.decks("on"))
            if not others:
                raise CannotEvaluate(
                    f'no place on {on} has a name; its template gives one by data-place="store-1"'
                )
            hint = did_you_mean(pattern, others) or f"; one is '{min(others)}'"
            raise CannotEvaluate(f"no place on {on} is called '{pattern}'{hint}")
        return found

    def _place(self) -> str:
        """The pattern of the places' names."""
        given = self.arguments["place"]
        if isinstance(given, bool | list | dict) or not str(given).strip():
            raise CannotEvaluate("place: is one name or pattern, such as store-*")
        return str(given)

    def _boards(self) -> Iterator[Seen]:
        for name in self.decks("on"):
            deck = self.database.deck(name)
            for piece in deck.pieces:
                yield from self.seen(deck, piece)

    def _told(self, deck: str, size: Size, lacks: Sequence[_Lack]) -> str:
        """What is too small on one line of a template."""
        ordered = sorted(lacks, key=lambda lack: -lack.worst)
        first = ordered[0]
        across = [f"{first.wide:.2f} mm across"] if first.wide > _MEASURED else []
        down = [f"{first.tall:.2f} mm down"] if first.tall > _MEASURED else []
        count, room = self.arguments.get("side_by_side", 1), self.arguments.get("room", 0)
        several = f"{count} side by side" if str(count) != "1" else ""
        around = f"{room} mm around" if self.at_least_zero("room", 0) else ""
        lying = ", ".join(filter(None, (f"{size.width:g} × {size.height:g} mm", several, around)))
        named = ", ".join(dict.fromkeys(f"{each.name} of {each.face.name}" for each in ordered))
        place, at = first.place, first.face.deck.id
        return (
            f"{deck} ({lying}) do not fit {first.name} on {at}, {place.width:.2f} × "
            f"{place.height:.2f} mm: too small by {' and '.join([*across, *down])} "
            f"({_file(place.at)}); in question: {_few(named)}"
        )


def _rows(count: int) -> list[tuple[int, int]]:
    """How so many lie side by side, across and down, with no row or column that could be spared."""
    downs = {-(-count // across) for across in range(1, count + 1)}
    return [(-(-count // down), down) for down in downs]


@dataclass(frozen=True)
class _Text:
    """A text of a face, with the figure that a rule asks of it."""

    face: Seen
    text: Lettering
    figure: float


class _OfTexts(OnFaces):
    """A rule about texts, of some kinds or of all but some."""

    keys = "where text except"

    def texts(self, deck: Deck) -> list[_Text]:
        """The texts of a deck that the rule is about, with their figures."""
        wanted, unwanted = self.words("text"), self.words("except")
        if wanted and wanted <= unwanted:
            raise CannotEvaluate("text: and except: say the same, so no text is left")
        found, kinds = [], set[str]()
        for piece in self.pieces(deck.id, self.where):
            for face in self.seen(deck, piece):
                for text, figure in zip(face.facts.texts, self.figures_of(face), strict=True):
                    kind = ICON if text.icon else text.kind
                    kinds.add(kind)
                    meant = kind in wanted if wanted else kind != ICON
                    if meant and kind not in unwanted:
                        found.append(_Text(face, text, figure))
        strange = sorted((wanted or unwanted) - kinds - {ICON})
        if strange and wanted:
            known = sorted(kinds - {"", ICON})
            hint = did_you_mean(strange[0], known) if known else (
                f'; a template says so by data-text="{strange[0]}"')  # fmt: skip
            raise CannotEvaluate(f"{deck.id} has no text of the kind '{strange[0]}'{hint}")
        return found

    def figures_of(self, face: Seen) -> Sequence[float]:
        """The figure of each text of a face."""
        raise NotImplementedError

    def too_small(
        self, deck: str, texts: Sequence[_Text], least: float, unit: str, slack: float
    ) -> Iterator[str]:
        """Those whose figure is below the least, by the line of their template."""
        lines: dict[tuple[str, str], list[_Text]] = {}
        for each in texts:
            if each.figure < least - slack:
                lines.setdefault((each.text.at, each.text.kind), []).append(each)
        for (at, kind), few in lines.items():
            ordered = sorted(few, key=lambda each: each.figure)
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ordered)
            said = f"{deck}: {kind or 'text'} '{ordered[0].text.words}'"
            yield (
                f"{said} {self.says(ordered[0])}{unit}, at least {least:g}{unit} asked "
                f"({_file(at)}); in question: {_few(', '.join(cards))}"
            )

    def says(self, text: _Text) -> str:
        """What is said of a text, its figure last."""
        return f"is {text.figure:g}"


class TextSize(_OfTexts):
    """Whether texts are large enough, and those of one kind of one size on the cards of a deck."""

    keys = "where text except at_least within"

    def figures_of(self, face: Seen) -> Sequence[float]:
        """Their sizes in pt."""
        return [text.size for text in face.facts.texts]

    def broken(self, _backs: Backs) -> list[str]:
        self._asked()
        told: list[str] = []
        for name in self.decks():
            texts = self.texts(self.database.deck(name))
            if "at_least" in self.arguments:
                least = self.at_least_zero("at_least", 0)
                told += self.too_small(name, texts, least, " pt", _MEASURED)
            if "within" in self.arguments:
                told += self._apart(name, texts)
        return told

    def measures(self) -> list[Measure]:
        self._asked()
        found = []
        for name in self.decks():
            texts = self.texts(self.database.deck(name))
            if "at_least" in self.arguments and texts:
                least = self.at_least_zero("at_least", 0)
                size = min(each.figure for each in texts)
                held = least if least - _MEASURED <= size < least else size
                found.append(Measure(f"pt of the smallest text of {name}", held, least))
            if "within" in self.arguments:
                most = self.at_least_zero("within", 0)
                found += [
                    Measure(f"pt between {kind} of {name}", _span(few), None, most)
                    for kind, few in _by_kind(texts)
                ]
        return found

    def asks(self, words: Mapping[str, str]) -> str:
        """The least size, and how far sizes may be apart."""
        parts = [super().asks(words)]
        parts += [f"± {self.arguments['within']} pt"] if "within" in self.arguments else []
        return ", ".join(filter(None, parts))

    def _asked(self) -> None:
        if not {"at_least", "within"} & self.arguments.keys():
            raise CannotEvaluate("it needs at_least: or within:, in pt")

    def _apart(self, deck: str, texts: Sequence[_Text]) -> Iterator[str]:
        most = self.at_least_zero("within", 0)
        for kind, few in _by_kind(texts):
            if _span(few) <= most + _MEASURED:
                continue
            ordered = sorted(few, key=lambda each: each.figure)
            ends = [*ordered[: _WORST // 2], *ordered[-_WORST // 2 :]]
            cards = dict.fromkeys(f"{each.face.name} {each.figure:g}" for each in ends)
            lines = dict.fromkeys(_file(each.text.at) for each in ends)
            yield (
                f"{deck}: {kind} is from {ordered[0].figure:g} to {ordered[-1].figure:g} pt, "
                f"{most:g} pt apart at most asked ({', '.join(lines)}); in question: "
                f"{', '.join(cards)}"
            )


class Contrast(_OfTexts):
    """Whether texts stand out from what is painted under them."""

    needed = "at_least"
    needs_contrasts = True

    def figures_of(self, face: Seen) -> Sequence[float]:
        """Their contrasts, from 1 to 21."""
        found = self.known.contrasts(face.deck.id, face.piece.id, face.side, face.language)
        if found is None or len(found) != len(face.facts.texts):
            raise Waits(face.name)
        return found

    def broken(self, _backs: Backs) -> list[str]:
        least, told = self.at_least_zero("at_least", 0), list[str]()
        for name in self.decks():
            texts = self.texts(self.database.deck(name))
            told += self.too_small(name, texts, least, " : 1", _RATIO)
        return told

    def measures(self) -> list[Measure]:
        least, found = self.at_least_zero("at_least", 0), []
        for name in self.decks():
            figures = [each.figure for each in self.texts(self.database.deck(name))]
            if figures:
                found.append(Measure(f"least contrast of {name}", min(figures), least))
        return found

    def says(self, text: _Text) -> str:
        """The colour, and how it stands out."""
        return f"in {text.text.colour} stands out from its ground by {text.figure:.2f}"


def _by_kind(texts: Sequence[_Text]) -> list[tuple[str, list[_Text]]]:
    """The texts that have a kind, by it: what has none is not the same thing."""
    found: dict[str, list[_Text]] = {}
    for each in texts:
        kind = ICON if each.text.icon else each.text.kind
        if kind:
            found.setdefault(kind, []).append(each)
    return list(found.items())


def _span(texts: Sequence[_Text]) -> float:
    figures = [each.figure for each in texts]
    return round(max(figures) - min(figures), 2)


def _file(at: str) -> str:
    """A template's mark, `board.html:3`, as people find it."""
    return f"{TEMPLATES}/{at}" if at else TEMPLATES


def _few(listed: str) -> str:
    """The first few of what is listed, and how many more."""
    names = listed.split(", ")
    more = f" and {len(names) - _WORST} more" if len(names) > _WORST else ""
    return ", ".join(names[:_WORST]) + more


def deck_names(given: Any) -> list[str]:
    """The decks that a rule names, one or a list."""
    return [str(each) for each in (given if isinstance(given, list) else [given])]
