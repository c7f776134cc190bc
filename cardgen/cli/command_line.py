"""The command line run, and what becomes of all that it may come to: lines, and an exit code."""

from __future__ import annotations

import gc
import io
import logging
import sys
import traceback
from typing import NoReturn

import click

from cardgen import libraries
from cardgen.base import filing, guard, supervisor
from cardgen.base.guard import Stopped
from cardgen.cli.commands import cli
from cardgen.cli.exits import BUG, FINE, INTERRUPTED, PROBLEMS, USAGE
from cardgen.cli.saying import say, say_text


class _Told(logging.Handler):
    """What goes on beside the work, such as a helper that was killed, as a line to the user."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage(), err=True)


class _Said(io.StringIO):
    """What click says, with whatever it would hide where it is not to be coloured."""

    def isatty(self) -> bool:
        return True


_LOOKS_FOR_CYCLES = 200_000, 20, 50
"""A command keeps to its end what it reads and plans: that Python looks through all of it again and
again for garbage that hangs in cycles takes most of the time of a large game."""


def run() -> NoReturn:
    """Run the command line; whatever escapes is a bug and says where to report it."""
    gc.set_threshold(*_LOOKS_FOR_CYCLES)
    logging.getLogger("cardgen").addHandler(_Told())
    try:
        cli(prog_name="cardgen", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as error:
        said = _Said()
        error.show(said)
        say_text(said.getvalue(), err=True)
        sys.exit(USAGE)
    except (Stopped, MemoryError) as error:
        why = guard.too_large() if isinstance(error, MemoryError) else error
        say(f"error: {why}", err=True)
        sys.exit(PROBLEMS)
    except OSError as error:
        if error.errno in filing.REFUSED:
            say(f"{error.filename or 'the disk'}: {error.strerror or error}", err=True)
            sys.exit(PROBLEMS)
        if "cannot load library" not in str(error):
            _report_bug()
        lost = libraries.missing() or ["Pango"]
        say_text(libraries.explain(lost, libraries.this_system()), err=True)
        sys.exit(PROBLEMS)
    except Exception:
        _report_bug()
    sys.exit(FINE)


def _report_bug() -> NoReturn:
    if supervisor.interrupted():
        sys.exit(INTERRUPTED)
    from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for

    say_text(traceback.format_exc(), err=True)
    say(
        "",
        f"This is a bug in cardgen {__version__}, not in your game. Please report the lines "
        "above, with the card or template they came from, where you got cardgen from.",
        err=True,
    )
    sys.exit(BUG)
