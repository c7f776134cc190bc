"""The build, from a folder to files: load, render, typeset, check, plan, make, publish.

One build at a time works in a build folder. It starts over where a file of the game changed
meanwhile, or where the store turned out to be damaged.
"""

from __future__ import annotations

import time
from functools import partial

from cardgen.core.problems import ProblemsError, has_errors
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.outputs.output_files import plan_outputs
from cardgen.outputs.registry import OUTPUTS, OutputEntry
from cardgen.pipeline.check import check
from cardgen.pipeline.manifest import snapshot_folders
from cardgen.pipeline.publish import BuildReport, DraftFace, publish_files
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import load_stages
from cardgen.pipeline.workspace import clean, create_workspace, run_locked

__all__ = ["BuildReport", "Request", "build", "check", "clean"]


def build(request: Request, progress: Progress = ignore_progress) -> BuildReport:
    """Check a game and make the outputs that are asked for.

    Nothing is published where there are errors, unless drafts are asked for.
    """
    started = time.perf_counter()
    report = BuildReport(create_workspace(request).locked_folders[-1])
    try:
        run_locked(request, progress, partial(_build_locked, report, progress))
    except ProblemsError as error:
        report.add_problems(error.problems)
    request.store.flush_shared()
    report.seconds = time.perf_counter() - started
    return report


def _build_locked(report: BuildReport, progress: Progress, request: Request) -> None:
    report.restart()
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
    job = stages.create_job(folder=report.folder)
    for outputs in _group_outputs(request):
        planned, problems = plan_outputs(job, outputs)
        report.add_problems(problems)
        if planned and not (has_errors(problems) if request.is_draft else report.has_failed):
            publish_files(planned, job, request, report)
        if report.has_failed and not request.is_draft:
            return
    if not report.has_failed:
        report.folder_stamps = snapshot_folders(report.folder, report.file_paths)


def _group_outputs(request: Request) -> list[dict[str, OutputEntry]]:
    """Return the outputs that are planned and published together.

    Those that pack the files of others come last. In a build of drafts each may fail alone.
    """
    ordered = sorted(request.outputs, key=lambda name: OUTPUTS[name].runs_last)
    if request.is_draft:
        return [{name: OUTPUTS[name]} for name in ordered]
    groups = (
        {name: OUTPUTS[name] for name in ordered if OUTPUTS[name].runs_last is last}
        for last in (False, True)
    )
    return [group for group in groups if group]
