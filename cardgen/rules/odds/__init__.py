"""Odds: what players will meet when cards are drawn and dice are rolled.

In: the cards of a game, and how many of them are drawn. Out: exact chances, and what totals come to
how often (`ways`, `distribution`), or, for a game in turns, what many runs of it come to (`flow`).
`drawing`, `conditions`, `chance`, `average` and `simulate` read the rules that ask for them, and
`mending` says what would mend one that is broken. Called by `rulekinds`, books and `cardgen stats`.
"""
