"""Looks: card designs that come with cardgen, so that a deck needs no HTML.

Each folder here is one look: its templates, its style and a look.yaml, read by `look_catalogue`.
`look_functions` has the functions that their templates call: colours, drawings, lists and tracks.
"""
