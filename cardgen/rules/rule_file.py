"""Composition rules of a game: cards/rules.yaml is read, and its rules are checked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from cardgen.core import work_limits, yaml_nodes
from cardgen.core.json_schema import Schema, allow_list, allow_mapping, allow_values
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
from cardgen.rules.rule_keys import COMMON_RULE_KEYS, RULE_KEYS, SEVERITIES
from cardgen.rules.rule_kinds import RULE_KINDS
from cardgen.runtime import game_files
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

RULES_FILE = "cards/rules.yaml"
FOR_EACH_KEY = "for_each"
MAX_EXPANDED_RULES = 500
"""Maximum number of rules that one rule with `for_each` becomes."""
_MAPPING_KEYS = frozenset({"parts"})
BOUND_KEYS = frozenset({"is", "at_least", "at_most"})
_VARIABLE_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_PLACEHOLDER = re.compile(r"\{([A-Za-z]\w*)\}")
_KEY_HINTS = {
    ("simulate", "days"): "; did you mean 'turns'?",
    ("simulate", "rounds"): "; did you mean 'turns'?",
    ("chance", "dice"): "; write chance: {dice: 2d6}",
    ("average", "dice"): "; write average: {dice: 2d6}",
}
"""Hints for keys that a kind of rule does not have: (kind, key) → hint."""
_REQUIRED_KEYS = ("because",)
_EVALUATION_ERRORS = EvaluationError, ExpressionLimitError, LimitExceededError


def build_rules_schema() -> Schema:
    """Return the JSON Schema of cards/rules.yaml."""
    values = {key: kind.value_schema for key, kind in RULE_KINDS.items()}
    rule = {
        **allow_mapping({**RULE_KEYS, **COMMON_RULE_KEYS, **values}, ["id", *_REQUIRED_KEYS]),
        "oneOf": [{"required": [key]} for key in RULE_KINDS],
        "allOf": [
            {
                "if": {"required": [key]},
                "then": {
                    "propertyNames": allow_values(
                        sorted({*kind.list_keys(), *COMMON_RULE_KEYS, FOR_EACH_KEY, key})
                    ),
                    "required": kind.required_keys.split(),
                },
            }
            for key, kind in RULE_KINDS.items()
        ],
    }
    # A rule with for_each is complete only once its placeholders are filled.
    template = {"if": {"required": [FOR_EACH_KEY]}, "then": {"type": "object"}, "else": rule}
    return allow_mapping({"rules": allow_list(template)}, ["rules"])


def load_game(root: Path) -> tuple[Game | None, list[Problem]]:
    """Read a game folder with its rules. The game is None without a readable game.yaml."""
    game, problems = loader.load_game(root)
    if game is None:
        return None, problems
    game, more = reload_rules(game)
    return game, problems + more


def reload_rules(game: Game) -> tuple[Game, list[Problem]]:
    """Return a game with the rules that its file holds now, and the problems of the file."""
    problems: list[Problem] = []
    try:
        with work_limits.work_limit("the game's rules"):
            rules = _read_rules(game.root, tuple(game.variants), problems)
    except LimitExceededError as error:
        message = f"the rules cannot be read: {error}"
        rules, problems = (), [Problem(Source(RULES_FILE), message, "bounds")]
    own = tuple(rule for rule in rules if not rule.variants)
    others = tuple(rule for rule in rules if rule.variants)
    return replace(game, rules=own, variant_rules=others), problems


def _read_rules(root: Path, variants: Collection[str], problems: list[Problem]) -> tuple[Rule, ...]:
    """Read the rules of a game folder; without the file there are none."""
    if not game_files.has_entry(root, RULES_FILE):
        return ()
    text, error = game_files.read_text(root, RULES_FILE)
    if error:
        problems.append(Problem(Source(RULES_FILE), f"the file {error}", "file"))
        return ()
    node, found = yaml_nodes.load(text, RULES_FILE)
    problems += found
    if node is None:
        return ()
    listed = node.get("rules")
    if listed is None or not listed.is_list:
        _report(problems, node.source, "rules.yaml has no list 'rules:'")
        return ()
    rules: dict[str, Rule] = {}
    for child in (each for node in listed.list_nodes() for each in expand_rule(node, problems)):
        rule = _parse_rule(child, variants, problems)
        if rule and rule.id in rules:
            first = rules[rule.id].source.line
            message = f"two rules have the id '{rule.id}'; the first is on line {first}"
            problems.append(Problem(rule.source, message, "duplicate-id"))
        elif rule:
            rules[rule.id] = rule
    return tuple(rules.values())


def _report(problems: list[Problem], source: Source, message: str) -> None:
    problems.append(Problem(source, message, "rule"))


def expand_rule(node: Node, problems: list[Problem]) -> list[Node]:
    """Return a rule for each combination of the values in `for_each`, or the rule itself.

    A wrong `for_each` is reported and gives no rules.
    """
    given = node.get(FOR_EACH_KEY)
    if given is None:
        return [node]
    before = len(problems)
    variables = _read_variables(given, problems)
    count = math.prod(map(len, variables.values()))
    if count > MAX_EXPANDED_RULES:
        message = f"{FOR_EACH_KEY} makes {count} rules of one; the limit is {MAX_EXPANDED_RULES}"
        problems.append(Problem(given.source, message, "bounds"))
    rule = Node({k: n for k, n in node.items() if k != FOR_EACH_KEY}, node.source, node.keys)
    if len(problems) == before:
        for source, name in _find_placeholders(rule):
            hint = did_you_mean(name, variables) if name not in variables else ""
            if "did you mean" in hint:
                _report(problems, source, f"'{{{name}}}' is not a name of {FOR_EACH_KEY}{hint}")
    if len(problems) > before or not variables:
        return []
    choices = [frozenset(values) for values in variables.values()]
    return [
        _fill_rule(rule, dict(zip(variables, values, strict=True)), choices)
        for values in product(*variables.values())
    ]


def _read_variables(given: Node, problems: list[Problem]) -> dict[str, list[str]]:
    """Read the values of each name in `for_each`."""
    if not given.is_mapping:
        message = (
            f"{FOR_EACH_KEY} is {given.describe()}; map a name to values, {{side: [blue, grey]}}"
        )
        _report(problems, given.source, message)
    variables = {}
    for name, child in given.items():
        values = child.list_nodes()
        if not _VARIABLE_NAME.match(name):
            message = f"{FOR_EACH_KEY}: '{name}' is not a name; use small letters, digits and _"
            _report(problems, given.keys[name], message)
        elif not values or not all(each.is_scalar and each.text for each in values):
            message = (
                f"{FOR_EACH_KEY}: {name} is {child.describe()}; write a list of words or numbers"
            )
            _report(problems, child.source, message)
        else:
            variables[name] = list(dict.fromkeys(each.text for each in values))
    return variables


def _find_placeholders(node: Node) -> Iterator[tuple[Source, str]]:
    if isinstance(node.value, str):
        yield from ((node.source, name) for name in dict.fromkeys(_PLACEHOLDER.findall(node.value)))
    for child in [*(child for _, child in node.items()), *node.list_nodes()]:
        if child is not node:
            yield from _find_placeholders(child)


def _fill_rule(rule: Node, values: Mapping[str, str], choices: Iterable[frozenset[str]]) -> Node:
    """Fill in one combination of values.

    A mapping whose keys are all values of a name stands for what it has under the present value.
    The id ends with the values that it does not contain itself.
    """
    fixed = _MAPPING_KEYS | (BOUND_KEYS if rule.get("by") else frozenset())
    value_by_choices = dict(zip(choices, values.values(), strict=True))
    items = {
        key: child.value[value_by_choices[frozenset(child.value)]]
        if child.is_mapping and key not in fixed and frozenset(child.value) in value_by_choices
        else child
        for key, child in rule.items()
    }
    filled = _fill_placeholders(Node(items, rule.source, rule.keys), values)
    name = rule.get("id")
    if name is None or not name.is_scalar:
        return filled
    rest = [value for variable, value in values.items() if f"{{{variable}}}" not in name.text]
    text = "-".join([filled.value["id"].text, *rest])
    own_id = {"id": Node(text, name.source, raw=text)}
    return Node({**filled.value, **own_id}, filled.source, filled.keys)


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


def _parse_rule(node: Node, variants: Collection[str], problems: list[Problem]) -> Rule | None:
    if not node.is_mapping:
        _report(problems, node.source, f"a rule is {node.describe()}; it must be a mapping")
        return None
    kinds = [key for key in node.value if key in RULE_KINDS]
    id_node = node.get("id")
    name = str(id_node.value) if id_node else ""
    if not name:
        _report(problems, node.source, "a rule has no id")
        return None
    if len(kinds) != 1:
        error = f"is of two kinds, {' and '.join(kinds)}" if kinds else _explain_missing_kind(node)
        _report(problems, node.source, f"the rule {name} {error}")
        return None
    kind = kinds[0]
    known = {*RULE_KINDS[kind].list_keys(), *COMMON_RULE_KEYS, kind}
    unknown = dict(node.find_unknown_keys(known))
    for key, hint in unknown.items():
        message = f"a rule of kind {kind} has no key '{key}'{_KEY_HINTS.get((kind, key), hint)}"
        _report(problems, node.keys[key], message)
    missing = sorted({*RULE_KINDS[kind].required_keys.split(), *_REQUIRED_KEYS} - set(node.value))
    if missing:
        keys = " and ".join(f"'{key}'" for key in missing)
        _report(problems, node.source, f"the rule {name} has no {keys}")
    rule_variants = _parse_variants(node.get("variant"), variants, problems)
    if unknown or missing or rule_variants is None:
        return None
    plain = node.to_plain()
    severity = plain.get("severity", "error")
    if severity not in SEVERITIES:
        message = f"severity is {format_value(severity)}; it must be error or warning"
        _report(problems, node.value["severity"].source, message)
        severity = "error"
    for key in ("together", "complete"):
        Key.flag().read(node.get(key), key, report_to(problems))
    arguments = {key: value for key, value in plain.items() if key not in COMMON_RULE_KEYS}
    because, section = str(plain["because"]), str(plain.get("section", ""))
    return Rule(name, kind, arguments, severity, because, section, node.source, rule_variants)


def _parse_variants(
    given: Node | None, known: Collection[str], problems: list[Problem]
) -> tuple[str, ...] | None:
    """Return the variants of a rule, one or a list, or None if one does not exist."""
    nodes = () if given is None else given.list_nodes() if given.is_list else [given]
    unknown = [node for node in nodes if not node.is_scalar or node.text not in known]
    for node in unknown:
        hint = did_you_mean(node.text, known) if node.is_scalar else ""
        message = f"variant is {node.describe()}; game.yaml has no such variant{hint}"
        problems.append(Problem(node.source, message, "reference"))
    return None if unknown else tuple(node.text for node in nodes)


def _explain_missing_kind(node: Node) -> str:
    others = [key for key in node.value if key not in COMMON_RULE_KEYS]
    if "dice" in others:
        return "has no kind; for dice, write chance: {dice: 2d6}"
    for key in others:
        if "did you mean" in (hint := did_you_mean(key, RULE_KINDS)):
            return f"has no kind, and '{key}' is none{hint}"
    return f"has no kind{did_you_mean('', RULE_KINDS)}"


def check_card_rules(game: Game, backs: BackImages) -> list[Problem]:
    """Check every rule except those about faces. `backs` returns the backs of a deck."""
    database = CardDatabase(game)
    return [
        problem
        for rule in game.rules
        if not rule_kinds.is_face_rule(rule)
        for problem in _check_rule(rule_kinds.make_rule_kind(rule, database), backs)
    ]


def check_face_rules(game: Game, facts: FaceFactsSource) -> tuple[list[Problem], list[Rule]]:
    """Check the rules about faces. Also return the rules about faces that are not typeset yet."""
    database, problems, waiting = CardDatabase(game), list[Problem](), list[Rule]()
    for rule in filter(rule_kinds.is_face_rule, game.rules):
        try:
            kind = rule_kinds.make_rule_kind(rule, database, facts)
            problems += _check_rule(kind, lambda _: {})
        except FaceNotTypesetError:
            waiting.append(rule)
    return problems, waiting


def _check_rule(kind: RuleKind, backs: BackImages) -> list[Problem]:
    rule = kind.rule
    severity: Severity = "warning" if rule.severity == "warning" else "error"
    try:
        with work_limits.work_limit(f"{RULES_FILE}: the rule {rule.id}"):
            violations = [*kind.check(backs)]
    except _EVALUATION_ERRORS as error:
        message = f"the rule {rule.id} cannot be evaluated: {error}"
        return [Problem(rule.source, message, "rule", cause=str(error))]
    reason = f" – {rule.because}" + (f" ({rule.section})" if rule.section else "")
    return [Problem(rule.source, f"{text}{reason}", rule.id, severity) for text in violations]


def describe_measurements(game: Game, problems: list[Problem]) -> list[str]:
    """Return the figures of rules that hold and are worth a look: colours and simulations."""
    broken = {problem.kind for problem in problems}
    database = CardDatabase(game)
    kinds = [
        rule_kinds.make_rule_kind(rule, database) for rule in game.rules if rule.id not in broken
    ]
    texts = []
    apart = next((kind for kind in kinds if isinstance(kind, ColoursApartRule)), None)
    nearest = _measure(apart.measure_nearest) if apart else None
    if nearest is not None:
        delta, first, second, vision = nearest
        colours = f"{first} and {second}: ΔE {delta:.1f}, {vision} sight"
        texts.append(f"the nearest player colours are {colours}")
    if "rule" not in broken:
        simulations = (kind for kind in kinds if isinstance(kind, SimulateRule))
        outcomes = ((kind.rule.id, _measure(kind.describe_outcome)) for kind in simulations)
        texts += [f"{rule}: {outcome}" for rule, outcome in outcomes if outcome]
    return texts


def _measure(measure: Callable[[], Any]) -> Any:
    """Return a figure, None if it cannot be evaluated: a deck that it needs may be unreadable."""
    try:
        return measure()
    except _EVALUATION_ERRORS:
        return None
