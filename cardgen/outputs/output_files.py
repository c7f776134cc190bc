"""Planning and making of the files of several outputs, on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, has_errors
from cardgen.core.work_limits import LimitExceededError
from cardgen.outputs.contract import Artefact, Job, OutputFiles, Progress
from cardgen.outputs.registry import OutputEntry
from cardgen.runtime.content_store import FILES_KIND, SharedBackend
from cardgen.runtime.worker_pool import map_calls

_MAX_LOCAL_BATCHES = 4
"""Up to this number, batches are made in this process. Starting helpers would cost more."""
_BATCH_SECONDS, _SECONDS_PER_FILE, _LARGE_FILE_SECONDS = 15.0, 3.0, 300.0
"""Time limits of a batch of small files, for each of them in addition, and of a large file."""


def plan_outputs(
    job: Job, outputs: Mapping[str, OutputEntry]
) -> tuple[dict[str, OutputFiles[object]], list[Problem]]:
    """Prepare and plan outputs. Return the files of each by its name, and the problems."""
    files: dict[str, OutputFiles[object]] = {}
    problems: list[Problem] = []
    for name, entry in outputs.items():
        found = entry.output.prepare(job)
        if not has_errors(found):
            files[name], more = entry.output.plan_files(job)
            found = [*found, *more]
        problems += found
    artefacts = [artefact for each in files.values() for artefact in each.artefacts]
    return files, [*problems, *_find_duplicate_paths(artefacts)]


def _find_duplicate_paths(artefacts: Iterable[Artefact[object]]) -> Iterator[Problem]:
    """Report different files at one path. The back of card `a` and a card `a-back` can clash."""
    keys: dict[str, str] = {}
    for artefact in artefacts:
        if keys.setdefault(artefact.path, artefact.key) != artefact.key:
            message = f"two files would both be {artefact.path}; give one of the cards another id"
            yield Problem(Source("cards"), message, "duplicate-id")


def make_files(
    groups: Iterable[OutputFiles[object]], progress: Progress, shared: SharedBackend | None = None
) -> Iterator[tuple[Artefact[object], bytes | Problem]]:
    """Yield each file, equal keys once, with its bytes or with the reason why it was not made.

    Files that the shared store has are not made.
    """
    groups, done_keys = [*groups], set()
    for artefact, content in _fetch_shared_files(groups, shared):
        done_keys.add(artefact.key)
        yield artefact, content
    batches = [batch for files in groups for batch in files.exclude_keys(done_keys).split_batches()]
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
    if shared is not None:
        wanted = {f"{FILES_KIND}/{a.key}": a for files in groups for a in files.artefacts}
        for name, data in shared.get(wanted):
            yield wanted[name], data


def _make_batch(files: OutputFiles[object]) -> list[bytes | str]:
    """Return the bytes of each file, or the reason why it cannot be made."""
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
    return [data for each in files.split_batches(1) for data in _make_batch(each)]
