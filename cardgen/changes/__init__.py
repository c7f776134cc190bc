"""What differs from what was last printed: cards compared, and lists of it.

In: two states of a game, out of `printed.yaml`, git or the store. Out: the faces that differ and a
page that tells them. Called by `outputs.changed` and the command line.
"""
