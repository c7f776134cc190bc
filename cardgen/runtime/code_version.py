"""Which cardgen this is: its code, and all beside it that decides the bytes of what is made."""

from __future__ import annotations

import platform
import sys
import zlib
from collections.abc import Iterator
from ctypes import CDLL, c_char_p
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cardgen import system_libraries
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts

PACKAGE_ORDER = (
    "tabletop", "outputs", "changes", "book", "sheets", "words", "faces", "pdf", "rules", "translation",
    "templates", "assets", "game", "looks", "runtime", "core",
)  # fmt: skip
"""The folders that decide what is made, from the top down: each knows those after it alone."""


@lru_cache
def digest_code(floor: str) -> str:
    """The hash of a folder's code and of all that it stands on: a change above it, to the command
    line for one, makes nothing anew."""
    root = Path(__file__).parent.parent
    names = [
        name
        for below in PACKAGE_ORDER[PACKAGE_ORDER.index(floor) :]
        for name in game_files.list_files(root, below, ".py", ".conf", ".css", ".html", ".yaml")
    ]
    return digest_parts(game_files.read_bytes(root, name) for name in names)


_FINGERPRINTED_PACKAGES = (
    "brotli", "coloraide", "cssselect2", "ezdxf", "fonttools", "jinja2", "markdown-it-py",
    "markupsafe", "mdit-py-plugins", "pikepdf", "pillow", "pydyf", "pyphen", "pypdfium2",
    "python-calamine", "pyyaml", "reportlab", "segno", "skia-pathops", "tinycss2", "tinyhtml5",
    "typst", "uharfbuzz", "weasyprint",
)  # fmt: skip
"""The packages that decide how anything looks or is written down."""


@lru_cache
def get_code_key() -> str:
    """The hash of this cardgen's code, its libraries, Python and kind of machine: with equal ones,
    equal inputs give equal bytes."""
    return digest_parts(list_code_parts())


@lru_cache
def list_code_parts() -> tuple[str, ...]:
    """What that hash is made of, each with a word that says what it is."""
    return (f"cardgen {digest_code(PACKAGE_ORDER[0])}", *_list_system_parts())


def _list_system_parts() -> Iterator[str]:
    yield f"Python {sys.version_info.major}.{sys.version_info.minor}"
    yield f"{sys.platform} {platform.machine()}"
    yield f"zlib {zlib.ZLIB_RUNTIME_VERSION}"
    for name in _FINGERPRINTED_PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is missing"
    yield f"Pango {_get_pango_version()}"
    yield f"HarfBuzz {_get_harfbuzz_version()}"


def _get_pango_version() -> int:
    """The version of Pango as one number, 15014 for 1.50.14; 0 where there is none."""
    found = system_libraries.load_library("Pango")
    return int(found.pango_version()) if found else 0


def _get_harfbuzz_version() -> str:
    """The version of HarfBuzz that cuts fonts down; "" where there is none."""
    found: CDLL | None = system_libraries.load_library("HarfBuzz-Subset")
    if found is None or not hasattr(found, "hb_version_string"):
        return ""
    found.hb_version_string.restype, found.hb_version_string.argtypes = c_char_p, []
    return bytes(found.hb_version_string()).decode("ascii", "replace")
