"""Which cardgen this is: its code, and all beside it that decides the bytes of what is made."""

from __future__ import annotations

import platform
import sys
import zlib
from collections.abc import Iterator
from ctypes import CDLL, c_char_p
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from cardgen import libraries
from cardgen.base import code_digest
from cardgen.base.store import digest_of

_PACKAGES = (
    "brotli", "coloraide", "cssselect2", "ezdxf", "fonttools", "jinja2", "markdown-it-py",
    "markupsafe", "mdit-py-plugins", "pikepdf", "pillow", "pydyf", "pyphen", "pypdfium2",
    "python-calamine", "pyyaml", "reportlab", "segno", "skia-pathops", "tinycss2", "tinyhtml5",
    "typst", "uharfbuzz", "weasyprint",
)  # fmt: skip
"""The packages that decide how anything looks or is written down."""


@lru_cache
def key() -> str:
    """The hash of this cardgen's code, its libraries, Python and kind of machine: with equal ones,
    equal inputs give equal bytes."""
    return digest_of(parts())


@lru_cache
def parts() -> tuple[str, ...]:
    """What that hash is made of, each with a word that says what it is."""
    return (f"cardgen {code_digest.digest(code_digest.FLOORS[0])}", *_around())


def _around() -> Iterator[str]:
    yield f"Python {sys.version_info.major}.{sys.version_info.minor}"
    yield f"{sys.platform} {platform.machine()}"
    yield f"zlib {zlib.ZLIB_RUNTIME_VERSION}"
    for name in _PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is missing"
    yield f"Pango {_pango()}"
    yield f"HarfBuzz {_harfbuzz()}"


def _pango() -> int:
    """The version of Pango as one number, 15014 for 1.50.14; 0 where there is none."""
    found = libraries.loaded("Pango")
    return int(found.pango_version()) if found else 0


def _harfbuzz() -> str:
    """The version of HarfBuzz that cuts fonts down; "" where there is none."""
    found: CDLL | None = libraries.loaded("HarfBuzz-Subset")
    if found is None or not hasattr(found, "hb_version_string"):
        return ""
    found.hb_version_string.restype, found.hb_version_string.argtypes = c_char_p, []
    return bytes(found.hb_version_string()).decode("ascii", "replace")
