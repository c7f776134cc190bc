"""Every word that cardgen itself prints, a file a language: `en`, `fi`, `ru`.

In: a key that says where a word stands, `sheets.fold`, and a language. Out: the word. Called by
`sheets`, `changes`, `book` and `outputs`; a face has no word but the game's own.
"""
