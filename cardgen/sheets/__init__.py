"""Pieces on paper: imposition, tiles, guides, marks, slugs, cut files, printers.

In: sizes and forms of pieces, a layout of paper. Out: `arrange` gives sheets and draws them as PDF.
`imposition`, `tiling` and `silhouette` are arithmetic in mm. Called by `outputs`.
"""
