"""JSON Schemas of the keys of rules, of which each kind of rule has some."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.core.json_schema import (
    ANYTHING,
    BOOLEAN,
    DECK,
    EXPRESSION,
    SCALAR,
    Schema,
    allow_either,
    allow_integer,
    allow_list,
    allow_mapping,
    allow_named_values,
    allow_one_or_list,
    allow_values,
    describe,
)

DICE_KEY = "dice"
SEVERITIES = ("error", "warning")
DECKS_SCHEMA = allow_one_or_list(DECK)
_FIGURE_SCHEMA = allow_either(EXPRESSION, allow_named_values(EXPRESSION))
"""A number, or with `by:` one for each value."""
_BOUNDS_SCHEMAS = {"is": EXPRESSION, "at_least": EXPRESSION, "at_most": EXPRESSION}
_CONDITION_SCHEMA = allow_mapping({
    "where": describe("Which of the drawn cards are counted.", EXPRESSION),
    "total": describe("What the drawn cards have, added up.", EXPRESSION),
    "deck": EXPRESSION,
    **_BOUNDS_SCHEMAS,
})  # fmt: skip
_LIST_SCHEMA: Schema = {"type": "array", "items": ANYTHING}
_HANDS_SCHEMAS = (allow_mapping({key: EXPRESSION}, [key]) for key in ("every", "one"))
_RANGE_SCHEMA = allow_mapping(dict.fromkeys(("from", "to", "in"), EXPRESSION), ["from", "to"])
DRAW_SOURCE_SCHEMA = allow_either(
    DECKS_SCHEMA,
    allow_mapping({DICE_KEY: describe("2d6, or 3d6 + d10.", EXPRESSION), "decks": DECKS_SCHEMA}),
)
_POOLS_SCHEMA = allow_named_values(EXPRESSION)
_STEP_SCHEMA = allow_mapping({
    "when": describe("Only when this holds.", EXPRESSION),
    "times": describe("So often.", EXPRESSION),
    "draw": describe("A card of this deck; its fields stand by name.", DECK),
    "roll": describe("2d6, or how many sides; gives `rolled`.", EXPRESSION),
    "add": describe("What is added to pools.", _POOLS_SCHEMA),
    "set": describe("What pools become.", _POOLS_SCHEMA),
})  # fmt: skip
COMMON_RULE_KEYS: Mapping[str, Schema] = {
    "id": describe("Problems are of this kind.", SCALAR),
    "severity": allow_values(SEVERITIES),
    "because": describe("Why it is so.", SCALAR),
    "section": describe("Where the rulebook or the design says so.", SCALAR),
    "variant": describe("The variants it is about; the whole game unless said.", ANYTHING),
}
"""Schemas of the keys that every rule may have."""
RULE_KEYS: Mapping[str, Schema] = {
    "where": describe("Only the cards for which this holds.", EXPRESSION),
    "is": describe("A number or an expression; a share, such as 1/4.", _FIGURE_SCHEMA),
    "at_least": _FIGURE_SCHEMA,
    "at_most": _FIGURE_SCHEMA,
    "together": describe("All decks as one.", BOOLEAN),
    "of": describe("A field or an expression.", EXPRESSION),
    "by": describe("A field or an expression.", EXPRESSION),
    "parts": describe("Each value and its share: {money: 1/2}.", allow_named_values(EXPRESSION)),
    "tolerance": describe("How far a share may be off: 5 %.", EXPRESSION),
    "field": describe("What of the other cards is named; id unless said.", EXPRESSION),
    "complete": describe("Each must be named at least once.", BOOLEAN),
    "to": DECKS_SCHEMA,
    "given_by": DECKS_SCHEMA,
    "gives": describe("How many a card gives.", EXPRESSION),
    "besides": describe("How many are taken at the start.", EXPRESSION),
    "each": describe("On every card of these decks.", DECKS_SCHEMA),
    "among": describe("Among the entries of this list.", EXPRESSION),
    "places": EXPRESSION,
    "links": EXPRESSION,
    "draw": describe(
        "How many cards are drawn; of several decks, of each.",
        allow_either(EXPRESSION, allow_named_values(EXPRESSION)),
    ),
    "see": describe(
        "What is to be among them; all of a list, one of any:.",
        allow_either(
            _CONDITION_SCHEMA,
            allow_mapping({"any": _LIST_SCHEMA}, ["any"]),
            allow_mapping({"all": _LIST_SCHEMA}, ["all"]),
            _LIST_SCHEMA,
        ),
    ),
    "hands": describe(
        "So many hands are dealt; it holds of every one, or {one: 4} of one of them.",
        allow_either(EXPRESSION, *_HANDS_SCHEMAS),
    ),
    "keep": describe("Only the cards for which this holds are drawn from.", EXPRESSION),
    "remove": describe("Cards for which this holds are taken out before.", EXPRESSION),
    "spread": describe(
        "How far from the mean it usually lies (the standard deviation).",
        allow_either(EXPRESSION, allow_mapping(_BOUNDS_SCHEMAS)),
    ),
    "mostly": describe(
        "From where to where it lies in nine of ten: [12, 20].",
        allow_either(allow_list(EXPRESSION, 2, 2), _RANGE_SCHEMA),
    ),
    "pools": describe("Numbers that rise and fall, and what each begins with.", _POOLS_SCHEMA),
    "turn": describe("The steps of a turn, one after the other.", allow_one_or_list(_STEP_SCHEMA)),
    "turns": describe("How many turns there are, at most.", EXPRESSION),
    "until": describe("It ends after a turn in which this holds.", EXPRESSION),
    "measure": describe("What is counted at the end; or what is to hold.", EXPRESSION),
    "runs": describe("How often it is played; 1000 unless said.", allow_integer(100, 100_000)),
    "seed": describe("Another number, other runs.", allow_integer(0)),
    "on": describe("The decks on whose cards it lies.", allow_one_or_list(DECK)),
    "place": describe("A place by its name, or many: store-*.", SCALAR),
    "side_by_side": describe("How many lie on one place.", EXPRESSION),
    "room": describe("mm that stay free all around.", EXPRESSION),
    "within": describe("pt between the largest and the smallest.", EXPRESSION),
    "text": describe("Only texts of this kind, or of these: data-text.", allow_one_or_list(SCALAR)),
    "words": describe(
        "Words that no text may have; name* finds what begins so.", allow_one_or_list(SCALAR)
    ),
    "except": describe(
        "What is left out: kinds of texts, or what none translates.", allow_one_or_list(SCALAR)
    ),
}
"""Schemas of the other keys of rules."""
