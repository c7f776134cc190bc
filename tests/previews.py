"""A running preview and its page in a browser."""

from __future__ import annotations

import io
import json
import os
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

from chromium import Page
from conftest import ROOT
from PIL import Image

BARN = "loot/barn/front/en"


class Preview:
    """A preview under way, and its address. Its editor notes in `note` what it is asked."""

    note = Path()

    def __init__(self, root: Path, *options: str, start: str = "", browser: str = "") -> None:
        run = ["-c", start] if start else ["-m", "cardgen"]
        silent = [] if browser else ["--no-browser"]
        settings = root.with_name("settings")
        self.process = subprocess.Popen(
            [sys.executable, *run, "preview", str(root), *silent, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "CARDGEN_CONFIG": str(settings), "BROWSER": browser},
        )  # fmt: skip
        assert self.process.stdout is not None
        found = re.search(r"http\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    @property
    def origin(self) -> str:
        """What its page says it comes from."""
        return "http://" + urlsplit(self.address).netloc

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

    def listen(self) -> dict[str, Any]:
        """All that a page is told when it is opened."""
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=20)
        connection.request("GET", f"{urlsplit(self.address).path}events")
        answer = connection.getresponse()
        told: dict[str, Any] = {}
        while "wall" not in told:
            line = answer.readline()
            told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
        connection.close()
        return told

    def wall(self) -> dict[str, Any]:
        """The wall that a page is told, each face with its picture alone."""
        told: dict[str, Any] = self.listen()["wall"]
        told["faces"] = {name: face["picture"] for name, face in told["faces"].items()}
        return told

    def end(self) -> float:
        """Interrupt it; how long it took to end."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        return time.monotonic() - started


@contextmanager
def previewing(root: Path, *options: str, **given: str) -> Iterator[Preview]:
    """A preview of a game, ended afterwards. Of what is `given`, `start` is Python that runs the
    command instead, and `browser` the command line of the browser that it opens."""
    preview = Preview(root, *options, **given)
    try:
        yield preview
    finally:
        if preview.process.poll() is None:
            preview.process.kill()
        preview.process.wait()


def forget_view(page: Page, preview: Preview) -> None:
    """Leave the page that was open, and have the preview forget how it was looked at."""
    page.size(1280, 800)
    page.run("void (window.fetch = () => new Promise(() => {}))")  # it stores nothing any more
    page.go("about:blank")
    status, _ = preview.ask("/TOKEN/view", "PUT", "{}", origin=preview.origin)
    assert status == 204


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


def face(name: str, what: str = "dataset.picture") -> str:
    return f"document.querySelector('[data-face=\"{name}\"]')?.{what}"


def shown(page: Page) -> list[str]:
    found: list[str] = page.run(
        "[...document.querySelectorAll('.tile:not([hidden])')].map(t => t.dataset.card)"
    )
    return found


def typed(page: Page, field: str, text: str) -> None:
    page.run(
        f"void (document.getElementById('{field}').value = {text!r}, "
        f"document.getElementById('{field}').dispatchEvent(new Event('input')))"
    )


def pixel(page: Page, selector: str) -> tuple[int, ...]:
    """The colour on the screen in the middle of an element."""
    at = page.run(
        f"[{selector}].map(e => e.getBoundingClientRect())"
        ".map(r => [r.left + r.width / 2, r.top + r.height / 2])[0]"
    )
    with Image.open(io.BytesIO(page.picture())) as picture:
        return picture.convert("RGB").getpixel((round(at[0]), round(at[1])))  # type: ignore[return-value]
