"""Draws the grounds of the blocks: what the enemy sees is alike from either side and turned about.

    python art/draw/backs.py

Lengths are 0.1 mm; the panel is 40 × 13 mm, and its cloth goes on beyond it on all sides.
"""

from __future__ import annotations

from pathlib import Path

ART = Path(__file__).resolve().parents[1]
WIDE, HIGH = 480, 180
PAPER, CRIMSON, FRENCH, AUSTRIAN = "#f3e8d0", "#b3202e", "#2b4a80", "#a8322b"


def rays(step: int) -> str:
    """Fine lines across the panel both ways, as of cloth, the same turned upside down."""
    lines = ""
    for x in range(-HIGH, WIDE + 1, step):
        lines += f"M{x} 0L{x + HIGH} {HIGH}M{WIDE - x} 0L{WIDE - x - HIGH} {HIGH}"
    look = f'fill="none" stroke="{PAPER}" stroke-opacity=".22" stroke-width="1.6"'
    return f'<path d="{lines}" {look}/>'


def cockade() -> str:
    """Rings round the middle and pleats between them."""
    pleats = "".join(
        f'<path d="M0 -28L2 -41L-2 -41z" transform="rotate({turn})"/>' for turn in range(0, 360, 15)
    )
    return (
        f'<g transform="translate({WIDE / 2} {HIGH / 2})"><circle r="50" fill="{FRENCH}"/>'
        f'<circle r="45" fill="{PAPER}"/><g fill="{CRIMSON}">{pleats}</g>'
        f'<circle r="28" fill="{CRIMSON}"/><circle r="24" fill="{PAPER}"/>'
        f'<circle r="15" fill="{FRENCH}"/></g>'
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
        f'<path d="{vein}" fill="none" stroke="{AUSTRIAN}" stroke-width="2.4"/>'
    )
    return (
        f'<g transform="translate({WIDE / 2} {HIGH / 2})">'
        f'<ellipse rx="104" ry="44" fill="{AUSTRIAN}"/>{side}<g transform="rotate(180)">{side}</g>'
        f'<circle r="10" fill="{PAPER}"/><circle r="5" fill="{AUSTRIAN}"/></g>'
    )


def panel(ground: str, emblem: str) -> str:
    """The whole panel, its cloth to the edges: a frame would show how a label was cut."""
    size = f'viewBox="0 0 {WIDE} {HIGH}" width="48mm" height="18mm"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            f'<rect width="{WIDE}" height="{HIGH}" fill="{ground}"/>',
            rays(20),
            emblem,
            "</svg>\n",
        ]
    )


def main() -> None:
    """Write both files."""
    folder = ART / "blocks"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("fr", panel(FRENCH, cockade())), ("at", panel(AUSTRIAN, oak()))):
        (folder / f"back-{name}.svg").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
