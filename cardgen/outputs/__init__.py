"""What a build can make. An output is a module with `plan` and `make`, and one line here.

- plan(job) -> (artefacts, problems): which files, under which keys, from which recipes
- make(recipes) -> bytes of each, in that order; it may run in another process
- OF_DECKS: whether it shows the decks asked for; if not, what the game's books show
- BATCH: how many recipes are handed to `make` at once
"""

from cardgen.outputs import (
    contact,
    folder,
    images,
    playground,
    playingcards,
    rulebook,
    sheets,
    tts,
)

OUTPUTS = {
    "sheets": sheets,
    "images": images,
    "rulebook": rulebook,
    "contact": contact,
    "tts": tts,
    "tabletop-playground": playground,
    "playingcards": playingcards,
    "folder": folder,
}

LAST = ("tts",)
"""Made once the others lie in their place: a table takes the rulebook along."""

STANDARD = ("sheets", "images", "rulebook")
"""What is made when nothing is named."""
