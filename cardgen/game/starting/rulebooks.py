"""The words of a new game's rulebook, a language each; English where there is none."""

from __future__ import annotations

_BOOK = {
    "en": """# {title}

## What it is about {{#about}}

Say in two sentences who the players are and what they want.

## Setting up {{#setup}}

Shuffle the {{{{ count("{deck}") }}}} cards and put them face down in the middle.
Deal each player three.

## A turn {{#turn}}

1. Draw a card.
2. Play a card: pay what it costs and do what it says.
3. Discard down to five.

## The end {{#end}}

When the last card is drawn, the game is over. Say who has won.
""",
    "fi": """# {title}

## Mistä on kyse {{#about}}

Kerro parilla virkkeellä, keitä pelaajat ovat ja mitä he tavoittelevat.

## Alkuvalmistelut {{#setup}}

Sekoita pakka ({{{{ count("{deck}") }}}} korttia)
ja aseta se kuvapuoli alaspäin keskelle pöytää.
Jaa jokaiselle kolme korttia.

## Vuoro {{#turn}}

1. Nosta kortti.
2. Pelaa kortti: maksa sen hinta ja tee, mitä siinä sanotaan.
3. Jos sinulla on yli viisi korttia, poista ylimääräiset.

## Pelin päättyminen {{#end}}

Peli päättyy, kun pakan viimeinen kortti nostetaan. Kerro, kuka on voittanut.
""",
    "ru": """# {title}

## О чём игра {{#about}}

Скажите в двух предложениях, кто такие игроки и чего они хотят.

## Подготовка {{#setup}}

Перемешайте колоду (карт в ней: {{{{ count("{deck}") }}}})
и положите её лицом вниз в центр стола.
Раздайте каждому по три карты.

## Ход {{#turn}}

1. Возьмите карту.
2. Сыграйте карту: заплатите её цену и сделайте то, что на ней сказано.
3. Если у вас больше пяти карт, сбросьте лишние.

## Конец игры {{#end}}

Игра кончается, когда взята последняя карта колоды. Скажите, кто победил.
""",
}


def rulebook(language: str, title: str, deck: str) -> str:
    """The rulebook of a new game."""
    text = _BOOK.get(language.partition("-")[0], _BOOK["en"])
    return text.format(title=title, deck=deck)
