"""What must not happen: canaries in a folder elsewhere, and a server on this machine that logs."""

from __future__ import annotations

import hashlib
import os
import socketserver
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from trials.attack import SECRET

CANARIES = {
    "secret.txt": SECRET,
    "secret.css": f".box {{ font-family: {SECRET} }}",
    "secret.csv": f"id,name\n{SECRET.lower()},{SECRET}\n",
    "secret.html": f"<p>{SECRET}</p>",
    "secret.yaml": f"deck: secret\ntitle: {SECRET}\nfields: {SECRET}\n",
    "secret.md": f"# {SECRET}\n",
    "secret.svg": f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><{SECRET}/></svg>',
    "secret.json": f'{{"ObjectStates": "{SECRET}"}}',
    **{f"folder/{n}.pdf": f"{SECRET} {n}" for n in range(1200)},
}


def plant(folder: Path) -> None:
    """Write what must neither be read nor changed."""
    for name, text in CANARIES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def state(folder: Path, leave_out: tuple[str, ...] = ()) -> dict[str, str]:
    """Everything in a folder by name: kind, and content or target. No link is followed."""
    found: dict[str, str] = {}
    waiting = [os.fsencode(folder)]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            name = os.path.relpath(entry.path, os.fsencode(folder)).decode(
                "utf-8", "backslashreplace"
            )
            if any(name == out or name.startswith(f"{out}/") for out in leave_out):
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                waiting.append(entry.path)
                found[name] = "folder"
            elif stat.S_ISLNK(mode):
                found[name] = f"link {os.readlink(entry.path)!r}"  # noqa: PTH115
            elif stat.S_ISREG(mode):
                with open(entry.path, "rb") as file:  # noqa: PTH123 - the name may be no text
                    found[name] = hashlib.sha256(file.read()).hexdigest()
            else:
                found[name] = str(stat.S_IFMT(mode))
    return found


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What came, went or changed."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def holds_secret(folder: Path) -> list[str]:
    """The files of a folder that hold the secret; of one that is a link none, it is elsewhere."""
    if folder.is_symlink():
        return []
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and SECRET.encode() in path.read_bytes()
    ]


class Listener(socketserver.ThreadingTCPServer):
    """Answers every request with 404, and remembers what was asked."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.asked.append(f"{self.command} {self.path}")
                self.send_error(404)

            do_POST = do_PUT = do_HEAD = do_CONNECT = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener at work."""
    with Listener() as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield listener
        listener.shutdown()
