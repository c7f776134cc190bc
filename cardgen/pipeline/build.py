"""The pipeline, from a folder to files: load, check, typeset, make, publish.

Everything is made before anything is published, and each file takes its place by a rename: a
failed or killed build leaves the last good output whole. One build at a time works in a folder. It
goes over the game again when a file changed meanwhile, or the store turned out to be damaged.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from cardgen.core.problems import Problem, has_errors
from cardgen.game import loader
from cardgen.outputs import output_files, shards
from cardgen.outputs.contract import Job, OutputFiles, Progress, ignore_progress
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline import publish
from cardgen.pipeline.publish import Manifest, ManifestEntry, StagedFile
from cardgen.pipeline.request import BuildReport, DraftFace, Request
from cardgen.pipeline.stages import CheckedGame, check, check_game, run_in_workspace
from cardgen.pipeline.workspace import clean
from cardgen.runtime import safe_files

__all__ = ["BuildReport", "Request", "build", "check", "clean"]


def build(request: Request, progress: Progress = ignore_progress) -> BuildReport:
    """Check a game and make what is asked; nothing is published when anything is wrong, unless
    drafts are asked for."""
    started = time.perf_counter()
    report = BuildReport(request.workspace.locked_folders[-1])

    def build_outputs(asked: Request) -> None:
        found = check_game(asked, progress)
        report.problems, report.game, report.unchanged_files = found.problems, found.game, []
        report.planned_files, report.folder_stamps, report.manifest_entries = [], {}, {}
        report.tolerated_problems, report.draft_faces = [], None
        if job := _create_job(found, asked, report.folder, progress):
            if found.has_drafts:
                report.tolerated_problems, report.draft_faces = (
                    list(found.problems),
                    _list_drafts(job),
                )
            report.face_count = len(job.faces.faces)
            report.typeset_count += job.faces.typeset_count
            _make_outputs(job, asked, report)
        if not report.has_failed:
            report.folder_stamps = publish.snapshot_folders(report.folder, report.file_paths)

    run_in_workspace(
        request, progress, build_outputs, lambda problem: report.add_problems([problem])
    )
    request.store.flush_shared()
    report.seconds = time.perf_counter() - started
    return report


def _create_job(
    found: CheckedGame, request: Request, folder: Path, progress: Progress
) -> Job | None:
    """What the outputs work from; nothing when anything is wrong."""
    if found.buildable is None:
        return None
    game, faces = found.buildable
    options = request.options
    assert options is not None
    asked = found.selection
    return Job(
        game, asked.decks, asked.languages, faces, found.books, request.open_store(game), options,
        folder,
        progress, request.card_filter.filename_suffix,
    )  # fmt: skip


def _list_drafts(job: Job) -> list[DraftFace]:
    """The faces that are drafts."""
    return [DraftFace(face.subject, face.is_placeholder) for face in job.faces.faces if face.layer]


def _make_outputs(job: Job, request: Request, report: BuildReport) -> None:
    """Make and publish the outputs; those that take others along, once these are published."""
    for last in (False, True):
        outputs = {
            name: OUTPUTS[name] for name in request.outputs if OUTPUTS[name].runs_last is last
        }
        for group in [{n: each} for n, each in outputs.items()] if request.is_draft else [outputs]:
            if request.share is not None:
                planned, problems = shards.planned(job, group, request.share)
            else:
                planned, problems = output_files.plan_outputs(job, group)
            report.add_problems(problems)
            wrong = has_errors(problems) if request.is_draft else report.has_failed
            if planned and not wrong:
                _publish_outputs(planned, job, request, report)
        if report.has_failed and not request.is_draft:
            return


def _publish_outputs(
    planned: Mapping[str, OutputFiles[object]], job: Job, request: Request, report: BuildReport
) -> None:
    """Make what is not there yet and publish it; or nothing, when anything stands in the way."""
    shelf = Manifest(report.folder, job.store)
    artefacts = {a.path: a for files in planned.values() for a in files.artefacts}
    safe_files.check_targets(report.folder, artefacts)
    made = {artefact.path for artefact in report.new_files}
    # --fresh forgets what stood there before this build, not what it has just made.
    known = artefacts.keys() & made if request.fresh else artefacts.keys()
    wanted = {
        a.path: ManifestEntry(a.key, name, a.language)
        for name, files in planned.items()
        for a in files.artefacts
    }
    current = {path for path in known if shelf.is_current(path, wanted[path])}
    stale = {name: files.exclude_paths(current) for name, files in planned.items()}
    gone = (
        shelf.find_leftovers(planned, artefacts, request.languages) if request.is_complete else []
    )
    with publish.open_scratch(report.folder) as scratch:
        new, problems = _make_files(stale, scratch, job)
        report.add_problems(problems)
        if report.has_failed and not request.is_draft:
            return
        there = new.keys() | current
        gone += sorted(
            shelf.entries.keys() & (artefacts.keys() - there)
        )  # drafts alone fail singly
        loader.raise_if_changed(job.game)
        shelf.publish_files(scratch, new, gone)
    report.manifest_entries |= shelf.select_entries(there)
    report.removed_paths += gone
    report.planned_files += [artefact for path, artefact in artefacts.items() if path in there]
    report.new_files += [a for path, a in artefacts.items() if path in new and path not in made]
    report.unchanged_files += [
        a for path, a in artefacts.items() if path in current and path not in made
    ]


def _make_files(
    stale: Mapping[str, OutputFiles[object]], scratch: Path, job: Job
) -> tuple[dict[str, StagedFile], list[Problem]]:
    """The files in `scratch`, by where they belong; and what is wrong with those that are not."""
    ready: dict[str, tuple[Path, str]] = {}
    problems: list[Problem] = []
    for artefact, data in output_files.make_files(stale.values(), job.progress, job.store.shared):
        if isinstance(data, Problem):
            problems.append(data)
            continue
        path = scratch / artefact.key
        safe_files.write_new_file(path, data)
        ready[artefact.key] = path, publish.hash_bytes(data)
    new = {}
    for name, files in stale.items():
        for a in files.artefacts:
            if a.key in ready:
                path, digest = ready[a.key]
                new[a.path] = StagedFile(path, ManifestEntry(a.key, name, a.language, digest))
    return new, problems
