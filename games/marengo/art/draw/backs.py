"""Draws the grounds of the blocks: what the enemy sees is alike from either side and turned about.

    python art/draw/backs.py

Lengths are 0.1 mm; the panel is 40 × 13 mm with 1 mm of bleed at its sides.
"""

from __future__ import annotations

from pathlib import Path

ART = Path(__file__).resolve().parents[1]
WIDE, HIGH = 420, 130
PAPER = "#f3e8d0"


def rays(count: int) -> str:
    """Fine lines across the panel, as of cloth, the same turned upside down."""
    step = WIDE / count
    lines = "".join(
        f"M{k * step:.1f} 0L{k * step + HIGH / 2:.1f} {HIGH / 2:.1f}L{k * step:.1f} {HIGH}"
        for k in range(-count // 6, count + 1)
    )
    mirrored = "".join(
        f"M{WIDE - k * step:.1f} 0L{WIDE - k * step - HIGH / 2:.1f} {HIGH / 2:.1f}L{WIDE - k * step:.1f} {HIGH}"
        for k in range(-count // 6, count + 1)
    )
    return f'<path d="{lines}{mirrored}" fill="none" stroke="{PAPER}" stroke-opacity=".22" stroke-width="1.6"/>'


def cockade() -> str:
    """Rings round the middle and pleats between them."""
    pleats = "".join(
        f'<path d="M0 -28L2 -41L-2 -41z" transform="rotate({turn})"/>' for turn in range(0, 360, 15)
    )
    return (
        f'<g transform="translate({WIDE / 2} {HIGH / 2})"><circle r="50" fill="#2b4a80"/>'
        f'<circle r="45" fill="{PAPER}"/><g fill="#b3202e">{pleats}</g>'
        '<circle r="28" fill="#b3202e"/><circle r="24" fill="#f3e8d0"/><circle r="15" fill="#2b4a80"/></g>'
    )


def oak() -> str:
    """A sprig with a leaf to either side and an acorn's cup between them."""
    leaf = (
        "M6 0C10 -18 20 -22 27 -16C30 -26 44 -26 46 -15C54 -24 66 -20 65 -10C76 -14 88 -8 90 0"
        "C88 8 76 14 65 10C66 20 54 24 46 15C44 26 30 26 27 16C20 22 10 18 6 0z"
    )
    vein = "M4 0H80M26 0L34 -12M26 0L34 12M46 0L54 -11M46 0L54 11M64 0L71 -6M64 0L71 6"
    side = (
        f'<path d="{leaf}" fill="{PAPER}"/>'
        f'<path d="{vein}" fill="none" stroke="#a8322b" stroke-width="2.4"/>'
    )
    return (
        f'<g transform="translate({WIDE / 2} {HIGH / 2})"><ellipse rx="104" ry="44" fill="#a8322b"/>{side}'
        f'<g transform="rotate(180)">{side}</g><circle r="10" fill="{PAPER}"/><circle r="5" fill="#a8322b"/></g>'
    )


def panel(ground: str, emblem: str) -> str:
    """The whole panel."""
    frame = f'<rect x="18" y="8" width="{WIDE - 36}" height="{HIGH - 16}" fill="none" stroke="{PAPER}" stroke-width="3"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="42mm" height="13mm">\n'
        f'<rect width="{WIDE}" height="{HIGH}" fill="{ground}"/>\n{rays(24)}\n{frame}\n{emblem}\n</svg>\n'
    )


def main() -> None:
    """Write both files."""
    folder = ART / "blocks"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("fr", panel("#2b4a80", cockade())), ("at", panel("#a8322b", oak()))):
        (folder / f"back-{name}.svg").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
