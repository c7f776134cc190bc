"""The preview: every face of a game on one wall in the browser, drawn anew when a file is saved.

In: a game's folder. Out: a server on this machine's own address, until it is interrupted.
`serving.serve` is called by `cli`. This process reads no game: two resident helpers do, one that
reads and typesets (`press`), one that draws (`drawing`), both watched over and within bounds.
"""
