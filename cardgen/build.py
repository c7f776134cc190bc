"""The pipeline, from a folder to files: load, check, typeset, make, publish.

Everything is made before anything is published, and each file takes its place by a rename: a
failed or killed build leaves the last good output whole. One build at a time works in a folder. It
goes over the game again when a file changed meanwhile, or the store turned out to be damaged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from cardgen import publishing
from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import FontSet
from cardgen.base import engine, filing, guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, has_errors, ordered
from cardgen.base.store import Store
from cardgen.base.units import PAPERS, Size
from cardgen.base.workers import spread
from cardgen.book import cache
from cardgen.book.editions import Books
from cardgen.book.manuscript import FOLDER as BOOKS
from cardgen.changes import baselines, printed_file
from cardgen.changes.compare import State
from cardgen.changes.states import state_of
from cardgen.faces import produce
from cardgen.faces.produce import Face, Faces
from cardgen.game import loading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.fonts_file import FILE as FONTS
from cardgen.game.model import Deck, Game
from cardgen.game.scope import Scope
from cardgen.outputs.contract import Artefact, Job, Options, quiet
from cardgen.outputs.registry import LAST, OUTPUTS, STANDARD, TABLES
from cardgen.outputs.tables import against_game, setup
from cardgen.outputs.tables.checker import Checked, Finding
from cardgen.publishing import Entry, New, Shelf
from cardgen.rules import composition, unprinted
from cardgen.sheets.arrange import Layout
from cardgen.steady import BUILD, STORE, Desk, clean, steadily, straight
from cardgen.templates.render import DRAWN

__all__ = ["Recorded", "Report", "Request", "build", "calibration_sheet", "check", "clean"]

# Up to so many batches are made in this process: starting helpers costs more.
_ALONE = 4
_SECONDS_SAID, _SECONDS_A_PIECE = 9.0, 0.01
"""How long everything may take that a game says of itself, and for each face more."""
_SECONDS, _SECONDS_EACH, _SECONDS_WHOLE = 15.0, 3.0, 300.0
"""How long a batch of files may take, more for each; and what is put together from all faces."""
T = TypeVar("T")
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


@dataclass(frozen=True)
class Made:
    """A file that is made and waits to be published, and the hash of its bytes."""

    path: Path
    digest: str


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

    def work(asked: Request) -> tuple[Game | None, Faces | None, list[Problem]]:
        game, faces, _, problems = _examined(asked, progress)
        return game, faces, problems

    return _steadily(request, progress, work, lambda problem: (None, None, [problem]))


def _steadily(
    request: Request,
    progress: Progress,
    work: Callable[[Request], T],
    failed: Callable[[Problem], T],
) -> T:
    """Do the work in the build folder, with the game read again if it changed meanwhile."""
    anew = replace(request, loaded=None)
    desk = Desk(request.root, request.folder, request.fresh)
    return steadily(desk, progress, lambda again: work(anew if again else request), failed)


def _examined(
    request: Request, progress: Progress
) -> tuple[Game | None, Faces | None, Books, list[Problem]]:
    game, found = request.loaded or composition.load(request.root)
    problems = list(found)
    if game is None:
        return None, None, Books(), ordered(problems)
    store = _store(request)
    fonts, font_problems = fontfiles.prepare(game, store)
    problems += font_problems
    unread = any(problem.kind in UNREAD for problem in problems)
    no_fonts = any(p.severity == "error" and _of_fonts(p) for p in problems)
    try:
        with guard.at("the game's texts, templates, rules and table", _seconds(game)):
            result = _said(game, fonts, store, problems)
    except Stopped as error:
        message = f"texts, templates, rules and table together: {error}"
        problems.append(Problem(Source("game.yaml"), message, "bounds"))
        return game, None, Books(), ordered(problems)
    books = Books()
    if paths.there(request.root, BOOKS) and not unread:
        glyphs = frozenset() if no_fonts else fontfiles.glyphs(fonts, store)
        books = cache.books_of(game, game.languages, glyphs, store, engine.digest("book"))
    problems += books.problems
    in_use = _in_use(result)
    result.faces = _wanted(game, result, books, request)
    if not fonts.cuts and not no_fonts:
        message = "the game has no font; text cannot be set without one"
        problems.append(Problem(Source(FONTS), message, "font"))
    elif not no_fonts:
        produce.make(game, result, store, lambda done, total: progress("typesetting", done, total))
        if result.typeset:
            _sweep(store, in_use)
    loading.hold_still(game)
    return game, result, books, _scope(request).marked(ordered(problems + result.problems))


def _seconds(game: Game) -> float:
    """How long all may take that a game says of itself, before anything is typeset."""
    pieces = sum(len(deck.pieces) for deck in game.decks)
    return _SECONDS_SAID + _SECONDS_A_PIECE * pieces * len(game.languages)


def _said(game: Game, fonts: FontSet, store: Store, problems: list[Problem]) -> Faces:
    """Everything that the game says of itself, evaluated: its faces, rendered and not yet typeset.
    What is wrong is told once, and not once more in all that it leads to."""
    problems += texts.problems(game)
    unread = any(problem.kind in UNREAD for problem in problems)
    result = produce.order(game, fonts, game.decks, game.languages, store)
    if not has_errors([*problems, *result.problems]):
        problems += unprinted.problems(game)
    if not unread:
        problems += composition.check(game, result.backs)
        problems += setup.things(game)[1]
    return result


def _scope(request: Request) -> Scope:
    """What is built; all of a game without books only when just that is asked for."""
    tables = request.outputs == STANDARD or any(name in TABLES for name in request.outputs)
    of_decks = all(OUTPUTS[name].OF_DECKS for name in request.outputs)
    return Scope(request.decks if of_decks else (), request.languages, not of_decks, tables)


def _of_fonts(problem: Problem) -> bool:
    return problem.kind == "font" or problem.source.path == FONTS


def build(request: Request, progress: Progress = quiet) -> Report:
    """Check a game and make what is asked; nothing is published when anything is wrong."""
    started = time.perf_counter()
    report = Report(request.folder or request.root / BUILD)

    def work(asked: Request) -> None:
        game, result, books, report.problems = _examined(asked, progress)
        report.game, report.kept = game, []
        if game is not None and result is not None and not report.failed:
            report.faces, report.typeset = len(result.faces), report.typeset + result.typeset
            _make_outputs(game, (result, books), asked, report, progress)

    def failed(problem: Problem) -> None:
        report.problems = ordered([*report.problems, problem])

    _steadily(request, progress, work, failed)
    report.seconds = time.perf_counter() - started
    return report


def prove(
    request: Request, save: Checked, progress: Progress = quiet
) -> tuple[list[Finding], list[Problem]]:
    """Hold a save's cards against the game they come from: every face, and how many there are."""
    options = Options(Layout("a4", Size(*PAPERS["a4"])), 300, bleed=False, rounded=False)

    def work(asked: Request) -> tuple[list[Finding], list[Problem]]:
        game, result, _, problems = _examined(asked, progress)
        if game is None or result is None or has_errors(problems):
            return [], problems
        job = Job(game, game.decks, game.languages, result, Books(), _store(asked), options)
        return against_game.prove(job, save, progress), problems

    request = replace(request, languages=against_game.languages(save))
    return _steadily(request, progress, work, lambda problem: ([], [problem]))


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
        report.problems = ordered([*report.problems, *_of_one_name(planned)])
        if report.failed:
            return
        if planned:
            _make_planned(planned, request, report, job)
        if report.failed:
            return


def _of_one_name(planned: Mapping[str, list[Artefact]]) -> Iterator[Problem]:
    """A problem for files that would take each other's place: of a card's back, and of a card that
    is called so."""
    seen: dict[str, str] = {}
    for artefact in (artefact for group in planned.values() for artefact in group):
        if seen.setdefault(artefact.path, artefact.key) != artefact.key:
            message = f"two files would both be {artefact.path}; give one of the cards another id"
            yield Problem(Source("cards"), message, "duplicate-id")


def _make_planned(
    planned: Mapping[str, list[Artefact]], request: Request, report: Report, job: Job
) -> None:
    """Make what is not there yet and publish it; or nothing, when anything stands in the way."""
    shelf = Shelf(report.folder, job.store)
    artefacts = [artefact for group in planned.values() for artefact in group]
    for artefact in artefacts:
        filing.check(report.folder, artefact.path)
    made = {artefact.path for artefact in report.made}
    # --fresh forgets what stood there before this build, not what it has just made.
    current = {
        a.path
        for a in artefacts
        if (a.path in made or not request.fresh) and shelf.is_current(a.path, a.key)
    }
    stale = {name: [a for a in group if a.path not in current] for name, group in planned.items()}
    gone = sorted(_superseded(planned, request, shelf.entries))
    with publishing.making(report.folder) as scratch:
        ready, problems = _make(stale, scratch, job.progress)
        report.problems = ordered([*report.problems, *problems])
        if report.failed:
            return
        loading.hold_still(job.game)
        new = {
            a.path: New(ready[a.key].path, Entry(a.key, name, a.language, ready[a.key].digest))
            for name, group in stale.items()
            for a in group
        }
        shelf.publish(scratch, new, gone)
    report.removed += gone
    report.made += [a for a in artefacts if a.path in new and a.path not in made]
    report.kept += [a for a in artefacts if a.path not in new and a.path not in made]


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
    no_books_alone = not outputs or any(output.OF_DECKS for output in outputs)
    of_decks = {deck.id for deck in decks} if no_books_alone else set()
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
        and face.deck.id not in result.waiting
        and (
            face.deck.id in of_decks
            or (face.language, face.deck.id, face.piece.id, face.side) in shown
        )
    ]


def _store(request: Request) -> Store:
    return Store(request.root / BUILD / STORE)


def _in_use(result: Faces) -> dict[str, set[str]]:
    """What the store holds of the game as it is now, by kind."""
    return {
        "faces": {f"{face.key}.{end}" for face in result.faces for end in ("pdf", "json")},
        "rendered": result.rendered,
        "drawn": {
            a.path.name for face in result.faces for a in face.art if a.name.startswith(DRAWN)
        },
        "art": {f"{art.digest}.pdf" for face in result.faces for art in face.art},
        "looks": {f"{art.seen.name}.json" for face in result.faces for art in face.art},
        "rasters": {art.seen.name for face in result.faces for art in face.art},
        "fonts": {
            f"{cut.digest}.{end}" for cut in result.fonts.cuts for end in ("ttf", "json", "lost")
        },
        "hyphenation": {path.name for path in result.fonts.patterns.values()},
    }


_FEW = ("fonts", "hyphenation")


def _sweep(store: Store, in_use: Mapping[str, set[str]]) -> None:
    """Forget what is old once it is far more than what is in use."""
    for kind, names in in_use.items():
        store.sweep(kind, names, 3 * len(names) + (40 if kind in _FEW else 400))


def _make(
    stale: Mapping[str, list[Artefact]], scratch: Path, progress: Progress
) -> tuple[dict[str, Made], list[Problem]]:
    """Make every stale artefact, equal keys once, by their keys, as files in `scratch`; and what
    cannot be made."""
    batches: list[tuple[str, list[Artefact]]] = []
    for name, artefacts in stale.items():
        distinct = list({artefact.key: artefact for artefact in artefacts}.values())
        size = OUTPUTS[name].BATCH
        batches += [(name, distinct[i : i + size]) for i in range(0, len(distinct), size)]
    ready: dict[str, Made] = {}
    problems: list[Problem] = []
    for done, ((_, artefacts), made) in enumerate(
        zip(batches, _run(batches), strict=True), start=1
    ):
        for artefact, data in zip(artefacts, made, strict=True):
            if isinstance(data, str):
                message = f"the file cannot be made: {data}"
                problems.append(Problem(Source(artefact.path), message, "bounds"))
                continue
            path = scratch / artefact.key
            filing.write_new(path, data)
            ready[artefact.key] = Made(path, publishing.digest(data))
        progress("making files", done, len(batches))
    return ready, problems


def _run(batches: list[tuple[str, list[Artefact]]]) -> Iterator[list[bytes | str]]:
    calls = [(name, [(a.path, a.recipe) for a in group]) for name, group in batches]
    yield from spread(_call, calls, alone=len(calls) <= _ALONE)


def _call(call: tuple[str, list[tuple[str, Any]]]) -> list[bytes | str]:
    """Each file's bytes, or why it cannot be made; where a batch is stopped, one by one."""
    name, files = call
    seconds = _SECONDS + _SECONDS_EACH * len(files) if OUTPUTS[name].BATCH > 1 else _SECONDS_WHOLE
    try:
        with guard.at(f"{files[0][0]} ({len(files)})", seconds):
            return list(OUTPUTS[name].make([recipe for _, recipe in files]))
    except Stopped as error:
        if len(files) == 1:
            return [str(error)]
    return [made for file in files for made in _call((name, [file]))]


def _superseded(
    planned: Mapping[str, list[Artefact]], request: Request, entries: Mapping[str, Entry]
) -> Iterable[str]:
    """Files of an earlier build that this one, being of all decks and editions, would have made
    and did not."""
    options = request.options
    if request.decks or (options and (options.editions or options.book_sizes)):
        return []
    wanted = {artefact.path for artefacts in planned.values() for artefact in artefacts}
    return [
        path
        for path, entry in entries.items()
        if path not in wanted
        and entry.output in planned
        and (not request.languages or entry.language in request.languages)
    ]


@dataclass(frozen=True)
class Recorded:
    """What was recorded as printed: language and number of pieces; nothing with an error."""

    problems: list[Problem]
    pieces: tuple[tuple[str, int], ...] = ()


def record_printed(request: Request, progress: Progress = quiet) -> Recorded:
    """Write into printed.yaml that the game as it is lies on the table."""
    return _steadily(
        request, progress, lambda asked: _record(asked, progress), lambda p: Recorded([p])
    )


def _record(request: Request, progress: Progress) -> Recorded:
    game, result, _, problems = _examined(request, progress)
    states: dict[str, State] = {}
    if paths.there(request.root, printed_file.FILE):
        base, wrong = baselines.printed(request.root)
        states = dict(base.states) if base else {}
        problems += wrong
    if game is None or result is None or has_errors(problems):
        return Recorded(problems)
    decks, languages = _chosen(game, request)
    if not request.languages and states:
        languages = tuple(language for language in languages if language in states)
    for language in languages:
        kept = states.get(language, {}) if request.decks else {}
        states[language] = {**kept, **state_of(game, result, decks, language)}
    loading.hold_still(game)
    filing.put(request.root / printed_file.FILE, printed_file.write(states).encode())
    pieces = ((c, sum(e.copies for d in states[c].values() for e in d.values())) for c in languages)
    return Recorded(problems, tuple(pieces))


def calibration_sheet(root: Path, paper: Size) -> Path:
    """Write build/calibration.pdf, two pages to print on both sides of one paper; its path."""
    from cardgen.sheets import calibration  # noqa: PLC0415 - slow to import, and seldom needed

    folder = straight(root)
    filing.check(folder, "calibration.pdf")
    filing.put(folder / "calibration.pdf", calibration.draw(paper))
    return folder / "calibration.pdf"
