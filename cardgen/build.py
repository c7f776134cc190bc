"""The pipeline, from a folder to files: load, check, typeset, make, publish.

Everything is made before anything is published, and each file takes its place by a rename: a
failed or killed build leaves the last good output whole. One build at a time works in a folder. It
goes over the game again when a file changed meanwhile, or the store turned out to be damaged.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from cardgen import publishing
from cardgen.base import filing
from cardgen.base.problems import Problem, has_errors
from cardgen.build_folder import clean
from cardgen.examining import Examined, check, examined, in_turn
from cardgen.game import loading
from cardgen.outputs import making, shards
from cardgen.outputs.contract import Files, Job, Progress, quiet
from cardgen.outputs.registry import OUTPUTS
from cardgen.publishing import Entry, New, Shelf
from cardgen.request import Draft, Report, Request

__all__ = ["Report", "Request", "build", "check", "clean"]


def build(request: Request, progress: Progress = quiet) -> Report:
    """Check a game and make what is asked; nothing is published when anything is wrong, unless
    drafts are asked for."""
    started = time.perf_counter()
    report = Report(request.desk.folders[-1])

    def work(asked: Request) -> None:
        found = examined(asked, progress)
        report.problems, report.game, report.kept = found.problems, found.game, []
        report.wanted, report.standing, report.entries = [], {}, {}
        report.forgiven, report.drafts = [], None
        if job := _job(found, asked, report.folder, progress):
            if found.drafted:
                report.forgiven, report.drafts = list(found.problems), _drafts(job)
            report.faces = len(job.faces.faces)
            report.typeset += job.faces.typeset
            _make_outputs(job, asked, report)
        if not report.failed:
            report.standing = publishing.standing(report.folder, report.paths)

    in_turn(request, progress, work, lambda problem: report.tell([problem]))
    request.store.push()
    report.seconds = time.perf_counter() - started
    return report


def _job(found: Examined, request: Request, folder: Path, progress: Progress) -> Job | None:
    """What the outputs work from; nothing when anything is wrong."""
    if found.sound is None:
        return None
    game, faces = found.sound
    options = request.options
    assert options is not None
    asked = found.asked
    return Job(
        game, asked.decks, asked.languages, faces, found.books, request.store_of(game), options,
        folder,
        progress, request.cards.ending,
    )  # fmt: skip


def _drafts(job: Job) -> list[Draft]:
    """The faces that are drafts."""
    return [Draft(face.whose, face.instead) for face in job.faces.faces if face.layer]


def _make_outputs(job: Job, request: Request, report: Report) -> None:
    """Make and publish the outputs; those that take others along, once these are published."""
    for last in (False, True):
        outputs = {name: OUTPUTS[name] for name in request.outputs if OUTPUTS[name].last is last}
        for group in [{n: each} for n, each in outputs.items()] if request.draft else [outputs]:
            if request.share is not None:
                planned, problems = shards.planned(job, group, request.share)
            else:
                planned, problems = making.planned(job, group)
            report.tell(problems)
            wrong = has_errors(problems) if request.draft else report.failed
            if planned and not wrong:
                _publish(planned, job, request, report)
        if report.failed and not request.draft:
            return


def _publish(
    planned: Mapping[str, Files[object]], job: Job, request: Request, report: Report
) -> None:
    """Make what is not there yet and publish it; or nothing, when anything stands in the way."""
    shelf = Shelf(report.folder, job.store)
    artefacts = {a.path: a for files in planned.values() for a in files.artefacts}
    filing.check_each(report.folder, artefacts)
    made = {artefact.path for artefact in report.made}
    # --fresh forgets what stood there before this build, not what it has just made.
    known = artefacts.keys() & made if request.fresh else artefacts.keys()
    wanted = {
        a.path: Entry(a.key, name, a.language)
        for name, files in planned.items()
        for a in files.artefacts
    }
    current = {path for path in known if shelf.is_current(path, wanted[path])}
    stale = {name: files.without(current) for name, files in planned.items()}
    gone = shelf.left_over(planned, artefacts, request.languages) if request.whole else []
    with publishing.making(report.folder) as scratch:
        new, problems = _made(stale, scratch, job)
        report.tell(problems)
        if report.failed and not request.draft:
            return
        there = new.keys() | current
        gone += sorted(
            shelf.entries.keys() & (artefacts.keys() - there)
        )  # drafts alone fail singly
        loading.hold_still(job.game)
        shelf.publish(scratch, new, gone)
    report.entries |= shelf.of(there)
    report.removed += gone
    report.wanted += [artefact for path, artefact in artefacts.items() if path in there]
    report.made += [a for path, a in artefacts.items() if path in new and path not in made]
    report.kept += [a for path, a in artefacts.items() if path in current and path not in made]


def _made(
    stale: Mapping[str, Files[object]], scratch: Path, job: Job
) -> tuple[dict[str, New], list[Problem]]:
    """The files in `scratch`, by where they belong; and what is wrong with those that are not."""
    ready: dict[str, tuple[Path, str]] = {}
    problems: list[Problem] = []
    for artefact, data in making.made(stale.values(), job.progress, job.store.shared):
        if isinstance(data, Problem):
            problems.append(data)
            continue
        path = scratch / artefact.key
        filing.write_new(path, data)
        ready[artefact.key] = path, publishing.digest(data)
    new = {}
    for name, files in stale.items():
        for a in files.artefacts:
            if a.key in ready:
                path, digest = ready[a.key]
                new[a.path] = New(path, Entry(a.key, name, a.language, digest))
    return new, problems
