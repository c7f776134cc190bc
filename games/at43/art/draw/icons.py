"""Icons of tokens, tables and boxes.

    python art/draw/icons.py    rewrites art/icons/*.svg

Each is drawn in a box of 24; what is white is cut out.
"""

from __future__ import annotations

import math
from pathlib import Path

ICONS = Path(__file__).resolve().parents[1] / "icons"


def p(d: str, white: bool = False) -> str:
    return f'<path d="{d}" fill="{"#fff" if white else "#000"}"/>'


def line(d: str, width: float = 2.4, white: bool = False) -> str:
    colour = "#fff" if white else "#000"
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/>'


def dot(x: float, y: float, r: float, white: bool = False) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{"#fff" if white else "#000"}"/>'


def ring(x: float, y: float, r: float, width: float) -> str:
    return dot(x, y, r) + dot(x, y, r - width, True)


def star(x: float, y: float, r: float) -> str:
    spots = [
        (
            x + (r if k % 2 == 0 else r * 0.42) * math.sin(math.pi * k / 5),
            y - (r if k % 2 == 0 else r * 0.42) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]
    return p("M" + "L".join(f"{a:.2f} {b:.2f}" for a, b in spots) + "z")


MAN = dot(12, 4.4, 2.9) + p("M6 20l1-9 2-2.6h6l2 2.6 1 9h-3l-1-5-.6 8h-2.8l-.6-8-1 5z")
CROSSHAIR = ring(12, 12, 8.4, 2.2) + line("M12 1v6M12 17v6M1 12h6M17 12h6", 2.2) + dot(12, 12, 1.8)
DRAWN = {
    "una": p("M2 14L12 4l10 10v7L12 11 2 21z") + p("M9 21l3-3 3 3z"),
    "therian": ring(12, 12, 10.5, 2.6)
    + dot(12, 12, 4.4)
    + dot(12, 12, 1.7, True)
    + dot(12, 1.8, 1.6)
    + dot(12, 22.2, 1.6),
    "star": star(12, 13, 11),
    "chevron": p("M3 8l9 7 9-7v6l-9 7-9-7z"),
    "box": p("M3 3h18v18H3z") + p("M5 5h14v14H5z", True),
    "lp": p("M12 1.5L21 7v10l-9 5.5L3 17V7z") + star(12, 12.6, 6.6).replace("#000", "#fff"),
    "kneel": dot(13, 4.5, 3) + p("M9.5 8.5h6l2 7h3.5v6h-3v-3h-5l-1-4-3 3v4H3v-3h3v-4z"),
    "overwatch": p(
        "M12 5.5C6.5 5.5 2.5 9 .8 12c1.7 3 5.7 6.5 11.2 6.5S21.5 15 23.2 12C21.5 9 17.5 5.5 12 5.5z"
    )
    + dot(12, 12, 5, True)
    + dot(12, 12, 3)
    + line("M12 1v4M12 19v4", 2),
    "cover": p("M2 13h6v4H2zM9 13h6v4H9zM16 13h6v4h-6zM2 18h6v4H2zM9 18h6v4H9zM16 18h6v4h-6z")
    + dot(12, 5.5, 3.3)
    + p("M6 12c0-2.5 2-3.5 6-3.5s6 1 6 3.5z"),
    "split": line("M3 12h6L18 5M9 12l9 7", 2.6)
    + p("M16 1.5l6.5 1.2-3.6 5.6zM16 22.5l6.5-1.2-3.6-5.6z")
    + dot(3.5, 12, 2.5),
    "disorganized": line("M4 20L9 4M12 20V10M19 20L15.5 6", 2.8)
    + dot(9.8, 2.8, 2)
    + dot(12, 7, 2)
    + dot(15, 4, 2)
    + line("M2 22h20", 2),
    "engaged": line("M4 4l16 16M20 4L4 20", 3.2) + line("M2 15l7 7M22 15l-7 7", 2.4),
    "grounded": dot(4.5, 14.5, 3)
    + p("M8 12.5h8l6.5 4.5v2.5H8z")
    + line("M2 22h20", 2)
    + line("M12 2v6M9 5.5l3 3 3-3", 2.2),
    "activated": line("M3 13l6 6L21 5", 4),
    "captured": p("M4 1.5h2.6v21H4z") + p("M7.5 3h14l-4 5 4 5h-14z"),
    "passed": p("M3 4l8 8-8 8zM12 4l8 8-8 8z") + p("M20 4h2.5v16H20z"),
    "air": p(
        "M12 1l2.2 7L23 13v3l-8.8-2L14 19l3 2.5V23l-5-1.2L7 23v-1.5L10 19l-.2-5L1 16v-3l8.8-5z"
    ),
    "vp": p("M5 2h14v6c0 5-3 8-5.5 8.6V19H17v3H7v-3h3.5v-2.4C8 16 5 13 5 8z")
    + line("M5 4H1.5c0 4 1.5 6 4 6.5M19 4h3.5c0 4-1.5 6-4 6.5", 1.8),
    "rp": p("M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"),
    "phase": p("M5 2l14 10L5 22z"),
    "sp": p(
        "M12 1l3 3.5 4.5-.7.7 4.5L23.5 12l-3.3 3.7-.7 4.5-4.5-.7L12 23l-3-3.5-4.5.7-.7-4.5L.5 12l3.3-3.7.7-4.5 4.5.7z"
    )
    + dot(12, 12, 4.5, True),
    "round": line("M19.5 8A8.5 8.5 0 1 0 20.5 12", 3) + p("M22.5 2v8.5H14z"),
    "starting": p("M3 1.5h2.6v21H3z")
    + p("M6.5 3H22v11H6.5z")
    + p(
        "M10.4 3h3.9v3.7h-3.9zM18.1 3H22v3.7h-3.9zM6.5 6.7h3.9v3.6H6.5zM14.3 6.7h3.8v3.6h-3.8zM10.4 10.3h3.9V14h-3.9zM18.1 10.3H22V14h-3.9z",
        True,
    ),
    "objective": CROSSHAIR,
    "position": p("M12 1l11 11-11 11L1 12z")
    + p("M12 5.5l6.5 6.5-6.5 6.5L5.5 12z", True)
    + dot(12, 12, 3),
    "dash": line("M2 7h8M1 12h9M2 17h8", 2.4) + p("M11 3l11 9-11 9z"),
    "nucleus": dot(12, 12, 3.6)
    + line(
        "M2 12c0-3 4.5-5 10-5s10 2 10 5-4.5 5-10 5-10-2-10-5zM12 2c3 0 5 4.5 5 10s-2 10-5 10-5-4.5-5-10 2-10 5-10z",
        1.8,
    ),
    "transfer": line("M3 8h15M21 16H6", 2.8) + p("M15.5 2.5L23 8l-7.5 5.5zM8.5 10.5L1 16l7.5 5.5z"),
    "rebuild": MAN + line("M3.5 8V2.5M.8 5.2h5.5", 2),
    "repair": p(
        "M15 1.5a6.5 6.5 0 0 0-5.6 9L1.5 18.4l4.1 4.1 7.9-7.9a6.5 6.5 0 0 0 8.6-8.1l-3.9 3.9-4-1-1-4L17 1.5z"
    ),
    "creation": ring(12, 12, 10.8, 2.2) + p("M10.4 6h3.2v4.4H18v3.2h-4.4V18h-3.2v-4.4H6v-3.2h4.4z"),
    "fusion": ring(7.8, 12, 7.2, 2.4) + line("M16.2 6A6 6 0 1 1 16.1 18", 2.4) + dot(12, 12, 2.6),
    "tactics": p("M3 2h13l5 5v15H3z")
    + p("M5.5 4.5h9V9h4v10.5h-13z", True)
    + line("M8 17l3-4M14 11l2-1", 1.8)
    + line("M8 9l2.5 2.5M10.5 9L8 11.5M14.5 14.5L17 17M17 14.5L14.5 17", 1.6),
    "infantry": MAN,
    "support": line("M4 21L12 12l8 9", 2.6) + p("M2.5 9.5L19 3l2 5L4.5 14.5z"),
    "afv": p("M4 3h11l6 4v5H4zM15 6h8v2h-8z") + line("M9 12L5 16l4 5M15 12l-3 4 4 5", 2.6),
    "hero": star(12, 13, 11) + dot(12, 13, 3, True),
    "direct": line("M2 12h15", 3) + p("M14.5 5l8.5 7-8.5 7z"),
    "indirect": line("M2 20C4 6 14 2 19 13", 2.8) + p("M22.5 9.5L20.5 19l-7.5-5.5z"),
    "melee": p(
        "M4 2l11.5 11.5-2 2L2 4zM12 16.5l4.5-4.5 2 2-4.5 4.5zM17 16.5l4.5 4.5-1.5 1.5-4.5-4.5z"
    ),
    "legs": p("M7 1h10l-1 8 3 6-2 5h5v3H12v-3l2-5-2-5-2 5 2 5v3H2v-3h5l-2-5 3-6z"),
    "body": p("M5 4l4-2h6l4 2 3 8-4 10H6L2 12z") + p("M8 8h8v4H8z", True),
    "weapon": p("M1 8h13v3h9v3h-9v3h-3v5H7v-5H1z"),
    "scissors": ring(5.5, 6, 3.6, 1.6)
    + ring(5.5, 18, 3.6, 1.6)
    + line("M8.5 8L22 17M8.5 16L22 7", 2),
    "locked": p("M4 11h16v11H4z")
    + line("M7.5 11V7.5a4.5 4.5 0 0 1 9 0V11", 2.6)
    + dot(12, 16.5, 2, True),
}


if __name__ == "__main__":
    ICONS.mkdir(parents=True, exist_ok=True)
    for name, body in DRAWN.items():
        text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{body}</svg>\n'
        (ICONS / f"{name}.svg").write_text(text, encoding="utf-8", newline="\n")
