"""What a build can make. An output is a module with `plan` and `make`, and one line here.

- plan(job) -> (artefacts, problems): which files, under which keys, from which recipes
- make(recipes) -> bytes of each, in that order; it may run in another process
- BATCH: how many recipes are handed to `make` at once
"""

from cardgen.outputs import contact, folder, images, playground, playingcards, sheets, tts

OUTPUTS = {
    "sheets": sheets,
    "images": images,
    "contact": contact,
    "tts": tts,
    "tabletop-playground": playground,
    "playingcards": playingcards,
    "folder": folder,
}

LAST = ("tts",)
"""Made once the others lie in their place: a table takes the rulebook along."""

STANDARD = ("sheets", "images")
"""What is made when nothing is named."""
