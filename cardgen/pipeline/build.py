"""The build, from a folder to files: load, render, typeset, check, plan, make, publish.

One build at a time works in a build folder. It starts over where a file of the game changed
meanwhile, or where the store turned out to be damaged. Everything is made before the first file is
replaced, so that a build that fails or is killed leaves the last good output whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cardgen.core.problems import Problem, ProblemsError, Source, Subject, has_errors, sort_problems
from cardgen.game import loader
from cardgen.game.model import Game
from cardgen.outputs.contract import (
    Artefact,
    Job,
    OutputFiles,
    Progress,
    ignore_progress,
    make_files,
)
from cardgen.outputs.registry import OUTPUTS, OutputEntry
from cardgen.pipeline.check import check
from cardgen.pipeline.manifest import (
    Manifest,
    ManifestEntry,
    StagedFile,
    hash_bytes,
    read_published,
    snapshot_folders,
)
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import load_stages
from cardgen.pipeline.workspace import clean, create_workspace, open_workspace
from cardgen.runtime import safe_files

__all__ = ["BuildReport", "Request", "build", "check", "clean"]


@dataclass(frozen=True)
class DraftFace:
    """A face that is a draft: a marked one, or a placeholder for one that could not be drawn."""

    subject: Subject
    is_placeholder: bool


@dataclass
class BuildReport:
    """What a build did. Paths of files are below `folder`."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    game: Game | None = None
    face_count: int = 0
    typeset_count: int = 0
    new_files: list[Artefact[object]] = field(default_factory=list)
    unchanged_files: list[Artefact[object]] = field(default_factory=list)
    removed_paths: list[str] = field(default_factory=list)
    planned_files: list[Artefact[object]] = field(default_factory=list)
    """New and unchanged files, in the order in which they were planned."""
    folder_stamps: dict[str, str] = field(default_factory=dict)
    """Fingerprints of the folders of all files, taken while the workspace was locked."""
    seconds: float = 0.0
    draft_faces: list[DraftFace] | None = None
    """The faces that are drafts; None for a build without drafts."""
    tolerated_problems: list[Problem] = field(default_factory=list)
    """Problems that stop nothing, since drafts stand in for what has them."""

    @property
    def file_paths(self) -> list[str]:
        """Every file that is there, new or unchanged."""
        return sorted(artefact.path for artefact in (*self.new_files, *self.unchanged_files))

    @property
    def has_failed(self) -> bool:
        """True where a problem stopped the build."""
        tolerated = set(self.tolerated_problems)
        return has_errors(problem for problem in self.problems if problem not in tolerated)

    @property
    def as_unchanged(self) -> BuildReport:
        """The report of a build that comes after this one and finds nothing to do."""
        return replace(
            self,
            typeset_count=0,
            new_files=[],
            unchanged_files=list(self.planned_files),
            removed_paths=[],
        )

    def restart(self) -> None:
        """Forget all but the files that are published already: the build starts over."""
        self.problems, self.game, self.unchanged_files, self.planned_files = [], None, [], []
        self.tolerated_problems, self.draft_faces, self.folder_stamps = [], None, {}

    def add_problems(self, problems: Iterable[Problem]) -> None:
        self.problems = sort_problems([*self.problems, *problems])


def build(request: Request, progress: Progress = ignore_progress) -> BuildReport:
    """Check a game and make the outputs that are asked for.

    Nothing is published where there are errors, unless drafts are asked for.
    """
    started = time.perf_counter()
    report = BuildReport(create_workspace(request).locked_folders[-1])
    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    report.restart()
                    _build_locked(current, progress, report)
    except ProblemsError as error:
        report.add_problems(error.problems)
    request.store.flush_shared()
    report.seconds = time.perf_counter() - started
    return report


def _build_locked(request: Request, progress: Progress, report: BuildReport) -> None:
    stages = load_stages(request, progress)
    report.game = stages.game
    faces = stages.render()
    stages.check_rules()
    stages.write_books()
    stages.typeset()
    stages.check_faces()
    report.add_problems(stages.finish())
    if stages.has_drafts:
        report.tolerated_problems = list(report.problems)
        drafts = (face for face in faces.faces if face.layer)
        report.draft_faces = [DraftFace(face.subject, face.is_placeholder) for face in drafts]
    if report.has_failed:
        return
    report.face_count = len(faces.faces)
    report.typeset_count += faces.typeset_count
    job = replace(
        stages.create_job(folder=report.folder),
        read_published=partial(read_published, report.folder),
    )
    for outputs in _group_outputs(request):
        planned, problems = _plan_outputs(job, outputs)
        report.add_problems(problems)
        if planned and not (has_errors(problems) if request.is_draft else report.has_failed):
            _publish_files(planned, job, request, report)
        if report.has_failed and not request.is_draft:
            return
    if not report.has_failed:
        report.folder_stamps = snapshot_folders(report.folder, report.file_paths)


def _group_outputs(request: Request) -> list[dict[str, OutputEntry]]:
    """Return the outputs that are planned and published together.

    Those that pack the files of others come last. In a build of drafts each may fail alone.
    """
    groups: dict[object, dict[str, OutputEntry]] = {}
    for name in sorted(request.outputs, key=lambda name: OUTPUTS[name].runs_last):
        group = groups.setdefault(name if request.is_draft else OUTPUTS[name].runs_last, {})
        group[name] = OUTPUTS[name]
    return list(groups.values())


def _plan_outputs(
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


def _publish_files(
    planned: Mapping[str, OutputFiles[object]], job: Job, request: Request, report: BuildReport
) -> None:
    """Make the planned files that are stale and publish them all; on an error, change nothing.

    `planned` are the files of each output by its name. In a build of drafts each file may fail
    alone. Raise `FileChangedError` where a file of the game changed meanwhile.
    """
    manifest = Manifest(report.folder, job.store)
    artefacts = {a.path: a for files in planned.values() for a in files.artefacts}
    safe_files.check_targets(report.folder, artefacts)
    published = {artefact.path for artefact in report.new_files}
    entries = {
        a.path: ManifestEntry(a.key, name, a.language)
        for name, files in planned.items()
        for a in files.artefacts
    }
    # --fresh forgets what was there before this build, not what this build has just made.
    reusable = artefacts.keys() & published if request.fresh else artefacts.keys()
    current = {path for path in reusable if manifest.is_current(path, entries[path])}
    stale = [files.exclude_paths(current) for files in planned.values()]
    wanted = {path: entry for path, entry in entries.items() if path not in current}
    leftovers = (
        manifest.find_leftovers(planned, artefacts, request.languages)
        if request.is_complete
        else []
    )
    with safe_files.open_scratch(report.folder) as scratch:
        new, problems = _make_files(stale, wanted, scratch, job)
        report.add_problems(problems)
        if report.has_failed and not request.is_draft:
            return
        present = new.keys() | current
        # Of a build of drafts, files that could not be made now go, too.
        removed = [*leftovers, *sorted(manifest.entries.keys() & (artefacts.keys() - present))]
        loader.raise_if_changed(job.game)
        manifest.publish_files(scratch, new, removed)
    report.removed_paths += removed
    report.planned_files += [a for path, a in artefacts.items() if path in present]
    unreported = {path: a for path, a in artefacts.items() if path not in published}
    report.new_files += [a for path, a in unreported.items() if path in new]
    report.unchanged_files += [a for path, a in unreported.items() if path in current]


def _make_files(
    stale: Iterable[OutputFiles[object]],
    wanted: Mapping[str, ManifestEntry],
    scratch: Path,
    job: Job,
) -> tuple[dict[str, StagedFile], list[Problem]]:
    """Make files in `scratch`; return them by the path where they belong, and the problems.

    `wanted` are their entries of the manifest without the hashes of their bytes.
    """
    made: dict[str, tuple[Path, str]] = {}
    problems: list[Problem] = []
    for artefact, data in make_files(stale, job.progress, job.store.shared):
        if isinstance(data, Problem):
            problems.append(data)
            continue
        path = scratch / artefact.key
        safe_files.write_new_file(path, data)
        made[artefact.key] = path, hash_bytes(data)
    staged = {
        path: StagedFile(made[entry.key][0], replace(entry, digest=made[entry.key][1]))
        for path, entry in wanted.items()
        if entry.key in made
    }
    return staged, problems
