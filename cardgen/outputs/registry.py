"""Every output by the word that asks for it; a new one is a line here."""

from cardgen.outputs import card_pdfs, changed, contact, images, rulebook, sheets
from cardgen.outputs.shops import mpc, tgc
from cardgen.outputs.tables import folder, playground, playingcards, tts

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
    "card-pdfs": card_pdfs,
}

WORDS = tuple(name for name in OUTPUTS if name != "changed")
"""What may be named; changed cards are asked for as sheets of what changed."""

LAST = ("tts",)
"""Made once the others lie in their place: a table takes the rulebook along."""

TABLES = ("tts", "tabletop-playground", "playingcards", "folder")
"""What lays things on a table, as table.yaml says."""

STANDARD = ("sheets", "images", "rulebook")
"""What is made when nothing is named."""
