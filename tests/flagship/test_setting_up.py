"""A game for four, set up from the printed box step by step: nothing missing, nothing left over."""

from __future__ import annotations

from collections import Counter

from cardgen.game.model import Game
from cardgen.templates.expressions import CardDatabase

PLAYERS = 4


class Box:
    """The printed box: what is taken out of it is no longer there."""

    def __init__(self, game: Game) -> None:
        self.database = CardDatabase(game)
        self.left = Counter({deck.id: deck.count for deck in game.decks})

    def take(self, deck: str, number: int, where: str = "") -> None:
        held = self.database.count(deck, where)
        assert held >= number, f"{deck} with {where or 'any'} holds {held} of {number}"
        assert self.left[deck] >= number, f"{deck} has {self.left[deck]} left of {number}"
        self.left[deck] -= number


def test_four_players_set_up_from_the_box(game: Game) -> None:
    box, constants = Box(game), game.constants
    units = constants["units_per_player"] * PLAYERS

    # 1. Commanders are drawn; the money is the common bank.
    box.take("commanders", PLAYERS)
    for value in (1, 3, 5, 10):
        box.take("money", 20, f"value == {value}")
    # 2. Twelve areas.
    box.take("areas", constants["areas_in_game"])
    # 3. Loot, foreign aid, seven night attacks.
    for deck in ("loot-city", "loot-country"):
        box.take(deck, 32)
    box.take("foreign-aid", 12)
    box.take("night-attacks", constants["night_attacks_in_game"])
    # 4. Colours, boards, units.
    box.take("status-boards", PLAYERS)
    box.take("player-aids", PLAYERS)
    box.take("ruler", 3)
    for player in game.players:
        for kind in ("armour", "infantry", "supply"):
            box.take("units", 1, f"player == '{player.id}' and type == '{kind}'")
    # 5. Supplies, cigarettes, a fatigue marker each.
    box.take("tokens", len(constants["supplies"]) * PLAYERS, "id == 'supply'")
    box.take("substances", constants["cigarettes_per_unit"] * units, "kind == 'cigarettes'")
    box.take("tokens", units, "id == 'fatigue'")
    # 6. One of each level for every player.
    for level in ("greenhorn", "regular", "scarface"):
        box.take("experience", PLAYERS, f"level == '{level}'")
    # 7. Graft: three cards, then one more for each further unit; one played on each.
    box.take("graft", 3 + (units - 1))
    # 8. Seven actions of eighteen; the others are the common deck.
    for player in game.players:
        box.take("actions", 18, f"player == '{player.id}'")

    assert +box.left == Counter({
        "areas": 12,  # put away unseen
        "night-attacks": 11,  # at hand, some attacks ask for more
        "graft": 10,  # of the 14 drawn two are never played
        "substances": 34,  # for looting, stashes and graft
        "tokens": 116,  # states to come
        "goods": 45,  # for looting
        "bridges": 4,  # until a resistance breaks one
    })  # fmt: skip


def test_units_are_placed_from_both_ends(game: Game) -> None:
    """ABCD DCBA ABCD: every unit once, the turn changing its direction after each round."""
    order = [player.id for player in game.players]
    rounds = [order, order[::-1], order]
    placed = Counter(player for turn in rounds for player in turn)
    assert game.players[0].id == "pink"
    assert placed == Counter(dict.fromkeys(order, game.constants["units_per_player"]))


def test_every_starting_amount_lies_on_its_track(game: Game) -> None:
    for supply in game.constants["supplies"].values():
        assert 0 < supply["start"] < supply["most"]


def test_the_box_lasts_until_it_should_not(game: Game) -> None:
    """Six breakfasts and twelve advances cannot be paid from the starting supplies."""
    supplies = game.constants["supplies"]
    assert supplies["food"]["start"] < 6 * game.constants["units_per_player"]
    assert supplies["fuel"]["start"] < game.constants["areas_in_game"]
