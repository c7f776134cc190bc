"""Choice of the motif that a card's name means, by its words in English, Finnish and Russian.

A name without a motif gets none: a monogram is better than a wrong picture. Only the noun that a
phrase is about counts, so a Salt Lake is a lake and a Fish Market no fish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import Node

MOTIFS_FOLDER = Path(__file__).with_name("motifs")
LANGUAGES = ("en", "fi", "ru")
NO_SCENE = "none"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASIDE = re.compile(r"\(.*?(?:\)|\Z)|\[.*?(?:\]|\Z)|[,;:–—!?/|].*", re.DOTALL)
_ENGLISH_PREPOSITION = re.compile(
    r"\b(?:of|from|for|with|without|in|into|on|at|by|to|under|over|and|or|against|above|below)\b"
)
_ENGLISH_MEASURE = re.compile(r"(?:bar|piece|slice|pile|heap|load|handful|lump|bit|bale|bolt)s?\Z")
_FINNISH_PLACE = re.compile(
    r"(?:ss[aä]|st[aä]|ll[aä]|lt[aä]|lle|ksi|tt[aä]|([aeiouyäö])h?\1n|ihin|[aeiouyäö]ineen)\Z"
)
_FINNISH_JOINT = re.compile(r"(?:yö|.{2,}[aeiouyäönslrt-])\Z")
_FINNISH_WEAK = (
    ("kk", "k"), ("pp", "p"), ("tt", "t"), ("nk", "ng"), ("nt", "nn"), ("mp", "mm"), ("lt", "ll"),
    ("rt", "rr"), ("ht", "hd"), ("lk", "l"), ("rk", "r"), ("p", "v"), ("t", "d"), ("k", ""),
)  # fmt: skip
_FINNISH_FIXED = ("st", "sk", "sp", "tk", "hk")
_FINNISH_STRONG = (("p", "pp"), ("t", "tt"), ("k", "kk"), ("d", "t"), ("v", "p"))
_FINNISH_STEMS = (
    (r"nen\Z", "se"), (r"([uyoöi])s\Z", r"\1kse"), (r"in\Z", "ime"), (r"e\Z", "ee"),
    (r"(järv|saar|vuor|mäk|hiil|tuul|täht|kiv|pilv|ov|hiir|hauk|loh|särk|sien|kilp|veits|peits|leht"
     r"|tul|kuus)i\Z", r"\1e"),
)  # fmt: skip
_FINNISH_CASES = ("ssa", "sta", "lla", "lta", "lle", "ksi")
_RUSSIAN_ADJECTIVE = re.compile(
    r"(?:[ыио]й|[ая]я|[ыо]е|[её]е|ие|[ое]го|[ое]му|[ыи]м|[ое]м|ую|юю|[ыи]х|[ыи]ми"
    r"|мой|твой|наш|ваш|один|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять)\Z"
)
_RUSSIAN_ACTION = re.compile(r"(?:[еая]ни|[тв]и)[еяюй]\Z")
_RUSSIAN_ENDINGS = {
    "а": ("ы", "и", "е", "у", "ой", "ей", "", "ам", "ами", "ах"),
    "я": ("и", "е", "ю", "ей", "ь", "й", "ям", "ями", "ях"),
    "о": ("а", "у", "ом", "е", "", "ам", "ами", "ах"),
    "е": ("я", "а", "ю", "у", "ем", "ей", "й", "ям", "ями", "ях"),
    "ь": ("я", "и", "ю", "ем", "ью", "е", "ей", "ям", "ями", "ях"),
    "й": ("я", "и", "ю", "ем", "е", "ев", "ям", "ями", "ях"),
    "": ("а", "у", "ом", "ем", "е", "ы", "и", "ов", "ей", "ам", "ами", "ах"),
}
Forms = dict[str, str]


def find_motif(name: str, language: str) -> str:
    """Return the motif that a name in a language means, or nothing.

    The name of a motif is that of its drawing in `MOTIFS_FOLDER`.
    """
    code = language.partition("-")[0].lower() or LANGUAGES[0]
    if code not in LANGUAGES:
        return ""
    motif = _HEADS[code](_split_words(_ASIDE.sub("", name.lower())), load_forms(code))
    return "" if motif == NO_SCENE else motif


def find_slug(card_id: str) -> str:
    """Return the motif that the id of a card means in any language, such as "fishing-boat"."""
    name = re.sub("[-_]", " ", card_id)
    return next(filter(None, (find_motif(name, language) for language in LANGUAGES)), "")


@cache
def load_scenes() -> dict[str, dict[str, str]]:
    """Return the scenes of motifs.yaml, each with its motifs and their words."""
    scenes = load_table("motifs.yaml").items()
    return {name: {key: child.text for key, child in scene.items()} for name, scene in scenes}


def load_table(file: str) -> Node:
    """Return the record that a YAML file of `MOTIFS_FOLDER` holds."""
    node, _ = yaml_nodes.load(read_motif_file(file), file)
    assert node is not None
    return node


def read_motif_file(file: str) -> str:
    """Return the text of a file of `MOTIFS_FOLDER`."""
    return (MOTIFS_FOLDER / file).read_text(encoding="utf-8")


@cache
def load_words(language: str) -> Forms:
    """Return the words of a language as motifs.yaml has them, each with its motif."""
    return {entry.word: entry.motif for entry in _list_entries(language)}


@cache
def load_forms(language: str) -> Forms:
    """Return all forms of the words of a language, each with its motif.

    A word itself weighs more than an inflected form of another that is spelt like it.
    """
    forms: Forms = {}
    for entry in _list_entries(language):
        for form in _list_forms(entry, language):
            forms.setdefault(form, entry.motif)
    return {**forms, **load_words(language)}


@cache
def load_endings(language: str) -> Forms:
    """Return the forms that end compounds and phrases.

    In Finnish, short ones end too many other words.
    """
    return {
        form: entry.motif
        for entry in _list_entries(language)
        if not entry.is_whole
        for form in (*_list_forms(entry, language), entry.word)
        if language != "fi"
        or len(form) >= (4 if form == entry.word else 6 if form.endswith("t") else 7)
        if language != "fi" or len(entry.word) > 4 or form == entry.word or form.endswith("t")
    }


class Entry(NamedTuple):
    """A word of motifs.yaml. `is_whole` says that it ends no compound or phrase."""

    word: str
    stems: list[str]
    motif: str
    is_whole: bool


@cache
def _list_entries(language: str) -> tuple[Entry, ...]:
    """Return the words of a language, those without a motif last."""
    column = LANGUAGES.index(language)
    found = []
    for scene, motifs in load_scenes().items():
        for motif, columns in motifs.items():
            for text in columns.split("|")[column].split(","):
                word, *stems = text.strip().replace("ё", "е").replace("!", ":").split(":")
                target = NO_SCENE if scene == NO_SCENE else motif
                found.append(Entry(word.lstrip("="), stems, target, word.startswith("=")))
    return tuple(found)


def _list_forms(entry: Entry, language: str) -> Iterator[str]:
    before, space, last = entry.word.rpartition(" ")
    if entry.stems != [""]:
        for form in _INFLECTIONS[language](last, entry.stems):
            yield f"{before}{space}{form}"


def _split_words(text: str) -> list[str]:
    words = _WORD.findall(text.replace("’", "'").replace("ё", "е"))
    return [word for word in words if word not in ("the", "a", "an", "i", "ii", "iii", "iv", "v")]


def _find_english(words: list[str], forms: Forms) -> str:
    """Return the motif of the last words before a preposition, or after a measure."""
    text = " ".join(words)
    head, *rest = _ENGLISH_PREPOSITION.split(text, maxsplit=1)
    if rest and _ENGLISH_MEASURE.search(head.strip()) and text not in forms:
        return _find_english(rest[0].split(), forms)
    whole = forms.get(text) or forms.get(head.strip())
    return whole or _find_last(head.split(), load_endings("en"))


def _find_finnish(words: list[str], forms: Forms) -> str:
    """Return the motif of the last word, or of the end of that compound.

    Words that say where or for whom ("myrskyssä") stand behind the one that counts.
    """
    names = load_words("fi")
    while len(words) > 1 and _FINNISH_PLACE.search(words[-1]):
        if words[-1] in names or any(end in names for end in _list_ends(words[-1])):
            break
        words = words[:-1]
    ends = _list_ends(words[-1]) if words else []
    return _find_last(words, forms) or next((load_endings("fi")[end] for end in ends), "")


def _list_ends(word: str) -> list[str]:
    """Return the ends of a Finnish compound that are words, the longest first."""
    places = [place for place in range(2, len(word) - 3) if _FINNISH_JOINT.match(word[:place])]
    ends = (word[place:].lstrip("-") for place in places)
    return [end for end in ends if end in load_endings("fi")]


def _find_russian(words: list[str], forms: Forms) -> str:
    """Return the motif of the first noun: what follows it says whose or where it is."""
    for place, word in enumerate(words):
        for end in range(len(words), place, -1):
            motif = forms.get(" ".join(words[place:end]))
            if motif:
                return motif
        first = word.partition("-")[0]
        if first in forms:
            return forms[first]
        if not _RUSSIAN_ADJECTIVE.search(word) or _RUSSIAN_ACTION.search(word):
            break
    return ""


def _find_last(words: list[str], forms: Forms) -> str:
    """Return the motif of the longest phrase that ends the words."""
    phrases = (" ".join(words[start:]) for start in range(len(words)))
    return next((forms[phrase] for phrase in phrases if phrase in forms), "")


def _inflect_english(word: str, stems: list[str]) -> Iterator[str]:
    """Yield the plural of a word, and what else its spelling allows."""
    yield f"{word}s"
    if re.search(r"(?:s|x|z|ch|sh|o)\Z", word):
        yield f"{word}es"
    if re.search(r"[^aeiou]y\Z", word):
        yield f"{word[:-1]}ies"
    if word.endswith("f"):
        yield f"{word[:-1]}ves"


def _inflect_finnish(word: str, stems: list[str]) -> Iterator[str]:
    """Yield the cases of a word."""
    front = {} if re.search(r"[aou][^äöy]*\Z", word) else _TO_FRONT
    for strong in stems or _find_finnish_stems(word):
        weak, vowel = strong if stems else _weaken(strong), strong[-1:]
        ends = [f"{weak}{case}" for case in ("n", "t", *_FINNISH_CASES)]
        ends += [f"{strong}{case}" for case in ("a", "na", f"{vowel}n", f"h{vowel}n")]
        if word[-1] not in "aiouyäö":
            ends.append(f"{word}tta" if word.endswith("e") else f"{word}ta")
        if re.search(r"[lrnhst]e\Z", strong):
            ends.append(f"{strong[:-1]}ta")
        if strong.endswith(("aa", "ee")):
            ends.append(f"{strong}seen")
        middles = {"a": ("", "o"), "ä": ("", "ö"), "e": ("",), "i": ("e",)}.get(vowel, (vowel,))
        for middle in middles:
            short = f"{strong[:-1]}{middle}"
            ends += [f"{short}{case}" for case in ("ia", "ita", "ja", "ien", "iden", "jen", "ihin")]
            ends += [f"{weak[:-1]}{middle}i{case}" for case in _FINNISH_CASES]
        length = len(weak) - 1
        yield from (end[:length] + end[length:].translate(front) for end in ends)


def _find_finnish_stems(word: str) -> list[str]:
    """Return the stems of a word, with the strong grade of its consonants."""
    for end, stem in _FINNISH_STEMS:
        if re.search(end, word):
            grades = _FINNISH_STRONG if stem == "ee" else ()
            return [
                re.sub(end, stem, word),
                *(f"{word[:-2]}{strong}ee" for weak, strong in grades if word[-2] == weak),
            ]
    return [word] if word[-1] in "aiouyäö" else []


def _weaken(stem: str) -> str:
    """Return a stem with the weak grade of its last consonants: "kirkko" becomes "kirko"."""
    head, vowel = stem[:-1], stem[-1:]
    if head.endswith(_FINNISH_FIXED):
        return stem
    for strong, weak in _FINNISH_WEAK:
        if head.endswith(strong):
            return head.removesuffix(strong) + weak + vowel
    return stem


def _inflect_russian(word: str, stems: list[str]) -> Iterator[str]:
    last = word[-1:] if word[-1:] in _RUSSIAN_ENDINGS else ""
    if word[-1:] in "иы":
        return
    bases = stems or [word.removesuffix(last)]
    if not stems and re.search(r"..[ое][кц]\Z", word):
        bases.append(word[:-2] + word[-1:])
    for base in bases:
        yield from (f"{base}{end}" for end in _RUSSIAN_ENDINGS[last])
        if last == "а" and re.search(r"[^аеиоуыэюя]к\Z", base):
            yield from (f"{base[:-1]}ок", f"{base[:-1].removesuffix('ь')}ек")


_TO_FRONT = str.maketrans("ao", "äö")
_INFLECTIONS: dict[str, Callable[[str, list[str]], Iterator[str]]] = {
    "en": _inflect_english, "fi": _inflect_finnish, "ru": _inflect_russian,
}  # fmt: skip
_HEADS: dict[str, Callable[[list[str], Forms], str]] = {
    "en": _find_english, "fi": _find_finnish, "ru": _find_russian,
}  # fmt: skip
