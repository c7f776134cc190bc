"""Jinja for games: expressions, the HTML of faces, and drawings, evaluated in a sandbox.

`template_renderer` renders faces and `render_cache` keeps what did not change. `expressions`
evaluates what rules and books ask of the cards.
"""
