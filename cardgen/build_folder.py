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

from cardgen import publishing
from cardgen.base import filing, folder_lock, paths
from cardgen.base.filing import Blocked
from cardgen.base.paths import Anew, Changed
from cardgen.base.problems import TORN, Problem, Source
from cardgen.base.shared_store import Shared
from cardgen.base.store import Damaged, Store, read
from cardgen.game.variants import DRAFT
from cardgen.outputs.contract import Progress, quiet
from cardgen.publishing import Torn

BUILD, STORE = "build", ".store"
_ROUNDS = 3
"""So often the work is gone over again."""
_WAITING = "another cardgen is at work in {}; waiting for it"
_FOREIGN = (
    "what build/.store holds is not known to be made here; it is forgotten once, so that nothing "
    "foreign is sent to the shared store"
)
_RESTLESS = (
    "it changes again and again while the game is built; run the command once nothing writes there"
)
_UNSOUND = "what is read there is not what was written; is the disk sound?"
T = TypeVar("T")


@dataclass(frozen=True)
class Desk:
    """Where work is done: the game, another folder than its own for what is made, if any, and the
    folder in its own that drafts or a variant have. `fresh` forgets what was made before,
    `shared` is the store that other machines share, and `foreign` says that work is done with what
    others have made and nobody has signed."""

    root: Path
    out: Path | None = None
    fresh: bool = False
    within: str = ""
    shared: Shared | None = None
    foreign: bool = False

    @property
    def folders(self) -> list[Path]:
        """Those that it must have for itself; what is made comes into the last."""
        own = self.root / BUILD
        return list(dict.fromkeys([own, self.out or own / self.within]))


def steadily(
    desk: Desk, progress: Progress, work: Callable[[bool], T], failed: Callable[[Problem], T]
) -> T:
    """Do the work, which is told whether the game is to be read again."""
    try:
        filing.folder(desk.root, (BUILD, *PurePosixPath(desk.within).parts))
        desk.folders[-1].mkdir(parents=True, exist_ok=True)
        store = Store(desk.root / BUILD / STORE)
        with folder_lock.held(desk.folders, lambda folder: _wait(folder, progress)) as certain:
            if certain:
                store.tidy()
                for folder in desk.folders:
                    publishing.tidy(folder)
            if desk.fresh:
                store.clear()
            if desk.foreign:
                _disclaim(store)
            elif desk.shared is not None and desk.shared.writes:
                _claim(store, desk.shared, progress)
            return _over_again(store, progress, work)
    except Blocked as error:
        return failed(Problem(_source(desk, error.path), error.what, "file"))
    except Changed as error:
        return failed(Problem(Source(error.place), _RESTLESS, "file"))
    except Anew as error:
        return failed(Problem(_source(desk, Path(error.place)), _UNSOUND, "disk"))
    except Torn as torn:
        message = f"some of its files are new and some old, for {torn.__cause__}; build again"
        return failed(Problem(_source(desk, desk.folders[-1]), message, TORN))
    except OSError as error:
        if error.errno not in filing.REFUSED:
            raise
        place = Path(error.filename2 or error.filename or desk.folders[-1])
        return failed(Problem(_source(desk, place), filing.REFUSED[error.errno], "disk"))


def _over_again(store: Store, progress: Progress, work: Callable[[bool], T]) -> T:
    again = False
    for _ in range(_ROUNDS):
        try:
            return work(again)
        except Damaged as error:
            store.mend(Path(error.place))
        except Changed as error:
            progress(f"{error.place} changed meanwhile; going over the game again", 0, 0)
            again = True
    return work(again)


def _claim(store: Store, shared: Shared, progress: Progress) -> None:
    """Forget what lies in a store that nobody with the key has begun, on this machine and at this
    place. What is made is made from it, and then sent to others: a game may come with a store."""
    path = _mark(store)
    folder = store.scratch().parent
    with suppress(Damaged):
        if read(path) == shared.mark(folder):
            return
    if store.kinds() - {"owner", "cluster"}:
        progress(_FOREIGN, 0, 0)
        store.clear()
    store.write(path, shared.mark(store.scratch().parent))


def _disclaim(store: Store) -> None:
    """Have the store count as nobody's from now on: what is nobody's word comes into it."""
    if any(store.names("owner")):
        store.write(_mark(store), b"")


def _mark(store: Store) -> Path:
    return store.path("owner", "mark")


def _wait(folder: Path, progress: Progress) -> None:
    progress(_WAITING.format(folder.name), 0, 0)


def _source(desk: Desk, path: Path) -> Source:
    """A place in the build folder; what is in the making has none of its own."""
    for base in (desk.root, *desk.folders):
        if path.is_relative_to(base):
            parts = path.relative_to(base).parts
            shown = takewhile(lambda part: not part.startswith("."), parts)
            start = Path() if base == desk.root else base
            return Source(start.joinpath(*shown).as_posix())
    return Source(str(path))


def clean(root: Path, progress: Progress = quiet) -> int:
    """Remove every file that builds into build/ recorded, those of variants too, and the store; how
    many files it were."""
    if not paths.there(root, BUILD):
        return 0
    folder = straight(root)
    with folder_lock.held([folder], lambda held: _wait(held, progress)):
        Store(folder / STORE).clear()
        return publishing.clean(folder) + publishing.clean_within(folder, DRAFT)


def straight(root: Path) -> Path:
    """The build folder. Raises PermissionError when a link stands in its place."""
    try:
        return filing.folder(root, (BUILD,))
    except Blocked as error:
        raise PermissionError(errno.EPERM, error.what, str(error.path)) from None
