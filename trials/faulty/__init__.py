"""The kinds of faults."""

from __future__ import annotations

from trials.faulty import clocks, rights, room, spoilt, together

PARTS = {
    "room": room, "rights": rights, "spoilt": spoilt, "together": together, "clock": clocks,
}  # fmt: skip
