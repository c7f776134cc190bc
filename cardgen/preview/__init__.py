"""The preview: a local web server that shows every face of a game and follows every save.

`server.serve_preview` is called by the command `preview`. The server process reads no game: worker
processes do (see `workers`), under limits, and the `scheduler` decides what they do next.
"""
