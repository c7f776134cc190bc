"""fonts/fonts.yaml: which families a game uses and the files that make each up.

Font files are never part of a game's repository: they come as npm packages (`@fontsource/*`)
into `fonts/node_modules`, or lie beside fonts.yaml under the designer's own hand, where
`roboto-condensed-400-normal.ttf` wins over the package. A few families come with cardgen; a game
without fonts.yaml has all of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.base import paths, schema, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean, quoted
from cardgen.base.schema import Schema
from cardgen.base.units import MOST_SIGNS
from cardgen.base.yamlnodes import Node
from cardgen.game import builtin_fonts
from cardgen.game.model import FontFamily, Fonts
from cardgen.game.reading import known_keys, telling

FILE = "fonts/fonts.yaml"
STYLES = ("normal", "italic")
_KEYS: Mapping[str, Schema] = {
    "family": schema.said("The name by which CSS calls it.", {"type": "string"}),
    "package": schema.said(
        "The npm package that brings it, such as @fontsource/inter.", {"type": "string"}
    ),
    "subsets": schema.said(
        "The scripts: latin, latin-ext, cyrillic, greek …", schema.several({"type": "string"})
    ),
    "weights": schema.said("400 is plain, 700 bold.", schema.several(schema.whole(1, 1000))),
    "styles": schema.said("normal, italic, or both.", schema.several(schema.one_of(STYLES))),
}
_TOP: Mapping[str, Schema] = {
    "fonts": schema.said(
        "Every family; the first sets the text.",
        schema.listed(schema.mapping(_KEYS, ["family"]), 1),
    ),
    "hyphenation": schema.said(
        "Patterns of the npm package hyphen.", schema.named({"type": "string"}, schema.LANGUAGE)
    ),
}
SCHEMA = schema.mapping(_TOP, ["fonts"])
_WEIGHT = re.compile(r"(?:[1-9][0-9]{0,2}|1000)\Z")
_FAMILY = re.compile(r"[^\W_](?:[\w .+-]*\w)?\Z")
_SUFFIXES = (".ttf", ".otf", ".woff2")


def load(root: Path, languages: tuple[str, ...]) -> tuple[Fonts, list[Problem]]:
    """The fonts and hyphenation patterns of a game folder."""
    if not paths.there(root, FILE):
        return _builtin_alone()
    text, why = paths.read_text(root, FILE)
    if why:
        message = f"the file {why}; it names the fonts that the templates use"
        return Fonts(), [Problem(Source(FILE), message, "font")]
    node, problems = yamlnodes.load(text, FILE)
    if node is None:
        return Fonts(), problems
    known_keys(node, _TOP, FILE, telling(problems))
    families = []
    fonts = node.get("fonts")
    if not (fonts.nodes() if fonts else problems):
        problems.append(Problem(node.source, "fonts.yaml has no list 'fonts:'", "font"))
    for child in fonts.nodes() if fonts else ():
        family = _family(child, root, problems)
        if family:
            families.append(family)
    hyphenation = node.get("hyphenation")
    patterns = _patterns(hyphenation, root, languages, problems)
    named = {key: child.source for key, child in hyphenation.items()} if hyphenation else {}
    return Fonts(tuple(families), patterns, named), problems


def needs_packages(root: Path) -> bool:
    """Whether fonts.yaml names what npm must fetch; what cannot be read may."""
    if not paths.there(root, FILE):
        return False
    text, _ = paths.read_text(root, FILE)
    node, _ = yamlnodes.load(text, FILE)
    fonts = node.get("fonts") if node else None
    if node is None or fonts is None or node.get("hyphenation") is not None:
        return True
    return any(child.get("package") is not None for child in fonts.nodes())


def is_family(name: str) -> bool:
    """Whether a family may be called so."""
    return _FAMILY.match(name) is not None and len(name) <= MOST_SIGNS


def _builtin_alone() -> tuple[Fonts, list[Problem]]:
    """The families that come with cardgen, for a game that names none."""
    families = []
    for family in builtin_fonts.FAMILIES:
        there = {cut: family.path(*cut) for cut in family.cuts}
        files = {cut: (path,) for cut, path in there.items() if path}
        if files.keys() != there.keys():
            message = "the file is missing, and this cardgen came without families of its own"
            return Fonts(), [Problem(Source(FILE), f"{message}; it names the fonts to use", "font")]
        families.append(FontFamily(family.name, files, Source(FILE)))
    return Fonts(tuple(families)), []


def _family(node: Node, root: Path, problems: list[Problem]) -> FontFamily | None:
    known_keys(node, _KEYS, "", telling(problems))
    name = node.get("family")
    if name is None or not isinstance(name.value, str):
        problems.append(Problem(node.source, "a font needs family: NAME", "font"))
        return None
    if not is_family(name.value):
        message = f"family is {name.describe()}; letters, digits, spaces and hyphens are asked for"
        problems.append(Problem(name.source, message, "font"))
        return None
    files: dict[tuple[int, str], tuple[Path, ...]] = {}
    for weight in _words(node, "weights", ["400"]):
        for style in _words(node, "styles", ["normal"]):
            if style not in STYLES or not _WEIGHT.match(weight):
                cut = quoted(f"{weight} {style}")
                message = f"{cut} is no weight (100-900) and style (normal, italic)"
                problems.append(Problem(node.source, message, "font"))
                continue
            found = _files(node, root, name.value, f"{weight}-{style}", problems)
            if found:
                files[int(weight), style] = found
    return FontFamily(name.value, files, node.source)


def _words(node: Node, key: str, default: list[str]) -> list[str]:
    child = node.get(key)
    if child is None:
        return default
    words = [entry.text for entry in child.nodes()] if child.is_list else [child.text]
    return words or default


def _files(
    node: Node, root: Path, family: str, cut: str, problems: list[Problem]
) -> tuple[Path, ...]:
    slug = builtin_fonts.slug(family)
    for suffix in _SUFFIXES:
        name = f"fonts/{slug}-{cut}{suffix}"
        if paths.there(root, name):
            return _found(node, root, name, problems)
    package_node = node.get("package")
    if package_node is None:
        found, why = _without_package(node, family, cut)
        problems += [Problem(node.source, why, "font")] if why else []
        return found
    package = str(package_node.value)
    stem = package.rpartition("/")[2]
    fetched: list[Path] = []
    for subset in _words(node, "subsets", ["latin"]):
        relative = f"fonts/node_modules/{package}/files/{stem}-{subset}-{cut}.woff2"
        if not paths.there(root, relative):
            problems.append(_not_installed(package_node, root, package, f"{subset} {cut}"))
            return ()
        fetched += _found(package_node, root, relative, problems)
    return tuple(fetched)


def _without_package(node: Node, family: str, cut: str) -> tuple[tuple[Path, ...], str]:
    """The files of a cut that comes with cardgen, or why there are none."""
    builtin = builtin_fonts.BY_NAME.get(family)
    if builtin is None:
        hint = did_you_mean(family, builtin_fonts.BY_NAME, 0.8)
        hint = hint if "did you mean" in hint else ""
        own = f"fonts/{builtin_fonts.slug(family)}-{cut}.ttf"
        return (), f"{family} {cut} needs package: … or the file {own}{hint}"
    weight, _, style = cut.partition("-")
    fetch = f'package: "{builtin_fonts.package(family)}" fetches'
    if (int(weight), style) not in builtin.cuts:
        cuts = ", ".join(f"{weight} {style}" for weight, style in builtin.cuts)
        return (), f"{family} comes in {cuts}, and not in {weight} {style}; {fetch} another"
    for subset in _words(node, "subsets", []):
        if subset not in builtin.subsets:
            comes = ", ".join(builtin.subsets)
            return (), f"{family} comes in {comes}, and not in {quoted(subset)}; {fetch} another"
    path = builtin.path(int(weight), style)
    return ((path,), "") if path else ((), f"this cardgen came without {family}; {fetch} it")


def _found(node: Node, root: Path, name: str, problems: list[Problem]) -> tuple[Path, ...]:
    """A file that is there, if it can be read."""
    try:
        return (paths.find(root, name),)
    except paths.Unreadable as error:
        problems.append(Problem(node.source, f"{name} {error}", "font"))
        return ()


def _not_installed(node: Node, root: Path, package: str, what: str) -> Problem:
    if not paths.there(root, f"fonts/node_modules/{package}"):
        message = f"the font package {package} is not installed; 'cardgen fonts' fetches it"
    else:
        message = f"the font package {package} has no {what}"
    return Problem(node.source, message, "font")


def _patterns(
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
        if not paths.there(root, name):
            message = (
                f"the hyphenation patterns {child.value} are not installed; "
                "'cardgen fonts' fetches them"
            )
            problems.append(Problem(child.source, message, "font"))
            continue
        for path in _found(child, root, name, problems):
            found[language] = path
    return found
