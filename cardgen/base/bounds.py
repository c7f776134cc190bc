"""How much larger than usual a game may be: its user's word, out of the environment. A game has no
say in it, so a stranger's is held to the usual bounds.
"""

from __future__ import annotations

import os

LARGE = "CARDGEN_LARGE"
_LEAST, _MOST = 1.0, 1000.0


def large() -> float:
    """How many times as many cards, faces, files, bytes and seconds a game as a whole may take. A
    single face, drawing or rule may take no more than ever."""
    try:
        return min(_MOST, max(_LEAST, float(os.environ.get(LARGE, "1"))))
    except ValueError:
        return _LEAST


def most(usual: int) -> int:
    """A bound of that size, as it is for this user's games."""
    return int(usual * large())
