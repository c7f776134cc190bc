"""Pictures of boxes in boxes.md, of the flagship: `python docs/draw_boxes.py`."""

from __future__ import annotations

import base64
import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from draw_sheets import DESK, ROOT, framed, save
from PIL import Image, ImageOps

from cardgen.core.units import POINTS_PER_MM, Box, Size
from cardgen.outputs.box_nets import make_game_boxes
from cardgen.outputs.contract import Options
from cardgen.pdf.weasyprint_adapter import weasyprint
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.rules import rule_file
from cardgen.sheets.arrangement import SheetLayout
from cardgen.sheets.folded_view import FoldedNet, NetPicture, draw_folded
from cardgen.sheets.net_sheets import NetPiece, arrange_nets
from cardgen.sheets.nets import Net, Vector

PAPER = Size(900, 1200)
"""Paper on which no net is split."""
SHOWN = ("loot-city", "actions", "night", "pieces", "box")
DPI, HEIGHT = 110, 520


@dataclass(frozen=True)
class DrawnNet:
    """A net of a box with the picture of its sheet."""

    net: Net
    picture: NetPicture


def main() -> None:
    """Build the boxes of the flagship, and draw them flat and folded."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, SheetLayout("a4", Size(210, 297)), ("loot-city",))
        page = render(folder / "en/boxes/loot-city.pdf", 0, 4 * 72)
        above_slug = page.crop((0, 0, page.width, round(page.height * 0.95)))
        left, top, right, bottom = ImageOps.invert(above_slug).getbbox() or (0, 0, *page.size)
        edge = page.width // 40
        net = page.crop((left - edge, top - edge, right + edge, bottom + edge))
        save("boxes-net", framed([scale(net)]))
        make(folder, SheetLayout("large", PAPER), ())
        nets = {each: draw_nets(folder, each) for each in SHOWN}
    save("boxes-folded", [scale(draw(list_scene(nets)))])


def make(folder: Path, layout: SheetLayout, decks: tuple[str, ...]) -> None:
    """Build the boxes of some decks on a paper."""
    options = Options(layout, 72, False, False)
    report = build.build(Request(ROOT, ("boxes",), ("en",), decks, options, output_folder=folder))
    if report.has_failed:
        sys.exit("\n".join(map(str, report.problems)))


def draw_nets(folder: Path, name: str) -> list[DrawnNet]:
    """Return the nets of a box with the pictures of what is printed on them."""
    game, _ = rule_file.load_game(ROOT)
    assert game is not None
    pieces = [NetPiece(each.net) for each in make_game_boxes(game).nets[name]]
    sheets = arrange_nets(pieces, SheetLayout("large", PAPER))
    assert sheets is not None
    plan = 1 if name == "box" else 0
    page = render(folder / f"en/boxes/{name}.pdf", plan, DPI)
    found = []
    for placed in sheets[0].placed:
        assert not placed.turned
        bounds, per_mm = placed.piece.net.bounds, page.width / PAPER.width
        area = placed.map_box(bounds)
        edges = (area.left, PAPER.height - area.top, area.right, PAPER.height - area.bottom)
        cut = page.crop(tuple(round(edge * per_mm) for edge in edges))
        out = io.BytesIO()
        cut.save(out, "PNG")
        address = f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
        whole = Box(bounds.left, bounds.bottom, bounds.right, bounds.top)
        found.append(DrawnNet(placed.piece.net, NetPicture(address, whole)))
    return found


def list_scene(nets: dict[str, list[DrawnNet]]) -> list[FoldedNet]:
    """Return what stands on the table, from the back to the front."""
    lid = nets["box"][0]
    depth = lid.net.get_panel("up").reach
    scene = [stand(lid, (0, 0, 0), (0, 0, 0))]
    x = lid.net.get_panel("floor").length + 26
    for number, name in enumerate(("actions", "loot-city")):
        scene.append(stand(nets[name][0], (0, 180, 0), (x + 66 + number * 92, 0, -depth / 2)))
    flap = {"top": 0.55, "top-tuck": 0.5, "left-top": 0.3, "right-top": 0.3}
    scene.append(stand(nets["night"][0], (0, 180, 0), (x + 66 + 2 * 92, 0, -depth / 2), flap))
    base = nets["pieces"][1]
    scene.append(stand(base, (90, 0, 0), (x + 40, 26, 60)))
    return scene


def stand(
    drawn: DrawnNet, turns: Vector, at: Vector, opened: dict[str, float] | None = None
) -> FoldedNet:
    """Return a folded net with the foot of its first panel at a place."""
    return FoldedNet(drawn.net, "#8a5a2b", drawn.picture, opened, turns, at)


def draw(scene: list[FoldedNet]) -> Image.Image:
    """Return the drawing of folded nets as a picture."""
    svg = draw_folded(scene)
    text = base64.b64encode(svg.encode()).decode()
    width, height = (float(part) for part in svg.split('viewBox="')[1].split('"')[0].split()[2:])
    ground = f"background: #{DESK[0]:02x}{DESK[1]:02x}{DESK[2]:02x}"
    css = f"@page {{ size: {width}mm {height}mm; margin: 0; {ground} }} body {{ margin: 0 }}"
    image = f'<img style="display: block; width: {width}mm" src="data:image/svg+xml;base64,{text}">'
    page = f"<style>{css}</style>{image}"
    pdf = weasyprint.HTML(string=page).write_pdf()
    return render_bytes(pdf, 0, 200)


def render(path: Path, number: int, dpi: float) -> Image.Image:
    return render_bytes(path.read_bytes(), number, dpi)


def render_bytes(pdf: bytes, number: int, dpi: float) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    image = document[number].render(scale=dpi / (25.4 * POINTS_PER_MM)).to_pil().convert("RGB")
    document.close()
    return image


def scale(image: Image.Image) -> Image.Image:
    size = (round(image.width * HEIGHT / image.height), HEIGHT)
    return image.resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
