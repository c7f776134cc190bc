"""ICC profiles of printing conditions: found, and looked at before any library opens them.

A profile may come from a stranger: its size is bounded, its header and table of tags are read here,
and LittleCMS gets it only under `guard`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path

from cardgen.base import guard, paths
from cardgen.base.guard import Stopped

MOST_BYTES = 16_000_000
"""Profiles of presses have some 0.2 to 4 MB."""
_HEADER, _MOST_TAGS = 128, 200
_ENDINGS = (".icc", ".icm")
_CLASSES = {"prtr": "of a printer", "mntr": "of a screen", "scnr": "of a camera or scanner",
            "spac": "of a colour space", "link": "of a link between two devices",
            "abst": "an abstract one", "nmcl": "of named colours"}  # fmt: skip
FOLDERS = (
    "/usr/share/color/icc", "/usr/local/share/color/icc", "~/.local/share/icc",
    "~/.local/share/color/icc", "~/.color/icc", "/Library/ColorSync/Profiles",
    "~/Library/ColorSync/Profiles", "C:/Windows/System32/spool/drivers/color",
)  # fmt: skip
"""Where systems keep profiles."""


class Unusable(Exception):  # noqa: N818 - it reads as what it says
    """A profile that is none for a press. The text goes on after its name: `is for RGB …`."""


@dataclass(frozen=True)
class Profile:
    """A CMYK profile of a printing condition that was looked at: what it calls itself, its file."""

    description: str
    data: bytes

    @property
    def digest(self) -> str:
        return blake2b(self.data, digest_size=20).hexdigest()


def named(name: str) -> Path | None:
    """The profile of that name, with or without its ending, in the system's folders."""
    wanted = name.casefold()
    for path in _installed():
        if wanted in (path.name.casefold(), path.stem.casefold()):
            return path
    return None


def names() -> list[str]:
    """The names of the profiles in the system's folders, without their endings."""
    return sorted({path.stem for path in _installed()})


def _installed() -> Iterator[Path]:
    for folder in FOLDERS:
        root = Path(folder).expanduser()
        for file in paths.listing(root, ".").files:
            if file.casefold().endswith(_ENDINGS):
                yield root / file


def checked(data: bytes, called: str) -> Profile:
    """The profile in a file that people know as `called`. Raises `Unusable`."""
    _look(data)
    try:
        with guard.at(f"the profile {called}"):
            return Profile(_opened(data) or called, data)
    except Stopped as error:
        raise Unusable(f"cannot be used: {error}") from None


def _look(data: bytes) -> None:
    """Refuse what is no profile of a CMYK press."""
    if len(data) < _HEADER + 4 or data[36:40] != b"acsp":
        raise Unusable("is no ICC profile")
    if len(data) > MOST_BYTES:
        raise Unusable(f"is larger than {MOST_BYTES // 1_000_000} MB, and no profile is")
    said, tags = struct.unpack(">I", data[:4])[0], struct.unpack(">I", data[128:132])[0]
    if not _HEADER < said <= len(data) or tags > _MOST_TAGS or _HEADER + 4 + 12 * tags > said:
        raise Unusable("is a profile that was cut short or is damaged")
    kind, space = data[12:16].decode("latin-1"), data[16:20].decode("latin-1").strip()
    if kind != "prtr" or space != "CMYK":
        what = _CLASSES.get(kind, "of an unknown kind")
        raise Unusable(f"is {what}, for {space}; a press wants one of a printer, for CMYK")
    held = set()
    for number in range(tags):
        name, at, size = struct.unpack(">4sII", data[132 + 12 * number : 144 + 12 * number])
        if at < _HEADER or at + size > said:
            raise Unusable("is a profile that was cut short or is damaged")
        held.add(name)
    if lacking := {b"A2B0", b"B2A0"} - held:
        names = " and ".join(sorted(tag.decode() for tag in lacking))
        raise Unusable(f"lacks the table {names}, without which no colour can be turned into ink")


def _opened(data: bytes) -> str:
    """What the profile calls itself, once both ways through it work."""
    from PIL import ImageCms  # noqa: PLC0415 - loaded only where files for the press are made

    profile = ImageCms.ImageCmsProfile(BytesIO(data))
    screen = ImageCms.createProfile("sRGB")
    ImageCms.buildTransform(screen, profile, "RGB", "CMYK")
    ImageCms.buildTransform(profile, screen, "CMYK", "RGB")
    said = profile.profile.profile_description or ""
    words = "".join(sign if sign.isprintable() else " " for sign in said).split()
    return " ".join(words)[:120]
