"""Every output by the word that asks for it; a new one is a line here."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.outputs.card_images import CardImages
from cardgen.outputs.card_proof import CardProof
from cardgen.outputs.changed_cards import ChangedCards
from cardgen.outputs.contact_sheet import ContactSheet
from cardgen.outputs.contract import AnyOutput
from cardgen.outputs.press_output import PressFiles
from cardgen.outputs.print_sheets import PrintSheets
from cardgen.outputs.rulebook_output import RulebookOutput
from cardgen.outputs.shop_outputs import MpcOutput, TgcOutput
from cardgen.outputs.single_cards import CardPdfs
from cardgen.tabletop.playground_package import TabletopPlayground
from cardgen.tabletop.playingcards_room import PlayingCards
from cardgen.tabletop.tts_output import TabletopSimulator
from cardgen.tabletop.upload_folder import UploadFolder

OUTPUTS: Mapping[str, AnyOutput] = {
    "sheets": PrintSheets(),
    "images": CardImages(),
    "rulebook": RulebookOutput(),
    "contact": ContactSheet(),
    "tts": TabletopSimulator(),
    "tabletop-playground": TabletopPlayground(),
    "playingcards": PlayingCards(),
    "folder": UploadFolder(),
    "changed": ChangedCards(),
    "mpc": MpcOutput(),
    "tgc": TgcOutput(),
    "card-pdfs": CardPdfs(),
    "card-proof": CardProof(),
    "press": PressFiles(),
}

DEFAULT_OUTPUTS = ("sheets", "images", "rulebook")
"""What is made when nothing is named."""
