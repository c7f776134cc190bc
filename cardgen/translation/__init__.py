"""A game's texts handed to translators and taken back: as a workbook, CSV or PO.

In: a game's folder, and a file that came back, maybe from a stranger. Out: `units.found`, every
text that is translated, with a name of its own; `rows.of`, what a file says of them; `taking.take`,
the game's files with what came back, and what is wrong with it. Called by `cli`.
"""
