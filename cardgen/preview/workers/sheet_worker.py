"""Print sheets in the preview: arranged, drawn page by page, measured for ink, and built.

Runs in the preview's book worker. Only `make_sheets` writes files.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from cardgen.changes import change_list
from cardgen.changes.change_list import ListDocument
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.units import MM_PER_INCH, Size
from cardgen.core.work_limits import LimitExceededError
from cardgen.outputs import changed_cards, face_measurement, print_sheets
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.pipeline import build
from cardgen.pipeline.request import NotInGameError
from cardgen.pipeline.stages import Stages
from cardgen.preview.messages import GameLocation
from cardgen.preview.sheet_choices import InvalidChoiceError, SheetChoices, list_choices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.raster_worker import drop_missing_art, is_stored
from cardgen.preview.workers.render_worker import RenderSession
from cardgen.runtime import game_files
from cardgen.runtime.content_store import DamagedEntryError, digest_parts
from cardgen.sheets import arrangement
from cardgen.sheets.arrangement import ImposedSheet, SheetLayout, SheetPage, SheetsRecipe

SHEET_SECONDS = 60.0
MAX_REMEMBERED_PAGES = 6000
"""Number of pages that can be drawn, those of earlier choices included."""
MAX_FACES_MEASURED = 40
"""Number of faces measured for ink in one call, so that pages are drawn in between."""


@dataclass(frozen=True)
class ListPage:
    """A page of the list of changes; its number counts from 0."""

    pdf: bytes
    number: int
    paper: Size


_page_recipes: OrderedDict[str, SheetsRecipe | ListPage] = OrderedDict()
"""Recipes of pages by their keys."""


def list_first_error(session: RenderSession) -> list[Json]:
    """Return the game's first error, if it has any."""
    errors = (p for p in session.last_update.problems if p.severity == "error")
    return [problem_to_json(problem) for problem in islice(errors, 1)]


def arrange_sheets(location: GameLocation, choices: SheetChoices) -> Json:
    """Return the layout of the chosen sheets, with a key for each page to draw it by.

    When there is none, `files` is None and `why` holds the problems.
    """
    session = render_worker.get_current_session(location)
    error = list_first_error(session)
    if session.stages is None:
        return {"files": None, "why": error}
    answer: Json = {"offered": list_choices(session.stages.game), "files": None}
    try:
        with work_limits.work_limit("the sheets", SHEET_SECONDS):
            job = _make_job(session.location, session.stages, choices)
            layout = _describe_changed_sheets(job) if choices.changed else _describe_sheets(job)
    except InvalidChoiceError as invalid:
        return {**answer, "why": [problem_to_json(invalid.problem)]}
    except LimitExceededError as stopped:
        problem = Problem(Source("sheets"), str(stopped), "bounds")
        return {**answer, "why": [problem_to_json(problem)]}
    if error and not layout["files"]:
        return {**answer, "why": error}
    paper = job.options.paper
    return {
        **answer, **layout, "language": job.languages[0],
        "waiting": list_blocked_decks(session.stages),
        "paper": {"name": job.options.layout.paper_name, "width": paper.width,
                  "height": paper.height},
    }  # fmt: skip


def list_blocked_decks(stages: Stages) -> list[str]:
    """Return the decks whose templates or styles have errors."""
    return [deck.id for deck in stages.game.decks if deck.id in stages.faces.blocked_decks]


def _make_job(location: GameLocation, stages: Stages, choices: SheetChoices) -> Job:
    """Return the input of the outputs for sheets. Raises `InvalidChoiceError`."""
    request = choices.make_request(location, stages.game)
    try:
        selection = request.resolve_selection(stages.game)
    except NotInGameError as error:
        raise InvalidChoiceError(Problem(Source(error.option), str(error), "asked")) from None
    decks = [deck for deck in selection.decks if deck.id not in stages.faces.blocked_decks]
    job = stages.create_job(request.options, decks=decks, languages=selection.languages)
    return replace(job, selection_suffix=request.card_filter.filename_suffix)


def _describe_sheets(job: Job) -> Json:
    """Describe the files of `cardgen build sheets`: one for each deck or format."""
    registry, files, every_sheet = PageRegistry(job), [], []
    layout = job.options.layout
    for title, recipe, numbered in print_sheets.plan_sheet_recipes(job, job.languages[0]):
        sheets = [*numbered.values()]
        numbers = {id(p): n for n, s in numbered.items() for p in (s.front, s.back) if p}
        pages, number = [], 0
        for page in recipe.pages:
            number = numbers.get(id(page), number)  # a blank page is the back of the one before it
            pages.append({"sheet": number, **registry.add_page(recipe, page)})
        files.append({"title": title, **_measure_paper(sheets, layout), "pages": pages})
        every_sheet += sheets
    problems = print_sheets.check_sheets(job)
    return {
        "files": files, **_measure_paper(every_sheet, layout),
        "why": [problem_to_json(problem) for problem in problems],
    }  # fmt: skip


def _measure_paper(sheets: Sequence[ImposedSheet], layout: SheetLayout) -> Json:
    return {
        "papers": arrangement.count_papers(sheets),
        "waste": arrangement.compute_waste_percent(sheets, layout),
    }


def _describe_changed_sheets(job: Job) -> Json:
    """Describe the file of `cardgen build sheets --changed`: a list and the changed cards."""
    assert job.options.base is not None
    registry, files = PageRegistry(job), []
    artefacts, problems = changed_cards.ChangedCards().plan(job)
    for artefact in artefacts:
        recipe = artefact.recipe
        pages = list(registry.add_listing(recipe.listing))
        if recipe.sheets:
            pages += [registry.add_page(recipe.sheets, page) for page in recipe.sheets.pages]
        numbered = [{"sheet": 0, **page} for page in pages]
        files.append({"title": "", "papers": recipe.sheet_count, "pages": numbered})
    return {
        "files": files, "papers": sum(each["papers"] for each in files),
        "base": job.options.base.name,
        "summary": [artefact.summary for artefact in artefacts],
        "why": [problem_to_json(problem) for problem in problems],
    }  # fmt: skip


class PageRegistry:
    """Remembers the recipes of a job's pages, and describes the pages."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.faces = {face.key: face for face in reversed(job.faces.faces)}

    def add_page(self, recipe: SheetsRecipe, page: SheetPage) -> Json:
        """Return a page's key, side and cards, with places in mm from the top left.

        Pages that look the same have the same key.
        """
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
        """Yield the pages of a list of changes."""
        from cardgen.pdf import raster  # noqa: PLC0415 - not in the server

        digest = digest_parts([repr(listing)])
        if f"{digest}-0" not in _page_recipes:
            pdf = change_list.make_list_pdf(listing, None)
            for number in range(raster.count_pages(pdf)):
                _remember_page(f"{digest}-{number}", ListPage(pdf, number, listing.paper))
        for key in [key for key in _page_recipes if key.startswith(digest)]:
            yield {"key": key, "side": "list", "cards": []}


def _remember_page(key: str, recipe: SheetsRecipe | ListPage) -> None:
    _page_recipes[key] = recipe
    _page_recipes.move_to_end(key)
    while len(_page_recipes) > MAX_REMEMBERED_PAGES:
        _page_recipes.popitem(last=False)


def draw_sheet_page(location: GameLocation, key: str, width: int) -> tuple[bytes, bool] | None:
    """Return a page as PNG, `width` px wide, and whether all its faces are on it.

    Faces that are not typeset yet are typeset first. Return None for a page that is not remembered.
    """
    from cardgen.pdf import raster  # noqa: PLC0415 - not in the server

    page = _page_recipes.get(key)
    if page is None:
        return None
    dpi = width / page.paper.width * MM_PER_INCH
    with work_limits.work_limit(f"the sheet {key}", SHEET_SECONDS):
        if isinstance(page, ListPage):
            image = raster.rasterise_page(page.pdf, page.number, width)
            return (raster.encode_quick_png(image), True) if image else None
        session = render_worker.get_session(location)
        recipe = _typeset_page_faces(session, page)
        try:
            pdf = _write_page_pdf(session, recipe)
        except DamagedEntryError:
            return None
        if not pdf:
            return None
        is_complete = len(recipe.pages[0].placements) == len(page.pages[0].placements)
        image = next(raster.rasterise_pages(pdf, dpi, raster.FINE_DPI))
        return raster.encode_quick_png(image), is_complete


def _write_page_pdf(session: RenderSession, recipe: SheetsRecipe) -> bytes | None:
    """Return the PDF of a recipe, None when the operating system refused something.

    New captions are typeset and added to the store.
    """
    from cardgen.sheets import sheet_pdf  # noqa: PLC0415 - loaded only where sheets are made

    if is_stored(recipe.captions.path):
        return sheet_pdf.make_sheets_pdf(recipe)
    make = partial(sheet_pdf.make_sheets_pdf, recipe)
    return render_worker.run_in_build_folder(session, make)[0]


def _typeset_page_faces(session: RenderSession, recipe: SheetsRecipe) -> SheetsRecipe:
    """Typeset the faces of a one-page recipe, and leave out those that failed."""
    (page,) = recipe.pages
    names = {face.key for face, _ in page.placements}
    assert session.faces is not None
    missing = [f for f in session.faces.faces if f.key in names and not session.is_typeset(f)]
    if missing:
        pictures = {render_worker.digest_picture(face, session.faces): None for face in missing}
        render_worker.typeset_batch(session.location, tuple(pictures), len(pictures))
    placements = [
        (drop_missing_art(face), slot) for face, slot in page.placements if is_stored(face.path)
    ]
    return replace(recipe, pages=(replace(page, placements=tuple(placements)),))


def measure_ink(location: GameLocation, choices: SheetChoices) -> Json:
    """Estimate the ink that the chosen sheets take.

    `share` is the part of the printed pages that is covered, and `saving` how much smaller that
    is than in full colour. While faces are left to be typeset or measured, `left` is their number;
    a call measures some of them. The answer is empty when there are no sheets.
    """
    session = render_worker.get_session(location)
    if session.stages is None:
        return {}
    try:
        job = _make_job(location, session.stages, choices)
    except InvalidChoiceError:
        return {}
    pages = _list_pages(job, changed=choices.changed)
    names = {face.key for page in pages for face, _ in page.placements}
    missing = {f.key for f in job.faces.faces if f.key in names and not session.is_typeset(f)}
    if missing:
        return {"left": len(missing), "unset": True}
    with work_limits.work_limit("the ink of the sheets", SHEET_SECONDS):
        measure = partial(face_measurement.measure_coverage_batch, job, pages, MAX_FACES_MEASURED)
        left, _ = render_worker.run_in_build_folder(session, measure)
        return {"left": left or 0} if left != 0 else vars(face_measurement.estimate_ink(job, pages))


def _list_pages(job: Job, *, changed: bool) -> list[SheetPage]:
    if changed:
        artefacts, _ = changed_cards.ChangedCards().plan(job)
        recipes = [each.recipe.sheets for each in artefacts if each.recipe.sheets]
    else:
        planned = print_sheets.plan_sheet_recipes(job, job.languages[0])
        recipes = [recipe for _, recipe, _ in planned]
    return [page for recipe in recipes for page in recipe.pages]


def make_sheets(location: GameLocation, choices: SheetChoices) -> Json:
    """Build the chosen sheets into build/ as the command does; return the files and problems.

    The files that hold all cards come first.
    """
    session = render_worker.get_current_session(location)
    if session.game is None:
        problems = session.last_update.problems
        return {"problems": [problem_to_json(problem) for problem in problems], "files": []}
    try:
        request = choices.make_request(location, session.game)
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
        "folder": report.folder.relative_to(location.root).as_posix(),
        "new": len(report.new_files),
        "seconds": round(report.seconds, 1),
    }
