"""The preview as its user has it, for the tests of its rooms: a server, and a page in a browser."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import chromium
import pytest
from chromium import Page
from conftest import ROOT

needs_browser = pytest.mark.skipif(
    not chromium.found(), reason="a browser (chromium) is not installed"
)


class Preview:
    """A preview under way, and its address. Its editor notes in `note` what it is asked."""

    note = Path()

    def __init__(self, root: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardgen", "preview", str(root), "--no-browser", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        assert self.process.stdout is not None
        found = re.search(r"http\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def ask(
        self, path: str, method: str = "GET", body: str = "", **headers: str
    ) -> tuple[int, str]:
        """The status and text that a request gets that no browser has made better."""
        parts = urlsplit(self.address)
        connection = HTTPConnection(parts.netloc, timeout=20)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path.replace("TOKEN", parts.path.strip("/")), body, given)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")

    def wall(self) -> dict[str, Any]:
        """All that a page is told when it is opened, each face with its picture alone."""
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=20)
        connection.request("GET", f"{urlsplit(self.address).path}events")
        told: dict[str, Any] = json.loads(connection.getresponse().readline()[6:])["wall"]
        connection.close()
        told["faces"] = {name: face["picture"] for name, face in told["faces"].items()}
        return told

    def end(self) -> float:
        """Interrupt it; how long it took to end."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        return time.monotonic() - started


@contextmanager
def previewing(root: Path, *options: str) -> Iterator[Preview]:
    preview = Preview(root, *options)
    try:
        yield preview
    finally:
        if preview.process.poll() is None:
            preview.process.kill()
        preview.process.wait()


def origin(preview: Preview) -> str:
    return "http://" + urlsplit(preview.address).netloc


def opened(page: Page, preview: Preview) -> Page:
    """The page, once all that is in view is drawn."""
    page.go(preview.address)
    page.wait(
        "document.documentElement.dataset.ready === '' && document.querySelector('.tile')", 60
    )
    page.wait(DRAWN, 60)
    return page


DRAWN = (
    "[...document.querySelectorAll('.face')].some(f => f.inView && f.querySelector('img')) && "
    "[...document.querySelectorAll('.face')].every(f => !f.inView || f.querySelector('img'))"
)


def typed(page: Page, field: str, text: str) -> None:
    page.run(
        f"void (document.getElementById('{field}').value = {text!r}, "
        f"document.getElementById('{field}').dispatchEvent(new Event('input')))"
    )
