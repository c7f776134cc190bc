"""Faces: each side of each card in each language, rendered, typeset once and checked."""
