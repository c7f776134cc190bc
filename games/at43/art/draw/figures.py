"""All figures, before and behind.

    python art/draw/figures.py    rewrites art/figures/*.svg

Standard library only, no randomness. A picture is as wide as the figure's base.
"""

from __future__ import annotations

from collections.abc import Callable

from pen import Pen
from therian import Golem, chassis, feeder, golem
from una import Soldier, mortar, rocket, soldier, strider

SMALL, LARGE, TANK = (250, 360), (400, 580), (600, 800)

LINE = {"bulk": 0.94, "pads": 0.82}
ASSAULT = {"bulk": 1.1, "pads": 1.2}
UNA = {
    "una-linja-soldier": Soldier(**LINE),
    "una-linja-special": Soldier("mg", **LINE, pack="tank"),
    "una-linja-specialist": Soldier("tool", **LINE, pack="radio"),
    "una-linja-officer": Soldier("pistol", **LINE, head="cap", chevrons=2, coat=True),
    "una-tarkka-soldier": Soldier(
        "sniper", bulk=0.9, pads=0.7, head="hood", cloak=True, pack="none"
    ),
    "una-tarkka-officer": Soldier(
        "pistol", bulk=0.9, pads=0.7, head="cap", cloak=True, pack="none", chevrons=2
    ),
    "una-rynnakko-soldier": Soldier("carbine", **ASSAULT),
    "una-rynnakko-special": Soldier("plasma", **ASSAULT, pack="tank"),
    "una-rynnakko-specialist": Soldier("tool", **ASSAULT, pack="radio"),
    "una-rynnakko-officer": Soldier("pistol", **ASSAULT, head="cap", chevrons=3, coat=True),
    "una-saarto-hero": Soldier(
        "sabre", bulk=1.06, pads=1.05, head="bare", chevrons=2, coat=True, pack="none"
    ),
}
HEAVY = {"bulk": 1.3, "pads": 1.4, "scale": 1.4}
UNA_LARGE = {
    "una-raskas-soldier": Soldier("twin", **HEAVY, pack="small"),
    "una-raskas-officer": Soldier("twin", **HEAVY, pack="radio", chevrons=3, head="cap"),
}
THERIAN = {
    "th-sarja-soldier": Golem(),
    "th-sarja-special": Golem("cutter", bulk=1.05),
    "th-sarja-specialist": Golem("gun", tail=True, head="eye"),
    "th-sarja-officer": Golem("gun", crest="ring", head="overseer"),
    "th-viiltajat-soldier": Golem("blades", head="blade", bulk=0.9, scale=0.86),
    "th-viiltajat-officer": Golem("blades", head="blade", bulk=0.9, scale=0.86, crest="ring"),
    "th-tarkkaimet-soldier": Golem("needle", head="eye", bulk=0.9),
    "th-kuu-hero": Golem("command", head="overseer", crest="moon", robe=True, scale=0.9),
}
BREAKER = {"arms": "cluster", "bulk": 1.14, "scale": 1.34}
THERIAN_LARGE = {
    "th-murtajat-soldier": Golem(**BREAKER),
    "th-murtajat-officer": Golem(**BREAKER, crest="ring", head="overseer"),
}
CREWS: dict[str, Callable[[Pen, bool], None]] = {
    "una-kranaatti-soldier": mortar,
    "una-raketti-soldier": rocket,
    "th-nanosyotto-soldier": feeder,
}
TANKS = {
    "una-kevyt-kavelija-tank": lambda pen, back: strider(pen, 1, back),
    "una-kavelija-tank": lambda pen, back: strider(pen, 2, back),
    "una-raskas-kavelija-tank": lambda pen, back: strider(pen, 3, back),
    "th-kevyt-alusta-tank": lambda pen, back: chassis(pen, "light", back),
    "th-alusta-tank": lambda pen, back: chassis(pen, "medium", back),
    "th-pilkkoja-tank": lambda pen, back: chassis(pen, "cleaver", back),
    "th-raskas-alusta-tank": lambda pen, back: chassis(pen, "heavy", back),
}


def both(name: str, size: tuple[int, int], line: float, draw: Callable[[Pen, bool], None]) -> None:
    """The picture and, mirrored, the picture from behind, so that both halves meet edge to edge."""
    for back in (False, True):
        pen = Pen(line)
        draw(pen.at(flip=back), back)
        pen.save(f"figures/{name}{'-back' if back else ''}.svg", *size, name)


def main() -> None:
    for name, one in {**UNA, **UNA_LARGE}.items():
        both(
            name,
            SMALL if name in UNA else LARGE,
            3.5,
            lambda pen, back, s=one: soldier(pen, s, back),
        )
    for name, other in {**THERIAN, **THERIAN_LARGE}.items():
        both(
            name,
            SMALL if name in THERIAN else LARGE,
            3.5,
            lambda pen, back, g=other: golem(pen, g, back),
        )
    for name, crew in CREWS.items():
        both(name, LARGE, 3.5, crew)
    for name, tank in TANKS.items():
        both(name, TANK, 4.5, tank)


if __name__ == "__main__":
    main()
