"""What is asked of the typesetter, and what comes of it: plain values, sent between processes.

Whoever only asks need not load WeasyPrint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cardgen.assets.artwork import Art
from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Remark
from cardgen.game.face_facts import FaceFacts


@dataclass(frozen=True)
class Setting:
    """What the faces of a chunk share. Lengths in mm; stylesheets as (name, text)."""

    width: float
    height: float
    bleed: float
    safe: float
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    cuts: tuple[Cut, ...]
    patterns: tuple[tuple[str, Path], ...]
    digest: str = ""
    """Stands for all of it but the styles, as far as it decides where anything comes to lie."""
    coloured: tuple[tuple[str, str], ...] = ()
    """Icons that keep their colours: (name, file)."""


@dataclass(frozen=True)
class Order:
    """A face to set: its key in the store, its language and HTML, the art that it names; and its
    own name, for people."""

    key: str
    language: str
    html: str
    art: tuple[Art, ...] = ()
    name: str = "?"


@dataclass(frozen=True)
class Typeset:
    """A face, set: its PDF, what is wrong with it, and what else is known of it."""

    key: str
    pdf: bytes
    remarks: tuple[Remark, ...]
    facts: FaceFacts = field(default_factory=FaceFacts)
