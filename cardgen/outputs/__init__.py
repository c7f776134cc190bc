"""What a build can make. An output is a module with `plan` and `make`, and one line here.

- plan(job) -> (artefacts, problems): which files, under which keys, from which recipes
- make(recipes) -> bytes of each, in that order; it may run in another process
- OF_DECKS: whether it shows the decks asked for; if not, what the game's books show
- BATCH: how many recipes are handed to `make` at once
"""

from cardgen.outputs import (
    cardpdfs,
    changed,
    contact,
    folder,
    images,
    mpc,
    playground,
    playingcards,
    rulebook,
    sheets,
    tgc,
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
    "changed": changed,
    "mpc": mpc,
    "tgc": tgc,
    "card-pdfs": cardpdfs,
}

WORDS = tuple(name for name in OUTPUTS if name != "changed")
"""What may be named; changed cards are asked for as sheets of what changed."""

LAST = ("tts",)
"""Made once the others lie in their place: a table takes the rulebook along."""

TABLES = ("tts", "tabletop-playground", "playingcards", "folder")
"""What lays things on a table, as table.yaml says."""

STANDARD = ("sheets", "images", "rulebook")
"""What is made when nothing is named."""
