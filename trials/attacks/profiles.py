"""Profiles of presses that are none, or that no library should be given."""

from __future__ import annotations

import random
import struct

from trials.attack import Attack, Content, Place

GAME = "game: test\ntitle: Test\nlanguages: [en]\nprint: {profile: press.icc}\n"
PRESS = ("build", "press")


def profile(name: str, data: Content, told: str) -> Attack:
    """An attack by a profile that the game names."""
    files: dict[str, Content] = {"game.yaml": GAME, "press.icc": data}
    return Attack(f"profile/{name}", files, (f"game.yaml:4: error: press.icc {told}",), (1,),
                  command=PRESS)  # fmt: skip


def made(tables: int, more: bytes, size: int = 0) -> bytes:
    """A profile of a press as far as its header goes, its tables all that follows."""
    names = (b"A2B0", b"B2A0", *(b"x%03d" % number for number in range(tables - 2)))
    at = 132 + 12 * tables
    listed = b"".join(struct.pack(">4sII", name, at, len(more)) for name in names)
    head = struct.pack(">I", size or at + len(more)) + b"lcms" + bytes(4) + b"prtrCMYKLab "
    head = head.ljust(36, b"\0") + b"acsp"
    return head.ljust(128, b"\0") + struct.pack(">I", tables) + listed + more


def grid() -> bytes:
    """A table of 255 steps for each of four inks: four thousand million colours."""
    return b"mft2" + bytes(4) + bytes((4, 3, 255, 0)) + bytes(36) + struct.pack(">HH", 2, 2)


def noise() -> bytes:
    """Tables of nothing that means anything."""
    return b"mft2" + random.Random(7).randbytes(200_000)


def elsewhere(place: Place) -> None:
    """A link to what is not the game's."""
    place.link("press.icc", place.elsewhere / "secret.txt")


ATTACKS = [
    profile("text", "not a profile", "is no ICC profile .*"),
    profile("17-megabytes", lambda: bytes(17_000_000), "is larger than 16 MB .*"),
    profile("a-million-tables", lambda: made(2, bytes(99))[:128] + struct.pack(">I", 1_000_000),
            "is a profile that was cut short or is damaged .*"),
    profile("a-huge-grid", lambda: made(2, grid()), "cannot be used: .*"),
    profile("noise", lambda: made(2, noise()), "cannot be used: .*"),
    Attack("profile/a-link", {"game.yaml": GAME},
           ("game.yaml:4: error: press.icc leads out of the game folder .*",), (1,), elsewhere,
           command=PRESS),
]  # fmt: skip
