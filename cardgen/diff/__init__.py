"""What differs between two states of a game, told to people: one page, a summary, plain data.

In: a `model.Difference`, which `cardgen.differing` works out. Out: HTML in one file, Markdown,
lines for a terminal, JSON. Nothing is read, set or drawn here, but for `reasons`, which looks at
two faces and says what made them differ. Called by the command `diff`.
"""
