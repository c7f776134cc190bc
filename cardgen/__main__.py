"""`cardgen` and `python -m cardgen`: the command line, in a process that is watched over."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

_COMPLETING = "_CARDGEN_COMPLETE"
_MIN_FILES, _MIN_STACK_BYTES = 12, 256 << 10
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that is closed.

    Otherwise the next file that is opened would take its number, and get what is printed.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _forget_relative_folders() -> None:
    """Leave folders out of PATH that would be in the current one, which may be a stranger's game.

    Libraries start programs, too, and look for them there.
    """
    parts = os.environ.get("PATH", "").split(os.pathsep)
    whole = [part for part in parts if Path(part).is_absolute()]
    os.environ["PATH"] = os.pathsep.join(whole) or os.defpath


def _require_current_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        sys.exit("cardgen cannot start: the current folder was removed; go to another one")


def _require_limits() -> None:
    """Leave where the system allows so little that not even an error could be reported."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    for limit, least, why in (
        (resource.RLIMIT_NOFILE, _MIN_FILES, "too many files are open; allow more (ulimit -n)"),
        (resource.RLIMIT_STACK, _MIN_STACK_BYTES, "the stack is too small; allow more (ulimit -s)"),
    ):
        if 0 <= resource.getrlimit(limit)[0] < least:
            sys.exit(f"cardgen cannot start: {why}")


def main() -> NoReturn:
    """Tell that nothing changed, or run `cardgen.cli.main` under the supervisor; exit so."""
    _open_closed_streams()
    _forget_relative_folders()
    try:
        _require_limits()
        _require_current_folder()
        if not sys.flags.safe_path and __package__ and sys.argv[0].endswith("__main__.py"):
            del sys.path[
                0
            ]  # `python -m` puts the folder there in which one stands: a game's, maybe
        _run_command()
    except SystemExit as leave:
        from cardgen.cli.terminal import finish_output  # noqa: PLC0415 - on the path as it is now

        sys.exit(finish_output(leave.code))


def _set_completed_word() -> None:
    """Set what a shell tells of the word, if somebody else has set the variable."""
    word, is_text = os.environ.get("COMP_CWORD", ""), os.environ[_COMPLETING].startswith("fish")
    os.environ["COMP_CWORD"] = word if is_text or (word.isdecimal() and len(word) < 9) else "0"
    os.environ.setdefault("COMP_WORDS", "")


def _run_command() -> NoReturn:
    if _COMPLETING in os.environ:  # a shell waits for the rest of a word
        from cardgen.cli import main as complete  # noqa: PLC0415

        _set_completed_word()
        sys.argv[0] = "cardgen"
        complete()
    from cardgen.cli import replay  # noqa: PLC0415
    from cardgen.core.work_limits import SYSTEM_REFUSALS  # noqa: PLC0415 - on the path as it is now

    try:
        if (code := replay.replay_output(sys.argv[1:])) is not None:
            sys.exit(code)
        from cardgen.runtime.processes import supervise_command  # noqa: PLC0415 - only where it has work

        sys.exit(supervise_command("cardgen.cli:main", sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        why = SYSTEM_REFUSALS.get(error.errno or 0) or error.strerror or str(error)
        sys.exit(f"cardgen cannot start: {why}")


if __name__ == "__main__":
    main()
