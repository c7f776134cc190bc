"""The printing condition of a press: its ICC profile, ink limit and spot inks."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import game_files, user_secret

MAX_PROFILE_BYTES = 16_000_000
"""Profiles of presses have 0.2 to 4 MB."""
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
"""Folders in which systems keep profiles."""


class UnusableProfileError(Exception):
    """A profile that is not one of a press; the text continues its name: `is for RGB …`."""


@dataclass(frozen=True)
class IccProfile:
    """A checked CMYK profile: its description and its file's content."""

    description: str
    data: bytes

    @property
    def digest(self) -> str:
        return blake2b(self.data, digest_size=20).hexdigest()


def find_profile(name: str) -> Path | None:
    """Return the profile of that name, with or without its suffix, in the system's folders."""
    wanted = name.casefold()
    for path in _iterate_installed():
        if wanted in (path.name.casefold(), path.stem.casefold()):
            return path
    return None


def list_profile_names() -> list[str]:
    """Return the names of the profiles in the system's folders, without suffixes."""
    return sorted({path.stem for path in _iterate_installed()})


def _iterate_installed() -> Iterator[Path]:
    home = user_secret.get_home_folder()
    for each in PROFILE_FOLDERS:
        root = home / each[2:] if each.startswith("~/") else Path(each)
        # That of another system would be in the current folder, which may be a game's.
        listed = game_files.list_folder(root, ".").files if root.is_absolute() else ()
        for file in listed:
            if file.casefold().endswith(_PROFILE_SUFFIXES):
                yield root / file


@lru_cache(maxsize=4)
def check_profile(data: bytes, called: str) -> IccProfile:
    """Check the profile in a file that messages call `called`. Raises `UnusableProfileError`."""
    _check_header(data)
    try:
        with work_limits.work_limit(f"the profile {called}"):
            return IccProfile(_read_description(data) or called, data)
    except LimitExceededError as error:
        raise UnusableProfileError(f"cannot be used: {error}") from None


def _check_header(data: bytes) -> None:
    """Refuse data that is not the profile of a CMYK press (ICC.1:2022, 7.2 and 7.3)."""
    if len(data) < _HEADER + 4 or data[36:40] != b"acsp":
        raise UnusableProfileError("is no ICC profile")
    if len(data) > MAX_PROFILE_BYTES:
        raise UnusableProfileError(
            f"is larger than {MAX_PROFILE_BYTES // 1_000_000} MB, and no profile is"
        )
    length, tags = struct.unpack(">I", data[:4])[0], struct.unpack(">I", data[128:132])[0]
    if not _HEADER < length <= len(data) or tags > _MOST_TAGS or _HEADER + 4 + 12 * tags > length:
        raise UnusableProfileError("is a profile that was cut short or is damaged")
    kind, space = data[12:16].decode("latin-1"), data[16:20].decode("latin-1").strip()
    if kind != "prtr" or space != "CMYK":
        what = _DEVICE_CLASSES.get(kind, "of an unknown kind")
        raise UnusableProfileError(
            f"is {what}, for {space}; a press wants one of a printer, for CMYK"
        )
    tables = set()
    for number in range(tags):
        name, offset, size = struct.unpack(">4sII", data[132 + 12 * number : 144 + 12 * number])
        if offset < _HEADER or offset + size > length:
            raise UnusableProfileError("is a profile that was cut short or is damaged")
        tables.add(name)
    if missing := {b"A2B0", b"B2A0"} - tables:
        names = " and ".join(sorted(tag.decode() for tag in missing))
        raise UnusableProfileError(
            f"lacks the table {names}, without which no colour can be turned into ink"
        )


def _read_description(data: bytes) -> str:
    """Return the profile's description, once conversions in both directions work."""
    from PIL import ImageCms  # noqa: PLC0415 - loaded only where files for the press are made

    profile = ImageCms.ImageCmsProfile(BytesIO(data))
    screen = ImageCms.createProfile("sRGB")
    ImageCms.buildTransform(screen, profile, "RGB", "CMYK")
    ImageCms.buildTransform(profile, screen, "CMYK", "RGB")
    try:
        description = profile.profile.profile_description or ""
    except (UnicodeError, OSError):  # letters beyond ASCII, which the standard does not allow
        description = ""
    words = "".join(sign if sign.isprintable() else " " for sign in description).split()
    return " ".join(words)[:120]


CmykInks = tuple[float, float, float, float]
"""Amounts of cyan, magenta, yellow and black, 0 to 1."""
RENDERING_INTENTS: Mapping[str, int] = MappingProxyType(
    {"perceptual": 0, "relative": 1, "saturation": 2, "absolute": 3}
)
"""ICC rendering intents by the words of game.yaml; "" takes the best for each kind of content."""


@dataclass(frozen=True)
class PrintingCondition:
    """Condition for which a file is made.

    `max_ink` limits all four inks together, in % of the area. `rich_black` is the mixture of black
    areas; None is black only. `spots` are the names of spot inks, each with the colour "#rrggbb"
    that stands for it on screens.
    """

    profile: IccProfile
    max_ink: int = 300
    intent: str = ""
    rich_black: CmykInks | None = None
    spots: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """All that decides how a colour is printed."""
        return (self.profile.digest, self.max_ink, self.intent, self.rich_black, self.spots)


@dataclass(frozen=True)
class PressMetadata:
    """Title and date (YYYY-MM-DD or "") of a file, its bleed in mm, and the names of its pages."""

    title: str
    date: str
    bleed: float = 0.0
    page_names: tuple[str, ...] = ()


def get_total_ink(colour: CmykInks) -> float:
    """Return all ink of a colour, in % of the area, 0 to 400."""
    return 100 * sum(colour)
