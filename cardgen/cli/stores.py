"""Which store is shared with other machines: the user says so, by an option, a variable or the
configuration of his own; never a game, which may come from a stranger."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cardgen.base import filing, noted, paths, yamlnodes
from cardgen.base.noted import Stamp
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.shared_store import LEAST_KEY, Shared
from cardgen.base.yamlnodes import Node
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import config_folder
from cardgen.cli.report import print_problems
from cardgen.game.model import Game

FILE, KEY_FILE = "config.yaml", "store.key"
NONE = "none"
"""The address that names no store."""
_ADDRESS, _WRITE, _KEY = "CARDGEN_STORE", "CARDGEN_STORE_WRITE", "CARDGEN_STORE_KEY"
_WHOLE = re.compile(r"[a-z][a-z0-9+.-]*(?:::?[a-z][a-z0-9+.-]*)*://.|/.|[A-Za-z]:[\\/]|\\\\.")
_RELATIVE = re.compile(r"(?:file|local)://(?![/~]|[A-Za-z]:|\\\\)")
_MOST_BYTES = 100_000
_YES, _NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that makes things."""
    for option in (
        click.option("--store-write", is_flag=True, default=None,
                     help="Send what is made to the shared store, too."),
        click.option("--store", metavar=f"ADDRESS|{NONE}",
                     help="A store that other machines share: s3://bucket/folder, a folder."),
    ):  # fmt: skip
        command = option(command)
    return command


def chosen(given: dict[str, Any]) -> Shared | None:
    """The store that the user has named. Takes its options out of the rest. Raises `UsageError`."""
    typed, writes = given.pop("store"), given.pop("store_write")
    configured, may_write = _configured(config_folder())
    address = typed or os.environ.get(_ADDRESS) or configured
    if not address or address == NONE:
        if writes:
            raise click.UsageError("--store-write goes with a store; name it: --store ADDRESS")
        return None
    if not _WHOLE.match(address) or _RELATIVE.match(address):
        raise click.UsageError(
            f"the store '{address}' is no address; write it whole, such as s3://bucket/folder, or "
            "/mnt/share/cards for a folder, whose address is absolute"
        )
    allowed = writes or _switch(_WRITE) or (may_write and address == configured)
    return Shared(address, _key(config_folder()), bool(allowed))


def beside() -> dict[str, Stamp]:
    """The user's own files that say it, and how they stand: another answer may hang on them."""
    files = (config_folder() / name for name in (FILE, KEY_FILE))
    return {str(path): noted.stamp(path) for path in files}


def proposed(game: Game, shared: Shared | None) -> str:
    """What to tell where a game proposes a store that its user has not named; "" otherwise."""
    if not game.store or (shared is not None and shared.address == game.store):
        return ""
    return (
        f"the game proposes the shared store {game.store}, which is not used: a game may come from "
        f"anybody. To use it, name it yourself: --store, {_ADDRESS}, or store: in "
        f"{config_folder() / FILE}"
    )


def _configured(folder: Path) -> tuple[str, bool]:
    """The address in the user's own configuration, "" for none, and whether he lets it be
    written."""
    path = folder / FILE
    try:
        text = paths.read(path, _MOST_BYTES).decode()
    except paths.Missing:
        return "", False
    except (paths.Unreadable, UnicodeDecodeError) as error:
        reason = paths.NOT_UTF8 if isinstance(error, UnicodeDecodeError) else error
        return _wrong([Problem(Source(str(path)), f"the file {reason}", "file")])
    if all(line.lstrip().startswith("#") or not line.strip() for line in text.splitlines()):
        return "", False
    node, problems = yamlnodes.load(text, str(path))
    if not problems and node is not None and node.value is not None:
        problems = _unknown(node, ("store",), FILE)
    if problems:
        return _wrong(problems)
    return _named(node.get("store") if node is not None and node.is_mapping else None)


def _named(store: Node | None) -> tuple[str, bool]:
    """The address that a configuration names, and whether it may be written there."""
    if store is None or store.is_scalar:
        return (store.text if store else ""), False
    problems = _unknown(store, ("address", "write"), "store")
    address, write = store.get("address"), store.get("write")
    if not problems and (address is None or not address.is_scalar):
        problems.append(Problem(store.source, "store needs address: s3://bucket/folder", "fields"))
    if not problems and write is not None and not isinstance(write.value, bool):
        message = f"write is {write.describe()}; true or false"
        problems.append(Problem(write.source, message, "type"))
    if problems or address is None:
        return _wrong(problems)
    return address.text, write is not None and write.value is True


def _unknown(node: Node, known: tuple[str, ...], where: str) -> list[Problem]:
    if not node.is_mapping:
        message = f"{where} is {node.describe()}; it holds {', '.join(known)}"
        return [Problem(node.source, message, "type")]
    return [
        Problem(child.source, f"{where} has no key '{key}'{did_you_mean(key, known)}", "fields")
        for key, child in node.items()
        if key not in known
    ]


def _wrong(problems: list[Problem]) -> tuple[str, bool]:
    """Tell what is wrong with the user's own configuration, and end."""
    print_problems(problems)
    sys.exit(PROBLEMS)


def _switch(variable: str) -> bool:
    value = os.environ.get(variable, "").strip().lower()
    if value not in (*_YES, *_NO):
        raise click.UsageError(f"{variable} is '{value}'; 1 or 0 is asked for")
    return value in _YES


def _key(folder: Path) -> bytes:
    """The secret of those who share the store. Raises `UsageError` where there is none."""
    given, place = os.environ.get(_KEY, ""), _KEY
    if not given:
        place = str(folder / KEY_FILE)
        try:
            given = filing.read(folder, KEY_FILE, _MOST_BYTES).decode("utf-8", "replace")
        except paths.Missing:
            raise click.UsageError(
                f"a shared store needs the key of those who share it, in {_KEY} or in {place}: "
                f"{LEAST_KEY} signs or more that nobody guesses, as 'openssl rand -hex 32' makes "
                "them"
            ) from None
        except paths.Unreadable as error:
            raise click.UsageError(f"{place} {error}") from None
    key = given.strip().encode()
    if len(key) < LEAST_KEY:
        raise click.UsageError(f"the key in {place} is too short; {LEAST_KEY} signs are the least")
    return key
