"""One word for each thing: what a reader of every text put aside does not come back.

Cards, words of the game, notes on the table and both books are searched. Words are looked for as
they are printed, without soft hyphens and with plain spaces.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PUT_ASIDE = {
    "fi": {
        r"\b[Pp]an(?:e|ee|emi\w+|kaa|na|naan|naanko|nuista|tu)\b": "asettaa, palauttaa, jättää",
        r"\btasan oltaessa\b": "tasatilanteessa",
        r"\b[Mm]aksaa vain itsensä\b": "ei muuta hintaa",
        r"\b(?:[Ll]ajit|[Tt])oiminnat\b": "toiminnot",
        r"\bvaruill\w+\b": "valmiudessa, valmiuteen",
        r"\btupakkakort\w+": "savukekortti",
        r"\bpalauta (?:\w+ )?pakkaan\b": "kätköön",
        r"\bvasta-amiraali": "kontra-amiraali",
        r"\btuonnempana\b": "myöhemmin",
        r"\botettua jää\b": "samaa on jäätävä",
        r"\bsiitä ei oteta\b": "jäät ilman",
        r"\b[Tt]oisen väri\w+": "toisenvärinen",
        r"\b[Rr]atkaise (?:kortti|se|\d)": "tee",
        r"\b1 vahinkoa\b": "1 vahinko, 1 vahingon",
        r"\b[Kk]aksi sanaa ennen\b": "kaksi sanaa aluksi",
        r"\b[Nn]appula\w*": "määrämerkki, merkki",
        r"\b[Ee]hj(?:ä|ät|iä|ien|än|ään)\b": "vahingoittumaton; paikka ilman vahinkomerkkiä",
    },
    "en": {
        r"\b\d (?:\{\w+\} )?(?:\w+ )?ammunition\b": "rounds, shells",
        r"\bfuel-less\b": "out of fuel",
        r"\bNot damaged, out of fuel\b": "Not if damaged or out of fuel",
        r"\bcounter-admiral": "rear admiral",
    },
}
"""By language, what is not said, and what is said instead."""

QUOTED = "Joukkue, passannut ja varuillaan"
"""The designer's edition tells which words the draft had."""

TEXTS = [file for file in Path("cards").glob("*.yaml") if file.name != "rules.yaml"]
TEXTS += [Path("game.yaml"), Path("table.yaml")]


def sentences(language: str) -> list[tuple[str, str]]:
    """Every line of text in a language, with its file and line."""
    found = []
    for file in [*TEXTS, Path("rulebook", f"{language}.md")]:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            printed = line.replace("\\u00AD", "").replace("\u00ad", "")
            printed = printed.replace("\\u00A0", " ").replace("\u00a0", " ")
            found.append((f"{file}:{number}", printed))
    return found


def put_aside(text: str, language: str) -> list[str]:
    """What a text says that is said otherwise now."""
    return [
        f"'{match[0]}' is now {instead}"
        for words, instead in PUT_ASIDE[language].items()
        for match in re.finditer(words, text)
    ]


@pytest.mark.parametrize("language", PUT_ASIDE)
def test_no_text_says_what_was_put_aside(language: str) -> None:
    told = [
        f"{where}: {why}"
        for where, line in sentences(language)
        if QUOTED not in line
        for why in put_aside(line, language)
    ]
    assert told == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fi", "Pane tälle joukolle 1 {fatigue} väsymysmerkki."),
        ("fi", "Paneminen"),
        ("fi", "se, jolla on eniten, tasan oltaessa taimmainen"),
        ("fi", "Yhteiset toiminnat"),
        ("fi", "Ota yksi tupakkakortti."),
        ("fi", "ratkaise 2 avointa ryöstelykorttia"),
        ("fi", "Ehjä arpinaama nostaa 2 ja valitsee."),
        ("fi", "hyökkäävä joukko tekee 1 vahinkoa enemmän"),
        ("en", "1 ammunition: 2 damage."),
        ("en", "Remove 2 {artillery} artillery ammunition."),
        ("en", "For a damaged or fuel-less unit"),
    ],
)
def test_what_was_put_aside_is_found(language: str, text: str) -> None:
    assert put_aside(text, language)
