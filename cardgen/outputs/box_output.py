"""Boxes: sheets of nets with their faces, cut files with folds, and nets for a press."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardgen.core.problems import Problem, Source
from cardgen.core.units import PAPERS, Size
from cardgen.faces.model import Face
from cardgen.game.box_specs import OUTER, BoxItem, BoxSpec
from cardgen.game.loader import FILE
from cardgen.outputs import box_panels
from cardgen.outputs.box_nets import BoxNet, GameBoxes, select_boxes
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.sheet_recipes import build_colophon
from cardgen.sheets import arrangement, cut_files, net_sheets, silhouette
from cardgen.sheets.arrangement import SheetLayout, SheetPage, SheetsRecipe
from cardgen.sheets.box_plan import BoxPlan, PlanTexts, list_plan_guides
from cardgen.sheets.cut_files import CutFile
from cardgen.sheets.net_sheets import NetPiece, NetSheet
from cardgen.words.languages import get_words

BoxRecipe = SheetsRecipe | CutFile
_LARGE_PAPER = "a3"


class BoxFiles(Output[BoxRecipe]):
    """Sheets of the boxes of a game, and their cut files."""

    def select_faces(self, job: Job) -> list[Face]:
        """Return the faces of cards that boxes show."""
        return box_panels.select_shown_faces(job, select_boxes(job))

    def prepare(self, job: Job) -> list[Problem]:
        """Typeset the faces of the boxes."""
        boxes = select_boxes(job)
        if not boxes.nets:
            message = "there is no deck of cards to box; name what lies in a box under boxes:"
            return [Problem(Source(FILE), message, "empty", "warning")]
        return box_panels.prepare_faces(job, boxes)

    def plan(self, job: Job) -> tuple[list[Artefact[BoxRecipe]], list[Problem]]:
        """Plan `boxes/<box>.pdf` for every box and language, and its cut files."""
        boxes = select_boxes(job)
        faces = box_panels.render_box_faces(job, boxes)
        artefacts: list[Artefact[BoxRecipe]] = []
        problems: list[Problem] = []
        for nets in filter(None, boxes.nets.values()):
            for language in job.languages:
                pieces = [faces.make_piece(net, language) for net in nets]
                layout, sheets = _arrange(job, nets, pieces)
                if sheets is None and language == job.languages[0]:
                    problems.append(_explain_paper(job, nets, pieces))
                pages = _list_pages(job, nets, sheets or [], layout, language)
                if nets[0].spec.form == OUTER and boxes.plan:
                    pages = [_make_plan_page(job, boxes, boxes.plan, layout, language), *pages]
                artefacts += _plan_box(job, nets[0].spec, language, layout, pages)
                artefacts += _plan_cut_files(job, nets[0].spec, language, layout, sheets or [])
        return artefacts, problems

    def make_file(self, recipe: BoxRecipe) -> bytes:
        """Return the PDF or cut file of a recipe."""
        from cardgen.sheets.sheet_pdf import make_sheets_pdf  # noqa: PLC0415 - only where needed

        if isinstance(recipe, CutFile):
            return cut_files.make_cut_file(recipe)
        return make_sheets_pdf(recipe)


def _arrange(
    job: Job, nets: Sequence[BoxNet], pieces: Sequence[NetPiece]
) -> tuple[SheetLayout, list[NetSheet] | None]:
    """Return the sheets of a box. The box of the game may have A3 where it needs it."""
    layout = job.options.layout
    sheets = net_sheets.arrange_nets(pieces, layout)
    if sheets is None and nets[0].spec.form == OUTER:
        large = replace(layout, paper_name=_LARGE_PAPER, paper=Size(*PAPERS[_LARGE_PAPER]))
        return large, net_sheets.arrange_nets(pieces, large)
    return layout, sheets


def _list_pages(
    job: Job, nets: Sequence[BoxNet], sheets: Sequence[NetSheet], layout: SheetLayout, language: str
) -> list[SheetPage]:
    colophon = build_colophon(job.game, language)
    spec = nets[0].spec
    return [*net_sheets.list_net_pages(sheets, layout, colophon, spec.title[language], spec.id)]


def _make_plan_page(
    job: Job, boxes: GameBoxes, plan: BoxPlan, layout: SheetLayout, language: str
) -> SheetPage:
    """Return the page that shows how everything lies in the box of the game."""
    names = {deck.id: deck.title.get_plain_text(language) for deck in job.game.decks}
    names |= {name: nets[0].spec.title[language] for name, nets in boxes.nets.items() if nets}
    words = get_words("boxes", language)
    room = f"{plan.width:.4g} × {plan.height:.4g} × {plan.depth:.4g} mm"
    summary = f"{words['inside']} {room}  ·  {round(100 * plan.share)}\u00a0% {words['filled']}"
    title = f"{job.game.title.get_plain_text(language)}: {words['plan']}"
    items = {item.title[job.game.languages[0]]: item.title[language] for item in _list_items(boxes)}
    texts = PlanTexts(title, summary, words["layer"], words["lowest"], {**names, **items})
    return SheetPage("front", (), tuple(list_plan_guides(plan, layout.paper, texts)))


def _list_items(boxes: GameBoxes) -> Iterator[BoxItem]:
    for nets in boxes.nets.values():
        yield from nets[0].spec.items if nets else ()


def _plan_box(
    job: Job, spec: BoxSpec, language: str, layout: SheetLayout, pages: Sequence[SheetPage]
) -> Iterator[Artefact[BoxRecipe]]:
    if pages:
        title = f"{job.game.title.get_plain_text(language)} – {spec.title[language]}"
        words = job.prepare_lettering(arrangement.list_caption_lines(pages), language)
        recipe = SheetsRecipe(
            title, language, layout.paper, tuple(pages), job.font_files, words, layout.calibration,
            layout.ink,
        )  # fmt: skip
        yield Artefact(f"{language}/boxes/{spec.id}.pdf", recipe, language)


def _plan_cut_files(
    job: Job, spec: BoxSpec, language: str, layout: SheetLayout, sheets: Sequence[NetSheet]
) -> Iterator[Artefact[BoxRecipe]]:
    for kind in job.options.cut_files:
        for number, sheet in enumerate(sheets, 1):
            lines = {"cut": tuple(sheet.list_cuts()), "fold": tuple(sheet.list_folds())}
            file = CutFile(kind, layout.paper, (), lines)
            if layout.style.marks in silhouette.MARK_KINDS:
                file = cut_files.turn_file(file)
            suffix = f"-{number}" if len(sheets) > 1 else ""
            yield Artefact(f"{language}/boxes/{spec.id}{suffix}.{kind}", file, language)


def _explain_paper(job: Job, nets: Sequence[BoxNet], pieces: Sequence[NetPiece]) -> Problem:
    """Return the problem of a box with a panel that is larger than the paper."""
    spec, layout = nets[0].spec, job.options.layout
    largest = max(
        (net.net.boxes[panel.name] for net in nets for panel in net.net.panels),
        key=lambda box: box.width * box.height,
    )
    papers = ((name, replace(layout, paper=Size(*size))) for name, size in PAPERS.items())
    fitting = [name for name, each in papers if net_sheets.arrange_nets(pieces, each)]
    help_ = f"it fits --paper {', '.join(fitting)}" if fitting else "make it smaller"
    message = (
        f"the box {spec.id} has a panel of {largest.width:.4g} × {largest.height:.4g} mm, which "
        f"does not fit {layout.paper_name} paper; {help_}"
    )
    return Problem(spec.source, message, "paper", "warning")
