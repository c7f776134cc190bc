"""Cut files: outlines of a sheet's pieces for cutting machines, as DXF and SVG."""

from __future__ import annotations

import io
from dataclasses import dataclass

from cardgen.core.units import Size, format_decimal
from cardgen.game.shapes import Outline, compute_radius, walk_edges

CUT_FILE_KINDS = ("dxf", "svg")


@dataclass(frozen=True)
class CutFile:
    """Outlines to cut on one sheet, in mm from the paper's bottom left."""

    kind: str
    paper: Size
    outlines: tuple[Outline, ...]


def turn_to_landscape(paper: Size, outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    """Return the outlines on the same paper, turned clockwise so that its left side becomes its
    top."""
    return tuple(tuple((y, paper.width - x, b) for x, y, b in each) for each in outlines)


def make_cut_file(file: CutFile) -> bytes:
    """Return the bytes of the file; equal outlines give equal bytes."""
    return _format_svg(file) if file.kind == "svg" else _format_dxf(file)


def _format_dxf(file: CutFile) -> bytes:
    """Format DXF R2010 in mm, y upwards: one closed polyline a piece, round corners as bulges."""
    import ezdxf  # noqa: PLC0415 - half a second that only cut files need
    from ezdxf import options, units  # noqa: PLC0415

    # Without these the file would hold the time and a random number.
    options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2010", units=units.MM)
    document.layers.add("cut", color=7)
    model = document.modelspace()
    for outline in file.outlines:
        points = [(round(x, 6), round(y, 6), bulge) for x, y, bulge in outline]
        model.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": "cut"})
    # ezdxf would write them in the order of a set, which varies.
    document.classes.add_required_classes(document.dxfversion)
    document.classes.classes = dict(sorted(document.classes.classes.items()))
    out = io.StringIO()
    document.write(out)
    return out.getvalue().encode()


def _format_svg(file: CutFile) -> bytes:
    """Format SVG in mm with strokes only, since machines would cut fills."""
    width, height = f"{file.paper.width:g}", f"{file.paper.height:g}"
    paths = "".join(f'<path d="{_format_svg_path(file, outline)}"/>\n' for outline in file.outlines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n'
        f'<g fill="none" stroke="#000000" stroke-width="0.1">\n{paths}</g>\n</svg>\n'
    ).encode()


def _format_svg_path(file: CutFile, outline: Outline) -> str:
    """Format an outline as SVG path data, y downwards."""
    height = file.paper.height
    x, y, _ = outline[0]
    parts = [f"M{format_decimal(x)} {format_decimal(height - y)}"]
    for (x1, y1, bulge), (x2, y2, _) in walk_edges(outline):
        end = f"{format_decimal(x2)} {format_decimal(height - y2)}"
        if bulge:
            radius = format_decimal(compute_radius((x1, y1), (x2, y2), bulge))
            # Counter-clockwise with y upwards is sweep 0 in SVG, where y runs down.
            parts.append(f"A{radius} {radius} 0 {int(abs(bulge) > 1)} {int(bulge < 0)} {end}")
        else:
            parts.append(f"L{end}")
    return " ".join([*parts, "Z"])
