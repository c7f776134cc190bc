"""Work in a game's build folder: alone, from a game that holds still and a store that is sound.

What turns out otherwise is mended or read again, and the work gone over; what the machine refuses
is told as a problem.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import TypeVar

from cardgen.core import work_limits
from cardgen.core.problems import PARTIAL_PUBLISH, Problem, Source
from cardgen.game.variants import DRAFT_FOLDER
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.pipeline import publish
from cardgen.pipeline.publish import PartialPublishError
from cardgen.runtime import folder_lock, game_files, safe_files
from cardgen.runtime.content_store import DamagedEntryError, Store, read_entry
from cardgen.runtime.game_files import FileChangedError, StaleBuildError
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.runtime.scale.shared_store import SharedStore

BUILD_FOLDER, STORE_FOLDER = "build", ".store"
_MAX_RETRIES = 3
"""So often the work is gone over again."""
_WAITING_MESSAGE = "another cardgen is at work in {}; waiting for it"
_FOREIGN_STORE_MESSAGE = (
    "what build/.store holds is not known to be made here; it is forgotten once, so that nothing "
    "foreign is sent to the shared store"
)
_CHANGING_FILE_MESSAGE = (
    "it changes again and again while the game is built; run the command once nothing writes there"
)
_CORRUPT_FILE_MESSAGE = "what is read there is not what was written; is the disk sound?"
T = TypeVar("T")


@dataclass(frozen=True)
class Workspace:
    """Where work is done: the game, another folder than its own for what is made, if any, and the
    folder in its own that drafts or a variant have. `fresh` forgets what was made before,
    `shared` is the store that other machines share, and `foreign` says that work is done with what
    others have made and nobody has signed."""

    root: Path
    output_folder: Path | None = None
    fresh: bool = False
    subfolder: str = ""
    shared_store: SharedStore | None = None
    foreign: bool = False

    @property
    def locked_folders(self) -> list[Path]:
        """Those that it must have for itself; what is made comes into the last."""
        own = self.root / BUILD_FOLDER
        return list(dict.fromkeys([own, self.output_folder or own / self.subfolder]))


def run_locked(
    desk: Workspace, progress: Progress, work: Callable[[bool], T], failed: Callable[[Problem], T]
) -> T:
    """Do the work, which is told whether the game is to be read again."""
    try:
        safe_files.ensure_folder(desk.root, (BUILD_FOLDER, *PurePosixPath(desk.subfolder).parts))
        desk.locked_folders[-1].mkdir(parents=True, exist_ok=True)
        store = Store(desk.root / BUILD_FOLDER / STORE_FOLDER)
        with folder_lock.hold_folders(
            desk.locked_folders, lambda folder: _report_wait(folder, progress)
        ) as certain:
            if certain:
                store.remove_leftovers()
                for folder in desk.locked_folders:
                    publish.remove_scratch(folder)
            if desk.fresh:
                store.remove_all()
            if desk.foreign:
                _disclaim_store(store)
            elif desk.shared_store is not None and desk.shared_store.writes:
                _claim_store(store, desk.shared_store, progress)
            return _retry_work(store, progress, work)
    except PathBlockedError as error:
        return failed(Problem(_locate_problem(desk, error.path), error.what, "file"))
    except FileChangedError as error:
        return failed(Problem(Source(error.location), _CHANGING_FILE_MESSAGE, "file"))
    except StaleBuildError as error:
        return failed(
            Problem(_locate_problem(desk, Path(error.location)), _CORRUPT_FILE_MESSAGE, "disk")
        )
    except PartialPublishError as torn:
        message = f"some of its files are new and some old, for {torn.__cause__}; build again"
        return failed(
            Problem(_locate_problem(desk, desk.locked_folders[-1]), message, PARTIAL_PUBLISH)
        )
    except OSError as error:
        if error.errno not in work_limits.SYSTEM_REFUSALS:
            raise
        place = Path(error.filename2 or error.filename or desk.locked_folders[-1])
        return failed(
            Problem(_locate_problem(desk, place), work_limits.SYSTEM_REFUSALS[error.errno], "disk")
        )


def _retry_work(store: Store, progress: Progress, work: Callable[[bool], T]) -> T:
    again = False
    for _ in range(_MAX_RETRIES):
        try:
            return work(again)
        except DamagedEntryError as error:
            store.remove_damaged(Path(error.location))
        except FileChangedError as error:
            progress(f"{error.location} changed meanwhile; going over the game again", 0, 0)
            again = True
    return work(again)


def _claim_store(store: Store, shared: SharedStore, progress: Progress) -> None:
    """Forget what lies in a store that nobody with the key has begun, on this machine and at this
    place. What is made is made from it, and then sent to others: a game may come with a store."""
    path = _get_owner_path(store)
    folder = store.make_scratch_folder().parent
    with suppress(DamagedEntryError):
        if read_entry(path) == shared.sign_folder(folder):
            return
    if store.list_kinds() - {"owner", "cluster"}:
        progress(_FOREIGN_STORE_MESSAGE, 0, 0)
        store.remove_all()
    store.write(path, shared.sign_folder(store.make_scratch_folder().parent))


def _disclaim_store(store: Store) -> None:
    """Have the store count as nobody's from now on: what is nobody's word comes into it."""
    if any(store.list_names("owner")):
        store.write(_get_owner_path(store), b"")


def _get_owner_path(store: Store) -> Path:
    return store.get_path("owner", "mark")


def _report_wait(folder: Path, progress: Progress) -> None:
    progress(_WAITING_MESSAGE.format(folder.name), 0, 0)


def _locate_problem(desk: Workspace, path: Path) -> Source:
    """A place in the build folder; what is in the making has none of its own."""
    for base in (desk.root, *desk.locked_folders):
        if path.is_relative_to(base):
            parts = path.relative_to(base).parts
            shown = takewhile(lambda part: not part.startswith("."), parts)
            start = Path() if base == desk.root else base
            return Source(start.joinpath(*shown).as_posix())
    return Source(str(path))


def clean(root: Path, progress: Progress = ignore_progress) -> int:
    """Remove every file that builds into build/ recorded, those of variants too, and the store; how
    many files it were."""
    if not game_files.has_entry(root, BUILD_FOLDER):
        return 0
    folder = resolve_build_folder(root)
    with folder_lock.hold_folders([folder], lambda held: _report_wait(held, progress)):
        Store(folder / STORE_FOLDER).remove_all()
        return publish.remove_published(folder) + publish.remove_published_below(
            folder, DRAFT_FOLDER
        )


def resolve_build_folder(root: Path) -> Path:
    """The build folder. Raises PermissionError when a link stands in its place."""
    try:
        return safe_files.ensure_folder(root, (BUILD_FOLDER,))
    except PathBlockedError as error:
        raise PermissionError(errno.EPERM, error.what, str(error.path)) from None
