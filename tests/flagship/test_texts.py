"""The flagship's printed texts against the data of its effects, in both languages.

A card's front is rendered and read (`printed`, `sayings`); what it says must be what its data say
(`expectations`), and every figure on it must mean something. That each check can fail is shown by
changing one thing after another, in the data and in the texts, on every card.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import expectations as due
import pytest
import sayings
from printed import INVISIBLE, Box, Printer, icons, numbers

from cardgen.game.model import Deck, Field, Game, Piece, Text

Check = Callable[[Game, Deck, Piece, Box, str], list[str]]

DECKS = ("areas", "night-attacks", "foreign-aid", "actions", "graft", "commanders", "loot-city",
         "loot-country")  # fmt: skip
LANGUAGES = ("fi", "en")


@pytest.fixture(scope="module")
def printer(game: Game) -> Printer:
    return Printer(game)


def plain(text: str) -> str:
    """A text of the data as `printed` reads it."""
    return " ".join(text.replace("**", "").translate(INVISIBLE).split())


def differences(what: str, printed: Any, asked: Any) -> list[str]:
    return [] if printed == asked else [f"{what}: printed {printed}, in the data {asked}"]


def compared(text: str, language: str, known: Any, expected: due.Said) -> list[str]:
    """What a text says, role by role, against what the data ask; figures that say nothing."""
    said, left = sayings.read(text, language, known)
    damage = said.get("damage", [])
    for place, value in enumerate(damage):
        damage[place] = damage[place - 1] if value == "the same" else value
    once = [one for i, one in enumerate(said.get("who", [])) if said["who"][i - 1 : i] != [one]]
    said |= {"who": once} if once else {}
    wrong = sayings.unworded(text, language)
    for role in sorted(said.keys() | expected.keys()):
        wrong += differences(role, said.get(role, []), expected.get(role, []))
    unread = re.findall(r"\d+", left)
    return wrong + [f"the figure {figure} says nothing in '{left.strip()}'" for figure in unread]


def check_area(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card = piece.values
    wrong = compared(front.text("strike-text"), language, sayings.AREAS, due.area(card))
    rows = [["".join(cell.text().split()) for cell in row.boxes() if cell.tag in ("th", "td")]
            for row in front.all("tr")]  # fmt: skip
    kinds = {"artillery": "artillery", "assault": "assault", "any": "damage"}
    asked = [[f"{{{icon}}}", *(str(n or "–") for n in card[kind])]
             for kind, icon in kinds.items() if card[kind]]  # fmt: skip
    wrong += differences("damage withstood", rows[1:-1], asked)
    wrong += differences("players and loot", [rows[0][1:], rows[-1][1:]],
                         [list("234"), [str(n) for n in card["loot"]]])  # fmt: skip
    return wrong + differences("terrain", icons(front.text("tab-values")), [card["terrain"]])


def check_night(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card = piece.values
    wrong = compared(front.text("target"), language, sayings.WHO, due.targets(card["aims"]))
    text = front.text("result")
    wrong += compared(text, language, sayings.NIGHT, due.night(card))
    wrong += differences("result", becomes(text, language), dict(card["result"]))
    aim = card["aims"][0]
    sign = {"tired": "fatigue", "laden": "goods", "guilty": "atrocity", "damaged": "damage"}
    place = aim["by"] == "place" and (aim["place"] or 0) > 1
    number = f"{'−' if aim['from'] == 'rear' else ''}{aim['place']}" if place else ""
    state = aim["state"] if aim["state"] != "idle" else None
    state = sign.get(str(state), state)
    within = aim["type"] or state or (aim["from"] if aim["by"] == "place" else "")
    due_sign = number or (f"{{{within}}}" if within else "")
    return wrong + differences("in the crosshair", front.text("crosshair").strip(), due_sign)


BECOMES = {
    "fi": (r"(vahingoittuu|tuhoutuu)\b", r"\b[Mm]uut?\b", r"[Vv]ahingoittumat|[Ee]hjä",
           ("vahingoittun", "[Vv]almiudessa", "kännissä", "kamoissa")),
    "en": (r"(?<!that )is (damaged|destroyed)", r"\b(?:any|every) other\b", r"\bundamaged\b",
           (r"\bdamaged\b", r"\bon (?:\{alert\} )?alert\b", r"\bdrunk\b(?!\})",
            r"\bdoped\b(?!\})")),
}  # fmt: skip
"""How a result is told: the verb that ends each part, the rest, the undamaged, and the states."""


FATES = {"vahingoittuu": "damaged", "tuhoutuu": "destroyed"}


def becomes(text: str, language: str) -> dict[str, str]:
    """What becomes of a unit in each state: each part of the sentence takes those it names."""
    verb, rest, undamaged, words = BECOMES[language]
    found: dict[str, str] = {}
    parts = re.split(verb, text)
    for who, fate in zip(parts[::2], parts[1::2], strict=False):
        named = [state for state, word in zip(due.STATES, words, strict=False)
                 if re.search(word, who)]  # fmt: skip
        whole = [state for state in due.STATES if state != "damaged"]
        everyone = whole if re.search(undamaged, who) else due.STATES
        for state in due.STATES if re.search(rest, who) else named or everyone:
            found.setdefault(state, FATES.get(fate, fate))
    return found


def check_action(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card, constants = piece.values, deck.constants
    rule, cost = front.text("rule"), front.text("cost")
    own = plain(card["text"][language])
    wrong = compared(own, language, sayings.ACTIONS, due.action(card))
    wrong += differences("its text", own in rule, True)
    wrong += ["exactly so many of nothing"] if card["exactly"] and not card["removes_loot"] else []
    wrong += differences("who may", icons(front.text("who")), sorted(card["units"]))
    order = constants["orders"][card["action"]][language]
    wrong += differences("the order", front.text("order-word").strip(), plain(order))
    for name, asked in {
        "stash": card["removed"],
        "barter": card["barter"],
        "forced": card["forced"],
        "open": card["action"] in ("loot", "dont-loot"),
    }.items():
        wrong += differences(name, plain(constants[name][language]) in rule, asked)
    usual = constants["usual" if card["tires"] else "restful"][language]
    wrong += differences("its cost", cost.strip(), plain(usual))
    said = {n for values in due.action(card).values() for n in values if isinstance(n, int)}
    extra = set(numbers(front.text("tab-values"))) - said
    return wrong + [f"the tab's figure {figure} is not in the data" for figure in sorted(extra)]


def check_graft(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card, constants = piece.values, deck.constants
    own = plain(card["text"][language])
    wrong = compared(own, language, sayings.GRAFT, due.graft(card))
    wrong += differences("its text", own in front.text("rule"), True)
    items = [box.text().replace("−", "-").strip() for box in front.all("item")]
    entries = [re.fullmatch(r"\{([a-z-]+)\} ?(.*)", item) for item in items]
    printed = sorted((entry[1], entry[2].strip()) for entry in entries if entry)
    wrong += differences("the ledger", printed, due.ledger(card))
    wrong += differences("a choice", bool(front.all("or")), bool(card["instead"]))
    for name, asked in {"keep": card["kept"], "moves": bool(card["place"])}.items():
        wrong += differences(name, plain(constants[name][language]) in front.text("rule"), asked)
    return wrong


def check_commander(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card = piece.values
    plate = front.text("plate-text").strip()
    ability = f"{plate}: {front.text('rule')}"
    wrong = compared(ability, language, sayings.COMMANDERS, due.commander(card))
    return wrong + differences("the plate", plate, game.words[f"per_{card['per']}"][language])


def check_loot(game: Game, deck: Deck, piece: Piece, front: Box, language: str) -> list[str]:
    card = piece.values
    wrong = compared(front.text("rule"), language, sayings.LOOT, due.loot(card))
    paid = "ransom" if card["ransom"] else "cash"
    wrong += ["a ransom without cash"] if card["ransom"] and not card["cash"] else []
    figures, marks = due.signs(card, paid)
    wrong += differences("values", numbers(front.text("values")), figures)
    wrong += differences("the tab", numbers(front.text("tab-values")), figures)
    shown = icons(front.text("tab-values"))
    asked = sorted({"goods" if mark == "crate" else mark for mark in marks})
    wrong += differences("the tab's icons", shown, asked)
    wrong += differences("category", plain(game.words[card["category"]][language]) in
                         front.text("kicker"), True)  # fmt: skip
    rule = plain(game.words["atrocity_rule"][language])
    wrong += differences("atrocity", rule in front.text("atrocity-rule"), card["atrocity"])
    coupons = [(icons(box.text("who")), numbers(box.text("coupon-row")),
                icons(box.text("coupon-row"))) for box in front.all("coupon")]  # fmt: skip
    return wrong + differences("coupons", coupons, coupons_asked(card, paid))


def coupons_asked(card: Mapping[str, Any], paid: str) -> list[tuple[Any, ...]]:
    """Whose coupon, its figures, and its icons: crates and small notes have none."""
    found = []
    for who in ("greenhorn", "scarface", "drunk", "doped"):
        if card[who]:
            figures, marks = due.signs(card[who], paid)
            beside_goods = {"crate"} | ({paid} if card[who].get("goods") else set())
            shown = [mark for mark in marks if mark not in beside_goods]
            found.append(([who], figures, sorted([who, *shown])))
    return found


CHECKS: dict[str, Check] = {
    "areas": check_area,
    "night-attacks": check_night,
    "foreign-aid": check_night,
    "actions": check_action,
    "graft": check_graft,
    "commanders": check_commander,
    "loot-city": check_loot,
    "loot-country": check_loot,
}


def deck_of(game: Game, name: str) -> Deck:
    deck = game.get_deck(name)
    assert deck is not None
    return deck


def different(deck: Deck) -> list[Piece]:
    """The pieces of a deck, of one player's only: the others' differ in nothing that is checked."""
    return [p for p in deck.pieces if p.player in (None, deck.pieces[0].player)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DECKS)
def test_texts_say_what_the_data_say(
    game: Game, printer: Printer, name: str, language: str
) -> None:
    deck = deck_of(game, name)
    wrong = [
        f"{piece.id}: {why}"
        for piece in deck.pieces
        for why in CHECKS[name](game, deck, piece, printer.front(deck, piece, language), language)
    ]
    assert wrong == []


def test_the_line_on_barter_prints_its_rate(game: Game) -> None:
    constants = deck_of(game, "actions").constants
    rate = constants["barter_rate"]
    kinds = {"artillery": "ammunition", "assault": "ammunition"}
    for language in LANGUAGES:
        line = plain(constants["barter"][language])
        goods = re.findall(r"(\d+) \{([a-z]+)\}", line)
        assert sorted(name for _, name in goods) == sorted(
            ["booze", "artillery", "assault", "fuel", "food"]
        )
        assert [int(n) for n, _ in goods] == [rate[kinds.get(name, name)] for _, name in goods]
        assert numbers(line) == sorted([*(int(n) for n, _ in goods), rate["keeps"]])


# What is no effect of a card: names, pictures, and words that are checked as texts.
NO_EFFECT = {"picture", "backdrop", "name", "text", "target", "flavour", "history", "ware",
             "country", "weapon", "starter"}  # fmt: skip


def changes(value: Any, declared: Field) -> Iterator[Any]:
    """A value with one thing changed in it, for every thing in it."""
    if isinstance(value, bool):
        yield not value
    elif declared.kind == "choice" and value is not None:
        yield next(choice for choice in declared.choices if choice != value)
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, tuple) and declared.item:
        for i, child in enumerate(value):
            for changed in changes(child, declared.item):
                yield (*value[:i], changed, *value[i + 1 :])
        if len(value) > 1:
            yield value[:-1]
    elif isinstance(value, Mapping) and not isinstance(value, Text):
        for name, child in value.items():
            for changed in changes(child, declared.fields[name]):
                yield {**value, name: changed}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DECKS)
def test_every_change_of_the_data_is_noticed(
    game: Game, printer: Printer, name: str, language: str
) -> None:
    """So every figure in the data is printed, and every choice."""
    deck, unnoticed, tried = deck_of(game, name), [], 0
    for piece in different(deck):
        front = printer.front(deck, piece, language)
        for key, declared in deck.fields.items():
            for changed in changes(piece.values[key], declared) if key not in NO_EFFECT else ():
                mutated = replace(piece, values={**piece.values, key: changed})
                tried += 1
                if not CHECKS[name](game, deck, mutated, front, language):
                    unnoticed.append(f"{piece.id}: {key} = {changed}")
    assert unnoticed == []
    assert tried > len(different(deck))


ATTACKS = ("areas", "night-attacks", "foreign-aid")
TURNED = {
    "fi": {
        ATTACKS: {"vahingoittuu": "tuhoutuu", "tuhoutuu": "vahingoittuu", "etummai": "taimmai",
                  "kännissä": "kamoissa", "[Kk]ärki": "keski", "[Vv]almiudessa": "kamoissa",
                  "panssari": "huolto", "enintään": "vähintään", "poistaa (?=s[ti])": "ottaa "},
        ("graft",): {"vähemmän": "enemmän", "enemmän": "vähemmän", "[Pp]oista ": "Ota ",
                     "Ota yhteis": "Poista yhteis", "kärkeen": "viimeiseksi", "ruokaa": "bensaa"},
        ("actions",): {"vahinko": "ammus", "rynnäkkö-": "tykistö-", "avoin ": "piilossa "},
        ("commanders",): {"jalkaväkesi": "huoltosi", "vähentää": "lisätä", "enemmän": "vähemmän"},
        ("loot-city", "loot-country"): {r"Poista(?= \w+ \d)": "Ota", "Ota": "Poista"},
    },
    "en": {
        ATTACKS: {"is damaged,? (?!or|tai)": "is destroyed ", "is destroyed": "is damaged",
                  "the head(?! unit)": "the rear", "drunk ": "doped ", "the head unit": "it",
                  "alert is": "duty is", "armour ": "supply ", "or fewer": "or more",
                  "removes(?= \\d)": "takes"},
        ("graft",): {"fewer": "more", "card more": "card fewer", "Remove ": "Take ",
                     "Take (?=[^.]*tR|2|3)": "Remove ", "the head": "the rear"},
        ("actions",): {"damage\\b": "ammunition", "it is assault": "it is artillery",
                       "open loot": "hidden loot"},
        ("commanders",): {"infantry next": "supply next", "reduce": "raise",
                          "more(?= \\{damage)": "less"},
        ("loot-city", "loot-country"): {"Remove(?= \\d)": "Add", "Add": "Remove"},
    },
}  # fmt: skip
"""Words that turn an effect round, as patterns, and what each becomes; by language and decks."""


SOFT = {ord("\u00ad"): None, ord("\u00a0"): " "}
"""Left out before misprinting: words are found however they are hyphenated and tied."""


def misprints(text: str, language: str, deck: str) -> Iterator[str]:
    """A text with one figure, icon or decisive word changed."""
    for match in re.finditer(r"\d+", text):
        yield text[: match.start()] + str(int(match[0]) + 1) + text[match.end() :]
    for match in re.finditer(r"\{[a-z-]+\}", text):
        other = "{food}" if match[0] != "{food}" else "{fuel}"
        yield text[: match.start()] + other + text[match.end() :]
    for decks, words in TURNED[language].items():
        for word, other in words.items() if deck in decks else ():
            for match in re.finditer(word, text):
                yield text[: match.start()] + other + text[match.end() :]


def texts(deck: Deck, language: str) -> Iterator[tuple[Piece, str, Text, str]]:
    """Every text that tells an effect: its piece, its field, and its words in the language."""
    for piece in different(deck):
        for key in ("text", "target"):
            if text := piece.values.get(key):
                yield piece, key, text, text[language].translate(SOFT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_to_turn_round_stands_on_a_card(game: Game, language: str) -> None:
    idle = [
        word
        for decks, words in TURNED[language].items()
        for word in words
        if not any(re.search(word, printed)
                   for name in decks for *_, printed in texts(deck_of(game, name), language))
    ]  # fmt: skip
    assert idle == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DECKS)
def test_every_misprint_is_noticed(game: Game, printer: Printer, name: str, language: str) -> None:
    deck, unnoticed, tried = deck_of(game, name), [], 0
    for piece, key, text, words in texts(deck, language):
        for wrong in misprints(words, language, name):
            values = {**piece.values, key: Text({**text, language: wrong}, text.source)}
            misprinted = replace(piece, values=values)
            front = printer.front(deck, misprinted, language)
            tried += 1
            if not CHECKS[name](game, deck, misprinted, front, language):
                unnoticed.append(f"{piece.id}: {wrong}")
    assert unnoticed == []
    assert tried
