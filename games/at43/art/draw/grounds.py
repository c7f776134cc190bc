"""Grounds of cards, backs and boards: the grid of the manual, stencilled plate, grown circuits.

    python art/draw/grounds.py    rewrites art/grounds/*.svg

Standard library only, no randomness.
"""

from __future__ import annotations

import math

from pen import ART, num


def write(name: str, width: float, height: float, body: str, title: str) -> None:
    file = ART / "grounds" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width)} {num(height)}" width="{num(width)}mm" height="{num(height)}mm">\n<title>{title}</title>\n{body}\n</svg>\n',
        encoding="utf-8", newline="\n",
    )  # fmt: skip


def lines(width: float, height: float, step: float, colour: str, stroke: float) -> str:
    d = "".join(f"M{num(x * step)} 0V{num(height)}" for x in range(int(width / step) + 1))
    d += "".join(f"M0 {num(y * step)}H{num(width)}" for y in range(int(height / step) + 1))
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>'


def plate(width: float, height: float, ground: str, fine: str, strong: str) -> str:
    """Squared paper of a drawing office."""
    return (
        f'<path d="M0 0H{num(width)}V{num(height)}H0z" fill="{ground}"/>'
        + lines(width, height, 2, fine, 0.1)
        + lines(width, height, 10, strong, 0.18)
    )


def stripes(width: float, height: float, step: float, colour: str) -> str:
    count = int((width + height) / step) + 1
    d = "".join(
        f"M{num(k * step * 2 - height)} {num(height)}L{num(k * step * 2)} 0h{num(step)}L{num(k * step * 2 + step - height)} {num(height)}z"
        for k in range(count)
    )
    return f'<path d="{d}" fill="{colour}"/>'


def circuit(width: float, height: float, colour: str, stroke: float, step: float) -> str:
    """Soft traces that turn in quarter circles and end in rings; the same every time."""
    parts, dots = [], []
    columns, rows = int(width / step) + 2, int(height / step) + 2
    for row in range(rows):
        for column in range(columns):
            x, y, kind = column * step, row * step, (column * 7 + row * 5 + column * row) % 6
            r = step / 2
            if kind in (0, 3):
                parts.append(
                    f"M{num(x)} {num(y + r)}A{num(r)} {num(r)} 0 0 0 {num(x + r)} {num(y)}M{num(x + r)} {num(y + step)}A{num(r)} {num(r)} 0 0 1 {num(x + step)} {num(y + r)}"
                )
            elif kind in (1, 4):
                parts.append(
                    f"M{num(x)} {num(y + r)}A{num(r)} {num(r)} 0 0 1 {num(x + r)} {num(y + step)}M{num(x + r)} {num(y)}A{num(r)} {num(r)} 0 0 0 {num(x + step)} {num(y + r)}"
                )
            elif kind == 2:
                parts.append(
                    f"M{num(x)} {num(y + r)}H{num(x + r * 0.6)}M{num(x + r * 1.4)} {num(y + r)}H{num(x + step)}M{num(x + r)} {num(y)}V{num(y + r * 0.6)}M{num(x + r)} {num(y + r * 1.4)}V{num(y + step)}"
                )
                dots.append((x + r, y + r, r * 0.4))
            else:
                parts.append(
                    f"M{num(x + r)} {num(y)}V{num(y + step)}M{num(x)} {num(y + r)}H{num(x + r * 0.55)}M{num(x + r * 1.45)} {num(y + r)}H{num(x + step)}"
                )
    rings = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="none" stroke="{colour}" stroke-width="{stroke}"/><circle cx="{num(x)}" cy="{num(y)}" r="{num(r * 0.4)}" fill="{colour}"/>'
        for x, y, r in dots
    )
    return (
        f'<path d="{"".join(parts)}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>{rings}'
    )


def una_back(width: float, height: float) -> str:
    """Plate with rivets, hazard stripes and the stencilled chevron."""
    cx, cy = width / 2, height / 2
    body = f'<path d="M0 0H{width}V{height}H0z" fill="#4a5132"/>'
    body += f'<path d="M0 0H{width}V{num(height * 0.3)}L0 {num(height * 0.52)}z" fill="#59613a"/>'
    body += f'<path d="M0 {num(height * 0.78)}L{width} {num(height * 0.6)}V{height}H0z" fill="#3c4329"/>'
    body += f'<g transform="translate(0 {num(height - 15)})"><path d="M0 0H{width}V15H0z" fill="#20231d"/>{stripes(width, 15, 5, "#d4611c")}</g>'
    s = width * 0.36
    for k, colour in ((0, "#d4611c"), (1, "#b7bb8c"), (2, "#b7bb8c")):
        y = cy - s * 0.35 + k * s * 0.5
        body += f'<path d="M{num(cx - s)} {num(y + s * 0.55)}L{num(cx - 1.5)} {num(y - s * 0.35)}V{num(y - s * 0.02)}L{num(cx - s)} {num(y + s * 0.88)}zM{num(cx + s)} {num(y + s * 0.55)}L{num(cx + 1.5)} {num(y - s * 0.35)}V{num(y - s * 0.02)}L{num(cx + s)} {num(y + s * 0.88)}z" fill="{colour}"/>'
    for x in (8, width - 8):
        for y in (8, height - 22):
            body += f'<circle cx="{num(x)}" cy="{num(y)}" r="1.8" fill="#343a25"/><circle cx="{num(x - 0.3)}" cy="{num(y - 0.3)}" r="1.2" fill="#8d9464"/>'
    return body


def therian_back(width: float, height: float) -> str:
    """A grown shell round one eye, current running to it."""
    cx, cy = width / 2, height / 2
    body = f'<path d="M0 0H{width}V{height}H0z" fill="#0b3640"/>' + circuit(
        width, height, "#12889b", 0.35, 9.5
    )
    for k, (rx, ry, colour) in enumerate(
        (
            (0.42, 0.32, "#b7ab8b"),
            (0.4, 0.302, "#e9e2cd"),
            (0.27, 0.27, "#0b3640"),
            (0.22, 0.22, "#12889b"),
            (0.13, 0.13, "#7fd3da"),
            (0.06, 0.06, "#f6f2e4"),
        )
    ):
        body += f'<ellipse cx="{num(cx)}" cy="{num(cy)}" rx="{num(width * rx)}" ry="{num((height if k < 2 else width) * ry)}" fill="{colour}" stroke="#20231d" stroke-width="{0.5 if k < 3 else 0}"/>'
    for k in range(12):
        a = 2 * math.pi * k / 12
        body += f'<circle cx="{num(cx + width * 0.245 * math.cos(a))}" cy="{num(cy + width * 0.245 * math.sin(a))}" r="0.9" fill="#7fd3da"/>'
    return body


def main() -> None:
    write(
        "grid-una.svg",
        80,
        50,
        plate(80, 50, "#dfdcbf", "#cfcda8", "#b4b388"),
        "Squared paper, olive",
    )
    write(
        "grid-therian.svg",
        80,
        50,
        plate(80, 50, "#d9e6e2", "#c6d9d6", "#a5c6c6"),
        "Squared paper, cyan",
    )
    write(
        "head-una.svg",
        320,
        30,
        '<path d="M0 0H320V30H0z" fill="#59613a"/><path d="M0 0H96L66 30H0z" fill="#4a5132"/>',
        "Plate",
    )
    write(
        "head-therian.svg",
        320,
        30,
        '<path d="M0 0H320V30H0z" fill="#0e4a56"/>' + circuit(320, 30, "#17697a", 0.4, 7.5),
        "Circuit",
    )
    write(
        "hazard.svg",
        160,
        5,
        '<path d="M0 0H160V5H0z" fill="#20231d"/>' + stripes(160, 5, 5, "#d4611c"),
        "Hazard stripes",
    )
    write(
        "hazard-wide.svg",
        200,
        3.5,
        '<path d="M0 0H200V3.5H0z" fill="#20231d"/>' + stripes(200, 3.5, 3.5, "#d4611c"),
        "Hazard stripes",
    )
    write(
        "pulse.svg",
        160,
        5,
        '<path d="M0 0H160V5H0z" fill="#0b3640"/>' + circuit(160, 5, "#7fd3da", 0.35, 5),
        "Current",
    )
    write("back-una.svg", 76, 126, una_back(76, 126), "Back of UNA")
    write("back-therian.svg", 76, 126, therian_back(76, 126), "Back of the Therians")
    write(
        "board-una.svg", 287, 200, plate(287, 200, "#ece6d2", "#e0dac0", "#cdc8a6"), "Squared paper"
    )
    write(
        "board-therian.svg",
        287,
        200,
        plate(287, 200, "#e9ebe0", "#d8e2dc", "#bfd5d2"),
        "Squared paper",
    )


if __name__ == "__main__":
    main()
