"""The rulebook, from its Markdown to the HTML that is set: no layout and no PDF in here.

- manuscript: the file, its Jinja filled in, every line knowing its source line
- offers, charts: what that Jinja may ask of the game
- markdown, headings, inline, figures, rawhtml: tokens to HTML, numbers, names, figures
- book: both editions in every page size; pages: page numbers and the index filled in
"""
