"""A game shared out among the jobs of a CI: which decks fall to which of them in which languages,
and what each makes of these.

A deck in a language is never parted, and is weighed by its faces, which are known before anything
is typeset. Every job comes to the same shares by itself. What shows more than the decks of one
job, such as the PDF of the whole box, is made when the parts are merged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from cardgen.core.problems import Problem
from cardgen.game.model import Deck
from cardgen.outputs import output_files
from cardgen.outputs.contract import Job, OutputFiles
from cardgen.outputs.registry import OutputEntry

MOST = 1000
_WRITTEN = re.compile(r"([0-9]{1,4})/([0-9]{1,4})\Z")
_BOOK = 100
"""Setting a language's rulebooks takes about as long as so many faces."""


@dataclass(frozen=True)
class Shard:
    """One of so many jobs; they count from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Share:
    """What falls to a shard: decks, each with a language, and the languages of rulebooks."""

    shard: Shard
    decks: frozenset[tuple[str, str]]
    books: frozenset[str]


def parse(text: str) -> Shard | None:
    """`3/16`; None for what is none."""
    found = _WRITTEN.match(text)
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    return shard if 1 <= shard.number <= shard.of <= MOST else None


def shares(
    decks: Sequence[Deck], languages: Sequence[str], of: int, *, books: Collection[str]
) -> list[Share]:
    """What falls to each of so many shards: the heaviest first, each to the one that has least.
    `books` are the languages in which there are rulebooks to be made."""
    weights = {
        (language, deck.id): sum(bool(side) for side in (deck.front, deck.back)) * len(deck.pieces)
        for language in languages
        for deck in decks
    }
    weights |= {(language, ""): _BOOK for language in languages if language in books}
    loads, fallen = [0] * of, [set[tuple[str, str]]() for _ in range(of)]
    for each in sorted(weights, key=lambda each: (-weights[each], each)):
        lightest = min(range(of), key=lambda number: (loads[number], number))
        loads[lightest] += weights[each]
        fallen[lightest].add(each)
    return [
        Share(
            Shard(number, of),
            frozenset(each for each in share if each[1]),
            frozenset(language for language, deck in share if not deck),
        )
        for number, share in enumerate(fallen, 1)
    ]


def planned(
    job: Job, outputs: Mapping[str, OutputEntry], share: Share
) -> tuple[dict[str, OutputFiles[object]], list[Problem]]:
    """The files of a share, of those that a build of the whole would have, too; and what is wrong
    with them."""
    found: dict[str, OutputFiles[object]] = {}
    problems: list[Problem] = []
    for part, kinds in _jobs(job, outputs, share):
        files, told = output_files.plan_outputs(part, kinds)
        problems += told
        for name, more in files.items():
            alone = more.exclude_paths([a.path for a in more.artefacts if _is_of_part(a.path)])
            found[name] = found[name].add_artefacts(alone.artefacts) if name in found else alone
    return found, problems


def _jobs(
    job: Job, outputs: Mapping[str, OutputEntry], share: Share
) -> Iterator[tuple[Job, Mapping[str, OutputEntry]]]:
    """The work of a share, a language at a time."""
    of_decks = {name: output for name, output in outputs.items() if output.shows_decks}
    of_books = {name: output for name, output in outputs.items() if not output.shows_decks}
    for language in job.languages:
        decks = tuple(deck for deck in job.decks if (language, deck.id) in share.decks)
        alone = replace(job, languages=(language,))
        if decks and of_decks:
            yield replace(alone, decks=decks), of_decks
        if language in share.books and of_books:
            yield alone, of_books


def _is_of_part(path: str) -> bool:
    """Whether a file is called after the decks that it shows, since these are not all."""
    return "+" in PurePosixPath(path).name
