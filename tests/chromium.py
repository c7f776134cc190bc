"""A headless Chromium for tests, driven over a pipe in the browser's own protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 60.0
_SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-extensions", "--disable-dev-shm-usage",
    "--remote-debugging-pipe", "--force-color-profile=srgb",
)  # fmt: skip


def found() -> str:
    """The path of the browser that this machine has; "" for none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


needs_browser = pytest.mark.skipif(not found(), reason="a browser (chromium) is not installed")


class Pipe:
    """Messages to and from the browser."""

    def __init__(self, into: int, out: int) -> None:
        self._into, self._out, self._rest, self._number = into, out, b"", 0

    def send(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """Send a command, to the browser or to one of its pages, and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        os.write(self._into, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._received()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _received(self) -> Any:
        while b"\0" not in self._rest:
            part = os.read(self._out, 1 << 16)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


class Page:
    """One page of the browser, which shares nothing with other pages."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._context = pipe.send("Target.createBrowserContext")["browserContextId"]
        target = pipe.send(
            "Target.createTarget", url="about:blank", browserContextId=self._context
        )["targetId"]
        told = pipe.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = told["sessionId"]
        self._send("Page.enable")

    def go(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        told = self._send("Page.navigate", url=address)
        assert "errorText" not in told, told
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression, awaited."""
        told = self._send(
            "Runtime.evaluate", expression=f"(async () => ({script}))()", awaitPromise=True,
            returnByValue=True, userGesture=True,
        )  # fmt: skip
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait(self, condition: str, seconds: float = SECONDS) -> None:
        """Wait until an expression is true of the page."""
        until = time.monotonic() + seconds
        while not self.run(f"!!({condition})"):
            assert time.monotonic() < until, f"it never became true: {condition}"
            time.sleep(0.02)

    def key(self, key: str) -> None:
        """Press a key."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self._send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self._send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """How large the screen is, px, and whether its user likes it dark."""
        self._send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """What is on the screen, as PNG."""
        return base64.b64decode(self._send("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """Leave the page, as a user does who closes its tab."""
        self._send("Page.close")

    def end(self) -> None:
        """Close the page, and forget all that it stored."""
        self._pipe.send("Target.disposeBrowserContext", browserContextId=self._context)

    def _send(self, method: str, **given: Any) -> dict[str, Any]:
        return self._pipe.send(method, self._session, **given)


@contextmanager
def launched() -> Iterator[Pipe]:
    """A browser with a profile of its own."""
    folder = tempfile.mkdtemp(prefix="cardgen-chromium-")
    reading, into = os.pipe()
    out, writing = os.pipe()
    command = [found(), *_SWITCHES, f"--user-data-dir={folder}", "about:blank"]
    # These tests run where WeasyPrint is, which was made to know no font of the machine.
    around = {name: value for name, value in os.environ.items() if name != "FONTCONFIG_FILE"}
    process = os.posix_spawn(
        command[0], command, around,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, reading, 63), (os.POSIX_SPAWN_DUP2, writing, 64),
            (os.POSIX_SPAWN_DUP2, 63, 3), (os.POSIX_SPAWN_DUP2, 64, 4),
        ],
        setpgroup=0,
    )  # fmt: skip
    os.close(reading)
    os.close(writing)
    try:
        yield Pipe(into, out)
    finally:
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(into)
        os.close(out)
        shutil.rmtree(Path(folder), ignore_errors=True)


@contextmanager
def page_of(pipe: Pipe) -> Iterator[Page]:
    """A page of a browser, closed afterwards."""
    page = Page(pipe)
    try:
        yield page
    finally:
        page.end()


@contextmanager
def browser() -> Iterator[Page]:
    """A page in a browser of its own."""
    with launched() as pipe, page_of(pipe) as page:
        yield page
