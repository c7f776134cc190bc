"""YAML as nodes with lines: what is read as what, and what is refused."""

from __future__ import annotations

import pytest

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import MAX_DEPTH, Node


def read(text: str) -> Node:
    node, problems = yaml_nodes.load(text, "deck.yaml")
    assert problems == []
    assert node is not None
    return node


def told(text: str) -> list[str]:
    return [str(problem) for problem in yaml_nodes.load(text, "deck.yaml")[1]]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("2.5", 2.5),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("no", "no"),  # Norway is no boolean
        ("on", "on"),
        ("yes", "yes"),
        ("12:30", "12:30"),  # nor is half past twelve a number of base sixty
        ("2026-11-20", "2026-11-20"),
        ("1e3", "1e3"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ('"3"', "3"),
        ("'true'", "true"),
        ("9" * 40, "9" * 40),
    ],
)
def test_scalars(written: str, value: object) -> None:
    found = read(f"key: {written}").to_plain()["key"]
    assert found == value
    assert type(found) is type(value)


def test_every_node_and_key_knows_its_line() -> None:
    node = read("deck: loot\ncards:\n  - id: school\n    goods: [1,\n      3]\n")
    cards = node.get("cards")
    assert cards is not None
    school = cards.list_nodes()[0]
    goods = school.get("goods")
    assert goods is not None
    assert str(node.keys["cards"]) == "deck.yaml:2"
    assert str(school.source) == "deck.yaml:3"
    assert [str(item.source) for item in goods.list_nodes()] == ["deck.yaml:4", "deck.yaml:5"]
    assert node.to_plain() == {"deck": "loot", "cards": [{"id": "school", "goods": [1, 3]}]}


def test_a_node_of_another_kind_answers_with_nothing() -> None:
    word = read("loot")
    assert word.is_scalar
    assert word.get("deck") is None
    assert word.list_nodes() == []
    assert list(word.items()) == []


def test_unknown_keys_by_the_thousand_are_told_in_a_few() -> None:
    node = read("".join(f"k{number}: 1\n" for number in range(1000)))
    found = list(node.find_unknown_keys({"k1x", "known"}))
    assert found[0] == ("k0", "; known: k1x, known")
    assert found[1] == ("k1", "; did you mean 'k1x'?")
    assert found[20:] == [("k20", "; 979 more keys are unknown")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: 2\na: 3\n", "deck.yaml:3: error: 'a' stands twice, first on line 1"),
        ("? [a, b]\n: 1\n", "deck.yaml:1: error: a key must be a plain word"),
        ("a: !secret b\n", "deck.yaml:1: error: the tag !secret is not supported"),
        ("", "deck.yaml: error: the file is empty"),
        ("# nothing\n", "deck.yaml: error: the file is empty"),
        ("a: 1\n---\nb: 2\n", "deck.yaml:2: error: not YAML: '---' begins a second document"),
        ("a: \x07\n", "deck.yaml: error: not YAML: "),
    ],
)
def test_mistakes(text: str, line: str) -> None:
    (only,) = told(text)
    assert only.startswith(line)


def test_aliases_are_refused_at_their_own_lines() -> None:
    node, problems = yaml_nodes.load("a: &x 1\nb: 2\nc: *x\nd:\n  <<: *x\n", "deck.yaml")
    assert node is None
    assert [str(problem) for problem in problems] == [
        f"deck.yaml:{line}: error: aliases (*name) are not supported; write the value out [yaml]"
        for line in (3, 5)
    ]


def test_a_billion_laughs_end_at_once() -> None:
    lines = ['a0: &a0 "ha"'] + [
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)
    ]
    node, problems = yaml_nodes.load("\n".join(lines), "deck.yaml")
    assert node is None
    assert len(problems) == 29 * 9


def test_depth_is_bounded() -> None:
    assert told("[" * MAX_DEPTH + "]" * MAX_DEPTH) == []
    assert told("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)) == [
        f"deck.yaml:1: error: nested more than {MAX_DEPTH} deep [yaml]"
    ]


def test_a_backslash_in_double_quotes_is_told_how_to_write() -> None:
    assert told('name: "\\{x}"') == [
        "deck.yaml:1: error: not YAML: in double quotes, write a backslash twice, \\\\ [yaml]"
    ]


def test_a_file_is_read_anew_only_when_it_says_something_else() -> None:
    first, _ = yaml_nodes.load("a: 1", "x.yaml")
    assert yaml_nodes.load("a: 1", "x.yaml")[0] is first
    second, _ = yaml_nodes.load("a: 2", "x.yaml")
    assert second is not None
    assert second.to_plain() == {"a": 2}
    assert yaml_nodes.load("a: 2", "y.yaml")[0] is not second  # its lines are another file's
    wrong, told = yaml_nodes.load("a: [", "x.yaml")
    told.clear()
    assert (wrong, len(yaml_nodes.load("a: [", "x.yaml")[1])) == (None, 1)


DECK = """deck: sauna
title: Sauna
cards:
  - id: bucket
    name: Bucket
    text: "Pour **water** on the stones."
    cost: 2
  - id: stove
    name: Stove
    text: "It is hot: be careful."
"""


@pytest.mark.parametrize(
    ("written", "instead", "line", "told"),
    [
        ("    cost: 2", "     cost: 2", 7, "indented more than the one above it, which ends there"),
        ("    cost: 2", "   cost: 2", 7, "indented by 3 spaces, unlike any line above it"),
        ("  - id: stove", "- id: stove", 8, "this dash stands 0 spaces in; the one before it, 2"),
        ("  - id: stove", " - id: stove", 8, "this dash stands 1 space in; the one before it, 2"),
        ('stones."', "stones.", 6, "a quote is opened here and not closed"),
        ('careful."', "careful.", 10, "a quote is opened here and not closed"),
        ("text: \"It is hot: be careful.\"", "text: 'It is hot: be careful.", 10, "a quote is op"),
        ("name: Bucket", "name Bucket", 5, "'name Bucket' is not 'name: value'; a colon and a spa"),
        ("name: Bucket", "name:Bucket", 5, "'name:Bucket' needs a space after its colon"),
        ('"It is hot: be careful."', "It is hot: no.", 10, "a text with ': ' in it needs quotes"),
        ("    name: Bucket", "\tname: Bucket", 5, "indent with spaces, not tabs"),
    ],
)  # fmt: skip
def test_what_is_no_yaml_is_told_at_its_line_in_plain_words(
    written: str, instead: str, line: int, told: str
) -> None:
    assert DECK.count(written) == 1
    node, problems = yaml_nodes.load(DECK.replace(written, instead), "cards/sauna.yaml")
    assert node is None
    assert [problem.source.line for problem in problems] == [line]
    assert told in problems[0].message


def test_a_text_over_several_lines_is_not_blamed_for_a_later_mistake() -> None:
    text = DECK.replace("hot: be", "hot:\n      be") + "  - id: elf\n    name Elf\n"
    _, problems = yaml_nodes.load(text, "cards/sauna.yaml")
    assert [problem.source.line for problem in problems] == [13]


def test_what_yaml_takes_for_a_remark_is_told() -> None:
    node, problems = yaml_nodes.load("text: Gain #1 steam\ncost: 2   # two of it", "cards/a.yaml")
    assert node is not None
    assert [(each.source.line, each.severity) for each in problems] == [(1, "warning")]
    assert "'#1 steam'" in problems[0].message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("c:\n  - id: a\n    name: 'Don't panic'\n    cost: 2\n",
         "f.yaml:3: error: not YAML: the apostrophe ends the text that begins with one; write it "
         "twice, 'Don''t, or put the text into double quotes [yaml]"),
        ("c:\n  - {id: a, name: 'It's'}\n  - {id: b}\n",
         "f.yaml:2: error: not YAML: the apostrophe ends the text that begins with one; write it "
         "twice, 'It''s, or put the text into double quotes [yaml]"),
        ("c:\n  - {id: a, accent: #1f5a7a}\n  - {id: b}\n",
         "f.yaml:2: error: not YAML: ' #' begins a comment, so the bracket before it stays open; "
         "put the text with '#1f5a7a' into quotes [yaml]"),
        ("c:\n  - {id: a, text: Gain # coins, cost: 2}\n",
         "f.yaml:2: error: not YAML: ' #' begins a comment, so the bracket before it stays open; "
         "put the text with '# coins' into quotes [yaml]"),
        ("c:\n  id: a\n    name: A\n",
         "f.yaml:2: error: not YAML: a dash is missing here: a card begins with '- id: a' [yaml]"),
        ("c:\n  - id: a\n    name: A\n  id: b\n  name: B\n",
         "f.yaml:4: error: not YAML: a dash is missing here: a card begins with '- id: b' [yaml]"),
        ("c:\n  - id: a\n    id: b\n",
         "f.yaml:3: error: 'id' stands twice, first on line 2; if a card begins here, write "
         "'- id: …' [duplicate-key]"),
        ("accent: #1f5a7a\n",
         "f.yaml:1: error: ' #' begins a comment, so nothing is left here; write \"#1f5a7a\" "
         "[yaml]"),
        ("accent:  # see below\n  x: 1\n", ""),
        ("accent: # add\n", ""),
    ],
)  # fmt: skip
def test_slips_of_newcomers(text: str, told: str) -> None:
    _, problems = yaml_nodes.load(text, "f.yaml")
    assert [str(each) for each in problems] == ([told] if told else [])
