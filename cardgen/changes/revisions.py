"""Earlier states of a game folder, out of the git repository that it lies in.

The repository may come with a stranger's game, and its configuration with it. So only plumbing is
called, with fixed arguments, without a shell: nothing that runs hooks, filters, pagers, signature
checks or helpers, and nothing that fetches. Contents come as raw objects and are written by us.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cardgen.base import filing, paths

MOST_FILES = 20_000
MOST_BYTES = 400_000_000
_SECONDS = 10
_TIME = re.compile(r"^committer .*> ([0-9]{1,18}) ([+-])([0-9]{2})([0-9]{2})$", re.MULTILINE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_SPAN = re.compile(r"(\.{2,3})")
_COMMIT = re.compile(r"[0-9a-f]{40,64}\Z")
# Keys of a configuration that name programs which git might run even when it only reads.
_CONFIG = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never")
CARDS = "game.yaml", "cards", "templates", "art", "fonts"
"""Where a game says what its cards are and how they look."""
WHOLE = (*CARDS, "table.yaml", "rulebook")
"""Where it says all that is held against rules and the table, too, and its rulebook."""


class NoRevision(Exception):  # noqa: N818 - it reads as what it says
    """That state cannot be had; the message says why."""


class NoGame(NoRevision):
    """That state is there, and no game in it, or none that can be read."""


@dataclass(frozen=True)
class Revision:
    """A commit, and where the game lies in its tree ("" or a folder that ends with `/`)."""

    root: Path
    prefix: str
    commit: str
    date: str

    def __str__(self) -> str:
        return f"{self.commit[:8]} ({self.date})"


@dataclass(frozen=True)
class _Blob:
    name: str
    object: str
    size: int


def find(root: Path, written: str) -> Revision:
    """The commit that is meant: a date (the last commit before that day) or what git knows."""
    prefix = _prefix(root)
    if _DATE.match(written):
        # Its own time of day would be filled in otherwise.
        before = f"--before={written} 00:00:00"
        commit = _git(root, "rev-list", "-1", before, "HEAD").decode().strip()
        if not commit:
            raise NoRevision(f"there is no commit before {written}")
    else:
        commit = _commit(root, written)
    return _dated(root, prefix, commit)


def _commit(root: Path, written: str) -> str:
    if not written or written.startswith("-"):
        raise NoRevision(f"'{written}' is no revision")
    try:
        found = _git(root, "rev-parse", "--verify", "--quiet", f"{written}^{{commit}}")
    except NoRevision:
        raise NoRevision(_unknown(root, written)) from None
    return found.decode().strip()


def _unknown(root: Path, written: str) -> str:
    """Why there is no such commit, and what to do."""
    try:
        _git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except NoRevision:
        return (
            "there is no commit here yet to compare with; make one: "
            "git add . && git commit -m 'First'"
        )
    message = f"'{written}' is no commit, branch or tag here, and no day such as 2026-11-20"
    if _git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return (
            f"{message}; this clone holds a part of the history, 'git fetch --unshallow' brings "
            "the rest (fetch-depth: 0 in a workflow)"
        )
    return message


def span(root: Path, words: Sequence[str]) -> tuple[Revision, Revision | None]:
    """What two states are meant, as git's own `diff` has it: nothing is HEAD, one state is compared
    with the files as they are (None), `A..B` is A and B, and `A...B` is B and where it left A."""
    if len(words) == 1 and ".." in words[0]:
        first, dots, second = _SPAN.split(words[0], maxsplit=1)
        old, new = find(root, first or "HEAD"), find(root, second or "HEAD")
        return (fork(old, new) if len(dots) == 3 else old), new
    old = find(root, words[0] if words else "HEAD")
    return old, find(root, words[1]) if len(words) > 1 else None


def fork(one: Revision, other: Revision) -> Revision:
    """The newest commit that is in the history of both. Raises `NoRevision`."""
    try:
        found = _git(one.root, "merge-base", one.commit, other.commit)
    except NoRevision:
        message = (
            f"{one} and {other} have no commit in common here; in a clone with a part of the "
            "history, fetch all of it (git fetch --unshallow; fetch-depth: 0 in a workflow)"
        )
        raise NoRevision(message) from None
    return _dated(one.root, one.prefix, found.decode().strip())


def walk(root: Path, most: int) -> Iterator[Revision]:
    """The commits that changed the game's cards or what was printed, the newest first."""
    prefix = _prefix(root)
    names = ("game.yaml", "cards", "printed.yaml")
    found = _git(root, "rev-list", f"--max-count={most}", "HEAD", "--", *names)
    for commit in found.decode().split():
        yield _dated(root, prefix, commit)


def _dated(root: Path, prefix: str, commit: str) -> Revision:
    if not _COMMIT.match(commit):
        raise NoRevision(f"'{commit}' is no commit")
    raw = _git(root, "cat-file", "commit", commit).decode(errors="replace")
    time = _TIME.search(raw)
    return Revision(root, prefix, commit, _day(time) if time else "an unknown day")


def _day(time: re.Match[str]) -> str:
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - seldom needed

    ahead = timedelta(hours=int(time[3]), minutes=int(time[4]))
    try:
        moment = datetime.fromtimestamp(int(time[1]), UTC)
        return (moment + (ahead if time[2] == "+" else -ahead)).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):  # beyond what a calendar holds
        return "an unknown day"


def read(revision: Revision, name: str) -> str | None:
    """One text file of the game as it was; None when it was not there, or is too large."""
    for blob in _blobs(revision, [name]):
        if blob.name == name and blob.size <= paths.MAX_TEXT_BYTES:
            for data in _contents(revision.root, [blob]):
                return data.decode(errors="replace")
    return None


def extract(
    revision: Revision,
    folder: Path,
    wanted: Callable[[str], bool] = lambda _name: True,
    names: Iterable[str] = CARDS,
) -> None:
    """Write those of the game's files and folders as they were into an empty folder; links are
    left out."""
    blobs = [blob for blob in _blobs(revision, names) if wanted(blob.name)]
    if len(blobs) > MOST_FILES or sum(blob.size for blob in blobs) > MOST_BYTES:
        raise NoRevision(f"the game at {revision} is too large to read")
    if not any(blob.name == "game.yaml" for blob in blobs):
        raise NoGame(f"there is no game.yaml in this folder at {revision}")
    for blob, data in zip(blobs, _contents(revision.root, blobs), strict=True):
        target = paths.inside(folder, blob.name)
        if target is not None and _is_plain(blob.name):
            filing.folder(folder, PurePosixPath(blob.name).parent.parts)
            filing.put(target, data)


@contextmanager
def extracted(revision: Revision, names: Iterable[str] = CARDS) -> Iterator[Path]:
    """A folder with those of the game's files as they were, as long as the block lasts; beside it
    there is room for more. Raises `NoRevision`."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as made:
        root = Path(made).resolve() / "game"
        root.mkdir()
        extract(revision, root, names=names)
        yield root


def _is_plain(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return "\\" not in name and not any(part.startswith(".git") or part == ".." for part in parts)


def _blobs(revision: Revision, names: Iterable[str]) -> Iterator[_Blob]:
    """Plain files of a tree: `mode type object size TAB path`, each ended by a zero."""
    wanted = [revision.prefix + name for name in names]
    listed = _git(
        revision.root, "ls-tree", "-r", "-l", "-z", "--full-tree", revision.commit, "--", *wanted
    )
    for line in listed.split(b"\0"):
        head, _, path = line.partition(b"\t")
        parts = head.split()
        if len(parts) == 4 and parts[0] in {b"100644", b"100755"} and b"/node_modules/" not in path:
            if not parts[3].isdigit():
                raise NoRevision(f"of {revision}, git lacks {os.fsdecode(path)!a}")
            name = path.decode(errors="surrogateescape").removeprefix(revision.prefix)
            yield _Blob(name, parts[2].decode(), int(parts[3]))


def _contents(root: Path, blobs: Iterable[_Blob]) -> Iterator[bytes]:
    blobs = list(blobs)
    asked = "".join(f"{blob.object}\n" for blob in blobs).encode()
    answer = memoryview(_git(root, "cat-file", "--batch", given=asked))
    at = 0
    for blob in blobs:
        # `object type size`, a line end, the bytes, a line end
        head, ended, _ = bytes(answer[at : at + 200]).partition(b"\n")
        if not ended or head.split()[1:] != [b"blob", str(blob.size).encode()]:
            raise NoRevision(f"git lacks {blob.name!a}, or what it has is damaged")
        at += len(head) + 1
        yield bytes(answer[at : at + blob.size])
        at += blob.size + 1


def _prefix(root: Path) -> str:
    try:
        return os.fsdecode(_git(root, "rev-parse", "--show-prefix")).rstrip("\n")
    except NoRevision as error:
        raise NoRevision(f"the game lies in no git repository that can be read: {error}") from None


def _git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """What git answers; refused or missing, it is a NoRevision."""
    program = shutil.which("git")
    if program is None:
        raise NoRevision("git is not installed, and earlier states are read with it")
    settings = [part for setting in _CONFIG for part in ("-c", setting)]
    # A repository or index that the caller's own git is busy with is not ours.
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {
        "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "",  # nothing is fetched, whatever the repository's settings say
    }  # fmt: skip
    command = [program, "--no-pager", "--literal-pathspecs", *settings, *arguments]
    try:
        done = subprocess.run(
            command, cwd=root, env=env, input=given, capture_output=True, check=False,
            timeout=_SECONDS,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, OSError, ValueError) as error:
        raise NoRevision(_unanswered(error)) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NoRevision(said[0] if said else "git knows nothing of it")
    return done.stdout


def _unanswered(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"git did not answer in {_SECONDS} s"
    return f"git did not answer: {error}"
