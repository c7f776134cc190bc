"""The day that the rulebook plays through is one that the cards allow.

Its story is prose, and prose does not notice when a card is changed: what it takes for granted of
the cards stands here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cardgen.game.model import Game

TOLD: dict[str, dict[str, Any]] = {
    "areas/orchard": {"terrain": "countryside", "any": (3, 4, 5), "artillery": (), "assault": ()},
    "areas/silos": {"terrain": "countryside", "artillery": (3, 5, 6), "any": (), "assault": ()},
    "actions/full-broadside-blue": {"ammunition": 2, "damage": 4, "units": ("armour",)},
    "actions/listening-patrol-pink": {"looks_at": 2, "units": ("infantry",)},
    "loot-country/machine-shed": {"goods": (3, 3)},
    "loot-country/hay-barn": {"sleep": True},
    "loot-country/bull": {"fatigue": 1, "loses_dearest": True},
    "commanders/frank": {"fed": 1},
}  # fmt: skip
"""What the story says of its cards; the figures of areas are for 2, 3 and 4 players."""


def values(game: Game, name: str) -> Any:
    deck_name, piece = name.split("/")
    deck = game.get_deck(deck_name)
    assert deck is not None
    return next(found.values for found in deck.pieces if found.id == piece)


@pytest.mark.parametrize("name", TOLD)
def test_a_card_of_the_story_is_as_told(game: Game, name: str) -> None:
    card = values(game, name)
    assert {key: card[key] for key in TOLD[name]} == TOLD[name]


def test_two_players_open_one_card_and_then_two(game: Game) -> None:
    assert [values(game, f"areas/{name}")["loot"][0] for name in ("orchard", "silos")] == [1, 2]


def test_six_units_meet_the_attacks_that_are_told(game: Game) -> None:
    queue = 6
    silos = [s for s in values(game, "areas/silos")["attack"] if (s["from_units"] or 0) <= queue]
    assert (silos[0]["place"], silos[0]["count"], silos[0]["damage"]) == (1, 1, 1)
    market = values(game, "areas/market")["attack"][0]
    assert (market["players"], market["loses"]["food"]) == ("all", 1)
    cyclists = values(game, "night-attacks/cyclists")
    assert (cyclists["aims"][0]["place"], cyclists["aims"][0]["from"]) == (2, "rear")
    assert (cyclists["result"]["alert"], cyclists["result"]["otherwise"]) == (
        "damaged",
        "destroyed",
    )


def test_both_choose_a_starter_card(game: Game) -> None:
    for name in ("actions/listening-patrol-pink", "actions/full-broadside-blue"):
        assert values(game, name)["starter"]


def test_both_languages_tell_it_with_the_same_cards() -> None:
    told = []
    for language in ("fi", "en"):
        book = Path("rulebook", f"{language}.md").read_text(encoding="utf-8")
        chapter = re.split(r"\{#first-day[^}]*\}\n", book)[1].split("\n## ")[0]
        told.append(re.findall(r'\("([a-z-]+)", "([a-z-]+)"\)', chapter))
    assert told[0]
    assert told[0] == told[1]
