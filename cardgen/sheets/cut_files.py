"""Cut files: outlines of a sheet's pieces for cutting machines, as DXF and SVG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cardgen.core.units import Size, format_decimal
from cardgen.game.shapes import Outline, Point, compute_radius, walk_edges

CUT_FILE_KINDS = ("dxf", "svg")
_INKSCAPE = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
_LAYER_COLOURS = {"cut": (7, "#000000"), "fold": (5, "#0000ff")}
"""Colours of layers: by AutoCAD's index, and in SVG."""


@dataclass(frozen=True)
class CutFile:
    """Outlines to cut on one sheet, in mm from the paper's bottom left, and further lines by
    their layer: `cut` and `fold`. A line that ends where it begins is closed."""

    kind: str
    paper: Size
    outlines: tuple[Outline, ...]
    lines: Mapping[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)


def turn_to_landscape(paper: Size, outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    """Return the outlines on the same paper, turned clockwise so that its left side becomes its
    top."""
    return tuple(tuple((y, paper.width - x, b) for x, y, b in each) for each in outlines)


def turn_file(file: CutFile) -> CutFile:
    """Return the file with everything turned as `turn_to_landscape` does."""
    lines = {
        layer: tuple(tuple((y, file.paper.width - x) for x, y in line) for line in found)
        for layer, found in file.lines.items()
    }
    outlines = turn_to_landscape(file.paper, file.outlines)
    return replace(file, paper=file.paper.rotate(), outlines=outlines, lines=lines)


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
    document.layers.add("cut", color=_LAYER_COLOURS["cut"][0])
    for layer in (each for each in file.lines if each != "cut"):
        document.layers.add(layer, color=_LAYER_COLOURS[layer][0])
    model = document.modelspace()
    for outline in file.outlines:
        points = [(round(x, 6), round(y, 6), bulge) for x, y, bulge in outline]
        model.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": "cut"})
    for layer, lines in file.lines.items():
        for line in lines:
            closed = line[0] == line[-1]
            points_ = [(round(x, 6), round(y, 6)) for x, y in (line[:-1] if closed else line)]
            model.add_lwpolyline(points_, close=closed, dxfattribs={"layer": layer})
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
    groups = f'<g fill="none" stroke="#000000" stroke-width="0.1">\n{paths}</g>\n'
    if file.lines:
        groups = "".join(_format_svg_layer(file, layer) for layer in file.lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{_INKSCAPE if file.lines else ""} '
        f'width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n'
        f"{groups}</svg>\n"
    ).encode()


def _format_svg_layer(file: CutFile, layer: str) -> str:
    """Format the lines of a layer as a group, which Inkscape shows as a layer, too."""
    paths = "".join(
        f'<path d="M{" L".join(_format_svg_point(file, point) for point in line)}"/>\n'
        for line in file.lines[layer]
    )
    return (
        f'<g id="{layer}" inkscape:groupmode="layer" inkscape:label="{layer}" fill="none" '
        f'stroke="{_LAYER_COLOURS[layer][1]}" stroke-width="0.1">\n{paths}</g>\n'
    )


def _format_svg_point(file: CutFile, point: Point) -> str:
    return f"{format_decimal(point[0])} {format_decimal(file.paper.height - point[1])}"


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
