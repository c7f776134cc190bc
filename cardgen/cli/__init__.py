"""The command line: commands, their options, and what they print.

In: the words of a terminal. Out: lines and an exit code: 0 fine, 1 problems, 2 wrong usage, 3 a bug
of cardgen, 130 interrupted. Nothing else in cardgen prints or exits.
"""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. An exception that escapes is a bug, and the message says where to
    report it.
    """
    # What tells that nothing changed lies in this folder, too, and needs none of it.
    from cardgen.cli import command_line  # noqa: PLC0415

    command_line.run()
