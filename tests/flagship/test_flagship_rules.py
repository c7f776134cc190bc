"""The flagship's composition rules: each of them can be broken, so none holds idly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from cardgen.game.face_facts import NO_FACE_FACTS, FaceFacts, FaceFactsSource, FaceText, NamedPlace
from cardgen.game.model import Deck, Field, Game, Piece, Rule, Text
from cardgen.rules import rule_kinds
from cardgen.templates.expressions import CardDatabase, EvaluationError

Changed = tuple[tuple[str, ...], Game]
"""What was changed, a deck and its field or a constant, and the game with it."""


PLACES = (
    "food-0",
    "fuel-0",
    "artillery-0",
    "assault-0",
    "fatigue-1",
    "drunk",
    "atrocities",
    "loot-1",
)


class AllFaces:
    """Faces that are all alike: places of `side` mm, rules in these sizes, a ratio of contrast."""

    def __init__(self, side: float, sizes: tuple[float, ...], ratio: float) -> None:
        box = (0.0, 0.0, 10.0, 2.0)
        sign = FaceText("icon", 9, "#000000", 1.0, "x.html:2", "i", (box,))
        rules = (FaceText("rules", size, "#000000", 1.0, "x.html:1", "A", (box,)) for size in sizes)
        self.texts = (*rules, sign)
        self.places = {name: NamedPlace(0, 0, side, side, "x.html:1") for name in PLACES}
        self.ratio = ratio

    def get_facts(self, *_: str) -> FaceFacts:
        return FaceFacts(self.places, self.texts)

    def get_contrasts(self, *_: str) -> tuple[float, ...]:
        return (self.ratio,) * len(self.texts)


def broken(game: Game, among: Iterable[Rule], known: FaceFactsSource = NO_FACE_FACTS) -> set[str]:
    """The ids of those rules that a box breaks; one that cannot be evaluated is no such rule."""
    database = CardDatabase(game)
    found = set()
    for rule in among:
        with suppress(EvaluationError):
            found |= (
                {rule.id}
                if [*rule_kinds.make_rule_kind(rule, database, known).check(lambda deck: {})]
                else set()
            )
    return found


def played_less(rule: Rule) -> Rule:
    """A rule that plays the game as rarely as it may; it still holds on the game as it is."""
    return (
        replace(rule, arguments={**rule.arguments, "runs": 100})
        if "runs" in rule.arguments
        else rule
    )


def with_deck(game: Game, deck: Deck, pieces: tuple[Piece, ...]) -> Game:
    """The game with other pieces in a deck."""
    changed = replace(deck, pieces=pieces)
    return replace(game, decks=tuple(changed if d is deck else d for d in game.decks))


def with_values(game: Game, deck: Deck, piece: Piece, **values: Any) -> Game:
    """The game with other values on a card."""
    changed = replace(piece, values={**piece.values, **values})
    return with_deck(game, deck, tuple(changed if p is piece else p for p in deck.pieces))


def other_copies(game: Game) -> Iterator[Changed]:
    """A card missing, and a card far too often, in every deck."""
    for deck in game.decks:
        for piece in deck.pieces[:: max(1, len(deck.pieces) // 4)]:
            for copies in (0, 30):
                many = replace(piece, copies=copies)
                pieces = tuple(many if p is piece else p for p in deck.pieces)
                yield (deck.id,), with_deck(game, deck, pieces)


def other_values(game: Game) -> Iterator[Changed]:
    """Every field of every deck at another value, on a card that has it, and on all cards."""
    for deck in game.decks:
        for name, declared in deck.fields.items():
            having = [p for p in deck.pieces if p.values.get(name)] or [deck.pieces[0]]
            for value in others(having[-1].values.get(name), declared):
                yield (deck.id, name), with_values(game, deck, having[-1], **{name: value})
                pieces = [replace(p, values={**p.values, name: value}) for p in deck.pieces]
                yield (deck.id, name), with_deck(game, deck, tuple(pieces))
        if len(deck.pieces) > 1 and "name" in deck.fields:
            first, second, *_ = deck.pieces
            changed = with_values(game, deck, second, name=first.values["name"])
            yield (deck.id, "name"), changed


def other_texts(game: Game) -> Iterator[Changed]:
    """In every deck a card whose name was not translated."""
    source = game.languages[0]
    for deck in game.decks:
        for piece in deck.pieces[:1]:
            for name, value in piece.values.items():
                if isinstance(value, Text) and value[source]:
                    forgotten = Text(dict.fromkeys(game.languages, value[source]), value.source)
                    yield (deck.id,), with_values(game, deck, piece, **{name: forgotten})


def others(value: Any, declared: Field) -> Iterator[Any]:
    """Values of a field that are not this one, too small, too large or another choice."""
    if declared.kind == "choice":
        yield from (choice for choice in declared.choices if choice != value)
    elif declared.kind == "boolean":
        yield not value
    elif declared.kind == "integer":
        yield from (None, 0, 50, -9)
    elif declared.kind == "list" and value and declared.item:
        for changed in others(value[-1], declared.item):
            yield (*value[:-1], changed)
            yield (changed,) * len(value)
        yield value * 4
    elif declared.kind == "record":
        for name, field in declared.fields.items():
            entries = value if isinstance(value, Mapping) else dict.fromkeys(declared.fields)
            for changed in others(entries[name], field):
                yield {**entries, name: changed}


def other_constants(game: Game) -> Iterator[Changed]:
    """Every constant of the game far too small and far too large, colours black or alike."""

    def scaled(value: Any) -> Iterator[Any]:
        if isinstance(value, Mapping):
            for key, child in value.items():
                yield from ({**value, key: changed} for changed in scaled(child))
        elif isinstance(value, int):
            yield from (0, 2 * value, 9 * value)

    for name, value in game.constants.items():
        for changed in scaled(value):
            yield (name,), replace(game, constants={**game.constants, name: changed})
    for name in game.colours:
        yield (name,), replace(game, colours={**game.colours, name: "#000000"})
    first, second, *rest = game.players
    yield ("players",), replace(game, players=(first, replace(second, colour=first.colour), *rest))


def test_every_rule_can_be_broken(game: Game) -> None:
    """Backs that are alike are looked at elsewhere: no data make them differ; nor do they change
    what is measured of faces."""
    idle = {
        rule.id: played_less(rule)
        for rule in game.rules
        if rule.kind != "same_back" and not rule_kinds.is_face_rule(rule)
    }
    named = {rule_id: str(rule.arguments) for rule_id, rule in idle.items()}
    assert broken(game, idle.values()) == set()
    every = other_constants(game), other_texts(game), other_copies(game), other_values(game)
    for what, changed in chain(*every):
        if not idle:
            break
        concerned = [rule for rule in idle.values() if all(w in named[rule.id] for w in what)]
        for rule_id in broken(changed, concerned):
            del idle[rule_id]
    assert sorted(idle) == []


def test_every_rule_about_faces_can_be_broken(game: Game) -> None:
    """By places that are too small, letters that are, or no ink to be seen, and each for itself."""
    asked = {rule.id: rule for rule in game.rules if rule_kinds.is_face_rule(rule)}
    kinds = {rule.kind for rule in asked.values()}
    assert kinds == {"fits", "text_size", "contrast"}
    assert broken(game, asked.values(), AllFaces(15, (8, 8.9), 4.6)) == set()
    wrong = {
        "fits": AllFaces(11, (8, 8.9), 4.6),
        "text_size": AllFaces(15, (7.3, 8.5), 4.6),
        "contrast": AllFaces(15, (8, 8.9), 2.9),
    }
    for kind, known in wrong.items():
        own = {rule_id for rule_id, rule in asked.items() if rule.kind == kind}
        assert broken(game, asked.values(), known) == own
