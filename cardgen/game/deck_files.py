"""Deck files: `cards/*.yaml` and their tables, read as decks of pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from cardgen.core import work_limits
from cardgen.core.problems import WHOLE_GAME, Problem, Source, Subject, did_you_mean, has_errors
from cardgen.core.units import CARD_SIZES, Size, parse_size
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_references, card_tables, deck_cards, game_looks, look_templates
from cardgen.game.card_ids import check_id
from cardgen.game.checker import Checker, FallbackCounts
from cardgen.game.deck_keys import CARD_KEYS, DECK_KEYS, KIND_KEYS, PICTURE_PREFIX, SHARED_KEYS
from cardgen.game.field_types import read_declarations
from cardgen.game.keys import Key, check_keys, load_yaml
from cardgen.game.keywords import Keywords
from cardgen.game.look_places import LookContext
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, Field, Player, Text, Value
from cardgen.looks.look_catalogue import BACK_FILE, FRONT_FILE, Look
from cardgen.runtime import game_files

_ALL_DECK_KEYS = {*SHARED_KEYS, *DECK_KEYS, *KIND_KEYS}
FALLBACK_SIZE = Size(63.5, 88.9)
"""Replaces a size that cannot be read, so that it is reported once."""
EXPRESSION_FUNCTIONS = frozenset(
    ("cards", "count", "sum_of", "total", "min", "max", "abs", "round", "players")
)
"""Names that expressions offer beside a card's fields; no field may hide them."""
UNREADABLE_KINDS = frozenset({"yaml", "file", "bounds"})
"""Kinds of problem that leave a file, or a part of it, out of the game."""
READ_SECONDS = 20.0


def read_deck_heads(root: Path) -> dict[str, Node]:
    """Return the readable deck files of a game, decks and kinds, by their paths."""
    return {node.source.path: node for node in read_deck_files(root).nodes.values()}


@dataclass(frozen=True)
class DeckContext:
    """Names of the game that deck files may refer to."""

    root: Path
    languages: tuple[str, ...]
    players: tuple[Player, ...]
    icons: Mapping[str, Path]
    colours: Mapping[str, str]
    emoji: Mapping[str, str] = field(default_factory=dict)
    keywords: Keywords = field(default_factory=Keywords)
    words: frozenset[str] = frozenset()
    fallback_counts: FallbackCounts | None = None
    families: frozenset[str] = frozenset()
    """Families of the game's fonts; none if they could not be read."""

    def make_checker(self) -> Checker:
        """Return a checker for the texts and names of decks."""
        return Checker(
            self.languages, tuple(self.icons), tuple(self.colours), emoji=self.emoji,
            keywords=self.keywords, fallback_counts=self.fallback_counts,
        )  # fmt: skip

    def make_look_context(self, for_each_player: bool) -> LookContext:
        """Return the names that looks may refer to in a deck."""
        return LookContext(
            self.languages, frozenset(self.colours), frozenset(self.icons), self.words,
            for_each_player and bool(self.players),
            self.root, self.families, fallback_counts=self.fallback_counts,
        )  # fmt: skip


@dataclass
class DeckFiles:
    """Deck files by the names that they declare."""

    nodes: dict[str, Node] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """True if every file was read: one that was not may declare what others refer to."""
        return not any(problem.kind in UNREADABLE_KINDS for problem in self.problems)


def load_decks(context: DeckContext) -> tuple[tuple[Deck, ...], list[Problem]]:
    """Load every deck in cards/, in the order of the files' names."""
    files = read_deck_files(context.root)
    checker = context.make_checker()
    decks = []
    for name, node in files.nodes.items():
        if node.get("deck") is not None:
            try:
                with work_limits.work_limit(
                    f"{node.source.path}: its cards", READ_SECONDS * work_limits.get_large_factor()
                ):
                    decks.append(read_deck(name, node, files, context, checker))
            except LimitExceededError as error:
                message = f"the deck cannot be read: {error}"
                files.problems.append(Problem(Source(node.source.path), message, "bounds"))
    checker.subject = WHOLE_GAME
    rows = [node.get("rows") for node in files.nodes.values() if node.get("deck") is not None]
    checker.problems += card_tables.report_undecided_sheets(rows)
    if files.is_complete:
        checker.problems += card_references.find_dangling_references(decks)
    return tuple(decks), files.problems + checker.problems


def read_deck_files(root: Path) -> DeckFiles:
    """Read every deck file in cards/ as YAML."""
    files = DeckFiles()
    others: list[Node] = []
    for path in game_files.list_files(root, "cards", ".yaml", deep=False):
        if path != "cards/rules.yaml":
            node, problems = load_yaml(root, path)
            files.problems += problems
            if node is not None and node.get("deck") is None and node.get("kind") is None:
                others.append(node)
            elif node is not None:
                _add_deck_file(files, node, PurePosixPath(path).stem)
    tables = {
        table.path
        for node in files.nodes.values()
        for table in card_tables.read_table_list(node.get("rows"), lambda *_: None)
    }
    for node in others:
        if node.source.path not in tables:
            _add_deck_file(files, node, PurePosixPath(node.source.path).stem)
    return files


def _add_deck_file(files: DeckFiles, node: Node, stem: str) -> None:
    deck, kind = node.get("deck"), node.get("kind")
    name = deck or kind
    if name is None:
        message = f"a deck file begins with 'deck: {stem}', a shared one with 'kind: {stem}'"
        files.problems.append(Problem(node.source, message, "file"))
        return
    if deck and kind:
        message = "a file is a deck or a kind, not both"
        files.problems.append(Problem(node.keys["kind"], message, "fields"))
    elif kind:
        for key, hint in node.find_unknown_keys(SHARED_KEYS):
            if key not in KIND_KEYS:
                message = f"unknown field '{key}' in the kind{hint}"
                files.problems.append(Problem(node.keys[key], message, "fields"))
    text = name.text
    if wrong := check_id(text):
        files.problems.append(Problem(name.source, wrong, "fields"))
    if text in files.nodes:
        message = f"'{text}' is also declared in {files.nodes[text].source.path}; rename one"
        files.problems.append(Problem(name.source, message, "duplicate-id"))
        return
    files.nodes[text] = node


def _inherit_keys(
    node: Node, files: DeckFiles, checker: Checker, visited: tuple[str, ...] = ()
) -> dict[str, Node]:
    """Return the shared keys of a deck file and of the file it is `like`, which its own replace."""
    own = {key: value for key, value in node.items() if key in SHARED_KEYS}
    like = node.get("like")
    if like is None:
        return own
    name = like.text
    if name in visited or name not in files.nodes:
        if name in visited or files.is_complete:
            hint = "does not exist" + did_you_mean(name, files.nodes)
            hint = "is like itself" if name in visited else hint
            checker.report(like.source, f"like: '{name}' {hint}", "reference")
        return own
    inherited = _inherit_keys(files.nodes[name], files, checker, (*visited, name))
    if "look" in own:
        inherited = {key: value for key, value in inherited.items() if key not in ("front", "back")}
    for key, depth in (("fields", 1), ("constants", 1), ("places", 1), ("style", 2)):
        if key in own and key in inherited:
            own[key] = inherited[key].merge(own[key], depth)
    return {**inherited, **own}


def read_deck(
    name: str, node: Node, files: DeckFiles, context: DeckContext, checker: Checker
) -> Deck:
    """Return the deck of a file. Problems go to the checker."""
    earlier = len(checker.problems)
    checker.subject = Subject(name)
    shared = _inherit_keys(node, files, checker, (name,))
    look = game_looks.read_look(shared.get("look"), context.root, checker.report)
    hints = (
        {
            place: f"; it is a place of the look {look.name}, write places: {{{place}: …}}"
            for place in look.slots
        }
        if look
        else {}
    )
    hints["id"] = "; if a card begins here, write '- id: …' below cards:"
    check_keys(node, _ALL_DECK_KEYS, "the deck", checker.report, hints)
    title = node.get("title")
    if title is None:
        checker.report(node.source, "the deck has no title", "fields")
    given = {
        key: SHARED_KEYS[key].read(shared.get(key), key, checker.report)
        for key in ("shape", "bleed", "gap", "fit", "products", "front", "back", "backs_apart",
                    "styles", "constants")
    }  # fmt: skip
    size = _read_deck_size(shared.get("size"), "look" in shared, node, checker, look)
    fields = _read_deck_fields(shared.get("fields"), look, node.source, checker)
    if look:
        fields = look_templates.mark_colour_fields(fields, look, shared.get("places"))
    gap = 0.0 if given["shape"] == "rectangle" else 2.0
    within = Key.number(0, min(size.width, size.height) / 2, default=3.0)
    blank = dict.fromkeys(context.languages, "")
    head = Deck(
        id=name,
        title=checker.read_text(title, "the title") if title else Text(blank, node.source),
        size=size,
        bleed=given["bleed"],
        safe=within.read(shared.get("safe"), "safe", checker.report),
        corner=within.read(shared.get("corner"), "corner", checker.report),
        shape=given["shape"],
        gap=given["gap"] or Size(gap, gap),
        front=given["front"],
        back=given["back"],
        styles=tuple(child.text for child in given["styles"]),
        constants=read_constants(given["constants"], checker),
        fields=fields,
        pieces=(),
        source=node.source,
        sources={key: child.source for key, child in shared.items()},
        fit=given["fit"],
        products={name: each.text for name, each in given["products"].items()}
        if given["products"]
        else {},
        separate_backs=given["backs_apart"],
    )
    before_cards = len(checker.problems)
    pieces = deck_cards.read_pieces(node, fields, context.root, context.players, checker)
    after_cards = len(checker.problems)
    deck = replace(head, pieces=pieces)
    if look:
        names = context.make_look_context(for_each_player=node.get("for_each") is not None)
        deck = _add_look(deck, look, shared, names, checker)
    elif "look" not in shared:
        _report_missing_look(head, shared, checker)
    deck = replace(deck, look_templates={**deck.look_templates, **_write_pictures(deck)})
    found = [*checker.problems[earlier:before_cards], *checker.problems[after_cards:]]
    own = (problem for problem in found if not problem.subject.language)
    deck = replace(deck, is_valid=not has_errors(own))
    deck_cards.check_card_backs(deck, checker)
    return deck


def _add_look(
    deck: Deck, look: Look, shared: Mapping[str, Node], names: LookContext, checker: Checker
) -> Deck:
    """Return a deck with the templates and styles of its look. `back: none` leaves the back out."""
    templates = look_templates.write_look_templates(deck, look, shared, names, checker.report)
    prefix = f"{LOOK_PREFIX}{deck.id}/"
    return replace(
        deck,
        look=look.name,
        look_folder=look.folder,
        front=deck.front or prefix + FRONT_FILE,
        back="" if deck.back == "none" else deck.back or prefix + BACK_FILE,
        styles=(*(name for name in templates if name.endswith(".css")), *deck.styles),
        look_templates=templates,
        look_families=frozenset(names.used_families),
    )


def _write_pictures(deck: Deck) -> dict[str, str]:
    """Return the templates of sides that are a picture, which covers the bleed as well."""
    names = {name for name in deck.list_templates() if name.startswith(PICTURE_PREFIX)}
    return {
        name: f'<img class="bleed" src="{{{{ picture({json.dumps(written)}, "") }}}}" alt=""'
        ' style="object-fit: cover">\n'
        for name in sorted(names)
        for written in [name.removeprefix(PICTURE_PREFIX).removesuffix(".html")]
    }


def _report_missing_look(head: Deck, shared: Mapping[str, Node], checker: Checker) -> None:
    if not head.front:
        message = "the deck has neither a look nor a template; add look: classic, or front: …"
        checker.report(head.source, message, "fields")
    for key in ("places", "style"):
        if key in shared:
            verb = "places belong" if key == "places" else "style belongs"
            message = f"{verb} to a look, and the deck has none; add look: classic"
            checker.report(shared[key].source, message, "fields")


def _read_deck_fields(
    node: Node | None, look: Look | None, source: Source, checker: Checker
) -> dict[str, Field]:
    """Return the declared fields; without a declaration, those that the look has places for."""
    if node is None and look is not None:
        return look_templates.make_look_fields(look, source)
    fields = read_declarations(node, checker) if node else {}
    for name in (name for name in fields if name in CARD_KEYS):
        message = f"every card already has '{name}'; remove it from the fields"
        checker.report(fields[name].source, message, "fields")
    for name in (name for name in fields if name in EXPRESSION_FUNCTIONS):
        message = f"'{name}' is a function of the rules; give the field another name"
        checker.report(fields[name].source, message, "fields")
    return fields


def _read_deck_size(
    given: Node | None, names_look: bool, node: Node, checker: Checker, look: Look | None
) -> Size:
    if given is None:
        if not names_look:
            checker.report(
                node.source, "the deck has no size; add one, such as size: poker", "size"
            )
        return (parse_size(look.size, CARD_SIZES) if look else None) or FALLBACK_SIZE
    size = SHARED_KEYS["size"].read(given, "size", checker.report) or FALLBACK_SIZE
    return look_templates.check_look_size(look, size, given.source, checker.report)


def read_constants(node: Node | None, checker: Checker) -> dict[str, Value]:
    """Read a mapping of constants."""
    return {
        key: read_constant(child, checker, key) for key, child in (node.items() if node else ())
    }


def is_translated_text(node: Node, languages: tuple[str, ...]) -> bool:
    """Return whether a constant is a text: a mapping of words by languages of the game, the first
    language among them."""
    return (
        node.is_mapping
        and languages[0] in node.value
        and all(key in languages and child.is_scalar for key, child in node.items())
    )


def read_constant(node: Node, checker: Checker, name: str) -> Value:
    """Read a constant of any type. A text is in every language of the game."""
    if is_translated_text(node, checker.languages):
        return checker.read_text(node, f"the constant {name}")
    if node.is_mapping:
        return {key: read_constant(child, checker, f"{name}.{key}") for key, child in node.items()}
    if node.is_list:
        return tuple(read_constant(child, checker, name) for child in node.list_nodes())
    return node.value
