"""Every face of every piece, typeset once: measured, looked at, kept as a PDF of its own.

In: a `Game` and the store. Out: `produce.order` gives `Faces`, which know what is stale;
`produce.make` typesets that and tells what is wrong with it. Called by `build` and `changes`.
"""
