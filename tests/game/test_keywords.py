"""Words of card texts that are printed as icons: where they are one, and where not."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Cardgen, MakeGame
from small_games import TEXT_GAME, edit

from cardgen.core.problems import Subject
from cardgen.game.keywords import Keywords
from cardgen.rules import rule_file

BUILT = {
    **TEXT_GAME,
    "game.yaml": TEXT_GAME["game.yaml"] + "keywords: {Pay: coin, leave: coin, Maksa: coin}\n",
}


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Pay 2 Wood.", "Pay 2 {wood}."),
        ("Wood", "{wood}"),
        ("Wood, Wood; (Wood) “Wood”/Wood", "{wood}, {wood}; ({wood}) “{wood}”/{wood}"),
        ("**Wood** and *Wood*", "**{wood}** and *{wood}*"),
        ("2\u00a0Wood – Wood…", "2\u00a0{wood} – {wood}…"),
        ("Wood- and stone", "{wood}- and stone"),
        ("‘Wood’ 'Wood'", "‘{wood}’ '{wood}'"),
        ("Victory Point, Victory", "{vp}, Victory"),
        ("Wooden Woods wood WOOD Driftwood DriftWood Wood2 2Wood", None),
        ("Wood-cutter Un-Wood Wood’s Wood\u00adland Wood\u0308 Wood_", None),
        ("{Wood} {wood} <Wood> </Wood> &Wood; \\{Wood", "{Wood} {wood} <Wood> </Wood> &Wood; "
         "\\{{wood}"),
        ("\\Wood, \\Woods \\\\Wood x\\Wood", "Wood, \\Woods \\\\{wood} x\\Wood"),
        ("Puuta ja Puu", "Puuta ja {wood}"),
        ("लकड़ी लकड़ीं", "{wood} लकड़ीं"),
    ],
)  # fmt: skip
def test_whole_words_alone(text: str, printed: str | None) -> None:
    icons = {"Wood": "wood", "Victory Point": "vp", "Puu": "wood", "लकड़ी": "wood"}
    assert Keywords(icons).insert_icons(text, Subject()) == (text if printed is None else printed)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Pay Wood oils.", "Pay {wood} oils."),
        ("Pay Wood oil.", "Pay {oil}."),
        ("Pay \\Wood oils, Wood.", "Pay Wood oils, {wood}."),
        ("Pay Wood oil-lamp oil.", "Pay {wood} oil-lamp {lamp}."),
        ("Big lamps, Big lamp", "Big lamps, Big {lamp}"),
    ],
)
def test_where_a_longer_one_is_no_whole_word_a_shorter_is_looked_for(
    text: str, printed: str
) -> None:
    icons = {"Wood": "wood", "Wood oil": "oil", "oil": "lamp", "Big la": "oil", "lamp": "lamp"}
    assert Keywords(icons).insert_icons(text, Subject()) == printed


def test_no_text_takes_long() -> None:
    """However it is made: a keyword is looked for once at each place."""
    words = Keywords({"a" * n: "icon" for n in range(1, 100)})
    for text in ("a" * 50_000, "<" * 50_000, "{a" * 50_000, "\\" * 50_000, "&a" * 50_000):
        words.insert_icons(text, Subject())


def test_texts_of_cards_and_where_they_are_told(cardgen: Cardgen, root: Path) -> None:
    result = cardgen("list", "--keywords")
    assert result.out == (
        "Pay → {coin}, in 1 text: loot/shop [en]\n"
        "leave → {coin}, in 1 text: loot/barn [en]\n"
        "Maksa → {coin}, in 1 text: loot/shop [fi]\n"
    )
    assert cardgen("check").err == ""
    game, _ = rule_file.load_game(root)
    assert game is not None
    text = game.decks[0].pieces[1].values["text"]
    assert dict(text) == {"fi": "{coin} 5 €.", "en": "{coin} € 5."}


def test_names_stay_words(root: Path) -> None:
    """Unless their fields ask for it; and any field may leave its words alone."""
    edit(root, "game.yaml", "Maksa: coin", "Maksa: coin, Kauppa: coin, Shop: coin")

    def read() -> tuple[str, str]:
        game, _ = rule_file.load_game(root)
        assert game is not None
        values = game.decks[0].pieces[1].values
        return values["name"]["en"], values["text"]["en"]

    assert read() == ("Shop", "{coin} € 5.")
    edit(root, "cards/loot.yaml", "name: text", "name: {type: text, keywords: true}")
    edit(root, "cards/loot.yaml", "text: text", "text: {type: text, keywords: false}")
    assert read() == ("{coin}", "Pay € 5.")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{Lato: coni}", "error: keyword Lato: there is no icon 'coni' in art/icons; did you "
        "mean 'coin'? "
                         "[reference]"),
        ("{Mkasa: coin}",
         "warning: the keyword 'Mkasa' is in no card text; correct the word, or remove it "
         "[fields]"),
        ("{'{x}': coin}",
         "error: keywords: '{x}' has a character that is markup in texts [fields]"),
        ("{'…': coin}", "error: keywords: '…' is not a word [fields]"),
        ("[Maksa]", "error: keywords is a list; expected a mapping, NAME: VALUE [type]"),
        ("{" + ", ".join(f"w{n}: coin" for n in range(501)) + "}",
         "error: the game has 501 keywords; 500 are allowed [bounds]"),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_mistakes(make_game: MakeGame, written: str, told: str) -> None:
    root = make_game({
        **TEXT_GAME, "game.yaml": f"{TEXT_GAME['game.yaml']}keywords: {written}\n",
    })  # fmt: skip
    assert [str(each) for each in rule_file.load_game(root)[1]] == [f"game.yaml:4: {told}"]
