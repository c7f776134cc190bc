"""A process that runs cases one after another, as the command line would, without starting anew.

Orders come as lines of JSON, `{"command": […]}`; an answer goes back for each.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
import resource
import signal
import sys
import time


def serve() -> None:
    """Take orders until there are none."""
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=False)
    from cardgen.cli import main  # noqa: PLC0415
    from cardgen.core import work_limits  # noqa: PLC0415 - once the worker is set up

    resource.setrlimit(resource.RLIMIT_AS, (work_limits.MEMORY_BYTES, work_limits.MEMORY_BYTES))

    for line in sys.stdin:
        command = json.loads(line)["command"]
        out, err = io.StringIO(), io.StringIO()
        started, code = time.process_time(), 0
        sys.argv = ["cardgen", *command]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as leave:
                code = leave.code if isinstance(leave.code, int) else 1
            except BaseException as error:
                code = 3
                print(f"Traceback (most recent call last): {error!r}", file=sys.stderr)
        _forget()
        answer = {
            "code": code, "seconds": time.process_time() - started,
            "out": out.getvalue(), "err": err.getvalue(),
        }  # fmt: skip
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _forget() -> None:
    """Hyphenation patterns are known to the whole process; the next game has others, or none."""
    pyphen = sys.modules.get("pyphen")
    if pyphen is not None:
        for language in [key for key, path in pyphen.LANGUAGES.items() if ".store" in str(path)]:
            del pyphen.LANGUAGES[language]
            pyphen.LANGUAGES_LOWERCASE.pop(language.lower(), None)
        pyphen.hdcache.clear()
