"""Functions that run in the preview's three resident worker processes.

The render worker runs `render_worker` and `game_queries`, the raster worker `raster_worker`, and
the book worker everything that takes long: sheets, tables, rulebooks and past cards.
"""
