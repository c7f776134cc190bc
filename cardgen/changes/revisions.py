"""Earlier states of a game's folder, read from its git repository.

The repository and its configuration may come from a stranger. So only git's plumbing commands are
called, with fixed arguments and without a shell: none that runs hooks, filters, pagers, signature
checks or helpers, and none that fetches. Files are read as raw objects and written by cardgen.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cardgen.runtime import fingerprint, game_files, processes, safe_files

MAX_REVISION_FILES = 20_000
MAX_REVISION_BYTES = 400_000_000
GIT_TIMEOUT_SECONDS = 10
COMMIT_TIME_PATTERN = re.compile(
    r"^committer .*> ([0-9]{1,18}) ([+-])([0-9]{2})([0-9]{2})$", re.MULTILINE
)
DATE_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
RANGE_PATTERN = re.compile(r"(\.{2,3})")
_WORKTREE_PATTERN = re.compile(r"^\s*worktree\s*=\s*(.+?)\s*$", re.MULTILINE)
_LEADS_ELSEWHERE = "leads to another one, which is not read"
_ALTERNATES = "objects/info/alternates"
_GIT_PATHS = "HEAD", "config", "packed-refs", "refs", "refs/heads", "objects", _ALTERNATES
_MAX_QUOTED_CHARS = 60
COMMIT_PATTERN = re.compile(r"[0-9a-f]{40,64}\Z")
# Configuration keys that make git run programs even when it only reads.
SAFE_GIT_CONFIG = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never",
    "safe.bareRepository=explicit",  # only a repository that was checked
)  # fmt: skip
CARD_PATHS = "game.yaml", "cards", "templates", "art", "fonts"
"""Files and folders that define the cards and their looks."""
GAME_PATHS = (*CARD_PATHS, "table.yaml", "rulebook")
"""All files and folders of a game, the table and the rulebook included."""


class RevisionError(Exception):
    """The state cannot be read; the message says why."""


class NoGameAtRevisionError(RevisionError):
    """The state exists but contains no readable game."""


@dataclass(frozen=True)
class Revision:
    """A commit, and the game's folder in its tree ("" or a path that ends with `/`)."""

    root: Path
    prefix: str
    commit: str
    date: str

    def __str__(self) -> str:
        return f"{self.commit[:8]} ({self.date})"


@dataclass(frozen=True)
class GitBlob:
    """A file in the tree of a commit."""

    name: str
    object: str
    size: int


def find_revision(root: Path, written: str) -> Revision:
    """Return the commit of a revision, or the last one before a date."""
    prefix = _find_prefix(root)
    if DATE_PATTERN.match(written):
        # Without a time git would fill in the current time of day.
        before = f"--before={written} 00:00:00"
        commit = _run_git(root, "rev-list", "-1", before, "HEAD").decode().strip()
        if not commit:
            raise RevisionError(f"there is no commit before {written}")
    else:
        commit = _resolve_commit(root, written)
    return make_revision(root, prefix, commit)


def _resolve_commit(root: Path, written: str) -> str:
    if not written or written.startswith("-"):
        raise RevisionError(f"'{written}' is not a revision")
    try:
        found = _run_git(root, "rev-parse", "--verify", "--quiet", f"{written}^{{commit}}")
    except RevisionError:
        raise RevisionError(_explain_unknown(root, written)) from None
    return found.decode().strip()


def _explain_unknown(root: Path, written: str) -> str:
    """Explain why a commit does not exist, and what to do."""
    try:
        _run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except RevisionError:
        make_one = "git add . && git commit -m 'First'"
        return f"there is no commit here yet to compare with; make one: {make_one}"
    message = f"'{written}' is no commit, branch or tag here, and no day such as 2026-11-20"
    if _run_git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return (
            f"{message}; this clone holds only a part of the history; run "
            "'git fetch --unshallow' (in a workflow, set fetch-depth: 0)"
        )
    return message


def parse_range(root: Path, words: Sequence[str]) -> tuple[Revision, Revision | None]:
    """Return the two states to compare, None for the working files, as `git diff` does.

    No word means HEAD and the working files; one word means that state and the working files.
    `A..B` means A and B, and `A...B` the merge base of both and B.
    """
    if len(words) == 1 and ".." in words[0]:
        first, dots, second = RANGE_PATTERN.split(words[0], maxsplit=1)
        old, new = find_revision(root, first or "HEAD"), find_revision(root, second or "HEAD")
        return (find_merge_base(old, new) if len(dots) == 3 else old), new
    old = find_revision(root, words[0] if words else "HEAD")
    return old, find_revision(root, words[1]) if len(words) > 1 else None


def find_merge_base(one: Revision, other: Revision) -> Revision:
    """Return the merge base of two commits."""
    try:
        found = _run_git(one.root, "merge-base", one.commit, other.commit)
    except RevisionError:
        message = (
            f"{one} and {other} have no commit in common here; if this clone holds only a part of "
            "the history, run 'git fetch --unshallow' (in a workflow, set fetch-depth: 0)"
        )
        raise RevisionError(message) from None
    return make_revision(one.root, one.prefix, found.decode().strip())


def list_revisions(root: Path, most: int) -> Iterator[Revision]:
    """Yield the newest `most` commits that changed cards or printed.yaml, the newest first."""
    prefix, commits = list_commits(root, most)
    for commit in commits:
        yield make_revision(root, prefix, commit)


def list_commits(root: Path, most: int) -> tuple[str, list[str]]:
    """Return the prefix of the game's folder in its repository, and the ids of these commits."""
    prefix = _find_prefix(root)
    names = ("game.yaml", "cards", "printed.yaml")
    found = _run_git(root, "rev-list", f"--max-count={most}", "HEAD", "--", *names)
    return prefix, found.decode().split()


def list_state_files(root: Path) -> list[Path]:
    """Return the files that change, come or go where the commit of HEAD becomes another one.

    There are none where git does not know the commit.
    """
    asked = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    try:
        top, own, common = _run_git(root, "rev-parse", *asked).decode().splitlines()
        head = _run_git(root, "rev-parse", "--symbolic-full-name", "HEAD").decode().strip()
        depth = len(root.relative_to(top).parts)
    except (RevisionError, ValueError):
        return []
    nearer = [folder / ".git" for folder in (root, *root.parents)[:depth]]
    if Path(own) != Path(top, ".git"):
        nearer.append(Path(top, ".git"))  # a file that names a folder elsewhere
    shared = (head, "config", "packed-refs", "reftable/tables.list", "shallow", "info/grafts")
    private = [Path(own, name) for name in ("HEAD", "commondir")]
    return [*nearer, *private, *(root / common / name for name in shared)]


def make_revision(root: Path, prefix: str, commit: str) -> Revision:
    if not COMMIT_PATTERN.match(commit):
        raise RevisionError(f"'{commit}' is not a commit")
    raw = _run_git(root, "cat-file", "commit", commit).decode(errors="replace")
    time = COMMIT_TIME_PATTERN.search(raw)
    return Revision(root, prefix, commit, _format_day(time) if time else "an unknown day")


def _format_day(time: re.Match[str]) -> str:
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - seldom needed

    ahead = timedelta(hours=int(time[3]), minutes=int(time[4]))
    try:
        moment = datetime.fromtimestamp(int(time[1]), UTC)
        return (moment + (ahead if time[2] == "+" else -ahead)).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):  # beyond what a calendar holds
        return "an unknown day"


def read_revision_file(revision: Revision, name: str) -> str | None:
    """Return a text file at a revision; None when it did not exist or is too large."""
    for blob in _list_blobs(revision, [name]):
        if blob.name == name and blob.size <= game_files.MAX_TEXT_BYTES:
            for data in _read_blobs(revision.root, [blob]):
                return data.decode(errors="replace")
    return None


@contextmanager
def open_revision(revision: Revision, names: Iterable[str] = CARD_PATHS) -> Iterator[Path]:
    """Yield a temporary folder with the named files and folders of a revision, without links. It is
    inside another temporary folder that callers may use. Raises `RevisionError`."""
    blobs = list(_list_blobs(revision, names))
    if len(blobs) > MAX_REVISION_FILES or sum(blob.size for blob in blobs) > MAX_REVISION_BYTES:
        raise RevisionError(f"the game at {revision} is too large to read")
    if not any(blob.name == "game.yaml" for blob in blobs):
        raise NoGameAtRevisionError(f"there is no game.yaml in this folder at {revision}")
    with tempfile.TemporaryDirectory(prefix="cardgen-") as made:
        root = Path(made).resolve() / "game"
        root.mkdir()
        for blob, data in zip(blobs, _read_blobs(revision.root, blobs), strict=True):
            try:
                _write_blob(root, blob.name, data)
            except (OSError, RecursionError, safe_files.PathBlockedError):
                name = blob.name[:_MAX_QUOTED_CHARS]
                raise RevisionError(f"{name!a} at {revision} cannot be written as a file") from None
        yield root


def _write_blob(root: Path, name: str, data: bytes) -> None:
    target = game_files.locate_inside(root, name)
    if target is not None and _is_safe_name(name):
        safe_files.ensure_folder(root, PurePosixPath(name).parent.parts)
        safe_files.replace_file(target, data)


def _is_safe_name(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return "\\" not in name and not any(part.startswith(".git") or part == ".." for part in parts)


def _list_blobs(revision: Revision, names: Iterable[str]) -> Iterator[GitBlob]:
    """Yield the plain files of a tree, without links."""
    wanted = [revision.prefix + name for name in names]
    options = ("-r", "-l", "-z", "--full-tree")
    listed = _run_git(revision.root, "ls-tree", *options, revision.commit, "--", *wanted)
    # `mode type object size TAB path NUL`, see git-ls-tree(1)
    for line in listed.split(b"\0"):
        head, _, path = line.partition(b"\t")
        parts = head.split()
        if len(parts) == 4 and parts[0] in {b"100644", b"100755"} and b"/node_modules/" not in path:
            if not parts[3].isdigit():
                raise RevisionError(f"git lacks {os.fsdecode(path)!a} at {revision}")
            name = path.decode(errors="surrogateescape").removeprefix(revision.prefix)
            yield GitBlob(name, parts[2].decode(), int(parts[3]))


def _read_blobs(root: Path, blobs: Iterable[GitBlob]) -> Iterator[bytes]:
    blobs = list(blobs)
    request = "".join(f"{blob.object}\n" for blob in blobs).encode()
    answer = memoryview(_run_git(root, "cat-file", "--batch", given=request))
    at = 0
    for blob in blobs:
        # `object type size LF contents LF`, see git-cat-file(1)
        head, ended, _ = bytes(answer[at : at + 200]).partition(b"\n")
        if not ended or head.split()[1:] != [b"blob", str(blob.size).encode()]:
            raise RevisionError(f"git lacks {blob.name!a}, or what it has is damaged")
        at += len(head) + 1
        yield bytes(answer[at : at + blob.size])
        at += blob.size + 1


def _check_repository(root: Path) -> None:
    """Raise `RevisionError` where the game's repository leads to another one, which a stranger may
    have written: a `.git` file or a worktree that its target does not know, links, or objects that
    lie elsewhere."""
    folder = next((f for f in (root, *root.parents) if game_files.has_entry(f, ".git")), None)
    if folder is None:
        return  # git says so
    try:
        own = folder / ".git"
        if not fingerprint.is_plain_folder(own):
            own = _follow_git_file(own)
        common = own
        if game_files.has_entry(own, "commondir"):
            text, _ = game_files.read_text(own, "commondir")
            common = _resolve(own / text.strip())
            if _resolve(own).parent != common / "worktrees":
                raise RevisionError(f"the repository {_LEADS_ELSEWHERE}: .git/commondir")
        found = _find_link(own, common)
    except (OSError, ValueError):
        found = ".git"  # no file system has what it names
    if found:
        raise RevisionError(f"the repository {_LEADS_ELSEWHERE}: {found}")


def _follow_git_file(file: Path) -> Path:
    """Return the folder that a `.git` file names. Raises `RevisionError` where it does not know
    the file, as a worktree and a submodule do."""
    text, _ = game_files.read_text(file.parent, file.name)
    target = file.parent / text.removeprefix("gitdir:").strip()
    back, _ = game_files.read_text(target, "gitdir")
    config, _ = game_files.read_text(target, "config")
    worktree = _WORKTREE_PATTERN.search(config)
    known = [target / back.strip()] if back.strip() else []
    known += [target / worktree[1].strip('"') / ".git"] if worktree else []
    if file.is_symlink() or not any(_resolve(each) == _resolve(file) for each in known):
        raise RevisionError(f"the repository {_LEADS_ELSEWHERE}: .git")
    return target


def _find_link(own: Path, common: Path) -> str:
    """Return the path of what leads out of a repository, "" for nothing."""
    objects = common / "objects"
    paths = [own / "HEAD", *(common / name for name in _GIT_PATHS)]
    paths += [*sorted(objects.iterdir()), *(objects / "pack").glob("*.pack")]
    found = next((path for path in paths if path.is_symlink()), None)
    if found is None and game_files.has_entry(common, _ALTERNATES):
        found = common / _ALTERNATES
    return "" if found is None else f".git/{found.relative_to(common)}"


def _resolve(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _find_prefix(root: Path) -> str:
    try:
        return os.fsdecode(_run_git(root, "rev-parse", "--show-prefix")).rstrip("\n")
    except RevisionError as error:
        why = f"readable git repository: {error}"
        if str(error).startswith(("fatal: not a git repository", "fatal: cannot use bare")):
            why = "git repository; begin one with 'git init', and commit the game"
        raise RevisionError(f"the game is not in a {why}") from None


def _run_git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Run git and return its output; every failure is a `RevisionError`."""
    program = processes.find_program("git", root)
    if program is None:
        raise RevisionError("git is not installed; it is needed to read earlier states")
    _check_repository(root)
    settings = [part for setting in SAFE_GIT_CONFIG for part in ("-c", setting)]
    # The caller's git may point to another repository or index.
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {
        "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "",  # never fetch, whatever the repository's configuration says
    }  # fmt: skip
    command = [program, "--no-pager", "--literal-pathspecs", *settings, *arguments]
    try:
        done = subprocess.run(
            command, cwd=root, env=env, input=given, capture_output=True, check=False,
            timeout=GIT_TIMEOUT_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RevisionError(f"git did not answer in {GIT_TIMEOUT_SECONDS} s") from None
    except (OSError, ValueError) as error:
        raise RevisionError(f"git did not answer: {error}") from None
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip().splitlines()
        raise RevisionError(messages[0] if messages else "git does not know it")
    return done.stdout
