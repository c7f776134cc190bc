"""Virtual tables: Tabletop Simulator, Tabletop Playground, playingcards.io, a folder of pictures.

In: a `Job` and what `table.yaml` lays out. Out: saves and their pictures, and problems with saves
that somebody made (`checker`, `against_game`). Called through `outputs.registry`, by `build` and by
`cardgen check-tts`.
"""
