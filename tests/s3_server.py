"""A server that speaks S3, on this machine, for what is shared between machines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count

import pytest

VARIABLES = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")
_SERVES = """
import logging, threading
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").disabled = True
server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
threading.Event().wait()
"""
_numbers = count()


class S3Server:
    """One server, a process of its own. Where it is, the environment says, as a user's would."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        command = [sys.executable, "-P", "-c", _SERVES]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        values = (f"http://127.0.0.1:{port}", "testing", "testing", "us-east-1")
        for name, value in zip(VARIABLES, values, strict=True):
            patch.setenv(name, value)
        self._forget()

    @staticmethod
    def _forget() -> None:
        """What s3fs keeps of an earlier server, by thread, would be asked in place of this one."""
        import s3fs  # noqa: PLC0415 - slow, and seldom needed

        s3fs.S3FileSystem.clear_instance_cache()

    def bucket(self) -> str:
        """The address of a folder in a bucket that is new."""
        import s3fs  # noqa: PLC0415 - slow, and seldom needed

        name = f"cards-{os.getpid()}-{next(_numbers)}"
        s3fs.S3FileSystem(skip_instance_cache=True).mkdir(name)
        return f"s3://{name}/shared"

    def stop(self) -> None:
        """It is killed, and answers nobody any more."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    """A server for the tests of a module; the last of them may stop it."""
    pytest.importorskip("moto")
    with pytest.MonkeyPatch.context() as patch:
        server = S3Server(patch)
        yield server
        server.stop()
