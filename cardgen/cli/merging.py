"""A build shared out among jobs, `--shard 3/16`, and their parts merged, `--merge`: what may be
typed, and how it becomes requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen.book import editions
from cardgen.cli.command_output import format_path
from cardgen.cli.terminal import escape_control_chars, print_lines
from cardgen.game.inventory import format_count
from cardgen.outputs import shards
from cardgen.outputs.registry import OUTPUTS
from cardgen.outputs.shards import MOST, Shard, Share
from cardgen.pipeline import parts
from cardgen.pipeline.build import BuildReport, Request
from cardgen.pipeline.parts import IncompatiblePartsError
from cardgen.runtime.content_store import digest_parts
from cardgen.runtime.scale.shared_store import SharedStore

_NOT_SHARED_OUT = ("draft", "install", "changed")
"""What concerns a build as a whole, and no part of it."""
_NAMED = 8


def _shard(_context: click.Context, _param: click.Parameter, given: str | None) -> Shard | None:
    found = shards.parse(given) if given is not None else None
    if given is not None and found is None:
        raise click.BadParameter(
            f"'{given}' is no part; 3/16 is the third of sixteen, of at most {MOST}."
        )
    return found


def add_merge_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `build`."""
    for option in (
        click.option("--merge", "merged", multiple=True, metavar="DIR",
                     type=click.Path(path_type=Path, exists=True, file_okay=False),
                     help="Put together what --shard has made, out of these folders."),
        click.option("--shard", callback=_shard, metavar="3/16",
                     help="Only the third of sixteen parts, for --merge."),
    ):  # fmt: skip
        command = option(command)
    return command


def check_merge_options(
    given: dict[str, Any], outputs: Sequence[str]
) -> tuple[Shard | None, tuple[Path, ...]]:
    """The shard that is asked for, and where parts to be merged lie. Takes their options out of the
    rest. Raises `UsageError` where they do not go with it."""
    shard, merged = given.pop("shard"), given.pop("merged")
    if shard and merged:
        raise click.UsageError("--merge puts parts together, and --shard makes one: one of them")
    word = "--shard" if shard else "--merge"
    for name in _NOT_SHARED_OUT if shard or merged else ():
        if given.get(name) or name in outputs:
            raise click.UsageError(f"{word} does not go with --{name}")
    return shard, merged


def folder_of(root: Path, shard: Shard | None, folder: Path | None) -> Path | None:
    """Where a build publishes: a shard in a folder of its own, unless one is named."""
    if shard is None or folder is not None:
        return folder
    return root / "build" / f"part-{shard.number}-of-{shard.of}"


def shared_out(request: Request, shard: Shard) -> Request:
    """The request for one shard of it."""
    game = request.loaded_game[0] if request.loaded_game else None
    if game is None:
        return request  # the build tells why there is none
    whole = request.select_variant(game)
    asked = request.resolve_selection(whole)
    asks = any(not OUTPUTS[name].shows_decks for name in request.outputs)
    books = editions.list_book_languages(whole) if asks else ()
    found = shards.shares(asked.decks, asked.languages, shard.of, books=books)
    return replace(request, share=found[shard.number - 1], used=set())


def unsent(shared: SharedStore | None) -> SharedStore | None:
    """The store that machines share as a merge has it: nothing is sent there. Who made a part is
    not known, and neither is what came of it to be signed with this user's key."""
    if shared is None or not shared.writes:
        return shared
    print_lines(
        "--merge sends nothing to the shared store: nobody has signed what parts hold", err=True
    )
    return replace(shared, writes=False)


def with_parts(request: Request, places: Sequence[Path], *, several: bool) -> Request:
    """The request with the parts that lie there, all of them. Raises `UsageError`."""
    within = request.variant if several else ""
    try:
        found = parts.found(places, within)
        parts.check(found, parts.origin(request.root, _asked(request)))
    except IncompatiblePartsError as error:
        over = [escape_control_chars(each) for each in parts.passed_over(places, within)]
        more = f" and {len(over) - _NAMED} more" if len(over) > _NAMED else ""
        named = f"; passed over: {'; '.join(over[:_NAMED])}{more}" if over else ""
        raise click.UsageError(escape_control_chars(str(error)) + named) from None
    return replace(request, parts=tuple(found))


def hand_on(request: Request, report: BuildReport) -> None:
    """Make a part of what a shard has published."""
    assert request.share is not None
    entries = report.manifest_entries
    kept = (
        ()
        if request.shared_store is not None and request.shared_store.writes
        else request.used or ()
    )
    here = parts.origin(request.root, _asked(request))
    parts.write(report.folder, request.share.shard, here, entries, kept)
    share = request.share
    print_lines(f"{format_path(report.folder)}: part {share.shard} with {_told(share)}; "
        "'--merge' puts all parts together")  # fmt: skip


def _told(share: Share) -> str:
    """What falls to a share, in words."""
    held = [format_count(len(share.decks), "deck")] if share.decks else []
    if share.books:
        held.append(f"the rulebooks of {format_count(len(share.books), 'language')}")
    return " and ".join(held) or "nothing"


def _asked(request: Request) -> str:
    """The hash of all that decides which files a build makes, but for the game."""
    words = (
        request.outputs,
        request.languages,
        request.decks,
        request.card_filter,
        request.options,
    )
    return digest_parts([repr(words), request.variant])
