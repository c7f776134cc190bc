"""Who does the work of a command: so many processes of this machine, or a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from cardgen.base import cluster, store, workers
from cardgen.base.cluster import Unfit
from cardgen.base.shared_store import Shared

MOST = 256
"""So many processes may be asked for."""


class Workers(click.ParamType["int | str"]):
    """A number of processes, or the address of a Dask scheduler."""

    name = "workers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if isinstance(value, int):
            return value
        if re.fullmatch("[0-9]{1,9}", value) and 1 <= int(value) <= MOST:
            return int(value)
        if value.startswith(cluster.SCHEMES) and value.partition("://")[2]:
            return str(value)
        return self.fail(
            f"'{value}' is neither a number of processes from 1 to {MOST} nor the address of a "
            "Dask scheduler, such as dask://192.168.1.5:8786.", param, ctx,
        )  # fmt: skip


option = click.option(
    "--workers", type=Workers(), envvar="CARDGEN_WORKERS", metavar="N|dask://HOST:PORT",
    help="So many processes, or a Dask cluster.",
)  # fmt: skip


@contextmanager
def done_by(wanted: int | str | None, root: Path, shared: Shared | None) -> Iterator[None]:
    """Within, the work of a command on that game is done as the option says."""
    if isinstance(wanted, int):
        with workers.helpers(wanted):
            yield
    elif wanted is None:
        yield
    else:
        with ExitStack() as stack:
            try:
                stack.enter_context(cluster.joined(wanted, root / store.FOLDER, shared))
            except Unfit as error:
                raise click.UsageError(f"--workers {wanted}: {error}") from None
            yield
