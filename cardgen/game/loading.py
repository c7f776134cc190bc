"""A game folder, read: `load` gives the game and everything that is wrong with its files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from cardgen.base import bounds, guard, paths, schema, yamlnodes
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.yamlnodes import Node
from cardgen.game import (
    card_names,
    decks,
    folder,
    fonts_file,
    settings,
    strays,
    table_file,
    variants,
)
from cardgen.game.checking import Checker, Lent, lent_texts
from cardgen.game.decks import DeckContext, constant
from cardgen.game.folder import COLOURED, ICONS
from cardgen.game.ids import ID, wrong_id
from cardgen.game.keywords import MOST as MOST_KEYWORDS
from cardgen.game.keywords import Keywords, wrong_word
from cardgen.game.model import FACTS, Deck, Game, Player, Text
from cardgen.game.reading import flag, known_keys

FILE = folder.FILE
MOST_FACES = 200_000
MOST_PIECES = 50_000
MOST_LANGUAGES = 200
_MORE = f"; for a large game that you trust, say {bounds.LARGE}=10 in the environment"
_SECONDS = 60.0
_PICTURES = (".svg", ".SVG", ".png", ".jpg", ".jpeg", ".webp", ".gif")
_CODES = {
    "chinese": "zh", "czech": "cs", "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en",
    "español": "es", "finnish": "fi", "français": "fr", "french": "fr", "german": "de",
    "greek": "el", "hungarian": "hu", "italian": "it", "italiano": "it", "japanese": "ja",
    "korean": "ko", "norwegian": "nb", "polish": "pl", "polski": "pl", "portuguese": "pt",
    "russian": "ru", "spanish": "es", "suomi": "fi", "svenska": "sv", "swedish": "sv",
    "turkish": "tr", "ukrainian": "uk", "русский": "ru",
}  # fmt: skip
"""Languages as people call them."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}\Z")


def is_language(code: str) -> bool:
    """Whether it is written as a code of a language is, such as `fi` or `pt-BR`."""
    return _LANGUAGE.match(code) is not None


def hold_still(game: Game) -> None:
    """Raise `Changed` when a file of the game is not what it was when the game was read."""
    now = seen(game.root) if game.seen else {}
    for name in sorted(changed(game, now)):
        raise paths.Changed(name)


def is_still(game: Game) -> bool:
    """Whether every file of the game is what it was when the game was read."""
    return seen(game.root) == game.seen


def changed(game: Game, now: paths.Seen) -> frozenset[str]:
    """The files that are others `now` than when the game was read, come or gone ones among them."""
    return frozenset(
        name for name in now.keys() | game.seen.keys() if now.get(name) != game.seen.get(name)
    )


def seen(root: Path) -> paths.Seen:
    """What the game is made of; what an editor keeps beside, and fonts' packages, left out."""
    found = paths.seen(root, (FILE, table_file.FILE), strays.FOLDERS)
    return {
        name: stamp for name, stamp in found.items() if not name.endswith("~") and "/." not in name
    }


def load(root: Path) -> tuple[Game | None, list[Problem]]:
    """Read a game folder, but for its rules. Without a readable game.yaml there is no game, only
    problems."""
    try:
        with guard.at("the game's files", _SECONDS * bounds.large()):
            game, problems = _load(root)
    except Stopped as error:
        message = f"the game cannot be read: {error}"
        return None, [Problem(Source(FILE), message, "bounds")]
    if game is not None and (count := _pieces(game)) > (most := bounds.most(MOST_PIECES)):
        message = f"the game has {count} pieces with all copies; {most} are the most{_MORE}"
        return None, [*problems, Problem(Source(FILE), message, "bounds")]
    if game is not None and _faces(game) > (most := bounds.most(MOST_FACES)):
        of = f" in {len(game.variants)} variants" if game.variants else ""
        message = (
            f"{len(game.languages)} languages of {sum(len(d.pieces) for d in game.decks)} pieces"
            f"{of} are {_faces(game)} faces; {most} are the most{_MORE}"
        )
        return None, [*problems, Problem(Source(FILE), message, "bounds")]
    return game, problems


def _pieces(game: Game) -> int:
    return sum(piece.copies for deck in game.decks for piece in deck.pieces)


def _faces(game: Game) -> int:
    """How many faces there are of it, and of its variants."""
    sides = {deck.id: len(deck.pieces) * len(_sides(deck)) for deck in game.decks}
    own = 0 if game.alone else sum(sides.values()) * len(game.languages)
    return own + sum(
        sides[deck] * len(each.languages) for each in game.variants.values() for deck in each.decks
    )


def _sides(deck: Deck) -> list[str]:
    return [side for side in (deck.front, deck.back) if side]


def _load(root: Path) -> tuple[Game | None, list[Problem]]:
    found = seen(root)
    text, why = paths.read_text(root, FILE)
    if why:
        return None, [Problem(Source(FILE), f"the file {why}", "file")]
    node, problems = yamlnodes.load(text, FILE)
    if node is None:
        return None, problems
    if not node.is_mapping:
        message = f"game.yaml is {node.describe()}; it begins with game: NAME"
        return None, [*problems, Problem(node.source, message, "type")]
    own: list[Problem] = []
    languages, sure = _languages(node, own)
    icons = _icons(root, problems)
    checker = Checker(languages, tuple(icons), ())
    checker.problems = problems
    emoji = checker.emoji = _emoji(node.get("emoji"), checker)
    known_keys(node, _KEYS, "game.yaml", checker.problem)
    fallback = flag(node.get("fallback"), "fallback", checker.problem) is True
    checker.lent = Lent() if fallback else None
    for key in ("constants", "colours", "words", "emoji", "keywords", "print"):
        _shape(node, key, checker)
    listed = node.get("players")
    if listed is not None and not listed.is_list:
        message = f"players is {listed.describe()}; a list is asked for, each with - id: …"
        checker.problem(listed.source, message, "type")
    defaults = settings.print_defaults(node.get("print"), checker)
    colours = settings.colours(node.get("colours"), checker)
    colours = settings.with_spots(colours, defaults, node.get("print"), checker)
    players = _players(node.get("players"), checker)
    keywords = _keywords(node.get("keywords"), checker)
    words = settings.words(node.get("words"), checker)
    named = frozenset(words)
    context = DeckContext(
        root, languages, players, icons, colours, emoji, keywords, named, checker.lent
    )
    all_decks, deck_problems = decks.load(context)
    problems += deck_problems
    all_decks, unnamed = card_names.resolved(all_decks)
    problems += unnamed
    whole = not any(problem.kind in decks.UNREAD for problem in deck_problems)
    problems += keywords.unmet() if whole else []
    if not all_decks and not deck_problems:
        message = "the game has no decks; each is a file such as cards/loot.yaml"
        problems.append(Problem(Source("cards"), message, "empty"))
    problems += strays.found(root, languages)
    font_set, font_problems = fonts_file.load(root, languages)
    problems += font_problems
    constants_node = node.get("constants")
    game = Game(
        root=root,
        id=_string(node, "game", root.name, checker),
        title=_text(node, "title", checker),
        edition=_string(node, "edition", "", checker),
        date=_string(node, "date", "", checker),
        languages=languages,
        players=players,
        constants={
            key: constant(child, checker, key)
            for key, child in (constants_node.items() if constants_node else ())
        },
        colours=colours,
        words=words,
        decks=all_decks,
        fonts=font_set,
        icons=icons,
        defaults=defaults,
        table=table_file.load(root, node.get("table"), all_decks, checker, whole),
        facts=settings.facts(node.get("facts"), checker),
        emoji=emoji,
        keywords={
            word: (icon, tuple(keywords.found.get(word, ())))
            for word, icon in keywords.icons.items()
        },
        seen=found,
        fallback=fallback,
    )
    game = replace(
        game,
        variants=variants.read(node.get("variants"), game, checker, whole),
        alone=_alone(node, checker),
        store=_string(node, "store", "", checker),
    )
    problems += lent_texts(checker.lent or {}, languages[0], node)
    # Where it is not known which languages were meant, texts cannot be held against them.
    asked = _asked_for(game) if sure else _not_of_language
    return game, own + [problem for problem in problems if asked(problem)]


def _not_of_language(problem: Problem) -> bool:
    return problem.kind != "language"


def _asked_for(game: Game) -> Callable[[Problem], bool]:
    """Whether a problem is one where variants alone are made: of a deck's texts, the languages
    that some variant has it in are asked for."""
    pairs = {(d, code) for v in game.variants.values() for d in v.decks for code in v.languages}
    languages = {code for v in game.variants.values() for code in v.languages}

    def asked(problem: Problem) -> bool:
        deck, language = problem.subject.deck, problem.subject.language
        if not game.alone or problem.kind != "language" or not language:
            return True
        return (deck, language) in pairs if deck else language in languages

    return asked


def _alone(node: Node, checker: Checker) -> bool:
    """Whether its variants alone are made."""
    given = node.get("whole")
    alone = flag(given, "whole", checker.problem) is False
    if given is not None and alone and node.get("variants") is None:
        message = "whole: false leaves nothing to make; the game has no variants"
        checker.problem(given.source, message, "fields")
        return False
    return alone


def _shape(node: Node, key: str, checker: Checker) -> None:
    child = node.get(key)
    if child is not None and not child.is_mapping:
        message = f"{key} is {child.describe()}; a mapping is asked for, NAME: VALUE"
        checker.problem(child.source, message, "type")


def _icons(root: Path, problems: list[Problem]) -> dict[str, Path]:
    """Icon name → file."""
    icons: dict[str, Path] = {}
    # A picture of another kind stands for an icon, too, so that one thing is told of it.
    files = [name for at in (ICONS, COLOURED) for name in _pictures(root, at)]
    for name in files:
        path = PurePosixPath(name)
        stem = path.stem
        if not settings.NAME.match(stem):
            right = re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-0123456789") or "icon"
            message = "an icon's name has small letters, digits and hyphens: rename it "
            message += f"{right}{path.suffix.lower()}"
            problems.append(Problem(Source(name), message, "art"))
            stem = right  # so that nothing more is said of it
        try:
            paths.find(root, name)
            other = icons.setdefault(stem, root / name)
        except paths.Unreadable as error:
            problems.append(Problem(Source(name), f"the file {error}", "file"))
            continue
        if other != root / name:
            message = f"'{stem}' is an icon already, {other.relative_to(root).as_posix()}"
            problems.append(Problem(Source(name), f"{message}; keep one of them", "art"))
    return icons


def _pictures(root: Path, folder: str) -> list[str]:
    return paths.listed(root, folder, *_PICTURES, deep=False)


def _languages(node: Node, problems: list[Problem]) -> tuple[tuple[str, ...], bool]:
    """The languages, and whether they are those that were meant, as far as can be told."""
    given = node.get("languages")
    if given is None or given.value in (None, []) or given.is_mapping:
        source = node.source if given is None else given.source
        problems.append(Problem(source, "game.yaml needs languages: [en]", "language"))
        return ("en",), False
    entries = given.nodes()
    if given.is_scalar:
        words = re.findall(r"[\w-]+", given.text) or ["en"]
        message = f"languages is {given.describe()}; write languages: [{', '.join(words)}]"
        problems.append(Problem(given.source, message, "language"))
        entries = [Node(word, given.source) for word in words]
    found, sure = [], given.is_list
    for entry in entries:
        language = entry.text if entry.is_scalar else ""
        if not isinstance(entry.value, str) or not _LANGUAGE.match(language):
            meant = _CODES.get(language.lower(), language.lower())
            meant = meant if _LANGUAGE.match(meant) and len(meant) == 2 else ""
            hint = f"; did you mean {meant}?" if meant else ", such as fi or en"
            message = f"{entry.describe()} is no language code{hint}"
            problems.append(Problem(entry.source, message, "language"))
            language, sure = meant, sure and bool(meant)
        found += [language] if language else []
    found = list(dict.fromkeys(found))
    if len(found) > MOST_LANGUAGES:
        message = f"the game has {len(found)} languages; {MOST_LANGUAGES} are the most"
        problems.append(Problem(given.source, message, "bounds"))
    return tuple(found[:MOST_LANGUAGES]) or ("en",), sure and bool(found)


def _string(node: Node, key: str, default: str, checker: Checker) -> str:
    child = node.get(key)
    if child is None:
        return default
    if not child.is_scalar:
        checker.problem(child.source, f"{key} is {child.describe()}; a word is asked for", "type")
        return default
    return child.text


def _text(node: Node, key: str, checker: Checker) -> Text:
    child = node.get(key)
    if child is None:
        checker.problem(node.source, f"game.yaml has no {key}", "fields")
        return Text(dict.fromkeys(checker.languages, ""), node.source)
    return checker.text(child, key)


def _emoji(node: Node | None, checker: Checker) -> dict[str, str]:
    found = _as_icons(node, "emoji", checker)
    return {sign.replace("\ufe0f", ""): icon for sign, icon in found.items()}


def _keywords(node: Node | None, checker: Checker) -> Keywords:
    if node is None or not node.is_mapping:
        return Keywords()
    if len(node.value) > MOST_KEYWORDS:
        message = f"the game has {len(node.value)} keywords; {MOST_KEYWORDS} are the most"
        checker.problem(node.source, message, "bounds")
        return Keywords()
    found = _as_icons(node, "keyword", checker)
    for word in [*found]:
        if wrong := wrong_word(word):
            checker.problem(node.keys[word], f"keywords: {wrong}", "fields")
            del found[word]
    return Keywords(found, {word: node.keys[word] for word in found})


def _as_icons(node: Node | None, what: str, checker: Checker) -> dict[str, str]:
    """What is printed as an icon, and which."""
    found: dict[str, str] = {}
    for sign, child in node.items() if node else ():
        if child.text not in set(checker.icons):
            hint = did_you_mean(child.text, checker.icons)
            message = f"{what} {sign}: no icon '{child.text}' in art/icons{hint}"
            checker.problem(child.source, message, "reference")
        else:
            found[sign] = child.text
    return found


def _players(node: Node | None, checker: Checker) -> tuple[Player, ...]:
    players: list[Player] = []
    for child in node.nodes() if node else ():
        if not child.is_mapping or child.get("id") is None:
            message = "a player needs id, name, colour and symbol"
            checker.problem(child.source, message, "fields")
            continue
        player = _player(child, checker)
        if player.id in {other.id for other in players}:
            message = f"the player '{player.id}' stands twice"
            checker.problem(child.source, message, "duplicate-id")
            continue
        players.append(player)
    return tuple(players)


def _player(node: Node, checker: Checker) -> Player:
    known_keys(node, _PLAYER_KEYS, "a player", checker.problem)
    player_id = _string(node, "id", "", checker)
    wrong = wrong_id(player_id)
    if wrong:
        checker.problem(node.source, wrong, "fields")
    name = node.get("name")
    colour_node = node.get("colour")
    colour = (
        settings.colour(colour_node, f"the colour of {player_id}", checker) if colour_node else ""
    )
    symbol = _string(node, "symbol", "", checker)
    if symbol and symbol not in set(checker.icons):
        hint = did_you_mean(symbol, checker.icons)
        message = f"no icon '{symbol}' in art/icons{hint}"
        checker.problem(node.source, message, "reference")
    if name is None:
        checker.problem(node.source, f"the player {player_id} has no name", "fields")
    return Player(
        id=player_id,
        name=checker.text(name, f"the name of {player_id}")
        if name
        else Text(dict.fromkeys(checker.languages, player_id), node.source),
        colour=colour or settings.STAND_IN,
        symbol=symbol,
        source=node.source,
    )


_HEX: Schema = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}
_PLAYER_KEYS: Mapping[str, Schema] = {
    "id": {**schema.like(ID), "type": ["string", "integer"]},
    "name": schema.TEXT,
    "colour": schema.said('"#rrggbb", in quotes', _HEX),
    "symbol": schema.said("An icon of art/icons.", schema.ICON),
}
_KEYS: Mapping[str, Schema] = {
    "game": schema.said("A short name; the folder's unless said.", schema.WORD),
    "title": schema.TEXT,
    "edition": schema.said("Printed on every sheet; in quotes.", schema.WORD),
    "date": schema.WORD,
    "languages": schema.said(
        "Their codes, the source language first.", schema.listed(schema.like(_LANGUAGE), 1)
    ),
    "fallback": schema.said(
        "true: a text that a language lacks is printed in the first one.", schema.FLAG
    ),
    "players": schema.listed(schema.mapping(_PLAYER_KEYS, ["id", "name"])),
    "constants": schema.said("Figures for rules and templates.", {"type": "object"}),
    "colours": schema.said(
        "CSS knows them as var(--name).", schema.named(_HEX, schema.like(settings.NAME))
    ),
    "words": schema.said("What templates print: words.name.", schema.named(schema.TEXT)),
    "facts": schema.said(
        "For covers: how many play, how long, how old.",
        schema.mapping(dict.fromkeys(FACTS, schema.TEXT)),
    ),
    "emoji": schema.said("Emoji and the icons printed for them.", schema.named(schema.ICON)),
    "keywords": schema.said("Words and the icons printed for them.", schema.named(schema.ICON)),
    "print": schema.said("What build does unless told otherwise.", settings.PRINT),
    "table": schema.said("What lies on a virtual table.", table_file.SCHEMA),
    "store": schema.said("A shared store, proposed to whoever builds the game.", schema.WORD),
    "variants": schema.said("Games from the same folder, by name.", {"type": "object"}),
    "whole": schema.said("false: it is made as its variants alone.", schema.FLAG),
}
SCHEMA = schema.mapping(_KEYS, ["title", "languages"])
