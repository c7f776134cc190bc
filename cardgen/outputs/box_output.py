"""Boxes: sheets of nets with their faces, cut files with folds, and nets for a press."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cardgen.core.problems import Problem, Source
from cardgen.core.units import PAPERS, Size
from cardgen.faces.model import Face
from cardgen.game.loader import FILE
from cardgen.outputs import box_panels
from cardgen.outputs.box_nets import BoxNet, GameBoxes, make_game_boxes
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.sheet_recipes import build_colophon
from cardgen.sheets import arrangement, cut_files, net_sheets, silhouette
from cardgen.sheets.arrangement import SheetPage, SheetsRecipe
from cardgen.sheets.cut_files import CutFile
from cardgen.sheets.net_sheets import NetPiece, NetSheet

BoxRecipe = SheetsRecipe | CutFile


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
        problems = []
        for name, nets in boxes.nets.items():
            for language in job.languages:
                pieces = [faces.make_piece(net, language) for net in nets]
                sheets = net_sheets.arrange_nets(pieces, job.options.layout)
                if sheets is None:
                    problems.append(_explain_paper(job, nets, pieces))
                    break
                artefacts += _plan_box(job, name, language, sheets, nets)
        return artefacts, problems

    def make_file(self, recipe: BoxRecipe) -> bytes:
        """Return the PDF or cut file of a recipe."""
        from cardgen.sheets.sheet_pdf import make_sheets_pdf  # noqa: PLC0415 - only where needed

        if isinstance(recipe, CutFile):
            return cut_files.make_cut_file(recipe)
        return make_sheets_pdf(recipe)


def select_boxes(job: Job) -> GameBoxes:
    """Return the boxes of the selected decks; all of them where all decks are selected."""
    boxes = make_game_boxes(job.game)
    if not job.partial_suffix:
        return boxes
    wanted = {deck.id for deck in job.decks}
    nets = {
        name: each
        for name, each in boxes.nets.items()
        if each and any(deck.id in wanted for deck in each[0].decks)
    }
    return GameBoxes(nets)


def _plan_box(
    job: Job, name: str, language: str, sheets: list[NetSheet], nets: tuple[BoxNet, ...]
) -> Iterator[Artefact[BoxRecipe]]:
    layout, colophon = job.options.layout, build_colophon(job.game, language)
    title = nets[0].spec.title[language]
    pages = net_sheets.list_net_pages(sheets, layout, colophon, title)
    recipe = build_recipe(job, f"{colophon.title} – {title}", language, pages)
    yield Artefact(f"{language}/boxes/{name}.pdf", recipe, language)
    for kind in job.options.cut_files:
        for number, sheet in enumerate(sheets, 1):
            suffix = f"-{number}" if len(sheets) > 1 else ""
            file = _build_cut_file(job, kind, sheet)
            yield Artefact(f"{language}/boxes/{name}{suffix}.{kind}", file, language)


def build_recipe(job: Job, title: str, language: str, pages: tuple[SheetPage, ...]) -> SheetsRecipe:
    """Return the recipe of a PDF of nets on the job's paper."""
    layout = job.options.layout
    words = job.prepare_lettering(arrangement.list_caption_lines(pages), language)
    return SheetsRecipe(
        title, language, layout.paper, pages, job.font_files, words, layout.calibration, layout.ink
    )


def _build_cut_file(job: Job, kind: str, sheet: NetSheet) -> CutFile:
    layout = job.options.layout
    file = CutFile(
        kind, layout.paper, (), {"cut": tuple(sheet.list_cuts()), "fold": tuple(sheet.list_folds())}
    )
    return cut_files.turn_file(file) if layout.style.marks in silhouette.MARK_KINDS else file


def _explain_paper(job: Job, nets: tuple[BoxNet, ...], pieces: list[NetPiece]) -> Problem:
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
