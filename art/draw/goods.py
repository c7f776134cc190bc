"""The goods a unit carries, as chips: a toilet, a washing machine, a painting.

    python art/draw/goods.py    rewrites art/goods/*.svg

A chip is 13.5 × 12.7 mm with 3 mm over on every side; the object stands on the left, its worth is
printed on the right. Units are 0.1 mm.
"""

from __future__ import annotations

from svg import INK, PAPER, circle, document, element, fill, save

WIDTH, HEIGHT = 195, 187
SHADE, GOLD = "#dccfb2", "#b5832a"


def line(d: str, colour: str = INK, width: float = 5) -> str:
    """A path drawn with a pen."""
    return element(
        "path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round"
    )


def shape(d: str, colour: str = PAPER, edge: str = INK) -> str:
    """A filled path with an outline."""
    return fill(colour, d, stroke=edge, stroke_width=5, stroke_linejoin="round")


def toilet() -> list[str]:
    """Side view: cistern, lid up, bowl and foot. Somebody will miss it."""
    return [
        shape("M86 52H112V94H86z"),
        fill(INK, "M84 44H114V52H84z"),
        line("M92 62H100", INK, 4),
        shape("M80 50Q88 48 88 58V94H78V58Q76 52 80 50z"),
        shape("M40 94H112V102Q110 124 92 128L96 148H62L66 128Q44 122 40 94z"),
        fill(INK, "M36 90H114V98H36z"),
        fill(INK, "M56 146H102V152H56z"),
    ]


def washer() -> list[str]:
    """Front view: programme dial, drawer and the round door with the water still in it."""
    return [
        shape("M40 42H112V150H40z"),
        line("M40 64H112"),
        fill(INK, "M46 49H72V57H46z"),
        fill(INK, circle(100, 53, 6)),
        fill(INK, circle(76, 106, 30)),
        fill(PAPER, circle(76, 106, 22)),
        fill(GOLD, "M54 108Q62 100 70 108T86 108T98 108A22 22 0 0 1 54 108z"),
        line("M62 94Q66 86 74 86", INK, 4),
    ]


def painting() -> list[str]:
    """A gilt frame on a nail: hills, a sun, and a light patch on somebody's wall."""
    return [
        line("M58 58L76 43L94 58", PAPER, 4),
        fill(PAPER, circle(76, 43, 4)),
        fill(GOLD, "M38 58H112V148H38z"),
        fill(INK, "M48 68H102V138H48z"),
        fill(PAPER, "M52 72H98V134H52z"),
        fill(GOLD, circle(87, 87, 8)),
        fill(INK, "M52 121Q62 99 72 111Q80 95 98 117V134H52z"),
        fill(GOLD, "M52 129Q74 115 98 129V134H52z"),
    ]


def chip(ground: str, title: str, parts: list[str]) -> str:
    """A chip's whole drawing on its ground."""
    return document(WIDTH, HEIGHT, title, fill(ground, f"M0 0H{WIDTH}V{HEIGHT}H0z"), *parts)


def main() -> None:
    save("goods/goods-1.svg", chip(SHADE, "A toilet", toilet()))
    save("goods/goods-3.svg", chip(GOLD, "A washing machine", washer()))
    save("goods/goods-5.svg", chip(INK, "A painting", painting()))


if __name__ == "__main__":
    main()
