"""A rule written once for several values: `for_each: {side: [blue, grey]}` makes a rule of each, in
which `{side}` is that value. Where it says another thing of each, it maps the values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import product

from cardgen.base.problems import Problem, did_you_mean
from cardgen.base.yamlnodes import Node

KEY = "for_each"
MOST = 500
"""So many rules may one become."""
_MAPPINGS = frozenset({"parts"})
_BOUNDS = frozenset({"is", "at_least", "at_most"})
"""What may be a mapping by itself, the bounds where a rule has `by`."""
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_BRACED = re.compile(r"\{([A-Za-z]\w*)\}")


def rules(node: Node, problems: list[Problem]) -> list[Node]:
    """The rules that one becomes; itself without `for_each`, none where that is wrong."""
    given = node.get(KEY)
    if given is None:
        return [node]
    told = len(problems)
    named = _values(given, problems)
    count = 1
    for values in named.values():
        count *= len(values)
    if count > MOST:
        message = f"{KEY} makes {count} rules of one; {MOST} are the most"
        problems.append(Problem(given.source, message, "bounds"))
    bare = Node({k: n for k, n in node.items() if k != KEY}, node.source, node.keys)
    if len(problems) == told:
        _tell_strange(bare, named, problems)
    if len(problems) > told or not named:
        return []
    return [
        _with_id(bare, dict(zip(named, values, strict=True)), named.values())
        for values in product(*named.values())
    ]


def _values(given: Node, problems: list[Problem]) -> dict[str, list[str]]:
    """The values of each name."""
    if not given.is_mapping:
        message = f"{KEY} is {given.describe()}; it maps a name to values, {{side: [blue, grey]}}"
        problems.append(Problem(given.source, message, "rule"))
    found = {}
    for name, child in given.items():
        listed = child.nodes()
        if not _NAME.match(name):
            message = f"{KEY}: '{name}' is no name; small letters, digits and _"
            problems.append(Problem(given.keys[name], message, "rule"))
        elif not listed or not all(each.is_scalar and each.text for each in listed):
            message = (
                f"{KEY}: {name} is {child.describe()}; a list of words or numbers is asked for"
            )
            problems.append(Problem(child.source, message, "rule"))
        else:
            found[name] = list(dict.fromkeys(each.text for each in listed))
    return found


def _tell_strange(node: Node, known: Collection[str], problems: list[Problem]) -> None:
    """A name in braces that is nearly one of the known."""
    if isinstance(node.value, str):
        for name in dict.fromkeys(_BRACED.findall(node.value)):
            hint = did_you_mean(name, known) if name not in known else ""
            if "did you mean" in hint:
                message = f"'{{{name}}}' is no name of {KEY}{hint}"
                problems.append(Problem(node.source, message, "rule"))
    for _, child in node.items():
        _tell_strange(child, known, problems)
    for child in node.nodes():
        _tell_strange(child, known, problems)


def _with_id(rule: Node, values: Mapping[str, str], named_all: Iterable[list[str]]) -> Node:
    """The rule with those values; its id ends with those that it does not name."""
    made = _filled(_looked_up(rule, values, [frozenset(each) for each in named_all]), values)
    named = rule.get("id")
    if named is None or not named.is_scalar:
        return made
    rest = [value for name, value in values.items() if f"{{{name}}}" not in named.text]
    text = "-".join([made.value["id"].text, *rest])
    return Node({**made.value, "id": Node(text, named.source, raw=text)}, made.source, made.keys)


def _looked_up(rule: Node, values: Mapping[str, str], every: list[frozenset[str]]) -> Node:
    """The rule with what it says of this value, where it maps all values of a name."""
    kept = _MAPPINGS | (_BOUNDS if rule.get("by") else frozenset())
    mine = dict(zip(every, values.values(), strict=True))
    found = {
        key: child.value[mine[frozenset(child.value)]]
        if child.is_mapping and key not in kept and frozenset(child.value) in mine
        else child
        for key, child in rule.items()
    }
    return Node(found, rule.source, rule.keys)


def _filled(node: Node, values: Mapping[str, str]) -> Node:
    if node.is_mapping:
        children = {key: _filled(child, values) for key, child in node.items()}
        return Node(children, node.source, node.keys)
    if node.is_list:
        return Node([_filled(child, values) for child in node.nodes()], node.source)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    text = _BRACED.sub(lambda match: values.get(match[1], match[0]), node.value)
    return Node(text, node.source, raw=text)
