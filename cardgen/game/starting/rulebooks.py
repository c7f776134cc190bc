"""The words of a new game's rulebook and first rule, a language each; English where there is none.

What a sample says of itself goes before them: `setup`, `turn` (a list) and `end`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS: Mapping[str, Mapping[str, Any]] = {
    "en": {
        "headings": ("What it is about", "Setting up", "A turn", "The end"),
        "about": "Say in two sentences who the players are and what they want.",
        "setup": "Shuffle the {count} cards and put them face down in the middle.\n"
        "Deal each player three.",
        "turn": (
            "Draw a card.",
            "Play a card: pay what it costs and do what it says.",
            "Discard down to five.",
        ),
        "end": "When the last card is drawn, the game is over. Say who has won.",
        "box": "so many fit on the sheets that we print",
    },
    "fi": {
        "headings": ("Mistä on kyse", "Alkuvalmistelut", "Vuoro", "Pelin päättyminen"),
        "about": "Kerro parilla virkkeellä, keitä pelaajat ovat ja mitä he tavoittelevat.",
        "setup": "Sekoita pakka ({count} korttia)\n"
        "ja aseta se kuvapuoli alaspäin keskelle pöytää.\nJaa jokaiselle kolme korttia.",
        "turn": (
            "Nosta kortti.",
            "Pelaa kortti: maksa sen hinta ja tee, mitä siinä sanotaan.",
            "Jos sinulla on yli viisi korttia, poista ylimääräiset.",
        ),
        "end": "Peli päättyy, kun pakan viimeinen kortti nostetaan. Kerro, kuka on voittanut.",
        "box": "näin monta mahtuu arkeille, jotka tulostamme",
    },
    "ru": {
        "headings": ("О чём игра", "Подготовка", "Ход", "Конец игры"),
        "about": "Скажите в двух предложениях, кто такие игроки и чего они хотят.",
        "setup": "Перемешайте колоду (карт в ней: {count})\n"
        "и положите её лицом вниз в центр стола.\nРаздайте каждому по три карты.",
        "turn": (
            "Возьмите карту.",
            "Сыграйте карту: заплатите её цену и сделайте то, что на ней сказано.",
            "Если у вас больше пяти карт, сбросьте лишние.",
        ),
        "end": "Игра кончается, когда взята последняя карта колоды. Скажите, кто победил.",
        "box": "столько помещается на листы, которые мы печатаем",
    },
}
_ANCHORS = ("about", "setup", "turn", "end")


def rulebook(language: str, title: str, deck: str, said: Mapping[str, Any]) -> str:
    """The rulebook of a new game, in Markdown. `said` is what goes before the usual words."""
    words = {**_of(language), **said}
    turn = "\n".join(f"{number}. {step}" for number, step in enumerate(words["turn"], 1))
    texts = (words["about"], words["setup"], turn, words["end"])
    parts = [f"# {title}\n"]
    for heading, anchor, text in zip(words["headings"], _ANCHORS, texts, strict=True):
        parts.append(f"## {heading} {{#{anchor}}}\n\n{text}\n")
    return "\n".join(parts).replace("{count}", f'{{{{ count("{deck}") }}}}')


def of_the_box(language: str) -> tuple[str, str]:
    """Why the box holds so many cards, and the section of the rulebook that says so."""
    words = _of(language)
    return str(words["box"]), str(words["headings"][1])


def _of(language: str) -> Mapping[str, Any]:
    return _WORDS.get(language.partition("-")[0], _WORDS["en"])
