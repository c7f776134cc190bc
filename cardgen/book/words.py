"""The few words that a rulebook prints by itself, by language."""

from __future__ import annotations

from cardgen.game.model import Game

_WORDS = {
    "fi": {
        "contents": "Sisällys", "index": "Hakemisto", "section": "luku", "figure": "kuva",
        "page": "s.", "example": "Esimerkki", "note": "Huomaa", "tip": "Vinkki",
        "designer": "Tekijältä", "summary": "Tiivistelmä", "missing": "kuva puuttuu",
        "edition": "painos", "designers_edition": "Tekijän laitos", "yes": "kyllä", "no": "ei",
        "back": "kääntöpuoli", "at_least": "vähintään", "at_most": "enintään",
    },
    "en": {
        "contents": "Contents", "index": "Index", "section": "section", "figure": "figure",
        "page": "p.", "example": "Example", "note": "Note", "tip": "Tip",
        "designer": "Designer’s note", "summary": "Summary", "missing": "picture missing",
        "edition": "edition", "designers_edition": "Designer’s edition", "yes": "yes",
        "no": "no", "back": "back", "at_least": "at least",
        "at_most": "at most",
    },
    "ru": {
        "contents": "Содержание", "index": "Указатель", "section": "раздел", "figure": "рис.",
        "page": "с.", "example": "Пример", "note": "Важно", "tip": "Совет",
        "designer": "От автора", "summary": "Кратко", "missing": "нет картинки",
        "edition": "издание", "designers_edition": "Авторская редакция", "yes": "да",
        "no": "нет", "back": "оборот", "at_least": "не меньше", "at_most": "не больше",
    },
}  # fmt: skip
_COMMA = frozenset({"cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "ru", "sv"})


def words(game: Game, language: str) -> dict[str, str]:
    """Word → text. A game's own `words:` named book_contents, book_page … win."""
    known = _WORDS.get(language.partition("-")[0], _WORDS["en"])
    own = {name: game.words.get(f"book_{name}") for name in known}
    return {name: given[language] if (given := own[name]) else known[name] for name in known}


def number(value: float) -> str:
    """A number as briefly as it can be said, with a decimal point."""
    return f"{value:.10g}"


def decimal_sign(language: str) -> str:
    """What stands before decimals: a comma in Finnish."""
    return "," if language.partition("-")[0] in _COMMA else "."
