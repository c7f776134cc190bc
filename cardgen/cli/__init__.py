"""The command line, the only place that prints and exits: commands, what they are asked, what they
tell.

In: the words of a terminal. Out: lines, and an exit code: 0 fine, 1 problems, 2 usage, 3 a bug of
cardgen, 130 interrupted.
"""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; whatever escapes is a bug and says where to report it."""
    # What tells that nothing changed lies in this folder, too, and needs none of it.
    from cardgen.cli import command_line  # noqa: PLC0415

    command_line.run()
