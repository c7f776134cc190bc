"""Several games from one folder: what a variant has, what is told of it, where it is built."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from conftest import Cardgen, MakeGame
from counted_layouts import Layouts
from small_games import TEXT_GAME, contents, edit, times

from cardgen.cli import replay
from cardgen.game import variants
from cardgen.game.model import Game
from cardgen.rules import rule_file

VARIANTS = """constants: {hands: 5, supplies: {food: 12, fuel: 9}}
colours: {ink: "#211d1a", paper: "#f1e6cf"}
words:
  wage: {fi: Palkka, en: Wage}
variants:
  pocket:
    title: {fi: Pikku}
    edition: "0.1"
    decks: [loot]
    languages: [fi]
    sizes: {loot: mini}
    constants: {supplies: {food: 6}}
    colours: {ink: "#000000"}
    words: {wage: {fi: Liksa}}
    print: {paper: letter, dpi: 72}
  travel: {languages: [en]}
"""
BUILT = {
    **TEXT_GAME,
    "game.yaml": TEXT_GAME["game.yaml"] + VARIANTS,
    "templates/loot.html": TEXT_GAME["templates/loot.html"]
    .replace("ground", "ground {{ variant }}")
    .replace('class="text"', 'class="{{ "small" if variant == "pocket" else "text" }}"'),
    "templates/card.css": TEXT_GAME["templates/card.css"]
    + ".name { width: 34mm }\n.art { width: 10mm; height: 10mm }\n"
    ".small { position: absolute; left: 5mm; top: 40mm; width: 34mm; height: 18mm }\n",
}


def game_of(root: Path) -> Game:
    game, problems = rule_file.load_game(root)
    assert game is not None, problems
    assert not problems, problems
    return game


def told(root: Path) -> list[str]:
    return [str(problem) for problem in rule_file.load_game(root)[1]]


def test_a_variant_is_a_game(root: Path) -> None:
    whole = game_of(root)
    game = variants.apply_variant(whole, "pocket")
    assert (game.id, game.variant, game.edition) == ("small-pocket", "pocket", "0.1")
    assert (game.title["fi"], game.languages) == ("Pikku", ("fi",))
    assert [(deck.id, str(deck.size)) for deck in game.decks] == [("loot", "44.45 × 63.5 mm")]
    assert game.constants == {"hands": 5, "supplies": {"food": 6, "fuel": 9}}
    assert game.colours == {"ink": "#000000", "paper": "#f1e6cf"}
    assert game.words["wage"]["fi"] == "Liksa"
    assert (game.defaults.paper, game.defaults.dpi, game.defaults.backs) == (
        "letter", 72, "duplex-long",
    )  # fmt: skip
    other = variants.apply_variant(whole, "travel")
    assert (other.languages, other.decks, other.words) == (("en",), whole.decks, whole.words)
    assert variants.apply_variant(whole, "") is whole


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("decks: [lot]", "error: the variant pocket: the game has no deck 'lot'; did you mean "
        "'loot'? "
                         "[reference]"),
        ("decks: loot", "error: decks is 'loot'; expected a list of decks, [loot] [type]"),
        ("decks: []", "error: decks is an empty list; expected a list of decks [type]"),
        ("languages: [sv]", "error: the variant pocket: the game has no language 'sv'; known: "
        "en, fi "
                            "[language]"),
        ("sizes: {lots: mini}", "error: the variant pocket: the game has no deck 'lots'; did "
        "you mean 'loot'? "
                                "[reference]"),
        ("sizes: {loot: mnii}", "error: the size of loot is 'mnii'; did you mean 'mini'? [size]"),
        ("words: {wgae: {fi: x, en: y}}",
         "error: the variant pocket: the game has no word 'wgae' that could differ here; did you "
         "mean 'wage'? [fields]"),
        ("constants: {supplies: {foood: 1}}",
         "error: the variant pocket: the game has no constant 'supplies.foood' that could "
         "differ here; did you mean 'food'? [fields]"),
        ("colours: {inc: '#000000'}",
         "error: the variant pocket: the game has no colour 'inc' that could differ here; did you "
         "mean 'ink'? [fields]"),
        ("colours: {ink: black}", "error: the colour ink is 'black'; expected "
                                  "#rrggbb in quotes, such as \"#1a2b3c\" [type]"),
        ("print: {paper: a44}", "error: paper is 'a44'; did you mean 'a4'? [size]"),
        ("deck: [loot]", "error: unknown field 'deck' in the variant pocket; did you mean 'decks'? "
                         "[fields]"),
        ("title: {fi: Pikku}", "error: the title of pocket has no text [language]"),
    ],
)  # fmt: skip
def test_mistakes_are_told_at_their_lines(root: Path, written: str, line: str) -> None:
    text = (root / "game.yaml").read_text(encoding="utf-8")
    head = text.partition("variants:")[0]
    (root / "game.yaml").write_text(f"{head}variants:\n  pocket:\n    {written}\n")
    at = head.count("\n") + 3
    line = line.replace("the title of pocket", "[en]: the title of pocket")
    assert [each.replace(": [en]", ":").replace("error [en]", "error") for each in told(root)] == [
        f"game.yaml:{at}: {line}".replace(": [en]", ":")
    ]


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("variants: [pocket]",
         "error: variants is a list; expected a mapping, NAME: {decks: …} [type]"),
        ("variants: {fi: {}}",
         "error: 'fi' is a language of the game; give the variant another name [fields]"),
        ("variants: {all: {}}",
         "error: 'all' is the word for every variant; give the variant another name [fields]"),
        ("variants: {pocket: 3}",
         "error: the variant pocket is 3; expected {decks: …} [type]"),
        ("whole: false",
         "error: whole: false, but the game has no variants, so nothing is left to build [fields]"),
        ("variants: {" + ", ".join(f"v{n}: {{}}" for n in range(9999)) + "}",
         "error: the game has 9999 variants; 64 are allowed [bounds]"),
    ],
    ids=lambda value: value[:30],
)  # fmt: skip
def test_what_is_no_variant(make_game: MakeGame, written: str, line: str) -> None:
    root = make_game({**TEXT_GAME, "game.yaml": TEXT_GAME["game.yaml"] + written + "\n"})
    assert told(root) == [f"game.yaml:4: {line}"]


def test_variants_of_many_faces_are_no_game(make_game: MakeGame) -> None:
    """Each is typeset: what all of them have together is bounded."""
    cards = "".join(f"  - {{id: c{n}, value: 1}}\n" for n in range(4000))
    root = make_game({
        **TEXT_GAME,
        "game.yaml": TEXT_GAME["game.yaml"]
        + "variants: {" + ", ".join(f"v{n}: {{}}" for n in range(64)) + "}\n",
        "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"] + cards,
    })  # fmt: skip
    game, problems = rule_file.load_game(root)
    assert game is None
    assert "in 64 variants are 520780 faces; 200000 are allowed" in str(problems[-1])


# -- builds


def test_each_is_built_in_its_own_folder(cardgen: Cardgen, root: Path) -> None:
    before = times(root / "build")
    result = cardgen("build", "sheets", "images", "--variant", "all")
    assert (result.code, result.err) == (0, "")
    assert "Pikku 0.1 (pocket): 4 faces" in result.out
    assert "Small (travel): 6 faces" in result.out
    made = [name for name in contents(root / "build") if name not in before]
    assert {name.split("/")[0] for name in made} == {"pocket", "travel"}
    assert "pocket/fi/sheets/loot.pdf" in made
    assert "travel/en/sheets/notes.pdf" in made
    assert {name: times(root / "build")[name] for name in before} == before
    assert not [name for name in made if name.startswith(("pocket/en", "travel/fi"))]


def test_equal_faces_are_typeset_once(cardgen: Cardgen, layouts: Layouts) -> None:
    """Of the two decks' faces in English, the notes are the same in the whole game."""
    faces, _ = layouts.of(
        lambda: cardgen("build", "sheets", "--fresh", "--variant", "travel,pocket")
    )
    assert faces == 8, "travel: 3 + 2 and a back; pocket: 2, a back"
    faces, _ = layouts.of(lambda: cardgen("build", "sheets", "--lang", "en"))
    assert faces == 2, "the back and the notes are those of travel"


def test_the_same_words_once_more_are_told_at_once(cardgen: Cardgen, root: Path) -> None:
    time.sleep(0.06)
    for asked in (
        ("build", "sheets", "--variant", "all"),
        ("check",),
        ("check", "--variant", "all"),
    ):
        assert cardgen(*asked).code == 0
        assert replay.replay_output(list(asked)) == 0
    (root / "build/pocket/fi/sheets/loot.pdf").unlink()
    assert replay.replay_output(["build", "sheets", "--variant", "all"]) is None


def test_what_is_asked_of_several(cardgen: Cardgen, root: Path) -> None:
    """Of all, variants without the deck are passed over; one that is named must have it."""
    assert cardgen("build", "sheets", "--variant", "all", "--deck", "notes").code == 0
    assert not (root / "build/pocket").exists()
    assert (root / "build/travel/en/sheets/notes.pdf").is_file()
    result = cardgen("build", "sheets", "--variant", "pocket", "--deck", "notes")
    assert result.error == "Error: no deck 'notes'; known: loot"
    result = cardgen("build", "sheets", "--variant", "pocket,travel", "--deck", "notes")
    assert result.error == ("Error: the variant pocket has none of these decks in these languages")
    result = cardgen("build", "images", "--variant", "travel,pocket", "--card", "five")
    assert result.error == "Error: --card: no card 'five'; known: barn, shop"
    assert cardgen("build", "images", "--variant", "all", "--card", "five").code == 0
    result = cardgen("build", "sheets", "--variant", "pokcet")
    assert result.error == "Error: no variant 'pokcet'; did you mean 'pocket'?"
    result = cardgen("build", "changed", "--variant", "pocket")
    assert result.error == (
        "Error: printed.yaml records the game as a whole; for a variant, build all its sheets"
    )


def test_a_folder_of_its_own(cardgen: Cardgen, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cardgen("build", "sheets", "--variant", "pocket", "-o", str(out)).code == 0
    assert (out / "fi/sheets.pdf").is_file()
    assert cardgen("build", "sheets", "--variant", "all", "-o", str(out)).code == 0
    assert (out / "travel/en/sheets.pdf").is_file()


def test_a_link_in_a_variant_s_place_is_not_followed(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "away").mkdir()
    (root / "build/pocket").symlink_to(tmp_path / "away")
    result = cardgen("build", "sheets", "--variant", "pocket")
    assert result.code == 1
    assert "it is a link, and nothing is written through links" in result.err
    assert not list((tmp_path / "away").iterdir())


def test_clean_removes_what_variants_made(cardgen: Cardgen, root: Path) -> None:
    cardgen("build", "sheets", "--variant", "all")
    cardgen("clean")
    assert contents(root / "build") == {}
    assert not (root / "build/pocket").exists()


def test_problems_name_a_variant_when_they_are_its_own(cardgen: Cardgen, root: Path) -> None:
    edit(
        root,
        "templates/card.css",
        "top: 40mm; width: 34mm; height: 18mm",
        "top: 40mm; width: 34mm; height: 2mm",
    )
    result = cardgen("check")
    assert result.code == 1
    lines = result.err.splitlines()
    assert lines
    assert all("in the variant pocket: " in line for line in lines)
    assert result.out == "Pieni: 2 decks, 12 faces, 0 rules, 2 variants; 1 error\n"
    assert cardgen("check", "--variant", "travel").code == 0
    alone = cardgen("check", "--variant", "pocket")
    assert (alone.code, "in the variant" in alone.err) == (1, False)
    edit(root, "templates/loot.html", "{{ card.name }}", "{{ card.nmae }}")
    assert "templates/loot.html:3: error: loot/barn" in cardgen("check").err


def test_only_variants_may_be_made(cardgen: Cardgen, root: Path) -> None:
    """A text that no variant shows may lack: loot is in no Swedish variant."""
    edit(root, "game.yaml", "languages: [fi, en]", "languages: [fi, en, sv]\nwhole: false")
    text = (root / "cards/notes.yaml").read_text(encoding="utf-8")
    (root / "cards/notes.yaml").write_text(text.replace("en: Notes", "en: Notes, sv: Sedlar"))
    edit(root, "game.yaml", "{fi: Pieni, en: Small}", "{fi: Pieni, en: Small, sv: Lilla}")
    edit(root, "game.yaml", "{fi: Palkka, en: Wage}", "{fi: Palkka, en: Wage, sv: Lön}")
    edit(
        root,
        "game.yaml",
        "travel: {languages: [en]}",
        "travel: {languages: [en]}\n  svensk: {decks: [notes], languages: [sv]}",
    )
    result = cardgen("check")
    assert result.code == 0
    assert result.out.startswith("Pikku 0.1 (pocket): 1 deck, 4 faces, 0 rules, 2 variants more; ")
    result = cardgen("build", "sheets")
    assert result.code == 0
    assert (root / "build/svensk/sv/sheets/notes.pdf").is_file()


def test_a_save_is_held_against_its_variant(cardgen: Cardgen, root: Path) -> None:
    assert cardgen("build", "tts", "--variant", "pocket").code == 0
    save = str(root / "build/pocket/fi/tts/small-pocket.json")
    assert cardgen("check-tts", save, "--game", ".", "--variant", "pocket").code == 0
    assert (
        "no variant 'pokcet'"
        in cardgen("check-tts", save, "--game", ".", "--variant", "pokcet").err
    )
    assert cardgen("check-tts", save, "--variant", "pocket").error == (
        "Error: --variant goes with --game"
    )


def test_a_list_names_them(cardgen: Cardgen) -> None:
    line = cardgen("list").out.splitlines()[1]
    assert line == "variants: pocket (1 deck, fi), travel (2 decks, en)"
    told = json.loads(cardgen("list", "--json").out)["variants"]
    assert told["pocket"] == {"decks": ["loot"], "languages": ["fi"]}


def test_rules_of_variants(cardgen: Cardgen, root: Path) -> None:
    rule = "  - {id: %s, count: loot, is: %d, because: so, section: S%s}\n"
    lines = [("all", 4, ""), ("small", 5, ", variant: pocket"), ("two", 6, ", variant: [travel]")]
    text = "rules:\n" + "".join(rule % line for line in lines)
    (root / "cards/rules.yaml").write_text(text)
    result = cardgen("check")
    assert [line.rpartition(" ")[2] for line in result.err.splitlines()] == ["[small]", "[two]"]
    assert "in the variant pocket: loot has 4 cards, expected 5" in result.err
    (root / "cards/rules.yaml").write_text(text.replace("pocket", "pokcet"))
    assert (
        "cards/rules.yaml:3: error: variant is 'pokcet'; game.yaml has no such variant; "
        "did you mean 'pocket'? [reference]"
    ) in cardgen("check").err
