"""Raw linen, threads over and under: `python linen.py`. One for cards, one for large sheets."""

from __future__ import annotations

from random import Random

from cut import ART, Block, svg

COLOURS = {"light": "#efe7d4", "dark": "#dccfb4", "slub": "#d3c5a6"}


CALM = {"light": "#ece3cf", "dark": "#e3d8c0", "slub": "#e3d8c0"}
"""Where much is to be read."""


def cloth(
    name: str, width: float, height: float, pitch: float, colours: dict[str, str] = COLOURS
) -> None:
    """Threads both ways, `pitch` apart, broken where they dive under; some are thicker."""
    block, random = Block(name), Random(name)
    for across in (True, False):
        length, breadth = (width, height) if across else (height, width)
        at = pitch / 2
        while at < breadth:
            start = random.uniform(-pitch * 12, 0)
            while start < length:
                end = start + random.uniform(pitch * 6, pitch * 26)
                kind = random.choices(("light", "dark", "slub"), (6, 8, 1))[0]
                thick = pitch * (0.75 if kind == "slub" else 0.42)
                a, b = max(0.0, start), min(length, end)
                if b > a:
                    first, last = ((a, at), (b, at)) if across else ((at, a), (at, b))
                    block.gouge(kind, first, last, thick)
                start = end + random.uniform(pitch, pitch * 9)
            at += pitch * random.uniform(0.85, 1.2)
    (ART / f"{name}.svg").write_text(svg(block.shapes, colours, width, height), encoding="utf-8")


if __name__ == "__main__":
    cloth("linen", 47, 69, 0.95)
    cloth("linen-large", 216, 154, 1.15)
    cloth("linen-calm", 154, 216, 1.6, CALM)
