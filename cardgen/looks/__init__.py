"""Looks: card designs that come with cardgen and need no HTML. A folder here is one of them.

In: what a deck says under `look:` and `places:`. Out: the templates that the deck would have to
write itself, as text (`drawing_up.drawn_up`), which `templates` render and `cardgen eject` writes
down. Called by `game.decks` and `cli`.
"""
