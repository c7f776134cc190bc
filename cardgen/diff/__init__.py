"""Differences between two states of a game, for the command `diff`.

`comparison.compute_difference` renders both states and returns a `changes.diff_model.Difference`;
`html_page` renders it as one HTML file, and `summary` as lines, Markdown and JSON.
"""
