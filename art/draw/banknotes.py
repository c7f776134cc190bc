"""The money of "64 km saattue": four banknotes and their common back, drawn as SVG by rule.

    python art/draw/banknotes.py    rewrites art/money/note-{1,3,5,10}.svg and back.svg

Standard library only, no randomness: the same script always gives the same files. Units are 0.1 mm
on a 949 x 695 canvas; the trim is 30..919 x 30..665. Nothing here is text: the card template prints
numerals and words on the calm panels (numeral x 70..330 y 190..500, top line y 55..120, serial
x 560..880 y 520..570, bottom line y 590..640, small numerals on the discs top left and bottom
right).

The country prints in one engraved ink and a pale tint; what is black was overprinted later, in
haste and askew: the frame of the new value, the barrow stamp and the bar that strikes out twelve
noughts. Each note is a module in notes/, which also holds the tools they are engraved
with.
"""

from __future__ import annotations

from notes import back, bread, convoy, monument, portrait
from svg import save

NOTES = {"note-1": bread, "note-3": monument, "note-5": convoy, "note-10": portrait, "back": back}


def main() -> None:
    """Write the four notes and their back."""
    for name, module in NOTES.items():
        save(f"money/{name}.svg", module.note())


if __name__ == "__main__":
    main()
