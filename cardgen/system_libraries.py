"""The system libraries that typesetting needs and no Python package contains.

`python -m cardgen.system_libraries` lists what is missing and how to install it. With `--install`,
it installs it on Debian systems, if the user may.
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
"""IDs of systems, or of those that they are like."""
_HOMEBREW_FOLDER = Path("/opt/homebrew/lib")


def find_missing_libraries() -> list[str]:
    """Return the names of the libraries that cannot be loaded."""
    return [name for name in _REQUIRED_LIBRARIES if load_library(name) is None]


def load_library(name: str) -> CDLL | None:
    """Load a library that typesetting needs, such as `Pango`; None when that fails."""
    return next(filter(None, map(_try_load, _REQUIRED_LIBRARIES[name])), None)


def _try_load(name: str) -> CDLL | None:
    for candidate in (ctypes.util.find_library(name), name):
        if candidate:
            with suppress(OSError):
                return CDLL(candidate)
    return None


def detect_system() -> str:
    """Return the key of `INSTALL_COMMANDS` for this machine; "" for any other system."""
    if sys.platform in {"darwin", "win32"}:
        return "macOS" if sys.platform == "darwin" else "Windows"
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    words = (release.get("ID", ""), *release.get("ID_LIKE", "").split())
    return next((_SYSTEM_FAMILIES[word] for word in words if word in _SYSTEM_FAMILIES), "")


def format_missing_libraries(names: list[str], system: str) -> str:
    """Say what is missing and which command installs it; on every system, if this one is
    unknown."""
    commands = (
        {system: INSTALL_COMMANDS[system]} if system in INSTALL_COMMANDS else dict(INSTALL_COMMANDS)
    )
    if system == "macOS" and (_HOMEBREW_FOLDER / "libpango-1.0.dylib").exists():
        # Homebrew has it, but this Python does not look there.
        commands[system] = f"export DYLD_FALLBACK_LIBRARY_PATH={_HOMEBREW_FOLDER}"
    advice = "; ".join(f"on {name}: {command}" for name, command in commands.items())
    noun = "library" if len(names) == 1 else "libraries"
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"the system {noun} {listed} for typesetting cannot be loaded; {advice}"


def install_libraries() -> bool:
    """Install with apt-get, as root or with a sudo without password; say if that was done."""
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
    """Return the exit code: 0 when nothing is missing."""
    missing = find_missing_libraries()
    if missing and "--install" in sys.argv and install_libraries():
        missing = find_missing_libraries()
    if missing:
        sys.stderr.write(format_missing_libraries(missing, detect_system()) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
