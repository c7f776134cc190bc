"""A game folder, read: `load` gives the game and everything that is wrong with its files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from cardgen.core import json_schema, work_limits, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_nodes import Node
from cardgen.game import (
    card_references,
    deck_files,
    fonts_file,
    game_folder,
    game_settings,
    tabletop_file,
    unused_files,
    variants,
)
from cardgen.game.card_ids import ID, check_id
from cardgen.game.checker import Checker, FallbackCounts, report_fallback_texts
from cardgen.game.deck_files import DeckContext, read_constant
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER, ICONS_FOLDER
from cardgen.game.keys import check_keys, read_flag
from cardgen.game.keywords import MAX_KEYWORDS as MOST_KEYWORDS
from cardgen.game.keywords import Keywords, check_keyword
from cardgen.game.model import COVER_FACTS, Deck, Game, Player, Text
from cardgen.runtime import game_files

FILE = game_folder.GAME_FILE
MAX_FACES = 200_000
MAX_PIECES = 50_000
MAX_LANGUAGES = 200
_LIMIT_HINT = f"; for a large game that you trust, say {work_limits.LARGE_GAMES_VARIABLE}=10 in the environment"
LOAD_SECONDS = 60.0
_PICTURE_SUFFIXES = (".svg", ".SVG", ".png", ".jpg", ".jpeg", ".webp", ".gif")
_LANGUAGE_CODES = {
    "chinese": "zh", "czech": "cs", "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en",
    "español": "es", "finnish": "fi", "français": "fr", "french": "fr", "german": "de",
    "greek": "el", "hungarian": "hu", "italian": "it", "italiano": "it", "japanese": "ja",
    "korean": "ko", "norwegian": "nb", "polish": "pl", "polski": "pl", "portuguese": "pt",
    "russian": "ru", "spanish": "es", "suomi": "fi", "svenska": "sv", "swedish": "sv",
    "turkish": "tr", "ukrainian": "uk", "русский": "ru",
}  # fmt: skip
"""Languages as people call them."""
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}\Z")


def is_language_code(code: str) -> bool:
    """Whether it is written as a code of a language is, such as `fi` or `pt-BR`."""
    return _LANGUAGE_CODE.match(code) is not None


def raise_if_changed(game: Game) -> None:
    """Raise `Changed` when a file of the game is not what it was when the game was read."""
    now = scan_game_files(game.root) if game.file_stamps else {}
    for name in sorted(find_changed_files(game, now)):
        raise game_files.FileChangedError(name)


def is_unchanged(game: Game) -> bool:
    """Whether every file of the game is what it was when the game was read."""
    return scan_game_files(game.root) == game.file_stamps


def find_changed_files(game: Game, now: game_files.FileStamps) -> frozenset[str]:
    """The files that are others `now` than when the game was read, come or gone ones among them."""
    return frozenset(
        name
        for name in now.keys() | game.file_stamps.keys()
        if now.get(name) != game.file_stamps.get(name)
    )


def scan_game_files(root: Path) -> game_files.FileStamps:
    """What the game is made of; what an editor keeps beside, and fonts' packages, left out."""
    found = game_files.stamp_files(
        root, (FILE, tabletop_file.TABLETOP_FILE), unused_files.GAME_FOLDERS
    )
    return {
        name: stamp for name, stamp in found.items() if not name.endswith("~") and "/." not in name
    }


def load_game(root: Path) -> tuple[Game | None, list[Problem]]:
    """Read a game folder, but for its rules. Without a readable game.yaml there is no game, only
    problems."""
    try:
        with work_limits.work_limit(
            "the game's files", LOAD_SECONDS * work_limits.get_large_factor()
        ):
            game, problems = _load_unbounded(root)
    except LimitExceededError as error:
        message = f"the game cannot be read: {error}"
        return None, [Problem(Source(FILE), message, "bounds")]
    if game is not None and (count := _count_pieces(game)) > (
        most := work_limits.scale_limit(MAX_PIECES)
    ):
        message = f"the game has {count} pieces with all copies; {most} are the most{_LIMIT_HINT}"
        return None, [*problems, Problem(Source(FILE), message, "bounds")]
    if game is not None and _count_faces(game) > (most := work_limits.scale_limit(MAX_FACES)):
        of = f" in {len(game.variants)} variants" if game.variants else ""
        message = (
            f"{len(game.languages)} languages of {sum(len(d.pieces) for d in game.decks)} pieces"
            f"{of} are {_count_faces(game)} faces; {most} are the most{_LIMIT_HINT}"
        )
        return None, [*problems, Problem(Source(FILE), message, "bounds")]
    return game, problems


def _count_pieces(game: Game) -> int:
    return sum(piece.copies for deck in game.decks for piece in deck.pieces)


def _count_faces(game: Game) -> int:
    """How many faces there are of it, and of its variants."""
    sides = {deck.id: len(deck.pieces) * len(_list_sides(deck)) for deck in game.decks}
    own = 0 if game.variants_only else sum(sides.values()) * len(game.languages)
    return own + sum(
        sides[deck] * len(each.languages) for each in game.variants.values() for deck in each.decks
    )


def _list_sides(deck: Deck) -> list[str]:
    return [side for side in (deck.front, deck.back) if side]


def _load_unbounded(root: Path) -> tuple[Game | None, list[Problem]]:
    found = scan_game_files(root)
    text, why = game_files.read_text(root, FILE)
    if why:
        return None, [Problem(Source(FILE), f"the file {why}", "file")]
    node, problems = yaml_nodes.load(text, FILE)
    if node is None:
        return None, problems
    if not node.is_mapping:
        message = f"game.yaml is {node.describe()}; it begins with game: NAME"
        return None, [*problems, Problem(node.source, message, "type")]
    own: list[Problem] = []
    languages, sure = _read_game_languages(node, own)
    icons = _find_icons(root, problems)
    checker = Checker(languages, tuple(icons), ())
    checker.problems = problems
    emoji = checker.emoji = _read_emoji(node.get("emoji"), checker)
    check_keys(node, GAME_KEYS, "game.yaml", checker.report)
    fallback = read_flag(node.get("fallback"), "fallback", checker.report) is True
    checker.fallback_counts = FallbackCounts() if fallback else None
    for key in ("constants", "colours", "words", "emoji", "keywords", "print"):
        _check_mapping(node, key, checker)
    listed = node.get("players")
    if listed is not None and not listed.is_list:
        message = f"players is {listed.describe()}; a list is asked for, each with - id: …"
        checker.report(listed.source, message, "type")
    defaults = game_settings.read_print_defaults(node.get("print"), checker)
    colours = game_settings.read_colours(node.get("colours"), checker)
    colours = game_settings.add_spot_colours(colours, defaults, node.get("print"), checker)
    players = _read_players(node.get("players"), checker)
    keywords = _read_keywords(node.get("keywords"), checker)
    words = game_settings.read_words(node.get("words"), checker)
    named = frozenset(words)
    context = DeckContext(
        root, languages, players, icons, colours, emoji, keywords, named, checker.fallback_counts
    )
    all_decks, deck_problems = deck_files.load_decks(context)
    problems += deck_problems
    all_decks, unnamed = card_references.resolve_card_names(all_decks)
    problems += unnamed
    whole = not any(problem.kind in deck_files.UNREADABLE_KINDS for problem in deck_problems)
    problems += keywords.report_unused() if whole else []
    if not all_decks and not deck_problems:
        message = "the game has no decks; each is a file such as cards/loot.yaml"
        problems.append(Problem(Source("cards"), message, "empty"))
    problems += unused_files.find_unused_files(root, languages)
    font_set, font_problems = fonts_file.load_fonts(root, languages)
    problems += font_problems
    constants_node = node.get("constants")
    game = Game(
        root=root,
        id=_read_word(node, "game", root.name, checker),
        title=_read_title(node, "title", checker),
        edition=_read_word(node, "edition", "", checker),
        date=_read_word(node, "date", "", checker),
        languages=languages,
        players=players,
        constants={
            key: read_constant(child, checker, key)
            for key, child in (constants_node.items() if constants_node else ())
        },
        colours=colours,
        words=words,
        decks=all_decks,
        fonts=font_set,
        icons=icons,
        defaults=defaults,
        table=tabletop_file.load_table_setup(root, node.get("table"), all_decks, checker, whole),
        facts=game_settings.read_facts(node.get("facts"), checker),
        emoji=emoji,
        keywords={
            word: (icon, tuple(keywords.places_by_word.get(word, ())))
            for word, icon in keywords.icons.items()
        },
        file_stamps=found,
        fallback=fallback,
    )
    game = replace(
        game,
        variants=variants.read_variants(node.get("variants"), game, checker, whole),
        variants_only=_read_variants_only(node, checker),
        store=_read_word(node, "store", "", checker),
    )
    problems += report_fallback_texts(checker.fallback_counts or {}, languages[0], node)
    # Where it is not known which languages were meant, texts cannot be held against them.
    asked = _make_language_filter(game) if sure else _is_not_about_language
    return game, own + [problem for problem in problems if asked(problem)]


def _is_not_about_language(problem: Problem) -> bool:
    return problem.kind != "language"


def _make_language_filter(game: Game) -> Callable[[Problem], bool]:
    """Whether a problem is one where variants alone are made: of a deck's texts, the languages
    that some variant has it in are asked for."""
    pairs = {(d, code) for v in game.variants.values() for d in v.decks for code in v.languages}
    languages = {code for v in game.variants.values() for code in v.languages}

    def is_relevant(problem: Problem) -> bool:
        deck, language = problem.subject.deck, problem.subject.language
        if not game.variants_only or problem.kind != "language" or not language:
            return True
        return (deck, language) in pairs if deck else language in languages

    return is_relevant


def _read_variants_only(node: Node, checker: Checker) -> bool:
    """Whether its variants alone are made."""
    given = node.get("whole")
    alone = read_flag(given, "whole", checker.report) is False
    if given is not None and alone and node.get("variants") is None:
        message = "whole: false leaves nothing to make; the game has no variants"
        checker.report(given.source, message, "fields")
        return False
    return alone


def _check_mapping(node: Node, key: str, checker: Checker) -> None:
    child = node.get(key)
    if child is not None and not child.is_mapping:
        message = f"{key} is {child.describe()}; a mapping is asked for, NAME: VALUE"
        checker.report(child.source, message, "type")


def _find_icons(root: Path, problems: list[Problem]) -> dict[str, Path]:
    """Icon name → file."""
    icons: dict[str, Path] = {}
    # A picture of another kind stands for an icon, too, so that one thing is told of it.
    files = [
        name for at in (ICONS_FOLDER, COLOURED_ICONS_FOLDER) for name in _list_pictures(root, at)
    ]
    for name in files:
        path = PurePosixPath(name)
        stem = path.stem
        if not game_settings.NAME_PATTERN.match(stem):
            right = re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-0123456789") or "icon"
            message = "an icon's name has small letters, digits and hyphens: rename it "
            message += f"{right}{path.suffix.lower()}"
            problems.append(Problem(Source(name), message, "art"))
            stem = right  # so that nothing more is said of it
        try:
            game_files.find_file(root, name)
            other = icons.setdefault(stem, root / name)
        except game_files.UnreadableError as error:
            problems.append(Problem(Source(name), f"the file {error}", "file"))
            continue
        if other != root / name:
            message = f"'{stem}' is an icon already, {other.relative_to(root).as_posix()}"
            problems.append(Problem(Source(name), f"{message}; keep one of them", "art"))
    return icons


def _list_pictures(root: Path, folder: str) -> list[str]:
    return game_files.list_files(root, folder, *_PICTURE_SUFFIXES, deep=False)


def _read_game_languages(node: Node, problems: list[Problem]) -> tuple[tuple[str, ...], bool]:
    """The languages, and whether they are those that were meant, as far as can be told."""
    given = node.get("languages")
    if given is None or given.value in (None, []) or given.is_mapping:
        source = node.source if given is None else given.source
        problems.append(Problem(source, "game.yaml needs languages: [en]", "language"))
        return ("en",), False
    entries = given.list_nodes()
    if given.is_scalar:
        words = re.findall(r"[\w-]+", given.text) or ["en"]
        message = f"languages is {given.describe()}; write languages: [{', '.join(words)}]"
        problems.append(Problem(given.source, message, "language"))
        entries = [Node(word, given.source) for word in words]
    found, sure = [], given.is_list
    for entry in entries:
        language = entry.text if entry.is_scalar else ""
        if not isinstance(entry.value, str) or not _LANGUAGE_CODE.match(language):
            meant = _LANGUAGE_CODES.get(language.lower(), language.lower())
            meant = meant if _LANGUAGE_CODE.match(meant) and len(meant) == 2 else ""
            hint = f"; did you mean {meant}?" if meant else ", such as fi or en"
            message = f"{entry.describe()} is no language code{hint}"
            problems.append(Problem(entry.source, message, "language"))
            language, sure = meant, sure and bool(meant)
        found += [language] if language else []
    found = list(dict.fromkeys(found))
    if len(found) > MAX_LANGUAGES:
        message = f"the game has {len(found)} languages; {MAX_LANGUAGES} are the most"
        problems.append(Problem(given.source, message, "bounds"))
    return tuple(found[:MAX_LANGUAGES]) or ("en",), sure and bool(found)


def _read_word(node: Node, key: str, default: str, checker: Checker) -> str:
    child = node.get(key)
    if child is None:
        return default
    if not child.is_scalar:
        checker.report(child.source, f"{key} is {child.describe()}; a word is asked for", "type")
        return default
    return child.text


def _read_title(node: Node, key: str, checker: Checker) -> Text:
    child = node.get(key)
    if child is None:
        checker.report(node.source, f"game.yaml has no {key}", "fields")
        return Text(dict.fromkeys(checker.languages, ""), node.source)
    return checker.read_text(child, key)


def _read_emoji(node: Node | None, checker: Checker) -> dict[str, str]:
    found = _read_icon_names(node, "emoji", checker)
    return {sign.replace("\ufe0f", ""): icon for sign, icon in found.items()}


def _read_keywords(node: Node | None, checker: Checker) -> Keywords:
    if node is None or not node.is_mapping:
        return Keywords()
    if len(node.value) > MOST_KEYWORDS:
        message = f"the game has {len(node.value)} keywords; {MOST_KEYWORDS} are the most"
        checker.report(node.source, message, "bounds")
        return Keywords()
    found = _read_icon_names(node, "keyword", checker)
    for word in [*found]:
        if wrong := check_keyword(word):
            checker.report(node.keys[word], f"keywords: {wrong}", "fields")
            del found[word]
    return Keywords(found, {word: node.keys[word] for word in found})


def _read_icon_names(node: Node | None, what: str, checker: Checker) -> dict[str, str]:
    """What is printed as an icon, and which."""
    found: dict[str, str] = {}
    for sign, child in node.items() if node else ():
        if child.text not in set(checker.icons):
            hint = did_you_mean(child.text, checker.icons)
            message = f"{what} {sign}: no icon '{child.text}' in art/icons{hint}"
            checker.report(child.source, message, "reference")
        else:
            found[sign] = child.text
    return found


def _read_players(node: Node | None, checker: Checker) -> tuple[Player, ...]:
    players: list[Player] = []
    for child in node.list_nodes() if node else ():
        if not child.is_mapping or child.get("id") is None:
            message = "a player needs id, name, colour and symbol"
            checker.report(child.source, message, "fields")
            continue
        player = _read_player(child, checker)
        if player.id in {other.id for other in players}:
            message = f"the player '{player.id}' stands twice"
            checker.report(child.source, message, "duplicate-id")
            continue
        players.append(player)
    return tuple(players)


def _read_player(node: Node, checker: Checker) -> Player:
    check_keys(node, _PLAYER_KEYS, "a player", checker.report)
    player_id = _read_word(node, "id", "", checker)
    wrong = check_id(player_id)
    if wrong:
        checker.report(node.source, wrong, "fields")
    name = node.get("name")
    colour_node = node.get("colour")
    colour = (
        game_settings.read_colour(colour_node, f"the colour of {player_id}", checker)
        if colour_node
        else ""
    )
    symbol = _read_word(node, "symbol", "", checker)
    if symbol and symbol not in set(checker.icons):
        hint = did_you_mean(symbol, checker.icons)
        message = f"no icon '{symbol}' in art/icons{hint}"
        checker.report(node.source, message, "reference")
    if name is None:
        checker.report(node.source, f"the player {player_id} has no name", "fields")
    return Player(
        id=player_id,
        name=checker.read_text(name, f"the name of {player_id}")
        if name
        else Text(dict.fromkeys(checker.languages, player_id), node.source),
        colour=colour or game_settings.FALLBACK_COLOUR,
        symbol=symbol,
        source=node.source,
    )


_COLOUR_SCHEMA: Schema = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}
_PLAYER_KEYS: Mapping[str, Schema] = {
    "id": {**json_schema.allow_pattern(ID), "type": ["string", "integer"]},
    "name": json_schema.TEXT,
    "colour": json_schema.describe('"#rrggbb", in quotes', _COLOUR_SCHEMA),
    "symbol": json_schema.describe("An icon of art/icons.", json_schema.ICON),
}
GAME_KEYS: Mapping[str, Schema] = {
    "game": json_schema.describe("A short name; the folder's unless said.", json_schema.SCALAR),
    "title": json_schema.TEXT,
    "edition": json_schema.describe("Printed on every sheet; in quotes.", json_schema.SCALAR),
    "date": json_schema.SCALAR,
    "languages": json_schema.describe(
        "Their codes, the source language first.",
        json_schema.allow_list(json_schema.allow_pattern(_LANGUAGE_CODE), 1),
    ),
    "fallback": json_schema.describe(
        "true: a text that a language lacks is printed in the first one.", json_schema.BOOLEAN
    ),
    "players": json_schema.allow_list(json_schema.allow_mapping(_PLAYER_KEYS, ["id", "name"])),
    "constants": json_schema.describe("Figures for rules and templates.", {"type": "object"}),
    "colours": json_schema.describe(
        "CSS knows them as var(--name).",
        json_schema.allow_named_values(
            _COLOUR_SCHEMA, json_schema.allow_pattern(game_settings.NAME_PATTERN)
        ),
    ),
    "words": json_schema.describe(
        "What templates print: words.name.", json_schema.allow_named_values(json_schema.TEXT)
    ),
    "facts": json_schema.describe(
        "For covers: how many play, how long, how old.",
        json_schema.allow_mapping(dict.fromkeys(COVER_FACTS, json_schema.TEXT)),
    ),
    "emoji": json_schema.describe(
        "Emoji and the icons printed for them.", json_schema.allow_named_values(json_schema.ICON)
    ),
    "keywords": json_schema.describe(
        "Words and the icons printed for them.", json_schema.allow_named_values(json_schema.ICON)
    ),
    "print": json_schema.describe(
        "What build does unless told otherwise.", game_settings.PRINT_SCHEMA
    ),
    "table": json_schema.describe("What lies on a virtual table.", tabletop_file.TABLETOP_SCHEMA),
    "store": json_schema.describe(
        "A shared store, proposed to whoever builds the game.", json_schema.SCALAR
    ),
    "variants": json_schema.describe("Games from the same folder, by name.", {"type": "object"}),
    "whole": json_schema.describe("false: it is made as its variants alone.", json_schema.BOOLEAN),
}
GAME_SCHEMA = json_schema.allow_mapping(GAME_KEYS, ["title", "languages"])
