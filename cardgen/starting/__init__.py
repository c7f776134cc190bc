"""Game folders begun and grown: `cardgen new`, and `cardgen eject` for who outgrows a look.

In: a name, a look, languages, maybe a spreadsheet; or a deck with a look. Out: files of a game, as
texts by their paths; `writing.put` puts them into a folder. Called by `cli`.
"""
