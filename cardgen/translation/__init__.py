"""Export of a game's texts for translators as a workbook, CSV or PO, and import of what returns.

`text_units.find_text_units` returns every text that is translated, `translation_rows.make_rows` a
file's rows, and `translation_import.import_translations` the game's files with the translations. A
returned file may come from a stranger.
"""
