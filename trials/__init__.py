"""Trials of soundness: hostile games, mutated games, kills and faults. Run by `make trials`."""
