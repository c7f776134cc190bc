"""Mutations of a file, by what it is: of its structure, of its words and of its bytes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import yaml

from trials.fuzzing import pools

Mutate = Callable[[str, Random, Sequence[str]], str]
_WORD = r"[A-Za-z_][\w-]*"
_MARKUP = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<!--.*?-->|<[^<>]*>|[^<{]+|.", re.DOTALL)
_CSS = re.compile(r"/\*.*?\*/|[{};]|[^{};/]+|/", re.DOTALL)
_SVG = re.compile(r"<[^<>]*>|[^<]+|<", re.DOTALL)
_BLOCKS = re.compile(r"\n{2,}")


def shuffled(parts: list[str], rng: Random, others: Sequence[str] = ()) -> list[str]:
    """Parts swapped, doubled, dropped, moved, or taken from elsewhere."""
    if not parts:
        return parts
    parts = list(parts)
    one, two = rng.randrange(len(parts)), rng.randrange(len(parts))
    way = rng.randrange(7)
    if way == 0:
        parts[one], parts[two] = parts[two], parts[one]
    elif way == 1:
        parts.insert(two, parts[one])
    elif way == 2:
        del parts[one]
    elif way == 3:
        del parts[min(one, two) : min(min(one, two) + rng.randint(1, 6), len(parts))]
    elif way == 4:
        parts[one] = parts[one] * rng.choice((2, 3, 10, 50, 1000 if len(parts[one]) < 40 else 5))
    elif way == 5:
        parts[one:one] = parts[min(one, two) : max(one, two)][:30]
    elif others:
        parts[one] = rng.choice(others)
    return parts


def _replaced(
    pattern: str, text: str, rng: Random, other: Callable[[list[re.Match[str]]], str]
) -> str:
    """The text with one match of a pattern made another."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + other(found) + text[match.end() :]


def numbers(text: str, rng: Random, _others: Sequence[str] = ()) -> str:
    """A number of the text becomes another."""
    return _replaced(r"-?\d+(?:\.\d+)?", text, rng, lambda _: pools.number(rng))


def words(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """A word of the text becomes another: an odd one, or one of the text or from elsewhere."""
    foreign = re.findall(_WORD, rng.choice(others))[:200] if others else []
    odd = [pools.word(rng), pools.number(rng), *foreign]
    return _replaced(_WORD, text, rng, lambda found: rng.choice([rng.choice(found)[0], *odd]))


def inserted(text: str, rng: Random, _others: Sequence[str] = ()) -> str:
    """An odd word anywhere."""
    at = rng.randint(0, len(text))
    return text[:at] + pools.word(rng) * rng.choice((1, 1, 1, 2, 30)) + text[at:]


def lines(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """Lines moved about, or indented otherwise."""
    parts = text.split("\n")
    if rng.random() < 0.3:
        at = rng.randrange(len(parts))
        parts[at] = rng.choice(("  ", " ", "\t", "- ", "")) + rng.choice(
            (parts[at], parts[at].lstrip())
        )
        return "\n".join(parts)
    foreign = rng.choice(others).split("\n") if others else []
    return "\n".join(shuffled(parts, rng, foreign))


def _places(tree: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (holder, key) of a tree of mappings and lists."""
    children = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, child in children:
        found.append((tree, key))
        if isinstance(child, dict | list):
            _places(child, found)
    return found


def _odd_value(rng: Random, tree: Any) -> Any:
    nested: Any = "x"
    for _ in range(rng.choice((2, 5, 31, 33, 400))):
        nested = [nested] if rng.random() < 0.5 else {"a": nested}
    holder, key = rng.choice(_places(tree, [])) if tree else ({"": None}, "")
    word = pools.word
    return rng.choice((
        lambda: rng.choice((None, True, False, [], {}, "", 0, -1, 1.5, math.nan, math.inf, 10**400)),
        lambda: pools.number(rng),
        lambda: rng.randint(-10, 10**6),
        lambda: rng.choice(pools.EXPRESSIONS),
        lambda: {word(rng): word(rng), "id": word(rng)},
        lambda: [word(rng), [pools.number(rng)], {}],
        lambda: nested,
        lambda: holder[key],
        lambda: word(rng) * rng.choice((1, 1, 1, 5, 300)),
    ))()  # fmt: skip


def of_tree(tree: Any, rng: Random) -> Any:
    """A tree of mappings and lists with one of its places changed."""
    places = _places(tree, []) if isinstance(tree, dict | list) else []
    if not places:
        return _odd_value(rng, {})
    holder, key = rng.choice(places)
    way = rng.randrange(7)
    value = holder[key]
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder[key:key] = [value] * rng.choice((1, 1, 2, 20, 500))
    elif way == 2 and isinstance(holder, dict):
        del holder[key]
        holder[rng.choice((pools.word(rng), rng.choice(places)[1]))] = value
    elif way == 3:
        holder[key] = rng.choice(([value], {"x": value}, {"en": value, "xx": value}, str(value)))
    elif way == 4:
        other, place = rng.choice(places)
        if place in other if isinstance(other, dict) else place < len(other):
            holder[key], other[place] = _copied(other[place]), _copied(value)
    else:
        holder[key] = _odd_value(rng, tree)
    return tree


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


def yaml_tree(text: str, rng: Random, _others: Sequence[str] = ()) -> str:
    """YAML with its structure changed; as it is when it cannot be read."""
    try:
        tree = yaml.safe_load(text)
        for _ in range(rng.choice((1, 1, 2, 3))):
            tree = of_tree(tree, rng)
        dumped: str = yaml.safe_dump(
            tree, allow_unicode=rng.random() < 0.8, sort_keys=False, width=10**6,
            default_flow_style=rng.choice((None, None, True, False)),
        )  # fmt: skip
        return dumped
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError):
        return text


def yaml_front(text: str, rng: Random, _others: Sequence[str] = ()) -> str:
    """The expressions in YAML become others."""
    expression = rng.choice(pools.EXPRESSIONS)
    if rng.random() < 0.3:
        expression = "(" * rng.choice((1, 30, 300, 5000)) + expression
    quoted = "'" + expression.replace("'", "''") + "'"
    return _replaced(r"(?m)(?<=: ).+$", text, rng, lambda _: quoted)


def json_tree(text: str, rng: Random, _others: Sequence[str] = ()) -> str:
    """JSON with its structure changed."""
    try:
        tree = json.loads(text)
        for _ in range(rng.choice((1, 1, 2, 4))):
            tree = of_tree(tree, rng)
        return json.dumps(tree, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    except (ValueError, TypeError, RecursionError):
        return text


def csv_cells(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """Rows and cells of a table moved about."""
    rows = [row.split(",") for row in text.split("\n")]
    row = rng.randrange(len(rows))
    if rng.random() < 0.5:
        rows[row] = shuffled(rows[row], rng, [pools.word(rng), pools.number(rng), '"'])
    else:
        at = rng.randrange(len(rows[row]))
        rows[row][at] = rng.choice((pools.word(rng), pools.number(rng), rows[row][at] + ";x", '"'))
    return "\n".join(",".join(row) for row in rows)


def _foreign(pattern: re.Pattern[str], rng: Random, others: Sequence[str]) -> list[str]:
    """The parts of a file of another game."""
    return pattern.findall(rng.choice(others)) if others else []


def markup(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """A template: tags, text and Jinja moved about, nested, brought in."""
    parts = _MARKUP.findall(text) or [""]
    at = rng.randrange(len(parts))
    way = rng.randrange(6)
    if way == 0:
        parts.insert(at, rng.choice(pools.JINJA))
    elif way == 1:
        end = min(len(parts), at + rng.randint(1, 5))
        parts[at:end] = [pools.tag(rng, "".join(parts[at:end]))]
    elif way == 2 and parts[at].startswith("<") and parts[at].endswith(">"):
        parts[at] = parts[at].rstrip(">").rstrip("/") + f" {rng.choice(pools.ATTRIBUTES)}>"
    elif way == 3:
        parts.insert(at, pools.tag(rng, pools.word(rng)))
    elif way == 4:
        style = "; ".join(pools.declaration(rng) for _ in range(rng.randint(1, 3)))
        parts.insert(at, f'<div style="{style}">{pools.word(rng)}</div>')
    else:
        parts = shuffled(parts, rng, _foreign(_MARKUP, rng, others))
    return "".join(parts)


def css(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """A stylesheet: values, declarations and rules changed or brought in."""
    parts = _CSS.findall(text) or [""]
    at = rng.randrange(len(parts))
    way = rng.randrange(5)
    if way == 0:
        found = [n for n, part in enumerate(parts) if ":" in part]
        if found:
            at = rng.choice(found)
            parts[at] = parts[at].partition(":")[0] + f": {pools.css_value(rng)}"
    elif way == 1:
        spots = [n for n, part in enumerate(parts) if part in "{;"]
        if spots:
            parts.insert(rng.choice(spots) + 1, f" {pools.declaration(rng)}; ")
    elif way == 2:
        parts.insert(rng.choice((0, len(parts))), pools.css_rule(rng) + "\n")
    elif way == 3:
        parts[at:at] = [f"{rng.choice(pools.SELECTORS)} {{ "] * rng.choice((1, 1, 9, 200))
    else:
        parts = shuffled(parts, rng, _foreign(_CSS, rng, others))
    return "".join(parts)


def svg(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """A drawing: elements nested, moved about, attributes changed."""
    parts = _SVG.findall(text) or [""]
    at = rng.randrange(len(parts))
    way = rng.randrange(5)
    if way == 0:
        end = min(len(parts), at + rng.randint(1, 4))
        shape = rng.choice(pools.SHAPES)
        inner = "".join(parts[at:end])
        for _ in range(rng.choice((1, 1, 1, 2, 20, 150))):
            if len(inner) > 200_000:
                break
            inner = shape.format(inner)
        parts[at:end] = [inner]
    elif way == 1:
        odd = (pools.number(rng), pools.word(rng), "url(#a)", "0 0 0 0", pools.css_value(rng))
        return _replaced(r'(?<==")[^"]*(?=")', text, rng, lambda _: rng.choice(odd))
    elif way == 2 and parts[at].startswith("<") and parts[at][1:2].isalpha():
        name = rng.choice(("transform", "viewBox", "fill", "style", "id", "clip-path", "stroke-width", "d", "width",
                           "preserveAspectRatio", "href", "font-size", "opacity", "mask", "stroke-dasharray"))  # fmt: skip
        values = ("url(#a)", "scale(nan)", "matrix(1 2)", "translate()", "a", "#a", "")
        value = rng.choice((pools.number(rng), *values))
        cut = parts[at].rstrip(">").rstrip("/")
        parts[at] = f'{cut} {name}="{value}"' + ("/>" if parts[at].endswith("/>") else ">")
    else:
        parts = shuffled(parts, rng, _foreign(_SVG, rng, others))
    return "".join(parts)


def markdown(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """A book: blocks moved about, brought in, nested."""
    blocks = _BLOCKS.split(text)
    at = rng.randrange(len(blocks))
    way = rng.randrange(5)
    if way == 0:
        blocks.insert(at, rng.choice(pools.MARKDOWN))
    elif way == 1:
        mark = rng.choice(("> ", "- ", "  ", "    ", "1. ", ": ", "| ", "# ", "\t"))
        blocks[at] = "\n".join(
            mark * rng.choice((1, 1, 3, 60)) + line for line in blocks[at].split("\n")
        )
    elif way == 2:
        blocks[at] = markup(blocks[at], rng, others)
    elif way == 3:
        fence = re.search(r"```figure\n(.*?)```", text, re.DOTALL)
        if fence:
            inner = rng.choice((yaml_tree, words, numbers))(fence[1], rng, ())
            return text[: fence.start(1)] + inner + text[fence.end(1) :]
        blocks.insert(at, rng.choice(pools.MARKDOWN))
    else:
        foreign = _BLOCKS.split(rng.choice(others)) if others else []
        blocks = shuffled(blocks, rng, [*foreign, *pools.MARKDOWN])
    return "\n\n".join(blocks)


TEXTS: dict[str, tuple[Mutate, ...]] = {
    "yaml": (yaml_tree, yaml_tree, yaml_tree, yaml_front, numbers, words, lines, inserted),
    "csv": (csv_cells, csv_cells, lines, words, numbers, inserted),
    "html": (markup, markup, markup, markup, words, numbers, inserted),
    "css": (css, css, css, css, numbers, words, inserted),
    "svg": (svg, svg, svg, svg, numbers, words, inserted),
    "md": (markdown, markdown, markdown, words, numbers, inserted),
    "json": (json_tree, json_tree, json_tree, words, numbers, inserted),
    "js": (numbers, words, inserted, lines, markup),
}


def of_text(kind: str, data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """A text file mutated once or a few times."""
    text = data.decode("utf-8", "surrogateescape")
    foreign = [other.decode("utf-8", "replace") for other in others]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        text = rng.choice(TEXTS[kind])(text, rng, foreign)[:300_000]
    if any(0xDC80 <= ord(sign) <= 0xDCFF for sign in text):
        return text.encode("utf-8", "surrogateescape" if _escaped(text) else "surrogatepass")
    return text.encode("utf-8", rng.choice(("surrogatepass", "replace")))


def _escaped(text: str) -> bool:
    """Whether every surrogate stands for a byte that was no UTF-8."""
    return not any(0xD800 <= ord(sign) < 0xDC80 or 0xDCFF < ord(sign) < 0xE000 for sign in text)


def of_bytes(data: bytes, rng: Random) -> bytes:
    """Bytes flipped, dropped, doubled, cut short."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        at = rng.randint(0, max(0, len(found) - 1))
        way = rng.randrange(6)
        if way == 0 and found:
            found[at] ^= 1 << rng.randrange(8)
        elif way == 1 and found:
            found[at] = rng.choice((0, 255, 127, 128, 10, 34, 60, 123))
        elif way == 2:
            del found[at : at + rng.randint(1, 40)]
        elif way == 3:
            found[at:at] = found[at : at + rng.randint(1, 200)] * rng.choice((1, 2, 50))
        elif way == 4:
            found[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 12)))
        elif rng.random() < 0.3:
            del found[at:]
    return bytes(found[:400_000])
