"""Digests of cardgen's code, and of all else that decides the bytes of what is made."""

from __future__ import annotations

import platform
import sys
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts

PACKAGE_ORDER = (
    "tabletop", "outputs", "changes", "book", "sheets", "words", "faces", "pdf", "rules",
    "translation", "templates", "assets", "game", "looks", "runtime", "core",
)  # fmt: skip
"""The packages that decide what is made, from the top down: each imports only those after it."""


@lru_cache
def digest_code(package: str) -> str:
    """Return the digest of the code of a package and of all packages below it.

    A change above it, such as in the command line, makes nothing stale.
    """
    return digest_parts(map(_digest_package, PACKAGE_ORDER[PACKAGE_ORDER.index(package) :]))


@lru_cache
def _digest_package(package: str) -> str:
    root = Path(__file__).parent.parent
    names = game_files.list_files(root, package, ".py", ".conf", ".css", ".html", ".svg", ".yaml")
    # These are files of cardgen, which need no check of where their links lead.
    return digest_parts(game_files.read_file(root / name) for name in names)


_FINGERPRINTED_PACKAGES = (
    "brotli", "coloraide", "cssselect2", "ezdxf", "fonttools", "jinja2", "markdown-it-py",
    "markupsafe", "mdit-py-plugins", "pikepdf", "pillow", "pydyf", "pyphen", "pypdfium2",
    "python-calamine", "pyyaml", "reportlab", "segno", "skia-pathops", "tinycss2", "tinyhtml5",
    "typst", "uharfbuzz", "weasyprint",
)  # fmt: skip
"""The libraries that decide how anything is drawn or written."""


@lru_cache
def get_code_key() -> str:
    """Return the digest of `list_code_parts`: with equal ones, equal inputs give equal bytes."""
    return digest_parts(list_code_parts())


@lru_cache
def list_code_parts() -> tuple[str, ...]:
    """Return the versions of cardgen's code, of Python, the machine and libraries, each with its
    name."""
    return (f"cardgen {digest_code(PACKAGE_ORDER[0])}", *_list_system_parts())


def _list_system_parts() -> Iterator[str]:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 20 ms

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
    """Return the version of Pango as one number, 15014 for 1.50.14; 0 where it is missing."""
    from cardgen import system_libraries  # noqa: PLC0415 - it searches with subprocesses

    library = system_libraries.load_library("Pango")
    return int(library.pango_version()) if library else 0


def _get_harfbuzz_version() -> str:
    """Return the version of HarfBuzz that makes font subsets; "" where it is missing."""
    from ctypes import c_char_p  # noqa: PLC0415 - where all parts are listed

    from cardgen import system_libraries  # noqa: PLC0415

    library = system_libraries.load_library("HarfBuzz-Subset")
    if library is None or not hasattr(library, "hb_version_string"):
        return ""
    library.hb_version_string.restype, library.hb_version_string.argtypes = c_char_p, []
    return bytes(library.hb_version_string()).decode("ascii", "replace")
