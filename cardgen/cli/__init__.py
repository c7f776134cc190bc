"""The command line, the only place that prints and exits: commands, what they are asked, what they
tell. Exit codes: 0 fine, 1 problems, 2 usage, 3 a bug of cardgen, 130 interrupted.
"""

from __future__ import annotations

import errno
import sys
import traceback
from typing import NoReturn

import click

from cardgen import __version__, libraries
from cardgen.cli.commands import cli
from cardgen.cli.telling import BUG, FINE, INTERRUPTED, PROBLEMS, USAGE

__all__ = ["cli", "main"]

# What the machine refuses is no bug: no right to write there, no room left.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)


def main() -> NoReturn:
    """Run the command line; whatever escapes is a bug and says where to report it."""
    try:
        cli(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except OSError as error:
        if error.errno in _REFUSED:
            click.echo(f"{error.filename or 'the disk'}: {error.strerror or error}", err=True)
            sys.exit(PROBLEMS)
        if "cannot load library" not in str(error):
            _report_bug()
        lost = libraries.missing() or ["Pango"]
        click.echo(libraries.explain(lost, libraries.this_system()), err=True)
        sys.exit(PROBLEMS)
    except Exception:
        _report_bug()
    sys.exit(FINE)


def _report_bug() -> NoReturn:
    traceback.print_exc()
    click.echo(
        f"\nThis is a bug in cardgen {__version__}, not in your game. Please report the lines "
        "above, with the card or template they came from, where you got cardgen from.",
        err=True,
    )
    sys.exit(BUG)
