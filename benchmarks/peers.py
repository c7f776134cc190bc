"""The tools that cardgen is measured against, on the same deck: how each is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import decks

PRINTED = "sheets.pdf"


@dataclass(frozen=True)
class Peer:
    """A tool: writes its deck into a folder, and is run there by one command."""

    name: str
    write: Callable[[Path, int, int], Path]
    command: list[str]
    made: tuple[str, ...] = (PRINTED,)


def _python(code: str) -> list[str]:
    return [sys.executable, "-P", "-c", code]


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((path for name in names if (path := shutil.which(name))), None)


def _squib() -> str | None:
    """Ruby, where it has Squib."""
    ruby = shutil.which("ruby")
    if ruby is None:
        return None
    asked = subprocess.run([ruby, "-e", "require 'squib'"], capture_output=True, check=False)
    return None if asked.returncode else ruby


def peers() -> list[Peer]:
    """WeasyPrint and Typst, which come with cardgen; Chromium and Squib where they are there."""
    weasyprint = "import weasyprint; weasyprint.HTML('cards.html').write_pdf('sheets.pdf')"
    typst = "import typst; typst.compile('cards.typ', output='sheets.pdf', font_paths=['.'])"
    found = [
        Peer("WeasyPrint", decks.page, _python(weasyprint)),
        Peer("Typst", decks.document, _python(typst)),
    ]
    if chromium := _chromium():
        flags = ["--headless", "--disable-gpu", "--disable-background-networking"]
        flags += ["--no-first-run", "--disable-sync", "--disable-component-update"]
        flags += ["--disable-quic", "--user-data-dir=profile", "--no-pdf-header-footer"]
        # Chromium's own sandbox does not start for the superuser.
        flags += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [chromium, *flags, f"--print-to-pdf={PRINTED}", "cards.html"]
        found.append(Peer("Chromium", decks.page, command))
    if ruby := _squib():
        found.append(Peer("Squib", decks.ruby, [ruby, "deck.rb"], ("fronts.pdf", "backs.pdf")))
    return found
