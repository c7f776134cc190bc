"""Virtual tables: Tabletop Simulator, Tabletop Playground, PlayingCards.io, a folder of images.

The set-up in table.yaml becomes objects (`table_setup`) with positions (`table_contents`) and
pictures (`face_atlas`). Each program has a module with its output. `tts_checker` and `tts_faces`
check saves.
"""
