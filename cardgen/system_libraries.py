"""The system libraries that typesetting needs and no Python package carries.

`python -m cardgen.system_libraries` says what is missing and how to install it. With `--install`, on a
Debian system and with the right to do so, it installs it.
"""

from __future__ import annotations

import ctypes.util
import os
import platform
import shutil
import subprocess
import sys
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path

_REQUIRED_LIBRARIES = {
    "Pango": ("pango-1.0", "libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"),
    "Pango FT2": (
        "pangoft2-1.0",
        "libpangoft2-1.0.so.0",
        "libpangoft2-1.0.dylib",
        "libpangoft2-1.0-0.dll",
    ),
    "HarfBuzz-Subset": (
        "harfbuzz-subset",
        "libharfbuzz-subset.so.0",
        "libharfbuzz-subset.dylib",
        "libharfbuzz-subset-0.dll",
    ),
}
_DEBIAN_PACKAGES = ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0")
INSTALL_COMMANDS = {
    "Debian or Ubuntu": f"sudo apt-get install {' '.join(_DEBIAN_PACKAGES)}",
    "Fedora": "sudo dnf install pango harfbuzz",
    "Arch": "sudo pacman -S pango",
    "Alpine": "sudo apk add pango so:libharfbuzz-subset.so.0",
    "macOS": "brew install pango",
    "Windows": "pacman -S mingw-w64-ucrt-x86_64-pango (in MSYS2, from https://www.msys2.org)",
}
_SYSTEM_FAMILIES = {
    "debian": "Debian or Ubuntu", "ubuntu": "Debian or Ubuntu", "fedora": "Fedora",
    "rhel": "Fedora", "arch": "Arch", "alpine": "Alpine",
}  # fmt: skip
"""What systems say they are, or are like."""
_HOMEBREW_FOLDER = Path("/opt/homebrew/lib")


def find_missing_libraries() -> list[str]:
    """The names of the libraries that cannot be loaded."""
    return [name for name in _REQUIRED_LIBRARIES if load_library(name) is None]


def load_library(name: str) -> CDLL | None:
    """A library that typesetting needs, such as `Pango`; None when it cannot be loaded."""
    return next(filter(None, map(_try_load, _REQUIRED_LIBRARIES[name])), None)


def _try_load(name: str) -> CDLL | None:
    for candidate in (ctypes.util.find_library(name), name):
        if candidate:
            with suppress(OSError):
                return CDLL(candidate)
    return None


def detect_system() -> str:
    """The key of `COMMANDS` for the machine this runs on; "" when it is none of them."""
    if sys.platform in {"darwin", "win32"}:
        return "macOS" if sys.platform == "darwin" else "Windows"
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    said = (release.get("ID", ""), *release.get("ID_LIKE", "").split())
    return next((_SYSTEM_FAMILIES[word] for word in said if word in _SYSTEM_FAMILIES), "")


def format_missing_libraries(names: list[str], system: str) -> str:
    """One line: what is missing and the command that brings it, on every system if unknown."""
    known = (
        {system: INSTALL_COMMANDS[system]} if system in INSTALL_COMMANDS else dict(INSTALL_COMMANDS)
    )
    if system == "macOS" and (_HOMEBREW_FOLDER / "libpango-1.0.dylib").exists():
        # It is there, and this Python does not look there.
        known[system] = f"export DYLD_FALLBACK_LIBRARY_PATH={_HOMEBREW_FOLDER}"
    how = "; ".join(f"on {name}: {command}" for name, command in known.items())
    noun = "library" if len(names) == 1 else "libraries"
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"the system {noun} {listed} for typesetting cannot be loaded; {how}"


def install_libraries() -> bool:
    """Install with apt-get, as root or through a sudo that asks nothing. Whether it was tried."""
    apt = shutil.which("apt-get")
    if apt is None:
        return False
    prefix: list[str] = []
    if os.geteuid() != 0:
        sudo = shutil.which("sudo")
        if sudo is None or subprocess.run([sudo, "-n", "true"], check=False).returncode:
            return False
        prefix = [sudo, "-n"]
    sys.stdout.write(f"  apt-get install {' '.join(_DEBIAN_PACKAGES)}\n")
    sys.stdout.flush()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-qq", "-y", *_DEBIAN_PACKAGES]):
        command = [*prefix, apt, *arguments]
        result = subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL)
        if result.returncode and arguments[0] == "install":
            return False
    return True


def main() -> int:
    """The exit code: 0 when nothing is missing."""
    lost = find_missing_libraries()
    if lost and "--install" in sys.argv and install_libraries():
        lost = find_missing_libraries()
    if lost:
        sys.stderr.write(format_missing_libraries(lost, detect_system()) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
