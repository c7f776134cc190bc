"""Composition rules: `cards/rules.yaml` read into rules, and rules held against the cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from cardgen.base import guard, paths, schema, yamlnodes
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Severity, Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.yamlnodes import Node
from cardgen.game import loading
from cardgen.game.face_facts import Known
from cardgen.game.model import Game, Rule
from cardgen.game.reading import flag, telling
from cardgen.rules import rulekinds, several
from cardgen.rules.kind import Backs, Kind
from cardgen.rules.odds.simulate import Simulate
from cardgen.rules.on_faces import Waits
from cardgen.rules.relations import ColoursApart
from cardgen.rules.rulekinds import KINDS
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.sandbox import TooCostly
from cardgen.templates.wording import in_words

FILE = "cards/rules.yaml"
_SEVERITIES = ("error", "warning")
_MEANT = {
    ("simulate", "days"): "; did you mean 'turns'?",
    ("simulate", "rounds"): "; did you mean 'turns'?",
    ("chance", "dice"): "; write chance: {dice: 2d6}",
    ("average", "dice"): "; write average: {dice: 2d6}",
}
"""Words of other rules, and of plain talk, by the kind and what was written."""
_ALWAYS: Mapping[str, Schema] = {
    "id": schema.said("Problems are of this kind.", schema.WORD),
    "severity": schema.one_of(_SEVERITIES),
    "because": schema.said("Why it is so.", schema.WORD),
    "section": schema.said("Where the rulebook or the design says so.", schema.WORD),
    "variant": schema.said("The variants it is about; the whole game unless said.", schema.FREE),
}
_NEEDED = ("because",)


def file_schema() -> Schema:
    """What cards/rules.yaml holds."""
    keys = {
        **rulekinds.KEYS,
        **_ALWAYS,
        **{word: kind.own for word, kind in KINDS.items()},
    }
    rule = {
        **schema.mapping(keys, ["id", *_NEEDED]),
        "oneOf": [{"required": [word]} for word in KINDS],
        "allOf": [
            {
                "if": {"required": [word]},
                "then": {
                    "propertyNames": schema.one_of(
                        sorted({*kind.takes(), *_ALWAYS, several.KEY, word})
                    ),
                    "required": kind.needed.split(),
                },
            }
            for word, kind in KINDS.items()
        ],
    }
    # What is written once for several values is known only when they are filled in.
    once = {"if": {"required": [several.KEY]}, "then": {"type": "object"}, "else": rule}
    return schema.mapping({"rules": schema.listed(once)}, ["rules"])


def load(root: Path) -> tuple[Game | None, list[Problem]]:
    """A game folder with its rules; without a readable game.yaml there is no game."""
    game, problems = loading.load(root)
    if game is None:
        return None, problems
    game, more = reread(game)
    return game, problems + more


def reread(game: Game) -> tuple[Game, list[Problem]]:
    """A game with its rules as they are written now, and what is wrong with their file."""
    try:
        with guard.at("the game's rules"):
            rules, problems = _read(game.root, tuple(game.variants))
    except Stopped as error:
        message = f"the rules cannot be read: {error}"
        rules, problems = (), [Problem(Source(FILE), message, "bounds")]
    own = tuple(rule for rule in rules if not rule.variants)
    others = tuple(rule for rule in rules if rule.variants)
    return replace(game, rules=own, variant_rules=others), problems


def _read(root: Path, variants: Collection[str]) -> tuple[tuple[Rule, ...], list[Problem]]:
    """The rules of a game folder. A game without the file has none."""
    if not paths.there(root, FILE):
        return (), []
    text, why = paths.read_text(root, FILE)
    if why:
        return (), [Problem(Source(FILE), f"the file {why}", "file")]
    node, problems = yamlnodes.load(text, FILE)
    if node is None:
        return (), problems
    rules = node.get("rules")
    if rules is None or not rules.is_list:
        return (), [*problems, Problem(node.source, "rules.yaml has no list 'rules:'", "rule")]
    found: dict[str, Rule] = {}
    for child in (each for node in rules.nodes() for each in several.rules(node, problems)):
        rule = _rule(child, variants, problems)
        if rule is None:
            continue
        if rule.id in found:
            first = found[rule.id].source.line
            message = f"the rule '{rule.id}' stands twice, first on line {first}"
            problems.append(Problem(rule.source, message, "duplicate-id"))
            continue
        found[rule.id] = rule
    return tuple(found.values()), problems


def _rule(node: Node, variants: Collection[str], problems: list[Problem]) -> Rule | None:
    if not node.is_mapping:
        message = f"a rule is {node.describe()}; a mapping is asked for"
        problems.append(Problem(node.source, message, "rule"))
        return None
    kinds = [key for key in node.value if key in KINDS]
    named = node.get("id")
    name = str(named.value) if named else ""
    if not name:
        problems.append(Problem(node.source, "a rule has no id", "rule"))
        return None
    if len(kinds) != 1:
        what = f"is of two kinds, {' and '.join(kinds)}" if kinds else _no_kind(node)
        problems.append(Problem(node.source, f"the rule {name} {what}", "rule"))
        return None
    kind = kinds[0]
    known = {*KINDS[kind].takes(), *_ALWAYS, kind}
    unknown = dict(node.unknown(known))
    for key, hint in unknown.items():
        message = f"a rule of kind {kind} takes no '{key}'{_MEANT.get((kind, key), hint)}"
        problems.append(Problem(node.keys[key], message, "rule"))
    missing = sorted({*KINDS[kind].needed.split(), *_NEEDED} - set(node.value))
    if missing:
        lost = " and ".join(f"'{key}'" for key in missing)
        problems.append(Problem(node.source, f"the rule {name} has no {lost}", "rule"))
    of = _variants(node.get("variant"), variants, problems)
    if unknown or missing or of is None:
        return None
    return replace(_built(name, kind, node, problems), variants=of)


def _variants(
    given: Node | None, known: Collection[str], problems: list[Problem]
) -> tuple[str, ...] | None:
    """The variants that a rule is about, one or a list; None where one is not there."""
    named = () if given is None else given.nodes() if given.is_list else [given]
    strange = [node for node in named if not node.is_scalar or node.text not in known]
    for node in strange:
        hint = did_you_mean(node.text, known) if node.is_scalar else ""
        message = f"variant is {node.describe()}; no variant of game.yaml is called so{hint}"
        problems.append(Problem(node.source, message, "reference"))
    return None if strange else tuple(node.text for node in named)


def _no_kind(node: Node) -> str:
    others = [key for key in node.value if key not in _ALWAYS]
    if "dice" in others:
        return "has no kind; of dice write chance: {dice: 2d6}"
    hints = (did_you_mean(key, KINDS) for key in others)
    close = next((hint for hint in hints if "did you mean" in hint), "")
    return f"has no kind{close or did_you_mean('', KINDS)}"


def _built(name: str, kind: str, node: Node, problems: list[Problem]) -> Rule:
    plain = node.plain()
    severity = plain.get("severity", "error")
    if severity not in _SEVERITIES:
        message = f"severity is {in_words(severity)}; it is error or warning"
        problems.append(Problem(node.value["severity"].source, message, "rule"))
        severity = "error"
    for key in ("together", "complete"):
        flag(node.get(key), key, telling(problems))
    arguments = {key: value for key, value in plain.items() if key not in _ALWAYS}
    because, section = str(plain["because"]), str(plain.get("section", ""))
    return Rule(name, kind, arguments, severity, because, section, node.source)


def check(game: Game, backs: Backs) -> list[Problem]:
    """Every rule held against the cards, but those about faces. `backs` tells what a deck's backs
    look like."""
    database = Database(game)
    return [
        problem
        for rule in game.rules
        if not rulekinds.is_on_faces(rule)
        for problem in _check_one(rule, rulekinds.of(rule, database), backs)
    ]


def check_faces(game: Game, known: Known) -> tuple[list[Problem], list[Rule]]:
    """The rules about faces held against those that are known; and the rules that wait, since a
    face that they ask about is not."""
    database, problems, waiting = Database(game), list[Problem](), list[Rule]()
    for rule in filter(rulekinds.is_on_faces, game.rules):
        try:
            problems += _check_one(rule, rulekinds.of(rule, database, known), lambda _: {})
        except Waits:
            waiting.append(rule)
    return problems, waiting


def figures(game: Game, problems: list[Problem]) -> list[str]:
    """What rules that hold measured, where the figure is worth a look: colours, simulations."""
    broken = {problem.kind for problem in problems}
    database = Database(game)
    held = [rulekinds.of(rule, database) for rule in game.rules if rule.id not in broken]
    apart = next((kind for kind in held if isinstance(kind, ColoursApart)), None)
    nearest = apart.measured() if apart else None
    told = []
    if nearest is not None:
        delta, first, second, sight = nearest
        told = [
            f"the nearest player colours are {first} and {second}: ΔE {delta:.1f}, {sight} sight"
        ]
    if any(problem.kind == "rule" for problem in problems):
        return told
    return told + [f"{kind.rule.id}: {kind.told()}" for kind in held if isinstance(kind, Simulate)]


def _check_one(rule: Rule, kind: Kind, backs: Backs) -> list[Problem]:
    severity: Severity = "warning" if rule.severity == "warning" else "error"
    try:
        with guard.at(f"{FILE}: the rule {rule.id}"):
            broken = kind.broken(backs)
    except (CannotEvaluate, TooCostly, Stopped) as error:
        message = f"the rule {rule.id} cannot be evaluated: {error}"
        return [Problem(rule.source, message, "rule")]
    reason = f" – {rule.because}" + (f" ({rule.section})" if rule.section else "")
    return [Problem(rule.source, f"{text}{reason}", rule.id, severity) for text in broken]
