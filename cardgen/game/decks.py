"""Deck files: from `cards/*.yaml` and their tables to decks and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from cardgen.base import bounds, guard, paths, yamlnodes
from cardgen.base.guard import Stopped
from cardgen.base.problems import NOBODY, Problem, Source, Subject, did_you_mean, has_errors
from cardgen.base.units import CARD_SIZES, Size, parse_size
from cardgen.base.yamlnodes import Node
from cardgen.game import cards, references
from cardgen.game.checking import Checker, Lent
from cardgen.game.deck_keys import (
    MOST_BLEED,
    MOST_GAP,
    OF_DECKS,
    OF_KINDS,
    RESERVED,
    SHARED,
)
from cardgen.game.fields import declare
from cardgen.game.ids import wrong_id
from cardgen.game.keywords import Keywords
from cardgen.game.looks import drawing_up
from cardgen.game.looks.catalogue import BACK, FRONT, STYLE, Look
from cardgen.game.looks.drawing_up import MARK, Palette
from cardgen.game.model import FITS, Deck, Field, Player, Text, Value
from cardgen.game.reading import entries, flag, known_keys, length, word
from cardgen.game.shapes import SHAPES

_DECK_KEYS = {*SHARED, *OF_DECKS, *OF_KINDS}
_LARGEST_MM = 1200.0
_STAND_IN = Size(63.5, 88.9)
"""In place of a size that could not be read, which is told."""
FUNCTIONS = ("cards", "count", "sum_of", "total", "min", "max", "abs", "round", "players")
"""What expressions offer beside a card's fields; no field may hide it."""
UNREAD = frozenset({"yaml", "file", "bounds"})
"""Kinds of problem that leave a file, or a part of it, out of the game."""
_SECONDS = 20.0


def heads(root: Path) -> dict[str, Node]:
    """The deck files of a game that can be read, decks and kinds, by their paths."""
    return {node.source.path: node for node in read_files(root).nodes.values()}


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
    lent: Lent | None = None

    def palette(self, owned: bool) -> Palette:
        """What looks may name; `owned` are decks of a piece for every player."""
        names = (frozenset(self.colours), frozenset(self.icons), self.words)
        lends = self.lent is not None
        return Palette(self.languages, *names, players=owned and bool(self.players), lends=lends)


@dataclass
class Files:
    """Deck files by the names that they declare."""

    nodes: dict[str, Node] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all were read: one that was not may hold what others refer to."""
        return not any(problem.kind in UNREAD for problem in self.problems)


def load(context: DeckContext) -> tuple[tuple[Deck, ...], list[Problem]]:
    """Every deck under cards/, in the order of the files' names."""
    files = read_files(context.root)
    checker = Checker(
        context.languages, tuple(context.icons), tuple(context.colours), emoji=context.emoji,
        keywords=context.keywords, lent=context.lent,
    )  # fmt: skip
    decks = []
    for name, node in files.nodes.items():
        if node.get("deck") is not None:
            try:
                with guard.at(f"{node.source.path}: its cards", _SECONDS * bounds.large()):
                    decks.append(read_deck(name, node, files, context, checker))
            except Stopped as error:
                message = f"the deck cannot be read: {error}"
                files.problems.append(Problem(Source(node.source.path), message, "bounds"))
    checker.subject = NOBODY
    if files.complete:
        checker.problems += references.dangling(decks)
    return tuple(decks), files.problems + checker.problems


def read_files(root: Path) -> Files:
    files = Files()
    for relative in paths.listed(root, "cards", ".yaml", deep=False):
        if relative == "cards/rules.yaml":
            continue
        text, why = paths.read_text(root, relative)
        if why:
            files.problems.append(Problem(Source(relative), f"the file {why}", "file"))
            continue
        node, problems = yamlnodes.load(text, relative)
        files.problems += problems
        if node is not None:
            _add_file(files, node, PurePosixPath(relative).stem)
    return files


def _add_file(files: Files, node: Node, stem: str) -> None:
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
        for key, hint in node.unknown(SHARED):
            if key not in OF_KINDS:
                message = f"unknown field '{key}' in the kind{hint}"
                files.problems.append(Problem(node.keys[key], message, "fields"))
    name = str(name_node.value)
    wrong = wrong_id(name)
    if wrong:
        files.problems.append(Problem(name_node.source, wrong, "fields"))
    if name in files.nodes:
        first = files.nodes[name].source
        message = f"'{name}' is declared already, in {first.path}"
        files.problems.append(Problem(name_node.source, message, "duplicate-id"))
        return
    files.nodes[name] = node


def _inherited(
    node: Node, files: Files, checker: Checker, seen: tuple[str, ...] = ()
) -> dict[str, Node]:
    """The shared keys of a deck file, its own before those of the file it is like."""
    own = {key: value for key, value in node.items() if key in SHARED}
    like = node.get("like")
    if like is None:
        return own
    name = str(like.value)
    if name in seen or name not in files.nodes:
        if name not in seen and not files.complete:
            return own
        why = "is like itself" if name in seen else "does not exist"
        hint = "" if name in seen else did_you_mean(name, files.nodes)
        checker.problem(like.source, f"like: '{name}' {why}{hint}", "reference")
        return own
    above = _inherited(files.nodes[name], files, checker, (*seen, name))
    if "look" in own:
        above = {key: child for key, child in above.items() if key not in ("front", "back")}
    for key in ("fields", "constants", "places"):
        if key in own and key in above:
            own[key] = _merged(above[key], own[key])
    return {**above, **own}


def _merged(above: Node, own: Node) -> Node:
    if not (above.is_mapping and own.is_mapping):
        return own
    return Node({**above.value, **own.value}, own.source, {**above.keys, **own.keys})


def read_deck(name: str, node: Node, files: Files, context: DeckContext, checker: Checker) -> Deck:
    """The deck of a file, and what is wrong with it told to the checker."""
    told = len(checker.problems)
    checker.subject = Subject(name)
    known_keys(node, _DECK_KEYS, "the deck", checker.problem)
    shared = _inherited(node, files, checker, (name,))
    title = node.get("title")
    if title is None:
        checker.problem(node.source, "the deck has no title", "fields")
    look = drawing_up.look_named(shared.get("look"), checker.problem)
    size = _size(shared, node, checker, look)
    fields = _fields(shared.get("fields"), look, node.source, checker)
    front, back = _templates(name, shared, look, checker)
    shape = _one_of("shape", SHAPES, shared, checker) or SHAPES[0]
    styles = entries(shared.get("styles"), "styles", checker.problem)

    def measure(key: str, default: float, most: float) -> float:
        return length(shared.get(key), key, default, (0.0, most), checker.problem)

    blank = dict.fromkeys(context.languages, "")
    head = Deck(
        id=name,
        title=checker.text(title, "the title") if title else Text(blank, node.source),
        size=size,
        bleed=measure("bleed", 3.0, MOST_BLEED),
        safe=measure("safe", 3.0, min(size.width, size.height) / 2),
        corner=measure("corner", 3.0, min(size.width, size.height) / 2),
        shape=shape,
        gap=measure("gap", 0.0 if shape == "rectangle" else 2.0, MOST_GAP),
        front=front,
        back=back,
        styles=(
            *([f"{MARK}{look.name}/{STYLE}"] if look else ()),
            *(str(child.value) for child in styles),
        ),
        constants=_constants(shared.get("constants"), checker),
        fields=fields,
        pieces=(),
        source=node.source,
        sources={key: child.source for key, child in shared.items()},
        fit=_one_of("fit", FITS, shared, checker),
        apart=flag(shared.get("backs_apart"), "backs_apart", checker.problem) or False,
    )
    if look:
        palette = context.palette(owned=node.get("for_each") is not None)
        written = drawing_up.drawn_up(head, look, shared.get("places"), palette, checker.problem)
        head = replace(head, look=look.name, written=written)
    elif "look" not in shared:
        _tell_looks(head, shared.get("places"), checker)
    whole = (problem for problem in checker.problems[told:] if not problem.subject.language)
    sound = not has_errors(whole)
    pieces = cards.pieces(node, fields, context.root, context.players, checker)
    deck = replace(head, pieces=pieces, sound=sound)
    cards.tell_backs(deck, checker)
    return deck


def _tell_looks(head: Deck, places: Node | None, checker: Checker) -> None:
    """What a deck without a look lacks, or says in vain."""
    if not head.front:
        message = "the deck names neither a look nor a template: look: classic, or front: …"
        checker.problem(head.source, message, "fields")
    if places is not None:
        message = "places are of a look; the deck names none: look: classic"
        checker.problem(places.source, message, "fields")


def _fields(
    node: Node | None, look: Look | None, source: Source, checker: Checker
) -> dict[str, Field]:
    """The fields that are declared; where none are, those that the look has places for."""
    if node is None and look is not None:
        return drawing_up.fields_of(look, source)
    fields = declare(node, checker) if node else {}
    for reserved in (key for key in RESERVED if key in fields):
        message = f"every card has '{reserved}' already; leave it out of the fields"
        checker.problem(fields[reserved].source, message, "fields")
    for taken in (key for key in FUNCTIONS if key in fields):
        message = f"'{taken}' is a function of the rules; give the field another name"
        checker.problem(fields[taken].source, message, "fields")
    return fields


def _templates(
    name: str, shared: Mapping[str, Node], look: Look | None, checker: Checker
) -> tuple[str, str]:
    """The templates of front and back. With a look, `back: none` leaves the back out."""
    front, back = (word(shared.get(key), key, checker.problem) for key in ("front", "back"))
    if look is None:
        return front, back
    own = f"{MARK}{name}/{BACK}"
    return front or f"{MARK}{name}/{FRONT}", "" if back == "none" else back or own


def _size(shared: Mapping[str, Node], node: Node, checker: Checker, look: Look | None) -> Size:
    given = shared.get("size")
    if given is None and "look" in shared:
        return (parse_size(look.size, CARD_SIZES) if look else None) or _STAND_IN
    if given is None:
        checker.problem(node.source, "the deck has no size, such as size: poker", "size")
        return _STAND_IN
    size = size_of(given, checker) or _STAND_IN
    return drawing_up.size_for(look, size, given.source, checker.problem)


def size_of(given: Node, checker: Checker) -> Size | None:
    """The size that a node names; None when it is none, which the checker is told."""
    size = parse_size(str(given.value), CARD_SIZES)
    if size is None:
        hint = did_you_mean(str(given.value), CARD_SIZES)
        message = f"{given.describe()} is no size; write its name or 63.5 x 88.9 in mm{hint}"
        checker.problem(given.source, message, "size")
        return None
    if not is_card(size):
        checker.problem(given.source, f"{size} is no size between 5 and {_LARGEST_MM:g} mm", "size")
        return None
    return size


def is_card(size: Size) -> bool:
    """Whether a piece may measure that."""
    return 5 <= min(size.width, size.height) <= max(size.width, size.height) <= _LARGEST_MM


def _one_of(key: str, words: tuple[str, ...], shared: Mapping[str, Node], checker: Checker) -> str:
    """The one of these words that a key holds; "" where it holds none."""
    node = shared.get(key)
    if node is None:
        return ""
    if node.value not in words:
        hint = did_you_mean(node.text, words) if node.is_scalar else ""
        checker.problem(node.source, f"{key} is {node.describe()}{hint}", "type")
        return ""
    return str(node.value)


def _constants(node: Node | None, checker: Checker) -> dict[str, Value]:
    if node is None:
        return {}
    if not node.is_mapping:
        message = f"constants is {node.describe()}; a mapping is asked for, NAME: VALUE"
        checker.problem(node.source, message, "type")
    return {key: constant(child, checker, key) for key, child in node.items()}


def is_text(node: Node, languages: tuple[str, ...]) -> bool:
    """Whether a free value is a text: a mapping of words by languages of the game, the source's
    among them."""
    return (
        node.is_mapping
        and languages[0] in node.value
        and all(key in languages and child.is_scalar for key, child in node.items())
    )


def constant(node: Node, checker: Checker, name: str) -> Value:
    """A free value, of that name; a text is one in every language."""
    if is_text(node, checker.languages):
        return checker.text(node, f"the constant {name}")
    if node.is_mapping:
        return {key: constant(child, checker, f"{name}.{key}") for key, child in node.items()}
    if node.is_list:
        return tuple(constant(child, checker, name) for child in node.nodes())
    return node.value
