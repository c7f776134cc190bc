"""YAML as nodes that carry their file and line.

Supports the subset a card game needs: no aliases, no tags, each key once. Words such as `no`,
`on` and `12:30` stay text; only true, false, null and plain numbers have another type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean, format_value
from cardgen.core.units import is_integer, is_number
from cardgen.core.work_limits import LimitExceededError

NEEDS_QUOTES = "a text that begins with {} needs quotes"
# A value that begins with a YAML indicator, or continues after a bracket or quote.
_BAD_START = re.compile(
    r"""(?:^\s*|:\s+|,\s+|-\s+|[\[{]\s*)
        (?:(?P<sign>[@%`*&!])
        |(?P<bracket>\{[^{}:,]*\}|\{\{|\[[^\[\]]*\])\s*[^\s,}\]\#:]
        |(?P<quote>"(?:[^"\\]|\\.)*"|'[^']*')\s+[^\s,}\]\#:])""",
    re.VERBOSE,
)
_ENTRY_PATTERN = re.compile(
    r"(?P<indent> *)(?P<dash>- +)?(?P<key>[\w.-]+):(?: +(?P<value>\S.*))?\s*\Z"
)
_OPEN_QUOTE = re.compile(r"""(?:[:,\[{]|-)\s+(?:"(?:[^"\\]|\\.)*\Z|'(?:[^']|'')*\Z)""")
_MISSING_SPACE = re.compile(r" *(?:- +)?[\w.-]+:[^\s/]")
_APOSTROPHE = re.compile(r"(?:[:,\[{-]\s+|[\[{])(?P<start>'[^'\s][^']*')(?P<rest>\w+)")
_COMMENTED_COLOUR = re.compile(r":[ \t](?P<text>#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3}))\b")
_COMMENT_IN_BRACKET = re.compile(r"[\[{][^\]}#]*[ \t](?P<text>#[^,\]}]+)")
_MAX_LINES_BACK = 3
_MAX_SHOWN_LENGTH = 40


def explain_error(error: yaml.MarkedYAMLError, text: str) -> tuple[int, str]:
    """Return the line to edit and what is wrong there.

    The parser reports where it could not continue, in terms of its grammar. The usual causes lie
    above that line: an open quote, a missing space after a colon, wrong indentation.
    """
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 0
    what = (error.problem or error.context or "cannot be read").strip()
    start = error.context_mark.line + 1 if error.context and error.context_mark else line
    lines = text.splitlines()
    if line:
        found = (
            _explain_apostrophe(what, lines, {start, line})
            or _explain_comment(what, lines, line)
            or _explain_open_quote(lines, line)
            or _explain_missing_colon(what, lines, start)
            or _explain_indent(what, lines, line)
        )
        if found:
            return found
    where = f" {error.context} that begins on line {start}" if start != line else ""
    return line, _find_cause(what, lines, line, start) or f"{what}{where}"


def _explain_apostrophe(
    what: str, lines: Sequence[str], numbers: Collection[int]
) -> tuple[int, str] | None:
    """Find an apostrophe that ends a text in single quotes, as in 'Don't panic'."""
    for number in sorted(numbers) if "did not find expected" in what else ():
        match = _APOSTROPHE.search(lines[number - 1]) if 0 < number <= len(lines) else None
        if match:
            return number, (
                "the apostrophe ends the text that begins with one; write it twice, "
                f"{match['start']}'{match['rest']}, or put the text into double quotes"
            )
    return None


def _explain_comment(what: str, lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """Find a comment that hides the end of a bracket, as in `{accent: #1f5a7a}`."""
    for number in range(min(line, len(lines)), max(line - _MAX_LINES_BACK, 0), -1):
        written = lines[number - 1]
        match = _COMMENT_IN_BRACKET.search(written) or _COMMENTED_COLOUR.search(written)
        if match and ("did not find expected" in what or "expected ',' or" in what):
            return number, (
                f"' #' begins a comment, so the bracket before it stays open; put the text with "
                f"'{match['text'].strip()}' into quotes"
            )
    return None


def _explain_open_quote(lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """Find a quote that swallowed the lines below it, up to the line that failed."""
    opened = 0
    for number, written in enumerate(lines[:line], start=1):
        if not opened:
            opened = number if _OPEN_QUOTE.search(written) else 0
            continue
        if lines[opened - 1].count('"') % 2 == 0 or '"' not in written:
            continue
        if number == line and any(map(_ENTRY_PATTERN.match, lines[opened:line])):
            break
        opened = 0
    ended = line >= len(lines)
    if opened and (line > opened or ended) and (ended or '"' in lines[line - 1]):
        return opened, "a quote is opened here and not closed"
    return None


def _explain_missing_colon(what: str, lines: Sequence[str], start: int) -> tuple[int, str] | None:
    """Explain a line that should be `NAME: value`."""
    if "expected ':'" not in what or not 0 < start <= len(lines):
        return None
    written = lines[start - 1].strip()[:_MAX_SHOWN_LENGTH]
    if not written or written[0] in "\"'{[|>&*!%@`":
        return None
    if _MISSING_SPACE.match(lines[start - 1]):
        return start, f"'{written}' needs a space after its colon"
    return start, f"'{written}' is not 'name: value'; a colon and a space are missing"


def _explain_indent(what: str, lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """Explain a line indented differently from the lines above it."""
    here = _ENTRY_PATTERN.match(lines[line - 1]) if line <= len(lines) else None
    above = [match for match in map(_ENTRY_PATTERN.match, lines[: line - 1]) if match]
    if not here or not above:
        return None
    width, before = len(here["indent"]), above[-1]
    dashes = [len(match["indent"]) for match in above if match["dash"]]
    wrong = ""
    lacks_dash = "a dash is missing here: a card begins with '- id: {}'"
    is_id = before["key"] == "id" and before["value"] and not before["dash"]
    if is_id and width > len(before["indent"]):
        return lines.index(before.string) + 1, lacks_dash.format(before["value"])
    if here["key"] == "id" and not here["dash"] and width in dashes:
        return line, lacks_dash.format(here["value"] or "…")
    if (
        before["value"]
        and ": " not in (here["value"] or "")
        and width > _find_content_column(before)
    ):
        wrong = "this line is indented more than the one above it, which ends there"
    elif "did not find expected" not in what:
        return None
    elif here["dash"] and dashes and width != dashes[-1]:
        wrong = f"this dash stands {_format_spaces(width)} in; the one before it, {dashes[-1]}"
    elif not here["dash"] and width not in {_find_content_column(match) for match in above}:
        wrong = f"this line is indented by {_format_spaces(width)}, unlike any line above it"
    return (line, wrong) if wrong else None


def _find_content_column(entry: re.Match[str]) -> int:
    """Return the column at which the name of an entry starts."""
    return len(entry["indent"]) + len(entry["dash"] or "")


def _format_spaces(count: int) -> str:
    return f"{count} space" if count == 1 else f"{count} spaces"


def _find_cause(what: str, lines: Sequence[str], line: int, start: int) -> str:
    """Return the usual cause of what the parser reports, in plain words, or ""."""
    if "mapping values are not allowed" in what:
        return "a text with ': ' in it needs quotes"
    if "unknown escape" in what:
        return "in double quotes, write a backslash twice, \\\\"
    if "another document" in what:
        return "'---' begins a second document here; remove that line"
    if 0 < line <= len(lines) and lines[line - 1].lstrip(" ").startswith("\t"):
        return "indent with spaces, not tabs"
    suspects = (lines[number - 1] for number in (line, start) if 0 < number <= len(lines))
    cause = next(filter(None, map(_explain_unquoted, suspects)), "")
    if not cause and "expected ',' or" in what:
        cause = "is a bracket open, or a text with ': ' or a comma in it without quotes?"
    return cause


def _explain_unquoted(line: str) -> str:
    """Return which text needs quotes, or ""."""
    match = _BAD_START.search(line)
    if not match:
        return ""
    if match["quote"]:
        return "put quotes around the whole text, or not at its beginning"
    return NEEDS_QUOTES.format(match["sign"] or match["bracket"][0])


_COMMENT_PATTERN = re.compile(r"[ \t]+(#[0-9].*)")
"""Text after a space that YAML takes for a comment, as in `Gain #1 steam`."""
_UNQUOTED_COLOUR = re.compile(
    r":?[ \t]+(#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))(?=[ \t]*(?:\n|\Z))"
)
"""A colour that YAML takes for a comment."""
_BaseLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG_PREFIX = "tag:yaml.org,2002:"
_STRING_TAG = f"{_TAG_PREFIX}str"
_INTEGER_PATTERN = re.compile(r"[-+]?[0-9]+\Z")
_NUMBER_PATTERN = re.compile(r"[-+]?[0-9]+\.[0-9]+\Z")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Control characters, surrogates and noncharacters."""
_CONSTANTS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
}

MAX_DEPTH = 32
"""Maximum nesting of lists and mappings."""
_MAX_UNKNOWN_KEYS = 20
"""Maximum number of unknown keys reported one by one for a mapping."""


class _NodeLoader(_BaseLoader):  # type: ignore[misc] # whichever of the two there is
    """Loader that leaves the type of an unquoted word to `parse_scalar`."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        """Return the string tag for every untagged node."""
        return _STRING_TAG


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar (str, int, float, bool, None), a list of nodes, or a mapping from key to node."""

    value: Any
    source: Source
    keys: Mapping[str, Source] = field(default_factory=dict)
    raw: str | None = None
    """A scalar as written, so that `007` and `1.10` can be read as text."""

    @property
    def text(self) -> str:
        """The scalar as text; of a list or a mapping, what a message calls it."""
        if not self.is_scalar:
            return self.describe()
        return str(self.value) if self.raw is None else self.raw

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_scalar(self) -> bool:
        return not isinstance(self.value, dict | list)

    def get(self, key: str) -> Node | None:
        """Return the node under a key; None if this is no mapping or lacks the key."""
        found: Node | None = self.value.get(key) if self.is_mapping else None
        return found

    def items(self) -> Iterator[tuple[str, Node]]:
        """Return key and node of each entry of a mapping; nothing for other nodes."""
        return iter(self.value.items() if self.is_mapping else ())

    def list_nodes(self) -> list[Node]:
        """Return the nodes of a list; an empty list for other nodes."""
        return list(self.value) if self.is_list else []

    def find_unknown_keys(self, known: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield each key that is not in `known`, with a hint at the intended key.

        After the first few, one more entry gives the number of the others.
        """
        keys = [key for key in self.value if key not in known] if self.is_mapping else []
        for key in keys[:_MAX_UNKNOWN_KEYS]:
            yield key, did_you_mean(key, known)
        if len(keys) > _MAX_UNKNOWN_KEYS:
            rest = len(keys) - _MAX_UNKNOWN_KEYS - 1
            yield keys[_MAX_UNKNOWN_KEYS], f"; {rest} more keys are unknown" if rest else ""

    @property
    def boolean(self) -> bool | None:
        """The boolean value; None for other values."""
        return self.value if isinstance(self.value, bool) else None

    def get_number(self, least: float, most: float) -> float | None:
        """Return the number; None unless it is one between `least` and `most`."""
        value = self.value
        return float(value) if is_number(value) and least <= value <= most else None

    def get_integer(self, least: int, most: int) -> int | None:
        """Return the integer; None unless it is one between `least` and `most`."""
        value = self.value
        return value if is_integer(value) and least <= value <= most else None

    def merge(self, own: Node, depth: int = 1) -> Node:
        """Return this mapping with the entries of another, which replace it if either is none.

        With a `depth` of 2, mappings in both are merged, too.
        """
        if not (self.is_mapping and own.is_mapping and depth):
            return own
        merged = {
            key: self.value[key].merge(child, depth - 1) if key in self.value else child
            for key, child in own.items()
        }
        return Node({**self.value, **merged}, own.source, {**self.keys, **own.keys})

    def to_plain(self) -> Any:
        """Return the value as plain Python data, without lines."""
        if self.is_mapping:
            return {key: node.to_plain() for key, node in self.items()}
        if self.is_list:
            return [node.to_plain() for node in self.value]
        return self.value

    @property
    def quoting_hint(self) -> str:
        """Hint for a text that lacks quotes: `{coin}` without quotes is a mapping."""
        lone = [key for key, child in self.items() if child.raw == ""]
        if not lone or len(lone) < len(self.value):
            return ""
        braced = "".join(f"{{{key}}}" for key in lone)
        return f'; {NEEDS_QUOTES.format("{")}: "{braced}"'

    def describe(self) -> str:
        """Return the value as an error message shows it."""
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return "nothing" if self.value is None else format_value(self.value)


def parse_scalar(text: str) -> str | int | float | bool | None:
    """Return the value of an unquoted word: a number, boolean, None, or the text itself."""
    if text.lower() in _CONSTANTS:
        return _CONSTANTS[text.lower()]
    if _INTEGER_PATTERN.match(text) and len(text) < 20:
        return int(text)
    if _NUMBER_PATTERN.match(text) and len(text) < 40:
        return float(text)
    return text


def load(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    """Read a YAML document. `path` is the file name in problems and nodes.

    Returns None instead of a node if the document cannot be used.
    """
    if path in _documents and _documents[path][0] == text:
        _, node, problems = _documents[path]
        return node, list(problems)
    node, problems = _load_document(text, path)
    if not any(
        problem.kind == "bounds" for problem in problems
    ):  # a time limit may not be hit again
        cached_characters = sum(len(each) for each, _, _ in _documents.values())
        if len(_documents) >= _MAX_CACHED_DOCUMENTS or cached_characters > _MAX_CACHED_CHARACTERS:
            _documents.clear()
        _documents[path] = text, node, list(problems)
    return node, problems


_MAX_CACHED_DOCUMENTS, _MAX_CACHED_CHARACTERS = 500, 3_000_000
_documents: dict[str, tuple[str, Node | None, list[Problem]]] = {}
"""Text, node and problems of each file as last read. Resident processes reread only what
changed."""


def _load_document(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    try:
        with work_limits.work_limit(
            path,
            work_limits.CPU_SECONDS * work_limits.get_large_factor(),
            expected=(yaml.YAMLError,),
        ):
            tree = yaml.compose(text, Loader=_NodeLoader)
    except LimitExceededError as error:
        return None, [Problem(Source(path), f"the file cannot be read: {error}", "bounds")]
    except yaml.MarkedYAMLError as error:
        line, wrong = explain_error(error, text)
        return None, [Problem(Source(path, line), f"not YAML: {wrong}", "yaml")]
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        return None, [Problem(Source(path), f"not YAML: {error}".splitlines()[0], "yaml")]
    if tree is None:
        return None, [Problem(Source(path), "the file is empty", "yaml")]
    reader = _NodeReader(path, text)
    node = reader.read_node(tree, 0)
    if reader.aliases:
        return None, [*reader.problems, *_check_aliases(text, path)]
    return node, reader.problems + reader.lost


def read_tree(tree: Any, text: str, path: str) -> tuple[Node, list[Problem]]:
    """Return the node of a part of PyYAML's tree of a text, and what is wrong there."""
    reader = _NodeReader(path, text)
    return reader.read_node(tree, 0), reader.problems + reader.lost


def _check_aliases(text: str, path: str) -> list[Problem]:
    """Return a problem for each alias. Nodes would know only the line of the anchor."""
    message = "aliases (*name) are not supported; write the value out"
    return [
        Problem(Source(path, event.start_mark.line + 1), message, "yaml")
        for event in yaml.parse(text, Loader=_NodeLoader)
        if isinstance(event, yaml.AliasEvent) and event.start_mark
    ]


class _NodeReader:
    """Converts PyYAML nodes to `Node` and collects problems."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.problems: list[Problem] = []
        self.lost: list[Problem] = []
        self.aliases = False
        self._seen: set[int] = set()

    def read_node(self, tree: Any, depth: int) -> Node:
        source = Source(self.path, tree.start_mark.line + 1)
        if id(tree) in self._seen:
            self.aliases = True
            return Node(None, source)
        self._seen.add(id(tree))
        if depth > MAX_DEPTH:
            self._add_problem(source, f"nested more than {MAX_DEPTH} deep")
            return Node(None, source)
        if isinstance(tree, yaml.ScalarNode):
            raw = self._check_printable(tree.value, source)
            return Node(self._read_scalar(tree, raw, source), source, raw=raw)
        if isinstance(tree, yaml.SequenceNode):
            return Node([self.read_node(child, depth + 1) for child in tree.value], source)
        return self._read_mapping(tree, source, depth)

    def _read_mapping(self, tree: Any, source: Source, depth: int) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Source] = {}
        for key_tree, value_tree in tree.value:
            key_source = Source(self.path, key_tree.start_mark.line + 1)
            if not isinstance(key_tree, yaml.ScalarNode):
                braced = isinstance(key_tree, yaml.MappingNode)
                hint = f"; {NEEDS_QUOTES.format('{')}" if braced else ""
                self._add_problem(key_source, f"a key must be a plain word{hint}")
                continue
            key = self._check_printable(key_tree.value, key_source)
            if key in values:
                first = keys[key].line
                hint = "; if a card begins here, write '- id: …'" if key == "id" else ""
                message = f"'{key}' stands twice, first on line {first}{hint}"
                self._add_problem(key_source, message, "duplicate-key")
                continue
            keys[key] = key_source
            values[key] = self.read_node(value_tree, depth + 1)
        return Node(values, source, keys)

    def _check_printable(self, text: Any, source: Source) -> str:
        found = UNPRINTABLE.search(text)
        if found is None:
            return str(text)
        self._add_problem(source, f"U+{ord(found[0]):04X} is no character that can be printed")
        return UNPRINTABLE.sub("\ufffd", text)

    def _read_scalar(self, tree: Any, text: str, source: Source) -> Any:
        first = self.text[tree.start_mark.index : tree.start_mark.index + 1]
        if tree.tag and not tree.tag.startswith(_TAG_PREFIX):
            message = f"the tag {tree.tag} is not supported; {NEEDS_QUOTES.format('!')}"
            self._add_problem(source, message)
        elif first in ("!", "&"):  # a tag or anchor would get lost
            self.lost.append(Problem(source, NEEDS_QUOTES.format(first), "yaml"))
        elif (
            not tree.style
            and not text
            and (colour := _UNQUOTED_COLOUR.match(self.text, tree.end_mark.index))
        ):
            message = f"' #' begins a comment, so nothing is left here; write \"{colour[1]}\""
            self._add_problem(source, message)
        elif not tree.style and (cut := _COMMENT_PATTERN.match(self.text, tree.end_mark.index)):
            lost = f"' #' begins a comment, so '{cut[1]}' is left out"
            message = f"{lost}; put quotes around the whole text"
            self.lost.append(Problem(source, message, "yaml", "warning"))
        return text if tree.style else parse_scalar(text)

    def _add_problem(self, source: Source, message: str, kind: str = "yaml") -> None:
        self.problems.append(Problem(source, message, kind))
