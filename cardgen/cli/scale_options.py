"""Options about other machines: the shared store, and the workers that do the work.

The user names the store, by an option, a variable or a configuration. A game cannot, since it may
come from a stranger.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, ProblemsError, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.runtime import content_store, fingerprint, game_files, safe_files, worker_pool
from cardgen.runtime.fingerprint import Stamp
from cardgen.runtime.user_secret import get_config_folder

if TYPE_CHECKING:
    from cardgen.game.model import Game
    from cardgen.runtime.scale.shared_store import SharedStore

CONFIG_FILE, KEY_FILE = "config.yaml", "store.key"
NO_STORE = "none"
"""Address that names no store."""
_STORE_VARIABLE, _WRITE_VARIABLE, _KEY_VARIABLE = (
    "CARDGEN_STORE",
    "CARDGEN_STORE_WRITE",
    "CARDGEN_STORE_KEY",
)
_ABSOLUTE_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*(?:::?[a-z][a-z0-9+.-]*)*://.|/.|[A-Za-z]:[\\/]|\\\\."
)
_RELATIVE_ADDRESS = re.compile(r"(?:file|local)://(?![/~]|[A-Za-z]:|\\\\)")
_MAX_CONFIG_BYTES = 100_000
_TRUE_WORDS, _FALSE_WORDS = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


def add_store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the shared store to a command."""
    for option in (
        click.option("--store-write", is_flag=True, default=None,
                     help="Send what is made to the shared store, too."),
        click.option("--store", metavar=f"ADDRESS|{NO_STORE}",
                     help="A store that other machines share: s3://bucket/folder, a folder."),
    ):  # fmt: skip
        command = option(command)
    return command


def choose_store(given: dict[str, Any]) -> SharedStore | None:
    """Return the store that the user names. Take its options out of `given`. Raise `UsageError`."""
    typed, writes = given.pop("store"), given.pop("store_write")
    configured, may_write = _read_config(get_config_folder())
    address = typed or os.environ.get(_STORE_VARIABLE) or configured
    if not address or address == NO_STORE:
        if writes:
            raise click.UsageError("--store-write goes with a store; name it: --store ADDRESS")
        return None
    if not _ABSOLUTE_ADDRESS.match(address) or _RELATIVE_ADDRESS.match(address):
        raise click.UsageError(
            f"the store '{address}' is not a full address; write one such as "
            "s3://bucket/folder, or "
            "/mnt/share/cards for a folder, whose address is absolute"
        )
    allowed = writes or _read_switch(_WRITE_VARIABLE) or (may_write and address == configured)
    from cardgen.runtime.scale.shared_store import SharedStore  # noqa: PLC0415 - seldom

    return SharedStore(address, _read_key(get_config_folder()), bool(allowed))


def stamp_config_files() -> dict[str, Stamp]:
    """Return stamps of the user's files that decide it: with others, a command's output may
    differ.
    """
    files = (get_config_folder() / name for name in (CONFIG_FILE, KEY_FILE))
    return {str(path): fingerprint.stamp_path(path) for path in files}


def format_proposal(game: Game, shared: SharedStore | None) -> str:
    """Return the message about a store that the game proposes and the user has not named, or ""."""
    if not game.store or (shared is not None and shared.address == game.store):
        return ""
    return (
        f"the game proposes the shared store {game.store}, which is not used: a game may come from "
        f"anybody. To use it, name it yourself: --store, {_STORE_VARIABLE}, or store: in "
        f"{get_config_folder() / CONFIG_FILE}"
    )


def _read_config(folder: Path) -> tuple[str, bool]:
    """Return the address in the user's configuration, "" for none, and whether it may be
    written.
    """
    path = folder / CONFIG_FILE
    try:
        text = game_files.read_file(path, _MAX_CONFIG_BYTES).decode()
    except game_files.MissingFileError:
        return "", False
    except (game_files.UnreadableError, UnicodeDecodeError) as error:
        reason = game_files.NOT_UTF8 if isinstance(error, UnicodeDecodeError) else error
        raise ProblemsError([Problem(Source(str(path)), f"the file {reason}", "file")]) from None
    if all(line.lstrip().startswith("#") or not line.strip() for line in text.splitlines()):
        return "", False
    node, problems = yaml_nodes.load(text, str(path))
    if not problems and node is not None and node.value is not None:
        problems = _check_config_keys(node, ("store",), CONFIG_FILE)
    if problems:
        raise ProblemsError(problems)
    return _parse_store(node.get("store") if node is not None and node.is_mapping else None)


def _parse_store(store: Node | None) -> tuple[str, bool]:
    """Return the address that a configuration names, and whether it may be written."""
    if store is None or store.is_scalar:
        return (store.text if store else ""), False
    problems = _check_config_keys(store, ("address", "write"), "store")
    address, write = store.get("address"), store.get("write")
    if not problems and (address is None or not address.is_scalar):
        problems.append(Problem(store.source, "store needs address: s3://bucket/folder", "fields"))
    if not problems and write is not None and not isinstance(write.value, bool):
        message = f"write is {write.describe()}; expected true or false"
        problems.append(Problem(write.source, message, "type"))
    if problems or address is None:
        raise ProblemsError(problems)
    return address.text, write is not None and write.value is True


def _check_config_keys(node: Node, known: tuple[str, ...], where: str) -> list[Problem]:
    if not node.is_mapping:
        message = f"{where} is {node.describe()}; it holds {', '.join(known)}"
        return [Problem(node.source, message, "type")]
    return [
        Problem(child.source, f"{where} has no key '{key}'{did_you_mean(key, known)}", "fields")
        for key, child in node.items()
        if key not in known
    ]


def _read_switch(variable: str) -> bool:
    value = os.environ.get(variable, "").strip().lower()
    if value not in (*_TRUE_WORDS, *_FALSE_WORDS):
        raise click.UsageError(f"{variable} is '{value}'; use 1 or 0")
    return value in _TRUE_WORDS


def _read_key(folder: Path) -> bytes:
    """Return the secret of those who share the store. Raise `UsageError` without one."""
    from cardgen.runtime.scale.shared_store import MIN_KEY_LENGTH  # noqa: PLC0415 - seldom

    given, place = os.environ.get(_KEY_VARIABLE, ""), _KEY_VARIABLE
    if not given:
        place = str(folder / KEY_FILE)
        try:
            given = safe_files.read_plain_file(folder, KEY_FILE, _MAX_CONFIG_BYTES).decode(
                "utf-8", "replace"
            )
        except game_files.MissingFileError:
            raise click.UsageError(
                f"a shared store needs the key of those who share it, in {_KEY_VARIABLE} or "
                f"in {place}: at least {MIN_KEY_LENGTH} characters that nobody guesses, as "
                "'openssl rand -hex 32' makes"
            ) from None
        except game_files.UnreadableError as error:
            raise click.UsageError(f"{place} {error}") from None
    key = given.strip().encode()
    if len(key) < MIN_KEY_LENGTH:
        raise click.UsageError(
            f"the key in {place} is too short; {MIN_KEY_LENGTH} signs are the least"
        )
    return key


MAX_WORKERS = 256
"""Most processes that may be asked for."""


class WorkersOption(click.ParamType["int | str"]):
    """A number of processes, or the address of a Dask scheduler."""

    name = "workers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if isinstance(value, int):
            return value
        if re.fullmatch("[0-9]{1,9}", value) and 1 <= int(value) <= MAX_WORKERS:
            return int(value)
        from cardgen.runtime.scale import dask_cluster  # noqa: PLC0415 - seldom

        if value.startswith(dask_cluster.CLUSTER_SCHEMES) and value.partition("://")[2]:
            return str(value)
        return self.fail(
            f"'{value}' is neither a number of processes from 1 to {MAX_WORKERS} nor the address "
            "of a Dask scheduler, such as dask://192.168.1.5:8786.", param, ctx,
        )  # fmt: skip


workers_option = click.option(
    "--workers", type=WorkersOption(), envvar="CARDGEN_WORKERS", metavar="N|dask://HOST:PORT",
    help="Number of processes, or a Dask cluster.",
)  # fmt: skip


@contextmanager
def use_workers(wanted: int | str | None, root: Path, shared: SharedStore | None) -> Iterator[None]:
    """Do the work within on as many processes, or on the cluster, as the option says."""
    if isinstance(wanted, int):
        with worker_pool.use_workers(wanted):
            yield
    elif wanted is None:
        yield
    else:
        from cardgen.runtime.scale import dask_cluster  # noqa: PLC0415 - seldom

        with ExitStack() as stack:
            try:
                stack.enter_context(
                    dask_cluster.join_cluster(wanted, root / content_store.STORE_FOLDER, shared)
                )
            except dask_cluster.ClusterUnfitError as error:
                raise click.UsageError(f"--workers {wanted}: {error}") from None
            yield
