"""The game's icons, 24 × 24, black with cut-outs.

python art/draw/icons.py    rewrites art/icons/*.svg
"""

from __future__ import annotations

from press import ART, star, tie

B, W = 'fill="#000"', 'fill="#fff"'
S = 'fill="none" stroke="#000" stroke-width="{}"'
SOLDIER = (
    f'<circle cx="12" cy="6.4" r="3.4" {B}/><path d="M5.4 22Q4.6 11 12 10.6Q19.4 11 18.6 22Z" {B}/>'
)


def p(d: str, white: bool = False) -> str:
    """A filled path."""
    return f'<path d="{d}" {W if white else B}/>'


def c(x: float, y: float, r: float, white: bool = False) -> str:
    """A disc."""
    return f'<circle cx="{x}" cy="{y}" r="{r}" {W if white else B}/>'


def s(d: str, width: float = 2, white: bool = False) -> str:
    """A stroke."""
    ink = "#fff" if white else "#000"
    return f'<path d="{d}" fill="none" stroke="{ink}" stroke-width="{width}"/>'


PLANE = "M12 1.4Q14 3 14 7L22.6 13V16L14 13.4V18L17 20.4V22.6L12 21.2L7 22.6V20.4L10 18V13.4L1.4 16V13L10 7Q10 3 12 1.4Z"
TRUCK = "M1 6H14V16H1ZM15 9H19.4L23 13V17H15ZM1 16H23V18H1Z"

ICONS = {
    "beret": p("M2 13Q1 5 10 4Q22 3 22.6 10Q22 13 18 13.6L17.6 16.6L3 19Z")
    + star(15.4, 9.2, 2.8, "#fff"),
    "tie": tie(12, 12, 11, "#000"),
    "kit": p("M2 8H22V21H2Z")
    + s("M8 8V4.6H16V8", 2)
    + p(
        "M6 11.4Q7.4 9.6 8.8 11.4V18H6ZM10.6 11.4Q12 9.6 13.4 11.4V18H10.6ZM15.2 11.4Q16.6 9.6 18 11.4V18H15.2Z",
        True,
    ),
    "suppressed": p("M1 20H23V22H1Z")
    + p("M3 19Q3 12 10 12H21V19Z")
    + c(6, 9.4, 3.4)
    + s("M10 3L13 7M16 1.6L16.6 6.4M22 3L19.4 7", 1.8),
    "president": p("M5 9L3.4 4.4Q12 0 20.8 4.8L18.8 9Z")
    + s("M6 10Q5 14.6 7.6 18.2H13.2Q16 18.2 15.8 15L17.6 14.6L16.6 11", 1.5)
    + p("M5 9.4H20.6L23 12H17.6L17 13.6H13L12.2 11.6H5Z")
    + p("M1 24Q2 19 7 19H14Q21 19 23 24Z")
    + star(12.4, 5.6, 2.4, "#fff"),
    "fighter": p(PLANE),
    "bomber": p(PLANE)
    + c(5.4, 19.6, 1.7)
    + c(18.6, 19.6, 1.7)
    + p("M4.7 15.4H6.1V18H4.7ZM17.9 15.4H19.3V18H17.9Z"),
    "feast": p("M2 12Q2 10 4 10H20Q22 10 22 12V22H2Z")
    + s("M2 15Q5 18 8 15T14 15T20 15T26 15", 1.6, True)
    + p("M6.4 4.4H8.2V10H6.4ZM11.1 4.4H12.9V10H11.1ZM15.8 4.4H17.6V10H15.8Z")
    + c(7.3, 2.6, 1.4)
    + c(12, 2.6, 1.4)
    + c(16.7, 2.6, 1.4),
    "coin": c(12, 12, 11)
    + '<circle cx="12" cy="12" r="8.6" fill="none" stroke="#fff" stroke-width="1.2"/>'
    + p("M7 17V7H9.6L12 11.4L14.4 7H17V17H14.8V10.8L12.8 14.6H11.2L9.2 10.8V17Z", True),
    "owe": c(12, 12, 11)
    + '<circle cx="12" cy="12" r="8.6" fill="none" stroke="#fff" stroke-width="1.2"/>'
    + p("M6.6 10.6H17.4V13.6H6.6Z", True),
    "clock": p("M4 0.8H20V4L14 12L20 20V23.2H4V20L10 12L4 4Z")
    + p("M7.4 3.6H16.6L12 9.6ZM8 20.4Q12 15 16 20.4Z", True),
    "truck": p(TRUCK)
    + c(6, 19, 3.2)
    + c(18, 19, 3.2)
    + c(6, 19, 1.2, True)
    + c(18, 19, 1.2, True)
    + p("M16.4 10.4H18.8L20.8 12.8H16.4Z", True),
    "rifles": SOLDIER + s("M3 20L21 8.4", 3.6, True) + s("M2 20.6L22 7.8", 2),
    "militia": SOLDIER
    + p("M7 5Q7.4 1.6 12 1.6Q15.6 1.6 16 4.6L20 6H7Z")
    + c(12, 15, 2.4, True)
    + p("M12 13.4H17V15H12Z", True),
    "mercenaries": SOLDIER
    + p("M3.6 5.4Q7.4 4.6 8 2.4Q12 0 16 2.4Q16.6 4.6 20.4 5.4Q12 7 3.6 5.4Z")
    + p("M9 7H15.6V8.6Q13.8 10 12.6 8.4Q11 10 9 8.6Z", True)
    + p("M9.4 12.4H14.6L12.8 14.2L14.8 19.4L12 21.4L9.2 19.4L11.2 14.2Z", True),
    "light-tank": p("M3 14.6L5.4 10.4H18.6L21 14.6Z")
    + p("M7.4 9.6L8.8 5.4H14L15.6 9.6Z")
    + p("M14 6.6H23V8H14Z")
    + p("M4 15.4H20Q23 15.4 23 18.4Q23 21.4 20 21.4H4Q1 21.4 1 18.4Q1 15.4 4 15.4Z")
    + c(4.8, 18.4, 1.5, True)
    + c(9.6, 18.4, 1.5, True)
    + c(14.4, 18.4, 1.5, True)
    + c(19.2, 18.4, 1.5, True),
    "source": p("M12 0.6L22 6.4V17.6L12 23.4L2 17.6V6.4Z")
    + p("M8 17V7H10.4L12 10.4L13.6 7H16V17H14V11L12.6 13.8H11.4L10 11V17Z", True),
    "s-banana": p("M4 2.6L7 2Q8 14 21 16.6L22 20Q8 23 3.6 11Q2.6 6 4 2.6Z")
    + s("M6 8Q9 16 19 18.4", 1, True),
    "s-coffee": p("M4.6 19.4Q0 11 7 4.6Q14 -1 19.4 4.6Q24 13 17 19.4Q10 25 4.6 19.4Z")
    + s("M5 20Q8 12.6 12 12T19 4", 1.8, True),
    "s-sugar": p("M1 22V12L8 16V12L15 16V6H19L20.6 22Z")
    + c(18, 3.6, 1.8)
    + c(21.4, 2.4, 1.4)
    + p("M4 18H7V20H4ZM10 18H13V20H10Z", True),
    "s-fish": p("M1 12Q8 3 16.4 10L23 5.4V18.6L16.4 14Q8 21 1 12Z")
    + c(6, 11, 1.3, True)
    + s("M10.4 7.4Q12.4 12 10.4 16.6", 1.2, True),
    "s-tin": s("M4.4 21.6L17 7.6", 2.8) + p("M7 4.6Q17 0.6 22.4 12.4L21 15.6Q16.6 7.6 8.6 7.4Z"),
    "s-hotel": s("M12.6 22Q10.6 15 13 9", 2)
    + p("M13 9.4Q5 4 1.6 11.4Q8 8.4 13 9.4ZM13 9.4Q19 4 23 11.4Q18 8.4 13 9.4Z")
    + p("M13 9.4Q9 1 4 4Q10 4.6 13 9.4ZM13 9.4Q15 1 21 3.6Q15.4 5 13 9.4Z")
    + p("M3 21H21V23H3Z"),
    "s-sawmill": "".join(
        c(x, y, 5.3) + c(x, y, 3.4, True) + c(x, y, 1.8)
        for x, y in ((6, 17), (17.6, 17), (11.8, 7))
    ),
    "s-cannery": p("M4 5Q4 2.4 12 2.4T20 5V19Q20 21.6 12 21.6T4 19Z")
    + s("M4.6 6.4Q12 9.6 19.4 6.4", 1.3, True)
    + p("M6.4 14.4Q10 10.4 14 13.6L17.6 11.6V17.2L14 15.2Q10 18.4 6.4 14.4Z", True),
    "s-casino": p("M2.6 2.6H21.4V21.4H2.6Z")
    + "".join(
        c(x, y, 2, True) for x, y in ((7.4, 7.4), (16.6, 7.4), (12, 12), (7.4, 16.6), (16.6, 16.6))
    ),
    "s-customs": p("M8.6 5Q8.6 1.6 12 1.6T15.4 5Q15.4 9 14.4 12H21V18H3V12H9.6Q8.6 9 8.6 5Z")
    + p("M3 20H21V22.4H3Z"),
    "morale": p(
        "M12 22Q1 14 1.6 7.6Q2.2 2.6 7 2.4Q10.4 2.4 12 5.6Q13.6 2.4 17 2.4Q21.8 2.6 22.4 7.6Q23 14 12 22Z"
    ),
    "radio": s("M12 10L7 23M12 10L17 23M9 18H15", 1.8)
    + c(12, 8, 2.4)
    + s("M7.4 12Q4.4 8 7.4 4M4.6 14Q0.6 8 4.6 2M16.6 12Q19.6 8 16.6 4M19.4 14Q23.4 8 19.4 2", 1.8),
    "accuracy": '<circle cx="12" cy="12" r="8.4" fill="none" stroke="#000" stroke-width="2.4"/>'
    + s("M12 0.6V8M12 16V23.4M0.6 12H8M16 12H23.4", 2.2)
    + c(12, 12, 1.8),
    "ammo": p("M2.6 9Q5 4 7.4 9V22H2.6ZM9.6 9Q12 4 14.4 9V22H9.6ZM16.6 9Q19 4 21.4 9V22H16.6Z")
    + s("M2 18H22", 1.2, True),
    "indirect": s("M2 19Q9 1 20 14", 2.4)
    + p("M22.6 19L15.4 15.4L21.4 11.4Z")
    + p("M0.6 20H5V23H0.6Z")
    + s("M10.6 23V16H14V23", 2),
    "vp": c(12, 12, 11.2) + c(12, 12, 9.2, True) + star(12, 12.4, 8, "#000"),
    "airfield": c(12, 12, 11.4)
    + f'<g transform="translate(4.2 4.2) scale(0.65)"><path d="{PLANE}" fill="#fff"/></g>',
    "o-move": p("M2 9H13V3L23 12L13 21V15H2Z"),
    "o-fire": p(
        "M12 0.6L14.4 7L20 3L17.4 9.2L23.4 12L17.4 14.8L20 21L14.4 17L12 23.4L9.6 17L4 21L6.6 14.8L0.6 12L6.6 9.2L4 3L9.6 7Z"
    )
    + c(12, 12, 2.6, True),
    "o-assault": s("M3 3L18 18M21 3L6 18", 2.8)
    + s("M13.6 20.4L20.4 13.6M3.6 13.6L10.4 20.4", 2.2)
    + c(20.4, 20.4, 2)
    + c(3.6, 20.4, 2),
    "o-defend": p("M12 0.8L21.6 4.4V12Q20.6 19.6 12 23.4Q3.4 19.6 2.4 12V4.4Z")
    + p("M12 4.4V19.4Q6.4 16.6 5.6 11.6V6.8Z", True),
    "o-burn": p(
        "M12.6 0.6Q12 5 16.6 8.4Q18 6.8 17.6 4.6Q22.6 9.6 21 15.6Q19 23.4 12 23.4Q4.6 23.4 3 16.4Q2 10.6 6.6 7.4Q6.4 10 8 11.2Q8 5 12.6 0.6Z"
    )
    + p("M12 13Q15.6 16 14.6 19Q13.8 21 12 21Q9.6 21 9.2 18.4Q9.2 15.4 12 13Z", True),
    "o-suppress": p("M1 19H23V22H1Z") + p("M2 8L10 11V7L17 11V7L23 12L17 16V13L10 15V12.6L2 15Z"),
    "o-sortie": f'<g transform="translate(12 11) rotate(45) scale(0.86) translate(-12 -12)"><path d="{PLANE}" fill="#000"/></g>'
    + s("M2 22L7 17", 2),
    "o-mount": p("M1 15H23V18H1Z")
    + c(6, 19.6, 3)
    + c(18, 19.6, 3)
    + p("M5 8H14V11.4H5ZM14 8.8H22.6V10.4H14Z")
    + s("M8 11V15M11.4 11V15", 1.6),
    "o-load": p("M2 12H22V15L20 22H4L2 15Z") + p("M10 0.6H14V5.4H18L12 11L6 5.4H10Z"),
    "city": c(12, 12, 10),
    "capital": star(12, 12.8, 11.8, "#000"),
    "village": p("M3.6 3.6H20.4V20.4H3.6Z"),
    "bridge": s("M0.6 16Q12 2 23.4 16", 2.4)
    + p("M0.6 15H23.4V18H0.6Z")
    + s("M6 10V22M12 8V22M18 10V22", 1.8),
    "strength": c(7, 6, 3)
    + c(17, 6, 3)
    + p("M1.6 20Q1 10 7 10Q11 10 12 13Q13 10 17 10Q23 10 22.4 20Z"),
    "move": s("M5 22L10 2M19 22L14 2", 2.4) + s("M12 20V15.6M12 12.4V9M12 6V3", 1.8),
}


def main() -> None:
    """Write every icon."""
    folder = ART / "icons"
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in ICONS.items():
        text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">\n{body}\n</svg>\n'
        (folder / f"{name}.svg").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
