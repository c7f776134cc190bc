"""Player colours of Tabletop Simulator: every player of a game gets the nearest one still free."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.game.model import Player
from cardgen.rules.colours import distance

# The client's own, fixed; Grey watches and Black leads the game, so neither has a seat.
SEATS = {
    "White": "#ffffff", "Brown": "#713b17", "Red": "#da1918", "Orange": "#f4641d",
    "Yellow": "#e7e52c", "Green": "#31b32b", "Teal": "#21b19b", "Blue": "#1f87ff",
    "Purple": "#a020f0", "Pink": "#f570ce",
}  # fmt: skip


def colours(players: Sequence[Player]) -> dict[str, str]:
    """Player id → colour of a seat. The nearest pairs are matched first; only ten have a seat."""
    pairs = sorted(
        (distance(player.colour, colour), number, seat)
        for number, player in enumerate(players)
        for seat, colour in SEATS.items()
    )
    found: dict[str, str] = {}
    for _, number, seat in pairs:
        if players[number].id not in found and seat not in found.values():
            found[players[number].id] = seat
    return found
