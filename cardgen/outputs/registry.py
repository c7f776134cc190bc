"""Registry of all outputs. A new output is one file and one entry here.

The registry names modules as strings and imports none of them. The command line reads from it all
that it has to know. `OutputEntry.output` imports the module of an output that is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardgen.outputs.contract import Output


@dataclass(frozen=True)
class OutputEntry:
    """Facts about an output that are known without importing it."""

    target: str
    """`module:Class` below the package `cardgen`."""
    help: str
    """One line for shell completion."""
    options_read: tuple[str, ...] = ()
    """The fields of `Options` that decide the files. `layout.paper` stands for one part of
    `layout`, `layout` alone for all of it."""
    shows_decks: bool = True
    """True if the files show the selected decks."""
    shows_books: bool = False
    """True if the files show what the rulebooks show. If decks are shown too, rulebooks are only
    shown with the whole game."""
    supports_card_selection: bool = True
    """True if the files can show some cards of a deck alone."""
    selects_faces: bool = False
    """True if the files show few faces of the decks, those that `Output.select_faces` names."""
    uses_table: bool = False
    """True if things are laid on a table as table.yaml says."""
    runs_last: bool = False
    """True if the files contain files of other outputs, which must be published first."""

    def uses_option(self, option: str) -> bool:
        """Return true if an option, a field of `Options`, decides anything here."""
        return option in self.options_read or option.partition(".")[0] in self.options_read

    @cached_property
    def output(self) -> Output[Any]:
        """The output itself. Its module is imported on first use."""
        module, _, name = self.target.partition(":")
        output: Output[Any] = getattr(import_module(f"cardgen.{module}"), name)()
        return output


OUTPUTS: Mapping[str, OutputEntry] = {
    "sheets": OutputEntry(
        "outputs.print_sheets:PrintSheets", "print sheets as PDF, and cut files",
        ("layout", "mix", "cut_files", "estimate", "sheets"),
    ),
    "images": OutputEntry(
        "outputs.card_images:CardImages", "an image of every face",
        ("dpi", "bleed", "rounded", "image_format", "width_px"),
    ),
    "rulebook": OutputEntry(
        "outputs.rulebook_output:RulebookOutput", "the rulebook as PDF",
        ("editions", "book_sizes", "layout.ink"),
        shows_decks=False, shows_books=True, supports_card_selection=False,
    ),
    "contact": OutputEntry(
        "outputs.contact_sheet:ContactSheet", "all faces of a deck on one page, and statistics",
        ("layout.paper",),
    ),
    "tts": OutputEntry(
        "tabletop.tts_output:TabletopSimulator", "a saved object for Tabletop Simulator",
        ("tables",), uses_table=True, runs_last=True,
    ),
    "tabletop-playground": OutputEntry(
        "tabletop.client_packages:TabletopPlayground", "a package for Tabletop Playground",
        ("tables.sheet_px", "tables.png"), uses_table=True,
    ),
    "playingcards": OutputEntry(
        "tabletop.playingcards_room:PlayingCards", "a room for PlayingCards.io",
        ("tables.png",), uses_table=True,
    ),
    "folder": OutputEntry(
        "tabletop.client_packages:UploadFolder", "a folder of images to upload, with a CSV list",
        ("width_px",), uses_table=True,
    ),
    "changed": OutputEntry(
        "outputs.changed_cards:ChangedCards", "only the cards that changed, with a list",
        ("layout", "base"), supports_card_selection=False,
    ),
    "boxes": OutputEntry(
        "outputs.box_output:BoxFiles", "boxes, dividers and holders to fold, and cut files",
        ("layout.paper", "layout.backs", "layout.margin", "layout.style", "layout.ink",
         "layout.calibration", "cut_files"),
        supports_card_selection=False, selects_faces=True,
    ),
    "mpc": OutputEntry(
        "outputs.shop_outputs:MpcOutput", "images and orders for MakePlayingCards",
        ("single.fit",),
    ),
    "tgc": OutputEntry(
        "outputs.shop_outputs:TgcOutput", "images and a table for The Game Crafter",
        ("single.fit",),
    ),
    "shop": OutputEntry(
        "outputs.shop_outputs:OwnShopOutput", "images and a table for another shop, see --shop",
        ("single.fit", "single.shop"),
    ),
    "card-pdfs": OutputEntry(
        "outputs.single_cards:CardPdfs", "single cards as PDF pages with trim and bleed boxes",
        ("single.bleed", "single.file_per"),
    ),
    "card-proof": OutputEntry(
        "outputs.card_proof:CardProof", "a proof of every face with cut, bleed and safe lines",
        ("single.bleed",),
    ),
    "press": OutputEntry(
        "outputs.press_output:PressFiles", "PDF/X-4 in the inks of a press, and a colour report",
        (
            "press", "single.bleed", "single.file_per", "layout.paper", "layout.backs",
            "layout.margin", "layout.gap", "layout.grid", "layout.overlap", "layout.style",
            "layout.stock",
            "editions", "book_sizes",
        ),
        shows_books=True,
    ),
}  # fmt: skip

DEFAULT_OUTPUTS = ("sheets", "images", "rulebook")
"""The outputs of a build that names none."""
