"""The pictures of looks.md, of the samples of `cardgen new`: `python docs/draw_looks.py`."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

import typst
from draw_sheets import DESK, save
from PIL import Image

from cardgen.core.units import PAPERS, Size
from cardgen.looks import look_catalogue, motif_words, scenery
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets.arrangement import SheetLayout
from cardgen.starting import new_game, starter_files

# The cards that are shown, of each look's sample; after them, a back.
SHOWN = {
    "banknote": ("one", "fifty", "hundred-back"),
    "board": ("quay", "harbour"),
    "builder": ("scout", "pirate", "planet", "planet-back"),
    "children": ("rabbit", "owl", "bear", "bear-back"),
    "classic": ("tug", "crane", "gale", "gale-back"),
    "counter": ("n-1", "n-7", "s-3", "s-3-back"),
    "hex": ("forest", "pasture", "wheat", "wheat-back"),
    "item": ("lantern", "lightning", "potion", "potion-back"),
    "noir": ("captain", "letter", "revolver", "revolver-back"),
    "prompt": ("lift", "week", "shoe", "shoe-back"),
    "score": ("trawler", "yacht", "yacht-back"),
    "suits": ("acorn-king", "leaf-seven", "bell-ace", "bell-ace-back"),
    "tableau": ("windmill", "lighthouse", "rowboat", "rowboat-back"),
    "tarot": ("helmsman", "bell", "gull", "gull-back"),
    "terminal": ("spider", "lock", "bomb", "bomb-back"),
    "text": ("fog", "letter", "regatta", "regatta-back"),
    "token": ("fish", "chest", "high-tide", "high-tide-back"),
    "values": ("tug", "ferry", "pilot", "pilot-back"),
    "wallet": ("fish", "cat", "horse", "horse-back"),
}
STYLES = ("", "night", "parchment", "noir", "terminal", "candy")
"""Styles of one card that stand side by side on top of the page; "" is the look's own."""
WIDTH = 900
"""How wide all that is shown of a look may be, in pixels."""
HEIGHTS = {"token": 180}
HIGHEST = 330
DPI = 150


def main() -> None:
    """Begin a game with each look, build its pictures, and put some side by side."""
    draw_styles()
    for look, names in SHOWN.items():
        with tempfile.TemporaryDirectory() as name:
            images = built(Path(name), look)
            shown = [Image.open(images / f"{card}.png").convert("RGBA") for card in names]
            save(f"look-{look}", [on_desk(image) for image in scaled(look, shown)])
    save("motifs", [draw_motifs()])


def draw_motifs() -> Image.Image:
    """All motifs with their names, sixteen in a row."""
    names = sorted(path.stem for path in motif_words.MOTIFS_FOLDER.glob("*.svg"))
    drawn = {name: scenery.draw_alone(name, "#26434a", "#f4ead2").decode() for name in names}
    data = typst.compile(
        b"""#set page(width: 540pt, height: auto, margin: 8pt, fill: rgb("#dfe6e0"))
#set text(5.5pt, fill: rgb("#26434a"), hyphenate: false)
#grid(columns: 16, gutter: (3pt, 6pt), align: center, ..sys.inputs.pairs().sorted().map(
  ((name, svg)) => stack(spacing: 2.5pt, image(bytes(svg), width: 27pt), name)))""",
        format="png",
        ppi=DPI,
        ignore_system_fonts=True,
        sys_inputs=drawn,
    )
    assert isinstance(data, bytes)
    return Image.open(io.BytesIO(data)).convert("RGB")


def draw_styles() -> None:
    """Draw the same card in several styles."""
    shown = []
    for style in STYLES:
        with tempfile.TemporaryDirectory() as name:
            images = built(Path(name), "classic", style)
            shown.append(Image.open(images / "ferry.png").convert("RGBA"))
    save("look-styles", [on_desk(image) for image in scaled("classic", shown)])


def built(root: Path, look: str, style: str = "") -> Path:
    """The folder of the pictures of a look's sample, in English."""
    made, problems = new_game.create_game(
        starter_files.NewGameRequest("Harbour", look_catalogue.load_look(look))
    )
    for path, data in made.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        text = data.decode()
        if style and path == f"cards/{made.deck}.yaml":
            text = text.replace(f"look: {look}\n", f"look: {look}\nstyle: {style}\n")
            text = re.sub(r"\n  accent: .*", "", text)
        (root / path).write_text(text, encoding="utf-8")
    paper = SheetLayout("a4", Size(*PAPERS["a4"]))
    options = Options(paper, DPI, bleed=False, rounded=True)
    report = build.build(Request(root, ("images",), options=options))
    if problems or report.has_failed:
        sys.exit("\n".join(map(str, [*problems, *report.problems])))
    return root / "build/en/images" / made.deck


def scaled(look: str, images: list[Image.Image]) -> list[Image.Image]:
    """All of one height, as large as fits side by side."""
    wide = sum(image.width / image.height for image in images)
    height = min(HEIGHTS.get(look, HIGHEST), round(WIDTH / wide))
    return [
        image.resize((round(image.width * height / image.height), height), Image.Resampling.LANCZOS)
        for image in images
    ]


def on_desk(image: Image.Image) -> Image.Image:
    """A piece with its round corners, as it lies on the desk."""
    desk = Image.new("RGBA", image.size, DESK)
    desk.alpha_composite(image)
    return desk.convert("RGB")


if __name__ == "__main__":
    main()
