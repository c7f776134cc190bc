"""fonts/fonts.yaml: which families a game uses and the files that make each up.

Font files are never part of a game's repository: they come as npm packages (`@fontsource/*`)
into `fonts/node_modules`, or lie beside fonts.yaml under the designer's own hand, where
`roboto-condensed-400-normal.ttf` wins over the package. A few families come with cardgen; a game
without fonts.yaml has all of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean, format_value
from cardgen.core.units import MAX_NAME_LENGTH
from cardgen.core.yaml_nodes import Node
from cardgen.game.keys import check_keys, report_to
from cardgen.game.model import FontFamily, Fonts
from cardgen.runtime import game_files

BUILTIN_FONTS_FOLDER = Path(__file__).parents[1] / "assets/fonts"


@dataclass(frozen=True)
class BuiltinFamily:
    """A family, each of its weights in each of its styles, for all of its scripts."""

    name: str
    subsets: tuple[str, ...]
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)

    @property
    def cuts(self) -> list[tuple[int, str]]:
        """Its weights with their styles."""
        return [(weight, style) for weight in self.weights for style in self.styles]

    def get_file_name(self, weight: int, style: str) -> str:
        """The file of a cut, below the folder of them all."""
        return f"{make_family_slug(self.name)}/{make_family_slug(self.name)}-{weight}-{style}.ttf"

    def find_file(self, weight: int, style: str) -> Path | None:
        """Where a cut is, if it is there."""
        name = self.get_file_name(weight, style)
        return (
            BUILTIN_FONTS_FOLDER / name
            if game_files.has_entry(BUILTIN_FONTS_FOLDER, name)
            else None
        )


BUILTIN_FAMILIES = (
    BuiltinFamily(
        "Fira Sans Condensed",
        ("latin", "latin-ext", "cyrillic", "greek"),
        (400, 700),
        ("normal", "italic"),
    ),
    BuiltinFamily("Yeseva One", ("latin", "latin-ext", "cyrillic")),
)
"""The first is what text is set in where nothing else is said."""
BUILTIN_BY_NAME = {family.name: family for family in BUILTIN_FAMILIES}


def make_family_slug(family: str) -> str:
    """A family's name as files and packages are called after it: `roboto-condensed`."""
    return family.lower().replace(" ", "-")


def get_npm_package(family: str) -> str:
    """The npm package of a family."""
    return f"@fontsource/{make_family_slug(family)}"


FONTS_FILE = "fonts/fonts.yaml"
FONT_STYLES = ("normal", "italic")
FAMILY_KEYS: Mapping[str, Schema] = {
    "family": json_schema.describe("The name by which CSS calls it.", {"type": "string"}),
    "package": json_schema.describe(
        "The npm package that brings it, such as @fontsource/inter.", {"type": "string"}
    ),
    "subsets": json_schema.describe(
        "The scripts: latin, latin-ext, cyrillic, greek …",
        json_schema.allow_one_or_list({"type": "string"}),
    ),
    "weights": json_schema.describe(
        "400 is plain, 700 bold.", json_schema.allow_one_or_list(json_schema.allow_integer(1, 1000))
    ),
    "styles": json_schema.describe(
        "normal, italic, or both.",
        json_schema.allow_one_or_list(json_schema.allow_values(FONT_STYLES)),
    ),
}
FONTS_KEYS: Mapping[str, Schema] = {
    "fonts": json_schema.describe(
        "Every family; the first sets the text.",
        json_schema.allow_list(json_schema.allow_mapping(FAMILY_KEYS, ["family"]), 1),
    ),
    "hyphenation": json_schema.describe(
        "Patterns of the npm package hyphen.",
        json_schema.allow_named_values({"type": "string"}, json_schema.LANGUAGE),
    ),
}
FONTS_SCHEMA = json_schema.allow_mapping(FONTS_KEYS, ["fonts"])
_WEIGHT = re.compile(r"(?:[1-9][0-9]{0,2}|1000)\Z")
_FAMILY_NAME = re.compile(r"[^\W_](?:[\w .+-]*\w)?\Z")
_FONT_SUFFIXES = (".ttf", ".otf", ".woff2")


def load_fonts(root: Path, languages: tuple[str, ...]) -> tuple[Fonts, list[Problem]]:
    """The fonts and hyphenation patterns of a game folder."""
    if not game_files.has_entry(root, FONTS_FILE):
        return _load_builtin_fonts()
    text, why = game_files.read_text(root, FONTS_FILE)
    if why:
        message = f"the file {why}; it names the fonts that the templates use"
        return Fonts(), [Problem(Source(FONTS_FILE), message, "font")]
    node, problems = yaml_nodes.load(text, FONTS_FILE)
    if node is None:
        return Fonts(), problems
    check_keys(node, FONTS_KEYS, FONTS_FILE, report_to(problems))
    families = []
    fonts = node.get("fonts")
    if not (fonts.list_nodes() if fonts else problems):
        problems.append(Problem(node.source, "fonts.yaml has no list 'fonts:'", "font"))
    for child in fonts.list_nodes() if fonts else ():
        family = _read_family(child, root, problems)
        if family:
            families.append(family)
    hyphenation = node.get("hyphenation")
    patterns = _read_hyphenation(hyphenation, root, languages, problems)
    named = {key: child.source for key, child in hyphenation.items()} if hyphenation else {}
    return Fonts(tuple(families), patterns, named), problems


def needs_npm_packages(root: Path) -> bool:
    """Whether fonts.yaml names what npm must fetch; what cannot be read may."""
    if not game_files.has_entry(root, FONTS_FILE):
        return False
    text, _ = game_files.read_text(root, FONTS_FILE)
    node, _ = yaml_nodes.load(text, FONTS_FILE)
    fonts = node.get("fonts") if node else None
    if node is None or fonts is None or node.get("hyphenation") is not None:
        return True
    return any(child.get("package") is not None for child in fonts.list_nodes())


def is_family_name(name: str) -> bool:
    """Whether a family may be called so."""
    return _FAMILY_NAME.match(name) is not None and len(name) <= MAX_NAME_LENGTH


def _load_builtin_fonts() -> tuple[Fonts, list[Problem]]:
    """The families that come with cardgen, for a game that names none."""
    families = []
    for family in BUILTIN_FAMILIES:
        there = {cut: family.find_file(*cut) for cut in family.cuts}
        files = {cut: (path,) for cut, path in there.items() if path}
        if files.keys() != there.keys():
            message = "the file is missing, and this cardgen came without families of its own"
            return Fonts(), [
                Problem(Source(FONTS_FILE), f"{message}; it names the fonts to use", "font")
            ]
        families.append(FontFamily(family.name, files, Source(FONTS_FILE)))
    return Fonts(tuple(families)), []


def _read_family(node: Node, root: Path, problems: list[Problem]) -> FontFamily | None:
    check_keys(node, FAMILY_KEYS, "", report_to(problems))
    name = node.get("family")
    if name is None or not isinstance(name.value, str):
        problems.append(Problem(node.source, "a font needs family: NAME", "font"))
        return None
    if not is_family_name(name.value):
        message = f"family is {name.describe()}; letters, digits, spaces and hyphens are asked for"
        problems.append(Problem(name.source, message, "font"))
        return None
    files: dict[tuple[int, str], tuple[Path, ...]] = {}
    for weight in _read_words(node, "weights", ["400"]):
        for style in _read_words(node, "styles", ["normal"]):
            if style not in FONT_STYLES or not _WEIGHT.match(weight):
                cut = format_value(f"{weight} {style}")
                message = f"{cut} is no weight (100-900) and style (normal, italic)"
                problems.append(Problem(node.source, message, "font"))
                continue
            found = _find_cut_files(node, root, name.value, f"{weight}-{style}", problems)
            if found:
                files[int(weight), style] = found
    return FontFamily(name.value, files, node.source)


def _read_words(node: Node, key: str, default: list[str]) -> list[str]:
    child = node.get(key)
    if child is None:
        return default
    words = [entry.text for entry in child.list_nodes()] if child.is_list else [child.text]
    return words or default


def _find_cut_files(
    node: Node, root: Path, family: str, cut: str, problems: list[Problem]
) -> tuple[Path, ...]:
    slug = make_family_slug(family)
    for suffix in _FONT_SUFFIXES:
        name = f"fonts/{slug}-{cut}{suffix}"
        if game_files.has_entry(root, name):
            return _find_font_file(node, root, name, problems)
    package_node = node.get("package")
    if package_node is None:
        found, why = _find_builtin_file(node, family, cut)
        problems += [Problem(node.source, why, "font")] if why else []
        return found
    package = str(package_node.value)
    stem = package.rpartition("/")[2]
    fetched: list[Path] = []
    for subset in _read_words(node, "subsets", ["latin"]):
        relative = f"fonts/node_modules/{package}/files/{stem}-{subset}-{cut}.woff2"
        if not game_files.has_entry(root, relative):
            problems.append(_report_not_installed(package_node, root, package, f"{subset} {cut}"))
            return ()
        fetched += _find_font_file(package_node, root, relative, problems)
    return tuple(fetched)


def _find_builtin_file(node: Node, family: str, cut: str) -> tuple[tuple[Path, ...], str]:
    """The files of a cut that comes with cardgen, or why there are none."""
    builtin = BUILTIN_BY_NAME.get(family)
    if builtin is None:
        hint = did_you_mean(family, BUILTIN_BY_NAME, 0.8)
        hint = hint if "did you mean" in hint else ""
        own = f"fonts/{make_family_slug(family)}-{cut}.ttf"
        return (), f"{family} {cut} needs package: … or the file {own}{hint}"
    weight, _, style = cut.partition("-")
    fetch = f'package: "{get_npm_package(family)}" fetches'
    if (int(weight), style) not in builtin.cuts:
        cuts = ", ".join(f"{weight} {style}" for weight, style in builtin.cuts)
        return (), f"{family} comes in {cuts}, and not in {weight} {style}; {fetch} another"
    for subset in _read_words(node, "subsets", []):
        if subset not in builtin.subsets:
            comes = ", ".join(builtin.subsets)
            return (
                (),
                f"{family} comes in {comes}, and not in {format_value(subset)}; {fetch} another",
            )
    path = builtin.find_file(int(weight), style)
    return ((path,), "") if path else ((), f"this cardgen came without {family}; {fetch} it")


def _find_font_file(node: Node, root: Path, name: str, problems: list[Problem]) -> tuple[Path, ...]:
    """A file that is there, if it can be read."""
    try:
        return (game_files.find_file(root, name),)
    except game_files.UnreadableError as error:
        problems.append(Problem(node.source, f"{name} {error}", "font"))
        return ()


def _report_not_installed(node: Node, root: Path, package: str, what: str) -> Problem:
    if not game_files.has_entry(root, f"fonts/node_modules/{package}"):
        message = f"the font package {package} is not installed; 'cardgen fonts' fetches it"
    else:
        message = f"the font package {package} has no {what}"
    return Problem(node.source, message, "font")


def _read_hyphenation(
    node: Node | None, root: Path, languages: tuple[str, ...], problems: list[Problem]
) -> dict[str, Path]:
    """Hyphenation patterns by language, as files of the npm package `hyphen`."""
    found: dict[str, Path] = {}
    for language, child in node.items() if node else ():
        assert node is not None
        if language not in languages:
            hint = did_you_mean(language, languages)
            message = f"unknown language '{language}'{hint}"
            problems.append(Problem(node.keys[language], message, "language"))
            continue
        if not isinstance(child.value, str):
            message = (
                f"hyphenation of {language} is {child.describe()}; a name, such as fi-x-school"
            )
            problems.append(Problem(child.source, message, "type"))
            continue
        name = f"fonts/node_modules/hyphen/patterns/{child.value}.js"
        if not game_files.has_entry(root, name):
            message = (
                f"the hyphenation patterns {child.value} are not installed; "
                "'cardgen fonts' fetches them"
            )
            problems.append(Problem(child.source, message, "font"))
            continue
        for path in _find_font_file(child, root, name, problems):
            found[language] = path
    return found


_FILE_COMMENT = "# The families that the templates use. The first is what text is set in.\n"
_FONTS_LINE = re.compile(r"fonts:\s*(?:#.*)?\Z")
_LIST_ITEM = re.compile(r"( *)- ")
_INDENTED = re.compile(r"[ -]")


@dataclass(frozen=True)
class FontEntry:
    """A family as fonts.yaml lists it. Without a package it is one that comes with cardgen."""

    family: str
    package: str = ""
    subsets: tuple[str, ...] = ()
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)

    def format_lines(self) -> list[str]:
        """It as YAML, without what goes without saying."""
        said = [f"- family: {self.family}"]
        if self.package:
            said.append(f'  package: "{self.package}"')
        if self.subsets and self.subsets != ("latin",):
            said.append(f"  subsets: [{', '.join(self.subsets)}]")
        if self.weights != (400,):
            said.append(f"  weights: [{', '.join(map(str, self.weights))}]")
        if self.styles != ("normal",):
            said.append(f"  styles: [{', '.join(self.styles)}]")
        return said


def format_fonts_file(entries: Iterable[FontEntry]) -> str:
    """A fonts.yaml for a game that had none: with what it was set in until now first."""
    builtin = [
        FontEntry(family.name, weights=family.weights, styles=family.styles)
        for family in BUILTIN_FAMILIES
    ]
    lines = [line for entry in (*builtin, *entries) for line in entry.format_lines()]
    return _FILE_COMMENT + "fonts:\n" + "".join(f"  {line}\n" for line in lines)


def append_families(text: str, entries: Sequence[FontEntry]) -> str | None:
    """The text of fonts.yaml with more families; None where it is written in a way that a line
    cannot be added to, such as in brackets."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.removesuffix(end).split(end)
    start = next((number for number, line in enumerate(lines) if _FONTS_LINE.match(line)), None)
    if start is None:
        return None
    last = start
    for number, line in enumerate(lines[start + 1 :], start + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            if not _INDENTED.match(line):
                break
            last = number
    dashes = (_LIST_ITEM.match(line) for line in lines[start + 1 : last + 1])
    indent = next((match[1] for match in dashes if match), "  ")
    added = [indent + line for entry in entries for line in entry.format_lines()]
    made = end.join([*lines[: last + 1], *added, *lines[last + 1 :], ""])
    return made if _has_only_added(made, text, entries) else None


def _has_only_added(made: str, before: str, entries: Sequence[FontEntry]) -> bool:
    """Whether a text says what the one before did, and the new families."""
    nodes = [yaml_nodes.load(text, FONTS_FILE)[0] for text in (made, before)]
    now, was = (node.to_plain() if node is not None else None for node in nodes)
    if not isinstance(now, dict) or not isinstance(was, dict):
        return False
    names = [entry.family for entry in entries]
    kept, listed = was.get("fonts") or [], now.get("fonts")
    if not isinstance(listed, list) or listed[: -len(names)] != kept:
        return False
    added = [each.get("family") if isinstance(each, dict) else each for each in listed]
    return added[-len(names) :] == names and {**now, "fonts": kept} == {**was, "fonts": kept}
