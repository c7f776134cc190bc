"""Sheets of pieces: imposition, tiles, marks, captions, cut files and printer profiles."""
