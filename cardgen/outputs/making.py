"""Files that outputs have planned, named side by side and made on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardgen.base import bounds, guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, has_errors
from cardgen.base.store import FILES, Behind
from cardgen.base.workers import spread
from cardgen.outputs.contract import Artefact, Files, Job, Kind, Progress

# Up to so many batches are made in this process: starting helpers costs more.
_ALONE = 4
_SECONDS, _SECONDS_EACH, _SECONDS_WHOLE = 15.0, 3.0, 300.0
"""How long a batch of files may take, more for each; and what is put together from all faces."""


def planned(
    job: Job, outputs: Mapping[str, Kind]
) -> tuple[dict[str, Files[object]], list[Problem]]:
    """The files of each output, what they need being in the store, and what is wrong with them."""
    found: dict[str, Files[object]] = {}
    problems: list[Problem] = []
    for name, output in outputs.items():
        told = output.prepare(job)
        problems += told
        if not has_errors(told):
            found[name], more = output.files(job)
            problems += more
    artefacts = [artefact for files in found.values() for artefact in files.artefacts]
    return found, [*problems, *_of_one_name(artefacts)]


def _of_one_name(artefacts: Iterable[Artefact[object]]) -> Iterator[Problem]:
    """A problem for files that would take each other's place: of a card's back, and of a card that
    is called so."""
    seen: dict[str, str] = {}
    for artefact in artefacts:
        if seen.setdefault(artefact.path, artefact.key) != artefact.key:
            message = f"two files would both be {artefact.path}; give one of the cards another id"
            yield Problem(Source("cards"), message, "duplicate-id")


def made(
    groups: Iterable[Files[object]], progress: Progress, shared: Behind | None = None
) -> Iterator[tuple[Artefact[object], bytes | Problem]]:
    """Every file with its bytes, those of equal keys once; or why it cannot be made. What the
    shared store has is not made."""
    groups, known = [*groups], set()
    for artefact, found in _made_elsewhere(groups, shared):
        known.add(artefact.key)
        yield artefact, found
    lacking = [files.without_keys(known) for files in groups] if known else groups
    batches = [batch for files in lacking for batch in files.batches()]
    results = spread(_make, batches, alone=len(batches) <= _ALONE)
    for done, (batch, result) in enumerate(zip(batches, results, strict=True), start=1):
        for artefact, data in zip(batch.artefacts, result, strict=True):
            if isinstance(data, str):
                message = f"the file cannot be made: {data}"
                yield artefact, Problem(Source(artefact.path), message, "bounds")
            else:
                if shared is not None:
                    shared.put(f"{FILES}/{artefact.key}", data)
                yield artefact, data
        progress("making files", done, len(batches))


def _made_elsewhere(
    groups: Sequence[Files[object]], shared: Behind | None
) -> Iterator[tuple[Artefact[object], bytes]]:
    """The files that another machine has made."""
    if shared is not None:
        wanted = {f"{FILES}/{a.key}": a for files in groups for a in files.artefacts}
        for name, data in shared.get(wanted):
            yield wanted[name], data


def _make(files: Files[object]) -> list[bytes | str]:
    """Each file's bytes, or why it cannot be made; where a batch is stopped, one by one."""
    number = len(files.artefacts)
    seconds = _SECONDS + _SECONDS_EACH * number if files.many else _SECONDS_WHOLE * bounds.large()
    try:
        with guard.at(f"{files.artefacts[0].path} ({number})", seconds):
            return list(files.made())
    except Stopped as error:
        if number == 1:
            return [str(error)]
    return [data for each in files.singly() for data in _make(each)]
