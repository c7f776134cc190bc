"""The motifs of cards without a picture: which words choose them, and how they are drawn."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from functools import cache
from xml.etree import ElementTree

import pytest
import typst
from PIL import Image

from cardgen.assets import svg_checks
from cardgen.looks import look_colours, look_functions, motif_words, scenery

DRAWINGS = sorted(path.stem for path in motif_words.MOTIFS_FOLDER.glob("*.svg"))
MARGIN = 10
NAMES = """
en: Tug = tug, Night Ferry = ferry, Coal Steamer = steamer, The Theatre Barge = barge,
en: Old Ships = ship, Pirate Ship = ship, Fishing boat = rowboat, Boathouse = , Dinghy = sailboat,
en: Fish = fish, Fish Market = market, Kingfisher = , Starfish = starfish, Fishes = fish,
en: Horse = horse, Horseshoe = horseshoe, Sea horse = , Trojan Horse = , Hot dog = , Carpet = ,
en: Salt = salt, Salt Lake = lake, Salty = , Coal = coal, Bar of soap = soap, Bar = ,
en: Piece of bread = bread, Bottle of wine = bottle, King of Spain = king, Knives = dagger,
en: Wolves = wolf, Cherries = cherry, Bear Arms = , Catapult = , Castle (ruined) = castle,
en: A Letter for Somebody Else = letter, At Three in the Morning = , "Crane" = , Star-crossed = ,
en: Ship – lost = ship, The Wizard's Tower = tower, Sea Lion = , Family Tree = , Iron Mine = ,
fi: Hinaaja = tug, Yölautta = ferry, Rahtilaiva = steamer, Kalastusvene = rowboat, Laivat = ship,
fi: Laivan hylky = wreck, Laiva myrskyssä = ship, Kolme laivaa = ship, Veneiden = rowboat,
fi: kuningaskalastaja = , Kuninkaan miekka = sword, Kuninkaat = king, Kuninkaan tytär = ,
fi: Hevosenkenkä = horseshoe, Hevosia = horse, Merihevonen = , Kala = fish, Kalatori = market,
fi: Suola = salt, Suolajärvi = lake, Hiiltä = coal, Kissoja = cat, Vanha metsäkissa = cat,
fi: Susien = wolf, Avaimen = key, Miehet = man, Lautat = ferry, Laudat = , Lautaa = , Loppuun = ,
fi: Kuka = , Poikkana = , Pakana = , Matka metsään = , Satamakapteeni = captain, Kirkossa = church,
fi: Hankala = , Moottori = , Kaukana = , Historia = , Tarinoita = , Poikani = , Murhattu = ,
fi: Muita = , Vuosilta = , Vartalo = , Lasten = , Kokoista = , Revontuli = , Tonnikala = fish,
fi: Lohikäärmettä = dragon, Vanha nosturi = crane, Luotsit = pilot, Luotsivene = launch,
fi: Lumimyrsky = snow, Mies lumimyrskyssä = man, Villikissa = cat, Talvisota = , Satamat = anchor,
fi: Kirje jollekulle muulle = letter, Kuusi = , Kello = , Aluksi = , Pohjoistuuli = wind,
ru: Буксир = tug, Ночной паром = ferry, Угольщик = steamer, Баржа-театр = barge, Лодок = rowboat,
ru: Пять кораблей = ship, Капитан порта = captain, Сын короля = , Падение башни = , Короли = king,
ru: Рыбы = fish, Рыбный рынок = market, Запах рыбы = , Морской конёк = , Подкова = horseshoe,
ru: Соль = salt, Солёное озеро = lake, Уголь = coal, Угля = coal, Углы = , Кусок мыла = ,
ru: Чужое письмо = letter, Пса = dog, Льва = lion, Волков = wolf, Белый дом = , Горе = , Лук = ,
ru: Банка = , Вина = , Вину = , Черта = , Белок = , Ели = , Роман = , Дорогой друг = ,
ru: Мост = bridge, Старый кран = crane, Кран = , Лоцманы = pilot,
ru: Огонь = fire, Костры = campfire, Замок = , Тихая вода = drop, Ель = fir, Дома = house,
en: Indirect fire = , Slurry tank = , Heavy tanks = tank, Patrol boat = , Sugar mill = ,
en: Windmills = windmill, Old Crane = crane, Cranes = , Pilot Boat = launch, Harbour Pilot = pilot,
en: House of Cards = , Armoured car = , Deck Hand = , Truck and APC = truck,
en: Turned signposts = signpost, Fire and Ice = fire, Fire = fire,
en: The Great Fire = fire, Spy Rings = ,
fi: Epäsuora tuli = , Jousimiehet = bow, Märkäkorva = , Vuotava tankki = , Velkakirja = scroll,
sv: Katt = , Barn = , Hund = ,
de: Hut = , Rock = , Kind = ,
"""
TRIED = [
    (language, *entry.split(" ="))
    for line in NAMES.strip().splitlines()
    for language, entries in [line.split(": ", 1)]
    for entry in entries.rstrip(",").split(", ")
]


@pytest.mark.parametrize(("language", "name", "motif"), TRIED)
def test_a_name_has_the_motif_that_it_is_about_or_none(
    language: str, name: str, motif: str
) -> None:
    assert motif_words.find_motif(name, language) == motif.strip(" ,")
    assert motif_words.find_motif(name.upper(), f"{language}-XX") == motif.strip(" ,")


def test_an_id_is_read_in_every_language() -> None:
    found = {
        each: motif_words.find_slug(each)
        for each in (
            "night-ferry",
            "old_ships",
            "kirves",
            "sea-horse",
            "card-12",
            "",
            "sateenvarjo",
        )
    }
    assert found == {
        "night-ferry": "ferry", "old_ships": "ship", "kirves": "axe", "sea-horse": "",
        "card-12": "", "": "", "sateenvarjo": "umbrella",
    }  # fmt: skip


@pytest.mark.parametrize("language", motif_words.LANGUAGES)
def test_every_word_finds_its_own_motif_and_no_word_has_two(language: str) -> None:
    entries = [(entry.word, entry.motif) for entry in motif_words._list_entries(language)]
    words = [word for word, _ in entries]
    assert [word for word in words if words.count(word) > 1 and word] == []
    assert [
        (word, found)
        for word, motif in entries
        if (found := motif_words.find_motif(word, language))
        != (motif if motif != motif_words.NO_SCENE else "")
    ] == []


def test_every_motif_has_words_in_every_language_and_a_drawing() -> None:
    named = {
        motif: columns.split("|")
        for scene, motifs in motif_words.load_scenes().items()
        if scene != motif_words.NO_SCENE
        for motif, columns in motifs.items()
    }
    assert sorted(named) == DRAWINGS
    assert len(DRAWINGS) >= 100
    short = [motif for motif, columns in named.items() if len([*filter(str.strip, columns)]) != 3]
    assert short == []


@pytest.mark.parametrize("motif", DRAWINGS)
def test_a_motif_is_small_well_formed_and_within_its_box(motif: str) -> None:
    file = motif_words.MOTIFS_FOLDER / f"{motif}.svg"
    assert file.stat().st_size < 2500
    root = ElementTree.parse(file).getroot()
    assert root.attrib == {"viewBox": "0 0 100 100"}
    svg = look_functions.motif(motif, "#000000", "#ffffff") or scenery.draw_alone(
        motif, "#000000", "#ffffff"
    )
    assert svg_checks.check(ElementTree.fromstring(svg)) == ()
    assert b"var(" not in svg
    box = _draw(motif).point(lambda grey: 255 if grey < 250 else 0).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert left >= MARGIN - 1
    assert top >= MARGIN - 1
    assert max(right, bottom) <= 100 + MARGIN + 1
    assert max(right - left, bottom - top) > 70


def test_two_motifs_are_never_the_same_picture() -> None:
    cells = {
        motif: _draw(motif, "#888888", "#dddddd").resize((24, 24), Image.Resampling.BOX).tobytes()
        for motif in DRAWINGS
    }
    near = [
        (one, other)
        for one in DRAWINGS
        for other in DRAWINGS
        if one < other and _count_apart(cells[one], cells[other]) < 40
    ]
    assert near == []


def test_a_picture_is_chosen_by_the_name_and_varied_by_the_card() -> None:
    def draw(card: str, name: str, language: str = "en") -> bytes:
        return look_functions.placeholder(card, 53, 38, "#2f6068", "noon", name, language)

    assert draw("tug", "Tug") == draw("tug", "The <b>Tug</b>")
    assert draw("tug", "Tug") == draw("tug", "Hinaaja", "fi") == draw("tug", "Буксир", "ru")
    assert draw("tug", "Tug") != draw("tug-2", "Tug")
    assert draw("tug", "Tug") != draw("tug", "Ferry")
    assert draw("tug", "Bogserbåt", "sv") == draw("tug", "Bryggan", "sv")  # B for either
    assert draw("tug", "Bogserbåt", "sv") != draw("tug", "Färja", "sv")
    assert draw("tug", "", "sv") == draw("tug", "Tug")


@pytest.mark.parametrize(
    ("name", "strokes"),
    [("Åland", 3), ("Ёлочка Щукина", 5), ("漢字", 0), ("", 0), ("of the", 0), ("7", 0), ("Þór", 0)],
)
def test_initials_are_drawn_or_an_emblem_stands_for_them(name: str, strokes: int) -> None:
    path, _ = scenery._draw_letters(name)
    assert (path.count("M") >= strokes) if strokes else path == ""
    svg = look_functions.placeholder("x", 53, 38, "#2f6068", "noon", f"{name} ", "sv")
    assert svg_checks.check(ElementTree.fromstring(svg)) == ()


@pytest.mark.parametrize("box", [(53, 38), (69.5, 50), (30, 30)])
def test_a_motif_has_its_share_of_the_height_and_no_sun_lies_where_a_cost_is(
    box: tuple[float, float],
) -> None:
    width, height = box
    for number in range(8):
        svg = look_functions.placeholder(f"{number}", *box, "#2f6068", "noon", "Tug", "en").decode()
        scale = re.search(r"translate\(([0-9.]+) ([0-9.]+)\) scale\(([0-9.]+)\)", svg)
        assert scale is not None
        x, y, share = map(float, scale.groups())
        assert share * 100 == pytest.approx(0.6 * height, rel=0.01)
        assert (x + share * 50, y + share * 50) == pytest.approx((width / 2, height / 2), abs=0.1)
        drawn = Image.open(io.BytesIO(_render(svg))).convert("RGB")
        corner = drawn.crop((0, 0, round(drawn.width * 0.24), round(drawn.height * 0.24)))
        sun = drawn.getpixel((round(drawn.width * 0.58), round(drawn.height * 0.27)))
        assert sun not in {colour for _, colour in corner.getcolors(10_000) or ()}


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "from cardgen.looks.look_functions import placeholder; import sys; "
        "[sys.stdout.buffer.write(placeholder('seed', 53, 38, '#8a3b2e', '', name, 'en'))"
        " for name in ('Tug', 'Fish', 'Moon', 'Gull', 'Horse', 'Coal', 'Nobody Knows')]"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert made[0] == made[1]
    assert made[0].count(b"</svg>") == 7


def test_a_motif_is_drawn_alone_or_not_at_all() -> None:
    assert look_functions.motif("Fish", "#102030", "#ffffff", "en").count(b"#102030") >= 1
    assert look_functions.motif("Favour", "#102030", "#ffffff", "en") == b""
    cut = look_functions.motif("Fish", "#102030", "#ffffff", "en", hatch=4, halo=3)
    assert b"patternUnits" in cut
    mixed = look_colours.mix("#102030", "#ffffff", 0.45).encode()
    flat = look_functions.motif("Fish", "#102030", "#ffffff", "en")
    assert cut.count(b"url(#h)") == flat.count(mixed) > 0
    assert b'stroke-width="6"' in cut
    assert look_functions.motif(None, "#102030") == b""


def test_a_drawing_alone_may_have_a_second_colour_or_be_outlines() -> None:
    two = look_functions.motif("Tug", "#102030", "#ffffff", tone="#aa2211")
    assert two.count(b"#aa2211") >= 1
    lines = look_functions.motif("Tug", "#102030", "#fefefe", line=1.5)
    assert b'<g fill="#fefefe" stroke="#102030" stroke-width="1.5"' in lines
    assert lines.count(b'stroke="#fefefe"') == lines.count(b'stroke="#102030"') - 1
    with pytest.raises(ValueError, match="the line of a drawing"):
        look_functions.motif("Tug", "#102030", line=9)


def test_people_have_light_faces_on_light_and_dark_grounds_and_reach_the_lower_edge() -> None:
    for colour, ground in (("#102030", "#ffffff"), ("#ffffff", "#102030")):
        alone = scenery.draw_alone("man", colour, ground).decode()
        drawn = Image.open(io.BytesIO(_render(alone, 100))).convert("L")
        cheek = drawn.getpixel((50, 65))
        assert isinstance(cheek, int)
        assert cheek > 200
    scene = look_functions.placeholder("x", 53, 38, "#2f6068", "noon", "King", "en").decode()
    moved = re.search(r"translate\([0-9.]+ ([0-9.]+)\) scale\(([0-9.]+)\)", scene)
    assert moved is not None
    assert float(moved[1]) + 100 * float(moved[2]) == pytest.approx(38, abs=0.1)


def _count_apart(one: bytes, other: bytes) -> int:
    return sum(abs(a - b) > 40 for a, b in zip(one, other, strict=True))


@cache
def _draw(motif: str, mid: str = "#000000", light: str = "#000000") -> Image.Image:
    """A motif in tones, on a white ground that is `MARGIN` wider on every side."""
    size = 100 + 2 * MARGIN
    content = scenery._paint(motif, "#000000", mid, light)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{MARGIN} -{MARGIN} {size} {size}">'
    return Image.open(io.BytesIO(_render(f"{svg}{content}</svg>", size))).convert("L")


def _render(svg: str, width: int = 200) -> bytes:
    drawn = typst.compile(
        f"#set page(width: {width}pt, height: auto, margin: 0pt)\n"
        "#image(bytes(sys.inputs.svg), width: 100%)".encode(),
        format="png", ppi=72, ignore_system_fonts=True, sys_inputs={"svg": svg},
    )  # fmt: skip
    assert isinstance(drawn, bytes)
    return drawn
