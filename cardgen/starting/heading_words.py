"""What people write over the columns of their card tables: what a column is for, and of which
language its texts are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_ROLE_WORDS: Mapping[str, Mapping[str, str]] = {
    "copies": {
        "en": "copies, copy, qty, quantity, count, amount, number of copies, no of copies, of each",
        "fi": "kpl, määrä, kappaleet, kappalemäärä, lkm, lukumäärä",
        "ru": "количество, кол во, копии, копий, штук, шт",
        "de": "anzahl, menge, stück, stückzahl", "sv": "antal",
        "fr": "quantité, nombre, exemplaires", "es": "cantidad, copias",
    },
    "id": {"en": "id, key, slug, code, card id", "fi": "tunnus, tunniste", "ru": "код"},
    "title": {
        "en": "name, title, card name, card title, card",
        "fi": "nimi, kortin nimi, otsikko, kortti",
        "ru": "название, имя, карта, заголовок", "de": "name, titel, karte, kartenname",
        "sv": "namn, titel, kort, kortnamn", "fr": "nom, titre, carte",
        "es": "nombre, título, carta",
    },
    "flavour": {
        "en": "flavour, flavor, flavour text, flavor text, quote, lore, flavourtext, flavortext",
        "fi": "tunnelma, tunnelmateksti, sitaatti, lainaus", "ru": "цитата, художественный текст",
        "de": "zitat, stimmungstext", "sv": "citat", "fr": "citation", "es": "cita",
    },
    "text": {
        "en": "text, rules text, rules, rule, effect, card text, description, body, ability, "
        "abilities, question, prompt, meaning, event",
        "fi": "teksti, sääntöteksti, säännöt, vaikutus, kuvaus, kyky, toiminto, tapahtuma, "
        "kysymys, selitys",
        "ru": "текст, эффект, описание, правила, действие, свойство, вопрос, событие",
        "de": "text, regeltext, regeln, effekt, beschreibung, fähigkeit, frage",
        "sv": "text, regeltext, effekt, beskrivning, förmåga, fråga",
        "fr": "texte, effet, description, règles, capacité", "es": "texto, efecto, descripción",
    },
    "picture": {
        "en": "picture, image, art, artwork, illustration, image file, art file, file, filename, "
        "file name, portrait, pic",
        "fi": "kuva, kuvitus, kuvatiedosto, tiedosto", "ru": "картинка, изображение, рисунок, файл",
        "de": "bild, illustration, bilddatei, datei", "sv": "bild, fil", "fr": "image, fichier",
        "es": "imagen, ilustración, archivo",
    },
    "type": {
        "en": "type, kind, category, class, suit, faction, group, subtype, card type, role",
        "fi": "tyyppi, laji, luokka, ryhmä, maa",
        "ru": "тип, вид, категория, класс, масть, фракция",
        "de": "typ, art, kategorie, klasse, gruppe", "sv": "typ, sort, kategori, klass",
        "fr": "type, catégorie, classe", "es": "tipo, categoría, clase",
    },
    "cost": {
        "en": "cost, price, mana, mana cost, mana value, cmc", "fi": "hinta, kustannus",
        "ru": "цена, стоимость", "de": "kosten, preis", "sv": "kostnad, pris", "fr": "coût, prix",
        "es": "coste, costo, precio",
    },
    "value": {
        "en": "value, points, victory points, vp, worth, score, denomination, rank",
        "fi": "arvo, pisteet, voittopisteet", "ru": "ценность, очки, номинал, значение",
        "de": "wert, punkte, siegpunkte", "sv": "värde, poäng", "fr": "valeur, points",
        "es": "valor, puntos",
    },
    "number": {
        "en": "number, no, nr, numeral, card number", "fi": "numero, nro",
        "ru": "номер", "de": "nummer", "sv": "nummer", "fr": "numéro", "es": "número",
    },
    "left": {
        "en": "attack, atk, power, strength, offence, offense", "fi": "hyökkäys, voima",
        "ru": "атака, сила", "de": "angriff, stärke", "sv": "anfall, styrka",
        "fr": "attaque, force", "es": "ataque, fuerza",
    },
    "right": {
        "en": "defence, defense, def, health, hp, hit points, toughness, armour, armor, life",
        "fi": "puolustus, kestävyys, elämä", "ru": "защита, здоровье, броня",
        "de": "verteidigung, leben, rüstung", "sv": "försvar, liv", "fr": "défense, vie",
        "es": "defensa, vida",
    },
    "footer": {
        "en": "footer, credit, credits, artist, illustrator, set, expansion, edition",
        "fi": "kuvittaja, alaviite, lisäosa", "ru": "художник", "de": "künstler, illustrator",
        "sv": "illustratör", "fr": "artiste, illustrateur", "es": "artista, ilustrador",
    },
    "currency": {
        "en": "currency", "fi": "valuutta, rahayksikkö", "ru": "валюта",
        "de": "währung", "sv": "valuta", "fr": "devise", "es": "moneda",
    },
    "tracks": {"en": "tracks, track", "fi": "radat, rata, mittarit", "ru": "шкалы, шкала, треки"},
    "notes": {
        "en": "notes, remarks, remark, comment, comments, to do, todo, status, designer notes",
        "fi": "muistiinpanot, huomautus, huomautukset, huomioita, kommentti, kommentit",
        "ru": "заметки, примечание, примечания, комментарий, комментарии", "de": "notizen",
        "sv": "anteckningar", "fr": "notes, remarques", "es": "notas",
    },
    "serial": {"en": "serial, serial number", "fi": "sarjanumero", "ru": "серийный номер"},
}  # fmt: skip
"""What a column is for → language → headings of it, as `plain` has them; of several columns, the
one whose heading comes first has it."""

_LANGUAGE_WORDS: Mapping[str, str] = {
    "en": "english, englanti, englanniksi, englisch, engelska, английский, anglais, inglés",
    "fi": "finnish, suomi, suomeksi, finnisch, finska, финский, finnois, finlandés",
    "ru": "russian, venäjä, venäjäksi, russisch, ryska, русский, russe, ruso",
    "de": "german, saksa, saksaksi, deutsch, tyska, немецкий, allemand, alemán",
    "sv": "swedish, ruotsi, ruotsiksi, schwedisch, svenska, шведский, suédois, sueco",
    "fr": "french, ranska, ranskaksi, französisch, franska, французский, français, francés",
    "es": "spanish, espanja, espanjaksi, spanisch, spanska, испанский, espagnol, español",
    "it": "italian, italia, italiaksi, italienisch, italienska, italiano",
    "pl": "polish, puola, polnisch, polski", "pt": "portuguese, portugali, português",
    "nl": "dutch, hollanti, nederlands", "da": "danish, tanska, dansk",
    "nb": "norwegian, norja, norsk", "no": "", "et": "estonian, viro, viroksi, eesti",
    "cs": "czech, tšekki, čeština", "hu": "hungarian, unkari, magyar",
    "uk": "ukrainian, ukraina, українська", "ja": "japanese, japani, 日本語",
    "zh": "chinese, kiina, 中文", "ko": "korean, korea, 한국어", "tr": "turkish, turkki, türkçe",
    "el": "greek, kreikka, ελληνικά", "lv": "latvian, latvia", "lt": "lithuanian, liettua",
    "ro": "romanian, romania", "pt-br": "", "en-gb": "", "en-us": "", "zh-hans": "", "zh-hant": "",
}  # fmt: skip
"""The codes of languages, and what those are called, here and there."""
_AMBIGUOUS_CODES = frozenset({"it", "no", "et", "da", "el"})
"""Codes that are words, too: they are codes where another language stands beside them."""

_ROLE_BY_WORD: Mapping[str, str] = {
    word: role
    for role, languages in reversed(list(_ROLE_WORDS.items()))
    for words in languages.values()
    for word in words.split(", ")
}
"""Of a word that stands twice (German Art), the first holds."""
_CODE_BY_WORD: Mapping[str, str] = {
    **{code: code for code in _LANGUAGE_WORDS},
    **{name: code for code, names in _LANGUAGE_WORDS.items() for name in names.split(", ") if name},
}
_WHOLE_HEADING_ROLES = frozenset({"copies", "id", "number"})
_NON_LETTERS = re.compile(r"[\W_]+")
_LANGUAGE_PREPOSITION = re.compile(r"\s+(?:in|auf|på|en)\s*\Z", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# `Name (EN)`, `Name [en]`; then `name.fi`, `name_fi`, `Name fi`, `Name: Finnish`, `Name/EN`.
_LANGUAGE_IN_BRACKETS = re.compile(
    r"(?P<base>.+?)\s*[(\[]\s*(?P<code>[^()\[\]]+?)\s*[)\]]\Z", re.DOTALL
)
_LANGUAGE_AFTER = re.compile(
    r"(?P<base>.+?)\s*(?P<sign>[\s._:/|,–-])\s*(?P<code>[^\W\d_]+)\Z", re.DOTALL
)
_REGION_AFTER = re.compile(r"(?P<base>.+?)[\s._:/|]\s*(?P<code>[a-z]{2}-[a-z]{2,4})\Z", re.I | re.S)
_LANGUAGE_BEFORE = re.compile(
    r"(?P<code>[^\W\d_]+)\s*(?P<sign>[\s._:/|,–-])\s*(?P<base>.+)\Z", re.DOTALL
)


@dataclass(frozen=True)
class HeadingLanguage:
    """A heading without its language: `Name (EN)` is `Name` in en. What is not `sure` is a language
    only beside another one: `move_it` is none."""

    base_heading: str
    language: str
    is_certain: bool


def normalise_heading(heading: str) -> str:
    """A heading as it is compared: small letters, and one space for whatever is no letter."""
    return _NON_LETTERS.sub(" ", unicodedata.normalize("NFC", heading).lower()).strip()


def find_role(heading: str) -> str:
    """What a column is for, `title`, `text`, `copies` …, by its whole heading, by it without what
    stands in brackets, or by its last word; "" for anything else."""
    whole = normalise_heading(heading)
    if whole in _ROLE_BY_WORD:
        return _ROLE_BY_WORD[whole]
    bare = normalise_heading(_BRACKETS.sub(" ", heading))
    if bare in _ROLE_BY_WORD:
        return _ROLE_BY_WORD[bare]
    role = _ROLE_BY_WORD.get(bare.rpartition(" ")[2], "")
    return "" if role in _WHOLE_HEADING_ROLES else role


def rank_heading(heading: str) -> int:
    """How near a heading comes to what it is for: the less, the nearer."""
    whole = normalise_heading(heading)
    role = find_role(heading)
    known = [words.split(", ") for words in _ROLE_WORDS.get(role, {}).values()]
    return min((words.index(whole) for words in known if whole in words), default=99)


def find_word_languages(heading: str) -> frozenset[str]:
    """The languages of which a heading is a word that is known here."""
    whole = normalise_heading(_BRACKETS.sub(" ", heading))
    return frozenset(
        language
        for languages in _ROLE_WORDS.values()
        for language, words in languages.items()
        if whole in words.split(", ")
    )


def parse_heading_languages(heading: str) -> Iterator[HeadingLanguage]:
    """The ways in which a heading may name a language, the likeliest first."""
    for pattern in (_LANGUAGE_IN_BRACKETS, _REGION_AFTER, _LANGUAGE_AFTER, _LANGUAGE_BEFORE):
        found = pattern.match(heading)
        said = normalise_heading(found["code"]).replace(" ", "-") if found else ""
        code = _CODE_BY_WORD.get(said, "")
        if found is None or not code:
            continue
        named = said not in _LANGUAGE_WORDS
        signed = pattern in (_LANGUAGE_IN_BRACKETS, _REGION_AFTER) or found["sign"] == "."
        yield HeadingLanguage(_LANGUAGE_PREPOSITION.sub("", found["base"]).strip(), _format_code(code), (named or signed) and (
            said not in _AMBIGUOUS_CODES or named
        ))  # fmt: skip


def are_language_codes(names: Iterable[str]) -> bool:
    """Whether all are codes of languages."""
    return all(name.lower() in _LANGUAGE_WORDS for name in names)


def _format_code(code: str) -> str:
    """A code as it is written: pt-BR."""
    language, sign, region = code.partition("-")
    return f"{language}{sign}{region.upper() if len(region) == 2 else region.capitalize()}"
