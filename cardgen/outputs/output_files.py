"""Files that outputs have planned, named side by side and made on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, has_errors
from cardgen.core.work_limits import LimitExceededError
from cardgen.outputs.contract import Artefact, Job, OutputFiles, Progress
from cardgen.outputs.registry import OutputEntry
from cardgen.runtime.content_store import FILES_KIND, SharedBackend
from cardgen.runtime.worker_pool import map_calls

# Up to so many batches are made in this process: starting helpers costs more.
_MAX_LOCAL_BATCHES = 4
_BATCH_SECONDS, _SECONDS_PER_FILE, _LARGE_FILE_SECONDS = 15.0, 3.0, 300.0
"""How long a batch of files may take, more for each; and what is put together from all faces."""


def plan_outputs(
    job: Job, outputs: Mapping[str, OutputEntry]
) -> tuple[dict[str, OutputFiles[object]], list[Problem]]:
    """The files of each output, what they need being in the store, and what is wrong with them."""
    found: dict[str, OutputFiles[object]] = {}
    problems: list[Problem] = []
    for name, entry in outputs.items():
        told = entry.output.prepare(job)
        problems += told
        if not has_errors(told):
            found[name], more = entry.output.plan_files(job)
            problems += more
    artefacts = [artefact for files in found.values() for artefact in files.artefacts]
    return found, [*problems, *_find_duplicate_paths(artefacts)]


def _find_duplicate_paths(artefacts: Iterable[Artefact[object]]) -> Iterator[Problem]:
    """A problem for files that would take each other's place: of a card's back, and of a card that
    is called so."""
    seen: dict[str, str] = {}
    for artefact in artefacts:
        if seen.setdefault(artefact.path, artefact.key) != artefact.key:
            message = f"two files would both be {artefact.path}; give one of the cards another id"
            yield Problem(Source("cards"), message, "duplicate-id")


def make_files(
    groups: Iterable[OutputFiles[object]], progress: Progress, shared: SharedBackend | None = None
) -> Iterator[tuple[Artefact[object], bytes | Problem]]:
    """Every file with its bytes, those of equal keys once; or why it cannot be made. What the
    shared store has is not made."""
    groups, known = [*groups], set()
    for artefact, found in _fetch_shared_files(groups, shared):
        known.add(artefact.key)
        yield artefact, found
    lacking = [files.exclude_keys(known) for files in groups] if known else groups
    batches = [batch for files in lacking for batch in files.split_batches()]
    results = map_calls(_make_batch, batches, alone=len(batches) <= _MAX_LOCAL_BATCHES)
    for done, (batch, result) in enumerate(zip(batches, results, strict=True), start=1):
        for artefact, data in zip(batch.artefacts, result, strict=True):
            if isinstance(data, str):
                message = f"the file cannot be made: {data}"
                yield artefact, Problem(Source(artefact.path), message, "bounds")
            else:
                if shared is not None:
                    shared.put_entry(f"{FILES_KIND}/{artefact.key}", data)
                yield artefact, data
        progress("making files", done, len(batches))


def _fetch_shared_files(
    groups: Sequence[OutputFiles[object]], shared: SharedBackend | None
) -> Iterator[tuple[Artefact[object], bytes]]:
    """The files that another machine has made."""
    if shared is not None:
        wanted = {f"{FILES_KIND}/{a.key}": a for files in groups for a in files.artefacts}
        for name, data in shared.get(wanted):
            yield wanted[name], data


def _make_batch(files: OutputFiles[object]) -> list[bytes | str]:
    """Each file's bytes, or why it cannot be made; where a batch is stopped, one by one."""
    number = len(files.artefacts)
    seconds = (
        _BATCH_SECONDS + _SECONDS_PER_FILE * number
        if files.is_batched
        else _LARGE_FILE_SECONDS * work_limits.get_large_factor()
    )
    try:
        with work_limits.work_limit(f"{files.artefacts[0].path} ({number})", seconds):
            return list(files.make_bytes())
    except LimitExceededError as error:
        if number == 1:
            return [str(error)]
    return [data for each in files.split_singly() for data in _make_batch(each)]
