"""Deck files: from `cards/*.yaml` and their tables to decks and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from cardgen.core import work_limits, yaml_nodes
from cardgen.core.problems import WHOLE_GAME, Problem, Source, Subject, did_you_mean, has_errors
from cardgen.core.units import CARD_SIZES, Size, parse_size
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_references, deck_cards, look_templates
from cardgen.game.card_ids import check_id
from cardgen.game.checker import Checker, FallbackCounts
from cardgen.game.deck_keys import (
    CARD_KEYS,
    DECK_KEYS,
    KIND_KEYS,
    MAX_BLEED_MM,
    MAX_GAP_MM,
    SHARED_KEYS,
)
from cardgen.game.field_types import read_declarations
from cardgen.game.keys import check_keys, read_flag, read_length, read_list, read_name
from cardgen.game.keywords import Keywords
from cardgen.game.look_templates import LOOK_PREFIX, LookContext
from cardgen.game.model import FITS, Deck, Field, Player, Text, Value
from cardgen.game.shapes import SHAPES
from cardgen.looks.look_catalogue import BACK_FILE, FRONT_FILE, STYLE_FILE, Look
from cardgen.runtime import game_files

_ALL_DECK_KEYS = {*SHARED_KEYS, *DECK_KEYS, *KIND_KEYS}
MAX_PIECE_MM = 1200.0
FALLBACK_SIZE = Size(63.5, 88.9)
"""In place of a size that could not be read, which is told."""
EXPRESSION_FUNCTIONS = (
    "cards",
    "count",
    "sum_of",
    "total",
    "min",
    "max",
    "abs",
    "round",
    "players",
)
"""What expressions offer beside a card's fields; no field may hide it."""
UNREADABLE_KINDS = frozenset({"yaml", "file", "bounds"})
"""Kinds of problem that leave a file, or a part of it, out of the game."""
READ_SECONDS = 20.0


def read_deck_heads(root: Path) -> dict[str, Node]:
    """The deck files of a game that can be read, decks and kinds, by their paths."""
    return {node.source.path: node for node in read_deck_files(root).nodes.values()}


@dataclass(frozen=True)
class DeckContext:
    """What deck files may refer to."""

    root: Path
    languages: tuple[str, ...]
    players: tuple[Player, ...]
    icons: Mapping[str, Path]
    colours: Mapping[str, str]
    emoji: Mapping[str, str] = field(default_factory=dict)
    keywords: Keywords = field(default_factory=Keywords)
    words: frozenset[str] = frozenset()
    fallback_counts: FallbackCounts | None = None

    def make_look_context(self, owned: bool) -> LookContext:
        """What looks may name; `owned` are decks of a piece for every player."""
        names = (frozenset(self.colours), frozenset(self.icons), self.words)
        lends = self.fallback_counts is not None
        return LookContext(
            self.languages, *names, players=owned and bool(self.players), has_fallback=lends
        )


@dataclass
class DeckFiles:
    """Deck files by the names that they declare."""

    nodes: dict[str, Node] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether all were read: one that was not may hold what others refer to."""
        return not any(problem.kind in UNREADABLE_KINDS for problem in self.problems)


def load_decks(context: DeckContext) -> tuple[tuple[Deck, ...], list[Problem]]:
    """Every deck under cards/, in the order of the files' names."""
    files = read_deck_files(context.root)
    checker = Checker(
        context.languages, tuple(context.icons), tuple(context.colours), emoji=context.emoji,
        keywords=context.keywords, fallback_counts=context.fallback_counts,
    )  # fmt: skip
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
    if files.is_complete:
        checker.problems += card_references.find_dangling_references(decks)
    return tuple(decks), files.problems + checker.problems


def read_deck_files(root: Path) -> DeckFiles:
    files = DeckFiles()
    for relative in game_files.list_files(root, "cards", ".yaml", deep=False):
        if relative == "cards/rules.yaml":
            continue
        text, why = game_files.read_text(root, relative)
        if why:
            files.problems.append(Problem(Source(relative), f"the file {why}", "file"))
            continue
        node, problems = yaml_nodes.load(text, relative)
        files.problems += problems
        if node is not None:
            _add_deck_file(files, node, PurePosixPath(relative).stem)
    return files


def _add_deck_file(files: DeckFiles, node: Node, stem: str) -> None:
    if not node.is_mapping or not (node.get("deck") or node.get("kind")):
        message = f"a deck file begins with 'deck: {stem}', a shared one with 'kind: {stem}'"
        files.problems.append(Problem(node.source, message, "file"))
        return
    name_node = node.get("deck") or node.get("kind")
    assert name_node is not None
    if node.get("deck") and node.get("kind"):
        message = "a file is a deck or a kind, not both"
        files.problems.append(Problem(node.keys["kind"], message, "fields"))
    elif node.get("kind"):
        for key, hint in node.find_unknown_keys(SHARED_KEYS):
            if key not in KIND_KEYS:
                message = f"unknown field '{key}' in the kind{hint}"
                files.problems.append(Problem(node.keys[key], message, "fields"))
    name = str(name_node.value)
    wrong = check_id(name)
    if wrong:
        files.problems.append(Problem(name_node.source, wrong, "fields"))
    if name in files.nodes:
        first = files.nodes[name].source
        message = f"'{name}' is declared already, in {first.path}"
        files.problems.append(Problem(name_node.source, message, "duplicate-id"))
        return
    files.nodes[name] = node


def _inherit_keys(
    node: Node, files: DeckFiles, checker: Checker, seen: tuple[str, ...] = ()
) -> dict[str, Node]:
    """The shared keys of a deck file, its own before those of the file it is like."""
    own = {key: value for key, value in node.items() if key in SHARED_KEYS}
    like = node.get("like")
    if like is None:
        return own
    name = str(like.value)
    if name in seen or name not in files.nodes:
        if name not in seen and not files.is_complete:
            return own
        why = "is like itself" if name in seen else "does not exist"
        hint = "" if name in seen else did_you_mean(name, files.nodes)
        checker.report(like.source, f"like: '{name}' {why}{hint}", "reference")
        return own
    above = _inherit_keys(files.nodes[name], files, checker, (*seen, name))
    if "look" in own:
        above = {key: child for key, child in above.items() if key not in ("front", "back")}
    for key in ("fields", "constants", "places"):
        if key in own and key in above:
            own[key] = _merge_mappings(above[key], own[key])
    return {**above, **own}


def _merge_mappings(above: Node, own: Node) -> Node:
    if not (above.is_mapping and own.is_mapping):
        return own
    return Node({**above.value, **own.value}, own.source, {**above.keys, **own.keys})


def read_deck(
    name: str, node: Node, files: DeckFiles, context: DeckContext, checker: Checker
) -> Deck:
    """The deck of a file, and what is wrong with it told to the checker."""
    told = len(checker.problems)
    checker.subject = Subject(name)
    check_keys(node, _ALL_DECK_KEYS, "the deck", checker.report)
    shared = _inherit_keys(node, files, checker, (name,))
    title = node.get("title")
    if title is None:
        checker.report(node.source, "the deck has no title", "fields")
    look = look_templates.read_look(shared.get("look"), checker.report)
    size = _read_deck_size(shared, node, checker, look)
    fields = _read_deck_fields(shared.get("fields"), look, node.source, checker)
    front, back = _read_templates(name, shared, look, checker)
    shape = _read_choice("shape", SHAPES, shared, checker) or SHAPES[0]
    styles = read_list(shared.get("styles"), "styles", checker.report)

    def read_deck_length(key: str, default: float, most: float) -> float:
        return read_length(shared.get(key), key, default, (0.0, most), checker.report)

    blank = dict.fromkeys(context.languages, "")
    head = Deck(
        id=name,
        title=checker.read_text(title, "the title") if title else Text(blank, node.source),
        size=size,
        bleed=read_deck_length("bleed", 3.0, MAX_BLEED_MM),
        safe=read_deck_length("safe", 3.0, min(size.width, size.height) / 2),
        corner=read_deck_length("corner", 3.0, min(size.width, size.height) / 2),
        shape=shape,
        gap=read_deck_length("gap", 0.0 if shape == "rectangle" else 2.0, MAX_GAP_MM),
        front=front,
        back=back,
        styles=(
            *([f"{LOOK_PREFIX}{look.name}/{STYLE_FILE}"] if look else ()),
            *(str(child.value) for child in styles),
        ),
        constants=_read_constants(shared.get("constants"), checker),
        fields=fields,
        pieces=(),
        source=node.source,
        sources={key: child.source for key, child in shared.items()},
        fit=_read_choice("fit", FITS, shared, checker),
        separate_backs=read_flag(shared.get("backs_apart"), "backs_apart", checker.report) or False,
    )
    if look:
        palette = context.make_look_context(owned=node.get("for_each") is not None)
        written = look_templates.write_look_templates(
            head, look, shared.get("places"), palette, checker.report
        )
        head = replace(head, look=look.name, look_templates=written)
    elif "look" not in shared:
        _report_missing_look(head, shared.get("places"), checker)
    whole = (problem for problem in checker.problems[told:] if not problem.subject.language)
    sound = not has_errors(whole)
    pieces = deck_cards.read_pieces(node, fields, context.root, context.players, checker)
    deck = replace(head, pieces=pieces, is_valid=sound)
    deck_cards.check_card_backs(deck, checker)
    return deck


def _report_missing_look(head: Deck, places: Node | None, checker: Checker) -> None:
    """What a deck without a look lacks, or says in vain."""
    if not head.front:
        message = "the deck names neither a look nor a template: look: classic, or front: …"
        checker.report(head.source, message, "fields")
    if places is not None:
        message = "places are of a look; the deck names none: look: classic"
        checker.report(places.source, message, "fields")


def _read_deck_fields(
    node: Node | None, look: Look | None, source: Source, checker: Checker
) -> dict[str, Field]:
    """The fields that are declared; where none are, those that the look has places for."""
    if node is None and look is not None:
        return look_templates.make_look_fields(look, source)
    fields = read_declarations(node, checker) if node else {}
    for reserved in (key for key in CARD_KEYS if key in fields):
        message = f"every card has '{reserved}' already; leave it out of the fields"
        checker.report(fields[reserved].source, message, "fields")
    for taken in (key for key in EXPRESSION_FUNCTIONS if key in fields):
        message = f"'{taken}' is a function of the rules; give the field another name"
        checker.report(fields[taken].source, message, "fields")
    return fields


def _read_templates(
    name: str, shared: Mapping[str, Node], look: Look | None, checker: Checker
) -> tuple[str, str]:
    """The templates of front and back. With a look, `back: none` leaves the back out."""
    front, back = (read_name(shared.get(key), key, checker.report) for key in ("front", "back"))
    if look is None:
        return front, back
    own = f"{LOOK_PREFIX}{name}/{BACK_FILE}"
    return front or f"{LOOK_PREFIX}{name}/{FRONT_FILE}", "" if back == "none" else back or own


def _read_deck_size(
    shared: Mapping[str, Node], node: Node, checker: Checker, look: Look | None
) -> Size:
    given = shared.get("size")
    if given is None and "look" in shared:
        return (parse_size(look.size, CARD_SIZES) if look else None) or FALLBACK_SIZE
    if given is None:
        checker.report(node.source, "the deck has no size, such as size: poker", "size")
        return FALLBACK_SIZE
    size = read_size(given, checker) or FALLBACK_SIZE
    return look_templates.check_look_size(look, size, given.source, checker.report)


def read_size(given: Node, checker: Checker) -> Size | None:
    """The size that a node names; None when it is none, which the checker is told."""
    size = parse_size(str(given.value), CARD_SIZES)
    if size is None:
        hint = did_you_mean(str(given.value), CARD_SIZES)
        message = f"{given.describe()} is no size; write its name or 63.5 x 88.9 in mm{hint}"
        checker.report(given.source, message, "size")
        return None
    if not is_valid_size(size):
        checker.report(given.source, f"{size} is no size between 5 and {MAX_PIECE_MM:g} mm", "size")
        return None
    return size


def is_valid_size(size: Size) -> bool:
    """Whether a piece may measure that."""
    return 5 <= min(size.width, size.height) <= max(size.width, size.height) <= MAX_PIECE_MM


def _read_choice(
    key: str, words: tuple[str, ...], shared: Mapping[str, Node], checker: Checker
) -> str:
    """The one of these words that a key holds; "" where it holds none."""
    node = shared.get(key)
    if node is None:
        return ""
    if node.value not in words:
        hint = did_you_mean(node.text, words) if node.is_scalar else ""
        checker.report(node.source, f"{key} is {node.describe()}{hint}", "type")
        return ""
    return str(node.value)


def _read_constants(node: Node | None, checker: Checker) -> dict[str, Value]:
    if node is None:
        return {}
    if not node.is_mapping:
        message = f"constants is {node.describe()}; a mapping is asked for, NAME: VALUE"
        checker.report(node.source, message, "type")
    return {key: read_constant(child, checker, key) for key, child in node.items()}


def is_translated_text(node: Node, languages: tuple[str, ...]) -> bool:
    """Whether a free value is a text: a mapping of words by languages of the game, the source's
    among them."""
    return (
        node.is_mapping
        and languages[0] in node.value
        and all(key in languages and child.is_scalar for key, child in node.items())
    )


def read_constant(node: Node, checker: Checker, name: str) -> Value:
    """A free value, of that name; a text is one in every language."""
    if is_translated_text(node, checker.languages):
        return checker.read_text(node, f"the constant {name}")
    if node.is_mapping:
        return {key: read_constant(child, checker, f"{name}.{key}") for key, child in node.items()}
    if node.is_list:
        return tuple(read_constant(child, checker, name) for child in node.list_nodes())
    return node.value
