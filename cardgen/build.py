"""The pipeline, from a folder to files: load, check, typeset, make, publish.

The only writer of files beside the store. Everything is made before anything is published, and
each file takes its place by a rename: a failed or killed build leaves the last good output whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen import faces, fontfiles, paths, project, rules, texts
from cardgen.artefacts import Artefact, Job, Options, quiet
from cardgen.book import kept
from cardgen.book.book import Books
from cardgen.book.manuscript import FOLDER as BOOKS
from cardgen.cores import spread
from cardgen.decks import UNREAD
from cardgen.faces import Face, Faces
from cardgen.fonts import FILE as FONTS
from cardgen.model import Deck, Game
from cardgen.outputs import LAST, OUTPUTS, STANDARD
from cardgen.printing import Layout
from cardgen.problems import Problem, Source, has_errors, ordered
from cardgen.store import Store
from cardgen.tabletop import proof, setup
from cardgen.tabletop.checker import Checked, Finding
from cardgen.templates import DRAWN
from cardgen.units import PAPERS, Size

# Up to so many batches are made in this process: starting helpers costs more.
_ALONE = 4
MANIFEST = ".cardgen.json"
STORE = ".store"
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


@dataclass(frozen=True)
class Request:
    """What is asked of a build. Empty decks or languages mean all of the game's."""

    root: Path
    outputs: tuple[str, ...] = STANDARD
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    options: Options | None = None
    fresh: bool = False
    folder: Path | None = None
    loaded: tuple[Game | None, tuple[Problem, ...]] | None = None
    """The game, when whoever asks has read it already; it is not read twice."""


@dataclass
class Report:
    """What a build did. `made` and `kept` are paths below `folder`."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    game: Game | None = None
    faces: int = 0
    typeset: int = 0
    made: list[Artefact] = field(default_factory=list)
    kept: list[Artefact] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def paths(self) -> list[str]:
        """Every file that is there, made or kept."""
        return sorted(artefact.path for artefact in (*self.made, *self.kept))

    @property
    def failed(self) -> bool:
        return has_errors(self.problems)


def check(
    request: Request, progress: Progress = quiet
) -> tuple[Game | None, Faces | None, list[Problem]]:
    """Everything that is wrong with a game, its layout included; that of its books is not set."""
    game, faces, _, problems = _examined(request, progress)
    return game, faces, problems


def _examined(
    request: Request, progress: Progress
) -> tuple[Game | None, Faces | None, Books, list[Problem]]:
    game, found = request.loaded or project.load(request.root)
    problems = list(found)
    if game is None:
        return None, None, Books(), ordered(problems)
    if paths.inside(request.root, f"build/{STORE}") is None:
        message = "the folder is a link that leads out of the game; remove it"
        return game, None, Books(), ordered([*problems, Problem(Source("build"), message, "file")])
    store = _store(request)
    if request.fresh:
        store.clear()
    problems += texts.icon_problems(game)
    fonts, font_problems = fontfiles.prepare(game, store)
    problems += font_problems
    result = faces.order(game, fonts, game.decks, game.languages, store)
    if not any(problem.kind in UNREAD for problem in problems):
        problems += rules.check(game, result.backs)
        problems += setup.things(game)[1]
    books = Books()
    if (request.root / BOOKS).is_dir():
        glyphs = fontfiles.glyphs(fonts, store)
        books = kept.books_of(game, game.languages, glyphs, store, faces.engine_digest())
    problems += books.problems
    in_use = _in_use(result)
    result.faces = _wanted(game, result, books, request)
    # Without its fonts every text would be reported once more as a missing glyph.
    if not fonts.cuts and not any(problem.kind == "font" for problem in problems):
        message = "the game has no font; text cannot be set without one"
        problems.append(Problem(Source(FONTS), message, "font"))
    if not any(problem.kind == "font" for problem in problems):
        faces.make(game, result, store, lambda done, total: progress("typesetting", done, total))
        if result.typeset:
            _sweep(store, in_use)
    return game, result, books, ordered(problems + result.problems)


def build(request: Request, progress: Progress = quiet) -> Report:
    """Check a game and make what is asked; nothing is published when anything is wrong."""
    started = time.perf_counter()
    report = Report(request.folder or request.root / "build")
    game, result, books, report.problems = _examined(request, progress)
    report.game = game
    if game is not None and result is not None and not report.failed:
        report.faces, report.typeset = len(result.faces), result.typeset
        _make_outputs(game, (result, books), request, report, progress)
    report.seconds = time.perf_counter() - started
    return report


def prove(
    request: Request, save: Checked, progress: Progress = quiet
) -> tuple[list[Finding], list[Problem]]:
    """Hold a save's cards against the game they come from: every face, and how many there are."""
    request = replace(request, languages=proof.languages(save))
    game, result, problems = check(request, progress)
    if game is None or result is None or has_errors(problems):
        return [], problems
    options = Options(Layout("a4", Size(*PAPERS["a4"])), 300, bleed=False, rounded=False)
    job = Job(game, game.decks, game.languages, result, Books(), _store(request), options)
    return proof.prove(job, save, progress), problems


def _make_outputs(
    game: Game, made: tuple[Faces, Books], request: Request, report: Report, progress: Progress
) -> None:
    decks, languages = _chosen(game, request)
    options = request.options
    assert options is not None
    store = _store(request)
    job = Job(game, decks, languages, *made, store, options, report.folder, progress)
    for names in (
        tuple(name for name in request.outputs if name not in LAST),
        tuple(name for name in request.outputs if name in LAST),
    ):
        planned: dict[str, list[Artefact]] = {}
        for name in names:
            planned[name], problems = OUTPUTS[name].plan(job)
            report.problems = ordered([*report.problems, *problems])
        if report.failed:
            return
        if planned:
            _make_planned(planned, request, report, progress)


def _make_planned(
    planned: Mapping[str, list[Artefact]], request: Request, report: Report, progress: Progress
) -> None:
    # --fresh forgets what stood there before this build, not what it has just made.
    manifest = _manifest(report.folder)
    if request.fresh:
        manifest = {
            path: entry for path, entry in manifest.items() if entry["output"] not in planned
        }
    stale = {
        name: [a for a in artefacts if not _is_current(a, manifest, report.folder)]
        for name, artefacts in planned.items()
    }
    with tempfile.TemporaryDirectory(prefix=".making-", dir=_made(report.folder)) as scratch:
        ready = _make(stale, Path(scratch), progress)
        _publish(planned, ready, request, report, manifest)


def _chosen(game: Game, request: Request) -> tuple[tuple[Deck, ...], tuple[str, ...]]:
    decks = tuple(d for d in game.decks if not request.decks or d.id in request.decks)
    languages = tuple(
        language
        for language in game.languages
        if not request.languages or language in request.languages
    )
    return decks, languages


def _wanted(game: Game, result: Faces, books: Books, request: Request) -> list[Face]:
    """The faces of the decks asked for, and those that books show, as the outputs need them."""
    decks, languages = _chosen(game, request)
    outputs = [OUTPUTS[name] for name in request.outputs]
    of_decks = {deck.id for deck in decks} if any(o.OF_DECKS for o in outputs) else set()
    shown: set[tuple[str, str, str, str]] = set()
    if not all(output.OF_DECKS for output in outputs):
        shown = {
            (made.language, face.deck, face.piece, face.side)
            for made in books.books
            for face in made.faces
        }
    return [
        face
        for face in result.faces
        if face.language in languages
        and (
            face.deck.id in of_decks
            or (face.language, face.deck.id, face.piece.id, face.side) in shown
        )
    ]


def _store(request: Request) -> Store:
    return Store(request.root / "build" / STORE)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _in_use(result: Faces) -> dict[str, set[str]]:
    """What the store holds of the game as it is now, by kind."""
    return {
        "faces": {f"{face.key}.{end}" for face in result.faces for end in ("pdf", "json")},
        "rendered": result.rendered,
        "drawn": {
            a.path.name for face in result.faces for a in face.art if a.name.startswith(DRAWN)
        },
        "art": {f"{art.digest}.pdf" for face in result.faces for art in face.art},
        "fonts": {f"{cut.digest}.{end}" for cut in result.fonts.cuts for end in ("ttf", "json")},
    }


def _sweep(store: Store, in_use: Mapping[str, set[str]]) -> None:
    """Forget what is old once it is far more than what is in use."""
    for kind, names in in_use.items():
        store.sweep(kind, names, 3 * len(names) + (40 if kind == "fonts" else 400))


def _manifest(folder: Path) -> dict[str, Any]:
    found = Store(folder).read_json(folder / MANIFEST)
    return found if isinstance(found, dict) else {}


def _is_current(artefact: Artefact, manifest: Mapping[str, Any], folder: Path) -> bool:
    entry = manifest.get(artefact.path)
    return bool(entry and entry["key"] == artefact.key and (folder / artefact.path).is_file())


def _make(
    stale: Mapping[str, list[Artefact]], scratch: Path, progress: Progress
) -> dict[str, Path]:
    """Make every stale artefact, equal keys once; key → file in `scratch`."""
    batches: list[tuple[str, list[Artefact]]] = []
    for name, artefacts in stale.items():
        distinct = list({artefact.key: artefact for artefact in artefacts}.values())
        size = OUTPUTS[name].BATCH
        batches += [(name, distinct[i : i + size]) for i in range(0, len(distinct), size)]
    ready: dict[str, Path] = {}
    for done, ((_, artefacts), made) in enumerate(
        zip(batches, _run(batches), strict=True), start=1
    ):
        for artefact, data in zip(artefacts, made, strict=True):
            path = scratch / artefact.key
            path.write_bytes(data)
            ready[artefact.key] = path
        progress("making files", done, len(batches))
    return ready


def _run(batches: list[tuple[str, list[Artefact]]]) -> Iterator[list[bytes]]:
    calls = [(name, [artefact.recipe for artefact in group]) for name, group in batches]
    yield from spread(_call, calls, alone=len(calls) <= _ALONE)


def _call(call: tuple[str, list[Any]]) -> list[bytes]:
    name, recipes = call
    made: list[bytes] = OUTPUTS[name].make(recipes)
    return made


def _publish(
    planned: Mapping[str, list[Artefact]],
    ready: Mapping[str, Path],
    request: Request,
    report: Report,
    manifest: dict[str, Any],
) -> None:
    for name, artefacts in planned.items():
        for artefact in artefacts:
            target = report.folder / artefact.path
            if artefact.key in ready and not _is_current(artefact, manifest, report.folder):
                _put(ready[artefact.key], target, report.folder)
                report.made.append(artefact)
            else:
                report.kept.append(artefact)
            manifest[artefact.path] = {
                "key": artefact.key, "output": name, "language": artefact.language,
            }  # fmt: skip
    superseded = sorted(_superseded(planned, request, manifest))
    report.removed += superseded
    for path in superseded:
        _remove(report.folder, path)
        del manifest[path]
    if manifest != _manifest(report.folder):
        Store(report.folder).write_json(report.folder / MANIFEST, manifest)


def _superseded(
    planned: Mapping[str, list[Artefact]], request: Request, manifest: Mapping[str, Any]
) -> Iterable[str]:
    """Files of an earlier build that this one, being of all decks, would have made and did not."""
    if request.decks:
        return []
    wanted = {artefact.path for artefacts in planned.values() for artefact in artefacts}
    return [
        path
        for path, entry in manifest.items()
        if path not in wanted
        and entry["output"] in planned
        and (not request.languages or entry["language"] in request.languages)
    ]


def _put(source: Path, target: Path, folder: Path) -> None:
    """Copy a file to its place. A link on the way out of the folder is not followed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.parent.resolve().is_relative_to(folder.resolve()):
        raise PermissionError(f"{target.parent} is a link that leads out of {folder}")
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(source, beside)
    beside.replace(target)


def _remove(folder: Path, path: str) -> None:
    pure = PurePosixPath(path)
    parent = (folder / pure).parent
    if pure.is_absolute() or not parent.resolve().is_relative_to(folder.resolve()):
        return
    (folder / pure).unlink(missing_ok=True)
    while parent != folder and parent.is_dir() and not any(parent.iterdir()):
        parent.rmdir()
        parent = parent.parent


def calibration_sheet(root: Path, paper: Size) -> Path:
    """Write build/calibration.pdf, two pages to print on both sides of one paper; its path."""
    from cardgen.pdf import calibration  # noqa: PLC0415 - slow to import, and seldom needed

    target = _made(root / "build") / "calibration.pdf"
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise PermissionError(f"{target.parent} is a link that leads out of {root}")
    Store(target.parent).write(target, calibration.draw(paper))
    return target


def clean(root: Path) -> int:
    """Remove every file that builds into build/ recorded, and the store; how many files it were."""
    folder = root / "build"
    paths = list(_manifest(folder))
    for path in paths:
        _remove(folder, path)
    (folder / MANIFEST).unlink(missing_ok=True)
    # A build that was killed leaves what it was making.
    for left in (folder / STORE, *folder.glob(".making-*")):
        Store(left).clear()
    return len(paths)
