"""Work in a game's build folder: locked, on a game that holds still and a store that is sound.

Work starts over where a file of the game changed meanwhile, and goes on where an entry of the
store was damaged and is removed. What the system refuses becomes a problem.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.problems import PARTIAL_PUBLISH, Problem, ProblemsError, Source
from cardgen.game.variants import DRAFT_FOLDER
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.pipeline import manifest
from cardgen.pipeline.manifest import PartialPublishError
from cardgen.pipeline.request import Request
from cardgen.runtime import game_files, safe_files, user_secret
from cardgen.runtime.content_store import DamagedEntryError
from cardgen.runtime.game_files import FileChangedError, StaleBuildError
from cardgen.runtime.safe_files import PathBlockedError

BUILD_FOLDER = "build"
_MAX_ATTEMPTS = 4
_WAITING_MESSAGE = "another cardgen is at work in {}; waiting for it"
_FOREIGN_STORE_MESSAGE = (
    "build/.store was not begun by you on this machine: it is cleared, and everything is made anew"
)
_LOST_SECRET_MESSAGE = (
    "; this happens every time, because the settings folder cannot be written: set the environment "
    f"variable {user_secret.FOLDER_VARIABLE} to one that can"
)
_CHANGING_FILE_MESSAGE = (
    "the file keeps changing during the build; run the command again once nothing writes to it"
)
_CORRUPT_FILE_MESSAGE = "what is read there is not what was written; check the disk"


@dataclass(frozen=True)
class Workspace:
    """Where work is done: the folder of a game, and the folder where files are published."""

    root: Path
    output_folder: Path

    @property
    def locked_folders(self) -> list[Path]:
        """The folders that one command at a time works in; files are published in the last."""
        return list(dict.fromkeys([self.root / BUILD_FOLDER, self.output_folder]))


def create_workspace(request: Request) -> Workspace:
    """Return where a request is worked on: drafts and variants have folders of their own."""
    draft = DRAFT_FOLDER if request.is_draft else ""
    if request.output_folder:
        return Workspace(request.root, request.output_folder / draft)
    return Workspace(request.root, request.root / BUILD_FOLDER / draft / request.variant)


class Attempt:
    """One attempt at the work on a request. What spoils it without harm is dealt with at its end.

    A damaged entry of the store is removed, and a game that changed is forgotten.
    """

    def __init__(self, request: Request, progress: Progress, *, is_last: bool) -> None:
        self.request, self._progress, self._is_last = request, progress, is_last
        self.has_succeeded = False

    def __enter__(self) -> Request:
        return self.request

    def __exit__(self, _: object, error: BaseException | None, _traceback: object) -> bool:
        self.has_succeeded = error is None
        if self._is_last or not isinstance(error, StaleBuildError):
            return False
        if isinstance(error, DamagedEntryError):
            self.request.store.remove_damaged(Path(error.location))
        else:
            self._progress(f"{error.location} changed meanwhile; going over the game again", 0, 0)
            self.request = replace(self.request, loaded_game=None)
        return True


def _list_attempts(request: Request, progress: Progress) -> Iterator[Attempt]:
    for number in range(1, _MAX_ATTEMPTS + 1):
        attempt = Attempt(request, progress, is_last=number == _MAX_ATTEMPTS)
        yield attempt
        if attempt.has_succeeded:
            return
        request = attempt.request


@contextmanager
def open_workspace(
    request: Request, progress: Progress, *, shared: bool = False
) -> Iterator[Iterator[Attempt]]:
    """Yield attempts at the work on a request, while nobody else works in its folders.

    With `shared`, others that share them may do so, too, once the store is known to be the user's:
    its entries are written whole, and a missing one is made again.

    The work is done as `for attempt in attempts: with attempt as request: …`. It reads the game
    again where a file changed meanwhile. Raise `ProblemsError` where the system refuses something
    or the files never hold still.
    """
    workspace, attempts = create_workspace(request), _list_attempts(request, progress)
    folders, store = workspace.locked_folders, request.store
    own = request.root / BUILD_FOLDER if request.output_folder else workspace.output_folder
    with _report_refusals(workspace):
        safe_files.ensure_folder(request.root, own.relative_to(request.root).parts)
        safe_files.refuse_links(request.root, folders[-1])
        folders[-1].mkdir(parents=True, exist_ok=True)
        wait = partial(_report_wait, progress)
        shared = shared and store.is_claimed()
        with safe_files.hold_folders(folders, wait, shared=shared) as is_alone:
            if is_alone:  # commands that were killed leave something behind
                for folder in folders:
                    safe_files.remove_scratch(folder)
                store.remove_leftovers()
            if request.fresh and not request.is_cleared:
                store.remove_all()
            if not store.claim():
                hint = "" if user_secret.is_secret_kept() else _LOST_SECRET_MESSAGE
                progress(f"{_FOREIGN_STORE_MESSAGE}{hint}", 0, 0)
            yield attempts


@contextmanager
def _report_refusals(workspace: Workspace) -> Iterator[None]:
    """Raise `ProblemsError` for what ended the work without being a mistake of cardgen."""
    try:
        yield
        return
    except PathBlockedError as error:
        problem = Problem(_locate_problem(workspace, error.path), error.what, "file")
    except FileChangedError as error:
        problem = Problem(Source(error.location), _CHANGING_FILE_MESSAGE, "file")
    except StaleBuildError as error:
        source = _locate_problem(workspace, Path(error.location))
        problem = Problem(source, _CORRUPT_FILE_MESSAGE, "disk")
    except PartialPublishError as error:
        source = _locate_problem(workspace, workspace.output_folder)
        message = f"some of its files are new and some old, because {error.__cause__}; build again"
        problem = Problem(source, message, PARTIAL_PUBLISH)
    except OSError as error:
        if error.errno not in work_limits.SYSTEM_REFUSALS:
            raise
        place = Path(error.filename2 or error.filename or workspace.output_folder)
        message = work_limits.SYSTEM_REFUSALS[error.errno]
        problem = Problem(_locate_problem(workspace, place), message, "disk")
    raise ProblemsError([problem])


def _report_wait(progress: Progress, folder: Path) -> None:
    progress(_WAITING_MESSAGE.format(folder.name), 0, 0)


def _locate_problem(workspace: Workspace, path: Path) -> Source:
    """Return a place in the build folder, without the names of scratch folders."""
    for base in (workspace.root, *workspace.locked_folders):
        if path.is_relative_to(base):
            parts = path.relative_to(base).parts
            shown = takewhile(lambda part: not part.startswith("."), parts)
            start = Path() if base == workspace.root else base
            return Source(start.joinpath(*shown).as_posix())
    return Source(str(path))


def clean(root: Path, progress: Progress = ignore_progress) -> int:
    """Remove the store and every file that builds recorded in build/, those of variants included.

    Return the number of files.
    """
    if not game_files.has_entry(root, BUILD_FOLDER):
        return 0
    folder = resolve_build_folder(root)
    with safe_files.hold_folders([folder], partial(_report_wait, progress)):
        Request(root).store.remove_all()
        removed = manifest.remove_published(folder)
        return removed + manifest.remove_published_below(folder, DRAFT_FOLDER)


def resolve_build_folder(root: Path) -> Path:
    """Return the build folder. Raise `PermissionError` where a link stands in its place."""
    try:
        return safe_files.ensure_folder(root, (BUILD_FOLDER,))
    except PathBlockedError as error:
        raise PermissionError(errno.EPERM, error.what, str(error.path)) from None
