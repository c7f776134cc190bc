"""How each effect of the flagship's cards is said in Finnish and in English.

A saying finds its role in a text and tells the value: a figure (`N`), or one of a few words. What a
card's texts say is then compared with its data, role by role, in the order of the text. Wording is
free as far as a saying allows; a new way to say a thing is a new alternative here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

WORDS = {
    "yksi": 1, "yhden": 1, "yhtä": 1, "yhdellä": 1, "one": 1,
    "kaksi": 2, "kahta": 2, "kahdelle": 2, "kahdella": 2, "two": 2,
    "kolme": 3, "kolmelle": 3, "three": 3,
}  # fmt: skip
N = rf"(?P<n>\d+|\b(?:{'|'.join(WORDS)})\b)"
MINUS = {"fi": r"poista|palauta|maksa", "en": r"remove|return|pay|discard"}
PLUS = {"fi": r"ota|aseta|merkitse|siirrä|saat", "en": r"take|put|mark|move|add|get"}


@dataclass(frozen=True)
class Saying:
    """`fi` and `en` are patterns; `is_` is the value, or makes it of the figure `N`.

    A `signed` figure is lost rather than gained when the last verb before it says so.
    """

    role: str
    fi: str
    en: str
    is_: Any = int
    signed: bool = False


def plus_one(n: int) -> int:
    return n + 1


def minus(n: int) -> int:
    return -n


def place(n: int) -> str:
    return f"place {n}"


def behind(n: int) -> str:
    return f"bridge behind {n}"


def first(n: int) -> str:
    return f"{n} × place 1"


BARE = r"(?<![\w{{]){}(?![\w}}])"
"""A word that is not the name of an icon."""

SUPPLIES = (
    Saying("food", r"N (?:\{food\} )?ruo[ak]", r"N (?:\{food\} )?food", signed=True),
    Saying("fuel", r"N (?:\{fuel\} )?bens", r"N (?:\{fuel\} )?fuel", signed=True),
    Saying("artillery", r"N (?:\{artillery\} )?tykistöammu",
           r"N (?:\{artillery\} )?artillery shell", signed=True),
    Saying("assault", r"N (?:\{assault\} )?rynnäkköammu",
           r"N (?:\{assault\} )?assault round", signed=True),
)  # fmt: skip
SUBSTANCES = (
    Saying("cigarettes", r"N (?:\{cigarettes\} )?savukekort",
           r"N (?:\{cigarettes\} )?cigarette card", signed=True),
    Saying("booze", r"N (?:\{booze\} )?viinakort", r"N (?:\{booze\} )?booze card", signed=True),
    Saying("dope", r"N (?:\{dope\} )?kamakort", r"N (?:\{dope\} )?dope card", signed=True),
)  # fmt: skip
DAMAGE = Saying("damage", r"N (?:\{damage\} )?\w*vahin(?:ko|koa|gon)\b",
                r"N (?:\{damage\} )?(?:assault |artillery )?damage(?! marker)")  # fmt: skip
EACH_LOSES = tuple(
    Saying(kind, rf"\{{{kind}\}} {fi}a, poistaa siitä N", rf"\{{{kind}\}} {kind} removes N",
           is_=minus)
    for kind, fi in (("food", "ruoka"), ("fuel", "bensa"))
)  # fmt: skip
FATIGUE = Saying("fatigue", r"N (?:ylimääräi\w+ )?(?:\{fatigue\} )?väsymysmerk",
                 r"N (?:extra )?(?:\{fatigue\} )?fatigue marker", signed=True)  # fmt: skip
DRUNKEN = Saying("drunken", r"\{drunk\} kännissä", r"\{drunk\} drunk", is_=True)

# Whom an attack hits. Words of the queue's ends: `order` settles which of several.
WHO = (
    Saying("who", r"paikan N taa", r"behind place N", is_=behind),
    Saying("who", r"[Tt]oiseksi viimei", r"last (?:place |unit )?but one|second (?:to )?last",
           is_="place 2 from rear"),
    Saying("who", r"[Pp]aikan N jouk", r"(?:unit )?(?:at|in) place N", is_=place),
    Saying("who", r"N etummai(?=\w+ jouk)", r"N units (?=nearest the head)", is_=first),
    Saying("who", r"[Kk]ärkijouk", r"[Hh]ead unit", is_="place 1"),
    Saying("who", r"viimei[sn]", r"rearmost|last unit", is_="place 1 from rear"),
    Saying("who", r"[Kk]eskimmäi", r"middle", is_="middle"),
    Saying("who", BARE.format(r"panssari?\w*"), BARE.format("armour"), is_="armour"),
    Saying("who", BARE.format(r"jalkaväk\w+|jalkaväe\w+"), BARE.format("infantry"), is_="infantry"),
    Saying("who", BARE.format(r"huol(?:to|lo)\w*"), BARE.format("supply"), is_="supply"),
    Saying("who", r"eniten \{atrocity\}", r"most (?:pieces of )?\{atrocity\}", is_="guilty"),
    Saying("who", r"eniten \{goods\}", r"most (?:pieces of )?\{goods\}", is_="laden"),
    Saying("who", r"eniten \{fatigue\}", r"most (?:pieces of )?\{fatigue\}", is_="tired"),
    Saying("who", r"ei(?:vät)? ole (?:\{alert\} )?valmiu\w+",
           r"not on (?:\{alert\} )?alert", is_="idle"),
    Saying("who", BARE.format(r"valmiu\w+"), r"\bon (?:\{alert\} )?alert",
           is_="alert"),
    Saying("who", BARE.format("kännissä"), BARE.format("drunk"), is_="drunk"),
    Saying("who", BARE.format("kamoissa"), BARE.format("doped"), is_="doped"),
    Saying("who", BARE.format(r"vahingoittun\w+"), r"damaged unit", is_="damaged"),
    Saying("who", r"[Jj]okainen(?: pelaaja|(?=, jolla on \{))", r"(?:[Ee]very|[Ee]ach) player",
           is_="all players"),
    Saying("who", r"[Pp]elaaja, jolla on eniten", r"player with (?:the )?most",
           is_="players with most"),
    Saying("order", r"[Ee]tummai", r"near(?:est|er) (?:to )?the head", is_="head"),
    Saying("order", r"[Tt]aimmai", r"near(?:est|er) (?:to )?the rear", is_="rear"),
)  # fmt: skip
UNITS = (
    Saying("units", r"joukkoja on (?:yhä |vielä )?enintään N", r"N units or fewer", is_=plus_one),
    Saying("units", r"joukkoja on (?:yhä |vielä )?vähintään N", r"N units or more"),
)
AREAS = (
    *UNITS, *WHO, *EACH_LOSES, *SUPPLIES, DAMAGE,
    Saying("exact", r"siinä ei ole joukkoa", r"there is no unit there", is_=True),
    Saying("nothing", r"mitään ei tapahdu", r"nothing happens", is_=True),
    Saying("damage", r"[Mm]erkitse (?:se|vain)\b", r"[Mm]ark it\b", is_="the same"),
    Saying("damage", r"(?:tai|[Mm]erkitse) N", r"(?:or|[Mm]ark) N"),
)  # fmt: skip
NIGHT = (
    *UNITS, *SUPPLIES,
    Saying("draws", r"[Nn]osta lisäksi N hyökkäy", r"[Dd]raw N more attack"),
)  # fmt: skip

ACTIONS = (
    Saying("", r"(?:kortteja|avoimia|jäljellä) on (?:vain )?(?P<n>1)\b",
           r"only (?P<n>1) (?:is|card)"),
    Saying("reach", r"[Pp]aikoilta (?P<n>\d+)–(?P<m>\d+)", r"places (?P<n>\d+)–(?P<m>\d+)",
           is_=lambda n, m: f"{n}–{m}"),
    Saying("overtakes", r"enintään N edellä", r"up to N units? (?:ahead|in front)"),
    Saying("at_once", r"vaihda heti paik", r"places at once", is_=True),
    Saying("draws", r"[Nn]osta yhteispakasta N kort", r"[Dd]raw N card"),
    Saying("draws", r"[Nn]osta N kort\w+ yhteispakasta", r"(?!)"),
    Saying("turns_up", r"ryöstelypakasta N kort", r"[Tt]urn up N card"),
    Saying("loots", r"\btee N avoi", r"resolve N open"),
    Saying("loots", r"ja (?:ryöstä|tee se)\b", r"and (?:loot|resolve it)\b", is_=1),
    Saying("removes_loot", r"poista pelistä enintään N mu", r"remove up to N other"),
    Saying("removes_loot", r"[Pp]oista pelistä N muu avoi", r"[Rr]emove N other open"),
    Saying("at_most", r"poista pelistä enintään", r"remove up to", is_=True),
    Saying("own_choice", r"[Vv]alitse (?:niistä )?itse", r"[Cc]hoose (?:for|one) yourself",
           is_=True),
    Saying("clears", r"(?:(?P<m>1) tai )?N (?:\{wreck\} )?romu",
           r"(?:(?P<m>1) or )?N (?:\{wreck\} )?wreck", is_=lambda n, m: n),
    Saying("bridges", r"N hajon\w+ sil[tl]", r"N broken bridge"),
    Saying("away", r"[Vv]älissä saa olla enintään N joukko", r"[Aa]t most N units or wrecks",
           is_=plus_one),
    Saying("looks_at", r"N (?:\{night\} )?(?:ylintä|päällimmäistä)", r"top N"),
    Saying("next", r"seuraava(?:ksi)? hyökkäävä joukko tekee N", r"next unit to attack does N"),
    Saying("later", r"hyökkäävät N (?:\{damage\} |vahinkoa )*enemmän", r"after it N more"),
    Saying("capacity", r"kantoky\w+ (?:tulee )?N", r"capacity (?:of )?N"),
    Saying("mends", r"N (?:\{damage\} )?vahinkomerk", r"N (?:\{damage\} )?damage marker"),
    Saying("barters", r"(?P<m>1) tai N vaihtokaup", r"(?P<m>1) or N deals", is_=lambda n, m: n),
    Saying("uses", r"käytä N joukon (?:nautinto)?aine", r"use N of the unit"),
    Saying("leaves_behind", r"siirrä viereinen .*viimei", r"move a neighbouring .*rear", is_=True),
    Saying("ammunition", r"N (?:\{assault\} rynnäkkö|saman lajin )ammu",
           r"N (?:\{assault\} assault )?rounds?\b"),
    Saying("ammunition", r"ilman ammuksia", r"without ammunition", is_=0),
    DAMAGE,
    Saying("reach", r"rynnäkkö(?:-|vahin)", r"assault damage", is_="assault"),
    Saying("reach", r"tykistö(?:-|vahin)", r"artillery damage", is_="artillery"),
    *SUBSTANCES,
)  # fmt: skip

GRAFT = (
    Saying("swaps", r"(?P<m>1)–(?P<n>\d+) (?:\{artillery\} tykistö)?ammus",
           r"(?P<m>1)–(?P<n>\d+) (?:\{artillery\} artillery )?shells?\b",
           is_=lambda n, m: n),
    Saying("each_cigarettes", r"jokaiselta (?:omalta )?joukoltasi N \{cigarettes\}",
           r"N \{cigarettes\} cigarette card from each of your units", is_=minus),
    Saying("each_cigarettes", r"N \{cigarettes\} savukekort\w+ jokaiselta (?:omalta )?joukoltasi",
           r"(?!)", is_=minus),
    Saying("from_own", r"[Ss]iirrä tälle joukolle N \{cigarettes\}", r"[Mm]ove N \{cigarettes\}"),
    Saying("debt", r"[Mm]aksa pelin lopussa [\w ]*N tR", r"[Pp]ay (?:back )?N tR"),
    Saying("wage", r"palkka on N tR suurempi", r"wage is N tR higher"),
    Saying("bonus", r"perillä [^.\d]*N \{cash\} tR", r"[Oo]n arrival,? take N \{cash\} tR"),
    Saying("cash", r"N \{cash\} tR", r"N \{cash\} tR", signed=True),
    Saying("worth", r"arvo (?:on )?N tR", r"worth N tR"),
    Saying("goods", r"N (?:\{goods\} )?tavara", r"N pieces? of \{goods\}"),
    Saying("slots", r"N \{damage\} vahin", r"N \{damage\} damage", is_=minus),
    Saying("fills", r"tämä kortti joukon saalispaikalle.*vahinkomerkki poistaa sen",
           r"this card on a loot slot.*damage marker removes it", is_=1),
    FATIGUE, DRUNKEN,
    Saying("atrocity", r"N \{atrocity\} hirmutekomerk", r"N \{atrocity\} atrocity marker"),
    Saying("aid", r"N (?:näytetty )?(?:ulkomai\w+ )?aseapu", r"N foreign aid card"),
    Saying("aid", r"(?!)", r"\ba foreign aid card", is_=1),
    Saying("draws", r"yhteispakasta N kort\w+ vähemmän", r"N cards? fewer from the common",
           is_=minus),
    Saying("own_deck", r"N kort\w+ vähemmän", r"N cards? fewer", is_=minus),
    Saying("own_deck", r"N kort\w+ enemmän", r"N cards? more"),
    Saying("place", r"jonon kärkeen", r"to the head", is_="first"),
    Saying("place", r"jonon viimeiseksi", r"to the rear", is_="last"),
    *SUPPLIES, *SUBSTANCES,
)  # fmt: skip

COMMANDERS = (
    Saying("per", r"[Jj]oka aamu", r"[Ee]very morning", is_="morning"),
    Saying("per", r"[Kk]erran päivässä", r"[Oo]nce a day", is_="day"),
    Saying("per", r"[Kk]erran pelissä", r"[Oo]nce (?:in the|a) game", is_="game"),
    Saying("fed", r"N joukkosi: se syö [^.]*kuluttamatta \{food\}",
           r"N of your units: it has breakfast without [^.]*\{food\}"),
    Saying("from", r"vähintään N \{damage\}", r"N or more \{damage\}"),
    Saying("less_damage", r"vähentää vahinkoa N", r"reduce (?:that|it|the damage) by N"),
    Saying("more_damage", r"N \{damage\} vahin\w+ enemmän", r"N more \{damage\}"),
    Saying("next_to", BARE.format(r"jalkavä\w+"), BARE.format("infantry"), is_="infantry"),
    Saying("next_to", BARE.format(r"panssar\w+"), BARE.format("armour"), is_="armour"),
    Saying("next_to", BARE.format(r"huol\w+"), BARE.format("supply"), is_="supply"),
    Saying("overtakes_any", r"niin monta", r"as many", is_=True),
)  # fmt: skip

LOOT = (
    Saying("instead_of", r"(?P<n>yhden) sijasta", r"instead of N"),
    Saying("of_state", r"sijasta N (?:\{damage\} )?vahin", r"mark N damage instead"),
    Saying("of_state", r"(?!)", r"instead of fatigue, mark N damage"),
    Saying("sleep", r"N \{fatigue\} pois", r"N \{fatigue\} off"),
    Saying("sleeps", r"[Hh]yvät unet", r"[Gg]ood night’s sleep", is_=True),
    Saying("tractor", r"raivata tien", r"clear the road", is_=True),
    Saying("pays", r"[Mm]aksa omasta pankistasi N tR", r"[Pp]ay N tR"),
    Saying("loses_dearest", r"[Pp]oista (?:pelistä )?tämän joukon arvokkain \{goods\}",
           r"[Rr]emove this unit’s most valuable \{goods\}", is_=True),
    DRUNKEN, FATIGUE, DAMAGE, *SUPPLIES, *SUBSTANCES,
)  # fmt: skip

ICONS = {
    "food": ("ruo", "food"), "fuel": ("bens", "fuel"),
    "artillery": ("tykistö", "artillery"), "assault": ("rynnäk", "assault"),
    "cigarettes": ("savuk", "cigarette"), "booze": ("viina", "booze"),
    "dope": ("kama", "dope"), "cash": ("tR", "tR"), "goods": ("tavar", "goods"),
    "damage": ("(?:rynnäkkö|tykistö)?vahin", "(?:assault |artillery )?damage"),
    "fatigue": ("väsym|pois", "fatigue|off"), "atrocity": ("hirmu", "atrocit"),
    "alert": ("valmiu", "alert"),
    "drunk": ("känni", "drunk"), "doped": ("kamoissa", "doped"),
    "armour": ("panssar", "armour"), "infantry": ("jalkavä", "infantry"),
    "supply": ("huol", "supply"), "wreck": ("rom", "wreck"), "night": ("kort|yö", "card|night"),
    "scarface": ("arpinaam", "scarface"), "sleep": ("hyvät unet", "a good night’s sleep"),
    "tractor": ("voit osana", "as part of"),
}  # fmt: skip
"""Icon → the beginning of the word that follows it, in Finnish and in English."""


def read(text: str, language: str, sayings: Iterable[Saying]) -> tuple[dict[str, list[Any]], str]:
    """What a text says, role by role in its order, and what is left of the text."""
    found: list[tuple[int, str, Any]] = []
    for saying in sayings:
        pattern = _pattern(getattr(saying, language))
        while match := pattern.search(text):
            groups = [name for name, figure in match.groupdict().items() if figure]
            value = _value(match, saying, text, language)
            found.append((match.start(), saying.role, value))
            for start, end in [match.span(name) for name in groups] or [match.span()]:
                text = text[:start] + "#" * (end - start) + text[end:]
    said: dict[str, list[Any]] = {}
    for _, role, value in sorted(found, key=lambda entry: entry[0]):
        said.setdefault(role, []).append(value)
    said.pop("", None)
    return said, text


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """A saying's pattern, its `N` a figure. Kept, as every misprint is read by all of them."""
    return re.compile(re.sub(r"(?<![\w<\\])N(?!\w)", lambda _: N, words))


def _value(match: re.Match[str], saying: Saying, text: str, language: str) -> Any:
    if not callable(saying.is_):
        return saying.is_
    groups: Mapping[str, str | None] = match.groupdict()
    figure = str(groups["n"])
    n = WORDS[figure] if figure in WORDS else int(figure)
    value = saying.is_(n, groups["m"]) if "m" in groups else saying.is_(n)
    return -value if saying.signed and _lost(match, text, language) else value


def _lost(match: re.Match[str], text: str, language: str) -> bool:
    verbs = re.findall(rf"(?i)\b(?:({MINUS[language]})|{PLUS[language]})", text[: match.start()])
    taken_off = language == "en" and re.match(r"\w* off\b", text[match.end() :])
    return bool(verbs and verbs[-1]) or bool(taken_off)


def unworded(text: str, language: str) -> list[str]:
    """The icons of a text that stand before another word than theirs."""
    wrong = []
    for match in re.finditer(r"\{([a-z-]+)\} ?(?=(.{0,30}))", text):
        words = ICONS.get(match[1], ("(?!)", "(?!)"))[language == "en"]
        if not re.match(rf"(?i)(?:{words})", match[2]):
            wrong.append(f"the icon {match[1]} stands before '{match[2]}'")
    return wrong
