"""Jinja as games may use it: expressions, the faces' HTML, drawings.

In: a `Game`, and what templates and expressions say. Out: HTML, SVG and values, worked out in a
sandbox, or problems with their lines. Called by `rules`, `faces`, `book` and `outputs.tables`.
"""
