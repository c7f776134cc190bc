"""`cardgen` and `python -m cardgen`: the command line, in a process that is watched over."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run `cardgen.cli.main` under the supervisor; exit as it does."""
    if not sys.flags.safe_path and __package__ and sys.argv[0].endswith("__main__.py"):
        del sys.path[0]  # `python -m` puts the folder there in which one stands: a game's, maybe
    try:
        from cardgen.base.supervisor import supervise  # noqa: PLC0415 - on the path as it is now

        sys.exit(supervise("cardgen.cli:main", sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
