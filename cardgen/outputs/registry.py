"""Every output by the word that asks for it; a new one is a line here."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.outputs.card_pdfs import CardPdfs
from cardgen.outputs.card_proof import CardProof
from cardgen.outputs.changed import Changed
from cardgen.outputs.contact import Contact
from cardgen.outputs.contract import Kind
from cardgen.outputs.images import Images
from cardgen.outputs.press import Press
from cardgen.outputs.rulebook import Rulebook
from cardgen.outputs.sheets import Sheets
from cardgen.outputs.shops.mpc import Mpc
from cardgen.outputs.shops.tgc import Tgc
from cardgen.outputs.tables.folder import Folder
from cardgen.outputs.tables.playground import Playground
from cardgen.outputs.tables.playingcards import PlayingCards
from cardgen.outputs.tables.tts import Tts

OUTPUTS: Mapping[str, Kind] = {
    "sheets": Sheets(),
    "images": Images(),
    "rulebook": Rulebook(),
    "contact": Contact(),
    "tts": Tts(),
    "tabletop-playground": Playground(),
    "playingcards": PlayingCards(),
    "folder": Folder(),
    "changed": Changed(),
    "mpc": Mpc(),
    "tgc": Tgc(),
    "card-pdfs": CardPdfs(),
    "card-proof": CardProof(),
    "press": Press(),
}

STANDARD = ("sheets", "images", "rulebook")
"""What is made when nothing is named."""
