"""Rulebooks: Markdown with the game's figures becomes HTML, and HTML becomes a PDF.

`editions.write_books` turns a game and its `rulebook/` into `Book`s with problems;
`book_typesetting.typeset_book` lays one out and assembles its PDF.
"""
