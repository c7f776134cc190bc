"""The rulebook: Markdown with the game's figures, as HTML, and HTML as a PDF.

In: a `Game`, its `rulebook/`, its faces. Out: `editions.write` gives `Book`s with problems,
`setting.set_books` their PDFs. Called by `build` and `outputs.rulebook`.
"""
