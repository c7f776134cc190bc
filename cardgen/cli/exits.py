"""The exit codes: fine, problems, wrong usage, a bug of cardgen, interrupted."""

from __future__ import annotations

FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
