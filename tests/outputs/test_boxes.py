"""Boxes of a small game: sheets, cut files, sleeves, and what is reported."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ezdxf
import pikepdf
import press_files
import pypdfium2
import pytest
from PIL import ImageColor
from sample_games import sample
from small_games import A4, TEXT_GAME, make, options, write_game

from cardgen.core.units import Size
from cardgen.game import box_specs, boxes
from cardgen.game.inventory import format_inventory
from cardgen.outputs.box_nets import make_game_boxes, measure_room
from cardgen.outputs.contract import PressOptions
from cardgen.pdf.face_file import FacePdf
from cardgen.pipeline import build
from cardgen.pipeline.check import check
from cardgen.pipeline.request import Request
from cardgen.rules import rule_file
from cardgen.sheets.arrangement import SlugText
from cardgen.sheets.box_forms import Room, make_stand, make_tray
from cardgen.sheets.box_plan import PlanTexts, lay_flat, list_plan_guides, plan_box
from cardgen.sheets.net_sheets import NetPiece, NetSheet, PlacedNet, arrange_nets, list_net_pages
from cardgen.sheets.nets import GLUE, JOINT
from cardgen.sheets.sheet_guides import GuideLabel, GuideLine, MarkStyle
from cardgen.sheets.sheet_pdf import draw_guides

HEAD = TEXT_GAME["game.yaml"]


def boxed(root: Path, text: str, **more: str) -> Path:
    """The small game with boxes."""
    return write_game(root, {**TEXT_GAME, **more, "game.yaml": f"{HEAD}{text}"})


def pdfium_text(path: Path) -> str:
    """The text of a file's first page."""
    return str(pypdfium2.PdfDocument(path)[0].get_textpage().get_text_bounded())


def problems(root: Path) -> list[str]:
    return [str(problem) for problem in rule_file.load_game(root)[1]]


def test_a_game_without_boxes_gets_one_for_each_deck_and_one_around_them(tmp_path: Path) -> None:
    root = write_game(tmp_path / "game", TEXT_GAME)
    report = make(root, options(cut_files=("svg", "dxf")), outputs=("boxes",))
    names = {path.removeprefix("en/boxes/") for path in report.file_paths if path.startswith("en/")}
    assert {"loot.pdf", "loot.svg", "loot.dxf", "notes.pdf", "box.pdf"} <= names
    assert {path.partition("/")[0] for path in report.file_paths} == {"fi", "en"}
    svg = (root / "build/en/boxes/loot.svg").read_text()
    assert re.findall(r'inkscape:label="(\w+)"', svg) == ["cut", "fold"]
    drawing = ezdxf.read(io.StringIO((root / "build/en/boxes/loot.dxf").read_text()))
    layers = [line.dxf.layer for line in drawing.modelspace()]
    assert layers.count("fold") == 12
    assert "cut" in layers
    with pikepdf.open(root / "build/en/boxes/loot.pdf") as pdf:
        assert len(pdf.pages) == 1
    again = make(root, options(cut_files=("svg", "dxf")), outputs=("boxes",))
    assert not again.new_files


def test_machine_marks_turn_the_cut_files(tmp_path: Path) -> None:
    root = write_game(tmp_path / "game", TEXT_GAME)
    wanted = options(cut_files=("svg",), style=MarkStyle("silhouette"))
    make(root, wanted, outputs=("boxes",), decks=("loot",), languages=("en",))
    svg = (root / "build/en/boxes/loot.svg").read_text()
    assert 'width="297mm" height="210mm"' in svg
    numbers = [float(n) for n in re.findall(r"[ML]([\d.]+) ", svg)]
    assert 10 < min(numbers) < max(numbers) < 287


def test_the_room_follows_cards_copies_and_sleeves(tmp_path: Path) -> None:
    text = (
        "boxes:\n  loot: {card: 0.5, play: 2}\n"
        "  notes: {decks: [loot, notes], sleeve: mayday standard card game}\n"
    )
    game, found = rule_file.load_game(boxed(tmp_path / "game", text))
    assert game is not None
    assert not found
    loot, notes = boxes.list_boxes(game)
    plain = measure_room(loot, [deck for deck in game.decks if deck.id == "loot"])
    assert (plain.width, plain.height, plain.depth) == pytest.approx((67.5, 92.9, 4 * 0.5 + 4))
    sleeved = measure_room(notes, game.decks)
    assert (sleeved.width, sleeved.height) == (68, 93)
    assert sleeved.depth == pytest.approx(7 * (0.3 + 2 * 0.04) + 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("loot: {form: tuk}", "did you mean 'tuck'"),
        ("loot: {colours: red}", "unknown field 'colours' in the box loot; did you mean 'colour'"),
        (
            "money: {}",
            "give it the decks it is for, such as decks: [loot], or the room inside, such",
        ),
        ("lot: {}", "the box lot: no deck has its name; did you mean 'loot'? Or give it the decks"),
        ("dice: {form: tray}", "the box dice: give it the room inside, such as size: 60 x 40 x 20"),
        ("loot: {sleeve: Ultra Pro}", "names sleeves that fit. For others give size: or card:"),
        ("loot: {colour: '#12345'}", "or write it as '#rrggbb', such as '#1f5a96'"),
        ("all: {decks: [lot]}", "the game has no deck 'lot'; did you mean 'loot'"),
        ("loot: {size: 60 x 90 x 20}", "its 4 cards do not fit; they need size: 65.5 x 90.9 x 3.2"),
        ("loot: {sleeve: Mayday Tarrot}", "no sleeve 'Mayday Tarrot'; did you mean 'Mayday Tarot'"),
        ("loot: {sleeve: Mayday Mini American}", "Mayday Mini American sleeves take 41 × 63 mm"),
        (
            "cards: {form: dividers, size: 60 x 40 x 20}",
            "the box cards: give it the decks it is for",
        ),
        ("loot: {form: dividers, by: nam}", "loot has no field 'nam'; did you mean 'name'"),
        ("loot: {picture: hause.svg}", "no picture 'hause.svg' in art/; did you mean 'house.svg'"),
        ("loot: {colour: pinkk}", "no colour 'pinkk'"),
        ("dice: {form: tray, size: 60 x 40}", "expected three lengths from 3 to 1000 mm"),
    ],
)
def test_mistakes_are_told_at_their_line(tmp_path: Path, text: str, told: str) -> None:
    (line,) = problems(boxed(tmp_path / "game", f"boxes:\n  {text}\n"))
    assert line.startswith("game.yaml:5:")
    assert told in line


def test_every_form_is_made(tmp_path: Path) -> None:
    text = """boxes:
  loot: {form: lock, picture: house.svg, colour: "#204060"}
  notes: {form: telescope}
  dice: {form: tray, size: 60 x 40 x 20, title: {fi: Nopat, en: Dice}}
  holder: {form: stand, size: 120 x 40 x 9, title: {fi: Teline, en: Holder}}
  rulers: {form: prism, decks: notes}
  dividers: {form: dividers, decks: [loot, notes]}
  box: {form: outer, items: [{title: {fi: Säännöt, en: Rules}, size: 148 x 210 x 3}]}
"""
    root = boxed(tmp_path / "game", text)
    report = make(root, outputs=("boxes",), languages=("en",))
    made = {Path(path).stem for path in report.file_paths}
    assert made == {"loot", "notes", "dice", "holder", "rulers", "dividers", "box"}
    game, _ = rule_file.load_game(root)
    assert game is not None
    found = make_game_boxes(game)
    assert found.plan is not None
    packed = [item.name for layer in found.plan.layers for item, _ in layer.places]
    assert sorted(packed) == sorted(["loot", "notes", "dice", "holder", "dividers", "Säännöt"])
    with pikepdf.open(root / "build/en/boxes/dividers.pdf") as pdf:
        assert len(pdf.pages) == 2  # both sides


def test_the_plan_of_the_box_comes_first_and_names_everything(tmp_path: Path) -> None:
    item = "{title: {fi: Noppa, en: Die}, size: 60 x 40 x 20}"
    text = f"boxes:\n  loot: {{}}\n  box: {{form: outer, size: 70 x 95 x 9, items: [{item}]}}\n"
    root = boxed(tmp_path / "game", text)
    make(root, outputs=("boxes",), languages=("fi",))
    with pikepdf.open(root / "build/fi/boxes/box.pdf") as pdf:
        assert len(pdf.pages) >= 2
    text = pdfium_text(root / "build/fi/boxes/box.pdf")
    assert "Näin kaikki mahtuu laatikkoon" in text
    assert re.search(r"kerros 1 · [\d.]+ mm · alimpana", text)
    assert "Saalis" in text
    make(root, outputs=("boxes",), languages=("en",))
    assert "Die" in pdfium_text(root / "build/en/boxes/box.pdf")


def test_the_walls_of_a_base_may_stay_white(tmp_path: Path) -> None:
    more = "form: telescope, size: 70 x 95 x 15, colour: '#204060'"
    text = f"boxes:\n  loot: {{{more}, base: white}}\n  notes: {{{more}}}\n"
    root = boxed(tmp_path / "game", text)
    make(root, outputs=("boxes",), languages=("en",))
    inked = []
    for name in ("loot", "notes"):
        page = pypdfium2.PdfDocument(root / f"build/en/boxes/{name}.pdf")[0]
        picture = page.render(scale=1).to_pil().convert("L")
        inked.append(sum(picture.point(lambda value: value < 200).histogram()[1:]))
    assert inked[0] < 0.9 * inked[1]


def test_a_plan_gives_measures_as_they_are_drawn() -> None:
    items = [lay_flat("map", (200, 150, 5)), lay_flat("dice", (60, 100, 20))]
    texts = PlanTexts("Small", "", "layer", "at the bottom", {})
    plan = plan_box(items)
    labels = {g.text for g in list_plan_guides(plan, A4, texts) if isinstance(g, GuideLabel)}
    for item, box in (place for layer in plan.layers for place in layer.places):
        assert f"{box.width:.3g} × {box.height:.3g} × {item.high:.3g}" in labels
    turned = [item.width != box.width for layer in plan.layers for item, box in layer.places]
    assert any(turned)


def test_folds_towards_the_reader_are_drawn_differently() -> None:
    sheets = arrange_nets([NetPiece(make_stand("holder", 130, 45))], options().layout)
    assert sheets is not None
    (page,) = list_net_pages(sheets, options().layout, SlugText("Small", "", "en", ""), "Holder")
    styles = Counter(guide.style for guide in page.guides if isinstance(guide, GuideLine))
    assert (styles["valley"], styles["crease"]) == (2, 3)
    dashes = [draw_guides([GuideLine(0, 0, 9, 0, style)]) for style in ("valley", "crease")]
    assert len({text.split("0 G")[1].split("]")[0] for text in dashes}) == 2


def test_a_box_has_room_for_the_dividers_of_its_deck(tmp_path: Path) -> None:
    text = (
        "boxes:\n  loot: {}\n  ids: {form: dividers, decks: [loot], by: name}\n"
        "  both: {form: dividers, decks: [loot, notes], tabs: side}\n  box: {form: outer}\n"
    )
    game, _ = rule_file.load_game(boxed(tmp_path / "game", text))
    assert game is not None
    found = make_game_boxes(game)
    back = found.nets["loot"][0].net.get_panel("back")
    (divider, _) = (box.net.size for box in found.nets["ids"])
    assert back.reach == pytest.approx(divider.height + 2)
    assert back.length == pytest.approx(divider.width + 2)
    assert found.plan is not None
    packed = {item.name: item for layer in found.plan.layers for item, _ in layer.places}
    assert {"loot", "both", "notes"} == packed.keys()
    assert packed["both"].high == pytest.approx(2 * 0.4)


def test_a_word_with_plural_forms_titles_no_box(tmp_path: Path) -> None:
    plural = "{one: {fi: kolikko, en: coin}, other: {fi: kolikkoa, en: coins}}"
    text = f"words:\n  coins: {plural}\nboxes:\n  coins: {{form: tray, size: 40 x 40 x 20}}\n"
    game, found = rule_file.load_game(boxed(tmp_path / "game", text))
    assert game is not None
    assert not found
    (tray,) = boxes.list_boxes(game)
    assert {tray.title[language] for language in game.languages} == {"Coins"}


def test_the_contents_card_lists_trays_and_dividers(tmp_path: Path) -> None:
    text = (
        "boxes:\n  loot: {}\n  wooden-cubes: {form: tray, size: 60 x 40 x 20}\n"
        "  apart: {form: dividers, decks: [loot, notes]}\n  box: {form: outer}\n"
    )
    game, _ = rule_file.load_game(boxed(tmp_path / "game", text))
    assert game is not None
    card = make_game_boxes(game).nets["box"][-1]
    assert [line["en"] for line in card.lines] == [
        "4 × Loot", "3 × Notes", "Wooden cubes", "2 × divider (Loot, Notes)",
    ]  # fmt: skip


def test_a_press_gets_whole_nets_with_cuts_and_folds_in_a_spot_ink(
    tmp_path: Path, profile: Path
) -> None:
    root = boxed(tmp_path / "game", "boxes:\n  loot: {form: telescope}\n")
    wanted = replace(options(), press=PressOptions(str(profile)))
    report = build.build(Request(root, ("press",), ("en",), ("loot",), wanted))
    assert not [problem for problem in report.problems if problem.severity == "error"]
    made = [path for path in report.file_paths if "/boxes/" in path]
    assert made == ["en/press/boxes/loot-base.pdf", "en/press/boxes/loot-lid.pdf"]
    with pikepdf.open(root / "build" / made[1]) as pdf:
        assert press_files.of_page(pdf.pages[0]).spots == {("/dieline", True)}


def test_cards_that_lie_stand_upright_on_their_box(tmp_path: Path) -> None:
    deck = TEXT_GAME["cards/loot.yaml"].replace("size: poker", "size: 63 x 45")
    template = '<div class="bleed" style="background: #204060"></div>\n'
    files = {"cards/loot.yaml": deck, "templates/back.html": template}
    files["templates/loot.html"] = template + "<i>{{ card.name }}{{ card.text }}{{ card.art }}</i>"
    game, _ = rule_file.load_game(boxed(tmp_path / "game", "boxes:\n  loot: {}\n", **files))
    assert game is not None
    ((box,),) = make_game_boxes(game).nets.values()
    flat = FacePdf("a", tmp_path, 69, 51, 3)
    placed = PlacedNet(NetPiece(box.net, {"front": flat, "back": flat}), 0, 0)
    for _, slot in placed.place_faces(placed.piece.faces):
        assert slot.turn == 90
        assert (slot.trim.width, slot.trim.height) == pytest.approx((47, 65.8), abs=0.1)


def test_the_parts_of_a_split_net_have_letters_where_they_meet(tmp_path: Path) -> None:
    pieces = [NetPiece(make_tray("base", Room(230, 160, 40)))]
    layout = options().layout
    sheets = arrange_nets(pieces, layout)
    assert sheets is not None
    pages = list_net_pages(sheets, layout, SlugText("Small", "", "en", ""), "Dice")
    texts = Counter(g.text for p in pages for g in p.guides if isinstance(g, GuideLabel))
    joints = [n for n in texts if n.startswith("glue ")]
    assert len(joints) == len(_list_tabs(sheets)) == 7
    assert all(texts[name] == texts[name.removeprefix("glue ")] == 1 for name in joints)
    assert texts["base"] == sum(len(sheet.placed) for sheet in sheets)
    for page in pages:
        whole = (g for g in page.guides if isinstance(g, GuideLabel))
        assert all(4 <= g.x <= layout.paper.width - 4 for g in whole)


def _list_tabs(sheets: Sequence[NetSheet]) -> list[str]:
    nets = [placed.piece.net for sheet in sheets for placed in sheet.placed]
    return [panel.name for net in nets for panel in net.panels if panel.kind in {GLUE, JOINT}]


def test_slugs_tell_the_sheets_of_boxes_apart(tmp_path: Path) -> None:
    text = "boxes:\n  loot: {}\n  apart: {form: dividers, decks: [loot]}\n"
    root = boxed(tmp_path / "game", text)
    make(root, outputs=("boxes",), languages=("en",))
    pdf = pypdfium2.PdfDocument(root / "build/en/boxes/apart.pdf")
    front, back = (page.get_textpage().get_text_bounded() for page in pdf)
    assert "apart · sheet 1/1" in front
    assert front.count("front") == back.count("back") == 1
    assert "loot · sheet 1/1" in pdfium_text(root / "build/en/boxes/loot.pdf")


def test_a_box_of_several_decks_has_its_title_on_the_front(tmp_path: Path) -> None:
    text = "boxes:\n  both: {decks: [loot, notes], title: {fi: Muut, en: Others}}\n"
    root = boxed(tmp_path / "game", text)
    make(root, outputs=("boxes",), languages=("en",))
    # Front and back, both spines, the top, and the slug.
    assert pdfium_text(root / "build/en/boxes/both.pdf").count("Others") == 5 + 1


def test_a_title_keeps_clear_of_the_thumb_hole(tmp_path: Path) -> None:
    dice = "{form: tray, size: 60 x 40 x 18, lid: 18, title: {fi: Nopat, en: Dice}}"
    low = "{form: tray, size: 60 x 40 x 30, title: {fi: Nopat, en: Low}}"
    root = boxed(tmp_path / "game", f"boxes:\n  dice: {dice}\n  low: {low}\n")
    make(root, outputs=("boxes",), languages=("en",))
    game, _ = rule_file.load_game(root)
    assert game is not None
    made = make_game_boxes(game).nets
    assert not any(panel.notch for panel in made["low"][0].net.panels)  # its base can be held
    sheets = arrange_nets([NetPiece(net.net) for net in made["dice"]], options().layout)
    assert sheets is not None
    lid = sheets[0].placed[0]
    wall, notch = lid.map_box(lid.piece.net.boxes["down"]), lid.piece.net.get_panel("down").notch
    assert notch == 9
    page = pypdfium2.PdfDocument(root / "build/en/boxes/dice.pdf")[0].get_textpage()
    rects = [page.get_rect(number) for number in range(page.count_rects())]
    ends = [(left * 25.4 / 72, bottom * 25.4 / 72) for left, bottom, *_ in rects]
    within = [y for x, y in ends if wall.left < x < wall.right and wall.bottom < y < wall.top]
    assert within
    assert min(within) > wall.bottom + notch


def test_a_panel_larger_than_the_paper_is_told(tmp_path: Path) -> None:
    root = boxed(tmp_path / "game", "boxes:\n  map: {form: tray, size: 400 x 250 x 20}\n")
    report = build.build(Request(root, ("boxes",), options=options()))
    (problem,) = report.problems
    assert "401.8 × 251.8 mm" in problem.message
    assert problem.message.endswith("it fits --paper a3, tabloid, a2")


def test_a_template_draws_every_face(tmp_path: Path) -> None:
    assert ImageColor.getrgb("red") == (255, 0, 0)  # after which Pillow has it as numbers
    ground = '<div class="bleed" style="background: {{ card.colour }}"></div>\n'
    words = '<div style="position: absolute; left: 1mm; top: 1mm; font-size: 6pt">'
    template = f"{ground}{words}{{{{ card.panel }}}}</div>\n"
    text = "boxes:\n  loot: {form: tuck, template: box.html, colour: red}\n"
    root = boxed(tmp_path / "game", text, **{"templates/box.html": template})
    report = make(root, outputs=("boxes",), languages=("en",))
    assert [Path(path).name for path in report.file_paths] == ["loot.pdf"]


def test_check_reads_boxes(tmp_path: Path) -> None:
    root = boxed(tmp_path / "game", "boxes:\n  loot: {form: tuk}\n")
    assert any("tuck" in str(problem) for problem in check(Request(root))[2])


def test_list_counts_packets_of_sleeves(tmp_path: Path) -> None:
    game, _ = rule_file.load_game(write_game(tmp_path / "game", TEXT_GAME))
    assert game is not None
    text = format_inventory(game)
    assert "sleeves · 4 × 63.5 × 88.9 mm, one of these:\n  1 × Mayday Standard Card" in text
    assert "  1 × Gamegenic Prime Standard Card Game (50 a packet)\n" in text


def test_sleeves_fit_the_cards_that_they_are_named_for() -> None:
    sleeves = box_specs.load_sleeves()
    for sleeve in sleeves.values():
        assert sleeve.size.width > sleeve.card.width
        assert sleeve.size.height > sleeve.card.height
        assert 0.03 <= sleeve.film <= 0.15
        assert 50 <= sleeve.pack <= 110
    names = {each.name for each in box_specs.find_sleeves(Size(63.5, 88.9))}
    assert "Mayday Standard Card Game" in names
    assert not box_specs.find_sleeves(Size(210, 297))


@pytest.mark.parametrize("look", ["noir", "suits", "text"])
def test_the_boxes_of_a_fresh_game_are_made_whatever_its_look(tmp_path: Path, look: str) -> None:
    root = sample(tmp_path, look, languages=("en",))
    report = build.build(Request(root, ("boxes",), options=options()))
    assert not [problem for problem in report.problems if problem.kind != "empty"]


def test_a_title_too_long_for_its_face_is_told_in_words(tmp_path: Path) -> None:
    title = f"title: {{fi: Saalis, en: {' and '.join(['All of the loot'] * 9)}}}"
    root = boxed(tmp_path / "game", f"boxes:\n  loot: {{{title}}}\n")
    report = build.build(Request(root, ("boxes",), ("en",), options=options()))
    found = [str(each) for each in report.problems if "smallest size" in each.message]
    assert found[0].startswith("game.yaml:5: error: the side of the box loot [en]: the text is")


def test_letters_beside_low_walls_do_not_lie_on_tabs() -> None:
    layout = options().layout
    sheets = arrange_nets([NetPiece(make_tray("base", Room(65, 90, 8)))], layout)
    assert sheets is not None
    placed = sheets[0].placed[0]
    (page,) = list_net_pages(sheets, layout, SlugText("Small", "", "en", ""), "Loot")
    letters = [g for g in page.guides if isinstance(g, GuideLabel) and g.text in "ABCD"]
    boxes = [placed.map_box(box) for box in placed.piece.net.boxes.values()]
    assert len(letters) == 4
    for letter in letters:
        x, y = letter.x, letter.y + 1
        assert not any(b.left < x < b.right and b.bottom < y < b.top for b in boxes)
