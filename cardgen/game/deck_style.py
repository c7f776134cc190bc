"""Style of a deck with a look: `style:` of the deck, of a named style, and of the look itself.

A style may be a file, `styles/night.yaml`, that decks name: `style: night`. A few come with
cardgen. What a named style says of things that a look does not offer is passed over, since one
style serves all looks of a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cardgen.core import colour_math, json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game import fonts_file, game_looks
from cardgen.game.game_looks import STYLE_KEYS
from cardgen.game.keys import load_yaml
from cardgen.game.look_places import LookContext, LookReport, write_member
from cardgen.looks import look_catalogue
from cardgen.looks.look_catalogue import Look
from cardgen.runtime import game_files

STYLES_FOLDER = "styles"
_BUILTIN_PREFIX = "@"
"""Begins the paths of files that do not belong to the game."""
_SIZE = re.compile(r"(?P<points>[0-9]{1,2}(?:\.[0-9]+)?)\s*(?:pt)?\Z")
_MIN_SIZE_PT, _MAX_SIZE_PT = 4.0, 72.0
_WEIGHT = re.compile(r"[1-9]00\Z")
_REGULAR_WEIGHT = 400


@dataclass(frozen=True)
class LookStyle:
    """Style of a deck, complete and valid.

    `fonts` are families by role with their weights, `text_size` is in pt (0 lets the look choose),
    `colours` are template expressions by name, and `choices` the words among which the look offers
    a choice.
    """

    fonts: Mapping[str, tuple[str, int]]
    text_size: float
    colours: Mapping[str, str]
    choices: Mapping[str, str]


def list_styles(root: Path) -> dict[str, Path]:
    """Return the folders that hold each named style: those of a game, and those of cardgen."""
    found = {}
    for folder in (look_catalogue.LOOKS_FOLDER, root):
        for name in game_files.list_files(folder, STYLES_FOLDER, ".yaml", deep=False):
            found[Path(name).stem] = folder
    return dict(sorted(found.items()))


def build_style_schema(look: Look | None) -> Schema:
    """Return the schema of `style:` for a deck with a look; None allows what any look offers."""
    own = json_schema.allow_mapping({"like": json_schema.LOOK_STYLE, **_build_schemas(look)})
    return json_schema.allow_either(json_schema.LOOK_STYLE, own)


def build_style_file_schema() -> Schema:
    """Return the schema of a named style."""
    return json_schema.allow_mapping(_build_schemas(None))


def _build_schemas(look: Look | None) -> dict[str, Schema]:
    looks = [look] if look else [look_catalogue.load_look(n) for n in look_catalogue.list_looks()]
    colours = json_schema.allow_either(
        json_schema.COLOUR, json_schema.allow_pattern(colour_math.HEX_PATTERN), json_schema.STRING
    )
    roles = dict.fromkeys(_list_names(looks, "fonts"), json_schema.FONT)
    names = dict.fromkeys(_list_names(looks, "colours"), colours)
    return {
        "fonts": json_schema.describe(
            "A family for all text, or one for each kind of text.",
            json_schema.allow_either(json_schema.FONT, json_schema.allow_mapping(roles)),
        ),
        "text_size": json_schema.describe(
            "Of the text, in points: 9 pt; auto lets the look choose.", json_schema.SCALAR
        ),
        "colours": json_schema.allow_mapping(names),
        **{key: json_schema.allow_values(words) for key, words in _collect_offers(looks).items()},
    }


def _list_names(looks: Collection[Look], key: str) -> list[str]:
    nodes = (look.style.get(key) for look in looks)
    return list(dict.fromkeys(name for node in nodes if node for name, _ in node.items()))


def read_style(
    node: Node | None, look: Look, context: LookContext, report: LookReport
) -> LookStyle:
    """Return the style of a deck with a look. Report what is wrong in it."""
    merged = look.style
    for layer, is_own in _list_layers(node, context, report):
        known = (*STYLE_KEYS, *look.offers)
        if is_own:
            _check_keys(layer, (*known, "like"), f"the look {look.name} has no", "style", report)
        offered = {key: child for key, child in layer.items() if key in known}
        merged = merged.merge(Node(offered, layer.source, layer.keys), 2)
    reader = _StyleReader(merged, look, context, report)
    style = LookStyle(
        reader.read_fonts(), reader.read_text_size(), reader.read_colours(), reader.read_choices()
    )
    context.used_families.update(family for family, _ in style.fonts.values())
    return style


def _list_layers(
    node: Node | None, context: LookContext, report: LookReport
) -> Iterator[tuple[Node, bool]]:
    """Yield the named style and what the deck itself says; True for the latter."""
    if node is None or node.value is None:
        return
    name = node.get("like") if node.is_mapping else node
    if name is not None:
        styles = list_styles(context.root)
        if name.is_scalar and name.text in styles:
            found = _load_style(name.text, styles[name.text] == context.root, context.root, report)
            if found is not None:
                yield found, False
        else:
            hint = did_you_mean(name.text if name.is_scalar else "", styles)
            report(name.source, f"there is no style {name.describe()}{hint}", "fields")
    if node.is_mapping:
        yield node, True


def _load_style(name: str, is_own: bool, root: Path, report: LookReport) -> Node | None:
    """Return a named style, of the game itself or of cardgen, if it is a mapping."""
    file = f"{STYLES_FOLDER}/{name}.yaml"
    if not is_own:
        text = look_catalogue.read_shared_file(file)
        return yaml_nodes.load(text, f"{_BUILTIN_PREFIX}{file}")[0]
    found, problems = load_yaml(root, file)
    for problem in problems:
        report(problem.source, problem.message, problem.kind)
    if found is not None and found.is_mapping and found.value.keys() == {"style"}:
        found = found.value["style"]  # as it stands in a deck
    if found is None or not found.is_mapping:
        if found is not None:
            message = (
                f"the style is {found.describe()}; expected KEY: VALUE, such as text_size: 9 pt"
            )
            report(found.source, message, "type")
        return None
    offers = _collect_offers(game_looks.find_look(n, root) for n in game_looks.list_looks(root))
    _check_keys(found, (*STYLE_KEYS, *offers), "no look has", "style", report)
    for key, child in found.items():
        if key in offers and child.text not in offers[key]:
            message = f"no look has {key} {child.describe()}; known: {', '.join(offers[key])}"
            report(child.source, message, "fields")
    return found


def _collect_offers(looks: Iterable[Look]) -> dict[str, list[str]]:
    """Return the words of each choice that any of the looks offers."""
    offers: dict[str, list[str]] = {}
    for look in looks:
        for key, words in look.offers.items():
            known = offers.setdefault(key, [])
            known += (word for word in words if word not in known)
    return offers


def _check_keys(
    node: Node, known: Collection[str], whose: str, where: str, report: LookReport | None
) -> None:
    for key, hint in node.find_unknown_keys(known) if report else ():
        assert report
        report(node.keys[key], f"{whose} '{key}' in its {where}{hint}", "fields")


@dataclass(frozen=True)
class _StyleReader:
    """Reads the values of a style, in which those of the deck stand before those of the look."""

    node: Node
    look: Look
    context: LookContext
    report: LookReport

    def read_fonts(self) -> dict[str, tuple[str, int]]:
        own, given = self._get_own("fonts"), self.node.get("fonts")
        if given is not None and given.is_scalar:
            family = self._read_family(given)
            return {role: family or _split_family(child) for role, child in own.items()}
        self._check_names("fonts", "font")
        return {
            role: self._read_family(given.get(role) if given else None) or _split_family(child)
            for role, child in own.items()
        }

    def read_text_size(self) -> float:
        node = self.node.get("text_size")
        if node is None or node.value in (None, "auto"):
            return 0.0
        match = _SIZE.match(node.text) if node.is_scalar else None
        points = float(match["points"]) if match else 0.0
        if _MIN_SIZE_PT <= points <= _MAX_SIZE_PT:
            return points
        expected = f"auto, or a size from {_MIN_SIZE_PT:g} to {_MAX_SIZE_PT:g} pt, such as 9 pt"
        self.report(node.source, f"text_size is {node.describe()}; expected {expected}", "size")
        return 0.0

    def read_colours(self) -> dict[str, str]:
        self._check_names("colours", "colour")
        return {
            name: self._resolve_colour(name, ()) for name, _ in self._get_own("colours").items()
        }

    def read_choices(self) -> dict[str, str]:
        """Return the chosen word of each of the look's offers; the first one by default."""
        found = {}
        for key, words in self.look.offers.items():
            node = self.node.get(key)
            found[key] = node.text if node is not None and node.text in words else words[0]
            if node is not None and node.text not in words and self._is_own(key, node):
                hint = did_you_mean(node.text if node.is_scalar else "", words)
                hint = hint if "did you mean" in hint else f"; it offers {', '.join(words)}"
                message = f"the look {self.look.name} has no {key} {node.describe()}{hint}"
                self.report(node.source, message, "fields")
        return found

    def _get_own(self, key: str) -> Node:
        """Return what the look itself says."""
        return self.look.style.get(key) or Node({}, self.node.source)

    def _is_own(self, key: str, node: Node) -> bool:
        """Return whether the deck says this itself, not a named style that serves all looks."""
        named = (f"{STYLES_FOLDER}/", _BUILTIN_PREFIX)
        return key in STYLE_KEYS or not node.source.path.startswith(named)

    def _check_names(self, key: str, what: str) -> None:
        node, own = self.node.get(key), self._get_own(key)
        if node is not None and not node.is_mapping:
            names = ", ".join(f"{name}: …" for name, _ in own.items())
            self.report(node.source, f"{key} is {node.describe()}; expected {{{names}}}", "type")
        elif node is not None:
            whose = f"the look {self.look.name} has no {what}"
            for name, hint in node.find_unknown_keys(dict(own.items())):
                if not node.keys[name].path.startswith(_BUILTIN_PREFIX):
                    self.report(node.keys[name], f"{whose} '{name}'{hint}", "fields")

    def _read_family(self, node: Node | None) -> tuple[str, int] | None:
        """Return a family that the game has or that comes with cardgen, and its weight. Report
        another, and return None."""
        if node is None or node.value is None:
            return None
        (name, weight), families = _split_family(node), self.context.families
        same = {family.lower(): family for family in (*fonts_file.BUILTIN_BY_NAME, *families)}
        if name.lower() in same:
            return same[name.lower()], weight
        is_ours = node.source.path.startswith((_BUILTIN_PREFIX, look_catalogue.LOOK_FILE))
        if not families or is_ours:
            return None
        hint = did_you_mean(name, same.values()) if name else ""
        if "did you mean" not in hint and name:
            fetch = f"'cardgen fonts --add \"{name}\"' fetches it, if Fontsource has it"
            hint = f"; {fetch}; or put its file into fonts/"
        self.report(node.source, f"the game has no font {node.describe()}{hint}", "font")
        return None

    def _resolve_colour(self, name: str, seen: tuple[str, ...]) -> str:
        """Return a colour as an expression. One may be written as another of the style."""
        own = self._get_own("colours")
        given = self.node.get("colours")
        node = (given.get(name) if given and given.is_mapping else None) or own.get(name)
        assert node is not None
        if _is_from(node, own) and name in self.context.colours:
            return write_member("game.colours", name)
        text = node.text if node.is_scalar else ""
        if own.get(text) is not None and text not in (name, *seen):
            return self._resolve_colour(text, (*seen, name))
        if text in self.context.colours:
            return write_member("game.colours", text)
        written = colour_math.parse_hex(text) or colour_math.find_css_colour(text)
        if not written:
            known = [*self.context.colours, *own.value, *colour_math.list_css_colours()]
            hint = did_you_mean(text, known)
            if own.get(text) is not None:
                hint = ", which is this one again; write #rrggbb"
            elif colour_math.parse_hex(f"#{text}"):
                hint = f"; did you mean '#{text}'?"
            elif "did you mean" not in hint:
                hint = "; write '#rrggbb' or a name of CSS such as plum, or name it in game.yaml"
                hint += " under colours:"
            self.report(node.source, f"no colour {node.describe()}{hint}", "fields")
            fallback = own.get(name)
            written = colour_math.parse_hex(fallback.text if fallback else "") or "#808080"
        return json.dumps(written)


def _split_family(node: Node) -> tuple[str, int]:
    """Return the family that a node names, and its weight: `Oswald 700`. "" if it names none."""
    text = node.text.strip() if node.is_scalar else ""
    family, _, weight = text.rpartition(" ")
    if not _WEIGHT.match(weight):
        family, weight = text, ""
    return family if fonts_file.is_family_name(family) else "", int(weight or _REGULAR_WEIGHT)


def _is_from(node: Node, mapping: Node) -> bool:
    """Return whether a node is one of the values of a mapping."""
    return any(node is child for _, child in mapping.items())
