"""Composition rules: `cards/rules.yaml` read into rules, and rules held against the cards."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

from cardgen.core import json_schema, work_limits, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_nodes import Node
from cardgen.game import loader
from cardgen.game.face_facts import FaceFactsSource
from cardgen.game.keys import Key, report_to
from cardgen.game.model import Game, Rule
from cardgen.rules import rule_kinds
from cardgen.rules.card_rules import ColoursApartRule
from cardgen.rules.face_rules import FaceNotTypesetError
from cardgen.rules.odds.simulate_rule import SimulateRule
from cardgen.rules.rule_base import BackImages, RuleKind
from cardgen.rules.rule_kinds import RULE_KINDS
from cardgen.runtime import game_files
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

FOR_EACH_KEY = "for_each"
MAX_EXPANDED_RULES = 500
"""So many rules may one become."""
_MAPPING_KEYS = frozenset({"parts"})
_BOUND_KEYS = frozenset({"is", "at_least", "at_most"})
"""What may be a mapping by itself, the bounds where a rule has `by`."""
_VARIABLE_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_PLACEHOLDER = re.compile(r"\{([A-Za-z]\w*)\}")


def expand_rule(node: Node, problems: list[Problem]) -> list[Node]:
    """The rules that one becomes; itself without `for_each`, none where that is wrong."""
    given = node.get(FOR_EACH_KEY)
    if given is None:
        return [node]
    told = len(problems)
    named = _read_variables(given, problems)
    count = 1
    for values in named.values():
        count *= len(values)
    if count > MAX_EXPANDED_RULES:
        message = f"{FOR_EACH_KEY} makes {count} rules of one; {MAX_EXPANDED_RULES} are the most"
        problems.append(Problem(given.source, message, "bounds"))
    bare = Node({k: n for k, n in node.items() if k != FOR_EACH_KEY}, node.source, node.keys)
    if len(problems) == told:
        _report_unknown_placeholders(bare, named, problems)
    if len(problems) > told or not named:
        return []
    return [
        _complete_id(bare, dict(zip(named, values, strict=True)), named.values())
        for values in product(*named.values())
    ]


def _read_variables(given: Node, problems: list[Problem]) -> dict[str, list[str]]:
    """The values of each name."""
    if not given.is_mapping:
        message = f"{FOR_EACH_KEY} is {given.describe()}; it maps a name to values, {{side: [blue, grey]}}"
        problems.append(Problem(given.source, message, "rule"))
    found = {}
    for name, child in given.items():
        listed = child.list_nodes()
        if not _VARIABLE_NAME.match(name):
            message = f"{FOR_EACH_KEY}: '{name}' is no name; small letters, digits and _"
            problems.append(Problem(given.keys[name], message, "rule"))
        elif not listed or not all(each.is_scalar and each.text for each in listed):
            message = f"{FOR_EACH_KEY}: {name} is {child.describe()}; a list of words or numbers is asked for"
            problems.append(Problem(child.source, message, "rule"))
        else:
            found[name] = list(dict.fromkeys(each.text for each in listed))
    return found


def _report_unknown_placeholders(
    node: Node, known: Collection[str], problems: list[Problem]
) -> None:
    """A name in braces that is nearly one of the known."""
    if isinstance(node.value, str):
        for name in dict.fromkeys(_PLACEHOLDER.findall(node.value)):
            hint = did_you_mean(name, known) if name not in known else ""
            if "did you mean" in hint:
                message = f"'{{{name}}}' is no name of {FOR_EACH_KEY}{hint}"
                problems.append(Problem(node.source, message, "rule"))
    for _, child in node.items():
        _report_unknown_placeholders(child, known, problems)
    for child in node.list_nodes():
        _report_unknown_placeholders(child, known, problems)


def _complete_id(rule: Node, values: Mapping[str, str], named_all: Iterable[list[str]]) -> Node:
    """The rule with those values; its id ends with those that it does not name."""
    made = _fill_placeholders(
        _select_values(rule, values, [frozenset(each) for each in named_all]), values
    )
    named = rule.get("id")
    if named is None or not named.is_scalar:
        return made
    rest = [value for name, value in values.items() if f"{{{name}}}" not in named.text]
    text = "-".join([made.value["id"].text, *rest])
    return Node({**made.value, "id": Node(text, named.source, raw=text)}, made.source, made.keys)


def _select_values(rule: Node, values: Mapping[str, str], every: list[frozenset[str]]) -> Node:
    """The rule with what it says of this value, where it maps all values of a name."""
    kept = _MAPPING_KEYS | (_BOUND_KEYS if rule.get("by") else frozenset())
    mine = dict(zip(every, values.values(), strict=True))
    found = {
        key: child.value[mine[frozenset(child.value)]]
        if child.is_mapping and key not in kept and frozenset(child.value) in mine
        else child
        for key, child in rule.items()
    }
    return Node(found, rule.source, rule.keys)


def _fill_placeholders(node: Node, values: Mapping[str, str]) -> Node:
    if node.is_mapping:
        children = {key: _fill_placeholders(child, values) for key, child in node.items()}
        return Node(children, node.source, node.keys)
    if node.is_list:
        return Node([_fill_placeholders(child, values) for child in node.list_nodes()], node.source)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    text = _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), node.value)
    return Node(text, node.source, raw=text)


RULES_FILE = "cards/rules.yaml"
_SEVERITIES = ("error", "warning")
_KEY_HINTS = {
    ("simulate", "days"): "; did you mean 'turns'?",
    ("simulate", "rounds"): "; did you mean 'turns'?",
    ("chance", "dice"): "; write chance: {dice: 2d6}",
    ("average", "dice"): "; write average: {dice: 2d6}",
}
"""Words of other rules, and of plain talk, by the kind and what was written."""
_COMMON_KEYS: Mapping[str, Schema] = {
    "id": json_schema.describe("Problems are of this kind.", json_schema.SCALAR),
    "severity": json_schema.allow_values(_SEVERITIES),
    "because": json_schema.describe("Why it is so.", json_schema.SCALAR),
    "section": json_schema.describe(
        "Where the rulebook or the design says so.", json_schema.SCALAR
    ),
    "variant": json_schema.describe(
        "The variants it is about; the whole game unless said.", json_schema.ANYTHING
    ),
}
_REQUIRED_KEYS = ("because",)


def build_rules_schema() -> Schema:
    """What cards/rules.yaml holds."""
    keys = {
        **rule_kinds.RULE_KEYS,
        **_COMMON_KEYS,
        **{word: kind.value_schema for word, kind in RULE_KINDS.items()},
    }
    rule = {
        **json_schema.allow_mapping(keys, ["id", *_REQUIRED_KEYS]),
        "oneOf": [{"required": [word]} for word in RULE_KINDS],
        "allOf": [
            {
                "if": {"required": [word]},
                "then": {
                    "propertyNames": json_schema.allow_values(
                        sorted({*kind.list_keys(), *_COMMON_KEYS, FOR_EACH_KEY, word})
                    ),
                    "required": kind.required_keys.split(),
                },
            }
            for word, kind in RULE_KINDS.items()
        ],
    }
    # What is written once for several values is known only when they are filled in.
    once = {"if": {"required": [FOR_EACH_KEY]}, "then": {"type": "object"}, "else": rule}
    return json_schema.allow_mapping({"rules": json_schema.allow_list(once)}, ["rules"])


def load_game(root: Path) -> tuple[Game | None, list[Problem]]:
    """A game folder with its rules; without a readable game.yaml there is no game."""
    game, problems = loader.load_game(root)
    if game is None:
        return None, problems
    game, more = reload_rules(game)
    return game, problems + more


def reload_rules(game: Game) -> tuple[Game, list[Problem]]:
    """A game with its rules as they are written now, and what is wrong with their file."""
    try:
        with work_limits.work_limit("the game's rules"):
            rules, problems = _read_rules(game.root, tuple(game.variants))
    except LimitExceededError as error:
        message = f"the rules cannot be read: {error}"
        rules, problems = (), [Problem(Source(RULES_FILE), message, "bounds")]
    own = tuple(rule for rule in rules if not rule.variants)
    others = tuple(rule for rule in rules if rule.variants)
    return replace(game, rules=own, variant_rules=others), problems


def _read_rules(root: Path, variants: Collection[str]) -> tuple[tuple[Rule, ...], list[Problem]]:
    """The rules of a game folder. A game without the file has none."""
    if not game_files.has_entry(root, RULES_FILE):
        return (), []
    text, why = game_files.read_text(root, RULES_FILE)
    if why:
        return (), [Problem(Source(RULES_FILE), f"the file {why}", "file")]
    node, problems = yaml_nodes.load(text, RULES_FILE)
    if node is None:
        return (), problems
    rules = node.get("rules")
    if rules is None or not rules.is_list:
        return (), [*problems, Problem(node.source, "rules.yaml has no list 'rules:'", "rule")]
    found: dict[str, Rule] = {}
    for child in (each for node in rules.list_nodes() for each in expand_rule(node, problems)):
        rule = _parse_rule(child, variants, problems)
        if rule is None:
            continue
        if rule.id in found:
            first = found[rule.id].source.line
            message = f"the rule '{rule.id}' stands twice, first on line {first}"
            problems.append(Problem(rule.source, message, "duplicate-id"))
            continue
        found[rule.id] = rule
    return tuple(found.values()), problems


def _parse_rule(node: Node, variants: Collection[str], problems: list[Problem]) -> Rule | None:
    if not node.is_mapping:
        message = f"a rule is {node.describe()}; a mapping is asked for"
        problems.append(Problem(node.source, message, "rule"))
        return None
    kinds = [key for key in node.value if key in RULE_KINDS]
    named = node.get("id")
    name = str(named.value) if named else ""
    if not name:
        problems.append(Problem(node.source, "a rule has no id", "rule"))
        return None
    if len(kinds) != 1:
        what = f"is of two kinds, {' and '.join(kinds)}" if kinds else _explain_missing_kind(node)
        problems.append(Problem(node.source, f"the rule {name} {what}", "rule"))
        return None
    kind = kinds[0]
    known = {*RULE_KINDS[kind].list_keys(), *_COMMON_KEYS, kind}
    unknown = dict(node.find_unknown_keys(known))
    for key, hint in unknown.items():
        message = f"a rule of kind {kind} takes no '{key}'{_KEY_HINTS.get((kind, key), hint)}"
        problems.append(Problem(node.keys[key], message, "rule"))
    missing = sorted({*RULE_KINDS[kind].required_keys.split(), *_REQUIRED_KEYS} - set(node.value))
    if missing:
        lost = " and ".join(f"'{key}'" for key in missing)
        problems.append(Problem(node.source, f"the rule {name} has no {lost}", "rule"))
    of = _parse_variants(node.get("variant"), variants, problems)
    if unknown or missing or of is None:
        return None
    return replace(_build_rule(name, kind, node, problems), variants=of)


def _parse_variants(
    given: Node | None, known: Collection[str], problems: list[Problem]
) -> tuple[str, ...] | None:
    """The variants that a rule is about, one or a list; None where one is not there."""
    named = () if given is None else given.list_nodes() if given.is_list else [given]
    strange = [node for node in named if not node.is_scalar or node.text not in known]
    for node in strange:
        hint = did_you_mean(node.text, known) if node.is_scalar else ""
        message = f"variant is {node.describe()}; no variant of game.yaml is called so{hint}"
        problems.append(Problem(node.source, message, "reference"))
    return None if strange else tuple(node.text for node in named)


def _explain_missing_kind(node: Node) -> str:
    others = [key for key in node.value if key not in _COMMON_KEYS]
    if "dice" in others:
        return "has no kind; of dice write chance: {dice: 2d6}"
    hints = (did_you_mean(key, RULE_KINDS) for key in others)
    close = next((hint for hint in hints if "did you mean" in hint), "")
    return f"has no kind{close or did_you_mean('', RULE_KINDS)}"


def _build_rule(name: str, kind: str, node: Node, problems: list[Problem]) -> Rule:
    plain = node.to_plain()
    severity = plain.get("severity", "error")
    if severity not in _SEVERITIES:
        message = f"severity is {format_value(severity)}; it is error or warning"
        problems.append(Problem(node.value["severity"].source, message, "rule"))
        severity = "error"
    for key in ("together", "complete"):
        Key.flag().read(node.get(key), key, report_to(problems))
    arguments = {key: value for key, value in plain.items() if key not in _COMMON_KEYS}
    because, section = str(plain["because"]), str(plain.get("section", ""))
    return Rule(name, kind, arguments, severity, because, section, node.source)


def check_card_rules(game: Game, backs: BackImages) -> list[Problem]:
    """Every rule held against the cards, but those about faces. `backs` tells what a deck's backs
    look like."""
    database = CardDatabase(game)
    return [
        problem
        for rule in game.rules
        if not rule_kinds.is_face_rule(rule)
        for problem in _check_rule(rule, rule_kinds.make_rule_kind(rule, database), backs)
    ]


def check_face_rules(game: Game, known: FaceFactsSource) -> tuple[list[Problem], list[Rule]]:
    """The rules about faces held against those that are known; and the rules that wait, since a
    face that they ask about is not."""
    database, problems, waiting = CardDatabase(game), list[Problem](), list[Rule]()
    for rule in filter(rule_kinds.is_face_rule, game.rules):
        try:
            problems += _check_rule(
                rule, rule_kinds.make_rule_kind(rule, database, known), lambda _: {}
            )
        except FaceNotTypesetError:
            waiting.append(rule)
    return problems, waiting


def describe_measurements(game: Game, problems: list[Problem]) -> list[str]:
    """What rules that hold measured, where the figure is worth a look: colours, simulations."""
    broken = {problem.kind for problem in problems}
    database = CardDatabase(game)
    held = [
        rule_kinds.make_rule_kind(rule, database) for rule in game.rules if rule.id not in broken
    ]
    apart = next((kind for kind in held if isinstance(kind, ColoursApartRule)), None)
    nearest = apart.measure_nearest() if apart else None
    told = []
    if nearest is not None:
        delta, first, second, sight = nearest
        told = [
            f"the nearest player colours are {first} and {second}: ΔE {delta:.1f}, {sight} sight"
        ]
    if any(problem.kind == "rule" for problem in problems):
        return told
    return told + [
        f"{kind.rule.id}: {kind.describe_outcome()}"
        for kind in held
        if isinstance(kind, SimulateRule)
    ]


def _check_rule(rule: Rule, kind: RuleKind, backs: BackImages) -> list[Problem]:
    severity: Severity = "warning" if rule.severity == "warning" else "error"
    try:
        with work_limits.work_limit(f"{RULES_FILE}: the rule {rule.id}"):
            broken = [*kind.check(backs)]
    except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
        message = f"the rule {rule.id} cannot be evaluated: {error}"
        return [Problem(rule.source, message, "rule")]
    reason = f" – {rule.because}" + (f" ({rule.section})" if rule.section else "")
    return [Problem(rule.source, f"{text}{reason}", rule.id, severity) for text in broken]
