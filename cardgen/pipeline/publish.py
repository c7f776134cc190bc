"""Publishing of planned files: the stale ones are made and replace what is in the build folder.

Everything is made before the first file is replaced, so that a build that fails or is killed
leaves the last good output whole. The report tells what was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from cardgen.core.problems import Problem, Subject, has_errors, sort_problems
from cardgen.game import loader
from cardgen.game.model import Game
from cardgen.outputs import output_files
from cardgen.outputs.contract import Artefact, Job, OutputFiles
from cardgen.pipeline.manifest import Manifest, ManifestEntry, StagedFile, hash_bytes, open_scratch
from cardgen.pipeline.request import Request
from cardgen.runtime import safe_files


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


def publish_files(
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
    stale = {name: files.exclude_paths(current) for name, files in planned.items()}
    leftovers = (
        manifest.find_leftovers(planned, artefacts, request.languages)
        if request.is_complete
        else []
    )
    with open_scratch(report.folder) as scratch:
        new, problems = _make_files(stale, scratch, job)
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
    stale: Mapping[str, OutputFiles[object]], scratch: Path, job: Job
) -> tuple[dict[str, StagedFile], list[Problem]]:
    """Make files in `scratch`; return them by the path where they belong, and the problems."""
    made: dict[str, tuple[Path, str]] = {}
    problems: list[Problem] = []
    for artefact, data in output_files.make_files(stale.values(), job.progress, job.store.shared):
        if isinstance(data, Problem):
            problems.append(data)
            continue
        path = scratch / artefact.key
        safe_files.write_new_file(path, data)
        made[artefact.key] = path, hash_bytes(data)
    staged = {}
    for name, files in stale.items():
        for a in files.artefacts:
            if a.key in made:
                path, digest = made[a.key]
                staged[a.path] = StagedFile(path, ManifestEntry(a.key, name, a.language, digest))
    return staged, problems
