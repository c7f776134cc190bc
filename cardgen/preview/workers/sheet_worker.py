"""Sheets as a build would print them: arranged, drawn page by page, weighed for their ink, made.

Each function is one call of the press that works beside the wall's. Only the button makes files.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from cardgen.book.editions import WrittenBooks
from cardgen.changes import change_list
from cardgen.changes.change_list import ListDocument
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.units import MM_PER_INCH, Size
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.model import Game
from cardgen.outputs import changed_cards, face_measurement, print_sheets
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.pdf import raster
from cardgen.pipeline import build
from cardgen.pipeline.selection import NotInGameError
from cardgen.preview.sheet_choices import InvalidChoiceError, SheetChoices, list_choices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.raster_worker import drop_missing_art, is_stored
from cardgen.preview.workers.render_worker import GameLocation, RenderSession
from cardgen.runtime import game_files
from cardgen.runtime.content_store import DamagedEntryError, digest_parts
from cardgen.sheets import arrangement
from cardgen.sheets.arrangement import SheetPage, SheetsRecipe

SHEET_SECONDS = 60.0
MAX_REMEMBERED_PAGES = 6000
"""So many pages are remembered, those of earlier choices too."""
MAX_FACES_MEASURED = 40
"""So many faces are measured for their ink in one call, so that pages come in between."""


@dataclass(frozen=True)
class ListPage:
    """A page of a list of changes, by its number from 0."""

    pdf: bytes
    number: int
    paper: Size


_page_recipes: OrderedDict[str, SheetsRecipe | ListPage] = OrderedDict()
"""What each page is drawn from, by its key."""


def arrange_sheets(call: tuple[GameLocation, SheetChoices]) -> Json:
    """The sheets of what is chosen. `files` is None where they cannot be told, and `why` says why;
    each page has a key, by which it is drawn."""
    place, choices = call
    at = render_worker.get_current_session(place)
    wrong = [problem_to_json(p) for p in at.last_update.problems if p.severity == "error"][:1]
    if at.game is None or at.faces is None:
        return {"files": None, "why": wrong}
    told: Json = {"offered": list_choices(at.game), "files": None}
    try:
        with work_limits.work_limit("the sheets", SHEET_SECONDS):
            job = _make_job(at, at.game, choices)
            found = _describe_changed_sheets(job) if choices.changed else _describe_sheets(job)
    except (InvalidChoiceError, LimitExceededError) as error:
        return {**told, "why": [problem_to_json(_describe_error(error))]}
    if wrong and not found["files"]:
        return {**told, "why": wrong}
    waiting = [deck.id for deck in at.game.decks if deck.id in at.faces.blocked_decks]
    paper = job.options.paper
    return {
        **told, **found, "language": job.languages[0], "waiting": waiting,
        "paper": {"name": job.options.layout.paper_name, "width": paper.width,
                  "height": paper.height},
    }  # fmt: skip


def _describe_error(error: InvalidChoiceError | LimitExceededError) -> Problem:
    if isinstance(error, InvalidChoiceError):
        return error.problem
    return Problem(Source("sheets"), str(error), "bounds")


def _make_job(at: RenderSession, game: Game, choices: SheetChoices) -> Job:
    """What sheets are made from. Raises `CannotBe`."""
    assert at.faces is not None
    request = choices.make_request(at.location, game)
    assert request.options is not None
    try:
        asked = request.resolve_selection(game)
    except NotInGameError as error:
        raise InvalidChoiceError(Problem(Source(error.option), str(error), "asked")) from None
    decks = tuple(deck for deck in asked.decks if deck.id not in at.faces.blocked_decks)
    return Job(
        game, decks, asked.languages, at.faces, WrittenBooks(), at.store, request.options,
        selection_suffix=request.card_filter.filename_suffix,
    )  # fmt: skip


def _describe_sheets(job: Job) -> Json:
    """What `cardgen build sheets` would make: a file a deck, or a format."""
    keeper, files, whole = PageRegistry(job), [], []
    layout = job.options.layout
    for title, recipe, numbered in print_sheets.plan_sheet_recipes(job, job.languages[0]):
        listed = [*numbered.values()]
        numbers = {id(p): n for n, s in numbered.items() for p in (s.front, s.back) if p}
        pages, number = [], 0
        for page in recipe.pages:
            number = numbers.get(id(page), number)  # a blank one is the back of the one before it
            pages.append({"sheet": number, **keeper.add_page(recipe, page)})
        papers, waste = (
            arrangement.count_papers(listed),
            arrangement.compute_waste_percent(listed, layout),
        )
        files.append({"title": title, "papers": papers, "waste": waste, "pages": pages})
        whole += listed
    return {
        "files": files, "papers": arrangement.count_papers(whole), "waste": arrangement.compute_waste_percent(whole, layout),
        "why": [problem_to_json(problem) for problem in print_sheets.check_sheets(job)],
    }  # fmt: skip


def _describe_changed_sheets(job: Job) -> Json:
    """What `cardgen build sheets --changed` would make: a list, and the changed cards."""
    assert job.options.base is not None
    keeper, files = PageRegistry(job), []
    artefacts, problems = changed_cards.ChangedCards().plan(job)
    for artefact in artefacts:
        bound = artefact.recipe
        pages = [{"sheet": 0, **leaf} for leaf in keeper.add_listing(bound.listing)]
        if recipe := bound.sheets:
            pages += [{"sheet": 0, **keeper.add_page(recipe, page)} for page in recipe.pages]
        files.append({"title": "", "papers": bound.sheet_count, "pages": pages})
    return {
        "files": files, "papers": sum(each["papers"] for each in files),
        "base": job.options.base.name,
        "summary": [artefact.summary for artefact in artefacts],
        "why": [problem_to_json(problem) for problem in problems],
    }  # fmt: skip


class PageRegistry:
    """Remembers what the pages of a job are drawn from."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.faces = {face.key: face for face in reversed(job.faces.faces)}

    def add_page(self, recipe: SheetsRecipe, page: SheetPage) -> Json:
        """A page for the browser: its key, which is equal where it looks the same; its side; and
        which cards lie where, mm from its top left."""
        faces = [self.faces[face.key] for face, _ in page.placements]
        key = digest_recipe(
            page, recipe.paper, recipe.language, recipe.cuts, recipe.calibration, recipe.ink
        )
        cards = [
            {"card": f"{face.deck.id}/{face.piece.id}", "left": slot.trim.left,
             "top": recipe.paper.height - slot.trim.top, "width": slot.trim.width,
             "height": slot.trim.height}
            for face, (_, slot) in zip(faces, page.placements, strict=True)
        ]  # fmt: skip
        _remember_page(key, replace(recipe, pages=(page,)))
        return {"key": key, "side": page.side, "cards": cards}

    @staticmethod
    def add_listing(listing: ListDocument) -> Iterator[Json]:
        """The pages of a list of changes."""
        digest = digest_parts([repr(listing)])
        if f"{digest}-0" not in _page_recipes:
            pdf = change_list.make_list_pdf(listing, None)
            for number in range(raster.count_pages(pdf)):
                _remember_page(f"{digest}-{number}", ListPage(pdf, number, listing.paper))
        for key in [key for key in _page_recipes if key.startswith(digest)]:
            yield {"key": key, "side": "list", "cards": []}


def _remember_page(key: str, leaf: SheetsRecipe | ListPage) -> None:
    _page_recipes[key] = leaf
    _page_recipes.move_to_end(key)
    while len(_page_recipes) > MAX_REMEMBERED_PAGES:
        _page_recipes.popitem(last=False)


def draw_sheet_page(call: tuple[GameLocation, str, int]) -> tuple[bytes, bool] | None:
    """A page as PNG, so many px wide, and whether all its faces are on it; its faces are set first,
    where they are not. None of one that nothing is known of any more. Raises `Stopped`."""
    place, key, width = call
    leaf = _page_recipes.get(key)
    if leaf is None:
        return None
    dpi = width / leaf.paper.width * MM_PER_INCH
    with work_limits.work_limit(f"the sheet {key}", SHEET_SECONDS):
        if isinstance(leaf, ListPage):
            image = next(islice(raster.rasterise_pages(leaf.pdf, dpi), leaf.number, None))
            return raster.encode_quick_png(image), True
        at = render_worker.get_session(place)
        recipe = _typeset_page_faces(at, leaf)
        try:
            pdf = _write_page_pdf(at, recipe)
        except DamagedEntryError:
            return None
        whole = len(recipe.pages[0].placements) == len(leaf.pages[0].placements)
        return (
            (raster.encode_quick_png(next(raster.rasterise_pages(pdf, dpi))), whole)
            if pdf
            else None
        )


def _write_page_pdf(at: RenderSession, recipe: SheetsRecipe) -> bytes | None:
    """The PDF of a recipe; words beside the cards are set, and kept, when they are new. None when
    the machine refuses."""
    from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded only where sheets are made

    make = partial(sheet_pdf.make_sheets_pdf, recipe)
    return (
        make()
        if is_stored(recipe.captions.path)
        else render_worker.run_in_build_folder(at, make, _ignore_problem)
    )


def _ignore_problem(_problem: Problem) -> None:
    """What the machine refuses is told by the wall's press."""


def _typeset_page_faces(at: RenderSession, recipe: SheetsRecipe) -> SheetsRecipe:
    """The recipe of a page, its faces being set; those that cannot be are left out."""
    (page,) = recipe.pages
    names = {face.key for face, _ in page.placements}
    assert at.faces is not None
    unset = [face for face in at.faces.faces if face.key in names and not at.is_typeset(face)]
    if unset:
        pictures = dict.fromkeys(render_worker.digest_picture(face, at.faces) for face in unset)
        render_worker.typeset_batch((at.location, tuple(pictures), len(pictures)))
    placed = [
        (drop_missing_art(face), slot) for face, slot in page.placements if is_stored(face.path)
    ]
    return replace(recipe, pages=(replace(page, placements=tuple(placed)),))


def measure_ink(call: tuple[GameLocation, SheetChoices]) -> Json:
    """How much ink the chosen sheets take: of the pages printed the `share` that is covered, and by
    how much that is `less` than in full; or how many faces are `left` to be set or measured, of
    which some are measured now. Empty where nothing can be told."""
    place, choices = call
    at = render_worker.get_session(place)
    if at.game is None or at.faces is None:
        return {}
    try:
        job = _make_job(at, at.game, choices)
    except InvalidChoiceError:
        return {}
    pages = _list_pages(job, changed=choices.changed)
    names = {face.key for page in pages for face, _ in page.placements}
    unset = {f.key for f in at.faces.faces if f.key in names and not at.is_typeset(f)}
    if unset:
        return {"left": len(unset), "unset": True}
    with work_limits.work_limit("the ink of the sheets", SHEET_SECONDS):
        measured = partial(face_measurement.measure_coverage_batch, job, pages, MAX_FACES_MEASURED)
        left = render_worker.run_in_build_folder(at, measured, _ignore_problem)
        return {"left": left or 0} if left != 0 else vars(face_measurement.estimate_ink(job, pages))


def _list_pages(job: Job, *, changed: bool) -> list[SheetPage]:
    if changed:
        artefacts, _ = changed_cards.ChangedCards().plan(job)
        recipes = [each.recipe.sheets for each in artefacts if each.recipe.sheets]
    else:
        recipes = [
            recipe for _, recipe, _ in print_sheets.plan_sheet_recipes(job, job.languages[0])
        ]
    return [page for recipe in recipes for page in recipe.pages]


def make_sheets(call: tuple[GameLocation, SheetChoices]) -> Json:
    """Build what is chosen into build/, as the command does: which files it made, those that hold
    all first, or what is wrong."""
    place, choices = call
    at = render_worker.get_current_session(place)
    if at.game is None:
        return {
            "problems": [problem_to_json(problem) for problem in at.last_update.problems],
            "files": [],
        }
    try:
        request = choices.make_request(place, at.game)
    except InvalidChoiceError as error:
        return {"problems": [problem_to_json(error.problem)], "files": []}
    report = build.build(request)
    files = [
        {"path": artefact.path, "bytes": game_files.get_file_size(report.folder / artefact.path),
         "whole": bool(artefact.summary)}
        for artefact in ([] if report.has_failed else report.planned_files)
    ]  # fmt: skip
    return {
        "problems": [problem_to_json(p) for p in report.problems if p.severity == "error"],
        "files": sorted(files, key=lambda file: not file["whole"]),
        "folder": report.folder.relative_to(place.root).as_posix(),
        "new": len(report.new_files),
        "seconds": round(report.seconds, 1),
    }
