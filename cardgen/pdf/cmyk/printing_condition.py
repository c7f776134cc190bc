"""How a press prints: its profile, how much ink it takes, what is printed beside the four inks."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import game_files

MAX_PROFILE_BYTES = 16_000_000
"""Profiles of presses have some 0.2 to 4 MB."""
_HEADER, _MOST_TAGS = 128, 200
_PROFILE_SUFFIXES = (".icc", ".icm")
_DEVICE_CLASSES = {"prtr": "of a printer", "mntr": "of a screen", "scnr": "of a camera or scanner",
            "spac": "of a colour space", "link": "of a link between two devices",
            "abst": "an abstract one", "nmcl": "of named colours"}  # fmt: skip
PROFILE_FOLDERS = (
    "/usr/share/color/icc", "/usr/local/share/color/icc", "~/.local/share/icc",
    "~/.local/share/color/icc", "~/.color/icc", "/Library/ColorSync/Profiles",
    "~/Library/ColorSync/Profiles", "C:/Windows/System32/spool/drivers/color",
)  # fmt: skip
"""Where systems keep profiles."""


class UnusableProfileError(Exception):
    """A profile that is none for a press. The text goes on after its name: `is for RGB …`."""


@dataclass(frozen=True)
class IccProfile:
    """A CMYK profile of a printing condition that was looked at: what it calls itself, its file."""

    description: str
    data: bytes

    @property
    def digest(self) -> str:
        return blake2b(self.data, digest_size=20).hexdigest()


def find_profile(name: str) -> Path | None:
    """The profile of that name, with or without its ending, in the system's folders."""
    wanted = name.casefold()
    for path in _iterate_installed():
        if wanted in (path.name.casefold(), path.stem.casefold()):
            return path
    return None


def list_profile_names() -> list[str]:
    """The names of the profiles in the system's folders, without their endings."""
    return sorted({path.stem for path in _iterate_installed()})


def _iterate_installed() -> Iterator[Path]:
    for folder in PROFILE_FOLDERS:
        root = Path(folder).expanduser()
        for file in game_files.list_folder(root, ".").files:
            if file.casefold().endswith(_PROFILE_SUFFIXES):
                yield root / file


def check_profile(data: bytes, called: str) -> IccProfile:
    """The profile in a file that people know as `called`. Raises `Unusable`."""
    _check_header(data)
    try:
        with work_limits.work_limit(f"the profile {called}"):
            return IccProfile(_read_description(data) or called, data)
    except LimitExceededError as error:
        raise UnusableProfileError(f"cannot be used: {error}") from None


def _check_header(data: bytes) -> None:
    """Refuse what is no profile of a CMYK press."""
    if len(data) < _HEADER + 4 or data[36:40] != b"acsp":
        raise UnusableProfileError("is no ICC profile")
    if len(data) > MAX_PROFILE_BYTES:
        raise UnusableProfileError(
            f"is larger than {MAX_PROFILE_BYTES // 1_000_000} MB, and no profile is"
        )
    said, tags = struct.unpack(">I", data[:4])[0], struct.unpack(">I", data[128:132])[0]
    if not _HEADER < said <= len(data) or tags > _MOST_TAGS or _HEADER + 4 + 12 * tags > said:
        raise UnusableProfileError("is a profile that was cut short or is damaged")
    kind, space = data[12:16].decode("latin-1"), data[16:20].decode("latin-1").strip()
    if kind != "prtr" or space != "CMYK":
        what = _DEVICE_CLASSES.get(kind, "of an unknown kind")
        raise UnusableProfileError(
            f"is {what}, for {space}; a press wants one of a printer, for CMYK"
        )
    held = set()
    for number in range(tags):
        name, at, size = struct.unpack(">4sII", data[132 + 12 * number : 144 + 12 * number])
        if at < _HEADER or at + size > said:
            raise UnusableProfileError("is a profile that was cut short or is damaged")
        held.add(name)
    if lacking := {b"A2B0", b"B2A0"} - held:
        names = " and ".join(sorted(tag.decode() for tag in lacking))
        raise UnusableProfileError(
            f"lacks the table {names}, without which no colour can be turned into ink"
        )


def _read_description(data: bytes) -> str:
    """What the profile calls itself, once both ways through it work."""
    from PIL import ImageCms  # noqa: PLC0415 - loaded only where files for the press are made

    profile = ImageCms.ImageCmsProfile(BytesIO(data))
    screen = ImageCms.createProfile("sRGB")
    ImageCms.buildTransform(screen, profile, "RGB", "CMYK")
    ImageCms.buildTransform(profile, screen, "CMYK", "RGB")
    said = profile.profile.profile_description or ""
    words = "".join(sign if sign.isprintable() else " " for sign in said).split()
    return " ".join(words)[:120]


CmykPercent = tuple[float, float, float, float]
"""How much of each ink, 0 to 1: cyan, magenta, yellow, black."""
RENDERING_INTENTS: Mapping[str, int] = MappingProxyType(
    {"perceptual": 0, "relative": 1, "saturation": 2, "absolute": 3}
)
"""ICC's rendering intents, by the words of game.yaml; "" is each for what it is best for."""


@dataclass(frozen=True)
class PrintingCondition:
    """What a file for the press is made for.

    `ink` is the most of all four inks together, in % of the area. `rich_black` is what black areas
    are printed in, black alone where it is None. `spots` are inks of their own: the name of each,
    and the colour "#rrggbb" that stands for it on screens.
    """

    profile: IccProfile
    max_ink: int = 300
    intent: str = ""
    rich_black: CmykPercent | None = None
    spots: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """All that decides how a colour is printed."""
        return (self.profile.digest, self.max_ink, self.intent, self.rich_black, self.spots)


@dataclass(frozen=True)
class PressMetadata:
    """What is said of a file: its title, the game's date (YYYY-MM-DD; else none is told), how far
    inside their edges its pages are cut (mm), and what each of them is called, if anything."""

    title: str
    date: str
    bleed: float = 0.0
    page_names: tuple[str, ...] = ()


def get_total_ink(colour: CmykPercent) -> float:
    """All ink of a colour, in % of the area, 0 to 400."""
    return 100 * sum(colour)
