"""Loading of a game folder: `load_game` returns the game and the problems of its files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from cardgen.core import json_schema, work_limits
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_nodes import Node
from cardgen.game import (
    boxes,
    card_references,
    deck_files,
    fonts_file,
    game_folder,
    game_settings,
    numbered_copies,
    tabletop_file,
    unused_files,
    variants,
)
from cardgen.game.card_ids import ID, check_id
from cardgen.game.checker import Checker, FallbackCounts, report_fallback_texts
from cardgen.game.deck_files import DeckContext, read_constants
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER, ICONS_FOLDER
from cardgen.game.keys import Key, build_schema, load_yaml, read_keys
from cardgen.game.keywords import MAX_KEYWORDS, Keywords, check_keyword
from cardgen.game.model import COVER_FACTS, Game, Player, Text
from cardgen.runtime import game_files
from cardgen.runtime.safe_files import is_device_name

FILE = game_folder.GAME_FILE
MAX_FACES = 200_000
MAX_PIECES = 50_000
MAX_LANGUAGES = 200
_LIMIT_HINT = f"; for a large game that you trust, set {work_limits.LARGE_GAMES_VARIABLE}=10"
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
"""Language names that people write instead of codes."""
_GAME_ID = re.compile(r"[^\W_][\w -]{0,59}\Z")
"""Form of a game's short name, from which files are named."""
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}\Z")


_PLAYER_KEYS: Mapping[str, Key] = {
    "id": Key.word(schema={**json_schema.allow_pattern(ID), "type": ["string", "integer"]},
                   required=True),
    "name": Key.node(json_schema.TEXT, required=True),
    "colour": Key.node(game_settings.COLOUR_KEY.schema),
    "symbol": Key.word("An icon of art/icons.", "the name of an icon", schema=json_schema.ICON),
}  # fmt: skip
GAME_KEYS: Mapping[str, Key] = {
    "game": Key.word(
        "A short name; without it, the folder's.",
        "a short name of letters, digits, spaces, - and _", form=_GAME_ID,
    ),
    "title": Key.node(json_schema.TEXT, required=True),
    "edition": Key.word("Printed on every sheet; in quotes."),
    "date": Key.word(),
    "languages": Key.node(
        json_schema.allow_list(json_schema.allow_pattern(_LANGUAGE_CODE), 1),
        "Their codes, the source language first.", required=True,
    ),
    "fallback": Key.flag("true: print the first language where a text is not translated.", False),
    "players": Key.sequence(
        build_schema(_PLAYER_KEYS), expected="a list of players, each with - id: …"
    ),
    "constants": Key.mapping(about="Figures for rules and templates."),
    "colours": Key.mapping(
        json_schema.allow_named_values(
            game_settings.COLOUR_KEY.schema, json_schema.allow_pattern(game_settings.NAME_PATTERN)
        ),
        "Styles use them as var(--name).",
    ),
    "words": Key.mapping(
        json_schema.allow_named_values(game_settings.WORD_SCHEMA),
        "What templates print: words.name.",
    ),
    "facts": Key.node(
        json_schema.allow_mapping(dict.fromkeys(COVER_FACTS, json_schema.TEXT)),
        "For covers: how many play, how long, how old.",
    ),
    "emoji": Key.mapping(
        json_schema.allow_named_values(json_schema.ICON), "Emoji and the icons printed for them."
    ),
    "keywords": Key.mapping(
        json_schema.allow_named_values(json_schema.ICON), "Words and the icons printed for them."
    ),
    "print": Key.mapping(game_settings.PRINT_SCHEMA, "Defaults of the build command."),
    "rulebook": Key.mapping(
        game_settings.RULEBOOK_SCHEMA, "Editions of the rulebook.", "editions: [player, designer]"
    ),
    "table": Key.node(tabletop_file.TABLETOP_SCHEMA, "What lies on a virtual table."),
    "boxes": Key.mapping(
        boxes.BOXES_SCHEMA, "Boxes and dividers, by name.", "NAME: {form: tuck}"
    ),
    "store": Key.word("A shared store, proposed to whoever builds the game."),
    "variants": Key.node(variants.VARIANTS_SCHEMA, "Games from the same folder, by name."),
    "whole": Key.flag("false: build only the variants.", True),
}  # fmt: skip
GAME_SCHEMA = build_schema(GAME_KEYS)


def is_language_code(code: str) -> bool:
    """Return whether a text has the form of a language code, such as `fi` or `pt-BR`."""
    return _LANGUAGE_CODE.match(code) is not None


def raise_if_changed(game: Game) -> None:
    """Raise `FileChangedError` when a file of the game changed since the game was read."""
    now = scan_game_files(game.root) if game.file_stamps else {}
    for name in sorted(find_changed_files(game, now)):
        raise game_files.FileChangedError(name)


def is_unchanged(game: Game) -> bool:
    """Return whether no file of the game changed since the game was read."""
    return scan_game_files(game.root) == game.file_stamps


def find_changed_files(game: Game, now: game_files.FileStamps) -> frozenset[str]:
    """Return the files that changed, appeared or disappeared since the game was read."""
    return frozenset(
        name
        for name in now.keys() | game.file_stamps.keys()
        if now.get(name) != game.file_stamps.get(name)
    )


def scan_game_files(root: Path) -> game_files.FileStamps:
    """Return the stamps of a game's files, without editors' backup files and font packages."""
    found = game_files.stamp_files(
        root, (FILE, tabletop_file.TABLETOP_FILE), unused_files.GAME_FOLDERS
    )
    return {
        name: stamp for name, stamp in found.items() if not name.endswith("~") and "/." not in name
    }


def load_game(root: Path) -> tuple[Game | None, list[Problem]]:
    """Load a game folder, except its rules. Without a readable game.yaml there is no game."""
    try:
        with work_limits.work_limit(
            "the game's files", LOAD_SECONDS * work_limits.get_large_factor()
        ):
            game, problems = _load_unbounded(root)
    except LimitExceededError as error:
        message = f"the game cannot be read: {error}"
        return None, [Problem(Source(FILE), message, "bounds")]
    if game is not None and (message := _check_limits(game)):
        return None, [*problems, Problem(Source(FILE), f"{message}{_LIMIT_HINT}", "bounds")]
    return game, problems


def _check_limits(game: Game) -> str:
    """Return why a game is too large; "" if it is not."""
    copies = sum(deck.count for deck in game.decks)
    if copies > (most := work_limits.scale_limit(MAX_PIECES)):
        return f"the game has {copies} pieces, copies included; {most} are allowed"
    sides = {
        deck.id: len(deck.pieces) * (bool(deck.front) + bool(deck.back)) for deck in game.decks
    }
    faces = 0 if game.variants_only else sum(sides.values()) * len(game.languages)
    faces += sum(
        sides[deck] * len(each.languages) for each in game.variants.values() for deck in each.decks
    )
    if faces > (most := work_limits.scale_limit(MAX_FACES)):
        pieces = sum(len(deck.pieces) for deck in game.decks)
        times = f" in {len(game.variants)} variants" if game.variants else ""
        return (
            f"{len(game.languages)} languages of {pieces} pieces{times} are {faces} faces; "
            f"{most} are allowed"
        )
    return ""


def _load_unbounded(root: Path) -> tuple[Game | None, list[Problem]]:
    stamps = scan_game_files(root)
    node, problems = load_yaml(root, FILE)
    if node is None:
        return None, problems
    if not node.is_mapping:
        message = f"game.yaml is {node.describe()}; expected it to begin with game: NAME"
        return None, [*problems, Problem(node.source, message, "type")]
    language_problems: list[Problem] = []
    languages, certain = _read_game_languages(node, language_problems)
    icons = _find_icons(root, problems)
    checker = Checker(languages, tuple(icons), (), problems)
    given = read_keys(node, GAME_KEYS, "game.yaml", checker.report)
    emoji = checker.emoji = _read_emoji(given["emoji"], checker)
    checker.fallback_counts = FallbackCounts() if given["fallback"] else None
    defaults = game_settings.read_print_defaults(given["print"], checker)
    colours = game_settings.read_colours(given["colours"], checker)
    colours = game_settings.add_spot_colours(colours, defaults, given["print"], checker)
    players = _read_players(given["players"], checker)
    keywords = _read_keywords(given["keywords"], checker)
    words = game_settings.read_words(given["words"], checker)
    fonts, font_problems = fonts_file.load_fonts(root, languages)
    context = DeckContext(
        root, languages, players, icons, colours, emoji, keywords,
        game_settings.list_printable_words(words), checker.fallback_counts,
        frozenset(family.name for family in fonts.families),
    )  # fmt: skip
    decks, deck_problems = deck_files.load_decks(context)
    if fonts.families:
        named = frozenset[str]().union(*(deck.look_families for deck in decks))
        fonts = fonts_file.add_builtin_families(fonts, named)
    problems += deck_problems
    decks, name_problems = card_references.resolve_card_names(decks)
    decks, copy_problems = numbered_copies.number_copies(root, decks)
    problems += name_problems + copy_problems
    is_complete = not any(problem.kind in deck_files.UNREADABLE_KINDS for problem in deck_problems)
    problems += keywords.report_unused() if is_complete else []
    if not decks and not deck_problems:
        message = "the game has no decks; add one, such as cards/loot.yaml"
        problems.append(Problem(Source("cards"), message, "empty"))
    problems += unused_files.find_unused_files(root, languages)
    problems += font_problems
    game = Game(
        root=root,
        id=given["game"] or root.name,
        title=_read_title(given["title"], node, checker),
        edition=given["edition"],
        date=given["date"],
        languages=languages,
        players=players,
        constants=read_constants(given["constants"], checker),
        colours=colours,
        words=words,
        decks=decks,
        fonts=fonts,
        icons=icons,
        defaults=defaults,
        table=tabletop_file.load_table_setup(root, given["table"], decks, checker, is_complete),
        facts=game_settings.read_facts(given["facts"], checker),
        emoji=emoji,
        keywords={
            word: (icon, tuple(keywords.places_by_word.get(word, ())))
            for word, icon in keywords.icons.items()
        },
        file_stamps=stamps,
        rulebook_editions=game_settings.read_rulebook_editions(given["rulebook"], checker),
        fallback=given["fallback"],
        store=given["store"],
    )
    if not given["whole"] and given["variants"] is None:
        message = "whole: false, but the game has no variants, so nothing is left to build"
        checker.report(node.value["whole"].source, message, "fields")
    game = replace(
        game,
        boxes=boxes.read_boxes(given["boxes"], root, game, checker) if is_complete else (),
        variants=variants.read_variants(given["variants"], game, checker, is_complete),
        variants_only=not given["whole"] and given["variants"] is not None,
    )
    problems += report_fallback_texts(checker.fallback_counts or {}, languages[0], node)
    return game, language_problems + [
        problem for problem in problems if _is_relevant(problem, game, certain)
    ]


def _is_relevant(problem: Problem, game: Game, certain: bool) -> bool:
    """Return whether a problem concerns a text that is printed.

    A missing translation does not where only variants are built and none has that language of the
    deck, nor where it is not `certain` which languages the game has.
    """
    deck, language = problem.subject.deck, problem.subject.language
    if problem.kind != "language" or not certain:
        return problem.kind != "language"
    if not game.variants_only or not language:
        return True
    return any(
        language in each.languages and (not deck or deck in each.decks)
        for each in game.variants.values()
    )


def _find_icons(root: Path, problems: list[Problem]) -> dict[str, Path]:
    """Return the files of icons by their names."""
    icons: dict[str, Path] = {}
    # A bitmap counts as an icon, too, so that only one problem is reported for it.
    files = [
        name
        for folder in (ICONS_FOLDER, COLOURED_ICONS_FOLDER)
        for name in game_files.list_files(root, folder, *_PICTURE_SUFFIXES, deep=False)
    ]
    for name in files:
        path = PurePosixPath(name)
        stem = path.stem
        if not game_settings.NAME_PATTERN.match(stem):
            right = re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-0123456789") or "icon"
            message = "an icon's name has small letters, digits and hyphens: rename it "
            message += f"{right}{path.suffix.lower()}"
            problems.append(Problem(Source(name), message, "art"))
            stem = right  # so that texts which name it are not reported, too
        try:
            game_files.find_file(root, name)
            other = icons.setdefault(stem, root / name)
        except game_files.UnreadableError as error:
            problems.append(Problem(Source(name), f"the file {error}", "file"))
            continue
        if other != root / name:
            message = f"there is another icon '{stem}', {other.relative_to(root).as_posix()}"
            problems.append(Problem(Source(name), f"{message}; keep one of them", "art"))
    return icons


def _read_game_languages(node: Node, problems: list[Problem]) -> tuple[tuple[str, ...], bool]:
    """Return the languages, and whether it is certain that these are the ones that are meant."""
    given = node.get("languages")
    if given is None or given.value in (None, []) or given.is_mapping:
        source = node.source if given is None else given.source
        problems.append(Problem(source, "game.yaml needs languages: [en]", "language"))
        return ("en",), False
    entries = given.list_nodes()
    if given.is_scalar:
        words = re.findall(r"[\w-]+", given.text) or ["en"]
        words = [_LANGUAGE_CODES.get(word.lower(), word) for word in words]
        message = f"languages is {given.describe()}; write languages: [{', '.join(words)}]"
        problems.append(Problem(given.source, message, "language"))
        entries = [Node(word, given.source) for word in words]
    languages: list[str] = []
    certain = given.is_list
    for entry in entries:
        language = entry.text if entry.is_scalar else ""
        if not isinstance(entry.value, str) or not _LANGUAGE_CODE.match(language):
            meant = _LANGUAGE_CODES.get(language.lower(), language.lower())
            meant = meant if _LANGUAGE_CODE.match(meant) and len(meant) == 2 else ""
            hint = f"did you mean {meant}?" if meant else "write a code such as fi or en"
            message = f"{entry.describe()} is not a language code; {hint}"
            problems.append(Problem(entry.source, message, "language"))
            language, certain = meant, certain and bool(meant)
        elif wrong := check_language_folder(language, languages):
            problems.append(Problem(entry.source, wrong, "language"))
        languages += [language] if language else []
    languages = list(dict.fromkeys(languages))
    if len(languages) > MAX_LANGUAGES:
        message = f"the game has {len(languages)} languages; {MAX_LANGUAGES} are allowed"
        problems.append(Problem(given.source, message, "bounds"))
    return tuple(languages[:MAX_LANGUAGES]) or ("en",), certain and bool(languages)


def check_language_folder(language: str, others: Iterable[str]) -> str:
    """Return why a language's files cannot have a folder of its name on every system; "" if they
    can."""
    if is_device_name(language):
        hint = f"write it with its script, such as {language}-Latn"
        return f"'{language}' names a device on Windows, where no folder can have its name; {hint}"
    same = (each for each in others if each != language and each.lower() == language.lower())
    twin = next(same, "")
    return f"'{language}' and '{twin}' are one language; remove one of them" if twin else ""


def _read_title(title: Node | None, node: Node, checker: Checker) -> Text:
    if title is None:
        checker.report(node.source, "game.yaml has no title", "fields")
        return Text(dict.fromkeys(checker.languages, ""), node.source)
    return checker.read_text(title, "title")


def _read_emoji(node: Node | None, checker: Checker) -> dict[str, str]:
    icons = _read_icon_names(node, "emoji", checker)
    return {emoji.replace("\ufe0f", ""): icon for emoji, icon in icons.items()}


def _read_keywords(node: Node | None, checker: Checker) -> Keywords:
    if node is None:
        return Keywords()
    if len(node.value) > MAX_KEYWORDS:
        message = f"the game has {len(node.value)} keywords; {MAX_KEYWORDS} are allowed"
        checker.report(node.source, message, "bounds")
        return Keywords()
    icons = _read_icon_names(node, "keyword", checker)
    for word in [*icons]:
        if wrong := check_keyword(word):
            checker.report(node.keys[word], f"keywords: {wrong}", "fields")
            del icons[word]
    return Keywords(icons, {word: node.keys[word] for word in icons})


def _read_icon_names(node: Node | None, what: str, checker: Checker) -> dict[str, str]:
    """Return a mapping of words to icons, without those whose icon does not exist."""
    icons: dict[str, str] = {}
    for word, child in node.items() if node else ():
        if child.text in set(checker.icons):
            icons[word] = child.text
        else:
            hint = did_you_mean(child.text, checker.icons)
            message = f"{what} {word}: there is no icon '{child.text}' in art/icons{hint}"
            checker.report(child.source, message, "reference")
    return icons


def _read_players(nodes: Sequence[Node], checker: Checker) -> tuple[Player, ...]:
    players: dict[str, Player] = {}
    for node in nodes:
        if not node.is_mapping or node.get("id") is None:
            message = f"a player is {node.describe()}" if not node.is_mapping else "there is no id"
            message += "; a player needs id, name, colour and symbol"
            checker.report(node.source, message, "fields")
            continue
        player = _read_player(node, checker)
        if player.id in players:
            message = f"there are two players '{player.id}'; give one another id"
            checker.report(node.source, message, "duplicate-id")
        players.setdefault(player.id, player)
    return tuple(players.values())


def _read_player(node: Node, checker: Checker) -> Player:
    given = read_keys(node, _PLAYER_KEYS, "a player", checker.report)
    player, name, symbol = given["id"], given["name"], given["symbol"]
    if wrong := check_id(player):
        checker.report(node.source, wrong, "fields")
    colour = game_settings.read_colour(given["colour"], f"the colour of {player}", checker)
    if symbol and symbol not in set(checker.icons):
        hint = did_you_mean(symbol, checker.icons)
        message = f"there is no icon '{symbol}' in art/icons{hint}"
        checker.report(node.source, message, "reference")
    if name is None:
        checker.report(node.source, f"the player {player} has no name", "fields")
        text = Text(dict.fromkeys(checker.languages, player), node.source)
    else:
        text = checker.read_text(name, f"the name of {player}")
    return Player(player, text, colour, symbol, node.source)
