"""A game folder, read: decks, fields, texts, fonts and the table, as `model` has them.

In: a folder's files. Out: `loading.load` gives a `Game` and problems, each at its file and line.
Called by `rules`, which add theirs; everyone above works from the `Game`.
"""
