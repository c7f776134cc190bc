"""Sheets as a build would print them: arranged, drawn page by page, weighed for their ink, made.

Each function is one call of the press that works beside the wall's. Only the button makes files.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from cardgen import build
from cardgen.asking import NotThere
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.base.store import Damaged, digest_of
from cardgen.base.units import MM_PER_INCH, Size
from cardgen.book.editions import Books
from cardgen.changes import list_pdf
from cardgen.changes.list_pdf import Listing
from cardgen.game.model import Game
from cardgen.outputs import changed as output
from cardgen.outputs import ink, sheets
from cardgen.outputs.contract import Job, key_of
from cardgen.pdf import raster
from cardgen.preview import press
from cardgen.preview.choices import CannotBe, Choices, offered
from cardgen.preview.drawing import is_there, present
from cardgen.preview.press import Place, Press
from cardgen.preview.wall import Json, problem_json
from cardgen.sheets import arrange
from cardgen.sheets.arrange import Page, Recipe, Sheet

_SECONDS = 60.0
_MOST_PAGES = 6000
"""So many pages are remembered, those of earlier choices too."""
_MOST_MEASURED = 40
"""So many faces are measured for their ink in one call, so that pages come in between."""


@dataclass(frozen=True)
class _Leaf:
    """A page of a list of changes, by its number from 0."""

    pdf: bytes
    number: int
    paper: Size


_leaves: OrderedDict[str, Recipe | _Leaf] = OrderedDict()
"""What each page is drawn from, by its key."""


def arranged(call: tuple[Place, Choices]) -> Json:
    """The sheets of what is chosen. `files` is None where they cannot be told, and `why` says why;
    each page has a key, by which it is drawn."""
    place, choices = call
    at = press.now(place)
    wrong = [problem_json(p) for p in at.seen.problems if p.severity == "error"][:1]
    if at.game is None or at.faces is None:
        return {"files": None, "why": wrong}
    told: Json = {"offered": offered(at.game), "files": None}
    try:
        with guard.at("the sheets", _SECONDS):
            job = _job(at, at.game, choices)
            found = _changed(job) if choices.changed else _sheets(job)
    except (CannotBe, Stopped) as error:
        return {**told, "why": [problem_json(_told(error))]}
    if wrong and not found["files"]:
        return {**told, "why": wrong}
    waiting = [deck.id for deck in at.game.decks if deck.id in at.faces.waiting]
    paper = job.options.paper
    return {
        **told, **found, "language": job.languages[0], "waiting": waiting,
        "paper": {"name": job.options.layout.paper_name, "width": paper.width,
                  "height": paper.height},
    }  # fmt: skip


def _told(error: CannotBe | Stopped) -> Problem:
    if isinstance(error, CannotBe):
        return error.problem
    return Problem(Source("sheets"), str(error), "bounds")


def _job(at: Press, game: Game, choices: Choices) -> Job:
    """What sheets are made from. Raises `CannotBe`."""
    assert at.faces is not None
    request = choices.request(at.place, game)
    assert request.options is not None
    try:
        asked = request.asked(game)
    except NotThere as error:
        raise CannotBe(Problem(Source(error.option), str(error), "asked")) from None
    decks = tuple(deck for deck in asked.decks if deck.id not in at.faces.waiting)
    return Job(
        game, decks, asked.languages, at.faces, Books(), at.store, request.options,
        some=request.cards.ending,
    )  # fmt: skip


def _sheets(job: Job) -> Json:
    """What `cardgen build sheets` would make: a file a deck, or a format."""
    keeper, files, whole = _Keeper(job), [], []
    layout = job.options.layout
    for title, recipe, numbered in sheets.made_from(job, job.languages[0]):
        listed = [*numbered.values()]
        numbers = {id(p): n for n, s in numbered.items() for p in (s.front, s.back) if p}
        pages, number = [], 0
        for page in recipe.pages:
            number = numbers.get(id(page), number)  # a blank one is the back of the one before it
            pages.append({"sheet": number, **keeper.page(recipe, page, numbered[number])})
        papers, waste = arrange.papers(listed), arrange.waste(listed, layout)
        files.append({"title": title, "papers": papers, "waste": waste, "pages": pages})
        whole += listed
    return {
        "files": files, "papers": arrange.papers(whole), "waste": arrange.waste(whole, layout),
        "why": [problem_json(problem) for problem in sheets.problems_of(job)],
    }  # fmt: skip


def _changed(job: Job) -> Json:
    """What `cardgen build sheets --changed` would make: a list, and the changed cards."""
    assert job.options.base is not None
    keeper, files = _Keeper(job), []
    artefacts, problems = output.Changed().plan(job)
    for artefact in artefacts:
        bound = artefact.recipe
        pages = [{"sheet": 0, **leaf} for leaf in keeper.listing(bound.listing)]
        if recipe := bound.sheets:
            pages += [{"sheet": 0, **keeper.page(recipe, page)} for page in recipe.pages]
        files.append({"title": "", "papers": bound.papers, "pages": pages})
    return {
        "files": files, "papers": sum(each["papers"] for each in files),
        "base": job.options.base.name,
        "summary": [artefact.summary for artefact in artefacts],
        "why": [problem_json(problem) for problem in problems],
    }  # fmt: skip


class _Keeper:
    """Remembers what the pages of a job are drawn from."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.faces = {face.key: face for face in reversed(job.faces.faces)}

    def page(self, recipe: Recipe, page: Page, sheet: Sheet | None = None) -> Json:
        """A page for the browser: its key, which is equal where it looks the same; its side; and
        which cards lie where, mm from its top left. Guides follow from a sheet's format."""
        faces = [self.faces[face.key] for face, _ in page.placed]
        key = key_of(
            faces, self.job.faces, "page", page.side, page.slug, page.slug_at,
            [slot for _, slot in page.placed], self.job.options.layout, recipe.language,
            sheet.pieces[0].format if sheet else page.guides,
        )  # fmt: skip
        cards = [
            {"card": f"{face.deck.id}/{face.piece.id}", "left": slot.trim.left,
             "top": recipe.paper.height - slot.trim.top, "width": slot.trim.width,
             "height": slot.trim.height}
            for face, (_, slot) in zip(faces, page.placed, strict=True)
        ]  # fmt: skip
        _remember(key, replace(recipe, pages=(page,)))
        return {"key": key, "side": page.side, "cards": cards}

    @staticmethod
    def listing(listing: Listing) -> Iterator[Json]:
        """The pages of a list of changes."""
        digest = digest_of([repr(listing)])
        if f"{digest}-0" not in _leaves:
            pdf = list_pdf.make(listing, None)
            for number in range(raster.count(pdf)):
                _remember(f"{digest}-{number}", _Leaf(pdf, number, listing.paper))
        for key in [key for key in _leaves if key.startswith(digest)]:
            yield {"key": key, "side": "list", "cards": []}


def _remember(key: str, leaf: Recipe | _Leaf) -> None:
    _leaves[key] = leaf
    _leaves.move_to_end(key)
    while len(_leaves) > _MOST_PAGES:
        _leaves.popitem(last=False)


def page(call: tuple[Place, str, int]) -> tuple[bytes, bool] | None:
    """A page as PNG, so many px wide, and whether all its faces are on it; its faces are set first,
    where they are not. None of one that nothing is known of any more. Raises `Stopped`."""
    place, key, width = call
    leaf = _leaves.get(key)
    if leaf is None:
        return None
    dpi = width / leaf.paper.width * MM_PER_INCH
    with guard.at(f"the sheet {key}", _SECONDS):
        if isinstance(leaf, _Leaf):
            image = next(islice(raster.pages(leaf.pdf, dpi), leaf.number, None))
            return raster.quick(image), True
        at = press.at(place)
        recipe = _with_what_is_there(at, leaf)
        try:
            pdf = _pdf(at, recipe)
        except Damaged:
            return None
        whole = len(recipe.pages[0].placed) == len(leaf.pages[0].placed)
        return (raster.quick(next(raster.pages(pdf, dpi))), whole) if pdf else None


def _pdf(at: Press, recipe: Recipe) -> bytes | None:
    """The PDF of a recipe; words beside the cards are set, and kept, when they are new. None when
    the machine refuses."""
    from cardgen.sheets import printing  # noqa: PLC0415 - loaded only where sheets are made

    make = partial(printing.make, recipe)
    return make() if is_there(recipe.lettering.path) else press.alone(at, make, _ignore)


def _ignore(_problem: Problem) -> None:
    """What the machine refuses is told by the wall's press."""


def _with_what_is_there(at: Press, recipe: Recipe) -> Recipe:
    """The recipe of a page, its faces being set; those that cannot be are left out."""
    (page,) = recipe.pages
    names = {face.key for face, _ in page.placed}
    assert at.faces is not None
    unset = [face for face in at.faces.faces if face.key in names and not at.holds(face)]
    if unset:
        pictures = dict.fromkeys(press.picture_of(face, at.faces) for face in unset)
        press.settle((at.place, tuple(pictures), len(pictures)))
    placed = [(present(face), slot) for face, slot in page.placed if is_there(face.path)]
    return replace(recipe, pages=(replace(page, placed=tuple(placed)),))


def inked(call: tuple[Place, Choices]) -> Json:
    """How much ink the chosen sheets take: of the pages printed the `share` that is covered, and by
    how much that is `less` than in full; or how many faces are `left` to be set or measured, of
    which some are measured now. Empty where nothing can be told."""
    place, choices = call
    at = press.at(place)
    if at.game is None or at.faces is None:
        return {}
    try:
        job = _job(at, at.game, choices)
    except CannotBe:
        return {}
    pages = _pages(job, changed=choices.changed)
    names = {face.key for page in pages for face, _ in page.placed}
    unset = {f.key for f in at.faces.faces if f.key in names and not at.holds(f)}
    if unset:
        return {"left": len(unset), "unset": True}
    with guard.at("the ink of the sheets", _SECONDS):
        measured = partial(ink.measure_some, job, pages, _MOST_MEASURED)
        left = press.alone(at, measured, _ignore)
        return {"left": left or 0} if left != 0 else vars(ink.taken(job, pages))


def _pages(job: Job, *, changed: bool) -> list[Page]:
    if changed:
        artefacts, _ = output.Changed().plan(job)
        recipes = [each.recipe.sheets for each in artefacts if each.recipe.sheets]
    else:
        recipes = [recipe for _, recipe, _ in sheets.made_from(job, job.languages[0])]
    return [page for recipe in recipes for page in recipe.pages]


def made(call: tuple[Place, Choices]) -> Json:
    """Build what is chosen into build/, as the command does: which files it made, those that hold
    all first, or what is wrong."""
    place, choices = call
    at = press.now(place)
    if at.game is None:
        return {"problems": [problem_json(problem) for problem in at.seen.problems], "files": []}
    try:
        request = choices.request(place, at.game)
    except CannotBe as error:
        return {"problems": [problem_json(error.problem)], "files": []}
    report = build.build(request)
    files = [
        {"path": artefact.path, "bytes": paths.size(report.folder / artefact.path),
         "whole": bool(artefact.summary)}
        for artefact in ([] if report.failed else report.wanted)
    ]  # fmt: skip
    return {
        "problems": [problem_json(p) for p in report.problems if p.severity == "error"],
        "files": sorted(files, key=lambda file: not file["whole"]),
        "folder": report.folder.relative_to(place.root).as_posix(),
        "new": len(report.made),
        "seconds": round(report.seconds, 1),
    }
