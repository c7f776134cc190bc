"""Composition rules: `cards/rules.yaml`, read and held against the cards.

In: a game folder. Out: `composition.load` gives the `Game` with its rules, `composition.check` what
they find; `rulefigures` what they measure, for books. Called by `build`, `book` and the command
line.
"""
