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
    "classic": ("tug", "old-crane", "harbourmaster", "wave-back"),
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
AS_IT_COMES = ("", "")
LOOK = "look: classic\n"
EDITS = (
    AS_IT_COMES,
    (LOOK, f"{LOOK}style: {{fonts: {{title: Alegreya SC 800, text: Alegreya}}}}\n"),
    (LOOK, f"{LOOK}style: {{text_size: 9 pt}}\n"),
    (LOOK, f"{LOOK}style: {{title: bottom}}\n"),
    (LOOK, f'{LOOK}style: {{colours: {{paper: "#f2d9a0", accent: "#7a1f2b"}}}}\n'),
    (LOOK, f"{LOOK}style: {{frame: border, texture: linen}}\n"),
)
"""Edits of the sample's deck, each drawn by itself."""
BACKS = (
    AS_IT_COMES,
    (LOOK, f'{LOOK}style: {{colours: {{back: "#7a1f2b"}}}}\n'),
    (LOOK, f"{LOOK}back: waves.png\n"),
)
CROPS = (AS_IT_COMES, ("places:\n", "places:\n  picture: {focus: top}\n"))
WIDTH = 900
"""How wide all that is shown of a look may be, in pixels."""
HEIGHTS = {"token": 180}
HIGHEST = 330
DPI = 150
DPIS = {"counter": 300}
"""Of small pieces, which would else be enlarged."""


def main() -> None:
    """Begin a game with each look, build its pictures, and put some side by side."""
    draw_styles()
    draw_edits()
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


def draw_edits() -> None:
    """Draw one card after each edit of its deck, then two backs and a portrait."""
    fronts = [drawn_edit(edit, "ferry") for edit in EDITS]
    save("look-edits", [on_desk(image) for image in scaled("classic", fronts)])
    backs = [drawn_edit(edit, "ferry-back") for edit in BACKS]
    crops = [drawn_edit(edit, "ferry", portrait=True) for edit in CROPS]
    save("look-edits-more", [on_desk(image) for image in scaled("classic", [*backs, *crops])])


def drawn_edit(edit: tuple[str, str], card: str, *, portrait: bool = False) -> Image.Image:
    """A card of the sample after an edit of its deck; with a portrait, the card shows one."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "art/harbour").mkdir(parents=True)
        draw_waves().save(root / "art/waves.png")
        if portrait:
            draw_portrait().save(root / "art/harbour/ferry.png")
        images = built(root, "classic", edit=edit)
        return Image.open(images / f"{card}.png").convert("RGBA")


def draw_waves() -> Image.Image:
    """A picture for a back: waves, 69.5 by 94.9 mm."""
    return draw_page(
        """#set page(width: 69.5mm, height: 94.9mm, margin: 0pt, fill: rgb("#1f4a5c"))
#let scale = circle(radius: 5mm, fill: rgb("#1f4a5c"), stroke: 0.7mm + rgb("#e8d9b0"))
#for row in range(16) { for column in range(9) {
  place(dx: (column * 9 - 4 * calc.rem(row, 2)) * 1mm, dy: (row * 6.4 - 3) * 1mm, scale)
} }"""
    )


def draw_portrait() -> Image.Image:
    """A portrait, higher than the place for pictures: a captain."""
    svg = scenery.draw_alone("captain", "#26211d", "#f4ead2").decode()
    return draw_page(
        """#set page(width: 60mm, height: 120mm, margin: 0pt, fill: rgb("#d8a657"))
#place(dx: 8mm, dy: 2mm, image(bytes(sys.inputs.svg), width: 44mm))
#place(dy: 46mm, rect(width: 60mm, height: 74mm, fill: rgb("#26211d")))""",
        svg=svg,
    )


def draw_page(page: str, **inputs: str) -> Image.Image:
    data = typst.compile(
        page.encode(), format="png", ppi=300, ignore_system_fonts=True, sys_inputs=inputs
    )
    assert isinstance(data, bytes)
    return Image.open(io.BytesIO(data)).convert("RGB")


def built(root: Path, look: str, style: str = "", edit: tuple[str, str] | None = None) -> Path:
    """The folder of the pictures of a look's sample, in English, after an edit of its deck."""
    made, problems = new_game.create_game(
        starter_files.NewGameRequest("Harbour", look_catalogue.load_look(look))
    )
    for path, data in made.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        text = data.decode()
        if style and path == f"cards/{made.deck}.yaml":
            text = text.replace(f"look: {look}\n", f"look: {look}\nstyle: {style}\n")
            text = re.sub(r"\n  accent: .*", "", text)
        if edit and path == f"cards/{made.deck}.yaml":
            text = re.sub(r"\n  accent: .*", "", text.replace(*edit) if edit[0] else text)
        (root / path).write_text(text, encoding="utf-8")
    paper = SheetLayout("a4", Size(*PAPERS["a4"]))
    options = Options(paper, DPIS.get(look, DPI), bleed=False, rounded=True)
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
